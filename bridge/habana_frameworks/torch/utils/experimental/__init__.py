# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kind of card."""
import enum as _enum

import torch

from ... import _missing


class synDeviceType(_enum.IntEnum):
    """Kinds of cards, by the names and numbers of the real stack."""
    synDeviceGaudi = 0
    synDeviceGaudi2 = 4
    synDeviceGaudi3 = 5


def _get_device_type() -> synDeviceType:
    name = torch.hpu.get_device_name()
    return {"GAUDI": synDeviceType.synDeviceGaudi, "GAUDI2": synDeviceType.synDeviceGaudi2,
            "GAUDI3": synDeviceType.synDeviceGaudi3}[name]


def _is_fp16_supported() -> bool:
    return torch.hpu.get_device_name() != "GAUDI"


def _is_available() -> bool:
    return torch.hpu.is_available()


_is_dynamic_quantization = False


def _set_is_dynamic_quantization(is_dynamic: bool) -> None:
    """neural_compressor says whether scales are computed by each call. They are operands of graphs
    either way, so that nothing depends on it here."""
    global _is_dynamic_quantization
    _is_dynamic_quantization = bool(is_dynamic)


def _get_is_dynamic_quantization() -> bool:
    return _is_dynamic_quantization


from . import detect_recompilation, distributed_emulation  # noqa: E402, F401

__getattr__ = _missing.of(__name__, {
    "_is_model_param_initialized": "torch.nn.parameter.is_lazy tells parameters without values",
    "_is_optim_state_initialized": "optimizer.state is empty before the first step"})
