# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of metrics. The runtime writes those that PT_HPU_METRICS_FILE asks for; a program may write
others when it likes."""
import datetime
import enum
import json
import os

from gaudi_mlir.metrics import InvalidMetricDumpFileFormat, MetricDumpFormat

from ... import _C
from . import metrics as _metrics
from .exceptions import InvalidMetricDumpTrigger

METRIC_FILE_FORMAT_DEFAULT = MetricDumpFormat.json
_MARK_STEP, _PROCESS_EXIT = 1, 2  # events of gaudi-c/Monitoring.h


class MetricDumpTrigger(str, enum.Enum):
    """When metrics are written."""
    process_exit = "process_exit"
    mark_step = "mark_step"
    metric_change = "metric_change"
    user = "user"


class MetricWriter:
    """Writes to a new file: where there is `name`, to `name`.1 and so on."""

    def __init__(self, name) -> None:
        path, number = str(name), 0
        while os.path.exists(path):
            number += 1
            path = f"{name}.{number}"
        self.path = path
        self.file = open(path, "w", encoding="utf-8")

    def write(self, name: str, stats, dump_trigger, timestamp=None) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.file.close()


def _time(timestamp) -> str:
    made = datetime.datetime.now() if timestamp is None else \
        datetime.datetime.fromtimestamp(timestamp / 1e6)
    return made.isoformat()


class MetricJsonWriter(MetricWriter):
    """An array, which is complete once the file is closed."""

    def __init__(self, name) -> None:
        super().__init__(name)
        self._count = 0

    def write(self, name: str, stats, dump_trigger, timestamp=None) -> None:
        self.file.write(",\n" if self._count else "[")
        self._count += 1
        json.dump({"metric_name": name, "triggered_by": MetricDumpTrigger(dump_trigger).value,
                   "generated_on": _time(timestamp), "statistics": dict(stats)}, self.file)

    def close(self) -> None:
        if not self.file.closed:
            self.file.write("]\n" if self._count else "[]\n")
        super().close()


class MetricTextWriter(MetricWriter):
    def write(self, name: str, stats, dump_trigger, timestamp=None) -> None:
        self.file.write(f"Metric name: {name}\nTriggered by: "
                        f"{MetricDumpTrigger(dump_trigger).value}\n"
                        f"Generated on: {_time(timestamp)}\n")
        for field, value in stats:
            self.file.write(f"{field}: {value}\n")
        self.file.write("\n")


class MetricNullWriter(MetricWriter):
    """Writes nothing."""

    def __init__(self, name="") -> None:
        self.path = None

    def write(self, name: str, stats, dump_trigger, timestamp=None) -> None:
        pass

    def close(self) -> None:
        pass


class MetricSaver:
    """Writes the global metrics to a file whenever one of `triggers` comes; without a file name to
    none."""

    def __init__(self, file_name="", triggers=[MetricDumpTrigger.user],
                 format=METRIC_FILE_FORMAT_DEFAULT) -> None:
        try:
            self.triggers = [MetricDumpTrigger(each) for each in triggers]
        except ValueError as error:
            raise InvalidMetricDumpTrigger(
                f"{error}: metrics are written at {', '.join(MetricDumpTrigger)}") from None
        try:
            kind = MetricDumpFormat(format)
        except ValueError:
            raise InvalidMetricDumpFileFormat(
                f"{format!r} is no format of metrics, expected 'json' or 'text'") from None
        writers = {MetricDumpFormat.json: MetricJsonWriter, MetricDumpFormat.text: MetricTextWriter}
        self._writer = writers[kind](file_name) if file_name else MetricNullWriter()
        self._subscriptions: list = []

    def enable(self) -> None:
        """From now on triggers count."""
        def at(event, trigger):
            self._subscriptions.append(
                _C.Subscription(event, lambda timestamp, _: self.process_trigger(trigger)))
        if MetricDumpTrigger.mark_step in self.triggers:
            at(_MARK_STEP, MetricDumpTrigger.mark_step)
        if MetricDumpTrigger.process_exit in self.triggers:
            at(_PROCESS_EXIT, MetricDumpTrigger.process_exit)
        if MetricDumpTrigger.metric_change in self.triggers:
            for name in _metrics._manager.names():
                metric = _metrics.metric_global(name)
                for event in metric.EVENTS:
                    self._subscriptions.append(_C.Subscription(
                        event, lambda timestamp, _, metric=metric: self.process_trigger(
                            MetricDumpTrigger.metric_change, [metric])))

    def metric_change_callback(self) -> None:
        self.process_trigger(MetricDumpTrigger.metric_change)

    def process_trigger(self, trigger, metrics=()) -> None:
        """Writes these metrics, without any all of them, if the trigger is one of the saver's."""
        trigger = MetricDumpTrigger(trigger)
        if trigger not in self.triggers:
            return
        chosen = list(metrics) or [_metrics.metric_global(each)
                                   for each in _metrics._manager.names()]
        for each in chosen:
            self._writer.write(each.name(), each.stats(), trigger)

    def close(self) -> None:
        for each in self._subscriptions:
            each.end()
        self._subscriptions.clear()
        self._writer.close()
