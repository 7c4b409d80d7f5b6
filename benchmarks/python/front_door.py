#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What torch.compile(backend="gaudi") costs besides PyTorch's own work: import, compilation, calls.

Usage: PYTHONPATH=build/release/python PYTHON benchmarks/python/front_door.py [--rounds N] [NAME...]

Names of rows; without one, all. Medians of rounds, in milliseconds:

  import    `import gaudi_mlir.torch` on top of `import torch`, each in a process of its own
  op        small ops of each kind from the graph to the loaded recipe, in a warm process: the kernel
            compiled (cold), and from the object cache (warm); the parts apart (writing text,
            compiling it, loading), the processor time of all, which other programs change less, and
            the ratio to the target, 5 ms cold and 1.5 ms warm
  call      a call of compiled `x + 1`, and with the backend aot_eager (paired)
  bert, gpt2, resnet
            the first call of a compiled network beyond that of aot_eager (paired, warm process;
            needs transformers); "cpu": processor time, which other programs change less
  process   the same of a second process that finds the recipe in the cache on disk; its parts apart:
            writing text, finding the recipe
"""
from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

import torch

import gaudi_mlir.torch


def milliseconds(call: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - begin)


def medians(samples: list[tuple[float, ...]]) -> list[float]:
    return [statistics.median(column) for column in zip(*samples)]


def row(name: str, **values: float) -> None:
    print(f"{name:18}" + "  ".join(f"{key} {value:.3f}" for key, value in values.items()), flush=True)


def measure_import(rounds: int) -> None:
    program = ("import time, torch; begin = time.perf_counter(); import gaudi_mlir.torch; "
               "print(time.perf_counter() - begin)")
    times = [1e3 * float(subprocess.run([sys.executable, "-c", program], check=True, text=True,
                                        stdout=subprocess.PIPE).stdout) for _ in range(rounds)]
    row("import", ms=statistics.median(times))


TARGETS = {"cold": 5.0, "warm": 1.5}


def small_ops(columns: int) -> dict[str, tuple[Callable, ...]]:
    """A function and its operands for each kind of kernel. Their shapes differ with `columns`, so
    that kernels do."""
    x, y = torch.ones(8, columns), torch.ones(8, columns)
    image = torch.ones(1, 4, 8, columns)
    f = torch.nn.functional
    return {
        "add": (lambda x, y: x + y, x, y),
        "broadcast": (lambda x, y: x * y, x, torch.ones(8, 1)),
        "where": (lambda x, y: torch.where(x > 0, x, y), x, y),
        "sin": (lambda x: torch.sin(x * x), x),
        "gelu": (f.gelu, x),
        "cast": (lambda x: x.to(torch.bfloat16), x),
        "sum": (lambda x: x.sum(-1), x),
        "columns": (lambda x: x.sum(0), x),
        "argmax": (lambda x: x.argmax(-1), x),
        "softmax": (lambda x: torch.softmax(x, -1), x),
        "norm": (lambda x: f.layer_norm(x, x.shape[-1:]), x),
        "maxpool": (lambda x: f.max_pool2d(x, 2), image),
        "gather": (lambda x, i: x[i], x, torch.zeros(4, dtype=torch.int64)),
        "transpose": (lambda x: x.t().contiguous(), x),
        "matmul": (lambda x, y: x @ y, x, torch.ones(columns, 16)),
        "conv": (f.conv2d, image, torch.ones(8, 4, 3, 3)),
    }


def measure_op(rounds: int) -> None:
    from gaudi_mlir.torch import decompositions, writer
    from torch.fx.experimental.proxy_tensor import make_fx
    table = decompositions.table()
    for name in small_ops(64):
        samples: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in TARGETS}
        for number in range(rounds + 1):
            function, *operands = small_ops(64 + 8 * number)[name]  # a kernel of its own
            gm = make_fx(lambda *operands: (function(*operands),), decomposition_table=table,
                         tracing_mode="fake")(*operands)
            inputs = [node.name for node in gm.graph.nodes if node.op == "placeholder"]
            with tempfile.TemporaryDirectory() as folder:
                for kind in samples:
                    began = time.process_time()
                    parts: list[Any] = [time.perf_counter()]
                    text, _ = writer.write(gm.graph, inputs, ["y"])
                    parts.append(time.perf_counter())
                    recipe = gaudi_mlir.compile(text.text, resources=text.resources, remarks=False)
                    parts.append(time.perf_counter())
                    recipe.executable(cache_dir=folder)
                    parts.append(time.perf_counter())
                    cpu = time.process_time() - began
                    if number:  # the first warms the process
                        samples[kind].append((*(1e3 * (b - a) for a, b in zip(parts, parts[1:])),
                                              1e3 * cpu))
        for kind, values in samples.items():
            whole = statistics.median(sum(each[:3]) for each in values)
            row(f"op {name} {kind}", all=whole,
                **dict(zip(("text", "compilation", "load", "cpu"), medians(values))),
                ratio=whole / TARGETS[kind])


def measure_call(rounds: int) -> None:
    x = torch.randn(64)
    functions = []
    for backend in ("aot_eager", "gaudi"):
        torch._dynamo.reset()
        functions.append(torch.compile(lambda x: x + 1, backend=backend))
        functions[-1](x)

    def calls(function: Callable) -> float:
        return milliseconds(lambda: [function(x) for _ in range(200)]) / 200

    with torch.no_grad():
        eager, ours = medians([tuple(map(calls, functions)) for _ in range(rounds)])
    row("call", aot_eager=eager, gaudi=ours, ratio=ours / eager)


def network(name: str) -> tuple[torch.nn.Module, dict[str, torch.Tensor]]:
    import transformers as hf
    tokens = torch.randint(2, 97, (2, 12))
    if name == "bert":
        return hf.BertModel(hf.BertConfig(
            vocab_size=97, max_position_embeddings=64, hidden_size=32, num_hidden_layers=2,
            num_attention_heads=4, intermediate_size=64)), {"input_ids": tokens}
    if name == "gpt2":
        return hf.GPT2LMHeadModel(hf.GPT2Config(
            vocab_size=97, n_positions=64, n_embd=32, n_layer=2, n_head=4)), {"input_ids": tokens}
    return hf.ResNetModel(hf.ResNetConfig(
        layer_type="basic", depths=[2, 2, 2, 2], hidden_sizes=[64, 128, 256, 512])), \
        {"pixel_values": torch.randn(1, 3, 64, 64)}


def first_call(model: torch.nn.Module, inputs: dict[str, torch.Tensor],
               backend: str) -> tuple[float, float]:
    """Time and processor time."""
    torch._dynamo.reset()
    gaudi_mlir.torch.reset()
    gc.collect()  # the garbage of one call is not collected in the time of the next
    with torch.no_grad():
        begin = time.process_time()
        wall = milliseconds(lambda: torch.compile(model, backend=backend)(**inputs))
        return wall, 1e3 * (time.process_time() - begin)


def parts_of_explained() -> tuple[float, float]:
    """Writing the text of all graphs; compiling it, or finding the recipe in the cache."""
    parts = [segment for graph in gaudi_mlir.torch.explain().graphs for segment in graph.segments]
    return (1e3 * sum(each.lower_seconds for each in parts),
            1e3 * sum(each.compile_seconds for each in parts))


def measure_network(name: str, rounds: int) -> None:
    model, inputs = network(name)
    model.eval()
    samples = [(*first_call(model, inputs, "aot_eager"), *first_call(model, inputs, "gaudi"))
               for _ in range(rounds + 1)][1:]
    ours, cpu = medians([(c - a, d - b) for a, b, c, d in samples])
    text, compilation = parts_of_explained()
    row(name, beyond=ours, cpu=cpu, aot_eager=medians(samples)[0], text=text,
        compilation=compilation)


def measure_process(rounds: int) -> None:
    """Beyond aot_eager in a process of its own, like the one before."""
    program = (f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
               "import front_door as f; model, inputs = f.network('bert'); model.eval()\n"
               "f.first_call(model, inputs, 'aot_eager')\n"
               "times = f.first_call(model, inputs, sys.argv[1])\n"
               "print(*times, *(f.parts_of_explained() if sys.argv[1] == 'gaudi' else ()))")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PT_HPU_RECIPE_CACHE_CONFIG": folder}

        def one(backend: str) -> list[float]:
            done = subprocess.run([sys.executable, "-c", program, backend], check=True,
                                  env=environment, text=True, stdout=subprocess.PIPE)
            return [float(each) for each in done.stdout.split()]
        one("gaudi")
        samples = [(*one("aot_eager")[:2], *one("gaudi")) for _ in range(rounds)]
    ours, cpu, text, recipe = medians([(c - a, d - b, *parts) for a, b, c, d, *parts in samples])
    row("process", beyond=ours, cpu=cpu, text=text, recipe=recipe)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    measures: dict[str, Callable[[int], None]] = {
        "import": measure_import, "op": measure_op, "call": measure_call,
        **{name: lambda rounds, name=name: measure_network(name, rounds)
           for name in ("bert", "gpt2", "resnet")}, "process": measure_process}
    for name in arguments.rows or measures:
        measures[name](arguments.rounds)


if __name__ == "__main__":
    main()
