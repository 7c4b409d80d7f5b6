#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes training steps with the optimizers of optax or of PyTorch, and the parameters after 100 of them.

Usage: optimizer-corpus.py jax|torch FOLDER [NAME...]

The model is an MLP with tanh on one seeded batch; the step takes parameters, the optimizer's state, inputs and targets,
and gives new parameters and state. `jax` needs optax and writes StableHLO; `torch` needs torch-mlir and writes linalg
on tensors, and TOSA for some. Run it in an environment that has them. test/Transforms/Fusion/Optimizers has what it
wrote with jax 0.10.2, optax 0.2.8, torch 2.13.0, torch-mlir 20261001.
"""
import argparse
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from seeded import seeded  # noqa: E402 (the path is set above)

STEPS = 100
SHAPES = {"b1": (16,), "b2": (4,), "s": (1,), "w1": (8, 16), "w2": (16, 4)}
BATCH = {"x": (32, 8), "y": (32, 4)}


def header(name, versions, fused, state):
    return (f"// {name}: written by scripts/optimizer-corpus.py with {versions}\n// fused: {fused}\n"
            f"// params: {len(SHAPES)} state: {state}\n")


def inputs(state):
    """Seeded parameters, and the batch after `state` inputs."""
    first = [seeded(s, "f32", i, 1) for i, s in enumerate(SHAPES.values())]
    return first, [seeded(s, "f32", state + i, 1) for i, s in enumerate(BATCH.values())]


def jax_cases():
    import jax
    import optax

    def matrices(tree):
        return jax.tree.map(lambda leaf: leaf.ndim > 1, tree)

    clip, cosine = optax.clip_by_global_norm(0.5), optax.cosine_decay_schedule(1e-2, 200)
    warmup = optax.warmup_cosine_decay_schedule(0., 1e-2, 10, 100)
    decay = optax.exponential_decay(0.05, 50, 0.9)
    return {
        "adamw": (optax.adamw(1e-2, weight_decay=0.01), "adamw:1"),
        "adam": (optax.adam(1e-2), "adamw:1"),
        "adam_l2": (optax.chain(optax.add_decayed_weights(0.01), optax.adam(1e-2)), "adamw:1"),
        "adam_eps_root": (optax.adam(1e-2, eps_root=1e-4), "adamw:0"),
        "amsgrad": (optax.amsgrad(1e-2), "adamw:0"),
        "nadam": (optax.nadam(1e-2), "adamw:0"),
        "lamb_clip": (optax.chain(clip, optax.lamb(1e-2, weight_decay=0.01)), "adamw:0,clip_norm:1"),
        "clip_adamw_cosine": (optax.chain(clip, optax.adamw(cosine, weight_decay=0.01)), "adamw:1,clip_norm:1"),
        "clip_adamw_groups": (optax.chain(clip, optax.adamw(warmup, weight_decay=0.01, mask=matrices)),
                              "adamw:2,clip_norm:1"),
        "adamw_flat": (optax.flatten(optax.adamw(1e-2, weight_decay=0.01)), "adamw:1"),
        "sgd": (optax.sgd(0.05), "sgd:1"),
        "sgd_momentum_wd_clip": (optax.chain(clip, optax.add_decayed_weights(0.01), optax.sgd(0.05, momentum=0.9)),
                                 "sgd:1,clip_norm:1"),
        "sgd_nesterov_schedule": (optax.chain(optax.add_decayed_weights(0.01),
                                              optax.sgd(decay, momentum=0.9, nesterov=True)), "sgd:1"),
    }


def write_jax(folder, names):
    import jax
    import jax.numpy as jnp
    import optax

    def loss(p, x, y):
        out = (jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]) * p["s"]
        return jnp.mean((out - y) ** 2)

    for name, (optimizer, fused) in jax_cases().items():
        if names and name not in names:
            continue
        first = {key: jnp.zeros(shape) for key, shape in SHAPES.items()}
        flat, tree = jax.tree.flatten((first, optimizer.init(first)))

        def step(*args):
            p, state = jax.tree.unflatten(tree, args[:-2])
            updates, state = optimizer.update(jax.grad(loss)(p, *args[-2:]), state, p)
            return jax.tree.leaves((optax.apply_updates(p, updates), state))

        values, batch = inputs(len(flat))
        program = jax.jit(step, keep_unused=True)
        text = program.lower(*flat, *batch).compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
        versions = f"jax {jax.__version__}, optax {optax.__version__}"
        (folder / f"{name}.mlir").write_text(header(name, versions, fused, len(flat)) + text)
        values = [*values, *flat[len(values):]]
        for _ in range(STEPS):
            values = program(*values, *batch)
        for i in range(len(SHAPES)):
            np.save(folder / f"{name}.out{i}.npy", np.asarray(values[i]))


def torch_gradients(p, x, y):
    b1, b2, s, w1, w2 = p
    h = (x @ w1 + b1).tanh()
    out = h @ w2 + b2
    dz = (out * s - y) * (2.0 / y.numel())
    do = dz * s
    dh = (do @ w2.t()) * (1 - h * h)
    return [dh.sum(0), do.sum(0), (dz * out).sum().reshape(1), x.t() @ dh, h.t() @ do]


def torch_adam(decoupled=True, decay=0.01, maximize=False, clip=False):
    """torch.optim's _single_tensor_adam, with one step counter for all parameters."""
    import torch

    def step(p, state, x, y):
        count = len(p)
        m, v, t = list(state[:count]), list(state[count:2 * count]), state[-1] + 1
        gradients = torch_gradients(p, x, y)
        if clip:
            norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in gradients]))
            scale = torch.clamp(0.5 / (norm + 1e-6), max=1.0)
            gradients = [g * scale for g in gradients]
        new = []
        for i, (w, g) in enumerate(zip(p, gradients)):
            g = -g if maximize else g
            if decay and decoupled:
                w = w.mul(1 - 1e-2 * decay)
            elif decay:
                g = g.add(w, alpha=decay)
            m[i] = m[i].lerp(g, 1 - 0.9)
            v[i] = v[i].mul(0.999).addcmul(g, g, value=1 - 0.999)
            c1, c2 = 1 - 0.9 ** t, 1 - 0.999 ** t
            step_size = 1e-2 / c1
            denominator = (v[i].sqrt() / (c2.sqrt() * -step_size)).add(1e-8 / -step_size)
            new.append(w.addcdiv(m[i], denominator))
        return [*new, *m, *v, t]
    return step


def torch_gaudi():
    """The formula of Gaudi's FusedAdamW."""
    def step(p, state, x, y):
        count = len(p)
        m, v, t = list(state[:count]), list(state[count:2 * count]), state[-1] + 1
        negative = -(1e-2 * (1 - 0.999 ** t).sqrt() / (1 - 0.9 ** t))
        new = []
        for i, (w, g) in enumerate(zip(p, torch_gradients(p, x, y))):
            m[i] = m[i] * 0.9 + g * (1 - 0.9)
            v[i] = v[i] * 0.999 + (g * g) * (1 - 0.999)
            new.append(w * (1 - 1e-2 * 0.01) + (m[i] / (v[i].sqrt() + 1e-6)) * negative)
        return [*new, *m, *v, t]
    return step


def torch_sgd(**options):
    """torch.optim.SGD itself, which works on copies."""
    from torch.optim.sgd import sgd

    def step(p, state, x, y):
        gradients = torch_gradients(p, x, y)
        p, buffers = [w.clone() for w in p], [b.clone() for b in state]
        sgd(p, gradients, buffers, foreach=False, has_sparse_grad=False, fused=False,
            grad_scale=None, found_inf=None, lr=0.05, momentum=0.9, maximize=False,
            **{"weight_decay": 0.0, "dampening": 0.0, "nesterov": False, **options})
        return [*p, *buffers]
    return step


def torch_cases():
    return {
        "adamw": (torch_adam(), 2, "adamw:1"),
        "adam": (torch_adam(decay=0), 2, "adamw:1"),
        "adam_l2": (torch_adam(decoupled=False), 2, "adamw:1"),
        "adamw_maximize": (torch_adam(maximize=True), 2, "adamw:1"),
        "adamw_clip": (torch_adam(clip=True), 2, "adamw:1,clip_norm:1"),
        "gaudi": (torch_gaudi(), 2, "adamw:1"),
        "sgd_dampening": (torch_sgd(dampening=0.1, weight_decay=0.01), 1, "sgd:1"),
        "sgd_nesterov": (torch_sgd(nesterov=True, weight_decay=0.01), 1, "sgd:1"),
    }


def write_torch(folder, names):
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch_mlir import fx

    for name, (step, lists, fused) in torch_cases().items():
        if names and name not in names:
            continue
        count = len(SHAPES)
        state = [np.zeros(s, np.float32) for _ in range(lists) for s in SHAPES.values()]
        state += [np.zeros((), np.float32)] if lists == 2 else []
        total = count + len(state)
        first, batch = inputs(total)
        args = [torch.tensor(a) for a in [*first, *state, *batch]]

        def flat(*a):
            return tuple(step(list(a[:count]), list(a[count:total]), *a[total:]))

        module = make_fx(torch.func.functionalize(flat, remove="mutations"))(*args)
        versions = f"torch {torch.__version__}"
        for form in ["linalg-on-tensors", *(["tosa"] if name == "gaudi" else [])]:
            text = str(fx.export_and_import(module, *args, output_type=form))
            short = form.split("-")[0]
            (folder / f"{name}.{short}.mlir").write_text(header(name, versions, fused, total) + text)
        values = args[:total]
        for _ in range(STEPS):
            values = flat(*values, *args[total:])
        for i in range(count):
            np.save(folder / f"{name}.out{i}.npy", values[i].numpy())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("framework", choices=["jax", "torch"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    (write_jax if args.framework == "jax" else write_torch)(args.folder, args.names)


if __name__ == "__main__":
    main()
