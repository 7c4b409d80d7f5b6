# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders that the build of an extension asks for."""
from .library_loader import _get_modules_directory


def get_include_dir() -> str:
    """There are no headers: an op of a card is text of the kernel language, or Python."""
    raise NotImplementedError("gaudi-mlir has no headers of Intel's C++ interface of custom ops; "
                              "docs/custom-ops.md says what maps to what")


def get_lib_dir() -> str:
    """The folder of the package's extension modules."""
    return _get_modules_directory()
