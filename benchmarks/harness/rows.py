# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each key measures. A row is a dictionary with the keys of the JSON."""
from networks.streams import SIZES

from . import host, peers, tools
from .agreement import compare
from .tools import Failure, Network, OnnxNetwork, TextNetwork, median

ROUNDS = {True: 2, False: 5}  # by --quick
TOO_SLOW = 10000.0  # ms


class Bench:
    """Options and the machine's limits, shared by all rows."""

    def __init__(self, threads, quick, profile, cpu_time):
        self.threads, self.quick, self.profile = threads, quick, profile
        self.cpu_time = cpu_time
        self.rounds = ROUNDS[quick]
        self.peaks = host.Peaks(threads, 1 if quick else 4, cpu_time)
        self.peaks.measure()
        self.copies = {}
        self.profiles = []

    def clock(self):
        return "cpu" if self.cpu_time else "wall"

    def measure_copy(self, nbytes):
        """GB/s of the best way to copy an array of this size to another. The
        best of all calls is kept for the facts about the machine."""
        found = tools.probe("copy", nbytes, self.threads, self.clock())
        if nbytes not in self.copies or found["best"] > self.copies[nbytes]["best"]:
            self.copies[nbytes] = found
        return found["best"]


def row(key, unit, ours, peer_values, target, dtype="f32", **detail):
    return {"key": key, "unit": unit, "ours": ours, "peers": peer_values, "target": target,
            "type": dtype, "share_of_peak": None, "share_in_products": None, "peak_before": None,
            "peak_after": None, "detail": detail}


def versus_peers(bench, network, dtypes, seconds=6.0, threads=None, after_ours=None, variants=()):
    """Alternates ours and every peer; medians over rounds, and the agreement.
    `after_ours` is called with our time right after each of them. `variants`
    are (title, network) of ours that run in each round as the peers do."""
    threads = threads or bench.threads
    if bench.quick:
        seconds /= 2
    network.compile()
    team = []
    for peer, dtype in dtypes:
        # An f32 peer of a bf16 network has the rounded weights.
        worker = peers.start(peer, network, dtype, threads)
        if worker is None and not peers.is_present(peer):
            continue
        team.append((peers.title(peer, dtype), worker))
    agreement = []
    try:
        for name, worker in team:
            if worker:
                expected = worker.outputs()
                got = network.outputs(threads, len(expected))
                agreement.append((name, compare(network.dtype, got, expected)))
        if agreement and threads > 1:
            alone = network.outputs(1, len(got))
            if any(a.tobytes() != b.tobytes() for a, b in zip(got, alone)):
                raise Failure("outputs on 1 thread and on %d threads differ; they must be equal bit by bit" % threads)
        times = {"ours": []}
        once = network.time(threads, 2)
        repeat = max(3, min(1000, int(1000 * seconds / bench.rounds / max(once, 0.001) / 2)))
        for _ in range(bench.rounds):
            times["ours"].append(network.time(threads, repeat))
            if after_ours:
                after_ours(times["ours"][-1])
            for name, variant in variants:
                times.setdefault(name, []).append(variant.time(threads, repeat))
            for name, worker in team:
                # A peer that takes seconds per launch gets fewer rounds.
                if worker and sum(times.get(name, [])) < TOO_SLOW:
                    guess = median(times.get(name) or [once])
                    count = max(1, min(repeat, int(1000 * seconds / bench.rounds / max(guess, 0.001) / 2)))
                    times.setdefault(name, []).append(median(worker.time(count)))
    finally:
        for _, worker in team:
            if worker:
                worker.close()
    values = {name: median(times[name]) if name in times else None for name, _ in [*variants, *team]}
    for peer, dtype in dtypes:
        if not peers.is_present(peer):
            values[peers.title(peer, dtype)] = None
    return median(times["ours"]), values, agreement


def keep_profile(bench, key, network, threads=None):
    """Commands by their times, for --profile."""
    report = network.report(threads or bench.threads) if bench.profile else None
    if bench.profile:
        bench.profiles.append((key, report))
    return report


def products(bench, key, network, milliseconds):
    """GFLOP/s in the commands that multiply matrices, which take their part of the time of a
    launch; they have all of a network's products."""
    report = keep_profile(bench, key, network) or network.report(bench.threads)
    commands = [command for command in report["commands"]
                if command["engine"] == "MME" or ":i8" in command["implementation"]]
    whole = sum(command["host_ms"] for command in report["commands"])
    part = sum(command["host_ms"] for command in commands)
    return network.network.flops() / (milliseconds * part / whole) / 1e6 if part else None


def target_of(key, dtype, values):
    """The time to reach: a share of the best peer's time."""
    times = [value for value in values.values() if value]
    if not times:
        return None
    floats = 0.95 if key.startswith("resnet50") and dtype == "f32" else 0.9
    return (1.0 if dtype == "int8" else floats) * min(times)


def peers_for(dtype):
    if dtype == "f32":
        return [("onnxruntime", "f32"), ("torch", "f32")]
    return [("torch", "bf16"), ("onnxruntime", "f32")]


def compilers_for(dtype):
    """Peers that compile a whole network; minutes for some. OpenVINO computes bf16 in f32 where
    the processor lacks it, and there IREE 3.13 cannot compile it."""
    has_bf16 = {"avx512_bf16", "amx_bf16"} & set(host.processor()["isa"])
    return [("openvino", dtype if has_bf16 else "f32"), ("inductor", dtype), ("iree", "f32")]


def model(bench, key, name, dtype, sizes):
    if dtype == "int8":
        network = OnnxNetwork(name, dtype, sizes)
        team = [("onnxruntime", "int8"), ("openvino", "int8")]
    else:
        network, team = Network(name, dtype, sizes), peers_for(dtype) + compilers_for(dtype)
    ours, values, agreement = versus_peers(bench, network, team)
    rate = products(bench, key, network, ours)
    in_products = {} if rate is None else {"gflop_s_in_products": rate}
    return row(key, "ms", ours, values, target_of(key, dtype, values), dtype,
               agreement=agreement, gflop=network.network.flops() / 1e9, **in_products)


def attention(bench, key, dtype, sizes, decomposed):
    """Our op beside PyTorch's flash attention and, if `decomposed`, beside our
    own two products and softmax."""
    network = Network("sdpa", dtype, sizes)
    variants = []
    if decomposed:
        apart = Network("sdpa", dtype, dict(sizes, whole=0))
        apart.compile("--disable-fusion=sdpa")
        variants.append(("ours in three ops", apart))
    ours, values, agreement = versus_peers(bench, network, [("torch", dtype)], variants=variants)
    keep_profile(bench, key, network)
    return row(key, "ms", ours, values, None, dtype, agreement=agreement,
               gflop=network.network.flops() / 1e9)


def order(bench, key, name, dtype, size, dialect):
    """A network on tensors as frameworks store them, beside ours on tensors as
    the engines want them; `size` is the one that says which."""
    network = Network(name, dtype, {size: 1}, dialect)
    native = Network(name, dtype, {size: 0}, dialect)
    native.compile()
    ours, values, agreement = versus_peers(bench, network, peers_for(dtype), variants=[("ours, native", native)])
    keep_profile(bench, key, network)
    return row(key, "ms", ours, values, None, dtype, agreement=agreement,
               gflop=network.network.flops() / 1e9)


def front_ends(bench, key, name, sizes):
    """The same network through each front end: ours is StableHLO."""
    networks = {dialect: Network(name, "f32", sizes, dialect) for dialect in ("stablehlo", "tosa", "linalg")}
    ours = networks.pop("stablehlo")
    for other in networks.values():
        other.compile()
    variants = [("ours through %s" % dialect, other) for dialect, other in networks.items()]
    time, values, agreement = versus_peers(bench, ours, [("jax", "f32")], variants=variants)
    keep_profile(bench, key, ours)
    return row(key, "ms", time, values, None, agreement=agreement, gflop=ours.network.flops() / 1e9)


def text_model(bench, key, path, dtype):
    network = TextNetwork(path, dtype)
    ours, values, agreement = versus_peers(bench, network, [("jax", dtype)])
    keep_profile(bench, key, network)
    return row(key, "ms", ours, values, None, agreement=agreement)


def rows_past_cache(bench, dtype):
    """Rows of streams whose arrays have four times the bytes of the last-level cache, as STREAM
    asks for: a copy of less is one within the cache."""
    return -(-4 * host.last_level_cache(bench.threads) // (1024 * SIZES[dtype]))


def stream(bench, key, name, dtype, share, is_past_cache):
    """GB/s of bytes read and written; the target is a share of a copy. Bandwidth
    varies with other tenants, so every round has its own copy."""
    network = Network(name, dtype, {"rows": rows_past_cache(bench, dtype)} if is_past_cache else {})
    nbytes = network.network.bytes()
    copies, shares = [], []

    def rate(milliseconds):
        return None if milliseconds is None else nbytes / milliseconds / 1e6

    def after_ours(milliseconds):
        copies.append(bench.measure_copy(nbytes // 2))
        shares.append(rate(milliseconds) / copies[-1])

    ours, values, agreement = versus_peers(bench, network, peers_for(dtype) if dtype == "f32" else [("torch", dtype)],
                                           seconds=3.0, after_ours=after_ours)
    keep_profile(bench, key, network)
    copy = median(copies)
    result = row(key, "GB/s", rate(ours), {n: rate(v) for n, v in values.items()},
                 share * copy if share else None, agreement=agreement, copy=copy, best_copy=max(copies),
                 share_by_round={str(i + 1): round(s, 3) for i, s in enumerate(shares)})
    result["share_of_peak"] = median(shares)
    return result


def optimizer(bench, key, name, sizes, share):
    """GB/s of the bytes that a step has to move, beside a copy in every round;
    with clipping also the time of ours without."""
    network = tools.OptimizerNetwork(name, "f32", sizes)
    variants = []
    if network.network.clip:
        variants.append(("ours without clipping", tools.OptimizerNetwork(name, "f32", {**sizes, "clip": 0})))
        variants[0][1].compile()
    nbytes = network.network.bytes()
    copies = []
    ours, values, agreement = versus_peers(
        bench, network, [(peer, "f32") for peer in peers.OPTIMIZERS], seconds=3.0, variants=variants,
        after_ours=lambda _: copies.append(bench.measure_copy(200000000)))
    keep_profile(bench, key, network)
    copy, rate = median(copies), nbytes / ours / 1e6
    result = row(key, "ms", ours, values, nbytes / (share * copy) / 1e6 if share else None, agreement=agreement,
                 tensors=len(network.network.shapes), parameters=network.network.elements(), rate=rate, copy=copy)
    result["share_of_peak"] = rate / copy
    return result


def launch(bench, key):
    """Replay of a recipe of 1,000 tiny commands on one thread."""
    def chain(steps):
        network = Network("chain", "f32", {"steps": steps})
        network.compile()
        return network, len(network.report(1)["commands"])

    # A step is a reduction and a difference: two nodes, or one kernel.
    steps = 500
    network, commands = chain(steps)
    if commands != 1000:
        steps = max(1, steps * 1000 // max(1, commands))
        network, commands = chain(steps)
    if not 990 <= commands <= 1010:
        raise Failure("network 'chain' with %d steps has %d commands; expected 990 to 1010" % (steps, commands))
    ours, _, _ = versus_peers(bench, network, [], seconds=0.5, threads=1)
    keep_profile(bench, key, network, threads=1)
    # The peer's nodes are never fused: 500 steps are 1,000 nodes.
    other = Network("chain", "f32", {"steps": 500})
    _, values, agreement = versus_peers(bench, other, [("onnxruntime", "f32")], seconds=0.5, threads=1)
    return row(key, "us", 1e3 * ours, {n: None if v is None else v * 1e3 for n, v in values.items()}, 22.0,
               agreement=agreement, commands=commands)


def start(bench, key):
    network = Network("chain", "f32", {"steps": 1})
    network.compile()
    network.run(bench.threads)
    command = [tools.RUN, network.recipe, *network.inputs, "--threads=%d" % bench.threads]
    runs = 10 if bench.quick else 40
    ours = tools.probe("spawn", bench.clock(), runs, *command)
    nothing = tools.probe("spawn", bench.clock(), runs, "true")
    return row(key, "ms", median(ours), {"a process that does nothing (true)": median(nothing)}, 15.0)


def compile_bert(bench, key):
    """Graph to recipe in memory. The weights are inputs here, so that their
    bytes are neither read nor copied; the detail has the times with them."""
    network = Network("bert-base", "f32", {})
    peer = peers.start("onnxruntime", Network("bert-base", "f32", {}), "f32", bench.threads)
    graph, whole, theirs = [], [], []
    try:
        for _ in range(bench.rounds):
            threads = "--threads=%d" % bench.threads
            graph.append(network.compile_graph(threads)["host_ms"])
            whole.append(network.compile(threads)["host_ms"])
            if peer:
                theirs += peer.create(1)
    finally:
        if peer:
            peer.close()
    return row(key, "ms", median([t["parse"] + t["compile"] for t in graph]),
               {"ONNX Runtime session": median(theirs) if theirs else None}, 40.0,
               graph={part: median([t[part] for t in graph]) for part in ("parse", "compile")},
               with_weights={part: median([t[part] for t in whole]) for part in ("read", "parse", "compile")})


def compile_scaling(bench, key):
    counts = [1000, 10000] if bench.quick else [1000, 10000, 100000]
    times = {}
    for count in counts:
        network = Network("scaling", "f32", {"ops": count})
        reports = [network.compile("--threads=%d" % bench.threads)["host_ms"] for _ in range(3)]
        times[count] = median([r["parse"] + r["compile"] for r in reports])
    return row(key, "x", times[counts[-1]] / times[counts[-2]], {}, 12.0,
               milliseconds={str(count): ms for count, ms in times.items()})


def load(bench, key):
    """Time until the first launch, opening included, plus what the first launch
    takes longer than the others. The recipe runs twice before: the validation
    record of a file that just changed is written by the second run."""
    network = Network("dense", "f32", {"layers": 100})
    network.compile()
    network.run(bench.threads)
    network.run(bench.threads)

    def measured(*options):
        times = network.report(bench.threads, 4, 0, *options)["host_ms"]
        launches = times["run"]["launches"]
        extra = max(0.0, launches[0] - median(launches[1:]))
        return times["read"] + times["load"] + extra, extra

    warm, cold = [], []
    for _ in range(bench.rounds):
        warm.append(measured())
        cold.append(measured("--no-cache")[0])
    keep_profile(bench, key, network)
    return row(key, "ms", median([total for total, _ in warm]), {}, 60.0,
               first_launch_extra=median([extra for _, extra in warm]), without_cache=median(cold))
