"""Writes steps of optimizers and clipped norms with a round trip through a narrow type at one edge, and runs them.

Usage: roundings.py GAUDI_RUN FOLDER

A rounding inside a step stays, whatever the types in which weights and moments are stored: fused or not, the numbers
are those without fusion.
"""
import pathlib
import subprocess
import sys

N = 64


class Writer:
    def __init__(self, edge, narrow):
        self.edge, self.narrow, self.lines = edge, narrow, []

    def emit(self, text):
        self.lines.append(f"  %v{len(self.lines)} = {text}")
        return f"%v{len(self.lines) - 1}"

    def number(self, value):
        return self.emit(f"gaudi.constant dense<{value:.9e}> : tensor<1xf32>")

    def binary(self, op, a, b, n=N, m=N):
        return self.emit(f"gaudi.tpc.{op} {a}, {b} : tensor<{n}xf32>, tensor<{m}xf32> -> tensor<{n}xf32>")

    def scaled(self, a, value):
        return self.binary("mul", a, self.number(value), m=1)

    def sum(self, a):
        return self.emit(f"gaudi.tpc.reduce <sum> {a} dims [0] keep_dims : tensor<{N}xf32> -> tensor<1xf32>")

    def cast(self, a, to, n=N, of="f32"):
        return self.emit(f"gaudi.tpc.cast {a} : tensor<{n}x{of}> -> tensor<{n}x{to}>")

    def at(self, edge, value, n=N):
        """The value, rounded if this is the edge."""
        if edge != self.edge:
            return value
        return self.cast(self.cast(value, self.narrow, n), "f32", n, self.narrow)


def adamw(w, old, m, v):
    g = w.at("g", "%g")
    new_m = w.binary("add", w.scaled(w.at("m", m), 0.9), w.scaled(w.at("g of m", g), 0.1))
    gv = w.at("g of v", g)
    square = w.at("square", w.binary("mul", gv, gv))
    new_v = w.binary("add", w.scaled(w.at("v", v), 0.99), w.scaled(square, 0.01))
    root = w.emit(f"gaudi.tpc.sqrt {w.at('new v', new_v)} : tensor<{N}xf32>")
    root = w.binary("add", w.at("root", root), w.number(1e-6), m=1)
    update = w.at("update", w.binary("div", w.at("new m", new_m), root))
    step = w.at("step", w.binary("mul", update, w.at("lr", "%lr", 1), m=1))
    return [w.binary("sub", w.at("w", old), step), new_m, new_v]


def sgd(w, old, b, _):
    g = w.at("g", w.binary("add", w.at("raw g", "%g"), w.at("decay", w.scaled(old, 0.01))))
    new = w.binary("add", w.scaled(w.at("b", b), 0.9), g)
    step = w.at("step", w.binary("mul", w.at("new b", new), "%lr", m=1))
    return [w.binary("sub", w.at("w", old), step), new]


def clip(w, *_):
    square = w.at("square", w.binary("mul", "%g", "%g"))
    norm = w.at("norm", w.emit(f"gaudi.tpc.sqrt {w.at('sum', w.sum(square), 1)} : tensor<1xf32>"), 1)
    bound = w.at("bound", w.binary("div", "%lr", w.binary("add", norm, w.number(1e-6), 1, 1), 1, 1), 1)
    scale = w.at("scale", w.binary("min", bound, w.number(1.0), 1, 1), 1)
    return [w.at("clipped", w.binary("mul", w.at("g", "%g"), scale, m=1))]


STEPS = {
    "adamw": (adamw, "mv", ["g", "m", "g of m", "g of v", "square", "v", "new v", "root", "new m", "update", "step", "lr", "w"]),
    "sgd": (sgd, "m", ["raw g", "decay", "g", "b", "new b", "step", "w"]),
    "clip_norm": (clip, "", ["square", "sum", "norm", "bound", "scale", "g", "clipped"]),
}
# The rounded value is the op's operand, or rounds its result.
KEPT = {("adamw", "g"), ("adamw", "lr"), ("sgd", "raw g"), ("sgd", "decay"), ("sgd", "g"), ("clip_norm", "clipped")}


def write(name, edge, narrow, stored, weight):
    step, states, _ = STEPS[name]
    w = Writer(edge, narrow)
    types = [weight] + [stored] * len(states)
    olds = [w.cast(f"%{s}", "f32", of=t) if t != "f32" else f"%{s}" for s, t in zip("w" + states, types)]
    results = step(w, *(olds + [None, None])[:3])
    results = [w.cast(r, t) if t != "f32" else r for r, t in zip(results, types)]
    tensors = ", ".join(f"tensor<{N}x{t}>" for t in types)
    parameters = ", ".join(f"%{n}: tensor<{N}x{t}>" for n, t in
                           zip("wgmv", [weight, "f32", *(stored if n in states else "f32" for n in "mv")]))
    body = "\n".join(w.lines)
    return (f"func.func @main({parameters}, %lr: tensor<1xf32>) -> ({tensors}) {{\n{body}\n"
            f"  return {', '.join(results)} : {tensors}\n}}\n"), len(results)


def main():
    gaudi_run, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    edges = [(n, e) for n, s in STEPS.items() for e in s[2]]
    cases = [(n, e, ("bf16", "f16")[i % 2], "f32", "f32") for i, (n, e) in enumerate(edges)]
    for name, edge, narrow in [("adamw", "new m", "bf16"), ("adamw", "new v", "f16"), ("sgd", "new b", "bf16")]:
        cases += [(name, edge, narrow, narrow, "f32"), (name, edge, narrow, narrow, narrow)]
    cases += [(name, None, "bf16", "f32", "f32") for name in STEPS]
    cases += [(name, None, "bf16", "bf16", "bf16") for name in ("adamw", "sgd")]
    failed = fused = 0
    for number, (name, edge, narrow, stored, weight) in enumerate(cases):
        text, count = write(name, edge, narrow, stored, weight)
        model = folder / f"case{number}.mlir"
        model.write_text(text)
        base = [gaudi_run, str(model), "--seed-inputs=1", "--input=3=0.1", "--input=4=0.7"]
        outputs = [folder / f"case{number}.{i}.npy" for i in range(count)]
        keeps = edge is None or (name, edge) in KEPT
        fused += keeps
        commands = [[*base, "--disable-fusion=adamw,sgd,clip_norm,tpc",
                     *(f"--output=out{i}=@{o}" for i, o in enumerate(outputs))],
                    [*base, f"--require-fusion={name}:{1 if keeps else 0}",
                     "--check",
                     *(f"--expect=out{i}=@{o}" for i, o in enumerate(outputs))]]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if done.returncode:
                print(f"FAILED case {number} ({name}, {narrow} at {edge}, states {stored}, weight {weight}): "
                      f"{(done.stderr + done.stdout).strip()[-600:]}")
                failed += 1
                break
    print(f"{len(cases)} cases, {fused} of them fused, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
