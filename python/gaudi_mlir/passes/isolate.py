# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the ops of a module of the torch dialect apart, to find the one that passes die of."""
from typing import Any

# What makes an operand that passes expect to see: constants, and lists of them.
_CONSTANT = ("torch.constant", "torch.vtensor.literal", "torch.prim.ListConstruct")


def split(ir: Any, module: Any) -> list[tuple[str, str, Any]]:
    """For each op but constants: its name, its place, and a module with a function that computes
    it alone from arguments. Ops that are equal but for their operands appear once."""
    found: list[tuple[str, str, Any]] = []
    seen: set[str] = set()
    for function in module.body.operations:
        if function.operation.name != "func.func" or not function.operation.regions[0].blocks:
            continue
        for op in function.operation.regions[0].blocks[0].operations:
            op = op.operation
            if not op.results or _is_constant(op):
                continue
            alone = _alone(ir, op, function.operation)
            text = alone.operation.get_asm()
            if text not in seen:
                seen.add(text)
                found.append((_name(ir, op), str(op.location), alone))
    return found


def _name(ir: Any, op: Any) -> str:
    """The name in PyTorch or ONNX, with the types of the results."""
    name = op.name.removeprefix("torch.")
    if op.name == "torch.operator":
        name = ir.StringAttr(op.attributes["name"]).value
    operands = ", ".join(str(value.type).removeprefix("!torch.") for value in op.operands)
    return f"{name}({operands})"


def _is_constant(op: Any) -> bool:
    if op.name == "torch.operator":
        return "onnx.Constant" in str(op.attributes["name"])
    return op.name.startswith(_CONSTANT)


def _alone(ir: Any, op: Any, function: Any) -> Any:
    needed: list[Any] = []
    arguments: list[Any] = []
    _collect(ir, op, needed, arguments)
    module = ir.Module.create()
    types = [value.type for value in arguments]
    results = [value.type for value in op.results]
    attributes = {name: function.attributes[name] for name in _names(function.attributes)
                  if name.startswith("torch.")}
    attributes["sym_name"] = ir.StringAttr.get("main")
    attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, results))
    with ir.InsertionPoint(module.body):
        made = ir.Operation.create("func.func", attributes=attributes, regions=1)
    block = made.regions[0].blocks.append(*types)
    values = dict(zip(arguments, block.arguments))
    with ir.InsertionPoint(block):
        for one in (*needed, op):
            clone = one.clone()
            for index, operand in enumerate(one.operands):
                clone.operands[index] = values[operand]
            values.update(zip(one.results, clone.results))
        ir.Operation.create("func.return", operands=[values[value] for value in op.results])
    return module


def _names(attributes: Any) -> list[str]:
    return [getattr(entry, "name", entry) for entry in attributes]


def _collect(ir: Any, op: Any, needed: list[Any], arguments: list[Any]) -> None:
    """The constants that an op reads, those before that they read, and the values that become
    arguments."""
    for value in op.operands:
        maker = value.owner if isinstance(value.owner, ir.Block) else value.owner.operation
        if isinstance(maker, ir.Block) or not _is_constant(maker):
            if value not in arguments:
                arguments.append(value)
        elif maker not in needed:
            _collect(ir, maker, needed, arguments)
            needed.append(maker)
