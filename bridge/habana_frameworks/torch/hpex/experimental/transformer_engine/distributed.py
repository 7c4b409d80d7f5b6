# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of eight bits in what torch.utils.checkpoint computes again."""
import collections
import contextlib
import sys

import torch
from torch.utils.checkpoint import CheckpointFunction

_depth = 0


@contextlib.contextmanager
def activation_checkpointing():
    """A `with` block, or a decorator, of forward passes that are computed again for the backward
    pass: the second time with the scales of the first, and nothing is measured. It names those
    that another autograd function than torch.utils.checkpoint's computes again."""
    global _depth
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1


class _Segment:
    """What layers were in what is computed again, in the order of their calls. It belongs to the
    checkpoint, and is gone with its graph."""

    def __init__(self) -> None:
        self.passes: dict = collections.defaultdict(list)
        self.counts: collections.Counter = collections.Counter()


def _segment(checkpoint, is_made: bool) -> _Segment | None:
    made = getattr(checkpoint, "_transformer_engine", None)
    if made is None and is_made:
        made = checkpoint._transformer_engine = _Segment()
    return made


def _of_hooks() -> list:
    """(checkpoint, whether it is computed again) of torch.utils.checkpoint(use_reentrant=False):
    its hooks of saved tensors, the innermost first."""
    autograd, hooks, found = torch._C._autograd, [], []
    while hook := autograd._top_saved_tensors_default_hooks(True):
        hooks.append(hook)
        autograd._pop_saved_tensors_default_hooks()
    for hook in reversed(hooks):
        autograd._push_saved_tensors_default_hooks(*hook)
    for pack, _ in hooks:
        # A function that torch._dynamo leaves alone is wrapped.
        pack = getattr(pack, "_torchdynamo_orig_callable", pack)
        if getattr(pack, "__module__", "") != "torch.utils.checkpoint":
            continue
        values = dict(zip(pack.__code__.co_freevars, pack.__closure__ or ()))
        if "target_frame_ref" in values:
            frame = values["target_frame_ref"].cell_contents()
            found += [] if frame is None else [(frame, True)]
        elif "frame" in values:
            found.append((values["frame"].cell_contents, False))
    return found


def _of_functions() -> list:
    """The same of autograd functions that run a forward pass without gradients, and again in their
    backward pass: use_reentrant=True, for one. Their context is the same object in both."""
    found, frame = [], sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_name in ("forward", "backward") and code.co_varnames[:1] not in ((), ("self",)):
            context = frame.f_locals.get(code.co_varnames[0])
            if isinstance(context, torch._C._FunctionBase) and \
                    (_depth or code.co_name == "backward" or
                     code is CheckpointFunction.forward.__code__):
                found.append((context, code.co_name == "backward"))
        frame = frame.f_back
    return found


def _around() -> tuple:
    """What is computed again here, and what will be computed again: checkpoints within that."""
    again, will = None, []
    for checkpoints in (_of_hooks(), _of_functions()):
        for checkpoint, is_again in checkpoints:
            if not is_again:
                will.append(checkpoint)
            elif _segment(checkpoint, False) is not None:
                again = again or checkpoint
                break
    return again, will


def is_computed_again() -> bool:
    """Whether this is a forward pass within a backward pass."""
    return torch._C._current_graph_task_id() != -1


def kept(layer, is_taken: bool = True):
    """What the forward pass kept that this one computes again; None if there is none. Of several
    calls the next one, if it is taken."""
    if not is_computed_again():
        return None
    again, _ = _around()
    if again is None:
        return None
    segment, key = _segment(again, False), (torch._C._current_graph_task_id(), layer)
    passes = segment.passes.get(layer, ())
    if segment.counts[key] >= len(passes):
        return None
    found = passes[segment.counts[key]]
    segment.counts[key] += is_taken
    return found


def keep(layer, made) -> bool:
    """Keeps what a forward pass is where it will be computed again; whether it is."""
    if not _depth and torch.is_grad_enabled() and \
            not torch._C._autograd._top_saved_tensors_default_hooks(True):
        return False
    _, will = _around()
    for checkpoint in will:
        _segment(checkpoint, True).passes[layer].append(made)
    return bool(will)
