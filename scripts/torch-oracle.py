#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gaudi-run with PyTorch: functions and whole networks, exported as linalg by torch-mlir.

Usage: torch-oracle.py [NAME...] [--seed N] [--device DEVICE] [--write] [--keep DIR] [--list]
                       [--gaudi-run FILE] [--venv DIR]

Each case is a module and example inputs (scripts/oracle/torch_functions.py, torch_networks.py, torch_attention.py). It
is exported with torch_mlir.fx.export_and_import, run with gaudi-run on the inputs, and compared with what the module
returns, within the tolerances of docs/numerics.md: scope `op` for functions of few roundings, `model` for the others.
--write puts the table into docs/conformance.md; --keep leaves the text, inputs and expected outputs of each case in a
folder; --list prints the names of the cases. PyTorch and torch-mlir are installed into build/oracle/torch-venv (--venv)
if they are not there. Exit code 1 if a number is wrong or gaudi-run crashes, 2 if the oracle cannot work.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["torch==2.13.0", "numpy", "torch-mlir==20261001"]
BEGIN, END = "<!-- table of torch-oracle.py -->", "<!-- end of the torch table -->"
NOT_COMPILED = 3  # exit code of gaudi-run
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from agreement import difference, tolerances  # noqa: E402 (the path is set above)
from tally import PAGE, enter_venv  # noqa: E402


def to_numpy(tensor):
    """The array as gaudi-run writes it: bf16 as its bits."""
    import torch
    tensor = tensor.detach().contiguous()
    return tensor.view(torch.uint16).numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def widened(array, dtype):
    import numpy as np
    import torch
    if dtype == torch.bfloat16:
        return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def disagreement(got, expected, dtype, scope, bounds):
    """None if the arrays agree, else the worst element in words."""
    import torch
    if not dtype.is_floating_point:
        return difference(got, expected, None)
    names = {torch.bfloat16: "bf16", torch.float16: "f16"}
    return difference(widened(got, dtype), widened(expected, dtype), bounds[names.get(dtype, "f32"), scope])


def export(build, folder, seed):
    """Writes model.mlir and the inputs; returns the expected outputs. In a process of its own, since torch-mlir may
    abort."""
    import torch
    from torch_mlir import fx
    torch.manual_seed(seed)
    module, inputs = build()
    module.eval()
    options = getattr(module, "export_options", {})
    text = str(fx.export_and_import(module, *inputs, output_type="linalg-on-tensors", func_name="main", **options))
    (folder / "model.mlir").write_text(text)
    with torch.no_grad():
        outputs = module(*inputs)
    outputs = [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)
    torch.save(([t for t in inputs], outputs), folder / "values.pt")


def exported(build, folder, seed):
    """None, or why torch-mlir has no text for the module."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reader)
        code = 0
        try:
            words = os.open(folder / "export.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(words, 2)
            export(build, folder, seed)
        except BaseException as error:  # the diagnostics of torch-mlir are no one class
            lines = (folder / "export.txt").read_text(errors="replace").splitlines()
            lines = [line for line in lines if "error: " in line] or str(error).splitlines() or ["?"]
            os.write(writer, lines[0].split("error: ", 1)[-1].split(": %", 1)[0][:300].encode())
            code = 1
        os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        words = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    if status == 0:
        return None
    return words or f"torch-mlir ended with status {status}"


def reason_of(words):
    """The reason of a refusal, without what differs from case to case."""
    for line in words.splitlines():
        if m := re.search(r"error: (cannot convert \S+: .*)", line):
            return re.sub(r"'tensor<[^']*>'", "'...'", m[1])
    lines = [line for line in words.splitlines() if "error:" in line]
    return lines[0].split("error:", 1)[1].strip() if lines else "no message"


def judge(build, scope, args, folder, bounds):
    """(verdict, words): equal, refused (by gaudi-run), not exported (by torch-mlir) or wrong."""
    import numpy as np
    import torch
    if why := exported(build, folder, args.seed):
        return "not exported", why
    inputs, expected = torch.load(folder / "values.pt")
    command = [args.gaudi_run, str(folder / "model.mlir"), f"--device={args.device}"]
    for i, tensor in enumerate(inputs):
        np.save(folder / f"in{i}.npy", to_numpy(tensor))
        command.append(f"--input=@{folder}/in{i}.npy")
    for i, tensor in enumerate(expected):
        np.save(folder / f"expected{i}.npy", to_numpy(tensor))
        command.append(f"--output=out{i}=@{folder}/out{i}.npy")
    result = subprocess.run(command, capture_output=True, text=True)
    words = result.stdout + result.stderr
    if result.returncode != 0:
        refused = result.returncode == NOT_COMPILED
        return ("refused", reason_of(words)) if refused else ("wrong", f"exit code {result.returncode}: {words[-300:]}")
    for i, tensor in enumerate(expected):
        got, wanted = np.load(folder / f"out{i}.npy"), to_numpy(tensor)
        if words := disagreement(got, wanted, tensor.dtype, scope, bounds):
            return "wrong", f"output {i}: {words}"
    return "equal", ""


def write_page(rows):
    """Replaces the rows of these cases in the table, and adds up all of them."""
    head, rest = PAGE.read_text().split(BEGIN)
    old, tail = rest.split(END, 1)
    kept = {}
    for line in old.strip().splitlines()[2:]:
        name, *cells = re.split(r"(?<!\\) ?\| ?", line.strip("| "))
        if not name.startswith("**"):
            kept[name] = tuple((cells + [""])[:3])
    kept.update({name: (kind, verdict, why.replace("|", "\\|")) for name, (kind, verdict, why) in rows.items()})
    counts = collections.Counter(verdict for _, verdict, _ in kept.values())
    lines = ["| case | kind | result | why |", "|---|---|---|---|"]
    for name, cells in sorted(kept.items(), key=lambda row: (row[1][0], row[0])):
        lines.append(f"| {name} | {' | '.join(cells)} |")
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    lines.append(f"| **all** | {len(kept)} | {total} |  |")
    PAGE.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--gaudi-run", default=str(ROOT / "build/release/bin/gaudi-run"), metavar="FILE")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / "build/oracle/torch-venv", metavar="DIR")
    parser.add_argument("--device", default="gaudi2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write docs/conformance.md")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the files of each case")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    args = parser.parse_args()
    enter_venv(args.venv.resolve(), PACKAGES, "torch_mlir")
    from torch_functions import COMPOSED, FUNCTIONS
    from torch_networks import NETWORKS
    cases = {name: ("function", build) for name, build in FUNCTIONS.items()}
    cases |= {name: ("network", build) for name, build in NETWORKS.items()}
    if args.list:
        print("\n".join(cases))
        return 0
    if unknown := [name for name in args.names if name not in cases]:
        parser.error(f"no case {', '.join(unknown)}; --list names all")
    if not os.access(args.gaudi_run, os.X_OK):
        parser.error(f"{args.gaudi_run} is no program; build it or give --gaudi-run")
    import torch
    torch.set_num_threads(1)
    rows, bounds = {}, tolerances()
    for name in args.names or cases:
        kind, build = cases[name]
        scope = "op" if kind == "function" and name not in COMPOSED else "model"
        with tempfile.TemporaryDirectory() as temporary:
            folder = args.keep / name if args.keep else pathlib.Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            verdict, why = judge(build, scope, args, folder, bounds)
        why = " ".join(why.split())
        rows[name] = (kind, verdict, why)
        print(f"{name}: {verdict}{': ' + why if why else ''}", flush=True)
    counts = collections.Counter(verdict for _, verdict, _ in rows.values())
    print(f"{len(rows)} cases: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    if args.write:
        write_page(rows)
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
