# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How tensors of eight bits are scaled."""
import dataclasses
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple


class _Range(NamedTuple):
    max_fwd: float
    max_bwd: float


class Format(Enum):
    """Types of the forward and the backward pass by their largest numbers."""
    E4M3 = _Range(240.0, 240.0)
    E5M2 = _Range(57344.0, 57344.0)
    HYBRID = _Range(240.0, 57344.0)


@dataclasses.dataclass
class DelayedScaling:
    """Scales by the largest numbers of steps before."""
    margin: int = 0
    interval: int = 16
    fp8_format: Format = Format.HYBRID
    amax_history_len: int = 1
    amax_compute_algo: str | Callable = "most_recent"
    scaling_factor_compute_algo: Callable | None = None
    reduce_amax: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.fp8_format, Format):
            raise TypeError(f"fp8_format is {self.fp8_format!r}; expected one of Format")
