# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters that are one memory of the host stay one memory of the card. A parameter that several
modules have stays one anyway; here several parameters have the memory of one:
`decoder.weight.data = embedding.weight.data`."""
import functools
import threading

import torch

from .. import _missing

_depth = threading.local()


def _key(each: torch.Tensor):
    return each.untyped_storage()._cdata, each.storage_offset(), each.shape, each.stride()


def _groups(module: torch.nn.Module) -> list[list[torch.Tensor]]:
    """Of parameters and buffers of the host that are the same elements."""
    found: dict = {}
    for each in (*module.parameters(), *module.buffers()):
        if torch.nn.parameter.is_lazy(each):
            continue
        if each.device.type == "cpu" and each.layout is torch.strided and each.numel():
            found.setdefault(_key(each), []).append(each)
    return [group for group in found.values() if len(group) > 1]


def enable_weight_sharing() -> None:
    """Done when the package is imported, unless PT_HPU_WEIGHT_SHARING is 0. A second call changes
    nothing."""
    apply = torch.nn.Module._apply
    if getattr(apply, "_shares_weights", False):
        return

    @functools.wraps(apply)
    def _apply(self, fn, recurse=True):
        if getattr(_depth, "inside", False):
            return apply(self, fn, recurse)
        _depth.inside = True
        try:
            groups = _groups(self)
            result = apply(self, fn, recurse)
        finally:
            _depth.inside = False
        for first, *others in groups:
            for each in others:
                # Moved as they were, of one type; else they are no longer the same elements.
                if first.device.type == each.device.type == "hpu" and first.dtype == each.dtype:
                    each.data = first.data
        return result
    _apply._shares_weights = True
    torch.nn.Module._apply = _apply


__getattr__ = _missing.of(__name__, dict.fromkeys((
    "wrapped__new__", "HabanaParameterWrapper", "update_habana_parameter", "wrapped__getattr__",
    "DevicePlacementChanger", "wrapped_to"), "enable_weight_sharing needs no other parameters"))
