"""Interrupts runs at different moments: interrupt.py RECIPE FOLDER."""
import os
import signal
import subprocess
import sys
import time

recipe, folder = sys.argv[1:]
before = set(os.listdir(folder))
# The test runner may ignore SIGINT, and an ignored signal stays ignored.
signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments):
    return subprocess.Popen(["gaudi-run", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
    run = start(recipe, "--seed-inputs=1", f"--output=@{folder}/y.npy", "--repeat=100000000")
    time.sleep(0.5)
    assert run.poll() is None, run.communicate()
    run.send_signal(number)
    text = run.communicate(timeout=20)[1].decode()
    assert run.returncode == code, run.returncode
    said = "interrupted" if number == signal.SIGINT else "ended by a signal"
    assert text.endswith(f"gaudi-run: {said}; nothing is left half written\n"), text
    assert set(os.listdir(folder)) == before, os.listdir(folder)

# While an output is being written: a pipe that nobody empties holds it up.
pipe = os.path.join(folder, "pipe")
os.mkfifo(pipe)
reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
os.set_blocking(reader, True)
writer = os.open(pipe, os.O_WRONLY)
os.set_blocking(writer, False)
try:
    while True:
        os.write(writer, b"x" * 4096)
except BlockingIOError:
    pass
os.set_blocking(writer, True)
run = start(recipe, "--seed-inputs=1", f"--output=@{pipe}")
time.sleep(0.5)
assert run.poll() is None, run.communicate()
run.send_signal(signal.SIGINT)
run.wait(timeout=20)
assert run.returncode == 130, run.returncode
os.remove(pipe)
assert set(os.listdir(folder)) == before, os.listdir(folder)
