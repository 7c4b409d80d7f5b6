"""Runs the commands of a documentation page and compares what they print.

usage: run_page.py PAGE.md FOLDER [NEEDED...]

FOLDER is emptied first, and gets links to files and folders that the page needs; commands run in
it, in the order of the page. Blocks:
  ```KIND file=NAME   is written to NAME
  ```console          "$ COMMAND" lines (a backslash continues one), each followed by its output
Every command must succeed. In expected output a line "..." stands for any number of lines, "..."
within a line for any text, and a time ("12.3 ms") for any time. Runs of spaces are equal.
"""
import os
import re
import shutil
import subprocess
import sys

TIME = re.compile(r"\b\d+(\.\d+)? (ns|us|ms|s)\b")


def pattern(line):
    """A regular expression for an expected line."""
    parts = []
    for part in re.split(r"(\.\.\.|\b\d+(?:\.\d+)? (?:ns|us|ms|s)\b|\s+)", line.strip()):
        if part == "...":
            parts.append(".*")
        elif TIME.fullmatch(part):
            parts.append(TIME.pattern)
        else:
            parts.append(r"\s+" if part.isspace() else re.escape(part))
    return re.compile("".join(parts))


def mismatch(expected, actual):
    """None, or the first expected line that the actual lines lack."""
    at, skipping = 0, False
    for line in expected:
        if line.strip() == "...":
            skipping = True
            continue
        wanted = pattern(line)
        while skipping and at < len(actual) and not wanted.fullmatch(actual[at].strip()):
            at += 1
        if at == len(actual) or not wanted.fullmatch(actual[at].strip()):
            return line
        at, skipping = at + 1, False
    return None if skipping or at == len(actual) else "(the end)"


def commands(block):
    """Pairs of a command and its expected lines."""
    found = []
    lines = iter(block.splitlines())
    for line in lines:
        if not line.startswith("$ "):
            found[-1][1].append(line)
            continue
        command = line[2:]
        while command.endswith("\\"):
            command = command[:-1] + next(lines).strip()
        found.append((command, []))
    return found


def run(command, expected, folder):
    print("$ " + command, flush=True)
    done = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        sys.exit(f"'{command}' ended with {done.returncode}")
    missing = mismatch(expected, done.stdout.splitlines())
    if missing is not None:
        sys.exit(f"'{command}' printed something else than the page shows, first at: {missing}")


def main(page, folder, *needed):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for path in needed:
        os.symlink(os.path.abspath(path), os.path.join(folder, os.path.basename(os.path.normpath(path))))
    ran = 0
    with open(page) as file:
        blocks = re.findall(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```", file.read(), re.M | re.S)
    for kind, name, text in blocks:
        if name:
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        if kind == "console":
            for command, expected in commands(text):
                run(command, expected, folder)
                ran += 1
    print(f"{ran} commands ran")
    return 0 if ran else "no command in the page"


sys.exit(main(*sys.argv[1:]))
