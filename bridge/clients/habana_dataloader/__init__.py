# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The data loader that scripts for Gaudi may use: PyTorch's own, which is what it is where no
hardware decodes the data."""
import torch.utils.data

from . import habana_dataset  # noqa: F401


class HabanaDataLoader(torch.utils.data.DataLoader):
    """torch.utils.data.DataLoader."""

    aeon = None  # of the loader of the first Gaudi, which clients ask for
    dataloader = property(lambda self: self)
