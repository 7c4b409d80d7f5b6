# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.profiler with activities of hpu, and traces without it."""
import gzip
import json
import os

import pytest
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

import habana_frameworks.torch as ht

BOTH = [ProfilerActivity.CPU, ProfilerActivity.HPU]


@pytest.fixture(scope="module")
def model():
    made = nn.Sequential(nn.Linear(32, 32), nn.GELU()).to("hpu")
    made(torch.randn(4, 32).to("hpu")).sum().backward()
    return made


def traced(prof, path):
    prof.export_chrome_trace(str(path))
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt") as file:
        return json.load(file)["traceEvents"]


def of_kind(events, kind):
    return [each for each in events if each.get("cat") == kind]


def test_work_has_its_op_line_and_module(model, tmp_path):
    x = torch.randn(4, 32).to("hpu")
    with profile(activities=BOTH) as prof:
        y = model(x)
        y.sum().backward()
        torch.hpu.synchronize()
    events = traced(prof, tmp_path / "trace.json")
    work = of_kind(events, "hpu_op")
    names = [each["name"] for each in work]
    assert names.count("aten::gelu") == 1 and "aten::gelu_backward" in names
    gelu = work[names.index("aten::gelu")]
    assert gelu["args"]["module"] == "Sequential.1"
    assert gelu["args"]["line"].startswith(f"{__file__}:")
    addmm = next(each for each in work if each["name"] == "aten::addmm")
    assert addmm["args"]["module"] == "Sequential.0"
    # Streams run in order, and no piece of work begins before what issued it does.
    stream = sorted((each["ts"], each["ts"] + each["dur"]) for each in work)
    assert all(a[1] <= b[0] + 0.002 for a, b in zip(stream, stream[1:]))
    averages = {each.key: each for each in prof.key_averages()}
    assert averages["aten::gelu"].device_time > 0
    assert "HPU time total" in prof.key_averages().table()


def test_times_are_those_of_the_card(model, tmp_path):
    x = torch.randn(4, 32).to("hpu")
    begin, end = (torch.hpu.Event() for _ in range(2))
    with profile(activities=BOTH) as prof:
        begin.record()
        model(x)
        end.record()
        torch.hpu.synchronize()
    work = of_kind(traced(prof, tmp_path / "trace.json"), "hpu_op")
    first, last = min(each["ts"] for each in work), max(each["ts"] + each["dur"] for each in work)
    assert (last - first) / 1000 <= begin.elapsed_time(end) + 1e-6


def test_engines_and_calls_of_the_host_are_in_files(model, tmp_path):
    x = torch.randn(4, 32).to("hpu")
    with profile(activities=BOTH) as prof:
        model(x)
        torch.hpu.synchronize()
    events = traced(prof, tmp_path / "trace.json.gz")
    engines, calls = of_kind(events, "kernel"), of_kind(events, "hpu_call")
    work = of_kind(events, "hpu_op")
    assert {each["name"] for each in calls} >= {"Launch"}
    names = {(each["pid"], each["tid"]): each["args"]["name"] for each in events
             if each.get("name") == "thread_name"}
    assert any(names[each["pid"], each["tid"]].startswith("MME") for each in engines)
    for each in engines:
        assert any(one["ts"] - 0.01 <= each["ts"] and
                   each["ts"] + each["dur"] <= one["ts"] + one["dur"] + 0.01 for one in work)


def test_the_card_s_time_begins_where_the_trace_does(model):
    from habana_frameworks.torch import _trace
    x = torch.randn(4, 32).to("hpu")
    _trace.begin()
    model(x)
    torch.hpu.synchronize()
    _trace.end({})
    trace = _trace.take()
    wall, _ = trace.begins[x.device.index]
    begins = [begin - wall for _, begin, _, card, *_ in trace.rows() if card == x.device.index]
    assert begins and 0 <= min(begins) < 1_000_000  # ns; the card has been open for longer


def test_graphs_and_compiled_functions(tmp_path):
    @torch.compile(backend="hpu_backend")
    def f(x):
        return torch.sin(x) + 1
    x = torch.randn(100).to("hpu")
    f(x)
    graph = ht.hpu.HPUGraph()
    with ht.hpu.graph(graph):
        x * 2 + 1
    with profile(activities=BOTH) as prof:
        f(x)
        graph.replay()
        torch.hpu.synchronize()
    ops = {each.key: each for each in prof.key_averages()}
    assert ops["HPUGraph.replay"].device_time_total > 0
    work = [each["name"] for each in of_kind(traced(prof, tmp_path / "t.json"), "hpu_op")]
    assert {"aten::mul", "aten::add"} <= set(work)


def test_schedules(model, tmp_path):
    found = []

    def ready(prof):
        path = tmp_path / f"{prof.step_num}.json"
        found.append(len(of_kind(traced(prof, path), "hpu_op")))
    x = torch.randn(4, 32).to("hpu")
    schedule = torch.profiler.schedule(wait=1, warmup=1, active=1, repeat=2)
    with profile(activities=BOTH, schedule=schedule, on_trace_ready=ready) as prof:
        for _ in range(6):
            model(x)
            prof.step()
    assert len(found) == 2 and all(1 <= each <= 8 for each in found)


def test_tensorboard_handler(model, tmp_path):
    with profile(activities=BOTH,
                 on_trace_ready=torch.profiler.tensorboard_trace_handler(str(tmp_path))):
        model(torch.randn(4, 32).to("hpu"))
    [file] = tmp_path.glob("*.pt.trace.json")
    assert of_kind(json.loads(file.read_text())["traceEvents"], "kernel")


def test_debug_activities(model, tmp_path):
    from habana_frameworks.torch.activity_profiler import DebugActivity
    x = torch.randn(4, 32).to("hpu")

    def kinds(**named):
        with profile(activities=BOTH, **named) as prof:
            model(x)
        return {each.get("cat") for each in traced(prof, tmp_path / "trace.json")}
    assert "hpu_call" in kinds() and "hpu_call" not in kinds(debug_activities=[])
    assert "hpu_call" in kinds(debug_activities=[DebugActivity.SYNAPSE_FUNCTION_CALLS])
    with pytest.raises(TypeError, match="members of DebugActivity, not 3"):
        profile(activities=BOTH, debug_activities=[3])


def test_lazy_mode_has_its_modules_and_graphs(run_python, tmp_path):
    code, output, errors = run_python(f"""
import json, torch
import habana_frameworks.torch.core as htcore
from torch.profiler import ProfilerActivity, profile
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)
    def forward(self, x):
        return torch.tanh(self.fc(x))
net, x = Net().to("hpu"), torch.randn(4, 8).to("hpu")
for step in range(3):
    if step == 2:
        prof = profile(activities=[ProfilerActivity.CPU, ProfilerActivity.HPU])
        prof.__enter__()
    net(x).sum().backward()
    htcore.mark_step()
prof.__exit__(None, None, None)
prof.export_chrome_trace({str(tmp_path / "trace.json")!r})
names = {{each["name"] for each in json.load(open({str(tmp_path / "trace.json")!r}))["traceEvents"]}}
print({{"SyncTensorsGraphInternal", "ExecuteCachedGraph"}} <= names, "LaunchSyncTensorsGraph" in names)
""", PT_HPU_LAZY_MODE="1", KINETO_LOG_LEVEL="6")
    assert (code, output) == (0, "True False\n"), errors


@pytest.mark.slow
def test_advice_for_tensorboard(run_python, tmp_path):
    pytest.importorskip("tensorboard")
    code, _, errors = run_python(f"""
import torch
import habana_frameworks.torch.core as htcore
from torch.profiler import ProfilerActivity, profile, tensorboard_trace_handler
x = torch.randn(64, 64).to("hpu")
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.HPU],
             on_trace_ready=tensorboard_trace_handler({str(tmp_path)!r})):
    for step in range(5):
        print((x * 2).sum().item())
        htcore.mark_step()
""", PT_HPU_LAZY_MODE="1", KINETO_LOG_LEVEL="6")
    assert code == 0, errors
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    events = EventAccumulator(str(tmp_path)).Reload()
    [text] = [each.tensor_proto.string_val[0].decode()
              for each in events.Tensors("hpu/what costs time/text_summary")]
    assert "**host sync** at" in text and "5 times" in text, text


def test_profiles_of_the_cpu_have_nothing_of_the_card(model, tmp_path):
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        model(torch.randn(4, 32).to("hpu"))
    events = traced(prof, tmp_path / "trace.json")
    assert not of_kind(events, "hpu_op") and not of_kind(events, "kernel")


def test_variable_that_forbids_it(model, monkeypatch):
    monkeypatch.setenv("HABANA_PROFILE", "0")
    with pytest.raises(RuntimeError, match="HABANA_PROFILE=0 disables the profiling of hpu"):
        with profile(activities=BOTH):
            pass
    with pytest.raises(RuntimeError, match="HABANA_PROFILE=0"):
        ht.profiler.setup_profiler()


def test_profiler_api(model, tmp_path, monkeypatch):
    from habana_frameworks.torch.low_overhead_profiler import profiler as low
    from habana_frameworks.torch.profiler import ProfilerApi
    monkeypatch.chdir(tmp_path)
    ProfilerApi.setup_profiler()
    ProfilerApi.start_profiler()
    with pytest.raises(RuntimeError, match="a profiler is running"):
        ProfilerApi.start_profiler()
    model(torch.randn(4, 32).to("hpu"))
    path = ProfilerApi.stop_profiler()
    assert path == "default_profiling.json"
    events = json.loads((tmp_path / path).read_text())["traceEvents"]
    assert "aten::gelu" in [each["name"] for each in of_kind(events, "hpu_op")]
    with pytest.raises(RuntimeError, match="no profiler has been started"):
        ProfilerApi.stop_profiler()
    low.start()
    model(torch.randn(4, 32).to("hpu"))
    low.stop()
    assert low.flush() == "default_profiling.1.json" and low.flush() is None


def test_trace_of_a_process(run_python, tmp_path):
    code, _, errors = run_python(
        f"import os; os.chdir({str(tmp_path)!r})\nimport torch\n"
        "print((torch.ones(3, device='hpu') + 1).cpu())", HABANA_PROFILE="1")
    assert code == 0, errors
    [file] = os.listdir(tmp_path)
    assert file == "default_profiling_0.json"
    assert "aten::add" in (tmp_path / file).read_text()
