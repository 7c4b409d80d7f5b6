#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes test/models/torch-cases: one call or more of every op in Operators.def, with the values that PyTorch gives.

Usage: torch-cases.py [--list-missing] [FILE...]

Writes all files, or those named ("unary"), in the format of test/models/iree-check-cases. Needs PyTorch; PYTHONPATH
names the package that was built. --list-missing only names the rows of the table without a case, and exits with 1 if
there are some.
"""
import json
import operator
import pathlib
import re
import sys

import torch

from gaudi_mlir.torch import writer

ROOT = pathlib.Path(__file__).resolve().parent.parent
GENERATOR = torch.Generator().manual_seed(7)
inf, nan = float("inf"), float("nan")


def f(*shape, dtype=torch.float32, scale=2.0):
    return (torch.randn(shape, generator=GENERATOR) * scale).to(dtype)


def u(*shape):  # in (0, 1)
    return torch.rand(shape, generator=GENERATOR) * 0.9 + 0.05


def i(*shape, low=-9, high=10, dtype=torch.int64):
    return torch.randint(low, high, shape, generator=GENERATOR).to(dtype)


def b(*shape):
    return torch.rand(shape, generator=GENERATOR) < 0.5


def t(*values):  # one value is a scalar
    return torch.tensor(values if len(values) > 1 else values[0])


def overload(name):
    space, _, rest = ("prims", "", name[6:]) if name.startswith("prims.") else ("aten", "", name)
    base, _, kind = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), base), kind or "default")


half, special = dict(dtype=torch.bfloat16), t(0.0, -0.0, 1.5, -2.5, inf, -inf, nan, 3.0)
FILES = {}
# Floats of any sign, floats above 1, floats in (0, 1).
FILES["unary"] = {
    **{name: [[f(2, 3)], [f(5, **half)]] for name in """abs neg sign sgn floor ceil round trunc square exp expm1 exp2
       reciprocal sin cos tan atan sinh cosh tanh asinh sigmoid erf erfc relu silu hardswish hardsigmoid mish""".split()},
    **{name: [[u(2, 3) * 4]] for name in "log log2 log10 log1p sqrt rsqrt".split()},
    **{name: [[u(2, 3)]] for name in "asin acos atanh".split()}, "acosh": [[u(4) + 1]],
    **{name: [[special], [i(3)]] for name in "isnan isinf isfinite logical_not".split()},
    "bitwise_not": [[i(4)], [b(4)], [i(4, low=0, dtype=torch.uint8)]],
    "gelu": [[f(3)], [f(3), {"approximate": "tanh"}]], "hardtanh": [[f(6)], [f(6), -0.5, 0.25]],
    "leaky_relu": [[f(6)], [f(6), 0.3]], "elu": [[f(6)], [f(6), 0.5, 2.0, 0.7]],
    "softplus": [[f(6)], [t(-30.0, 0.0, 12.0), 2, 10]],
    "_to_copy": [[f(4), {"dtype": torch.int32}], [t(-1.5, 2.7, 200.0, 255.0), {"dtype": torch.uint8}],
                 [i(4), {"dtype": torch.bool}], [f(4), {"dtype": torch.bfloat16}]],
    "to.dtype": [[i(4), torch.float32]], "prims.convert_element_type": [[f(4), torch.int8]],
    "type_as": [[f(4), i(2)]],
}
two = [[f(2, 3), f(3)], [i(2, 3), i(2, 1)], [f(4), i(4)], [f(4, **half), f(4, **half)]]
whole = [[i(6), i(6, low=1)], [b(6), b(6)]]
FILES["binary"] = {
    "add.Tensor": two + [[f(3), f(3), {"alpha": 0.5}], [b(6), b(6)]], "sub.Tensor": two + [[i(3), i(3), {"alpha": 2}]],
    "mul.Tensor": two + [[b(6), b(6)]], "rsub.Tensor": [[f(3), f(3)]], "maximum": two + [[b(6), b(6)], [special, f(8)]],
    "minimum": two + [[b(6), b(6)]], "fmax": [[special, f(8)], [i(3), i(3)]], "fmin": [[special, f(8)]],
    "add.Scalar": [[f(3), 2], [i(3), 0.5], [i(3), 3, 2]], "sub.Scalar": [[f(3), 2], [i(3), 7]],
    "rsub.Scalar": [[f(3), 2], [i(3), 7, 3]], "mul.Scalar": [[f(3), -1.5], [i(3), 2 ** 40]],
    "div.Tensor": [[f(2, 3), u(3) + 1], [i(6), i(6, low=1)]], "div.Scalar": [[f(3), 4], [i(3), 4]],
    **{name: [[f(6), u(6) + 0.3, {"rounding_mode": mode}] for mode in ("floor", "trunc", None)]
       + [[i(6), i(6, low=2), {"rounding_mode": mode}] for mode in ("floor", "trunc")] for name in ["div.Tensor_mode"]},
    "div.Scalar_mode": [[i(8), -3, {"rounding_mode": "floor"}], [f(8), 0.1, {"rounding_mode": "floor"}]],
    "floor_divide": [[t(1.0, -1.0, 0.5, 7.0), t(0.1, 0.1, -0.25, 0.0)], [i(8), t(-3)]],
    "floor_divide.Scalar": [[i(8), 4], [f(8), 0.1]], "remainder.Tensor": [[f(8), t(1.5)], [i(8), t(-4)]],
    "remainder.Scalar": [[f(8), -1.5], [i(8), 4]], "fmod.Tensor": [[f(8), t(1.5)], [i(8), t(-4)]],
    "fmod.Scalar": [[f(8), -1.5], [i(8), 4]], "pow.Tensor_Tensor": [[u(4), f(4)]],
    "pow.Tensor_Scalar": [[f(4), 2], [u(4), 0.5], [f(4), 3], [i(4), 2.0]], "pow.Scalar": [[2, f(4)]],
    "atan2": [[f(6), f(6)]],
    **{f"bitwise_{name}.{kind}": [[first, second if kind == "Tensor" else 5] for first, second in whole]
       for name in ("and", "or", "xor") for kind in ("Tensor", "Scalar")},
    **{f"logical_{name}": [[f(4), i(4, low=0, high=2)], [b(4), b(4)]] for name in ("and", "or", "xor")},
    **{f"{name}.Tensor": [[i(8, high=2), i(8, high=2)], [special, special.flip(0)], [f(4), i(4)]]
       for name in "eq ne lt le gt ge".split()},
    **{f"{name}.Scalar": [[i(8, low=0, high=3), 1], [i(8), 0.5], [f(4), 1]] for name in "eq ne lt le gt ge".split()},
    "gelu_backward": [[f(4), f(4)], [f(4), f(4), {"approximate": "tanh"}]],
    "threshold_backward": [[f(6), f(6), 0]], "tanh_backward": [[f(4), u(4)]], "sigmoid_backward": [[f(4), u(4)]],
}
FILES["ternary"] = {
    "where.self": [[b(2, 3), f(3), i(2, 1)], [b(4), f(4), t(0.0)]], "where.ScalarSelf": [[b(4), 1.5, f(4)]],
    "where.ScalarOther": [[b(4), i(4), 2]], "where.Scalar": [[b(4), 1, 0]],
    "masked_fill.Scalar": [[f(2, 3), b(3), -inf]], "masked_fill.Tensor": [[i(4), b(4), t(7)]],
    "clamp": [[f(8), -1, 1], [i(8), None, 2], [i(8), 0.5, None]], "clamp.Tensor": [[f(8), t(-1.0), f(8)]],
    "clamp_min": [[f(8), 0]], "clamp_min.Tensor": [[f(8), f(8)]], "clamp_max": [[i(8), 3]],
    "clamp_max.Tensor": [[f(8), f(8)]], "lerp.Tensor": [[f(6), f(6), u(6)]], "lerp.Scalar": [[f(6), f(6), 0.75]],
    "addcmul": [[f(3), f(3), f(3)], [i(3), i(3), i(3), {"value": 2}]],
    "addcdiv": [[f(3), f(3), u(3), {"value": 0.5}]],
}
cube = f(2, 3, 4)
dims = [[cube, [1]], [cube, [0, -1], True], [cube, []]]
FILES["reductions"] = {
    "sum": [[cube], [i(3)], [b(9)], [f(0)]], "sum.dim_IntList": dims + [[i(2, 3), None], [f(3, 0), [1]]],
    "mean": [[cube]], "mean.dim": [[cube, [1]], [f(4, 5, **half), [-1], True]],
    "prod": [[u(5)], [i(3)]], "prod.dim_int": [[u(2, 3), 1]], "amax": dims + [[b(2, 3), [1]]], "amin": dims,
    "max": [[cube], [i(5)]], "min": [[cube]], "max.dim": [[cube, 1], [i(2, 9), -1, True], [t(3.0), 0]],
    "min.dim": [[cube, -1]], "argmax": [[cube], [cube, 1], [cube, -1, True], [i(9)]], "argmin": [[cube, 0]],
    "any": [[b(9)], [f(3)], [i(0)]], "any.dim": [[b(2, 3), 1], [i(2, 3, low=0, high=2, dtype=torch.uint8), 0]],
    "any.dims": [[b(2, 3), [0, 1]], [b(2, 3), None]], "all": [[b(3)], [b(0)]], "all.dim": [[i(2, 3), 1]],
    "all.dims": [[b(2, 3), [0], True]],
    "var.correction": [[cube, [1]], [cube, None, {"correction": 0}], [cube, [0, 2], {"correction": 2, "keepdim": True}]],
    "std.correction": [[cube, [1]]], "var_mean.correction": [[cube, [-1], {"correction": 0, "keepdim": True}]],
    "logsumexp": [[cube, [1]], [t(-inf, -inf), [0]], [cube, [0, 2], True]], "cumsum": [[cube, 1], [i(5), 0], [b(5), 0]],
    "_softmax": [[cube, 1, False], [t(1.0), 0, False]], "softmax.int": [[f(2, 5, **half), -1], [i(3), 0, torch.float32]],
    "_log_softmax": [[cube, -1, False]], "log_softmax.int": [[cube, 0]],
    "_softmax_backward_data": [[cube, torch.softmax(cube, 1), 1, torch.float32]],
    "_log_softmax_backward_data": [[cube, torch.log_softmax(cube, 1), 1, torch.float32]],
}
FILES["moves"] = {
    **{name: [[cube, [4, -1]]] for name in ("view", "_unsafe_view", "reshape", "view_copy")},
    "flatten.using_ints": [[cube], [cube, 1, 2], [t(1.0)]], "unsqueeze": [[cube, -1], [cube, 0]],
    "squeeze": [[f(1, 3, 1)]], "squeeze.dim": [[f(1, 3, 1), 0], [f(2), 0]], "squeeze.dims": [[f(1, 3, 1), [0, 2]]],
    **{name: [[cube]] for name in ("clone", "contiguous", "alias", "detach", "detach_copy", "lift_fresh_copy")},
    "permute": [[cube, [2, 0, -2]]], "transpose.int": [[cube, 0, -1]], "t": [[f(2, 3)], [f(3)]],
    "expand": [[f(3, 1), [2, -1, 4]], [t(5), [2, 2]]], "expand_copy": [[f(1, 2), [3, 2]]],
    "slice.Tensor": [[cube, 1, 1, 99], [cube, -1, -3, None, 2], [cube, 0, 5, 2]], "narrow": [[cube, 1, -2, 2]],
    "select.int": [[cube, 1, -1]], "cat": [[[f(2, 3), i(1, 3)]], [[f(2, 3), f(2, 1)], -1], [[f(0), f(2, 2)], 1]],
    "stack": [[[f(3), f(3)], 1], [[i(2), i(2)]]], "split.Tensor": [[f(5, 2), 2]],
    "split_with_sizes": [[f(2, 5), [1, 4], 1]], "chunk": [[f(7), 3]], "flip": [[cube, [0, -1]], [cube, []]],
    "repeat": [[f(2, 3), [2, 1, 3]]], "constant_pad_nd": [[f(2, 3), [1, 2, 0, 1], 0.5], [i(2, 4), [-1, 1]]],
    "tril": [[f(3, 4)], [f(3, 4), 1]], "triu": [[f(2, 4, 4), -1]],
    "embedding": [[f(5, 3), i(2, 2, low=0, high=5)]], "index_select": [[cube, 1, t(2, 0, 2)]],
    "gather": [[f(3, 4), 1, i(3, 2, low=0, high=4)]],
    "index.Tensor": [[cube, [t(1, -1, 0)]], [cube, [None, t(2, 0), t(1, -1)]], [cube, [t([0], [1]), None, t(3, 1)]]],
}
like = [[f(2, 3)], [f(2, 3), {"dtype": torch.int32}]]
FILES["creation"] = {
    "full": [[[2, 2], 1.5], [[3], 7], [[], True]], "full_like": [[f(2), 3]], "new_full": [[i(2), [2, 2], 5]],
    "fill.Scalar": [[f(2), -1]], "scalar_tensor": [[2.5], [3, {"dtype": torch.int64}]],
    "zeros": [[[2, 3]], [[2], {"dtype": torch.bool}]], "zeros_like": like, "new_zeros": [[f(1), [2]]],
    "ones": [[[2, 3]]], "ones_like": like, "new_ones": [[i(1), [2]]],
    "arange": [[5], [2.5]], "arange.start": [[2, 9], [0.5, 3]], "arange.start_step": [[9, 0, -2], [0.0, 1.0, 0.25]],
}
image, kernel = f(1, 4, 7, 7), f(6, 2, 3, 3)
none = {"stride": [1, 1], "padding": [0, 0], "dilation": [1, 1], "output_padding": [0, 0]}


def conv(x, w, bias, stride, padding, dilation, transposed, extra, groups):
    return [x, w, bias, [stride] * 2, [padding] * 2, [dilation] * 2, transposed, [extra] * 2, groups]


query = f(2, 4, 5, 8, scale=1)
FILES["networks"] = {
    "mm": [[f(3, 4), f(4, 2)], [i(3, 4), i(4, 2)]], "bmm": [[f(2, 3, 4), f(2, 4, 2)]], "mv": [[f(3, 4), f(4)]],
    "dot": [[f(4), f(4)]],
    "matmul": [[f(3, 4), f(4)], [f(4), f(4, 2)], [f(5, 3, 4), f(4, 2)], [f(2, 1, 3, 4), f(5, 4, 2)]],
    "linear": [[f(2, 3, 4), f(5, 4), f(5)], [f(3, 4, **half), f(2, 4, **half), f(2, **half)], [f(4), f(5, 4)]],
    "addmm": [[f(2), f(3, 4), f(4, 2)], [f(3, 2), f(3, 4), f(4, 2), {"beta": 0.5, "alpha": 2}]],
    "baddbmm": [[f(2, 3, 2), f(2, 3, 4), f(2, 4, 2), {"beta": 0}]],
    "convolution": [conv(image, kernel, f(6), 2, 1, 1, False, 0, 2), conv(image, f(6, 4, 3, 3), None, 1, 2, 2, False, 0, 1),
                    conv(image, f(4, 3, 3, 3), f(6), 2, 1, 1, True, 1, 2)],
    "conv1d": [[f(2, 3, 9), f(4, 3, 3), f(4), [2], [1]]], "conv2d": [[image, f(8, 1, 3, 3), None, [1], [1], [1], 4], [f(4, 7, 7), f(2, 4, 1, 1), f(2)]],
    "scaled_dot_product_attention": [[query, query, f(2, 4, 5, 3)], [query, query, query, f(5, 5)],
                                     [query, query, query, b(1, 1, 1, 5)], [query, query, query, None, 0.0, True],
                                     [query, f(2, 2, 5, 8), f(2, 2, 5, 8), {"enable_gqa": True, "scale": 0.2}],
                                     [f(5, 8), f(6, 8), f(6, 8)]],
    "max_pool2d": [[image, [3, 3], [2, 2], [1, 1]], [image, [2], [], [0], [1], True]],
    "avg_pool2d": [[image, [3], [2], [1]], [image, [3], [2], [1], False, False], [image, [2], [], [0], True],
                   [image, [2], [], [0], False, True, 3]],
    "_adaptive_avg_pool2d": [[image, [1, 1]], [image, [3, 2]]], "adaptive_avg_pool2d": [[f(4, 6, 6), [3, 3]]],
    "native_layer_norm": [[cube, [4], f(4), f(4), 1e-5], [f(2, 6, **half), [6], None, None, 1e-5]],
    "layer_norm": [[cube, [3, 4], f(3, 4)]],
    "_native_batch_norm_legit_no_training": [[image, f(4), f(4), f(4), u(4), 0.1, 1e-5], [f(2, 3), None, None, f(3), u(3), 0.1, 1e-3]],
}
def definite(*shape):  # symmetric positive definite matrices
    x = f(*shape, scale=1)
    return x @ x.mT + torch.eye(shape[-1])


def factored(*shape):
    return torch.linalg.lu_factor_ex(f(*shape))[:2]


mixed, positive = t(-3.5, -0.75, -0.0, 0.0, 0.3, 1.0, 2.5, 9.0), u(6) * 12
FILES["special"] = {
    **{name: [[mixed], [positive], [i(3)]] for name in """lgamma i0 special_i0e special_i1
       special_i1e special_modified_bessel_i0 special_modified_bessel_i1 special_bessel_j0 special_bessel_j1
       special_spherical_bessel_j0 special_airy_ai special_erfcx""".split()},
    "digamma": [[t(-3.5, -0.75, 0.3, 1.0, 9.0)], [positive], [f(3, **half)], [t(0.0, -0.0, -1.0, -3.0)],
                [torch.tensor([0, -2, 3])]],
    **{name: [[positive], [t(0.0, -1.0, 0.1, 2.0, 30.0)]] for name in """special_bessel_y0 special_bessel_y1
       special_modified_bessel_k0 special_modified_bessel_k1 special_scaled_modified_bessel_k0
       special_scaled_modified_bessel_k1""".split()},
    "erfinv": [[t(-1.0, -0.99, 0.0, 0.5, 1.0, 1.5)]], "special_ndtri": [[t(0.0, 1e-6, 0.1, 0.5, 0.95, 1.0, 1.5)]],
    "polygamma": [[order, positive] for order in (0, 1, 3)] + [[2, t(-8.4784, -0.5, -20.25)]] + [
        [0, t(0.0, -0.0, -2.0)], [1, t(-0.0, -0.5, -8.4784, 0.3)], [1, t(-1.0)], [1, t(-3.0)], [4, t(-8.5)], [4, t(-150.5, -300.25)]],
    "special_zeta": [[u(4) * 5 + 1.1, u(4) * 5]], "special_zeta.other_scalar": [[u(4) * 5 + 1.1, 2]],
    "special_zeta.self_scalar": [[3.0, u(4) * 5]],
}
for name in """chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w
        shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
        shifted_chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l
        legendre_polynomial_p""".split():
    degrees, points = t(-1.0, 0.0, 1.0, 2.7, 5.0, 9.0), t(-1.0, -0.4, 0.0, 0.6, 1.0, 1.2)
    FILES["special"] |= {f"special_{name}": [[points, degrees]], f"special_{name}.x_scalar": [[0.7, degrees]],
                         f"special_{name}.n_scalar": [[points, 4], [points, -2], [points, 1]]}
FILES["numbers"] = {
    "pow.Tensor_Tensor": [[i(6), i(6, low=0)], [t(-2, 3, -1, 1, 0), t(-1, -2, -3, -4, -1)]],
    "pow.Tensor_Scalar": [[i(4), 3], [i(4, dtype=torch.int32), 40]], "pow.Scalar": [[-3, i(5, low=0)]],
    "signbit": [[special], [i(4)], [b(3)]], "copysign.Tensor": [[f(8), special], [i(4), i(4)]],
    "copysign.Scalar": [[f(3), -0.0], [f(3), 2]], "angle": [[special], [i(4)]],
    "nextafter": [[special, t(1.0, 1.0, 2.0, -9.0, inf, 0.0, 1.0, nan)], [f(3, **half), f(3, **half)]],
    "frexp.Tensor": [[special], [t(1e-45, -3e38, 1e-39)]], "hypot": [[f(4), f(4)], [t(3e38, nan, 0.0, inf), t(3e37, 1.0, 0.0, nan)]],
    "ldexp.Tensor": [[f(4), i(4)], [t(1e-30, 1.0, 1e38, 0.0), t(200, -149, -160, 1000)], [f(3), f(3)], [i(3), i(3)]],
    "round.decimals": [[f(5), {"decimals": digits}] for digits in (0, 2)] + [[f(5) * 100, {"decimals": -1}]],
    "gcd": [[i(8), i(8)], [t(0, 2 ** 40, -12), t(0, 2 ** 30 * 6, 8)]], "lcm": [[i(8), i(8)]],
    **{f"bitwise_{side}_shift.Tensor": [[i(6), i(6, low=0)], [i(6, dtype=torch.int8), t(-1, 0, 7, 8, 9, 3).to(torch.int8)]]
       for side in ("left", "right")},
    **{f"bitwise_{side}_shift.Tensor_Scalar": [[i(6), 2]] for side in ("left", "right")},
    **{f"bitwise_{side}_shift.Scalar_Tensor": [[-9, i(6, low=0)]] for side in ("left", "right")},
    "__lshift__.Tensor": [[i(6), i(6, low=0)]], "__lshift__.Scalar": [[i(6), 3]],
    "__rshift__.Tensor": [[i(6), i(6, low=0)]], "__rshift__.Scalar": [[i(6), 1]],
    "cumprod": [[f(3, 4), 1], [i(4, 3), 0], [b(4), -1], [t(2.0), 0]],
    **{name: [[f(3, 4), 0], [t(1.0, nan, 3.0, nan, 2.0), 0], [i(2, 9), 1], [b(5), 0], [t(3), 0]]
       for name in ("cummax", "cummin")},
    "logcumsumexp": [[f(3, 4), 1], [t(-inf, 1.0, inf, 2.0), 0], [f(6, **half), 0]],
    "linspace": [[4.3, -3, 50, {"dtype": torch.int64}], [0, 1, 7], [2, 5, 1], [0, 7, 50, {"dtype": torch.int32}]],
    "tril_indices": [[4, 3, 1], [2, 5, -1]], "triu_indices": [[4, 3, 1], [3, 3, -1, {"dtype": torch.int32}]],
    "nonzero_static": [[i(3, 4, low=0, high=2), {"size": 9}], [b(5), {"size": 2, "fill_value": 7}]],
    "histc": [[f(20), 5, -2, 2], [f(20), 7], [t(2.0, 2.0), 3]],
}
FILES["linear-algebra"] = {
    "linalg_cholesky_ex": [[definite(2, 4, 4)], [definite(3, 3), {"upper": True}]], "cholesky": [[definite(3, 3)]],
    "cholesky_solve": [[f(4, 2), torch.linalg.cholesky(definite(4, 4))]],
    "cholesky_inverse": [[torch.linalg.cholesky(definite(2, 3, 3))]],
    "linalg_solve_triangular": [[f(2, 3, 3).tril() + 4 * torch.eye(3), f(3, 2), {"upper": False}],
                                [f(3, 3).triu() + 4 * torch.eye(3), f(2, 2, 3), {"upper": True, "left": False}],
                                [f(3, 3), f(3, 2), {"upper": True, "unitriangular": True}]],
    "triangular_solve": [[f(3, 2), f(3, 3) + 4 * torch.eye(3)], [f(3, 2), f(3, 3) + 4 * torch.eye(3), False, True]],
    "linalg_lu": [[f(4, 3)], [f(2, 3, 4)]], "linalg_lu_factor_ex": [[f(2, 4, 4)], [torch.zeros(2, 2)]],
    "lu_unpack": [[*factored(4, 3)], [*factored(3, 3), True, False], [*factored(3, 3), False, True]],
    "linalg_lu_solve": [[*factored(4, 4), f(4, 2)], [*factored(4, 4), f(4, 2), {"adjoint": True}],
                        [*factored(4, 4), f(2, 3, 4), {"left": False}]],
    "_linalg_solve_ex": [[definite(3, 3), f(3, 2)], [f(2, 3, 3), f(3)], [f(2, 3, 3), f(2, 4, 3), {"left": False}]],
    "linalg_inv_ex": [[f(2, 3, 3) + 3 * torch.eye(3)]], "_linalg_det": [[f(2, 3, 3)], [f(0, 0)]],
    "_linalg_slogdet": [[f(2, 4, 4)]], "linalg_matrix_exp": [[f(2, 3, 3)], [f(4, 4, scale=0.01)], [f(2, 2, scale=9)]],
    "linalg_householder_product": [[f(2, 4, 3), f(2, 2)]],
    "addmv": [[f(3), f(3, 4), f(4), {"beta": 0.5, "alpha": 2}], [i(1), i(3, 4), i(4)], [f(3), f(3, 0), f(0)]],
    "addbmm": [[f(3, 2), f(4, 3, 5), f(4, 5, 2), {"beta": 0.5, "alpha": 2}], [i(2), i(4, 3, 5), i(4, 5, 2)]],
}
ties = t(2.0, nan, -1.0, 2.0, -0.0, 0.0, -inf, inf)
rows = f(2, 6).sort().values
FILES["ordering"] = {
    "sort": [[f(3, 7)], [f(3, 7), 0, True], [ties], [t(5)], [b(9)], [i(2, 0, 3), 1]],
    "sort.stable": [[i(9, high=3), {"stable": True}], [ties, {"stable": True, "descending": True}],
                    [f(2, 5, **half), {"stable": None, "dim": 0}]],
    "topk": [[f(3, 7), 2], [f(3, 7), 2, 0, False], [t(2.0, nan, -1.0, -inf, inf), 3], [t(5.0), 1], [f(4), 0]],
    "searchsorted.Tensor": [[rows, f(2, 5)], [rows[0], f(3, 2), {"right": True, "out_int32": True}],
                            [rows, rows, {"side": "right"}], [t(3, 1, 2), i(5, low=0, high=5), {"sorter": t(1, 2, 0)}],
                            [rows[0], t(nan, -inf, inf)], [f(0), f(3)]],
    "searchsorted.Scalar": [[rows[0], 0.5], [t(1, 3, 5, 7), 4, {"right": True}]],
    "bucketize.Tensor": [[f(2, 5), rows[0]], [i(6), t(-3, 0, 4), {"right": True, "out_int32": True}]],
    "bucketize.Scalar": [[3, t(1, 3, 5)], [0.25, rows[0]]],
}
where = i(2, 4, low=0, high=3)
flags = t(True, False, True, True, False)
FILES["scatters"] = {
    "diagonal": [[cube], [cube, 1, 0, 2], [f(3, 5), -2], [f(3, 5), 7]], "unfold": [[f(2, 7), 1, 3, 2], [t(1.0), 0, 1, 1]],
    "as_strided": [[f(12), [2, 3], [1, 4], 2], [cube, [3], [0]], [f(4), [], []]],
    "slice_scatter": [[f(4, 5), f(4, 2), 1, 1, 4, 2], [f(4, 5), f(2, 5), 0, -2], [f(3), f(0), 0, 5]],
    "select_scatter": [[cube, f(2, 4), 1, -1]],
    "diagonal_scatter": [[f(3, 5), f(3), 1], [cube, f(3, 2), -1, 2, 0], [f(3, 5), f(0), 9]],
    "as_strided_scatter": [[f(12), f(2, 3), [2, 3], [1, 4], 2]],
    "scatter.src": [[f(3, 5), 0, where, f(2, 4)], [b(3, 4), 0, where, b(2, 4)], [t(1.0), 0, t(0), t(2.0)],
                    [f(2, 3), 1, t(0).reshape(1, 1), f(2, 2)]],
    "scatter.value": [[f(3, 4), 0, where, 1.5], [i(3, 4), 0, where, -7], [f(3), 0, i(0), 2]],
    "scatter.reduce": [[f(3, 4), 0, where, f(2, 4), {"reduce": name}] for name in ("add", "multiply")],
    "scatter.value_reduce": [[i(3, 4), 0, where, 3, {"reduce": name}] for name in ("add", "multiply")],
    "scatter_add": [[f(3, 4), 0, where, f(2, 4)], [f(3, 4, **half), 0, where, f(2, 4, **half)],
                    [i(2, 6), -1, i(2, 5, low=0, high=6), i(2, 5)]],
    "scatter_reduce.two": [[each, 0, where, source, name, {"include_self": own}]
                           for name in ("sum", "prod", "mean", "amax", "amin") for own in (True, False)
                           for each, source in ((f(4, 5), f(2, 4)), (i(4, 4), i(2, 4)))]
    + [[t(1.0, nan, 3.0), 0, t(0, 1, 2, 2), t(nan, 5.0, 1.0, nan), "amax"]],
    "index_put": [[f(4, 3), [t(1, -1, 1)], f(3, 3)], [f(4, 3), [t(1, -1, 1)], f(3, 1), True],
                  [cube, [None, t(2, 0), t(1, -1)], f(2, 2)], [cube, [t([0], [1]), None, t(3, 1)], f(2, 2, 3)],
                  [cube, [None, t(1, 1)], f(2, 2, 4), True], [b(4), [t(1, 1)], b(2), True], [f(4), [i(0)], f(0)],
                  [f(5, 3), [flags], t(7.0)], [f(5, 3), [flags], f(3, 3)], [f(2, 5), [None, flags], f(2, 3), True],
                  [f(2, 3), [t([True, False, True], [False, False, True])], f(3)]],
    "_unsafe_index_put": [[f(4, 3), [t(1, -1, 1)], f(3)]], "_unsafe_index.Tensor": [[cube, [None, t(0, -1)]]],
}
volume, line = f(2, 3, 5, 6, 4), f(2, 3, 9)
nans = torch.where(u(1, 2, 6, 6) < 0.2, nan, f(1, 2, 6, 6))


def pooled(name, *arguments):
    return list(overload(name)(*arguments))


def gradient(shape, *arguments):
    return [f(*shape), *arguments]


large = [image, [3, 3], [2, 2], [1, 1], [1, 1], True]
FILES["windows"] = {
    "max_pool1d": [[line, [3], [2], [1]]], "max_pool3d": [[volume, [3, 2, 2], [2], [1, 1, 0], [1, 2, 1]]],
    "max_pool2d_with_indices": [large, [image, [2, 3], [], [1, 0], [2, 1]], [i(1, 2, 5, 5), [2, 2]], [nans, [3, 3], [1]],
                                [t(-inf, -inf, 1.0, -inf).reshape(1, 2, 2), [2, 1]], [f(0, 2, 4, 4), [2, 2]]],
    "max_pool3d_with_indices": [[volume, [2, 2, 2]], [f(3, 5, 6, 4, **half), [3], [1], [1]]],
    "max_pool2d_with_indices_backward": [[f(*out.shape), *large, where] for out, where in [pooled("max_pool2d_with_indices", *large)]],
    "max_pool3d_with_indices_backward": [[f(*out.shape), volume, [2, 2, 2], [1], [0], [1], False, where]
                                         for out, where in [pooled("max_pool3d_with_indices", volume, [2, 2, 2], [1])]],
    "avg_pool1d": [[line, [3], [2], [1]], [line, [4], [3], [2], True, True]],
    "avg_pool3d": [[volume, [2, 3, 2], [], [1, 1, 0], True, False], [volume, [3], [2], [1], True],
                   [i(1, 2, 5, 4, 4), [2], [2], [1]], [volume, [2], [1], [0], False, True, 5]],
    "avg_pool2d_backward": [gradient((1, 4, 4, 4), image, [3], [2], [1], False, True, None),
                            gradient((1, 4, 4, 4), image, [3], [2], [1], True, False, None),
                            gradient((1, 4, 4, 4), image, [2], [2], [0], True, True, 3)],
    "avg_pool3d_backward": [gradient((2, 3, 2, 3, 2), volume, [2], [], [0], False, True, None)],
    "adaptive_avg_pool1d": [[line, [4]]], "_adaptive_avg_pool3d": [[volume, [2, 4, 3]], [volume, [1, 1, 1]]],
    "adaptive_avg_pool3d": [[volume, [5, 2, 7]]], "_adaptive_avg_pool2d_backward": [gradient((1, 4, 3, 5), image)],
    "_adaptive_avg_pool3d_backward": [gradient((2, 3, 2, 4, 1), volume)],
    "adaptive_max_pool2d": [[image, [3, 9]], [nans, [4, 1]]], "adaptive_max_pool3d": [[volume, [2, 4, 3]]],
    "adaptive_max_pool2d_backward": [[f(1, 4, 3, 5), image, pooled("adaptive_max_pool2d", image, [3, 5])[1]]],
    "adaptive_max_pool3d_backward": [[f(2, 3, 2, 4, 1), volume, pooled("adaptive_max_pool3d", volume, [2, 4, 1])[1]]],
    "convolution_backward": [
        [f(1, 6, 4, 4), image, kernel, [6], [2, 2], [1, 1], [1, 1], False, [0, 0], 2, [True, True, True]],
        [f(1, 6, 7, 7), image, f(6, 4, 3, 3), None, [1], [2], [2], False, [0], 1, [True, False, False]],
        [f(1, 6, 14, 14), image, f(4, 3, 3, 3), [6], [2, 2], [1, 1], [1, 1], True, [1, 1], 2, [True, True, True]],
        [f(1, 2, 9, 9), image, f(4, 2, 2, 2), [2], [1, 1], [0, 0], [2, 2], True, [0, 0], 1, [False, True, True]],
        [f(2, 2, 8), line, f(2, 3, 2), [2], [1], [0], [1], False, [0], 1, [True, True, True]],
        [f(2, 4, 4, 5, 3), volume, f(4, 3, 2, 2, 2), [4], [1], [0], [1], False, [0], 1, [True, True, True]]],
}
photo = f(2, 2, 5, 4)
kinds = {"upsample_linear1d": line[:, :, :5], "upsample_bilinear2d": photo, "upsample_bicubic2d": photo,
         "_upsample_bilinear2d_aa": photo, "_upsample_bicubic2d_aa": photo, "upsample_trilinear3d": f(1, 2, 3, 4, 2)}
nearby = {"upsample_nearest1d": line[:, :, :5], "upsample_nearest2d": photo, "upsample_nearest3d": f(1, 2, 3, 4, 2)}
nearby.update({f"_upsample_nearest_exact{name[-2:]}": each for name, each in nearby.items()})


def resized(each, factor):
    return [max(1, round(size * factor)) for size in each.shape[2:]]


FILES["resampling"] = {
    **{name: [[each, resized(each, factor), corners] for factor in (2.3, 0.6, 1) for corners in (False, True)]
       + [[each, resized(each, 2), False, *[2.2] * (each.dim() - 2)]] for name, each in kinds.items()},
    **{f"{name}_backward": [[f(*each.shape[:2], *resized(each, factor)), resized(each, factor), list(each.shape), corners]
                            for factor in (2.3, 0.6) for corners in (False, True)] for name, each in kinds.items()},
    **{f"{name}_backward": [[f(*each.shape[:2], *resized(each, factor)), resized(each, factor), list(each.shape)]
                            for factor in (2, 2.3, 0.6, 1)] for name, each in nearby.items()},
}
# What depends on where numbers are rounded: narrow floats beside Python numbers, sums and products of many of them,
# whole numbers of a line.
many = torch.zeros(300, dtype=torch.int64)
FILES["rounding"] = {
    "linspace": [[-5, 5, 26, {"dtype": torch.int64}], [7, -60, 41, {"dtype": torch.int32}]],
    **{name: [[t(2.546875, -1.0).to(torch.bfloat16), 0.1], [t(1e-3, 0.0, 2.0).to(torch.float16), 1e6]]
       for name in ("mul.Scalar", "div.Scalar", "add.Scalar", "sub.Scalar", "rsub.Scalar")},
    "scatter_add": [[torch.zeros(2, dtype=torch.bfloat16), 0, many, torch.ones(300, dtype=torch.bfloat16)]],
    "scatter_reduce.two": [[torch.ones(2, dtype=torch.bfloat16), 0, many, torch.full((300,), 1.01).to(torch.bfloat16), "prod"]],
    "round.decimals": [[t(-0.94921875, -3.5, 2.25).to(torch.bfloat16), {"decimals": digits}] for digits in (1, -1)],
    "lgamma": [[t(1.0, 2.0)]],
}
# The incomplete gamma functions in each of their regions and at their edges, and truth values that are limited, added
# and multiplied.
sizes = t(0.3, 1e-3, 0.7, 2.0, 5.0, 19.0, 19.0, 25.0, 25.0, 25.0, 300.0, 1e4, 1e4, 0.0, 0.0, inf, inf, 2.0, -1.0, 2.0, 2.0,
          nan, nan, nan, inf, 0.0, 2.0)
points = t(0.4, 0.2, 2.0, 1.5, 9.0, 18.0, 24.0, 5.0, 25.5, 60.0, 310.0, 9.9e3, 2e4, 0.0, 2.0, 3.0, inf, inf, 2.0, -1.0, 0.0,
           inf, 0.0, 2.0, nan, nan, nan)
FILES["limits"] = {
    **{name: [[sizes, points], [u(3, 1) * 9, u(1, 4) * 9], [u(4).bfloat16() * 9, u(4) * 9], [f(0), f(0)]]
       for name in ("igamma", "igammac")},
    **{f"special_{name}": [[t(0.3, 1.0, 1.5, -0.5, 0.3, 2.0), t(nan, inf, -inf, 1e30, -1.5, 2.5)]]
       for name in ("chebyshev_polynomial_t", "shifted_chebyshev_polynomial_w", "hermite_polynomial_h",
                    "laguerre_polynomial_l")},
    **{f"special_{name}": [[t(inf, -inf, nan)]] for name in
       ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "airy_ai", "spherical_bessel_j0")},
    "special_zeta": [[t(2.0 ** 31, 200.0, 201.0, 201.0, 3.0, inf, inf, inf, 2.0),
                      t(5.0, -0.25, -0.25, -1.75, inf, 2.0, 1.0, -0.3, -inf)]],
    "lcm": [[t(14991, -28141, 0).to(torch.int16), t(1669, -20645, 7).to(torch.int16)],
            [t(255, 100).to(torch.uint8), t(254, 3).to(torch.int8)]],
    "threshold_backward": [[t(1.0, 2.0).to(torch.float16), t(inf, 2.0).to(torch.float16), 1e10],
                           [t(1.0, 2.0).to(torch.bfloat16), t(1.0078125, 1.0).to(torch.bfloat16), 1.005]],
    "square": [[t(True, False)]], "elu": [[t(0.0, -0.0, -1.0), inf, 2.0, 1.0]],
    "special_legendre_polynomial_p.n_scalar": [[t(0.5, -1.5), nan], [t(0.5, -1.5), inf]],
    "arange": [[3.1, {"dtype": torch.int64}], [3.1, {"dtype": torch.int32}]],
    "arange.start": [[-0.9, 2.1, {"dtype": torch.int64}]],
    "arange.start_step": [[2.1, -2.9, -1.0, {"dtype": torch.int64}], [0.0, -8.000001, -4.0, {"dtype": torch.int64}],
                          [0.0, -8.000001, -4.0, {"dtype": torch.int32}]],
    "clamp_min.Tensor": [[b(6), b(6)], [special, t(1.0)]], "clamp_max.Tensor": [[b(6), b(6)], [i(4), t(0.5)]],
    "prod": [[t(3, 0), {"dtype": torch.bool}], [t(3, 2), {"dtype": torch.bool}]],
    "prod.dim_int": [[t([2, 0], [1, 5]), 1, True, {"dtype": torch.bool}]],
    "sum": [[t(1, -1), {"dtype": torch.bool}], [t(False, False), {"dtype": torch.bool}]],
    "_neg_view": [[t(1.5, -0.0)]],
    "sum.dim_IntList": [[t([0, 0], [0, 256]), [1], {"dtype": torch.bool}]],
    "addcmul": [[f(2), t([1e20, 1e-30]), t([1e20, 1e30]), {"value": 1e-30}]],
    "addcdiv": [[f(2), t([1e20, 1e-30]), t([1e-20, 1e30]), {"value": 1e-30}]],
}
# Values of no meaning.
WITHOUT = {"empty.memory_format", "empty_like", "new_empty", "empty_strided"}
# Complex numbers, which exist only inside a graph (python/tests/test_torch_complex.py).
WITHOUT |= {"view_as_real", "view_as_complex", "complex", "polar", "_conj", "_conj_physical", "_fft_r2c", "_fft_c2r",
            "_fft_c2c"}
# Numbers that PyTorch's CPU does not draw (python/tests/test_torch_random.py).
WITHOUT |= {"rngprims.philox_rand", "gaudi.philox_bits"}
# The device's own, which PyTorch's CPU does not compute (bridge/tests/test_hpex.py).
WITHOUT |= {f"gaudi.{name}" for name in """sdpa sdpa_grad fused_adamw fused_sgd fused_adagrad fused_lamb fused_ema
            fused_clip_norm""".split()}


def entry(tensor, check=None):
    tensor = tensor.detach().resolve_neg().contiguous()
    kind = writer.DTYPES[tensor.dtype].replace("si", "i")
    stored = tensor.float() if tensor.dtype == torch.bfloat16 else tensor
    shape = "".join(f"{size}x" for size in tensor.shape)
    array = stored.numpy()
    result = {"type": f"tensor<{shape}{kind}>", "dtype": str(array.dtype), "shape": list(tensor.shape),
              "hex": array.tobytes().hex()}
    return {**result, **(check or {})}


def case(name, number, arguments):
    arguments = list(arguments)
    keywords = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
    graph, tensors = torch.fx.Graph(), []

    def place(value):
        if isinstance(value, torch.Tensor):
            node = graph.placeholder(f"x{len(tensors)}")
            node.meta["val"] = value
            tensors.append(value)
            return node
        return [place(each) for each in value] if isinstance(value, list) else value

    placed = [place(each) for each in arguments]
    function = overload(name)
    expected = function(*arguments, **keywords)
    call = graph.call_function(function, tuple(placed), {name: place(each) for name, each in keywords.items()})
    call.meta["val"] = expected
    several = isinstance(expected, (list, tuple))
    outputs = [call]
    if several:  # what is not asked for is None
        outputs = [graph.call_function(operator.getitem, (call, at)) for at, each in enumerate(expected) if each is not None]
    results = [each for each in expected if each is not None] if several else [expected]
    graph.output(tuple(outputs))
    text = writer.Writer(torch.nn.Module()).text(graph)

    def check(tensor):
        if not tensor.dtype.is_floating_point:
            return {"check": "expect_eq_const"}
        return {"check": "expect_almost_eq_const"}  # within docs/numerics.md

    return {"name": f"{name}.{number}", "mlir": text, "inputs": [entry(each) for each in tensors],
            "outputs": [entry(each, check(each)) for each in results], "pairs": []}


def main():
    known = {m[2] if m[1] == "aten" else f"{m[1]}.{m[2]}"
             for m in re.finditer(r'GAUDI_TORCH_OP\("(\w+)::([\w.]+)\(',
                                  (ROOT / "include/Gaudi/Torch/Operators.def").read_text())}
    covered = {name for calls in FILES.values() for name in calls}
    missing, unknown = sorted(known - covered - WITHOUT), sorted(covered - known)
    for name in missing:
        print(f"no case: {name}")
    for name in unknown:
        print(f"not in the table: {name}")
    if "--list-missing" in sys.argv:
        return 1 if missing or unknown else 0
    folder = ROOT / "test" / "models" / "torch-cases"
    folder.mkdir(exist_ok=True)
    chosen = [each for each in sys.argv[1:] if not each.startswith("--")]
    for file, calls in FILES.items():
        if chosen and file not in chosen:
            continue
        cases = [case(name, number, arguments) for name, lists in calls.items() if name in known
                 for number, arguments in enumerate(lists)]
        text = {"source": f"PyTorch {torch.__version__.split('+')[0]} on the CPU, by scripts/torch-cases.py", "cases": cases}
        (folder / f"{file}.json").write_text(json.dumps(text, indent=None, separators=(",", ":")).replace(
            '{"name"', '\n{"name"') + "\n")
        print(f"{file}.json: {len(cases)} cases")
    return 1 if missing or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
