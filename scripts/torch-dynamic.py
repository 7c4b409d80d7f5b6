#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gaudi-run with PyTorch over random sizes: functions and models that are exported with dynamic sizes.

Usage: torch-dynamic.py [NAME...] [--types LIST] [--modes LIST] [--models] [--functions] [--seed N] [--trials N]
                        [--device DEVICE] [--keep DIR [--reuse]] [--list] [--gaudi-run FILE] [--venv DIR]

Each case (scripts/oracle/torch_dynamic.py, torch_dynamic_models.py) is exported with dynamic sizes as text of the
torch dialect by gaudi_mlir.torch (--types=torch, the default) or, by torch-mlir, as linalg, TOSA and StableHLO
(--types=linalg,tosa,stablehlo), compiled with a few buckets, and run at the bounds, at the sizes of a bucket, one
beyond, and at --trials random sizes, with NaN, infinities and garbage in the padding. --modes chooses which sizes are
dynamic: `all`, or the name of one symbol (`b` the batch, `s` the sequence, ...). Outputs are compared with what the
module returns, within the tolerances of docs/numerics.md. --keep leaves the files of each case in a folder, from which
--reuse takes what was exported; --list prints the names of the cases. PyTorch and torch-mlir are installed into
build/oracle/torch-venv (--venv) if they are not there; cases of the package transformers are left out without it. Exit
code 1 if a number is wrong or gaudi-run crashes.
"""
import argparse
import collections
import importlib.util
import inspect
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from agreement import tolerances  # noqa: E402 (the path is set above)
from tally import enter_venv  # noqa: E402

spec = importlib.util.spec_from_file_location("torch_oracle", ROOT / "scripts" / "torch-oracle.py")
oracle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracle)
OWN = "torch"  # the text that gaudi_mlir.torch writes
TYPES = {OWN: "", "linalg": "linalg-on-tensors", "tosa": "tosa", "stablehlo": "stablehlo"}
NOT_COMPILED = 3  # exit code of gaudi-run


def dims_of(text):
    """("idx", "s", ["b", "4"]) of `idx=s:b,4`."""
    kind, _, dims = text.rpartition(":")
    kind, _, limit = kind.partition("=")
    return kind, limit, dims.split(",")


def make_inputs(texts, sizes):
    """Tensors of the sizes that `sizes` gives for symbols."""
    import torch
    inputs = []
    for text in texts:
        kind, limit, dims = dims_of(text)
        shape = [sizes.get(dim) or int(dim) for dim in dims]
        if kind == "bool":
            inputs.append(torch.rand(shape) < 0.5)
        elif kind == "mask":
            counts = torch.randint(1, shape[1] + 1, (shape[0], 1))
            inputs.append((torch.arange(shape[1])[None] < counts).to(torch.int64))
        elif kind == "idx":
            inputs.append(torch.randint(0, sizes[limit], shape))
        elif kind:
            inputs.append(torch.randint(0, int(kind[1:]), shape))
        else:
            inputs.append(torch.randn(shape))
    return tuple(inputs)


def export(case, symbols, types, sizes, folder, seed):
    """Writes one file per output type, or NAME.txt with the reason that there is none."""
    import torch
    from torch_mlir import fx
    build, texts = case
    torch.manual_seed(seed)
    module = build().eval()
    for inner in module.modules():  # the importer finds no others
        inner._non_persistent_buffers_set.clear()
    inputs = make_inputs(texts, sizes)
    from torch_dynamic import SYMBOLS
    auto = torch.export.Dim.AUTO

    def specs(make):
        return tuple({i: make(d) for i, d in enumerate(dims_of(text)[2]) if d in symbols} for text in texts)
    named = {s: torch.export.Dim(s, min=SYMBOLS[s][0], max=SYMBOLS[s][1]) for s in symbols}
    for kind in types:
        error = None
        for spec in (specs(named.get), specs(lambda _: auto)):
            try:
                # A function of any number of inputs takes them as one tuple.
                kinds = [p.kind for p in inspect.signature(module.forward).parameters.values()]
                wanted = (spec,) if inspect.Parameter.VAR_POSITIONAL in kinds else spec
                # Decomposed into a view and a product, a linear layer over two dynamic dimensions becomes linalg in
                # which one of them is 1: docs/porting.md.
                table = dict(fx.get_decomposition_table())
                table.pop(torch.ops.aten.linear.default, None)
                if kind == OWN:
                    from gaudi_mlir.torch import exported as programs
                    program = torch.export.export(module, inputs, dynamic_shapes=wanted)
                    names = [f"arg{i}" for i in range(len(inputs))], [f"out{i}" for i in range(99)]
                    programs.text_of(program, names)[0].save(folder / f"{kind}.mlir")
                    break
                exported = fx.export_and_import(module, *inputs, dynamic_shapes=wanted, output_type=TYPES[kind],
                                                func_name="main", decomposition_table=table)
                text = exported.operation.get_asm(print_generic_op_form=kind == "stablehlo")
                (folder / f"{kind}.mlir").write_text(text)
                break
            except BaseException as e:  # the diagnostics of torch-mlir are no one class
                error = error or e
        else:
            (folder / f"{kind}.txt").write_text(" ".join(str(error).split())[:400])


def in_child(work):
    """True if the work ends well in a process of its own: torch-mlir may abort."""
    if (child := os.fork()) == 0:
        code = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def buckets_of(symbols):
    """The diagonal of the buckets of all symbols."""
    from torch_dynamic import SYMBOLS
    lists = [SYMBOLS[s][4] for s in symbols]
    count = max(map(len, lists))
    return [[sizes[max(0, len(sizes) - count + i)] for sizes in lists] for i in range(count)]


def sizes_to_try(symbols, count, draw):
    from torch_dynamic import SYMBOLS
    low = {s: SYMBOLS[s][0] for s in symbols}
    high = {s: SYMBOLS[s][1] for s in symbols}
    boxes = buckets_of(symbols)
    middle = dict(zip(symbols, boxes[max(0, len(boxes) - 2)]))
    beyond = {s: min(high[s], middle[s] + SYMBOLS[s][2]) for s in symbols}
    tried = [high, low, middle, beyond]
    while len(tried) < 4 + count:
        tried.append({s: draw.randrange(low[s], high[s] + 1, SYMBOLS[s][2]) for s in symbols})
    unique = []
    for sizes in tried:
        if sizes not in unique:
            unique.append(sizes)
    return unique


def shape_options(texts, symbols, model):
    """--shape for each input with dynamic sizes, and None; or what the export has made static."""
    from torch_dynamic import SYMBOLS
    text = model.read_text()
    if signature := re.search(r"func\.func @main\((.*?)\) ->", text, re.DOTALL):
        types = re.findall(r"%arg\d+: tensor<([^>]*)>", signature[1]) or [
            sizes.replace(",", "x") for sizes in re.findall(r"%arg\d+: !torch.vtensor<\[([^]]*)\]", signature[1])]
    else:  # the generic form
        types = re.findall(r"tensor<([^>]*)>", re.search(r"function_type = \((.*?)\) ->", text)[1])
    bounded, options = set(), []
    for i, text in enumerate(texts):
        entries = []
        dims = dims_of(text)[2]
        for d, have in zip(dims, types[i].split("x")):
            if d not in symbols:
                continue
            if have != "?":
                return None, f"the export makes size {d} of input {i} static"
            low, high, multiple, _, _ = SYMBOLS[d]
            entries.append(d if d in bounded else f"{d}={low}..{high}" + (f"/{multiple}" if multiple > 1 else ""))
            bounded.add(d)
        if entries:
            options.append(f"--shape=arg{i}:" + ",".join(entries))
    return options, None


def judge(case, kind, symbols, folder, args, bounds, scope):
    import numpy as np
    import torch
    model = folder / f"{kind}.mlir"
    if not model.exists():
        reason = folder / f"{kind}.txt"
        return "not exported", reason.read_text() if reason.exists() else "the export ended the process"
    options, why = shape_options(case[1], symbols, model)
    if why:
        return "not exported", why
    boxes = ",".join("x".join(map(str, box)) for box in buckets_of(symbols))
    recipe = folder / f"{kind}.recipe"
    command = [args.gaudi_run, str(model), f"--device={args.device}", *options, f"--buckets={','.join(symbols)}={boxes}",
               "--compile-only", "-o", str(recipe)]
    (folder / f"{kind}.sh").write_text(" ".join(f"'{c}'" for c in command) + "\n")
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        words = result.stdout + result.stderr
        if result.returncode != NOT_COMPILED:
            return "wrong", f"exit code {result.returncode}: {words[-300:]}"
        lines = [line.split("error:", 1)[1].strip() for line in words.splitlines() if "error:" in line]
        return "refused", lines[0] if lines else words[:300]
    torch.manual_seed(args.seed)
    module = case[0]().eval()
    draw = random.Random(args.seed)
    for sizes in sizes_to_try(symbols, args.trials, draw):
        torch.manual_seed(draw.randrange(1 << 30))
        from torch_dynamic import SYMBOLS
        all_sizes = {s: SYMBOLS[s][3] for s in SYMBOLS} | sizes
        inputs = make_inputs(case[1], all_sizes)
        with torch.no_grad():
            try:
                expected = module(*[t.clone() for t in inputs])
            except (RuntimeError, IndexError):
                continue  # PyTorch has no result for these sizes
        expected = [expected] if isinstance(expected, torch.Tensor) else list(expected)
        command = [args.gaudi_run, str(recipe), "--poison-padding", "--repeat=3", "--strict-shapes"]
        for i, tensor in enumerate(inputs):
            np.save(folder / f"in{i}.npy", oracle.to_numpy(tensor))
            command.append(f"--input=@{folder}/in{i}.npy")
        command += [f"--output=out{i}=@{folder}/out{i}.npy" for i in range(len(expected))]
        result = subprocess.run(command, capture_output=True, text=True)
        words = result.stdout + result.stderr
        if result.returncode != 0:
            return "wrong", f"{sizes}: exit code {result.returncode}: {words[-300:]}"
        for i, tensor in enumerate(expected):
            got, wanted = np.load(folder / f"out{i}.npy"), oracle.to_numpy(tensor)
            if words := oracle.disagreement(got, wanted, tensor.dtype, scope, bounds):
                return "wrong", f"{sizes}, output {i}: {words}"
    return "equal", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--gaudi-run", default=str(ROOT / "build/release/bin/gaudi-run"), metavar="FILE")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / "build/oracle/torch-venv", metavar="DIR")
    parser.add_argument("--device", default="gaudi2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=3, help="random sizes beside the chosen ones")
    parser.add_argument("--types", default=OWN,
                        help="torch: what gaudi_mlir.torch writes; linalg, tosa, stablehlo: what torch-mlir does")
    parser.add_argument("--modes", default="all", help="all, or names of symbols, each of which alone is dynamic")
    parser.add_argument("--models", action="store_true", help="models only")
    parser.add_argument("--functions", action="store_true", help="functions only")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the files of each case")
    parser.add_argument("--reuse", action="store_true", help="do not export again what --keep has kept")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    args = parser.parse_args()
    enter_venv(args.venv.absolute(), oracle.PACKAGES, "torch_mlir")
    import torch
    import torch_mlir.fx  # noqa: F401 (children need not load it)
    import torch_dynamic_models
    from torch_dynamic import CASES, MODELS, SYMBOLS
    assert torch_dynamic_models
    if importlib.util.find_spec("transformers") is None:
        for name in [n for n in CASES if n.startswith("transformers")]:
            del CASES[name]
    names = args.names or [n for n in CASES
                           if not (args.models and n not in MODELS) and not (args.functions and n in MODELS)]
    if args.list:
        print("\n".join(names))
        return 0
    if unknown := [name for name in names if name not in CASES]:
        parser.error(f"no case {', '.join(unknown)}; --list names all")
    torch.set_num_threads(1)
    types = args.types.split(",")
    bounds, counts = tolerances(), {kind: collections.Counter() for kind in types}
    for name in names:
        used = [s for s in SYMBOLS if any(s in dims_of(text)[2] for text in CASES[name][1])]
        for mode in args.modes.split(","):
            symbols = used if mode == "all" else [s for s in used if s == mode]
            if not symbols or (mode != "all" and len(used) == 1):
                continue
            with tempfile.TemporaryDirectory() as temporary:
                folder = args.keep / f"{name} {mode}".replace(" ", "_") if args.keep else pathlib.Path(temporary)
                folder.mkdir(parents=True, exist_ok=True)
                sizes = {s: SYMBOLS[s][3] for s in SYMBOLS}
                if not (args.reuse and any(folder.iterdir())):
                    in_child(lambda: export(CASES[name], symbols, types, sizes, folder, args.seed))
                for kind in types:
                    verdict, why = judge(CASES[name], kind, symbols, folder, args, bounds, "model")
                    counts[kind][verdict] += 1
                    print(f"{name} ({mode}, {kind}): {verdict}{': ' + ' '.join(why.split()) if why else ''}", flush=True)
    for kind in types:
        print(f"{kind}: {sum(counts[kind].values())} cases: " +
              ", ".join(f"{count} {verdict}" for verdict, count in counts[kind].most_common()))
    return 1 if any(c["wrong"] for c in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
