"""Writes one step of AdamW in random equal forms, and in forms that are another function, and runs them.

Usage: rewrites.py GAUDI_RUN FOLDER [--cases N] [--seed N]

An equal form must be fused to one gaudi.fused_adamw and give the numbers that it gives without fusion. A form that is
changed in one place must not be fused, whatever else was rewritten.
"""
import argparse
import pathlib
import random
import subprocess
import sys

SHAPES = [(4, 8), (16,), (2, 3, 5), (1,), (1, 1, 7)]
# What makes the step another function.
CHANGES = ["eps inside the root", "no root", "another square", "a larger square", "magnitude instead of square",
           "an old moment", "the largest second moment", "a rate per element", "a gradient term",
           "a square subtracted", "eps subtracted", "a moment read by others", "another gradient"]


class Writer:
    """Ops of the gaudi dialect on tensors of one shape and on single elements."""

    def __init__(self, shape, dice):
        self.shape, self.dice, self.lines, self.count = shape, dice, [], 0

    @staticmethod
    def type(shape, element="f32"):
        return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"

    def emit(self, text, shape, element="f32"):
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return (name, tuple(shape), element)

    def number(self, value, form=None):
        """A constant: spread over the tensor, of single elements, or broadcast."""
        form = self.dice.choice(["full", "single", "broadcast"]) if form is None else form
        if form == "full":
            return self.emit(f"gaudi.constant dense<{value:.9e}> : {self.type(self.shape)}", self.shape)
        if form == "single":
            ones = (1,) * len(self.shape)
            return self.emit(f"gaudi.constant dense<{value:.9e}> : {self.type(ones)}", ones)
        return self.spread(self.emit(f"gaudi.constant dense<{value:.9e}> : tensor<f32>", ()))

    def spread(self, scalar):
        """A tensor<f32> for an elementwise op."""
        if self.dice.random() < 0.5:
            return self.emit(f"gaudi.broadcast {scalar[0]} dims [] : tensor<f32> -> {self.type(self.shape)}", self.shape)
        ones = (1,) * len(self.shape)
        return self.emit(f"gaudi.reshape {scalar[0]} : tensor<f32> -> {self.type(ones)}", ones)

    def reshaped(self, value, shape):
        return self.emit(f"gaudi.reshape {value[0]} : {self.type(value[1])} -> {self.type(shape)}", shape)

    def cast(self, value, element):
        return self.emit(f"gaudi.tpc.cast {value[0]} : {self.type(value[1], value[2])} -> "
                         f"{self.type(value[1], element)}", value[1], element)

    def unary(self, op, a):
        return self.emit(f"gaudi.tpc.{op} {a[0]} : {self.type(a[1])}", a[1])

    def binary(self, op, a, b):
        if op in ("add", "mul", "max") and self.dice.random() < 0.5:
            a, b = b, a
        shape = max(a[1], b[1], key=lambda s: (len(s), eval("*".join(map(str, s)) or "1")))
        flat = self.dice.random() < 0.1 and a[1] == b[1] and len(shape) > 1
        if flat:
            size = eval("*".join(map(str, shape)))
            a, b = self.reshaped(a, (size,)), self.reshaped(b, (size,))
        result = self.emit(f"gaudi.tpc.{op} {a[0]}, {b[0]} : {self.type(a[1])}, {self.type(b[1])} -> "
                           f"{self.type((size,) if flat else shape)}", (size,) if flat else shape)
        return self.reshaped(result, shape) if flat else result

    def mul(self, a, b):
        return self.binary("mul", a, b)

    def add(self, a, b):
        form = self.dice.randrange(5)
        if form == 0:
            return self.binary("sub", a, self.unary("neg", b))
        if form == 1:
            return self.unary("neg", self.binary("sub", self.unary("neg", a), b))
        return self.binary("add", a, b)

    def sub(self, a, b):
        return self.add(a, self.unary("neg", b)) if self.dice.random() < 0.2 else self.binary("sub", a, b)

    def div(self, a, b):
        return self.mul(a, self.unary("reciprocal", b)) if self.dice.random() < 0.3 else self.binary("div", a, b)

    def sqrt(self, a):
        form = self.dice.randrange(4)
        if form == 0:
            return self.binary("pow", a, self.number(0.5, "single"))
        if form == 1:
            return self.unary("reciprocal", self.unary("rsqrt", a))
        return self.unary("sqrt", a)


def scalar_ops(w, beta, step):
    """1 - beta^t on single elements."""
    w1 = Writer((), w.dice)
    w1.lines, w1.count = w.lines, w.count
    power = w1.emit(f"gaudi.tpc.pow {w1.emit(f'gaudi.constant dense<{beta:.9e}> : tensor<f32>', ())[0]}, {step[0]} : "
                    "tensor<f32>, tensor<f32> -> tensor<f32>", ())
    one = w1.emit("gaudi.constant dense<1.0> : tensor<f32>", ())
    result = w1.emit(f"gaudi.tpc.sub {one[0]}, {power[0]} : tensor<f32>, tensor<f32> -> tensor<f32>", ())
    w.count = w1.count
    return result


def average(w, beta, old, new, times=lambda w, c, x: w.mul(c, x)):
    """beta * old + (1 - beta) * new"""
    rest = w.dice.choice([round(1 - beta, 6), 1 - beta])
    form = w.dice.randrange(4)
    if form == 0:
        return w.add(old, w.mul(w.number(rest), w.sub(times(w, w.number(1.0), new), old)))
    if form == 1:
        return w.sub(old, w.mul(w.sub(old, times(w, w.number(1.0), new)), w.number(rest)))
    return w.add(w.mul(w.number(beta), old), times(w, w.number(rest), new))


def square(w, c, g):
    form = w.dice.randrange(4)
    if form == 0:
        return w.mul(w.mul(c, g), g)
    if form == 1:
        return w.mul(c, w.binary("pow", g, w.number(2.0, "single")))
    if form == 2:
        return w.div(w.mul(g, g), w.unary("reciprocal", c))
    return w.mul(c, w.mul(g, g))


def step(dice, change):
    shape = dice.choice(SHAPES[:3] if change == "a rate per element" else SHAPES)
    w = Writer(shape, dice)
    tensor = w.type(shape)
    narrow = {n: dice.random() < 0.15 for n in "gmv"}
    if change:
        narrow = dict.fromkeys("gmv", False)
    p, lr, t = ("%w", shape, "f32"), ("%lr", (), "f32"), ("%t", (), "f32")
    inputs = {n: (f"%{n}", shape, "bf16" if narrow[n] else "f32") for n in "gmv"}
    g, m, v = [w.cast(inputs[n], "f32") if narrow[n] else inputs[n] for n in "gmv"]
    beta1, beta2 = dice.choice([(0.9, 0.999), (0.95, 0.98), (0.8, 0.99), (0.5, 0.75)])
    second = g
    if change == "another square":
        second = w.mul(g, p)
    elif change == "another gradient":
        second = w.add(g, p)
    new_m = average(w, beta1, m, g)
    if change == "magnitude instead of square":
        new_v = average(w, beta2, v, w.unary("abs", second))
    elif change == "a larger square":
        new_v = w.add(w.mul(w.number(beta2), v), square(w, w.number(2 * (1 - beta2)), second))
    elif change == "a square subtracted":
        new_v = w.sub(w.mul(w.number(beta2), v), square(w, w.number(1 - beta2), second))
    else:
        new_v = average(w, beta2, v, second, square)
    top = m if change == "an old moment" else new_m
    bottom = w.binary("max", new_v, v) if change == "the largest second moment" else new_v
    rate, corrected = lr, dice.random() < 0.7
    if corrected:
        c1, c2 = scalar_ops(w, beta1, t), scalar_ops(w, beta2, t)
        top = w.div(top, w.spread(c1))
    if change == "eps inside the root":
        bottom = w.add(bottom, w.number(1e-4))
    if corrected and dice.random() < 0.5:
        root = w.sqrt(w.div(bottom, w.spread(c2)))
    else:
        root = bottom if change == "no root" else w.sqrt(bottom)
        if corrected:
            root = w.div(root, w.sqrt(w.spread(c2)))
    if change == "no root":
        root = w.add(bottom, w.number(0.5))
    if change == "eps subtracted":
        root = w.binary("sub", root, w.number(1e-3))
    elif change != "eps inside the root" and (dice.random() < 0.9 or change):
        root = w.add(root, w.number(dice.choice([1e-6, 1e-3])))
    update = w.div(top, root)
    if change == "a gradient term":
        update = w.add(update, w.mul(g, w.number(0.1)))
    rate = w.mul(w.spread(lr), g) if change == "a rate per element" else w.spread(lr)
    decay = dice.randrange(4)
    if decay == 0:
        new_p = w.sub(p, w.mul(rate, update))
    elif decay == 1:
        new_p = w.sub(p, w.mul(rate, w.add(update, w.mul(w.number(0.01), p))))
    elif decay == 2 and change != "a rate per element":
        kept = w.sub(w.number(1.0), w.mul(w.spread(lr), w.number(0.01)))
        new_p = w.sub(w.mul(p, kept), w.mul(rate, update))
    else:
        new_p = w.sub(w.sub(p, w.mul(rate, update)), w.mul(w.mul(rate, w.number(0.01)), p))
    results = [new_p] + [w.cast(x, "bf16") if narrow[n] else x for n, x in zip("mv", (new_m, new_v))]
    if change == "a moment read by others":
        results.append(w.unary("exp", top if corrected else update))
    parameters = ", ".join([f"%w: {tensor}", *(f"%{n}: {w.type(shape, inputs[n][2])}" for n in "gmv"),
                            "%lr: tensor<f32>", "%t: tensor<f32>"])
    types = ", ".join(w.type(*r[1:]) for r in results)
    body = "\n".join(w.lines)
    return (f"func.func @step({parameters}) -> ({types}) {{\n{body}\n"
            f"  return {', '.join(r[0] for r in results)} : {types}\n}}\n"), len(results)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gaudi_run")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for case in range(args.cases):
        change = CHANGES[case // 2 % len(CHANGES)] if case % 2 else None
        text, count = step(random.Random(args.seed * 1000 + case), change)
        model = args.folder / f"case{case}.mlir"
        model.write_text(f"// {change or 'equal'}\n{text}")
        base = [args.gaudi_run, str(model), "--input=1=0.25", "--input=4=0.01", "--input=5=3", "--seed-inputs=1"]
        if "a square subtracted" == change or "eps subtracted" == change:
            base.append("--input=3=0.5")
        else:
            base.append("--input=3=0.1")
        base.remove("--input=1=0.25")
        outputs = [args.folder / f"case{case}.{i}.npy" for i in range(count)]
        commands = [[*base, "--disable-fusion=adamw,sgd,tpc", *(f"--output=out{i}=@{o}" for i, o in enumerate(outputs))],
                    [*base, f"--require-fusion=adamw:{0 if change else 1}", "--check",
                     *(f"--expect=out{i}=@{o}" for i, o in enumerate(outputs))]]
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if done.returncode:
                print(f"FAILED case {case} ({change or 'equal'}): {(done.stderr + done.stdout).strip()[-800:]}")
                failed += 1
                break
    print(f"{args.cases} cases, {failed} failed")
    return 1 if failed or not args.cases else 0


if __name__ == "__main__":
    sys.exit(main())
