# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Norms, and the bound of gradients' norm."""
from .FusedClipNorm import FusedClipNorm  # noqa: F401
from .FusedRMSNorm import FusedRMSNorm, RmsNormBwdMode  # noqa: F401
