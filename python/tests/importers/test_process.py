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

pytest.importorskip("torch_mlir.ir")

from gaudi_mlir import passes  # noqa: E402
from gaudi_mlir.passes import process  # noqa: E402


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


def convert(source: bytes) -> str:
    pipelines = {"torch": "builtin.module(torchdynamo-export-to-torch-backend-pipeline,"
                          "torch-backend-to-linalg-on-tensors-backend-pipeline)", "onnx": ""}
    return passes.read(source, None, pipelines, ()).text


def product(size: int, steps: int = 1) -> bytes:
    """A text of exponentials multiplied with what they are of."""
    kind = f"!torch.vtensor<[{size},{size}],f32>"
    lines, last = [], "x"
    for number in range(steps):
        lines += [f"%e{number} = torch.aten.exp %{last} : {kind} -> {kind}",
                  f"%y{number} = torch.aten.mm %e{number}, %{last} : {kind}, {kind} -> {kind}"]
        last = f"y{number}"
    body = "\n".join(lines)
    return f"func.func @main(%x: {kind}) -> {kind} {{\n{body}\nreturn %{last} : {kind}\n}}".encode()


# What crashes a pass, for whole numbers.
_POOL = b"""
func.func @main(%x: !torch.vtensor<[1,2,3,6,5],si64>) -> !torch.vtensor<[1,2,1,3,2],si64> {
  %three = torch.constant.int 3
  %window = torch.prim.ListConstruct %three, %three, %three
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %zero = torch.constant.int 0
  %none = torch.prim.ListConstruct %zero, %zero, %zero
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %one = torch.constant.int 1
  %near = torch.prim.ListConstruct %one, %one, %one
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %two = torch.constant.int 2
  %stride = torch.prim.ListConstruct %two, %two, %two
      : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %true = torch.constant.bool true
  %y, %places = torch.aten.max_pool3d_with_indices %x, %window, %stride, %none, %near, %true
      : !torch.vtensor<[1,2,3,6,5],si64>, !torch.list<int>, !torch.list<int>, !torch.list<int>,
        !torch.list<int>, !torch.bool
      -> !torch.vtensor<[1,2,1,3,2],si64>, !torch.vtensor<[1,2,1,3,2],si64>
  return %y : !torch.vtensor<[1,2,1,3,2],si64>
}
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


def test_crash():
    first = worker()
    with pytest.raises(passes.Died, match=r"crashes \(SIG"):
        convert(_POOL)
    assert ends(first)
    # The next one works, and stays.
    assert "linalg" in convert(product(4))
    second = worker()
    assert "linalg" in convert(product(5))
    assert second != first and worker() == second


def test_hang(monkeypatch):
    monkeypatch.setenv("GAUDI_TORCH_MLIR_TIMEOUT", "4")
    with pytest.raises(passes.Died, match="takes longer than 4 s, the limit that "
                                          "GAUDI_TORCH_MLIR_TIMEOUT sets"):
        convert(_HANG)


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


def test_memory(monkeypatch):
    convert(product(4))  # loads libraries
    monkeypatch.setenv("GAUDI_TORCH_MLIR_MEMORY", "1")
    with pytest.raises(passes.Died, match="needs more than 1 MiB of memory, the limit that "
                                          "GAUDI_TORCH_MLIR_MEMORY sets"):
        convert(product(8, 1000))
    monkeypatch.delenv("GAUDI_TORCH_MLIR_MEMORY")
    assert "linalg" in convert(product(8, 1000))


def test_memory_limit_of_the_program():
    """`ulimit -v` is a limit that the process of torch-mlir keeps and does not raise."""
    most = 12 << 30
    program = (f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))\n"
               "from gaudi_mlir import passes\n"
               "from gaudi_mlir.passes import process\n"
               "passes.read(b'module {}', None, {'torch': '', 'onnx': ''}, ())\n"
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
    with pytest.raises(ValueError, match=f"{name} is '{value}'; expected a number of"):
        process.limits(1)


def test_killed_from_outside():
    os.kill(worker(), signal.SIGKILL)
    time.sleep(0.2)
    with pytest.raises(passes.Died, match=r"crashes \(SIGKILL\)"):
        convert(product(4))
    assert "linalg" in convert(product(4))


def test_threads():
    texts: dict[int, str] = {}

    def work(number: int) -> None:
        for _ in range(3):
            texts[number] = convert(product(number))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2, 6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(texts) == 4 and all(f"tensor<{number}x{number}xf32>" in text
                                   for number, text in texts.items())


def test_fork():
    """A child starts a process of its own, and that of the parent stays."""
    parents = worker()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = convert(product(4))
            os.write(writing, f"{worker()} {'linalg' in text}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    own, converted = os.read(reading, 100).decode().split()
    os.waitpid(child, 0)
    assert int(own) != parents and converted == "True"
    assert ends(int(own))
    assert worker() == parents and "linalg" in convert(product(4))


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
