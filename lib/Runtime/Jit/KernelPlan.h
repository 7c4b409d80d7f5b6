// Decides how a kernel is looped over: folded addresses, merged dimensions,
// vector lanes, and whether its points may run in any order. No LLVM here.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELPLAN_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELPLAN_H

#include "KernelJit.h"

#include <string>
#include <vector>

namespace gaudi::runtime {

/// Vector lanes of 32 bits that the emitted code uses.
constexpr unsigned laneCount = 16;

/// A tensor dimension whose index is looked at when the kernel runs.
struct GuardedDim {
  unsigned dimension;
  recipe::Boundary boundary;
  int64_t size;
  int64_t stride;
  int64_t value; // value number of the index, or -1
  int64_t offset;
  std::vector<int64_t> coefficients; // per kernel dimension; empty with value
};

/// An access: element offset = fixed + sum(linear[d] * index[d]) plus the
/// guarded dimensions.
struct PlannedAccess {
  unsigned operand;
  int64_t fixed = 0;
  std::vector<int64_t> linear; // per kernel dimension
  std::vector<GuardedDim> guarded;
  uint64_t pad = 0;
};

/// Kernel dimensions walked as one loop; only the innermost one's linear
/// coefficients matter. A pinned group has one dimension.
struct LoopGroup {
  int64_t extent = 1;
  unsigned inner = 0; // kernel dimension
};

/// Bytes of a kernel's results above which they would only wash the caches
/// out, so that full vectors are stored past them; of inputs likewise.
constexpr uint64_t streamingBytes = uint64_t(16) << 20;

/// What the lanes of a vector stand for.
enum class LaneAxis {
  None,   // scalar code
  Points, // neighbouring points of the last parallel group
  Loops   // neighbouring iterations of each stage's innermost loop
};

/// A value of one stage that a later stage over the same loops uses again. It
/// is kept for a whole row (all iterations of a point) instead of being
/// computed twice.
struct RowBuffer {
  uint32_t stage;
  uint32_t value;
  int64_t length; // iterations
};

/// A later stage's number for the value kept in a row buffer.
struct RowReuse {
  uint32_t value;
  uint32_t buffer;
};

/// While a stage computes, what comes later of an input is fetched.
struct Prefetch {
  uint32_t stage;
  uint32_t access;
  int64_t ahead;     // elements
  unsigned slowdown; // log2: the stage walks only a part of what it fetches
  bool once;         // nothing will be left of it in the caches anyway
};

struct KernelPlan {
  std::vector<int64_t> extents; // per kernel dimension
  std::vector<bool> pinned;     // its own index is needed
  std::vector<PlannedAccess> accesses;
  std::vector<LoopGroup> parallel;           // never empty; innermost last
  std::vector<std::vector<LoopGroup>> loops; // per stage
  std::vector<bool> disjoint; // per operand: shares no byte with an output
  bool independent = true;    // points may run in any order
  LaneAxis laneAxis = LaneAxis::None;
  unsigned lanes = 1;           // laneCount, fewer for few points; 1: None
  std::vector<bool> laneLoops;  // per stage: its innermost loop has lanes
  std::vector<bool> streaming;  // per access: full vectors go past the caches
  std::vector<RowBuffer> kept;  // axis Loops only
  std::vector<RowReuse> reused; // sorted by value
  std::vector<Prefetch> prefetches;
  int64_t points = 1;
  double workPerPoint = 1;
};

KernelPlan planKernel(const recipe::Kernel &kernel,
                      const std::vector<KernelOperand> &operands);

/// Cost of a point whose neighbours along `group` share vectors. Needs the
/// loops.
double pointCost(const KernelPlan &plan, const recipe::Kernel &kernel,
                 const LoopGroup &group);

/// Sets the members of `plan` that say how lanes are used; the rest is planned.
void planLanes(KernelPlan &plan, const recipe::Kernel &kernel,
               const std::vector<KernelOperand> &operands);
/// Finds what stages compute again and again. Needs the lanes.
void planRowBuffers(KernelPlan &plan, const recipe::Kernel &kernel,
                    const std::vector<KernelOperand> &operands);

/// Finds what is worth fetching ahead. Needs the row buffers.
void planPrefetches(KernelPlan &plan, const recipe::Kernel &kernel,
                    const std::vector<KernelOperand> &operands);

/// Bytes of all elements of an operand.
uint64_t bytesOf(const KernelOperand &operand);
/// Operands an instruction reads as values (not Index, Load and Carry).
unsigned valueOperands(recipe::Op op);
/// Rough cost of an instruction, an addition being 1.
double instructionCost(recipe::Op op);

/// Equal for kernels that compile to the same code on these operands.
std::string kernelKey(const recipe::Kernel &kernel, const KernelPlan &plan,
                      const std::vector<KernelOperand> &operands);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELPLAN_H
