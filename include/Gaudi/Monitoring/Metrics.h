// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statistics of events, with the names and fields of the bridge of the real
// stack.
//
// A global metric counts from the first event of the process, a local one from
// when it is made until it is stopped; both count what all threads do.
//
// Global metrics are dumped to the file PT_HPU_METRICS_FILE, in the format
// PT_HPU_METRICS_FILE_FORMAT (json, text), when what
// PT_HPU_METRICS_DUMP_TRIGGERS lists happens: process_exit (the default),
// mark_step, metric_change. The variables' older names begin with HABANA_PT.
// Only processes that have opened a card dump, and children of fork() do not.
#ifndef GAUDI_MONITORING_METRICS_H
#define GAUDI_MONITORING_METRICS_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gaudi::monitoring {

using Counts = std::map<std::string, int64_t, std::less<>>;
using Durations = std::vector<std::pair<std::string, int64_t>>;

struct Statistic {
  std::string_view name;
  std::variant<int64_t, double, Counts, Durations> value;
};

/// One of
/// - graph_compilation: TotalNumber, TotalTime, AvgTime (microseconds); with
///   PT_HPU_METRICS_GC_DETAILS recipe, the name and time of each
/// - cpu_fallback: TotalNumber, FallbackOps (how often each)
/// - memory_defragmentation: TotalNumber, TotalSuccessful, AvgTime, MaxTime
///   (milliseconds)
/// - recipe_cache, with PT_HPU_ENABLE_CACHE_METRICS: TotalHit, RecipeHit,
///   TotalMiss, RecipeMiss (how often each)
class Metric {
public:
  virtual ~Metric() = default;

  /// A local metric, which counts from now on. Error: none has that name.
  static Result<std::unique_ptr<Metric>> start(std::string_view name);
  /// The global metric. Error: none has that name.
  static Result<Metric *> global(std::string_view name);

  virtual std::string_view name() const = 0;
  virtual std::vector<Statistic> stats() const = 0;
  virtual void reset() = 0;
  /// No more events count. A global one never stops.
  virtual void stop() = 0;
};

/// {"TotalNumber": 1, ...}
std::string jsonText(const std::vector<Statistic> &stats);

enum class DumpFormat : uint8_t { Json, Text };

/// Of "json" and "text".
Result<DumpFormat> dumpFormatNamed(std::string_view name);

/// Writes all global metrics, as triggered by the user, to a new file: `path`,
/// with -rank<RANK> before its extension where there is a rank, and .1, .2, ...
/// after it if there is such a file. Errors: it cannot be written.
Status dumpMetrics(const std::string &path, DumpFormat format);

/// Logs how often each op ran on the CPU, if any did since the last call: when
/// a device is closed.
void logCpuFallbacks();

} // namespace gaudi::monitoring

#endif // GAUDI_MONITORING_METRICS_H
