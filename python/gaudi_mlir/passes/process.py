# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process in which the passes of torch-mlir run: started when it is needed, used again,
replaced when it died.

Some passes crash on tensors without elements or dimensions, do not end, or take all memory. In a
process of their own that costs an error, not the program.
"""
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from ..errors import ArgumentError
from . import wire

# It imports numpy and torch-mlir, on machines that do other things, too.
START_SECONDS = 120

# Of a call, unless GAUDI_TORCH_MLIR_TIMEOUT says otherwise: so many seconds, and for each op more.
# They are processor time, which other programs of the machine do not use up.
BASE_SECONDS, SECONDS_PER_OP = 20.0, 0.05
CLOCK_PER_SECOND = 10  # what waits instead of computing ends, too

# MiB beyond what the process has when it starts, unless GAUDI_TORCH_MLIR_MEMORY says otherwise.
MEMORY_MIB = 8192

# The paths are those of this program, whatever its folder and environment say. Only builtin modules
# may be imported before they are set.
_BOOT = ("import sys; sys.path[:] = sys.argv[1].split(':'); "
         "from gaudi_mlir.passes import worker; worker.main(int(sys.argv[2]))")


class Died(Exception):
    """The process ended, or was ended at a limit; the message says how."""


class Process:
    """One process. All but `start` and `close` is for the thread that holds `LOCK`."""

    def __init__(self) -> None:
        self.link, theirs = socket.socketpair()
        self._said_hello = False
        self._log = tempfile.TemporaryFile()
        self._popen: subprocess.Popen | None = None
        self._failure: Exception | None = None
        self._started, self._ended = threading.Event(), threading.Event()
        # The kernel ends the process when the thread that made it ends (PR_SET_PDEATHSIG), so that
        # is one that stays: it also waits for the process.
        threading.Thread(target=self._run, args=(theirs,), daemon=True,
                         name="gaudi-torch-mlir").start()

    def _run(self, theirs: socket.socket) -> None:
        try:
            paths = ":".join(path for path in sys.path if ":" not in path)
            self._popen = subprocess.Popen(
                [sys.executable, "-c", _BOOT, paths, str(os.getpid())], stdin=theirs,
                stdout=self._log, stderr=self._log)
        except Exception as error:  # reported by the thread that asks for something
            self._failure = error
        finally:
            theirs.close()
            self._started.set()
        if self._popen:
            self._popen.wait()
        self._ended.set()

    def ask(self, header: dict[str, Any], blobs: Any,
            seconds: float) -> tuple[dict[str, Any], list[bytearray]]:
        """The answer to a message. Raises Died; then the process is of no more use."""
        answered = False
        try:
            self._greet()
            deadline = time.monotonic() + CLOCK_PER_SECOND * seconds
            start = self._processor_time()
            wire.send(self.link, header, blobs, deadline)
            while not select.select([self.link], [], [], min(seconds, 0.5))[0]:
                if time.monotonic() > deadline or self._processor_time() - start > seconds:
                    raise TimeoutError
            answer = wire.receive(self.link, deadline)
            answered = True
            return answer
        except TimeoutError:
            raise Died(f"takes longer than {seconds:.3g} s, the limit that "
                       "GAUDI_TORCH_MLIR_TIMEOUT sets") from None
        except wire.Closed:
            raise Died(self._cause(header.get("memory", 0))) from None
        finally:
            if not answered:  # also if an interrupt ended the wait
                self.close()

    def _processor_time(self) -> float:
        """Seconds that the process has computed; 0 if it has ended."""
        assert self._popen is not None
        try:
            with open(f"/proc/{self._popen.pid}/stat") as file:
                user, system = file.read().rpartition(")")[2].split()[11:13]
        except OSError:
            return 0.0
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _greet(self) -> None:
        if self._said_hello:
            return
        self._started.wait()
        if self._failure:
            raise Died(f"cannot be started: {self._failure}")
        try:
            wire.receive(self.link, time.monotonic() + START_SECONDS)
        except TimeoutError:
            raise Died(f"does not start within {START_SECONDS} s") from None
        self._said_hello = True

    def _cause(self, memory: int) -> str:
        """Why the process ended, by its exit code and by what it wrote last."""
        self._ended.wait(10)
        code = self._popen.returncode if self._popen else None
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - (1 << 16)))
        lines = self._log.read().decode(errors="replace").splitlines()
        if any(re.search(r"out of memory|bad_alloc|MemoryError|Cannot allocate", line)
               for line in lines):
            return (f"needs more than {memory >> 20} MiB of memory, the limit that "
                    "GAUDI_TORCH_MLIR_MEMORY sets")
        said = next((line.partition("LLVM ERROR:")[2].strip() for line in lines
                     if "LLVM ERROR:" in line), "")
        if not self._said_hello or code == 1:  # an exception of Python
            said = said or next((line for line in reversed(lines) if line.strip()), "")
        ended = f"exit code {code}"
        if code is not None and code < 0:
            ended = signal.Signals(-code).name if -code in set(signal.Signals) else \
                f"signal {-code}"
        return f"crashes ({ended})" + (f": {said[:200]}" if said else "")

    def close(self) -> None:
        """Ends the process at once."""
        self.link.close()
        self._started.wait()
        if self._popen and not self._ended.is_set():
            self._popen.kill()


# Held by the thread that asks; the others wait.
LOCK = threading.RLock()

_current: Process | None = None


def start() -> None:
    """Starts the process, if there is none, without waiting for it."""
    global _current
    with LOCK:
        if _current is None:
            _current = Process()


def current() -> Process:
    """The process. Call it with LOCK."""
    start()
    assert _current is not None
    return _current


def replace() -> None:
    """Has another process start in the place of one that died. Call it with LOCK."""
    global _current
    _current = None
    start()


def stop() -> None:
    """Ends the process; the next call starts another."""
    global _current
    with LOCK:
        if _current is not None:
            _current.close()
            _current = None


def _after_fork() -> None:
    """A child has the descriptors of its parent's process, but must not use them."""
    global _current, LOCK
    LOCK = threading.RLock()
    if _current is not None:
        _current.link.close()
        _current = None


os.register_at_fork(after_in_child=_after_fork)


def limits(ops: int) -> tuple[float, int]:
    """Seconds and bytes that a call on a module of so many ops may take."""
    seconds = _number("GAUDI_TORCH_MLIR_TIMEOUT", "seconds")
    memory = _number("GAUDI_TORCH_MLIR_MEMORY", "MiB")
    return (BASE_SECONDS + SECONDS_PER_OP * ops if seconds is None else seconds,
            int((MEMORY_MIB if memory is None else memory) * (1 << 20)))


def _number(name: str, unit: str) -> float | None:
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        digits = re.match(r"[\d.]*[1-9][\d.]*", text)
        raise ArgumentError(f"{name} is {text!r}; expected a number of {unit} above 0, as in "
                            f"{name}={digits[0] if digits else 60}")
    return value
