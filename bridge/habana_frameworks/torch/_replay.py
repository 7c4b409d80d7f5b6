# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GAUDI_REPLAY_DIR: launches of a script in files that gaudi-run runs again: one that fails, is
found wrong by GAUDI_CHECK_FINITE or PT_SBS, or that GAUDI_REPLAY asks for."""
import os
import re

import gaudi_mlir
import torch
from gaudi_mlir.torch import flags, nonfinite, places

from . import _C, _observer

_HEAD = "GAUDI_REPLAY"
_UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6}
_MOST = 100  # files of a process


class Wanted:
    """ "launch:37" or "slower-than:500us", several with commas, or "all"."""

    def __init__(self, text: str) -> None:
        self.launches: set[int] = set()
        self.microseconds: float | None = None
        self.is_all = False
        for each in filter(None, (part.strip() for part in text.split(","))):
            number = re.fullmatch(r"launch:(\d+)", each)
            slow = re.fullmatch(r"slower-than:(\d+(?:\.\d+)?)(us|ms|s)", each)
            if number:
                self.launches.add(int(number[1]))
            elif slow:
                self.microseconds = float(slow[1]) * _UNITS[slow[2]]
            elif each == "all":
                self.is_all = True
            else:
                raise ValueError(f"GAUDI_REPLAY is {text!r}; expected launch:NUMBER, "
                                 "slower-than:500us (us, ms or s), or all")

    def why(self, launch: _observer.Launch) -> str:
        """Why a file of the launch is wanted, or nothing."""
        if launch.number in self.launches:
            return f"GAUDI_REPLAY=launch:{launch.number}"
        if self.is_all:
            return "GAUDI_REPLAY=all"
        if self.microseconds is not None and launch.subject.compiled is not None:
            time = launch.subject.time_us
            if time > self.microseconds:
                return f"predicted {time:.1f} us, slower than {self.microseconds:g} us"
        return ""


class Writer:
    """A watcher. Each launch is waited for, so that it is known which one fails."""

    def __init__(self, folder: str, wanted: Wanted, with_inputs: bool) -> None:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.folder, self.wanted, self.with_inputs = folder, wanted, with_inputs
        self.written = 0
        self._names: set[str] = set()

    def begin(self, launch: _observer.Launch) -> None:
        if launch.subject.compiled is not None:
            launch.keep_inputs()

    def end(self, launch: _observer.Launch) -> None:
        try:
            _C.synchronize(-1)
        except RuntimeError as error:
            self.failed(launch, str(error))
            if launch.subject.compiled is None:
                raise
            raise type(error)(_with_places(launch, str(error))) from None
        if why := self.wanted.why(launch):
            self.write(launch, 0, "", why)

    def failed(self, launch: _observer.Launch, text: str) -> None:
        self.write(launch, 4, text, "the launch failed")

    def write(self, launch: _observer.Launch, code: int, message: str, reason: str,
              options: dict[str, str] | None = None) -> None:
        compiled = launch.subject.compiled
        name = re.sub(r"[^\w.-]+", "_", launch.subject.name)
        path = os.path.join(self.folder,
                            f"launch-{launch.number}-{name}-{_observer.process()}.zip")
        if compiled is None or self.written >= _MOST or path in self._names:
            return
        self._names.add(path)
        self.written += 1
        try:
            self._save(path, launch, code, message, reason, options or {})
            node = next(iter(launch.subject.graph.graph.find_nodes(op="output"))).args[0][0]
        except (OSError, RuntimeError, MemoryError, gaudi_mlir.Error) as error:
            _observer.log(_HEAD, f"{path} cannot be written: {error}")
            return
        at = _observer.place_of(launch, places.place(node))
        _observer.log(_HEAD, "\n  ".join([
            f"{path}: {launch.subject}, launch {launch.number} ({reason}); gaudi-run {path} runs "
            "it again" + ("" if self.with_inputs else
                          ", with seeded inputs (GAUDI_REPLAY_INPUTS=1 writes its own)"),
            *nonfinite.place_lines(at)]))

    def _save(self, path: str, launch: _observer.Launch, code: int, message: str, reason: str,
              options: dict[str, str]) -> None:
        from gaudi_mlir import replay
        compiled, lines = launch.subject.compiled, _lines(launch)
        message = _with_places(launch, message.removeprefix("work of the device has failed: "))
        if not self.with_inputs:
            message = re.sub(r"\bindex -?\d+ is out of", "an index is out of", message)
        outputs = [] if code == 4 else [_plain(each) for each in launch.made()]
        replay.save(path, compiled.recipe.with_places(lines) if any(lines) else compiled.recipe,
                    [_plain(each) for each in launch.given()], outputs,
                    with_inputs=self.with_inputs, options=options, source=compiled.text,
                    code=code, message=message.replace("\n  ", "; "), reason=reason)


def _lines(launch: _observer.Launch) -> list[str]:
    """The place of each line of the compiled text."""
    compiled = launch.subject.compiled
    own = places.text(*launch.eager_place) if launch.eager_place else ""
    return [own] * len(compiled.places) if own else compiled.places


def _with_places(launch: _observer.Launch, message: str) -> str:
    lines = _lines(launch)
    return re.sub(r"<module>:(\d+):\d+", lambda found: _line(lines, found), message)


def _line(lines: list[str], found: re.Match) -> str:
    """A place of the compiled text as one of the script, as its recipe has it."""
    number = int(found[1]) - 1
    return number < len(lines) and lines[number] or found[0]


def _plain(tensor: torch.Tensor) -> torch.Tensor:
    """As a recipe has it."""
    return torch.view_as_real(tensor.resolve_conj()).contiguous() if tensor.is_complex() else \
        tensor.contiguous()


_writer: Writer | None = None


def found_wrong(launch: _observer.Launch, what: str, at: places.Place, text: str,
                options: dict[str, str]) -> None:
    """A check has found something in a launch: writes a file, if there is a folder for it. The
    file has `text` only together with the inputs, of which it says values; else `what`, without
    any, and the place."""
    if _writer is not None:
        where = places.text(*at)
        _writer.write(launch, 1, text if _writer.with_inputs else
                      f"{what} ({where})" if where else what, "a check failed", options)


def install(folder: str) -> None:
    """As the environment says."""
    global _writer
    wanted, with_inputs = Wanted(flags.text("GAUDI_REPLAY")), flags.enabled("GAUDI_REPLAY_INPUTS")
    try:
        _writer = Writer(folder, wanted, with_inputs)
    except OSError as error:
        _observer.log(_HEAD, f"GAUDI_REPLAY_DIR: cannot make the folder {folder}: {error.strerror}; no "
                             "launch is kept; name one in a place that you may write to")
        return
    _observer.watch(_writer)
