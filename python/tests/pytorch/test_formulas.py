# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each formula gives the numbers of the op that PyTorch does not decompose."""
import importlib
import itertools

import pytest

torch = pytest.importorskip("torch")
from gaudi_mlir.torch import foreach, formulas, losses  # noqa: E402

aten = torch.ops.aten
importlib.import_module("torch.nn.modules.linear_cross_entropy")  # which registers ops
inf, nan = float("inf"), float("nan")


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def agree(got, wanted):
    leaves = torch.utils._pytree.tree_leaves
    for mine, theirs in zip(leaves(got), leaves(wanted), strict=True):
        if theirs is not None:
            assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
            torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-5, equal_nan=True)


def check(op, *arguments, **options):
    wanted, got = op(*arguments, **options), formulas.TABLE[op](*arguments, **options)
    assert got is not NotImplemented
    agree(got, wanted)
    return wanted


@pytest.mark.parametrize("padding", (0, 1, 2))
@pytest.mark.parametrize("align", (False, True))
@pytest.mark.parametrize("dims, mode", [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1)])
def test_grid_sampler(dims, mode, align, padding):
    sample, backward = (getattr(aten, f"grid_sampler_{dims}d{suffix}").default for suffix in ("", "_backward"))
    for sizes in ((4, 5, 3)[-dims:], (1, 2, 1)[-dims:]):
        image = torch.randn(2, 3, *sizes)
        grid = torch.rand(2, *(3, 2, 4)[-dims:], dims) * 4 - 2
        result = check(sample, image, grid, mode, padding, align)
        check(backward, torch.randn(result.shape), image, grid, mode, padding, align, [True, True])
    got = formulas.TABLE[backward](torch.randn(result.shape), image, grid, mode, padding, align, [False, True])
    assert got[0] is None and got[1] is not None


@pytest.mark.parametrize("padding", (0, 1, 2))
@pytest.mark.parametrize("dims, mode", [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1)])
def test_grid_sampler_at_no_position(dims, mode, padding):
    sample, backward = (getattr(aten, f"grid_sampler_{dims}d{suffix}").default for suffix in ("", "_backward"))
    image = torch.randn(1, 2, *[3] * dims)
    grid = torch.tensor([nan, inf, -inf, 0.5])[torch.cartesian_prod(*[torch.arange(4)] * dims)]
    grid = grid.reshape(1, *[1] * (dims - 2), 4, -1, dims)
    result = check(sample, image, grid, mode, padding, False)
    if padding == 0 and mode != 2:  # PyTorch reads other memory in gradients at the others
        check(backward, torch.randn(result.shape), image, grid, mode, padding, False, [True, True])


def test_grid_sampler_of_narrow_floats_and_of_nothing():
    image, grid = torch.randn(1, 2, 4, 4), torch.rand(1, 3, 3, 2) * 2 - 1
    narrow = formulas.TABLE[aten.grid_sampler_2d.default](image.bfloat16(), grid.bfloat16(), 0, 0, False)
    assert narrow.dtype == torch.bfloat16
    check(aten.grid_sampler_2d.default, image[:, :, :, :], grid[:, :0], 0, 0, False)


@pytest.mark.parametrize("dims", (2, 3))
def test_fractional_pools(dims):
    pool, backward = (getattr(aten, f"fractional_max_pool{dims}d{suffix}").default for suffix in ("", "_backward"))
    for outputs in ([4, 3, 5][:dims], [1, 2, 1][:dims]):
        x, samples = torch.randn(2, 3, *(9, 8, 10)[:dims]), torch.rand(2, 3, dims)
        result, places = check(pool, x, [2, 3, 2][:dims], outputs, samples)
        check(backward, torch.randn(result.shape), x, [2, 3, 2][:dims], outputs, places)


LENGTHS = [([7, 9, 5], [3, 2, 4]), ([9, 0, 1], [4, 0, 1]), ([2, 9, 9], [4, 1, 0])]


@pytest.mark.parametrize("inputs, targets", LENGTHS, ids=str)
@pytest.mark.parametrize("is_flat, is_tensor", list(itertools.product((False, True), repeat=2)))
@pytest.mark.parametrize("blank, zero_infinity", [(0, False), (2, True)])
def test_ctc_loss(inputs, targets, is_flat, is_tensor, blank, zero_infinity):
    log_probs = torch.randn(9, 3, 6).log_softmax(2)
    labels = torch.tensor([0, 1, 1, 2, 3, 4]) if blank else torch.tensor([1, 1, 2, 2, 3, 5])
    labels = labels[torch.randint(0, 6, (3, 4))]
    labels = torch.where(labels == blank, 5, labels)
    if is_flat:
        labels = torch.cat([row[:count] for row, count in zip(labels, targets)])
    lengths = [torch.tensor(inputs), torch.tensor(targets)] if is_tensor else [inputs, targets]
    kind = "Tensor" if is_tensor else "default"
    arguments = (log_probs, labels, *lengths)
    loss, alpha = getattr(aten._ctc_loss, kind)(*arguments, blank, zero_infinity)
    mine, states = formulas.TABLE[getattr(aten._ctc_loss, kind)](*arguments, blank, zero_infinity)
    agree(mine, loss)
    grad, op = torch.randn(3), getattr(aten._ctc_loss_backward, kind)
    agree(formulas.TABLE[op](grad, *arguments, mine, states, blank, zero_infinity),
          op(grad, *arguments, loss, alpha, blank, zero_infinity))


def test_ctc_loss_of_too_many_steps():
    arguments = (torch.zeros(513, 1, 3), torch.ones(1, 2, dtype=torch.int64), [513], [2])
    assert formulas.TABLE[aten._ctc_loss.default](*arguments) is NotImplemented
    assert formulas.TABLE[aten._ctc_loss_backward.default](torch.ones(1), *arguments, None, None, 0) is NotImplemented


@pytest.mark.parametrize("reduce", ("sum", "mean", "max", "min", "prod"))
@pytest.mark.parametrize("initial", (None, 2))
def test_segments(reduce, initial):
    data = torch.randint(-2, 3, (7, 2)).float()
    data[3, 0], data[5, 1] = nan, nan
    rows, lengths = torch.randn(2, 5, 3), torch.tensor([[2, 0, 3], [1, 3, 1]])
    for x, options in ((data, {"lengths": torch.tensor([3, 0, 1, 3])}), (rows, {"lengths": lengths, "axis": 1}),
                       (data, {"offsets": torch.tensor([0, 2, 2, 7])})):
        result = check(aten.segment_reduce.default, x, reduce, **options, initial=initial)
        check(aten._segment_reduce_backward.default, torch.randn(result.shape), result, x, reduce, **options,
              initial=initial)


def test_histograms():
    x = torch.tensor([0.1, 0.5, 0.5, 1.0, 1.5, 2.0, -3.0, 2.5])
    edges = torch.tensor([0.0, 0.5, 1.0, 2.0])
    weight = torch.rand(8)
    for options in ({}, {"density": True}, {"weight": weight}):
        check(aten.histogram.bins_tensor, x, edges, **options)
        check(aten.histogram.bin_ct, x, 5, **options)
        check(aten.histogram.bin_ct, x, 4, range=[0.0, 2.0], **options)
        points = x.reshape(4, 2)
        if "weight" not in options:
            check(aten._histogramdd_from_bin_cts.default, points, [3, 2], **options)
            check(aten._histogramdd_from_bin_tensors.default, points, [edges, edges[:3]], **options)
    check(aten._histogramdd_bin_edges.default, points, [3, 2])
    check(aten._histogramdd_bin_edges.default, points, [3, 2], range=[0.0, 1.0, -1.0, 4.0])
    check(aten.histogram.bin_ct, torch.full([3], 2.0), 4)
    check(aten.histogram.bin_ct, torch.zeros(0), 4)


@pytest.mark.parametrize("kind", ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor", "default"))
def test_spaced_numbers(kind):
    ends = [torch.tensor(each) if is_tensor == "Tensor" else each
            for each, is_tensor in zip((-3.5, 20), (kind + "_").split("_"))]
    for steps in (0, 1, 2, 7):
        if kind != "default":
            check(getattr(aten.linspace, kind), *ends, steps)
        check(getattr(aten.logspace, kind), *ends, steps)
        check(getattr(aten.logspace, kind), *ends, steps, 1.5, dtype=torch.bfloat16)
    for options in ({"dtype": torch.float64}, {"dtype": torch.complex64}):
        assert formulas.TABLE[getattr(aten.logspace, kind)](*ends, 3, **options) is NotImplemented
    assert formulas.TABLE[getattr(aten.logspace, kind)](*ends, 3, -2.0) is NotImplemented
    assert formulas.TABLE[getattr(aten.logspace, kind)](1j, ends[1], 3) is NotImplemented
    assert formulas.TABLE[aten.linspace.Tensor_Scalar](torch.tensor(1j), 2, 3) is NotImplemented


def test_products_of_three():
    a, b, c = torch.randn(4, 3), torch.randn(2, 3, 5), torch.randn(4, 5)
    check(aten._trilinear.default, a, b, c, [1, 3], [0], [1, 2], [2, 3])
    check(aten._trilinear.default, a, torch.randn(4, 3), torch.randn(4), [], [], [1], [1])
    assert formulas.TABLE[aten._trilinear.default](a, a, a, [2], [2], [2], [1]) is NotImplemented


def test_embeddings():
    weight, indices = torch.randn(6, 4) * 3, torch.tensor([[1, 4], [1, 0]])
    check(aten.embedding_renorm.default, weight, indices, 2.0, 2.0)
    check(aten.embedding_renorm.default, weight, indices, 2.0, 1.0)
    bags, offsets = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 2])
    check(aten._embedding_bag_per_sample_weights_backward.default, torch.randn(2, 4), weight, indices.reshape(-1),
          offsets, bags, 0, 4)


@pytest.mark.parametrize("left, transpose", list(itertools.product((False, True), repeat=2)))
def test_reflectors(left, transpose):
    a, tau = torch.geqrf(torch.randn(2, 5, 3))
    other = torch.randn(2, 5, 4)
    check(aten.ormqr.default, a, tau, other if left else other.mT.contiguous(), left, transpose)


@pytest.mark.parametrize("sizes", ((2, 5, 3), (3, 5), (1, 4, 4), (1, 1), (3, 0), (0, 3), (0, 0), (0, 2, 2)), ids=str)
def test_qr(sizes):
    a = torch.randn(sizes)
    a[..., 1:, :1] *= torch.rand(*sizes[:-2], 1, 1) < 0.5
    check(aten.geqrf.default, a)
    for mode in ("reduced", "complete", "r"):
        check(aten.linalg_qr.default, a, mode)
    assert formulas.TABLE[aten.linalg_qr.default](a.double()) is NotImplemented
    assert formulas.TABLE[aten.geqrf.default](torch.zeros(65, 65)) is NotImplemented


@pytest.mark.parametrize("scale", (1e30, 1e-30, 2e37, [1e30, 1.0, 1e-30, 1e20]), ids=str)
def test_qr_of_any_size_of_numbers(scale):
    """Squares of such elements are infinite or 0."""
    a = torch.randn(2, 5, 4) * torch.tensor(scale)
    exact = torch.linalg.qr(a.double())
    for mine, wanted in zip(formulas.TABLE[aten.linalg_qr.default](a), exact):
        largest = wanted.abs().amax(-2, keepdim=True)  # each column has a size of its own
        torch.testing.assert_close(mine / largest, wanted / largest, rtol=0, atol=1e-6, check_dtype=False)
    check(aten.geqrf.default, a / torch.tensor(scale))


def test_sizes():
    x = torch.arange(6.0).reshape(2, 3)
    resize = formulas.TABLE[aten.resize.default]
    assert torch.equal(resize(x, [2, 2]), torch.tensor([[0.0, 1], [2, 3]]))
    assert resize(x, [4, 2]).shape == (4, 2)
    assert resize(x.t(), [2, 2]) is NotImplemented
    assert resize(x[None, None], [1, 1, 2, 2], memory_format=torch.channels_last) is NotImplemented
    assert formulas.TABLE[aten.empty_permuted.default]([2, 3], [1, 0]).shape == (2, 3)
    assert not formulas.TABLE[aten._efficientzerotensor.default]([2, 3], dtype=torch.float32).any()


OPTIONS = {"reduction": ("mean", "sum"), "weighted": (False, True), "biased": (False, True)}


@pytest.mark.parametrize("reduction, weighted, biased", list(itertools.product(*OPTIONS.values())))
def test_linear_cross_entropy(reduction, weighted, biased):
    x, w = torch.randn(7, 4), torch.randn(5, 4)
    bias, weight = torch.randn(5) if biased else None, torch.rand(5) if weighted else None
    target = torch.tensor([0, 4, 2, -100, 1, 1, 3])
    op = torch.ops.torch_nn._linear_cross_entropy_batch_chunked.default
    arguments = (x, w, target, bias, weight, reduction, -100, 0.0, 3, "accurate", torch.float32, False)
    for wanted in ((True, True, True), (False, True, False)):
        agree(losses.linear_cross_entropy(*arguments, *wanted), op(*arguments, *wanted))
    rows = torch.ops.torch_nn._linear_cross_entropy_batch_chunked_no_reduction.default
    arguments = (x, w, target, bias, weight, -100, 3, "accurate", torch.float32)
    agree(losses.linear_cross_entropies(*arguments), rows(*arguments))


def test_linear_cross_entropy_of_nothing():
    arguments = (torch.randn(0, 4), torch.randn(5, 4), torch.zeros(0, dtype=torch.int64), None, None)
    loss = losses.linear_cross_entropy(*arguments, "mean", -100, 0.0, 3, "", None, False, True, True, True)[0]
    assert loss.isnan()
    smooth = (*arguments, "mean", -100, 0.1, 3, "", None, False, True, True, True)
    assert losses.linear_cross_entropy(*smooth) is NotImplemented


def lists_of(schema):
    """Arguments for an op of lists, as many as it needs."""
    for argument in schema.arguments:
        kind = str(argument.real_type)
        if kind == "List[Tensor]":
            yield [torch.rand(2, 2) + 0.1, torch.rand(2, 2) + 0.2]
        elif kind == "Tensor":
            yield torch.tensor([2.0, 3.0]) if argument.name == "scalars" else torch.tensor(2.0)
        elif kind == "List[number]":
            yield [2.0, 3.0]
        elif kind == "number" and argument.default_value is None:
            yield 1.5


@pytest.mark.parametrize("op, formula", sorted(foreach.table().items(), key=str), ids=str)
def test_foreach(op, formula):
    arguments = list(lists_of(op._schema))
    agree(formula(*arguments), op(*arguments))


def test_foreach_options():
    x, y = [torch.rand(3), torch.rand(2)], [torch.rand(3), torch.rand(2)]
    table = foreach.table()
    for op, options in ((aten._foreach_add.List, {"alpha": 0.5}), (aten._foreach_sub.List, {"alpha": 2})):
        agree(table[op](x, y, **options), op(x, y, **options))
    agree(table[aten._foreach_addcmul.Scalar](x, y, y, 0.5), aten._foreach_addcmul.Scalar(x, y, y, 0.5))
    agree(table[aten._foreach_norm.Scalar](x, inf), aten._foreach_norm.Scalar(x, inf))


@pytest.mark.parametrize("dims", [2, 3])
def test_fractional_pools_of_one_image_beside_numbers_of_two(dims):
    pool = getattr(aten, f"fractional_max_pool{dims}d").default
    x, samples = torch.randn([4, *[6] * dims]), torch.rand(2, 4, dims)
    arguments = x, [2] * dims, [3] * dims, samples
    for mine, expected in zip(formulas.TABLE[pool](*arguments), pool(*arguments)):
        assert torch.equal(mine, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("reduction", (0, 1, 2))
@pytest.mark.parametrize("target", [[2, 0, -1, 1], [[0, -1, 2, 3], [-1, 0, 1, 2], [3, 1, 1, 0]]])
def test_multilabel_margin_loss(target, reduction, dtype):
    target = torch.tensor(target)
    x = torch.randn(target.shape).to(dtype).float()  # the CPU has no kernel for bf16
    loss, is_target = check(aten.multilabel_margin_loss_forward.default, x, target, reduction)
    grad, op = torch.rand_like(loss), aten.multilabel_margin_loss_backward.default
    wanted = op(grad, x, target, reduction, is_target)
    got = formulas.TABLE[op](grad, x.to(dtype), target, reduction, is_target.to(dtype))
    assert got.dtype == dtype
    torch.testing.assert_close(got.float(), wanted, rtol=1e-2 if dtype is torch.bfloat16 else 1e-5, atol=1e-6)


@pytest.mark.parametrize("base", (1, 2, 10))
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.uint8])
def test_powers_in_integers(base, dtype):
    for start, end, steps in ((0, 5, 6), (5, 0, 6), (0, 2, 9), (1, 2, 1), (1, 2, 0)):
        if base ** max(start, end) < torch.iinfo(dtype).max:
            wanted = check(aten.logspace.default, start, end, steps, base, dtype=dtype)
    assert wanted.numel() == 0


@pytest.mark.parametrize("steps", (1, 2, 5))
def test_fractions_of_the_ends_of_powers_in_integers(steps):
    """Are cut off before, but for a single power, as PyTorch does."""
    for start, end in ((3.9, 0.7), (0.5, 4.3), (2, 3.99)):
        check(aten.logspace.default, start, end, steps, 3.0, dtype=torch.int32)
        check(aten.logspace.Tensor_Tensor, torch.tensor(start), torch.tensor(end), steps, dtype=torch.int64)
