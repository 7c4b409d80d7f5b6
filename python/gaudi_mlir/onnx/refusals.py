# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an ONNX graph may not have when it is converted, with the node and what helps."""
import onnx
from onnx import TensorProto

from . import graphs, operators
from .build import FLOATS, Unsupported, named, text_of

_HOST = "compute it on the host"
_SIZE = ("the size of its result depends on values, and sizes are fixed when a model is compiled; "
         "compute it on the host, after the model")

_KNOWN = ("it needs sizes that are known, and lengths, axes and the like that are constants: fix "
          "sizes with sizes=, and make the others initializers")

# Those of which some operators are converted.
_DOMAINS = ("", "ai.onnx", "ai.onnx.preview", "ai.onnx.training",
            "ai.onnx.preview.training", "com.microsoft")

# Operators that neither this importer nor torch-mlir converts.
_REMEDIES = {
    "NonZero": _SIZE, "Unique": _SIZE, "NonMaxSuppression": _SIZE,
    "Compress": "its condition is not a constant, so " + _SIZE,
    "RoiAlign": "export the model with the regions of interest sampled by GridSample, or " + _HOST,
    "DeformConv": "export it as GridSample and MatMul, or " + _HOST,
    "Det": "torch-mlir computes it without pivoting, so that it is NaN for many matrices; " + _HOST,
    "BitCast": "replace it in the model by arithmetic, or " + _HOST,
    "ImageDecoder": "decode images on the host, before the model",
    **dict.fromkeys(("DFT", "STFT", "CumProd", "ReverseSequence", "Col2Im", "MaxUnpool",
                     "MelWeightMatrix"), _KNOWN),
    **dict.fromkeys(("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike",
                     "Bernoulli", "Multinomial"),
                    "the generator of ONNX is not specified; make the numbers an input"),
    **dict.fromkeys(("StringNormalizer", "StringConcat", "StringSplit", "RegexFullMatch",
                     "TfIdfVectorizer"), "the device has no strings; " + _HOST),
    **dict.fromkeys(("SequenceConstruct", "SequenceEmpty", "SequenceAt", "SequenceInsert",
                     "SequenceErase", "SequenceLength", "SequenceMap", "SplitToSequence",
                     "ConcatFromSequence", "Optional", "OptionalGetElement",
                     "OptionalHasElement"),
                    "sequences and optional values are not tensors; export the model with tensors"),
}

# Operators that move elements, or whose bits are the same for integers with a sign and without.
_OF_BITS = {
    "Add", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "CastLike", "Concat",
    "CumSum", "DepthToSpace", "Einsum", "Equal", "Expand", "Flatten", "Gather", "GatherElements",
    "GatherND", "Gemm", "Identity", "MatMul", "Mul", "OneHot", "Pad", "ReduceProd", "ReduceSum",
    "ReduceSumSquare", "Reshape", "Resize", "ScatterElements", "ScatterND", "Shape", "Size",
    "Slice", "SpaceToDepth", "Split", "Squeeze", "Sub", "Tile", "Transpose", "Trilu", "Unsqueeze",
    "Where"}

# Operators that torch-mlir, or a rule, converts rightly for unsigned integers, too. UINT64 is not
# among these: torch-mlir and recipes have it as INT64.
_OF_UNSIGNED = _OF_BITS | {
    "ArgMax", "ArgMin", "BitShift", "ConvInteger", "DequantizeLinear", "Greater", "GreaterOrEqual",
    "Less", "LessOrEqual", "MatMulInteger", "Max", "Min", "QLinearConv", "QLinearMatMul",
    "QuantizeLinear", "ReduceMax", "ReduceMin"}

# For each unsigned type those operators, and the signed type that holds its values.
_UNSIGNED = {
    TensorProto.UINT8: (_OF_UNSIGNED, "INT32"), TensorProto.UINT16: (_OF_UNSIGNED, "INT32"),
    TensorProto.UINT32: (_OF_UNSIGNED, "INT64"), TensorProto.UINT64: (_OF_BITS, "INT64")}

_TYPES = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.DOUBLE,
          TensorProto.FLOAT8E4M3FN, TensorProto.FLOAT8E5M2, TensorProto.BOOL, TensorProto.INT8,
          TensorProto.INT16, TensorProto.INT32, TensorProto.INT64, TensorProto.UINT8,
          TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64}


def refuse(graph: onnx.GraphProto) -> None:
    """Refuses a simplified graph that has no conversion, or one with wrong values."""
    view = graphs.View(graph)
    for node in graph.node:
        if node.domain == "ai.onnx.ml":
            raise Unsupported(f"{named(node)} of the domain ai.onnx.ml is not converted; export "
                              "the model with operators of tensors (hummingbird does), or "
                              + _HOST)
        if node.domain not in _DOMAINS:
            raise Unsupported(f"{named(node)} is an operator of the domain '{node.domain}', of which "
                              "none is read; write it in operators of ai.onnx or com.microsoft, make "
                              "it a function of the model (onnx.helper.make_function), or " + _HOST)
        if node.domain not in ("", "ai.onnx"):
            continue
        if node.op_type == "Pad" and text_of(node, "mode", "constant") == "wrap":
            raise Unsupported(f"{named(node)} by the other end is not converted: {_KNOWN}")
        if node.op_type in _REMEDIES:
            raise Unsupported(f"{named(node)} is not converted: {_REMEDIES[node.op_type]}")
        for name in [*node.input, *node.output]:
            kind = view.element_type(name) if name else None
            if kind and kind not in _TYPES:
                spelled = TensorProto.DataType.Name(kind)
                raise Unsupported(f"{named(node)}: '{name}' has elements of type {spelled}, which "
                                  "the device does not have; cast it to a type of 8 bits or more "
                                  "in the model, such as FLOAT8E4M3FN, INT8 or FLOAT16")
        _refuse_unsigned(node, view)
    operators.refuse(graph)


def _refuse_unsigned(node: onnx.NodeProto, view: graphs.View) -> None:
    """Refuses an operator of unsigned integers that would be read with a sign, or that no test
    says is right."""
    result = view.element_type(node.output[0]) if node.output and node.output[0] else None
    if node.op_type in ("Cast", "CastLike") and result == TensorProto.UINT16:
        raise Unsupported(f"{named(node)} makes UINT16 of another type, which torch-mlir does not "
                          "convert; use INT32 in the model, and convert on the host")
    for name in node.input:
        kind = view.element_type(name) if name else None
        if kind not in _UNSIGNED:
            continue
        known, signed = _UNSIGNED[kind]
        combines = node.op_type.startswith("Scatter") \
            and text_of(node, "reduction", "none") not in ("none", "add", "mul")
        blends = node.op_type == "Resize" and text_of(node, "mode", "nearest") != "nearest"
        to_float = kind == TensorProto.UINT64 and result in FLOATS
        of_power = node.op_type == "Pow" and name != node.input[0] and result in FLOATS
        if node.op_type not in known and not of_power or combines or blends or to_float:
            spelled = TensorProto.DataType.Name(kind)
            raise Unsupported(f"{named(node)} of {spelled} ('{name}') is not converted: it would "
                              f"be read as a number with a sign; cast it to {signed} in the model")
