"""Checks the search paths of all programs and libraries below a folder.

usage: runpaths.py FOLDER
Each must be relative to the file ($ORIGIN) or a folder that exists outside
FOLDER and holds LLVM.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
files = [path for path in root.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
if len(files) < 6:
    sys.exit(f"expected programs and libraries but found {len(files)}")
wrong = []
for path in files:
    text = subprocess.run(
        ["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    for paths in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", text):
        wrong += [
            f"{path}: {folder}"
            for folder in paths.split(":")
            if not folder.startswith("$ORIGIN")
            and not list(pathlib.Path(folder).glob("libLLVM*.so*"))
        ]
if wrong:
    sys.exit("\n".join(wrong))
