# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gaudi-perf-tool on traces of ours, on such as real cards write, and on files that are none."""
import gzip
import json
import subprocess
import sys

import pytest
import torch
from torch.profiler import ProfilerActivity, profile

from gaudi_mlir import perf_tool


def write(path, events, **others):
    path.write_text(json.dumps({**others, "traceEvents": events}))
    return str(path)


def named(process, name, tracks):
    return [{"ph": "M", "pid": process, "tid": 0, "name": "process_name", "args": {"name": name}},
            *({"ph": "M", "pid": process, "tid": track, "name": "thread_name",
               "args": {"name": text}} for track, text in tracks.items())]


def work(process, track, begin, duration, name, **args):
    return {"ph": "X", "pid": process, "tid": track, "ts": begin, "dur": duration, "name": name,
            "cat": "hpu_op", "args": args}


def real(steps=4):
    """As torch.profiler writes it on a card: engines, and the host at the same time."""
    events = named("host", "python", {1: "thread 1"})
    events += named(0, "/device:HPU:0", {6000: "MME 0", 7000: "TPC 0", 7001: "TPC 1",
                                         4000: "EDMA 0"})
    for step in range(steps):
        at = 1000.0 * step
        host = {"ph": "X", "pid": "host", "tid": 1}
        events += [
            {**host, "ts": at, "dur": 1000, "name": f"ProfilerStep#{step}",
             "cat": "user_annotation"},
            {**host, "ts": at + 5, "dur": 290, "cat": "user_annotation",
             "name": "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"},
            {**host, "ts": at + 300, "dur": 80, "name": "synLaunchWithExternalEvents",
             "cat": "privateuse1_runtime"},
            work(0, 6000, at + 400, 200, "BatchGemm", **{
                "HW event name": "MMEH_WB", "EventName": "bert/0/gemm", "recipeName": "graph_3",
                "dataType": "float32"}),
            work(0, 7000, at + 500, 200, "softmax_fwd_f32", **{
                "HW event name": "TPC_SPU_START_TO_SPU_HALT", "recipeName": "graph_3"}),
            work(0, 7001, at + 500, 150, "softmax_fwd_f32", **{
                "HW event name": "TPC_SPU_START_TO_SPU_HALT", "recipeName": "graph_3"}),
            work(0, 4000, at + 700, 50, "DmaTranspose", **{
                "HW event name": "DBG_DMA_TRC_WR_DATA_LAST"})]
        if step == 2:
            events.append({**host, "ts": at + 320, "dur": 60, "name": "synGraphCompile",
                           "cat": "privateuse1_runtime"})
    return events


def test_a_real_card(tmp_path):
    report = perf_tool.analyse(write(tmp_path / "real.json", real()))
    device, = report["devices"]
    assert device["device"] == "/device:HPU:0"
    # From 400 to 3750; 350 us of work in each of four steps, 200 us of MME.
    assert device["window_us"] == 3350 and device["busy_us"] == 4 * 350
    assert device["steps"] == {"count": 4, "from": "ProfilerStep", "median_us": 1000,
                               "min_us": 1000, "max_us": 1000, "busy_us": 350}
    engines = device["engines"]
    assert engines["MME"]["busy_us"] == 800 and engines["TPC"]["busy_us"] == 800
    assert engines["TPC"]["tracks"] == 2 and engines["DMA"]["exposed_us"] == 200
    assert device["mme_tpc_overlap_us"] == 400
    assert device["host_bound_share"] == pytest.approx(1 - 1400 / 3350)
    assert device["compiles"] == {"count": 1, "us": 60, "per_step": 0.25}
    gap = device["gaps"][0]
    assert gap["us"] == 650 and "DataLoader" in gap["host"]
    assert device["host_in_gaps"][0]["name"].startswith("enumerate(DataLoader)")
    assert device["ops"][0]["us"] == 800
    titles = [each["title"] for each in device["advice"]]
    assert {"Load data beside the steps", "Compile graphs once", "Multiply in bf16"} <= set(titles)
    gains = [each["gain_us"] for each in device["advice"]]
    assert gains == sorted(gains, reverse=True)
    # 290 us of the loader in each of three gaps.
    assert device["advice"][titles.index("Load data beside the steps")]["gain_us"] == \
        pytest.approx(3 * 290 / 4)


def test_begins_and_ends(tmp_path):
    """As Intel's profiler writes it: B and E, the name of the event in args."""
    events = named(5, "Gaudi2", {1: "TPC 0"})
    for at in (10, 40):
        args = {"HW event name": "TPC_SPU_START", "op": "add_fwd_f32", "Recipe name": "r"}
        events += [{"ph": "B", "pid": 5, "tid": 1, "ts": at, "name": "node", "args": args},
                   {"ph": "E", "pid": 5, "tid": 1, "ts": at + 10, "name": "node", "args": {}}]
    events.append({"ph": "E", "pid": 5, "tid": 1, "ts": 99, "name": "lost"})
    path = tmp_path / "list.json"
    path.write_text(json.dumps(events))  # a list is a trace, too
    device, = perf_tool.analyse(str(path))["devices"]
    assert device["busy_us"] == 20 and device["window_us"] == 40
    assert device["ops"] == [{"name": "TPC add_fwd_f32", "count": 2, "us": 20.0, "share": 1.0}]


def step(model, x):
    y = model(x.to("hpu")).sum()
    y.backward()
    torch.linalg.eigvals(x[:3, :3].to("hpu"))
    return y.item()


def test_a_trace_of_torch_profiler(tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.GELU()).to("hpu")
    x = torch.randn(4, 32)
    step(model, x)
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.HPU]) as prof:
        for _ in range(3):
            step(model, x)
    path = tmp_path / "trace.json.gz"
    prof.export_chrome_trace(str(path))
    device, = perf_tool.analyse(str(path))["devices"]
    assert device["device"] == "HPU 0" and set(device["engines"]) == {"MME", "TPC", "DMA"}
    ops = {each["name"]: each for each in device["ops"]}
    assert ops["aten::gelu"]["count"] == 3
    assert {"op": "aten::linalg_eigvals", "count": 3} in device["fallbacks"]
    assert device["copies"]["in"]["count"] >= 6 and device["copies"]["out"]["count"] >= 6
    assert any(each["name"].startswith(__file__) for each in device["lines"])
    assert any(each["name"] == "Sequential.1" for each in device["modules"])
    assert 0 < device["busy_us"] <= device["window_us"]
    assert "Keep ops on the card" in [each["title"] for each in device["advice"]]
    assert perf_tool.main(["--trace", str(path)]) == 0


@pytest.mark.slow
def test_a_trace_of_a_process(run_python, tmp_path):
    code, _, errors = run_python(
        f"import os; os.chdir({str(tmp_path)!r})\nimport torch\n"
        "x = torch.ones(64, 64, device='hpu')\nfor _ in range(5): x = x @ x\nprint(x.sum().cpu())",
        HABANA_PROFILE="1", PT_HPU_LAZY_MODE="0")
    assert code == 0, errors
    device, = perf_tool.analyse(str(tmp_path / "default_profiling_0.json"))["devices"]
    assert device["steps"]["count"] == 5 and "aten::mm" in device["steps"]["from"]
    assert device["engines"]["MME"]["busy_us"] > 0
    assert "Launch" in [each["name"] for each in device["host_in_gaps"]] or \
        device["idle_us"] < 1


@pytest.mark.parametrize("content, words", [
    (b"", "it is empty"),
    (b"version https://git-lfs.github.com/spec/v1\noid",
     "it is a pointer of Git LFS, not the file itself; fetch it: git lfs pull"),
    (b"   \n", "it is empty"),
    (b"hello", "it is no JSON: it begins with neither { nor ["),
    (b"{}", "it is JSON without traceEvents, so no trace; name a trace, as torch.profiler and gaudi-run"),
    (b'{"a": 1, "b": [1, 2]}', "it is JSON without traceEvents"),
    (b'{"traceEvents": 7}', "its traceEvents are no list; name a trace"),
    (b'{"traceEvents": []}', "it has no events"),
    (b'{"traceEvents": [{"ph": "X", "pid": 1, "tid": 2, "ts": 1, "dur": 2, "name": "f"}]}',
     "no work of a Gaudi is in it"),
    (b'{"traceEvents": [{"ph": "X" "pid"}]}', "it is no JSON at character"),
    (b'{"traceEvents" 3}', "it is no JSON at character"),
    (b"PK\x03\x04zip", "it is no text"),
    (b"\x1f\x8bdamaged", "its compressed data is damaged"),
    (b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + b"\xff" * 20, "its compressed data is damaged"),
    (b"[" * 200000, "a value at character 1 is nested too deeply"),
])
def test_files_that_are_no_trace(tmp_path, capsys, content, words):
    path = tmp_path / "file.json"
    path.write_bytes(content)
    assert perf_tool.main(["--trace", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"gaudi-perf-tool: error: {path}: {words}")


def test_a_file_that_is_not_there(tmp_path, capsys):
    assert perf_tool.main(["--trace", str(tmp_path / "none.json")]) == 2
    assert "none.json: No such file or directory" in capsys.readouterr().err


def test_a_file_that_ends_early(tmp_path):
    text = json.dumps({"traceEvents": real()})
    path = tmp_path / "cut.json"
    path.write_text(text[:len(text) - 300])
    report = perf_tool.analyse(str(path))
    assert report["devices"][0]["steps"]["count"] == 4
    assert "the file ends within its events" in report["notes"][0]
    packed = tmp_path / "cut.json.gz"
    packed.write_bytes(gzip.compress(text.encode())[:-20])
    with pytest.raises(perf_tool.TraceError, match="its compressed data is damaged"):
        perf_tool.analyse(str(packed))


def test_events_that_make_no_sense(tmp_path):
    events = real() + [{"ph": "X", "ts": "soon"}, {"ph": "X"}, 7, None, {"ph": "M", "args": None},
                       {"ph": "X", "ts": float("nan"), "dur": 1, "name": "n"},
                       {"ph": "X", "ts": 1, "dur": -5, "name": "n"},
                       {"ph": "X", "ts": 10**400, "dur": 1, "name": "n"},
                       {"ph": "X", "ts": -1.7e308, "dur": 1, "name": "n"},
                       {"ph": "X", "ts": 1, "name": "n", "cat": "cpu_op",
                        "args": {"External id": float("inf")}},
                       *named(3, f"HPU {'9' * 5000}", {1: "x"}),
                       {"ph": "X", "pid": 3, "tid": 1, "ts": 1, "dur": 1, "name": "n"}]
    report = perf_tool.analyse(write(tmp_path / "odd.json", events))
    assert report["notes"] == ["7 events could not be understood"]
    assert report["devices"][0]["busy_us"] == 1400


def test_names_that_are_half_a_character(tmp_path, capsys):
    """JSON may have them; an output may not."""
    path = write(tmp_path / "half.json", [work(1, 6000, at, 2, "gemm\ud83d") for at in (1, 50)])
    assert perf_tool.main(["--trace", path]) == 0
    assert "gemm\\ud83d" in capsys.readouterr().out


def test_json_goes_to_a_file_or_to_the_output(tmp_path, capsys):
    path = write(tmp_path / "real.json", real())
    assert perf_tool.main(["--trace", path, "--json", str(tmp_path / "out.json")]) == 0
    assert "/device:HPU:0: 3.35 ms, busy 1.40 ms" in capsys.readouterr().out
    assert perf_tool.main(["--trace", path, "--json", "-"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "out.json").read_text())
    assert printed["schema"] == "gaudi-perf-tool/1"


@pytest.mark.slow
def test_a_large_file(tmp_path):
    path = tmp_path / "large.json"
    with open(path, "w") as file:
        file.write('{"schemaVersion": 1, "traceEvents": [\n')
        rows = [json.dumps(each) for each in real(1)]
        count = 0
        while file.tell() < 100_000_000:
            for each in real(1):
                if each["ph"] == "X":
                    file.write(json.dumps({**each, "ts": each["ts"] + 1000.0 * count}) + ",\n")
            count += 1
        file.write(",\n".join(rows) + "\n]}")
    done = subprocess.run(
        [sys.executable, "-c", "import re, time; from gaudi_mlir import perf_tool\n"
         "def peak():\n"
         "    return int(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])\n"
         "open('/proc/self/clear_refs', 'w').write('5')\n"  # from here on
         "before, begin = peak(), time.time()\n"
         f"made = perf_tool.analyse({str(path)!r})\n"
         "print(time.time() - begin, peak() - before, made['devices'][0]['steps']['count'])"],
        capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    seconds, kibibytes, steps = map(float, done.stdout.split())
    print(f"100 MB: {seconds:.1f} s, {kibibytes / 1024:.0f} MiB")
    assert steps == count + 1 and kibibytes < 400 * 1024 and seconds < 120
