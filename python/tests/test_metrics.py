# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metrics: names and values of habana_frameworks.torch.hpu.metrics."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import gaudi_mlir
import pytest
from gaudi_mlir import _core
from gaudi_mlir.metrics import (InvalidMetricDumpFileFormat, MetricDumpFormat, MetricNotFound,
                                metric_global, metric_localcontext, metrics_dump)

from conftest import MATMUL


def test_local_metrics_nest():
    everything = metric_global("graph_compilation")
    everything.reset()
    with metric_localcontext("graph_compilation") as outer:
        gaudi_mlir.compile(MATMUL)
        with metric_localcontext("graph_compilation") as inner:
            gaudi_mlir.compile(MATMUL)
    gaudi_mlir.compile(MATMUL)
    assert outer.name() == "graph_compilation"
    assert [field for field, _ in outer.stats()] == ["TotalNumber", "TotalTime", "AvgTime"]
    assert inner.stats()[0][1] == 1
    assert outer.stats()[0][1] == 2
    statistics = dict(everything.stats())
    assert statistics["TotalNumber"] == 3
    assert statistics["AvgTime"] == pytest.approx(statistics["TotalTime"] / 3)
    assert repr(inner).startswith("<metric graph_compilation {'TotalNumber': 1, ")


def test_values_of_other_metrics():
    with metric_localcontext("cpu_fallback") as ops:
        _core.cpu_fallback("aten::digamma", "self=HPUBFloat16Type")
    assert ops.stats() == [("TotalNumber", 1), ("FallbackOps", {"aten::digamma": 1})]
    with metric_localcontext("memory_defragmentation") as moves:
        pass
    assert moves.stats() == [("TotalNumber", 0), ("TotalSuccessful", 0), ("AvgTime", 0.0),
                             ("MaxTime", 0.0)]


def test_unknown_names():
    with pytest.warns(UserWarning, match="there is no metric 'none'"):
        assert metric_global("none") is None
    with pytest.raises(MetricNotFound, match="there is no metric 'none'"):
        with metric_localcontext("none"):
            pass


def test_dumps(tmp_path):
    file = tmp_path / "metrics.json"
    metrics_dump(file)
    metrics_dump(str(file), MetricDumpFormat.text)
    names = [each["metric_name"] for each in json.loads(file.read_text())]
    assert names == ["graph_compilation", "cpu_fallback", "memory_defragmentation"]
    assert (tmp_path / "metrics.json.1").read_text().startswith(
        "Metric name: graph_compilation\nTriggered by: user\n")
    with pytest.raises(InvalidMetricDumpFileFormat, match="'csv' is no format of metrics"):
        metrics_dump(file, "csv")
    with pytest.raises(gaudi_mlir.FileError, match="metrics cannot be written to "):
        metrics_dump(file / "x")


def run(program: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, **variables}, check=True)


def test_details_of_the_environment():
    program = """
import gaudi_mlir
from gaudi_mlir.metrics import metric_global
gaudi_mlir.compile("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\\n"
                   "return %x : tensor<2xf32>\\n}", name="mine")
print(metric_global("graph_compilation").stats()[-1], metric_global("recipe_cache").stats())
"""
    ran = run(program, PT_HPU_METRICS_GC_DETAILS="1", PT_HPU_ENABLE_CACHE_METRICS="1")
    assert re.fullmatch(r"\('recipe', \[\('mine', \d+\)\]\) \[\('TotalHit', 0\), "
                        r"\('RecipeHit', \{\}\), \('TotalMiss', 0\), \('RecipeMiss', \{\}\)\]\n",
                        ran.stdout)


def test_log_of_a_process(tmp_path):
    program = "from gaudi_mlir import _core; _core.cpu_fallback('aten::digamma', 'self=HPUIntType');" \
              "_core.log_cpu_fallbacks()"
    run(program, HABANA_LOGS=str(tmp_path), LOG_LEVEL_PT_FALLBACK="1")
    lines = (tmp_path / "pytorch_log.txt").read_text().splitlines()
    assert lines[0].endswith("[PT_FALLBACK][debug] CPU fallback digamma : self=HPUIntType")
    assert lines[1].endswith("[PT_FALLBACK][critical] CPU Fallback stats:")
    assert lines[2] == "1\taten::digamma"


def test_dump_of_a_process_that_launches(tmp_path):
    program = f"""
import gaudi_mlir
import numpy as np
recipe = gaudi_mlir.compile({MATMUL!r})
recipe.run([np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)])
"""
    run(program, PT_HPU_METRICS_FILE=str(tmp_path / "metrics.json"))
    dumped = json.loads((tmp_path / "metrics.json").read_text())
    assert dumped[0]["triggered_by"] == "process_exit"
    assert dumped[0]["statistics"]["TotalNumber"] == 1
