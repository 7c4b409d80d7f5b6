# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizers in the form that torch.distributed.optim takes."""
from .FusedAdamW import FusedAdamW  # noqa: F401
