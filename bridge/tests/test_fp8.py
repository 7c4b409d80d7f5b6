# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu in eight bits against formulas on the CPU, which has the types."""
import io
import re

import pytest
import torch
from habana_frameworks.torch import _cards
from habana_frameworks.torch._fp8 import largest
from habana_frameworks.torch.hpex.kernels import fp8_fused_sdpa

ops = torch.ops.hpu
E4M3, E5M2 = TYPES = torch.float8_e4m3fn, torch.float8_e5m2


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


FLOATS = torch.float32, slow(torch.bfloat16)


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(5)


def _narrow(x, dtype):
    """Rounded to nearest even, and what is too large to the largest number of the card."""
    return x.clamp(-largest(dtype), largest(dtype)).to(dtype)


def _bits(x):
    return x.cpu().view(torch.uint8)


def _equal(actual, expected):
    assert actual.dtype is expected.dtype and actual.shape == expected.shape
    x, y = (each.detach().cpu().float() for each in (actual, expected))
    torch.testing.assert_close(x, y, rtol=0, atol=0, equal_nan=True)


def _close(actual, expected, tolerance):
    torch.testing.assert_close(actual.detach().cpu().float(), expected.detach().float(),
                               rtol=tolerance, atol=tolerance)


# --- casts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TYPES)
def test_all_bfloat16_to_eight_bits(dtype, call):
    x = torch.arange(-2**15, 2**15, dtype=torch.int16).view(torch.bfloat16)
    made, amax = call(lambda x: ops.cast_to_fp8_v2(x, None, False, False, dtype), x.to("hpu"))
    _equal(made, _narrow(x, dtype))
    assert amax.shape == (0,) and amax.dtype is torch.float32


@pytest.mark.parametrize("dtype", TYPES)
def test_all_eight_bits_back(dtype, call):
    x = torch.arange(256, dtype=torch.uint8).view(dtype)
    for out_dtype in (torch.float32, torch.bfloat16):
        made = call(lambda x: ops.cast_from_fp8(x, 0.5, out_dtype), x.to("hpu"))
        _equal(made, x.to(out_dtype) * 0.5)


_ROWS = [1 + each / 8 for each in range(6)]


@pytest.mark.parametrize("scale, shape", [
    (None, None), (1.3, None), (torch.tensor(1.3), None), slow(torch.tensor([1.3]), None),
    slow(_ROWS[:4], None), (torch.tensor(_ROWS[:4]), None), (_ROWS, [6, 1]),
    slow(torch.tensor(_ROWS), [6, 1])])
@pytest.mark.parametrize("dtype", FLOATS)
def test_scales_of_casts(scale, shape, dtype, call):
    """The product with the scale is one of float32, rounded once."""
    x = torch.randn(3, 6, 4).to(dtype)
    factor = torch.tensor(1.0 if scale is None else scale) if not isinstance(scale, torch.Tensor) \
        else scale.reshape([]) if scale.numel() == 1 else scale
    factor = factor if shape is None else factor.reshape(shape)
    given = scale.to("hpu") if isinstance(scale, torch.Tensor) else scale
    made, amax = call(lambda x, scale: ops.cast_to_fp8_v2(x, scale, False, True, E4M3, shape),
                      x.to("hpu"), given)
    _equal(made, _narrow(x.float() * factor, E4M3))
    _equal(amax, x.abs().amax().float())
    back = call(lambda x, scale: ops.cast_from_fp8(x, scale, dtype, shape), made, given)
    _equal(back, (made.cpu().float() * factor).to(dtype))


@pytest.mark.parametrize("of", [torch.float16, torch.bfloat16, torch.float32])
def test_scales_beyond_the_type(of):
    """Scales that float16 does not have, and 240 / 1.7, which bfloat16 has not exactly."""
    x = torch.tensor([0.0, -0.0, 1e-5, float("nan"), float("inf"), *torch.randn(500)]).to(of)
    y = torch.tensor([57344.0, -0.0, float("nan"), *torch.randn(50)]).to(E5M2)
    for scale in (2.0 ** 17, 2.0 ** -30, 240 / 1.7):
        made, _ = ops.cast_to_fp8_v2(x.to("hpu"), scale, False, False, E4M3)
        _equal(made, _narrow(x.float() * scale, E4M3))
        assert torch.equal(_bits(made)[:2], _bits(x[:2].to(E4M3)))
        _equal(ops.cast_from_fp8(y.to("hpu"), scale, of), (y.float() * scale).to(of))
    number = torch.tensor(3.0, dtype=of)
    _equal(ops.cast_to_fp8_v2(number.to("hpu"), 1e4, False, True, E4M3)[1], number.float())


@pytest.mark.parametrize("scale", [4.0, torch.tensor([3.0, 300.0, 1e-3])])
def test_gradients_through_eight_bits(scale, call):
    """The gradient of what is of eight bits is, too: it ends at the largest number."""
    x, grad = torch.randn(3), torch.tensor([1e-4, 1000.0, 0.3])
    factor = torch.as_tensor(scale)
    given = x.to("hpu").requires_grad_()
    on_card = [each.to("hpu") if isinstance(each, torch.Tensor) else each
               for each in (scale, 1 / scale)]
    made = call(lambda x, scale, inverse: ops.cast_from_fp8(
        ops.cast_to_fp8_v2(x, scale, False, False, E4M3)[0], inverse, torch.float32),
        given, *on_card)
    made.backward(grad.to("hpu"))
    between = _narrow(grad * (1 / factor), E4M3)
    _equal(given.grad, between.float() * factor)


@pytest.mark.parametrize("dtype", TYPES)
def test_gradients_of_casts(dtype, call):
    x, scale = torch.randn(5, 4), torch.tensor([1.0, 2.0, 0.5, 4.0])
    given = x.to("hpu").requires_grad_()
    made = call(lambda x, scale: ops.cast_to_fp8_v2(x, scale, False, False, dtype)[0], given,
                scale.to("hpu"))
    grad = torch.randn(5, 4).to(dtype)
    made.backward(grad.to("hpu"))
    _equal(given.grad, grad.float() * scale)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("of", FLOATS)
def test_stochastic_rounding(dtype, of, call):
    """Only the two neighbours, numbers of the type as they are, and the mean of many is the
    number."""
    info = torch.finfo(dtype)
    x = torch.tensor([18.5, -3.3, 0.4 * info.smallest_normal, 1.1 * info.smallest_normal, 8.0, 0.0,
                      1e6, -1e6]).to(of)
    count = 2**13
    many = x.repeat(count, 1).to("hpu")
    torch.manual_seed(7)
    made, _ = call(lambda x: ops.cast_to_fp8_v2(x, None, True, False, dtype), many)
    flushes = of is torch.bfloat16 and dtype is E5M2  # PT_HPU_STOCHASTIC_ROUNDING_MODE
    values = made.cpu().double()
    steps = torch.arange(128, dtype=torch.uint8).view(dtype).double()
    steps = steps[steps <= largest(dtype)]
    for column, exact in enumerate(x.double().tolist()):
        found = values[:, column].unique()
        size = min(abs(exact), largest(dtype))
        below, above = steps[steps <= size].max(), steps[steps >= size].min()
        if flushes and size < info.smallest_normal:
            assert not values[:, column].any()
            continue
        assert set(found.abs().tolist()) <= {below.item(), above.item()}
        share = 0.0 if above == below else (size - below) / (above - below)
        error = 4 * ((above - below) * (share * (1 - share) / count) ** 0.5)
        assert abs(values[:, column].mean().abs() - size) <= error
    torch.manual_seed(7)
    again, _ = call(lambda x: ops.cast_to_fp8_v2(x, None, True, False, dtype), many)
    assert torch.equal(_bits(made), _bits(again))


@pytest.mark.slow
def test_stochastic_rounding_may_keep_subnormal_numbers(run_python):
    program = ("import torch, habana_frameworks.torch\n"
               "x = torch.full([4096], 0.4 * 2.0**-14, dtype=torch.bfloat16, device='hpu')\n"
               "y, _ = torch.ops.hpu.cast_to_fp8_v2(x, None, True, False, torch.float8_e5m2)\n"
               "print(sorted(set((y.cpu().float() * 2**16).tolist())))")
    for mode, expected in (("0", "[1.0, 2.0]"), ("1", "[0.0]")):
        code, out, errors = run_python(program, PT_HPU_STOCHASTIC_ROUNDING_MODE=mode)
        assert code == 0 and out.strip() == expected, out + errors


@pytest.mark.parametrize("of", FLOATS)
def test_scales_of_dynamic_quantization(of, call):
    x = torch.randn(5, 6).to(of)
    given, size = x.to("hpu"), x.float().abs()
    for mode, most in ((0, size), (1, size.amax() / 120), (2, size.amax(1, True) / 120)):
        options = {"reduceAxis": 1, "reduceKeepdim": True, "fullscale": 240.0, "backoff": 0.5}
        for rounds, exact in enumerate((most, torch.exp2(most.log2().ceil()))):
            made = call(lambda x: ops.calculate_scale_for_cast(x.abs(), mode, rounds, **options),
                        given)
            _close(made, exact.to(of), 1e-6 if of is torch.float32 else 1e-2)
    with pytest.raises(RuntimeError, match="maxMode 0, 1 or 2 and scaleMode 0 or 1, not 3 and 0"):
        ops.calculate_scale_for_cast(given, 3, 0)


def test_gradient_of_both_types(call):
    x, scale = torch.randn(5), torch.tensor(2.0)
    given = x.to("hpu").requires_grad_()
    wide, fine, most = call(lambda x, s: ops.cast_to_fp8_hybrid(x, s, None, False, True), given,
                            scale.to("hpu"))
    assert not most.requires_grad
    grads = torch.randn(5).to(E5M2), torch.randn(5).to(E4M3)
    torch.autograd.backward([wide, fine], [each.to("hpu") for each in grads])
    _equal(given.grad, grads[0].float() * 2 + grads[1].float())


def test_other_casts(call):
    x, scale = torch.randn(4, 6), torch.tensor(1.5)
    on_card, factor = x.to("hpu"), scale.to("hpu")
    wide, fine, amax = call(lambda x, s: ops.cast_to_fp8_hybrid(x, None, s, False, True), on_card,
                            factor)
    _equal(wide, _narrow(x, E5M2))
    _equal(fine, _narrow(x * scale, E4M3))
    _equal(amax, x.abs().amax())
    # Without a type: E5M2 stored as integers.
    made, _ = call(lambda x: ops.cast_to_fp8_v2(x, None), on_card)
    assert made.dtype is torch.int8
    _equal(call(lambda x: ops.cast_from_fp8(x, None, torch.float32), made),
           _narrow(x, E5M2).float())
    out, most = torch.empty(4, 6, dtype=E4M3, device="hpu"), torch.zeros(1, device="hpu")
    call(lambda x, s, out, most: ops.cast_to_fp8(x, s, False, out, most), on_card, factor, out,
         most)
    _equal(out, _narrow(x * scale, E4M3))
    _equal(most, x.abs().amax().reshape(1))
    with pytest.raises(RuntimeError, match=r"cast_to_fp8 writes a tensor of shape \[4, 6\]; that "
                                           r"of out is \[2, 4, 6\]"):
        ops.cast_to_fp8(on_card, factor, False, torch.empty(2, 4, 6, dtype=E4M3, device="hpu"),
                        most)


def test_integers_hold_e5m2(call):
    """Read and written by all ops but for what is cast to eight bits."""
    x = torch.tensor([[2.0, 2.0, 2.0, 2.0], [1.0, -3.0, 0.5, 7e4]])
    stored = _narrow(x, E5M2).view(torch.int8)
    given = stored.to("hpu")
    made = call(lambda x: ops.sum_fp8(x, [1]), given)
    _equal(made.cpu().view(E5M2), stored.view(E5M2).float().sum(1).to(E5M2))
    made = call(lambda x: ops.fp8_gemm_v2(x, False, x, True, None, torch.int8, 0.25, 1.0), given)
    wide = stored.view(E5M2).float()
    _equal(made.cpu().view(E5M2), _narrow(wide @ wide.t() / 4, E5M2))
    _equal(call(lambda x: ops.cast_to_fp8_v2(x, None, False, False, E5M2)[0],
                torch.arange(-4, 4, dtype=torch.int8, device="hpu")),
           torch.arange(-4.0, 4.0).to(E5M2))


def test_casts_of_eight_bits():
    x = torch.randn(4).to(E4M3).to("hpu")
    _equal(ops.cast_to_fp8_v2(x, None, True, False, E4M3)[0], x.cpu())
    _equal(ops.cast_to_fp8_v2(x, 2.0, False, False, E4M3)[0], _narrow(x.cpu().float() * 2, E4M3))
    for is_amax, dtype in ((True, E4M3), (False, E5M2)):
        with pytest.raises(RuntimeError, match="cast_to_fp8_v2 of torch.float8_e4m3fn gives that"):
            ops.cast_to_fp8_v2(x, None, False, is_amax, dtype)
    with pytest.raises(RuntimeError, match="float8_e4m3fn or float8_e5m2, not torch.float16"):
        ops.cast_to_fp8_v2(x.float(), None, False, False, torch.float16)
    whole = torch.tensor(500, device="hpu")
    _equal(ops.cast_to_fp8_v2(whole, torch.ones_like(whole), False, True, E5M2)[0].float(),
           torch.tensor(512.0))


# --- products -------------------------------------------------------------------------------------


def _product(a, b, *scales, bias=None, to=None):
    result = a.double() @ b.double()
    for each in scales:
        result = result * torch.as_tensor(each, dtype=torch.float64)
    for each in (bias, to):
        result = result if each is None else result + each.double()
    return result


@pytest.mark.parametrize("a_scale, b_scale, shape", [
    slow(None, None, None), slow(torch.tensor(1.5), None, None), (None, torch.tensor([0.25]), None),
    (1.5, 2.0, None), (torch.rand(6, 1) + 1, torch.rand(1, 5) + 1, None),
    slow([1.5], [1.0, 2.0, 3.0, 4.0, 5.0], None), ([1.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [6, 1]),
    slow(torch.tensor(1.0), torch.rand(5) + 1, None)])
@pytest.mark.parametrize("out_dtype", FLOATS)
def test_gemm(a_scale, b_scale, shape, out_dtype, call):
    a, b = torch.randn(8, 6).to(E4M3), torch.randn(5, 8).to(E4M3)
    bias, to = torch.randn(5), torch.randn(6, 5).to(out_dtype)
    given = [each.to("hpu") if isinstance(each, torch.Tensor) else each
             for each in (a_scale, b_scale)]
    made = call(lambda a, b, to, bias, x, y: ops.fp8_gemm_v2(
        a, True, b, True, to, out_dtype, x, y, bias, True, shape),
        a.to("hpu"), b.to("hpu"), to.to("hpu"), bias.to("hpu"), *given)
    factors = [torch.tensor(1.0 if each is None else each) if not isinstance(each, torch.Tensor)
               else each for each in (a_scale, b_scale)]
    if shape:
        factors[1] = factors[1].reshape(shape)
    expected = _product(a.t(), b.t(), *factors, bias=bias, to=to)
    assert made.dtype is out_dtype
    _close(made, expected, 1e-5 if out_dtype is torch.float32 else 8e-3)


@pytest.mark.parametrize("a, b", [
    ((10,), (10,)), ((8,), (2, 4, 8, 16)), ((2, 1, 4, 2), (1, 3, 2, 8)), ((0, 4), (4, 3)),
    slow((2, 10), (10,)), slow((10,), (10, 2)), slow((4, 8, 16), (16,)), slow((3, 4, 2), (2, 5))])
def test_shapes_of_gemm(a, b, call):
    a, b = torch.randn(a).to(E5M2), torch.randn(b).to(E5M2)
    made = call(lambda a, b: ops.fp8_gemm_v2(a, False, b, False, None, torch.float32,
                                             torch.full([1], 2.0, device="hpu")),
                a.to("hpu"), b.to("hpu"))
    expected = _product(a, b, 2.0)
    assert made.shape == expected.shape
    _close(made, expected, 1e-5)


def test_gemm_of_two_types_and_into_memory(call):
    a, b = torch.randn(6, 8).to(E4M3), torch.randn(8, 5).to(E5M2)
    given = a.to("hpu"), b.to("hpu")
    _close(call(lambda a, b: ops.fp8_gemm_v2(a, False, b, False, None, torch.float32), *given),
           _product(a, b), 1e-5)
    out = torch.full((6, 5), 7.0, device="hpu")
    call(lambda a, b, out: ops.fp8_gemm(a, False, b, False, out, torch.float32, None, None, None,
                                        True, out), *given, out)
    _close(out, _product(a, b) + 7, 1e-5)
    # A result of eight bits ends at its largest number.
    made = ops.fp8_gemm_v2(given[0], False, given[1], False, None, E4M3, 1e6, 1.0)
    assert (made.float().abs() == largest(E4M3)).all()


def test_products_are_of_eight_bits(monkeypatch):
    """The matrix engine reads eight bits, and scales are one kernel behind it."""
    recipes, begin = [], _cards.Launch.__init__

    def kept(self, recipe, *rest):
        recipes.append(recipe.text)
        begin(self, recipe, *rest)
    monkeypatch.setattr(_cards.Launch, "__init__", kept)
    torch._dynamo.reset()
    scale = torch.tensor(2.0, device="hpu")
    x, weight = torch.randn(2, 8, 16, 16).to(E4M3), torch.randn(32, 8, 3, 3).to(E4M3)
    for function, operands in (
            (lambda a, b, s: ops.fp8_gemm_v2(a, False, b, True, None, torch.bfloat16, s, s),
             (x.reshape(64, 64), x.reshape(64, 64))),
            (lambda a, b, s: ops.conv2d_fp8(a, b, None, 1, 1, 1, 1, None, s, s), (x, weight))):
        torch.compile(function, backend="hpu_backend")(*(each.to("hpu") for each in operands),
                                                       scale)
        assert "multiplies operands of f8E4M3FN in f8E4M3FN instead of f32" in recipes[-1]
        assert len(re.findall(r"^  #\d+ tpc", recipes[-1], re.MULTILINE)) == 1


def test_what_gemm_refuses():
    x = torch.randn(4).to(E4M3).to("hpu")
    with pytest.raises(RuntimeError, match="transposes B of 2 dimensions or more, not of 1"):
        ops.fp8_gemm_v2(x, False, x, True, None, torch.float32)
    with pytest.raises(RuntimeError, match="accumulates to D, which is None"):
        ops.fp8_gemm_v2(x, False, x, False, None, torch.float32, None, None, None, True)
    square = x.expand(4, 4)
    with pytest.raises(RuntimeError, match="4 columns and 2 rows must be equally many: B fits with trans_B=True"):
        ops.fp8_gemm_v2(square, False, square[:2], False, None, torch.float32)
    for name, added in (("bias", {"bias": torch.ones(2, 4, 4, device="hpu")}),
                        ("D", {"D": torch.ones(2, 4, 4, device="hpu"), "accumulate": True})):
        with pytest.raises(RuntimeError, match=rf"{name} of shape \[2, 4, 4\] does not broadcast "
                                               r"to the product, of shape \[4, 4\]"):
            ops.fp8_gemm_v2(**{"A": square, "trans_A": False, "B": square, "trans_B": False,
                               "D": None, "out_dtype": torch.float32, **added})
    with pytest.raises(RuntimeError, match=r"fp8_gemm writes a tensor of shape \[4, 4\]; that of "
                                           r"out is \[2, 4, 4\]"):
        out = torch.ones(2, 4, 4, device="hpu")
        ops.fp8_gemm(square, False, square, False, out, torch.float32, None, None, None, False, out)


def test_gradients_of_products(call):
    """What is added has a gradient; factors say that they have none."""
    a, b = torch.randn(3, 6, 8).to(E4M3).to("hpu"), torch.randn(8, 5).to(E4M3).to("hpu")
    bias, to = (torch.randn(shape, device="hpu", requires_grad=True) for shape in (5, (6, 1)))
    grad = torch.randn(3, 6, 5)
    made = call(lambda a, b, bias, to: ops.fp8_gemm_v2(a, False, b, False, to, torch.float32, 2.0,
                                                       3.0, bias, True) + bias, a, b, bias, to)
    made.backward(grad.to("hpu"))
    _close(bias.grad, grad.sum([0, 1]) * 2, 1e-5)
    _close(to.grad, grad.sum([0, 2]).reshape(6, 1), 1e-5)
    x, weight = torch.randn(2, 3, 4, 4).to(E4M3), torch.randn(5, 3, 1, 1).to(E4M3)
    bias.grad = None
    call(lambda *given: ops.conv2d_fp8(*given, out_dtype=torch.float32), x.to("hpu"),
         weight.to("hpu"), bias).sum().backward()
    _close(bias.grad, torch.full([5], 32.0), 1e-6)


def test_what_has_no_gradient(call):
    """The pass forward has what it has, also in a graph with the pass backward."""
    x = torch.randn(4, 4, device="hpu", requires_grad=True)
    narrow = ops.cast_to_fp8_v2(x, 2.0, False, False, E4M3)[0]
    made = call(lambda x: ops.fp8_gemm_v2(x, False, x, False, None, torch.float32), narrow)
    _close(made, _product(narrow.detach().cpu(), narrow.detach().cpu()), 1e-5)
    with pytest.raises(RuntimeError, match="hpu::fp8_gemm_v2 has no gradient of A of "
                                           "torch.float8_e4m3fn: transformer_engine.Linear"):
        made.sum().backward()
    made = call(lambda x: ops.softmax_fp8(x, -1, 1.0, 2.0), x)
    with pytest.raises(RuntimeError, match="hpu::softmax_fp8 has no gradient of input of "
                                           "torch.float32: detach it"):
        made.float().sum().backward()
    assert x.grad is None


@pytest.mark.parametrize("scales", [
    slow((None, None)), slow((torch.tensor(1.5), torch.tensor([2.0]))), (14.0, 0.23),
    (torch.tensor([1.5]), torch.tensor([1.0, 2.0, 4.0, 8.0, 0.5, 3.0]))])
@pytest.mark.parametrize("stride, padding, dilation, groups", [slow(1, 0, 1, 1),
                                                               (2, [1, 0], [1], 2)])
def test_convolution(scales, stride, padding, dilation, groups, call):
    x, weight = torch.randn(2, 4, 9, 9).to(E4M3), torch.randn(6, 4 // groups, 3, 2).to(E4M3)
    bias = torch.randn(6)
    given = [each.to("hpu") if isinstance(each, torch.Tensor) else each for each in scales]
    made = call(lambda x, w, bias, *scales: ops.conv2d_fp8(
        x, w, bias, stride, padding, dilation, groups, torch.float32, *scales),
        x.to("hpu"), weight.to("hpu"), bias.to("hpu"), *given)
    factor = 1.0
    for each in scales:
        if each is not None:
            factor = factor * torch.as_tensor(each).double().reshape(-1, 1, 1)
    expected = torch.conv2d(x.double(), weight.double(), None, stride, padding, dilation,
                            groups) * factor + bias.double().reshape(-1, 1, 1)
    _close(made, expected, 1e-5)
    assert ops.conv2d_fp8(x.to("hpu"), weight.to("hpu"), groups=groups).dtype is torch.bfloat16


def test_what_convolutions_refuse():
    x, weight = torch.ones(1, 2, 4, 4, device="hpu").to(E4M3), torch.ones(3, 2, 1, 1).to("hpu")
    for place, words in (("input", "for all channels"),
                         ("weight", "or one for each of 3 channels")):
        with pytest.raises(RuntimeError, match=rf"one scale_{place}.* {words}; .* shape \[4\]"):
            ops.conv2d_fp8(x, weight.to(E4M3), **{f"scale_{place}": torch.ones(4, device="hpu")})


@pytest.mark.parametrize("scales", [(), (torch.tensor(0.05), torch.tensor(2.5)), (0.05, 2.5),
                                    (0.05, 2.5, 0.1)])
@pytest.mark.parametrize("dtype", [slow(torch.bfloat16), E4M3])
def test_softmax(scales, dtype, call):
    x, added = (torch.rand(5, 4, 6) * 40).to(dtype), torch.rand(5, 1, 6).bfloat16()
    given = [each.to("hpu") if isinstance(each, torch.Tensor) else each for each in scales]
    heads = list(given[2:]) or [torch.tensor(0.1, device="hpu")]
    made = call(lambda x, added, *given: ops.softmax_fp8(x, -1, *given, fused_add=added),
                x.to("hpu"), added.to("hpu"), *(given[:2] or [None, None]), *heads)
    factor, after = (float(scales[0]), float(scales[1])) if scales else (1.0, 1.0)
    expected = torch.softmax(x.double() * 0.1 * factor + added.double(), -1) * after
    assert made.dtype is (E4M3 if scales else torch.bfloat16)
    _close(made, expected, 0.07)


def test_scaled_mm(call):
    a, b = torch.randn(16, 32).to(E4M3), torch.randn(16, 32).to(E4M3)
    for x, y in ((torch.tensor(0.5), torch.tensor(2.5)), (torch.rand(16, 1), torch.rand(1, 16))):
        made = call(lambda a, b, x, y: torch._scaled_mm(a, b.t(), x, y, out_dtype=torch.bfloat16),
                    *(each.to("hpu") for each in (a, b, x, y)))
        _close(made, _product(a, b.t(), x, y), 2e-2)


@pytest.mark.parametrize("permuted, with_numbers", [(True, True), (False, False),
                                                    slow(True, False), slow(False, True)])
@pytest.mark.parametrize("fused", [True, slow(False)])
def test_experts(permuted, fused, with_numbers, call):
    hidden = torch.randn(6, 8).to(E4M3)
    weights = [torch.randn(2, *each).to(E4M3) for each in ((8, 16), (8, 16), (16, 8))]
    table, share = torch.tensor([[0, 1], [1, 0], [0, 0], [1, 1], [0, 1], [2, 0]]), torch.rand(6, 2)
    factors = [0.5, [4.0, 2.0], [0.5, 0.25], [0.5, 0.25], [0.125, 0.5]]
    expected, (of_hidden, of_gated, *of_weights) = torch.zeros(6, 8, dtype=torch.float64), factors
    for expert, (inner, gate, up, down) in enumerate(zip(of_gated, *of_weights)):
        x, (a, b, c) = hidden.double() * of_hidden, (each[expert].double() for each in weights)
        gated = torch.nn.functional.silu(x @ a * gate) * (x @ b * up)
        counted = ((table == expert) * share).sum(-1, keepdim=True)
        expected += counted * (_narrow(gated / inner, E4M3).double() * inner @ c * down)
    given = [[each[expert].t() if permuted else each[expert] for expert in range(2)]
             for each in weights]
    if fused:
        given[:2] = [[torch.cat([a.view(torch.int8), b.view(torch.int8)], 0 if permuted else 1)
                      .view(E4M3) for a, b in zip(*given[:2])]]
        factors[2:4] = factors[2:3]
    if not with_numbers:
        factors = [torch.tensor(each, device="hpu") if isinstance(each, float) else
                   [torch.tensor([number], device="hpu") for number in each] for each in factors]
    on_card = [[each.contiguous().to("hpu") for each in list_] for list_ in given]
    made = call(lambda x, table, share: ops.mixture_of_experts(
        x, table, share, *on_card, *factors, permuted, "silu", 0, 1),
        *(each.to("hpu") for each in (hidden, table, share)))
    assert made.dtype is torch.bfloat16
    _close(made, expected, 2e-2)
    if not fused:
        with pytest.raises(ValueError, match=r"lists of \[2\] weights or scales for experts 0 to 2"):
            ops.mixture_of_experts(hidden.to("hpu"), table.to("hpu"), share.to("hpu"), *on_card,
                                   *factors, permuted, "silu", 0, 2)


@pytest.mark.parametrize("with_numbers", [True, False])
def test_experts_that_nothing_was_measured_of(with_numbers):
    """A scale of 0 is one of zeros."""
    hidden = torch.randn(3, 8).index_fill(0, torch.tensor(1), 0.0).to(E4M3).to("hpu")
    weights = [torch.randn(1, *each).to(E4M3).to("hpu") for each in ((8, 8), (8, 8), (8, 8))]
    scales = [1.0, [0.0], [1.0], [1.0], [1.0]]
    if not with_numbers:
        scales = [torch.tensor(each, device="hpu") if isinstance(each, float) else
                  [torch.tensor(each, device="hpu")] for each in scales]
    made = ops.mixture_of_experts(hidden, torch.zeros(3, 1, dtype=torch.int64, device="hpu"),
                                  torch.ones(3, 1, device="hpu"),
                                  *([each[0]] for each in weights), *scales, False, "silu", 0, 0)
    _equal(made, torch.zeros(3, 8, dtype=torch.bfloat16))


# --- attention ------------------------------------------------------------------------------------


def _attention(q, k, v, mask=None, is_causal=False, scales=(1, 1, 1), q_scale_s=1.0):
    """The output, the probabilities times their scale, and their largest magnitude."""
    q, k, v = (each.double() * scale for each, scale in zip((q, k, v), scales))
    if k.shape[1] != q.shape[1]:
        k, v = (each.repeat_interleave(q.shape[1] // k.shape[1], 1) for each in (k, v))
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + mask
    if is_causal:
        scores = scores.masked_fill(~torch.ones(scores.shape[-2:], dtype=torch.bool).tril(), -1e9)
    shares = scores.softmax(-1)
    rounded = (shares * q_scale_s).to(E4M3)
    return rounded.double() @ v / q_scale_s, rounded, shares.amax()


def _heads(heads, scale=16.0):
    return [(torch.randn(2, count, length, 8) * scale).to(E4M3)
            for count, length in ((4, 9), (heads, 12), (heads, 12))]


@pytest.mark.parametrize("heads", [slow(4), 2, slow(1)])
@pytest.mark.parametrize("recompute, with_numbers", [(True, True), (True, False), (False, False),
                                                     slow(False, True)])
def test_attention(heads, recompute, with_numbers, call):
    given, inverse, s, o = _heads(heads), 1 / 16, 64.0, 4.0
    mask = torch.where(torch.rand(2, 1, 1, 12) < 0.3, -1e9, 0.0)
    scales = {name: inverse if with_numbers else torch.tensor([inverse], device="hpu")
              for name in ("d_scale_q", "d_scale_k", "d_scale_v")}
    scales["q_scale_s"] = s if with_numbers else torch.tensor(s, device="hpu")
    scales["q_scale_o"] = o if with_numbers else torch.tensor([o], device="hpu")
    out, amax_s, amax_o = call(
        lambda q, k, v, mask: fp8_fused_sdpa(q, k, v, mask, recompute_mode=recompute,
                                             is_amax_s=True, is_amax_o=True, **scales),
        *(each.to("hpu") for each in (*given, mask)))
    expected, _, largest_share = _attention(*given, mask, False, [inverse] * 3, s)
    assert out.dtype is E4M3
    torch.testing.assert_close(out.cpu().double() / o, expected, rtol=0.07, atol=1e-2)
    _close(amax_s, largest_share, 1e-4)
    _close(amax_o, expected.abs().amax(), 1e-3)


@pytest.mark.parametrize("recompute", [True, False])
@pytest.mark.parametrize("dtype", [E4M3, pytest.param(E5M2, marks=pytest.mark.slow)])
def test_attention_saturates(dtype, recompute, call):
    """Scales that are too large for the probabilities and for the output."""
    given, most = [each.float().to(dtype) for each in _heads(4, 1.0)], largest(dtype)
    q_scale_s, q_scale_o = 16 * most, 4 * most
    run = lambda **scales: call(  # noqa: E731
        lambda q, k, v: fp8_fused_sdpa(q, k, v, recompute_mode=recompute, is_amax_s=True, **scales),
        *(each.to("hpu") for each in given))
    q, k, v = (each.double() for each in given)
    shares = (q @ k.transpose(-2, -1) / 8 ** 0.5).softmax(-1)
    rounded = _narrow((shares * q_scale_s).float(), dtype).double()
    assert (rounded == most).any() and (rounded < most).any()
    out, amax_s, _ = run(q_scale_s=q_scale_s)
    _close(out, rounded @ v / q_scale_s, 1e-2)
    _close(amax_s, shares.amax(), 1e-3)
    out, _, _ = run(q_scale_o=q_scale_o)
    assert out.dtype is dtype and out.cpu().float().abs().amax() == most
    rounded = shares.float().to(dtype).double() @ v * q_scale_o
    torch.testing.assert_close(out.cpu().double(), _narrow(rounded, dtype).double(),
                               rtol=0.26, atol=1e-2 * most)


@pytest.mark.parametrize("recompute", [True, False])
def test_measured_attention(recompute, call):
    """Of bfloat16, of which the magnitudes are those of the unscaled numbers."""
    given = [each.bfloat16() for each in _heads(2, 1.0)]
    out, amax_s, amax_o = call(
        lambda q, k, v: fp8_fused_sdpa(q, k, v, None, 0.0, True, None, "fast", recompute,
                                       is_amax_s=True, is_amax_o=True),
        *(each.to("hpu") for each in given))
    expected, _, largest_share = _attention(*given, is_causal=True)
    _close(out, expected, 0.07)
    _close(amax_s, largest_share, 1e-2)
    _close(amax_o, expected.abs().amax(), 5e-2)
    for is_trained in (False, True):
        with pytest.raises(TypeError, match="bfloat16, and q_scale_s is given"):
            fp8_fused_sdpa(*(each.to("hpu").requires_grad_(is_trained) for each in given),
                           q_scale_s=2.0)


@pytest.mark.parametrize("recompute", [True, False])
def test_gradient_that_attention_lacks(recompute):
    x = torch.randn(1, 1, 4, 8, device="hpu", requires_grad=True)
    narrow = ops.cast_to_fp8_v2(x, None, False, False, E4M3)[0]
    out, _, _ = fp8_fused_sdpa(narrow, narrow, narrow, recompute_mode=recompute)
    with pytest.raises(RuntimeError, match="has no gradient of q of torch.float8_e4m3fn: "
                                           "transformer_engine.FusedAttention"):
        out.float().sum().backward()
    assert x.grad is None


@pytest.mark.parametrize("recompute", [True, False])
def test_no_scale_and_no_queries(recompute):
    """A number of 0 is no scale; the magnitudes of nothing are 0."""
    given = [each.to("hpu") for each in _heads(4)]
    made = [fp8_fused_sdpa(*given, recompute_mode=recompute, **scales)[0]
            for scales in ({}, {"d_scale_v": 0.0}, {"d_scale_v": 0, "d_scale_q": torch.ones(1)})]
    for each in made[1:]:
        _equal(each, made[0].cpu())
    for dtype, is_trained in ((E4M3, False), (torch.bfloat16, False), (torch.bfloat16, True)):
        empty = [each[:, :, :0 if place == 0 else 12].to(dtype).requires_grad_(is_trained)
                 for place, each in enumerate(given)]
        out, *largest = fp8_fused_sdpa(*empty, recompute_mode=recompute, is_amax_s=True,
                                       is_amax_o=True)
        assert out.shape == (2, 4, 0, 8)
        for each in largest:
            _equal(each, torch.tensor(0.0))


def test_results_of_attention(call):
    given = _heads(4)
    scales = [torch.tensor([each], device="hpu") for each in (1 / 16, 1 / 16, 1 / 16, 64.0)]
    on_card = [each.to("hpu") for each in given]
    out, shares, kept, amax = call(
        lambda q, k, v: ops.fp8_sdpa_fwd(q, k, v, None, 0.0, 8 ** -0.5, True, "none", *scales, None,
                                         None, True, None, "left"), *on_card)
    expected, rounded, _ = _attention(*given, None, True, [1 / 16] * 3, 64.0)
    assert (out.dtype, shares.dtype, kept.shape) == (torch.bfloat16, E4M3, (1,))
    _close(out, expected, 1e-2)
    assert (_bits(shares).int() - _bits(rounded).int()).abs().max() <= 1
    out, m, linv, seed, amax_s, amax_o = call(
        lambda q, k, v: ops.fp8_sdpa_recomp_fwd(q, k, v, None, 0.0, 8 ** -0.5, True, True, "none",
                                                1 / 16, 1 / 16, 1 / 16, 64.0, 0.0, 0.0, False, True,
                                                None, "left"), *on_card)
    _close(out, expected, 1e-2)
    assert m.shape == linv.shape == (2, 4, 9, 1) and m.dtype is linv.dtype is torch.bfloat16
    assert seed.dtype is torch.int32 and amax_s.numel() == 0 and amax_o.dim() == 0


def test_dropout_of_attention(call):
    """What is kept is divided by its share, and returned."""
    given = _heads(4)
    out, shares, kept, _ = call(
        lambda q, k, v: ops.fp8_sdpa_fwd(q, k, v, None, 0.5, 0.001, False, "none", None, None, None,
                                         torch.tensor([64.0], device="hpu"), None, None, False,
                                         None, "left"), *(each.to("hpu") for each in given))
    kept, shares = kept.cpu().double(), shares.cpu().double() / 64
    assert 0.4 < kept.mean() < 0.6
    _close(out, (shares * kept * 2) @ given[2].double(), 1e-2)


@pytest.mark.parametrize("p", [slow(0.0), 0.5])
def test_gradient_of_attention(p, call):
    wide = [each.float() / 16 for each in _heads(4)]
    grad = torch.randn(2, 4, 9, 8)
    q, k, v = (each.requires_grad_() for each in wide)
    kept = (torch.rand(2, 4, 9, 12) >= p).to(torch.int8)
    shares = torch.softmax(q @ k.transpose(-2, -1) * 8 ** -0.5, -1)
    shares.retain_grad()
    ((shares * kept / (1 - p)) @ v).backward(grad)
    scores_grad = shares.grad * shares
    scores_grad = scores_grad - shares * scores_grad.sum(-1, keepdim=True)
    factors = {"grad": 4.0, "q": 16.0, "k": 16.0, "v": 16.0, "P": 128.0, "ds": 64.0}
    stored = {"grad": (grad, E5M2), "q": (q, E4M3), "k": (k, E4M3), "v": (v, E4M3),
              "P": (shares, E4M3)}
    given = [(x.detach() * factors[name]).to(dtype).to("hpu")
             for name, (x, dtype) in stored.items()]
    q_scale = {name: torch.tensor([each], device="hpu") for name, each in factors.items()}
    d_scale = {name: each.reciprocal() for name, each in q_scale.items()}
    made = call(lambda grad, q, k, v, shares, kept: ops.fp8_sdpa_bwd(
        grad, q, k, v, shares, kept if p > 0 else None, True, p, 8 ** -0.5, d_scale["q"],
        d_scale["k"], d_scale["v"], d_scale["P"], d_scale["grad"], d_scale["ds"], q_scale["P"],
        q_scale["ds"], True, grad), *given, kept.to("hpu"))
    for actual, leaf in zip(made, (q, k, v)):
        assert actual.dtype is torch.bfloat16
        error = (actual.cpu().double() - leaf.grad.double()).norm() / leaf.grad.double().norm()
        assert error < 0.12  # E5M2 has two bits behind the point
    _close(made[3], scores_grad.abs().amax(), 0.1)


def test_what_attention_refuses():
    q, k, v = (each.to("hpu") for each in _heads(4))
    with pytest.raises(ValueError, match=r"d_scale_q has shape \[2\]; expected one element"):
        fp8_fused_sdpa(q, k, v, d_scale_q=torch.ones(2, device="hpu"))
    with pytest.raises(ValueError, match="valid_seq_len only with is_causal"):
        fp8_fused_sdpa(q, k, v, valid_seq_len=torch.ones(2, device="hpu"))


# --- tensors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [E4M3, slow(E5M2)])
def test_moves(dtype, call):
    x = torch.randn(6, 4).to(dtype)
    on_card, other = x.to("hpu"), torch.empty(4, 6, dtype=dtype, device="hpu")
    call(lambda x, out: ops.fp8_transpose(x, out), on_card, other)
    _equal(other, x.t())
    call(lambda x, out: ops.fp8_permute(x, [1, 0], out), on_card, other.zero_())
    _equal(other, x.t())
    _equal(call(lambda x: ops.fp8_reshape(x, [4, 6]), on_card), x.reshape(4, 6))
    _equal(call(lambda x: ops.fp8_repeat_v2(x, [2, 1]), on_card), x.repeat(2, 1))
    rows = torch.tensor([4, 1], device="hpu")
    _equal(call(lambda x, rows: ops.fp8_index_select_v2(x, 0, rows), on_card, rows), x[[4, 1]])
    same = call(lambda x, y: ops.fp8_copy_(x, y), torch.empty_like(on_card), on_card)
    _equal(same, x)
    call(lambda x, rows, y: ops.fp8_index_copy_(x, 0, rows, y), same, rows, on_card[:2])
    x[[4, 1]] = x[:2].clone()
    _equal(same, x)
    _equal(call(lambda x: ops.sum_fp8(x, 1, True, torch.float32), same), x.float().sum(1, True))


@pytest.mark.slow
@pytest.mark.parametrize("dtype", TYPES)
def test_tensors_of_eight_bits(dtype, call):
    x = torch.randn(6, 4).to(dtype)
    on_card = x.to("hpu")
    rows = torch.tensor([4, 1], device="hpu")
    for function in (lambda x, rows: torch.cat([x, x.flip(0)]), lambda x, rows: x[rows],
                     lambda x, rows: x.t().contiguous(), lambda x, rows: x.view(2, 12)[:, ::3],
                     lambda x, rows: x.to(torch.bfloat16), lambda x, rows: x.abs().amax(),
                     lambda x, rows: x.float().mul(3).to(dtype), lambda x, rows: x.clone().fill_(2),
                     lambda x, rows: torch.where(x.float() > 0, x, torch.zeros_like(x)),
                     lambda x, rows: x.view(torch.int8).view(dtype)):
        try:
            expected = function(x, rows.cpu())
        except (RuntimeError, NotImplementedError):  # PyTorch's CPU lacks a kernel of the type
            expected = function(x.float(), rows.cpu()).to(dtype)
        _equal(call(function, on_card, rows), expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_files_and_text_of_eight_bits(dtype):
    x = torch.randn(3, 2).to(dtype)
    file = io.BytesIO()
    torch.save({"x": x.to("hpu")}, file)
    file.seek(0)
    loaded = torch.load(file)["x"]
    assert loaded.device.type == "hpu"
    _equal(loaded, x)
    assert str(loaded).replace(", device='hpu:0'", "") == str(x)
