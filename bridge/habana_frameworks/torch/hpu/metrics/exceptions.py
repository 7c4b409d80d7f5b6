# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from gaudi_mlir.metrics import InvalidMetricDumpFileFormat, MetricNotFound  # noqa: F401


class InvalidMetricDumpTrigger(Exception):
    """A file of metrics is to be written at something else than MetricDumpTrigger has."""
