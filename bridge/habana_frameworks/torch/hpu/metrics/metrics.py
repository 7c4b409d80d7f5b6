# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metrics by name: global ones count from the start of the process, local ones in a block."""
import contextlib
import json

from gaudi_mlir import _callers, _core, _environment, _text
from gaudi_mlir.errors import ArgumentError
from gaudi_mlir.metrics import MetricDumpFormat, MetricNotFound, metrics_dump  # noqa: F401

from ... import _C

# Numbers of events in gaudi-c/Monitoring.h.
_COMPILE, _DEFRAGMENTATION, _FALLBACK, _HIT, _MISS = 0, 5, 6, 7, 8


def bool_helper(value) -> bool:
    """What a variable of the environment means."""
    return _environment.is_on(value) if isinstance(value, str) else bool(value)


class Metric:
    """What events of one kind have been counted, from start() to stop()."""

    NAME = ""
    EVENTS: tuple[int, ...] = ()

    def __init__(self, counted=None) -> None:
        self._counted = counted
        self._is_global = counted is not None
        self._callbacks: list = []
        self._subscriptions: list = []

    def name(self) -> str:
        return self.NAME

    def start(self) -> None:
        """Counts from now on; global metrics do already."""
        if self._counted is None:
            self._counted = _core.start_metric(self.NAME)

    def stop(self) -> None:
        """Counts no more, and tells no more changes; global metrics go on counting."""
        if self._counted is not None:
            self._counted.stop()
        for each in self._subscriptions:
            each.end()
        self._subscriptions.clear()

    def stats(self) -> list[tuple]:
        """Fields and values in their order."""
        if self._counted is None:
            return []
        return [(field, [tuple(each) for each in value] if isinstance(value, list) else value)
                for field, value in json.loads(self._counted.stats()).items()]

    def reset(self) -> None:
        """Forgets what was counted."""
        if self._counted is not None:
            self._counted.reset()

    def on_metric_change(self, callback) -> None:
        """Calls `callback()` after each event that the metric counts, in the event's thread."""
        self._callbacks.append(callback)
        if not self._subscriptions:
            self._subscriptions = [_C.Subscription(each, self.notify) for each in self.EVENTS]

    def notify(self, timestamp: int, event_params: dict) -> None:
        for each in list(self._callbacks):
            each()

    def __repr__(self) -> str:
        return f"<metric {self.NAME} {dict(self.stats())}>"


class GraphCompilationMetric(Metric):
    NAME, EVENTS = "graph_compilation", (_COMPILE,)


class CpuFallbackMetric(Metric):
    NAME, EVENTS = "cpu_fallback", (_FALLBACK,)


class MemoryDefragmentationMetric(Metric):
    NAME, EVENTS = "memory_defragmentation", (_DEFRAGMENTATION,)


class RecipeCacheMetric(Metric):
    NAME, EVENTS = "recipe_cache", (_HIT, _MISS)


class MetricManager:
    """Classes of metrics by name."""

    def __init__(self) -> None:
        self._classes: dict[str, type[Metric]] = {}
        self._globals: dict[str, Metric] = {}

    def register(self, name: str, metric_class: type[Metric]) -> None:
        self._classes[name] = metric_class

    def get_global_metric(self, name: str) -> Metric | None:
        """None if there is none of that name."""
        if name not in self._globals:
            try:
                counted = _core.global_metric(name)
            except ArgumentError:  # PT_HPU_ENABLE_CACHE_METRICS may be off
                return None
            self._globals[name] = self._classes[name](counted)
        return self._globals[name]

    def get_local_metric(self, name: str) -> Metric:
        """One that has not been started."""
        if name not in self._classes or self.get_global_metric(name) is None:
            raise MetricNotFound(self.missing(name))
        return self._classes[name]()

    def missing(self, name: str) -> str:
        """What is said of a name that no metric has."""
        near = _text.meant(name, self.names())
        return (f"there is no metric {name!r}; {near and near + ' '}there is {', '.join(self.names())}"
                + (" (recipe_cache with PT_HPU_ENABLE_CACHE_METRICS=1)"
                   if name == RecipeCacheMetric.NAME else ""))

    def names(self) -> list[str]:
        return [each for each in self._classes if self.get_global_metric(each) is not None]

    def store_global_metrics(self, file_name, format) -> None:
        metrics_dump(file_name, format)


_manager = MetricManager()
for _each in (GraphCompilationMetric, CpuFallbackMetric, MemoryDefragmentationMetric,
              RecipeCacheMetric):
    _manager.register(_each.NAME, _each)


def metric_global(name: str) -> Metric | None:
    """The metric that counts since the process began; None if there is none of that name."""
    metric = _manager.get_global_metric(name)
    if metric is None:
        _callers.warn(f"{_manager.missing(name)}; metric_global() returns None")
    return metric


@contextlib.contextmanager
def metric_localcontext(name: str):
    """A metric that counts in the `with` block, what other threads do, too."""
    metric = _manager.get_local_metric(name)
    metric.start()
    try:
        yield metric
    finally:
        metric.stop()
