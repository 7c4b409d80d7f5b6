# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process in which torch-mlir's passes run: what happens when it dies, hangs, grows; interrupts,
threads, forks."""
import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest
import torch
from torch import nn

import gaudi_mlir.torch
from gaudi_mlir import passes
from gaudi_mlir.passes import process
from gaudi_mlir.torch import lower, routes, segment


@pytest.fixture(autouse=True)
def through_torch_mlir(monkeypatch):
    """Our own front end takes most models, and needs no such process."""
    monkeypatch.setattr(routes, "available", lambda: routes.OF_TORCH_MLIR)


def worker() -> int:
    """The number of the process, which is started if there is none."""
    with process.LOCK:
        one = process.current()
        one._started.wait()
        return one._popen.pid


def is_running(pid: int) -> bool:
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except FileNotFoundError:
        return False
    return state != "Z"


def ends(pid: int, seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_running(pid)


def graph_of(function, *args) -> torch.fx.Graph:
    class Module(nn.Module):
        def forward(self, *args):
            return function(*args)
    with torch.no_grad():
        return torch.export.export(Module(), args).run_decompositions().graph


def same(function, *args) -> None:
    """That a compiled function returns what it returns eagerly."""
    with torch.no_grad():
        expected, actual = function(*args), torch.compile(function, backend="gaudi")(*args)
    assert torch.equal(actual, expected) or torch.allclose(actual, expected, rtol=1e-2, atol=1e-2)


def volume() -> torch.Tensor:
    return torch.arange(180).reshape(1, 2, 3, 6, 5)


def pool(x: torch.Tensor):
    """What crashes a pass, for whole numbers."""
    return nn.functional.max_pool3d(x, 3, 2, ceil_mode=True, return_indices=True)


def test_crash_runs_on_the_cpu():
    first = worker()
    same(lambda x: sum(pool(x)), volume())
    reasons = gaudi_mlir.torch.explain().fallback_reasons
    assert any("torch-mlir crashes (SIG" in reason for reason in reasons.values()), reasons
    assert ends(first)
    # The next one works, and stays.
    same(lambda x: x + 1, torch.ones(4))
    second = worker()
    same(lambda x: x.exp() - 1, torch.ones(4))
    assert second != first and worker() == second


def test_hang_runs_on_the_cpu(monkeypatch):
    monkeypatch.setenv("GAUDI_TORCH_MLIR_TIMEOUT", "4")
    begin = time.monotonic()
    same(lambda x: torch.softmax(x, 0), torch.tensor(1.5))
    [reason] = gaudi_mlir.torch.explain().fallback_reasons.values()
    assert "torch-mlir takes longer than 4 s, the limit that GAUDI_TORCH_MLIR_TIMEOUT sets" in reason
    # Known from then on.
    torch._dynamo.reset()
    begin = time.monotonic()
    same(lambda x: torch.softmax(x, 0) + 0, torch.tensor(1.5))


def test_time_of_others_does_not_count(monkeypatch):
    """Other programs of the machine, here one that stops it, take no processor time of it."""
    def read():
        passes.read(b"module {}", None, {"torch": "", "onnx": ""}, ())

    read()
    pid = worker()
    monkeypatch.setenv("GAUDI_TORCH_MLIR_TIMEOUT", "1")
    os.kill(pid, signal.SIGSTOP)
    threading.Timer(3, os.kill, (pid, signal.SIGCONT)).start()
    read()
    assert worker() == pid
    monkeypatch.setenv("GAUDI_TORCH_MLIR_TIMEOUT", "0.2")
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(passes.Died, match="takes longer than 0.2 s"):
        read()
    assert ends(pid)


_LAYERS = {
    "Linear": lambda: (nn.Linear(8, 4), torch.randn(0, 8)),
    "GroupNorm": lambda: (nn.GroupNorm(1, 2), torch.randn(0, 2, 4)),
    "Unfold": lambda: (nn.Unfold(2), torch.randn(0, 1, 5, 5)),
    "log_softmax": lambda: (nn.LogSoftmax(0), torch.tensor(1.5)),
    "max_pool3d": lambda: (lambda x: sum(pool(x)), volume()),
}


@pytest.mark.parametrize("layer", _LAYERS)
def test_layers_without_elements_or_dimensions(layer):
    """Each in a process of its own: what is left of it may not be in the compiler, either."""
    module, x = _LAYERS[layer]()
    imported = None
    graph = graph_of(module, x)
    try:
        imported = lower.Import(graph, blame=True)
        imported.lower("linalg")
    except lower.LoweringError as error:
        if "torch-mlir crashes" in str(error):
            assert "at aten." in str(error) or "at prims." in str(error)


def test_memory(monkeypatch):
    monkeypatch.setenv("GAUDI_TORCH_MLIR_MEMORY", "1")

    def many(x):
        for _ in range(1000):
            x = x.exp() @ x
        return x

    graph = graph_of(many, torch.ones(8, 8))
    with pytest.raises(lower.LoweringError, match="needs more than 1 MiB of memory, the limit that "
                                                  "GAUDI_TORCH_MLIR_MEMORY sets"):
        lower.Import(graph)
    monkeypatch.delenv("GAUDI_TORCH_MLIR_MEMORY")
    assert "linalg" in lower.Import(graph).lower("linalg").text


def test_memory_limit_of_the_program():
    """`ulimit -v` is a limit that the process of torch-mlir keeps and does not raise."""
    most = 12 << 30
    program = (f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))\n"
               "import torch, gaudi_mlir.torch as gaudi\n"
               "from gaudi_mlir.passes import process\n"
               "from gaudi_mlir.torch import routes\n"
               "routes.available = lambda: routes.OF_TORCH_MLIR\n"
               "gaudi.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))\n"
               "pid = process.current()._popen.pid\n"
               "print(*resource.prlimit(pid, resource.RLIMIT_AS))")
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    soft, hard = map(int, done.stdout.split())
    assert 0 < soft <= hard == most


@pytest.mark.parametrize("name", ["GAUDI_TORCH_MLIR_TIMEOUT", "GAUDI_TORCH_MLIR_MEMORY"])
@pytest.mark.parametrize("value", ["no", "0", "-1", "nan", "inf"])
def test_limits_that_are_none(name, value, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=f"{name}={value}: expected a number of"):
        process.limits(1)


def test_export_names_the_op():
    class Pool(nn.Module):
        def forward(self, x):
            return pool(x + 1)

    with pytest.raises(segment.Refused, match=r"crashes \(SIG.*\) at aten.max_pool3d_with_indices"):
        gaudi_mlir.torch.export(Pool(), (volume(),))


def test_killed_from_outside():
    graph = graph_of(lambda x: x + 1, torch.ones(4))
    imported = lower.Import(graph)
    os.kill(worker(), signal.SIGKILL)
    time.sleep(0.2)
    with pytest.raises(lower.LoweringError, match=r"crashes \(SIGKILL\)"):
        imported.lower("linalg")
    assert "linalg" in imported.lower("linalg").text  # loads the module again


def test_threads():
    texts: dict[int, str] = {}

    graphs = {number: graph_of(lambda x: x * number, torch.ones(4, number))
              for number in range(2, 6)}

    def convert(number: int) -> None:
        for _ in range(3):
            texts[number] = lower.Import(graphs[number]).lower("linalg").text

    threads = [threading.Thread(target=convert, args=(number,)) for number in range(2, 6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(texts) == 4 and all(f"tensor<4x{number}xf32>" in text
                                   for number, text in texts.items())


def test_fork():
    """A child starts a process of its own, and that of the parent stays."""
    parents = worker()
    graph = graph_of(lambda x: x + 1, torch.ones(4))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = lower.Import(graph).lower("linalg").text
            os.write(writing, f"{worker()} {'linalg' in text}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    own, converted = os.read(reading, 100).decode().split()
    os.waitpid(child, 0)
    assert int(own) != parents and converted == "True"
    assert ends(int(own))
    assert worker() == parents and "linalg" in lower.Import(graph).lower("linalg").text


_PROGRAM = """
import os, signal, sys, threading
from gaudi_mlir import passes
from gaudi_mlir.passes import process
passes.start()
with process.LOCK:
    process.current()._started.wait()
    print(process.current()._popen.pid, flush=True)
source = sys.stdin.buffer.read()
pipelines = dict.fromkeys(("torch", "onnx"), "builtin.module("
    "torchdynamo-export-to-torch-backend-pipeline)")
print("asking", flush=True)
try:
    passes.read(source, None, pipelines, ())
except KeyboardInterrupt:
    print("interrupted", flush=True)
    passes.read(b"module {}", None, pipelines, ())
    print("again", flush=True)
"""

# torch-mlir's decomposition of this does not end.
_HANG = b"""func.func @main(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  %zero = torch.constant.int 0
  %none = torch.constant.none
  %y = torch.aten.softmax.int %x, %zero, %none
      : !torch.vtensor<[],f32>, !torch.int, !torch.none -> !torch.vtensor<[],f32>
  return %y : !torch.vtensor<[],f32>
}
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_end_of_the_program(how):
    """Killed or interrupted while a pass runs."""
    program = subprocess.Popen([sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    pid = int(program.stdout.readline())
    program.stdin.write(_HANG)
    program.stdin.close()
    assert program.stdout.readline() == b"asking\n"
    time.sleep(3)
    assert is_running(pid)
    program.send_signal(how)
    if how == signal.SIGINT:
        assert program.stdout.read() == b"interrupted\nagain\n"
        assert program.wait(60) == 0
    else:
        assert program.wait(60) == -how
    assert ends(pid)


def test_command_that_is_interrupted(tmp_path):
    (tmp_path / "hang.mlir").write_bytes(_HANG)
    command = [sys.executable, "-m", "gaudi_import", "hang.mlir", "-o", "out.mlir"]
    program = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)
    time.sleep(6)
    program.send_signal(signal.SIGINT)
    assert program.wait(30) == 130 and program.stderr.read() == b""
    environment = {**os.environ, "GAUDI_TORCH_MLIR_TIMEOUT": "2"}
    done = subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, timeout=100,
                          env=environment)
    assert done.returncode == 3 and done.stderr.count("\n") == 1
    assert "it takes longer than 2 s" in done.stderr and not (tmp_path / "out.mlir").exists()


def test_descriptors_do_not_pile_up():
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with pytest.raises(passes.Refused):
            passes.read(b"module { nonsense }", None, {"torch": "", "onnx": ""}, ())
        os.kill(worker(), signal.SIGKILL)
        with pytest.raises(passes.Died):
            passes.read(b"module {}", None, {"torch": "", "onnx": ""}, ())
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) < before + 8
