# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What clients ask of the mode."""
import functools
import time

from .. import _C


def is_lazy() -> bool:
    """Whether ops wait for mark_step, as PT_HPU_LAZY_MODE says."""
    return _C.lazy_mode() != 0


def lazy_only(func):
    """A function that does nothing outside of lazy mode."""
    @functools.wraps(func)
    def called(*args, **kwargs):
        return func(*args, **kwargs) if is_lazy() else None
    return called


class Timer:
    """Seconds of a `with` block."""

    def __enter__(self):
        self.start = time.perf_counter()
        self.end = None
        return self

    def __exit__(self, *_) -> None:
        self.end = time.perf_counter()

    def elapsed(self) -> float:
        return (self.end or time.perf_counter()) - self.start
