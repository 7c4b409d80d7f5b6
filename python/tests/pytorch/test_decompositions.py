# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each decomposition gives the numbers of the op that it stands for."""
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_mlir")
from gaudi_mlir.torch import decompositions  # noqa: E402

aten = torch.ops.aten


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def check(op, *arguments, outputs=None):
    rewrite = decompositions.table(torch_mlir=True)[op]
    wanted, got = op(*arguments), rewrite(*arguments)
    assert got is not NotImplemented
    pairs = list(zip(got, wanted)) if isinstance(wanted, (tuple, list)) else [(got, wanted)]
    for mine, theirs in pairs[:outputs]:
        if theirs is not None:
            assert mine.dtype == theirs.dtype
            torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-4, equal_nan=True)


# channels in, out, groups, sizes, window, stride, padding, dilation, rest (transposed) or none
CONVOLUTIONS = [
    (8, 8, 8, (9, 10), (3, 3), (2, 2), (1, 1), (1, 1), None),
    (8, 12, 4, (9, 10), (3, 2), (2, 1), (1, 0), (1, 2), None),
    (4, 6, 2, (7,), (3,), (2,), (1,), (1,), None),
    (4, 6, 2, (5, 6, 4), (3, 3, 3), (2, 1, 1), (1, 1, 1), (1, 1, 1), None),
    (8, 4, 4, (5, 6), (3, 4), (2, 3), (1, 1), (2, 1), (1, 2)),
    (4, 2, 1, (5, 6), (2, 2), (2, 2), (0, 0), (1, 1), (0, 0)),
    (4, 4, 4, (5, 6), (2, 2), (1, 1), (2, 2), (1, 1), (0, 0)),
    (4, 6, 2, (3, 4, 4), (3, 3, 3), (2, 1, 1), (1, 0, 1), (1, 1, 1), (1, 0, 0)),
]


@pytest.mark.parametrize("case", CONVOLUTIONS, ids=str)
def test_convolution(case):
    channels, out, groups, sizes, window, stride, padding, dilation, rest = case
    transposed = rest is not None
    ends = (channels, out // groups) if transposed else (out, channels // groups)
    x, weight = torch.randn(2, channels, *sizes), torch.randn(*ends, *window)
    options = (stride, padding, dilation, transposed, rest or [0] * len(window), groups)
    result = aten.convolution(x, weight, None, *options)
    check(aten.convolution_backward.default, torch.randn(result.shape), x, weight, [out], *options,
          [True, True, True])
    if transposed and groups > 1:
        check(aten.convolution.default, x, weight, torch.randn(out), *options)


@pytest.mark.parametrize("arguments", [
    ((3, 3), (2, 2), (1, 1), True, False, None),
    ((3, 2), (2, 2), (1, 1), True, True, None),
    ((2, 2), (), (0, 0), False, True, None),
    ((3, 3), (1, 2), (1, 0), False, False, 5),
], ids=str)
def test_average_pool(arguments):
    x = torch.randn(2, 3, 9, 10)
    result = aten.avg_pool2d(x, *arguments)
    check(aten.avg_pool2d_backward.default, torch.randn(result.shape), x, *arguments)


def test_pools_of_volumes():
    x = torch.randn(2, 3, 5, 6, 7)
    arguments = ([2], [2], [1], True, False, None)
    result = aten.avg_pool3d(x, *arguments)
    check(aten.avg_pool3d_backward.default, torch.randn(result.shape), x, *arguments)
    result, places = aten.max_pool3d_with_indices(x, [2], [2])
    check(aten.max_pool3d_with_indices_backward.default, torch.randn(result.shape), x, [2, 2, 2],
          [2, 2, 2], [0, 0, 0], [1, 1, 1], False, places)


def test_adaptive_pools():
    x = torch.randn(2, 3, 9, 10)
    check(aten.adaptive_max_pool2d.default, x, [3, 4])
    result, places = aten.adaptive_max_pool2d(x, [3, 4])
    check(aten.adaptive_max_pool2d_backward.default, torch.randn(result.shape), x, places)
    check(aten._adaptive_avg_pool2d_backward.default, torch.randn(2, 3, 4, 7), x)
    check(aten._adaptive_avg_pool3d_backward.default, torch.randn(2, 3, 4, 7, 2),
          torch.randn(2, 3, 5, 7, 3))


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


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_running_extremes(dim):
    x = torch.randint(0, 5, (3, 9, 2)).float()
    x[1, 4, 0] = float("nan")
    check(aten.cummax.default, x, dim)
    check(aten.cummin.default, x, dim)


def test_histogram():
    check(aten.histc.default, torch.tensor([0.0, 1, 2, 3, 3, 4, 5, -1]), 4, 0, 3)
    check(aten.histc.default, torch.randn(50), 10, -2, 2.5)


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
    _, bag, sizes, places = decompositions.table(torch_mlir=True)[aten._embedding_bag.default](
        weight, indices, offsets, *options)
    leaf = weight.clone().requires_grad_()
    grad = torch.randn(4, 4)
    torch.embedding_bag(leaf, indices, offsets, False, mode, False, weights, False,
                        None if padding_index < 0 else padding_index)[0].backward(grad)
    mine = decompositions.table(torch_mlir=True)[aten._embedding_bag_backward.default](
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


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_remainder(dtype):
    a = torch.tensor([7.34, 1000.5, 60000, -8.9, 3, -3, -0.0, 5, 0, float("inf"), 1,
                      float("nan")], dtype=dtype)
    b = torch.tensor([0.7, 0.3, 0.37, 0.11, -3, 3, 2, float("inf"), 0, 2, float("nan"), 1],
                     dtype=dtype)
    for arguments in ((a, b), (a, b[:1])):
        exactly(aten.fmod.Tensor, *arguments)
    for number in (0.3, -2, 1e-3):
        exactly(aten.fmod.Scalar, a, number)
    assert decompositions.table(torch_mlir=True)[aten.fmod.Tensor](a.int(), b.int()) is NotImplemented


def exactly(op, *arguments):
    """Every bit, the signs of zeros also."""
    wanted, got = op(*arguments), decompositions.table(torch_mlir=True)[op](*arguments)
    assert got.dtype == wanted.dtype
    torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)
    numbers = ~wanted.isnan()
    assert torch.equal(torch.signbit(got[numbers]), torch.signbit(wanted[numbers]))


LOGARITHMS = [[10000., 1, 2, 200], [-1e4, -1e4, 5, 5], [1e4, 9999, 10001, -3],
              [-float("inf"), 1, -float("inf"), 2], [-float("inf"), -float("inf"), 0, 1],
              [1, float("inf"), 3, float("inf")], [1, float("nan"), 3, 4], [3.]]


@pytest.mark.parametrize("values", LOGARITHMS, ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_logarithm_of_sums(values, dtype):
    x = torch.tensor(values, dtype=dtype)
    exact = torch.logcumsumexp(x.double(), 0).to(dtype)
    got = decompositions.table(torch_mlir=True)[aten.logcumsumexp.default](x, 0)
    torch.testing.assert_close(got, exact, equal_nan=True)


def test_logarithm_of_sums_of_rows():
    x = 50 * torch.randn(3, 37, 2)
    for dim in (0, 1, -1):
        check(aten.logcumsumexp.default, x, dim)
    check(aten.logcumsumexp.default, torch.tensor(3.), 0)


def test_bytes_of_floats():
    x = torch.tensor([0, 1.9, 127, 128, 200.7, 255, -0.5, 300, -1])
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        got = decompositions.table(torch_mlir=True)[aten._to_copy.default](x.to(dtype), dtype=torch.uint8)
        assert torch.equal(got, x.to(dtype).to(torch.uint8))
    to_copy = decompositions.table(torch_mlir=True)[aten._to_copy.default]
    assert to_copy(x, dtype=torch.int8) is NotImplemented
    assert to_copy(x.int(), dtype=torch.uint8) is NotImplemented
