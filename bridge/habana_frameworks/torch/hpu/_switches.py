# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""States that a program sets, and functions that ask for them."""
import contextlib

import torch

from ..internal import bridge_config


class _Switch:
    def __init__(self, value: bool) -> None:
        self.value = value


_recompute = _Switch(True)


def enable_recompute_sdp(enabled: bool) -> None:
    """Whether FusedSDPA computes its probabilities again in the backward pass."""
    _recompute.value = bool(enabled)


def recompute_sdp_enabled() -> bool:
    return _recompute.value


@contextlib.contextmanager
def sdp_kernel(enable_recompute: bool = True):
    """The same in a `with` block."""
    before = _recompute.value
    _recompute.value = bool(enable_recompute)
    try:
        yield
    finally:
        _recompute.value = before


def setDeterministic(val: bool) -> None:
    """Every kernel here gives the same values each time, whichever is asked for."""
    torch._C._set_deterministic_algorithms(bool(val), warn_only=True)


def getDeterministic() -> bool:
    return torch._C._get_deterministic_algorithms()


def set_autocast_hpu_enabled(enabled: bool) -> None:
    torch.set_autocast_enabled("hpu", enabled)


def is_autocast_hpu_enabled() -> bool:
    return torch.is_autocast_enabled("hpu")


def set_autocast_hpu_dtype(dtype: torch.dtype) -> None:
    torch.set_autocast_dtype("hpu", dtype)


def get_autocast_hpu_dtype() -> torch.dtype:
    return torch.get_autocast_dtype("hpu")


def get_amp_supported_dtype() -> list[torch.dtype]:
    return [torch.bfloat16, torch.float16]


def enable_dynamic_shape() -> None:
    bridge_config.set_pt_hpu_enable_refine_dynamic_shapes(True)


def disable_dynamic_shape() -> None:
    bridge_config.set_pt_hpu_enable_refine_dynamic_shapes(False)


def get_dynamic_shape_status() -> bool:
    return bridge_config.get_pt_hpu_enable_refine_dynamic_shapes()


def enable_optim_output_sif() -> None:
    bridge_config.set_pt_hpu_optim_dynamic_output_sif(True)


def disable_optim_output_sif() -> None:
    bridge_config.set_pt_hpu_optim_dynamic_output_sif(False)


def enable_inference_mode() -> None:
    bridge_config.set_pt_hpu_inference_mode(True)


def disable_inference_mode() -> None:
    bridge_config.set_pt_hpu_inference_mode(False)


def enable_matmul3d_2d_reshape() -> None:
    bridge_config.set_pt_hpu_matmul3d_2d_reshape(True)


def disable_matmul3d_2d_reshape() -> None:
    bridge_config.set_pt_hpu_matmul3d_2d_reshape(False)


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Nothing warns of what waits for the card yet: only "default" can be set."""
    if debug_mode not in (0, "default"):
        raise NotImplementedError("gaudi-mlir does not warn of what waits for the card: "
                                  f"set_sync_debug_mode({debug_mode!r}); only \"default\" can be "
                                  "set")


def get_sync_debug_mode() -> int:
    return 0
