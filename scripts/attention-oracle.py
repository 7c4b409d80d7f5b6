#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gaudi.sdpa and gaudi.sdpa_grad with PyTorch: random forms, and the fixed ones of a test.

Usage: attention-oracle.py [--cases N] [--seed N] [--device DEVICE] [--reference] [--keep DIR]
       attention-oracle.py --write

Each case is an attention (sizes, grouped heads, layouts, types, masks, causal, window, lengths, dropout) and, for most
of them, its gradients. What PyTorch computes in float64 from the same rounded inputs
(aten._scaled_dot_product_attention_math, autograd) is what gaudi-run must give within the tolerances of
docs/numerics.md, scope `model`; --reference asks the reference evaluator instead of the device. --write puts fixed cases with
the numbers of PyTorch into test/Reference/attention.mlir. PyTorch is installed into build/oracle/torch-venv if it is not there. Exit code 1 if
a number is wrong, 2 if the oracle cannot work.
"""
import argparse
import dataclasses
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["torch==2.13.0", "numpy", "ml_dtypes"]
TEST = ROOT / "test" / "Reference" / "attention.mlir"
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
from agreement import difference, tolerances  # noqa: E402 (the path is set above)
from tally import enter_venv  # noqa: E402


@dataclasses.dataclass
class Case:
    """A form of attention. Rank 3 has one head. `mask` is "", "i1" or a float type, `dropout` is "", "seed" or the
    type of a mask; both masks broadcast where their shape [N, H, L, S] has 1."""
    name: str = "case"
    sizes: tuple = (2, 2, 2, 3, 4, 3, 2)  # N, Hq, Hk, L, S, D, Dv
    element: str = "f32"
    rank: int = 4
    shared: bool = False  # key and value have N = 1
    layouts: tuple = ("NHLD",) * 4
    scale: float = 0.5
    causal: bool = False
    window: int = 0
    mask: str = ""
    mask_shape: tuple = (1, 1, 1, 1)
    mask_value: float | None = None
    lengths: str = ""  # "left", "right"
    dropout: str = ""
    dropout_shape: tuple = (1, 1, 1, 1)
    p: float = 0.0
    grad: str = ""  # "statistics" or "probabilities"
    with_output: bool = False

    def shape(self, which, kind):
        """Of a tensor in its stored order; kind is q, k, v or o."""
        n, hq, hk, length, keys, d, dv = self.sizes
        size = {"N": 1 if self.shared and kind in "kv" else n, "H": hk if kind in "kv" else hq,
                "L": keys if kind in "kv" else length, "D": dv if kind in "vo" else d}
        return [size[letter] for letter in self.layouts[which] if letter != "H" or self.rank == 4]

    def rows(self, last):
        n, hq, _, length, _, _, _ = self.sizes
        return [n, hq, length, last] if self.rank == 4 else [n, length, last]

    def of_rank(self, shape):
        return list(shape) if self.rank == 4 else [shape[0], *shape[2:]]

    def inputs(self):
        """(name, shape, element type) of the function's arguments."""
        found = [("q", self.shape(0, "q"), self.element), ("k", self.shape(1, "k"), self.element),
                 ("v", self.shape(2, "v"), self.element)]
        if self.mask:
            found.append(("mask", self.of_rank(self.mask_shape), self.mask))
        if self.lengths:
            found.append(("lengths", [self.sizes[0]], "i32"))
        if self.dropout == "seed":
            found.append(("seed", [1], "i32"))
        elif self.dropout:
            found.append(("dropout_mask", self.of_rank(self.dropout_shape), self.dropout))
        if self.grad:
            found.append(("do", self.shape(3, "o"), self.element))
        return found

    def outputs(self):
        """(shape, element type) of the results."""
        found = [(self.shape(3, "o"), self.element)]
        if self.grad:
            found += [(shape, element) for _, shape, element in self.inputs()[:3]]
        return found


def text_of(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def attributes(case):
    words = f"scale {case.scale!r}"
    words += " causal" * case.causal + f" window {case.window}" * (case.window > 0)
    words += " padding <left>" * (case.lengths == "left") + f" dropout {case.p!r}" * (case.p > 0)
    names = ("query_layout", "key_layout", "value_layout", "output_layout")
    fields = [f'{name} = "{"".join(c for c in layout if c != "H" or case.rank == 4)}"'
              for name, layout in zip(names, case.layouts) if layout != "NHLD"]
    if case.mask_value is not None:
        fields.append(f"mask_value = {case.mask_value!r} : f32")
    return words, " {" + ", ".join(fields) + "}" if fields else ""


def function(case):
    """The text of a function that computes the case."""
    inputs = [(name, text_of(shape, element)) for name, shape, element in case.inputs()]
    types = dict(inputs)
    results = [text_of(shape, element) for shape, element in case.outputs()]
    words, fields = attributes(case)
    extra = [name for name, _ in inputs[3:] if name != "do"]
    operands = "%q, %k, %v" + "".join(f" {name} %{name}" for name in extra)
    saved = []
    if case.grad == "statistics":
        saved = [("m", text_of(case.rows(1), case.element)), ("linv", text_of(case.rows(1), "f32"))]
        saved += [("used", "tensor<1xi32>")] if case.dropout == "seed" else []
    elif case.grad == "probabilities":
        saved = [("p", text_of(case.rows(case.sizes[4]), case.element))]
        saved += [("kept", text_of(case.rows(case.sizes[4]), "i8"))] if case.p > 0 else []
    made = [results[0]] + [t for _, t in saved]
    given = ", ".join(types[name] for name in ["q", "k", "v", *extra])
    count = f":{len(made)}" if len(made) > 1 else ""
    lines = [f"  %o{count} = gaudi.sdpa {operands} {words}" + (f" saves <{case.grad}>" if case.grad else "") + fields +
             f" : ({given}) -> " + (made[0] if len(made) == 1 else "(" + ", ".join(made) + ")")]
    if not case.grad:
        lines.append(f"  return %o : {results[0]}")
    else:
        first = "%o#0" if count else "%o"
        operands, given = "%do, %q, %k, %v", [types["do"], types["q"], types["k"], types["v"]]
        if case.with_output:
            operands, given = operands + f" output {first}", given + [results[0]]
        for name in extra:
            holds = case.grad == "probabilities" and (name == "lengths" or (name == "mask" and case.mask != "i1"))
            if not holds:
                value = "%o#3" if name == "seed" and case.grad == "statistics" else f"%{name}"
                operands, given = operands + f" {name} {value}", given + [types[name]]
        if case.grad == "statistics":
            operands, given = operands + " m %o#1 linv %o#2", given + [t for _, t in saved[:2]]
        else:
            operands, given = operands + " probabilities %o#1", given + [saved[0][1]]
        lines.append(f"  %g:3 = gaudi.sdpa_grad {operands} {words}{fields} : ({', '.join(given)}) -> "
                     f"({', '.join(results[1:])})")
        lines.append(f"  return {first}, %g#0, %g#1, %g#2 : {', '.join(results)}")
    head = ", ".join(f"%{name}: {text}" for name, text in inputs)
    ends = results[0] if len(results) == 1 else "(" + ", ".join(results) + ")"
    return f"func.func @{case.name}({head}) -> {ends} {{\n" + "\n".join(lines) + "\n}\n"


def kept_by_seed(seed, count, p):
    """Philox4x32-10 as the op's text says, for elements 0 to count - 1."""
    import numpy as np
    groups = np.arange((count + 3) // 4, dtype=np.uint64)
    low = np.uint64(0xFFFFFFFF)
    words = [groups & low, groups >> np.uint64(32), np.zeros_like(groups), np.zeros_like(groups)]
    key = [seed & 0xFFFFFFFF, 0]
    for _ in range(10):
        a, b = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        words = [(b >> np.uint64(32)) ^ words[1] ^ np.uint64(key[0]), b & low,
                 (a >> np.uint64(32)) ^ words[3] ^ np.uint64(key[1]), a & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack(words, axis=1).reshape(-1)[:count] >= np.uint64(int(np.float32(p).astype(np.float64) * 2**32))


def judged(case, arrays):
    """What PyTorch computes in float64, in the order and layouts of the outputs."""
    import numpy as np
    import torch

    def canonical(array, which):
        layout = [c for c in case.layouts[which] if c != "H" or case.rank == 4]
        order = [layout.index(c) for c in ("NHLD" if case.rank == 4 else "NLD")]
        tensor = torch.tensor(np.asarray(array, dtype=np.float64).transpose(order))
        return tensor if case.rank == 4 else tensor[:, None]

    def stored(tensor, which):
        layout = [c for c in case.layouts[which] if c != "H" or case.rank == 4]
        tensor = tensor if case.rank == 4 else tensor[:, 0]
        return tensor.detach().permute(["NHLD".index(c) if case.rank == 4 else "NLD".index(c) for c in layout]).numpy()

    given = {name: array for (name, _, _), array in zip(case.inputs(), arrays)}
    n, heads, _, length, keys, _, _ = case.sizes
    q, k, v = (canonical(given[name], i).requires_grad_() for i, name in enumerate("qkv"))
    i, j = torch.arange(length)[:, None], torch.arange(keys)[None, :]
    visible = torch.ones(1, 1, length, keys, dtype=torch.bool)
    if case.window:
        visible = visible & (i - j < case.window) & ((j - i < case.window) | case.causal)
    if case.lengths:
        count = torch.tensor(given["lengths"]).clamp(0, keys)[:, None, None, None]
        visible = visible & (j >= keys - count if case.lengths == "left" else j < count)
    def scores_shape(array):
        array = np.asarray(array)
        return torch.tensor((array if case.rank == 4 else array[:, None]).astype(np.float64))

    mask, is_causal = None, case.causal
    if case.mask == "i1" and case.mask_value is None:
        visible = visible & (scores_shape(given["mask"]) != 0)
    elif case.mask and case.mask != "i1":
        mask = scores_shape(given["mask"])
    # A mask as it is where PyTorch takes it so: bool, added or causal alone.
    if case.window or case.lengths or (case.mask == "i1" and case.mask_value is None):
        if is_causal:
            visible, is_causal = visible & (j <= i), False
        mask = visible if mask is None else torch.where(visible, mask, -torch.inf)
    if is_causal and mask is not None:
        mask, is_causal = torch.where(j <= i, mask, -torch.inf), False
    factor = torch.ones(n, heads, length, keys, dtype=torch.float64)
    if case.dropout == "seed":
        factor = torch.tensor(kept_by_seed(int(given["seed"][0]), factor.numel(), case.p)).reshape(factor.shape).double()
    elif case.dropout:
        factor = scores_shape(given["dropout_mask"]).expand(factor.shape)
    if case.p > 0:
        factor = (factor != 0).double() / (1 - float(np.float32(case.p)))
    scale = float(np.float32(case.scale))
    if case.mask_value is None and not case.dropout:
        o = torch.nn.functional.scaled_dot_product_attention(
            q, k.expand(n, -1, -1, -1), v.expand(n, -1, -1, -1), attn_mask=mask, is_causal=is_causal, scale=scale,
            enable_gqa=True)
    elif case.mask_value is None and case.p > 0:
        repeat = heads // case.sizes[2]
        if mask is not None and mask.dtype == torch.bool:  # which this function would add
            mask = torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, -torch.inf)
        o = torch.ops.aten._scaled_dot_product_attention_math(
            q, k.expand(n, -1, -1, -1).repeat_interleave(repeat, 1), v.expand(n, -1, -1, -1).repeat_interleave(repeat, 1),
            mask, float(np.float32(case.p)), is_causal, factor != 0, scale=scale)[0]
    else:  # what PyTorch has no op for: replaced scores, and factors that are not 0 or 1 / (1 - p)
        repeat = heads // case.sizes[2]
        s = q @ k.expand(n, -1, -1, -1).repeat_interleave(repeat, 1).transpose(2, 3) * scale
        if case.mask_value is not None:
            s = s.masked_fill(scores_shape(given["mask"]) == 0, float(np.float32(case.mask_value)))
        if is_causal:
            s = s.masked_fill(j > i, -torch.inf)
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else s + mask
        p = torch.ops.aten._safe_softmax(s, -1)
        o = (p * factor) @ v.expand(n, -1, -1, -1).repeat_interleave(repeat, 1)
    found = [stored(o, 3)]
    if case.grad:
        gradients = torch.autograd.grad(o, (q, k, v), canonical(given["do"], 3))
        found += [stored(gradient, i) for i, gradient in enumerate(gradients)]
    return found


def drawn(random_, number):
    """A random case."""
    pick = random_.choice
    rank = pick((3, 4, 4, 4))
    hk = pick((1, 2, 3)) if rank == 4 else 1
    hq = hk * pick((1, 1, 2, 4)) if rank == 4 else 1
    n, length, keys = pick((1, 2, 3)), pick((1, 5, 17, 64, 70)), pick((1, 4, 33, 64, 130))
    def layout():
        return "".join(random_.sample("NHLD", 4)) if pick((0, 1)) else "NHLD"
    def shape():
        return tuple(pick((1, size)) for size in (n, hq, length, keys))
    case = Case(name=f"case{number}", rank=rank, shared=pick((0, 0, 0, 1)) == 1,
                sizes=(n, hq, hk, length, keys, pick((1, 8, 24, 64)), pick((1, 8, 40, 64))),
                element=pick(("f32", "f32", "bf16", "f16")), layouts=tuple(layout() for _ in range(4)),
                scale=pick((0.125, 0.5, 1.0)), causal=pick((False, False, True)), window=pick((0, 0, 0, 1, 7, 40)),
                mask=pick(("", "", "i1", "f32", "same")), mask_shape=shape(), lengths=pick(("", "", "left", "right")),
                dropout=pick(("", "", "seed", "i1", "i8", "f32")), dropout_shape=shape(),
                grad=pick(("", "statistics", "probabilities")), with_output=pick((False, True)))
    case.mask = case.element if case.mask == "same" else case.mask
    if case.mask == "i1":
        # In a narrow type m of a row that is hidden as a whole is too far from -1e9 (docs/attention.md, "Statistics").
        case.mask_value = pick((None, -4.0, -1.0e9 if case.element == "f32" or case.grad != "statistics" else -8.0))
    if case.dropout:
        case.p = pick((0.125, 0.5)) if case.dropout != "f32" or pick((0, 1)) else 0.0
        case.p = case.p or (0.25 if case.dropout == "seed" else 0.0)
    return case


FIXED = [
    Case("plain", grad="statistics"),
    Case("scaled", scale=0.125, sizes=(1, 1, 1, 2, 3, 4, 4)),
    Case("boolean", mask="i1", mask_shape=(2, 1, 3, 4), grad="statistics"),
    Case("boolean_row", mask="i1", mask_shape=(2, 1, 1, 4), grad="probabilities"),
    Case("added", mask="f32", mask_shape=(1, 2, 3, 4), grad="statistics", with_output=True),
    Case("finite", mask="i1", mask_shape=(2, 1, 3, 4), mask_value=-2.0, grad="statistics"),
    Case("causal_wide", causal=True, sizes=(1, 2, 2, 3, 5, 2, 2), grad="statistics"),
    Case("causal_tall", causal=True, sizes=(1, 2, 2, 5, 3, 2, 2), grad="probabilities"),
    Case("windowed", causal=True, window=2, sizes=(1, 2, 1, 5, 5, 2, 2)),
    Case("banded", window=2, sizes=(1, 2, 1, 5, 5, 2, 2), grad="statistics"),
    Case("padded_right", lengths="right", sizes=(2, 2, 2, 3, 9, 2, 2), grad="statistics"),
    Case("padded_left", lengths="left", sizes=(2, 2, 2, 3, 9, 2, 2)),
    Case("grouped", sizes=(2, 4, 2, 3, 4, 3, 2), grad="statistics"),
    Case("one_key_head", sizes=(2, 4, 1, 3, 4, 2, 2), grad="statistics", with_output=True),
    Case("shared", shared=True, grad="statistics"),
    Case("rank_3", rank=3, sizes=(2, 1, 1, 3, 4, 3, 2), layouts=("NHLD", "NHDL", "NHLD", "LNHD"), grad="statistics"),
    Case("transposed", layouts=("NLHD", "NHDL", "NLHD", "NLHD"), grad="statistics"),
    Case("seeded", dropout="seed", p=0.25, grad="statistics"),
    Case("dropped", dropout="i1", dropout_shape=(2, 2, 3, 4), p=0.5, grad="probabilities"),
    Case("multiplied", dropout="f32", dropout_shape=(1, 2, 3, 4), grad="statistics"),
    Case("bf16", element="bf16", sizes=(1, 2, 2, 4, 5, 4, 2), grad="statistics"),
    Case("f16", element="f16", mask="f16", mask_shape=(1, 1, 4, 5), sizes=(1, 2, 1, 4, 5, 4, 2), grad="probabilities"),
]


def values_of(case, seed):
    """Seeded inputs, and what PyTorch makes of them."""
    from seeded import seeded
    arrays = [seeded(shape, element, i, seed) for i, (_, shape, element) in enumerate(case.inputs())]
    return arrays, judged(case, arrays)


def write():
    """The test of the fixed cases."""
    import numpy as np
    head = ["// Attention and its gradients with the numbers of PyTorch in float64, on seeded inputs. Written by",
            "// scripts/attention-oracle.py --write."]
    bodies = []
    for case in FIXED:
        _, expected = values_of(case, 1)
        words = []
        for i, ((shape, element), array) in enumerate(zip(case.outputs(), expected)):
            numbers = " ".join(f"{float(x):.9g}" for x in np.asarray(array, dtype=np.float64).reshape(-1))
            words.append(f'"--expect=out{i}={"".join(f"{s}x" for s in shape)}{element}={numbers}"')
        head.append(f"// RUN: gaudi-run %s --entry={case.name} --seed-inputs=1 --check " + " ".join(words))
        bodies.append(function(case))
    TEST.write_text("\n".join(head) + "\n\n" + "\n".join(bodies))


def run(case, args, folder, bounds):
    """None if gaudi-run agrees with PyTorch, else what is wrong."""
    import numpy as np
    import torch
    arrays, expected = values_of(case, args.seed)
    model = folder / "model.mlir"
    model.write_text(function(case))
    command = [args.gaudi_run, str(model), f"--device={args.device}", f"--seed-inputs={args.seed}"]
    command += ["--reference"] * args.reference
    command += [f"--output=out{i}=@{folder}/out{i}.npy" for i in range(len(expected))]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return f"exit code {result.returncode}: {(result.stdout + result.stderr)[-400:]}"
    largest = max(np.abs(array).max() for array in expected)
    for i, wanted in enumerate(expected):
        got = np.load(folder / f"out{i}.npy")
        if case.element == "bf16":
            got = torch.tensor(got.view(np.int16)).view(torch.bfloat16).double().numpy()
        # Terms of a gradient that cancel are as large as those of the others.
        of_largest, of_element, absolute = bounds[case.element, "model"]
        if words := difference(got.astype(np.float64), wanted, (of_largest, of_element, absolute + of_largest * largest)):
            return f"output {i}: {words}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="gaudi2")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--gaudi-run", default=str(ROOT / "build" / "release" / "bin" / "gaudi-run"))
    args = parser.parse_args()
    enter_venv(ROOT / "build" / "oracle" / "torch-venv", PACKAGES, "torch, ml_dtypes")
    if args.write:
        return write()
    random_ = random.Random(args.seed)
    bounds, wrong = tolerances(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.cases):
            case = FIXED[number] if number < len(FIXED) else drawn(random_, number)
            if words := run(case, args, args.keep or pathlib.Path(folder), bounds):
                wrong += 1
                print(f"{case}\n  {words}", flush=True)
                if args.keep:
                    break
    print(f"{args.cases} cases, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
