// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What matrix commands on oneDNN share: its objects, and running many
// primitives over the thread pool.
//
// A command is cut into calls of primitives whose boundaries depend on its
// shape only. Each primitive is made for and run on one thread, so that results
// are the same bits with any number of threads.
#ifndef GAUDI_LIB_RUNTIME_MME_ONEDNN_PRIMITIVES_H
#define GAUDI_LIB_RUNTIME_MME_ONEDNN_PRIMITIVES_H

#include "../Packing/OperandCopies.h"
#include "PaddingRepair.h"

#include <dnnl.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::runtime {

using Dims = std::vector<int64_t>;

dnnl::engine &cpuEngine();

/// Attributes of every primitive: the caller provides the scratchpad.
dnnl::primitive_attr primitiveAttributes();

/// True if the host multiplies bf16 itself; else such operands become f32.
bool hostHasBf16();

/// The type operands of `type` are multiplied in: F32 or BF16, both exact.
recipe::ElementType computeType(recipe::ElementType type);
dnnl::memory::data_type dnnlType(recipe::ElementType type);

/// While it lives oneDNN uses one thread when called from this thread.
class SingleThreaded {
public:
  SingleThreaded();
  ~SingleThreaded();
  SingleThreaded(const SingleThreaded &) = delete;
  SingleThreaded &operator=(const SingleThreaded &) = delete;

private:
  int before;
};

/// One primitive on fixed memory.
struct PrimitiveCall {
  unsigned primitive;
  dnnl::memory src, weights, dst;
};

/// A product or convolution at run time: copies in, weight packing, primitives,
/// copies out.
class MatrixCommand final : public PreparedCommand {
public:
  struct PackStep {
    dnnl::reorder reorder;
    dnnl::memory from, to;
  };

  void run(LaunchContext &context) override;
  std::string implementation() const override {
    return "onednn:" + implementationName;
  }

  uint64_t scratchBytes() const override;
  void bindScratch(const std::vector<uint8_t *> &perWorker) override;

  /// Returns the primitive's number.
  unsigned addPrimitive(dnnl::primitive primitive,
                        const dnnl::memory::desc &scratchpad);

  OperandCopies copies;
  std::vector<PackStep> packs;
  std::vector<PrimitiveCall> calls;
  std::vector<CopyStep> after;
  std::optional<PaddingRepair> repair; // of the final result
  std::string implementationName = "none";

private:
  struct Loaded {
    dnnl::primitive primitive;
    dnnl::memory::desc scratchpad;
    std::vector<dnnl::memory> scratch; // per worker
  };
  std::vector<Loaded> primitives;
  std::vector<dnnl::stream> streams; // per worker
};

bool isDenseRowMajor(const Layout &layout);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ONEDNN_PRIMITIVES_H
