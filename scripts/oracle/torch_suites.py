# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own suites - op_db, module_db, optim_db - as items that torch_judge judges.

An item is a list that JSON has. The verdict of an item is the worst of its samples': wrong; refused, or in part if
some samples are right; on the host; right; no graph if PyTorch can trace none.
"""
import collections
import copy
import functools
import pathlib
import random
import sys

import torch

import torch_calls
import torch_judge
from gaudi_mlir.torch import writer

# Of no particular numbers.
ANY_VALUE = ("empty", "new_empty", "empty_like", "empty_permuted", "empty_strided", "new_empty_strided")
ITEM_REASONS = 6  # that are kept of an item, and characters of each
REASON_LENGTH = 300


class Outcomes:
    """The verdicts of an item's samples."""

    def __init__(self):
        self.reasons = collections.defaultdict(collections.Counter)

    def add(self, verdict, reason=""):
        self.reasons[verdict][" ".join(reason.split())[:REASON_LENGTH]] += 1

    def row(self):
        """[verdict, {verdict: {reason: samples}}]."""
        verdict = next((each for each in ("wrong", "refused", "on the host", "right") if each in self.reasons),
                       "no graph")
        if verdict == "refused" and "right" in self.reasons:
            verdict = "in part"
        return [verdict, {each: dict(counts.most_common(ITEM_REASONS)) for each, counts in self.reasons.items()}]


def taken(samples, count, seed):
    """`count` of the samples in an order of the seed; 0: all."""
    samples = list(samples)
    random.Random(seed).shuffle(samples)
    return samples[:count] if count else samples


def with_tensors(call, *parts):
    """A function of the tensors in `parts` that returns all tensors of call(*parts), and these tensors."""
    leaves, spec = torch.utils._pytree.tree_flatten(parts)
    tensors = [each for each in leaves if isinstance(each, torch.Tensor)]

    def function(*given):
        left = iter(given)
        filled = [next(left) if isinstance(each, torch.Tensor) else each for each in leaves]
        result = call(*torch.utils._pytree.tree_unflatten(filled, spec))
        return [each for each in torch.utils._pytree.tree_leaves(result) if isinstance(each, torch.Tensor)]

    return function, tensors


# --- op_db ---------------------------------------------------------------------------------------


@functools.cache
def op_db():
    from torch.testing._internal.common_methods_invocations import op_db as ops
    return {(op.name, op.variant_test_name): op for op in ops}


def op_items(dtype, backward):
    """[name, variant] of the ops that have the type."""
    dtype = getattr(torch, dtype)
    return [list(key) for key, op in op_db().items()
            if dtype in (op.supported_backward_dtypes("cpu") if backward else op.dtypes)
            and (op.supports_autograd or not backward)]


def positions_along(op, sample):
    """The dimension along which the last result of a call has positions of which PyTorch promises no order; None if
    it has none."""
    place = torch_judge.ANY_POSITION.get(op.name)
    if place is None or sample.kwargs.get("stable"):
        return None
    dim = sample.kwargs.get("dim", sample.args[place] if place < len(sample.args) else -1)
    is_whole = "median" in op.name and not sample.args and "dim" not in sample.kwargs
    return None if is_whole or isinstance(dim, bool) else dim


def judge_op(item, dtype, backward, samples, seed, through):
    op, outcomes = op_db()[tuple(item)], Outcomes()
    torch.manual_seed(seed)
    try:
        given = taken(op.sample_inputs("cpu", getattr(torch, dtype), requires_grad=backward), samples, seed)
    except Exception as error:  # the suite's own
        outcomes.add("no graph", f"samples: {error}")
        return outcomes.row()
    for sample in given:
        def call(value, args, kwargs, sample=sample):
            result = op.op(value, *args, **kwargs)
            return sample.output_process_fn_grad(result) if backward else result

        function, tensors = with_tensors(call, sample.input, sample.args, sample.kwargs)
        wide = None
        if sample.kwargs.get("dtype") in (torch.float16, torch.bfloat16):
            wide, _ = with_tensors(call, sample.input, sample.args, {**sample.kwargs, "dtype": torch.double})
        outcomes.add(*torch_judge.judge(function, tensors, backward, through, any_value=op.name in ANY_VALUE,
                                        positions_along=positions_along(op, sample), wide=wide))
    return outcomes.row()


# --- module_db and networks ----------------------------------------------------------------------


def module_call(module, args, kwargs, backward):
    """The module as a function of its parameters, buffers and arguments; buffers are results, too."""
    if any(map(torch.nn.parameter.is_lazy, [*module.parameters(), *module.buffers()])):
        with torch.no_grad():
            module(*args, **kwargs)  # which tells the shapes
    if not backward:
        module.requires_grad_(False)
    state = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    buffers = [name for name, _ in module.named_buffers()]

    def call(state, args, kwargs):
        result = torch.func.functional_call(module, state, args, kwargs)
        return result, [state[name] for name in buffers]

    return with_tensors(call, state, args, kwargs)


@functools.cache
def module_db():
    from torch.testing._internal.common_modules import module_db as modules
    return {info.name: info for info in modules}


def module_items():
    return [[name] for name in module_db()]


def judge_module(item, dtype, backward, samples, seed, through, judge=None):
    """In training and in inference; `judge` adds the outcome of a call, that by torch_judge if it is None."""
    def judged(outcomes, *call):
        outcomes.add(*torch_judge.judge(*call, through or torch_judge.differentiable))
    info, outcomes = module_db()[item[0]], Outcomes()
    for training in (True, False):
        torch.manual_seed(seed)
        try:
            given = taken(info.module_inputs_func(info, device="cpu", dtype=getattr(torch, dtype),
                                                  requires_grad=backward, training=training), samples, seed)
        except Exception as error:
            outcomes.add("no graph", f"samples: {error}")
            continue
        for sample in given:
            if sample.forward_input is None:
                continue
            inner = sample.constructor_input
            module = info.module_cls(*inner.args, **inner.kwargs).to(getattr(torch, dtype)).train(training)
            function, tensors = module_call(module, sample.forward_input.args, sample.forward_input.kwargs, backward)
            (judge or judged)(outcomes, function, tensors, backward)
    return outcomes.row()


@functools.cache
def networks():
    """Small networks, of which some come with their losses."""
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    sys.path.insert(0, str(root / "python" / "tests" / "pytorch"))
    import zoo_plain
    return zoo_plain.MODELS


def network_items():
    return [[name] for name in networks()]


def judge_network(item, dtype, backward, samples, seed, through):
    outcomes = Outcomes()
    torch.manual_seed(seed)
    module, inputs = networks()[item[0]]()
    args, kwargs = ((), inputs) if isinstance(inputs, dict) else (inputs, {})
    function, tensors = module_call(module.train(), args, kwargs, backward)
    outcomes.add(*torch_judge.judge(function, tensors, backward, through or torch_judge.differentiable))
    return outcomes.row()


# --- optim_db ------------------------------------------------------------------------------------

FORMS = {"loop": {"foreach": False}, "foreach": {"foreach": True}, "fused": {"fused": True}}
STEPS = 3


@functools.cache
def optim_db():
    from torch.testing._internal.common_optimizers import optim_db as optimizers
    return {info.optim_cls.__name__: info for info in optimizers}


def optimizer_items():
    """[class, form] of the forms that the optimizer has."""
    return [[name, form] for name, info in optim_db().items() for form in FORMS
            if form == "loop" or form in info.supported_impls]


def stepped(info, options, shapes, wrap):
    """Parameters and state after some steps; `wrap` makes the step."""
    generator = torch.Generator().manual_seed(0)
    parameters = [torch.nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
    optimizer = info.optim_cls(parameters, **options)
    step = wrap(optimizer.step)
    for _ in range(STEPS):
        for each in parameters:
            each.grad = torch.randn(each.shape, generator=generator)
        step()
    kept = [value for each in parameters for _, value in sorted(optimizer.state[each].items())
            if isinstance(value, torch.Tensor)]
    return [each.detach() for each in parameters + kept]


def judge_optimizer(item, dtype, backward, samples, seed, through):
    """The step by torch.compile: what Dynamo breaks is not on the device as a whole."""
    from torch._dynamo.backends.common import aot_autograd
    name, form = item
    info, outcomes = optim_db()[name], Outcomes()
    shapes = [(2, 3), (4, 5)] if name == "Muon" else [(2, 3), (4,), (1,)]
    for sample in taken(info.optim_inputs_func(device="cpu"), samples, seed):
        options = dict(copy.deepcopy(sample.kwargs))
        if "foreach" in options or "fused" in options or "differentiable" in options:
            continue
        options.update(FORMS[form] if info.supported_impls else {})
        compiler = torch_judge.Compiler()
        backend = "gaudi" if through else aot_autograd(fw_compiler=compiler,
                                                       decompositions=torch_judge.decompositions.table())
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        try:
            expected = stepped(info, options, shapes, lambda step: step)
        except Exception as error:
            outcomes.add("no graph", f"PyTorch: {error}")
            continue
        try:
            with torch._dynamo.config.patch(capture_scalar_outputs=True):  # Adafactor reads numbers
                got = stepped(info, options, shapes,
                              lambda step: torch.compile(step, backend=backend, dynamic=False))
        except Exception as error:
            inner = error
            while inner and not isinstance(inner, torch_judge.Refused):
                inner = inner.__cause__ or getattr(inner, "inner_exception", None)
            outcomes.add("refused" if inner else "no graph", str(inner or error))
            continue
        # Optimizers ask for breaks around what they compute.
        breaks = [each for each in torch._dynamo.utils.counters["graph_break"] if "graph_break()" not in each]
        words = torch_judge.difference(got, expected, "model")
        if words:
            outcomes.add("wrong", f"{sample.desc}: {words}")
        elif breaks or not (compiler.calls or through):
            outcomes.add("on the host", f"{sample.desc}: {next(iter(breaks), 'no graph')}")
        else:
            outcomes.add("right")
    return outcomes.row()


# --- calls of rows -------------------------------------------------------------------------------

CALLS = 24  # that PyTorch takes, of each row, unless the number of samples is given


def call_items():
    return [[name] for name in sorted(writer.known())]


def judge_calls(item, dtype, backward, samples, seed, through):
    overload, outcomes = torch_calls.overload_of(item[0]), Outcomes()
    rng, taken_calls = random.Random(f"{seed} {item[0]}"), 0
    torch.manual_seed(rng.randrange(1 << 30))
    for _ in range(40 * (samples or CALLS)):
        outcome = torch_calls.judge(rng, overload)
        if outcome:
            outcomes.add(*outcome)
            taken_calls += 1
        if taken_calls == (samples or CALLS):
            break
    return outcomes.row()


# --- all -----------------------------------------------------------------------------------------


def _ops(dtype, backward=False):
    return (functools.partial(op_items, dtype, backward), judge_op, dtype, backward)


# Name -> items, judge, type, backward.
SUITES = {
    "op_db float32": _ops("float32"),
    "op_db float32 backward": _ops("float32", True),
    "module_db": (module_items, judge_module, "float32", False),
    "module_db backward": (module_items, judge_module, "float32", True),
    "networks": (network_items, judge_network, "float32", True),
    "calls": (call_items, judge_calls, "any", False),
    "optim_db": (optimizer_items, judge_optimizer, "float32", False),
    **{f"op_db {dtype}": _ops(dtype) for dtype in ("bfloat16", "float16", "int64", "int32", "bool", "complex64")},
}


def judge_of(suite, samples, seed, through):
    """A function of an item of the suite."""
    _, judge, dtype, backward = suite
    return functools.partial(judge, dtype=dtype, backward=backward, samples=samples, seed=seed, through=through)
