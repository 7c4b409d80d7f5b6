// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of compiled TPC kernels.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_TPCCOMMAND_H
#define GAUDI_LIB_RUNTIME_COMMANDS_TPCCOMMAND_H

#include "Command.h"

namespace gaudi::runtime {

class KernelJit;

/// A command that runs code of the KernelJit.
class KernelCommand : public PreparedCommand {
public:
  /// Called once the kernels are compiled.
  virtual void bind(const KernelJit &jit, unsigned threads) = 0;
};

class TpcCommand final : public KernelCommand {
public:
  /// Operands of the command, inputs first.
  explicit TpcCommand(const std::vector<BoundTensor> &operands);

  /// Has `kernel` on `operands` compiled, or takes the code of `other`, the
  /// same launch in another executable of the recipe, if there is one.
  /// `ofRecipe`: the kernel is part of the recipe, not made by a command.
  /// `inPlace`: operands that launches may bind to one address.
  void request(KernelJit &jit, const recipe::Kernel &kernel,
               const std::vector<BoundTensor> &operands,
               const TpcCommand *other, bool ofRecipe = false,
               const std::vector<OperandPair> &inPlace = {});
  void bind(const KernelJit &jit, unsigned threads) override;
  /// Fills a step of a launch; false if the kernel has no points.
  bool describe(LaunchStep &step) const;
  /// For a matrix command that runs it on parts of operand number `operand`.
  Follower follower(size_t operand) const;
  const CompiledKernel &compiled() const { return kernel; }
  /// True if a launch of its own uses several threads.
  bool usesThreads() const { return grain < kernel.points; }
  /// For reports: it is fused into command `command`.
  void joins(uint32_t command);
  void run(LaunchContext &context) override;
  void visitAddresses(AddressVisitor &visitor) override {
    visitor.visit(addresses);
  }
  std::string implementation() const override;

  /// For reports: why no matrix kernel computes its sums of integers.
  std::string reason;

private:
  std::vector<void *> addresses;
  unsigned handle = 0; // in the KernelJit
  CompiledKernel kernel;
  int64_t grain = 1;
  std::string detail;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_TPCCOMMAND_H
