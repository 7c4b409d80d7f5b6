"""Holds cards as docs/monitoring.md says that a process does, and runs a command.

Usage: cards.py CARD... -- COMMAND...

Each card has other counters. They grow once a second while the command runs, by half a second of
which one queue was busy for a quarter. XDG_RUNTIME_DIR names the folder of the cards.
"""

import fcntl
import mmap
import os
import pathlib
import struct
import subprocess
import sys
import time

MIB = 1 << 20
SECOND = 10**12
RECORD = struct.Struct("<3Qq16s64s" + "16s" * 8 + "4Q9q")
QUEUES = [b"MME", b"TPC", b"DMA", b"NIC", b"host", b"copy up", b"copy down", b""]


def record(card: int, seconds: float) -> bytes:
    start = int(pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    elapsed = int((2 + seconds) * SECOND)
    busy = [int((1 + seconds / 4) * SECOND), elapsed // 4, 0, 0, 0, 0, 0, 0]
    if card == 2:
        busy = [elapsed] * 7 + [0]
    return RECORD.pack(1, os.getpid(), start, 1_764_000_000_000_000, b"gaudi%d" % (card + 1),
                       b"python3 train\x1b.py", *QUEUES, 98304 * MIB, (1024 + card) * MIB,
                       2048 * MIB, 1234, elapsed, *busy)


folder = pathlib.Path(os.environ["XDG_RUNTIME_DIR"]) / "gaudi-mlir"
folder.mkdir(mode=0o700, parents=True, exist_ok=True)
split = sys.argv.index("--")
pages = {}
for card in map(int, sys.argv[1:split]):
    file = os.open(folder / f"card{card}", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX)
    os.ftruncate(file, 4096)
    pages[card] = mmap.mmap(file, 4096)
child = None
begin = time.monotonic()
while child is None or child.poll() is None:
    for card, page in pages.items():
        [sequence] = struct.unpack_from("<Q", page)
        struct.pack_into("<Q", page, 0, sequence + 1)
        page[8:8 + RECORD.size] = record(card, time.monotonic() - begin if child else 0)
        struct.pack_into("<Q", page, 0, sequence + 2)
    if child is None:
        child = subprocess.Popen(sys.argv[split + 1:])
    time.sleep(0.2)
sys.exit(child.returncode)
