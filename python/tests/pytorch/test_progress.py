# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The line that long compilations have on a terminal."""
import io
import time

import pytest

from gaudi_mlir.torch import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(monkeypatch, terminal, seconds: float) -> str:
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "DELAY", 0.02)
    with progress.shown("compiling 3 ops"):
        time.sleep(seconds)
    return terminal.getvalue()


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("RANK", "OMPI_COMM_WORLD_RANK", "TERM"):
        monkeypatch.delenv(name, raising=False)


def test_a_terminal_has_a_line_that_goes(monkeypatch):
    text = _shown(monkeypatch, Terminal(), 0.2)
    assert text.startswith("\r\033[Kcompiling 3 ops: 0 s\r\033[K")
    assert text.endswith("s\r\033[K")


def test_a_short_compilation_has_none(monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 60)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress.shown("compiling 3 ops"):
        pass
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("variable, value", [
    ("RANK", "1"), ("OMPI_COMM_WORLD_RANK", "3"), ("TERM", "dumb")])
def test_other_processes_have_none(monkeypatch, variable, value):
    monkeypatch.setenv(variable, value)
    assert _shown(monkeypatch, Terminal(), 0.1) == ""


def test_a_file_has_none(monkeypatch):
    assert _shown(monkeypatch, io.StringIO(), 0.1) == ""
