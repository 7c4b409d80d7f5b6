// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes Chrome trace events: the JSON object format of catapult's "Trace Event
// Format", in microseconds.
//
// Viewers count whole nanoseconds and round start and duration on their own, so
// that slices that touch would overlap, which Perfetto drops. Starts and ends
// are therefore rounded down to nanoseconds here; picoseconds are arguments.
#ifndef GAUDI_PREDICTION_TRACEEVENTS_H
#define GAUDI_PREDICTION_TRACEEVENTS_H

#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Timing/Cost.h"

#include <cassert>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

namespace gaudi::prediction {

/// Microseconds in JSON.
std::string startText(timing::Picoseconds start);
std::string durationText(timing::Picoseconds start, timing::Picoseconds end);
/// A string of JSON, with its quotes.
std::string traceText(std::string_view text);

/// Collects events and hands them to the file in large writes.
class EventWriter {
public:
  explicit EventWriter(OutputFile &file) : file(file) {}

  Status begin() {
    text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    return {};
  }

  /// One event; `format` gives what is between its braces.
  template <typename... Args>
  Status event(fmt::format_string<Args...> format, Args &&...args) {
    text(isFirst ? "\n{" : ",\n{");
    isFirst = false;
    fmt::format_to(std::back_inserter(buffer), format,
                   std::forward<Args>(args)...);
    text("}");
    return buffer.size() < flushAt ? Status() : flush();
  }

  Status end(std::string_view metadata) {
    text("\n],\"otherData\":");
    text(metadata);
    text("}\n");
    return flush();
  }

private:
  static constexpr size_t flushAt = 1 << 18;

  void text(std::string_view value) {
    buffer.append(value.data(), value.data() + value.size());
  }
  Status flush() {
    GAUDI_TRY(file.write(buffer.data(), buffer.size()));
    buffer.clear();
    return {};
  }

  OutputFile &file;
  fmt::memory_buffer buffer;
  bool isFirst = true;
};

Status nameProcess(EventWriter &out, uint32_t process, std::string_view name,
                   std::string_view labels);
Status nameTrack(EventWriter &out, uint32_t process, uint32_t track,
                 std::string_view name);

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_TRACEEVENTS_H
