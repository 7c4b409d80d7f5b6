# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PT_SBS=1: runs each segment on the CPU, too, and compares."""
import collections
import logging

import torch

from . import flags

log = logging.getLogger("gaudi_mlir.torch")

# docs/numerics.md, scope model: of the largest value and of the element.
TOLERANCES = {torch.float32: 1e-4, torch.bfloat16: 2**-6, torch.float16: 2**-9,
              torch.float8_e4m3fn: 2**-2, torch.float8_e5m2: 2**-1,
              torch.float64: 1e-4}  # which a card computes as float32

ON_CARD: collections.Counter[str] = collections.Counter()
"""Ops and launches that the card has computed though GAUDI_OPS_ON_CPU asks for the CPU, each with
the reason: to compare them with the CPU says nothing."""


def enabled() -> bool:
    return flags.enabled("PT_SBS")


def allowed_of(dtype: torch.dtype) -> float:
    """The tolerance of a type; 0 of integers."""
    dtype = dtype.to_real() if dtype.is_complex else dtype
    return TOLERANCES.get(dtype, 2**-1) if dtype.is_floating_point else 0.0


def excess(actual: torch.Tensor, expected: torch.Tensor, slack: float = 1.2e-38) -> float:
    """The largest error as a multiple of what docs/numerics.md allows, and `slack`."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return float("inf")
    if not expected.numel() or torch.equal(actual, expected):
        return 0.0
    if expected.is_complex():
        actual, expected = (torch.view_as_real(each.resolve_conj()) for each in (actual, expected))
    if not expected.dtype.is_floating_point:
        return 0.0 if torch.equal(actual, expected) else float("inf")
    allowed = allowed_of(expected.dtype)
    actual, expected = actual.detach().double(), expected.detach().double()
    finite = expected[expected.isfinite()].abs()
    largest = float(finite.max()) if finite.numel() else 0.0
    same = (actual == expected) | (actual.isnan() & expected.isnan())
    error = (actual - expected).abs() / (allowed * (largest + expected.abs()) + slack)
    error = torch.where(same, torch.zeros_like(error), error)
    return float(torch.nan_to_num(error, nan=float("inf")).max())


class Checked:
    """A launch that is compared with the graph it was made of."""

    def __init__(self, launch, gm: torch.fx.GraphModule, name: str) -> None:
        self._launch = launch
        self._gm = gm
        self._name = name

    def __call__(self, args):
        results = self._launch(args)
        with torch.no_grad():
            expected = self._gm(*args)
        names = next(node for node in self._gm.graph.nodes if node.op == "output").args[0]
        for name, mine, other in zip(names, results, expected):
            factor = excess(mine, other)
            if factor > 1:
                log.error("PT_SBS: %s: %s differs from the CPU by %.3g times what "
                          "docs/numerics.md allows", self._name, name, factor)
            else:
                log.info("PT_SBS: %s: %s agrees with the CPU", self._name, name)
        return results
