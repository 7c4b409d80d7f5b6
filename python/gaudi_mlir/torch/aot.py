# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the backend "gaudi" does with a graph of torch.compile."""
import functools
from collections.abc import Mapping

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.partitioners import default_partition

from .. import _text
from . import (bounded, buckets, decompositions, dynamic, flags, fused, operands, pieces, report)
from .compiler import Target
from .tracing import LOCK, tracing


def compile_graph(gm: torch.fx.GraphModule, example_inputs, options: dict | None,
                  mode: str | None = None):
    """The function of gaudi_mlir.torch.backend."""
    check_mode(mode, "gaudi")
    _check_autocast(gm)
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"backend gaudi: options is {options!r}; expected a dict, such as "
                        "{'device': 'gaudi3'}")
    options = dict(options or {})
    device = options.pop("device", "gaudi2")
    random = options.pop("random", "device")
    boundaries = buckets.Boundaries.parse(options.pop("buckets", None))
    if options:
        hint = _text.meant(str(next(iter(options))), ("device", "random", "buckets"))
        raise ValueError(f"backend gaudi: unknown option {', '.join(map(repr, options))}; "
                         f"{hint and hint + ' '}it takes 'device', 'random' and 'buckets'")
    if random not in ("device", "host"):
        raise ValueError(f"backend gaudi: option 'random' is {random!r}; expected 'device' or "
                         "'host'")
    _check_devices(example_inputs)
    sized = boundaries and functools.partial(buckets.Buckets, boundaries=boundaries)
    return compile_for(Target(device, random, dynamic=sized), gm, example_inputs)


def compile_for(target: Target, gm: torch.fx.GraphModule, example_inputs):
    """A graph of torch.compile as a function."""
    fused.inline(gm)
    compiled = functools.partial(_compile, target=target, floats=operands.floats(gm))
    compiler = aot_autograd(
        fw_compiler=functools.partial(compiled, kind="forward"),
        bw_compiler=functools.partial(compiled, kind="backward"),
        inference_compiler=functools.partial(compiled, kind="inference"),
        decompositions=decompositions.table(),
        partition_fn=_partition,
    )
    with tracing():
        return compiler(gm, example_inputs)


def _partition(joint: torch.fx.GraphModule, inputs, **options):
    """The forward and the backward graph of both in one, in which no cut comes earlier than it
    must: then it may be in neither."""
    if pieces.is_divided(joint):
        bounded.move_cuts(joint)
    return default_partition(joint, inputs, **options)


def check_mode(mode: str | None, backend: str) -> None:
    """Warns of a mode, which changes nothing."""
    if mode:
        report.warn_once(f"mode {mode}", f"mode={mode!r} is of PyTorch's own compiler; backend "
                         f"{backend} has one way to compile, so leave the mode out")


def _check_autocast(gm: torch.fx.GraphModule) -> None:
    """Warns of an autocast that these tensors, which are on the CPU, do not see."""
    entered = any(node.op == "call_function" and node.target is torch.amp.autocast_mode._enter_autocast
                  and node.args[:1] == ("hpu",) for node in gm.graph.nodes)
    if entered or torch.is_autocast_enabled("hpu"):
        report.warn_once("autocast", "autocast('hpu') does nothing for tensors of the CPU, which "
                         "backend gaudi takes: write torch.autocast('cpu', dtype=torch.bfloat16)")


def _check_devices(inputs) -> None:
    for each in inputs:
        if isinstance(each, torch.Tensor) and each.device.type != "cpu":
            other = ', or compile by torch.compile(model, backend="hpu_backend")' \
                if each.device.type == "hpu" else ""
            raise RuntimeError(
                f"backend gaudi: an input is on the device '{each.device}'; it takes tensors of the "
                f"CPU: move model and inputs there (.cpu()){other}")


def _compile(gm: torch.fx.GraphModule, example_inputs, *, target: Target, floats: list[str],
             kind: str):
    static = _static_inputs(gm, kind)
    compile_piece = functools.partial(_function_of, target=target, floats=floats, kind=kind,
                                      static=static)
    if pieces.is_divided(gm):
        bounded.move_cuts(gm)
    function = pieces.Divided(gm, compile_piece, target.compiler) if pieces.is_divided(gm) else compile_piece(gm)
    function._boxed_call = True  # takes its arguments as one list
    return function


def _function_of(gm: torch.fx.GraphModule, *, target: Target, floats: list[str], kind: str,
                 static: set[str]):
    record = report.new_graph(kind)
    record.operands += floats
    if dynamic.is_dynamic(gm):
        return (target.dynamic or dynamic.Specialiser)(gm, target, static, record)
    if kind == "inference" and flags.enabled("PT_HPU_COMPILE_GRAPH_FREEZE"):
        return dynamic.Frozen(gm, target, static, record)
    with LOCK:  # a backward graph may be compiled when it is called
        return target.function(gm, static, record)


def _static_inputs(gm: torch.fx.GraphModule, kind: str) -> set[str]:
    """The names of the inputs that are parameters or buffers: they stay where they are."""
    context = torch._guards.TracingContext.try_get()
    metadata = context.fw_metadata if context else None
    if metadata is None:
        return set()
    static = set(metadata.static_input_indices or [])
    names = [node.name for node in gm.graph.nodes if node.op == "placeholder"]
    if kind == "backward":
        # The backward graph keeps the names that the joint graph gave to parameters.
        return {name for name in names if name.startswith("primals_")
                and int(name.split("_")[1]) - 1 in static}
    return {names[index] for index in static if index < len(names)}
