# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices as torch.hpu's functions take them."""
import torch

from .. import _C


def _get_device_index(device, optional: bool = False, allow_cpu: bool = False) -> int:
    """The index of a device, a number or a text; that of None or "hpu" is the current card's."""
    if isinstance(device, str):
        device = torch.device(device)
    if device is None:
        if not optional:
            raise ValueError("expected a device of the type hpu with an index, such as \"hpu:0\", got "
                             "None")
        return _C.current_device()
    if isinstance(device, int):
        index = device if device >= 0 else _C.current_device()
        _C.check_index(index)
        return index
    if isinstance(device, torch.device):
        if device.type == "cpu" and allow_cpu:
            return -1
        if device.type != "hpu":
            raise ValueError(f"expected a device of the type hpu, such as \"hpu:0\", got {device}")
        return _get_device_index(-1 if device.index is None else device.index)
    raise TypeError(f"expected a device, such as \"hpu:0\", got {type(device).__name__}")
