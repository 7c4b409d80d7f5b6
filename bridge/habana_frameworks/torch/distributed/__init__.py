# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several cards. The backend "hccl" of torch.distributed is there with the package, as DeepSpeed
expects."""
from . import hccl  # noqa: F401
