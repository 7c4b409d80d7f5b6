// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of dumped metrics, which is whole after each dump.
#ifndef GAUDI_LIB_MONITORING_METRICFILE_H
#define GAUDI_LIB_MONITORING_METRICFILE_H

#include "Gaudi/Monitoring/Metrics.h"
#include "Gaudi/Support/Descriptor.h"

#include <chrono>
#include <string>
#include <string_view>

namespace gaudi::monitoring {

class MetricFile {
public:
  /// Makes a new file; Metrics.h says how it is called.
  static Result<MetricFile> create(const std::string &path, DumpFormat format);

  /// Appends one metric.
  Status add(std::string_view metric, std::string_view trigger,
             std::chrono::system_clock::time_point time,
             const std::vector<Statistic> &stats);

private:
  Descriptor file;
  std::string path;
  DumpFormat format = DumpFormat::Json;
  int64_t end = 0; // of the entries
};

} // namespace gaudi::monitoring

#endif // GAUDI_LIB_MONITORING_METRICFILE_H
