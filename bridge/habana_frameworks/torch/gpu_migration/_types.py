# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.cuda.FloatTensor and the like: a type of elements on the card."""
import torch

from . import _notes
from ._rules import _TYPES


class Legacy(type):
    """Calls make tensors of hpu; instances are those of the type of elements."""

    def __call__(cls, *args, device=None):
        _notes.add(f"torch.cuda.{cls.__name__}")
        if not args:
            return torch.empty(0, dtype=cls.dtype, device="hpu")
        if isinstance(args[0], torch.Size):
            args = tuple(args[0])
        if all(isinstance(each, int) for each in args):
            return torch.empty(args, dtype=cls.dtype, device="hpu")
        if len(args) != 1:
            raise TypeError(f"torch.cuda.{cls.__name__}() takes sizes, or one sequence, array or "
                            f"tensor, got {len(args)} arguments")
        return torch.as_tensor(args[0], dtype=cls.dtype).to("hpu")

    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, torch.Tensor) and value.dtype is cls.dtype and \
            value.device.type == "hpu"

    def __repr__(cls) -> str:
        return f"<class 'torch.cuda.{cls.__name__}'>"


TYPES = {f"{name}Tensor": Legacy(f"{name}Tensor", (), {"dtype": getattr(torch, dtype),
                                                       "is_cuda": True, "is_sparse": False,
                                                       "__module__": "torch.cuda"})
         for name, dtype in _TYPES.items()}


def type_named(name: str):
    """The class of "torch.cuda.FloatTensor" or "torch.hpu.FloatTensor"; other names as they
    are."""
    head, _, last = name.rpartition(".")
    return TYPES.get(last, name) if head in ("torch.cuda", "torch.hpu") else name


def install() -> None:
    for name, each in TYPES.items():
        setattr(torch.cuda, name, each)
    default = torch.set_default_tensor_type

    def set_default_tensor_type(kind) -> None:
        wanted = type_named(kind) if isinstance(kind, str) else kind
        if not isinstance(wanted, Legacy):
            default(kind)
            return
        _notes.add(f"torch.cuda.{wanted.__name__}")
        torch.set_default_dtype(wanted.dtype)
        torch.set_default_device("hpu")

    torch.set_default_tensor_type = set_default_tensor_type
