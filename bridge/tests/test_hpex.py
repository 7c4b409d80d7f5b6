# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpex and torch.ops.hpu against formulas in float64 on the CPU, op by op, compiled and lazily."""
import copy
import itertools
import math
import re

import gaudi_mlir.torch
import habana_frameworks.torch as ht
import pytest
import torch
import torch.nn.functional as F
from habana_frameworks.torch.hpex import kernels, movingavrg, normalization, optimizers
from torch import nn

ops = torch.ops.hpu


def _on_card(*tensors, grad=False):
    return [each if each is None else each.detach().to("hpu").requires_grad_(
        grad and each.is_floating_point()) for each in tensors]


def _wide(*tensors, grad=False):
    return [each.detach().double().requires_grad_(grad) for each in tensors]


def _close(actual, expected, tolerance=1e-5):
    torch.testing.assert_close(actual.detach().cpu().double(), expected.detach().double(),
                               rtol=tolerance, atol=tolerance)


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(3)


# --- attention ------------------------------------------------------------------------------------


def _attention(q, k, v, mask=None, is_causal=False, scale=None, kept=None, p=0.0):
    if q.dim() == 4 and q.shape[1] != k.shape[1]:
        k, v = (each.repeat_interleave(q.shape[1] // k.shape[1], 1) for each in (k, v))
    scores = q @ k.transpose(-2, -1) * (scale or 1 / math.sqrt(q.shape[-1]))
    if is_causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    if mask is not None:
        scores = torch.where(mask, scores, -1e9) if mask.dtype is torch.bool else scores + mask
    shares = scores.softmax(-1)
    return (shares if kept is None else shares * kept / (1 - p)) @ v, shares


def _shapes(q_heads, k_heads, depth=8):
    n, lq, lk = 2, 7, 10
    if q_heads is None:
        return (n, lq, depth), (n, lk, depth), (n, lk, 5)
    return (n, q_heads, lq, depth), (n, k_heads, lk, depth), (n, k_heads, lk, 5)


@pytest.mark.parametrize("recompute", [True, False])
@pytest.mark.parametrize("heads, mask, dtype", [
    ((4, 2), "keys", torch.float32), ((4, 1), "floats", torch.bfloat16),
    pytest.param((4, 4), "causal", torch.float32, marks=pytest.mark.slow),
    pytest.param((6, 2), "heads", torch.float32, marks=pytest.mark.slow),
    pytest.param((None, None), "rows", torch.float32, marks=pytest.mark.slow)])
def test_attention(call, heads, mask, dtype, recompute):
    given = [torch.randn(size, dtype=dtype) for size in _shapes(*heads)]
    n, length, keys = 2, 7, 10
    masks = {"keys": torch.rand(n, 1, 1, keys) > 0.3, "floats": torch.randn(n, 1, 1, keys),
             "heads": torch.rand(n, 6, length, keys) > 0.3,
             "rows": torch.rand(n, length, keys) > 0.3, "causal": None}
    chosen = masks[mask]
    if chosen is not None and chosen.dtype is torch.bool:
        chosen[..., 0] = True
    expected, wide = None, _wide(*given, grad=True)
    expected, _ = _attention(*wide, chosen, mask == "causal")
    q, k, v = on_card = _on_card(*given, grad=True)
    made = call(kernels.FusedSDPA.apply, q, k, v, *_on_card(chosen), 0.0, mask == "causal", None,
                "None", recompute)
    grad = torch.randn_like(made.cpu())
    made.backward(grad.to("hpu"))
    expected.backward(grad.double())
    tolerance = 1e-5 if dtype is torch.float32 else 0.05
    _close(made, expected, tolerance)
    for each, other in zip(on_card, wide):
        _close(each.grad, other.grad, tolerance)


def test_attention_without_a_visible_key_is_a_mean(call):
    q, k, v = (torch.randn(1, 2, 3, 8) for _ in range(3))
    mask = torch.ones(1, 1, 3, 3, dtype=torch.bool)
    mask[..., 1, :] = False
    made = call(kernels.FusedSDPA.apply, *_on_card(q, k, v, mask))
    _close(made, _attention(*_wide(q, k, v), mask)[0])


def test_dropout_of_attention(call):
    given = [torch.randn(2, 2, 9, 9) for _ in range(2)] + [torch.eye(9).expand(2, 2, 9, 9)]
    for recompute in (True, False):
        torch.manual_seed(5)
        on_card = _on_card(*given, grad=True)
        results = call(kernels.FusedSDPA.apply, *on_card, None, 0.4, False, None, "None",
                       recompute, None, "left", not recompute)
        made, kept = (results, (results != 0).cpu()) if recompute else results
        torch.manual_seed(5)
        again = call(kernels.FusedSDPA.apply, *on_card, None, 0.4, False, None, "None", recompute)
        assert torch.equal(made.cpu(), again.cpu())
        assert 0.4 < kept.float().mean() < 0.8
        wide = _wide(*given, grad=True)
        expected, _ = _attention(*wide, kept=kept.cpu().double(), p=0.4)
        grad = torch.randn(2, 2, 9, 9)
        made.backward(grad.to("hpu"))
        expected.backward(grad.double())
        _close(made, expected)
        for each, other in zip(on_card, wide):
            _close(each.grad, other.grad)


@pytest.mark.parametrize("side", ["left", "right"])
def test_lengths_of_attention(call, side):
    q, k, v = (torch.randn(2, 2, 6, 8) for _ in range(3))
    lengths = torch.tensor([3, 6], dtype=torch.int32)
    made = call(kernels.FusedSDPA.apply, *_on_card(q, k, v), None, 0.0, True, None, "fast", True,
                lengths.to("hpu"), side)
    places = torch.arange(6)
    real = places < lengths[:, None] if side == "right" else places >= 6 - lengths[:, None]
    mask = real[:, None, None] & torch.ones(6, 6, dtype=torch.bool).tril()
    expected, _ = _attention(*_wide(q, k, v), mask)
    expected = torch.where(mask.any(-1, keepdim=True), expected, 0)
    _close(made, expected)


def test_probabilities_and_broadcast_batches_of_attention(call):
    q, k, v = torch.randn(3, 2, 4, 8), torch.randn(1, 2, 5, 8), torch.randn(1, 2, 5, 8)
    made, shares = call(kernels.FusedSDPA.apply, *_on_card(q, k, v), None, 0.0, False, 0.5, "None",
                        True, None, "left", False, True)
    for each, expected in zip((made, shares), _attention(*_wide(q, k, v), scale=0.5)):
        _close(each, expected)
    on_card, wide = _on_card(q, k, v, grad=True), _wide(q, k, v, grad=True)
    with ht.hpu.sdp_kernel(enable_recompute=False):
        call(kernels.FusedSDPA.apply, *on_card).sum().backward()
    _attention(*wide)[0].sum().backward()
    for each, other in zip(on_card, wide):
        _close(each.grad, other.grad)


def _sdpa(*, q=None, k=None, is_training=False, **options):
    names = ("attn_mask", "dropout_p", "is_causal", "scale", "softmax_mode", "recompute_mode",
             "valid_seq_len", "seq_padding_type", "return_dropout_mask", "return_attn_probs")
    defaults = (None, 0.0, False, None, "None", None, None, "left", False, False)
    x = torch.zeros(2, 1, 3, 8, device="hpu", requires_grad=is_training)
    return kernels.FusedSDPA.apply(x if q is None else q, *[x if k is None else k] * 2,
                                   *(options.get(*each) for each in zip(names, defaults)))


@pytest.mark.parametrize("words, options", [
    ("inference only", dict(return_attn_probs=True, is_training=True)),
    ("only with is_causal=True", dict(softmax_mode="fast", is_training=True)),
    ("valid_seq_len only with is_causal=True", dict(valid_seq_len=torch.tensor([1, 2]))),
    ("valid_seq_len in inference only", dict(valid_seq_len=torch.tensor([1, 2]), is_causal=True,
                                             is_training=True)),
    ("either valid_seq_len or attn_mask", dict(valid_seq_len=torch.tensor([1, 2]), is_causal=True,
                                               attn_mask=torch.ones(3, 3))),
    ("no mask of dropout", dict(return_dropout_mask=True, recompute_mode=True)),
    ("seq_padding_type is 'middle'; expected", dict(seq_padding_type="middle")),
    ("does not broadcast batches", dict(k=torch.zeros(1, 1, 3, 8, device="hpu")))])
def test_attention_refuses(words, options):
    with pytest.raises(ValueError, match=words):
        _sdpa(**options)


def test_sizes_of_attention(call):
    none = [torch.zeros(0, 2, 3, 8) for _ in range(3)]
    on_card = _on_card(*none, grad=True)
    made = call(kernels.FusedSDPA.apply, *on_card)
    made.sum().backward()
    assert made.shape == on_card[0].grad.shape == (0, 2, 3, 8)
    wide, short = torch.zeros(1, 2, 3, 8, device="hpu"), torch.zeros(1, 2, 3, 4, device="hpu")
    with pytest.raises(Exception, match="do not fit: queries and keys have one depth"):
        call(kernels.FusedSDPA.apply, wide, short, wide)
    with pytest.raises(Exception, match="torch.bfloat16 and torch.float32; give all three"):
        call(kernels.FusedSDPA.apply, wide, wide.bfloat16(), wide)


@pytest.mark.parametrize("shape", [(3, 1, 4, 4), (3, 4, 5), (2, 4, 4)])
def test_mask_that_does_not_broadcast(shape):
    x = torch.zeros(3, 4, 8, device="hpu")
    for recompute in (True, False):
        with pytest.raises(ValueError, match=r"mask of shape .* does not broadcast to \[3, 4, 4\]"):
            kernels.FusedSDPA.apply(x, x, x, torch.zeros(shape, device="hpu"), 0.0, False, None,
                                    "None", recompute)


def test_row_that_booleans_hide_has_gradients_of_a_mean():
    given = [torch.randn(1, 2, 4, 8).bfloat16() for _ in range(3)]
    mask = torch.ones(1, 1, 4, 4, dtype=torch.bool)
    mask[..., 1, :] = False
    on_card, wide = _on_card(*given, grad=True), _wide(*given, grad=True)
    kernels.FusedSDPA.apply(*on_card, mask.to("hpu")).sum().backward()
    _attention(*wide, mask)[0].sum().backward()
    for each, other in zip(on_card, wide):
        _close(each.grad, other.grad, 0.02)


def test_gradients_of_lengths_are_refused():
    x = torch.randn(2, 1, 4, 8, device="hpu")
    given = None, 0.0, 0.3, True, True, "none", torch.tensor([2, 4], device="hpu"), "right"
    assert ops.sdpa_recomp_fwd(x, x, x, *given)[0].shape == x.shape
    with pytest.raises(ValueError, match="valid_seq_len in inference only"):
        ops.sdpa_recomp_fwd(x.clone().requires_grad_(), x, x, *given)


def test_slices_of_attention():
    q, k, v = (torch.randn(2, 2, 4, 8) for _ in range(3))
    for is_causal in (False, True):
        for function in (kernels.PySDPA, kernels.PySDPAHinted):
            on_card, wide = _on_card(q, k, v, grad=True), _wide(q, k, v, grad=True)
            made = function.apply(*on_card, is_causal, True)
            expected = _attention(*wide, None, is_causal)[0]
            made.sum().backward()
            expected.sum().backward()
            _close(made, expected)
            for each, other in zip(on_card, wide):
                _close(each.grad, other.grad)


# --- norms, rotary embeddings ---------------------------------------------------------------------


@pytest.mark.parametrize("types, fast", [((torch.float32, torch.float32), False),
                                         ((torch.bfloat16, torch.bfloat16), True),
                                         ((torch.bfloat16, torch.float32), False)])
def test_rms_norm(call, types, fast):
    x, gamma = torch.randn(3, 5, 24, dtype=types[0]), torch.randn(24, dtype=types[1])
    on_card, wide = _on_card(x, gamma, grad=True), _wide(x, gamma, grad=True)
    made = call(normalization.FusedRMSNorm.apply, *on_card, 1e-5, True, 0, fast)
    assert made.dtype is (types[0] if types[0] is types[1] else torch.float32)
    expected = wide[0] * torch.rsqrt(wide[0].square().mean(-1, keepdim=True) + 1e-5) * wide[1]
    grad = torch.randn(3, 5, 24)
    made.backward(grad.to(made.dtype).to("hpu"))
    expected.backward(grad.to(made.dtype).double())
    tolerance = 1e-5 if torch.bfloat16 not in types else 0.04
    _close(made, expected, tolerance)
    for each, other in zip(on_card, wide):
        _close(each.grad, other.grad, tolerance)


def _turned(x, mode):
    if mode:
        return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    return torch.cat((-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]), -1)


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("form", ["offset", "positions"])
def test_rotary_embedding(call, mode, form):
    x = torch.randn(2, 3, 5, 8)
    rows, offset = (11, 0) if form == "positions" else (5, 3)
    sin, cos = (torch.randn(1, 1, rows, 8 + offset) for _ in range(2))
    positions = torch.randint(0, rows, (2, 5)) if form == "positions" else None
    wide, angles = _wide(x, grad=True), [each[..., offset:].double() for each in (sin, cos)]
    if positions is not None:
        angles = [each[0, 0][positions][:, None] for each in angles]
    expected = wide[0] * angles[1] + _turned(wide[0], mode) * angles[0]
    given = _on_card(x, sin, cos, positions)
    made = call(ops.rotary_pos_embedding, *given, offset, mode)
    _close(made, expected)
    grad = torch.randn(2, 3, 5, 8)
    expected.backward(grad.double())
    made = call(ops.rotary_pos_embedding_backward, grad.to("hpu"), *given[1:], offset, mode)
    _close(made, wide[0].grad)


def test_rotary_embedding_of_odd_sizes_is_refused():
    x = torch.ones(1, 2, 3, 5, device="hpu")
    for mode in (0, 1):
        with pytest.raises(ValueError, match="the last size of .* is odd"):
            ops.rotary_pos_embedding(x, x, x, None, 0, mode)


def test_rotary_helpers(call):
    p, cos, sin = torch.randn(4, 3, 2, 8), torch.randn(1, 1, 9, 8), torch.randn(1, 1, 9, 8)
    positions = torch.randint(0, 9, (4, 2))
    wide = _wide(p, grad=True)
    rows = [each.double()[0, 0][positions][:, None] for each in (cos, sin)]
    expected = wide[0] * rows[0] + _turned(wide[0], 0) * rows[1]
    on_card = _on_card(p, grad=True)
    made = call(kernels.RotaryPosEmbeddingHelperV2.apply, *on_card, *_on_card(cos, sin, positions))
    made.square().sum().backward()
    expected.square().sum().backward()
    _close(made, expected)
    _close(on_card[0].grad, wide[0].grad, 1e-4)

    cache = torch.randn(9, 3, 2)
    cos, sin = (cache.double()[:4, None, None, :, place].repeat_interleave(2, -1)
                for place in (0, 1))
    wide = _wide(p, grad=True)
    turned = wide[0][..., :6] * cos + _turned(wide[0][..., :6], 1) * sin
    expected = torch.cat((turned, wide[0][..., 6:]), -1)
    on_card = _on_card(p, grad=True)
    made = call(kernels.RotaryPosEmbeddingHelperV3.apply, *on_card, cache.to("hpu"))
    made.square().sum().backward()
    expected.square().sum().backward()
    _close(made, expected)
    _close(on_card[0].grad, wide[0].grad, 1e-4)


# --- optimizers -----------------------------------------------------------------------------------


class _Parameters:
    """The same parameters in float64, on the card, and both with the same gradients."""

    def __init__(self, *shapes, dtype=torch.float32):
        values = [torch.randn(each, dtype=dtype) for each in shapes]
        self.wide = [nn.Parameter(each.double()) for each in values]
        self.on_card = [nn.Parameter(each.to("hpu")) for each in values]

    def give(self, scale=1.0):
        for a, b in zip(self.wide, self.on_card):
            value = torch.randn(a.shape).mul(scale).to(b.dtype)
            a.grad, b.grad = value.double(), value.to("hpu")

    def check(self, tolerance=1e-5):
        for a, b in zip(self.wide, self.on_card):
            _close(b, a, tolerance)


SHAPES = (3, 5), (7,), (2, 3, 4), (1,)


def _adamw(params, moments, step, lr, betas, eps, decay, corrects):
    size = lr * math.sqrt(1 - betas[1]**step) / (1 - betas[0]**step) if corrects else lr
    for p, state in zip(params, moments):
        state[0] = betas[0] * state[0] + (1 - betas[0]) * p.grad
        state[1] = betas[1] * state[1] + (1 - betas[1]) * p.grad**2
        p.data = p.data * (1 - lr * decay) - size * state[0] / (state[1].sqrt() + eps)


@pytest.mark.parametrize("options", [{}, dict(weight_decay=0.1, betas=(0.8, 0.95), eps=1e-3),
                                     dict(bias_correction=False)])
def test_adamw(call, options):
    both = _Parameters(*SHAPES)
    optimizer = optimizers.FusedAdamW(both.on_card, lr=0.05, **options)
    moments = [[torch.zeros_like(each), torch.zeros_like(each)] for each in both.wide]
    for step in range(1, 4):
        both.give()
        _adamw(both.wide, moments, step, 0.05, options.get("betas", (0.9, 0.999)),
               options.get("eps", 1e-6), options.get("weight_decay", 0),
               options.get("bias_correction", True))
        optimizer.step()
        both.check()
    for state, param in zip(moments, both.on_card):
        _close(optimizer.state[param]["exp_avg"], state[0])
        _close(optimizer.state[param]["exp_avg_sq"], state[1])


def test_adamw_of_narrow_moments_and_of_checkpoints():
    both = _Parameters(*SHAPES)
    optimizer = optimizers.FusedAdamW(both.on_card, lr=0.05, moments_dtype=torch.bfloat16)
    expected = torch.optim.AdamW(both.wide, lr=0.05, weight_decay=0, eps=1e-6)
    for _ in range(3):
        both.give()
        optimizer.step()
        expected.step()
    both.check(2e-3)
    assert optimizer.state[both.on_card[0]]["exp_avg"].dtype is torch.bfloat16

    both = _Parameters(*SHAPES)
    plain = torch.optim.AdamW(both.on_card, lr=0.05, weight_decay=0.1, eps=1e-12)
    expected = torch.optim.AdamW(both.wide, lr=0.05, weight_decay=0.1, eps=1e-12)
    for _ in range(2):
        both.give()
        plain.step()
        expected.step()
    optimizer = optimizers.FusedAdamW(both.on_card)
    optimizer.load_state_dict(copy.deepcopy(plain.state_dict()))
    both.give()
    optimizer.step()
    expected.step()
    both.check(1e-4)


def test_adamw_of_eight_bits_scales_a_checkpoint():
    both = _Parameters((3, 5))
    plain = optimizers.FusedAdamW(both.on_card, lr=0.0)
    both.give(1e-3)
    plain.step()
    optimizer = optimizers.FusedAdamW(both.on_card, lr=0.0, moments_dtype=torch.float8_e4m3fn)
    optimizer.load_state_dict(copy.deepcopy(plain.state_dict()))
    state, wanted = optimizer.state[both.on_card[0]], plain.state[both.on_card[0]]
    optimizer.moments.prepare(state, both.on_card[0])
    for name in ("exp_avg", "exp_avg_sq"):
        expected = wanted[name].cpu().double()
        made = state[name].cpu().double() / state[f"{name}_scale"].cpu().double()
        assert (made - expected).abs().max() < expected.abs().max() / 16
    again = optimizers.FusedAdamW(both.on_card, lr=0.0, moments_dtype=torch.float8_e4m3fn)
    again.load_state_dict(copy.deepcopy(optimizer.state_dict()))  # has scales
    loaded = again.state[both.on_card[0]]
    again.moments.prepare(loaded, both.on_card[0])
    assert torch.equal(loaded["exp_avg_sq"].cpu().float(), state["exp_avg_sq"].cpu().float())
    plain.load_state_dict(copy.deepcopy(optimizer.state_dict()))  # back to floats
    loaded = plain.state[both.on_card[0]]
    plain.moments.prepare(loaded, both.on_card[0])
    _close(loaded["exp_avg_sq"], state["exp_avg_sq"].cpu().double() /
           state["exp_avg_sq_scale"].cpu().double(), 1e-9)
    assert "exp_avg_sq_scale" not in loaded


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
def test_adamw_of_eight_bits_rounds_at_random(call, dtype):
    """Moments take one of their two neighbours, so that the mean of many is right."""
    count = 2**14
    param = nn.Parameter(torch.zeros(count, device="hpu"))
    grad = torch.full([count], 0.0101)
    grad[0] = 1.0  # gives the scale
    param.grad = grad.to("hpu")
    optimizer = optimizers.FusedAdamW([param], lr=0.0, moments_dtype=dtype)
    torch.manual_seed(3)
    optimizer.step()
    state = optimizer.state[param]
    for name, exact in (("exp_avg", 0.1 * 0.0101), ("exp_avg_sq", 1e-3 * 0.0101**2)):
        scale = state[f"{name}_scale"].item()
        values = state[name].cpu().double()[1:]
        steps = torch.arange(124, dtype=torch.uint8).view(dtype).double()
        below, above = steps[steps <= exact * scale].max(), steps[steps > exact * scale].min()
        assert set(values.unique().tolist()) == {below.item(), above.item()}
        share = (exact * scale - below) / (above - below)
        error = 4 * (above - below) * (share * (1 - share) / count) ** 0.5
        assert abs(values.mean() - exact * scale) < error + 1e-5 * above


def test_distributed_adamw():
    both = _Parameters(*SHAPES)
    given = [*both.on_card, both.on_card[0]]  # stepped once
    optimizer = optimizers.distributed.FusedAdamW(given, lr=0.05, weight_decay=0.1)
    moments = [[torch.zeros_like(each), torch.zeros_like(each)] for each in both.wide]
    for step in (1, 2):
        both.give()
        _adamw(both.wide, moments, step, 0.05, (0.9, 0.999), 1e-6, 0.1, True)
        optimizer.step([each.grad for each in given])
    both.check()


@pytest.mark.parametrize("make, plain", [
    (lambda p: optimizers.FusedSGD(p, lr=0.1, momentum=0.9, weight_decay=0.1, dampening=0.2),
     lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.1, dampening=0.2)),
    (lambda p: optimizers.FusedSGD(p, lr=0.1, momentum=0.9, nesterov=True),
     lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True)),
    (lambda p: optimizers.FusedSGD(p, lr=0.1, weight_decay=0.3),
     lambda p: torch.optim.SGD(p, lr=0.1, weight_decay=0.3)),
    (lambda p: optimizers.FusedAdagrad(p, lr=0.1, lr_decay=0.3, weight_decay=0.1,
                                       initial_accumulator_value=0.5),
     lambda p: torch.optim.Adagrad(p, lr=0.1, lr_decay=0.3, weight_decay=0.1,
                                   initial_accumulator_value=0.5)),
    (lambda p: optimizers.MarkstepAdam(p, lr=0.1), lambda p: torch.optim.Adam(p, lr=0.1)),
    (lambda p: optimizers.MarkstepAdamW(p, lr=0.1), lambda p: torch.optim.AdamW(p, lr=0.1))])
def test_optimizers_of_pytorch(call, make, plain):
    both = _Parameters(*SHAPES)
    optimizer, expected = make(both.on_card), plain(both.wide)
    for _ in range(3):
        both.give()
        optimizer.step()
        expected.step()
    both.check(1e-4)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("options", [{}, dict(weight_decay=0.0, grad_averaging=False),
                                     dict(weight_decay=0.0, use_lamb=True, max_grad_norm=None,
                                          bias_correction=False)])
def test_lamb(groups, options):
    both = _Parameters(*SHAPES)
    parts = [both.on_card[:2], both.on_card[2:]] if groups == 2 else [both.on_card]
    optimizer = optimizers.FusedLamb([{"params": each} for each in parts], lr=0.05, **options)
    decay, most = options.get("weight_decay", 0.01), options.get("max_grad_norm", 1.0)
    share = 0.1 if options.get("grad_averaging", True) else 1
    moments = [[torch.zeros_like(each), torch.zeros_like(each)] for each in both.wide]
    for step in range(1, 4):
        both.give()
        norm = sum(each.grad.square().sum() for each in both.wide).sqrt().item()
        clip = 1 if most is None or norm <= most else norm / most
        corrections = (1 - 0.9**step, 1 - 0.999**step) \
            if options.get("bias_correction", True) else (1, 1)
        for p, state in zip(both.wide, moments):
            grad = p.grad / clip
            state[0] = 0.9 * state[0] + share * grad
            state[1] = 0.999 * state[1] + 0.001 * grad**2
            move = state[0] / corrections[0] / ((state[1] / corrections[1]).sqrt() + 1e-6)
            move = move + decay * p.data
            ratio = p.data.norm() / move.norm() if decay or options.get("use_lamb") else 1
            p.data = p.data - 0.05 * move * ratio
        optimizer.step()
        both.check(1e-4)


def test_lamb_steps_of_zeros():
    """The ratio is that of the norms unless the step's is 0."""
    weights = [torch.zeros(2, device="hpu"), torch.ones(2, device="hpu")]
    steps = [torch.ones(2, device="hpu"), torch.zeros(2, device="hpu")]
    norms = [[each.norm().reshape(1) for each in list_] for list_ in (steps, weights)]
    ops.optimizer_lamb_phase2(weights, *norms, steps, torch.tensor([-0.5], device="hpu"), 0.1,
                              False)
    _close(weights[0], torch.zeros(2))
    _close(weights[1], torch.ones(2))


def test_gamma_of_another_size_is_refused():
    with pytest.raises(ValueError, match=re.escape("gamma has the sizes [5], and the last dimension "
                                                   "of the input is 4")):
        normalization.FusedRMSNorm.apply(torch.ones(4, 4).to("hpu"), torch.ones(5).to("hpu"), 1e-6)
    for one in (torch.tensor(2.0), torch.tensor([2.0])):
        result = normalization.FusedRMSNorm.apply(torch.ones(4, 4).to("hpu"), one.to("hpu"), 0.0)
        _close(result, torch.full((4, 4), 2.0))


def test_parameters_of_the_cpu_are_refused():
    layer = nn.Linear(4, 2)
    layer(torch.ones(3, 4)).sum().backward()
    with pytest.raises(RuntimeError, match=re.escape(
            "FusedAdamW steps parameters of hpu, and one of the sizes [2, 4] is on the CPU: call "
            'model.to("hpu") before the optimizer is made')):
        optimizers.FusedAdamW(layer.parameters()).step()


def test_operands_of_the_cpu_are_refused():
    q, layer = torch.randn(1, 2, 4, 8), nn.Linear(4, 2)
    with pytest.raises(NotImplementedError, match="is for operands on the card, and those of this "
                                                  "call are on the CPU: move the model"):
        kernels.FusedSDPA.apply(q, q, q, None, 0.0, False)
    layer(torch.ones(3, 4)).sum().backward()
    with pytest.raises(NotImplementedError, match="hpu::fused_clip_norm is for operands on the"):
        normalization.FusedClipNorm(layer.parameters(), 1.0).clip_norm(layer.parameters())


def test_options_and_lists_are_checked():
    x = [nn.Parameter(torch.ones(1, device="hpu"))]
    for make, words in (
            (lambda: optimizers.FusedSGD(x, lr=math.nan), "invalid lr: nan"),
            (lambda: optimizers.FusedSGD(x, lr="1"), "invalid lr: '1'; expected a number"),
            (lambda: optimizers.FusedAdamW(x, betas=0.9), "betas: 0.9; expected two numbers"),
            (lambda: optimizers.FusedLamb(torch.nn.Linear(1, 1)), r"pass model.parameters\(\)"),
            (lambda: optimizers.FusedAdamW(x, betas=(0.9, math.nan)), "invalid betas"),
            (lambda: optimizers.FusedLamb(x, adam_w_mode=False), "adam_w_mode=True"),
            (lambda: ops.custom_foreach_add_([x[0].detach()], []), "lists of 1, 0 elements"),
            (lambda: ops.optimizer_lars(x, [], [1], 0.1, 0.0, 0.0, x[0]), "lists of 1, 0, 1"),
            (lambda: ops.scaled_triangular_softmax(torch.ones(1, 2, 2), 1.0, torch.ones(1, 2, 1)),
             "exp_sum_recpr and max together")):
        with pytest.raises((TypeError, ValueError), match=words):
            make()


def test_lars_with_its_momentum(call):
    both = _Parameters(*SHAPES)
    inner = optimizers.FusedResourceApplyMomentum(both.on_card, lr=0.5, momentum=0.9,
                                                  weight_decay=0.1)
    optimizer = optimizers.FusedLars(inner, [1, 0, 1, 0], eeta=0.02)
    buffers = [None] * 4
    for _ in range(3):
        both.give()
        for place, p in enumerate(both.wide):
            grad = p.grad * 0.5
            if place in (0, 2):
                a, b = p.data.norm(), p.grad.norm()
                grad = (p.grad + 0.1 * p.data) * 0.5 * 0.02 * a / (b + 0.1 * a + 1e-8)
            buffers[place] = grad.clone() if buffers[place] is None else \
                buffers[place] * 0.9 - grad
            p.data = p.data + buffers[place]
        optimizer.step()
        both.check()
    assert inner.param_groups[0]["weight_decay"] == 0.1


def test_lars_evaluates_before_it_scales_and_restores_decay():
    def closure():
        nonlocal calls
        calls += 1
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss
    calls, x = 0, nn.Parameter(torch.ones(4, device="hpu"))
    inner = torch.optim.SGD([x], lr=1.0, weight_decay=0.1)
    optimizer = optimizers.FusedLars(inner, [0])
    inner.param_groups[0]["lr"] = 0.5
    assert optimizer.step(closure).item() == 4 and calls == 1
    _close(x, torch.full([4], 1 - 2 * 0.5 * 0.5))  # the rate of both
    def fail():
        raise RuntimeError("no step")
    inner.step = fail
    with pytest.raises(RuntimeError, match="no step"):
        optimizer.step()
    assert inner.param_groups[0]["weight_decay"] == 0.1
    optimizer.skip_mask = []
    with pytest.raises(ValueError, match="a skip_mask of 0 for a group of 1"):
        optimizer.step()


@pytest.mark.parametrize("make", [
    optimizers.FusedAdamW, optimizers.FusedAdagrad, optimizers.FusedLamb,
    lambda p: optimizers.FusedSGD(p, lr=0.1, momentum=0.9),
    lambda p: optimizers.FusedResourceApplyMomentum(p, lr=0.1),
    lambda p: optimizers.FusedLars(optimizers.FusedSGD(p, lr=0.1), [1, 1])])
def test_steps_leave_empty_parameters_out(make):
    params = [nn.Parameter(torch.ones(size, device="hpu")) for size in ((2, 0), (3,))]
    for each in params:
        each.grad = torch.ones_like(each)
    make(params).step()
    assert params[0].shape == (2, 0) and not torch.equal(params[1].detach().cpu(), torch.ones(3))
    assert abs(normalization.FusedClipNorm(params, 9.0).clip_norm(params).item()) > 0
    before = params[1].detach().cpu()
    distributed = optimizers.distributed.FusedAdamW(params)
    distributed.step([each.grad for each in params])
    assert not torch.equal(params[1].detach().cpu(), before)
    average = movingavrg.FusedEMA(nn.ParameterList(params))
    average.update(nn.ParameterList(params))
    _close(average.ema[1], params[1].cpu())


def test_parameters_of_two_names_count_once():
    p = nn.Parameter(torch.ones(3, device="hpu"))
    p.grad = torch.full([3], 2.0, device="hpu")
    total = normalization.FusedClipNorm([p], 1.0).clip_norm([p, p])
    _close(total, torch.full([1], math.sqrt(12)))
    _close(p.grad, torch.full([3], 1 / math.sqrt(3)), 1e-4)
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optimizer = optimizers.FusedSGD([p, p], lr=0.5)
    p.grad.fill_(1.0)
    with torch.no_grad():
        p.fill_(2.0)
    optimizer.step()
    _close(p, torch.full([3], 1.5))
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3)).to("hpu")
    model[1].weight = model[0].weight
    average, before = movingavrg.FusedEMA(model, 0.5, 9999), model[0].weight.detach().cpu()
    with torch.no_grad():
        model[0].weight.add_(1.0)
    average.update(model)
    share = 0.5 * (1 - math.exp(-5))
    _close(average.ema[1].weight, before + (1 - share))


@pytest.mark.parametrize("scale", [0.01, 3.0])
def test_clip_norm(call, scale):
    both = _Parameters(*SHAPES)
    both.give(scale)
    norm = sum(each.grad.square().sum() for each in both.wide).sqrt()
    total = normalization.FusedClipNorm(both.on_card, 1.5).clip_norm(both.on_card)
    _close(total, norm.reshape(1))
    for a, b in zip(both.wide, both.on_card):
        _close(b.grad, a.grad * min(1.0, 1.5 / (norm.item() + 1e-6)))
    assert normalization.FusedClipNorm([], 1.0).clip_norm([]).item() == 0


def test_moving_averages():
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)).to("hpu")
    average = movingavrg.FusedEMA(model, decay=0.99, updates=100)
    expected = {name: each.cpu().double() for name, each in model.state_dict().items()}
    for step in (101, 102):
        with torch.no_grad():
            for each in model.parameters():
                each.add_(torch.randn(each.shape).to("hpu"))
        average.update(model)
        decay = 0.99 * (1 - math.exp(-step / 2000))
        for name, each in model.state_dict().items():
            if each.is_floating_point():
                expected[name] = expected[name] * decay + (1 - decay) * each.cpu().double()
    for name, each in average.ema.state_dict().items():
        _close(each, expected[name])


def test_steps_of_a_model_are_one_launch():
    both = _Parameters(*[(4, 3)] * 40)
    optimizer = optimizers.FusedAdamW(both.on_card)
    clip = normalization.FusedClipNorm(both.on_card, 1.0)
    from habana_frameworks.torch import _eager
    launched = []
    plan = _eager._Call.plan
    _eager._Call.plan = lambda self, *rest: launched.append(
        (self.op._schema.name, len(self.operands))) or plan(self, *rest)
    try:
        both.give()
        clip.clip_norm(both.on_card)
        optimizer.step()
    finally:
        _eager._Call.plan = plan
    assert ("hpu::fused_clip_norm", 42) in launched
    assert ("hpu::optimizer_adamw", 162) in launched


# --- other kernels --------------------------------------------------------------------------------


def test_forms_of_softmax(call):
    x = torch.randn(2, 4, 6)
    counts = torch.randint(1, 7, (2, 4), dtype=torch.int32)
    visible = torch.arange(6) < counts[..., None]
    wide = _wide(x, grad=True)
    expected = torch.where(visible, wide[0], -torch.inf).softmax(-1)
    on_card = _on_card(x, grad=True)
    made = call(kernels.RaggedSoftmax.apply, *on_card, -1, False, counts.to("hpu"))
    made.square().sum().backward()
    expected.square().sum().backward()
    _close(made, expected)
    _close(on_card[0].grad, wide[0].grad)

    square = torch.randn(2, 5, 5)
    triangle = torch.ones(5, 5, dtype=torch.bool).tril()
    below = torch.where(triangle, square.double() * 0.5, -torch.inf).softmax(-1)
    _close(call(ops.scaled_triangular_softmax, square.to("hpu"), 0.5), below)
    made, total, largest = call(ops.scaled_triangular_softmax_retain, square.to("hpu"), 0.5)
    again = call(ops.scaled_triangular_softmax, square.to("hpu"), 0.5, total, largest)
    assert torch.equal(made.cpu(), again.cpu())
    narrow, scale = (square * 9).bfloat16().to("hpu"), 1 / math.sqrt(48)
    made, total, largest = call(ops.scaled_triangular_softmax_retain, narrow, scale)
    again = call(ops.scaled_triangular_softmax, narrow, scale, total, largest)
    assert torch.equal(made.cpu(), again.cpu())
    large = (square * 2e4).half()  # scaled, beyond the range of float16
    made = call(ops.scaled_triangular_softmax, large.to("hpu"), 4.0)
    _close(made, torch.where(triangle, large.double() * 4, -torch.inf).softmax(-1))
    made, total, largest = call(ops.scaled_triangular_softmax_retain, large.to("hpu"), 4.0)
    again = call(ops.scaled_triangular_softmax, large.to("hpu"), 4.0, total, largest)
    assert torch.equal(made.cpu(), again.cpu()) and largest.isfinite().all()
    _close(call(kernels.triu_masked_softmax, (square * 0.5).to("hpu")), below)
    mask = torch.randn(2, 1, 5)
    _close(call(ops.scaled_masked_softmax, *_on_card(square, mask), 0.25),
           (square.double() * 0.25 + mask).softmax(-1))
    bounds = torch.tensor([[1, 4], [0, 5]], dtype=torch.int32)
    columns = torch.arange(5)
    seen = (columns >= bounds[:, :1]) & (columns < bounds[:, 1:])
    seen = seen[:, None] & triangle
    expected = torch.where(seen, square.double() * 0.5, -1e30).softmax(-1)
    expected = torch.where(seen.any(-1, keepdim=True), expected, 0)
    made = call(ops.scaled_masked_triangular_softmax, *_on_card(square, bounds), 0.5, 1, True, 0)
    _close(made, expected)

    narrow = torch.randn(3, 7).bfloat16()
    on_card, wide = _on_card(narrow, grad=True), _wide(narrow, grad=True)
    made, expected = call(kernels.CustomSoftmax.apply, *on_card, 1), wide[0].softmax(-1)
    made.square().sum().backward()
    expected.square().sum().backward()
    _close(made, expected, 0.01)
    _close(on_card[0].grad, wide[0].grad, 0.01)
    with pytest.raises(TypeError, match="bfloat16"):
        kernels.CustomSoftmax.apply(torch.zeros(2, device="hpu"), 0)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_ctc_loss(reduction):
    scores = torch.randn(6, 2, 5)
    targets, inputs, lengths = (torch.tensor([[1, 2, 1], [3, 4, 0]]), torch.tensor([6, 5]),
                                torch.tensor([3, 2]))
    wide, on_card = _wide(scores, grad=True), _on_card(scores, grad=True)
    expected = F.ctc_loss(wide[0].log_softmax(-1), targets, inputs, lengths, reduction=reduction)
    made = kernels.CTCLoss.apply(on_card[0].log_softmax(-1), targets.to("hpu"), inputs, lengths, 0,
                                 reduction)
    made.sum().backward()
    expected.sum().backward()
    _close(made, expected)
    _close(on_card[0].grad, wide[0].grad)


@pytest.mark.parametrize("permuted", [pytest.param(False, marks=pytest.mark.slow), True])
def test_mixture_of_experts(call, permuted):
    tokens, width, inner, experts = 7, 8, 6, 3
    x, weights = torch.randn(tokens, width), torch.rand(tokens, 2)
    table = torch.stack([torch.randperm(experts)[:2] for _ in range(tokens)])
    w1, w2 = ([torch.randn(width, inner) for _ in range(experts)] for _ in range(2))
    w3 = [torch.randn(inner, width) for _ in range(experts)]
    wide = [_wide(*each, grad=True) for each in ([x, weights], w1, w2, w3)]
    rows = []
    for token in range(tokens):
        row = 0
        for place in range(2):
            e = table[token, place]
            gate = F.silu(wide[0][0][token] @ wide[1][e]) * (wide[0][0][token] @ wide[2][e])
            row = row + wide[0][1][token, place] * (gate @ wide[3][e])
        rows.append(row)
    expected = torch.stack(rows)

    def laid(each):
        return each.t().contiguous() if permuted else each
    on_card = [_on_card(*map(laid, each) if which else each, grad=True)
               for which, each in enumerate(([x, weights], w1, w2, w3))]
    given = on_card[0][0], table.to("hpu"), on_card[0][1]
    made = call(ops.mixture_of_experts, *given, *on_card[1:], permuted, "silu", 0, experts - 1)
    _close(made, expected, 1e-4)
    expected.square().sum().backward()
    made.square().sum().backward()
    for mine, theirs in zip(on_card[0], wide[0]):
        _close(mine.grad, theirs.grad, 1e-3)
    for mine, theirs in zip(on_card[1:], wide[1:]):
        for each, other in zip(mine, theirs):
            _close(laid(each.grad.cpu()), other.grad, 1e-3)
    both = [torch.cat(pair, 0 if permuted else 1) for pair in zip(map(torch.detach, on_card[1]),
                                                               map(torch.detach, on_card[2]))]
    fused = call(ops.mixture_of_experts, *given, both, on_card[3], permuted, "silu", 0,
                 experts - 1)
    _close(fused, expected, 1e-4)


def test_ops_have_gradients(call):
    x, gamma = torch.randn(2, 3, 4, 8), torch.randn(8)
    sin, cos = torch.randn(1, 1, 4, 8), torch.randn(1, 1, 4, 8)
    counts = torch.randint(1, 9, (2, 3, 4), dtype=torch.int32)
    seen = torch.arange(8) < counts[..., None]
    keys, values = torch.randn(2, 3, 5, 8), torch.randn(2, 3, 5, 8)
    none = None, 0.0, 0.3, False
    for op, rest, formula in (
            (lambda *given: ops.rms_norm(*given, 1e-5)[0], [gamma],
             lambda x, g: x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * g),
            (lambda *given: ops.rotary_pos_embedding(*given, *_on_card(sin, cos), None, 0, 1), [],
             lambda x: x * cos + _turned(x, 1) * sin),
            (lambda *given: ops.ragged_softmax(*given, -1, False, counts.to("hpu")), [],
             lambda x: torch.where(seen, x, -torch.inf).softmax(-1)),
            (lambda *given: ops.custom_softmax(*given, 0), [], lambda x: x.softmax(-1)),
            (lambda *given: ops.sdpa_fwd(*given, *none, "none", None, "none")[0], [keys, values],
             lambda *given: _attention(*given, scale=0.3)[0]),
            (lambda *given: ops.sdpa_recomp_fwd(*given, *none, True, "none", None, "none")[0],
             [keys, values], lambda *given: _attention(*given, scale=0.3)[0])):
        wide, on_card = _wide(x, *rest, grad=True), _on_card(x, *rest, grad=True)
        expected, made = formula(*wide), call(op, *on_card)
        made.square().sum().backward()
        expected.square().sum().backward()
        _close(made, expected)
        for each, other in zip(on_card, wide):
            _close(each.grad, other.grad, 1e-4)


def test_other_kernels(call):
    x = torch.randn(2, 3, 4, 5)
    weight, bias = torch.randn(3), torch.randn(3)
    made, mean, inverse = call(ops.instance_norm, *_on_card(x, weight, bias), 1e-5)
    _close(made, F.instance_norm(x.double(), weight=weight.double(), bias=bias.double()))
    _close(mean, x.double().mean((2, 3)))
    _close(inverse, torch.rsqrt(x.double().var((2, 3), correction=0) + 1e-5))
    rows = torch.randn(8, 3)
    on_card = rows.to("hpu")
    call(ops.in_place_interleave_, on_card)
    assert torch.equal(on_card.cpu(), rows[:2].repeat_interleave(4, 0))
    positive = torch.rand(5) + 0.5
    for name in ("exp", "sqrt", "rsqrt"):
        _close(call(getattr(ops, f"{name}_fast_math"), positive.to("hpu")),
               getattr(torch, name)(positive.double()))
    seeds = torch.arange(50, dtype=torch.int32)
    made = call(kernels.random_seed, seeds.to("hpu")).cpu()
    assert made.dtype is torch.int32 and made.unique().numel() == 50
    assert torch.equal(made, call(kernels.random_seed, seeds.to("hpu")).cpu())


def test_sparse_data_is_permuted():
    lengths = torch.tensor([[2, 0, 3], [1, 4, 2]])
    values = torch.arange(int(lengths.sum()))
    segments = values.split(lengths.flatten().tolist())
    permuted, indices, weights = kernels.fbgemm.permute_2D_sparse_data(
        *_on_card(torch.tensor([1, 0]), lengths, values, values.float()))
    assert torch.equal(permuted.cpu(), lengths[[1, 0]])
    expected = torch.cat([*segments[3:], *segments[:3]])
    assert torch.equal(indices.cpu(), expected) and torch.equal(weights.cpu(), expected.float())
    permuted, indices, weights = kernels.fbgemm.permute_1D_sparse_data(
        *_on_card(torch.tensor([4, 2, 4]), lengths.flatten(), values), None)
    assert torch.equal(indices.cpu(), torch.cat([segments[each] for each in (4, 2, 4)]))
    assert weights is None
    permuted, indices, _ = kernels.fbgemm.permute_1D_sparse_data(  # as many as there are, one twice
        *_on_card(torch.tensor([1, 1, 0]), torch.tensor([1, 3, 2]), torch.arange(6)))
    assert permuted.cpu().tolist() == [3, 3, 1] and indices.cpu().tolist() == [1, 2, 3, 1, 2, 3, 0]


class _Tables:
    """Three features of two tables of other widths, of which two have the same width; one bag is
    empty, one row comes twice."""
    widths, rows, samples = (4, 4, 3), (5, 5, 6), 2
    begins, D_offsets = [0, 0, 20], [0, 4, 8, 11]

    def __init__(self, dtype=torch.float32) -> None:
        torch.manual_seed(3)
        self.memory = torch.randn(38).to(dtype)
        self.lengths = [2, 1, 3, 0, 1, 2]
        self.offsets = torch.tensor([0, *itertools.accumulate(self.lengths)])
        self.indices = torch.tensor([1, 1, 4, 0, 2, 1, 5, 3, 0])
        self.weights = torch.rand(9)

    def expected(self, memory, mode, weights=None):
        found = []
        for feature, (begin, width, rows) in enumerate(zip(self.begins, self.widths, self.rows)):
            table = memory[begin:begin + width * rows].view(rows, width)
            first, *_, last = bags = self.offsets[2 * feature:2 * feature + 3]
            found.append(F.embedding_bag(
                self.indices[first:last], table, bags[:2] - first, mode=mode,
                per_sample_weights=None if weights is None else weights[first:last]))
        return torch.cat(found, 1)

    def given(self, memory, mode):
        return memory, self.begins, self.D_offsets, 11, *_on_card(self.indices, self.offsets), mode


def test_lookups_of_many_tables():
    tables, lookup = _Tables(), kernels.fbgemm.split_embedding_codegen_lookup_function
    for mode, name in ((0, "sum"), (1, "mean")):
        on_card, memory = tables.memory.to("hpu").requires_grad_(), tables.memory.clone()
        made = lookup(*tables.given(on_card, mode))
        expected = tables.expected(memory.requires_grad_(), name)
        _close(made, expected)
        seed = torch.randn(expected.shape)
        made.backward(seed.to("hpu"))
        expected.backward(seed)
        _close(on_card.grad, memory.grad)
    with pytest.raises(ValueError, match=r"rows of one width, not \[4, 4, 3\]"):
        lookup(*tables.given(on_card, 2))
    with pytest.raises(ValueError, match="pooling_mode is 0"):
        lookup(*tables.given(on_card, 3))
    rows = lookup(on_card[20:], [0], [0, 3], 3, *_on_card(torch.tensor([5, 0, 5]),
                                                         torch.tensor([0, 3])), 2)
    _close(rows, tables.memory[20:].view(6, 3)[[5, 0, 5]])
    with pytest.raises(ValueError, match="4 D_offsets with a total_D of 12"):
        lookup(on_card, tables.begins, tables.D_offsets, 12, *_on_card(
            tables.indices, tables.offsets), 0)


@pytest.mark.parametrize("kind", ["sgd", "adagrad"])
def test_backward_passes_of_lookups_step_tables(kind):
    tables = _Tables()
    weights, on_card = tables.weights.clone().requires_grad_(), tables.memory.to("hpu")
    on_card.requires_grad_()
    of_card = tables.weights.to("hpu").requires_grad_()
    function = getattr(kernels.fbgemm, f"split_embedding_codegen_lookup_{kind}_function_hpu")
    state, sums = torch.zeros(38, device="hpu"), torch.zeros(38)
    memory = tables.memory.clone()
    for _ in range(2):
        features = torch.tensor([1, 0, 1])
        first, begins, D_offsets, total, indices, offsets, mode = tables.given(on_card, 0)
        options = (0.1,) if kind == "sgd" else (state, None, begins, 1e-3, 0.1)
        made = function(first, None, begins, D_offsets, total, 4, None, 10, indices, offsets, mode,
                        of_card, features.to("hpu"), True, 0.5, False, *options)
        seed = torch.randn(made.shape)
        made.backward(seed.to("hpu"))
        wide = memory.clone().requires_grad_()
        expected = tables.expected(wide, "sum", weights)
        _close(made, expected)
        weights.grad, before = None, weights.grad
        expected.backward(seed.clamp(-0.5, 0.5))
        weights.grad[3:6] = 0  # the second feature
        weights.grad += 0 if before is None else before
        if kind == "sgd":
            memory = memory - 0.1 * wide.grad
        else:
            sums += wide.grad ** 2
            memory = memory - 0.1 * wide.grad / (sums.sqrt() + 1e-3)
            _close(state, sums)
        _close(on_card, memory)
        _close(of_card.grad, weights.grad)
    assert on_card.grad is None
    with pytest.raises(NotImplementedError, match="rounds tables of embeddings to nearest"):
        function(on_card.bfloat16(), None, begins, D_offsets, total, 4, None, 10, indices, offsets,
                 mode, None, None, False, 0.0, True, *options)
    with pytest.raises(ValueError, match="output_dtype is one of 0, 1, 5"):
        function(on_card, None, begins, D_offsets, total, 4, None, 10, indices, offsets, mode,
                 None, None, False, 0.0, False, *options, output_dtype=2)


def test_indices_are_checked():
    rows = torch.tensor([3, 5], device="hpu")
    indices, offsets = _on_card(torch.tensor([0, 3, -1, 4, 5]), torch.tensor([0, 2, 3, 9, 4]))
    check, warning = kernels.fbgemm.bounds_check_indices, torch.zeros(1, dtype=torch.long).to("hpu")
    with pytest.raises(IndexError, match="3 of 5 indices .*, 2 of 5 offsets are out of order"):
        check(rows, indices, offsets, 0, warning)
    check(rows, indices, offsets, 1, warning)
    assert indices.tolist() == [0, 0, 0, 4, 0] and offsets.tolist() == [0, 2, 3, 5, 5]
    assert warning.item() == 5
    check(rows, indices, offsets, 0, warning)
    with pytest.raises(ValueError, match="not 7"):
        check(rows, indices, offsets, 7)


def test_what_is_not_there_says_so():
    for module, name in ((kernels, "EmbeddingBag"), (kernels.fbgemm, "split_permute_cat"),
                         (optimizers, "FusedSparseSGD")):
        with pytest.raises(NotImplementedError, match=f"does not emulate .*{name}"):
            getattr(module, name)


def test_compiled_steps_have_no_breaks():
    torch._dynamo.reset()
    gaudi_mlir.torch.reset()
    both = _Parameters(*SHAPES)
    optimizer = optimizers.FusedAdamW(both.on_card, lr=0.05)
    clip = normalization.FusedClipNorm(both.on_card, 100.0)

    @torch.compile(backend="hpu_backend")
    def make_step():
        clip.clip_norm(both.on_card)
        optimizer.step()

    moments = [[torch.zeros_like(each), torch.zeros_like(each)] for each in both.wide]
    for step in (1, 2, 3):
        both.give()
        _adamw(both.wide, moments, step, 0.05, (0.9, 0.999), 1e-6, 0, True)
        make_step()
    both.check()
    report = gaudi_mlir.torch.explain()
    assert not report.graph_breaks
    assert any("adamw 1 (4 parameters)" in segment.fused and "clip norm 1" in segment.fused
               for graph in report.graphs for each in (graph, *graph.variants)
               for segment in each.segments)


def test_report_names_the_fused_ops():
    torch._dynamo.reset()
    gaudi_mlir.torch.reset()
    q, k, v = (torch.randn(2, 2, 8, 8, device="hpu", requires_grad=True) for _ in range(3))
    compiled = torch.compile(lambda *given: kernels.FusedSDPA.apply(*given), backend="hpu_backend")
    compiled(q, k, v).sum().backward()
    text = str(gaudi_mlir.torch.explain())
    assert "attention 1" in text and "attention gradient 1" in text


def test_functions_of_adam():
    from habana_frameworks.torch.hpex.optimizers.MarkstepAdam import adam
    from habana_frameworks.torch.hpex.optimizers.MarkstepAdamW import adamw
    options = dict(foreach=False, amsgrad=False, beta1=0.9, beta2=0.999, lr=0.1, weight_decay=0.01,
                   eps=1e-8, maximize=False)
    for function in (adam, adamw):
        made = []
        for device in ("cpu", "hpu"):
            weight, grad, first, second = (torch.full((3,), value, device=device)
                                           for value in (1.0, 0.5, 0.0, 0.0))
            function([weight], [grad], [first], [second], [], [torch.tensor(0.0)], **options)
            made.append(weight.cpu())
        torch.testing.assert_close(*made)
        assert made[0][0] < 1


@pytest.mark.parametrize("sizes, message", [
    (((2, 6, 8, 4), (2, 4, 8, 4)), "a query of 6 heads .*, a key of 4 and a value of 4.*a multiple of them"),
    (((2, 4, 8, 4), (2, 4, 8, 4), (2, 8, 8)), r"attn_mask of shape \[2, 8, 8\] .*attn_mask.unsqueeze\(1\)")])
def test_attention_of_sizes_that_do_not_fit(sizes, message):
    from habana_frameworks.torch.hpex.kernels import FusedSDPA
    query, key, *mask = (torch.ones(each).to("hpu") for each in sizes)
    with pytest.raises(ValueError, match=message):
        FusedSDPA.apply(query, key, key, mask[0] if mask else None, 0.0, False)
    with pytest.raises(ValueError, match="a query .* on cpu, and runs on the card"):
        FusedSDPA.apply(query.cpu(), key, key, None, 0.0, False)


def test_rotary_tables_of_half_the_depth():
    from habana_frameworks.torch.hpex.kernels import RotaryPosEmbeddingHelperV2
    half = torch.ones(8, 2).to("hpu")
    with pytest.raises(ValueError, match=r"sin and cos of sizes \[8, 2\] have 2 angles a position"):
        RotaryPosEmbeddingHelperV2.apply(torch.ones(1, 1, 8, 4).to("hpu"), half, half, None)
