# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a port of a script to hpu would change, read from its text: nothing of it is run."""
import argparse
import ast
import dataclasses
import json
import os
import sys
import tokenize

from gaudi_mlir import _command, _text

from .rules import CHANGED, IGNORED, MISSING, MODULES, SAME, Rule, rule_of

_TENSOR = {"cuda": Rule(SAME, '.to("hpu")'), "is_cuda": Rule(SAME, ".is_hpu")}
_NCCL = Rule(SAME, '"hccl"')
_COMPILE = Rule(SAME, 'backend="hpu_backend"')
_VARIABLES = {"CUDA_VISIBLE_DEVICES": Rule(SAME, "HABANA_VISIBLE_MODULES"),
              "CUDA_LAUNCH_BLOCKING": Rule(IGNORED, "", "use PT_HPU_LAZY_MODE=0 and synchronize()"),
              "PYTORCH_CUDA_ALLOC_CONF": Rule(IGNORED, "", "the card's allocator has no options"),
              "PYTORCH_ALLOC_CONF": Rule(IGNORED, "", "the card's allocator has no options")}
_OTHERS = {"torch.profiler.ProfilerActivity.CUDA": Rule(SAME, "ProfilerActivity.HPU"),
           "torch.version.cuda": Rule(CHANGED, "", "None: there is no CUDA")}


@dataclasses.dataclass(frozen=True)
class Finding:
    line: int
    column: int
    name: str
    """As the script has it, by its full name."""
    rule: Rule


class _Reader(ast.NodeVisitor):
    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        """What names of the script stand for: "amp" is "torch.cuda.amp"."""
        self.found: list[Finding] = []
        self.has_core = False

    def add(self, node: ast.AST, name: str, rule: Rule) -> None:
        self.found.append(Finding(node.lineno, node.col_offset + 1, name, rule))

    # --- names ----------------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            self.has_core |= each.name.startswith("habana_frameworks")
            head = each.name if each.asname else each.name.partition(".")[0]
            self.names[each.asname or head] = head
            self._imported(node, each.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or node.module is None:
            return
        self.has_core |= node.module.startswith("habana_frameworks")
        for each in node.names:
            full = f"{node.module}.{each.name}"
            self.names[each.asname or each.name] = full
            self._imported(node, full)

    def _imported(self, node: ast.AST, name: str) -> None:
        """Libraries that need CUDA, and names that there are no counterparts of."""
        hit = rule_of(name)
        if hit and (hit[0] in MODULES or hit[0] == name and hit[1].kind == MISSING):
            self.add(node, f"import {name}", hit[1])

    def _full(self, node: ast.AST) -> str | None:
        """The dotted name of what an expression refers to."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        return ".".join([self.names.get(node.id, node.id), *reversed(parts)])

    def _look_up(self, node: ast.AST) -> bool:
        name = self._full(node)
        if name is None:
            return False
        if name in _OTHERS:
            self.add(node, name, _OTHERS[name])
            return True
        hit = rule_of(name)
        if hit and hit[0] not in MODULES:
            self.add(node, name, hit[1])
            return True
        if name.startswith("torch.cuda.") and name.count(".") == 2:
            known = {"amp", "nvtx", "memory", "random", "streams", "graphs", "nccl", "comm",
                     "profiler", "tunable", "jiterator", "sparse"}
            if name.rpartition(".")[2] not in known:
                self.add(node, name, Rule(MISSING, ""))
            return True
        return False

    def visit_Name(self, node: ast.Name) -> None:
        # An alias: "autocast" of "from torch.cuda.amp import autocast".
        if isinstance(node.ctx, ast.Load) and self.names.get(node.id, node.id) != node.id:
            self._look_up(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if self._look_up(node):
            return
        if node.attr in _TENSOR and self._full(node) != "torch.cuda" and \
                (node.attr == "is_cuda" or getattr(node, "is_called", False)):
            self.add(node, f".{node.attr}" + ("()" if node.attr == "cuda" else ""),
                     _TENSOR[node.attr])
        self.generic_visit(node)

    # --- values ---------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            node.func.is_called = True
        if self._full(node.func) == "torch.compile":
            backend = next((each.value for each in node.keywords if each.arg == "backend"), None)
            if backend is None or getattr(backend, "value", None) == "inductor":
                self.add(node, "torch.compile", _COMPILE)
        self.generic_visit(node)

    def visit_FunctionDef(self, node) -> None:
        for each in node.decorator_list:
            if self._full(each) == "torch.compile":
                self.add(each, "torch.compile", _COMPILE)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if not isinstance(value, str):
            return
        if value == "cuda" or value.startswith("cuda:"):
            self.add(node, json.dumps(value), Rule(SAME, json.dumps("hpu" + value[4:])))
        elif value == "nccl" or "cuda:nccl" in value:
            self.add(node, json.dumps(value), _NCCL)
        elif value.startswith("torch.cuda."):
            hit = rule_of(value)
            if hit:
                self.add(node, json.dumps(value), hit[1])
        elif value in _VARIABLES:
            self.add(node, value, _VARIABLES[value])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for each in node.values:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                if each.value.startswith("cuda:"):
                    self.add(node, f"a text with {json.dumps(each.value)}", Rule(SAME, '"hpu:"'))
            else:
                self.visit(each)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # no documentation
            self.generic_visit(node)


def scan(text: str, file: str = "<script>") -> list[Finding]:
    """Findings in the order of lines. Raises SyntaxError."""
    reader = _Reader()
    reader.visit(ast.parse(text, file))
    return sorted(set(reader.found), key=lambda each: (each.line, each.column, each.name))


_WORDS = {SAME: "becomes", CHANGED: "differs", IGNORED: "ignored", MISSING: "MISSING"}


def _row(file: str, each: Finding) -> str:
    text = f"{file}:{each.line}:{each.column}: {_WORDS[each.rule.kind]}: {each.name}"
    if each.rule.target:
        text += f" -> {each.rule.target}"
    return f"{text} ({each.rule.note})" if each.rule.note else text


def _files(paths: list[str]) -> list[str]:
    found = []
    for path in paths:
        if os.path.isdir(path):
            before = len(found)
            for folder, folders, names in os.walk(path):
                folders[:] = sorted(each for each in folders if not each.startswith("."))
                found += [os.path.join(folder, each) for each in sorted(names)
                          if each.endswith(".py")]
            if len(found) == before:
                print(f"gaudi-migrate: warning: there is no .py file in '{path}'; name a folder of "
                      "scripts", file=sys.stderr)
        else:
            found.append(path)
    return found


def main(arguments: list[str] | None = None) -> int:
    """0: a port changes what is listed, or nothing; 1: something has no counterpart; 2: a file
    cannot be read."""
    parser = _command.Parser(
        prog="gaudi-migrate", description="Says what a port of scripts from CUDA to hpu would "
        "change, line by line, without running them. To run a script as it is: "
        "PT_HPU_GPU_MIGRATION=1 python SCRIPT")
    parser.add_argument("paths", nargs="+", metavar="SCRIPT", help="a file, or a folder of them")
    parser.add_argument("--json", action="store_true", help="findings as JSON")
    options = parser.parse_args(arguments)
    try:
        code = _report(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader has seen enough; nothing is left to be flushed at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _report(options: argparse.Namespace) -> int:
    rows, counts, is_unread, is_gone = [], dict.fromkeys(_WORDS, 0), False, False
    for file in _files(options.paths):
        try:
            with tokenize.open(file) as opened:
                found = scan(opened.read(), file)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            # Python's parser has a MemoryError without words for what is nested too deeply.
            text = _text.unreadable(file, error) if isinstance(error, OSError) else \
                f"{file}: {str(error) or 'nested too deeply, or too large'}; mend it, or leave it out"
            print(f"gaudi-migrate: error: {text}", file=sys.stderr)
            is_unread = True
            continue
        for each in found:
            counts[each.rule.kind] += 1
            is_gone |= each.rule.kind == MISSING
            if not options.json:
                print(_row(file, each))
            rows.append({"file": file, "line": each.line, "column": each.column,
                         "name": each.name, **dataclasses.asdict(each.rule)})
    if options.json:
        json.dump(rows, sys.stdout, indent=1)
        print()
    else:
        print(f"{counts[SAME]} become another name, {counts[CHANGED]} differ, "
              f"{counts[IGNORED]} are ignored, {counts[MISSING]} have no counterpart")
    return 2 if is_unread else int(is_gone)
