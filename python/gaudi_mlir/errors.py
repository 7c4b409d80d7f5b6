# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions of the package. All of them are an `Error`."""

from __future__ import annotations

import re


class Error(Exception):
    """What went wrong, where in the model, and the next step.

    message: one sentence
    location: "file:line:column" of the model, or ""
    details: all diagnostics with source lines and notes, or ""
    """

    message: str
    location: str
    details: str

    def __init__(self, message: str, location: str = "", details: str = "") -> None:
        # Not super(): OSError would take the arguments for a number and a path.
        Exception.__init__(self, message, location, details)
        self.message = message
        self.location = location
        self.details = details

    def __str__(self) -> str:
        details = self.details.rstrip("\n")
        if self.message in details:
            return details
        head = f"{self.location}: {self.message}" if self.location else self.message
        return f"{head}\n{details}" if details else head


class ArgumentError(Error, ValueError):
    """An argument is wrong: a shape, a type, an unknown name or option."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument has a type that the function does not take."""


class CompileError(Error):
    """The model cannot be parsed or compiled. `remarks` has what passes did before."""

    remarks: object = ()


class RecipeError(Error):
    """A recipe is damaged, or of another version."""


class DeviceMemoryError(Error, MemoryError):
    """The memory of the device, or of the host, is too small."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class LaunchError(Error, RuntimeError):
    """A launch failed: an index out of bounds, a loop without end."""


class UnavailableError(Error, RuntimeError):
    """A library that is needed is not installed."""


class InternalError(Error, RuntimeError):
    """A mistake of gaudi-mlir itself."""


class CompileWarning(UserWarning):
    """The compiler warns about a model that it compiled."""


_CLASSES = {
    1: ArgumentError,
    2: CompileError,
    3: RecipeError,
    4: DeviceMemoryError,
    5: FileError,
    6: LaunchError,
    7: UnavailableError,
}


# Options of gaudi-run that are arguments here.
_OPTION = re.compile(
    "--(all-entries|allow-permutation|autocast|bucket-cost|bucket-histogram|buckets|device-memory|"
    "device|disable-fusion|dump-graphs|entry|max-expanded-ops|max-iterations|max-kernel-weight|"
    r"memory-budget|require-fusion|shape|sizes|state|threads)(?![\w-])(?:=(\S*[^\s;,.:)]))?")
_BEYOND = re.compile(r'input "([^"]*)" has \d+ elements in dimension \d+: (\S+) (\d+) '
                     r"(?:is outside what the model takes: (\d+) to|exceeds the largest bucket) (\d+)"
                     r"[^;\n]*")


def _from_code(code: int, message: str, location: str, details: str) -> Error:
    """The exception for an error of the C interface (GaudiErrorCode)."""
    return _CLASSES.get(code, InternalError)(_in_python(message), location, _in_python(details))


def _in_python(text: str) -> str:
    """What the library says, with arguments of Python for options of the command line."""
    def argument(found: re.Match[str]) -> str:
        name, value = found[1].replace("-", "_"), found[2]
        return name if value is None else f"{name}={value if value.isdecimal() else repr(value)}"

    def bounded(found: re.Match[str]) -> str:
        name, symbol, *sizes = found.groups("1")
        size, low, high = map(int, sizes)
        return f"{found[0]}; compile the model with other bounds: " \
            f"shape={{{name!r}: {{{symbol!r}: ({min(low, size)}, {max(high, size)})}}}}"

    text = _BEYOND.sub(bounded, text.removeprefix("gaudi-compile: "))
    # Where a command is named, its options are.
    return text if re.search(r"\bgaudi-\w+ ", text) else _OPTION.sub(argument, text)
