# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether there is a card."""
import os

import torch

from .. import _C, _missing


def is_habana_available() -> bool:
    return torch.hpu.is_available()


def load_habana_module() -> None:
    """Loaded with the package."""


def load_habana_profiler() -> None:
    """Loaded with the package."""


def _get_modules_directory(library_list=()) -> str:
    """The folder of the package's extension modules."""
    folder = os.path.dirname(_C.__file__)
    for each in library_list:
        if not os.path.exists(os.path.join(folder, each)):
            raise FileNotFoundError(f"{folder} has no library {each}; its extension module is "
                                    f"{os.path.basename(_C.__file__)}")
    return folder


__getattr__ = _missing.of(__name__)
