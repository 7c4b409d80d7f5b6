# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The function `main` of an MLIR module: attributes of its arguments and results.

`ir` is the module of the wheel that made the MLIR module: that of jaxlib or of torch-mlir.
"""
from typing import Any, Mapping, Sequence


def main(ir: Any, module: Any) -> Any:
    """The function `main` of a module, of which `module` may be the operation."""
    for op in module.operation.regions[0].blocks[0].operations:
        if op.operation.name == "func.func" and ir.StringAttr(
                op.attributes["sym_name"]).value == "main":
            return op
    raise ValueError("the module has no function 'main'")


def select(ir: Any, module: Any, entry: str) -> list[str] | None:
    """Makes all functions of a module private but `entry`; the names of its functions if that is
    none of them."""
    functions = {ir.StringAttr(op.attributes["sym_name"]).value: op
                 for op in module.body.operations if op.operation.name == "func.func"}
    if entry not in functions:
        return list(functions)
    for name, op in functions.items():
        op.operation.attributes["sym_visibility"] = ir.StringAttr.get(
            "public" if name == entry else "private")
    return None


def name_values(ir: Any, function: Any, inputs: Sequence[str], outputs: Sequence[str],
                dims: Sequence[Sequence[str] | None] = ()) -> None:
    """Gives arguments and results their names (gaudi.name), and arguments the sizes in `dims`
    (gaudi.dims), which has None for those that are static."""
    with function.operation.context:
        arguments = [{"gaudi.name": ir.StringAttr.get(name)} for name in inputs]
        for entry, sizes in zip(arguments, dims):
            if sizes:
                entry["gaudi.dims"] = ir.ArrayAttr.get([ir.StringAttr.get(size) for size in sizes])
        add_attributes(ir, function, "arg_attrs", arguments)
        add_attributes(ir, function, "res_attrs",
                       [{"gaudi.name": ir.StringAttr.get(name)} for name in outputs])


def add_attributes(ir: Any, function: Any, key: str, added: Sequence[Mapping[str, Any]]) -> None:
    """Adds to the attributes of arguments ("arg_attrs") or results ("res_attrs") one dictionary
    each; adds none if the function has another number of them: tokens of effects have no name."""
    with function.operation.context:
        kind = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        count = len(kind.inputs if key == "arg_attrs" else kind.results)
        if count != len(added) or not count:
            return
        old = list(function.attributes[key]) if key in function.attributes else [{}] * count
        function.attributes[key] = ir.ArrayAttr.get([
            ir.DictAttr.get({**{entry.name: entry.attr for entry in attributes}, **new})
            for attributes, new in zip(old, added)])
