# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own suites on tensors of the device "hpu": each op as it is, in place, to `out`, of views, and its
gradients, judged beside the CPU as torch_suites does. "on the host": right, but an op of it ran on the CPU;
"refused": it raises what the CPU does not."""
import contextlib
import functools

import habana_frameworks.torch  # noqa: F401: the device
import torch
from habana_frameworks.torch import _C

from gaudi_mlir import metrics
from gaudi_mlir.torch import fallback
import children
import torch_judge
import torch_suites

children.MEMORY += 128 << 30  # of which a card takes the addresses, not the memory

FORMS = ("", "in place", "out", "views", "backward")
TYPES = ("float32", "bfloat16", "int64")

_device = torch.device("cpu")  # where what is judged runs


@contextlib.contextmanager
def on_device():
    global _device
    _device = torch.device("hpu")
    try:
        with _device:  # what is made of no tensors
            yield
    finally:
        _device = torch.device("cpu")


def counts():
    """Ops that ran on the CPU, by their names."""
    return dict(dict(metrics.metric_global("cpu_fallback").stats()).get("FallbackOps", {}))


def by_device(function, tensors, compiler):
    """The function of tensors of the CPU, computed on "hpu"."""
    def made(*given):
        before = sum(_C.eager_counts()[:2])
        torch.hpu.manual_seed_all(torch.initial_seed())
        try:
            with on_device():
                results = function(*[each.to(_device) for each in given])
                away = [each.device for each in results if each.device.type != "hpu"]
                results = [each.cpu() for each in results]
        except Exception as error:
            raise torch_judge.Refused(f"{type(error).__name__}: {error}".split("\n")[0]) from None
        if away and not getattr(function, "goes_away", False):
            raise torch_judge.Refused(f"a result is on {away[0]}")
        compiler.calls = max(1, sum(_C.eager_counts()[:2]) - before)
        return results
    return made


def judged(outcomes, function, tensors, backward, **how):
    """Judges one call, and notes which ops of it ran on the CPU."""
    before = counts()
    verdict, reason = torch_judge.judge(function, tensors, backward, by_device, **how)
    if verdict == "right":
        left = [op for op, count in counts().items() if count > before.get(op, 0)]
        if left:
            verdict, reason = "on the host", "; ".join(f"{op}: {fallback.reasons().get(op, '')}" for op in sorted(left))
    outcomes.add(verdict, reason)


# --- op_db ---------------------------------------------------------------------------------------


def viewed(tensor):
    """The same elements at every second place of other memory, the first two dimensions swapped."""
    if not tensor.dim():
        return tensor
    swapped = tensor.transpose(0, 1) if tensor.dim() > 1 else tensor
    *outer, last = swapped.shape
    memory = tensor.new_zeros((*outer, 2 * last + 1))
    view = memory[..., 1::2]
    view.copy_(swapped)
    return view.transpose(0, 1) if tensor.dim() > 1 else view


def out_like(result, index):
    """What the op writes to: dense, the transpose of such a tensor, or without elements."""
    def made(tensor):
        if index % 3 == 2 and tensor.dim() > 1:
            return torch.zeros(tensor.shape[::-1], dtype=tensor.dtype, device=_device).permute(
                *reversed(range(tensor.dim())))
        return torch.zeros((0,) if index % 3 == 1 else tensor.shape, dtype=tensor.dtype, device=_device)
    return torch.utils._pytree.tree_map_only(torch.Tensor, made, result)


def op_items(dtype, form):
    ops = torch_suites.op_db()
    wanted = {"in place": lambda op: op.inplace_variant, "out": lambda op: op.supports_out,
              "backward": lambda op: op.supports_autograd}.get(form, lambda op: True)
    return [item for item in torch_suites.op_items(dtype, form == "backward") if wanted(ops[tuple(item)])]


def call_of(op, sample, form, index):
    """What is judged, as a function of the sample's parts; None if the sample does not have the form."""
    def there(kwargs):
        return {**kwargs, "device": _device} if "device" in kwargs else kwargs

    if form == "in place":
        if sample.broadcasts_input:
            return None
        return lambda value, args, kwargs: op.inplace_variant(value, *args, **there(kwargs))
    if form == "out":
        try:
            result = op.op(sample.input, *sample.args, **sample.kwargs)
        except Exception:
            return None

        def into(value, args, kwargs):
            if _device.type == "cpu":  # some of whose kernels take any `out` for dense (narrow_copy, avg_pool3d)
                return op.op(value, *args, **kwargs)
            out = out_like(result, index)
            op.op(value, *args, **there(kwargs), out=out)
            return out
        return into
    if form == "views":
        def of_views(value, args, kwargs):
            value, args, kwargs = torch.utils._pytree.tree_map_only(torch.Tensor, viewed, (value, args, kwargs))
            return op.op(value, *args, **there(kwargs))
        return of_views
    if form == "backward":
        return lambda value, args, kwargs: sample.output_process_fn_grad(op.op(value, *args, **there(kwargs)))
    return lambda value, args, kwargs: op.op(value, *args, **there(kwargs))


def judge_op(item, dtype, form, backward, samples, seed, through):
    op, outcomes = torch_suites.op_db()[tuple(item)], torch_suites.Outcomes()
    torch.manual_seed(seed)
    try:
        given = torch_suites.taken(op.sample_inputs("cpu", getattr(torch, dtype), requires_grad=backward),
                                   samples, seed)
    except Exception as error:  # the suite's own
        outcomes.add("no graph", f"samples: {error}")
        return outcomes.row()
    for index, sample in enumerate(given):
        call = call_of(op, sample, form, index)
        if call is None:
            continue
        function, tensors = torch_suites.with_tensors(call, sample.input, sample.args, sample.kwargs)
        function.goes_away = op.name == "to"  # to the CPU, which its arguments name
        wide = None
        if sample.kwargs.get("dtype") in (torch.float16, torch.bfloat16):
            wide, _ = torch_suites.with_tensors(call, sample.input, sample.args,
                                                {**sample.kwargs, "dtype": torch.double})
        judged(outcomes, function, tensors, backward, any_value=op.name in torch_suites.ANY_VALUE,
               positions_along=torch_suites.positions_along(op, sample), wide=wide)
    return outcomes.row()


# --- module_db -----------------------------------------------------------------------------------


def judge_module(item, dtype, backward, samples, seed, through):
    return torch_suites.judge_module(item, dtype, backward, samples, seed, None, judged)


def _ops(dtype, form):
    return (functools.partial(op_items, dtype, form), functools.partial(judge_op, form=form), dtype,
            form == "backward")


SUITES = {
    **{f"op_db {dtype} {form}".strip(): _ops(dtype, form) for form in FORMS for dtype in TYPES
       if form != "backward" or dtype != "int64"},
    **{f"module_db {dtype} {'backward' if backward else ''}".strip():
       (torch_suites.module_items, judge_module, dtype, backward)
       for backward in (False, True) for dtype in TYPES[:2]},
}
