"""Runs a command with a terminal as its output, and prints what it wrote there.

TERM is xterm unless the environment says something else.
"""

import os
import pty
import sys

os.environ.setdefault("TERM", "xterm")
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
written = bytearray()
while True:
    try:
        data = os.read(terminal, 1 << 16)
    except OSError:  # the command has ended
        break
    if not data:
        break
    written.extend(data)
_, status = os.waitpid(pid, 0)
sys.stdout.write(written.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(status))
