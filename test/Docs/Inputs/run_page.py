"""Runs the commands of a documentation page, in order, in an empty folder.

Usage: run_page.py PAGE.md FOLDER. Code blocks "```KIND file=NAME" are written
to NAME; every line of "```sh" blocks is a command that must succeed.
"""
import os
import re
import shutil
import subprocess
import sys

page, folder = sys.argv[1], sys.argv[2]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
commands = 0
with open(page) as file:
    blocks = re.findall(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```", file.read(), re.M | re.S)
for kind, name, text in blocks:
    if name:
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    if kind != "sh":
        continue
    for line in text.splitlines():
        print("$ " + line, flush=True)
        done = subprocess.run(line, shell=True, cwd=folder)
        if done.returncode != 0:
            sys.exit(f"'{line}' ended with {done.returncode}")
        commands += 1
print(f"{commands} commands ran")
sys.exit(0 if commands else "no command in the page")
