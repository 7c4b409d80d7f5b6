# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names options that a function does not take, with what was meant, where Python's own error only
names them."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, TypeVar

from . import _messages

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)


def named(function: Function, called: str = "") -> Function:
    """`function`, which says what options it takes if it gets another one. One that passes its
    options on stays as it is. `called`: its name in the message."""
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return function
    known = {parameter.name for parameter in parameters
             if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)}
    called = called or f"{function.__module__}.{function.__qualname__}".replace(".compiler.", ".")

    @functools.wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        if not known.issuperset(options):
            unknown = next(name for name in options if name not in known)
            raise _messages.unknown_option(
                unknown, (each.name for each in parameters if each.name in known
                          and each.name not in ("self", "cls")), called)
        return function(*args, **options)

    return checked  # type: ignore[return-value]


def named_methods(cls: Class) -> Class:
    """A class whose public methods are `named`."""
    for name, member in list(vars(cls).items()):
        called = f"{cls.__name__}.{name}"
        if name.startswith("_"):
            continue
        if isinstance(member, classmethod):
            setattr(cls, name, classmethod(named(member.__func__, called)))
        elif inspect.isfunction(member):
            setattr(cls, name, named(member, called))
    return cls
