# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metrics, files of them, and what looks for recompilations."""
import json
import pstats

import pytest
import torch
from torch import nn

import habana_frameworks.torch.core as htcore
from habana_frameworks.torch import _C
from habana_frameworks.torch.hpu.metrics import (
    InvalidMetricDumpFileFormat, InvalidMetricDumpTrigger, MetricDumpTrigger, MetricNotFound,
    metric_global, metric_localcontext, metrics_dump)
from habana_frameworks.torch.hpu.metrics.metrics import (
    CpuFallbackMetric, MetricManager, bool_helper)
from habana_frameworks.torch.hpu.metrics.saver import MetricSaver


def fall_back():
    torch.linalg.eigvals(torch.eye(2, device="hpu"))


def test_fallbacks_are_counted():
    with metric_localcontext("cpu_fallback") as metric:
        fall_back()
        fall_back()
    fall_back()
    assert metric.stats() == [("TotalNumber", 2), ("FallbackOps", {"aten::_linalg_eigvals": 2})]
    assert dict(metric_global("cpu_fallback").stats())["TotalNumber"] >= 3
    with pytest.raises(MetricNotFound, match="there is no metric 'speed'"):
        with metric_localcontext("speed"):
            pass
    with pytest.warns(UserWarning, match="no metric 'speed'; there is graph_compilation, "):
        assert metric_global("speed") is None


def test_compiled_graphs_are_counted():
    torch._dynamo.reset()
    f = torch.compile(lambda x: torch.cos(x) * 3 + x, backend="hpu_backend", dynamic=False)
    x = torch.ones(37, device="hpu")
    with metric_localcontext("graph_compilation") as metric:
        f(x)
    counted = dict(metric.stats())
    assert counted["TotalNumber"] == 1 and counted["TotalTime"] > 0
    with metric_localcontext("graph_compilation") as metric:
        f(x)
    assert metric.stats() == [("TotalNumber", 0), ("TotalTime", 0), ("AvgTime", 0.0)]


def test_changes_are_told():
    told = []
    metric = CpuFallbackMetric()
    metric.start()
    metric.on_metric_change(lambda: told.append(dict(metric.stats())["TotalNumber"]))
    fall_back()
    fall_back()
    metric.stop()
    fall_back()
    assert told == [1, 2]
    metric.reset()
    assert metric.name() == "cpu_fallback" and dict(metric.stats())["TotalNumber"] == 0


def test_own_metrics():
    manager = MetricManager()

    class Mine(CpuFallbackMetric):
        pass
    manager.register("cpu_fallback", Mine)
    assert isinstance(manager.get_local_metric("cpu_fallback"), Mine)
    assert isinstance(manager.get_global_metric("cpu_fallback"), Mine)
    with pytest.raises(MetricNotFound):
        manager.get_local_metric("recipe_cache")


@pytest.mark.parametrize("value, expected", [("1", True), ("on", True), ("no", False), ("", False),
                                             (True, True), (0, False)])
def test_bool_helper(value, expected):
    assert bool_helper(value) is expected


def test_files(tmp_path, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)  # it would be in the name
    metrics_dump(str(tmp_path / "all.json"))
    names = [each["metric_name"] for each in json.loads((tmp_path / "all.json").read_text())]
    assert names[:3] == ["graph_compilation", "cpu_fallback", "memory_defragmentation"]


def test_saver_writes_at_its_triggers(tmp_path):
    path = tmp_path / "metrics.json"
    saver = MetricSaver(path, ["mark_step", "metric_change", MetricDumpTrigger.user])
    saver.enable()
    htcore.mark_step()
    fall_back()
    saver.process_trigger("user", [metric_global("cpu_fallback")])
    saver.process_trigger("process_exit")
    saver.close()
    htcore.mark_step()
    rows = [(each["metric_name"], each["triggered_by"]) for each in json.loads(path.read_text())]
    assert rows[:3] == [(name, "mark_step") for name in
                        ("graph_compilation", "cpu_fallback", "memory_defragmentation")]
    assert ("cpu_fallback", "metric_change") in rows and rows[-1] == ("cpu_fallback", "user")
    saver = MetricSaver(path, [MetricDumpTrigger.user], "text")
    saver.process_trigger(MetricDumpTrigger.user)
    saver.close()
    assert "Metric name: cpu_fallback\nTriggered by: user\n" in \
        (tmp_path / "metrics.json.1").read_text()


def test_savers_refuse(tmp_path):
    with pytest.raises(InvalidMetricDumpTrigger, match="'noon'"):
        MetricSaver(tmp_path / "x", ["noon"])
    with pytest.raises(InvalidMetricDumpFileFormat, match="'csv' is no format"):
        MetricSaver(tmp_path / "x", format="csv")


def test_file_of_the_environment(run_python, tmp_path, monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    path = tmp_path / "m.json"
    code, _, errors = run_python(
        "import torch, habana_frameworks.torch.core as htcore\n"
        "x = torch.ones(2, device='hpu')\nhtcore.mark_step()",
        PT_HPU_METRICS_FILE=str(path), PT_HPU_METRICS_DUMP_TRIGGERS="mark_step,process_exit")
    assert code == 0, errors
    assert {each["triggered_by"] for each in json.loads(path.read_text())} == {
        "mark_step", "process_exit"}


def test_recompilations_are_named(capsys, tmp_path):
    from habana_frameworks.torch.utils.experimental.detect_recompilation import (
        detect_recompilation_auto_model)
    _C.reset_eager()
    model = nn.Sequential(nn.Linear(3, 5), nn.Softplus()).to("hpu")
    detect_recompilation_auto_model(model, "Mine", waittime=0, csv_out=str(tmp_path / "out"))
    for size in (2, 2, 4):
        model(torch.ones(size, 3, device="hpu"))
    shown = capsys.readouterr().out
    assert "Recompilation! step 3: Mine.0 compiled" in shown and "step 2" not in shown
    model.analyse_dynamicity()
    table = capsys.readouterr().out
    assert "sizes of inputs that it has not had" in table and "Softplus" in table
    assert (tmp_path / "out_1.csv").read_text().startswith(
        "Step,modules,New in,New out,Class,Location,Comment\n".replace("\n", "\r\n")) or \
        (tmp_path / "out_1.csv").read_text().startswith("Step,modules,New in,New out,Class")
    assert "Mine.0," in (tmp_path / "out_2.csv").read_text()


def test_sizes_of_data_loaders(capsys):
    from habana_frameworks.torch.utils.experimental import detect_recompilation
    batches = [{"x": torch.ones(size, 2)} for size in (3, 3, 1, 3)]
    assert detect_recompilation.data_dynamicity(batches) == {"{'x': (3, 2)}": 3, "{'x': (1, 2)}": 1}
    assert "{'x': (3, 2)} | 3" in capsys.readouterr().out
    assert len(list(detect_recompilation.const_shape_dataloader(batches, 5))) == 3
    assert len(list(detect_recompilation.const_shape_dataloader(batches, 2))) == 2


def test_cprofile(tmp_path):
    from habana_frameworks.torch.utils.debug.cprofile_wrapper import cprofile

    @cprofile(str(tmp_path))
    def work(x):
        return sorted(x)
    assert work([2, 1]) == [1, 2] and work([3]) == [3]
    assert pstats.Stats(str(tmp_path / "work_0.prof")).total_calls >= 1
    assert (tmp_path / "work_1.prof").exists()


@pytest.mark.slow
def test_state_of_the_device(run_python):
    code, _, errors = run_python(
        "import torch\nfrom habana_frameworks.torch.utils.debug import utils\n"
        "x = torch.ones(2, device='hpu')\nutils.dump_device_state_and_terminate('lost')")
    assert code < 0 and errors.startswith("lost\nhpu:0 gaudi2\n") and "Limit:" in errors


def test_cache_of_ops():
    from habana_frameworks.torch.utils import debug
    before = debug._get_jit_cache_size()
    torch.ones(3, 11, 13, device="hpu").log1p()
    assert debug._get_jit_cache_size() > before
