# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scales of tensors, and which tensor of a layer has which."""
from enum import IntEnum

import torch


class FP8FwdTensors(IntEnum):
    """Columns of the scales of a forward pass."""
    GEMM1_INPUT = 0
    GEMM1_WEIGHT = 1
    GEMM2_INPUT = 2
    GEMM2_WEIGHT = 3


class FP8BwdTensors(IntEnum):
    """Columns of the scales of a backward pass."""
    GRAD_OUTPUT1 = 0
    GRAD_OUTPUT2 = 1


class AttentionTensors(IntEnum):
    """The same of attention: query, key, value and the softmax."""
    QUERY = 0
    KEY = 1
    VALUE = 2
    SHARES = 3


class AttentionGradients(IntEnum):
    """Of the output, and of what the softmax is of."""
    OUTPUT = 0
    SCORES = 1


class FP8TensorMeta:
    """Scales of some tensors, [tensors], and the largest magnitudes of the last measured steps,
    [steps, tensors]. The history is a ring: amax_history_index, [1], is the last step's row;
    without an index it is the first one. All are changed in place, also by graphs that are
    replayed."""
    NAMES = ("scale", "scale_inv", "amax_history", "amax_history_index")

    def __init__(self) -> None:
        for name in self.NAMES:
            setattr(self, name, None)

    @classmethod
    def create(cls, tensors: int, steps: int, device) -> "FP8TensorMeta":
        meta = cls()
        meta.scale = torch.ones(tensors, device=device)
        meta.scale_inv = torch.ones(tensors, device=device)
        meta.amax_history = torch.zeros(steps, tensors, device=device)
        meta.amax_history_index = torch.zeros(1, dtype=torch.int64, device=device)
        return meta

    def advance(self) -> None:
        """Begins the row of another step with the magnitudes of the last one."""
        steps = len(self.amax_history)
        if steps > 1 and self.amax_history_index is not None:
            last = self.last()
            self.amax_history_index.add_(1).remainder_(steps)
            self.put(last)

    def last(self):
        """The last step's row: [1, tensors]."""
        if len(self.amax_history) == 1 or self.amax_history_index is None:
            return self.amax_history[:1]
        return self.amax_history.index_select(0, self.amax_history_index)

    def place(self) -> tuple:
        """The history and the index of the last step's row in it, which stays that of this step."""
        index = self.amax_history_index
        return self.amax_history, torch.zeros(1, dtype=torch.int64, device=self.scale.device) \
            if index is None else index.clone()

    def put(self, row) -> None:
        if len(self.amax_history) == 1 or self.amax_history_index is None:
            self.amax_history[:1].copy_(row)
        else:
            self.amax_history.index_copy_(0, self.amax_history_index, row)

    def measured(self, amaxes: dict) -> None:
        """Keeps the largest magnitudes of tensors, by column, in the last step's row."""
        rest = self.last()[0]
        self.put(torch.stack([amaxes[column].reshape([]) if column in amaxes else rest[column]
                              for column in range(len(rest))]).unsqueeze(0))

    def resize(self, steps: int) -> None:
        """Keeps the last steps of the history."""
        old, count = self.amax_history, len(self.amax_history)
        if count == steps:
            return
        if self.amax_history_index is not None:  # oldest first
            old = old.roll(-1 - int(self.amax_history_index), 0)
        kept = min(steps, count)
        self.amax_history = old.new_zeros(steps, old.shape[1])
        self.amax_history[:kept].copy_(old[count - kept:])
        if self.amax_history_index is not None:
            self.amax_history_index.fill_(kept - 1)
