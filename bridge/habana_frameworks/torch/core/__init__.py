# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""htcore: steps, and states that a program sets."""
from .. import _missing, hpu  # noqa: F401
from . import quantization, step_closure  # noqa: F401
from .quantization import (  # noqa: F401
    hpu_inference_initialize, hpu_initialize, hpu_reset_env, hpu_set_env, hpu_set_inference_env,
    hpu_teardown_inference_env)
from .step_closure import add_step_closure, iter_mark_step, mark_step  # noqa: F401


def is_lazy() -> bool:
    from ..utils.internal import is_lazy
    return is_lazy()


__getattr__ = _missing.of(__name__, ("quantize_pt2e", "quantizer",
                                     "weight_sharing", "torch_overwrites"))
