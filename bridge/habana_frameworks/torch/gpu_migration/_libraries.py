# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""apex and pynvml, which are for NVIDIA's cards: what scripts use of them, by PyTorch and hpex. They
are found before packages of these names, which could not work."""
import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import types

import torch

from . import _notes
from .._cuda_names.rules import MODULES


def _noted(module: str, name: str) -> None:
    _notes.add(f"{module}.{name}", MODULES[module])


# --- apex ----------------------------------------------------------------------------------------


def _adam(params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-8, adam_w_mode=True,
          weight_decay=0.0, amsgrad=False, set_grad_none=True, **_):
    if not bias_correction:
        raise NotImplementedError("apex.optimizers.FusedAdam(bias_correction=False) has no "
                                  "counterpart in torch.optim; use hpex.optimizers.FusedAdamW")
    kind = torch.optim.AdamW if adam_w_mode else torch.optim.Adam
    return kind(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                fused=True)


def _sgd(params, lr, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, **_):
    return torch.optim.SGD(params, lr=lr, momentum=momentum, dampening=dampening,
                           weight_decay=weight_decay, nesterov=nesterov, fused=True)


def _adagrad(params, lr=1e-2, eps=1e-10, weight_decay=0.0, set_grad_none=True,
             adagrad_w_mode=False):
    if adagrad_w_mode:
        raise NotImplementedError("apex.optimizers.FusedAdagrad(adagrad_w_mode=True) has no "
                                  "counterpart; its weight decay is that of the gradient here")
    return torch.optim.Adagrad(params, lr=lr, eps=eps, weight_decay=weight_decay)


def _lamb(params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01,
          amsgrad=False, adam_w_mode=True, grad_averaging=True, set_grad_none=True,
          max_grad_norm=1.0, use_nvlamb=False):
    from ..hpex.optimizers import FusedLamb
    return FusedLamb(params, lr=lr, bias_correction=bias_correction, betas=betas, eps=eps,
                     weight_decay=weight_decay, amsgrad=amsgrad, adam_w_mode=adam_w_mode,
                     grad_averaging=grad_averaging, set_grad_none=set_grad_none,
                     max_grad_norm=max_grad_norm, use_lamb=use_nvlamb)


def _norm(kind):
    def make(normalized_shape, eps=1e-5, elementwise_affine=True, **_):
        return kind(normalized_shape, eps=eps, elementwise_affine=elementwise_affine)
    return make


def _initialize(models, optimizers=None, enabled=True, opt_level="O1", **_):
    """O1 to O3 compute in bfloat16 by autocast, with weights of float32: losses need no scale."""
    if opt_level not in ("O0", "O1", "O2", "O3"):
        raise ValueError(f"apex.amp has the levels O0 to O3, not {opt_level!r}")
    if enabled and opt_level != "O0":
        for model in models if isinstance(models, (list, tuple)) else [models]:
            forward = model.forward

            def call(*args, _forward=forward, **named):
                with torch.autocast("hpu", dtype=torch.bfloat16):
                    return _forward(*args, **named)
            model.forward = functools.wraps(forward)(call)
    return models if optimizers is None else (models, optimizers)


@contextlib.contextmanager
def _scale_loss(loss, optimizers, *_, **__):
    yield loss


def _master_params(optimizer):
    return (each for group in optimizer.param_groups for each in group["params"])


def _parallel(module, *_, **__):
    """Gradients are summed over the ranks, if there are several."""
    is_one = not (torch.distributed.is_available() and torch.distributed.is_initialized())
    return module if is_one else torch.nn.parallel.DistributedDataParallel(module)


# --- pynvml --------------------------------------------------------------------------------------


def _memory(handle):
    free, total = torch.hpu.mem_get_info(handle)
    return types.SimpleNamespace(total=total, free=free, used=total - free)


def _rates(handle):
    return types.SimpleNamespace(gpu=torch.hpu.utilization(handle),
                                 memory=torch.hpu.memory_usage(handle))


_NAMES = {
    "apex": {},
    "apex.optimizers": {"FusedAdam": _adam, "FusedSGD": _sgd, "FusedAdagrad": _adagrad,
                        "FusedLAMB": _lamb},
    "apex.normalization": {
        "FusedLayerNorm": _norm(torch.nn.LayerNorm), "FusedRMSNorm": _norm(torch.nn.RMSNorm),
        "MixedFusedLayerNorm": _norm(torch.nn.LayerNorm),
        "MixedFusedRMSNorm": _norm(torch.nn.RMSNorm)},
    "apex.amp": {"initialize": _initialize, "scale_loss": _scale_loss,
                 "master_params": _master_params, "state_dict": lambda: {},
                 "load_state_dict": lambda state: None},
    "apex.parallel": {
        "DistributedDataParallel": _parallel,
        "convert_syncbn_model": lambda module, **_: torch.nn.SyncBatchNorm.convert_sync_batchnorm(
            module), "SyncBatchNorm": torch.nn.SyncBatchNorm},
    "pynvml": {
        "nvmlInit": lambda: None, "nvmlShutdown": lambda: None,
        "nvmlDeviceGetCount": torch.hpu.device_count,
        "nvmlDeviceGetHandleByIndex": lambda index: torch.device("hpu", index),
        "nvmlDeviceGetIndex": lambda handle: handle.index,
        "nvmlDeviceGetName": torch.hpu.get_device_name,
        "nvmlDeviceGetMemoryInfo": _memory, "nvmlDeviceGetUtilizationRates": _rates},
}


class _Library(types.ModuleType):
    """Its names are noted where a script uses them."""

    def __getattr__(self, name: str):
        known = _NAMES[self.__name__]
        if name in known:
            _noted(self.__name__, name)
            return known[name]
        if name.startswith("__"):
            raise AttributeError(name)
        full = f"{self.__name__}.{name}"
        if full in _NAMES:
            return importlib.import_module(full)
        _notes.add(full, MODULES["apex" if full.startswith("apex") else "pynvml.other"])
        raise NotImplementedError(f"{full} has no counterpart on hpu; there is "
                                  + ", ".join(sorted(known) or sorted(_NAMES)))


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name not in _NAMES:
            if name.startswith("apex."):
                raise ModuleNotFoundError(
                    f"{name} has no counterpart on hpu; there is " + ", ".join(
                        each for each in _NAMES if each.startswith("apex.")), name=name)
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=name == "apex")

    def create_module(self, spec):
        return _Library(spec.name)

    def exec_module(self, module) -> None:
        module.__file__ = os.path.abspath(__file__)


def install() -> None:
    sys.meta_path.insert(0, _Finder())
