# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each decomposition gives the numbers of the op that it stands for."""
import pytest

torch = pytest.importorskip("torch")
from gaudi_mlir.torch import decompositions, formulas  # noqa: E402

aten = torch.ops.aten


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def check(op, *arguments, outputs=None):
    rewrite = decompositions.table()[op]
    wanted, got = op(*arguments), rewrite(*arguments)
    assert got is not NotImplemented
    pairs = list(zip(got, wanted)) if isinstance(wanted, (tuple, list)) else [(got, wanted)]
    for mine, theirs in pairs[:outputs]:
        if theirs is not None:
            assert mine.dtype == theirs.dtype
            torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("padding", [[1, 2, 3, 1], [0, 0, 2, 0], [0, 1, 0, 0]], ids=str)
def test_replication_pad(padding):
    x = torch.randn(2, 3, 4, 5)
    result = aten.replication_pad2d(x, padding)
    check(aten.replication_pad2d_backward.default, torch.randn(result.shape), x, padding)


def test_replication_pad_of_one():
    check(aten.replication_pad1d_backward.default, torch.randn(2, 3, 4), torch.randn(2, 3, 1),
          [1, 2])


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 3.0, float("inf")])
def test_distances(p):
    a, b = torch.randn(2, 4, 5), torch.randn(2, 3, 5)
    b[0, 0] = a[0, 0]
    check(aten._cdist_forward.default, a, b, p, None)
    check(aten._cdist_backward.default, torch.randn(2, 4, 3), a, b, p,
          aten._cdist_forward(a, b, p, None))


def test_order_statistics():
    x = torch.randn(4, 7)
    check(aten.kthvalue.default, x, 3, 1, False)
    check(aten.kthvalue.default, x, 3, 0, True)
    x[1, 2] = float("nan")
    check(aten.median.dim, x, 1, False)
    check(aten.median.dim, torch.randperm(8).reshape(2, 4), 0, True)


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("padding_index", [-1, 3])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_embedding_bag(mode, padding_index, is_weighted):
    weight, indices = torch.randn(9, 4), torch.randint(0, 9, (7,))
    offsets = torch.tensor([0, 2, 2, 5])
    weights = torch.randn(7) if is_weighted and mode == 0 else None
    options = (False, mode, False, weights, False, padding_index)
    # Only the first result and those that the gradient reads mean the same.
    check(aten._embedding_bag.default, weight, indices, offsets, *options, outputs=1)
    _, bag, sizes, places = formulas.TABLE[aten._embedding_bag.default](
        weight, indices, offsets, *options)
    leaf = weight.clone().requires_grad_()
    grad = torch.randn(4, 4)
    torch.embedding_bag(leaf, indices, offsets, False, mode, False, weights, False,
                        None if padding_index < 0 else padding_index)[0].backward(grad)
    mine = formulas.TABLE[aten._embedding_bag_backward.default](
        grad, indices, offsets, bag, sizes, places, 9, False, mode, False, weights, padding_index)
    torch.testing.assert_close(mine, leaf.grad)


@pytest.mark.parametrize("dim", [0, 2])
def test_weight_norm(dim):
    v = torch.randn(4, 3, 2)
    norms = v.norm(2, [i for i in range(3) if i != dim], keepdim=True)
    check(aten._weight_norm_interface_backward.default, torch.randn(4, 3, 2), v,
          torch.randn(norms.shape), norms, dim)


def test_grouped_products():
    pytest.importorskip("transformers.integrations.moe")
    ops, ends = torch.ops.transformers, torch.tensor([2, 2, 5, 6])
    x, weight = torch.randn(6, 4), torch.randn(4, 4, 3)
    check(ops.grouped_mm_fallback.default, x, weight, ends)
    check(ops.grouped_mm_fallback_backward.default, x, weight, ends, torch.randn(6, 3))


def test_prims_of_sums():
    x = torch.randn(2, 3, 4)
    check(torch.ops.prims.sum.default, x.bfloat16(), [0, 2])
    check(torch.ops.prims.var.default, x, [1], 1.0)
