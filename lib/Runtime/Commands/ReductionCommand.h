// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a long reduction, which runs as two.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_REDUCTIONCOMMAND_H
#define GAUDI_LIB_RUNTIME_COMMANDS_REDUCTIONCOMMAND_H

#include "LongReduction.h"
#include "TpcCommand.h"

namespace gaudi::runtime {

class ReductionCommand final : public KernelCommand {
public:
  ReductionCommand(const recipe::Kernel &kernel, LongReduction reduction,
                   const BoundTensors &in, const BoundTensors &out,
                   BoundTensors partials);

  /// Has both kernels compiled, or takes those of the same command in another
  /// executable of the recipe.
  void request(KernelJit &jit, const ReductionCommand *other);
  void bind(const KernelJit &jit, unsigned threads) override;

  void run(LaunchContext &context) override;
  void visitAddresses(AddressVisitor &visitor) override {
    chunks.visitAddresses(visitor);
    combining.visitAddresses(visitor);
  }
  std::string implementation() const override;

private:
  LongReduction reduction;
  BuiltKernel chunkCode, combiningCode;
  BoundTensors chunkOperands, combiningOperands;
  TpcCommand chunks, combining;
};

/// Null: the kernel runs as it is. Partial values are in staging memory, of
/// which there is enough.
std::unique_ptr<ReductionCommand> prepareReduction(const recipe::Kernel &kernel,
                                                   const BoundTensors &in,
                                                   const BoundTensors &out,
                                                   Staging &staging);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_REDUCTIONCOMMAND_H
