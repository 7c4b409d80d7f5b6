#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a module made of the example of every op of the gaudi dialect.

The examples are taken from the op descriptions (include/Gaudi/Dialect/*.td) by
way of mlir-tblgen, so what the documentation shows is what the test suite
parses: `op-examples.py | gaudi-opt --allow-unregistered-dialect`. An op without
an example is an error.

Each example becomes a function of its own. The operands that it does not
define come from unregistered `example.operand` ops with the types that the
example names; an example of a body op is put into a kernel.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Where the examples of body ops stand: the values they may use.
KERNEL = """\
  %x = "example.operand"() : () -> tensor<4x8xf32>
  %r:{results} = gaudi.tpc.kernel (%x) index_space [4, 8] parallel [true, false]
      : (tensor<4x8xf32>) -> ({types}) {{
  ^bb0(%in0: tensor<4x8xf32>, %out0: {types}):
{body}
  }}
"""
LOOP = """\
    gaudi.kernel.loop [1] {{
{body}
      gaudi.kernel.yield
    }}
"""
ZERO = "    %zero = arith.constant 0.0 : f32\n"


def op_docs(tblgen):
    """Yields (op name, example text) for each op of the dialect."""
    llvm_include = pathlib.Path(tblgen).resolve().parent.parent / "include"
    text = subprocess.run(
        [tblgen, "-gen-dialect-doc", "-dialect=gaudi",
         str(ROOT / "include/Gaudi/Dialect/Reference.td"),
         f"-I{ROOT / 'include'}", f"-I{llvm_include}"],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    for section in re.split(r"^### ", text, flags=re.M)[1:]:
        name = re.match(r"`(gaudi\.[\w.]+)` \(", section)
        if not name:
            continue
        example = re.search(r"^Example:\s*(?:```mlir\n(.*?)```|`([^`]*)`)",
                            section, flags=re.M | re.S)
        if not example:
            sys.exit(f"op-examples: '{name[1]}' has no example")
        yield name[1], (example[1] or example[2]).rstrip()


def split_types(text):
    """Splits a list of types at the commas (or `into`) outside brackets."""
    parts, depth, current = [], 0, ""
    for token in re.split(r"(\binto\b|[<>(),])", text):
        depth += (token in ("<", "(")) - (token in (">", ")"))
        if depth == 0 and token in (",", "into"):
            parts.append(current.strip())
            current = ""
        else:
            current += token
    return parts + [current.strip()] if current.strip() else parts


def operand_types(example):
    """Maps each operand of a graph op's example to the type it names."""
    header = example.split("{\n")[0].rstrip()
    body = header.split(" = ", 1)[1] if " = " in header else header
    body = " ".join(body.split())  # long examples have several lines
    before, after = body.rsplit(" : ", 1) if " : " in body else (body, "")
    if re.search(r"\)\s*->", after):
        types = split_types(after[after.index("(") + 1:after.rindex(") ->")])
    else:
        types = split_types(after.split("->")[0])
    names = re.findall(r"%\w+", before)
    if len(types) == 1:
        types *= len(names)
    if len(names) != len(types):
        sys.exit(f"op-examples: {len(names)} operands but {len(types)} types "
                 f"in the example\n{example}")
    return dict(zip(names, types))


def body_example(name, example):
    """The example of a gaudi.kernel op in a kernel that feeds it."""
    indented = "      " + example.replace("\n", "\n      ")
    store = "    gaudi.kernel.store %zero, %out0[d0] : tensor<4xf32>"
    if name == "gaudi.kernel.loop":
        body = ZERO + "    %low = arith.constant 0xFF800000 : f32\n"
        body += indented + "\n" + store
    elif name == "gaudi.kernel.yield":
        body = (ZERO + "    %s = gaudi.kernel.loop [1] reduce "
                "[#gaudi.reduce<add>] init(%zero) : f32 {\n"
                "    ^bb0(%accumulator: f32):\n"
                "      %v = arith.constant 1.0 : f32\n" + indented + "\n    }\n"
                + store)
    elif name == "gaudi.kernel.round_to":
        body = ("      %v = arith.constant 1.0 : f32\n      %word = arith.constant 1 : i32\n"
                + indented + "\n    gaudi.kernel.store %r, %out0[d0] : tensor<4xf32>")
    elif name == "gaudi.kernel.store":
        body = "      %v = arith.constant 1.0 : f32\n" + indented
    else:
        prologue = "" if name == "gaudi.kernel.index" else \
            "      %i = gaudi.kernel.index 0\n"
        body = ZERO + LOOP.format(body=prologue + indented) + store
    return KERNEL.format(results=1, types="tensor<4xf32>", body=body)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tblgen", default=shutil.which("mlir-tblgen") or
                        "/usr/lib/llvm-22/bin/mlir-tblgen")
    args = parser.parse_args()
    for name, example in op_docs(args.tblgen):
        function = name.replace(".", "_")
        print(f"// {name}\nfunc.func private @{function}() {{")
        if name.startswith("gaudi.kernel."):
            print(body_example(name, example), end="")
        else:
            for operand, type_ in operand_types(example).items():
                print(f'  {operand} = "example.operand"() : () -> {type_}')
            print("  " + example.replace("\n", "\n  "))
        print("  return\n}")


if __name__ == "__main__":
    main()
