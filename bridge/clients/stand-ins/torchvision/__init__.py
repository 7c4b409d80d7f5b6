# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No torchvision: its wheels need a PyTorch with CUDA, yet clients of hpu import names of it that
they may never use. Those are here; to use one raises."""
import importlib

_MODULES = ("datasets", "io", "models", "ops", "transforms")


def _absent(module: str):
    """A module's __getattr__."""
    def lookup(name: str):
        if name.startswith("__"):
            raise AttributeError(name)

        def absent(*_, **__):
            raise NotImplementedError(f"there is no {module}.{name}: a stand-in of gaudi-mlir is "
                                      "in torchvision's place")
        return absent
    return lookup


def __getattr__(name: str):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(name)
