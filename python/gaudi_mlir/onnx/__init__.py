# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX models as recipes, and as text for gaudi-run.

    recipe = gaudi_mlir.onnx.compile("model.onnx", sizes={"batch": 8})
    outputs = recipe.run({"x": x})
"""
from collections.abc import Mapping
import os
from typing import Any

try:
    import onnx as _onnx
except ImportError as error:
    raise ImportError(f"gaudi_mlir.onnx needs onnx ({error}); "
                      "run: pip install onnx==1.23.2") from None
try:
    import torch_mlir as _torch_mlir
except ImportError as error:
    raise ImportError(f"gaudi_mlir.onnx needs torch-mlir ({error}); "
                      "run: pip install torch-mlir==20261001") from None

from .. import _calls, weights
from ..compiler import check_options
from . import budget, lower, model as _model

__all__ = ["compile", "to_mlir", "OnnxError"]

OnnxError = _model.OnnxError


@_calls.named
def to_mlir(model: "str | os.PathLike | bytes | _onnx.ModelProto", *,
            sizes: Mapping[str, "int | tuple[int, ...]"] | None = None,
            opset: int | None = None, folder: "str | os.PathLike | None" = None) -> weights.Text:
    """The model as linalg on tensors, text that gaudi-run takes.

    `model`: a file, its bytes, or a ModelProto. `sizes`: for each symbolic dimension its size, or a
    range (MIN, MAX) or (MIN, MAX, MULTIPLE) that stays dynamic (docs/buckets.md). A dimension
    without a name, or called "?", is called INPUT_NUMBER. `opset`: convert the model to this
    version first. `folder`: where external data of bytes or of a ModelProto is. Names and shapes of
    inputs and outputs stay.
    """
    try:
        prepared = _model.prepare(model, dict(sizes or {}), opset, folder)
        return lower.to_text(prepared)
    except budget.Oversized as error:
        raise OnnxError(str(error)) from None


@_calls.named
def compile(model: "str | os.PathLike | bytes | _onnx.ModelProto", *,
            sizes: Mapping[str, "int | tuple[int, ...]"] | None = None,
            opset: int | None = None, folder: "str | os.PathLike | None" = None,
            **options: Any) -> Any:
    """The recipe of the model; options are those of gaudi_mlir.compile."""
    check_options(options, ("sizes", "opset", "folder"), "gaudi_mlir.onnx.compile")
    return to_mlir(model, sizes=sizes, opset=opset, folder=folder).compile(**options)
