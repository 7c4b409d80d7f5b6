# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long compilations say on a terminal how long they have taken: the main process, in a line that
goes when they end."""
import contextlib
import os
import sys
import threading
import time

DELAY = 2.0
"""Seconds before the line is shown, and between its changes half of them."""


def _is_shown() -> bool:
    ranks = (os.environ.get(name, "0") for name in ("RANK", "OMPI_COMM_WORLD_RANK"))
    return (sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
            and set(ranks) == {"0"})


@contextlib.contextmanager
def shown(what: str):
    """Of a `with` block that does `what`: "compiling 1,204 ops"."""
    if not _is_shown():
        yield
        return
    terminal, ended, begin = sys.stderr, threading.Event(), time.monotonic()

    def show() -> None:
        wait = DELAY
        while not ended.wait(wait):
            terminal.write(f"\r\033[K{what}: {time.monotonic() - begin:.0f} s")
            terminal.flush()
            wait = DELAY / 2
        if wait != DELAY:
            terminal.write("\r\033[K")
            terminal.flush()

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
