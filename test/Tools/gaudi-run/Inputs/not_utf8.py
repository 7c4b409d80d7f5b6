"""Runs the tool on files whose names are not UTF-8: not_utf8.py MODEL FOLDER."""
import json
import os
import shutil
import subprocess
import sys

folder = os.fsencode(sys.argv[2])
model = os.path.join(folder, b"m\xff\xfe.mlir")
recipe = os.path.join(folder, b"r\xe9.recipe")
output = os.path.join(folder, b"y\x80.npy")
shutil.copy(sys.argv[1], model)


def run(*arguments, code=0):
    done = subprocess.run([b"gaudi-run", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != code:
        sys.exit(f"expected exit code {code} but got {done.returncode}: {done.stderr!r}")
    return done


run(model, b"--compile-only", b"-o", recipe)
run(recipe, b"--seed-inputs=1", b"--output=@" + output)
assert os.path.getsize(output) > 0
report = json.loads(run(recipe, b"--seed-inputs=1", b"--report=json").stdout)
assert "\ufffd" in report["model"], report["model"]
missing = run(os.path.join(folder, b"\xff\x1b[31m\n.recipe"), code=2).stderr
assert b"\xff\\x1b[31m\\x0a.recipe'" in missing and missing.count(b"\n") == 1, missing
