# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs as text of the torch dialect, and what is said of those that have none."""
import operator

import numpy as np
import pytest
import torch
from torch.fx import Graph, GraphModule

import gaudi_mlir
from gaudi_mlir.torch import errors, fallback, partition, writer

aten = torch.ops.aten
X = torch.arange(6.0).reshape(2, 3) - 2


class Builder:
    """A graph of calls on tensors, with the values that its nodes have."""

    def __init__(self, **constants: torch.Tensor) -> None:
        self.graph, self.root, self.tensors = Graph(), torch.nn.Module(), []
        for name, value in constants.items():
            setattr(self.root, name, value)

    def input(self, value: torch.Tensor):
        node = self.graph.placeholder(f"x{len(self.tensors)}")
        node.meta["val"] = value
        self.tensors.append(value)
        return node

    def constant(self, name: str):
        return self.graph.create_node("get_attr", name)

    def call(self, target, *args, **kwargs):
        def value(node):
            return getattr(self.root, node.target) if node.op == "get_attr" else node.meta["val"]
        node = self.graph.call_function(target, args, kwargs)
        node.meta["val"] = target(*torch.fx.map_arg(args, value), **torch.fx.map_arg(kwargs, value))
        return node

    def module(self, *results) -> GraphModule:
        self.graph.output(results)
        return GraphModule(self.root, self.graph)

    def run(self, *results) -> list[np.ndarray]:
        text, _ = writer.write(self.module(*results).graph)
        return text.compile().run([each.contiguous() for each in self.tensors])


def test_lists_parts_and_numbers():
    build = Builder()
    x = build.input(X)
    parts = build.call(aten.split.Tensor, x, 2, 1)
    pair = build.call(aten.max.dim, x, 1)
    taken = [build.call(operator.getitem, parts, -1), build.call(operator.getitem, pair, 1)]
    joined = build.call(aten.cat.default, [x, taken[0]], 1)
    scaled = build.call(aten.add.Tensor, joined, 0.5, alpha=2)
    other = build.graph.call_function(aten.where.self, (build.call(aten.gt.Scalar, x, 0), x, 7))
    other.meta["val"] = X
    for actual, expected in zip(build.run(*taken, scaled, other), (
            X[:, 2:], X.max(1).indices, torch.cat([X, X[:, 2:]], 1) + 1, torch.where(X > 0, X, 7))):
        np.testing.assert_array_equal(actual, expected.numpy())


@pytest.mark.parametrize("value", [
    torch.tensor(2.5), torch.tensor([True, False, True]), torch.randn(300), torch.randn(40, 12).t(),
    torch.randn(3).bfloat16(), torch.randn(600).bfloat16(), torch.arange(3, dtype=torch.int8),
    torch.randint(0, 200, (2000,)).to(torch.uint8), torch.rand(2000) < 0.5, torch.zeros(0, 3),
    torch._neg_view(torch.ones(4)), torch.arange(9)[::2], torch.tensor(float("-inf")),
], ids=lambda value: f"{value.dtype}{list(value.shape)}")
def test_constants(value):
    build = Builder(c=value)
    x = build.input(torch.ones(value.shape, dtype=value.dtype))
    result, = build.run(build.call(aten.maximum.default, x, build.constant("c")))
    np.testing.assert_array_equal(result.astype(np.float64),
                                  torch.maximum(torch.ones_like(value), value).double().numpy())


def test_large_constants_are_shared():
    weight = torch.randn(40, 40)
    build = Builder(**{"w": weight, "same": weight, "other": weight.t()})
    x = build.input(torch.randn(40, 40))
    y = build.call(aten.mm.default, x, build.constant("w"))
    y = build.call(aten.mm.default, y, build.constant("same"))
    y = build.call(aten.mm.default, y, build.constant("other"))
    text, _ = writer.write(build.module(y).graph)
    assert sorted(text.resources) == ["other", "w"]
    assert text.resources["w"].__array_interface__["data"][0] == weight.data_ptr()
    result, = text.compile().run(build.tensors)
    torch.testing.assert_close(torch.from_numpy(result), build.tensors[0] @ weight @ weight
                               @ weight.t(), rtol=1e-4, atol=1e-3)


def test_names_of_inputs_and_results():
    build = Builder()
    x, y = build.input(X), build.input(X)
    module = build.module(build.call(aten.add.Tensor, x, y), x)
    text, _ = writer.write(module.graph, ["left", 'a "b" \\'], ["sum", "same"])
    entry, = text.compile().entries
    assert [each.name for each in entry.inputs] == ["left", 'a "b" \\']
    assert [each.name for each in entry.outputs] == ["sum", "same"]


def test_constants_are_written_once():
    build = Builder()
    x = build.input(X)
    for _ in range(50):
        x = build.call(aten.sum.dim_IntList, build.call(aten.mul.Tensor, x, 2.0), [0], True)
    text, places = writer.write(build.module(x).graph)
    assert text.text.count("torch.constant") < 8 and text.text.count("ListConstruct") == 1
    lines = text.text.splitlines()
    for node in build.graph.nodes:
        if node.op == "call_function":
            assert str(node.target).rpartition(".")[0] in lines[places.index(node)] or \
                any(places[line] is node and str(node.target._schema.name).split("::")[1] in each
                    for line, each in enumerate(lines[:len(places)]))


def refused(module: GraphModule) -> writer.Unwritten:
    with pytest.raises(writer.Unwritten) as caught:
        writer.write(module.graph)
    assert "\n" not in str(caught.value)
    return caught.value


def test_unknown_ops_are_named():
    build = Builder()
    x = build.input(X)
    node = build.call(aten.hash_tensor.default, x)
    error = refused(build.module(build.call(aten.clone.default, node)))
    assert error.nodes == {
        node: "'aten.hash_tensor' is not among the ops that are compiled (docs/reference/torch-ops.md)"}


def test_nodes_that_have_no_text():
    def call(target, *args, value=X, **kwargs):
        build = Builder(n=torch.ones(3))
        x = build.input(X)
        node = build.graph.call_function(target, tuple(x if each is X else each for each in args),
                                         kwargs)
        if value is not None:
            node.meta["val"] = value
        return build, node

    for (build, node), message in (
            (call(aten.neg.default, X, value=None), "no tensor but NoneType"),
            (call(aten.neg.default, X, value=3), "no tensor but int"),
            (call(aten.add.Tensor, X, X, alpha=1j), "a value of complex"),
            (call(aten.neg.default, slice(1)), "slice"),
            (call(torch.neg, X), "'neg' is no op of a library"),
            (call(operator.getitem, X, 5), ""),
            (call(aten.full.default, [2], 1.0, value=torch.empty(2, dtype=torch.uint1)),
             "a tensor of torch.uint1")):
        assert message in str(refused(build.module(node)))
    build = Builder(gone=torch.ones(2))
    module = build.module(build.constant("gone"))
    del module.gone
    assert "no attribute 'gone'" in str(refused(module))
    build = Builder()
    node = build.graph.call_method("relu", (build.input(X),))
    assert "a node of kind call_method" in str(refused(build.module(node)))
    build = Builder()
    assert "no tensor" in str(refused(build.module(3)))


def test_errors_of_the_compiler_name_nodes():
    build = Builder()
    x = build.input(X)
    wide = build.call(aten._to_copy.default, x, dtype=torch.float64)
    good = build.call(aten.neg.default, x)
    text, places = writer.write(build.module(wide, good).graph)
    with pytest.raises(gaudi_mlir.CompileError) as caught:
        text.compile()
    nodes = errors.nodes_of(caught.value, places)
    assert list(nodes) == [wide] and "f64" in nodes[wide] and "aten._to_copy" in nodes[wide]
    assert errors.reason_of(caught.value) == nodes[wide]


def test_extracted_nodes_know_their_source():
    build = Builder(c=torch.ones(3))
    x = build.input(X)
    y = build.call(aten.add.Tensor, x, build.constant("c"))
    z = build.call(aten.neg.default, y)
    part, inputs = partition.extract(build.module(z), [y, z], [z])
    assert [node.meta["source"] for node in part.graph.nodes if node.op == "call_function"] == [y, z]
    assert inputs == [x]


def test_call_text_has_types_and_place():
    build = Builder()
    node = build.call(aten.mm.default, build.input(X), build.input(X.t()))
    node.stack_trace = '  File "model.py", line 3, in forward\n    return self.layer(x)\n'
    assert fallback.call_text(node) == \
        "aten.mm.default(float32[2, 3], float32[3, 2]) at model.py:3 in forward"
