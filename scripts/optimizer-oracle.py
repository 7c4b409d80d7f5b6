#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the optimizer ops with torch.optim and with the formulas of Gaudi's bridge, over 100 steps.

Usage: optimizer-oracle.py --write                 compute the expected values (needs PyTorch) and keep them
       optimizer-oracle.py --gaudi-run PATH [CASE...]  run the ops and compare with what was kept

The parameters are a matrix, a vector, a scalar and an empty tensor; gradients are sines, ten sets in turn. The
expected values, parameters and state after the last step in float64, are in scripts/oracle/optimizers.json: those of
the torch cases come from torch.optim and torch.nn.utils.clip_grad_norm_ in float64, those of the others from NumPy.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

KEPT = pathlib.Path(__file__).resolve().parent / "oracle" / "optimizers.json"
STEPS, SETS = 100, 10
SHAPES = [(6, 8), (13,), (), (0, 3)]
LR, BETA1, BETA2, WD = 0.01, 0.9, 0.99, 0.1
LIMIT = 1.5  # of the norm of gradients


def starts():
    return [np.float32(np.cos(1.3 * i + np.arange(math.prod(s))) * 0.5).reshape(s) for i, s in enumerate(SHAPES)]


def gradients():
    """By parameter, [SETS, ...]."""
    return [np.float32(np.sin(0.7 * i + 0.37 * np.arange(SETS * math.prod(s))) * 0.6).reshape((SETS, *s))
            for i, s in enumerate(SHAPES)]


def bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000
    return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def norm(tensors):
    return math.sqrt(sum(float((np.float64(t) ** 2).sum()) for t in tensors))


# -- expected values: {list: arrays} ---------------------------------------------------------------------------------

def torch_case(make, clip=False):
    import torch
    weights = [torch.tensor(w, dtype=torch.float64, requires_grad=True) for w in starts()]
    data = [torch.tensor(g, dtype=torch.float64) for g in gradients()]
    optimizer, lists = make(torch.optim, weights)
    total = None
    for t in range(STEPS):
        for w, g in zip(weights, data):
            w.grad = g[t % SETS].clone()
        if clip:
            total = torch.nn.utils.clip_grad_norm_(weights, LIMIT)
        optimizer.step()
    found = {"w": [w.detach().numpy() for w in weights]}
    for name, key in lists.items():
        found[name] = [optimizer.state[w][key].numpy() for w in weights]
    if clip:
        found["total"] = [total.numpy()]
    return found


def bridge_adamw(narrow):
    """Bridge: eps on the uncorrected root; w' from moments before they are rounded."""
    lists = {"w": [np.float64(w) for w in starts()]}
    lists["m"] = [np.zeros_like(w) for w in lists["w"]]
    lists["v"] = [np.zeros_like(w) for w in lists["w"]]
    store = bf16 if narrow else (lambda x: x)
    for t in range(STEPS):
        a = LR * math.sqrt(1 - BETA2 ** (t + 1)) / (1 - BETA1 ** (t + 1))
        for i, data in enumerate(gradients()):
            g = np.float64(data[t % SETS])
            m = BETA1 * lists["m"][i] + (1 - BETA1) * g
            v = BETA2 * lists["v"][i] + (1 - BETA2) * g * g
            lists["w"][i] = lists["w"][i] * (1 - LR * WD) - a * (m / (np.sqrt(v) + 1e-6))
            lists["m"][i], lists["v"][i] = store(m), store(v)
    return lists


def bridge_lamb(decay):
    lists = {"w": [np.float64(w) for w in starts()]}
    lists["m"] = [np.zeros_like(w) for w in lists["w"]]
    lists["v"] = [np.zeros_like(w) for w in lists["w"]]
    for t in range(STEPS):
        now = [np.float64(g[t % SETS]) for g in gradients()]
        clip = max(1.0, norm(now) / LIMIT)
        for i, g in enumerate(now):
            g = g / clip
            w = lists["w"][i]
            m = BETA1 * lists["m"][i] + (1 - BETA1) * g
            v = BETA2 * lists["v"][i] + (1 - BETA2) * g * g
            s = (m / (1 - BETA1 ** (t + 1))) / (np.sqrt(v / (1 - BETA2 ** (t + 1))) + 1e-6) + decay * w
            ratio = norm([w]) / norm([s]) if decay and norm([s]) > 0 else 1.0
            lists["w"][i], lists["m"][i], lists["v"][i] = w - LR * ratio * s, m, v
    return lists


def bridge_ema():
    averages = [np.float64(w) for w in starts()]
    for t in range(STEPS):
        d = 0.9999 * (1 - math.exp(-(t + 1) / 2000))
        averages = [a * d + (1 - d) * np.float64(g[t % SETS]) for a, g in zip(averages, gradients())]
    return {"w": averages}


def torch_adamw(optim, w):
    return (optim.AdamW(w, lr=LR, betas=(BETA1, BETA2), eps=1e-8, weight_decay=WD),
            {"m": "exp_avg", "v": "exp_avg_sq"})


def torch_adam(optim, w):
    return optim.Adam(w, lr=LR, betas=(BETA1, BETA2), eps=1e-8, weight_decay=WD), {"m": "exp_avg", "v": "exp_avg_sq"}


def torch_sgd(**options):
    lists = {"b": "momentum_buffer"} if options.get("momentum") else {}
    return lambda optim, w: (optim.SGD(w, lr=LR, **options), lists)


def torch_adagrad(optim, w):
    return optim.Adagrad(w, lr=LR, lr_decay=0.01, weight_decay=WD, eps=1e-10), {"s": "sum"}


# -- the ops ---------------------------------------------------------------------------------------------------------

def corrected(t):
    return LR * math.sqrt(1 - BETA2 ** (t + 1)) / (1 - BETA1 ** (t + 1))


def op(name, names, scalars, attributes, clip=False, types=None):
    """`names`: [(keyword, list)], the gradients first; `scalars`: [(keyword, function of the step)]."""
    return {"name": name, "names": names, "scalars": scalars, "attributes": attributes, "clip": clip,
            "types": types or {}}


def adamw(eps, decay, extra="", **options):
    return op("fused_adamw", [("gradients", "g"), ("parameters", "w"), ("exp_avgs", "m"), ("exp_avg_sqs", "v")],
              [("step_size", corrected), ("eps", eps), ("decay", lambda t: decay)],
              "{beta1 = %r : f64, beta2 = %r : f64%s}" % (BETA1, BETA2, extra), **options)


def sgd(attributes="", buffers=False, first=False):
    scalars = [("lr", lambda t: LR)] + ([("first_step", lambda t: t == 0)] if first else [])
    lists = [("gradients", "g"), ("parameters", "w")] + ([("momentum_buffers", "b")] if buffers else [])
    return op("fused_sgd", lists, scalars, attributes)


def lamb(attributes):
    return op("fused_lamb", [("gradients", "g"), ("parameters", "w"), ("exp_avgs", "m"), ("exp_avg_sqs", "v")],
              [("lr", lambda t: LR), ("bias_correction1", lambda t: 1 - BETA1 ** (t + 1)),
               ("bias_correction2", lambda t: 1 - BETA2 ** (t + 1)), ("max_grad_norm", lambda t: LIMIT)],
              "grad_averaging {beta1 = %r : f64, beta2 = %r : f64, eps = 1.0e-6 : f64%s}" % (BETA1, BETA2, attributes))


def torch_eps(t):
    return 1e-8 * math.sqrt(1 - BETA2 ** (t + 1))


BRIDGE_EPS, TORCH_DECAY = (lambda t: 1e-6), 1 - LR * WD
CASES = {
    "adamw-torch": (lambda: torch_case(torch_adamw), adamw(torch_eps, TORCH_DECAY)),
    "adamw-clip": (lambda: torch_case(torch_adamw, clip=True), adamw(torch_eps, TORCH_DECAY, clip=True)),
    "adam-l2": (lambda: torch_case(torch_adam), adamw(torch_eps, 1.0, ", l2 = %r : f64" % WD)),
    "adamw-bridge": (lambda: bridge_adamw(False), adamw(BRIDGE_EPS, TORCH_DECAY)),
    "adamw-bf16": (lambda: bridge_adamw(True),
                   adamw(BRIDGE_EPS, TORCH_DECAY, types={"m": "bf16", "v": "bf16"})),
    "sgd": (lambda: torch_case(torch_sgd()), sgd()),
    "sgd-decay": (lambda: torch_case(torch_sgd(weight_decay=WD)), sgd("{weight_decay = %r : f64}" % WD)),
    "sgd-momentum": (lambda: torch_case(torch_sgd(momentum=0.9, dampening=0.3, weight_decay=WD)),
                     sgd("{momentum = 0.9 : f64, dampening = 0.3 : f64, weight_decay = %r : f64}" % WD, True, True)),
    "sgd-nesterov": (lambda: torch_case(torch_sgd(momentum=0.9, nesterov=True)),
                     sgd("nesterov {momentum = 0.9 : f64}", True)),
    "adagrad": (lambda: torch_case(torch_adagrad),
                op("fused_adagrad", [("gradients", "g"), ("parameters", "w"), ("sums", "s")],
                   [("lr", lambda t: LR / (1 + t * 0.01))], "{eps = 1.0e-10 : f64, weight_decay = %r : f64}" % WD)),
    "lamb": (lambda: bridge_lamb(WD), lamb(", weight_decay = %r : f64" % WD)),
    "lamb-plain": (lambda: bridge_lamb(0), lamb("")),
    "ema": (bridge_ema, op("fused_ema", [("values", "g"), ("averages", "w")],
                           [("decay", lambda t: 0.9999 * (1 - math.exp(-(t + 1) / 2000)))], "")),
}


def tensor(shape, element):
    return "tensor<%s>" % "x".join([*map(str, shape), element])


def module(case):
    """The text of the model; its inputs are all lists, then the scalars."""
    def types(name):
        return [tensor(s, case["types"].get(name, "f32")) for s in SHAPES]

    def values(name):
        return ["%%%s%d" % (name, i) for i in range(len(SHAPES))]
    states = [name for _, name in case["names"][1:]]
    arguments, results, number = [], [], 0
    for name in ["g"] + states:
        for value, kind in zip(values(name), types(name)):
            arguments.append("%s: %s" % (value, kind))
            if name != "g":
                arguments[-1] += " {gaudi.state = %d : i64}" % number
                results.append(kind)
                number += 1
    flags = [(keyword, "i1" if keyword == "first_step" else "f32") for keyword, _ in case["scalars"]]
    arguments += ["%%%s: tensor<%s>" % flag for flag in flags]
    operands = [kind for name in ["g"] + states for kind in types(name)] + ["tensor<%s>" % kind for _, kind in flags]
    words = ["%s(%s)" % (keyword, ", ".join(values(name))) for keyword, name in case["names"]]
    words += ["%s %%%s" % (keyword, keyword) for keyword, _ in flags]
    body, total = [], []
    if case["clip"]:
        arguments.append("%limit: tensor<f32>")
        body.append("%%c:%d = gaudi.fused_clip_norm gradients(%s) max_norm %%limit {eps = 1.0e-6 : f64} "
                    ": (%s, tensor<f32>) -> (%s, tensor<f32>, tensor<f32>)"
                    % (len(SHAPES) + 2, ", ".join(values("g")), ", ".join(types("g")), ", ".join(types("g"))))
        words.append("grad_scale %%c#%d" % (len(SHAPES) + 1))
        operands.append("tensor<f32>")
        total = ["%%c#%d" % len(SHAPES)]
    body.append("%%o:%d = gaudi.%s %s %s : (%s) -> (%s)" % (
        number, case["name"], " ".join(words), case["attributes"], ", ".join(operands), ", ".join(results)))
    returned = ["%%o#%d" % i for i in range(number)] + total
    kinds = results + ["tensor<f32>"] * len(total)
    return "func.func @main(%s) -> (%s) {\n  %s\n  return %s : %s\n}\n" % (
        ", ".join(arguments), ", ".join(kinds), "\n  ".join(body), ", ".join(returned), ", ".join(kinds))


def check(name, gaudi_run, folder):
    """None if the ops agree after the last step, else what differs."""
    case = CASES[name][1]
    expected = json.loads(KEPT.read_text())[name]
    (folder / "model.mlir").write_text(module(case))
    inputs = gradients() + starts()
    for _ in case["names"][2:]:
        inputs += [np.zeros(s, np.float32) for s in SHAPES]
    command = [gaudi_run, str(folder / "model.mlir"), "--steps=%d" % STEPS]
    for i, array in enumerate(inputs):
        if i >= 2 * len(SHAPES):  # moments, in any type
            command.append("--input=arg%d=0" % i)
            continue
        np.save(folder / ("in%d.npy" % i), array)
        command.append("--input=arg%d=@%s" % (i, folder / ("in%d.npy" % i)))
    scalars = [np.array([function(t) for t in range(STEPS)]) for _, function in case["scalars"]]
    scalars += [np.float32([LIMIT])] if case["clip"] else []
    for i, array in enumerate(scalars, len(inputs)):
        kind = np.bool_ if array.dtype == np.bool_ else np.float32
        np.save(folder / ("in%d.npy" % i), array.astype(kind))
        command.append("--input=arg%d=@%s" % (i, folder / ("in%d.npy" % i)))
    flat = [values for list_ in expected.values() for values in list_]
    command += ["--output=out%d=@%s" % (i, folder / ("out%d.npy" % i)) for i in range(len(flat))]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        return done.stdout.strip()
    narrow = bool(case["types"])
    for i, values in enumerate(flat):
        got = np.load(folder / ("out%d.npy" % i))
        if got.dtype == np.uint16 or got.dtype.kind == "V":
            got = (got.ravel().view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        want = np.array(values).ravel()
        allowed = (1e-2 if narrow else 2e-5) * (np.abs(want).max(initial=0) + np.abs(want))
        wrong = ~(np.abs(got.ravel().astype(np.float64) - want) <= allowed)
        if wrong.any():
            at = int(np.argmax(wrong))
            return "output %d, element %d: got %r, expected %r" % (i, at, float(got.ravel()[at]), float(want[at]))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--gaudi-run", metavar="PATH")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    given = parser.parse_args()
    if given.write:
        found = {name: {key: [np.asarray(a).ravel().tolist() for a in arrays] for key, arrays in expect().items()}
                 for name, (expect, _) in CASES.items()}
        lines = ["%s: %s" % (json.dumps(name), json.dumps(lists)) for name, lists in found.items()]
        KEPT.write_text("{%s}\n" % ",\n ".join(lines))
        return 0
    if not given.gaudi_run:
        parser.error("give --write or --gaudi-run")
    failures = 0
    for name in given.cases or CASES:
        if name not in CASES:
            parser.error("no case '%s'; there are: %s" % (name, ", ".join(CASES)))
        with tempfile.TemporaryDirectory() as folder:
            problem = check(name, given.gaudi_run, pathlib.Path(folder))
        print("%s: %s" % (name, problem or "agrees after %d steps" % STEPS))
        failures += problem is not None
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
