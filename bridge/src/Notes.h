// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a script does that costs it time, by the lines of Python that do it;
// kept only while a report wants it.
#ifndef GAUDI_BRIDGE_NOTES_H
#define GAUDI_BRIDGE_NOTES_H

#include <torch/csrc/utils/pybind.h>

#include <atomic>
#include <string>
#include <utility>

namespace gaudi::bridge {

/// Where a script does something. Texts and code are held for ever.
struct Place {
  PyCodeObject *code = nullptr;
  int line = 0;
  const std::string *module = nullptr; ///< whose forward() it is, or null
  bool isBackward = false;             ///< of what that place did
};

class Notes {
public:
  static bool areKept() { return kept.load(std::memory_order_relaxed); }
  /// While it lives, nothing is counted of the thread: it is not the script
  /// that asks for its work.
  class Silence {
  public:
    Silence() : before(std::exchange(isSilent, true)) {}
    ~Silence() { isSilent = before; }
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;

  private:
    bool before;
  };
  /// `values`: copies of small tensors are told apart by what they copy, which
  /// takes a row for each.
  static void keep(bool keep, bool values);
  static bool areValuesKept() { return valuesKept; }
  /// Counts what the line of the calling thread does. Takes the lock of Python.
  static void add(const char *kind, const std::string &text, uint64_t bytes);
  /// Rows (kind, text, file, line, count, bytes) since the last call.
  static pybind11::list take();

  /// The module whose forward() the calling thread runs from now on.
  static void setModule(const std::string &name);
  /// Of the op that the calling thread runs: in a backward the place of the
  /// forward op, which has asked for its place before. `hasNode`: the op has
  /// gone through autograd, if that records it. Needs the lock of Python.
  static Place place(bool hasNode);
  /// The same, of an op that has asked before.
  static Place lastPlace();

private:
  static std::atomic<bool> kept, valuesKept;
  static thread_local bool isSilent;
};

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_NOTES_H
