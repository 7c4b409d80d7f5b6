# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts of what the runtime did (docs/monitoring.md)."""
from . import exceptions, metrics, saver  # noqa: F401
from .exceptions import (  # noqa: F401
    InvalidMetricDumpFileFormat, InvalidMetricDumpTrigger, MetricNotFound)
from .metrics import Metric, metric_global, metric_localcontext, metrics_dump  # noqa: F401
from .saver import MetricDumpFormat, MetricDumpTrigger  # noqa: F401
