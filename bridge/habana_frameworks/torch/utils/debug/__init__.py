# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""States of the runtime for debugging."""
from ... import _C, _missing
from . import logger  # noqa: F401


def _bridge_cleanup() -> None:
    """Waits for the cards, and forgets what was compiled for ops."""
    for index in range(_C.device_count()):
        if _C.is_open(index):
            _C.synchronize(index)
    _C.reset_eager()


def _get_fallback_op_count() -> dict[str, int]:
    """How often each op ran on the CPU."""
    from ...hpu.metrics import metric_global
    return dict(dict(metric_global("cpu_fallback").stats()).get("FallbackOps", []))


def _get_jit_cache_size() -> int:
    """Decisions that are kept for ops, one for operands of these types, sizes and strides."""
    return _C.eager_cache_size()


def _is_enabled_weight_permute_pass() -> bool:
    return False


def _is_enabled_synapse_layout_handling() -> bool:
    return False


def _is_enabled_lazy_collectives() -> bool:
    return False


__getattr__ = _missing.of(__name__, {
    "_get_shape_agnostic_unsupported_ops": "python -m gaudi_mlir.explain lists what is recompiled",
    "_get_eager_compiler_unsupported_op_prefixes": "all ops have one compiler",
    "load_ds_checkpoint": "GAUDI_CACHE_DIR keeps what was compiled",
    "save_ds_checkpoint": "GAUDI_CACHE_DIR keeps what was compiled",
    "clear_dynamic_bucket_recipe_info": "torch._dynamo.reset() forgets graphs and their buckets",
    **dict.fromkeys(("_dump_refinement_recipe_statistics", "_dump_bucket_memory_statistics",
                     "_dump_memory_reporter", "_memstat_devmem_start_collect"),
                    "torch.hpu.memory_summary() says what is in use")})
