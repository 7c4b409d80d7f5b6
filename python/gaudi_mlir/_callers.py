# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ends tracebacks, and puts warnings, at the line of the program that called the package."""

from __future__ import annotations

import dis
import opcode
import os
import sys
import types
import warnings
from typing import Any

from .errors import Error, InternalError

_own = [os.path.dirname(__file__) + os.sep]


def add_own(folder: str) -> None:
    """Counts a package to those whose lines are not the caller's."""
    if folder + os.sep not in _own:
        _own.append(folder + os.sep)


def is_own(file: str) -> bool:
    return file.startswith(tuple(_own))


def _is_callers(code: types.CodeType) -> bool:
    """Whether a frame is of neither this package, nor PyTorch, nor what makes or imports classes."""
    torch = getattr(sys.modules.get("torch"), "__file__", None)
    file = code.co_filename
    return not (is_own(file) or torch and file.startswith(os.path.dirname(torch) + os.sep)
                or file.startswith("<frozen") or file == "<string>" and code.co_name == "__init__")


def _frame() -> tuple[types.FrameType, bool]:
    """The innermost frame of the program and True; the outermost one and False if there is none, as
    in the thread of a backward."""
    frame = sys._getframe(1)
    while not _is_callers(frame.f_code):
        if not frame.f_back:
            return frame, False
        frame = frame.f_back
    return frame, True


def line() -> tuple[str, int, dict[str, Any]]:
    """File, line and globals of the innermost frame of the program."""
    frame, _ = _frame()
    return frame.f_code.co_filename, frame.f_lineno, frame.f_globals


def line_of_program() -> tuple[str, int]:
    """File and line of the innermost frame of the program; "" and 0 if there is none."""
    frame, is_callers = _frame()
    return (frame.f_code.co_filename, frame.f_lineno) if is_callers else ("", 0)


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    file, number, names = line()
    warnings.warn_explicit(text, category, file, number, names.get("__name__"),
                           names.setdefault("__warningregistry__", {}))


def shorten(error: BaseException) -> BaseException:
    """The error; if this package says it to its caller, its traceback ends at the caller's line.
    Of its own mistakes, and with `python -X dev`, all lines stay."""
    trace = error.__traceback__
    traces = []
    while trace:
        traces.append(trace)
        trace = trace.tb_next
    if not traces or sys.flags.dev_mode or not _is_said(error, traces[-1]):
        return error
    error._gaudi_said = True  # type: ignore[attr-defined]  # also when another call lets it through
    while traces and not _is_callers(traces[-1].tb_frame.f_code):
        traces.pop()
    for each in reversed(traces):
        if not is_own(each.tb_frame.f_code.co_filename):
            trace = types.TracebackType(trace, each.tb_frame, each.tb_lasti, each.tb_lineno)
    error.__traceback__ = trace
    return error


def _is_said(error: BaseException, innermost: types.TracebackType) -> bool:
    """Whether an error was meant: raised by a statement, or by the library."""
    if getattr(error, "_gaudi_said", False):
        return True
    if isinstance(error, Error):
        return not isinstance(error, InternalError)
    code = innermost.tb_frame.f_code
    if not is_own(code.co_filename) or isinstance(error, AssertionError):
        return False
    name = opcode.opname[code.co_code[innermost.tb_lasti]]
    if name == "RAISE_VARARGS":
        return True
    # What the extension modules raise is a RuntimeError, or one of its kinds; but so are some errors
    # of Python's own functions.
    return (name.startswith("CALL") and isinstance(error, RuntimeError)
            and not isinstance(error, (RecursionError, NotImplementedError))
            and _names_extension(code, innermost.tb_lineno))


def _names_extension(code: types.CodeType, line: int) -> bool:
    """Whether a line of the package takes something of an extension module, or of what holds it."""
    spans = [(begin, end) for begin, end, number in code.co_lines() if number == line]
    return any(begin <= each.offset < end for each in dis.get_instructions(code)
               if each.argval in ("_C", "_core") for begin, end in spans)
