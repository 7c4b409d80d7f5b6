# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of eight bits: their products against the same in float64, scales, histories, state, and
training."""
import copy
import io

import habana_frameworks.torch.hpex.experimental.transformer_engine as te
import pytest
import torch
import torch.nn.functional as F
from habana_frameworks.torch.hpex.experimental.transformer_engine import fp8
from habana_frameworks.torch.hpex.experimental.transformer_engine.distributed import (
    activation_checkpointing)
from habana_frameworks.torch.hpex.experimental.transformer_engine.recipe import (
    DelayedScaling, Format)
from torch.utils.checkpoint import checkpoint

E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2


def _slow(value):
    """A parameter of the slow tests."""
    return pytest.param(value, marks=pytest.mark.slow)


IN_MODES = pytest.mark.parametrize(
    "call", ["eager", _slow("compile"), _slow("lazy")], indirect=True)
"""Modes of which the quick tests have one."""


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    fp8.FP8GlobalStateManager.reset_global_state()
    monkeypatch.setenv("PT_TE_FORCE_SR_BWD", "0")
    torch.manual_seed(5)
    yield
    fp8.FP8GlobalStateManager.reset_global_state()


def _scale(amax: float, most: float, margin: int = 0) -> float:
    return 2.0 ** (torch.tensor(most / amax).log2().floor().item() - margin)


def _rounded(x, dtype, scale):
    most = 57344 if dtype is E5M2 else 240
    return (x.double() * scale).clamp(-most, most).float().to(dtype).double() / scale


def _close(made, expected, tolerance=1e-6):
    error = (made.detach().cpu().double() - expected).norm() / expected.norm()
    assert error < tolerance, error


@IN_MODES
@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("minimize_memory", [False, _slow(True)])
def test_linear_is_of_rounded_operands(form, minimize_memory, call):
    """In the first step with scales of 1, in the second with those that the first one gives."""
    layer = te.Linear(16, 8, minimize_memory=minimize_memory)
    recipe = DelayedScaling(fp8_format=form, reduce_amax=False, margin=1)
    forward = E5M2 if form is Format.E5M2 else E4M3
    backward = E4M3 if form is Format.E4M3 else E5M2
    scales = dict.fromkeys(("x", "w", "g", "wide x", "wide w"), 1.0)
    for step in range(2):
        x, grad = torch.randn(2, 3, 16), torch.randn(2, 3, 8)
        given = x.to("hpu").requires_grad_()
        layer.zero_grad()
        with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
            y = call(layer, given)
        y.backward(grad.to("hpu"))
        weight, bias = (each.detach().cpu() for each in (layer.weight, layer.bias))
        narrow = [_rounded(each, forward, scales[name]) for name, each in (("x", x), ("w", weight))]
        wide = narrow if form is not Format.HYBRID else [
            _rounded(each, E5M2, scales["wide " + name]) for name, each in (("x", x),
                                                                            ("w", weight))]
        g = _rounded(grad, backward, scales["g"])
        _close(y, F.linear(*narrow, bias.double()))
        _close(given.grad, g @ wide[1])
        _close(layer.weight.grad, g.flatten(0, 1).t() @ wide[0].flatten(0, 1))
        _close(layer.bias.grad, grad.double().sum((0, 1)))
        largest = form.value
        for name, each in (("x", x), ("w", weight)):
            amax = each.abs().max().item()
            scales[name] = _scale(amax, largest.max_fwd, 1)
            scales["wide " + name] = _scale(amax, largest.max_bwd, 1)
        scales["g"] = _scale(grad.abs().max().item(), largest.max_bwd, 1)


def test_weights_are_cast_once_a_step(monkeypatch):
    """is_first_microbatch: the others take the cast of the first."""
    layer, casts = te.Linear(4, 4), []
    original = te.module.cast
    monkeypatch.setattr(te.module, "cast", lambda x, column, step: casts.append(column) or
                        original(x, column, step))
    x = torch.randn(2, 4, device="hpu")
    with te.fp8_autocast(enabled=True):
        for index in range(6):
            layer(x, is_first_microbatch=index % 3 == 0)
    assert casts.count(0) == 6 and casts.count(1) == 2
    # The history of the weight goes on meanwhile.
    amax = layer.fp8_meta["scaling_fwd"].last()[0, 1].item()
    assert amax == pytest.approx(layer.weight.abs().max().item())


@pytest.mark.parametrize("form", [Format.HYBRID, _slow(Format.E5M2)])
def test_micro_batches_have_the_weight_of_the_first(form, call):
    """It keeps the scale of its cast, while those of the steps change."""
    layer, recipe = te.Linear(16, 8), DelayedScaling(fp8_format=form, reduce_amax=False)
    weight, bias = (each.detach().cpu().double() for each in (layer.weight, layer.bias))
    for size in (4.0, 2.0, 1.0):
        x, grad = size * torch.randn(4, 16), torch.randn(4, 8)
        given = x.to("hpu").requires_grad_()
        with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
            y = call(lambda x: layer(x, is_first_microbatch=size == 4.0), given)
        y.backward(grad.to("hpu"))
        tolerance = 0.1 if form is Format.E5M2 else 0.06
        _close(y, F.linear(x.double(), weight, bias), tolerance)
        _close(given.grad, grad.double() @ weight, 0.1)
    assert layer.fp8_meta["scaling_fwd"].scale[1].item() != 1


def test_kept_weights_of_other_formats_and_values():
    """They are cast anew."""
    layer, x = te.Linear(16, 8), torch.randn(4, 16)
    for step, form in enumerate((Format.E4M3, Format.HYBRID, Format.E5M2)):
        with te.fp8_autocast(enabled=True, fp8_recipe=DelayedScaling(fp8_format=form)):
            y = layer(x.to("hpu"), is_first_microbatch=step == 0)
        y.sum().backward()
        _close(y, F.linear(x, layer.weight.cpu(), layer.bias.cpu()).detach().double(), 0.15)
    layer.load_state_dict(te.Linear(16, 8).state_dict())
    with te.fp8_autocast(enabled=True):
        y = layer(x.to("hpu"), is_first_microbatch=False)
    _close(y, F.linear(x, layer.weight.cpu(), layer.bias.cpu()).detach().double(), 0.06)


@pytest.mark.parametrize("algorithm, expected", [("max", 8.0), ("most_recent", 2.0),
                                                 (lambda history: history.amin(0), 1.0)])
def test_histories(algorithm, expected):
    recipe = DelayedScaling(amax_history_len=3, amax_compute_algo=algorithm, reduce_amax=False)
    layer = te.Linear(4, 4)
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
        for amax in (100.0, 8.0, 1.0, 2.0, 0.5):
            layer(torch.full((1, 4), amax, device="hpu"))
    assert layer.fp8_meta["scaling_fwd"].scale[0].item() == _scale(expected, 240)


def test_formula_of_the_program_and_numbers_that_are_none():
    recipe = DelayedScaling(
        scaling_factor_compute_algo=lambda amax, scale, most, recipe: most / amax / 2)
    layer = te.Linear(4, 4)
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
        for _ in range(2):
            layer(torch.full((1, 4), 3.0, device="hpu"))
    assert layer.fp8_meta["scaling_fwd"].scale[0].item() == 40.0
    layer = te.Linear(4, 4)
    with te.fp8_autocast(enabled=True):
        for value in (3.0, float("inf"), 0.0, float("nan"), 0.0):
            layer(torch.full((1, 4), value, device="hpu"))
    assert layer.fp8_meta["scaling_fwd"].scale[0].item() == _scale(3.0, 240)


def test_steps_that_are_measured():
    layer = te.Linear(4, 4)
    recipe = DelayedScaling(interval=4, amax_history_len=2, amax_compute_algo="max")
    scales, states = [], []
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
        for amax in (100.0, 100.0, 2.0, 1.0, 50.0, 50.0, 50.0, 50.0):
            layer(torch.full((1, 4), amax, device="hpu"))
            states.append(layer.get_amax_measure_state()["fwd_enabled"])
            scales.append(layer.fp8_meta["scaling_fwd"].scale[0].item())
    assert states == [False, False, True, True] * 2
    assert scales == [1.0] * 4 + [_scale(2.0, 240)] * 4
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe, force_measurement=False):
        layer(torch.full((1, 4), 9.0, device="hpu"))
        assert layer.get_amax_measure_state() == {"manual": True, "fwd_enabled": False,
                                                  "bwd_enabled": False}
    assert fp8.FP8GlobalStateManager.get_manual_measurement_mode() is None


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_what_is_computed_again(use_reentrant):
    """The scales of the first time, and one measurement."""
    plain, again = te.Linear(8, 8), te.Linear(8, 8)
    again.load_state_dict(plain.state_dict())
    recipe = DelayedScaling(fp8_format=Format.E5M2)
    for _ in range(3):
        x = torch.randn(4, 8)
        given = [x.to("hpu").requires_grad_() for _ in range(2)]
        with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
            made = [plain(plain(given[0]))]
            with activation_checkpointing():
                made.append(checkpoint(lambda x: again(again(x)), given[1],
                                       use_reentrant=use_reentrant))
        for each in made:
            each.square().sum().backward()
        assert torch.equal(*(each.detach().cpu() for each in made))
        assert torch.equal(*(each.grad.cpu() for each in given))
        for key in ("scaling_fwd", "scaling_bwd"):
            for name in ("scale", "amax_history"):
                assert torch.equal(*(getattr(layer.fp8_meta[key], name).cpu()
                                     for layer in (plain, again)))
    assert plain.run_cnt == again.run_cnt == 6


@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad")
@pytest.mark.parametrize("use_reentrant", [True, False])
def test_segments_that_are_computed_again_in_another_order(use_reentrant):
    """Each with its own scales, also in a segment of a segment, and for a second backward pass."""
    plain, again = te.Linear(8, 8, bias=False), te.Linear(8, 8, bias=False)
    again.load_state_dict(plain.state_dict())

    def segment(function, x):
        return checkpoint(function, x, use_reentrant=use_reentrant)
    xs, made = [size * torch.randn(4, 8) for size in (1, 50, 0.1)], {}
    for name, layer, run in (
            ("plain", plain, lambda x: plain(plain(x))),
            ("segments", again, lambda x: segment(again, segment(again, x))),
            ("nested", again, lambda x: segment(lambda x: segment(again, again(x)), x))):
        layer.set_extra_state({})
        given = [x.to("hpu").requires_grad_() for x in xs]
        with te.fp8_autocast(enabled=True, fp8_recipe=DelayedScaling(fp8_format=Format.E5M2)):
            total = sum(run(x).square().sum() for x in given)
        for count in range(1 if use_reentrant else 2):
            layer.zero_grad()
            total.backward(retain_graph=not use_reentrant and count == 0)
        made[name] = [layer.weight.grad, *(x.grad for x in given)]
        assert layer.run_cnt == 6
    for name in ("segments", "nested"):
        for one, other in zip(made["plain"], made[name]):
            torch.testing.assert_close(one.cpu(), other.cpu(), rtol=1e-6, atol=0)


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_what_is_never_computed_again(use_reentrant):
    """It does not hold for what runs later: that is of 32 bits outside of fp8_autocast."""
    layer, x = te.Linear(8, 4), torch.randn(4, 8, device="hpu", requires_grad=True)
    with te.fp8_autocast(enabled=True):
        skipped = checkpoint(layer, x, use_reentrant=use_reentrant)
    expected = F.linear(*(each.detach().cpu().double() for each in (x, layer.weight, layer.bias)))
    _close(layer(x), expected)
    _close(checkpoint(layer, x, use_reentrant=use_reentrant), expected)
    assert (skipped.cpu() - layer(x).cpu()).abs().max() > 1e-3
    checkpoint(layer, x, use_reentrant=use_reentrant).sum().backward()
    _close(x.grad, layer.weight.detach().cpu().double().sum(0).expand(4, 8))


def test_ranks_have_the_largest_magnitudes_of_all_passes(monkeypatch):
    """Also of a backward pass after the next forward pass. The other rank has twice ours."""
    for name, value in (("is_initialized", True), ("get_world_size", 2)):
        monkeypatch.setattr(torch.distributed, name, lambda *_, value=value: value)
    monkeypatch.setattr(torch.distributed, "all_reduce", lambda rows, **_: rows.mul_(2))
    layer = te.Linear(4, 4)
    recipe = DelayedScaling(amax_history_len=4, amax_compute_algo="max")
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
        x = torch.ones(1, 4, device="hpu", requires_grad=True)
        made = [layer(x) for _ in range(2)]
        for size, each in zip((1.0, 10.0), made):
            each.backward(torch.full((1, 4), size, device="hpu"))
        layer(x)
    meta = layer.fp8_meta["scaling_bwd"]
    rows = meta.amax_history[:, 0].cpu().roll(-1 - int(meta.amax_history_index))
    assert rows.tolist() == [0.0, 0.0, 2.0, 20.0]


def test_state_goes_through_a_file():
    recipe = DelayedScaling(amax_history_len=3, amax_compute_algo="max")
    layer, x = te.Linear(8, 8), torch.randn(4, 8, device="hpu")
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
        for _ in range(4):
            layer(x).sum().backward()
    file = io.BytesIO()
    torch.save(layer.state_dict(), file)
    file.seek(0)
    other = te.Linear(8, 8)
    other.load_state_dict(torch.load(file, weights_only=True))
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
        assert torch.equal(layer(x).cpu(), other(x).cpu())
    assert other.run_cnt == 5
    other = te.Linear(8, 8)
    other.load_state_dict(torch.nn.Linear(8, 8).state_dict())  # of PyTorch's layer
    assert not other.fp8_meta


def test_state_of_another_layer():
    """What it has not is as in a layer that has not run."""
    recipe = DelayedScaling(amax_history_len=3)
    layer, other, x = te.Linear(8, 8), te.Linear(8, 8), torch.randn(4, 8, device="hpu")
    with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
        for _ in range(2):
            layer(x).sum().backward()
        saved = layer.save_fp8_meta()
        other.load_fp8_meta(saved)  # has not run
        for name in ("scale", "amax_history"):
            assert torch.equal(*(getattr(each.fp8_meta["scaling_fwd"], name).cpu()
                                 for each in (layer, other)))
        other(x).sum().backward()
    with te.fp8_autocast(enabled=True):  # a history of one step
        other(x)
    other.load_fp8_meta(saved)
    assert torch.equal(other.save_fp8_meta()["scaling_fwd"]["amax_history"].cpu(),
                       saved["scaling_fwd"]["amax_history"].cpu())
    for state in (te.Linear(8, 8).state_dict(), torch.nn.Linear(8, 8).state_dict()):
        with te.fp8_autocast(enabled=True):
            layer(x)
        layer.load_state_dict(state)
        assert layer.run_cnt == 0 and not layer.save_fp8_meta()
    with pytest.raises(ValueError, match="has 4 scales of 'scaling_fwd', not .2.: they are of ano"):
        te.FusedAttention().load_fp8_meta(saved)
    with pytest.raises(ValueError, match="gets 'scaling' with scale; expected what save_fp8_meta"):
        layer.load_fp8_meta({"scaling": {"scale": torch.ones(2)}})


@IN_MODES
@pytest.mark.parametrize("form", [Format.HYBRID, _slow(Format.E4M3), _slow(Format.E5M2)])
@pytest.mark.parametrize("heads", [2, _slow(4)])
def test_attention(form, heads, call):
    layer, recipe = te.FusedAttention(), DelayedScaling(fp8_format=form)
    tolerance = {Format.E4M3: (0.06, 0.09), Format.E5M2: (0.11, 0.17)}.get(form, (0.06, 0.17))
    for _ in range(2):
        tensors = [torch.randn(2, count, 8, 16) for count in (4, heads, heads)]
        given = [each.to("hpu", torch.bfloat16).requires_grad_() for each in tensors]
        exact = [each.double().requires_grad_() for each in tensors]
        grad = torch.randn(2, 4, 8, 16)
        with te.fp8_autocast(enabled=True, fp8_recipe=recipe):
            y = call(lambda *given: layer(*given, None, True), *given)
        y.backward(grad.to("hpu", torch.bfloat16))
        expected = F.scaled_dot_product_attention(*exact, is_causal=True, enable_gqa=True)
        expected.backward(grad.double())
        _close(y, expected.detach(), tolerance[0])
        for made, other in zip(given, exact):
            _close(made.grad, other.grad, tolerance[1])
    scale = layer.fp8_meta["scaling_fwd"].scale
    assert scale.shape == (4,) and (scale > 1).all()


def test_attention_saturates(call):
    """The scale of probabilities is that of steps before, in which all keys were alike."""
    layer = te.FusedAttention()
    for are_alike in (True, True, False):
        tensors = [(torch.randn(2, 4, 32, 16) * each).bfloat16() for each in (3.0, 3.0, 1.0)]
        if are_alike:
            tensors[1] = tensors[1].amax(2, keepdim=True).expand_as(tensors[1]).contiguous()
        given = [each.to("hpu").requires_grad_() for each in tensors]
        with te.fp8_autocast(enabled=True):
            y = call(lambda *given: layer(*given), *given)
        y.sum().backward()
        assert all(each.grad.isfinite().all().item() for each in given)
    *scales, of_shares = layer.fp8_meta["scaling_fwd"].scale.tolist()
    q, k, v = (_rounded(x, E4M3, scale) for x, scale in zip(tensors, scales))
    shares = (q @ k.transpose(-2, -1) / 4).softmax(-1)
    rounded = _rounded(shares, E4M3, of_shares)
    assert rounded.amax() * 4 < shares.amax()
    _close(y, rounded @ v, 0.01)


class Encoder(torch.nn.Module):
    """A layer of an encoder whose products are by such layers, and a classifier."""

    def __init__(self, linear) -> None:
        super().__init__()
        self.words = torch.nn.Embedding(32, 32)
        self.qkv, self.out = linear(32, 96), linear(32, 32)
        self.up, self.down = linear(32, 64), linear(64, 32)
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(32) for _ in range(2))
        self.classes = torch.nn.Linear(32, 4)

    def forward(self, words):
        x = self.words(words)
        q, k, v = self.qkv(x).unflatten(-1, (3, 4, 8)).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
        x = self.norms[0](x + self.out(y))
        x = self.norms[1](x + self.down(F.gelu(self.up(x))))
        return self.classes(x.mean(1))


def _losses(model, steps, context):
    generator = torch.Generator().manual_seed(9)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-3)
    losses = []
    for _ in range(steps):
        words = torch.randint(0, 32, (16, 12), generator=generator)
        labels = (words // 8).mode(1).values
        with context():
            made = model(words.to("hpu"))
        loss = F.cross_entropy(made.float(), labels.to("hpu"))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    return torch.stack(losses).cpu()


@pytest.mark.slow
@pytest.mark.parametrize("form", [Format.E4M3, Format.HYBRID])
def test_an_encoder_trains_as_in_bfloat16(form, lazily, monkeypatch):
    monkeypatch.delenv("PT_TE_FORCE_SR_BWD")  # gradients of HYBRID are rounded at random
    model = Encoder(lambda *sizes: te.Linear(*sizes, device="cpu")).to("hpu")
    plain = Encoder(torch.nn.Linear)
    plain.load_state_dict({name: each for name, each in model.state_dict().items()
                           if not name.endswith("_extra_state")})
    plain.to("hpu")
    recipe = DelayedScaling(fp8_format=form, amax_history_len=16, amax_compute_algo="max")
    narrow = _losses(model, 150, lambda: te.fp8_autocast(enabled=True, fp8_recipe=recipe))
    wide = _losses(plain, 150, lambda: torch.autocast("hpu", dtype=torch.bfloat16))
    assert wide[-20:].mean() < 0.6 * wide[:20].mean()  # it learns
    means = [each.unfold(0, 20, 10).mean(1) for each in (narrow, wide)]
    assert ((means[0] - means[1]).abs() / means[1]).max() < 0.05


def test_what_cannot_be(monkeypatch):
    x = torch.ones(2, 4, device="hpu")
    with te.fp8_autocast(enabled=True):
        with pytest.raises(ValueError, match="4 features gets an input of shape"):
            te.Linear(4, 4)(x[:, :3])
        with pytest.raises(ValueError, match="computes on hpu; its input is on cpu"):
            te.Linear(4, 4)(x.cpu())
        with pytest.raises(ValueError, match="the query is on cpu"):
            te.FusedAttention()(*[torch.ones(1, 1, 4, 8)] * 3)
        q = torch.ones(1, 1, 4, 8, device="hpu", requires_grad=True)
        with pytest.raises(ValueError, match="trains without recomputation"):
            te.FusedAttention(enable_recompute=True)(q, q, q)
    with pytest.raises(ValueError, match="pass the weight to each call"):
        te.Linear(4, 4, skip_weight_param_allocation=True)(x)
    with pytest.raises(NotImplementedError, match="these options .*: tp_size"):
        te.Linear(4, 4, tp_size=2)
    with pytest.raises(TypeError, match="fp8_recipe is 'HYBRID'"):
        with te.fp8_autocast(enabled=True, fp8_recipe="HYBRID"):
            pass
    for options, words in (({"interval": 0}, "interval is 0"), ({"amax_compute_algo": "mean"},
                                                               "amax_compute_algo is 'mean'")):
        with pytest.raises(ValueError, match=words):
            DelayedScaling(**options)
    with pytest.raises(TypeError, match="one of recipe.Format.E4M3"):
        DelayedScaling(fp8_format="E4M3")
    assert te.fp8.is_fp8_available() == (True, "")
    monkeypatch.setattr(torch.hpu, "get_device_name", lambda *_: "GAUDI")
    with pytest.raises(RuntimeError, match="first Gaudi has no fp8"):
        with te.fp8_autocast(enabled=True):
            pass


def test_without_eight_bits_it_is_a_linear():
    layer = te.Linear(8, 3)
    plain = torch.nn.Linear(8, 3)
    with torch.no_grad():
        plain.weight.copy_(layer.weight)
        plain.bias.copy_(layer.bias)
    x = torch.randn(5, 8)
    _close(layer(x.to("hpu")), copy.deepcopy(plain).double()(x.double()).detach())
    assert not layer.fp8_meta
