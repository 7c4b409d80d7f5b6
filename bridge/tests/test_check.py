# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts with one fault each: gaudi-check names it, its line and a gain, and nothing else; and
scripts of other forms."""
import collections
import json
import os
import subprocess
import sys

import pytest
import torch

from gaudi_mlir import _short_runs

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
    # Fused optimizers end graphs themselves.
    "mark_step": _HEAD + _MODEL + _DATA + """
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
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
        "    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # FAULT\n"
        "    optimizer.step()")
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
ALSO = {"mark_step": {"fused_optimizer"}}
QUICK = {"host_sync"}


def check(tmp_path, text, *arguments, mode="1", **files):
    script = tmp_path / "script.py"
    script.write_text(text)
    for name, content in files.items():
        (tmp_path / f"{name}.py").write_text(content)
    done = subprocess.run(
        [sys.executable, "-m", "gaudi_mlir.check", "--json", str(tmp_path / "report.json"),
         *arguments, str(script)], capture_output=True, text=True, timeout=240,
        # Else weights stay shared, which one of the faults is about.
        env={**os.environ, "PT_HPU_LAZY_MODE": mode, "PT_HPU_WEIGHT_SHARING": "0"})
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
    assert {*points(report)} - ALSO.get(point, set()) == {point}, done.stderr
    found, = (each for each in report["findings"] if each["point"] == point)
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


# --- scripts of other forms ---------------------------------------------------------------------

_STEPS = """
import habana_frameworks.torch.core as htcore
def step(model, optimizer, x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    htcore.mark_step()
    optimizer.step()
    htcore.mark_step()
    return loss.item()  # FAULT
def fit(model, optimizer, loader):
    return sum(step(model, optimizer, x.to("hpu")) for x in loader)
def fit_in_a_loop(model, optimizer, loader):
    for x in loader:
        step(model, optimizer, x.to("hpu", non_blocking=True))
"""
_TWO_LOOPS = _HEAD + _MODEL + _SETS + """
import steps
optimizer = torch.optim.AdamW(model.parameters())
loader = torch.utils.data.DataLoader(Set(), 16, pin_memory=True)
for epoch in range(4):
    steps.fit_in_a_loop(model, optimizer, loader)
print("trained")
count = 0
with torch.no_grad():
    for x in loader:
        count += (model(x.to("hpu", non_blocking=True)) > 0).sum().item()  # FAULT
print("done")
"""


@pytest.mark.slow
def test_two_loops_and_another_file(tmp_path):
    done, report, script = check(tmp_path, _TWO_LOOPS, "--steps", "6", steps=_STEPS)
    assert done.returncode == 0 and done.stdout == "trained\ndone\n", done.stderr
    assert [(each["kind"], each["steps"]) for each in report["loops"]] == \
        [("training", 6), ("inference", 6)]
    other = str(tmp_path / "steps.py")
    reads = {each["where"] for each in report["findings"] if each["point"] == "host_sync"}
    assert reads == {f"{other}:{line(_STEPS)}", f"{script}:{line(_TWO_LOOPS)}"}
    assert f"{other}:{line(_STEPS, 'for x in loader:')}" in report["ended_loops"]
    gains = [each["gain_us"] for each in report["findings"]]
    assert gains == sorted(gains, reverse=True) and "fused_optimizer" in points(report)
    assert not (tmp_path / "__pycache__").exists()


CLEAN = {
    "fused": (_HEAD + """
from habana_frameworks.torch.hpex.optimizers import FusedAdamW
from habana_frameworks.torch.hpex.normalization import FusedClipNorm
from habana_frameworks.torch.hpex.kernels import FusedSDPA
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.o = torch.nn.Linear(64, 192), torch.nn.Linear(64, 64)
    def forward(self, x):
        q, k, v = (t.reshape(8, 32, 4, 16).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        y = FusedSDPA.apply(q, k, v, None, 0.0, True)
        return self.o(y.transpose(1, 2).reshape(8, 32, 64))
model = Net().to("hpu")
optimizer = FusedAdamW(model.parameters(), lr=1e-3)
clip = FusedClipNorm(model.parameters(), 1.0)
data = torch.randn(8, 32, 64).pin_memory().to("hpu", non_blocking=True)
for step in range(8):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("hpu", dtype=torch.bfloat16):
        loss = model(data).float().pow(2).mean()
    loss.backward()
    htcore.mark_step()
    clip.clip_norm(model.parameters())
    optimizer.step()
    htcore.mark_step()
""", "1"),
    "accumulation": (_HEAD + _MODEL + _DATA + """
optimizer = FusedSGD(model.parameters(), lr=0.05)
parts = list(data.view(4, 32, 256).unbind())
for step in range(12):
    for x in parts:
        with torch.autocast("hpu", dtype=torch.bfloat16):
            loss = model(x).float().pow(2).mean() / 4
        loss.backward()
        htcore.mark_step()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    htcore.mark_step()
    if step % 10 == 9:
        print("loss", loss.item() > 0)
""", "1"),
    "inference": (_HEAD + _MODEL + """
model = ht.hpu.wrap_in_hpu_graph(model.to(torch.bfloat16).eval())
data = torch.randn(64, 256, dtype=torch.bfloat16).pin_memory()
with torch.no_grad():
    for step in range(12):
        y = model(data.to("hpu", non_blocking=True))
""", "1"),
    "loaders": (_ALL + _SETS + """
def main():
    loader = torch.utils.data.DataLoader(Set(), 128, pin_memory=True, num_workers=1, drop_last=True)
    for epoch in range(2):
        for x in loader:
            train(x.to("hpu", non_blocking=True))
        total = torch.zeros((), device="hpu")
        with torch.no_grad(), torch.autocast("hpu", dtype=torch.bfloat16):
            for x in loader:
                total += model(x.to("hpu", non_blocking=True)).float().sum()
                htcore.mark_step()
        print(total.item() != 0)
main()
""", "1"),
    "eager": (_ALL + _LOOP, "0"),
    "compile": (_HEAD + _MODEL + _DATA + """
optimizer = FusedSGD(model.parameters(), lr=0.05)
@torch.compile(backend="hpu_backend")
def forward(x):
    with torch.autocast("hpu", dtype=torch.bfloat16):
        return model(x).float().pow(2).mean()
for step in range(8):
    optimizer.zero_grad()
    forward(data).backward()
    optimizer.step()
""", "0"),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", CLEAN)
def test_forms_without_faults(tmp_path, form):
    text, mode = CLEAN[form]
    done, report, _ = check(tmp_path, text, mode=mode)
    assert done.returncode == 0, done.stderr
    assert report["findings"] == [], done.stderr
    assert report["loops"], done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("point", ["host_sync", "recompilation", "static_shapes", "cpu_fallback",
                                   "autocast", "fused_optimizer", "fused_clip_norm",
                                   "fused_attention", "pinned_memory", "loop_constants"])
def test_faults_of_eager_mode(tmp_path, point):
    text = FAULTS[point]
    done, report, script = check(tmp_path, text, mode="0")
    assert points(report) == [point], done.stderr
    found, = report["findings"]
    assert f"{script}:{line(text)}" in [found["where"], *found["also"]], done.stderr
    assert found["gain_us"] > 0, done.stderr


_BREAKS = _HEAD + """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(256, 64), torch.nn.Linear(64, 4)
    def forward(self, x):
        x = self.a(x)
        if x.sum() > 0:  # FAULT
            x = x * 2
        return self.b(x)
model = torch.compile(Net().to("hpu"), backend="hpu_backend")
data = torch.randn(300, 256).to("hpu")
with torch.no_grad():
    for step in range(10):
        x = data[: 200 + step]  # SHAPE
        y = model(x)
"""


@pytest.mark.slow
def test_torch_compile(tmp_path):
    done, report, script = check(tmp_path, _BREAKS, mode="0")
    assert report["mode"] == "compile", done.stderr
    found = {each["point"]: each for each in report["findings"]}
    assert found["graphs"]["where"] == f"{script}:{line(_BREAKS)}"
    assert found["host_sync"]["where"] == f"{script}:{line(_BREAKS)}"
    shape = found["static_shapes"]
    assert f"{script}:{line(_BREAKS, '# SHAPE')}" in [shape["where"], *shape["also"]], done.stderr
    assert "hpu_graphs" not in found


@pytest.mark.slow
def test_loops_that_cannot_be_ended(tmp_path):
    text = _ALL + """
import atexit
atexit.register(print, "ended")
while True:
    train(data)  # HERE
"""
    done, report, script = check(tmp_path, text, "--steps", "5")
    assert done.returncode == 0 and done.stdout == "ended\n", done.stderr
    assert report["stopped_at"] == f"{script}:{line(text, 'optimizer.step()')}"
    assert report["loops"][0]["steps"] == 5 and "the script was stopped at" in done.stderr


@pytest.mark.slow
def test_the_script_keeps_its_arguments_output_and_end(tmp_path):
    done, report, _ = check(tmp_path, "import sys; print(sys.argv[1:]); sys.exit(3)")
    assert (done.returncode, done.stdout) == (3, "[]\n"), done.stderr
    assert report["device"] == "" and report["findings"] == []
    assert 'it has not used the card; move the model and its inputs there: .to("hpu")' in done.stderr
    assert "nothing was compiled" not in done.stderr


@pytest.mark.slow
def test_scripts_that_fail(tmp_path):
    done, report, _ = check(tmp_path, "raise ValueError('wrong')")
    assert done.returncode == 1 and report["error"] == "ValueError: wrong"
    assert "ValueError: wrong" in done.stderr
    # What a script expects of all of its steps may be missing.
    done, report, _ = check(tmp_path, _ALL + "for step in range(9): train(data)\nassert step == 8",
                            "--steps", "4")
    assert done.returncode == 0 and "its loops were ended early" in report["error"], done.stderr
    for arguments, words in (["no.py"], "cannot read 'no.py': No such file"), \
            (["--steps", "-1", __file__], "argument --steps: '-1' is not a whole number from 0 up"):
        done = subprocess.run([sys.executable, "-m", "gaudi_mlir.check", *arguments],
                              capture_output=True, text=True, timeout=240)
        assert done.returncode == 2 and words in done.stderr


# --- parts ------------------------------------------------------------------------------------


def ran(text: str, steps: int, path) -> tuple[dict, _short_runs.Limit]:
    """The names of a script after it has run in this process."""
    limit = _short_runs.Limit(steps, lambda: False)
    names = {_short_runs._NAME: limit.loop, "step": lambda: limit.step("here")}
    exec(_short_runs._code(text, str(path)), names)
    return names, limit


def test_loops_end_after_steps(tmp_path):
    names, limit = ran("""
seen, after, inner = [], [], 0
for epoch in range(5):
    for each in enumerate("abcdefgh"):
        step()
        seen.append(each)
    else:
        after.append(epoch)
for x in range(3):
    for y in range(100):
        inner += 1
for x in range(9):
    if x == 2:
        continue
    step()
    if x == 3:
        break
""", 4, tmp_path / "s.py")
    assert names["seen"] == list(enumerate("abcd")) and names["after"] == [0]
    assert names["epoch"] == 0 and names["inner"] == 300 and names["x"] == 3
    assert limit.ended == {f"{tmp_path / 's.py'}:4": 4, f"{tmp_path / 's.py'}:3": 4}
    names, limit = ran("n = 0\nfor x in range(50):\n    step()\n    n += 1", 0, tmp_path / "s.py")
    assert names["n"] == 50 and not limit.ended


def test_other_loops_are_stopped(tmp_path):
    with pytest.raises(_short_runs.Stop):
        ran("while True: step()", 4, tmp_path / "s.py")
    with pytest.raises(_short_runs.Stop):
        ran("for x in range(2):\n    while True: step()", 4, tmp_path / "s.py")


def test_lines_and_tracebacks_are_the_script_s(tmp_path):
    with pytest.raises(ZeroDivisionError) as raised:
        ran("for x in (1,\n  0):\n    y = 1 / x", 4, tmp_path / "s.py")
    assert raised.traceback[-1].lineno + 1 == 3


def test_a_backward_pass_is_no_wait(tmp_path):
    """Its thread and the script's have one time: replayed, the calls take what the clock says."""
    from habana_frameworks.torch import _C, _observed
    layers = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(4)]).to("hpu")
    x = torch.ones(4, 8, device="hpu")
    for _ in range(2):  # the first one meets parameters without gradients
        layers(x).sum().backward()
    torch.hpu.synchronize()
    _C.begin_trace(0)
    before = _C.clock(0)["host"]
    for _ in range(2):
        layers(x).sum().backward()
    torch.hpu.synchronize()
    took = (_C.clock(0)["host"] - before) / 1e6
    _C.write_trace(0, str(tmp_path / "trace.json"))
    trace = json.loads((tmp_path / "trace.json").read_text())
    calls = _observed.calls_of(trace["traceEvents"] if isinstance(trace, dict) else trace)
    assert not any(call.waits for call in calls[:-1])
    assert _observed.replay(calls) == pytest.approx(took, rel=0.02)


def test_replays():
    from habana_frameworks.torch import _loops
    from habana_frameworks.torch._observed import Call, replay
    calls = [Call("Launch", 0, 8, work=20, of="graph"),
             Call("Copy", 8, 4, work=2, of="copy out", waits=True),
             Call("Launch", 30, 8, work=20, of="graph")]
    # The host has waited until 30, and the card until 38.
    assert replay(calls) == 58
    assert replay(calls, _loops.unwaited_reads) == 8 + 20 + 2 + 20
    assert replay(calls, lambda call: None if call.of == "copy out" else call) == 48
    one = _loops.one_launch(calls, [(0, 12)])
    # Copies have no launch to save: 20 - 12.59 + 2 + 12.59.
    assert replay(calls, one) == pytest.approx(8 + 22 + 20)


def test_a_report_that_cannot_be_written(tmp_path, monkeypatch, capsys):
    """It is said before the script runs."""
    from gaudi_mlir import check as gaudi_check
    script, path = tmp_path / "script.py", tmp_path / "none" / "report.json"
    script.write_text("print('ran')\n")
    monkeypatch.setattr(sys, "argv", ["gaudi-check", "--json", str(path), str(script)])
    assert gaudi_check.main() == 1
    assert capsys.readouterr() == (
        "", f"gaudi-check: error: cannot write '{path}': No such file or directory; make its folder "
        f"first: mkdir -p '{path.parent}'\n")


@pytest.mark.slow
def test_a_report_of_a_full_disk(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("print('ran')\n")
    done = subprocess.run([sys.executable, "-m", "gaudi_mlir.check", "--json", "/dev/full",
                           str(script)], capture_output=True, text=True, timeout=240)
    assert done.returncode == 1 and done.stdout == "ran\n"
    assert "gaudi-check: error: cannot write '/dev/full': No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_calls_with_keywords_are_seen():
    from habana_frameworks.torch._observed import Observation
    seen = Observation.__new__(Observation)
    seen.attentions, seen.clips = {}, collections.Counter()
    sdpa = seen._counting(torch.nn.functional.scaled_dot_product_attention, seen._attends)
    x = torch.ones(1, 2, 4, 8, device="hpu")
    assert sdpa(query=x, key=x, value=x).shape == sdpa(x, x, value=x, is_causal=True).shape
    assert sorted(each.count for each in seen.attentions.values()) == [2]
    with pytest.raises(TypeError, match="missing|required"):
        sdpa(value=x)
    clip = seen._counting(torch.nn.utils.clip_grad_norm_, seen._clipped)
    clip(parameters=[torch.nn.Parameter(x)], max_norm=1.0)
    assert sum(seen.clips.values()) == 1


def test_optimizers_and_loaders_that_follow_others():
    """An object may have the id() of one that is gone."""
    from habana_frameworks.torch._observed import Observation
    seen = Observation.__new__(Observation)
    seen.optimizers, seen.loaders = [], []
    weight = torch.nn.Parameter(torch.ones(2))
    for _ in range(20):
        seen._made_optimizer(torch.optim.SGD([weight], lr=1.0))
        seen._made_loader(torch.utils.data.DataLoader([1, 2]))
    assert len({id(each) for each in seen.optimizers}) == len(seen.loaders) == 20


def test_attention_is_found_by_its_shapes():
    from habana_frameworks.torch._points import _attentions
    f32, bf16 = "f32", "bf16"
    ops = [("bmm", [((8, 16, 64), bf16), ((8, 64, 32), bf16)], "a:1"),
           ("_softmax", [((4, 2, 16, 32), f32)], "a:2"),
           ("bmm", [((8, 16, 32), bf16), ((8, 32, 64), bf16)], "a:3")]
    (where, shapes, _), = _attentions(ops)
    assert where == "a:2" and shapes == ((4, 2, 16, 64), (4, 2, 32, 64))
    assert not _attentions(ops[:2]) and not _attentions(ops[1:])
    assert not _attentions([ops[0], ("_softmax", [((8, 4), f32)], "a:2"), ops[2]])


def test_samples_that_fit():
    from habana_frameworks.torch._points import fitting
    assert fitting(4, 1000, 2000, 10000) == 34
    # A model whose parameters are nearly all of the peak.
    assert fitting(4, 99_500, 100_000, 10**9) == fitting(4, 0, 0, 10**9) == 0
    assert fitting(4, 9990, 20_000, 10_000) == 0


def test_where_a_name_got_its_value(tmp_path):
    from habana_frameworks.torch._points import assigned_at
    path = tmp_path / "s.py"
    path.write_text("x = load()\ndef f(z):\n    x = z[:3]\n    y = 4\n    return g(x, y)\n")
    assert assigned_at(f"{path}:5") == [f"{path}:3"]
    path.write_text("x = new()\nfor i in range(3):\n    y = f(x)\n    x = cat(x, y)\nz = 5\n")
    assert assigned_at(f"{path}:3") == [f"{path}:4", f"{path}:1"]
    assert assigned_at(f"{path}:99") == [] and assigned_at("none.py:1") == []
    assert assigned_at("") == []


def test_schemas(tmp_path, validate):
    from gaudi_mlir import perf_tool
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps([{"ph": "X", "pid": 1, "tid": 6000, "ts": ts, "dur": 2,
                                  "name": "gemm", "cat": "hpu_op"} for ts in (1, 50)]))
    made = {"gaudi-check": check(tmp_path, "print(1)")[1],
            "gaudi-perf-tool": perf_tool.analyse(str(trace))}
    made["gaudi-check"].update(
        findings=[vars(_finding())], loops=[{
            "kind": "training", "where": "s.py:1", "steps": 2, "step_us": None, "card_us": 0.0,
            "host_us": 0.0, "launches_per_step": 0.0, "samples": 0}])
    for name, report in made.items():
        validate(name, report)


def _finding():
    from habana_frameworks.torch._points import Finding
    return Finding("host_sync", "t", "s.py:1", [], 1, "e", 1.5, "step", "n")
