# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs with tensors of the host, and ops of types that PyTorch's CPU does not take or names wrongly."""
import pytest
import torch
import torch.nn.functional as F

HOST, CARD = torch.device("cpu"), torch.device("hpu", 0)


def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, backend="hpu_backend")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int32])
def test_graphs_of_tensors_of_the_host_run_there(dtype):
    x, a, b = (torch.arange(9).reshape(3, 3).to(dtype) for _ in range(3))
    made = compiled(torch.addmm)(x, a, b)
    assert made.device == HOST and torch.equal(made, torch.addmm(x, a, b))


def test_each_tensor_is_on_its_side():
    x, y, count = torch.ones(3), torch.arange(3.0), torch.tensor(2.0)

    def function(x, y, count):
        return x.cpu() + y, x * y.to("hpu"), x * count, count + 1

    made = compiled(function)(x.to("hpu"), y, count)
    assert [each.device for each in made] == [HOST, CARD, CARD, HOST]
    for mine, theirs in zip(made, (x + y, x * y, x * 2, count + 1)):
        assert torch.equal(mine.cpu(), theirs)


def test_constants_of_the_card():
    made = compiled(lambda x: (x + torch.tensor([2], device="hpu"),
                               x * torch.tensor([3.0], device="hpu")))(torch.ones(3, device="hpu"))
    assert made[0].tolist() == [3, 3, 3] and made[1].tolist() == [3, 3, 3]


def test_types_that_the_cpu_refuses():
    places = torch.tensor([2, 0], dtype=torch.int32, device="hpu")
    assert torch.arange(4.0, device="hpu").take(places).tolist() == [2, 0]
    truths = torch.tensor([True, False], device="hpu")
    assert torch.equal(truths.trunc().cpu(), truths.cpu())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_multilabel_margin_loss(dtype):
    values = torch.randn(2, 4).to(dtype)
    target, results = torch.tensor([[3, 0, -1, 1], [0, 1, 2, 3]]), []
    for device in (HOST, CARD):  # the CPU has no kernels for these types
        x = values.to(device, torch.float32 if device == HOST else dtype).requires_grad_()
        loss = F.multilabel_margin_loss(x, target.to(device))
        loss.backward()
        results.append([each.detach().float().cpu() for each in (loss, x.grad)])
    torch.testing.assert_close(*results, rtol=1e-2, atol=1e-3)


def test_bias_of_a_convolution_has_the_size_of_the_weight():
    x, weight = torch.randn(2, 3, 5, 5), torch.randn(4, 3, 3, 3)
    rest = ([0], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True])
    op, grad = torch.ops.aten.convolution_backward.default, torch.randn(2, 4, 5, 5)
    made = op(*(each.to("hpu") for each in (grad, x, weight)), *rest)
    for mine, theirs in zip(made, op(grad, x, weight, *rest), strict=True):
        torch.testing.assert_close(mine.cpu(), theirs, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("call", [lambda f: f, compiled])
@pytest.mark.parametrize("weights", [None, torch.float32, torch.int32, torch.float64])
def test_counts(weights, call):
    given = [torch.tensor([3, 0, 3], dtype=torch.int32)]
    given += [] if weights is None else [torch.tensor([1, 2, 3]).to(weights)]
    wanted = torch.bincount(*given)
    made = call(torch.bincount)(*(each.to("hpu") for each in given))
    assert made.dtype == wanted.dtype and torch.equal(made.cpu(), wanted)
    with pytest.raises(RuntimeError, match="non-negative"):
        torch.bincount(torch.tensor([-1], device="hpu"))


@pytest.mark.parametrize("call", [lambda f: f, compiled])
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
def test_histograms_of_integers(dtype, call):
    values = torch.tensor([0, 3, 3, 1, 2, 7, 1], dtype=dtype)
    made = call(lambda x: torch.histc(x, 8, 0, 7))(values.to("hpu"))
    assert made.dtype == dtype and made.tolist() == [1, 2, 1, 2, 0, 0, 0, 1]


def test_views_as_another_type():
    values = torch.tensor([1, -2], dtype=torch.int32)
    made = compiled(lambda x: (x + 1).view(torch.float32).view(torch.int16) * 2)(values.to("hpu"))
    assert torch.equal(made.cpu(), (values + 1).view(torch.int16) * 2)


@pytest.mark.parametrize("weights", [None, torch.float32, torch.int32])
def test_counts_of_nothing_are_integers(weights):
    nothing = torch.zeros(0, dtype=torch.int64)
    given = [nothing] if weights is None else [nothing, nothing.to(weights)]
    made = torch.bincount(*(each.to("hpu") for each in given), minlength=3)
    wanted = torch.bincount(*given, minlength=3)
    assert made.dtype == wanted.dtype and torch.equal(made.cpu(), wanted)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_statistics_of_a_compiled_layer_norm_are_wide(dtype):
    x, weight = torch.randn(3, 8).to(dtype), torch.randn(8).to(dtype)
    made = compiled(torch.native_layer_norm)(x.to("hpu"), (8,), weight.to("hpu"), None, 1e-5)
    wanted = torch.native_layer_norm(x.float(), (8,), weight.float(), None, 1e-5)
    assert [each.dtype for each in made] == [dtype, torch.float32, torch.float32]
    torch.testing.assert_close(made[0].cpu(), wanted[0].to(dtype))
    torch.testing.assert_close([each.cpu() for each in made[1:]], list(wanted[1:]))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("shape", [(1000,), (1,)])
def test_quotients_are_rounded_before_they_are_truncated(dtype, shape):
    a, b = torch.rand(1000).to(dtype), torch.rand(shape).to(dtype)
    made = torch.div(a.to("hpu"), b.to("hpu"), rounding_mode="trunc")
    assert torch.equal(made.cpu(), torch.div(a, b, rounding_mode="trunc"))


def test_subtraction_from_a_tensor_is_sub():
    from habana_frameworks.torch.dynamo.compile_backend import passes
    passes.logger.set_store_data(True)
    a, b = torch.randn(3), torch.randn(3)
    made = compiled(lambda a, b: torch.rsub(a, b, alpha=3))(a.to("hpu"), b.to("hpu"))
    texts = "".join(passes.logger.data)
    passes.logger.set_store_data(False)
    torch.testing.assert_close(made.cpu(), torch.rsub(a, b, alpha=3))
    assert "aten::sub(" in texts


def test_dropout_that_is_kept_out_of_graphs_draws_on_the_card(monkeypatch):
    from habana_frameworks.torch.dynamo.compile_backend import shared_layer
    monkeypatch.setattr(shared_layer, "hpu_fallback_op_list", {"bernoulli"})
    x = torch.ones(64, device="hpu", requires_grad=True)
    made = compiled(lambda x: 3 * torch.nn.functional.dropout(2 * x))(x)
    made.sum().backward()
    assert set(made.tolist()) == {0, 12} and torch.equal(x.grad, made)


@pytest.mark.parametrize("name", ["randint", "mul"])
def test_ops_that_are_kept_out_of_graphs(monkeypatch, name):
    from habana_frameworks.torch.dynamo.compile_backend import shared_layer
    from habana_frameworks.torch.utils.debug.dynamo_utils import FxGraphAnalyzer
    monkeypatch.setattr(shared_layer, "hpu_fallback_op_list", {name})
    with FxGraphAnalyzer() as analyzer:
        made = compiled(lambda x: (x + torch.randint(5, 6, (3,), device="hpu")) * 2)(
            torch.ones(3, device="hpu"))
    assert made.tolist() == [12, 12, 12]
    (summary,) = analyzer.get_ops_summary()
    counts = [each for op, each in summary.items() if f".{name}." in op]
    assert [(each.graph_count, each.eager_count) for each in counts] == [(0, 1)]


@pytest.mark.parametrize("dim, repeats", [(0, [2, 2]), (1, [0, 3, 1])])
def test_repetitions_with_the_size_of_the_result(dim, repeats):
    x, repeats = torch.randn(2, 3), torch.tensor(repeats, dtype=torch.int32)
    wanted = torch.repeat_interleave(x, repeats, dim)
    made = compiled(lambda x, repeats: torch.repeat_interleave(
        x, repeats, dim, output_size=wanted.shape[dim]))(x.to("hpu"), repeats.to("hpu"))
    assert torch.equal(made.cpu(), wanted)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape", [(4,), (1, 4), (3, 4)])
def test_multilabel_margin_loss_of_each_row(dtype, shape):
    x, target = torch.randn(shape).to(dtype), torch.tensor([2, 0, -1, 1]).expand(shape)

    def loss(x, target):
        return torch.nn.functional.multilabel_margin_loss(x, target, reduction="none")
    made, wanted = loss(x.to("hpu"), target.to("hpu")), loss(x.float(), target).to(dtype)
    assert made.shape == wanted.shape
    torch.testing.assert_close(made.cpu(), wanted)


MASK = torch.tensor([[True, False, True, True], [False] * 4, [True, False, False, True]])


@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("shape, indices, values", [
    ((5, 4), [[0], MASK[0]], (1,)),
    ((5, 4), [2, MASK[0]], (3,)),
    ((5, 4), [[4, 4, 1], MASK[0]], (3,)),
    ((5, 4), [[1], MASK[1]], ()),  # nothing is true
    ((2, 3, 4, 2), [[1], MASK], (5, 2)),
    ((2, 3, 4, 2), [[1], MASK], (2,)),
    ((3, 4, 5, 2), [MASK, None, [1]], (1, 5)),
    ((3, 4, 5, 2), [MASK, None, [1]], (5, 5)),
    ((2, 3, 4, 5), [None, [2], MASK[0]], (2, 1, 5)),
])
def test_index_put_with_a_mask_among_indices(monkeypatch, shape, indices, values, accumulate):
    monkeypatch.setenv("PT_HPU_USE_EAGER_FALLBACK", "0")
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "none")
    indices = [each if each is None else torch.as_tensor(each) for each in indices]
    x, values = torch.randn(shape), torch.randn(values)

    def put(x, values, *indices):
        return torch.ops.aten.index_put(x, [*indices], values, accumulate)
    wanted = put(x, values, *indices)
    operands = [each if each is None else each.to("hpu") for each in (x, values, *indices)]
    assert torch.equal(put(*operands).cpu(), wanted)
    assert torch.equal(compiled(put)(*operands).cpu(), wanted)


def test_index_put_with_a_mask_that_selects_too_few():
    x, mask = torch.zeros(5, 4, device="hpu"), MASK[0].to("hpu")
    put = compiled(lambda x, mask, values: x.index_put(
        [torch.zeros(1, dtype=torch.int64, device="hpu"), mask], values))
    with pytest.raises(RuntimeError, match="a mask selects another number of rows than the 4"):
        put(x, mask, torch.ones(4, device="hpu")).cpu()


def test_a_changing_number_is_one_of_the_card():
    torch._dynamo.reset()
    is_in = torch.compile(torch.isin, backend="hpu_backend", dynamic=True)
    x = torch.arange(4, device="hpu")
    assert [is_in(each, x).item() for each in (3, 4, 5)] == [True, False, False]
