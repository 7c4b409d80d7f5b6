# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where values that are not finite are born, launches beside the CPU, bisection of scripts, replay
files and dumps of graphs."""
import contextlib
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import threading
import xml.etree.ElementTree

import gaudi_mlir
import habana_frameworks.torch.core as htcore
import pytest
import torch
import torch.nn.functional as F
from gaudi_mlir import bisect
from gaudi_mlir.torch import (check_finite, divergence, kernels, nonfinite, recorder, side_by_side,
                              sidebyside)
from habana_frameworks.torch import (_C, _eager, _finite, _graph_dumps, _observer, _replay,
                                     _sidebyside)

FILE = os.path.realpath(__file__)
ROOT = pathlib.Path(FILE).parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "oracle"))
import agreement  # noqa: E402


def line_of(mark: str) -> int:
    """Of this file, that ends in "# mark"."""
    with open(FILE, encoding="utf-8") as file:
        return next(number for number, text in enumerate(file, 1) if text.endswith(f"# {mark}\n"))


def births(function, call, *tensors):
    """What is born while the function runs on the card, forward and backward."""
    given = [each.to("hpu").requires_grad_(each.dtype.is_floating_point) for each in tensors]
    with check_finite() as found:
        result = call(function, *given)
        result.float().sum().backward()
        htcore.mark_step()
        for each in given:
            each.grad.cpu()
        result.cpu()
    return found.births


def _log(x):
    y = x * 2
    return torch.log(y) + 1  # log


def _divide(x):
    y = x - x
    return x.clone() + y / y  # divide


def _overflow(x):
    return x.bfloat16() * 3e38 * 16  # overflow


def _masked(x):
    hidden = torch.zeros(4, 4, device=x.device).masked_fill(
        torch.ones(4, 4, device=x.device).triu(0) > 0, float("-inf"))
    return F.softmax(x + hidden, dim=-1) * 2  # masked


def _where(x):
    y = x * 0
    return torch.where(y > 0, torch.sqrt(y), y)  # where


@pytest.mark.parametrize("function, op, is_backward, value", [
    (_log, "aten::log", False, "-inf"), (_divide, "aten::div", False, "nan"),
    (_overflow, "aten::mul", False, "inf"), (_masked, "aten::_softmax", False, "nan"),
    (_where, "aten::div", True, "nan")])
def test_birth(call, function, op, is_backward, value):
    found = births(function, call, torch.tensor([[0., 1, 2, 3]] * 4))
    first = [each for each in found if each.place.is_backward == is_backward][0]
    assert first.op.split(" ")[0].split(".")[0] == op
    assert (os.path.realpath(first.place.file), first.place.line) == \
        (FILE, line_of(function.__name__[1:]))
    assert str(first.value) == value
    text = first.text("a launch")
    assert f"{op} makes {value} of" in text or "its aten::" in text
    assert "element [" in text and first.operands


def test_birth_is_raised(call):
    with pytest.raises(FloatingPointError, match="aten::log makes -inf of finite operands"):
        with check_finite(raises=True):
            call(lambda x: torch.log(x), torch.zeros(3, device="hpu")).cpu()
            htcore.mark_step()


def test_check_ends_when_it_raises_at_the_end(lazily):
    with pytest.raises(FloatingPointError, match="aten::log makes"):
        with check_finite(raises=True):
            result = torch.log(torch.zeros(3, 2, device="hpu"))  # waits for the end of the check
    assert not _observer.is_watched()
    del result


def test_watching_waits_for_no_lock(monkeypatch):
    """Another thread may watch while this one waits for what that one computes."""
    taken = []

    def other():
        if _observer._lock.acquire(timeout=5):
            taken.append(True)
            _observer._lock.release()

    def cut_all(_):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    monkeypatch.setattr(_C, "cut_all", cut_all)
    with check_finite():
        pass
    assert len(taken) == 2 and not _observer.is_watched()


def test_programs_that_are_gone_are_forgotten(monkeypatch):
    """Whenever there are twice as many."""
    monkeypatch.setattr(_observer, "_LOOK_AT", 1)
    monkeypatch.setattr(_observer, "_look_at", 1)
    x = torch.rand(2, 31).to("hpu")
    with check_finite():
        torch.exp(x)
        assert [each.name for each in _observer._strong.values()] == ["aten::exp"]
        _C.reset_eager()
        for op in (torch.sin, torch.cos, torch.tanh):
            op(x)
        assert {each.name for each in _observer._strong.values()} == \
            {"aten::sin", "aten::cos", "aten::tanh"}


def test_op_that_the_cpu_refuses(call, capfd, monkeypatch):
    """The checks say it, and the script goes on."""
    def refuse(*_):
        raise RuntimeError("the CPU refuses\nat a line")
    monkeypatch.setattr(nonfinite.Evaluation, "computed", refuse)
    monkeypatch.setattr(sidebyside, "ON_CARD", sidebyside.ON_CARD.copy())
    on_cpu = _sidebyside.OnCpu()
    with check_finite() as found, side_by_side() as compared, torch.no_grad():
        _observer.watch(on_cpu)
        try:
            result = call(lambda x: torch.log(x), torch.zeros(3, 3).to("hpu")).cpu()
        finally:
            _observer.unwatch(on_cpu)
    assert result.isinf().all() and not found.births and not compared.compared
    assert "PyTorch's CPU cannot compute it op by op: the CPU refuses\n" in capfd.readouterr().err
    refused = [reason for _, reason in compared.not_compared]
    assert refused and set(refused) == {"PyTorch's CPU cannot: the CPU refuses"}
    assert any(each.endswith(": PyTorch's CPU cannot: the CPU refuses")
               for each in sidebyside.ON_CARD)


def test_infinity_of_the_program_is_none(call):
    mask = torch.eye(4) > 0
    with check_finite() as found:
        call(lambda m: torch.zeros(4, 4, device="hpu").masked_fill(m, float("-inf")),
             mask.to("hpu")).cpu()
    assert not found.births


def test_optimizer(call):
    weight = torch.nn.Parameter(torch.ones(4, device="hpu"))
    optimizer = torch.optim.Adam([weight], lr=0.1, eps=0.0)
    with check_finite() as found:
        (call(lambda w: w * 0, weight)).sum().backward()
        optimizer.step()  # optimizer
        weight.cpu()
    assert found.births[0].place.line == line_of("optimizer")
    assert found.births[0].place.module == "Adam.step"


def test_data(call, capfd):
    with check_finite() as found:
        call(lambda x: torch.exp(x) + 1, torch.tensor([1, float("nan")]).to("hpu")).cpu()
    assert not found.births
    text = capfd.readouterr().err
    assert "reads a NaN that no launch has made since the check began" in text
    assert "2 float32, 1 to 1, 1 NaN" in text


def test_op_of_the_host(monkeypatch):
    monkeypatch.setenv("GAUDI_OPS_ON_CPU", "1")
    with check_finite() as found:
        torch.log(torch.zeros(3, 1).to("hpu")).cpu()  # host
    first, = found.births
    assert first.op == "aten::log" and first.place.line == line_of("host")


def test_variable_of_births(monkeypatch):
    with pytest.raises(ValueError, match="GAUDI_CHECK_FINITE is 'maybe'; expected 0, 1, or raise"):
        _finite.install("maybe")
    assert _finite.install("0") is None


@kernels.op("differs::lost(Tensor x) -> Tensor", reference=lambda x: x * 1)
def lost(k, x, y):
    y[k.indices] = x[k.indices] / (x[k.indices] - x[k.indices])


def test_birth_on_the_card_alone(call, capfd):
    def run(x):
        y = torch.tanh(x)
        return torch.ops.differs.lost(y) * 2  # lost
    with check_finite() as found, torch.no_grad():
        call(run, torch.ones(3, 5).to("hpu")).cpu()
        htcore.mark_step()
    assert found.births[0].op == "differs::lost"
    assert found.births[0].place.line == line_of("lost")
    assert "PyTorch's CPU computes finite values for this op" in capfd.readouterr().err


# --- beside the CPU --------------------------------------------------------------------------


@kernels.op("differs::square(Tensor x) -> Tensor", reference=lambda x: x * x)
def square(k, x, y):
    y[k.indices] = x[k.indices] * x[k.indices] * 1.01


def test_wrong_op_is_named(call):
    def run(x):
        y = torch.tanh(x) + 1
        y = torch.ops.differs.square(y)  # wrong
        return y.t().exp() * 2
    x = torch.linspace(-1, 1, 12).reshape(3, 4).to("hpu")
    with side_by_side() as found, torch.no_grad():
        call(run, x).cpu()
        htcore.mark_step()
    first, = found.differences
    assert first.op == "differs::square" and first.place.line == line_of("wrong")
    assert "differs from PyTorch's CPU by" in str(first)
    assert abs(first.actual / first.expected - 1.01) < 1e-5
    assert "ops that differ: 1" in found.report()


@pytest.mark.slow
def test_training_agrees(call):
    """Also where gradients cancel: that of the norm before the loss is 0 but for roundings."""
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).to("hpu")
    optimizer = torch.optim.AdamW(layer.parameters())
    with side_by_side() as found:
        loss = call(lambda x: layer(x).square().mean(), torch.randn(2, 5, 16).to("hpu"))
        loss.backward()
        optimizer.step()
        htcore.mark_step()
    assert not found.differences, found.report()
    assert sum(found.compared.values()) > 0 and not found.not_compared, found.report()


# --- replay files and dumps ------------------------------------------------------------------


def test_what_is_replayed():
    wanted = _replay.Wanted("launch:3, slower-than:1.5ms")
    assert wanted.launches == {3} and wanted.microseconds == 1500
    assert _replay.Wanted("all").is_all
    with pytest.raises(ValueError, match="GAUDI_REPLAY is 'often'; expected launch:NUMBER"):
        _replay.Wanted("often")


def test_a_folder_of_replays_that_cannot_be_made(tmp_path, monkeypatch, capfd):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(_replay, "_writer", None)
    _replay.install(str(tmp_path / "file" / "replays"))
    assert "replays: Not a directory; no launch is kept" in capfd.readouterr().err
    assert _replay._writer is None


@pytest.fixture
def replays(tmp_path, monkeypatch):
    """What is written while launches are observed; `wanted` as GAUDI_REPLAY."""
    module = pytest.importorskip("gaudi_mlir.replay")

    @contextlib.contextmanager
    def watched(wanted: str, with_inputs: bool = True):
        writer = _replay.Writer(str(tmp_path / "replays"), _replay.Wanted(wanted), with_inputs)
        monkeypatch.setattr(_replay, "_writer", writer)
        _observer.watch(writer)
        made: list = []
        try:
            yield made
        finally:
            _observer.unwatch(writer)
            made += map(module.load, replayed(tmp_path))
    return watched


def replayed(tmp_path) -> list[pathlib.Path]:
    """Files of launches, in order."""
    return sorted((tmp_path / "replays").glob("*.zip"),
                  key=lambda path: int(path.name.split("-")[1]))


def gaudi_run(path) -> subprocess.CompletedProcess:
    return subprocess.run([ROOT / "build/release/bin/gaudi-run", path], capture_output=True,
                          text=True, timeout=300)


def test_replay_of_a_launch(call, replays, tmp_path):
    x = torch.rand(4, 6).to("hpu")
    with replays("all") as made, torch.no_grad():
        result = call(lambda x: torch.tanh(x).bfloat16() @ x.t().bfloat16(), x).cpu()
    last = made[-1]
    again, = last.recipe.run(list(last.inputs))
    assert torch.equal(torch.from_numpy(again.astype("float32")).reshape(4, 4), result.float())
    assert last.code == 0 and "test_differs.py" in last.recipe.text
    done = gaudi_run(replayed(tmp_path)[-1])
    assert done.returncode == 0 and "replay: as recorded" in done.stdout, done.stdout + done.stderr


def test_replay_of_a_failure(call, replays, capfd, tmp_path):
    with replays("") as made, pytest.raises(RuntimeError, match="is out of bounds"):
        call(lambda table, index: F.embedding(index, table) * 2, torch.rand(5, 3).to("hpu"),
             torch.tensor([1, 5000000]).to("hpu")).cpu()
    assert made[0].code == 4 and "is out of bounds for dimension 0" in made[0].message
    assert "the launch failed" in capfd.readouterr().err
    done = gaudi_run(replayed(tmp_path)[0])
    assert "is out of bounds for dimension 0" in done.stdout + done.stderr


def test_a_failure_says_how_to_find_its_line(monkeypatch):
    monkeypatch.delenv("GAUDI_REPLAY_DIR", raising=False)
    with pytest.raises(RuntimeError, match=r"has failed: index 12 is out of bounds for dimension 0 "
                                           r"\(size 5\): the indices or labels "
                                           "that an op of the script is given .* must be 0 to 4; run "
                                           "the script with GAUDI_REPLAY_DIR=replays, which names "
                                           "its line"):
        F.embedding(torch.tensor([1, 12]).to("hpu"), torch.rand(5, 3).to("hpu")).cpu()


def test_replay_of_a_slow_launch(replays):
    x = torch.rand(1024, 1024).to("hpu")
    with replays("slower-than:0.03ms") as made, torch.no_grad():
        torch.neg(x[:1, :1].clone())
        (x @ x).cpu()
    only, = made
    assert re.fullmatch(r"predicted \S+ us, slower than 30 us", only.description["reason"])
    assert "mme.gemm" in only.recipe.text


@pytest.mark.parametrize("rank", ["", "3"])
def test_files_of_processes_differ(rank, replays, tmp_path, monkeypatch):
    monkeypatch.setenv("RANK", rank)
    with replays("all"), torch.no_grad():
        torch.exp(torch.rand(2, 5 + len(rank)).to("hpu")).cpu()
    own = f"rank3-{os.getpid()}.zip" if rank else f"-{os.getpid()}.zip"
    assert replayed(tmp_path)[0].name.endswith(own)
    assert stat.S_IMODE((tmp_path / "replays").stat().st_mode) == 0o700


def test_replay_without_inputs_has_no_values(replays, tmp_path):
    with replays("", with_inputs=False) as made, pytest.raises(RuntimeError, match="5000000"):
        F.embedding(torch.tensor([1, 5000000]).to("hpu"), torch.rand(5, 3).to("hpu")).cpu()
    assert made[0].code == 4 and "an index is out of bounds for dimension 0" in made[0].message
    assert "5000000" not in made[0].message


def test_replay_of_what_a_check_finds(call, replays):
    with replays("", with_inputs=False) as made, check_finite():
        call(lambda x: torch.log(x * 0), torch.ones(3).to("hpu")).cpu()
        htcore.mark_step()
    assert made[0].code == 1 and re.fullmatch(
        r"aten::log makes an infinity \(test_differs\.py:\d+:1\)", made[0].message)
    assert all(each is None for each in made[0].inputs)
    assert "check-finite" in str(made[0].description["options"])


def test_replay_with_inputs_says_their_values(replays):
    with replays("") as made, side_by_side():
        torch.ops.differs.square(torch.full((3,), 5.0).to("hpu")).cpu()
    assert made[0].code == 1 and "element [0] is 25.25, on the CPU 25" in made[0].message


@pytest.mark.parametrize("error", [
    OSError("no room"), MemoryError("no room"), gaudi_mlir.ArgumentError("no room"),
    gaudi_mlir.RecipeError("no room")], ids=lambda each: type(each).__name__)
def test_replay_that_cannot_be_written(error, replays, capfd, monkeypatch):
    """The script goes on, and a launch that has failed says so itself."""
    def fail(*_, **__):
        raise error
    with replays("all"), monkeypatch.context() as changed:
        changed.setattr("gaudi_mlir.replay.save", fail)
        torch.exp(torch.rand(2, 9).to("hpu")).cpu()
        with pytest.raises(RuntimeError, match="is out of bounds"):
            F.embedding(torch.tensor([1, 5000000]).to("hpu"), torch.rand(5, 3).to("hpu")).cpu()
    assert capfd.readouterr().err.count("cannot be written: no room") >= 2


def test_observer_that_fails_keeps_the_error_of_the_launch(capfd):
    class Broken(_sidebyside.OnCpu):
        def failed(self, launch, text):
            raise KeyError("broken")
    launch = _observer.Launch(0, "aten::log", [], [])
    _observer.watch(watcher := Broken())
    try:
        launch.failed("the launch's own error")
    finally:
        _observer.unwatch(watcher)
    assert "which has failed, cannot be looked at: 'broken'" in capfd.readouterr().err


@pytest.mark.parametrize("form", ["pbtxt", "svg", "graphml"])
def test_graphs(form, tmp_path, monkeypatch, lazily):
    monkeypatch.setenv("PT_HPU_GRAPH_DUMP_MODE", "all")
    monkeypatch.setenv("PT_HPU_GRAPH_DUMP_PREFIX", str(tmp_path / "dumps"))
    monkeypatch.setenv("PT_HPU_GRAPH_DUMP_FORMAT", form)
    x = torch.rand(5, 7 + len(form)).to("hpu")
    torch.tanh(x @ x.t()).cpu()
    before, = (tmp_path / "dumps").glob(f"*_{os.getpid()}_*-before.{form}")
    after, = (tmp_path / "dumps").glob(f"*-after.{form}")
    assert "aten::tanh" in before.read_text() and "mme.gemm" in after.read_text()
    if form == "pbtxt":
        assert before.read_text().count("node {") > 2
    else:
        xml.etree.ElementTree.parse(before)
        xml.etree.ElementTree.parse(after)


def test_wrong_variables_of_graphs(monkeypatch):
    monkeypatch.setenv("PT_HPU_GRAPH_DUMP_MODE", "some")
    with pytest.raises(ValueError, match="PT_HPU_GRAPH_DUMP_MODE is 'some'; expected all"):
        _graph_dumps.is_wanted("eager")
    monkeypatch.setenv("PT_HPU_GRAPH_DUMP_MODE", "eager")
    assert _graph_dumps.is_wanted("eager") and not _graph_dumps.is_wanted("forward")
    monkeypatch.setenv("PT_HPU_GRAPH_DUMP_FORMAT", "gif")
    with pytest.raises(ValueError, match="PT_HPU_GRAPH_DUMP_FORMAT is 'gif'; expected pbtxt"):
        _graph_dumps.write("name", torch.fx.Graph(), None)


# --- scripts ---------------------------------------------------------------------------------

_SCRIPT = """
import os, torch
import habana_frameworks.torch.core as htcore
from gaudi_mlir.torch import kernels
@kernels.op("mine::square(Tensor x) -> Tensor", reference=lambda x: x * x,
            gradient=lambda g, x: (2 * x * g,))
def square(k, x, y):
    y[k.indices] = x[k.indices] * x[k.indices] * FACTOR
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(16, 16), torch.nn.Linear(16, 16)
        self.drop = torch.nn.Dropout(0.2)
    def forward(self, x):
        return self.drop(x + self.b(torch.ops.mine.square(self.a(x))))  # WRONG
torch.manual_seed(0)
model = torch.nn.Sequential(Block(), Block()).to("hpu")
if os.environ.get("CHANGED"):
    model[1].b.weight.data.mul_(1.01)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(8, 16).to("hpu")).square().mean().backward()
    optimizer.step()
    htcore.mark_step()
"""


def test_what_the_card_computes_on_both_sides(monkeypatch, tmp_path):
    monkeypatch.setattr(sidebyside, "ON_CARD", sidebyside.ON_CARD.copy())
    assert _eager._is_for_cpu(torch.ops.aten.log.default)
    assert not _eager._is_for_cpu(torch.ops.aten.copy_.default)
    sdpa = torch.ops.gaudi.sdpa.default
    assert not _eager._is_for_cpu(sdpa)
    recorder.Recorder(str(tmp_path)).close()
    found = recorder.Record(str(tmp_path)).on_card
    assert "gaudi::sdpa: PyTorch's CPU does not have it" in found
    assert not any("copy_" in each for each in found)
    text = str(divergence.Comparison(on_card=[f"op{number}" for number in range(12)]))
    assert "12 ops were computed by the card on both sides" in text
    assert "\n  op9\n  and 2 more" in text


def test_tolerances():
    """Of docs/numerics.md, in one table for all checks."""
    types = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16,
             "f8E4M3FN": torch.float8_e4m3fn, "f8E5M2": torch.float8_e5m2}
    known = agreement.tolerances()
    for name, dtype in types.items():
        assert known[name, "model"][:2] == (sidebyside.allowed_of(dtype),) * 2, name
        event = recorder.Event(0, "output", "", "", "", "", [], str(dtype)[6:], "", 0.0)
        assert divergence._allowed(event) == sidebyside.allowed_of(dtype)
    assert sidebyside.allowed_of(torch.complex64) == sidebyside.allowed_of(torch.float32)
    assert sidebyside.allowed_of(torch.int64) == sidebyside.allowed_of(torch.bool) == 0


def _bisect(tmp_path, validate, factor: str, *flags: str):
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT.replace("FACTOR", factor))
    done = subprocess.run(
        [sys.executable, "-m", "gaudi_mlir.bisect", f"--json={tmp_path / 'found.json'}", *flags,
         str(script)], capture_output=True, text=True, timeout=600,
        env={**os.environ, "PT_HPU_LAZY_MODE": "1"})
    assert done.returncode in (0, 1), done.stderr
    with open(tmp_path / "found.json", encoding="utf-8") as file:
        found = json.load(file)
    validate("bisect-script", found)
    return done.returncode, done.stdout, found


@pytest.mark.slow
def test_bisect_names_a_wrong_op(tmp_path, validate):
    code, text, found = _bisect(tmp_path, validate, "1.01")
    assert code == 1 and found["found"]["step"] == 0
    assert found["found"]["module"] == "Sequential.0"
    assert "mine::square differs from PyTorch's CPU" in found["ops"][0]
    number = _SCRIPT.split("# WRONG")[0].count("\n") + 1
    assert f"script.py:{number}" in found["ops"][0] and "op by op" in text


@pytest.mark.slow
def test_bisect_of_what_is_right(tmp_path, validate):
    code, text, _ = _bisect(tmp_path, validate, "1.0")
    assert code == 0 and "no value differs in 2 steps" in text


@pytest.mark.slow
def test_bisect_names_a_changed_weight(tmp_path, validate):
    code, text, found = _bisect(tmp_path, validate, "1.0", "--against=env:CHANGED=1")
    assert code == 1 and found["found"]["module"] == "Sequential.1.b"
    assert "Sequential.1.b.weight differed before anything was computed" in text


@pytest.mark.parametrize("flags, message", [
    (["--against=nobody", FILE], "expected cpu, device:KIND (device:gaudi3), env:NAME=VALUE"),
    (["--against=script:none.py", FILE], "--against=script:none.py: there is no file 'none.py'"),
    (["none.py"], "cannot read 'none.py': No such file or directory; give the path of a file"),
    ([os.path.dirname(FILE)], f"'{os.path.dirname(FILE)}' is a folder; name the script in it"),
    ([sys.executable], "is no script of Python; name the .py file"),
    (["--steps=-1", FILE], "argument --steps: '-1' is not a whole number from 0 up; see python -m"),
    (["--aginst=cpu", FILE], "unrecognized arguments: --aginst=cpu; did you mean '--against'?"),
    ([f"--against={os.path.dirname(FILE)}", "--no-noise", FILE], "has no record.json")])
def test_bisect_refuses(flags, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["bisect", *flags])
    monkeypatch.setattr(bisect._Runs, "record", lambda *_, **__: None)
    with pytest.raises(SystemExit) as raised:
        sys.exit(bisect.main())
    assert raised.value.code == 2 and message in capsys.readouterr().err


class _Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = (torch.nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        y = self.a(x).tanh()
        return self.c(self.b(y) * self.factor)

    factor = 1.0


def _recorded(folder, change=None, noise=False):
    """Two steps on the host."""
    torch.manual_seed(0)
    model = _Net()
    made = recorder.Recorder(str(folder), noise=noise)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for step in range(2):
        if change:
            change(model, step)
        optimizer.zero_grad()
        model(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
    made.close()
    return recorder.Record(str(folder))


def _weight(model, step):
    if step == 0:
        model.b.weight.data.mul_(1.001)


def _within(model, step):
    model.factor = 1.01 if step == 1 else 1.0


class _WrongGradient(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        return gradient * 1.01


def _backward(model, step):
    model.b.forward = lambda x: F.linear(_WrongGradient.apply(x), model.b.weight, model.b.bias)


@pytest.mark.parametrize("change, step, module, kind", [
    (None, None, None, None), (_weight, 0, "_Net.b", "output"), (_within, 1, "_Net", "input"),
    (_backward, 0, "_Net.b", "gradient")])
def test_records(tmp_path, change, step, module, kind):
    plain = _recorded(tmp_path / "one")
    result = divergence.compare(_recorded(tmp_path / "two", change), plain,
                                _recorded(tmp_path / "noise", noise=True), plain)
    assert result.compared > 10 and not result.only_one
    if change is None:
        assert result.found is None and result.equal == result.compared
        assert "no value differs in 2 steps" in str(result)
        return
    assert (result.found.step, result.found.module, result.found.event.kind) == \
        (step, module, kind)
    assert f"first step that differs: {step}" in str(result)
    assert (change is not _weight) or result.found.parameters == ["_Net.b.weight"]


def test_numbers_of_a_record_show_each_element():
    x = torch.zeros(100, 77)
    for place in (0, 1, 5000, 7699):
        y = x.clone()
        y.view(-1)[place] = 1.0
        assert (recorder.numbers_of(x) != recorder.numbers_of(y)).any()
    assert recorder.element_of(3, [2, 2]) == (1, 1)
    assert recorder.element_of(recorder.SAMPLES, [100, 77]) is None
