# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages between a program and the process that runs the passes of torch-mlir.

A message is the length of its header (8 bytes, little endian), the header as JSON, and blobs of
bytes whose lengths the header has as `sizes`. Nothing in it is code or a pickle.
"""
import json
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any

# Of a header: names, types and diagnostics, never values.
MAX_HEADER = 1 << 28


class Closed(Exception):
    """The other end is gone."""


def send(link: socket.socket, header: dict[str, Any], blobs: Sequence[Any] = (),
         deadline: float | None = None) -> None:
    """Sends a message. Raises Closed, or TimeoutError at `deadline` (of time.monotonic())."""
    views = [memoryview(blob).cast("B") for blob in blobs]
    head = json.dumps({**header, "sizes": [view.nbytes for view in views]}).encode()
    try:
        for view in (memoryview(struct.pack("<Q", len(head)) + head), *views):
            while view.nbytes:
                link.settimeout(_remaining(deadline))
                view = view[link.send(view):]
    except (BrokenPipeError, ConnectionResetError):
        raise Closed from None


def receive(link: socket.socket, deadline: float | None = None) -> tuple[dict[str, Any],
                                                                           list[bytearray]]:
    """The next message. Raises Closed, or TimeoutError at `deadline`."""
    (length,) = struct.unpack("<Q", _exactly(link, 8, deadline))
    if length > MAX_HEADER:
        raise Closed
    header = json.loads(_exactly(link, length, deadline))
    return header, [_exactly(link, size, deadline) for size in header["sizes"]]


def _exactly(link: socket.socket, size: int, deadline: float | None) -> bytearray:
    data = bytearray(size)
    view = memoryview(data)
    while view.nbytes:
        link.settimeout(_remaining(deadline))
        try:
            count = link.recv_into(view)
        except ConnectionResetError:
            raise Closed from None
        if not count:
            raise Closed
        view = view[count:]
    return data


def _remaining(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
