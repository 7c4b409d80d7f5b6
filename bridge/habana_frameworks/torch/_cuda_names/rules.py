# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each name of PyTorch's CUDA becomes: one table for the run and for the scan of a script.
It needs no PyTorch."""
import dataclasses

SAME, CHANGED, IGNORED, MISSING = "same", "changed", "ignored", "missing"
"""hpu has it; hpu has it, with a difference; it does nothing; it raises NotImplementedError."""


@dataclasses.dataclass(frozen=True)
class Rule:
    kind: str
    target: str
    """What a port writes instead."""
    note: str = ""


def _names(text: str) -> list[str]:
    return text.split()


_MEMORY = _names("""
    memory_allocated max_memory_allocated memory_reserved max_memory_reserved memory_cached
    max_memory_cached mem_get_info reset_peak_memory_stats reset_accumulated_memory_stats
    reset_max_memory_allocated empty_cache""")
_RANDOM = _names("""
    manual_seed manual_seed_all seed seed_all initial_seed get_rng_state get_rng_state_all
    set_rng_state set_rng_state_all""")
_SAME = _MEMORY + _RANDOM + _names("""
    is_available device_count current_device set_device synchronize get_device_name init
    is_initialized current_stream default_stream set_stream stream StreamContext Stream Event device
    device_of can_device_access_peer is_bf16_supported utilization memory_usage get_arch_list
    get_gencode_flags get_sync_debug_mode set_sync_debug_mode""")
_TYPES = {"Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16",
          "Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64",
          "Bool": "bool"}
_IGNORED = {
    "ipc_collect": "tensors of hpu are not shared between processes",
    "set_per_process_memory_fraction": "a process has the whole card",
    "caching_allocator_enable": "the card's allocator is the only one",
    "caching_allocator_disabled": "the card's allocator is the only one",
    "change_current_allocator": "the card's allocator is the only one",
    "use_mem_pool": "the card's allocator is the only one",
    "reset_peak_host_memory_stats": "memory of the host is not counted",
    "reset_accumulated_host_memory_stats": "memory of the host is not counted",
    "nvtx.range_push": "torch.profiler.record_function marks a range",
    "nvtx.range_pop": "torch.profiler.record_function marks a range",
    "nvtx.range_start": "torch.profiler.record_function marks a range",
    "nvtx.range_end": "torch.profiler.record_function marks a range",
    "nvtx.range": "torch.profiler.record_function marks a range",
    "nvtx.mark": "torch.profiler.record_function marks a range",
    "profiler.start": "torch.profiler has what the card did",
    "profiler.stop": "torch.profiler has what the card did",
    "profiler.profile": "torch.profiler has what the card did",
    **{f"tunable.{name}": "the compiler chooses how matrices are multiplied" for name in _names("""
        enable is_enabled tuning_enable tuning_is_enabled record_untuned_enable
        record_untuned_is_enabled set_max_tuning_duration get_max_tuning_duration
        set_max_tuning_iterations get_max_tuning_iterations set_filename get_filename get_results
        get_validators read_file tune_gemm_in_file mgpu_tune_gemm_in_file set_rotating_buffer_size
        get_rotating_buffer_size set_numerical_check_tolerances""")},
    "check_error": "no call of hpu gives such a number",
    "_sleep": "a card does not wait",
    "cudart": "it has cudaMemGetInfo; what it registers or starts does nothing",
}
_MISSING = _names("""
    caching_allocator_alloc caching_allocator_delete CUDAPluggableAllocator MemPool ExternalStream
    get_stream_from_external current_blas_handle current_solver_handle GreenContext temperature
    power_draw clock_rate device_memory_used jiterator._create_jit_fn
    jiterator._create_multi_output_jit_fn nccl.all_reduce nccl.reduce nccl.broadcast nccl.all_gather
    nccl.reduce_scatter nccl.unique_id nccl.init_rank comm.broadcast comm.broadcast_coalesced
    comm.reduce_add comm.reduce_add_coalesced comm.scatter comm.gather""")

RULES: dict[str, Rule] = {
    **{f"torch.cuda.{name}": Rule(SAME, f"torch.hpu.{name}") for name in _SAME},
    **{f"torch.cuda.memory.{name}": Rule(SAME, f"torch.hpu.memory.{name}") for name in _names(
        "_record_memory_history _snapshot _dump_snapshot")},
    "torch.cuda.memory_snapshot": Rule(SAME, "torch.hpu.memory.memory_snapshot"),
    "torch.cuda.reset_max_memory_cached": Rule(SAME, "torch.hpu.memory.reset_max_memory_cached"),
    **{f"torch.cuda.{name}Tensor": Rule(SAME, f'torch.empty(..., dtype=torch.{dtype}, '
                                        'device="hpu")') for name, dtype in _TYPES.items()},
    **{f"torch.cuda.{name}": Rule(IGNORED, "", note) for name, note in _IGNORED.items()},
    **{f"torch.cuda.{name}": Rule(MISSING, "") for name in _MISSING},
    "torch.cuda.get_device_capability": Rule(
        CHANGED, "torch.hpu.get_device_capability",
        "(8, 0), that of the first GPU that computes in bfloat16; torch.hpu's is the generation"),
    "torch.cuda.get_device_properties": Rule(
        CHANGED, "torch.hpu.get_device_properties", "with the capability (8, 0)"),
    "torch.cuda.memory_stats": Rule(
        CHANGED, "torch.hpu.memory_stats", "also with those keys of CUDA's that the card counts"),
    "torch.cuda.memory_stats_as_nested_dict": Rule(
        CHANGED, "torch.hpu.memory_stats", "with those keys of CUDA's that the card counts"),
    "torch.cuda.memory_summary": Rule(CHANGED, "torch.hpu.memory_summary", "never abbreviated"),
    "torch.cuda.list_gpu_processes": Rule(
        CHANGED, "torch.hpu.memory_allocated", "only this process"),
    "torch.cuda.get_per_process_memory_fraction": Rule(CHANGED, "", "1.0: the whole card"),
    **{f"torch.cuda.{name}": Rule(CHANGED, "", "empty: memory of the host is not counted")
       for name in ("host_memory_stats", "host_memory_stats_as_nested_dict")},
    **{f"torch.cuda.{name}Storage": Rule(MISSING, 'torch.UntypedStorage(..., device="hpu")')
       for name in _TYPES},
    "torch.cuda.get_allocator_backend": Rule(CHANGED, "", "'native'"),
    "torch.cuda.is_tf32_supported": Rule(CHANGED, "", "False: the card has no such type"),
    "torch.cuda.is_current_stream_capturing": Rule(CHANGED, "", "of hpu's graphs"),
    "torch.cuda.CUDAGraph": Rule(SAME, "habana_frameworks.torch.hpu.HPUGraph"),
    "torch.cuda.graph": Rule(CHANGED, "habana_frameworks.torch.hpu.graph",
                             "pools are ignored: a graph has its own memory"),
    "torch.cuda.graph_pool_handle": Rule(
        IGNORED, "", "a graph has its own memory"),
    "torch.cuda.make_graphed_callables": Rule(
        CHANGED, "habana_frameworks.torch.hpu.make_graphed_callables",
        "pools are ignored: a graph has its own memory"),
    "torch.cuda.amp.autocast": Rule(
        CHANGED, 'torch.autocast("hpu")', "in bfloat16 where the script names no type"),
    "torch.cuda.amp.GradScaler": Rule(SAME, 'torch.amp.GradScaler("hpu")'),
    "torch.cuda.amp.custom_fwd": Rule(SAME, 'torch.amp.custom_fwd(device_type="hpu")'),
    "torch.cuda.amp.custom_bwd": Rule(SAME, 'torch.amp.custom_bwd(device_type="hpu")'),
    "torch.cuda.nccl.version": Rule(CHANGED, "", "(2, 10): the first that reduces bfloat16"),
    "torch.cuda.nccl.is_available": Rule(CHANGED, "", "False: hccl is used by torch.distributed"),
    "torch.get_autocast_gpu_dtype": Rule(SAME, 'torch.get_autocast_dtype("hpu")'),
    "torch.set_autocast_gpu_dtype": Rule(SAME, 'torch.set_autocast_dtype("hpu", dtype)'),
    "torch.nn.DataParallel": Rule(
        CHANGED, "", "on one card: gaudi-mlir computes nothing on several"),
    "torch.nn.parallel.DataParallel": Rule(
        CHANGED, "", "on one card: gaudi-mlir computes nothing on several"),
    "torch.distributed.is_nccl_available": Rule(CHANGED, "", "True: hccl is there"),
    "torch.backends.cudnn": Rule(
        IGNORED, "", "the compiler chooses; results are the same in each run"),
    "torch.backends.cuda": Rule(
        IGNORED, "", "the compiler chooses how to multiply, and what attention computes"),
}

# --- what is no name of PyTorch's CUDA, and needs it -------------------------------------------

MODULES: dict[str, Rule] = {
    "apex": Rule(MISSING, "habana_frameworks.torch.hpex (optimizers, normalization)",
                 "kernels for CUDA"),
    "apex.optimizers": Rule(CHANGED, "torch.optim (fused=True), hpex.optimizers.FusedLamb",
                            "with PyTorch's formulas"),
    "apex.normalization": Rule(SAME, "torch.nn.LayerNorm, torch.nn.RMSNorm"),
    "apex.amp": Rule(CHANGED, 'torch.autocast("hpu")', "in bfloat16, without a scale"),
    "apex.parallel": Rule(SAME, "torch.nn.parallel.DistributedDataParallel, "
                                "torch.nn.SyncBatchNorm"),
    "triton": Rule(MISSING, "a custom op (docs/custom-ops.md)", "kernels for CUDA"),
    "flash_attn": Rule(MISSING, "torch.nn.functional.scaled_dot_product_attention",
                       "kernels for CUDA"),
    "xformers": Rule(MISSING, "torch.nn.functional.scaled_dot_product_attention",
                     "kernels for CUDA"),
    "bitsandbytes": Rule(MISSING, "", "kernels for CUDA"),
    "cupy": Rule(MISSING, "", "arrays of CUDA"),
    "numba.cuda": Rule(MISSING, "a custom op (docs/custom-ops.md)", "kernels for CUDA"),
    "pycuda": Rule(MISSING, "a custom op (docs/custom-ops.md)", "kernels for CUDA"),
    "pynvml": Rule(CHANGED, "torch.hpu.mem_get_info, torch.hpu.utilization",
                   "of the emulated card"),
    "pynvml.other": Rule(MISSING, "gaudi-smi", "asks NVIDIA's driver"),
    "tensorrt": Rule(MISSING, 'torch.compile(backend="hpu_backend")', "compiles for CUDA"),
    "torch_tensorrt": Rule(MISSING, 'torch.compile(backend="hpu_backend")', "compiles for CUDA"),
    "torch.utils.cpp_extension": Rule(MISSING, "a custom op (docs/custom-ops.md)",
                                      "compiles C++ and CUDA"),
}


def rule_of(name: str) -> tuple[str, Rule] | None:
    """The rule of a dotted name, or of the longest part of it that has one."""
    while name:
        for table in (RULES, MODULES):
            if name in table:
                return name, table[name]
        name = name.rpartition(".")[0]
    return None
