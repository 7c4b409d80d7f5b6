#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes dimensions of a static graph dynamic, as an exporter would write them.

Usage: make-dynamic.py MODEL.mlir --arg=INDEX:NAME,... [-o OUT.mlir]
                       [--at=NAME=SIZE,...] [--value=CONSTANT:NAME|1/NAME]
                       [--opt=gaudi-opt] [--entry=NAME]

MODEL is StableHLO, or linalg on tensors, or TOSA. `--arg=0:batch,seq` makes
the first two dimensions of argument 0 dynamic; `-` leaves one as it is. What
else depends on them is found by propagation; shapes of reshapes, broadcasts,
slices and constants are computed at run time. What --shape of gaudi-run has to
bound is printed, a line for each argument with dynamic dimensions. With --at the graph is written
at these sizes instead: a static graph to compare with. `--value=128.0:batch`
says that the constants 128.0 count the batch (a mean), `--value=0.1:1/batch`
that 0.1 is inverse to it.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "dynamic"))
import generic_form  # noqa: E402
import hlo_rules  # noqa: E402
from hlo_rewrite import HloRewriter  # noqa: E402
from propagate import Graph  # noqa: E402
from sizes import Size  # noqa: E402
import tensor_rules  # noqa: E402
from tensor_rewrite import TensorRewriter  # noqa: E402


def chosen_dims(texts):
    for text in texts:
        index, _, names = text.partition(":")
        for dimension, name in enumerate(names.split(",")):
            if name != "-":
                yield int(index), dimension, name


def scale_of(text, sizes):
    """(constant, size, whether it is inverse to the size, factor)."""
    constant, _, name = text.partition(":")
    inverse, name = name.startswith("1/"), name.removeprefix("1/")
    base = sizes[name]
    return float(constant), Size.symbol(name), inverse, float(constant) * base if inverse else float(constant) / base


def entry_of(module, name):
    functions = [op for op in module.regions[0].ops if op.name == "func.func" and op.regions[0].ops]
    for function in functions:
        if function.attributes["sym_name"].strip('"') == name:
            return function
    public = [f for f in functions if f.attributes.get("sym_visibility") != '"private"']
    if len(public) != 1:
        raise SystemExit("make-dynamic.py: several public functions; choose one with --entry")
    return public[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--arg", action="append", default=[])
    parser.add_argument("--at")
    parser.add_argument("--value", action="append", default=[])
    parser.add_argument("--entry", default="main")
    parser.add_argument("--opt", default="gaudi-opt")
    parser.add_argument("-o", dest="output", default="-")
    args = parser.parse_args()
    text = subprocess.run([args.opt, "--mlir-print-op-generic", "--allow-unregistered-dialect", args.model],
                          check=True, capture_output=True, text=True).stdout
    prologue, module, epilogue = generic_form.read(text)
    entry = entry_of(module, args.entry)
    chosen, sizes = [], {}
    for index, dimension, name in chosen_dims(args.arg):
        argument = entry.regions[0].arguments[index]
        if sizes.setdefault(name, argument.dims[dimension]) != argument.dims[dimension]:
            raise SystemExit(f"make-dynamic.py: {name} is {sizes[name]} and {argument.dims[dimension]}")
        chosen.append((argument, dimension, name))
    scales = [scale_of(text, sizes) for text in args.value]
    values = None
    if args.at:
        values = {k: int(v) for k, v in (p.split("=") for p in args.at.split(","))}
    aliases = tensor_rules.aliases(prologue)
    graph = Graph(module, sizes)
    graph.aliases = aliases
    for argument, dimension, name in chosen:
        graph.set(argument, dimension, Size.symbol(name))
    graph.run([hlo_rules.relate, tensor_rules.relate])
    for function in graph.functions.values():
        if not function.regions[0].ops:
            continue
        names = {op.name.split(".")[0] for op in function.walk()}
        prefix = "mhlo." if "mhlo" in names and "stablehlo" not in names else "stablehlo."
        HloRewriter(function, values, prefix, scales).run()
        TensorRewriter(function, values, aliases).run()
    show = lambda d: ("?" if values is None else str(d.at(values))) if isinstance(d, Size) else str(d)
    for function in graph.functions.values():
        retype(function, show)
    out = generic_form.write(prologue, module, epilogue, show)
    if args.output == "-":
        print(out, end="")
    else:
        with open(args.output, "w") as file:
            file.write(out)
        for index, argument in enumerate(entry.regions[0].arguments):
            names = [str(d) for d in argument.dims or [] if isinstance(d, Size)]
            if names and values is None:
                print(f"arg{index}:{','.join(names)}")


def retype(function, show):
    if not function.regions[0].ops:
        return
    block = function.regions[0]
    join = lambda values: ", ".join(v.type(show) for v in values)
    function.attributes["function_type"] = f"({join(block.arguments)}) -> ({join(block.ops[-1].operands)})"


if __name__ == "__main__":
    main()
