# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The environment variables of Gaudi's PyTorch bridge that have a meaning here.

They are read when a graph is compiled, so that a program may set them after the import.
"""
import os

from .. import _environment


def enabled(name: str, default: bool = False) -> bool:
    """A switch, read as the bridge does."""
    value = os.environ.get(name)
    return default if value is None else _environment.is_on(value)


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def may_run_on_cpu(op: str) -> bool:
    """Whether PT_HPU_PLACE_ON_CPU lets `op` ("aten::digamma" or "digamma") run on the CPU."""
    names = [name.strip() for name in text("PT_HPU_PLACE_ON_CPU").split(",") if name.strip()]
    if "none" in names:
        return False
    return not names or op in names or op.split("::")[-1] in names
