# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prepares an ONNX model for the importer of torch-mlir: sizes, weights, opset, constants."""
import dataclasses
import os
import re
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, inliner, numpy_helper, version_converter

from .. import _text
from ..errors import Error
from . import budget, build, fold, graphs, operators, quantized, spectra

# Older models are converted to this version: torch-mlir knows few forms of before.
OLDEST_OPSET = 17


class OnnxError(Error):
    """A model that cannot be imported; the message names the culprit."""


@dataclasses.dataclass
class Prepared:
    """A model whose large weights are inputs, after those that callers see."""
    proto: onnx.ModelProto
    weights: dict[str, np.ndarray]
    inputs: list[str]
    outputs: list[str]
    bounds: dict[str, tuple[int, ...]]  # of symbolic dimensions


def prepare(source: Any, sizes: dict[str, Any], opset: int | None,
            folder: Any) -> Prepared:
    proto = load(source, folder)
    graph = proto.graph
    if graph.sparse_initializer:
        for sparse in graph.sparse_initializer:
            graph.initializer.append(graphs.dense(sparse))
        del graph.sparse_initializer[:]
    # Older versions want a value of the graph's inputs for each initializer.
    proto.ir_version = max(proto.ir_version, 8)
    graphs.name_nodes(graph)
    _widen_constants(graph)
    weights = _take_weights(graph)
    inputs = [value.name for value in graph.input if value.name not in weights]
    outputs = [value.name for value in graph.output]
    _refuse_values(graph, weights)
    if proto.functions:
        budget.check_functions(proto)
        proto = inliner.inline_local_functions(proto)
    known = {entry.domain for entry in proto.opset_import}
    proto.opset_import.extend(helper.make_opsetid(domain, 1) for domain
                              in {node.domain for node in proto.graph.node} - known)
    bounds = _fix_sizes(proto.graph, set(weights), sizes)
    try:
        proto = _convert_opset(proto, opset)
        graphs.name_nodes(proto.graph)
        graphs.mark_origins(proto.graph.node)
        proto = quantized.rewrite(proto, weights, fold.infer)
        proto = fold.simplify(proto)
    except build.Unsupported as error:
        raise OnnxError(str(error)) from None
    return Prepared(proto, weights, inputs, outputs, bounds)


def load(source: Any, folder: Any = None) -> onnx.ModelProto:
    """A model with its external data, a copy that may be changed."""
    if isinstance(source, onnx.ModelProto):
        proto = onnx.ModelProto()
        proto.CopyFrom(source)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        proto = _parse(bytes(source), "the bytes")
    else:
        path = os.fspath(source)
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError as error:
            raise OnnxError(_text.unreadable(os.fsdecode(path), error)) from None
        proto = _parse(content, f"'{os.fsdecode(path)}'")
        folder = folder or os.path.dirname(os.path.abspath(path))
    tensors = [tensor for tensor in proto.graph.initializer
               if tensor.data_location == TensorProto.EXTERNAL]
    external = [tensor.name for tensor in tensors]
    if external and folder is None:
        raise OnnxError(f"the weights of the model are in other files ('{external[0]}' and "
                        f"{len(external) - 1} more); name their folder with folder=")
    if folder is not None:
        budget.check_external(tensors, os.fspath(folder))
        for tensor in tensors:
            location = next((entry.value for entry in tensor.external_data
                             if entry.key == "location"), "")
            # Paths to other folders are refused below, whether there is a file or not.
            if os.path.isabs(location) or ".." in location.split("/"):
                continue
            if not os.path.exists(os.path.join(folder, location)):
                raise OnnxError(f"the elements of '{tensor.name}' are in the file '{location}', "
                                f"which is not in '{os.fspath(folder)}'; put it there")
            with open(os.path.join(folder, location), "rb") as file:
                if _text.is_lfs_pointer(file.read(32)):
                    raise OnnxError(f"'{os.path.join(folder, location)}', which has the elements "
                                    f"of '{tensor.name}', {_text.LFS_ADVICE}")
        try:
            onnx.load_external_data_for_model(proto, os.fspath(folder))
        except (OSError, ValueError, onnx.checker.ValidationError) as error:
            raise OnnxError(f"cannot read the external data of the model: {error}; save the model and "
                            "its data again") from None
    if not proto.graph.output:
        raise OnnxError("the model has no graph with outputs, so it is no ONNX model, or not all of "
                        "one; export it again")
    return proto


def _parse(content: bytes, what: str) -> onnx.ModelProto:
    if _text.is_lfs_pointer(content):
        raise OnnxError(f"{what} {_text.LFS_ADVICE}")
    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(content)
    except Exception:  # of protobuf, whose classes depend on its implementation
        raise OnnxError(f"{what}: the {len(content)} bytes are no ONNX model, or not all of one, as of a "
                        "download that stopped; fetch or export it again") from None
    return proto


# Types of constants that the device does not have, and those that hold the same values.
_WIDER = {TensorProto.INT4: TensorProto.INT8, TensorProto.UINT4: TensorProto.UINT8,
          TensorProto.INT2: TensorProto.INT8, TensorProto.UINT2: TensorProto.UINT8,
          TensorProto.FLOAT4E2M1: TensorProto.FLOAT8E4M3FN}


def _widen_constants(graph: onnx.GraphProto) -> None:
    """Constants of less than eight bits that are only dequantized get eight."""
    values = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        value = graphs.constant_value(node)
        if value is not None:
            values[node.output[0]] = value
    others = {name for node in graph.node if node.op_type != "DequantizeLinear"
              for name in graphs.reads(node)} | {value.name for value in graph.output}
    for name, tensor in values.items():
        if tensor.data_type in _WIDER and name not in others:
            dtype = helper.tensor_dtype_to_np_dtype(_WIDER[tensor.data_type])
            tensor.CopyFrom(numpy_helper.from_array(_array(tensor, name).astype(dtype),
                                                    tensor.name))


def _take_weights(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    """Makes inputs of large constants; their values. Small ones get the form with raw data."""
    constants = {}
    for node in list(graph.node):
        value = graphs.constant_value(node)
        if value is not None:
            graph.node.remove(node)
            constants[node.output[0]] = value
    for tensor in graph.initializer:
        constants[tensor.name] = tensor
    initialized = set(constants)
    visible = [value for value in graph.input if value.name not in initialized]
    outputs = {value.name for value in graph.output}
    del graph.input[:]
    graph.input.extend(visible)
    del graph.initializer[:]
    weights: dict[str, np.ndarray] = {}
    for name, tensor in constants.items():
        array = _array(tensor, name)
        if array.size <= graphs.LARGE_ELEMENTS or name in outputs or array.dtype == object:
            graph.initializer.append(numpy_helper.from_array(array, name))
            continue
        weights[name] = array
        graph.input.append(helper.make_tensor_value_info(name, tensor.data_type, tensor.dims))
    return weights


def _array(tensor: TensorProto, name: str) -> np.ndarray:
    try:
        return numpy_helper.to_array(tensor)
    except (TypeError, ValueError, KeyError) as error:
        known = tensor.data_type in TensorProto.DataType.values()
        kind = TensorProto.DataType.Name(tensor.data_type) if known else \
            f"{tensor.data_type}, which ONNX does not have"
        raise OnnxError(f"cannot read constant '{name}' of type {kind}: {error}; save the model "
                        "again") from None


def _refuse_values(graph: onnx.GraphProto, weights: dict[str, np.ndarray]) -> None:
    for value in [*graph.input, *graph.output]:
        kind = value.type.WhichOneof("value")
        if kind != "tensor_type":
            raise OnnxError(f"'{value.name}' is a {(kind or 'value without a type')}, and only "
                            "tensors can be inputs and outputs; export the model with tensors there")
        if value.type.tensor_type.elem_type == TensorProto.STRING:
            raise OnnxError(f"'{value.name}' is a tensor of strings, which the device does not "
                            "have; look the strings up on the host")
        if value.type.tensor_type.elem_type == TensorProto.DOUBLE \
                and value.name not in weights:
            raise OnnxError(f"'{value.name}' has elements of type DOUBLE, which inputs and outputs "
                            "of the device do not have; make it FLOAT in the model, and cast on "
                            "the host")


def _fix_sizes(graph: onnx.GraphProto, weights: set[str],
               sizes: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Replaces symbolic dimensions that have a size; the ranges of all others."""
    bounds: dict[str, tuple[int, ...]] = {}
    used: dict[str, str] = {}  # the first input that has it
    missing: dict[str, str] = {}
    for value in graph.input:
        tensor_type = value.type.tensor_type
        if value.name in weights:
            continue
        if not tensor_type.HasField("shape"):
            raise OnnxError(f"input '{value.name}' has no shape, not even a rank; add one to the "
                            "model, with onnx.helper.make_tensor_value_info")
        for index, dim in enumerate(tensor_type.shape.dim):
            if dim.HasField("dim_value") and dim.dim_value >= 0:
                continue
            # Some exporters call every size that they do not know "?".
            named = re.search(r"\w", dim.dim_param)
            name = dim.dim_param if named else f"{value.name}_{index}"
            used.setdefault(name, value.name)
            size = sizes.get(name)
            if size is None:
                missing[name] = value.name
            elif isinstance(size, (int, np.integer)) and size >= 0:
                dim.dim_value = int(size)
            else:
                dim.dim_param = name
                bounds[name] = _range(name, size)
    unknown = [name for name in sizes if name not in used]
    if unknown:
        near = _text.meant(unknown[0], used)
        has = [f"{name} (of input '{value}')" for name, value in used.items()]
        is_input = unknown[0] in [value.name for value in graph.input]
        write = f"; write sizes={{\"{next(iter(used))}\": 8}}, or --size={next(iter(used))}=8" if used else ""
        raise OnnxError(f"the model has no symbolic dimension '{unknown[0]}'"
                        f"{', which is an input' * is_input}; {near and near + ' '}"
                        f"it has: {', '.join(sorted(has)) or 'none; all its sizes are fixed'}"
                        f"{write * (not near)}")
    if missing:
        names = ", ".join(f"'{name}' of input '{value}'" for name, value in missing.items())
        example = next(iter(missing))
        raise OnnxError(f"the model has dimensions without a size: {names}; give each a size or a "
                        f"range: sizes={{\"{example}\": 8}} or (1, 8); "
                        f"gaudi-import: --size={example}=8 or 1..8")
    _replace_params(graph, sizes)
    return bounds


def _range(name: str, size: Any) -> tuple[int, ...]:
    """(MIN, MAX) or (MIN, MAX, MULTIPLE)."""
    if not isinstance(size, (tuple, list)) or len(size) not in (2, 3) or \
            not all(isinstance(each, (int, np.integer)) for each in size) or size[0] > size[1]:
        raise OnnxError(f"the size of '{name}' is {size!r}; expected a number, (MIN, MAX) or "
                        "(MIN, MAX, MULTIPLE), such as 8 or (1, 64)")
    return tuple(int(each) for each in size)


def _replace_params(graph: onnx.GraphProto, sizes: dict[str, Any]) -> None:
    """Sizes of outputs and values between; what is not known is left to shape inference."""
    for value in [*graph.output, *graph.value_info]:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param and isinstance(sizes.get(dim.dim_param), (int, np.integer)):
                dim.dim_value = int(sizes[dim.dim_param])
            elif dim.dim_param and dim.dim_param not in sizes:
                dim.ClearField("dim_param")


def _convert_opset(proto: onnx.ModelProto, wanted: int | None) -> onnx.ModelProto:
    current = next((entry.version for entry in proto.opset_import
                    if entry.domain in ("", "ai.onnx")), None)
    if current is None:
        proto.opset_import.append(helper.make_opsetid("", OLDEST_OPSET))
        return proto
    for node in proto.graph.node:
        if node.op_type == "Scan" and node.domain in ("", "ai.onnx") and current < 9:
            raise OnnxError(f"Scan (node '{node.name}') of opset {current} has a dimension for a "
                            "batch, which later ones do not; export the model with opset 9 or "
                            "later")
    operators.old_hardmax(proto.graph, current)
    spectra.name_axes(proto.graph, current)
    target = wanted or (OLDEST_OPSET if current < OLDEST_OPSET else current)
    if target == current:
        _refuse_old_samples(proto.graph, current)
        return proto
    try:
        converted = version_converter.convert_version(proto, target)
    except Exception as error:  # RuntimeError and others of the C++ code
        if wanted is None:
            _refuse_old_samples(proto.graph, current)
            return proto  # what is read of the old form is read
        reason = str(error).rpartition(" failed: ")[2]  # after the text of an assertion
        raise OnnxError(f"the model of opset {current} cannot be converted to {target}: "
                        f"{reason}; leave the opset out, or export the model with it") from None
    if current < 11:
        _place_samples(converted.graph)
    return converted


def _place_samples(graph: onnx.GraphProto) -> None:
    """Before version 11, Resize and Upsample took samples from the first element on; the nearest
    one was that before, and of a smaller result, as ONNX Runtime has it, that after."""
    view = graphs.View(graph)
    for node in graph.node:
        for entry in node.attribute:
            if entry.type == onnx.AttributeProto.GRAPH:
                _place_samples(entry.g)
        if node.op_type == "Resize" and node.domain in ("", "ai.onnx"):
            with build.naming(node):
                _place_samples_of(node, view)


def _place_samples_of(node: onnx.NodeProto, view: graphs.View) -> None:
    scales = view.array(graphs.input_of(node, 2))
    shrinks = scales is not None and bool(np.any(scales < 1))
    if shrinks and np.any(scales > 1) and build.text_of(node, "mode", "nearest") == "nearest":
        raise build.Unsupported(f"{build.named(node)} of an opset before 11 makes one dimension "
                                "larger and another smaller; write one Resize for each")
    for name, value in (("coordinate_transformation_mode", "asymmetric"),
                        ("nearest_mode", "ceil" if shrinks else "floor")):
        if graphs.attribute(node, name) is None:
            node.attribute.append(helper.make_attribute(name, value))


def _refuse_old_samples(graph: onnx.GraphProto, opset: int) -> None:
    """Refuses what would be read as of version 11."""
    for node in graph.node:
        if opset < 11 and node.op_type == "Resize" and node.domain in ("", "ai.onnx"):
            raise build.Unsupported(f"{build.named(node)} of opset {opset} takes samples that "
                                    "later ones do not, and the model cannot be converted; export "
                                    "it with opset 11 or later")
