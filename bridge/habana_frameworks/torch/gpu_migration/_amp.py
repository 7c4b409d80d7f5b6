# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixed precision: autocast and loss scaling of CUDA, by those of hpu."""
import functools

import torch
from torch.amp import autocast_mode, grad_scaler

from .. import _C
from . import _notes
from ._rules import CHANGED, SAME, Rule

_AUTOCAST = Rule(CHANGED, 'torch.autocast("hpu")', "in bfloat16 where the script names no type")
_SCALER = Rule(SAME, 'torch.amp.GradScaler("hpu")')


def _is_cuda(device) -> bool:
    return isinstance(device, str) and (device == "cuda" or device.startswith("cuda:"))


def _lower(dtype):
    """The first Gaudi has no float16."""
    if dtype is torch.float16 and not _C.is_forked() and torch.hpu.get_device_name() == "GAUDI":
        return torch.bfloat16
    return dtype


def _for_hpu(function, place: int = 0, key: str = "device_type", default: bool = False):
    """A function that takes the type of a device; the default is CUDA's if it says so."""
    @functools.wraps(function)
    def call(*args, **named):
        if len(args) > place:
            if _is_cuda(args[place]):
                args = (*args[:place], "hpu", *args[place + 1:])
        elif _is_cuda(named.get(key)) or (default and key not in named):
            named[key] = "hpu"
        return function(*args, **named)
    return call


def _install_autocast() -> None:
    init = autocast_mode.autocast.__init__

    @functools.wraps(init)
    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if _is_cuda(device_type):
            _notes.add('torch.autocast("cuda")', _AUTOCAST)
            device_type, dtype = "hpu", _lower(dtype)
        init(self, device_type, dtype, enabled, cache_enabled)

    autocast_mode.autocast.__init__ = __init__

    def old(self, enabled=True, dtype=None, cache_enabled=True):
        _notes.add("torch.cuda.amp.autocast")
        init(self, "hpu", _lower(dtype), enabled, cache_enabled)

    torch.cuda.amp.autocast.__init__ = old
    for name in ("is_autocast_available", "_cast"):
        place = 1 if name == "_cast" else 0
        made = _for_hpu(getattr(autocast_mode, name), place)
        setattr(autocast_mode, name, made)
        if hasattr(torch.amp, name):
            setattr(torch.amp, name, made)
    for name in ("custom_fwd", "custom_bwd"):
        made = _for_hpu(getattr(autocast_mode, name), 1, default=False)
        setattr(autocast_mode, name, made)
        setattr(torch.amp, name, made)
        _install_custom(name, made)
    # Without a device these are CUDA's.
    enabled, enable = torch.is_autocast_enabled, torch.set_autocast_enabled
    torch.is_autocast_enabled = lambda *args: enabled(
        *(["hpu"] if not args or _is_cuda(args[0]) else args))
    torch.set_autocast_enabled = lambda *args: enable(
        *(("hpu", *args) if len(args) == 1 else ("hpu", args[1]) if _is_cuda(args[0]) else args))
    get, put = torch.get_autocast_dtype, torch.set_autocast_dtype
    torch.get_autocast_dtype = _for_hpu(get)
    torch.set_autocast_dtype = _for_hpu(put)
    torch.get_autocast_gpu_dtype = lambda: get("hpu")
    torch.set_autocast_gpu_dtype = lambda dtype: put("hpu", dtype)


def _install_custom(name: str, function) -> None:
    full = f"torch.cuda.amp.{name}"

    def call(*args, **named):
        _notes.add(full)
        return function(*args, device_type="hpu", **named)

    setattr(torch.cuda.amp, name, call)
    setattr(torch.cuda.amp.autocast_mode, name, call)


def _install_scaler() -> None:
    init = grad_scaler.GradScaler.__init__

    @functools.wraps(init)
    def __init__(self, device="cuda", *args, **named):
        if _is_cuda(device):
            _notes.add("GradScaler", _SCALER)
            device = "hpu"
        init(self, device, *args, **named)

    grad_scaler.GradScaler.__init__ = __init__
    torch.cuda.amp.common.amp_definitely_not_available = lambda: False


def install() -> None:
    _install_autocast()
    _install_scaler()
