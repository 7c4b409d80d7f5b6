# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks that are trained on hpu, op by op and compiled, as PyTorch trains them on the CPU."""
import copy

import gaudi_mlir.torch
import pytest
import torch
import torch.nn.functional as F
from habana_frameworks.torch import _C
from habana_frameworks.torch.hpu.metrics import metric_global
from torch import nn


def _convolutions():
    return nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Flatten(), nn.Linear(8 * 13 * 13, 10))


def _batch(step):
    generator = torch.Generator().manual_seed(step)
    return (torch.randn(4, 1, 28, 28, generator=generator),
            torch.randint(0, 10, (4,), generator=generator))


def _losses(model, call, make_optimizer, device, steps=5):
    optimizer, losses = make_optimizer(model.parameters()), []
    for step in range(steps):
        x, labels = (each.to(device) for each in _batch(step))
        optimizer.zero_grad()
        loss = F.cross_entropy(call(x), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


OPTIMIZERS = {"SGD": lambda p: torch.optim.SGD(p, 0.01, momentum=0.9),
              "AdamW": lambda p: torch.optim.AdamW(p, 1e-3)}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("mode", ["eager", "compile"])
def test_losses_are_those_of_the_cpu(mode, optimizer):
    torch.manual_seed(0)
    expected = _convolutions()
    model = copy.deepcopy(expected).to("hpu")
    call = torch.compile(model, backend="hpu_backend") if mode == "compile" else model
    make = OPTIMIZERS[optimizer]
    on_card = _losses(model, call, make, "hpu")
    torch.testing.assert_close(on_card, _losses(expected, expected, make, "cpu"), rtol=1e-4,
                               atol=1e-5)


def test_numbers_that_change_compile_nothing_anew():
    x = torch.ones(3, device="hpu")
    for number in (0.5, 0.25, 0.125):
        x = x * number
    _, misses, _ = _C.eager_counts()
    for step in range(10):
        x = x * (1.0 + step / 7)
    assert _C.eager_counts()[1] == misses
    assert torch.isfinite(x).all()


@pytest.mark.parametrize("kind, options", [
    ("AdamW", {"amsgrad": True}), ("Adam", {"weight_decay": 0.1}), ("Adagrad", {"lr_decay": 0.1}),
    ("SGD", {"momentum": 0.9, "nesterov": True}), ("SGD", {"maximize": True})])
@pytest.mark.parametrize("is_lazy", [False, True])
def test_fused_steps_stay_on_the_card(kind, options, is_lazy, request):
    if is_lazy:
        request.getfixturevalue("lazily")
    fallbacks = metric_global("cpu_fallback")
    before = dict(fallbacks.stats())["TotalNumber"]
    compiled, weights = [], {}
    for device in ("cpu", "hpu"):
        torch.manual_seed(1)
        weight = torch.randn(3, 4).to(device).requires_grad_()
        optimizer = getattr(torch.optim, kind)([weight], 0.1, fused=True, **options)
        rates = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - 0.1 * step)
        for _ in range(6):
            weight.grad = (weight.detach() * 3).cos()
            optimizer.step()
            rates.step()
            torch.hpu.synchronize()
            compiled.append(dict(metric_global("graph_compilation").stats())["TotalNumber"])
        weights[device] = weight.detach().cpu()
    torch.testing.assert_close(weights["hpu"], weights["cpu"], rtol=1e-6, atol=1e-6)
    assert dict(fallbacks.stats())["TotalNumber"] == before
    assert compiled[-1] == compiled[-3], "a rate that changes compiles"


def test_ops_write_what_their_schemas_do_not_say():
    torch.manual_seed(0)
    x, means = torch.randn(4, 3, 5) + 1, []
    for device in ("cpu", "hpu"):
        norm = nn.BatchNorm1d(3).to(device)
        norm(x.to(device))
        norm.eval()(x.to(device))
        torch.batch_norm_update_stats(x.to(device), norm.running_mean, norm.running_var, 0.25)
        means.append(torch.stack([norm.running_mean, norm.running_var]).cpu())
    torch.testing.assert_close(means[1], means[0])


def test_what_is_not_on_the_card_is_counted(monkeypatch):
    x = torch.eye(3).to("hpu")
    before = _C.eager_counts()[2]
    values = torch.linalg.eigvals(x)
    assert _C.eager_counts()[2] > before
    torch.testing.assert_close(values.cpu().real, torch.ones(3))
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "none")
    with pytest.raises(RuntimeError, match="aten::_linalg_eigvals is not yet supported on HPU"):
        torch.linalg.eigvals(x)


def test_views_are_written_through():
    expected = torch.arange(24.).reshape(2, 3, 4)
    x = expected.to("hpu")
    for each in (expected, x):
        each[:, 1:].transpose(1, 2)[0].add_(each[1, 0, :2])
        each.view(-1)[::5].mul_(3)
        each.unfold(2, 2, 2)[..., 1] = each[..., :2].clone()
    torch.testing.assert_close(x.cpu(), expected, rtol=0, atol=0)


def test_explain_says_what_left_the_card():
    gaudi_mlir.torch.reset()
    torch.linalg.eigvals(torch.eye(2, device="hpu"))
    report = gaudi_mlir.torch.explain()
    assert report.fallbacks == {"aten::_linalg_eigvals": 1}
    assert "is not among the ops that are compiled" in \
        report.fallback_reasons["aten::_linalg_eigvals"]


def test_numbers_that_a_trace_has_compared_stay_constants():
    x = torch.ones(3, device="hpu")
    for bound in (0.25, 0.5, 0.75):
        expected = F.softshrink(torch.ones(3), bound)
        torch.testing.assert_close(F.softshrink(x, bound).cpu(), expected)
    with pytest.raises(RuntimeError, match="lambda must be in range"):
        F.softshrink(x, -1.0)


def test_ops_that_leave_a_compiled_graph_are_not_on_the_cpu(monkeypatch):
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "none")
    gaudi_mlir.torch.reset()
    x = torch.tensor([1.5, 2.0])

    @torch.library.custom_op("bridge_tests::squared", mutates_args=())
    def squared(value: torch.Tensor) -> torch.Tensor:
        return value * value

    squared.register_fake(torch.empty_like)

    def square(value):
        return squared(value) + 1

    made = torch.compile(square, backend="hpu_backend")(x.to("hpu"))
    torch.testing.assert_close(made.cpu(), square(x), rtol=1e-6, atol=0)
    report = gaudi_mlir.torch.explain()
    assert not report.fallbacks
    assert "bridge_tests::squared by itself: " in str(report)
    torch._dynamo.reset()
    monkeypatch.setenv("PT_HPU_USE_EAGER_FALLBACK", "0")
    with pytest.raises(Exception, match="It would run by itself, which PT_HPU_USE_EAGER_FALLBACK"):
        torch.compile(square, backend="hpu_backend")(x.to("hpu"))


@pytest.mark.parametrize("op", [lambda x: torch.rand_like(x) * x,
                                lambda x: torch.nn.functional.dropout(x, 0.5) * x])
def test_checkpoints_draw_again_in_a_graph(op):
    """What is drawn, and the gradient, are those without a checkpoint, in two launches."""
    from habana_frameworks.torch.utils.debug.dynamo_utils import FxGraphAnalyzer
    results = []
    for is_checkpoint in (False, True):
        def computed(x):
            made = torch.utils.checkpoint.checkpoint(op, x, use_reentrant=False) \
                if is_checkpoint else op(x)
            return torch.relu(made) + torch.rand_like(x)
        torch._dynamo.reset()
        torch.manual_seed(3)
        x = torch.linspace(0.5, 2, 64, device="hpu", requires_grad=True)
        with FxGraphAnalyzer() as analyzer:
            made = torch.compile(computed, backend="hpu_backend")(x)
            made.sum().backward()
        assert analyzer.get_partition_num() == 2
        results.append((made.detach().cpu(), x.grad.cpu()))
    for plain, again in zip(*results):
        assert torch.equal(plain, again)
    assert 0 < (results[0][1] != 0).sum()


@pytest.mark.parametrize("use_reentrant", [False, True])
def test_checkpoints_draw_again(use_reentrant):
    def gradient(is_checkpoint):
        torch.manual_seed(3)
        x = torch.linspace(0.5, 2, 64, device="hpu", requires_grad=True)
        made = torch.utils.checkpoint.checkpoint(
            F.dropout, x * 2, use_reentrant=use_reentrant) if is_checkpoint else F.dropout(x * 2)
        torch.rand(3, device="hpu")
        made.sum().backward()
        return made.detach().cpu(), x.grad.cpu()
    for plain, again in zip(gradient(False), gradient(True)):
        assert torch.equal(plain, again)


def test_the_state_of_a_generator_is_none_of_a_trace():
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode():
        state = torch.hpu.get_rng_state()
    assert torch.equal(state, torch.hpu.get_rng_state())


def test_parameters_without_a_shape_yet_move():
    model = torch.nn.Sequential(torch.nn.LazyLinear(3), torch.nn.LazyBatchNorm1d()).to("hpu")
    assert model(torch.randn(4, 5).to("hpu")).shape == (4, 3)
    assert model[0].weight.device.type == model[1].running_mean.device.type == "hpu"
    assert torch.nn.LazyConv2d(4, 3).to(torch.bfloat16).weight.dtype == torch.bfloat16


def test_parameters_that_share_memory_stay_shared():
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = (torch.nn.Linear(4, 4, bias=False) for _ in range(3))
            self.b.weight.data = self.a.weight.data
            self.c.weight.data = self.a.weight.data[:2]  # other elements

    made = Tied().to("hpu")
    assert made.a.weight is not made.b.weight
    assert made.a.weight.data_ptr() == made.b.weight.data_ptr() != made.c.weight.data_ptr()
    with torch.no_grad():
        made.a.weight.fill_(3)
    assert made.b.weight.tolist() == [[3.0] * 4] * 4
    (made.a.weight.sum() + 2 * made.b.weight.sum()).backward()
    assert (made.a.weight.grad[0, 0].item(), made.b.weight.grad[0, 0].item()) == (1, 2)
    back = made.to("cpu")
    assert back.a.weight[0, 0].item() == 3
