#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks how many objects a new elementwise op rebuilds: at most 40.

Adds an op to a copy of the tables, generates what depends on them as the build
does, and counts the objects of build/release that depend on a generated file
which would change. Needs a complete build. With --table and --op it counts for
another op: the path of its table in include, and the text to append.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
LIMIT = 40
TABLE = "Gaudi/Dialect/TPCElementwiseOps.td"
OP = ('def Gaudi_RebuildProbeOp : Gaudi_UnaryOp<"rebuild_probe", "x", "", Gaudi_FloatTensor, '
      '"s.abs(in[0])">;')


def ninja(*arguments: str) -> str:
    """What ninja prints about the build folder."""
    return subprocess.run(["ninja", "-C", str(BUILD), "-t", *arguments], check=True,
                          capture_output=True, text=True).stdout


def changed_outputs(include: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Generated files that differ if they are made from the folder `include`."""
    changed = []
    for entry in json.loads(ninja("compdb", "CUSTOM_COMMAND")):
        words = shlex.split(entry["command"])
        if "--write-if-changed" not in words or not entry["output"].endswith(".inc"):
            continue
        # The input is the last word before this option.
        end = words.index("--write-if-changed")
        begin = next(i for i, word in enumerate(words) if word.endswith("mlir-tblgen"))
        source = pathlib.Path(words[end - 1]).resolve()
        if ROOT / "include" not in source.parents:
            continue
        copy = include / source.relative_to(ROOT / "include")
        made = folder / "output.inc"
        command = [words[begin], f"-I{include}", f"-I{copy.parent}", *words[begin + 1:end - 1]]
        subprocess.run([*command, str(copy), "-o", str(made)], check=True)
        if made.read_bytes() != (BUILD / entry["output"]).read_bytes():
            changed.append(entry["output"])
    return changed


def objects_using(outputs: list[str]) -> list[str]:
    """Objects that read one of the generated files, also by a precompiled header."""
    users, current = set(), ""
    for line in ninja("deps").splitlines():
        if not line.startswith(" "):
            current = line.split(":")[0]
        # The paths are relative where ccache has a base_dir.
        elif current.endswith(".o") and any(("/" + line.strip()).endswith("/" + name)
                                            for name in outputs):
            users.add(current)
    return sorted(users)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", default=TABLE)
    parser.add_argument("--op", default=OP)
    parser.add_argument("--list", action="store_true", help="also print the objects")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        include = folder / "include"
        shutil.copytree(ROOT / "include", include)
        table = include / options.table
        text, count = re.subn(r"(?m)^#endif", lambda found: options.op + "\n" + found.group(0),
                              table.read_text())
        if count != 1:
            print(f"check-rebuilds: '{options.table}' has no #endif to add an op before",
                  file=sys.stderr)
            return 2
        table.write_text(text)
        outputs = changed_outputs(include, folder)
    users = objects_using(outputs)
    if not users:
        print("check-rebuilds: no object depends on the op: build all targets first",
              file=sys.stderr)
        return 2
    print(f"a new op changes {', '.join(map(str, outputs))}: {len(users)} objects are compiled")
    if options.list:
        print("\n".join(users))
    if options.table == TABLE and len(users) > LIMIT:
        print(f"check-rebuilds: at most {LIMIT} objects may depend on {TABLE}; include "
              "Gaudi/Dialect/ElementwiseOps.h only where its ops are named", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
