"""Runs attention as exporters write it through gaudi-run, fused and not.

Usage: run_corpus.py GAUDI_RUN FOLDER FORM [NAME...] [--device NAME]

The files are those of scripts/attention-corpus.py with the form in their name (linalg, tosa, stablehlo). A file passes
if as many attentions and gradients are fused as its header says, if the results with and without fusion are those
of the framework, and if every command of the fused recipe agrees with the reference evaluator.
"""
import argparse
import pathlib
import re
import subprocess
import sys


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {(done.stderr + done.stdout).strip()[-1500:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gaudi_run")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("form")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--device", default="gaudi2")
    args = parser.parse_args()
    failed = count = attentions = grads = 0
    for model in sorted(args.folder.glob(f"*.{args.form}.mlir")):
        name = model.name.split(".")[0]
        if args.names and name not in args.names:
            continue
        head = model.read_text().split("module", 1)[0]
        fused, gradients = (sum(map(int, re.findall(rf"^// {kind}: (\d+)$", head, re.MULTILINE)))
                            for kind in ("attentions", "gradients"))
        base = [args.gaudi_run, str(model), f"--device={args.device}", "--seed-inputs=1"]
        expected = sorted(args.folder.glob(f"{name}.out*.npy"))
        base += [f"--expect={path.name.split('.')[1]}=@{path}" for path in expected]
        errors = {"unfused": run([*base, "--disable-fusion=sdpa"]),
                  "fused": run([*base, f"--require-fusion=sdpa:{fused},sdpa_grad:{gradients}", "--check"])}
        for kind, words in errors.items():
            if words:
                print(f"FAILED {model.name} ({kind}): {words}")
        failed += any(errors.values())
        count, attentions, grads = count + 1, attentions + fused, grads + gradients
    print(f"{count} files with {attentions} attentions and {grads} gradients, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
