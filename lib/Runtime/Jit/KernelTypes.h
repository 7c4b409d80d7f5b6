// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch and a compiled TPC kernel know of each other.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELTYPES_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELTYPES_H

#include "KeyWriter.h"

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// The first (in row-major order of the points) out-of-range index of a
/// launch. `raised` is read without the lock after all threads are done.
struct Fault {
  bool raised = false;
  int64_t point = 0;
  uint32_t operand = 0; // of the command: inputs first, then outputs
  uint32_t dimension = 0;
  int64_t index = 0;
  std::mutex mutex;

  /// Any thread. Keeps the fault of the lowest point, so that the error does
  /// not depend on how points were distributed over threads.
  void record(int64_t newPoint, uint32_t newOperand, uint32_t newDimension,
              int64_t newIndex) {
    std::lock_guard<std::mutex> lock(mutex);
    if (raised && point <= newPoint)
      return;
    raised = true;
    point = newPoint;
    operand = newOperand;
    dimension = newDimension;
    index = newIndex;
  }
};

/// An input and an output of a kernel; operands count inputs first.
struct OperandPair {
  unsigned input, output;

  void key(KeyWriter &writer) const {
    const auto &[input, output] = *this;
    writer.add(input, output);
  }
};

/// One operand as a launch sees it.
struct KernelOperand {
  recipe::ElementType type;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  uint64_t address; // only compared with those of the other operands
  /// Outputs that launches may put there instead, if each point reads only the
  /// element that it writes (InPlace.h).
  std::vector<unsigned> inPlace = {};
};

/// Runs the points [begin, end) of the flattened parallel space.
using KernelFunction = void (*)(void *const *operands, int64_t begin,
                                int64_t end, Fault *fault);

struct CompiledKernel {
  KernelFunction function = nullptr;
  int64_t points = 0;      // size of the flattened parallel space
  int64_t row = 1;         // chunks of multiples of this are the fastest
  double workPerPoint = 1; // in vector additions, estimated
  bool splittable = true;  // false: one call with all points
  bool faults = false;     // a launch can find an index out of range
  /// Per operand: elements that belong to one point (PointBlocks.h), or 0.
  std::vector<int64_t> blocks;
  std::string description; // for reports
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELTYPES_H
