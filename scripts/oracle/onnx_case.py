# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One random ONNX graph of one or a few nodes: its inputs and constants, and what ONNX Runtime and the
reference of ONNX make of it."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from random_case import (B, BF, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64, Arrays, NoCase,
                         difference)

FL = [F32, F32, F32, F16, BF]
SI = [I8, I16, I32, I64]
UI = [U8, U16, U32]
INT = SI + UI
NUM = FL + INT
ALL = NUM + [B]
# Element types of the device and U64, as ONNX numbers them.
TT = {dtype: helper.np_dtype_to_tensor_dtype(dtype) for dtype in {*ALL, U64}}

# How often a case has this version of the operators.
OPSETS = [7, 9, 10, 11, 12, 13, 13, 14, 15, 16, 17, 18, 18, 19, 20, 21, 21, 22, 23, 23, 24]
MICROSOFT = "com.microsoft"
# Operators that round to integers, where results may be off by one.
_ROUNDING = ("QuantizeLinear", "DynamicQuantizeLinear", "QGemm")

OPERATORS = {}


def cases(*names, weight=1.0):
    """Adds what draws a case; it gets the name if it draws several."""
    def add(draw):
        for name in names:
            OPERATORS[name] = (draw if len(names) == 1 else lambda case, n=name: draw(case, n), weight)
        return draw
    return add


class Case(Arrays):
    """A graph that is drawn; `opset` is that of the batch."""

    def __init__(self, seed, opset):
        super().__init__(seed)
        self.opset, self.name = opset, ""
        self.feeds, self.constants, self.nodes, self.outputs = {}, {}, [], []
        self.contrib = False
        self._names = 0

    def versions(self, low=7, high=23):
        """Which versions have the form that is drawn."""
        if not low <= self.opset <= high:
            raise NoCase

    def _fresh(self, letter):
        self._names += 1
        return f"{letter}{self._names}"

    def input(self, array):
        name = self._fresh("x")
        self.feeds[name] = np.asarray(array)
        return name

    def parameter(self, array, constant=0.8):
        """An input, or with this probability a constant."""
        if not self.chance(constant):
            return self.input(array)
        name = self._fresh("c")
        self.constants[name] = np.asarray(array)
        return name

    def value(self, shape, dtype, constant=0.1, **options):
        return self.parameter(self.array(shape, dtype, **options), constant)

    def op(self, kind, inputs, count=1, domain="", **attributes):
        """Adds a node without the attributes that are None; its result, or results."""
        inputs = list(inputs)
        while inputs and inputs[-1] == "":
            inputs.pop()
        results = [self._fresh("y") for _ in range(count)]
        given = {key: value for key, value in attributes.items() if value is not None}
        self.nodes.append(helper.make_node(kind, inputs, results, domain=domain,
                                           name=f"n{len(self.nodes)}_{kind}", **given))
        self.outputs += results
        return results[0] if count == 1 else results

    def axes(self, rank, allow_empty=False):
        chosen = self.permutation(rank)[:self.integer(0 if allow_empty else 1, rank)]
        return [axis - rank if self.chance(0.4) else axis for axis in chosen]

    def model(self):
        results = [name for name in self.outputs if name]
        inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype),
                                                array.shape)
                  for name, array in self.feeds.items()]
        constants = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        graph = helper.make_graph(self.nodes, "g", inputs,
                                  [helper.make_empty_tensor_value_info(name) for name in results],
                                  constants)
        domains = ["", MICROSOFT] if self.contrib else [""]
        model = onnx.shape_inference.infer_shapes(helper.make_model(
            graph, ir_version=4 if self.opset < 10 else 10,
            opset_imports=[helper.make_opsetid(domain, self.opset if not domain else 1)
                           for domain in domains]))
        for value in model.graph.output:
            if not value.type.HasField("tensor_type"):
                value.type.tensor_type.elem_type = 0
        return model

    def __str__(self):
        def text(name):
            array = self.feeds.get(name, self.constants.get(name))
            if array is None:
                return name
            small = array.tolist() if name in self.constants and array.size < 9 else ""
            return f"{name}={array.dtype}{list(array.shape)}{small}"

        def node_text(node):
            attributes = " ".join(f"{one.name}={helper.get_attribute_value(one)}"
                                  for one in node.attribute)
            return f"{node.op_type}({', '.join(map(text, node.input))}) {attributes}"
        return f"opset {self.opset}: " + "; ".join(map(node_text, self.nodes))


class Judged:
    """A case with its model and the values of both judges, of which one may be missing."""

    def __init__(self, case):
        self.case, self.name, self.model = case, case.name, case.model()
        self.runtime = _attempt(_run_by_runtime, self.model, case.feeds)
        self.reference = None if case.contrib else _attempt(_run_by_reference, self.model,
                                                            case.feeds)
        if self.runtime is None and self.reference is None:
            raise NoCase("neither ONNX Runtime nor the reference of ONNX takes it")
        wanted = self.reference if self.runtime is None else self.runtime
        for value, array in zip(self.model.graph.output, wanted):
            value.CopyFrom(helper.make_tensor_value_info(
                value.name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))

    def verdict(self, got):
        """(outcome, words). What agrees with one judge is right: they differ where ONNX is silent."""
        loose = 3 if len(self.case.nodes) > 1 else 1
        steps = any(node.op_type in _ROUNDING or node.op_type.startswith("QLinear")
                    for node in self.case.nodes)
        words = [difference(got, wanted, loose, steps)
                 for wanted in (self.runtime, self.reference) if wanted is not None]
        return ("equal", "") if None in words else ("wrong", words[0])

    def __str__(self):
        return str(self.case)


def _attempt(run, model, feeds):
    try:
        return run(model, feeds)
    except Exception:  # a judge raises what it likes where it has no kernel
        return None


def _run_by_runtime(model, feeds):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    results = session.get_outputs()
    narrow = any(array.dtype == BF for array in feeds.values())
    if not narrow and not any(result.type == "tensor(bfloat16)" for result in results):
        return session.run([result.name for result in results], feeds)
    of_numpy = onnxruntime.OrtValue.ortvalue_from_numpy
    with_type = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
    values = {name: with_type(np.ascontiguousarray(array).view(np.uint16), TensorProto.BFLOAT16)
              if array.dtype == BF else of_numpy(np.ascontiguousarray(array))
              for name, array in feeds.items()}
    got = session.run_with_ort_values([result.name for result in results], values)
    return [np.array(value.numpy()).view(BF) if value.element_type() == TensorProto.BFLOAT16
            else value.numpy() for value in got]


def _run_by_reference(model, feeds):
    from onnx.reference import ReferenceEvaluator
    with np.errstate(all="ignore"):
        return [np.asarray(value) for value in ReferenceEvaluator(model).run(None, feeds)]


def merged(judged, opset):
    """One model of several, and its inputs; names get the number of the case before them."""
    parts = {"node": [], "input": [], "output": [], "initializer": []}
    feeds = {}
    for number, one in judged.items():
        def named(name, prefix=f"b{number}_"):
            return prefix + name if name else ""
        for part in ("node", "input", "output", "initializer"):
            items = one.case.nodes if part == "node" else getattr(one.model.graph, part)
            for item in items:
                copy = type(item)()
                copy.CopyFrom(item)
                copy.name = named(item.name)
                if part == "node":
                    copy.input[:] = map(named, item.input)
                    copy.output[:] = map(named, item.output)
                parts[part].append(copy)
        feeds.update({named(name): array for name, array in one.case.feeds.items()})
    graph = helper.make_graph(parts["node"], "g", parts["input"], parts["output"],
                              parts["initializer"])
    imports = [helper.make_opsetid("", opset), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10), feeds
