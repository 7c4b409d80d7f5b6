# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short way to write ONNX graphs for ONNX Runtime."""
import numpy as np

OPSET = 20


class Graph:
    """Operands are names or numpy arrays (which become initializers)."""

    def __init__(self):
        from onnx import helper, numpy_helper
        self.helper, self.numpy_helper = helper, numpy_helper
        self.nodes, self.initializers, self.inputs, self.outputs = [], [], [], []

    def input(self, name, array):
        kind = self.helper.np_dtype_to_tensor_dtype(array.dtype)
        self.inputs.append(self.helper.make_tensor_value_info(name, kind, array.shape))
        return name

    def op(self, kind, *operands, outputs=1, **attributes):
        names = []
        for operand in operands:
            if isinstance(operand, np.ndarray):
                name = "w%d" % len(self.initializers)
                self.initializers.append(self.numpy_helper.from_array(operand, name))
                operand = name
            names.append(operand)
        results = ["v%d_%d" % (len(self.nodes), i) for i in range(outputs)]
        self.nodes.append(self.helper.make_node(kind, names, results, **attributes))
        return results[0] if outputs == 1 else results

    def output(self, name):
        self.outputs.append(name)

    def reshape(self, value, shape):
        return self.op("Reshape", value, np.array(shape, np.int64))

    def transpose(self, value, order):
        return self.op("Transpose", value, perm=list(order))

    def linear(self, value, weight, bias=None, transposed=True):
        value = self.op("MatMul", value, np.ascontiguousarray(weight.T) if transposed else weight)
        return value if bias is None else self.op("Add", value, bias)

    def norm(self, value, gamma, beta, epsilon):
        return self.op("LayerNormalization", value, gamma, beta, axis=-1, epsilon=epsilon)

    def split_heads(self, value, shape, heads):
        b, s, d = shape
        return self.transpose(self.reshape(value, (b, s, heads, d // heads)), (0, 2, 1, 3))

    def merge_heads(self, value, shape):
        return self.reshape(self.transpose(value, (0, 2, 1, 3)), shape)

    def scalar(self, number):
        return np.array(number, np.float32)

    def save(self, path):
        import onnx
        # Results are called as in our other forms.
        renamed = {name: "out%d" % i for i, name in enumerate(self.outputs)}
        for node in self.nodes:
            for names in (node.input, node.output):
                names[:] = [renamed.get(name, name) for name in names]
        outputs = [self.helper.make_empty_tensor_value_info(name) for name in renamed.values()]
        graph = self.helper.make_graph(self.nodes, "main", self.inputs, outputs, self.initializers)
        model = self.helper.make_model(graph, opset_imports=[self.helper.make_opsetid("", OPSET)])
        model.ir_version = 10
        graph = model.graph
        # Results keep the type that inference finds.
        inferred = onnx.shape_inference.infer_shapes(model)
        for value, found in zip(graph.output, inferred.graph.output):
            value.CopyFrom(found)
        onnx.save(model, path)
