# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line of the benchmarks; benchmarks/run.sh starts it."""
import argparse
import datetime
import functools
import os
import sys

from networks import catalogue

from . import history, host, options, peers, rows, table, tools

TYPES = ("f32", "bf16", "f16", "f8E4M3FN", "int8")
# What they measure is a process and its files, not launches.
WALL_AXES = ("compile", "load")

INTERRUPTED = 130  # exit code, as of a shell after SIGINT

LEAN4 = "stablehlo-train-steps-lean4mlir"


# Four of the 16 layers of Llama 3.2 1B: as many bytes as leave no cache a part of them.
LAYERS_OF_1B = {"layers": 4, "hidden": 2048, "ffn": 8192, "heads": 32, "groups": 8, "vocabulary": 0}


def model_keys():
    """(key, function) of whole networks, in floats and quantized."""
    networks = (("bert-base", "bert-base", {}), ("resnet50", "resnet50", {}),
                ("gpt2-small", "gpt2-small", {"sequence": 128}), ("llama-block", "llama-block", {"sequence": 512}),
                ("mobilenetv2", "mobilenet", {}), ("vit-base", "vit-base", {}), ("sd-unet", "sd-unet", {}),
                ("decode-llama-68m", "llama-decode", {}), ("decode-llama-1b", "llama-decode", LAYERS_OF_1B))
    for row, network, size in networks:
        for batch in (1, 8):
            label = row if batch == 1 else row + "-b8"
            sizes = size if batch == 1 else {**size, "batch": batch}
            types = [("bf16", "bf16", network), ("f32", "fp32", network)]
            if network in ("bert-base", "resnet50"):
                types.append(("int8", "int8", network + "-int8"))
            for dtype, suffix, name in types:
                key = "%s-%s" % (label, suffix)
                yield key, lambda bench, key=key, name=name, dtype=dtype, sizes=sizes: rows.model(
                    bench, key, name, dtype, sizes)


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
    """Arrays of 67 MB and, in bf16, 33 MB; `-dram`: of four times the last-level cache."""
    for network in ("stream-cluster", "stream-softmax", "stream-layernorm"):
        for dtype, suffix, share, is_past_cache in (
                ("f32", "", 0.9, False), ("bf16", "-bf16", None, False), ("f32", "-dram", 0.9, True),
                ("bf16", "-bf16-dram", 0.85, True), ("f16", "-f16-dram", 0.85, True),
                ("f8E4M3FN", "-f8-dram", 0.85, True)):
            key = network + suffix
            yield key, functools.partial(rows.stream, key=key, name=network, dtype=dtype, share=share,
                                         is_past_cache=is_past_cache)


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
    parser = argparse.ArgumentParser(prog="benchmarks/run.sh", description="Measures this host: our engines beside their peers.",
                                     epilog="run.sh also takes --no-build, --no-install and --both-clocks: wall time, then CPU time.")
    parser.add_argument("--only", metavar="KEY,...", help="measure these rows only; a name ending in * is a prefix")
    parser.add_argument("--json", metavar="FILE", help="also write the rows as JSON")
    parser.add_argument("--threads", type=int,
                        help="of each side (default: 2, or 1 with --cpu-time)")
    parser.add_argument("--cpu-time", action="store_true",
                        help="CPU time of each thread instead of wall time: says more on a "
                             "machine with other work")
    parser.add_argument("--history", nargs="?", const=history.DEFAULT, metavar="FILE",
                        help="append the run to FILE (default: %(const)s); "
                             "benchmarks/history.py compares them")
    parser.add_argument("--dialect", choices=sorted(catalogue.DIALECTS), default="tosa",
                        help="dialect of our networks (default: tosa)")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller graphs, for a first look")
    parser.add_argument("--profile", action="store_true",
                        help="also print our wall time by engine and the slowest commands")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument("--update-docs", metavar="FILE",
                        help="replace the tables of this kind of host in FILE")
    parser.add_argument("--list", action="store_true", help="print the keys and exit")
    given = parser.parse_args()
    keys = [key for _, entries in AXES for key, _ in entries]
    if given.threads is None:
        given.threads = 1 if given.cpu_time else min(2, len(os.sched_getaffinity(0)))
    try:
        chosen = keys if given.only is None else options.select(keys, given.only)
        options.threads(given.threads)
        for option, path in (("--json", given.json), ("--history", given.history)):
            if path is not None:
                options.output(option, path)
        if given.update_docs is not None:
            options.page("--update-docs", given.update_docs)
            path = given.history or history.DEFAULT
            given.runs = history.read(path) if os.path.exists(path) else []
    except ValueError as problem:
        parser.error(str(problem))
    return given, set(chosen)


def head(bench, cpu):
    """Facts of the host and the run, one line each."""
    clock = "CPU time of a thread" if bench.cpu_time else "wall time"
    found = host.lines(cpu)
    found.append("%s; times are of the host, %s, medians over %d rounds" % (
        table.threads(bench.threads), clock, bench.rounds))
    if tools.Network.kernels:
        chosen = tools.Network.kernels
        kernels = ", ".join("%s %s" % (what, name or "none")
                            for what, name in chosen["kernels"].items())
        found.append("our kernels: %s (table of %s)" % (kernels, chosen["family"]))
    found.append("peers: " + ", ".join("%s %s" % (title, peers.version(peer))
                                       for peer, title in peers.TITLES.items()))
    found.append(bench.peaks.text())
    return found


def copy_text(copy):
    ways = ", ".join("%s %.1f" % (name.replace("_", " "), rate) for name, rate in copy.items()
                     if name not in ("bytes", "threads", "best"))
    return "copy of %d MB on %s: best %.1f GB/s (%s)" % (
        copy["bytes"] // 1000000, table.threads(copy["threads"]), copy["best"], ways)


def measure(bench, chosen):
    """Rows by axis, failures, and whether Ctrl-C ended it; a row that fails is reported and the
    others go on."""
    result, failures, interrupted = [(axis, []) for axis, _ in AXES], [], False
    try:
        for (_, entries), (_, done) in zip(AXES, result):
            for key, function in entries:
                if key not in chosen:
                    continue
                print("measuring %s" % key, file=sys.stderr, flush=True)
                try:
                    done.append(function(bench))
                except (tools.Failure, RuntimeError) as problem:
                    failures.append("%s: %s" % (key, problem))
                    print("error: %s" % failures[-1], file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
    return [(axis, done) for axis, done in result if done], failures, interrupted


def with_older(axes, older):
    """Rows by axis as a page has them: where this run has none, that of an older one."""
    newest = {row["key"]: row for _, done in axes for row in done}
    result = [(axis, [newest.get(key) or older.get(key) for key, _ in entries])
              for axis, entries in AXES]
    return [(axis, [row for row in done if row]) for axis, done in result if any(done)]


def update(path, title, text):
    """Replaces the section of a kind of host between its two marks, or adds it before the line
    where they end."""
    start, end = ("<!-- benchmarks: %s %s -->" % (what, title) for what in ("begin", "end"))
    with open(path) as stream:
        page = stream.read()
    section = "%s\n### %s\n\n%s\n%s" % (start, title, text, end)
    if start in page and end in page[page.find(start):]:
        page = page[:page.find(start)] + section + page[page.find(end) + len(end):]
    else:
        page = page.replace(options.HOSTS, section + "\n\n" + options.HOSTS, 1)
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
    tools.Network.cpu_time = given.cpu_time
    bench = rows.Bench(given.threads, given.quick, given.profile, given.cpu_time)
    before = {dtype: bench.peaks.of(dtype) for dtype in TYPES}
    axes, failures, interrupted = measure(bench, chosen)
    everything = [row for _, done in axes for row in done]
    if interrupted and not everything:
        raise KeyboardInterrupt
    again = None
    if not interrupted:
        again = host.Peaks(bench.threads, bench.peaks.attempts, bench.cpu_time)
        again.measure()
        bench.peaks.merge(again)
    cpu = host.processor()
    for row in everything:
        row["peak_before"] = before[row["type"]]
        row["peak_after"] = again.of(row["type"]) if again else None
        peak = bench.peaks.of(row["type"])
        if "gflop" in row["detail"]:
            row["share_of_peak"] = row["detail"]["gflop"] / row["ours"] * 1e3 / peak
        if "gflop_s_in_products" in row["detail"]:
            row["share_in_products"] = row["detail"]["gflop_s_in_products"] / peak

    def report(axes, markdown):
        facts = head(bench, cpu) + [copy_text(copy) for copy in bench.copies.values()]
        parts = ["\n".join("- " + fact for fact in facts) if markdown else "\n".join(facts)]
        for axis, done in axes:
            title = axis + " (wall time)" if bench.cpu_time and axis in WALL_AXES else axis
            title = "#### " + title[0].upper() + title[1:] if markdown else title.upper()
            parts.append(title + ("\n\n" if markdown else "\n") + table.table(done, markdown))
        details = table.notes(everything)
        if details:
            parts.append("\n".join(("- " if markdown else "") + line for line in details))
        return "\n\n".join(parts)

    print(report(axes, given.markdown))
    for key, profile in bench.profiles:
        print("\n" + table.profile(key, profile))
    if given.json:
        table.write_json(given.json, everything)
    kind = host.kind(cpu["isa"], cpu["vendor"])
    if given.history:
        history.append(given.history, history.entry({
            "kind": kind, "cpu_time": bench.cpu_time, "threads": bench.threads, "processor": cpu,
            "peaks": bench.peaks.units, "kernels": (tools.Network.kernels or {}).get("kernels"),
            "peers": {title: peers.version(peer) for peer, title in peers.TITLES.items()},
        }, everything))
    if given.update_docs and not interrupted:
        clock = "CPU time" if bench.cpu_time else "wall time"
        today = datetime.date.today().isoformat()
        update(given.update_docs, "%s, %s" % (kind, clock), "%s, commit %s\n\n%s" % (
            today, history.commit(), report(with_older(axes, history.last_rows(
                given.runs, kind, bench.cpu_time, bench.threads)), True)))
    wrong = ["%s: our output differs from that of %s by %.3g times the allowed error" % (
        row["key"], name, found["worst"]) for row in everything
             for name, found in row["detail"].get("agreement", []) if not found["agrees"]]
    for line in failures + wrong:
        print("error: " + line, file=sys.stderr)
    if interrupted:
        kept = "; '%s' is as it was" % given.update_docs if given.update_docs else ""
        print("interrupted: %d of %d rows were measured%s" % (
            len(everything), len(chosen), kept), file=sys.stderr)
        return INTERRUPTED
    return 1 if failures or wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except tools.Failure as problem:
        sys.exit("error: %s" % problem)
    except KeyboardInterrupt:
        print("interrupted: nothing was measured", file=sys.stderr)
        sys.exit(INTERRUPTED)
