# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the losses of a training script of the device "hpu" in two settings, step by step.

    python -m gaudi_mlir.loss_curve [--setting bf16] [--against f32] [--steps 20] script.py [ARGUMENTS...]

A setting is f32, bf16 or f16 (torch.autocast("hpu") around what the outermost module computes, whose
results are f32 again, and in the script's own blocks of it), fp8 (bf16, and linear layers as those of transformer_engine, with
its delayed scaling) or cpu (in f32 on the CPU). The script runs once in each, and --draws times
more in the second one with weights, and results of layers, that are off by one unit of the narrower
type: what that does to the losses is the expected noise. The report names the first step whose
difference is more than four times that (more with fewer than four draws), which is unlikely to be
rounding.

A step is what an optimizer does; its loss is what the backward passes before it began at, the mean
of several. A script that steps no optimizer has a step for each backward pass. Seeds of Python,
NumPy and PyTorch are set before the script. It ends after --steps; each run is a process.

The exit code is 1 if a step leaves the noise or the numbers of steps differ, and 2 if a run fails.
"""
from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import importlib.util
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable

import gaudi_mlir.torch  # noqa: F401  (says what PyTorch it needs)
import torch
import torch._dynamo
from torch.nn.modules.loss import _Loss
from torch.nn.modules.module import register_module_forward_hook
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map

from . import _command, _text
from ._short_runs import Stop
from ._text import table
from .torch.roundings import Roundings

FACTORS = (40, 8, 5, 4)
"""Times the expected noise of 1, 2, 3, 4 or more draws: of differences that are as normal numbers
with that noise, 1.6 % are beyond it (the quantile of Student's t for as many degrees of freedom).
A difference beyond it is unlikely to be rounding."""
UNITS = {"f32": 2.0**-24, "cpu": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8, "fp8": 2.0**-4}
"""The largest relative error of one rounding in each setting."""
_LOWER = {"f16": torch.float16, "bf16": torch.bfloat16, "fp8": torch.bfloat16}


def _check(setting: str) -> str:
    if setting not in UNITS:
        near = _text.meant(setting, UNITS)
        raise ValueError(f"'{setting}' is no setting; {near and near + ' '}give one of "
                         f"{', '.join(UNITS)}")
    return setting


@dataclasses.dataclass
class LossCurve:
    """The losses of each step; its text is made for people, as_dict() for programs
    (docs/schema/gaudi-run-losses.schema.json)."""
    name: str
    before: str
    after: str
    losses_before: list[float]
    losses_after: list[float]
    draws: list[list[float]]
    """Losses of `before` with weights and results of layers that are off by one unit."""
    eight_bits: tuple[int, int] | None = None
    """With fp8: how many layers have computed in 8 bits, and of how many."""

    @property
    def noise(self) -> list[float | None]:
        """What is expected of each step: the root of the mean square of what the draws do, and no
        less than in the steps before and in the three after, as few draws may all be small by
        chance. None without draws, and from the first step on whose loss is not finite, or not
        there, in some draw."""
        sizes: list[float] = []
        for step, loss in enumerate(self.losses_before):
            errors = [draw[step] - loss if step < len(draw) else math.nan for draw in self.draws]
            if not errors or not all(map(math.isfinite, errors)):
                break
            sizes.append(math.hypot(*errors) / math.sqrt(len(errors)))
        unknown = [None] * (len(self.losses_before) - len(sizes))
        return [max(sizes[:step + 4]) for step in range(len(sizes))] + unknown

    @property
    def factor(self) -> int:
        """How many times the noise a difference may be."""
        return FACTORS[min(len(self.draws), len(FACTORS)) - 1]

    @property
    def first(self) -> int | None:
        """The first step, from 1, that leaves the noise; None: none does, or it is not known."""
        for step, was, now, noise in self.rows() if any(self.noise) else ():
            # One rounding of the loss itself is no difference.
            if noise is not None and \
                    not abs(now - was) <= self.factor * noise + UNITS["f32"] * 2 * abs(was):
                return step
        return None

    @property
    def differs(self) -> bool:
        return self.first is not None or len(self.losses_before) != len(self.losses_after)

    def rows(self):
        for step, (was, now, noise) in enumerate(zip(self.losses_before, self.losses_after,
                                                     self.noise), 1):
            yield step, was, now, noise

    def as_dict(self) -> dict:
        def number(x):
            return x if x is not None and math.isfinite(x) else None
        return {"schema": "gaudi-run-losses/1", "model": self.name, "output": "loss",
                "before": self.before, "after": self.after, "first_step_off": self.first,
                "draws": len(self.draws), "factor": self.factor if self.draws else None,
                "eight_bits": self.eight_bits and dict(zip(("layers", "of"), self.eight_bits)),
                "steps": [{"step": step, "before": number(was), "after": number(now),
                           "noise": number(noise)} for step, was, now, noise in self.rows()]}

    def csv(self, path: str) -> None:
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["step", self.before, self.after, "noise"])
            writer.writerows(self.rows())

    def __str__(self) -> str:
        rows = [("step", self.before, self.after, "difference", "noise")]
        for step, was, now, noise in self.rows():
            rows.append((str(step), f"{was:.6g}", f"{now:.6g}", f"{now - was:+.3g}",
                         "-" if noise is None else f"{noise:.2g}"))
        count = [len(self.losses_before), len(self.losses_after)]
        if count[0] != count[1]:
            verdict = f"{self.before} has {count[0]} steps, {self.after} {count[1]}"
        elif not self.draws:
            verdict = "the expected noise is not known: there were no draws"
        elif self.noise[:1] == [None]:
            verdict = ("the expected noise is not known: the first loss without or with such errors "
                       "is not finite, or not there")
        elif not any(self.noise):
            verdict = ("the expected noise is not known: the draws change no loss, as none depends "
                       "on what a torch.nn.Module gives")
        elif self.first is None:
            verdict = (f"{self.after} stays within {self.factor} times the expected noise of "
                       f"{self.before}")
            if None in self.noise:
                verdict += (f" before step {self.noise.index(None) + 1}, from which on it is not "
                            "known: a loss without or with such errors is not finite, or not there")
            large = [step for step, was, _, noise in self.rows()
                     if noise is not None and noise > abs(was)]
            if large:
                verdict += (f"; at step {large[0]} the noise is more than the loss and says nothing: "
                            "errors of one unit decide what the model computes")
        else:
            _, was, now, noise = list(self.rows())[self.first - 1]
            verdict = (f"{self.after} leaves the expected noise of {self.before} at step "
                       f"{self.first}: {abs(now - was):.3g} is more than {self.factor} times "
                       f"{noise:.2g}, which is unlikely to be rounding")
        if self.eight_bits:
            verdict = ("fp8: {} of {} layers that have matrices compute in 8 bits, all others in "
                       "bf16\n".format(*self.eight_bits)) + verdict
        return f"{table(rows, right=range(5))}\n{verdict}"


# --- settings -------------------------------------------------------------------------------------


class _OnCpu(TorchFunctionMode):
    """What is asked for on hpu is made on the CPU."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        def moved(x):
            if isinstance(x, str) and x.partition(":")[0] == "hpu":
                return "cpu"
            return torch.device("cpu") if isinstance(x, torch.device) and x.type == "hpu" else x
        kwargs = {name: moved(each) for name, each in (kwargs or {}).items()}
        if getattr(func, "__name__", "") == "hpu":
            return args[0]
        return func(*map(moved, args), **kwargs)


def _eight_bits(module) -> None:
    """Linear layers become those of transformer_engine, with the same parameters."""
    from habana_frameworks.torch.hpex.experimental import transformer_engine as te
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is torch.nn.Linear:
                layer = te.Linear(child.in_features, child.out_features, child.bias is not None,
                                  skip_weight_param_allocation=True, device=child.weight.device)
                layer.weight, layer.bias = child.weight, child.bias
                layer.train(child.training)
                setattr(parent, name, layer)


_NO_PRODUCTS = (torch.nn.Embedding, torch.nn.EmbeddingBag, torch.nn.LayerNorm)
"""Layers whose parameters may be matrices that nothing is multiplied by."""


def _count_eight_bits(modules) -> tuple[int, int]:
    """How many layers have computed in 8 bits, and how many have matrices."""
    from habana_frameworks.torch.hpex.experimental.transformer_engine.base import (
        TransformerEngineBaseModule)
    layers = {each for module in modules for each in module.modules()
              if isinstance(each, TransformerEngineBaseModule) or
              not isinstance(each, _NO_PRODUCTS) and
              any(x.dim() > 1 for x in each.parameters(recurse=False))}
    return sum(getattr(each, "run_cnt", 0) > 0 for each in layers
               if isinstance(each, TransformerEngineBaseModule)), len(layers)


def _checked(eight_bits) -> tuple[int, int] | None:
    if eight_bits and not eight_bits[0]:
        raise ValueError(f"fp8: none of {eight_bits[1]} layers that have matrices computes in 8 "
                         "bits, so this would be bf16: fp8 needs a layer of type torch.nn.Linear "
                         "within another module; choose --setting=bf16, or a model that has one")
    return eight_bits and (eight_bits[0], eight_bits[1])


def _widened(x):
    return x.float() if isinstance(x, torch.Tensor) and x.dtype in _LOWER.values() else x


class _Errors:
    """Errors of one unit up or down: of weights once, of what a layer gives in each call."""

    def __init__(self, draw: int, unit: float) -> None:
        self.roundings = Roundings(draw, unit)

    def of_weights(self, module) -> None:
        with torch.no_grad():
            for each in module.parameters():
                if each.is_floating_point():
                    each.mul_(self.roundings.factors(each))

    @contextlib.contextmanager
    def of_layers(self):
        def hook(module, _, made):
            is_layer = not isinstance(module, _Loss) and next(module.children(), None) is None
            return tree_map(self.roundings, made) if is_layer else None
        handle = register_module_forward_hook(hook)
        try:
            yield
        finally:
            handle.remove()


@contextlib.contextmanager
def _uncompiled():
    before, torch._dynamo.config.disable = torch._dynamo.config.disable, True
    try:
        yield
    finally:
        torch._dynamo.config.disable = before


class _Run:
    """One run in a setting."""

    def __init__(self, setting: str, draw: int, unit: float) -> None:
        self.setting, self.errors = setting, _Errors(draw, unit) if draw else None
        self.seen: list = []  # modules whose parameters were prepared; held, so that ids stay
        self.depth = 0

    def eight_bits(self) -> tuple[int, int] | None:
        return _count_eight_bits(self.seen) if self.setting == "fp8" else None

    def _prepare(self, module) -> None:
        if any(module is each for each in self.seen):
            return
        self.seen.append(module)
        if self.setting == "fp8":
            _eight_bits(module)
        if self.errors:
            self.errors.of_weights(module)

    @contextlib.contextmanager
    def __call__(self):
        """The setting, in this thread and for modules of all threads."""
        lower = _LOWER.get(self.setting)
        call, begin, run = torch.nn.Module.__call__, torch.autocast.__init__, self

        def called(module, *args, **kwargs):
            if run.depth or torch.compiler.is_compiling() or \
                    isinstance(module, _Loss):
                return call(module, *args, **kwargs)
            run._prepare(module)
            run.depth += 1
            try:
                with contextlib.ExitStack() as stack:
                    if lower is not None:
                        stack.enter_context(torch.autocast("hpu", lower))
                    if run.setting == "fp8":
                        from habana_frameworks.torch.hpex.experimental import (
                            transformer_engine as te)
                        stack.enter_context(te.fp8_autocast(enabled=True))
                    made = call(module, *args, **kwargs)
                # A loss outside of the module is computed in f32, as autocast would.
                return tree_map(_widened, made) if lower is not None else made
            finally:
                run.depth -= 1

        def began(self, device_type, dtype=None, enabled=True, *rest, **more):
            if device_type == "hpu":
                dtype, enabled = lower, enabled and lower is not None
            begin(self, device_type, dtype, enabled, *rest, **more)

        torch.nn.Module.__call__, torch.autocast.__init__ = called, began
        try:
            with contextlib.ExitStack() as stack:
                if self.setting == "cpu" or self.errors:
                    stack.enter_context(_uncompiled())
                if self.setting == "cpu":
                    stack.enter_context(_OnCpu())
                if self.errors:
                    stack.enter_context(self.errors.of_layers())
                yield
        finally:
            torch.nn.Module.__call__, torch.autocast.__init__ = call, begin


def _seed(seed: int) -> None:
    random.seed(seed)
    torch.manual_seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def _compare(name: str, setting: str, against: str, draws: int, losses) -> LossCurve:
    """losses(setting, draw) runs, and gives the losses and what has computed in 8 bits."""
    (before, narrow), (after, other) = losses(against, 0), losses(setting, 0)
    return LossCurve(name, against, setting, before, after,
                     [losses(against, draw)[0] for draw in range(1, draws + 1)], other or narrow)


def loss_curve(make: Callable[[], Callable[[], object]], setting: str = "bf16",
               against: str = "f32", steps: int = 10, draws: int = 4,
               seed: int = 0) -> LossCurve:
    """The losses of a training step in two settings. `make()` makes the model and gives a function
    that trains one step and returns its loss. It is called for each run, with the same seed."""
    unit = max(UNITS[_check(setting)], UNITS[_check(against)])

    def losses(name: str, draw: int) -> tuple[list[float], tuple[int, int] | None]:
        _seed(seed)
        run = _Run(name, draw, unit)
        with run():
            step = make()
            if isinstance(step, torch.nn.Module) or not callable(step):
                raise TypeError(f"loss_curve: make() gave {type(step).__name__}; expected a function that "
                                "trains one step and returns its loss: def make(): ...; return step")
            losses = (step() for _ in range(steps))
            return [float(each.detach() if isinstance(each, torch.Tensor) else each)
                    for each in losses], _checked(run.eight_bits())
    return _compare("", setting, against, draws, losses)


# --- scripts --------------------------------------------------------------------------------------


class _Recorder:
    """The losses of a script's steps."""

    def __init__(self, steps: int) -> None:
        self.steps, self.pending, self.losses = steps, [], []

    def value(self) -> list[float]:
        """Of each step; what no optimizer stepped is one each if none ever did."""
        return self.losses or [float(each) for each in self.pending[:self.steps]]

    def step(self, *_) -> None:
        if self.pending:
            self.losses.append(sum(float(each) for each in self.pending) / len(self.pending))
            self.pending.clear()
            if len(self.losses) >= self.steps:
                raise Stop

    def backward(self, tensors) -> None:
        for each in [tensors] if isinstance(tensors, torch.Tensor) else tensors:
            if each.numel() == 1:
                self.pending.append(each.detach().clone())

    @contextlib.contextmanager
    def __call__(self):
        backward = torch.autograd.backward

        def recorded(tensors, *args, **kwargs):
            self.backward(tensors)
            return backward(tensors, *args, **kwargs)
        torch.autograd.backward = recorded
        handle = register_optimizer_step_post_hook(self.step)
        try:
            yield
        finally:
            torch.autograd.backward = backward
            handle.remove()


def _run_script(given: dict, script: str, arguments: list[str]) -> int:
    """The part of a process of its own."""

    import habana_frameworks.torch  # noqa: F401

    from ._short_runs import outcome, whole
    recorder = _Recorder(given["steps"])
    _seed(given["seed"])
    run = _Run(given["setting"], given["draw"], given["unit"])
    with run(), recorder():
        code, _ = outcome(lambda: whole(script, arguments))
    if code == 0:
        with open(given["file"], "w", encoding="utf-8") as file:
            json.dump({"losses": recorder.value(), "eight_bits": run.eight_bits(),
                       "on_card": torch.hpu.is_initialized()}, file)
    return code


def _losses(options, setting: str, draw: int) -> tuple[list[float], tuple[int, int] | None]:
    unit = max(UNITS[options.setting], UNITS[options.against])
    with tempfile.TemporaryDirectory() as folder:
        given = {"setting": setting, "draw": draw, "unit": unit, "steps": options.steps,
                 "seed": options.seed, "file": os.path.join(folder, "losses.json")}
        done = subprocess.run([sys.executable, "-m", "gaudi_mlir.loss_curve", "--run",
                               json.dumps(given), options.script, *options.arguments],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"{options.script} in {setting} ended with code {done.returncode}; run "
                               f"it alone first. It said:\n{done.stderr[-2000:]}")
        with open(given["file"], encoding="utf-8") as file:
            found = json.load(file)
    if not found["on_card"]:
        raise RuntimeError(f"{options.script} has not used the device hpu, so that settings change "
                           'nothing; move the model and its inputs there: .to("hpu")')
    if not found["losses"]:
        raise RuntimeError(f"{options.script} has no losses: it never calls loss.backward() with a "
                           "loss of one number; give a script that trains")
    return found["losses"], _checked(found["eight_bits"])


def main() -> int:
    parser = _command.Parser(prog="python -m gaudi_mlir.loss_curve", description=__doc__,
                             formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("setting", "bf16"), ("against", "f32")):
        parser.add_argument(f"--{name}", default=default, choices=list(UNITS))
    parser.add_argument("--steps", type=_command.whole_number(1), default=20, metavar="N")
    parser.add_argument("--draws", type=_command.whole_number(0), default=4, metavar="N",
                        help="runs for the expected noise; 0: none")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_script()
    if importlib.util.find_spec("habana_frameworks") is None:
        parser.exit(2, f"{parser.prog}: error: there is no device hpu: the package "
                    "gaudi-mlir-bridge is not installed; scripts/setup-python.sh installs it\n")
    for path in filter(None, (options.json, options.csv)):
        try:  # before the script runs many times
            open(path, "a", encoding="utf-8").close()
        except OSError as error:
            parser.exit(2, f"{parser.prog}: error: {_text.unwritable(path, error)}\n")
    if options.run:
        return _run_script(json.loads(options.run), options.script, options.arguments)
    try:
        curve = _compare(options.script, options.setting, options.against, options.draws,
                         lambda setting, draw: _losses(options, setting, draw))
        print(curve)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(curve.as_dict(), file, indent=1)
        if options.csv:
            curve.csv(options.csv)
    except (OSError, RuntimeError, ValueError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    return 1 if curve.differs else 0


if __name__ == "__main__":
    sys.exit(main())
