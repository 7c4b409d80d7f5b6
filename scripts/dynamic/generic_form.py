# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes MLIR's generic form: functions with one block per region.

Types of tensors become lists of sizes; all other text is kept as it is.
"""
import re

CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
TENSOR = re.compile(r"tensor<((?:\?x|\d+x)*)([^<>]*(?:<[^<>]*>[^<>]*)*)>$")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class Value:
    """Sizes of a tensor are numbers or sizes.Size; dims is None for other types."""

    def __init__(self, text, producer=None):
        self.producer, self.users, self.name = producer, [], None
        match = TENSOR.match(text)
        self.dims = self.element = None
        self.text = text
        if match and not match[2].startswith("*"):
            self.dims = [-1 if d == "?" else int(d) for d in match[1].split("x")[:-1]]
            self.base, self.element = list(self.dims), match[2]

    def type(self, size=str):
        if self.dims is None:
            return self.text
        return "tensor<" + "".join(size(d) + "x" for d in self.dims) + self.element + ">"


class Block:
    def __init__(self):
        self.label, self.arguments, self.ops = None, [], []

    def dimension_of(self, size):
        """An argument and its dimension that has the size."""
        for argument in self.arguments:
            for i, d in enumerate(argument.dims or []):
                if d == size:
                    return argument, i
        raise SystemExit(f"no argument of the function has the dimension {size}")


class Op:
    def __init__(self, name, operands=(), types=(), attributes=None, properties=True):
        self.name, self.operands = name, list(operands)
        self.results = [Value(t, self) for t in types]
        self.attributes = dict(attributes or {})
        self.properties = set(self.attributes) if properties else set()
        self.regions, self.bundles = [], [len(self.results)] if types else []
        self.parent = None

    def walk(self):
        for region in self.regions:
            for op in region.ops:
                yield op
                yield from op.walk()


def end_of(text, at):
    """Position after the bracket that closes the one at `at`."""
    stack = []
    while True:
        c = text[at]
        if c == '"':
            at = STRING.match(text, at).end()
            continue
        if c == "-" and text[at + 1] == ">":
            at += 2
            continue
        if c in CLOSING:
            stack.append(CLOSING[c])
        elif stack and c == stack[-1]:
            stack.pop()
            if not stack:
                return at + 1
        at += 1


def split_top(text, separator=","):
    parts, start, at = [], 0, 0
    while at < len(text):
        c = text[at]
        if c in CLOSING or c == '"':
            at = STRING.match(text, at).end() if c == '"' else end_of(text, at)
        elif text.startswith("->", at):
            at += 2
        elif c == separator:
            parts.append(text[start:at].strip())
            at += 1
            start = at
        else:
            at += 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def dictionary(text):
    result = {}
    for part in split_top(text):
        key, _, value = part.partition("=")
        result[key.strip()] = value.strip() if value else None
    return result


def types_of(text):
    text = text.strip()
    return split_top(text[1:-1]) if text.startswith("(") and end_of(text, 0) == len(text) else [text]


class Reader:
    def __init__(self, text):
        self.text, self.at, self.scopes = text, 0, [{}]

    def skip(self):
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            elif self.text.startswith("//", self.at):
                self.at = self.text.index("\n", self.at)
            else:
                return

    def peek(self, what):
        self.skip()
        return self.text.startswith(what, self.at)

    def take(self, what):
        if not self.peek(what):
            return False
        self.at += len(what)
        return True

    def expect(self, what):
        if not self.take(what):
            raise SystemExit(f"expected '{what}' before: {self.text[self.at:self.at + 80]!r}")

    def match(self, pattern):
        self.skip()
        found = re.compile(pattern).match(self.text, self.at)
        if not found:
            raise SystemExit(f"expected {pattern} before: {self.text[self.at:self.at + 80]!r}")
        self.at = found.end()
        return found

    def bracketed(self):
        self.skip()
        end = end_of(self.text, self.at)
        inner = self.text[self.at + 1:end - 1]
        self.at = end
        return inner

    def lookup(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise SystemExit(f"unknown value {name}")

    def type_text(self):
        self.skip()
        start = self.at
        if self.peek("("):
            self.at = end_of(self.text, self.at)
            return self.text[start:self.at]
        while self.at < len(self.text):
            c = self.text[self.at]
            if c in "<([":
                self.at = end_of(self.text, self.at)
            elif c.isalnum() or c in "!._":
                self.at += 1
            else:
                break
        return self.text[start:self.at]

    def op(self):
        names = []
        if self.peek("%"):
            while True:
                found = self.match(r"(%[\w$.-]+)(?::(\d+))?")
                names.append((found[1], int(found[2] or 1)))
                if not self.take(","):
                    break
            self.expect("=")
        op = Op(self.match(r'"([^"]+)"')[1])
        uses = re.findall(r"%[\w$.-]+(?:#\d+)?", self.bracketed())
        for use in uses:
            name, _, index = use.partition("#")
            op.operands.append(self.lookup(name)[int(index or 0)])
        if self.peek("["):
            raise SystemExit("regions with several blocks are not understood")
        if self.peek("<{"):
            self.at += 1
            op.attributes = dictionary(self.bracketed())
            op.properties = set(op.attributes)
            self.expect(">")
        if self.take("("):
            while not self.take(")"):
                op.regions.append(self.region(op))
                self.take(",")
        if self.peek("{"):
            op.attributes.update(dictionary(self.bracketed()))
        self.expect(":")
        self.type_text()
        self.expect("->")
        types = types_of(self.type_text())
        op.results = [Value(t, op) for t in types if t]
        op.bundles = [count for _, count in names]
        at = 0
        for name, count in names:
            self.scopes[-1][name] = op.results[at:at + count]
            at += count
        return op

    def region(self, parent):
        block = Block()
        self.expect("{")
        self.scopes.append({})
        if self.peek("^"):
            block.label = self.match(r"\^[\w$.-]+")[0]
            if self.peek("("):
                for part in split_top(self.bracketed()):
                    name, text = part.split(":", 1)
                    value = Value(text.strip())
                    block.arguments.append(value)
                    self.scopes[-1][name.strip()] = [value]
            self.expect(":")
        while not self.take("}"):
            if self.peek("^"):
                raise SystemExit("regions with several blocks are not understood")
            op = self.op()
            op.parent = parent
            block.ops.append(op)
        self.scopes.pop()
        return block


def read(text):
    """Returns the aliases before the module, the module, and what is after it."""
    start = text.index('"builtin.module"')
    reader = Reader(text)
    reader.at = start
    module = reader.op()
    return text[:start], module, text[reader.at:]


class Writer:
    def __init__(self, size):
        self.lines, self.next, self.size = [], 0, size

    def name(self, value):
        if value.name is None:
            value.name = f"%{self.next}"
            self.next += 1
        return value.name

    def op(self, op, indent):
        pad = "  " * indent
        head = ", ".join(self.name(r) for r in op.results)
        head = f"{pad}{head} = " if head else pad
        head += f'"{op.name}"(' + ", ".join(self.name(o) for o in op.operands) + ")"
        text = lambda keys: ", ".join(
            k if v is None else f"{k} = {v}" for k, v in op.attributes.items() if (k in op.properties) == keys)
        if op.properties:
            head += " <{" + text(True) + "}>"
        if op.regions:
            self.lines.append(head + " ({")
            for i, block in enumerate(op.regions):
                if i:
                    self.lines.append(pad + "}, {")
                self.block(block, indent)
            head = pad + "})"
        if text(False):
            head += " {" + text(False) + "}"
        types = lambda values: ", ".join(v.type(self.size) for v in values)
        self.lines.append(f"{head} : ({types(op.operands)}) -> ({types(op.results)})")

    def block(self, block, indent):
        if block.label:
            arguments = ", ".join(f"{self.name(a)}: {a.type(self.size)}" for a in block.arguments)
            self.lines.append("  " * indent + block.label + (f"({arguments}):" if arguments else ":"))
        for op in block.ops:
            self.op(op, indent + 1)


def write(prologue, module, epilogue, size):
    writer = Writer(size)
    writer.op(module, 0)
    return prologue + "\n".join(writer.lines) + epilogue
