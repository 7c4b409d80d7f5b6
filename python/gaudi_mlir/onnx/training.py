# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of optimizers, of the domain ai.onnx.preview.training, as their formulas."""
from typing import Any

import onnx
from onnx import helper

from . import graphs
from .build import Builder, Nodes, Rules

DOMAIN = "ai.onnx.preview.training"


class _Step:
    """One step for several tensors. Inputs: rate, number of the step, then for each kind of
    tensor (weights, gradients, moments) as many as there are weights."""

    def __init__(self, build: Builder, kinds: int) -> None:
        self.build, self.node = build, build.node
        self.count = (len(self.node.input) - 2) // kinds
        self.rate, self.step = self.node.input[:2]

    def number(self, name: str, default: float = 0.0) -> float:
        return graphs.attribute(self.node, name, default)

    def tensors(self, index: int) -> list[str]:
        first = 2 + index
        return list(self.node.input[first::self.count])

    def op(self, op: str, *operands: Any) -> str:
        """Numbers among the operands have the type of the first tensor."""
        return self.build.add(op, *(value if isinstance(value, str)
                                    else self.build.scalar(value, self.node.input[2])
                                    for value in operands))

    def regularized(self, weight: str, gradient: str) -> str:
        factor = self.number("norm_coefficient")
        return self.op("Add", self.op("Mul", weight, factor), gradient) if factor else gradient

    def mixed(self, share: float, old: str, new: str) -> str:
        return self.op("Add", self.op("Mul", old, share), self.op("Mul", new, 1 - share))

    def steps(self) -> str:
        """The number of the step as a float."""
        return self.build.cast(self.step, self.build.view.element_type(self.node.input[2]))

    def later(self, value: Any, first: Any) -> str:
        """`first` in step 0."""
        later = self.build.add("Greater", self.step, self.build.scalar(0, self.step))
        return self.op("Where", later, value, first)

    def finish(self, results: list[list[str]]) -> list[onnx.NodeProto]:
        """results[kind][tensor]"""
        flat = [name for kind in results for name in kind]
        for index, name in enumerate(flat):
            self.build.nodes.append(helper.make_node(
                "Identity", [name], [self.node.output[index]], name=f"{self.node.name}/{index}"))
        return self.build.nodes


def _adagrad(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    s = _Step(build, 3)
    decay = s.op("Mul", s.steps(), s.number("decay_factor"))
    rate = s.op("Div", s.rate, s.op("Add", decay, 1.0))
    weights, moments = [], []
    for index in range(s.count):
        x, g, h = s.tensors(index)
        g = s.regularized(x, g)
        h = s.op("Add", h, s.op("Mul", g, g))
        root = s.op("Add", s.op("Sqrt", h), s.number("epsilon", 1e-6))
        weights.append(s.op("Sub", x, s.op("Div", s.op("Mul", rate, g), root)))
        moments.append(h)
    return s.finish([weights, moments])


def _adam(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    s = _Step(build, 4)
    alpha, beta = s.number("alpha", 0.9), s.number("beta", 0.999)
    of_one, of_two = (s.op("Sub", 1.0, s.op("Pow", share, s.steps())) for share in (alpha, beta))
    rate = s.later(s.op("Div", s.op("Mul", s.rate, s.op("Sqrt", of_two)), of_one), s.rate)
    after = s.number("norm_coefficient_post")
    results: list[list[str]] = [[], [], []]
    for index in range(s.count):
        x, g, v, h = s.tensors(index)
        g = s.regularized(x, g)
        v = s.mixed(alpha, v, g)
        h = s.mixed(beta, h, s.op("Mul", g, g))
        root = s.op("Add", s.op("Sqrt", h), s.number("epsilon", 1e-6))
        x = s.op("Sub", x, s.op("Mul", rate, s.op("Div", v, root)))
        x = s.op("Mul", x, 1 - after) if after else x
        for kind, value in zip(results, (x, v, h)):
            kind.append(value)
    return s.finish(results)


def _momentum(node: onnx.NodeProto, view: graphs.View, build: Builder) -> Nodes:
    s = _Step(build, 3)
    alpha = s.number("alpha")
    beta = s.later(s.number("beta"), 1.0)
    nesterov = graphs.attribute(node, "mode", b"standard") == b"nesterov"
    weights, moments = [], []
    for index in range(s.count):
        x, g, v = s.tensors(index)
        g = s.regularized(x, g)
        v = s.op("Add", s.op("Mul", v, alpha), s.op("Mul", beta, g))
        change = s.op("Add", g, s.op("Mul", v, alpha)) if nesterov else v
        weights.append(s.op("Sub", x, s.op("Mul", s.rate, change)))
        moments.append(v)
    return s.finish([weights, moments])


RULES: Rules = {
    "Adagrad": _adagrad, "Adam": _adam, "Momentum": _momentum,
}
