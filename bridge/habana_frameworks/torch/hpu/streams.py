# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams of a card: queues of work that runs in order; what two of them hold may overlap."""
import torch

from .. import _C
from ._utils import _get_device_index


class Stream(torch.Stream):
    """A new stream; with `stream_id`, `device_index` and `device_type`, one that there is."""

    def __new__(cls, device=None, priority: int = 0, **given):
        if "stream_id" in given:
            return super().__new__(cls, **given)
        if given:
            raise TypeError(f"Stream() takes no argument {next(iter(given))!r}; it takes device and "
                            "priority")
        with torch.hpu.device(_get_device_index(device, optional=True)):
            return super().__new__(cls, device=torch.device("hpu", _C.current_device()),
                                   priority=priority)

    def wait_event(self, event) -> None:
        event.wait(self)

    def wait_stream(self, stream) -> None:
        """What is issued from now on runs after all that `stream` has."""
        self.wait_event(stream.record_event())

    def record_event(self, event=None):
        from .events import Event
        event = Event() if event is None else event
        event.record(self)
        return event

    def id(self) -> int:
        return self.stream_id

    @property
    def hpu_stream(self) -> int:
        return self.stream_id

    def __eq__(self, other) -> bool:
        return isinstance(other, torch.Stream) and super().__eq__(other)

    def __hash__(self) -> int:
        return hash((self.stream_id, self.device_index))

    def __repr__(self) -> str:
        return f"<torch.hpu.Stream device=hpu:{self.device_index} stream_id={self.stream_id}>"


def _checked(stream):
    if stream is not None and not isinstance(stream, torch.Stream):
        raise TypeError("expected a stream, as torch.hpu.Stream() makes one, got "
                        f"{type(stream).__name__}")
    return stream


class StreamContext:
    """Work goes to the stream in the `with` block; None changes nothing."""

    def __init__(self, stream) -> None:
        self.stream = _checked(stream)

    def __enter__(self) -> None:
        if self.stream is None:
            return
        self._device = _C.exchange_device(self.stream.device_index)
        self._before = current_stream()
        set_stream(self.stream)

    def __exit__(self, *_) -> None:
        if self.stream is None:
            return
        set_stream(self._before)
        _C.exchange_device(self._device)


def stream(stream) -> StreamContext:
    return StreamContext(stream)


def set_stream(stream) -> None:
    """Makes it, and its card, the current one of this thread."""
    if _checked(stream) is None:
        return
    _C.exchange_device(stream.device_index)
    torch._C._accelerator_setStream(stream)


def _of(stream_id: int, index: int) -> Stream:
    return Stream(stream_id=stream_id, device_index=index,
                  device_type=int(torch._C._autograd.DeviceType.HPU))


def current_stream(device=None) -> Stream:
    index = _get_device_index(device, optional=True)
    return _of(_C.current_stream(index), index)


def default_stream(device=None) -> Stream:
    return _of(0, _get_device_index(device, optional=True))


def get_stream_info(stream) -> tuple[int, int, int]:
    """Its id, the index of its card and the number of its device type."""
    return stream.stream_id, stream.device_index, stream.device_type


def record_stream(tensor: torch.Tensor, stream) -> None:
    """The tensor's memory is not used again before what `stream` has now is done."""
    tensor.record_stream(stream)
