# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""habana_frameworks.torch.gpu_migration: scripts of CUDA, as they are, on hpu."""
import os
import re
import subprocess
import sys

import pytest
from habana_frameworks.torch._cuda_names import rules, scan

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "cuda_scripts")

# What a script of CUDA that asks for no GPU finds on the CPU, for the losses to compare with.
ON_CPU = """
import runpy, sys, time, torch
def same(self, *_, **__): return self
torch.Tensor.cuda = torch.nn.Module.cuda = same
for name in ("set_device", "manual_seed_all", "synchronize", "reset_peak_memory_stats"):
    setattr(torch.cuda, name, lambda *_, **__: None)
class Event:
    def __init__(self, **_): pass
    def record(self): pass
    def elapsed_time(self, other): return 0.
torch.cuda.Event, torch.cuda.max_memory_allocated = Event, lambda: 0
init = torch.distributed.init_process_group
torch.distributed.init_process_group = lambda backend, **named: init("gloo", **named)
parallel = torch.nn.parallel.DistributedDataParallel
torch.nn.parallel.DistributedDataParallel = lambda model, **_: parallel(model)
torch.nn.SyncBatchNorm.convert_sync_batchnorm = lambda model: model
load = torch.load
torch.load = lambda path, **_: load(path)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def _losses(name: str, *args: str, on_cpu: bool = False, **variables) -> list[float]:
    path = os.path.join(SCRIPTS, f"{name}.py")
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": str(int(not on_cpu)),
                   "PT_HPU_GPU_MIGRATION": "0" if on_cpu else "1", **variables}
    command = [sys.executable, "-W", "ignore", *(["-c", ON_CPU] if on_cpu else []), path, *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stderr
    return [float(each) for each in re.findall(r"^loss (\S+)$", done.stdout, re.MULTILINE)]


CASES = {
    "classifier": (["classifier"], {}, 5e-3), "classifier in bfloat16": (
        ["classifier", "--amp"], {}, 5e-2),
    "language model": (["language_model"], {"DTYPE": "float32"}, 1e-3),
    "language model in float16": (["language_model"], {"DTYPE": "float16"}, 1e-2),
    "compiled language model": (["language_model"], {"DTYPE": "float32", "COMPILE": "1"}, 1e-3),
    "gan": (["gan"], {}, 5e-3), "vae": (["vae", "--no-noise"], {}, 1e-3),
    "dqn": (["dqn"], {}, 1e-3),
}


@pytest.mark.slow
@pytest.mark.parametrize("lazy", ["0", "1"])
@pytest.mark.parametrize("case", CASES)
def test_scripts_have_the_losses_of_the_cpu(case, lazy):
    command, variables, tolerance = CASES[case]
    reference = {**variables, "DEVICE": "cpu", "COMPILE": "", "DTYPE": "float32"}
    plain = [each for each in command if each != "--amp"]
    wanted = _losses(*plain, on_cpu=True, **reference)
    losses = _losses(*command, PT_HPU_LAZY_MODE=lazy, **variables)
    assert len(losses) == len(wanted) > 10
    assert losses == pytest.approx(wanted, rel=tolerance, abs=tolerance)


@pytest.mark.slow
def test_a_script_with_noise_learns():
    losses = _losses("vae")
    assert losses[-1] < 0.92 * losses[0]


@pytest.mark.slow
@pytest.mark.parametrize("which", ["not lazy", "lazy"])
def test_pytorchs_cuda(which):
    """The tests of migrated.py, in a process whose PyTorch has changed."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-k", which,
               os.path.join(HERE, "migrated.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b\d+ passed", done.stdout), done.stdout


@pytest.mark.slow
def test_calls_are_logged_and_listed_at_the_end(run_python):
    program = """
import torch
x = torch.zeros(2, device="cuda")
for _ in range(2):
    torch.cuda.nvtx.range_push("a")
torch.cuda.synchronize()
"""
    code, _, errors = run_python(program, PT_HPU_GPU_MIGRATION="1", GPU_MIGRATION_LOG_LEVEL="1")
    assert code == 0
    lines = errors.strip().splitlines()
    assert lines[:3] == [
        'gpu_migration: <string>:3: device="cuda" -> the device "hpu"',
        "gpu_migration: <string>:5: torch.cuda.nvtx.range_push is ignored: "
        "torch.profiler.record_function marks a range",
        "gpu_migration: <string>:6: torch.cuda.synchronize -> torch.hpu.synchronize"]
    assert lines[3:] == ["gpu_migration: without a counterpart on hpu:",
                         "  " + lines[1].removeprefix("gpu_migration: ")]


# --- the scan ------------------------------------------------------------------------------------


def _found(text: str) -> list[tuple[int, str, str]]:
    return [(each.line, each.name, each.rule.kind) for each in scan.scan(text)]


def test_scan_follows_names():
    assert _found("""
import torch
import torch.cuda.amp as amp
from torch.cuda import nvtx
from torch.cuda.amp import GradScaler as Scaler
from torch import cuda
device = torch.device(f"cuda:{0}" if cuda.is_available() else "cpu")
scaler = Scaler()
with amp.autocast():
    nvtx.range_push("a")
x = torch.zeros(3, device="cuda").cuda()
if x.is_cuda and "cuda" in str(x.device):
    torch.cuda.caching_allocator_alloc(3)
""") == [
        (7, 'a text with "cuda:"', "same"), (7, "torch.cuda.is_available", "same"),
        (8, "torch.cuda.amp.GradScaler", "same"), (9, "torch.cuda.amp.autocast", "changed"),
        (10, "torch.cuda.nvtx.range_push", "ignored"), (11, ".cuda()", "same"),
        (11, '"cuda"', "same"), (12, ".is_cuda", "same"), (12, '"cuda"', "same"),
        (13, "torch.cuda.caching_allocator_alloc", "missing")]


def test_scan_finds_what_needs_cuda():
    assert _found("""
'''It runs on "cuda".'''
import os, triton, apex.contrib
import torch.distributed as dist
from torch.utils.cpp_extension import load_inline
from torch.profiler import ProfilerActivity as A
import torch
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
dist.init_process_group("nccl")
model = torch.compile(torch.nn.DataParallel(model))
fast = torch.compile(model, backend="eager")
a = A.CUDA
torch.backends.cudnn.benchmark = True
torch.cuda.who_knows()
""") == [
        (3, "import apex.contrib", "missing"), (3, "import triton", "missing"),
        (5, "import torch.utils.cpp_extension.load_inline", "missing"),
        (8, "CUDA_VISIBLE_DEVICES", "same"), (9, '"nccl"', "same"),
        (10, "torch.compile", "same"), (10, "torch.nn.DataParallel", "changed"),
        (12, "torch.profiler.ProfilerActivity.CUDA", "same"),
        (13, "torch.backends.cudnn.benchmark", "ignored"),
        (14, "torch.cuda.who_knows", "missing")]


def test_scan_of_a_port_finds_nothing():
    assert _found("""
import torch
import habana_frameworks.torch.core as htcore
x = torch.ones(3, device="hpu").to("cpu")
""") == []


def test_command(tmp_path, capsys):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text('import torch\nx = torch.ones(2).cuda()\n')
    bad.write_text("import torch\ntorch.cuda.power_draw()\n")
    assert scan.main([str(good)]) == 0
    assert capsys.readouterr().out == (
        f'{good}:2:5: becomes: .cuda() -> .to("hpu")\n'
        "1 become another name, 0 differ, 0 are ignored, 0 have no counterpart\n")
    assert scan.main([str(tmp_path)]) == 1
    assert f"{bad}:2:1: MISSING: torch.cuda.power_draw\n" in capsys.readouterr().out
    assert scan.main(["--json", str(good)]) == 0
    assert '"target": ".to(\\"hpu\\")"' in capsys.readouterr().out
    for wrong, said in (("nope.py", "cannot read 'nope.py': No such file or directory; give the path"),
                        (str(tmp_path / "bad.pyy"), "did you mean 'bad.py'?")):
        assert scan.main([wrong]) == 2
        assert said in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert scan.main([str(tmp_path / "empty")]) == 0
    assert f"there is no .py file in '{tmp_path}/empty'; name a folder" in capsys.readouterr().err
    bad.write_text("def")
    assert scan.main([str(tmp_path)]) == 2
    assert "bad.py: invalid syntax" in capsys.readouterr().err
    bad.write_text("x = " + "-" * 100000 + "1")
    assert scan.main([str(bad)]) == 2
    assert capsys.readouterr().err == (
        f"gaudi-migrate: error: {bad}: nested too deeply, or too large; mend it, or leave it out\n")


def test_command_whose_reader_has_seen_enough(tmp_path, monkeypatch):
    script = tmp_path / "many.py"
    script.write_text('x = "cuda"\n' * 3000)
    reads, writes = os.pipe()
    os.close(reads)
    with open(writes, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        assert scan.main([str(script)]) == 0


def test_rules_name_what_there_is():
    """What a port is told to write is there."""
    import habana_frameworks.torch  # noqa: F401
    import torch
    for rule in rules.RULES.values():
        if rule.target.startswith(("torch.hpu.", "habana_frameworks.")) and "(" not in rule.target:
            found = torch if rule.target.startswith("torch.") else sys.modules["habana_frameworks"]
            for each in rule.target.split(".")[1:]:
                found = getattr(found, each)
