#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes compile_commands.json with an entry for each source file, for clang-tidy and editors.

Where files are compiled together (GAUDI_UNITY), CMake's own file names only the files that include them.
Usage: compile-commands.py BUILD FOLDER
"""
import json
import pathlib
import re
import sys


def expanded(entry):
    """The entry, or one for each file that it includes if it stands for several."""
    path = pathlib.Path(entry["file"])
    if path.parent.name != "Unity":
        return [entry]
    sources = re.findall(r'^#include "(.*)"$', path.read_text(), re.M)
    return [{**entry, "file": source, "command": entry["command"].replace(entry["file"], source)}
            for source in sources]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compile-commands.py BUILD FOLDER")
    build, folder = map(pathlib.Path, sys.argv[1:])
    database = build / "compile_commands.json"
    if not database.exists():
        sys.exit(f"compile-commands.py: {database} is missing; configure {build} by scripts/build.sh")
    entries = [each for entry in json.loads(database.read_text()) for each in expanded(entry)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=1))


if __name__ == "__main__":
    main()
