"""Runs a command with a terminal as its output, and prints what it wrote there.

TERM is xterm unless the environment says something else. With --end before the
command, the terminal is its input, too, and ends it at once (Ctrl-D).
"""

import os
import pty
import sys

os.environ.setdefault("TERM", "xterm")
ends = sys.argv[1] == "--end"
command = sys.argv[1 + ends:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
if ends:
    os.write(terminal, b"\x04")
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
