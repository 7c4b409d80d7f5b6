"""Takes 100 steps of training with gaudi-run, fused and not, and compares them with the framework's.

Usage: run_steps.py GAUDI_RUN FOLDER [NAME...] [--device NAME]

The files are those of scripts/optimizer-corpus.py. Their header has the fusions that are required and how many inputs
are parameters and state; the state starts at zero. NAME.outI.npy is parameter I after the last step.
"""
import argparse
import pathlib
import re
import subprocess
import sys

STEPS = 100


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {(done.stderr + done.stdout).strip()[-1500:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gaudi_run")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--device", default="gaudi2")
    args = parser.parse_args()
    failed = count = 0
    for model in sorted(args.folder.glob("*.mlir")):
        name = model.name.split(".")[0]
        if args.names and name not in args.names:
            continue
        text = model.read_text()
        fused = re.search(r"^// fused: (\S+)$", text, re.MULTILINE)[1]
        parameters, state = map(int, re.search(r"^// params: (\d+) state: (\d+)$", text, re.MULTILINE).groups())
        base = [args.gaudi_run, str(model), f"--device={args.device}", "--seed-inputs=1", f"--steps={STEPS}",
                f"--state=0-{state - 1}=0-{state - 1}"]
        if state > parameters:
            base.append(f"--input={parameters}-{state - 1}=0")
        base += [f"--expect=out{i}=@{model.with_name(f'{name}.out{i}.npy')}" for i in range(parameters)]
        base += ["--atol=2e-4", "--rtol=2e-4"]
        errors = {"unfused": run([*base, "--disable-fusion=adamw,sgd,clip_norm"]),
                  "fused": run([*base, f"--require-fusion={fused}"])}
        for kind, words in errors.items():
            if words:
                print(f"FAILED {model.name} ({kind}): {words}")
        failed += any(errors.values())
        count += 1
    print(f"{count} files, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
