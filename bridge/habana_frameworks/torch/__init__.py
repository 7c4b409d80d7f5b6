# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device "hpu" of PyTorch as an emulated Gaudi."""


def _autoload() -> None:
    """What "import torch" calls: the import of this package is nearly all that there is to do."""
    from .internal import bridge_config
    if bridge_config.get_pt_hpu_gpu_migration():
        from . import gpu_migration  # noqa: F401


from ._checks import check as _check  # noqa: E402

_check()  # before the extension module registers anything

import gaudi_mlir as _gaudi_mlir  # noqa: E402, F401: the library that the extension module uses
import torch as _torch  # noqa: E402

from . import _C  # noqa: E402, F401
from . import _missing  # noqa: E402
from . import hpu  # noqa: E402

_torch._register_device_module("hpu", hpu)
_missing.install()
_missing.install_ops()

from . import (  # noqa: E402, F401
    _attention, _device, _fp8, _fp8_attention, _kernels, _ops, _optimizers, _quantized, _trace,
    core, distributed, profiler, utils)

_device.install()
_trace.install()

from . import activity_profiler  # noqa: E402, F401: the type of torch.profiler's activities


def _register_backend() -> None:
    from gaudi_mlir.torch import registration

    from .dynamo.compile_backend.backends import hpu_backend
    registration.register(hpu_backend, "hpu_backend")


_register_backend()


def _observe() -> None:
    """Looks at launches as the environment asks for."""
    import os

    from . import _environment
    try:
        _observe_launches(os.environ)
    except ValueError as error:
        _environment.refuse(str(error))


def _observe_launches(variables) -> None:
    if variables.get("GAUDI_CHECK_FINITE", "").strip():
        from . import _finite
        _finite.install(variables["GAUDI_CHECK_FINITE"])
    if any(variables.get(name, "").strip() for name in ("PT_SBS", "GAUDI_OPS_ON_CPU")):
        from . import _sidebyside
        _sidebyside.install()
    if variables.get("GAUDI_REPLAY_DIR", "").strip():
        from . import _replay
        _replay.install(variables["GAUDI_REPLAY_DIR"])


_observe()


def overwrite_torch_optimizers() -> None:
    """torch.optim.Adam and AdamW are from now on those of hpex.optimizers, whose step is a graph of
    its own in lazy mode."""
    from .hpex.optimizers import MarkstepAdam, MarkstepAdamW
    _torch.optim.Adam, _torch.optim.AdamW = MarkstepAdam, MarkstepAdamW


__getattr__ = _missing.of(__name__)
