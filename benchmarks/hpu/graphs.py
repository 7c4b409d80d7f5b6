# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What issuing small ops takes the host: op by op, and as one replay of an HPU graph. Medians of
wall times of the calls, each of which begins when the card is idle, and of the CPU time of the
calling thread.

Usage: graphs.py [--rounds N] [OPS...]
"""
import argparse
import statistics
import time

import torch

import habana_frameworks.torch as ht


def _measured(call, rounds: int) -> tuple[float, float]:
    """Microseconds."""
    walls, cpus = [], []
    for _ in range(rounds):
        torch.hpu.synchronize()
        cpu, wall = time.thread_time(), time.perf_counter()
        call()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.thread_time() - cpu)
    return statistics.median(walls) * 1e6, statistics.median(cpus) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=101)
    parser.add_argument("ops", nargs="*", type=int, default=[10, 100, 1000])
    options = parser.parse_args()
    x = torch.randn(64, 64).to("hpu")

    def work(count):
        y = x
        for _ in range(count // 2):
            y = torch.relu(y) + 1.0
        return y
    for count in options.ops:
        work(count)
        graph = ht.hpu.HPUGraph()
        with ht.hpu.graph(graph):
            work(count)
        for name, call in (("op by op", lambda: work(count)), ("HPUGraph", graph.replay)):
            wall, cpu = _measured(call, options.rounds)
            print(f"{count:5} ops  {name:9} {wall:9.1f} us wall  {cpu:9.1f} us of the thread")


if __name__ == "__main__":
    main()
