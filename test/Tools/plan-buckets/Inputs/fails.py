"""Runs a command that must fail with the given exit code.

usage: fails.py CODE COMMAND...
Prints its standard error. Fails itself if the code is another one, or if
standard error does not end with one line "plan-buckets: error: ...".
"""
import subprocess
import sys

done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
sys.stdout.buffer.write(done.stderr)
if done.returncode != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]} but got {done.returncode}")
if len(done.stderr.splitlines()) != 1 or not done.stderr.startswith(b"plan-buckets: error: "):
    sys.exit("expected one message of plan-buckets on standard error")
