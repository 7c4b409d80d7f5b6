# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a host is: its processor, caches and instruction sets, and the peaks of these."""
import glob
import os
import re
from typing import Any

from . import tools

# Flags of /proc/cpuinfo that matter to kernels, in the order of their age.
FLAGS = ("avx2", "fma", "f16c", "avx_vnni", "avx512f", "avx512bw", "avx512vl", "avx512dq",
         "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_bf16", "amx_int8")

CPUS = "/sys/devices/system/cpu"


def processor() -> dict[str, Any]:
    """The first processor: name, vendor, family, model, stepping, flags, and how many there are."""
    try:
        with open("/proc/cpuinfo") as stream:
            text = stream.read()
    except OSError:
        text = ""
    first = dict(re.findall(r"^([\w ]+?)\s*:\s*(.*)$", text.split("\n\n")[0], re.M))
    flags = set(first.get("flags", "").split())

    def number(key: str) -> int | None:
        return int(first[key]) if first.get(key, "").isdigit() else None

    return {"name": first.get("model name", "an unknown CPU").strip(),
            "vendor": first.get("vendor_id", ""), "family": number("cpu family"),
            "model": number("model"), "stepping": number("stepping"),
            "cpus": len(re.findall(r"^processor\s*:", text, re.M)) or os.cpu_count() or 1,
            "isa": [flag for flag in FLAGS if flag in flags], "caches": caches()}


def line_of(path: str) -> str:
    with open(path) as stream:
        return stream.read().strip()


def caches() -> dict[str, str]:
    """Sizes of the caches of the first processor, as the system prints them."""
    found = {}
    for index in range(8):
        folder = f"{CPUS}/cpu0/cache/index{index}"
        try:
            level, kind, size = (line_of(f"{folder}/{part}") for part in ("level", "type", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            found[f"L{level}{'d' if kind == 'Data' else ''}"] = size
    return found


def last_level_cache(threads: int, cpus: str = CPUS) -> int:
    """Bytes of the last-level caches that so many threads use at most, one each; 32 MiB where the
    system does not tell."""
    found: dict[str, int] = {}
    for cpu in os.sched_getaffinity(0):
        folders = glob.glob(f"{cpus}/cpu{cpu}/cache/index*")
        try:
            # No smaller cache stands in for a last one of unknown size.
            last = max(folders, key=lambda folder: int(line_of(f"{folder}/level")))
            size = int(line_of(f"{last}/size").removesuffix("K")) << 10
            found[line_of(f"{last}/shared_cpu_list")] = size
        except (OSError, ValueError):
            continue
    return sum(sorted(found.values(), reverse=True)[:threads]) or 32 << 20


def kind(isa: list[str], vendor: str) -> str:
    """The kind of host that tables are kept by."""
    if "amx_bf16" in isa:
        return "AMX"
    if "avx512_bf16" in isa:
        return "AVX-512 with bf16" + (" (AMD)" if "AMD" in vendor else "")
    return "AVX-512" if "avx512f" in isa else "AVX2"


def lines(cpu: dict[str, Any]) -> list[str]:
    ids = ", ".join("%s %s" % (part, cpu[part]) for part in ("family", "model", "stepping")
                    if cpu[part] is not None)
    sizes = ", ".join("%s %s" % item for item in cpu["caches"].items()) or "unknown"
    return ["processor: %s (%s), %d CPUs; caches: %s" % (cpu["name"], ids, cpu["cpus"], sizes),
            "instruction sets: %s" % (" ".join(cpu["isa"]) or "none of those that kernels use")]


class Peaks:
    """GFLOP/s of each unit; Gop/s of integers."""

    def __init__(self, threads: int, attempts: int, cpu_time: bool) -> None:
        self.threads, self.attempts, self.cpu_time = threads, attempts, cpu_time
        self.units: list[dict[str, Any]] = []

    def measure(self) -> None:
        self.units = tools.probe("peak", self.threads, self.attempts)["units"]

    def merge(self, other: "Peaks") -> None:
        """The better of two measurements: a disturbed one is too low, never too high."""
        self.units = [{key: max(value, again[key]) if isinstance(value, float) else value
                       for key, value in unit.items()}
                      for unit, again in zip(self.units, other.units)]

    def of(self, dtype: str) -> float:
        """The peak of all threads in a type; bf16 may run on f32 multiply-adds, and so may the
        other 16-bit floats."""
        types = {"f32": ("f32",), "int8": ("int8",)}.get(dtype, ("f32", "bf16"))
        return max(self.rate(unit) for unit in self.units if unit["type"] in types)

    def rate(self, unit: dict[str, Any]) -> float:
        """Of a second of wall time on all threads, or of a second of CPU time of each."""
        return unit["cpu"] * self.threads if self.cpu_time else unit["all"]

    def text(self) -> str:
        columns = ("cpu",) if self.cpu_time else ("one", "all")

        def rates(integers: bool) -> str:
            return ", ".join("%s %s %s" % (unit["type"], unit["unit"],
                                           ", ".join("%.0f" % unit[name] for name in columns))
                             for unit in self.units if (unit["type"] == "int8") == integers)

        of = ("of a second of a thread's CPU time" if self.cpu_time
              else "on 1 thread and on %d" % self.threads)
        return "peak %s: GFLOP/s: %s; Gop/s: %s" % (of, rates(False), rates(True) or "none")
