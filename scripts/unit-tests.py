#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the unit tests that ctest knows, a few processes per program.

Usage: unit-tests.py [--build DIR] [--jobs N] [--seconds N]

ctest starts a process for each of 1,600 tests, most of which end within milliseconds: starting them takes longer
than they run. Here each program of GoogleTest runs in a few shards, with the environment that ctest gives its tests;
other tests run as they are. --seconds is the limit of one process (600). What a process that failed printed is
shown. Exit code 1 if one failed, or if there was none.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

# A shard is worth a process from about so many tests on.
SHARD = 60


def processes(build):
    """(name, command, environment) of each process."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
    programs, found = {}, []
    for test in json.loads(shown.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test["properties"]}
        environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
        command, folder = test["command"], properties.get("WORKING_DIRECTORY")
        if any(word.startswith("--gtest_filter=") for word in command):
            programs.setdefault(command[0], [environment, folder, 0])[2] += 1
        else:
            found.append((test["name"], command, environment, folder))
    for program, (environment, folder, tests) in programs.items():
        shards = (tests + SHARD - 1) // SHARD
        for shard in range(shards):
            name = pathlib.Path(program).name + (f" {shard + 1} of {shards}" if shards > 1 else "")
            sharded = {"GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)}
            found.append((name, [program, "--gtest_brief=1"], {**environment, **sharded}, folder))
    return found, sum(tests for _, _, tests in programs.values())


def run(process, seconds):
    name, command, environment, folder = process
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, cwd=folder, timeout=seconds, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired as late:
        return f"{name}: not done within {seconds} s\n{(late.stdout or b'').decode(errors='replace')}"
    if done.returncode == 0:
        return ""
    how = f"exit code {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
    return f"{name}: {how}\n{done.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=600)
    args = parser.parse_args()
    found, tests = processes(args.build)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        failures = list(filter(None, pool.map(lambda each: run(each, args.seconds), found)))
    for failure in failures:
        print(failure)
    print(f"{tests} tests in {len(found)} processes, {len(failures)} of which failed")
    return 1 if failures or not found else 0


if __name__ == "__main__":
    sys.exit(main())
