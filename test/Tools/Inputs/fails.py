"""Runs a command that must fail with the given exit code.

usage: fails.py CODE COMMAND...
Prints its standard error. Fails itself if the code is another one, or if
standard error is not one line "COMMAND: error: ...".
"""
import os
import subprocess
import sys

name = os.path.basename(sys.argv[2])
done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
sys.stdout.buffer.write(done.stderr)
if done.returncode != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]} but got {done.returncode}")
if len(done.stderr.splitlines()) != 1 or not done.stderr.startswith(f"{name}: error: ".encode()):
    sys.exit(f"expected one message of {name} on standard error")
