#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts networks and stream kernels on all devices: the table of docs/device-time.md.

    benchmarks/predict.py                          prints it
    benchmarks/predict.py --doc=docs/device-time.md    replaces it there
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICES = ("gaudi", "gaudi2", "gaudi3")
NETWORKS = (
    ("ResNet-50, bf16, batch 1", "resnet50", 1),
    ("ResNet-50, bf16, batch 64", "resnet50", 64),
    ("BERT-base, bf16, 1 x 128 tokens", "bert-base", 1),
    ("BERT-base, bf16, 16 x 128 tokens", "bert-base", 16),
    ("Llama block, bf16, 1 x 512 tokens", "llama-block", 1),
    ("GPT-2 small, bf16, 1 x 128 tokens", "gpt2-small", 1),
)
STREAMS = (
    ("copy", "%a"),
    ("scale", "2.0 * %a"),
    ("add", "%a + %b"),
    ("triad", "%a + 2.0 * %b"),
)
BEGIN, END = "<!-- benchmarks/predict.py -->", "<!-- end of it -->"


def stream_text(name, elements):
    """One elementwise kernel, so large that only bandwidth counts."""
    tensor = "tensor<%dxbf16>" % elements
    body = {"copy": "linalg.yield %x : bf16",
            "scale": "%r = arith.mulf %x, %c : bf16 linalg.yield %r : bf16",
            "add": "%r = arith.addf %x, %y : bf16 linalg.yield %r : bf16",
            "triad": "%p = arith.mulf %y, %c : bf16 %r = arith.addf %x, %p : bf16 linalg.yield %r : bf16"}[name]
    form = "affine_map<(d0) -> (d0)>"
    return """func.func @main(%%a: %(t)s, %%b: %(t)s) -> %(t)s {
  %%c = arith.constant 2.0 : bf16
  %%e = tensor.empty() : %(t)s
  %%0 = linalg.generic {indexing_maps = [%(f)s, %(f)s, %(f)s], iterator_types = ["parallel"]}
    ins(%%a, %%b : %(t)s, %(t)s) outs(%%e : %(t)s) {
  ^bb0(%%x: bf16, %%y: bf16, %%o: bf16):
    %(b)s
  } -> %(t)s
  return %%0 : %(t)s
}
""" % {"t": tensor, "f": form, "b": body}


def predictions(tool, path, *options):
    command = [tool, path, "--predict", "--report=json", "--devices=" + ",".join(DEVICES), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit("error: %s\n%s" % (" ".join(command), done.stderr.strip()))
    return json.loads(done.stdout)["predictions"]


def bound_of(prediction):
    """The bound of most of the time that commands take, each alone."""
    times = {}
    for command in prediction["commands"]:
        times[command["bound"]] = times.get(command["bound"], 0) + command["alone_us"]
    return max(times, key=times.get) if times else "command overhead"


def time_text(us):
    return "%.3g ms" % (us / 1e3) if us >= 1e3 else "%.3g us" % us


def row(name, prediction, unfused=None):
    if "error" in prediction:
        return "| %s | %s | %s | | | | | | | |" % (name, prediction["device"], prediction["error"])
    engines = prediction["engines"]
    share = ["%.0f %%" % (100 * engines[engine]["share"]) for engine in ("MME", "TPC", "DMA")]
    rate = prediction["hbm_bytes"] / prediction["time_us"] * 1e-6
    has_attention = unfused and any("sdpa" in command["name"] for command in prediction["commands"])
    return "| %s | %s | %s | %s | %s | %.0f %% | %s | %.2f TB/s |" % (
        name, prediction["device"], time_text(prediction["time_us"]),
        time_text(unfused["time_us"]) if has_attention else "", bound_of(prediction),
        100 * prediction["mme_utilization"], " | ".join(share), rate)


def table(tool, generator, elements):
    lines = ["| model | device | launch | with attention apart | bound of most time | MME utilisation | MME | TPC "
             "| DMA | HBM |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        for title, network, batch in NETWORKS:
            path = os.path.join(folder, "model.mlirbc")
            subprocess.run([sys.executable, generator, network, "--dtype=bf16", "--batch=%d" % batch,
                            "--weights=argument", "--out=" + path], check=True, stdout=sys.stderr)
            unfused = predictions(tool, path, "--disable-fusion=sdpa")
            lines += [row(title, *pair) for pair in zip(predictions(tool, path), unfused)]
        for name, formula in STREAMS:
            path = os.path.join(folder, "model.mlir")
            with open(path, "w") as file:
                file.write(stream_text(name, elements))
            title = "%s, `%s`, %d M elements of bf16" % (name, formula.replace("%", ""), elements >> 20)
            lines += [row(title, prediction) for prediction in predictions(tool, path)]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gaudi-run", default=os.path.join(HERE, "../build/release/bin/gaudi-run"))
    parser.add_argument("--elements", type=int, default=64 << 20, help="of the stream kernels")
    parser.add_argument("--doc", metavar="FILE", help="replace the table between the comments there")
    given = parser.parse_args()
    text = table(given.gaudi_run, os.path.join(HERE, "generate.py"), given.elements)
    if not given.doc:
        print(text)
        return
    with open(given.doc) as file:
        page = file.read()
    if BEGIN not in page or END not in page:
        raise SystemExit("error: %s has no lines '%s' and '%s'" % (given.doc, BEGIN, END))
    head, rest = page.split(BEGIN, 1)
    with open(given.doc, "w") as file:
        file.write(head + BEGIN + "\n" + text + "\n" + END + rest.split(END, 1)[1])


if __name__ == "__main__":
    main()
