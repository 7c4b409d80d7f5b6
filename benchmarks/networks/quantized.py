# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks in 8-bit integers, quantized by ONNX Runtime's own tools: weights per channel, signed,
of 7 bits (a sum of two products of 8 bits may saturate on CPUs without VNNI instructions), rows
unsigned. Both sides run the same ONNX file; ours goes through gaudi-import.

BERT has dynamic scales, which are computed from the values of each run, and ResNet-50 static ones,
from a run on seeded images: what ONNX Runtime's documentation advises for each.
"""
import logging
import os
import tempfile
from typing import Any, Iterator

import numpy as np

from .bert import Bert
from .numbers import rng
from .onnxgraph import Graph
from .resnet import ResNet50


class _Quantized:
    """A network whose form is an ONNX file."""

    is_onnx = True
    dtype = "f32"  # of inputs and outputs
    types = ("int8", "f32")

    def __init__(self, network: Any) -> None:
        self.network = network

    def inputs(self) -> dict[str, np.ndarray]:
        return self.network.inputs()

    def flops(self) -> float:
        """Two operations per multiply-add, of integers or not."""
        return self.network.flops()

    def save_onnx(self, path: str) -> None:
        graph = Graph()
        self.network.onnx(graph)
        level = logging.root.manager.disable
        logging.disable(logging.WARNING)  # advice that the networks do not need
        try:
            with tempfile.TemporaryDirectory() as folder:
                floats = os.path.join(folder, "floats.onnx")
                graph.save(floats)
                self.quantize(floats, path)
        finally:
            logging.disable(level)

    def quantize(self, floats: str, path: str) -> None:
        raise NotImplementedError


class BertInt8(_Quantized):
    def __init__(self, dtype: str = "f32", **sizes: int) -> None:
        super().__init__(Bert(dtype="f32", **sizes))

    def quantize(self, floats: str, path: str) -> None:
        from onnx import TensorProto
        from onnxruntime.quantization import QuantType, quantize_dynamic
        quantize_dynamic(floats, path, op_types_to_quantize=["MatMul"], per_channel=True,
                         reduce_range=True, weight_type=QuantType.QInt8,
                         extra_options={"DefaultTensorType": TensorProto.FLOAT})


class ResNet50Int8(_Quantized):
    IMAGES = 4  # for the calibration

    def __init__(self, dtype: str = "f32", **sizes: int) -> None:
        super().__init__(ResNet50(dtype="f32", **sizes))

    def feeds(self) -> Iterator[dict[str, np.ndarray]]:
        [(name, array)] = self.network.inputs().items()
        for index in range(self.IMAGES):
            yield {name: rng("calibration", index).standard_normal(array.shape, dtype=np.float32)}

    def quantize(self, floats: str, path: str) -> None:
        from onnxruntime.quantization import (CalibrationDataReader, QuantFormat, QuantType,
                                              quantize_static)
        from onnxruntime.quantization.shape_inference import quant_pre_process

        class Reader(CalibrationDataReader):
            def __init__(self, feeds: Iterator[dict[str, np.ndarray]]) -> None:
                self.feeds = feeds

            def get_next(self) -> dict[str, np.ndarray] | None:
                return next(self.feeds, None)

        folded = floats + ".folded"  # batch norms in the weights
        quant_pre_process(floats, folded, skip_symbolic_shape=True)
        quantize_static(folded, path, Reader(self.feeds()), quant_format=QuantFormat.QDQ,
                        per_channel=True, reduce_range=True, activation_type=QuantType.QUInt8,
                        weight_type=QuantType.QInt8)
