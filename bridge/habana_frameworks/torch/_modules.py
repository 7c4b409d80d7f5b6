# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of the modules whose forward() runs, and of optimizers whose step() does, for reports and
traces: "Net.encoder.layers.3", "AdamW.step". What runs in an op's backward has the name of its
forward."""
import threading
import warnings
import weakref

import torch
from torch.optim import optimizer

from . import _C


class _Stack(threading.local):
    def __init__(self) -> None:
        self.running: list[str] = []
        self.root: weakref.ref | None = None
        self.names: weakref.WeakKeyDictionary[torch.nn.Module, str] = weakref.WeakKeyDictionary()

    def enter(self, module, _) -> None:
        root = self.root and self.root()
        if module is not root and (not self.running or module not in self.names):
            name = type(module).__name__
            self.root = weakref.ref(module)
            self.names = weakref.WeakKeyDictionary(
                (each, f"{name}.{path}" if path else name)
                for path, each in module.named_modules())
        self._push(self.names[module])

    def enter_step(self, which, *_) -> None:
        self.running.clear()  # of a step() that has raised
        self._push(f"{type(which).__name__}.step")

    def _push(self, name: str) -> None:
        self.running.append(name)
        _C.set_module(name)

    def leave(self, *_) -> None:
        if self.running:
            self.running.pop()
        _C.set_module(self.running[-1] if self.running else "")


_stack = _Stack()


def _enter(module, args) -> None:
    # torch.compile traces hooks of all modules with what they are of.
    if not torch.compiler.is_compiling():
        _stack.enter(module, args)


def _enter_step(which, *_) -> None:
    if not torch.compiler.is_compiling():
        _stack.enter_step(which)


def _leave(*_) -> None:
    if not torch.compiler.is_compiling():
        _stack.leave()


def names() -> list[str]:
    """Of what the calling thread runs, the innermost last; the list itself, which changes."""
    return _stack.running


_hooks: list = []
_users = 0
_lock = threading.Lock()


def watch(wanted: bool) -> None:
    """Names are known while more have wanted them than have not."""
    global _users
    with _lock:
        _users += 1 if wanted else -1
        if _users > 0 and not _hooks:
            modules = torch.nn.modules.module
            # In a compiled graph the hooks do nothing.
            warnings.filterwarnings("ignore", r"Using `torch\.compile\(module\)` when there are")
            _hooks[:] = [
                modules.register_module_forward_pre_hook(_enter),
                modules.register_module_forward_hook(_leave, always_call=True),
                optimizer.register_optimizer_step_pre_hook(_enter_step),
                optimizer.register_optimizer_step_post_hook(_leave)]
        elif _users <= 0:
            for each in _hooks:
                each.remove()
            _hooks.clear()
