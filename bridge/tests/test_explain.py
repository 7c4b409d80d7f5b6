# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts with one fault each: `python -m gaudi_mlir.explain` names it, with its line."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

_HEAD = """
import torch, habana_frameworks.torch.core as htcore
import torch.nn.functional as F
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(256, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4)).to("hpu")
optimizer = torch.optim.SGD(model.parameters(), 0.01)
pinned = torch.randn(128, 256).pin_memory()
data = pinned.to("hpu", non_blocking=True)
def train(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss
"""

FAULTS = {
    "host sync": """
for step in range(8):
    loss = train(data)
    htcore.mark_step()
    print(loss.item())  # FAULT
""",
    "missing mark_step": """
for step in range(8):
    loss = train(data)
    value = float(loss)  # FAULT
""",
    "changing constant": """
for step in range(8):
    y = torch.roll(data, step + 1)  # FAULT
    train(y)
    htcore.mark_step()
""",
    "changing shape": """
for step in range(8):
    x = data[: 100 + step] * 2  # FAULT
    train(data)
    htcore.mark_step()
""",
    "op on the CPU": """
for step in range(6):
    y = torch.linalg.eigvals(data[:3, :3])  # FAULT
    htcore.mark_step()
""",
    "unpinned copy": """
for step in range(6):
    x = torch.randn(128, 256).to("hpu", non_blocking=True)  # FAULT
    train(x)
    htcore.mark_step()
""",
    "blocking copy": """
for step in range(6):
    x = torch.randn(128, 256).to("hpu")  # FAULT
    train(x)
    htcore.mark_step()
""",
    "products in f32": """
for step in range(6):
    train(data)
    y = data @ data.t()
    htcore.mark_step()
""",
    "changing place": """
table = torch.zeros(64, 4, device="hpu")
for step in range(8):
    table[step].copy_(data[0, :4] * 2)  # FAULT
    htcore.mark_step()
""",
    "changing graph": """
losses = torch.zeros((), device="hpu")
for step in range(10):
    x = data
    for _ in range(step):
        x = torch.sin(x)  # FAULT
    train(x)
    htcore.mark_step()
""",
}


ROOT = pathlib.Path(__file__).parents[2]


def _run(tmp_path, text, *arguments, options=()):
    script = tmp_path / "script.py"
    script.write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "gaudi_mlir.explain", "--json", str(tmp_path / "report.json"),
         *options, str(script), *arguments], capture_output=True, text=True, timeout=240,
        env={**os.environ, "PT_HPU_LAZY_MODE": "1"})
    return done, script


@pytest.mark.parametrize("kind", [
    kind if kind == "changing shape" else
    pytest.param(kind, marks=pytest.mark.slow) for kind in FAULTS])
def test_a_fault_has_its_line(tmp_path, kind):
    text = _HEAD + FAULTS[kind]
    done, script = _run(tmp_path, text)
    assert done.returncode == 0, done.stderr
    causes = json.loads((tmp_path / "report.json").read_text())["causes"]
    found = [cause for cause in causes if cause["kind"] == kind]
    assert found, done.stderr
    wanted = [number for number, line in enumerate(text.splitlines(), 1) if "# FAULT" in line]
    if wanted:
        assert any(cause["where"] == f"{script}:{wanted[0]}" for cause in found), done.stderr


def test_a_script_without_faults(tmp_path):
    done, _ = _run(tmp_path, _HEAD + """
with torch.autocast("hpu", dtype=torch.bfloat16):
    for step in range(12):
        loss = train(data)
        htcore.mark_step()
print(f"{loss.item():.3f}")
""")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["causes"] == [], done.stderr
    assert report["steps"] == 12 and report["predicted_us_per_step"] > 0
    assert "steps: 12 (1.1 graphs a step)" in done.stderr or \
        "steps: 12 (1.0 graphs a step)" in done.stderr, done.stderr


_NET = """
import torch, habana_frameworks.torch.core as htcore
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(64, 64) for _ in range(2)])
    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x
model = Net().to("hpu")
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(4):
    loss = model(torch.randn(8, 64).to("hpu")).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    htcore.mark_step()
"""


def test_modules_and_the_page(tmp_path):
    page = tmp_path / "page.html"
    done, _ = _run(tmp_path, _NET, options=["--html", str(page)])
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    schema = json.loads((ROOT / "docs" / "schema" / "script.schema.json").read_text())
    assert list(report) == schema["required"]
    modules = {each["name"]: each for each in report["modules"]}
    assert {"Net.layers.0", "Net.layers.1", "Net.layers.1 backward", "SGD.step"} <= \
        modules.keys(), done.stderr
    assert all(each["time_us"] > 0 for each in report["modules"])
    assert any(each["peak_bytes"] >= 8 * 64 * 4 for each in report["modules"])
    assert 0 < report["host_share"] < 1
    assert report["clock_us_per_step"] > report["predicted_us_per_step"]
    text = page.read_text()
    assert '"script":{"steps":4' in text and "Net.layers.1 backward at script.py:" in text
    done, _ = _run(tmp_path, "print(1)", options=["--html", str(page)])
    assert done.returncode == 1 and "there is no graph to show" in done.stderr


@pytest.mark.slow
def test_inside_of_a_script(tmp_path):
    done, script = _run(tmp_path, "import gaudi_mlir.torch\ngaudi_mlir.torch.record_lines()\n" +
                        _NET + """
report = gaudi_mlir.torch.explain()
assert "steps: 4" in str(report), report
assert {each.name for each in report.script.modules} >= {"Net.layers.0", "Net.layers.0 backward"}
assert report.script.cuts == [("mark_step", __file__ + ":20", 4)], report.script.cuts
gaudi_mlir.torch.reset()
assert gaudi_mlir.torch.explain().script is None
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_script_keeps_its_arguments_output_and_end(tmp_path):
    (tmp_path / "beside.py").write_text("import sys; given = sys.argv[1:]\n")
    done, _ = _run(tmp_path, "import beside, sys; print(beside.given); sys.exit(3)", "--json", "x")
    assert (done.returncode, done.stdout) == (3, "['--json', 'x']\n"), done.stderr
    assert "steps: 0" in done.stderr
    done, _ = _run(tmp_path, "raise ValueError('wrong')")
    assert done.returncode == 1 and "ValueError: wrong" in done.stderr and \
        "what costs time: 0" in done.stderr
    done = subprocess.run([sys.executable, "-m", "gaudi_mlir.explain", "no.py"],
                          capture_output=True, text=True, timeout=240)
    assert done.returncode == 2 and "cannot read 'no.py': No such file" in done.stderr
    (tmp_path / "train.py").write_text("print()")
    done = subprocess.run([sys.executable, "-m", "gaudi_mlir.explain", "--html", "train.py"],
                          capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr == (
        "python -m gaudi_mlir.explain: error: no script is named: --html has taken 'train.py' for what it "
        "writes; write python -m gaudi_mlir.explain --html FILE train.py\n")
    assert (tmp_path / "train.py").read_text() == "print()"


@pytest.mark.slow
def test_what_is_kept_goes_with_its_user(run_python):
    code, output, errors = run_python("""
import gc, weakref, torch
import gaudi_mlir.torch, habana_frameworks.torch.core as htcore
from habana_frameworks.torch import _C, _script
gaudi_mlir.torch.record_lines()
model = torch.nn.Linear(4, 4).to("hpu")
for step in range(50):
    model(torch.full((2, 4), float(step)).to("hpu"))
    htcore.mark_step()
_script.read()
print(sum(kind == "copy that waits" for kind, *_ in _script.notes))
_script.keep(by="a profile")
_script.keep(False, by="a profile")
print(_C.keeps_notes())
gone = weakref.ref(model)
del model
_script.reset()
gaudi_mlir.torch.record_lines(False)
gc.collect()
print(_C.keeps_notes(), gone() is None)
""", PT_HPU_LAZY_MODE="1")
    assert (code, output) == (0, "1\nTrue\nFalse True\n"), errors
