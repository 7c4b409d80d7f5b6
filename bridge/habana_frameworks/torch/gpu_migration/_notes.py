# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which calls of CUDA a script made, each once with its line."""
import atexit
import dataclasses
import logging
import os
import sys

from .._device import INTERNAL
from ._rules import CHANGED, IGNORED, MISSING, RULES, SAME, Rule

log = logging.getLogger("habana_frameworks.torch.gpu_migration")

_SHOWN = {"1": (SAME, CHANGED, IGNORED, MISSING), "2": (CHANGED, IGNORED, MISSING),
          "3": (IGNORED, MISSING)}


@dataclasses.dataclass(frozen=True)
class Use:
    """A call of the script's, or of a library's that is not PyTorch."""
    name: str
    rule: Rule
    file: str
    line: int

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}: {self.name}"
        if self.rule.kind == IGNORED:
            text += " is ignored"
        elif self.rule.kind == MISSING:
            text += " has no counterpart"
        elif self.rule.target:
            text += f" -> {self.rule.target}"
        return f"{text}: {self.rule.note}" if self.rule.note else text


_uses: dict[tuple, Use] = {}


def add(name: str, rule: Rule | None = None, walks: bool = True) -> None:
    """Notes a call of the nearest line that is not PyTorch's or ours. Without `walks` calls that
    PyTorch makes are not the script's."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(INTERNAL):
        if not walks and not frame.f_code.co_filename.startswith(_HERE):
            return
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename.startswith("<frozen"):
        return  # a thread of PyTorch's, or an import
    key = name, frame.f_code, frame.f_lineno
    if key in _uses:
        return
    use = Use(name, rule or RULES[name], frame.f_code.co_filename, frame.f_lineno)
    _uses[key] = use
    log.info("%s", use)
    if use.rule.kind in _SHOWN.get(os.environ.get("GPU_MIGRATION_LOG_LEVEL", "").strip(), ()):
        print(f"gpu_migration: {use}", file=sys.stderr)


_HERE = os.path.dirname(__file__) + os.sep


def uses() -> list[Use]:
    """What was replaced so far, in the order of the first calls."""
    return list(dict.fromkeys(_uses.values()))


def missing() -> list[Use]:
    """What has no counterpart on hpu: ignored, or refused."""
    return [each for each in uses() if each.rule.kind in (IGNORED, MISSING)]


def _report() -> None:
    found = missing()
    if found:
        print("gpu_migration: without a counterpart on hpu:", file=sys.stderr)
        for each in found:
            print(f"  {each}", file=sys.stderr)


atexit.register(_report)
