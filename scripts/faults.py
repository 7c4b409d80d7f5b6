#!/usr/bin/env python3
"""Makes allocations and system calls of gaudi-run fail, one a run.

Usage: faults.py [--build DIR] [--every N] [--jobs N]

For loading, launching and writing outputs of a small recipe: each allocation
(by a preloaded library) and each system call of a list (by strace's fault
injection) fails once. Whatever fails, the program must end by itself with a
documented exit code, say why in a line on stderr if it did not succeed, leave
either the whole output or none, and no temporary file. --every N takes every
Nth fault only. Exit code 1 if a run broke a rule.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

MODEL = """func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = gaudi.mme.gemm %x, %w : tensor<8x16xf32>, tensor<16x4xf32> -> tensor<8x4xf32>
  %1 = gaudi.tpc.exp %0 : tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
"""

# System call -> the error it gives.
CALLS = {
    "openat": "EMFILE", "read": "EIO", "pread64": "EIO", "write": "ENOSPC", "pwrite64": "ENOSPC",
    "mmap": "ENOMEM", "munmap": "ENOMEM", "mprotect": "ENOMEM", "brk": "ENOMEM", "fstat": "EIO",
    "newfstatat": "EIO", "statx": "EIO", "ftruncate": "ENOSPC", "fallocate": "ENOSPC", "fsync": "EIO", "close": "EIO",
    "rename": "EACCES", "renameat": "EACCES", "renameat2": "EACCES", "linkat": "EACCES",
    "unlink": "EACCES", "unlinkat": "EACCES", "mkdir": "EACCES", "mkdirat": "EACCES",
    "clone3": "EAGAIN", "clone": "EAGAIN", "sched_getaffinity": "EPERM", "madvise": "ENOMEM",
    "flock": "EWOULDBLOCK", "fstatfs": "EIO", "getrandom": "EAGAIN", "lseek": "EIO",
}
# docs/gaudi-run.md, "Exit codes"; 127 is the dynamic loader's.
EXIT_CODES = {0, 1, 2, 3, 4, 127}


class Trial:
    """One way of running the program."""

    def __init__(self, args, work, recipe, cache):
        self.gaudi_run = os.path.join(args.build, "bin", "gaudi-run")
        self.library = os.path.join(args.build, "lib", "libFailAllocation.so")
        self.work, self.recipe, self.cache = work, recipe, cache

    def command(self, folder):
        return [self.gaudi_run, self.recipe, "--seed-inputs=1", "--threads=4",
                "--output=out0=@" + os.path.join(folder, "a.npy"),
                "--output=out1=@" + os.path.join(folder, "b.npy")]

    def run(self, prefix=(), environment=None):
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            env = dict(os.environ, GAUDI_CACHE_DIR=self.cache, **(environment or {}))
            try:
                done = subprocess.run(list(prefix) + self.command(folder), env=env,
                                      capture_output=True, text=True, errors="replace", timeout=120)
            except subprocess.TimeoutExpired:
                return ["does not end"]
            outputs = sorted(os.listdir(folder))
        return problems(done, outputs)


def problems(done, outputs):
    found = []
    if done.returncode not in EXIT_CODES:
        found.append(f"exit code {done.returncode}")
    if done.returncode == 0 and outputs != ["a.npy", "b.npy"]:
        found.append(f"success, but the outputs are {outputs}")
    if done.returncode != 0 and outputs not in ([], ["a.npy", "b.npy"]):
        found.append(f"failure left {outputs}")
    if done.returncode != 0 and not done.stderr.strip():
        found.append("failure without a word")
    if found:
        found.append("stderr: " + done.stderr.strip()[-300:])
    return found


def count_calls(trial):
    """Per kind of call the calls of a run where nothing fails, and how many of
    them the dynamic loader makes, which cannot say why it fails."""
    with tempfile.NamedTemporaryFile("r", dir=trial.work) as log:
        trial.run(["strace", "-f", "-qq", "-e", "trace=rseq," + ",".join(CALLS), "-o", log.name])
        counts, loader = {}, None
        for line in log:
            match = re.match(r"\d+ +(\w+)\(", line)
            if match and match[1] == "rseq":
                # The C library registers it when the loader is done.
                loader = loader or dict(counts)
            elif match:
                counts[match[1]] = counts.get(match[1], 0) + 1
    return {call: (count, loader.get(call, 0)) for call, count in counts.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    if not shutil.which("strace"):
        sys.exit("faults.py: strace is missing; scripts/install-deps.sh installs it")

    with tempfile.TemporaryDirectory() as work:
        model, recipe = os.path.join(work, "model.mlir"), os.path.join(work, "model.recipe")
        with open(model, "w") as file:
            file.write(MODEL)
        trial = Trial(args, work, recipe, os.path.join(work, "cache"))
        subprocess.run([trial.gaudi_run, model, "--compile-only", "-o", recipe], check=True)
        # The first run fills the cache: LLVM, which ends the process when it
        # has no memory, is then not loaded.
        broken = trial.run()
        if broken:
            sys.exit("faults.py: the run without a fault fails: " + "; ".join(broken))

        count_file = os.path.join(work, "count")
        trial.run(environment={"LD_PRELOAD": trial.library, "GAUDI_COUNT_ALLOCATIONS": count_file})
        with open(count_file) as file:
            allocations = int(file.read())
        calls = count_calls(trial)

        faults = [(f"allocation {n}", (), {"LD_PRELOAD": trial.library, "GAUDI_FAIL_ALLOCATION": str(n)})
                  for n in range(1, allocations + 1, args.every)]
        for call, (count, loader) in sorted(calls.items()):
            faults += [(f"{call} {n}: {CALLS[call]}",
                        ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                         f"inject={call}:error={CALLS[call]}:when={n}"), {})
                       for n in range(loader + 1, count + 1, args.every)]

        failed = 0
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for (name, _, _), found in zip(faults, pool.map(lambda f: trial.run(f[1], f[2]), faults)):
                if found:
                    failed += 1
                    print(f"{name}: " + "; ".join(found))
    print(f"faults: {allocations} allocations and {sum(count - loader for count, loader in calls.values())} system calls; "
          f"{len(faults) - failed} of {len(faults)} faults handled")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
