# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gaudi_mlir.loss_curve: losses of a script in two settings, and what of their difference is noise."""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys

import pytest
import torch
from gaudi_mlir import loss_curve
from gaudi_mlir.loss_curve import LossCurve
from gaudi_mlir.torch.roundings import Roundings

SCRIPT = """
import sys, torch, habana_frameworks.torch.core as htcore
torch.manual_seed(0)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(16, 32), torch.nn.Linear(32, 4)
    def forward(self, x):
        x = torch.tanh(self.up(x))
        if "cancels" in sys.argv:
            x = (x + 1000) - 1000
        return self.down(x)
model = Net().to("hpu")
if "compiled" in sys.argv:
    model = torch.compile(model, backend="hpu_backend")
optimizer = torch.optim.SGD(model.parameters(), 0.1)
x, y = torch.randn(64, 16, device="cpu").to("hpu"), torch.randint(0, 4, (64,)).to("hpu")
for step in range(50):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    htcore.mark_step()
"""


def run(tmp_path, *options, script=SCRIPT, lazy="1", arguments=()):
    file = tmp_path / "train.py"
    file.write_text(script)
    done = subprocess.run([sys.executable, "-m", "gaudi_mlir.loss_curve", *options, str(file), *arguments],
                          capture_output=True, text=True, env={**os.environ, "PT_HPU_LAZY_MODE": lazy})
    return done


@pytest.mark.slow
def test_settings_of_a_script(tmp_path):
    done = run(tmp_path, "--steps=5", "--draws=1", "--json", str(tmp_path / "a.json"), "--csv", str(tmp_path / "a.csv"))
    assert done.returncode == 0, done.stderr
    assert "bf16 stays within 40 times the expected noise of f32" in done.stdout
    found = json.loads((tmp_path / "a.json").read_text())
    assert found["schema"] == "gaudi-run-losses/1" and found["first_step_off"] is None
    assert found["draws"] == 1 and found["factor"] == 40
    assert [each["step"] for each in found["steps"]] == [1, 2, 3, 4, 5]
    assert all(0 < abs(each["after"] - each["before"]) < 0.01 and each["noise"] > 0 for each in found["steps"])
    losses = [each["before"] for each in found["steps"]]
    assert losses == sorted(losses, reverse=True)
    rows = list(csv.reader((tmp_path / "a.csv").open()))
    assert rows[0] == ["step", "f32", "bf16", "noise"] and float(rows[5][1]) == losses[-1]
    schema = json.loads((pathlib.Path(__file__).parents[2] / "docs/schema/gaudi-run-losses.schema.json").read_text())
    assert set(schema["required"]) <= set(found) <= set(schema["properties"])
    assert set(found["steps"][0]) == set(schema["properties"]["steps"]["items"]["properties"])


@pytest.mark.slow
def test_a_layer_that_bf16_cannot_have_leaves_the_noise(tmp_path):
    done = run(tmp_path, "--steps=3", arguments=["cancels"])
    assert done.returncode == 1
    assert "bf16 leaves the expected noise of f32 at step 1:" in done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("options, lazy, arguments", [
    (["--setting=cpu"], "1", []), (["--setting=cpu"], "0", ["compiled"]),
    (["--setting=fp8", "--against=bf16"], "1", []), (["--setting=f16"], "0", ["compiled"]),
    (["--setting=bf16"], "0", [])])
def test_other_settings_stay_within_the_noise(tmp_path, options, lazy, arguments):
    done = run(tmp_path, *options, "--steps=5", "--draws=2", lazy=lazy, arguments=arguments)
    assert " stays within 8 times the expected noise of " in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_scripts_that_cannot_be_compared(tmp_path):
    done = run(tmp_path, script="import torch")
    assert done.returncode == 2 and "has not used the device hpu, so that settings change nothing" in done.stderr
    done = run(tmp_path, script="import torch\ntorch.ones(1, device='hpu')")
    assert done.returncode == 2 and "has no losses: it never calls loss.backward()" in done.stderr
    script = SCRIPT.replace("torch.nn.Linear(", "Layer(").replace("class Net", "class Layer(torch.nn.Linear): pass\nclass Net")
    done = run(tmp_path, "--setting=fp8", "--steps=1", script=script)
    assert done.returncode == 2 and "fp8: none of 2 layers that have matrices computes in 8 bits" in done.stderr
    done = run(tmp_path, script="1 / 0")
    assert done.returncode == 2 and "in f32 ended with code 1" in done.stderr and "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize("end", [math.nan, math.inf, None])
def test_a_draw_that_diverges_is_unknown(end):
    draws = [[1.25, 1.0, 1.0], [1.25] + [end] * (end is not None)]
    curve = LossCurve("", "a", "b", [1.0, 1.0, 1.0], [1.5, 99.0, math.nan], draws)
    assert curve.noise == [0.25, None, None] and curve.first is None
    assert "b stays within 8 times the expected noise of a before step 2, from which on it is not known: a loss " \
        "without or with such errors is not finite, or not there" in str(curve)
    assert [each["noise"] for each in curve.as_dict()["steps"]] == [0.25, None, None]
    assert LossCurve("", "a", "b", [1.0], [9.0], [[1.25], [math.nan]]).first is None
    other = LossCurve("", "a", "b", [math.nan, 1.0], [math.nan, 9.0], [[math.nan, 1.1]])
    assert other.first is None and "the expected noise is not known: the first loss without or with such errors " \
        "is not finite" in str(other)


@pytest.mark.parametrize("dtype, unit, error", [
    (torch.float32, "f32", 2.0**-23), (torch.float32, "bf16", 2.0**-8), (torch.bfloat16, "bf16", 2.0**-7),
    (torch.bfloat16, "fp8", 2.0**-4), (torch.float16, "f16", 2.0**-10)])
def test_errors_of_draws_are_symmetric(dtype, unit, error):
    made = Roundings(1, loss_curve.UNITS[unit]).factors(torch.empty(10_000, dtype=dtype))
    assert made.dtype is dtype
    made = made.double() - 1
    assert set(made.tolist()) == {-error, error} and abs(made.mean()) < 0.04 * error


def test_noise_beyond_the_loss_says_nothing():
    curve = LossCurve("", "a", "b", [1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0] * 6, [[1.5, 1.5, 1.5, 1.5, 1.5, 9.0]] * 4)
    assert curve.first is None and "b stays within 4 times the expected noise of a; at step 3 the noise is more " \
        "than the loss and says nothing: errors of one unit decide what the model computes" in str(curve)


def test_modules_beside_the_script(tmp_path, monkeypatch):
    (tmp_path / "beside.py").write_text("import torch\nw = torch.ones(1, requires_grad=True)\n")
    (tmp_path / "train.py").write_text("import sys, beside\n(beside.w * len(sys.argv)).backward()\n")
    monkeypatch.setattr(sys, "path", ["elsewhere", *sys.path])
    monkeypatch.setattr(sys, "argv", [])
    given = {"setting": "f32", "draw": 0, "unit": 0.0, "steps": 1, "seed": 0, "file": str(tmp_path / "losses.json")}
    assert loss_curve._run_script(given, str(tmp_path / "train.py"), ["one"]) == 0
    assert json.loads((tmp_path / "losses.json").read_text()) == {
        "losses": [2.0], "eight_bits": None, "on_card": torch.hpu.is_initialized()}
    sys.modules.pop("beside")


@pytest.mark.slow
def test_wrong_usage(tmp_path):
    for options, why in ((["--setting=int8"], "invalid choice: 'int8'"), (["--steps=0"], "'0' is not a whole number from 1 up"),
                         (["--json=none/x.json"], "make its folder first: mkdir -p 'none'")):
        done = run(tmp_path, *options)
        assert done.returncode == 2 and why in done.stderr


def test_an_unknown_setting():
    with pytest.raises(ValueError, match="'fp16' is no setting; did you mean 'f16'\\? give one of f32, cpu, f16, bf16, fp8"):
        loss_curve.loss_curve(lambda: None, "fp16")


def test_a_step_function():
    def make():
        model = torch.nn.Linear(8, 4).to("hpu")
        x = torch.randn(16, 8).to("hpu")

        def step():
            loss = model(x).square().mean()
            model.zero_grad()
            loss.backward()
            with torch.no_grad():
                for each in model.parameters():
                    each -= 0.1 * each.grad
            return loss
        return step
    curve = loss_curve.loss_curve(make, "bf16", steps=3, draws=1, seed=3)
    assert curve.first is None and len(curve.losses_after) == 3
    assert curve.losses_after != curve.losses_before
    model = torch.nn.Linear(8, 4).to("hpu")  # nothing is left behind
    assert model(torch.zeros(1, 8, device="hpu")).dtype is torch.float32
    assert not torch.is_autocast_enabled("hpu")
    same = loss_curve.loss_curve(make, "f32", steps=2, draws=0)
    assert same.losses_after == same.losses_before
    assert "the expected noise is not known: there were no draws" in str(same)


class Mixed(torch.nn.Module):
    """One layer of four can have 8 bits; another one that could is not called."""
    def __init__(self):
        super().__init__()
        self.table, self.norm = torch.nn.Embedding(8, 8), torch.nn.LayerNorm((2, 8))
        self.mix, self.up, self.unused = torch.nn.Conv1d(2, 2, 1), torch.nn.Linear(8, 4), torch.nn.Linear(8, 8)
        self.attention = torch.nn.MultiheadAttention(8, 2)  # and its out_proj

    def forward(self, x):
        return self.up(self.mix(self.norm(self.table(x))))


def step_of(make_model, make_input):
    def make():
        model, x = make_model().to("hpu"), make_input().to("hpu")

        def step():
            loss = model(x).square().mean()
            loss.backward()
            return loss
        return step
    return make


@pytest.mark.slow
def test_how_many_layers_have_8_bits():
    make = step_of(Mixed, lambda: torch.arange(8).reshape(4, 2))
    curve = loss_curve.loss_curve(make, "fp8", "bf16", steps=1, draws=0)
    assert curve.eight_bits == (1, 5) and curve.as_dict()["eight_bits"] == {"layers": 1, "of": 5}
    assert "fp8: 1 of 5 layers that have matrices compute in 8 bits, all others in bf16\n" in str(curve)
    assert curve.losses_after != curve.losses_before
    assert loss_curve.loss_curve(make, "bf16", steps=1, draws=0).as_dict()["eight_bits"] is None


class Own(torch.nn.Linear):
    pass


@pytest.mark.parametrize("make_model, layers", [
    (lambda: torch.nn.Linear(8, 8), 1), (lambda: torch.nn.Sequential(Own(8, 8)), 1),
    (lambda: torch.nn.Sequential(torch.nn.Tanh(), torch.nn.Conv1d(4, 2, 1)), 1),
    (lambda: torch.nn.Tanh(), 0)])
def test_fp8_that_nothing_computes_in_is_an_error(make_model, layers):
    make = step_of(make_model, lambda: torch.ones(4, 8).requires_grad_())
    with pytest.raises(ValueError, match=f"fp8: none of {layers} layers that have matrices computes in 8 bits"):
        loss_curve.loss_curve(make, "fp8", "bf16", steps=1, draws=0)


def test_the_first_step_off():
    curve = LossCurve("", "f32", "bf16", [3.0, 2.0, 1.0], [3.001, 2.001, 1.5], [[3.001, 2.0, 1.0]])
    assert curve.noise == [pytest.approx(0.001)] * 3 and curve.first == 3
    assert [LossCurve("", "a", "b", [0.0], [0.0], [[1.0]] * draws).factor for draws in range(1, 6)] == [40, 8, 5, 4, 4]
    late = LossCurve("", "f32", "bf16", [0.0] * 6, [0.0] * 6, [[0, 0, 1, 0, 5, 0]])
    assert late.noise == [1, 5, 5, 5, 5, 5]
    assert "bf16 leaves the expected noise of f32 at step 3: 0.5 is more than 40 times 0.001, which is " \
        "unlikely to be rounding" in str(curve)
    assert LossCurve("", "a", "b", [1.0], [math.nan], [[1.1]]).first == 1
    assert LossCurve("", "a", "b", [1.0], [math.inf], [[1.1]]).first == 1
    longer = LossCurve("", "a", "b", [1.0], [1.0, 2.0], [[1.1]])
    assert "a has 1 steps, b 2" in str(longer) and longer.first is None and longer.differs
    assert curve.differs and not LossCurve("", "a", "b", [1.0], [1.0], [[1.1]]).differs
    same = LossCurve("", "a", "b", [1.0], [2.0], [[1.0]])
    assert same.first is None and "the draws change no loss" in str(same)
    assert LossCurve("", "a", "b", [math.inf], [1.0], []).as_dict()["steps"] == [
        {"step": 1, "before": None, "after": 1.0, "noise": None}]


def test_a_model_in_place_of_a_step():
    with pytest.raises(TypeError, match=r"make\(\) gave Linear; expected a function that trains one step"):
        loss_curve.loss_curve(lambda: torch.nn.Linear(2, 2), "bf16", steps=1)
