#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles of the micro kernels' inner loops on processors of other hosts.

Takes each loop from the compiled objects and prints, per processor, what its products, loads and
instructions take at least, next to what llvm-mca computes. While all data is in L1, the largest of
these limits is what a kernel can reach; caches and the decoder are not modelled.

llvm-mca's models differ from the processors: icelake-server and sapphirerapids have one multiplier
of 512 bits in it (Xeons have two), skylake-avx512 and znver4 charge too much for loads of 512 bits,
and none knows the tile instructions. The limits are by published figures of the cores, in
MACHINES; only those of znver4 were compared with measurements.

Usage: scripts/kernel-schedule.py [--kernel Avx512] [--function REGEX] [--cpu NAME] [--loop]
"""
import argparse
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OBJECTS = ROOT / "build/release/lib/Runtime/CMakeFiles/GaudiMmeKernels.dir/Mme"
LLVM = pathlib.Path("/usr/lib/llvm-22/bin")


@dataclasses.dataclass(frozen=True)
class Machine:
    """What a core starts per cycle; latency of a multiply-add in cycles."""
    issue: int            # instructions, with their memory operand
    loads: float          # of up to 256 bits, or of one value
    wide_loads: float     # of 512 bits
    broadcasts: float     # of one value to 512 bits
    products: float       # of 256 bits
    wide_products: float  # of 512 bits
    wide_pairs: float     # bf16 dot products of 512 bits
    latency: int


MACHINES = {
    "haswell": Machine(4, 2, 0, 0, 2, 0, 0, 5),
    "skylake-avx512": Machine(4, 2, 2, 2, 2, 2, 0, 4),
    "icelake-server": Machine(5, 2, 2, 2, 2, 2, 0, 4),
    "sapphirerapids": Machine(6, 3, 2, 2, 2, 2, 0.5, 4),
    "znver3": Machine(6, 2, 0, 0, 2, 0, 0, 4),
    "znver4": Machine(6, 2, 1, 2, 2, 1, 1, 4),
}
# Products, loads, and stores of a tile take this long: one row per cycle, two per cycle.
TILE_PRODUCT, TILE_LOAD, TILE_STORE = 16, 8, 16
# Per kernel (a file's name after MicroKernel) the processors that run it.
CPUS = {
    "Amx": ("sapphirerapids",),
    "Avx2": ("haswell", "znver3", "skylake-avx512"),
    "Avx2Int8": ("haswell", "znver3", "skylake-avx512"),
    "Avx512": ("skylake-avx512", "icelake-server", "sapphirerapids", "znver4"),
    "Avx512Bf16": ("sapphirerapids", "znver4"),
    "Avx512Vnni": ("icelake-server", "sapphirerapids", "znver4"),
    "AvxVnni": ("sapphirerapids",),
}
PRODUCT = re.compile(r"^(vfn?m(add|sub)\d+ps|vdpbf16ps|vpdp\w+|vpmaddwd|tdp\w+)\b")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
JUMP = re.compile(r"^j\w+\s+0x([0-9a-f]+)")
NO_LOAD = ("lea", "nop", "tile", "vmovups\t%", "vmovdqu\t%", "vmovdqu64\t%", "mov\t%", "movq\t%")

# The vector's type and the panel's, rows, vectors.
BLOCK = re.compile(r"runBlock<(\w+(?:<[^<>]*>)?, \w+), (\d+), (\d+)>")
TILES = re.compile(r"TileCall<\w+, \d+, true>::multiply")

Instruction = tuple[int, str]


def functions(path: pathlib.Path) -> dict[str, list[Instruction]]:
    """The instructions of each function of an object, by its readable name."""
    text = subprocess.run([LLVM / "llvm-objdump", "-d", "-C", "--no-show-raw-insn", path],
                          check=True, capture_output=True, text=True).stdout
    result: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    for line in text.splitlines():
        if head := FUNCTION.match(line):
            name = re.sub(r"gaudi::runtime::|\(anonymous namespace\)::", "", head[1])
            name = name.replace("(TileProduct)", "")
            current = result.setdefault(name, [])
        elif body := LINE.match(line):
            current.append((int(body[1], 16), re.sub(r"\s*<.*>|\s*#.*", "", body[2]).strip()))
    return result


def chosen(names: list[str], pattern: str | None) -> list[str]:
    """Functions that match; without a pattern the largest blocks of a kernel."""
    if pattern:
        return [name for name in names if re.search(pattern, name)]
    largest: dict[tuple[str, str], tuple[int, str]] = {}
    for name in names:
        if match := BLOCK.search(name):
            key, rows = (match[1], match[3]), int(match[2])
            if rows > largest.get(key, (0, ""))[0]:
                largest[key] = (rows, name)
    return [name for _, name in largest.values()] + [name for name in names if TILES.search(name)]


def products(body: list[str]) -> list[str]:
    """The loop's multiplications."""
    return [text for text in body if PRODUCT.match(text)]


def hottest_loop(code: list[Instruction]) -> list[str]:
    """The innermost loop with the most products, or nothing."""
    index = {address: i for i, (address, _) in enumerate(code)}
    loops = []
    for end, (address, text) in enumerate(code):
        if (jump := JUMP.match(text)) and int(jump[1], 16) <= address:
            start = index.get(int(jump[1], 16))
            if start is not None and products([text for _, text in code[start:end + 1]]):
                loops.append((start, end))
    best: list[str] = []
    for start, end in loops:
        inner = any(start <= s and e <= end and (s, e) != (start, end) for s, e in loops)
        body = [text for _, text in code[start:end + 1]]
        if not inner and len(products(body)) > len(products(best)):
            best = body
    return best


def limits(name: str, body: list[str], machine: Machine) -> dict[str, float]:
    """Cycles that the loop takes at least, by what limits it."""
    multiplications = products(body)
    product = 0.0
    for text in multiplications:
        if text.startswith("tdp"):
            product += TILE_PRODUCT
        elif "bf16" in text:
            product += 1 / machine.wide_pairs
        else:
            product += 1 / (machine.wide_products if "%zmm" in text else machine.products)
    load = 0.0
    for text in body:
        if text.startswith("tileload"):
            load += TILE_LOAD
        elif text.startswith("tilestore"):
            load += TILE_STORE
        elif "(" in text and not text.startswith(NO_LOAD):
            one = "broadcast" in text or "{1to" in text
            load += 1 / (machine.loads if "%zmm" not in text else
                         machine.broadcasts if one else machine.wide_loads)
    # Products of tiles start without waiting for the sums; some add no sums.
    waits = not multiplications[0].startswith(("tdp", "vpmaddwd"))
    block = BLOCK.search(name)
    sums = int(block[2]) * int(block[3]) if block else len(
        {text.rsplit("%", 1)[1] for text in multiplications})
    result = {"products": product, "loads": load, "issue": len(body) / machine.issue}
    if waits:
        result["latency"] = len(multiplications) / sums * machine.latency
    return result


def mca_cycles(body: list[str], cpu: str) -> float:
    """Cycles of one pass in the steady state, by llvm-mca."""
    with tempfile.NamedTemporaryFile("w", suffix=".s") as file:
        # Where a jump goes does not matter.
        file.write("\n".join(re.sub(r"^(j\w+)\s+0x\w+", r"\1 0", text) for text in body) + "\n")
        file.flush()

        def total(iterations: int) -> int:
            run = subprocess.run([LLVM / "llvm-mca", f"-mcpu={cpu}", f"-iterations={iterations}",
                                  "-instruction-info=0", "-resource-pressure=0", file.name],
                                 check=False, capture_output=True, text=True)
            found = re.search(r"^Total Cycles:\s+(\d+)", run.stdout, re.MULTILINE)
            if not found:
                sys.exit(f"kernel-schedule.py: llvm-mca failed for {cpu}:\n{run.stderr}")
            return int(found[1])
        return (total(300) - total(100)) / 200


def report(kernel: str, name: str, body: list[str], cpus: list[str], show: bool) -> None:
    """One line per processor."""
    print(f"{kernel} {name}: {len(body)} instructions, {len(products(body))} products")
    if show:
        print("\n".join("    " + text for text in body))
    for cpu in cpus:
        each = limits(name, body, MACHINES[cpu])
        worst = max(each, key=lambda key: each[key])
        share = 100 * each["products"] / each[worst]
        text = ", ".join(f"{key} {value:.1f}" for key, value in each.items())
        known = "" if any(line.startswith("t") and "%tmm" in line for line in body) else (
            f"; llvm-mca {mca_cycles(body, cpu):.1f}")
        print(f"  {cpu:16} {text}: {share:3.0f} % by {worst}{known}")


def main() -> int:
    """Reads the options."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", help="end of the file's name, such as Avx512")
    parser.add_argument("--function", help="of which functions, a regular expression; else of "
                        "the blocks with the most rows")
    parser.add_argument("--cpu", action="append", choices=sorted(MACHINES))
    parser.add_argument("--objects", type=pathlib.Path, default=OBJECTS)
    parser.add_argument("--loop", action="store_true", help="print the loops")
    options = parser.parse_args()
    found = 0
    for path in sorted(options.objects.glob("MicroKernel*.cpp.o")):
        kernel = path.name.removeprefix("MicroKernel").removesuffix(".cpp.o")
        if kernel not in CPUS or options.kernel and kernel not in options.kernel:
            continue
        code_of = functions(path)
        for name in chosen(list(code_of), options.function):
            if body := hottest_loop(code_of[name]):
                found += 1
                report(kernel, name.split("(")[0].removeprefix("void "), body,
                       options.cpu or CPUS[kernel], options.loop)
    if not found:
        print("kernel-schedule.py: no loop found; build GaudiMmeKernels, or choose other "
              "functions with --function", file=sys.stderr)
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
