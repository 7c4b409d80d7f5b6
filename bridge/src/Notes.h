// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a script does that costs it time, by the lines of Python that do it;
// kept only while a report wants it.
#ifndef GAUDI_BRIDGE_NOTES_H
#define GAUDI_BRIDGE_NOTES_H

#include <torch/csrc/utils/pybind.h>

#include <atomic>
#include <string>

namespace gaudi::bridge {

class Notes {
public:
  static bool areKept() { return kept.load(std::memory_order_relaxed); }
  static void keep(bool keep) { kept = keep; }
  /// Counts what the line of the calling thread does. Takes the lock of Python.
  static void add(const char *kind, const std::string &text, uint64_t bytes);
  /// Rows (kind, text, file, line, count, bytes) since the last call.
  static pybind11::list take();

private:
  static std::atomic<bool> kept;
};

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_NOTES_H
