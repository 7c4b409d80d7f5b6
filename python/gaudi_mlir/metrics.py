# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statistics of this process, with the names of habana_frameworks.torch.hpu.metrics.

    with metric_localcontext("graph_compilation") as compiled:
        step(x)
    print(compiled.stats())       # [("TotalNumber", 1), ("TotalTime", 5130), ("AvgTime", 5130.0)]

docs/monitoring.md lists metrics, their fields, and the variables that dump them to a file.
"""

from __future__ import annotations

import contextlib
import enum
import json
import os
from typing import Any, Iterator

from . import _callers, _core
from .errors import ArgumentError

__all__ = ["InvalidMetricDumpFileFormat", "Metric", "MetricDumpFormat", "MetricNotFound",
           "metric_global", "metric_localcontext", "metrics_dump"]


class MetricNotFound(Exception):
    """There is no metric of that name."""


class InvalidMetricDumpFileFormat(Exception):
    """A dump has another format than those of MetricDumpFormat."""


class MetricDumpFormat(str, enum.Enum):
    """How a file of metrics looks."""

    json = "json"
    text = "text"


class Metric:
    """What events of one kind have been counted."""

    def __init__(self, name: str, counted: _core.Metric) -> None:
        self._name = name
        self._counted = counted

    def name(self) -> str:
        return self._name

    def stats(self) -> list[tuple[str, Any]]:
        """Fields and values in their order."""
        return [(field, [tuple(each) for each in value] if isinstance(value, list) else value)
                for field, value in json.loads(self._counted.stats()).items()]

    def reset(self) -> None:
        """Forgets what was counted."""
        self._counted.reset()

    def stop(self) -> None:
        """Counts no more; global metrics go on."""
        self._counted.stop()

    def __repr__(self) -> str:
        return f"<metric {self._name} {dict(self.stats())}>"


def metric_global(name: str) -> Metric | None:
    """The metric that counts since the process began; None if there is none of that name."""
    try:
        return Metric(name, _core.global_metric(name))
    except ArgumentError as error:
        _callers.warn(error.message)
        return None


@contextlib.contextmanager
def metric_localcontext(name: str) -> Iterator[Metric]:
    """A metric that counts in the `with` block, what other threads do, too."""
    try:
        metric = Metric(name, _core.start_metric(name))
    except ArgumentError as error:
        raise MetricNotFound(error.message) from None
    try:
        yield metric
    finally:
        metric.stop()


def metrics_dump(file_name: str | os.PathLike,
                 format: MetricDumpFormat | str = MetricDumpFormat.json) -> None:
    """Writes all global metrics to a new file; docs/monitoring.md says how it is called."""
    try:
        kind = MetricDumpFormat(format)
    except ValueError:
        raise InvalidMetricDumpFileFormat(
            f"{format!r} is no format of metrics, expected 'json' or 'text'") from None
    _core.dump_metrics(os.fsencode(file_name), kind.value)
