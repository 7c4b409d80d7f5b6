# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Events: places in a stream."""
import torch

from .. import _C


class Event(torch.Event):
    """elapsed_time is that of the card's clock, a prediction for a real card, in milliseconds."""

    def __new__(cls, enable_timing: bool = True, blocking: bool = False,
                interprocess: bool = False):
        if interprocess:
            raise NotImplementedError("events of hpu cannot be shared between processes; leave "
                                      "interprocess out")
        return super().__new__(cls, torch.device("hpu"), enable_timing=enable_timing,
                               blocking=blocking)

    def record(self, stream=None) -> None:
        super().record(torch.hpu.current_stream() if stream is None else stream)

    def wait(self, stream=None) -> None:
        super().wait(torch.hpu.current_stream() if stream is None else stream)

    def elapsed_time(self, end_event) -> float:
        return _C.elapsed_time(self, end_event)
