# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Intel's package has and this one has not is said, not left to a bare AttributeError."""
import importlib.abc
import sys

PREFIX = "habana_frameworks."


def of(module: str, known: tuple[str, ...] = ()):
    """A module's __getattr__. The names in `known` are parts of Intel's module: to use one raises
    NotImplementedError; any other name raises AttributeError, so that a program may ask."""
    def lookup(name: str):
        if name in known:
            raise NotImplementedError(f"gaudi-mlir does not emulate {module}.{name} of Intel's package")
        raise AttributeError(f"module {module!r} has no attribute {name!r}"
                             + ("" if name.startswith("__") else
                                "; gaudi-mlir's package has what docs/hpu.md lists"))
    return lookup


class _Finder(importlib.abc.MetaPathFinder):
    """The last one that is asked for a module."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith(PREFIX):
            raise ModuleNotFoundError(f"gaudi-mlir does not emulate the module {name} of Intel's "
                                      "package", name=name)
        return None


def install() -> None:
    if not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.append(_Finder())
