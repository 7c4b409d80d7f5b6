// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times, names and tracks of trace events.
#include "Gaudi/Prediction/TraceEvents.h"

#include "JsonText.h"

namespace gaudi::prediction {

using timing::Picoseconds;

/// Whole nanoseconds, rounded down.
static Picoseconds nanoseconds(Picoseconds time) {
  assert(time >= 0 && "the timeline begins at 0");
  return time / 1000;
}

/// Nanoseconds as microseconds in JSON.
static std::string textOf(Picoseconds nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

std::string startText(Picoseconds start) { return textOf(nanoseconds(start)); }

std::string durationText(Picoseconds start, Picoseconds end) {
  return textOf(nanoseconds(end) - nanoseconds(start));
}

std::string traceText(std::string_view text) { return jsonText(text); }

Status nameProcess(EventWriter &out, uint32_t process, std::string_view name,
                   std::string_view labels) {
  GAUDI_TRY(out.event(R"("ph":"M","pid":{},"name":"process_name",)"
                      R"("args":{{"name":{}}})",
                      process, jsonText(name)));
  GAUDI_TRY(out.event(R"("ph":"M","pid":{},"name":"process_labels",)"
                      R"("args":{{"labels":{}}})",
                      process, jsonText(labels)));
  return out.event(R"("ph":"M","pid":{0},"name":"process_sort_index",)"
                   R"("args":{{"sort_index":{0}}})",
                   process);
}

Status nameTrack(EventWriter &out, uint32_t process, uint32_t track,
                 std::string_view name) {
  GAUDI_TRY(out.event(R"("ph":"M","pid":{},"tid":{},"name":"thread_name",)"
                      R"("args":{{"name":{}}})",
                      process, track, jsonText(name)));
  return out.event(R"("ph":"M","pid":{},"tid":{},"name":"thread_sort_index",)"
                   R"("args":{{"sort_index":{}}})",
                   process, track, track);
}

} // namespace gaudi::prediction
