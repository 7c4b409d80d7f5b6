# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which texts of symbolic sizes a program may have: they are evaluated when it is loaded."""
import ast
import re

MAX_LENGTH = 4096
MAX_DEPTH = 32
MAX_ARGUMENTS = 16
MAX_EXPONENT = 16  # the product of those inside each other
MAX_SHIFT = 64

# Of PyTorch (torch.utils._sympy.functions) and sympy, as str() and srepr() write them.
_FUNCTIONS = frozenset("""
    Abs Add And CeilDiv CeilToInt CleanDiv Eq Equality FloatTrueDiv FloorDiv FloorToInt Ge
    GreaterThan Gt Identity IntTrueDiv Le LessThan Lt Max Min Mod
    ModularIndexing Mul Ne Not Or PythonMod RoundToInt StrictGreaterThan StrictLessThan ToFloat
    TruncToFloat TruncToInt Unequality Where ceiling floor
    """.split())
_POWERS = frozenset({"Pow", "PowByNatural"})
_SHIFTS = frozenset({"LShift", "RShift"})
_ASSUMPTIONS = frozenset({"integer", "positive", "nonnegative", "negative", "real", "finite"})

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.UAdd,
              ast.Invert, ast.BitAnd, ast.BitOr)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)

_SYMBOL = re.compile(r"(?:s|ps|u|z|zf|zuf)\d{1,6}")
_PRINTED = re.compile(rf"Symbol\('{_SYMBOL.pattern}'(, positive=True)?, integer=True\)")
_CHARACTERS = re.compile(r"[\w\s+\-*/%(),.<>=!&|~']+", re.ASCII)


class Wrong(Exception):
    """A text that is not an expression of sizes."""


def is_symbol(text: str) -> bool:
    """Whether a text is a symbol alone, as most are."""
    return bool(_SYMBOL.fullmatch(text) or _PRINTED.fullmatch(text))


def check_symbol(name: str) -> None:
    if not _SYMBOL.fullmatch(name):
        raise Wrong(f"'{name[:60]}' is not the name of a symbolic size, such as s0")


def check(text: str) -> None:
    """Raises Wrong unless the text consists of symbols, numbers, operators and known functions, and
    is neither long, deep, nor of large powers."""
    if len(text) > MAX_LENGTH or not _CHARACTERS.fullmatch(text):
        raise _wrong(text)
    try:
        _check(ast.parse(text.strip(), mode="eval").body, MAX_DEPTH, MAX_EXPONENT, text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _wrong(text) from None


def _wrong(text: str) -> Wrong:
    return Wrong(f"'{text[:60]}{'...' if len(text) > 60 else ''}' is not an expression of sizes")


def _check(node: ast.AST, depth: int, exponent: int, text: str) -> None:
    """`depth` and `exponent` are what is left of them."""
    if depth == 0:
        raise _wrong(text)
    if isinstance(node, ast.Constant):
        if type(node.value) not in (bool, int, float) or abs(node.value) >= 1 << 63:
            raise _wrong(text)
        return
    if isinstance(node, ast.Name):
        check_symbol(node.id)
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, _OPERATORS):
        inner = [node.operand]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        exponent //= max(1, _count(node.right, exponent, text))
        inner = [node.left]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
        inner = [node.left, node.right]
    elif isinstance(node, ast.Compare) and all(isinstance(op, _COMPARISONS) for op in node.ops):
        inner = [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name in _POWERS and len(node.args) == 2 and not node.keywords:
            exponent //= max(1, _count(node.args[1], exponent, text))
            inner = node.args[:1]
        else:
            inner = _arguments(node, name, text)
    else:
        raise _wrong(text)
    if len(inner) > MAX_ARGUMENTS:
        raise _wrong(text)
    for each in inner:
        _check(each, depth - 1, exponent, text)


def _arguments(node: ast.Call, function: str, text: str) -> list[ast.expr]:
    """What is to be checked of a call."""
    values = [each.value for each in node.args if isinstance(each, ast.Constant)]
    if function == "Symbol" and len(values) == len(node.args) == 1 and isinstance(values[0], str):
        check_symbol(values[0])
        if all(each.arg in _ASSUMPTIONS and isinstance(each.value, ast.Constant)
               and isinstance(each.value.value, bool) for each in node.keywords):
            return []
    elif function == "Float" and len(values) == len(node.args) == 1 and isinstance(values[0], str):
        precisions = [each.value for each in node.keywords if each.arg == "precision"]
        if re.fullmatch(r"-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?", values[0]) and \
                len(precisions) == len(node.keywords) <= 1:
            for each in precisions:
                _count(each, 64, text)
            return []
    elif function in ("Integer", "Rational") and not node.keywords and 1 <= len(node.args) <= 2:
        for each in node.args:
            _count(each, (1 << 63) - 1, text)
        return []
    elif function in _SHIFTS and len(node.args) == 2 and not node.keywords:
        _count(node.args[1], MAX_SHIFT, text)
        return node.args[:1]
    elif function in _FUNCTIONS and not node.keywords:
        return node.args
    raise _wrong(text)


def _count(node: ast.expr, most: int, text: str) -> int:
    """The size of a whole number that is at most `most`, plain or as Integer() of it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) \
            and node.func.id == "Integer" and len(node.args) == 1 and not node.keywords:
        node = node.args[0]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    if not isinstance(node, ast.Constant) or type(node.value) is not int or node.value > most:
        raise _wrong(text)
    return node.value
