#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that includes follow the layering of docs/architecture.md.

Four rules: a room includes only the rooms listed for it; the folders of a room
that is listed under FLOORS include only those before them; LLVM and MLIR are
seen only by the compiler's rooms and by the code generator of the runtime; a
module is X.h with X.cpp, and at most three of them may include each other (a
class and the parts of its implementation that have files of their own).
Prints file:line per violation and exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Room -> rooms it may include besides itself. Longest prefix wins.
ALLOWED = {
    "Support": set(),
    "Monitoring": {"Support"},
    "Shapes": {"Support"},
    "Kernel": {"Support"},
    "Torch": {"Support", "Kernel"},
    "Device": {"Support", "Kernel"},
    "Timing": {"Support", "Kernel", "Device"},
    "Recipe": {"Support", "Shapes", "Kernel"},
    "Prediction": {"Support", "Kernel", "Device", "Recipe", "Timing"},
    "Analysis": {"Support", "Shapes", "Kernel", "Device", "Recipe", "Timing", "Prediction"},
    # Cards have a clock, which predicts.
    "Runtime/Device": {"Support", "Monitoring", "Kernel", "Device", "Recipe", "Timing",
                       "Prediction", "Runtime"},
    "Runtime": {"Support", "Monitoring", "Shapes", "Kernel", "Device", "Recipe"},
    "Dialect": {"Support", "Kernel", "Timing"},
    "Reference": {"Support", "Kernel", "Dialect"},
    "Transforms": {"Support", "Kernel", "Device", "Timing", "Dialect", "Reference"},
    "Transforms/Shapes": {"Support", "Shapes", "Kernel", "Device", "Timing", "Dialect", "Reference",
                          "Transforms", "Conversion"},
    "Conversion": {"Support", "Kernel", "Dialect", "Torch"},
    "Conversion/GaudiToRecipe": {"Support", "Kernel", "Device", "Timing", "Dialect", "Recipe",
                                 "Transforms", "Conversion"},
    "Compiler": {"Support", "Shapes", "Kernel", "Device", "Dialect", "Prediction", "Recipe",
                 "Reference", "Transforms", "Transforms/Shapes", "Conversion", "Conversion/GaudiToRecipe", "Torch"},
    "CApi": {"Support", "Monitoring", "Shapes", "Device", "Recipe", "Prediction", "Analysis",
             "Runtime", "Runtime/Device", "Torch"},
    "tools/gaudi-run": {"Support", "Shapes", "Kernel", "Device", "Timing", "Recipe", "Prediction",
                        "Analysis", "Runtime", "Compiler", "CApi"},
    "tools/Common": {"Support"},
    "tools/gaudi-smi": {"Support", "Runtime/Device"},
    "tools/plan-buckets": {"Support", "Shapes"},
    "tools/plan-buffers": {"Support", "Transforms"},
    "tools/Help": set(),
    "tools/gaudi-lsp-server": {"Compiler"},
    "tools/gaudi-reduce": {"Compiler", "Support"},
    "tools/gaudi-opt": {"Support", "Dialect", "Reference", "Transforms", "Conversion", "Compiler"},
}
# Folders from the lowest floor up.
FLOORS = {
    "lib/Runtime/Mme": ["Kernels", "Packing", "Tiles", "Gemm", "Conv", "Winograd", "Attention"],
}
# Where LLVM's and MLIR's headers may be included.
COMPILER_ROOMS = ("Dialect", "Reference", "Transforms", "Conversion", "Compiler", "tools/Help",
                  "tools/gaudi-opt", "tools/gaudi-lsp-server", "tools/gaudi-reduce")
CODE_GENERATOR = re.compile(
    r"lib/Runtime/Jit/(\w*Emitter|KernelCompiler|ImageWriter|Vector\w+)\.(h|cpp)$")
# A header below LLVM that the compiler's C interface shares with its callers.
SHARED = {"include/Gaudi/Compiler/CompilerApi.h"}
# Libraries of Transforms that know no MLIR.
PLAIN = re.compile(r"Transforms/Memory/Packing\w*\.(h|cpp)$")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.M)


def room_of(path):
    """The room of a file given relative to the root, or None outside rooms."""
    name = str(path)
    for prefix in ("include/Gaudi/", "lib/"):
        if name.startswith(prefix):
            name = name[len(prefix):]
            break
    else:
        if not name.startswith("tools/"):
            return None
    rooms = [room for room in ALLOWED if name.startswith(room + "/")]
    return max(rooms, key=len) if rooms else None


def floor_of(path):
    """The room with floors that holds a file, and the file's floor in it. Files
    beside the folders are on top."""
    for room, floors in FLOORS.items():
        if path.is_relative_to(room):
            folder = path.relative_to(room).parts[0]
            return room, floors.index(folder) if folder in floors else len(floors)
    return None, 0


def main():
    files = [path for folder in ("include", "lib", "tools")
             for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    problems, modules = [], {}
    for path in files:
        relative = path.relative_to(ROOT)
        room = room_of(relative)
        if room is None:
            continue
        module = room_of(relative) + ":" + path.stem
        edges = modules.setdefault(module, {})
        text = path.read_text()
        for match in INCLUDE.finditer(text):
            where = f"{relative}:{text.count(chr(10), 0, match.start()) + 1}"
            name = match[2]
            if name.startswith(("mlir/", "mlir-c/", "llvm/", "llvm-c/")):
                compiler = room.startswith(COMPILER_ROOMS) and not PLAIN.search(str(relative))
                if not compiler and not CODE_GENERATOR.search(str(relative)):
                    problems.append(f"{where}: '{room}' must not include '{name}': it is below LLVM")
                continue
            if name.startswith("Gaudi/"):
                target = pathlib.Path("include") / name
            elif match[1] == '"':
                target = (path.parent / name).resolve()
                if not target.is_relative_to(ROOT):
                    continue
                target = target.relative_to(ROOT)
            else:
                continue
            other = room_of(target)
            if other is None:
                continue
            if other != room and other not in ALLOWED[room] and str(target) not in SHARED:
                allowed = ", ".join(sorted(ALLOWED[room])) or "nothing"
                problems.append(f"{where}: '{room}' must not include '{target}'; "
                                f"it may include {allowed}")
            (lower, down), (upper, up) = floor_of(target), floor_of(relative)
            if lower == upper and down > up:
                problems.append(f"{where}: '{FLOORS[upper][up]}' must not include '{target}'; it "
                                f"may include {', '.join(FLOORS[upper][:up]) or 'nothing'}")
            to = other + ":" + target.stem
            if to != module:
                edges.setdefault(to, where)

    for cycle in cycles(modules):
        if len(cycle) <= 3:
            continue
        names = [name.split(":")[1] for name in cycle]
        steps = [modules[a][b] for a, b in zip(cycle, cycle[1:] + cycle[:1])]
        problems.append(f"{steps[0]}: modules include each other: {' -> '.join(names + names[:1])}")
        problems += [f"  {step}: here" for step in steps[1:]]
    print("\n".join(problems) if problems else f"includes of {len(files)} files follow the layering")
    return 1 if problems else 0


def cycles(edges):
    """One shortest cycle of every strongly connected part."""
    found, covered = [], set()
    for start in sorted(edges):
        if start in covered:
            continue
        # Breadth first, back to the start.
        previous, queue = {}, [start]
        for node in queue:
            for other in edges.get(node, ()):
                if other not in previous:
                    previous[other] = node
                    queue.append(other)
        if start in previous:
            cycle, node = [start], previous[start]
            while node != start:
                cycle.insert(1, node)
                node = previous[node]
            covered.update(cycle)
            found.append(cycle)
    return found


if __name__ == "__main__":
    sys.exit(main())
