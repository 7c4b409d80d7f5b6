# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intel's package for PyTorch on Gaudi, here on an emulated card."""


def __getattr__(name: str):
    if not name.startswith("__"):
        import importlib
        package = importlib.import_module(f"{__name__}.torch")
        if name == "torch":
            return package
        if name in vars(package):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it is {__name__}.torch."
                                 f"{name}: import {__name__}.torch.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; docs/hpu.md lists what there is")
