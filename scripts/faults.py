#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes allocations and system calls of gaudi-run fail, one a run.

Usage: faults.py [--build DIR] [--every N] [--jobs N]

For loading, launching and writing outputs of a small recipe, and of one with
variants whose tensors are padded and sliced: each allocation (by a preloaded
library) and each system call of a list (by strace's fault injection) fails
once. For a launch that no variant takes, so that one is compiled: each call for
a file. Whatever fails, the program must end by itself with a
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
DYNAMIC_MODEL = """func.func @main(%x: tensor<?x16xf32>, %w: tensor<16x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers = #stablehlo.dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}
      : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>
  %1 = "stablehlo.exponential"(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
}
"""
SHAPE = "--shape=arg0:rows=1..32"

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
# Those of files; where the compiler is loaded, LLVM ends the process when it has
# no memory.
FILE_CALLS = {"openat", "read", "pread64", "write", "pwrite64", "ftruncate", "fallocate", "fsync", "close", "rename",
              "renameat", "renameat2", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "flock", "fstatfs", "lseek"}
# docs/gaudi-run.md, "Exit codes"; 127 is the dynamic loader's.
EXIT_CODES = {0, 1, 2, 3, 4, 127}


class Trial:
    """One way of running the program."""

    def __init__(self, args, work, name, arguments, calls=CALLS):
        self.gaudi_run = os.path.join(args.build, "bin", "gaudi-run")
        self.library = os.path.join(args.build, "lib", "libFailAllocation.so")
        self.work, self.name, self.arguments, self.calls = work, name, arguments, calls
        self.cache = os.path.join(work, "cache")

    def command(self, folder):
        return [self.gaudi_run, *self.arguments, "--seed-inputs=1", "--threads=4",
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
        trial.run(["strace", "-f", "-qq", "-e", "trace=rseq," + ",".join(trial.calls), "-o", log.name])
        counts, loader = {}, None
        for line in log:
            match = re.match(r"\d+ +(\w+)\(", line)
            if match and match[1] == "rseq":
                # The C library registers it when the loader is done.
                loader = loader or dict(counts)
            elif match:
                counts[match[1]] = counts.get(match[1], 0) + 1
    return {call: (count, loader.get(call, 0)) for call, count in counts.items()}


def count_allocations(trial):
    """Those of a run where nothing fails."""
    with tempfile.NamedTemporaryFile("r", dir=trial.work) as file:
        trial.run(environment={"LD_PRELOAD": trial.library, "GAUDI_COUNT_ALLOCATIONS": file.name})
        return int(file.read())


def faults_of(trial, every):
    """The faults of a trial, each a name, what the command begins with, and its
    environment; and a text that counts them."""
    allocations = count_allocations(trial) if trial.calls is CALLS else 0
    calls = count_calls(trial)
    faults = [(f"{trial.name}: allocation {n}", (), {"LD_PRELOAD": trial.library, "GAUDI_FAIL_ALLOCATION": str(n)})
              for n in range(1, allocations + 1, every)]
    for call, (count, loader) in sorted(calls.items()):
        faults += [(f"{trial.name}: {call} {n}: {CALLS[call]}",
                    ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                     f"inject={call}:error={CALLS[call]}:when={n}"), {})
                   for n in range(loader + 1, count + 1, every)]
    number = sum(count - loader for count, loader in calls.values())
    return faults, f"{allocations} allocations and {number} system calls"


def test(trial, args):
    """The number of faults that broke a rule."""
    # The first run fills the cache: LLVM, which ends the process when it has no
    # memory, is then not loaded for kernels.
    broken = trial.run()
    if broken:
        sys.exit(f"faults.py: {trial.name}: the run without a fault fails: " + "; ".join(broken))
    faults, counted = faults_of(trial, args.every)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for (name, _, _), found in zip(faults, pool.map(lambda f: trial.run(f[1], f[2]), faults)):
            if found:
                failed += 1
                print(f"{name}: " + "; ".join(found))
    print(f"{trial.name}: {counted}; {len(faults) - failed} of {len(faults)} faults handled")
    return failed


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
        def path(name):
            return os.path.join(work, name)

        for name, text in (("model.mlir", MODEL), ("dynamic.mlir", DYNAMIC_MODEL)):
            with open(path(name), "w") as file:
                file.write(text)
        gaudi_run = os.path.join(args.build, "bin", "gaudi-run")
        for arguments in (["model.mlir", "-o", "model.recipe"],
                          ["dynamic.mlir", SHAPE, "--buckets=8,32", "-o", "dynamic.recipe"]):
            subprocess.run([gaudi_run, *arguments, "--compile-only"], cwd=work, check=True)
        trials = [
            Trial(args, work, "static", [path("model.recipe")]),
            Trial(args, work, "variants", [path("dynamic.recipe"), "--sizes=rows=5", "--poison-padding"]),
            Trial(args, work, "missing variant",
                  [path("dynamic.mlir"), SHAPE, "--buckets=8", "--sizes=rows=9"], FILE_CALLS),
        ]
        return 1 if sum([test(trial, args) for trial in trials]) else 0


if __name__ == "__main__":
    sys.exit(main())
