// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes commands for the time model.
//
// A command has several forms: in a recipe, as an op of the dialect, and as a
// candidate that a pass weighs. All forms are described here, so that one
// command has one cost.
#ifndef GAUDI_TIMING_DESCRIBE_H
#define GAUDI_TIMING_DESCRIBE_H

#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Timing/Tpc.h"
#include "Gaudi/Timing/Work.h"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace gaudi::timing {

/// A product of matrices. `a`, `b` and `c` have one rank of 2 or more.
MatrixWork gemmWork(Operand a, Operand b, Operand c, bool transposeA,
                    bool transposeB);

/// What a convolution and its gradients say beside their tensors. Layouts name
/// the dimensions of x, w and y of the forward convolution in stored order,
/// the lists have one entry per spatial dimension in the order D, H, W.
struct ConvolutionForm {
  std::string_view xLayout, wLayout, yLayout;
  Dims strides, dilations, padLow, padHigh;
  int64_t groups = 1;
};

/// A convolution or one of its gradients; `a`, `b` and `c` as for its kind. The
/// high padding of a gradient by the input follows from the sizes.
MatrixWork convolutionWork(MatrixWork::Kind kind, Operand a, Operand b,
                           Operand c, const ConvolutionForm &form);

/// Of a quotient or a power.
struct SecondOperand {
  uint64_t dims = 0;          // that it varies with
  std::optional<float> value; // if it is a constant
};

/// The name of what is computed from these numbers and names. Different ones
/// have different names but for accidents of 64 bits, which change an estimate.
uint64_t nameOf(std::initializer_list<uint64_t> parts);

/// Sorts the instructions of a kernel by the dimensions they vary with. They
/// are given in the order of the kernel's stages, the reductions and stores of
/// a stage at its end; what is given several times is computed several times.
class KernelCounter {
public:
  /// Takes extents, parallel dimensions, operands and inputs; accesses and
  /// blocks are added here.
  explicit KernelCounter(KernelWork given) : work(std::move(given)) {}

  /// Gives the number of the access.
  uint32_t addAccess(KernelAccess access);
  /// A load at indices that vary with `dims`, beside those of the access. Gives
  /// the dimensions that the loaded value varies with, as bits.
  uint64_t load(uint32_t access, ElementType type, uint64_t dims);
  /// Any other instruction on values that vary with `dims`. Equal values have
  /// one name, as nameOf gives it: what a loop has computed already may be kept
  /// for later loops over the same dimensions. Without a name (0) a value
  /// equals no other.
  uint64_t instruction(kernel::Opcode opcode, ElementType type, uint64_t dims,
                       uint64_t name = 0);
  /// The same where more is known of its second operand. A quotient whose
  /// divisor varies with fewer dimensions is a product with its reciprocal, a
  /// power by a small whole number is a few products.
  uint64_t instruction(kernel::Opcode opcode, ElementType type, uint64_t dims,
                       const SecondOperand &second, uint64_t name = 0);
  /// An accumulator is updated in a loop over `loops`. Gives the dimensions of
  /// its result, which exists after the loop.
  uint64_t reduction(uint64_t loops);
  /// A value that depends on the accumulator of the iteration before it. Gives
  /// the dimensions that it varies with inside its loop.
  uint64_t carry(uint64_t loops);
  /// A store in a loop over `loops`; 0: outside loops.
  void store(uint32_t access, uint64_t loops);

  KernelWork finish() { return std::move(work); }

private:
  KernelBlock &blockOf(uint64_t dims);
  void count(SlotCount slots, ElementType type, uint64_t dims, bool isAgain);
  /// True if an earlier stage has computed the value of this name.
  bool isAgain(uint64_t name);
  /// The first instruction after reductions or stores begins a stage.
  void beginStage();

  KernelWork work;
  std::unordered_map<uint64_t, uint32_t> stageOf; // by name: the first
  uint32_t stage = 0;
  bool atEnd = false; // reductions or stores of the stage were given
};

} // namespace gaudi::timing

#endif // GAUDI_TIMING_DESCRIBE_H
