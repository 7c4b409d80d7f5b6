# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The end of a process that has found an error."""
import os
import sys

from ... import _C, _missing


def dump_device_state_and_terminate(msg: str, flags: int = 0) -> None:
    """Writes the message, and for each open card its memory and its clock, to standard error; ends
    the process at once, as an abort() does."""
    if flags:
        raise NotImplementedError(f"dump_device_state_and_terminate: flags {flags}")
    print(msg, file=sys.stderr)
    for card in range(_C.device_count()):
        if _C.is_open(card):
            print(f"hpu:{card} {_C.kind(card)}\n{_C.memory_summary(card)}\n{_C.clock(card)}",
                  file=sys.stderr)
    sys.stderr.flush()
    os.abort()


__getattr__ = _missing.of(__name__)
