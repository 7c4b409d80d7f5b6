#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the corpus of test/Transforms/Fusion/Attention/Inputs: attention as exporters write it, with expected values.

Usage: attention-corpus.py torch|jax [NAME...] [--venv DIR] [--folder DIR]

Each case of scripts/corpus/{torch,jax}_cases.py is exported, by torch-mlir to linalg, TOSA and StableHLO, or by JAX to
StableHLO, in a file CASE.FORM.mlir whose first lines say where it comes from and how many attentions are fused. The
framework's results on the seeded inputs of gaudi-run are beside it (CASE.outI.npy). A form that torch-mlir cannot
write, or writes with f64, which no device has, is reported and left out.
"""
import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEED = 1
PACKAGES = {"torch": ["torch==2.13.0", "torch-mlir==20261001", "numpy", "ml_dtypes"],
            "jax": ["jax==0.10.2", "jaxlib==0.10.2", "flax==0.12.8", "keras==3.15.1"]}
OUTPUTS = {"linalg": "linalg-on-tensors", "tosa": "tosa", "stablehlo": "stablehlo"}
sys.path[:0] = [str(ROOT / "scripts" / "oracle"), str(ROOT / "scripts" / "corpus")]
from tally import enter_venv  # noqa: E402 (the path is set above)


def inputs_of(case):
    from seeded import seeded
    return [seeded(shape, element, i, SEED) for i, (shape, element) in enumerate(case.inputs)]


def write(folder, name, form, origin, case, text):
    head = [f"// {case.what}", f"// origin: scripts/attention-corpus.py, {origin}", f"// attentions: {case.attentions}"]
    head += [f"// gradients: {case.gradients}"] if case.gradients else []
    (folder / f"{name}.{form}.mlir").write_text("\n".join(head) + "\n" + text.rstrip() + "\n")


def save(folder, name, results):
    import numpy as np
    from hlo_case import raw
    for i, array in enumerate(results):
        np.save(folder / f"{name}.out{i}.npy", raw(np.asarray(array)))


def as_tensor(array):
    import torch
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)


def as_array(tensor):
    import ml_dtypes
    import torch
    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def module_of(build):
    import torch

    class Call(torch.nn.Module):
        def forward(self, *inputs):
            return build(*inputs)

    torch.manual_seed(0)
    return build().eval() if isinstance(build, type) else Call()


def export_torch(folder, name, case):
    import torch
    from torch_mlir import fx
    module, inputs = module_of(case.build), [as_tensor(a) for a in inputs_of(case)]
    with torch.no_grad():
        results = module(*inputs)
    save(folder, name, map(as_array, results if isinstance(results, (tuple, list)) else [results]))
    table = {} if case.whole else None
    if case.gradients:
        from torch.fx.experimental.proxy_tensor import make_fx
        module = make_fx(torch.func.functionalize(case.build))(*inputs)
    for form in case.forms:
        try:
            text = fx.export_and_import(module, *inputs, output_type=OUTPUTS[form], func_name="main",
                                        decomposition_table=table)
        except Exception as reason:  # torch-mlir raises what its passes raise
            print(f"{name}: no {form}: {str(reason).strip().splitlines()[0][:120]}")
            continue
        generic = form == "stablehlo"
        text = text.operation.get_asm(print_generic_op_form=generic)
        if form != "linalg" and "f64>" in text:
            print(f"{name}: no {form}: torch-mlir computes a part in f64")
            continue
        write(folder, name, form, f"PyTorch 2.13, torch-mlir 20261001, {OUTPUTS[form]}", case, text)
        print(f"{name}: {form}, {len(text)} bytes")


def export_jax(folder, name, case):
    import jax
    inputs = inputs_of(case)
    lowered = jax.jit(case.build).lower(*inputs)
    save(folder, name, jax.tree.leaves(jax.jit(case.build)(*inputs)))
    text = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
    write(folder, name, "stablehlo", "JAX 0.10.2", case, text)
    print(f"{name}: stablehlo, {len(text)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", choices=["torch", "jax"])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--venv", type=pathlib.Path, metavar="DIR", help="default: build/corpus-FRAMEWORK/venv")
    parser.add_argument("--folder", type=pathlib.Path, metavar="DIR",
                        default=ROOT / "test/Transforms/Fusion/Attention/Inputs")
    args = parser.parse_args()
    venv = args.venv or ROOT / f"build/corpus-{args.framework}/venv"
    enter_venv(venv.resolve(), PACKAGES[args.framework], args.framework)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if args.framework == "torch":
        import torch_cases as cases
        import torch_training  # noqa: F401 (adds its cases)
        export = export_torch
    else:
        import jax_cases as cases
        import jax_training  # noqa: F401 (adds its cases)
        export = export_jax
    if unknown := set(args.names) - set(cases.CASES):
        parser.error(f"no case {', '.join(sorted(unknown))}; there are: {', '.join(cases.CASES)}")
    folder = args.folder / args.framework
    folder.mkdir(parents=True, exist_ok=True)
    for name in args.names or cases.CASES:
        export(folder, name, cases.CASES[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
