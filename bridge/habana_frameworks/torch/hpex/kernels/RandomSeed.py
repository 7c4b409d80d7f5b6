# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeds by seeds."""
import torch


def random_seed(x: torch.tensor):
    """A seed of 31 bits for each element."""
    return torch.ops.hpu.random_seed(x)
