# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs functions of PyTorch on the emulated device through the torch dialect, and judges what they give."""
import contextlib
import functools
import os
import pathlib
import traceback
import unittest.mock

import numpy as np
import torch
from torch._functorch.aot_autograd import aot_function
from torch._subclasses.fake_tensor import DynamicOutputShapeException
from torch.fx.experimental.proxy_tensor import make_fx

import agreement
import gaudi_mlir
from gaudi_mlir.torch import bounded, decompositions, distributions, gradients, partition, pieces
from gaudi_mlir.torch.compiler import clean
from gaudi_mlir.torch.tracing import tracing
from gaudi_mlir.torch.writer import DTYPES, Unwritten, Writer


PACKAGE = pathlib.Path(gaudi_mlir.__file__).resolve().parent


# Of equal elements PyTorch may give any position; the number of the argument, behind the tensor, that is the dimension.
ANY_POSITION = {"topk": 1, "kthvalue": 1, "sort": 0, "argsort": 0, "median": 0, "nanmedian": 0, "mode": 0}


class Refused(Exception):
    """The device cannot run it, and why."""


class NoGraph(Exception):
    """PyTorch cannot trace it, or it computes nothing."""


class OnHost(Exception):
    """It would run, but not on the device."""


# --- running -------------------------------------------------------------------------------------


def as_pairs(tensor):
    """Complex numbers as pairs of their parts, which the device has; other tensors as they are, and dense."""
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    tensor = tensor.resolve_neg()
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor


def tensor_of(array, dtype):
    """A tensor with the bits of an array, whose type may be one that NumPy lacks."""
    if dtype.is_complex:
        pairs = tensor_of(array, dtype.to_real())  # strides of nothing are any
        return torch.view_as_complex(pairs) if pairs.numel() else torch.empty(pairs.shape[:-1], dtype=dtype)
    array = np.ascontiguousarray(array).reshape(np.shape(array))
    if array.dtype == np.bool_:
        return torch.from_numpy(array)
    bits = torch.from_numpy(array.view(f"i{array.dtype.itemsize}"))
    return bits.view(dtype) if dtype.itemsize == array.dtype.itemsize else bits


class Compiler:
    """Compiles graphs whose inputs are all given at run time."""

    def __init__(self):
        self.calls = 0  # of ops in what was compiled last
        # Kernels of PyTorch may make tensors of numbers behind the trace's back (ctc_loss of lengths that are lists).
        self.reads_unwritten = False

    @staticmethod
    def without_checks(graph):
        """Removes what raises on the host by a number that the device gives, and the tokens that order it, which are
        inputs and None; returns how many tokens there are."""
        tokens = {}
        for node in list(graph.nodes):
            if partition.checks_errors(node):
                token = node.args[0]
                for part in list(node.users):
                    part.replace_all_uses_with(token)
                    graph.erase_node(part)
                graph.erase_node(node)
                if token.op == "placeholder":
                    tokens[token] = None
        end = next(node for node in graph.nodes if node.op == "output")
        end.args = torch.fx.map_arg(end.args, lambda node: tokens.get(node, node))
        for token in tokens:
            graph.erase_node(token)
        return len(tokens)

    def __call__(self, graph, _inputs=None):
        """The graph as a function of its inputs; raises Refused. Where sizes depend on values, the function reads
        a count and cuts a result of the device."""
        tokens = self.without_checks(graph.graph)
        clean(graph.graph)
        graph.graph.eliminate_dead_code()
        bounded.move_cuts(graph)
        if pieces.is_divided(graph):
            divided = pieces.Divided(graph, lambda piece: lambda values, run=self.compiled(piece): run(*values))
            return lambda *values: divided(values[tokens:])
        run = self.compiled(graph)
        return lambda *values: run(*values[tokens:])

    def compiled(self, graph):
        self.reads_unwritten |= any(user.op == "call_function" for node in graph.graph.find_nodes(
            op="call_function", target=torch.ops.aten.empty.memory_format) for user in node.users)
        gradients.rewrite(graph)
        drawn = distributions.rewrite(graph)
        for node in list(graph.graph.nodes):
            if node.target in (torch.ops.aten._assert_async.default, torch.ops.aten._assert_async.msg):
                graph.graph.erase_node(node)
        graph.graph.eliminate_dead_code()
        nodes = list(graph.graph.nodes)
        end = next(node for node in nodes if node.op == "output")
        results = torch.utils._pytree.tree_leaves(end.args[0])
        computed = [each for each in results if isinstance(each, torch.fx.Node)]
        end.args = (tuple(computed),)
        dtypes = [each.meta["val"].dtype for each in computed]
        writer = Writer(graph)
        try:
            text = writer.text(graph.graph)
            recipe = gaudi_mlir.compile(text)
        except Unwritten as error:
            raise Refused(f"not written: {error}") from None
        except gaudi_mlir.CompileError as error:
            lines = str(error).splitlines()
            found = [line for line in lines if "cannot convert" in line]
            raise Refused((found or lines)[0].partition("error: ")[2] or lines[0]) from None
        self.calls += sum(node.op == "call_function" and "getitem" not in node.name for node in nodes)
        executable = recipe.executable(threads=1)
        placeholders = [node for node in nodes if node.op == "placeholder"]
        attributes = {node: getattr(graph, node.target) for node in nodes if node.op == "get_attr"}

        def run(*values):
            given = {**attributes, **dict(zip(placeholders, [*values, *(distributions.state() if drawn else [])]))}
            arrays = [as_pairs(given[node].detach()).contiguous() for _, node in writer.inputs]
            got = iter(zip(executable.run(arrays), dtypes))
            if executable.stats.last_launch.iterations:
                raise OnHost("a loop that the host runs")
            return [tensor_of(*next(got)) if isinstance(each, torch.fx.Node) else None for each in results]

        return run


def reason_of(error):
    """The first line of what PyTorch says of a function that it cannot trace. An error of our own package is none of
    its reasons: it is raised again, and the item counts as crashed."""
    frames = traceback.extract_tb(error.__traceback__)
    if frames and pathlib.Path(frames[-1].filename).is_relative_to(PACKAGE):
        raise error
    return str(error).split("\n")[0]


def traced(function, tensors, compiler):
    """The function, which only computes, as one graph on the device."""
    def graph_of(function):
        made = make_fx(torch.func.functionalize(function), decomposition_table=decompositions.table())
        with tracing():
            graph = made(*[each.detach().clone() for each in tensors])  # tracing runs it
        graph.graph.eliminate_dead_code()
        return graph, any(partition.mutates(node) for node in graph.graph.nodes)

    try:
        graph, mutates = graph_of(function)
        if mutates:  # kernels of PyTorch write into what they made
            graph, mutates = graph_of(graph)
    except Exception as error:
        raise NoGraph(reason_of(error)) from None
    if not any(node.op == "call_function" for node in graph.graph.nodes):
        raise NoGraph("it computes nothing")
    if mutates:  # an input
        return differentiable(function, tensors, compiler)
    return compiler(graph)


def differentiable(function, tensors, compiler):
    """The function on the device, with its gradients: two graphs, which PyTorch divides. Where sizes depend on
    values, which PyTorch only knows by computing them, one graph for the values and one for all."""
    def inside(*given):
        with tracing():
            return function(*given)

    made = aot_function(inside, fw_compiler=compiler, bw_compiler=compiler, decompositions=decompositions.table())
    return lambda *given: by_values(function, given, compiler) if depends_on_values(made, given) else made(*given)


def depends_on_values(made, given):
    """Whether a function that is compiled when it is called has a size that depends on values."""
    try:
        made(*[each.detach().clone().requires_grad_(each.requires_grad) for each in given])  # it may change them
    except DynamicOutputShapeException:
        return True
    return False


def by_values(function, given, compiler):
    """The results of a function whose gradients are computed by a graph of their own, from the inputs on."""
    table = decompositions.table()
    wanted = [index for index, each in enumerate(given) if each.requires_grad]

    @torch.enable_grad()
    def gradients(values, cotangents):
        leaves = [each.detach().requires_grad_(index in wanted) for index, each in enumerate(values)]
        roots = [each for each in function(*leaves) if each.requires_grad]
        return [torch.zeros_like(leaves[index]) if each is None else each for index, each in zip(
            wanted, torch.autograd.grad(roots, [leaves[index] for index in wanted], cotangents, allow_unused=True))]

    class Computed(torch.autograd.Function):
        @staticmethod
        def forward(context, *values):
            context.save_for_backward(*values)
            values = [each.detach() for each in values]
            results = compiler(make_fx(function, decomposition_table=table)(*values))(*values)
            context.mark_non_differentiable(*[each for each in results if not each.dtype.is_floating_point])
            return tuple(results)

        @staticmethod
        def backward(context, *cotangents):
            values = [each.detach() for each in context.saved_tensors]
            cotangents = [each for each in cotangents if each.dtype.is_floating_point]
            graph = make_fx(gradients, decomposition_table=table)(values, cotangents)
            made = iter(compiler(graph)(*values, *cotangents))
            return tuple(next(made) if index in wanted else None for index in range(len(values)))

    return list(Computed.apply(*given))


def by_backend(function, tensors, compiler):
    """The function by torch.compile, with nothing on the CPU."""
    import gaudi_mlir.torch  # noqa: F401: the backend
    os.environ["PT_HPU_PLACE_ON_CPU"] = "none"
    torch._dynamo.reset()
    return torch.compile(function, backend="gaudi", dynamic=False)


# --- judging -------------------------------------------------------------------------------------


@functools.cache
def tolerances():
    return agreement.tolerances()


def tolerance_of(dtype, scope="op"):
    """What docs/numerics.md allows, None for integers; f64 is computed in f32."""
    if not dtype.is_floating_point:
        return None
    name = DTYPES[torch.float32 if dtype == torch.float64 else dtype]
    return tolerances()[name, scope]


def difference(got, expected, scope, slack=0.0):
    """None if the lists of tensors agree, else what differs. `slack` is allowed of each element, too."""
    if len(got) != len(expected):
        return f"{len(got)} results instead of {len(expected)}"
    for index, (value, want) in enumerate(zip(got, expected)):
        if (value is None) != (want is None):
            return f"result {index}: {'no' if value is None else 'a'} gradient"
        if value is None:
            continue
        if value.dtype != want.dtype:
            return f"result {index}: {value.dtype} instead of {want.dtype}"
        value, want = as_pairs(value), as_pairs(want)
        arrays = [(each.double() if each.dtype.is_floating_point else each).detach().numpy()
                  for each in (value, want)]
        tolerance = tolerance_of(want.dtype, scope)
        if tolerance:
            tolerance = (*tolerance[:2], tolerance[2] + slack)
        words = agreement.difference(*arrays, tolerance)
        if words:
            return f"result {index} ({DTYPES[want.dtype]}): {words}"
    return None


def same_types(got, expected):
    """None if the lists have the same types and shapes, else what differs."""
    types = [[(each.dtype, tuple(each.shape)) for each in tensors if each is not None] for tensors in (got, expected)]
    return None if types[0] == types[1] else f"types {types[0]} instead of {types[1]}"


@contextlib.contextmanager
def without_fast_path():
    """Attention and encoders by their ops, not by kernels of PyTorch for inference on the host."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


def evaluate(function, tensors, seed, cotangents=None):
    """Results, gradients if `cotangents` are given (made for the first call), and the inputs that changed."""
    torch.manual_seed(seed)
    given = [each.detach().clone().requires_grad_(each.requires_grad and cotangents is not None) for each in tensors]
    # A function that changes a leaf needs one that is none.
    # Suites seed their random ops, once for all; the fast path of encoders writes zeros where masks hide, as no trace does.
    with unittest.mock.patch.object(torch, "manual_seed"), without_fast_path():
        results = [each for each in function(*given) if isinstance(each, torch.Tensor)]
    values = [each.detach() for each in results]
    if cotangents is None:
        return values
    roots = [each for each in results if each.requires_grad and (each.is_floating_point() or each.is_complex())]
    if not roots:
        raise NoGraph("it has no gradient")
    if not cotangents:
        generator = torch.Generator().manual_seed(seed)
        cotangents += [torch.randn(each.shape, generator=generator,
                                   dtype=torch.complex64 if each.is_complex() else None).to(each.dtype) for each in roots]
    leaves = [each for each in given if each.requires_grad]
    return values + list(torch.autograd.grad(roots, leaves, cotangents, allow_unused=True))


def is_random(function, tensors, results):
    """Whether another seed gives other numbers. Of several, as windows that are drawn may fall on the same elements;
    threads of PyTorch add in any order, so that little differences say nothing."""
    def differ(a, b):
        if a.dtype.is_floating_point:
            return not torch.allclose(a, b, rtol=1e-3, atol=1e-5, equal_nan=True)
        return not a.dtype.is_complex and not torch.equal(a, b)

    return any(any(map(differ, results, evaluate(function, tensors, seed))) for seed in range(1, 9))


RUNS = 40  # of which random numbers are compared


def unlike(function, made, tensors, cotangents):
    """What tells the random results of `made` from those of the function, None if nothing does: over runs by other
    seeds, the means of each result and of its squares, bounded so that numbers far out do not decide, and how much of
    it is 0. Runs are independent, whatever elements of one run are, so that the spread of what is found in each says
    how far two may lie apart."""
    runs = [[evaluate(each, tensors, 2 + seed, cotangents) for seed in range(RUNS)] for each in (function, made)]
    for index, first in enumerate(runs[0][0]):
        if first is None or not first.numel():
            continue
        results = [torch.stack([run[index] for run in each]) for each in runs]
        wanted, got = (torch.view_as_real(each) if each.dtype.is_complex else each for each in results)
        wanted, got = (each.detach().double().reshape(RUNS, -1).nan_to_num(nan=1e30) for each in (wanted, got))
        if max(each.abs().max() for each in (wanted, got)) <= MOST_SLACK:
            continue  # 0 but for rounding
        if (wanted[1:] != wanted[:-1]).any(1).all() and (got == got[0]).all():
            return f"result {index}: the same random numbers for each seed"
        # Of few different results a rare one decides how much they vary.
        is_varied = wanted.shape[1] >= 16 and all(len(torch.unique(each, dim=0)) >= RUNS / 2 for each in (wanted, got))
        center = wanted.median()
        spread = (wanted - center).abs().mean().clamp(1e-30, 1e30)
        slack = 1e-3 if first.dtype.itemsize > 2 else 2e-2
        near = [torch.atan((each - center) / spread) for each in (wanted, got)]
        found = {"bounded mean": [each.mean(1) for each in near],
                 "bounded mean of squares": [(each * each).mean(1) for each in near]}
        if (wanted != wanted[0]).any():  # it is drawn: zeros are not rounding errors
            found["share of zeros"] = [(each.abs() < 1e-3 * spread).double().mean(1) for each in (wanted, got)]
        for name, means in found.items():
            away = (means[0].mean() - means[1].mean()).abs().item()
            spreads = [each.var().item() for each in means]
            if away > 5.5 * (sum(spreads) / RUNS) ** 0.5 + slack:
                return f"result {index}: random numbers of another distribution: their {name} is " \
                    f"{means[1].mean():.4g} instead of {means[0].mean():.4g}"
            if is_varied and max(spreads) > 8 * min(spreads) > 0 and max(spreads) > slack * slack:
                return f"result {index}: random numbers that are not independent: the variance of their {name} is " \
                    f"{spreads[1]:.4g} instead of {spreads[0]:.4g}"
    return None


def first_equals(operand, dim, positions):
    """Positions along a dimension as the first ones at which the operand has equal elements; -1 where a position is
    outside or comes twice."""
    flat = operand.reshape(1) if operand.dim() == 0 else operand.movedim(dim, -1)
    found = positions.unsqueeze(dim) if positions.dim() < operand.dim() else positions
    found = found.reshape(1) if operand.dim() == 0 else found.movedim(dim, -1)
    ordered = found.sort(-1).values
    if not found.numel():
        return positions
    if ordered.min() < 0 or ordered.max() >= flat.shape[-1] or (ordered[..., 1:] == ordered[..., :-1]).any():
        return torch.full_like(positions, -1)
    values, elements = flat.gather(-1, found).unsqueeze(-1), flat.unsqueeze(-2)
    first = ((values == elements) | ((values != values) & (elements != elements))).int().argmax(-1)
    first = first.reshape(()) if operand.dim() == 0 else first.movedim(-1, dim)
    return first.reshape(positions.shape)


def with_first_equals(function, dim):
    """The function, whose last result are positions along a dimension of its first operand, with the first ones of
    equal elements instead: those that PyTorch gives among these are not promised."""
    def call(*given):
        operand = given[0].detach().clone()  # the function may change it
        *results, positions = function(*given)
        return [*results, first_equals(operand, dim, positions)]
    return call


def judge(function, tensors, backward=False, through=None, any_value=False, positions_along=None, wide=None):
    """(verdict, reason) of one call of a function of tensors that returns a list of them: right, wrong, refused,
    on the host, no graph. `through` is one of the functions above; `any_value`: the numbers mean nothing;
    `positions_along`: the dimension of which the last result has positions in no promised order; `wide`: the function
    whose results are of f64, if their type is an argument."""
    compiler = Compiler()
    through = through or (differentiable if backward else traced)
    cotangents = [] if backward else None
    compiled = function
    if positions_along is not None:
        function = with_first_equals(function, positions_along)
    try:
        expected = evaluate(function, tensors, 0, cotangents)
    except NoGraph as error:
        return "no graph", str(error)
    except Exception as error:
        return "no graph", f"PyTorch: {error}".split("\n")[0]
    try:
        made = through(compiled, tensors, compiler)
        if positions_along is not None:
            made = with_first_equals(made, positions_along)
        got = evaluate(made, tensors, 0, cotangents)
    except NoGraph as error:
        return "no graph", str(error)
    except Refused as error:
        return "refused", str(error)
    except OnHost as error:
        return "on the host", str(error)
    except gaudi_mlir.Error as error:  # what was compiled must run
        return "wrong", f"run: {error}"
    except Exception as error:
        if through is by_backend and "HPU" in str(error):
            return "refused", str(error)
        return "no graph", f"{type(error).__name__}: {reason_of(error)}"
    words = same_types(got, expected)
    if not words and not any_value:
        words = difference(got, expected, "op" if compiler.calls == 1 else "model")
        if words and is_random(function, tensors, expected):
            words = unlike(function, made, tensors, cotangents)
        elif words and not differs_from_wide(function, tensors, got, expected, compiler, cotangents, wide):
            words = None
        if words and compiler.reads_unwritten and not is_traced_right(compiled, tensors, through, expected, cotangents):
            return "no graph", "PyTorch's trace reads memory that nothing in it has written"
    return ("wrong", words) if words else ("right", "")


def is_traced_right(function, tensors, through, expected, cotangents):
    """Whether PyTorch computes the results by its own traces, in which memory that nothing has written has no number."""
    class AsTraced:
        def __call__(self, graph, _inputs=None):
            return graph

    torch.use_deterministic_algorithms(True, warn_only=True)  # fills it
    try:
        values = evaluate(through(function, tensors, AsTraced()), tensors, 0, cotangents)
    except Exception:
        return False
    finally:
        torch.use_deterministic_algorithms(False)
    return difference(values, expected, "model") is None


MOST_SLACK = 1e-5
MOST_ROUNDINGS = 8


def own_error(expected, exact, moved=0.0):
    """How far the device's numbers may be from those of f64, which PyTorch's are away, too: twice as far, within
    MOST_SLACK; of types that PyTorch rounds to between the steps of an op, as far as its own worst one, within
    MOST_ROUNDINGS of the largest element; twice as far, within 8 times as many, if the exact ones move so far (`moved`)
    where each operand is rounded once."""
    if expected is None or not (expected.is_floating_point() or expected.is_complex()):
        return 0.0
    expected, exact = as_pairs(expected), as_pairs(exact)
    away = (expected.double() - exact.double()).abs()
    away = away[away.isfinite()]
    if not away.numel():
        return 0.0
    worst, largest = away.max().item(), max(1.0, exact.nan_to_num(0, 0, 0).abs().max().item())
    slack = min(2 * worst, MOST_SLACK * largest)
    if expected.dtype.itemsize == 2:
        few = MOST_ROUNDINGS * torch.finfo(expected.dtype).eps * largest
        slack = max(slack, min(worst, few), min(2 * worst, moved, 8 * few))
    return slack


def moved_by_roundings(function, wide, tensors, exact, cotangents):
    """How far each result of f64 moves at most where each operand of 16 bits is another number within a rounding of
    it: what an op of such a type may lose that rounds once what it computes from them."""
    generator, most = torch.Generator().manual_seed(0), [0.0] * len(exact)
    for _ in range(4):
        moved = [each.detach() * (1 + torch.finfo(tensor.dtype).eps / 2 * (
                     2 * torch.rand(each.shape, generator=generator, dtype=each.dtype) - 1)).requires_grad_(
                         tensor.requires_grad) if tensor.is_floating_point() and tensor.itemsize == 2 else each
                 for each, tensor in zip(wide, tensors)]
        try:
            values = evaluate(function, moved, 0, cotangents)
        except Exception:  # it is no operand: a probability above 1
            continue
        for index, (value, want) in enumerate(zip(values, exact)):
            if want is None or not want.is_floating_point() or not want.numel() or \
                    not torch.equal(value.isfinite(), want.isfinite()):
                continue
            away = (value.double() - want.double())[want.isfinite()].abs()
            if away.numel():
                most[index] = max(most[index], away.max().item())
    return most


def differs_from_wide(function, tensors, got, expected, compiler, cotangents, other=None):
    """Whether floats differ from what f64 gives, too: PyTorch rounds between its ops, and where numbers cancel
    its own kernels are no nearer to the truth than the device."""
    narrow = {torch.float16: torch.double, torch.bfloat16: torch.double, torch.float32: torch.double,
              torch.complex64: torch.cdouble}
    if not any(each.dtype in narrow for each in tensors) and not other:
        return True
    wide = [each.detach().to(narrow[each.dtype]).requires_grad_(each.requires_grad) if each.dtype in narrow else each
            for each in tensors]
    wide_cotangents = cotangents and [each.to(narrow.get(each.dtype, each.dtype)) for each in cotangents]
    try:
        exact = evaluate(other or function, wide, 0, wide_cotangents)
    except Exception:
        return True
    moved = [0.0] * len(exact)
    if any(each.is_floating_point() and each.itemsize == 2 for each in tensors):
        moved = moved_by_roundings(other or function, wide, tensors, exact, wide_cotangents)
    exact = [each if each is None or each.dtype not in narrow.values() else each.to(value.dtype)
             for each, value in zip(exact, got)]
    scope = "op" if compiler.calls == 1 else "model"
    return any(difference([value], [want], scope, own_error(own, want, most))
               for value, want, own, most in zip(got, exact, expected, moved))
