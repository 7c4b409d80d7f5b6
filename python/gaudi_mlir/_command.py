# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the commands in Python say of their arguments."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, NoReturn, Sequence

from . import _text


class Parser(argparse.ArgumentParser):
    """Names what an unknown option was meant to be, and where options are listed."""

    _given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self._given = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def advice(self, given: str) -> str:
        """What helps instead of an argument that is none; empty if nothing is known."""
        return ""

    def error(self, message: str) -> NoReturn:
        known = [each for action in self._actions for each in action.option_strings
                 if action.help != argparse.SUPPRESS]
        hint = ""
        # One that is misspelt is why one is missing.
        if message.startswith(("unrecognized", "the following")):
            options = [each.partition("=")[0] for each in self._given if each.startswith("--")]
            unknown = [each for each in options if not any(one.startswith(each) for one in known)]
            hint = next(filter(None, (_text.meant(each, known) for each in unknown)), "")
        if not hint and message.startswith("unrecognized arguments: "):
            hint = self.advice(message.split()[2])
        # Of a script, the rest of the line may be missing.
        message = message.removesuffix(", arguments")
        if not hint and message.endswith(": script"):
            message, hint = self._without_script(known)
        if not hint:
            hint = f"see {self.prog} --help" if message.startswith("argument ") else self._usage()
        self.exit(2, f"{self.prog}: error: {message}; {hint}\n")

    def _usage(self) -> str:
        """What the command takes, in a line, and where all is said."""
        usage = " ".join(self.format_usage().split()).removeprefix("usage: ")
        return f"write {usage.replace('[-h] ', '').replace(' ...', ' [ARGUMENTS...]')}; " \
            f"{self.prog} --help says more"

    def _without_script(self, options: Sequence[str]) -> tuple[str, str]:
        """What is wrong where no script is named, and what to write: an option may have taken it."""
        for option, value in zip(self._given, self._given[1:]):
            if option in options and value.endswith(".py"):
                return (f"no script is named: {option} has taken '{value}' for what it writes",
                        f"write {self.prog} {option} FILE {value}")
        return "no script is named", self._usage()

    def parse_script(self) -> argparse.Namespace:
        """The arguments of a command that runs `script` with `arguments`, a file of Python."""
        options = self.parse_args()
        problem = ""
        try:
            with open(options.script, "rb") as file:
                if b"\0" in file.read(32):
                    problem = f"'{options.script}' is no script of Python; name the .py file"
        except IsADirectoryError:
            problem = f"'{options.script}' is a folder; name the script in it"
        except OSError as error:
            problem = _text.unreadable(options.script, error)
        if problem:
            self.exit(2, f"{self.prog}: error: {problem}\n")
        own = [each for action in self._actions for each in action.option_strings]
        for each in options.arguments:
            if each.startswith("--") and each.partition("=")[0] in own:
                print(f"{self.prog}: note: {each} is after the script, and so its own; write it "
                      f"before {options.script} if {self.prog} is meant", file=sys.stderr)
        return options


def whole_number(low: int) -> Any:
    """The type of an option that is a number from `low` up."""
    def number(text: str) -> int:
        if not re.fullmatch(r"\s*[+-]?\d+\s*", text) or int(text) < low:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {low} up")
        return int(text)
    return number
