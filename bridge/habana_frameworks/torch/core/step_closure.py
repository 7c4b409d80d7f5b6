# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps: mark_step, and functions that run when one ends."""
import threading

import torch

from .. import _C, _environment, _missing

_closures = threading.local()


def add_step_closure(closure, args=()) -> None:
    """Calls `closure(*args)` at the next mark_step of this thread."""
    if not callable(closure):
        raise TypeError(f"a step closure is a function, got {type(closure).__name__}")
    if not hasattr(_closures, "waiting"):
        _closures.waiting = []
    _closures.waiting.append((closure, tuple(args)))


def mark_step(device_str: str = "", sync: bool = False) -> None:
    """The end of a step: what waits runs, and the event MARK_STEP and the step closures follow.
    With `sync` it waits for the card."""
    # Autograd's threads have no steps of their own, also where a backward ends one.
    (_C.end_step if torch._C._current_graph_task_id() == -1 else _C.cut)("mark_step")
    _environment.warn_of_changes()
    if _C.lazy_mode():
        from .. import _script  # which imports much
        _script.mark()
    _C.emit_mark_step()
    if sync:
        torch.hpu.synchronize(device_str or None)
    waiting, _closures.waiting = getattr(_closures, "waiting", []), []
    while waiting:
        closure, args = waiting.pop(0)
        try:
            closure(*args)
        except BaseException:
            _closures.waiting = waiting + _closures.waiting  # at the next mark_step
            raise


def _mark_step_if_lazy(device_str: str = "", sync: bool = False) -> None:
    if _C.lazy_mode():
        mark_step(device_str, sync)


def iter_mark_step(device_str: str = "") -> None:
    """mark_step at the end of an iteration of a loop: no graph goes on into the next one."""
    mark_step(device_str)


__getattr__ = _missing.of(__name__, {"_get_device_context": "add_step_closure keeps closures"})
