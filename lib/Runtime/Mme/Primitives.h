// Shared parts of the matrix commands: oneDNN objects, operand conversion, and
// running many primitives over the thread pool.
//
// A command is cut into pieces whose borders depend on its shape only. Each
// piece is one primitive made for and run on one thread, so that results are
// the same bits with any number of threads.
#ifndef GAUDI_LIB_RUNTIME_MME_PRIMITIVES_H
#define GAUDI_LIB_RUNTIME_MME_PRIMITIVES_H

#include "HostMemory.h"

#include "../Commands/Command.h"

#include <dnnl.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::runtime {

using Dims = std::vector<int64_t>;

dnnl::engine &cpuEngine();

/// Attributes of every primitive: scratchpads are ours.
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
struct Piece {
  unsigned primitive;
  dnnl::memory src, weights, dst;
};

/// The running half of a gemm or convolution:
/// copies in, weight packing, pieces, copies out.
class MatrixCommand final : public PreparedCommand {
public:
  struct CopyStep {
    StridedCopy copy;
    const uint8_t *src;
    uint8_t *dst;
  };
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

  std::vector<CopyStep> before;
  std::vector<PackStep> packs;
  std::vector<Piece> pieces;
  std::vector<CopyStep> after;
  std::string implementationName = "none";
  /// Memory that the steps above point into.
  std::vector<std::shared_ptr<uint8_t>> owned;

private:
  struct Loaded {
    dnnl::primitive primitive;
    dnnl::memory::desc scratchpad;
    std::vector<dnnl::memory> scratch; // per worker
  };
  std::vector<Loaded> primitives;
  std::vector<dnnl::stream> streams; // per worker
};

/// A dense row-major copy in another float type, made now if the tensor is
/// constant, else before each run.
BoundTensor converted(const BoundTensor &tensor, recipe::ElementType type,
                      MatrixCommand &command, PrepareContext &context);

bool isDenseRowMajor(const Layout &layout);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_PRIMITIVES_H
