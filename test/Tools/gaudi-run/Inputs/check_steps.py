"""Trains with numpy in float64 and compares with what gaudi-run printed and wrote.

usage: check_steps.py sgd|adam STEPS LOG FOLDER
Reads the inputs from x.npy and y.npy of FOLDER (one value for each step, which start over), the
last state from w.npy (Adam: also m.npy and v.npy), and the losses from the lines
"step N: loss VALUE" of LOG.
"""
import re
import sys

import numpy as np

method, steps, log, folder = sys.argv[1:]
steps = int(steps)
printed = re.findall(r"^step (\d+): loss (\S+)$", open(log).read(), re.M)
if [int(number) for number, _ in printed] != list(range(1, steps + 1)):
    sys.exit(f"expected one loss for each of {steps} steps but got {printed}")


def load(name):
    return np.load(f"{folder}/{name}.npy").astype(np.float64)


losses = []
if method == "sgd":
    xs, ys, w = load("x"), load("y"), np.zeros(3)
    for i in range(steps):
        x, y = xs[i % len(xs)], ys[i % len(ys)]
        e = x @ w - y
        losses.append((e * e).mean())
        w = w - 0.025 * (x.T @ e)
    state = {"w": w}
else:
    y = load("y")
    w, m, v = np.zeros(4), np.zeros(4), np.zeros(4)
    for i in range(1, steps + 1):
        e = w - y
        losses.append((e * e).sum())
        g = 2 * e
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w = w - 0.125 * (m / (1 - 0.9**i)) / (np.sqrt(v / (1 - 0.999**i)) + 1e-8)
    state = {"w": w, "m": m, "v": v}

np.testing.assert_allclose([float(value) for _, value in printed], losses, rtol=1e-4)
for name, value in state.items():
    np.testing.assert_allclose(load(name), value, rtol=1e-4, atol=1e-5)
if not losses[-1] < losses[0] / 2:
    sys.exit(f"the loss did not fall: {losses[0]} to {losses[-1]}")
