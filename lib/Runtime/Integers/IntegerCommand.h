// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose sums of 8-bit products the matrix kernels compute.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_INTEGERCOMMAND_H
#define GAUDI_LIB_RUNTIME_INTEGERS_INTEGERCOMMAND_H

#include "../Commands/TpcCommand.h"
#include "RestKernel.h"

#include <functional>

namespace gaudi::runtime {

struct MmeApi;

/// An error if the environment variable GAUDI_INTEGERS is set to anything but
/// "jit", which leaves all contractions to the code generator, to compare.
Status checkIntegerChoice();

/// A contraction of the kernel that the matrix kernels may compute. The
/// operands, inputs and then outputs, need no addresses.
FoundContraction contractionOf(const recipe::Kernel &kernel,
                               const BoundTensors &operands,
                               const KnownRanges &known);

/// Staging memory that bytes of its factors take.
uint64_t quantizedBytes(const FoundContraction &found);

/// Kernels that compute bytes of factors before the product.
struct Quantization {
  std::shared_ptr<const QuantizedKernel> kernels; // null: there are none
  std::vector<BoundTensors> operands;             // by quantizer
  std::vector<TpcCommand> commands;
};

/// The product writes its sums into staging memory; what is left of the kernel
/// reads them there, on the product's tiles where it can.
class IntegerCommand final : public KernelCommand {
public:
  IntegerCommand(std::unique_ptr<PreparedCommand> product, BoundTensor sums,
                 RestKernel rest, const BoundTensors &inputs,
                 const BoundTensors &outputs,
                 const IntegerContraction &contraction, Quantization before);

  /// Has the code of all its kernels compiled, or shares that of `other`.
  void request(KernelJit &jit, const IntegerCommand *other);
  void bind(const KernelJit &jit, unsigned threads) override;
  void run(LaunchContext &context) override;
  std::string implementation() const override;
  bool reads(size_t input, const BoundTensor &tensor) const override;
  /// True if the input is not read, because the product reads a constant that
  /// another kernel extends to it.
  bool readsBehind(unsigned input) const;
  uint64_t scratchBytes() const override { return product->scratchBytes(); }
  void bindScratch(uint8_t *const *perWorker) override {
    product->bindScratch(perWorker);
  }
  void visitAddresses(AddressVisitor &visitor) override;
  bool follow(const Follower &follower, int64_t leastParts) override {
    return product->follow(follower, leastParts);
  }

  const BoundTensor sums;
  const BoundTensors factors; // all that the product reads
  const RestKernel kernel;
  /// Of `kernel`: the command's inputs and the sums, then its outputs.
  const BoundTensors inputs, operands;
  TpcCommand rest;
  bool inTiles = false; // `rest` follows the product's tiles

private:
  Quantization before;
  std::unique_ptr<PreparedCommand> product;
  unsigned right;               // the operand that is packed
  std::vector<unsigned> behind; // operands that the product does not read
};

/// The launch of a kernel, in which contractionOf `found` something, on matrix
/// kernels. Null, maybe with a reason, if the code generator gets all of it.
/// `tensors`: all of the recipe.
Result<std::unique_ptr<IntegerCommand>> prepareIntegerCommand(
    const recipe::Kernel &kernel, const FoundContraction &found,
    const BoundTensors &inputs, const BoundTensors &outputs,
    const BoundTensors &tensors, const MmeApi *mme,
    const std::function<PrepareContext()> &context, std::string &reason);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_INTEGERCOMMAND_H
