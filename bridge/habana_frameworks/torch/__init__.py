# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device "hpu" of PyTorch as an emulated Gaudi."""
import gaudi_mlir as _gaudi_mlir  # noqa: F401: the library that the extension module uses
import torch as _torch

from . import _C  # noqa: F401
from . import hpu

_torch._register_device_module("hpu", hpu)


def _register_backend() -> None:
    from gaudi_mlir.torch import registration

    from .dynamo.compile_backend.backends import hpu_backend
    registration.register(hpu_backend, "hpu_backend")


_register_backend()
