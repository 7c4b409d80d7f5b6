# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.hpu: the emulated cards."""
import torch

from .. import _C


def _lazy_init() -> None:
    _C.init(-1)


init = _lazy_init


def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return _C.is_open(-1)


def device_count() -> int:
    return _C.device_count()


def current_device() -> int:
    return _C.current_device()


def synchronize(device=None) -> None:
    _C.synchronize(-1)


def _is_in_bad_fork() -> bool:
    return False


def manual_seed_all(seed: int) -> None:
    for index in range(_C.device_count()):
        _C.default_generator(index).manual_seed(seed)


def get_amp_supported_dtype() -> list[torch.dtype]:
    return [torch.bfloat16, torch.float16]
