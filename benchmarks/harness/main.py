"""Command line of the benchmarks; benchmarks/run.sh starts it."""
import argparse
import os
import sys

from networks import catalogue

from . import peers, rows, table, tools


LEAN4 = "stablehlo-train-steps-lean4mlir"


def model_keys():
    """(key, function) of whole networks; targets in ms, where there are any."""
    targets = {"bert-base-bf16": 60.0, "bert-base-fp32": 102.0, "resnet50-bf16": 24.0, "resnet50-fp32": 36.0}
    sizes = [("bert-base", "bert-base", {}), ("bert-base-b8", "bert-base", {"batch": 8}),
             ("resnet50", "resnet50", {}), ("resnet50-b8", "resnet50", {"batch": 8}),
             ("gpt2-small", "gpt2-small", {"sequence": 128}),
             ("llama-block", "llama-block", {"sequence": 512})]
    for label, network, size in sizes:
        for dtype, suffix in (("bf16", "bf16"), ("f32", "fp32")):
            key = "%s-%s" % (label, suffix)
            yield key, lambda bench, key=key, network=network, dtype=dtype, size=size: rows.model(
                bench, key, network, dtype, size, targets.get(key))


def attention_keys():
    """Sizes are of one launch; a decode step has one query per head. The scores
    of 32 heads with 8,192 keys do not fit the memory of small machines, so four
    heads stand for them in three ops."""
    long, middle = {"queries": 8192, "keys": 8192}, {"heads": 8, "queries": 2048, "keys": 2048}
    bert = {"batch": 16, "heads": 12, "queries": 128, "keys": 128, "size": 64}
    for label, dtype, sizes, decomposed in (
            ("sdpa-8192-bf16", "bf16", long, False),
            ("sdpa-8192-h4-bf16", "bf16", dict(long, heads=4), True),
            ("sdpa-8192-causal-bf16", "bf16", dict(long, causal=1), False),
            ("sdpa-2048-bf16", "bf16", middle, True), ("sdpa-2048-fp32", "f32", middle, True),
            ("sdpa-2048-causal-fp32", "f32", dict(middle, causal=1), False),
            ("sdpa-2048-d64-bf16", "bf16", dict(middle, size=64), True),
            ("sdpa-bert-bf16", "bf16", bert, True), ("sdpa-bert-fp32", "f32", bert, True),
            ("sdpa-decode-bf16", "bf16", {"queries": 1}, False), ("sdpa-decode-fp32", "f32", {"queries": 1}, False),
            ("sdpa-grad-2048-bf16", "bf16", dict(middle, grad=1), False),
            ("sdpa-grad-2048-fp32", "f32", dict(middle, grad=1), False)):
        yield label, lambda bench, key=label, dtype=dtype, sizes=sizes, decomposed=decomposed: rows.attention(
            bench, key, dtype, sizes, decomposed)


def order_keys():
    for key, network, dtype, size in (
            ("heads-split-fp32", "heads", "f32", "split"), ("heads-split-bf16", "heads", "bf16", "split"),
            ("conv3x3-nchw-fp32", "convolutions", "f32", "first"),
            ("conv3x3-nchw-bf16", "convolutions", "bf16", "first")):
        yield key, lambda bench, key=key, network=network, dtype=dtype, size=size: rows.order(
            bench, key, network, dtype, size, "stablehlo")


def front_end_keys():
    for network, size in (("bert-base", {}), ("resnet50", {}), ("gpt2-small", {"sequence": 128}),
                          ("llama-block", {"sequence": 512})):
        key = "front-ends-" + network
        yield key, lambda bench, key=key, network=network, size=size: rows.front_ends(bench, key, network, size)


def text_keys():
    """Published models of test/models as text."""
    for key, folder, name, dtype in (
            ("stablehlo-mnist", "stablehlo-mnist-iree", "generic.mlir", "f32"),
            ("stablehlo-mobilenetv2-b32", LEAN4, "mobilenetv2_fwd_eval.generic.mlir", "f32"),
            ("stablehlo-cnn-step", LEAN4, "cnn_train_step.generic.mlir", "f32"),
            ("stablehlo-cifar8-adam-step", LEAN4, "cifar8_adam_train_step.generic.mlir", "f32"),
            ("stablehlo-resnet50-f16", "stablehlo-resnet50-trtinc", "generic.mlir", "f16"),
            ("stablehlo-bert-f16", "stablehlo-bert-trtinc", "generic.mlir", "f16"),
            ("stablehlo-llama-68m", "stablehlo-llama-68m-trtinc", "generic.mlir", "f32")):
        path = os.path.join(tools.ROOT, "test", "models", folder, name)
        yield key, lambda bench, key=key, path=path, dtype=dtype: rows.text_model(bench, key, path, dtype)


def stream_keys():
    for network in ("stream-cluster", "stream-softmax", "stream-layernorm"):
        for dtype, suffix, share in (("f32", "", 0.9), ("bf16", "-bf16", None)):
            key = network + suffix
            yield key, lambda bench, key=key, network=network, dtype=dtype, share=share: rows.stream(
                bench, key, network, dtype, share)


def optimizer_keys():
    for key, sizes, share in (("adamw", {"clip": 0}, 0.85), ("adamw-clip", {"clip": 1}, None)):
        yield key, lambda bench, key=key, sizes=sizes, share=share: rows.optimizer(bench, key, "adamw", sizes, share)


def single(key, function):
    return [(key, lambda bench: function(bench, key))]


AXES = [
    ("models", list(model_keys())),
    ("attention", list(attention_keys())),
    ("orders", list(order_keys())),
    ("front ends", list(front_end_keys())),
    ("StableHLO models", list(text_keys())),
    ("streaming kernels", list(stream_keys())),
    ("optimizers", list(optimizer_keys())),
    ("launch and start", single("launch-1000", rows.launch) + single("start-tiny", rows.start)),
    ("compile", single("compile-bert", rows.compile_bert) + single("compile-scaling", rows.compile_scaling)),
    ("load", single("load-400mb", rows.load)),
]


def parse():
    parser = argparse.ArgumentParser(prog="benchmarks/run.sh", description="Measures this host: our engines beside PyTorch, ONNX Runtime and JAX.")
    parser.add_argument("--only", metavar="KEY,...", help="measure these rows only; a name ending in * is a prefix")
    parser.add_argument("--json", metavar="FILE", help="also write the rows as JSON")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--dialect", choices=sorted(catalogue.DIALECTS), default="tosa",
                        help="dialect of our networks (default: tosa)")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller graphs, for a first look")
    parser.add_argument("--profile", action="store_true", help="also print our host time by engine and the slowest commands")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument("--update-docs", metavar="FILE", help="replace the tables between the marks in FILE")
    parser.add_argument("--list", action="store_true", help="print the keys and exit")
    given = parser.parse_args()
    keys = [key for _, entries in AXES for key, _ in entries]
    chosen = set(keys)
    if given.only is not None:
        chosen = set()
        for name in given.only.split(","):
            found = [key for key in keys if key == name or (name.endswith("*") and key.startswith(name[:-1]))]
            if not found:
                parser.error("--only: no row is called '%s'; choose from: %s" % (name, ", ".join(keys)))
            chosen.update(found)
    if given.threads < 1:
        parser.error("--threads is %d; expected 1 or more" % given.threads)
    return given, chosen


def head(bench):
    lines = ["%d threads on %s; times are of the host, medians over %d rounds" % (
        bench.threads, tools.machine(), bench.rounds)]
    lines.append("peers: " + ", ".join("%s %s" % (title, peers.version(peer)) for peer, title in peers.TITLES.items()))
    return lines


def peak_text(when, peak):
    return "peak %s: f32 %.1f GFLOP/s on 1 thread, %.1f on %d (%s); bf16 %.1f, %.1f (%s)" % (
        when, peak["f32_1"], peak["f32_n"], peak["threads"], peak["f32_unit"], peak["bf16_1"], peak["bf16_n"],
        peak["bf16_unit"])


def copy_text(copy):
    ways = ", ".join("%s %.1f" % (name.replace("_", " "), rate) for name, rate in copy.items()
                     if name not in ("bytes", "threads", "best"))
    return "copy of %d MB on %d threads: best %.1f GB/s (%s)" % (
        copy["bytes"] // 1000000, copy["threads"], copy["best"], ways)


def measure(bench, chosen):
    """Rows by axis; a row that fails is reported and the others go on."""
    result, failures = [], []
    for axis, entries in AXES:
        done = []
        for key, function in entries:
            if key not in chosen:
                continue
            print("measuring %s" % key, file=sys.stderr, flush=True)
            try:
                done.append(function(bench))
            except (tools.Failure, RuntimeError) as problem:
                failures.append("%s: %s" % (key, problem))
                print("error: %s" % failures[-1], file=sys.stderr, flush=True)
        if done:
            result.append((axis, done))
    return result, failures


def update(path, text):
    """Replaces the text between the two marks."""
    start, end = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
    with open(path) as stream:
        page = stream.read()
    if page.find(start) < 0 or page.find(end) < page.find(start):
        raise SystemExit("error: '%s' lacks the lines %s and %s; add them where the tables go" % (
            path, start, end))
    page = page[:page.find(start)] + start + "\n" + text + "\n" + page[page.find(end):]
    with open(path, "w") as stream:
        stream.write(page)


def main():
    given, chosen = parse()
    if given.list:
        print("\n".join(key for _, entries in AXES for key, _ in entries if key in chosen))
        return 0
    if not os.path.exists(tools.RUN):
        raise SystemExit("error: %s does not exist; run scripts/build.sh" % tools.RUN)
    tools.drop_old_networks()
    tools.Network.dialect = given.dialect
    bench = rows.Bench(given.threads, given.quick, given.profile)
    axes, failures = measure(bench, chosen)
    after = bench.measure_peak()
    everything = [row for _, done in axes for row in done]
    for row in everything:
        kind = "bf16_n" if "bf16" in row["key"] else "f32_n"
        row["peak_before"], row["peak_after"] = bench.peak[kind], after[kind]
        if "gflop" in row["detail"]:
            # A disturbed measurement of the peak is too low, never too high: the
            # larger of the two.
            row["share_of_peak"] = row["detail"]["gflop"] / row["ours"] * 1e3 / max(bench.peak[kind], after[kind])

    def report(markdown):
        facts = head(bench) + [peak_text("before", bench.peak), peak_text("after", after)]
        facts += [copy_text(copy) for copy in bench.copies.values()]
        parts = ["\n".join("- " + fact for fact in facts) if markdown else "\n".join(facts)]
        for axis, done in axes:
            title = "### " + axis[0].upper() + axis[1:] if markdown else axis.upper()
            parts.append(title + ("\n\n" if markdown else "\n") + table.table(done, markdown))
        details = table.notes(everything)
        if details:
            parts.append("\n".join(("- " if markdown else "") + line for line in details))
        return "\n\n".join(parts)

    print(report(given.markdown))
    for key, profile in bench.profiles:
        print("\n" + table.profile(key, profile))
    if given.json:
        table.write_json(given.json, everything)
    if given.update_docs:
        update(given.update_docs, report(True))
    wrong = ["%s: our output differs from that of %s by %.3g times the allowed error" % (
        row["key"], name, found["worst"]) for row in everything
             for name, found in row["detail"].get("agreement", []) if not found["agrees"]]
    for line in failures + wrong:
        print("error: " + line, file=sys.stderr)
    return 1 if failures or wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except tools.Failure as problem:
        sys.exit("error: %s" % problem)
