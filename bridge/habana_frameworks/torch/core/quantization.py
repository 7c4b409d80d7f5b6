# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inference: the states that a program sets before and after."""
import os

import torch
from gaudi_mlir import _environment
from torch.utils.weak import WeakIdKeyDictionary

from .. import _missing
from ..hpu import disable_inference_mode, enable_inference_mode


def check_env_flag(name: str, default: str = "") -> bool:
    return _environment.is_on(os.getenv(name, default))


def hpu_set_env(model: torch.nn.Module | None = None):
    """The model, as it is."""
    return model


def hpu_reset_env() -> None:
    disable_inference_mode()


def hpu_set_inference_env(model: torch.nn.Module | None = None):
    """Begins inference; the model, as it is."""
    enable_inference_mode()
    return model


def hpu_teardown_inference_env() -> None:
    disable_inference_mode()


def hpu_initialize(model=None, mark_only_scales_as_const=False, optimizer=None, args=None) -> None:
    """For inference hpu_inference_initialize, which is what it is if nothing trains the model."""
    if optimizer is None:
        hpu_inference_initialize(model, mark_only_scales_as_const)


def hpu_inference_initialize(model=None, mark_only_scales_as_const=False, optimizer=None,
                             args=None) -> None:
    """Begins inference. Parameters become constants by PT_HPU_COMPILE_GRAPH_FREEZE only."""
    if model is not None and not isinstance(model, torch.nn.Module):
        raise TypeError(f"hpu_inference_initialize: model is {model!r}; expected a torch.nn.Module")
    enable_inference_mode()


_constants = WeakIdKeyDictionary()
"""Tensors that a program says it will not change. They are operands of recipes like all others:
constants of a graph are what PT_HPU_COMPILE_GRAPH_FREEZE makes."""


def _mark_params_as_const(model: torch.nn.Module) -> None:
    for name, each in model.named_parameters():
        _constants[each] = name


def _check_params_as_const(model: torch.nn.Module) -> None:
    for name, each in model.named_parameters():
        if each not in _constants:
            raise RuntimeError(f"parameter '{name}' is not marked as a constant: call "
                               "_mark_params_as_const(model) first")


def _get_marked_const_count() -> int:
    return len(_constants)


__getattr__ = _missing.of(__name__, {"adjust_name": "PT_HPU_COMPILE_GRAPH_FREEZE=1 makes parameters constants"})
