# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.fx as text of the torch dialect."""
import struct

import torch

DTYPES = {
    torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16",
    torch.float8_e4m3fn: "f8E4M3FN", torch.float8_e5m2: "f8E5M2", torch.bool: "i1",
    torch.int8: "si8", torch.int16: "si16", torch.int32: "si32", torch.int64: "si64",
    torch.uint8: "ui8", torch.uint16: "ui16", torch.uint32: "ui32", torch.uint64: "ui64",
    torch.complex32: "complex<f16>", torch.complex64: "complex<f32>", torch.complex128: "complex<f64>",
}
# c10::ScalarType.
NUMBERS = {
    torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
    torch.float32: 6, torch.float64: 7, torch.complex32: 8, torch.complex64: 9, torch.complex128: 10,
    torch.bool: 11, torch.bfloat16: 15, torch.float8_e5m2: 23, torch.float8_e4m3fn: 24,
    torch.uint16: 27, torch.uint32: 28, torch.uint64: 29,
}
LAYOUTS = {torch.strided: 0}
FORMATS = {torch.contiguous_format: 0, torch.preserve_format: 1, torch.channels_last: 2,
           torch.channels_last_3d: 3}


class Unwritten(Exception):
    """The graph has something that the text cannot say."""


def tensor_type(value):
    sizes = ",".join(str(int(size)) for size in value.shape)
    return f"!torch.vtensor<[{sizes}],{DTYPES[value.dtype]}>"


class Writer:
    """The text of one graph; `values` of constants (get_attr) are inputs, too."""

    def __init__(self, module):
        self.module = module
        self.lines = []
        self.names = {}   # node -> (name, type)
        self.count = 0
        self.inputs = []  # ("placeholder" or "get_attr", node)

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def add(self, text, type_):
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name, type_

    def none(self):
        return self.add("torch.constant.none", "!torch.none")

    def scalar(self, value):
        if value is None:
            return self.none()
        if isinstance(value, bool):
            return self.add(f"torch.constant.bool {str(value).lower()}", "!torch.bool")
        if isinstance(value, int):
            return self.add(f"torch.constant.int {value}", "!torch.int")
        if isinstance(value, float):
            bits = struct.unpack("<Q", struct.pack("<d", value))[0]
            return self.add(f"torch.constant.float 0x{bits:016X}", "!torch.float")
        if isinstance(value, str):
            return self.add(f'torch.constant.str "{value}"', "!torch.str")
        for table in (NUMBERS, LAYOUTS, FORMATS):
            if value in table:
                return self.scalar(table[value])
        if isinstance(value, torch.device):
            return self.add(f'torch.constant.device "{value}"', "!torch.Device")
        raise Unwritten(f"a value of {type(value).__name__}")

    def list(self, items, kind):
        parts = [self.argument(item, kind) for item in items]
        names = ", ".join(name for name, _ in parts)
        types = ", ".join(type_ for _, type_ in parts)
        item = {"Tensor": "vtensor", "Optional[Tensor]": "optional<vtensor>"}.get(
            kind, "float" if any(isinstance(each, float) for each in items) else "int")
        return self.add(f"torch.prim.ListConstruct {names} : ({types}) -> !torch.list<{item}>",
                        f"!torch.list<{item}>")

    def argument(self, value, kind):
        if isinstance(value, torch.fx.Node):
            return self.names[value]
        if isinstance(value, (list, tuple)):
            return self.list(value, kind[5:-1] if kind.startswith("List[") else kind)
        if "List[int]" in kind and isinstance(value, int) and not isinstance(value, bool):
            return self.list([value], "int")
        if isinstance(value, complex):
            raise Unwritten("a complex number")
        return self.scalar(value)

    def call(self, node):
        target = node.target
        # PyTorch wraps a number that is given for a tensor.
        if target._schema.overload_name == "Tensor" and len(node.args) > 1 and \
                isinstance(node.args[1], (bool, int, float)):
            target = getattr(target.overloadpacket, "Scalar", target)
        schema = target._schema
        operands = []
        for i, argument in enumerate(schema.arguments):
            if i < len(node.args) and not argument.kwarg_only:
                value = node.args[i]
            elif argument.name in node.kwargs:
                value = node.kwargs[argument.name]
            else:
                value = argument.default_value
            kind = str(argument.real_type).replace("Optional[List", "List").replace("]]", "]")
            if argument.has_default_value() and value is None:
                operands.append(self.none())
            else:
                operands.append(self.argument(value, kind))
        space, _, name = schema.name.partition("::")
        op = f"torch.{space}.{name}" + (f".{schema.overload_name}" if schema.overload_name else "")
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(type_ for _, type_ in operands)
        value = node.meta["val"]
        if isinstance(value, (list, tuple)) and len(schema.returns) == 1:  # one list
            result, _ = self.add(f'torch.operator "{op}"({names}) : ({types}) -> !torch.list<vtensor>', "")
            parts = [self.fresh() for _ in value]
            of = ", ".join(tensor_type(each) for each in value)
            self.lines.append(f"{', '.join(parts)} = torch.prim.ListUnpack {result} : "
                              f"!torch.list<vtensor> -> {of}")
            self.names[node] = [(part, tensor_type(each)) for part, each in zip(parts, value)]
            return
        results = list(value) if isinstance(value, (list, tuple)) else [value]
        if not all(isinstance(each, torch.Tensor) for each in results):
            raise Unwritten(f"{op} returns no tensors")
        kinds = [tensor_type(each) for each in results]
        name = self.fresh()
        head = name if len(kinds) == 1 else f"{name}:{len(kinds)}"
        self.lines.append(f'{head} = torch.operator "{op}"({names}) : ({types}) -> ({", ".join(kinds)})')
        if isinstance(value, (list, tuple)):
            self.names[node] = [(f"{name}#{i}", kind) for i, kind in enumerate(kinds)]
        else:
            self.names[node] = (name, kinds[0])

    def text(self, graph):
        arguments = []
        for node in graph.nodes:
            if node.op in ("placeholder", "get_attr"):
                value = node.meta.get("val")
                if node.op == "get_attr":
                    value = getattr(self.module, node.target)
                if not isinstance(value, torch.Tensor):
                    if node.op == "placeholder" and not node.users:
                        continue
                    raise Unwritten("an input that is no tensor")
                name = f"%arg{len(arguments)}"
                arguments.append(f"{name}: {tensor_type(value)}")
                self.names[node] = (name, tensor_type(value))
                self.inputs.append((node.op, node))
            elif node.op == "call_function" and node.target.__name__ == "getitem":
                self.names[node] = self.names[node.args[0]][node.args[1]]
            elif node.op == "call_function":
                self.call(node)
            elif node.op == "output":
                returned = torch.utils._pytree.tree_leaves(node.args[0])
                if not all(isinstance(each, torch.fx.Node) for each in returned):
                    raise Unwritten("a result that is no tensor")
                pairs = [self.names[each] for each in returned]
                names = ", ".join(name for name, _ in pairs)
                types = ", ".join(type_ for _, type_ in pairs)
                self.lines.append(f"return {names} : {types}" if pairs else "return")
                results = f"({types})"
            else:
                raise Unwritten(f"a node of kind {node.op}")
        body = "\n  ".join(self.lines)
        return f"func.func @main({', '.join(arguments)}) -> {results} {{\n  {body}\n}}\n"
