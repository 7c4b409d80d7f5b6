# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors as roundings make them, to see how far they move the results of a computation."""
import torch


class Roundings:
    """Multiplies elements by 1 + unit or 1 - unit, by a generator of its own.

    `unit` is at least `spacings` times the distance of 1 to the next number of the element type,
    so that both factors are numbers of it; one of half the distance would round to 1.
    """

    def __init__(self, seed: int, unit: float = 0.0, spacings: int = 1) -> None:
        self._generator = torch.Generator().manual_seed(seed)
        self._unit, self._spacings = unit, spacings

    def factors(self, tensor: torch.Tensor) -> torch.Tensor:
        unit = max(self._unit, self._spacings * torch.finfo(tensor.dtype).eps)
        signs = torch.randint(0, 2, tensor.shape, generator=self._generator, dtype=torch.int8)
        return (1 + unit * (2 * signs - 1).double()).to(tensor.dtype).to(tensor.device)

    def __call__(self, value):
        """What is no tensor of floats of 16 bits or more stays."""
        if not isinstance(value, torch.Tensor) or not value.dtype.is_floating_point or \
                value.dtype.itemsize == 1:
            return value
        return value * self.factors(value)
