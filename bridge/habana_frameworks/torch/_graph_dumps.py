# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PT_HPU_GRAPH_DUMP_MODE: files of the graphs that are compiled, as ops of PyTorch before and as
commands of the recipe after, for TensorBoard and Netron (pbtxt), browsers (svg), yEd and Gephi
(graphml)."""
import dataclasses
import html
import itertools
import os
import re
import threading

import torch

from gaudi_mlir.torch import nonfinite, places

from . import _observer

_MODES = {"all": ("eager", "lazy", "compile"), "compile": ("lazy", "compile"),
          "eager": ("eager",)}
_numbers = itertools.count()
_lock = threading.Lock()


@dataclasses.dataclass
class Node:
    """Of a graph in a file. `operands`: names of nodes before it."""
    name: str
    op: str
    operands: list[str]
    attributes: dict[str, str]


def is_wanted(kind: str) -> bool:
    """Whether graphs of such a kind ("eager", "lazy", else of torch.compile) get files."""
    mode = os.environ.get("PT_HPU_GRAPH_DUMP_MODE", "").strip().lower()
    if not mode:
        return False
    if mode not in _MODES:
        raise ValueError(f"PT_HPU_GRAPH_DUMP_MODE is {mode!r}; expected {', '.join(_MODES)}")
    return (kind if kind in ("eager", "lazy") else "compile") in _MODES[mode]


def write(name: str, graph: torch.fx.Graph, compiled) -> None:
    """<prefix>/<name>_<process>_<number>-before.<format> and -after.<format>."""
    form = os.environ.get("PT_HPU_GRAPH_DUMP_FORMAT", "").strip().lower() or "pbtxt"
    if form not in _FORMS:
        raise ValueError(f"PT_HPU_GRAPH_DUMP_FORMAT is {form!r}; expected {', '.join(_FORMS)}")
    folder = os.environ.get("PT_HPU_GRAPH_DUMP_PREFIX", "").strip() or ".graph_dumps"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with _lock:
        number = next(_numbers)
    stem = os.path.join(folder, f"{re.sub(r'[^A-Za-z0-9.-]+', '_', name)}_"
                                f"{_observer.process()}_{number}")
    for when, nodes in (("before", _of_graph(graph)),
                        ("after", _of_recipe(compiled.named_recipe().text))):
        with open(f"{stem}-{when}.{form}", "w", encoding="utf-8") as file:
            file.write(_FORMS[form](f"{name} {when}", nodes))


def _of_graph(graph: torch.fx.Graph) -> list[Node]:
    nodes = []
    for node in graph.nodes:
        op = nonfinite.op_name(node) if node.op == "call_function" else node.op
        value = node.meta.get("val")
        attributes = {"place": places.of(node)}
        if isinstance(value, torch.Tensor):
            attributes["type"] = f"{'x'.join(map(str, value.shape))} {str(value.dtype)[6:]}"
        constants = [str(each) for each in [*node.args, *node.kwargs.values()]
                     if isinstance(each, (int, float, str, torch.dtype))]
        if constants and node.op == "call_function":
            attributes["arguments"] = ", ".join(constants)
        nodes.append(Node(node.name, op, [each.name for each in node.all_input_nodes],
                          {key: text for key, text in attributes.items() if text}))
    return nodes


_TENSOR = re.compile(r'^tensor (%\d+) "([^"]*)" (\w+) (\S+) (\S+)(?: loc (\d+))?', re.M)
_COMMAND = re.compile(r'^  #(\d+) (\w+) "([^"]*)" (.*)$', re.M)
_LOCATION = re.compile(r'^location (\d+) "([^"]*)"', re.M)


def _of_recipe(text: str) -> list[Node]:
    """Inputs and commands of a recipe, which its text has."""
    locations = dict(_LOCATION.findall(text))
    tensors = {number: (name, kind, kind_of) for number, name, kind, _, kind_of, _ in
               _TENSOR.findall(text)}
    makers: dict[str, str] = {}
    nodes = []
    for number, (name, kind, kind_of) in tensors.items():
        if kind in ("input", "const", "constant", "state"):
            makers[number] = name
            nodes.append(Node(name, kind, [], {"type": kind_of}))
    for number, engine, label, rest in _COMMAND.findall(text):
        before, _, after = rest.partition("->")
        reads = dict.fromkeys(re.findall(r"%\d+", before))
        writes = re.findall(r"%\d+", after.partition(")")[0])
        place = re.search(r" loc (\d+)", after)
        attributes = {"engine": engine, "type": ", ".join(
            tensors[each][2] for each in writes if each in tensors)}
        if place and place[1] in locations:
            attributes["place"] = locations[place[1]]
        name = f"{label}.{number}"
        nodes.append(Node(name, label, [makers[each] for each in reads if each in makers],
                          attributes))
        makers.update(dict.fromkeys(writes, name))
    for number, (name, kind, _) in tensors.items():
        if kind == "output" and number in makers:
            nodes.append(Node(name, "output", [makers[number]], {}))
    return nodes


def _pbtxt(title: str, nodes: list[Node]) -> str:
    """A GraphDef of TensorFlow."""
    def quoted(text: str) -> str:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    lines = []
    for node in nodes:
        lines += ["node {", f"  name: {quoted(node.name)}", f"  op: {quoted(node.op)}"]
        lines += [f"  input: {quoted(each)}" for each in node.operands]
        for key, text in node.attributes.items():
            lines += ["  attr {", f"    key: {quoted(key)}", f"    value {{ s: {quoted(text)} }}",
                      "  }"]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _graphml(title: str, nodes: list[Node]) -> str:
    keys = ("op", "type", "place", "engine", "arguments")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
             *(f'  <key id="{key}" for="node" attr.name="{key}" attr.type="string"/>'
               for key in keys),
             f'  <graph id="{html.escape(title)}" edgedefault="directed">']
    for node in nodes:
        lines.append(f'    <node id="{html.escape(node.name)}">')
        lines += [f'      <data key="{key}">{html.escape(text)}</data>'
                  for key, text in {"op": node.op, **node.attributes}.items()]
        lines.append("    </node>")
    lines += [f'    <edge source="{html.escape(each)}" target="{html.escape(node.name)}"/>'
              for node in nodes for each in node.operands]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _svg(title: str, nodes: list[Node]) -> str:
    """Rows by the longest way from an input."""
    row: dict[str, int] = {}
    for node in nodes:
        row[node.name] = 1 + max((row[each] for each in node.operands), default=-1)
    columns: dict[int, int] = {}
    places_: dict[str, tuple[int, int]] = {}
    for node in nodes:
        column = columns.get(row[node.name], 0)
        columns[row[node.name]] = column + 1
        places_[node.name] = 10 + 230 * column, 10 + 70 * row[node.name]
    width = 20 + 230 * max(columns.values(), default=1)
    height = 20 + 70 * (1 + max(row.values(), default=0))
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             'font-family="sans-serif" font-size="11">', f"<title>{html.escape(title)}</title>"]
    for node in nodes:
        x, y = places_[node.name]
        for each in node.operands:
            from_x, from_y = places_[each]
            lines.append(f'<path d="M{from_x + 105},{from_y + 40} L{x + 105},{y}" '
                         'stroke="#888" fill="none"/>')
    for node in nodes:
        x, y = places_[node.name]
        tip = "\n".join([node.name, *(f"{key}: {text}" for key, text in node.attributes.items())])
        color = {"mme": "#cfe2ff", "tpc": "#d9f2d9", "dma": "#ffe8cc"}.get(
            node.attributes.get("engine", ""), "#f2f2f2")
        lines.append(f'<g><title>{html.escape(tip)}</title><rect x="{x}" y="{y}" width="210" '
                     f'height="40" rx="4" fill="{color}" stroke="#555"/>'
                     f'<text x="{x + 6}" y="{y + 16}">{html.escape(node.op[:34])}</text>'
                     f'<text x="{x + 6}" y="{y + 32}" fill="#555">'
                     f'{html.escape(node.attributes.get("type", "")[:34])}</text></g>')
    return "\n".join([*lines, "</svg>"]) + "\n"


_FORMS = {"pbtxt": _pbtxt, "svg": _svg, "graphml": _graphml}
