# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts of what the runtime did (docs/monitoring.md)."""
from gaudi_mlir.metrics import (  # noqa: F401
    InvalidMetricDumpFileFormat, Metric, MetricDumpFormat, MetricNotFound, metric_global,
    metric_localcontext, metrics_dump)
