# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PT_HPU_EMULATE_DISTRIBUTED: one process that computes as one of many, without the others."""
from ...internal import bridge_config


def is_distributed_emulation_enabled() -> bool:
    return bridge_config._read("PT_HPU_EMULATE_DISTRIBUTED")


def distributed_emulation_apply_if_enabled() -> None:
    """Nothing where it is off."""
    if is_distributed_emulation_enabled():
        raise NotImplementedError(
            "gaudi-mlir does not emulate PT_HPU_EMULATE_DISTRIBUTED; start one rank with "
            "habana_frameworks.torch.distributed.hccl.initialize_distributed_hpu(1, 0, 0)")
