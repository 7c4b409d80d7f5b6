# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fused parts of networks."""
from ... import _missing
from . import fbgemm  # noqa: F401
from .CTCLoss import CTCLoss  # noqa: F401
from .CustomSoftmax import CustomSoftmax  # noqa: F401
from .Fp8FusedSDPA import fp8_fused_sdpa  # noqa: F401
from .FusedSDPA import FusedSDPA  # noqa: F401
from .RandomSeed import random_seed  # noqa: F401
from .RotaryPosEmbeddingHelper import (  # noqa: F401
    RotaryPosEmbeddingHelperV1, RotaryPosEmbeddingHelperV2, RotaryPosEmbeddingHelperV3,
    RotaryPosEmbeddingMode, apply_rotary_pos_emb, apply_rotary_pos_emb_bwd)
from .PySDPA import PySDPA, PySDPAHinted  # noqa: F401
from .Softmax import RaggedSoftmax, triu_masked_softmax, valid_counts  # noqa: F401

__getattr__ = _missing.of(__name__, ("EmbeddingBag",))
