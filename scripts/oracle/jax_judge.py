# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates StableHLO text with JAX on the CPU. Internals of jaxlib are used, so the versions are pinned."""
import os

# Intermediate results are rounded to the types that the text says. XLA's algebraic simplifier aborts
# on some windows with negative padding. The benchmarks, which time it, set their own.
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false --xla_disable_hlo_passes=algsimp")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax._src import compiler, xla_bridge  # noqa: E402
from jax._src.interpreters import mlir as jax_mlir  # noqa: E402
from jax._src.lib import _jax  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402

from hlo_case import DTYPES  # noqa: E402

jax.config.update("jax_enable_x64", True)


class NotJudged(Exception):
    """JAX cannot read or evaluate the text; says why."""


def entry_of(module, entry):
    """The function to run: `entry`, else the one called main, else the only public one."""
    functions = [op for op in module.body.operations if op.operation.name == "func.func"]
    name = lambda f: ir.StringAttr(f.attributes["sym_name"]).value
    public = [f for f in functions if "sym_visibility" not in f.attributes
              or ir.StringAttr(f.attributes["sym_visibility"]).value == "public"]
    found = [f for f in functions if name(f) == (entry or "main")] or ([] if entry else public)
    if len(found) != 1:
        raise NotJudged(f"no function '{entry or 'main'}'; functions are: {', '.join(map(name, functions))}")
    # XLA's entry is called main, and the others are private to it.
    for function in functions:
        function.attributes["sym_visibility"] = ir.StringAttr.get("public" if function == found[0] else "private")
    for function in functions:
        if function != found[0] and name(function) == "main":
            raise NotJudged("another function than the entry is called main")
    found[0].attributes["sym_name"] = ir.StringAttr.get("main")
    return found[0]


def type_of(spelled):
    if not isinstance(spelled, ir.RankedTensorType):
        raise NotJudged(f"argument of type '{spelled}'")
    tensor = spelled
    element = str(tensor.element_type)
    if element not in DTYPES or not tensor.has_static_shape:
        raise NotJudged(f"argument of type '{spelled}'")
    return tuple(tensor.shape), element


def lift_elided(function):
    """Makes arguments of constants without data, after the others, as gaudi-run does."""
    block, signature = function.regions[0].blocks[0], ir.TypeAttr(function.attributes["function_type"]).value
    inputs, results = list(signature.inputs), list(signature.results)
    for op in list(block.operations):
        if op.operation.name == "stablehlo.constant" and "dense_resource<__elided__>" in str(op.attributes["value"]):
            result = op.operation.results[0]
            inputs.append(result.type)
            result.replace_all_uses_with(block.add_argument(result.type, ir.Location.unknown()))
            op.operation.erase()
    if len(inputs) > len(signature.inputs):
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
        if "arg_attrs" in function.attributes:
            del function.attributes["arg_attrs"]


class Program:
    """A text, compiled. `arguments` and `results` are lists of (shape, element type)."""

    def __init__(self, text, entry=None):
        self.backend = xla_bridge.get_backend("cpu")
        context = jax_mlir.make_ir_context()
        with context, ir.Location.unknown():
            try:
                module = ir.Module.parse(text)
            except ir.MLIRError as error:
                raise NotJudged(str(error)) from error
            function = entry_of(module, entry)
            lift_elided(function)
            signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
            self.arguments = [type_of(t) for t in signature.inputs]
            self.results = [type_of(t) for t in signature.results]
            module.operation.attributes["sym_name"] = ir.StringAttr.get("main")
            options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
            try:
                self.program = self.backend.compile_and_load(module, _jax.DeviceList(tuple(jax.devices())), options)
            except Exception as error:
                raise NotJudged(str(error).splitlines()[0]) from error

    def execute(self, buffers):
        """Results on the device, of arguments there."""
        results = self.program.execute_sharded(buffers).disassemble_into_single_device_arrays()
        return [result[0] for result in results]

    def __call__(self, arrays):
        return [np.asarray(result) for result in self.execute([jax.device_put(array) for array in arrays])]
