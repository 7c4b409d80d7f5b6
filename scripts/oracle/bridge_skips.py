# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Why a case of Intel's tests skips itself, judged from the conditions in the test's text.

"mode": only the mode decides, so that no card runs it in this mode. "parameters": the mode and the case's own
parameters, or nothing at all, so that no card runs it either. "card": anything else.
"""
import ast
import functools
import pathlib

_OF_THE_MODE = {"is_pytest_mode_eager", "is_pytest_mode_compile", "is_pytest_mode_lazy"}
_PURE = {"isinstance", "len", "abs", "any", "all", "min", "max", "tuple", "list", "set", "str", "type"}


@functools.cache
def _parsed(path: str) -> ast.Module:
    tree = ast.parse(pathlib.Path(path).read_text())
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.parent = node
    return tree


def _name(node) -> str:
    """ "pytest.mark.skip" of a call, or of what is called."""
    if isinstance(node, ast.Call):
        node = node.func
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def _asks_mode(node) -> bool:
    """is_pytest_mode_eager(), or pytest.mode == "eager", or pytest.mode in ["eager", "lazy"]."""
    if isinstance(node, ast.Call):
        return _name(node) in _OF_THE_MODE
    return isinstance(node, ast.Compare) and _name(node.left) == "pytest.mode" and \
        all(isinstance(each, ast.Constant) for each in ast.walk(node.comparators[0])
            if isinstance(each, ast.expr) and not isinstance(each, ast.List | ast.Tuple))


def _is_of_mode(node) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(map(_is_of_mode, node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _is_of_mode(node.operand)
    return _asks_mode(node)


def _is_of_case(node, parameters: set[str], constants: set[str]) -> bool:
    """Whether only the mode, parameters and constants are asked."""
    if _asks_mode(node):
        return True
    if isinstance(node, ast.Call):
        own = isinstance(node.func, ast.Attribute) and _is_of_case(node.func.value, parameters, constants)
        if not own and _name(node) not in _PURE:
            return False
        return all(_is_of_case(each, parameters, constants)
                   for each in [*node.args, *(each.value for each in node.keywords)])
    if _name(node).startswith("torch.") and isinstance(node, ast.Attribute):  # a type
        return len(_name(node).split(".")) == 2
    if isinstance(node, ast.Name):
        return node.id in parameters | constants | _PURE
    if isinstance(node, ast.GeneratorExp | ast.ListComp):
        parameters = parameters | {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and
                                   isinstance(each.ctx, ast.Store)}
    return all(_is_of_case(each, parameters, constants) for each in ast.iter_child_nodes(node)
               if isinstance(each, ast.expr | ast.comprehension))


def _constants(tree: ast.Module) -> set[str]:
    """Names that the file gives one value, written there without asking anything."""
    found, more = set(), {}
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else \
            [node.target] if isinstance(node, ast.AugAssign) else []
        for target in targets:
            if isinstance(target, ast.Name):
                more.setdefault(target.id, []).append(node)
    for name, nodes in more.items():
        if len(nodes) == 1 and isinstance(nodes[0], ast.Assign) and nodes[0].parent is tree and \
                _is_of_case(nodes[0].value, set(), found):
            found.add(name)
    return found


def _around(node, kind):
    while hasattr(node, "parent"):
        node = node.parent
        if isinstance(node, kind):
            yield node


def _parameters(function) -> set[str]:
    """Names that parametrize gives values; what other arguments are, a fixture decides."""
    found = set()
    for each in [function, *_around(function, ast.ClassDef)]:
        for mark in each.decorator_list:
            if _name(mark) == "pytest.mark.parametrize" and mark.args:
                for node in ast.walk(mark.args[0]):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        found |= {name.strip() for name in node.value.split(",")}
    return found


def _written(function, line: int) -> dict[str, list]:
    """The names that the function gives values before the line, in this order, with what these are
    made of; None of anything but an assignment."""
    found = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno <= line:
            around = next(_around(node, ast.Assign | ast.stmt))
            found.setdefault(node.id, []).append((node.lineno, getattr(around, "value", None)
                                                  if isinstance(around, ast.Assign) else None))
    return {name: [value for _, value in rows]
            for name, rows in sorted(found.items(), key=lambda pair: min(pair[1])[0])}


def _conditions(call) -> "list | None":
    """What the way to the call asks; None if it is no way of conditions alone."""
    found = []
    for node in _around(call, ast.AST):
        if isinstance(node, ast.FunctionDef):
            return found
        if isinstance(node, ast.If):
            found.append(node.test)
        elif not isinstance(node, ast.Expr):
            return None
    return None


def _marks(tree, line: int, reason: str):
    """Marks of what the line is part of, with this reason."""
    places = [node.value for node in tree.body if isinstance(node, ast.Assign) and
              any(_name(each) == "pytestmark" for each in node.targets)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if first <= line <= node.end_lineno:
                places += node.decorator_list
    for place in places:  # and the lists of parameters that these name
        named = {node.id for node in ast.walk(place) if isinstance(node, ast.Name)}
        places += [node.value for node in tree.body if isinstance(node, ast.Assign) and node.value not in places and
                   any(isinstance(each, ast.Name) and each.id in named for each in node.targets)]
        for node in ast.walk(place):
            if _name(node) in ("pytest.mark.skip", "pytest.mark.skipif") and isinstance(node, ast.Call) and \
                    any(isinstance(each, ast.Constant) and each.value == reason
                        for each in [*node.args, *(each.value for each in node.keywords)]):
                yield node


def cause(path: str, line: int, reason: str) -> str:
    """Of a skip that pytest says to be at this line of the file."""
    if not pathlib.Path(path).is_file():
        return "card"
    tree = _parsed(path)
    reason = reason.removeprefix("Skipped: ")
    constants = _constants(tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node) == "pytest.skip" and
             node.lineno <= line <= node.end_lineno]
    if calls:
        function = next(_around(calls[0], ast.FunctionDef), None)
        conditions = _conditions(calls[0])
        if function is None or conditions is None or not function.name.startswith("test"):
            return "card"
        parameters = _parameters(function)
        for name, values in _written(function, line).items():
            parameters.discard(name)
            if all(value is not None and _is_of_case(value, parameters, constants) for value in values):
                parameters.add(name)
            else:
                constants.discard(name)
    else:
        conditions, parameters = None, set()
        for mark in _marks(tree, line, reason):
            conditions = mark.args[:1] if _name(mark).endswith("skipif") else []
            break
        if conditions is None:
            return "card"
    if conditions and all(map(_is_of_mode, conditions)):
        return "mode"
    return "parameters" if all(_is_of_case(each, parameters, constants) for each in conditions) else "card"
