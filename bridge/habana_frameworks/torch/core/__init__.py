# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""htcore: steps, and states that a program sets."""
from .. import _missing, hpu  # noqa: F401
from ..internal import bridge_config as _bridge_config
from . import quantization, step_closure, torch_overwrites, weight_sharing  # noqa: F401
from .quantization import (  # noqa: F401
    hpu_inference_initialize, hpu_initialize, hpu_reset_env, hpu_set_env, hpu_set_inference_env,
    hpu_teardown_inference_env)
from .step_closure import add_step_closure, iter_mark_step, mark_step  # noqa: F401


def is_lazy() -> bool:
    from ..utils.internal import is_lazy
    return is_lazy()


if _bridge_config._read("PT_HPU_WEIGHT_SHARING"):
    weight_sharing.enable_weight_sharing()

__getattr__ = _missing.of(__name__, {
    "create_and_apply_on_import_wrapper": "torch.distributed knows hpu without it"})
