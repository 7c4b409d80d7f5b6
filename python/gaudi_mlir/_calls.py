# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says what is wrong with the arguments of a call, where Python's own error only names an option, or
one of the extension module names its types."""

from __future__ import annotations

import functools
import inspect
import numbers
import operator
import types
from typing import Any, Callable, TypeVar

from . import _callers, _core, _messages
from .errors import Error

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

# What Python, or the extension module, raises of an argument that is none.
_OF_ARGUMENTS = (TypeError, AttributeError, OverflowError, ValueError)


def named(function: Function, called: str = "") -> Function:
    """`function`, which names the option that it does not take, and the argument of another type
    than its annotation says. Arguments are looked at when a call has failed. `called`: its name in
    the message. Tracebacks of errors end where it is called, as those of `plain` do."""
    signature = inspect.signature(function)
    parameters = signature.parameters.values()
    takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)
    known = [each.name for each in parameters
             if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
             and each.name not in ("self", "cls")]
    called = called or f"{function.__module__}.{function.__qualname__}".replace(".compiler.", ".")

    def explained(error: BaseException, args: tuple[Any, ...],
                  options: dict[str, Any]) -> BaseException:
        unknown = [] if takes_all else [name for name in options if name not in known]
        if isinstance(error, Error) or not isinstance(error, _OF_ARGUMENTS):
            return error
        if unknown:
            return _messages.unknown_option(unknown[0], known, called)
        if wrong := _wrong(signature, called, args, options):
            return wrong
        # Of the extension module, which lists its overloads.
        if "incompatible function arguments" in str(error):
            return _messages.wrong_call(called, "one of its arguments has an element of another "
                                        "type than it takes", _takes(signature))
        return error

    return _checked(function, explained)


def plain(function: Function) -> Function:
    """`function`, of whose errors the tracebacks end where it is called."""
    return _checked(function, lambda error, args, options: error)


class _Function(_core.Checked):
    """As a function does, it becomes a method of what it is got from. In Python, since Dynamo
    follows no other __get__."""

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)


def _checked(function: Function, explained: Callable[..., BaseException]) -> Function:
    def raised(error: BaseException, args: tuple[Any, ...],
               options: dict[str, Any]) -> BaseException:
        return _callers.shorten(explained(error, args, options))
    return functools.update_wrapper(  # type: ignore[return-value]
        _Function(function, raised), function)


def named_methods(cls: Class) -> Class:
    """A class whose public methods are `named`."""
    for name, member in list(vars(cls).items()):
        called = f"{cls.__name__}.{name}"
        if name.startswith("_") and name != "__call__":
            continue
        if isinstance(member, classmethod):
            setattr(cls, name, classmethod(named(member.__func__, called)))
        elif inspect.isfunction(member):
            setattr(cls, name, named(member, called))
    return cls


def _wrong(signature: inspect.Signature, called: str, args: tuple[Any, ...],
           options: dict[str, Any]) -> Exception | None:
    """What is wrong with the arguments, if it can be seen."""
    try:
        bound = signature.bind(*args, **options)
    except TypeError as error:
        return _messages.wrong_call(called, str(error), _takes(signature))
    for name, value in bound.arguments.items():
        parameter = signature.parameters[name]
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        words = _misses(parameter.annotation, value)
        if words:
            return _messages.wrong_argument(called, name, value, words,
                                            "path" in signature.parameters and name != "path")
    return None


def _takes(signature: inspect.Signature) -> str:
    """ "module, device=..., entry=..."."""
    parts = []
    for each in signature.parameters.values():
        if each.name in ("self", "cls") or each.kind is each.VAR_KEYWORD:
            continue
        by_name = each.kind is each.KEYWORD_ONLY or each.default is not each.empty
        parts.append(f"{each.name}=..." if by_name else
                     f"*{each.name}" if each.kind is each.VAR_POSITIONAL else each.name)
    return ", ".join(parts[:6] + ["..."] * (len(parts) > 6))


def _is_whole(value: Any) -> bool:
    try:
        operator.index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def _is_of(name: str) -> Callable[[Any], bool]:
    """Whether a value is of a class of this name."""
    return lambda value: name in (each.__name__ for each in type(value).__mro__)


# What a type of an annotation is called, and what it takes.
_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "int": ("a whole number", _is_whole),
    "float": ("a number", lambda value: isinstance(value, numbers.Real)),
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "str": ("text (a str)", lambda value: isinstance(value, str)),
    "bytes": ("bytes", lambda value: isinstance(value, bytes)),
    "bytearray": ("", lambda value: isinstance(value, bytearray)),
    "memoryview": ("", lambda value: isinstance(value, memoryview)),
    "PathLike": ("a path", lambda value: hasattr(value, "__fspath__")),
    "Mapping": ("a dict", lambda value: hasattr(value, "keys")),
    "Sequence": ("a list", lambda value: hasattr(value, "__len__") and
                 not isinstance(value, (str, bytes)) and not hasattr(value, "keys")),
    "Iterable": ("a list", lambda value: hasattr(value, "__iter__")),
    "Callable": ("a function", callable),
    "None": ("None", lambda value: value is None),
    "Recipe": ("a Recipe (gaudi_mlir.Recipe.load(path) reads one)", _is_of("Recipe")),
}


def _misses(annotation: Any, value: Any) -> str:
    """What an annotation expects, if the value is none of it; else ""."""
    if annotation is inspect.Parameter.empty:
        return ""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    expected = []
    for member in _members(text):
        full = member.partition("[")[0].lstrip("_")
        name = full.rpartition(".")[2]
        if name in ("Any", "object"):
            return ""
        article = "an" if full[0] in "AEIOU" else "a"
        words, takes = _TYPES.get(name, (f"{article} {full}", _is_of(name)))
        if takes(value):
            return ""
        expected.append(words)
    return " or ".join(filter(None, expected))


def _members(annotation: str) -> list[str]:
    """Of a union, those outside of brackets."""
    members, depth = [""], 0
    for character in annotation:
        depth += (character == "[") - (character == "]")
        if character == "|" and not depth:
            members.append("")
        else:
            members[-1] += character
    return [each.strip(" '\"") for each in members]
