# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers and tables in a form for people, and strings in that of MLIR."""

from __future__ import annotations

import difflib
import errno
import operator
import os
import re
from typing import Iterable, Sequence


LFS_ADVICE = "is a pointer of Git LFS, not the file itself; fetch it: git lfs pull"


def is_lfs_pointer(head: bytes) -> bool:
    """Whether the first bytes of a file are those of what Git LFS leaves in the place of one that
    was not fetched."""
    return head.startswith(b"version https://git-lfs")


def meant(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """ "did you mean 'batch'?" if one of them is near, else ""."""
    near = difflib.get_close_matches(name, list(known), 1, cutoff)
    return f"did you mean '{near[0]}'?" if near else ""


def unreadable(path: str, error: OSError) -> str:
    return f"cannot read '{path}': {why_unreadable(path, error)}"


def why_unreadable(path: str, error: OSError) -> str:
    """Why a file cannot be read, and what to do."""
    reason = error.strerror or str(error)
    if isinstance(error, FileNotFoundError):
        folder, name = os.path.split(path)
        folder = folder or "."
        if "://" in path:
            reason += "; it is read as the name of a file, not as an address: download it first"
        elif not os.path.isdir(folder):
            reason += f"; there is no folder '{folder}'"
        else:
            # Names of files share their suffixes.
            near = meant(name, os.listdir(folder), 0.8) if os.access(folder, os.R_OK) else ""
            reason += f"; {near or 'give the path of a file that exists'}"
    elif isinstance(error, IsADirectoryError):
        reason += "; name a file in it"
    elif isinstance(error, PermissionError):
        reason += f"; make it readable: chmod u+r '{path}'"
    return reason


def unwritable(path: str, error: OSError) -> str:
    """Why a file cannot be written, and what to do."""
    folder = os.path.dirname(path)
    advice = "; name another file"
    if isinstance(error, FileNotFoundError) and folder and not os.path.isdir(folder):
        advice = f"; make its folder first: mkdir -p '{folder}'"
    elif isinstance(error, IsADirectoryError):
        advice = "; name a file in it"
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        advice = "; make room there, or name a file on another disk"
    elif error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        advice = "; name a file in a folder that you may write to"
    return f"cannot write '{path}': {error.strerror or error}{advice}"


def quoted(text: str) -> str:
    """A string literal of MLIR, which has no escapes but of bytes."""
    text = text.encode(errors="replace").decode()
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', lambda found: f"\\{ord(found[0]):02X}", text) + '"'


def digits(value: float) -> str:
    """Three significant digits, without an exponent."""
    if value == 0 or abs(value) >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"


def time_text(microseconds: float) -> str:
    """A time with three significant digits and a fitting unit."""
    for factor, unit in ((1e6, "s"), (1e3, "ms"), (1, "us")):
        if abs(microseconds) >= factor * 0.9995:
            return f"{digits(microseconds / factor)} {unit}"
    return f"{digits(microseconds * 1e3)} ns"


def bytes_text(count: int) -> str:
    """Bytes with three significant digits and a fitting unit."""
    value, units = float(count), ["B", "KiB", "MiB", "GiB", "TiB"]
    while value >= 1023.5 and len(units) > 1:
        value /= 1024
        units.pop(0)
    return f"{count} B" if units[0] == "B" else f"{digits(value)} {units[0]}"


def parse_bytes(text: str) -> int:
    """Of "64MiB", "64M", "1.5 GiB". Raises ValueError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:iB)?|B)?", text.strip())
    if not found:
        raise ValueError(text)
    return int(float(found[1]) * 1024 ** (" KMGT".index(found[2]) if found[2] else 0))


def first_line(error: BaseException) -> str:
    """The class of an error and the first line of what it says."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def shorten(message: str, limit: int = 240) -> str:
    """A message as one line of at most about `limit` characters."""
    message = " ".join(message.split())
    return message if len(message) <= limit else message[:limit] + " ..."


def range_text(bounds: Sequence[int]) -> str:
    """ "1..8" or "16..64/16" of (MIN, MAX) or (MIN, MAX, MULTIPLE)."""
    low, high, *multiple = map(operator.index, bounds)
    return f"{low}..{high}" + "".join(f"/{step}" for step in multiple)


def size_range(symbol: str, bounds: Sequence[int]) -> str:
    """ "n=1..8" or "n=16..64/16", as the attribute gaudi.dims has them."""
    return f"{symbol}={range_text(bounds)}"


def plural(count: int, noun: str) -> str:
    """ "1 command", "2 commands"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def table(rows: Iterable[Sequence[object]], indent: int = 2, right: Sequence[int] = ()) -> str:
    """Columns that line up; `right` has the numbers of those set to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    if not cells:
        return ""
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = []
    for row in cells:
        parts = [cell.rjust(width) if column in right else cell.ljust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        lines.append((" " * indent + "  ".join(parts)).rstrip())
    return "\n".join(lines)
