# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizers whose step is one launch for all parameters of a group."""
from ... import _missing
from . import distributed  # noqa: F401
from .FusedAdagrad import FusedAdagrad  # noqa: F401
from .FusedAdamW import FusedAdamW  # noqa: F401
from .FusedLamb import FusedLamb  # noqa: F401
from .FusedLars import FusedLars  # noqa: F401
from .FusedResourceApplyMomentum import FusedResourceApplyMomentum  # noqa: F401
from .FusedSGD import FusedSGD  # noqa: F401
from .MarkstepAdam import Adam as MarkstepAdam  # noqa: F401
from .MarkstepAdamW import AdamW as MarkstepAdamW  # noqa: F401

__getattr__ = _missing.of(__name__, ("FusedSparseSGD", "FusedSparseAdagrad", "SparseSGD",
                                     "SparseAdagrad"))
