# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts with one fault each: gaudi-check names it, its line and a gain, and nothing else; and
scripts of other forms."""
import json
import os
import subprocess
import sys

import pytest

_HEAD = """
import torch, habana_frameworks.torch.core as htcore
import habana_frameworks.torch as ht
import torch.nn.functional as F
from habana_frameworks.torch.hpex.optimizers import FusedSGD
torch.manual_seed(0)
"""
_MODEL = """
model = torch.nn.Sequential(torch.nn.Linear(256, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4))
model = model.to("hpu")
"""
_DATA = """
data = torch.randn(128, 256).pin_memory().to("hpu", non_blocking=True)
"""
_TRAIN = """
optimizer = FusedSGD(model.parameters(), lr=0.01)
def train(x):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("hpu", dtype=torch.bfloat16):
        loss = model(x).float().pow(2).mean()
    loss.backward()
    htcore.mark_step()
    optimizer.step()
    htcore.mark_step()
    return loss.detach()
"""
_LOOP = """
for step in range(8):
    loss = train(data)
print(loss.item() > 0)
"""
_ALL = _HEAD + _MODEL + _DATA + _TRAIN

_SETS = """
class Set(torch.utils.data.Dataset):
    def __len__(self):
        return 128 * 8
    def __getitem__(self, index):
        return torch.randn(256)
"""

# What the script is, and the point that it faults.
FAULTS = {
    "host_sync": _ALL + """
for step in range(8):
    loss = train(data)
    print(loss.item())  # FAULT
""",
    "mark_step": _HEAD + _MODEL + _DATA + """
optimizer = FusedSGD(model.parameters(), lr=0.01)
for step in range(8):
    with torch.autocast("hpu", dtype=torch.bfloat16):
        loss = model(data).float().pow(2).mean()
    loss.backward()
    optimizer.step()  # FAULT
    optimizer.zero_grad()
print(loss.item() > 0)
""",
    "graphs": _ALL.replace("htcore.mark_step()", "pass") + """
for step in range(8):
    x = data
    for part in range(12):
        x = torch.tanh(x)
        htcore.mark_step()  # FAULT
    train(x)
""",
    "recompilation": _ALL + """
for step in range(8):
    y = torch.roll(data, step + 1)  # FAULT
    train(y)
""",
    "static_shapes": _ALL + """
for step in range(8):
    y = data[: 100 + step] * 2  # FAULT
    train(y)
""",
    "cpu_fallback": _ALL + """
for step in range(8):
    train(data)
    y = torch.linalg.eigvals(data[:3, :3])  # FAULT
""",
    "autocast": _ALL.replace('with torch.autocast("hpu", dtype=torch.bfloat16):\n', "if True:\n")
    .replace("loss = model(x).float().pow(2).mean()", "loss = model(x).pow(2).mean()  # FAULT") +
    _LOOP,
    "fused_optimizer": _ALL.replace("optimizer = FusedSGD(model.parameters(), lr=0.01)",
                                    "optimizer = torch.optim.AdamW(model.parameters())  # FAULT") +
    _LOOP,
    "fused_clip_norm": _ALL.replace(
        "    optimizer.step()",
        "    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # FAULT\n    optimizer.step()")
    + _LOOP,
    "fused_attention": _HEAD + """
class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(128, 3 * 128)
    def forward(self, x):
        q, k, v = (each.reshape(8, 256, 2, 64).transpose(1, 2)
                   for each in self.qkv(x).chunk(3, -1))
        scores = torch.softmax(q @ k.transpose(-2, -1) / 8, -1)  # FAULT
        return (scores @ v).transpose(1, 2).reshape(8 * 256, 128)
model = Attention().to("hpu")
data = torch.randn(8, 256, 128).pin_memory().to("hpu", non_blocking=True)
""" + _TRAIN + _LOOP,
    "pinned_memory": _ALL + """
for step in range(8):
    x = torch.randn(128, 256).to("hpu")  # FAULT
    train(x)
""",
    "data_loader": _ALL + _SETS.replace(
        "return torch", "__import__('time').sleep(0.0005); return torch") + """
loader = torch.utils.data.DataLoader(Set(), 128, pin_memory=True)  # FAULT
for x in loader:
    train(x.to("hpu", non_blocking=True))
""",
    "loop_constants": _ALL + """
for step in range(8):
    scale = torch.tensor([0.5, 2.0, 0.25, 1.0], device="hpu")  # FAULT
    train(data * scale.sum())
""",
    "weight_sharing": _HEAD + """
class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = (torch.nn.Linear(256, 256, bias=False) for _ in range(2))
        self.b.weight.data = self.a.weight.data
    def forward(self, x):
        return self.b(torch.relu(self.a(x)))
model = Tied().to("hpu")  # FAULT
""" + _DATA + _TRAIN + _LOOP,
    "hpu_graphs": _HEAD + _MODEL + _DATA + """
model.eval()
with torch.no_grad(), torch.autocast("hpu", dtype=torch.bfloat16):
    for step in range(8):
        y = model(data)  # FAULT
        htcore.mark_step()
print(y.shape)
""",
    "batch_size": _ALL + """
little = data[:2].clone()
for step in range(8):
    train(little)
""",
}
QUICK = {"host_sync", "static_shapes", "fused_optimizer"}


def check(tmp_path, text, *arguments, mode="1", **files):
    script = tmp_path / "script.py"
    script.write_text(text)
    for name, content in files.items():
        (tmp_path / f"{name}.py").write_text(content)
    done = subprocess.run(
        [sys.executable, "-m", "gaudi_mlir.check", "--json", str(tmp_path / "report.json"),
         *arguments, str(script)], capture_output=True, text=True, timeout=240,
        env={**os.environ, "PT_HPU_LAZY_MODE": mode})
    report = json.loads((tmp_path / "report.json").read_text())
    return done, report, script


def line(text: str, mark: str = "# FAULT") -> int:
    return next(number for number, each in enumerate(text.splitlines(), 1) if mark in each)


def points(report) -> list[str]:
    return [each["point"] for each in report["findings"]]


def slowly(cases, quick):
    return [case if case in quick else pytest.param(case, marks=pytest.mark.slow)
            for case in cases]


@pytest.mark.parametrize("point", slowly(FAULTS, QUICK))
def test_a_fault_has_its_line_and_its_gain(tmp_path, point):
    text = FAULTS[point]
    done, report, script = check(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert points(report) == [point], done.stderr
    found, = report["findings"]
    if "# FAULT" in text:
        assert f"{script}:{line(text)}" in [found["where"], *found["also"]], done.stderr
    assert found["gain_us"] > 0 and found["next"] and found["count"] > 0, done.stderr
    assert {each["status"] for each in report["points"] if each["point"] == point} == {"fault"}


def test_a_script_without_faults(tmp_path):
    done, report, script = check(tmp_path, _ALL + _LOOP)
    assert done.returncode == 0 and done.stdout == "True\n", done.stderr
    assert report["findings"] == [], done.stderr
    assert report["schema"] == "gaudi-check/1" and report["mode"] == "lazy"
    loop, = report["loops"]
    assert loop["kind"] == "training" and loop["steps"] == 8 and loop["samples"] == 128
    # Two launches of the card's 12.59 us each at least, and 8 us of the host for each.
    assert loop["launches_per_step"] == 2 and loop["card_us"] > 25.18 and loop["host_us"] > 16
    assert loop["step_us"] >= max(loop["card_us"], loop["host_us"]) - 0.01
    assert {each["point"] for each in report["points"]} == set(FAULTS)
    assert "to change: 0" in done.stderr
