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
    """Types of the forward and the backward pass by their largest numbers. HYBRID: activations and
    weights are E4M3 in the forward pass and E5M2 in the backward pass, gradients are E5M2."""
    E4M3 = _Range(240.0, 240.0)
    E5M2 = _Range(57344.0, 57344.0)
    HYBRID = _Range(240.0, 57344.0)


@dataclasses.dataclass
class DelayedScaling:
    """Scales by the largest magnitudes of steps before.

    A tensor x is stored as x * scale, where scale is the power of two 2 ** (floor(log2(largest
    number of the type / amax)) - margin). `amax` is the largest one of the last `amax_history_len`
    measured steps ("max"), the last one ("most_recent"), or what a function makes of the history
    [steps, tensors]. Scales change every `interval` steps; only the steps are measured that the
    next scale needs. With `reduce_amax` amax is the largest one of all ranks.
    scaling_factor_compute_algo(amax, scale, largest, recipe) replaces the formula."""
    margin: int = 0
    interval: int = 1
    fp8_format: Format = Format.HYBRID
    amax_history_len: int = 1
    amax_compute_algo: str | Callable = "most_recent"
    scaling_factor_compute_algo: Callable | None = None
    reduce_amax: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.fp8_format, Format):
            raise TypeError(f"fp8_format is {self.fp8_format!r}; expected one of "
                            f"{', '.join(f'recipe.Format.{each.name}' for each in Format)}")
        for name in ("interval", "amax_history_len"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; expected 1 or more")
        if not callable(self.amax_compute_algo) and \
                self.amax_compute_algo not in ("max", "most_recent"):
            raise ValueError(f"amax_compute_algo is {self.amax_compute_algo!r}; expected 'max', "
                             "'most_recent' or a function")
