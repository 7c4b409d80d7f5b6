# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_dumps.py FOLDER: the files of --dump-graphs agree with each other and with index.json."""

import json
import os
import re
import sys
import xml.etree.ElementTree

ENDINGS = (".mlir", ".dot", ".svg", ".onnx", ".json")


def fields(data):
    """Fields of a protocol buffer: (number, value); texts and messages are bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        assert key & 7 in (0, 2), f"wire type {key & 7}"
        value = varint()
        if key & 7 == 2:
            value, at = data[at : at + value], at + value
            assert at <= len(data)
        yield key >> 3, value


def check_onnx(data, nodes):
    """Every input of a node is made before it; there are as many nodes as the JSON has, and constants."""
    model = list(fields(data))
    graph = list(fields(next(value for number, value in model if number == 7)))
    domains = {dict(fields(value)).get(1, b"") for number, value in model if number == 8}
    known = {dict(fields(value))[1] for number, value in graph if number == 11}
    count = 0
    for number, value in graph:
        if number != 1:
            continue
        node = list(fields(value))
        assert all(text in known for field, text in node if field == 1), node
        known |= {text for field, text in node if field == 2}
        assert dict(node)[7] in domains and dict(node)[4], node
        count += 1
    assert count >= nodes, (count, nodes)
    try:
        import onnx
    except ImportError:
        return
    assert len(onnx.load_from_string(data).graph.node) == count


folder = sys.argv[1]
read = lambda name, mode="r": open(os.path.join(folder, name), mode).read()
index = json.loads(read("index.json"))
passes = index["passes"]
stems = [one["after"] for one in passes if one["changed"] or one["pass"] == "input"]
files = sorted(os.listdir(folder))
assert files == sorted([stem + ending for stem in stems for ending in ENDINGS] + ["index.json"]), files
assert [int(stem[:3]) for stem in stems] == sorted({int(stem[:3]) for stem in stems}), stems
before = None
for one in passes:
    if one["pass"] != "input":
        assert one["before"] == before, one
    before = one["after"]
    assert one["changed"] or one["pass"] == "input" or one["remarks"], one
for stem in stems:
    graphs = json.loads(read(stem + ".json"))
    assert graphs["version"] == 4
    nodes = 0
    for graph in graphs["graphs"]:
        tensors = {tensor["name"] for tensor in graph["tensors"]}
        assert len(tensors) == len(graph["tensors"]), "names are unique"
        nodes += len(graph["nodes"])
        for node in graph["nodes"]:
            assert tensors >= {*node["input_tensors"], *node["output_tensors"]}, node
    picture = xml.etree.ElementTree.fromstring(read(stem + ".svg"))
    boxes = [(box.get("x"), box.get("y")) for box in picture.iter("{http://www.w3.org/2000/svg}rect")]
    assert len(set(boxes)) == len(boxes) >= nodes
    dot = read(stem + ".dot")
    assert dot.startswith("digraph ") and dot.endswith("}\n")
    made = set(re.findall(r"^    (n\d+_\d+) \[", dot, re.M))
    for left, right in re.findall(r"^    (n\d+_\d+) -> (n\d+_\d+) ", dot, re.M):
        assert {left, right} <= made
    assert len(made) == len(boxes)
    check_onnx(read(stem + ".onnx", "rb"), nodes)
told = [(one["pass"], remark) for one in passes for remark in one["remarks"]]
explained = [name for name, remark in told if remark["made"] or remark["removed"]]
print(f"{len(stems)} graphs of {len(passes)} passes, {len(told)} remarks, of which {len(explained)} name what they changed")
