// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets Python see each launch, and each op that runs on the CPU: what it reads
// and what it makes. Off, it costs a load and a branch.
#ifndef GAUDI_BRIDGE_OBSERVER_H
#define GAUDI_BRIDGE_OBSERVER_H

#include <torch/csrc/utils/pybind.h>

#include <atomic>
#include <string>

namespace gaudi::bridge {

/// One launch, from before it to its end. Threads may be without the lock of
/// Python; work of the observer itself is not observed.
class Observation {
public:
  static bool areMade() { return made.load(std::memory_order_relaxed); }
  /// `observer(program, name, inputs, outputs)` is called before a launch, with
  /// None for outputs that are made by it, and gives None or an object whose
  /// `end(outputs)`, or `failed(text)`, is called after it. `program` is 0 for
  /// an op on the CPU. None: nothing is observed.
  static void setObserver(pybind11::object observer);

  Observation(uint64_t program, const std::string &name,
              at::ArrayRef<at::Tensor> inputs,
              at::ArrayRef<at::Tensor> outputs);
  ~Observation();
  Observation(const Observation &) = delete;
  Observation &operator=(const Observation &) = delete;

  /// May throw what Python raises.
  void end(at::ArrayRef<at::Tensor> outputs);
  void failed(const char *text);

private:
  template <typename Value> void call(const char *method, const Value &value);

  static std::atomic<bool> made;
  pybind11::object token;
};

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_OBSERVER_H
