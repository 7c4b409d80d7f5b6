# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a prepared ONNX model to linalg, through the importer and the passes of torch-mlir."""
import re
import warnings
from typing import Any

import onnx
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import onnx_importer
from torch_mlir.passmanager import PassManager

from .. import _functions, _text, passes, weights
from . import build, fold, graphs, model as _model, rewrite

_TO_LINALG = ("builtin.module(torch-onnx-to-torch-backend-pipeline,"
              "torch-backend-to-linalg-on-tensors-backend-pipeline)")
_LOADS_DIALECTS = "builtin.module(func.func(convert-torch-to-tmtensor))"

# Unsigned element types of ONNX that recipes have, and their bits.
_UNSIGNED = {onnx.TensorProto.UINT8: 8, onnx.TensorProto.UINT16: 16, onnx.TensorProto.UINT32: 32}


_REMEDY = ("; replace the operator in the model, convert the model to another version of its "
           "operators (opset=21, or gaudi-import --opset=21), or compute it on the host")


class _Failure(Exception):
    """The conversion stopped at a node; its type `op` and its name are "" if not known."""

    def __init__(self, message: str, op: str = "", node: str = "") -> None:
        super().__init__(message)
        self.op, self.node = op, node


def to_text(prepared: _model.Prepared) -> weights.Text:
    """The model as text. Ops that torch-mlir does not take are replaced by the function that
    defines them in ONNX, if there is one."""
    names = {node.name for node in prepared.proto.graph.node}
    expanded: set[str] = set()
    known: _Failure | None = None
    while True:
        try:
            return _lower(prepared)
        except _Failure as failure:
            # A node of such a function is none of the model: the node that it defines is named.
            if known is None or failure.node in names:
                known = failure
            proto = None
            if failure.op and failure.op not in expanded:
                expanded.add(failure.op)
                proto = _expand(prepared.proto, failure.op)
            if proto is None:
                raise _model.OnnxError(str(known)) from None
            prepared.proto = proto


def _expand(proto: onnx.ModelProto, op: str) -> onnx.ModelProto | None:
    """The model with the body of an op that is a function in ONNX; None if it is not."""
    expanded = rewrite.inlined(proto, {op})
    counts = [sum(node.op_type == op for node in one.graph.node) for one in (proto, expanded)]
    if counts[1] >= counts[0]:
        return None
    try:
        return fold.simplify(expanded)
    except build.Unsupported as error:
        raise _model.OnnxError(str(error)) from None


def _lower(prepared: _model.Prepared) -> weights.Text:
    context = ir.Context()
    torch_dialect.register_dialect(context)
    module = _import(prepared, context)
    module = _run(module, context, prepared)
    with context, ir.Location.unknown():
        function = _functions.main(ir, module)
        _name_values(function, prepared)
        _attach_weights(function, prepared)
        _declare_unsigned(function, prepared)
    return weights.module_text(module, prepared.weights, generic=False)


def _import(prepared: _model.Prepared, context: ir.Context) -> ir.Module:
    proto = prepared.proto
    proto.graph.name = "main"
    info = onnx_importer.ModelInfo(proto)
    module = info.create_module(context=context)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            onnx_importer.NodeImporter.define_function(info.main_graph,
                                                       module.operation).import_all()
    except Exception as error:  # The importer raises what it likes.
        raise _Failure(f"torch-mlir cannot import the model: {_text.first_line(error)}") from None
    return module


def _run(module: ir.Module, context: ir.Context, prepared: _model.Prepared) -> ir.Module:
    """The module as linalg on tensors."""
    whole = passes.Module(module.operation)
    try:
        lowered = whole.lowered(_TO_LINALG)
    except passes.Refused as refused:
        raise _describe(*refused.diagnostics[0], prepared) from None
    except passes.Died as died:
        where = whole.culprit(_TO_LINALG)
        raise _Failure(f"torch-mlir cannot convert the model: it {died}{where}",
                       _op_named(where)) from None
    with context:
        # A pass on nothing loads the dialects that the others made ops of.
        PassManager.parse(_LOADS_DIALECTS).run(ir.Module.create(ir.Location.unknown()).operation)
        return ir.Module.parse(lowered)


def _op_named(where: str) -> str:
    """The operator of ONNX in what names a culprit, or ""."""
    said = re.search(r"onnx\.(\w+)", where)
    return said[1] if said else ""


def _describe(message: str, location: str, prepared: _model.Prepared) -> _Failure:
    """A failure in the words of ONNX: the op and the node."""
    names = re.findall(r'"([^"]*)"', location)
    nodes = prepared.proto.graph.node
    node = next((node for node in nodes if node.name in names), None)
    if node is None:  # one of a graph inside a node is called NODE/ATTRIBUTE/NODE
        node = next((node for node in nodes
                     if any(name.startswith(f"{node.name}/") for name in names)), None)
    said = re.search(r'name = "onnx\.(\w+)"|onnx\.(\w+)', message)
    op = node.op_type if node is not None else next(filter(None, said.groups()), "") if said else ""
    if not op and nodes:
        node = _culprit(prepared) if len(nodes) > 1 else nodes[0]
        op = node.op_type if node is not None else ""
    reason = _without_ir(message)
    if op:
        what = build.named(node) if node is not None else op
        if node is not None and node.domain == "com.microsoft":
            return _Failure(f"torch-mlir cannot convert {what}: {node.domain}::{op} is an operator of "
                            "ONNX Runtime's own; import the model as it was before its optimizer, or "
                            "save it with optimization level basic", op, node.name)
        return _Failure(f"torch-mlir cannot convert {what}{reason}{_REMEDY}", op,
                        node.name if node is not None else "")
    return _Failure(f"torch-mlir cannot convert the model{reason}{_REMEDY}")


def _culprit(prepared: _model.Prepared) -> onnx.NodeProto | None:
    """The first node that is not converted alone, where a diagnostic is of what many share."""
    proto = fold.infer(prepared.proto)
    view = graphs.View(proto.graph)
    for node in proto.graph.node:
        names = sorted(graphs.reads(node))
        kinds = {name: view.type_of(name) for name in [*names, *filter(None, node.output)]}
        if not all(kinds.values()):
            continue
        constants = [view.constants[name] for name in names if name in view.constants]
        graph = onnx.helper.make_graph(
            [node], "main", [kinds[name] for name in names if name not in view.constants],
            [kinds[name] for name in node.output if name], constants)
        single = onnx.ModelProto()
        single.CopyFrom(proto)
        single.graph.CopyFrom(graph)
        context = ir.Context()
        torch_dialect.register_dialect(context)
        try:
            alone = _model.Prepared(single, {}, [], [], {})
            _run(_import(alone, context), context, alone)
        except _Failure:
            return node
    return None


def _without_ir(message: str) -> str:
    """What a diagnostic says beyond that an op was not converted, without the op's own text."""
    message = " ".join(message.split()).split(" see current operation:")[0]
    message = re.split(r':\s(?:%[\w:]+(?:, %[\w:]+)* = )?"?torch\.', message)[0]
    if not message or message.startswith("failed to legalize operation 'torch.operator'"):
        return ""
    return f": {message[:300]}"


def _name_values(function: Any, prepared: _model.Prepared) -> None:
    """Gives arguments and results their names, and dynamic dimensions their bounds."""
    dims = [[dim.dim_param if not dim.HasField("dim_value") else ""
             for dim in value.type.tensor_type.shape.dim] for value in prepared.proto.graph.input]
    _functions.name_values(
        ir, function, [value.name for value in prepared.proto.graph.input], prepared.outputs,
        [[_range(dim, prepared.bounds) for dim in each] if any(each) else None for each in dims])
    for name in [getattr(entry, "name", entry) for entry in function.attributes]:
        if name.startswith("torch."):
            del function.attributes[name]


def _range(dim: str, bounds: dict[str, tuple[int, ...]]) -> str:
    return _text.size_range(re.sub(r"\W", "_", dim), bounds[dim]) if dim else ""


def _attach_weights(function: Any, prepared: _model.Prepared) -> None:
    """Replaces the arguments that are weights by constants without data."""
    block = function.regions[0].blocks[0]
    names = [value.name for value in prepared.proto.graph.input]
    count = len(prepared.inputs)
    for index in reversed(range(count, len(names))):
        argument = block.arguments[index]
        if any(True for _ in argument.uses):
            attribute = weights.resource_attribute(ir, names[index], argument.type,
                                                   prepared.weights[names[index]])
            constant = ir.Operation.create("arith.constant", results=[argument.type],
                                           attributes={"value": attribute},
                                           ip=ir.InsertionPoint.at_block_begin(block))
            argument.replace_all_uses_with(constant.result)
        block.erase_argument(index)
    kind = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    function.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(kind.inputs[:count], kind.results))
    if "arg_attrs" in function.attributes:
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(
            list(function.attributes["arg_attrs"])[:count])


def _declare_unsigned(function: Any, prepared: _model.Prepared) -> None:
    """Gives inputs and outputs the unsigned types of the model, which torch-mlir drops."""
    block = function.regions[0].blocks[0]
    infos = {value.name: value.type.tensor_type.elem_type
             for value in [*prepared.proto.graph.input, *prepared.proto.graph.output]}

    def declared(name: str, kind: ir.Type) -> ir.Type:
        bits = _UNSIGNED.get(infos[name])
        if bits is None:
            return kind
        return ir.RankedTensorType.get(ir.RankedTensorType(kind).shape,
                                       ir.IntegerType.get_unsigned(bits))

    def cast(value: ir.Value, kind: ir.Type, before: ir.InsertionPoint) -> ir.Value:
        return ir.Operation.create("tensor.bitcast", results=[kind], operands=[value],
                                   ip=before).result

    for name, argument in zip(prepared.inputs, block.arguments):
        signless, kind = argument.type, declared(name, argument.type)
        if kind != signless:
            uses = list(argument.uses)
            argument.set_type(kind)
            inner = cast(argument, signless, ir.InsertionPoint.at_block_begin(block))
            for use in uses:
                use.owner.operands[use.operand_number] = inner
    end = block.operations[len(block.operations) - 1]
    for index, name in enumerate(prepared.outputs):
        value = end.operands[index]
        kind = declared(name, value.type)
        if kind != value.type:
            end.operands[index] = cast(value, kind, ir.InsertionPoint(end))
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
        [argument.type for argument in block.arguments], [value.type for value in end.operands]))
