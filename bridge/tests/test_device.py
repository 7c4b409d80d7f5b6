# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hpu behaves as PyTorch's other devices do."""
import copy
import io
import pickle
import subprocess
import sys
import warnings

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

from habana_frameworks.torch import _environment, _hints, _missing

TYPES = [torch.float32, torch.bfloat16, torch.float64, torch.int64, torch.bool, torch.complex128]


def values(dtype):
    return torch.arange(6).reshape(2, 3).to(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("location", [None, "cpu", "hpu", "hpu:0"])
def test_saved_tensors_are_loaded_where_they_are_wanted(dtype, location):
    tensor = values(dtype).to("hpu")
    file = io.BytesIO()
    torch.save({"whole": tensor, "column": tensor[:, 1], "on the host": tensor.cpu()}, file)
    file.seek(0)
    loaded = torch.load(file, map_location=location)
    for name, expected in (("whole", tensor), ("column", tensor[:, 1]), ("on the host", tensor)):
        on_card = location != "cpu" and (location is not None or name != "on the host")
        assert loaded[name].device.type == ("hpu" if on_card else "cpu"), name
        assert loaded[name].dtype == dtype
        torch.testing.assert_close(loaded[name].cpu(), expected.cpu(), rtol=0, atol=0)


def test_saved_views_share_memory_again():
    whole = torch.zeros(4, device="hpu")
    file = io.BytesIO()
    torch.save([whole, whole[1:3]], file)
    file.seek(0)
    whole, part = torch.load(file)
    part += 1
    assert whole.tolist() == [0, 1, 1, 0]


def test_checkpoint_of_a_model():
    model = torch.nn.Linear(3, 2).to("hpu")
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(1, 3, device="hpu")).sum().backward()
    optimizer.step()
    file = io.BytesIO()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
    file.seek(0)
    state = torch.load(file, map_location="hpu")
    other = torch.nn.Linear(3, 2).to("hpu")
    other.load_state_dict(state["model"])
    again = torch.optim.AdamW(other.parameters())
    again.load_state_dict(state["optimizer"])
    assert torch.equal(other.weight.cpu(), model.weight.cpu())
    assert again.state[other.weight]["exp_avg"].device.type == "hpu"


@pytest.mark.parametrize("dtype", TYPES)
def test_copies(dtype):
    tensor = values(dtype).to("hpu")
    for other in (copy.deepcopy(tensor), pickle.loads(pickle.dumps(tensor)), tensor.clone()):
        assert other.device == tensor.device and other.data_ptr() != tensor.data_ptr()
        torch.testing.assert_close(other.cpu(), values(dtype), rtol=0, atol=0)
    model = torch.nn.Linear(2, 2).to("hpu")
    assert torch.equal(copy.deepcopy(model).weight.cpu(), model.weight.cpu())


def test_safetensors(tmp_path):
    files = pytest.importorskip("safetensors.torch")
    path = tmp_path / "x.safetensors"
    files.save_file({"x": values(torch.bfloat16).to("hpu")}, path)
    assert torch.equal(files.load_file(path, device="hpu")["x"].cpu(), values(torch.bfloat16))


@pytest.mark.parametrize("variable, value, message", [
    ("PT_HPU_LAZY_MODE", "banana", "PT_HPU_LAZY_MODE is 'banana'; expected 1 (lazy), 0 (eager"),
    ("GAUDI_HOST_CLOCK", "measured,1e9",
     "GAUDI_HOST_CLOCK is 'measured,1e9'; expected table, measured, or measured,FACTOR with a "
     "factor above 0 and at most 1e6"),
    ("GAUDI_HOST_CLOCK", "measured, 2", "GAUDI_HOST_CLOCK is 'measured, 2'; expected table"),
    ("GAUDI_DEVICE", "gaudi7", "unknown device \"gaudi7\", expected one of \"gaudi\", \"gaudi2\", "
                               "\"gaudi3\"; GAUDI_DEVICE is 'gaudi7': set it to one of these, or unset it"),
    ("GAUDI_CHECK_FINITE", "maybe", "GAUDI_CHECK_FINITE is 'maybe'; expected 0, 1, or raise")])
def test_variables_without_meaning(run_python, variable, value, message):
    code, _, errors = run_python("import torch\ntorch.ones(1, device='hpu')", **{variable: value})
    assert code == 1 and message in errors.splitlines()[-1]
    if variable not in ("GAUDI_HOST_CLOCK", "GAUDI_DEVICE"):
        # Known before there is a tensor.
        assert f"RuntimeWarning: {message}" in errors.partition("Traceback")[0]


@pytest.mark.parametrize("variable, value, message", [
    ("PT_HPU_LAZY_MODE", "7", "PT_HPU_LAZY_MODE is '7'; expected 1 (lazy), 0 (eager"),
    ("PT_HPU_MAX_COMPOUND_OP_SIZE", "-5", "PT_HPU_MAX_COMPOUND_OP_SIZE is '-5'; expected how many"),
    ("GAUDI_EVENT_CLOCK", "wall", "GAUDI_EVENT_CLOCK is 'wall'; expected card or host"),
    ("GAUDI_OPS_ON_CPU", "some", "GAUDI_OPS_ON_CPU is 'some'; expected 0, off, "),
    ("HABANA_PGM_LRU_MAX", "many", "HABANA_PGM_LRU_MAX is 'many'; expected how many graphs"),
    ("PT_HPU_GRAPH_DUMP_MODE", "some", "PT_HPU_GRAPH_DUMP_MODE is 'some'; expected all, compile or eager")])
def test_words_of_variables_without_meaning(monkeypatch, variable, value, message):
    monkeypatch.setenv(variable, value)
    assert _environment._meaningless().startswith(message)


@pytest.mark.parametrize("variable, value, message", [
    ("PT_HPU_LAZYMODE", "0", "gaudi-mlir reads no variable PT_HPU_LAZYMODE; did you mean "
                             "PT_HPU_LAZY_MODE?"),
    ("GAUDI_DEVISE", "gaudi3", "did you mean GAUDI_DEVICE?"), ("PT_HPU_ENABLE_SFG", "TRUE", "")])
def test_variables_without_effect(run_python, variable, value, message):
    code, _, errors = run_python("import torch\ntorch.ones(1, device='hpu')", **{variable: value})
    assert code == 0 and message in errors
    assert ("RuntimeWarning" in errors) == bool(message), errors


def test_a_mode_that_is_set_too_late(run_python):
    code, _, errors = run_python(
        "import os, torch, habana_frameworks.torch.core as htcore\n"
        "os.environ['PT_HPU_LAZY_MODE'] = '0'\nfor _ in range(2):\n    htcore.mark_step()\n", PT_HPU_LAZY_MODE="1")
    assert code == 0 and errors.count("PT_HPU_LAZY_MODE was set to 0 after it was read") == 1
    assert "<string>:4: RuntimeWarning: " in errors


def test_errors_end_at_the_line_of_the_script(run_python):
    program = ("import torch\nfrom habana_frameworks.torch.hpex.kernels import FusedSDPA\n"
               "x = torch.ones(1, 1, 2, 2, device='hpu')\nFusedSDPA.apply(x, x, x, True)")
    code, _, errors = run_python(program)
    assert code == 1 and errors.startswith(
        'Traceback (most recent call last):\n  File "<string>", line 4, in <module>\nTypeError: FusedSDPA: '
        "attn_mask is True; it takes a tensor or None: ")
    code, _, errors = run_python("import habana_frameworks.torch as ht\nht.mark_step()")
    assert code == 1 and errors.endswith(
        "has no attribute 'mark_step'; it is habana_frameworks.torch.core.mark_step: from "
        "habana_frameworks.torch.core import mark_step\n")
    code, _, errors = run_python("import habana_frameworks as ht\nht.core.mark_step()")
    assert code == 1 and errors.endswith("'core'; it is habana_frameworks.torch.core: import "
                                         "habana_frameworks.torch.core\n")


@pytest.mark.parametrize("name, expected", [
    ("sys", ""), ("nn", ""), ("fuse_conv_bn_eval", ""), ("MetricNotFound", "torch.hpu.metrics.MetricNotFound"),
    ("core", "torch.core"), ("mark_step", "torch.core.mark_step")])
def test_what_a_module_imports_is_not_recommended(name, expected):
    import habana_frameworks.torch.core  # noqa: F401
    import habana_frameworks.torch.hpu.metrics  # noqa: F401
    import habana_frameworks.torch.internal.fuse_conv_bn  # noqa: F401
    said = _missing.elsewhere(name)
    assert said.startswith(f"it is habana_frameworks.{expected}: ") if expected else not said


def test_ops_on_the_cpu_say_why(run_python):
    program = ("import torch\nx = torch.ones(2, 2, dtype=torch.float16, device='hpu')\n"
               "print((x @ x).cpu())")
    code, _, errors = run_python(program, PT_HPU_LAZY_MODE="0", GAUDI_DEVICE="gaudi")
    assert code == 0 and "CPU Fallback stats:" in errors and "aten::mm at <string>:3 uses 'f16', which the " \
        "matrix engine of gaudi does not have; cast to bf16 or f32" in errors


def test_ops_of_a_backward_on_the_cpu_have_no_line(run_python):
    """Its thread runs no line of the program."""
    program = ("import torch\na = torch.eye(3).to('hpu').requires_grad_()\n"
               "torch.linalg.eig(a + torch.diag(torch.arange(3., device='hpu')))[0].abs().sum().backward()")
    code, _, errors = run_python(program, PT_HPU_LAZY_MODE="0")
    said, = [each for each in errors.splitlines() if each.startswith("aten::_linalg_solve_ex ")]
    assert code == 0 and said.startswith("aten::_linalg_solve_ex ran on the CPU: ")
    assert said.endswith("; python -m gaudi_mlir.explain SCRIPT names the line")
    assert "aten::linalg_eig at <string>:3 ran on the CPU" in errors


@pytest.mark.parametrize("variable, value, message", [
    ("HPU_LAZY_MODE", "0", "did you mean PT_HPU_LAZY_MODE?"),
    ("LOG_LEVEL_PT_FALBACK", "1", "did you mean LOG_LEVEL_PT_FALLBACK?"),
    ("PT_HPU_COMPILE_USE_RECIPES", "si", "PT_HPU_COMPILE_USE_RECIPES is 'si', which is taken as 0"),
    ("HABANA_PT_METRICS_FILE", "", ""), ("PT_SBS", "maybe", "PT_SBS is 'maybe', which is taken as 0; expected 1 or 0"),
    ("GAUDI_REPLAY", "all", "GAUDI_REPLAY has no effect without GAUDI_REPLAY_DIR=DIR"),
    ("PT_HPU_PLACE_ON_CPU", "aten::digama", "PT_HPU_PLACE_ON_CPU names 'aten::digama', and PyTorch "
                                            "has no such op; did you mean 'digamma'?"),
    ("PT_HPU_PLACE_ON_CPU", "linalg.eigvals", "no such op; did you mean '_linalg_eigvals'?"),
    ("PT_HPU_PLACE_ON_CPU", "linalg_eigvals", "computes it by other ops; did you mean '_linalg_eigvals'?"),
    ("PT_HPU_PLACE_ON_CPU", "linear", "computes it by other ops; name those, which torch.profiler lists"),
    ("PT_HPU_PLACE_ON_CPU", "digamma, aten::lgamma", ""), ("PT_HPU_PLACE_ON_CPU", "none", ""),
    ("HABANA_VISIBLE_DEVICES", "0,1", "chooses no cards here; write HABANA_VISIBLE_MODULES=0,1"),
    ("HABANA_VISIBLE_DEVICES", "all", ""), ("HABANA_VISIBLE_DEVICES", "void", ""),
    ("PT_SOMETHING_ELSE", "1", "")])
def test_words_of_variables_without_effect(monkeypatch, variable, value, message):
    before = _environment._without_effect()
    monkeypatch.setenv(variable, value)
    found = [each for each in _environment._without_effect() if each not in before]
    assert len(found) == bool(message) and all(message in each for each in found)


def test_names_of_ops_are_listed_once(monkeypatch):
    """The list is long, and a name is compared with all of it."""
    asked = []
    names = torch._C._dispatch_get_all_op_names
    monkeypatch.setattr(torch._C, "_dispatch_get_all_op_names", lambda: asked.append(1) or names())
    monkeypatch.setenv("PT_HPU_PLACE_ON_CPU", "linear,aten::digama,linalg.eigvals,einsum")
    _environment._overloads.cache_clear()
    assert sum("PT_HPU_PLACE_ON_CPU" in each for each in _environment._without_effect()) == 4
    assert len(asked) == 1


@pytest.mark.parametrize("make, message", [
    (lambda: torch.eye(2).to_sparse().to("hpu"), "hpu has no sparse tensors; keep it on the CPU"),
    (lambda: torch.eye(2).to_sparse_csr().to("hpu"), "hpu has no sparse tensors; .*: sparse=False"),
    (lambda: torch.sparse_csr_tensor(*(torch.tensor(each).to("hpu") for each in ([0, 1], [0], [2.])),
                                     size=(1, 1)), "hpu has no sparse tensors; "),
    (lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8).to("hpu"),
     "hpu has no tensors of quantized types; pass x.int_repr"),
    (lambda: torch.ones(2).cuda(), "PT_HPU_GPU_MIGRATION=1 runs a script for CUDA on hpu")])
def test_what_there_is_not(make, message):
    with pytest.raises((NotImplementedError, AssertionError), match=message):
        make()


@pytest.mark.parametrize("line, message", [
    ("torch.ones(1).to('HPU')", 'hpu: the device is called hpu: write "hpu"'),
    ("torch.nn.Linear(3, 2).to('hpu')(torch.ones(2, 4).to('hpu'))", "hpu: print the shapes and the dtypes"),
    ("from habana_frameworks.torch.core import markstep",
     "ImportError: module 'habana_frameworks.torch.core' has no attribute 'markstep'; did you mean 'mark_step'?"),
    ("torch.ones(1).to('hpu'); torch.optim.Adam([torch.ones(1)], learning_rate=1)", "hpu: optimizers take lr="),
    ("1 / 0", "ZeroDivisionError: division by zero")])
def test_last_line_of_an_error(run_python, line, message):
    code, _, errors = run_python(f"import torch\n{line}")
    assert code == 1 and message in errors.splitlines()[-1]


def hint_of(run):
    try:
        run()
    except Exception as error:
        return _hints.of(error, error.__traceback__)


def test_errors_of_others_get_no_hint(monkeypatch):
    torch.ones(1, device="hpu")

    class Schedule:
        def __init__(self):
            pass

    def of_script():
        raise ValueError("environment variable RANK expected, but not set")
    assert hint_of(of_script) == "" == hint_of(lambda: Schedule(decay=1))
    assert hint_of(lambda: torch.optim.SGD([torch.ones(1)], decay=1)).startswith("optimizers take lr=")
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        monkeypatch.delenv(name, raising=False)
    assert hint_of(lambda: torch.distributed.init_process_group("gloo")).startswith("start the script by torchrun")


def test_hook_of_errors_without_notes_or_words(monkeypatch, capsys):
    """Python 3.10 has no notes."""
    class Old(RuntimeError):
        add_note = property()

    class Wordless(RuntimeError):
        def __str__(self):
            raise KeyError

    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: print(kind.__name__, file=sys.stderr))
    _hints.install()
    sys.excepthook(Old, Old("Cannot get CUDA generator"), None)
    sys.excepthook(Wordless, Wordless(), None)
    first, second, third = capsys.readouterr().err.splitlines()
    assert first == "Old" and second.startswith("hpu: for hpu write torch.Generator") and third == "Wordless"


def test_autocast_of_cuda():
    torch.ones(1, device="hpu")
    with pytest.warns(UserWarning, match=r'autocast\("cuda"\) does nothing for tensors of hpu; write') as found:
        torch.autocast("cuda", dtype=torch.bfloat16)
    assert found[-1].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.autocast("cuda", torch.float16, False)
        torch.autocast("cuda", enabled=False)


def test_torch_compile_of_another_backend(caplog):
    model, x = torch.nn.Linear(3, 2), torch.ones(2, 3)
    with pytest.raises(Exception, match='has no code for hpu; write torch.compile.*"hpu_backend"'):
        torch.compile(model.to("hpu"))(x.to("hpu"))
    with pytest.raises(Exception, match='it takes tensors of the CPU.*backend="hpu_backend"'):
        torch.compile(model, backend="gaudi")(x.to("hpu"))
    with pytest.raises(Exception, match=r"Invalid backend: 'hpu',.* For hpu, write torch.compile\("):
        torch.compile(model, backend="hpu")
    with pytest.raises(Exception, match="option 'enable_sfg' is 'maybe'; expected True or False"):
        torch.compile(model, backend="hpu_backend", options={"enable_sfg": "maybe"})(x.to("hpu"))
    torch._dynamo.reset()
    torch.compile(model.cpu(), backend="hpu_backend", mode="max-autotune")(x)
    assert "hpu_backend compiles nothing of a graph whose tensors are on the CPU" in caplog.text
    assert "mode='max-autotune' is of PyTorch's own compiler; backend hpu_backend" in caplog.text


_STEP_TIME = """
import sys, time, torch
x = torch.ones(4, 4, device="hpu")
begin, end = torch.hpu.Event(enable_timing=True), torch.hpu.Event(enable_timing=True)
for compiles in range(2):  # the second time nothing is compiled
    begin.record()
    y = torch.tanh(x @ x) * 7
    if compiles:
        spent = time.thread_time()
        while time.thread_time() < spent + 0.2:
            pass
    end.record()
    end.synchronize()
print(begin.elapsed_time(end), torch.hpu.device_count())
"""


def test_host_time_of_a_script_is_measured(run_python):
    code, output, errors = run_python(_STEP_TIME, GAUDI_HOST_CLOCK="measured,0.5",
                                      PT_HPU_LAZY_MODE="0", HABANA_VISIBLE_MODULES="all")
    assert code == 0, errors
    milliseconds, cards = output.split()
    assert 100 <= float(milliseconds) < 1000 and cards == "8"


def test_printing():
    tensor = torch.tensor([1.5, 2.0], device="hpu")
    assert repr(tensor) == "tensor([1.5000, 2.0000], device='hpu:0')"


def test_hpu_methods():
    tensor = torch.ones(2)
    moved = tensor.hpu()
    assert moved.device.type == "hpu" and moved.hpu() is moved
    assert tensor.hpu("hpu:1").device.index == 1
    assert torch.nn.Linear(1, 1).hpu().weight.device.type == "hpu"
    with pytest.raises(ValueError, match='expected a device of the type hpu, such as "hpu:0", got cpu'):
        tensor.hpu("cpu")


@pytest.mark.parametrize("workers", [0, 2])
def test_data_loader_pins(workers):
    torch.ones(1, device="hpu")  # the workers are children of a process with an open card
    data = TensorDataset(torch.arange(64.0).reshape(16, 4))
    total = 0
    for (batch,) in DataLoader(data, batch_size=4, pin_memory=True, num_workers=workers):
        assert batch.is_pinned()
        total += batch.to("hpu", non_blocking=True).sum().item()
    assert total == 2016


def test_accelerator():
    assert torch.accelerator.current_accelerator() == torch.device("hpu")
    assert torch.accelerator.device_count() == torch.hpu.device_count()
    tensor = torch.ones(1000, device="hpu")
    used = torch.hpu.memory_allocated()
    assert torch.accelerator.memory_allocated() == used >= 4 * tensor.numel()
    assert torch.accelerator.get_memory_info() == torch.hpu.mem_get_info()
    with torch.accelerator.device_index(1):
        assert torch.hpu.current_device() == 1
    assert torch.bfloat16 in torch.accelerator.get_device_capability()["supported_dtypes"]
    torch.accelerator.synchronize()


def test_several_cards():
    first, second = torch.ones(2, device="hpu:0"), torch.ones(2, device="hpu:1")
    assert (second + 1).device.index == 1
    assert torch.equal(second.to("hpu:0"), first)
    with torch.hpu.device(1):
        assert torch.zeros(1, device="hpu").device.index == torch.hpu.current_device() == 1
    with torch.hpu.device_of(second):
        assert torch.hpu.current_device() == 1
    assert torch.hpu.current_device() == 0
    with pytest.raises(RuntimeError, match="on the same device.*operand 2 of aten::add"):
        first + second
    for call in (lambda: torch.ones(1, device="hpu:99"), lambda: torch.hpu.set_device(99),
                 lambda: torch.hpu.synchronize(99), lambda: torch.Generator("hpu:99")):
        with pytest.raises(IndexError, match="hpu:99 is no card of this process.*; write \"hpu\""):
            call()


def test_fork_is_an_error_and_no_hang(run_python):
    code, output, errors = run_python('''
import os, sys, torch
x = torch.ones(2, device="hpu")
child = os.fork()
if child == 0:
    for use in (lambda: torch.ones(1, device="hpu"), lambda: x + 1, lambda: x.cpu()):
        try:
            use()
        except RuntimeError as error:
            print("child cannot use cards" if "was forked" in str(error) else error, flush=True)
    assert torch.hpu._is_in_bad_fork()
    torch.manual_seed(1)  # of the host, as DataLoader's workers do
    del x
    sys.exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), (x + 1).tolist())
''')
    assert (code, errors) == (0, "")
    assert output.splitlines() == 3 * ["child cannot use cards"] + ["3 [2.0, 2.0]"]


@pytest.mark.parametrize("end", [
    "", *(pytest.param(each, marks=pytest.mark.slow)
          for each in ("y = x @ x", "sys.exit(0)", "del x"))])
def test_exit(run_python, end):
    program = f'import sys, torch\nx = torch.ones(300, 300, device="hpu")\ny = x + 1\n{end}'
    assert run_python(program) == (0, "", "")


def test_two_processes_have_cards_of_their_own(run_python):
    torch.ones(1, device="hpu")
    code, output, _ = run_python('import torch; torch.ones(1, device="hpu"); '
                                 'print(torch.hpu.get_device_properties().module_id)')
    assert code == 0 and int(output) != torch.hpu.get_device_properties().module_id


@pytest.mark.slow
def test_spawned_processes(tmp_path):
    program = tmp_path / "spawn.py"
    program.write_text('''
import torch, torch.multiprocessing as mp

def work(rank):
    assert torch.ones(2, device="hpu").sum().item() == 2

if __name__ == "__main__":
    torch.ones(1, device="hpu")
    mp.spawn(work, nprocs=2)
    print("done")
''')
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True,
                          timeout=240)
    assert done.stdout == "done\n", done.stderr
