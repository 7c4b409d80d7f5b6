# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of torch.export with dynamic sizes: the values of PyTorch at sizes inside buckets."""
import pytest
import sympy
import torch
import torch.nn.functional as F

import gaudi_mlir.torch
from gaudi_mlir.torch import affine, segment
from gaudi_mlir.torch.sidebyside import excess

SIZES = [(6, 17), (1, 5), (2, 8), (3, 7), (5, 12)]
BUCKETS = "batch,length=2x8,4x12,6x17"
SHAPE = "batch=1..6,length=5..17"


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def export(function):
    batch = torch.export.Dim("batch", min=1, max=6)
    length = torch.export.Dim("length", min=5, max=17)
    return gaudi_mlir.torch.export(Function(function), (torch.randn(3, 7, 8),),
                                   dynamic_shapes=({0: batch, 1: length},))


FUNCTIONS = {
    "sizes as numbers": lambda x: x / x.shape[1] * x.shape[0] ** -0.5 + (x.shape[0] + 1),
    "sizes as bounds": lambda x: torch.arange(x.shape[1]).clamp(1, x.shape[1] - 2),
    "counts": lambda x: (x.mean(1), x.var(1), x.std((0, 1)), torch.var_mean(x, (1, 2))[1]),
    "ends": lambda x: (x[:, -1], x[:, :-1], x[:, 1:], x[:, ::2]),
    "joined": lambda x: torch.cat([x[:, :-1], x.flip(1), x[:, 1:]], 1).flatten(0, 1),
    "indices": lambda x: (x[:, torch.arange(x.shape[1]) - 2],
                          x[torch.arange(x.shape[0]), -torch.ones(x.shape[0], dtype=torch.int64)]),
    "updates": lambda x: x.index_put((torch.tensor([0]), torch.tensor([-1])), x[0, :1]),
    "updates by masks": lambda x: (
        x.index_put((x > 0,), torch.tensor(2.0)), x.index_put((x[:, :, 0] > 0,), x[0, 0]),
        x.index_put((x[..., 0] > 0,), x[:1, 0], accumulate=True),
        torch.ops.aten.index_put(x, [None, None, torch.arange(8) % 3 == 0], torch.ones(1))),
    "made": lambda x: (torch.ones(x.shape[1], x.shape[1]).tril() + torch.eye(x.shape[1]),
                       torch.full((x.shape[0],), x.shape[1]), torch.arange(2, x.shape[1])),
    "normalized": lambda x: F.layer_norm(x, x.shape[1:]) + F.instance_norm(x),
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
    "pooled": lambda x: F.adaptive_avg_pool1d(x.mT, 1),
    "ordered": lambda x: (x.sort(1)[0], x.argmax(1), x.topk(2, 1)[0], x.cumsum(1)),
    "repeated": lambda x: x.repeat(2, 1, 3).sum(0),
    "resized": lambda x: F.interpolate(x.mT, scale_factor=2, mode="linear"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name):
    function = FUNCTIONS[name]
    recipe = export(function).recipe(shape=f"x:{SHAPE}", buckets=BUCKETS)
    for batch, length in SIZES:
        x = torch.randn(batch, length, 8)
        expected = torch.utils._pytree.tree_leaves(function(x))
        results = recipe.run([x])
        assert len(results) == len(expected)
        for mine, other in zip(results, expected):
            assert excess(torch.as_tensor(mine), other) <= 1


@pytest.mark.parametrize("function, message", [
    (lambda x: x.unfold(1, 3, 2), "may compute with sizes, which are not followed through 'aten.unfold'"),
    (lambda x: F.elu(x, x.shape[1]), "is computed of sizes that are dynamic"),
])
def test_refusals(function, message):
    with pytest.raises((segment.Refused, gaudi_mlir.CompileError), match=message):
        export(function)


def test_expressions():
    from torch.utils._sympy.functions import FloorDiv, Mod
    a, b = sympy.symbols("a b", integer=True, positive=True)
    assert affine.text(a ** 2 * FloorDiv(b + 1, 2), [a, b]) == \
        "((s0) * (s0)) * (((1) + (s1)) floordiv (2))"
    assert affine.text(Mod(b, 4) - 3, [a, b]) == "(-3) + ((s1) mod (4))"
    with pytest.raises(ValueError, match="is no sum, product, quotient or remainder of sizes"):
        affine.text(sympy.Min(a, 3), [a, b])
