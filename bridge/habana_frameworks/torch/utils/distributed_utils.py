# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from ..distributed.hccl import initialize_distributed_hpu  # noqa: F401
