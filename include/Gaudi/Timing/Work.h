// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command asks of an engine: the question that the time model answers.
//
// One description for all callers: recipes (Prediction), ops of the dialect
// (CostOpInterface) and candidates that a pass weighs before it commits.
// Sizes and strides count elements, dimension 0 is the slowest (row-major).
#ifndef GAUDI_TIMING_WORK_H
#define GAUDI_TIMING_WORK_H

#include "Gaudi/Kernel/Affine.h"
#include "Gaudi/Kernel/ElementType.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Kernel/MatrixKinds.h"
#include "Gaudi/Timing/Forward.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::timing {

using kernel::Dims;
using kernel::ElementType;
using kernel::MatrixRole;

/// Where the bytes of an operand are while the command runs. Sram is the
/// on-chip memory; on Gaudi 3, whose SRAM is a cache, data that stays in it.
enum class Memory : uint8_t { Hbm, Sram };

/// A strided tensor.
struct Operand {
  ElementType type = ElementType::F32;
  Dims sizes;
  Dims strides; // empty: dense; 0 repeats
  Memory memory = Memory::Hbm;

  /// Product of the sizes.
  int64_t elements() const;
  /// Bytes of memory that hold them: a dimension of stride 0 counts once.
  uint64_t bytes() const;
};

/// One spatial dimension of a convolution. Sizes are those of the forward
/// convolution, also in its gradients.
struct Spatial {
  int64_t input = 1, output = 1, filter = 1;
  int64_t stride = 1, dilation = 1;
  int64_t padLow = 0, padHigh = 0;
};

/// A product of the matrix engine.
struct MatrixWork {
  using Kind = kernel::MatrixKind;
  Kind kind = Kind::Gemm;
  Operand a, b, c; // with the roles that the kind gives them
  // Gemm: c[batch, m, n] = sum_k a[batch, m, k] * b[batch, k, n].
  int64_t m = 1, n = 1, k = 1;
  Dims batch;                                  // of the result
  bool broadcastA = false, broadcastB = false; // has no batch of its own
  bool transposeA = false, transposeB = false; // stored as [k, m], [n, k]
  // Convolutions.
  int64_t images = 1, inputChannels = 1, outputChannels = 1, groups = 1;
  std::vector<Spatial> spatial;
  /// Of activations whose channels are not innermost in memory: their
  /// dimensions in the order N, spatial, C, the only one that the engine takes.
  /// A transpose makes it before, or the result of it afterwards. Else empty.
  Dims turnedA, turnedB, turnedC;

  bool isGemm() const { return !kernel::isConvolution(kind); }
  MatrixRole result() const { return kernel::resultOf(kind); }
  /// The tensor with this role, and its turned dimensions.
  const Operand &tensor(MatrixRole role) const;
  Operand &tensor(MatrixRole role);
  Dims &turned(MatrixRole role);
};

/// One way in which a kernel reads or writes an operand.
struct KernelAccess {
  uint32_t operand = 0; // inputs first, then outputs
  /// One form per dimension of the operand, over the dimensions of the kernel.
  std::vector<kernel::Affine> position;
  /// Dimensions of the operand whose index is a computed value (gathers), as
  /// bits. Their form is to be ignored.
  uint32_t indexed = 0;
  /// Dimensions of the kernel that the computed indices vary with, as bits.
  uint64_t indexDims = 0;
};

/// Instructions that run at every combination of indices of some dimensions,
/// in order. Counts are per element; what a vector holds divides them.
struct KernelBlock {
  uint64_t dims = 0;  // of the kernel, as bits; those of extent 1 do not matter
  uint32_t stage = 0; // blocks of one stage share its loops
  uint32_t vector = 0;  // instructions of the vector slot, without conversions
  uint32_t special = 0; // those of them that divisions and functions expand to
  uint32_t tableLoads = 0; // of their coefficients, in the load slot
  /// Of these, what an earlier stage computed at the same iterations. It needs
  /// no instruction where local memory holds it that long.
  uint32_t vectorAgain = 0, specialAgain = 0, tableLoadsAgain = 0;
  uint32_t operations = 0; // arith and math ops: the work as a person counts it
  uint32_t reductions = 0; // accumulators that this block updates
  /// One iteration of its loops needs the one before it: a custom reduction.
  bool chained = false;
  uint8_t widestBytes = 4;      // of the values it computes with: the lanes
  std::vector<uint32_t> loads;  // accesses
  std::vector<uint32_t> stores; // accesses
};

/// A TPC kernel.
struct KernelWork {
  Dims extents;          // of all dimensions
  uint64_t parallel = 0; // the dimensions of the index space, as bits
  std::vector<Operand> operands;
  uint32_t inputs = 0; // the first of the operands
  std::vector<KernelAccess> accesses;
  std::vector<KernelBlock> blocks;
};

/// A copy between tensors of equal sizes: strides make it a transpose, a
/// broadcast or a slice. The engine is chosen by the compiler.
struct TransferWork {
  enum class Engine : uint8_t { Dma, Tpc, Mme };
  Engine engine = Engine::Dma;
  Operand source, target;
};

/// Sets a tensor to a value.
struct FillWork {
  TransferWork::Engine engine = TransferWork::Engine::Dma;
  Operand target;
};

/// A named kernel of the library (sort, scatter_rows, ...).
struct LibraryWork {
  std::string name;
  std::vector<Operand> operands;
  uint32_t inputs = 0;
  std::vector<int64_t> ints; // its parameters, as in the recipe
};

/// Scaled dot-product attention, or its gradients: a chain of slices, each with
/// products on the matrix engine and a softmax on the TPC.
struct AttentionWork {
  bool isGradient = false;
  /// Inputs first, in the order of the op; only those that are there.
  std::vector<Operand> operands;
  uint32_t inputs = 0;
  /// N and heads of the queries and of the keys, L, S, D, Dv. As many heads of
  /// queries as `batches * heads / (keyBatches * keyHeads)` share keys.
  int64_t batches = 1, heads = 1, keyBatches = 1, keyHeads = 1;
  int64_t queries = 1, keys = 1, depth = 1, valueDepth = 1;
  bool causal = false;     // query i reads the keys j <= i
  int64_t window = 0;      // i - j < window, without `causal` |i - j|; 0: any
  bool hasLengths = false; // a number of valid keys per batch
  bool isFast = false;     // an exponential of lower accuracy
  bool isSeeded = false;   // dropout draws its random numbers
  /// Operands with one element per score, by number; -1: there is none. The
  /// probabilities are written forward and read backward, as is the mask that
  /// dropout has drawn.
  int32_t mask = -1, dropoutMask = -1, probabilities = -1, drawnMask = -1;
  int32_t forwardOutput = -1; // of a gradient, if it reads the output
  /// Queries and keys of a slice; 0: those that sliceOf chooses.
  int64_t sliceQueries = 0, sliceKeys = 0;
};

} // namespace gaudi::timing

#endif // GAUDI_TIMING_WORK_H
