# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables of the environment: what turns one on, and which names are probably others misspelt."""

from __future__ import annotations

import difflib
import os
from typing import Iterable

_ON = ("on", "1", "yes", "true", "y", "t")
_OFF = ("", "off", "0", "no", "false", "n", "f")

OWN = ("GAUDI_CACHE_DIR", "GAUDI_CHECK_FINITE", "GAUDI_DEVICE", "GAUDI_EVENT_CLOCK",
       "GAUDI_HOST_CLOCK", "GAUDI_INTEGERS", "GAUDI_JIT_CPU", "GAUDI_JIT_TIER", "GAUDI_MME",
       "GAUDI_MOVE_TENSORS", "GAUDI_NUMERICS", "GAUDI_OPS_ON_CPU", "GAUDI_REPLAY",
       "GAUDI_REPLAY_DIR", "GAUDI_REPLAY_INPUTS", "GAUDI_TORCH_MLIR_MEMORY",
       "GAUDI_TORCH_MLIR_TIMEOUT")
"""The variables of this project's own."""

_PREFIXES = ("GAUDI_", "PT_", "HABANA_", "LOG_LEVEL_PT_")


def is_on(value: str) -> bool:
    """As the card's software reads a switch."""
    return value.strip().lower() in _ON


def is_switch(value: str) -> bool:
    return value.strip().lower() in (*_ON, *_OFF)


def misspelt(known: Iterable[str], prefixes: tuple[str, ...]) -> list[str]:
    """What to say of variables with such a prefix that are none of the known ones, but nearly."""
    ends = {_end(name): name for name in known}
    found = []
    for name in sorted(os.environ):
        if name.startswith(prefixes) and name not in ends.values():
            near = difflib.get_close_matches(_end(name), list(ends), 1, 0.8)
            if near:
                found.append(f"gaudi-mlir reads no variable {name}; did you mean {ends[near[0]]}?")
    return found


def without_effect() -> list[str]:
    """What to say of this project's own variables."""
    return misspelt(OWN, ("GAUDI_",)) + list(filter(None, [_of_cache()]))


def _of_cache() -> str:
    """Of a folder for compiled kernels that nobody can make or write to."""
    path = given = os.environ.get("GAUDI_CACHE_DIR", "")
    while path and not os.path.lexists(path):
        path = os.path.dirname(path) or "."
    if not path or os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK):
        return ""
    why = "cannot be written" if os.path.isdir(path) else "is no folder"
    return f"GAUDI_CACHE_DIR is '{given}', and '{path}' {why}: compiled kernels are not kept; name a " \
        "folder of your own, or unset it"


def _end(name: str) -> str:
    """What tells variables apart."""
    return next((name[len(each):] for each in _PREFIXES if name.startswith(each)), name)
