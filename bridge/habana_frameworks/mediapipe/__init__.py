# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The media pipe, which decodes images on a card: there is none here, but clients of hpu import its
names. To use one raises."""


class Absent(type):
    """Of a class of the media pipe: to make one, or to take a name of it, raises."""

    def __getattr__(cls, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotImplementedError(f"gaudi-mlir does not emulate the media pipe: {cls.__name__}."
                                  f"{name}; load data with torch.utils.data.DataLoader")

    def __call__(cls, *_, **__):
        raise NotImplementedError(f"gaudi-mlir does not emulate the media pipe: {cls.__name__}; "
                                  "load data with torch.utils.data.DataLoader")


class fn(metaclass=Absent):
    """Nodes of a pipe."""
