# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges items in other processes, some after each other in one: what crashes or hangs is one result."""
import collections
import json
import os
import pathlib
import resource
import select
import signal
import time

MEMORY = 16 << 30
# A loaded machine gives a process a part of the time: what sleeps may take as many times its seconds.
PATIENCE = 8
ITEMS_OF_A_PROCESS = 50


class Child:
    """Items, one after the other, in another process: imports are paid once. `judge` gives rows for an
    item, lists that JSON has; an item may take `seconds` of CPU time."""

    def __init__(self, items, judge, seconds):
        self.waiting = collections.deque(items)
        self.seconds = seconds
        self.text = b""
        reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(reader)
                self.run(items, judge, writer)
            finally:  # an exception ends the process, before what the parent does at its end
                os._exit(1)
        os.close(writer)
        self.reader = reader
        self.begin()

    def begin(self):
        """Starts the time of an item."""
        self.begun = time.monotonic(), self.cpu_seconds()

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_late(self):
        wall, cpu = (now - begun for now, begun in zip((time.monotonic(), self.cpu_seconds()), self.begun))
        return cpu > self.seconds or wall > PATIENCE * self.seconds

    @staticmethod
    def run(items, judge, writer):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        with os.fdopen(writer, "w") as file:
            for item in items:
                file.write(json.dumps(judge(item)) + "\n")
                file.flush()
        os._exit(0)

    def results(self):
        """(item, rows, why) of items that ended since the last call; rows are None where it crashed or
        hung. That ends the process, and those behind it are still `waiting`. `pid` is None when the
        process has ended."""
        found = []
        while self.waiting and select.select([self.reader], [], [], 0)[0]:
            read = os.read(self.reader, 1 << 16)
            if not read:
                code = self.wait()
                reason = (signal.Signals(code & 127).name if code & 127 else f"exit code {code >> 8}")
                return found + [(self.waiting.popleft(), None, f"crashed: {reason}")]
            *lines, self.text = (self.text + read).split(b"\n")
            for line in lines:
                found.append((self.waiting.popleft(), json.loads(line), ""))
                self.begin()
        if not self.waiting:
            self.wait()
        elif self.is_late():
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
            found.append((self.waiting.popleft(), None, "hung"))
        return found

    def wait(self):
        os.close(self.reader)
        _, code = os.waitpid(self.pid, 0)
        self.pid = None
        return code


def judged(items, judge, seconds, jobs, until=None):
    """Yields (item, rows, why) of all items. `items` may grow while it runs; after the time `until`
    none is begun."""
    running = []
    try:
        while items or running:
            over = until is not None and time.monotonic() > until
            if over and not running:
                return
            while items and len(running) < jobs and not over:
                count = min(len(items), ITEMS_OF_A_PROCESS)
                running.append(Child([items.popleft() for _ in range(count)], judge, seconds))
            for child in list(running):
                yield from child.results()
                if child.pid is None:
                    running.remove(child)
                    items.extendleft(reversed(child.waiting))
                elif over:
                    os.kill(child.pid, signal.SIGKILL)
                    child.wait()
                    running.remove(child)
            time.sleep(0.005)
    finally:
        for child in running:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
