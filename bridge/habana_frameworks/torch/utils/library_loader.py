# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether there is a card."""
import torch

from .. import _missing


def is_habana_available() -> bool:
    return torch.hpu.is_available()


def load_habana_module() -> None:
    """Loaded with the package."""


def load_habana_profiler() -> None:
    """Loaded with the package."""


__getattr__ = _missing.of(__name__, ("_get_modules_directory",))
