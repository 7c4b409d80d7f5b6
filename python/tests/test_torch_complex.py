# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers inside a graph of the torch dialect: pairs of tensors, against NumPy."""
import numpy as np
import pytest

import gaudi_mlir

RANDOM = np.random.default_rng(3)


def run(lines, inputs, result):
    """The results of a function of f32 tensors; `lines` define %r, of type `result`, from %x0, %x1, ..."""
    arguments = ", ".join(f"%x{i}: !torch.vtensor<[{','.join(map(str, x.shape))}],f32>" for i, x in enumerate(inputs))
    body = "\n".join(f"    {line}" for line in lines)
    text = f"func.func @main({arguments}) -> {result} {{\n{body}\n    return %r : {result}\n}}"
    return gaudi_mlir.compile(text).run(inputs)[0]


def tensor(shape, kind="f32"):
    return f"!torch.vtensor<[{','.join(map(str, shape))}],{kind}>"


def call(name, op, operands, types, result):
    return f'{name} = torch.operator "{op}"({", ".join(operands)}) : ({", ".join(types)}) -> {result}'


def constants(dims, **numbers):
    """Lines for a list of dimensions, %dims, and for numbers and flags."""
    lines = [f"%d{i} = torch.constant.int {dim}" for i, dim in enumerate(dims)]
    lines.append("%dims = torch.prim.ListConstruct " + ", ".join(f"%d{i}" for i in range(len(dims))) + " : ("
                 + ", ".join("!torch.int" for _ in dims) + ") -> !torch.list<int>")
    for name, value in numbers.items():
        if isinstance(value, bool):
            lines.append(f"%{name} = torch.constant.bool {str(value).lower()}")
        else:
            lines.append(f"%{name} = torch.constant.int {value}")
    return lines


def pair(x):
    return np.stack([x.real, x.imag], -1).astype(np.float32)


LIST, INT, BOOL = "!torch.list<int>", "!torch.int", "!torch.bool"
VIEWS = ("torch.aten.view_as_real", "torch.aten.view_as_complex")


@pytest.mark.parametrize("size", [1, 2, 5, 8, 30])
@pytest.mark.parametrize("onesided", [True, False])
def test_real_transform(size, onesided):
    x = RANDOM.standard_normal((3, size)).astype(np.float32)
    count = size // 2 + 1 if onesided else size
    z, r = tensor((3, count), "complex<f32>"), tensor((3, count, 2))
    lines = constants([1], n=0, o=onesided) + [
        call("%z", "torch.aten._fft_r2c", ["%x0", "%dims", "%n", "%o"], [tensor(x.shape), LIST, INT, BOOL], z),
        call("%r", VIEWS[0], ["%z"], [z], r)]
    expected = np.fft.rfft(x) if onesided else np.fft.fft(x)
    np.testing.assert_allclose(run(lines, [x], r), pair(expected), atol=2e-5)


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_transform_back(size):
    z = RANDOM.standard_normal((2, size // 2 + 1)) + 1j * RANDOM.standard_normal((2, size // 2 + 1))
    x = pair(z)
    c, r = tensor(z.shape, "complex<f32>"), tensor((2, size))
    lines = constants([-1], n=2, s=size) + [
        call("%z", VIEWS[1], ["%x0"], [tensor(x.shape)], c),
        call("%r", "torch.aten._fft_c2r", ["%z", "%dims", "%n", "%s"], [c, LIST, INT, INT], r)]
    np.testing.assert_allclose(run(lines, [x], r), np.fft.irfft(z, size), atol=2e-6)


@pytest.mark.parametrize("forward", [True, False])
def test_complex_transform(forward):
    z = RANDOM.standard_normal((3, 4, 5)) + 1j * RANDOM.standard_normal((3, 4, 5))
    c, r = tensor(z.shape, "complex<f32>"), tensor((*z.shape, 2))
    lines = constants([0, 2], n=1, f=forward) + [
        call("%z", VIEWS[1], ["%x0"], [r], c),
        call("%y", "torch.aten._fft_c2c", ["%z", "%dims", "%n", "%f"], [c, LIST, INT, BOOL], c),
        call("%r", VIEWS[0], ["%y"], [c], r)]
    expected = (np.fft.fftn if forward else np.fft.ifftn)(z, axes=(0, 2), norm="ortho")
    np.testing.assert_allclose(run(lines, [pair(z)], r), pair(expected), atol=1e-5)


OPS = {
    "mul.Tensor": lambda a, b: a * b, "div.Tensor": lambda a, b: a / b, "add.Tensor": lambda a, b: a + b,
    "mm": lambda a, b: a @ b,
}


@pytest.mark.parametrize("op", OPS)
def test_two_operands(op):
    a, b = (RANDOM.standard_normal((3, 3)) + 1j * RANDOM.standard_normal((3, 3)) for _ in range(2))
    c, r = tensor((3, 3), "complex<f32>"), tensor((3, 3, 2))
    more = (["%one"], [INT]) if op == "add.Tensor" else ([], [])
    lines = constants([0], one=1) + [
        call("%a", VIEWS[1], ["%x0"], [r], c), call("%b", VIEWS[1], ["%x1"], [r], c),
        call("%z", f"torch.aten.{op}", ["%a", "%b", *more[0]], [c, c, *more[1]], c), call("%r", VIEWS[0], ["%z"], [c], r)]
    np.testing.assert_allclose(run(lines, [pair(a), pair(b)], r), pair(OPS[op](a, b)), atol=1e-5)


UNARY = {"abs": np.abs, "angle": np.angle, "exp": np.exp, "_conj": np.conj, "reciprocal": np.reciprocal,
         "neg": np.negative, "sgn": lambda z: z / np.abs(z)}


@pytest.mark.parametrize("op", UNARY)
def test_one_operand(op):
    z = RANDOM.standard_normal((2, 3)) + 1j * RANDOM.standard_normal((2, 3))
    c, pairs = tensor((2, 3), "complex<f32>"), tensor((2, 3, 2))
    lines = [call("%a", VIEWS[1], ["%x0"], [pairs], c)]
    if op in ("abs", "angle"):
        lines.append(call("%r", f"torch.aten.{op}", ["%a"], [c], tensor((2, 3))))
        np.testing.assert_allclose(run(lines, [pair(z)], tensor((2, 3))), UNARY[op](z), atol=1e-6)
        return
    lines += [call("%z", f"torch.aten.{op}", ["%a"], [c], c), call("%r", VIEWS[0], ["%z"], [c], pairs)]
    np.testing.assert_allclose(run(lines, [pair(z)], pairs), pair(UNARY[op](z)), atol=1e-5)


@pytest.mark.parametrize("op", ["complex", "polar"])
def test_parts(op):
    a, b = (RANDOM.standard_normal(4).astype(np.float32) for _ in range(2))
    c = tensor((4,), "complex<f32>")
    lines = [call("%z", f"torch.aten.{op}", ["%x0", "%x1"], [tensor((4,))] * 2, c),
             call("%r", VIEWS[0], ["%z"], [c], tensor((4, 2)))]
    expected = a + 1j * b if op == "complex" else a * np.exp(1j * b)
    np.testing.assert_allclose(run(lines, [a, b], tensor((4, 2))), pair(expected), atol=1e-6)


def test_linspace():
    c = tensor((5,), "complex<f32>")
    lines = ["%start = torch.constant.int -1", "%end = torch.constant.float 2.5", "%steps = torch.constant.int 5",
             "%dtype = torch.constant.int 9", "%none = torch.constant.none",
             call("%z", "torch.aten.linspace", ["%start", "%end", "%steps", "%dtype", "%none", "%none", "%none"],
                  ["!torch.int", "!torch.float", "!torch.int", "!torch.int", *["!torch.none"] * 3], c),
             call("%v", VIEWS[0], ["%z"], [c], tensor((5, 2))),
             call("%r", "torch.aten.mul.Tensor", ["%v", "%x0"], [tensor((5, 2)), tensor((1,))], tensor((5, 2)))]
    np.testing.assert_allclose(run(lines, [np.ones(1, np.float32)], tensor((5, 2))), pair(np.linspace(-1, 2.5, 5) + 0j))


def refusal(lines, inputs, result):
    with pytest.raises(gaudi_mlir.CompileError) as caught:
        run(lines, inputs, result)
    return str(caught.value)


def test_refused():
    x = np.zeros((2, 2), np.float32)
    c = tensor((2,), "complex<f32>")
    view = call("%z", VIEWS[1], ["%x0"], [tensor((2, 2))], c)
    other = call("%r", "torch.aten.floor", ["%z"], [c], c)
    assert "not supported for complex numbers" in refusal([view, other], [x], c)
