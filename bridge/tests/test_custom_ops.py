# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a user's own: op by op, lazily and compiled, with gradients; what is refused."""
import gaudi_mlir
import gaudi_mlir.torch
import pytest
import torch
from gaudi_mlir.torch import kernels
from habana_frameworks.torch import _C
from habana_frameworks.torch.hpu.metrics import metric_localcontext


@kernels.op("custom::swish_grad(Tensor dy, Tensor x, float beta) -> Tensor")
def swish_grad(k, dy, x, dx, beta):
    i = k.indices
    s = 1 / (1 + k.exp(x[i] * -beta))
    dx[i] = dy[i] * (s + beta * x[i] * s * (1 - s))


@kernels.op("custom::swish(Tensor x, float beta=1.0) -> Tensor",
            reference=lambda x, beta: x * torch.sigmoid(beta * x),
            samples=[(torch.linspace(-4, 4, 15).reshape(3, 5), 1.5),
                     (torch.linspace(-4, 4, 7).bfloat16(), 1.0)],
            gradient=lambda dy, x, beta: swish_grad(dy, x, beta))
def swish(k, x, y, beta):
    y[k.indices] = x[k.indices] / (1 + k.exp(x[k.indices] * -beta))


@kernels.op("custom::row_max(Tensor x) -> (Tensor, Tensor)",
            results=lambda x: (x.new_empty(x.shape[:1]),
                               x.new_empty(x.shape[:1], dtype=torch.int64)),
            reference=lambda x: tuple(torch.max(x, 1)),
            samples=[(torch.tensor([[1., 5, 5], [-3, -2, -1]]),),
                     (torch.tensor([[4, -9, 7]], dtype=torch.int32),)])
def row_max(k, x, values, places):
    (i,) = k.indices
    values[i], places[i] = k.loop(x.shape[1], lambda j: x[i, j], "argmax")


def _sides(x, y):
    return f"""gaudi.tpc.kernel (%x) index_space [{x.shape[0]}] parallel [true] : ({x}) -> {y} {{
^bb0(%a: {x}, %b: {y}):
  %l = gaudi.kernel.load %a[d0 - 1] boundary [#gaudi.boundary<clamp>] : {x}
  %r = gaudi.kernel.load %a[d0 + 1] boundary [#gaudi.boundary<clamp>] : {x}
  %s = arith.addf %l, %r : f32
  gaudi.kernel.store %s, %b[d0] : {y}
}}"""


def _sides_reference(x):
    return torch.cat([x[:1], x[:-1]]) + torch.cat([x[1:], x[-1:]])


sides = kernels.op("custom::sides(Tensor x) -> Tensor", text=_sides, reference=_sides_reference,
                   samples=[(torch.arange(5.),)])

MODES = ["eager", "lazy", "compile"]


@pytest.fixture(params=MODES)
def call(request):
    """How a function of tensors of the card is called."""
    _C.set_lazy_mode(int(request.param == "lazy"))
    torch.compiler.reset()
    yield (lambda function: torch.compile(function, backend="hpu_backend", fullgraph=True)) \
        if request.param == "compile" else lambda function: function
    _C.cut_all("the end of the test")
    _C.set_lazy_mode(0)


def test_a_kernel_has_a_gradient(call):
    """In the launch of what is beside it, and never on the CPU."""
    x = torch.randn(4, 6, generator=torch.Generator().manual_seed(0))
    mine, other = x.to("hpu").requires_grad_(), x.clone().requires_grad_()
    with metric_localcontext("cpu_fallback") as fallback:
        y = call(lambda x: swish(x * 2, 1.5) + 1)(mine)
        y.sum().backward()
        torch.testing.assert_close(y.detach().cpu(), (2 * x) * torch.sigmoid(3 * x) + 1)
    wanted = (2 * other) * torch.sigmoid(3 * other)
    wanted.sum().backward()
    torch.testing.assert_close(mine.grad.cpu(), other.grad)
    assert dict(fallback.stats())["TotalNumber"] == 0


def test_several_results_and_a_loop(call):
    x = torch.randn(5, 9, generator=torch.Generator().manual_seed(0))
    values, places = call(lambda x: row_max(x))(x.to("hpu"))
    torch.testing.assert_close((values.cpu(), places.cpu()), tuple(torch.max(x, 1)))


def test_text(call):
    for size in (3, 8):
        x = torch.arange(float(size))
        torch.testing.assert_close(call(lambda x: sides(x))(x.to("hpu")).cpu(),
                                   _sides_reference(x))


def test_numbers_that_change(call):
    x = torch.linspace(-2, 2, 9)
    function = call(lambda x, beta: swish(x, beta))
    for beta in (0.5, 1.0, 2.0):
        torch.testing.assert_close(function(x.to("hpu"), beta).cpu(), x * torch.sigmoid(beta * x))
    torch.testing.assert_close(call(lambda x: swish(x) + swish(x, beta=2.0))(x.to("hpu")).cpu(),
                               x * torch.sigmoid(x) + x * torch.sigmoid(2 * x))


def test_views_of_the_card():
    x = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(swish(x.to("hpu").t()[1:], 1.0).cpu(),
                               (x * torch.sigmoid(x)).t()[1:])


def test_on_the_cpu_it_is_the_reference():
    x = torch.randn(3).requires_grad_()
    torch.testing.assert_close(swish(x), x * torch.sigmoid(x))
    y = torch.randn(3).to("hpu").requires_grad_()
    swish(y).sum().backward()  # by the default of beta
    z = y.detach().cpu().requires_grad_()
    (z * torch.sigmoid(z)).sum().backward()
    torch.testing.assert_close(y.grad.cpu(), z.grad)


def test_in_compiled_graphs_of_the_host():
    gaudi_mlir.torch.reset()
    x = torch.randn(3, 4)
    compiled = torch.compile(lambda x: swish(x, 1.0).relu(), backend="gaudi", fullgraph=True)
    torch.testing.assert_close(compiled(x), (x * torch.sigmoid(x)).relu())
    graph = gaudi_mlir.torch.explain().graphs[-1]
    assert graph.kind == "inference" and not gaudi_mlir.torch.explain().fallbacks


def test_it_has_a_time():
    times = [swish.recipe(torch.empty(size, 1024, device="meta"), 1.0).predict().time_us
             for size in (1024, 4096)]
    assert 0 < 2 * times[0] < 1.5 * times[1]


def test_functions_of_numbers():
    """Each function and operator, against PyTorch's."""
    names = ["exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "sqrt", "rsqrt", "sin", "cos",
             "tan", "tanh", "sinh", "cosh", "erf", "erfc", "floor", "ceil", "trunc", "round", "abs",
             "asin", "acos", "atan"]
    x = torch.linspace(0.1, 0.9, 8)

    def wanted(x):
        rows = [getattr(torch, name)(x) for name in names]
        whole = (x * 10).int()
        return (*rows, x ** 2.0, -x, 1 - x, 2 / x, torch.where(x < 0.5, x, -1.0),
                torch.maximum(x, 1 - x), torch.minimum(x, 1 - x), torch.atan2(x, 1 - x),
                (whole * 3 - 1).float(), ((whole & 1) == 1).float(), (whole ^ 5).float(),
                torch.arange(8.) * 2 + 1)

    results = ", ".join(["Tensor"] * (len(names) + 12))

    @kernels.op(f"custom::functions(Tensor x) -> ({results})", reference=wanted, samples=[(x,)])
    def functions(k, x, *ys):
        (i,) = k.indices
        v = x[i]
        whole = (v * 10).to("i32")
        rows = [getattr(k, name)(v) for name in names] + [
            v ** 2.0, -v, 1 - v, 2 / v, k.where(v < 0.5, v, -1.0), k.maximum(v, 1 - v),
            k.minimum(v, 1 - v), k.atan2(v, 1 - v), whole * 3 - 1, (whole & 1) == 1, whole ^ 5,
            (i * 2 + 1).value()]
        for y, row in zip(ys, rows):
            y[i] = row


def test_loops_and_boundaries():
    x = torch.tensor([[3., 1, 2], [6, 5, 4]])
    results = ", ".join(["Tensor"] * 6)

    @kernels.op(f"custom::loops(Tensor x) -> ({results})", samples=[(x,)],
                results=lambda x: tuple(x.new_empty(x.shape[:1]) for _ in range(6)),
                reference=lambda x: (x.sum(1), x.prod(1), x.amax(1), x.amin(1),
                                     x[:, 2] + x[:, 1] / 2 + x[:, 0] / 4, x[:, 2] + 7))
    def loops(k, x, *ys):
        (i,), count = k.indices, x.shape[1]
        for y, kind in zip(ys, ("add", "mul", "max", "min")):
            y[i] = k.loop(count, lambda j: x[i, j], kind)
        ys[4][i] = k.loop(count, lambda j, before: before / 2 + x[i, j], "custom", init=0.0)
        ys[5][i] = x.load((i, k.indices[0] * 0 + count), "clamp") + \
            x.load((i, k.indices[0] * 0 + count), "pad", pad=7.0)

    @kernels.op("custom::take(Tensor x, Tensor index) -> Tensor",
                results=lambda x, index: x.new_empty(index.shape),
                reference=lambda x, index: x[index],
                samples=[(torch.arange(5.), torch.tensor([4, 0, 2]))])
    def take(k, x, index, y):
        y[k.indices] = x[index[k.indices]]

    with pytest.raises(RuntimeError, match="index 9"):
        take(torch.arange(5.).to("hpu"), torch.tensor([9]).to("hpu")).cpu()


def test_unsigned_tensors():
    """Their numbers are those that PyTorch computes in a wider type."""
    for dtype, most in ((torch.uint8, 255), (torch.uint16, 2**16 - 1), (torch.uint32, 2**32 - 1)):
        x = torch.tensor([0, 3, most // 2 + 1, most]).to(dtype)

        @kernels.op(f"custom::of_{dtype}(Tensor x) -> (Tensor, Tensor, Tensor, Tensor)".replace(
                        "torch.", ""), samples=[(x,)],
                    results=lambda x: (torch.empty_like(x), torch.empty_like(x, dtype=torch.int64),
                                       torch.empty_like(x, dtype=torch.float32),
                                       torch.empty_like(x)),
                    reference=lambda x: (x, x.long() + 1, x.float() / 2,
                                         torch.cat([x[1:], (x[:1].long() + 200).to(x.dtype)])))
        def unsigned(k, x, same, more, half, following):
            (i,) = k.indices
            same[i] = x[i] * 1.0 if x.dtype != torch.uint32 else x[i]
            more[i] = x[i].to("i64") + 1
            half[i] = x[i] / 2
            following[i] = x.load(i + 1, "pad", pad=200)


def test_indices_compare():
    results = ", ".join(["Tensor"] * 6)

    @kernels.op(f"custom::compared(Tensor x) -> ({results})", samples=[(torch.empty(4, 5),)],
                reference=lambda x: tuple(
                    function(torch.arange(4.)[:, None], torch.arange(5.)[None, :] - 1).float()
                    for function in (torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge)))
    def compared(k, x, *ys):
        i, j = k.indices
        for y, flag in zip(ys, (i == j - 1, i != j - 1, i < j - 1, i <= j - 1, i > j - 1,
                                -i <= 1 - j)):
            y[i, j] = k.where(flag, 1.0, 0.0)


def test_integers_are_negated_exactly():
    """Also those that float32 has not."""
    x = torch.tensor([2**24 + 1, -2**40 - 1, 0, 7])

    @kernels.op("custom::negated(Tensor x) -> Tensor", samples=[(x,)], reference=torch.neg)
    def negated(k, x, y):
        y[k.indices] = -x[k.indices]


def test_truth_is_a_number():
    """Of arithmetic, as in Python; what is stored as bool is true unless it is 0."""
    x, y = torch.tensor([True, True, False]), torch.tensor([True, False, False])
    results = ", ".join(["Tensor"] * 9)

    def results_of(x, y):
        return (*[x.new_empty(3, dtype=torch.int32) for _ in range(8)], x.new_empty(3))

    def reference(x, y):
        a, b = x.int(), y.int()
        return (a + b, a - b, a * b, torch.maximum(a, b), torch.minimum(a, b), -a, a * 5,
                a.sum().expand(3).int(), (a + b).bool())

    @kernels.op(f"custom::truth(Tensor x, Tensor y) -> ({results})", samples=[(x, y)],
                results=results_of, reference=reference)
    def truth(k, x, y, *made):
        (i,) = k.indices
        a, b = x[i], y[i]
        for result, value in zip(made, (
                a + b, a - b, a * b, k.maximum(a, b), k.minimum(a, b), -a, a * 5,
                k.loop(3, lambda j: x[j]), a + b)):
            result[i] = value

    @kernels.op("custom::truth_of(Tensor x) -> Tensor", samples=[(torch.tensor([0., .5, 2.]),)],
                results=lambda x: x.new_empty(x.shape, dtype=torch.bool),
                reference=lambda x: x != 0)
    def truth_of(k, x, y):
        y[k.indices] = x[k.indices]


@pytest.mark.parametrize("body,message", [
    (lambda k, x, y: bool(x[k.indices] > 0), "k.where"),
    (lambda k, x, y: 1.0 if k.indices[0] == 0 else 0.0, "chooses between"),
    (lambda k, x, y: 1.0 if k.indices[0] else 0.0, "no branches"),
    (lambda k, x, y: x[k.indices[0], 0], "2 indices of a tensor of 1 dimensions"),
    (lambda k, x, y: k.gamma(x[k.indices]), "no function 'gamma'"),
    (lambda k, x, y: x[k.indices] & 1.5, "'and' is no op of f32"),
    (lambda k, x, y: x[k.indices] + "a", "not with str"),
    (lambda k, x, y: x[k.indices] * 1e300, "beyond float32"),
    (lambda k, x, y: x[k.indices].to("f64"), "no numbers of the type 'f64'"),
    (lambda k, x, y: k.loop(2, lambda i: k.loop(2, lambda j: x[j])), "do not nest"),
    (lambda k, x, y: k.loop(2, lambda i: x[i], "xor"), "needs what it begins with"),
    (lambda k, x, y: [y.__setitem__(k.indices, 1.0) for _ in range(2)], "at one place"),
    (lambda k, x, y: None, "result 0 is not written; the function assigns it"),
])
def test_what_a_function_cannot_do(body, message):
    name = f"custom::bad{abs(hash(message))}"
    made = kernels.op(f"{name}(Tensor x) -> Tensor")(body)
    with pytest.raises((kernels.KernelError, AttributeError), match=message):
        made.text(torch.ones(3))


def test_what_a_registration_refuses():
    with pytest.raises(kernels.KernelError, match="is no schema; write the types of what it takes"):
        kernels.op("mine::bare")(lambda x: x)
    with pytest.raises(kernels.KernelError, match="has a namespace, as mine::alone"):
        kernels.op("alone(Tensor x) -> Tensor")(None)
    with pytest.raises(kernels.KernelError, match="writes results, not operands"):
        kernels.op("custom::writes(Tensor(a!) x) -> Tensor(a!)")(None)
    for name, kind in (("many", "Tensor[] x"), ("named", "Tensor x, *, int dim"),
                       ("maybe", "Tensor? x")):
        with pytest.raises(kernels.KernelError, match="tensors and numbers by their places"):
            kernels.op(f"custom::{name}({kind}) -> Tensor")(None)
    with pytest.raises(kernels.KernelError, match="a kernel gives tensors"):
        kernels.op("custom::number(Tensor x) -> int")(None)
    with pytest.raises(kernels.KernelError, match="begins with"):
        kernels.op("custom::no_text(Tensor x) -> Tensor", text="%0 = nothing").text(torch.ones(2))
    with pytest.raises(kernels.KernelError, match="has no reference"):
        swish_grad.check(torch.ones(2), torch.ones(2), 1.0)
    with pytest.raises(kernels.KernelError, match="no tensors of torch.complex64"):
        swish.text(torch.ones(2, dtype=torch.complex64), 1.0)
    with pytest.raises(kernels.KernelError, match="is not that of its reference.*\n.*not close"):
        @kernels.op("custom::off(Tensor x) -> Tensor", reference=lambda x: x + 1,
                    samples=[(torch.ones(4),)])
        def off(k, x, y):
            y[k.indices] = x[k.indices] + 2
    for number, other in enumerate((lambda x: (x, x), lambda x: x[None], lambda x: x.int())):
        with pytest.raises(kernels.KernelError, match="the results are tensor<4xf32>, those of"):
            @kernels.op(f"custom::other{number}(Tensor x) -> Tensor", reference=other,
                        samples=[(torch.ones(4),)])
            def same(k, x, y):
                y[k.indices] = x[k.indices]
    with pytest.raises(NotImplementedError, match="swish_grad was registered without a gradient"):
        x = torch.ones(2).to("hpu").requires_grad_()
        swish_grad(x, x, 1.0).sum().backward()


def test_a_kernel_that_is_wrong_says_where():
    """Two points write one element: the compiler's verifier refuses it."""
    made = kernels.op("custom::twice(Tensor x) -> Tensor", results=lambda x: x.new_empty(1),
                      index_space=lambda x: x.shape)(
        lambda k, x, y: y.__setitem__(0, x[k.indices]))
    with pytest.raises(gaudi_mlir.CompileError, match="stored to one place from several points"):
        made.recipe(torch.ones(3))
    with pytest.raises(kernels.KernelError, match="twice cannot be compiled: .*several points"):
        made(torch.ones(3).to("hpu")).cpu()
    neighbour = kernels.op("custom::difference(Tensor x) -> Tensor")(
        lambda k, x, y: y.__setitem__(k.indices, x[k.indices[0] + 1]))
    with pytest.raises(kernels.KernelError, match=r"test_custom_ops.py:\d+: index 0 of 'x' runs from 1 "
                                                  r"to 3, outside \[0, 3\); read what may be outside by "):
        neighbour(torch.ones(3).to("hpu")).cpu()
    with pytest.raises(kernels.KernelError, match="swish_grad has no reference"):
        swish_grad(torch.ones(2), torch.ones(2), 1.0)


def test_sizes_that_change():
    function = torch.compile(lambda x: swish(x * 2) + 1, backend="hpu_backend", dynamic=True,
                             fullgraph=True)
    for size in (3, 5, 7):
        x = torch.linspace(-1, 1, size)
        torch.testing.assert_close(function(x.to("hpu")).cpu(), 2 * x * torch.sigmoid(2 * x) + 1)
