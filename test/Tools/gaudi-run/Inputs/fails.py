"""Runs a command that must fail with the given exit code.

usage: fails.py CODE COMMAND...
Prints its standard error. Fails itself if the code is another one, or if
standard error does not end with one line "gaudi-run: error: ...", which may go
on in indented lines. Only for code 3 may other lines (the compiler's
diagnostics) stand before it.
"""
import subprocess
import sys

code = int(sys.argv[1])
done = subprocess.run([sys.argv[2], *sys.argv[3:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
sys.stdout.buffer.write(done.stderr)
lines = [line for line in done.stderr.splitlines() if not line.startswith(b"  ")]
if done.returncode != code:
    sys.exit(f"expected exit code {code} but got {done.returncode}")
if not lines or not lines[-1].startswith(b"gaudi-run: error: "):
    sys.exit("expected the last line of standard error to be a message of gaudi-run")
if code != 3 and len(lines) != 1:
    sys.exit(f"expected one message on standard error but got {len(lines)} lines")
