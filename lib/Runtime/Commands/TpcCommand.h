// Launches of compiled TPC kernels.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_TPCCOMMAND_H
#define GAUDI_LIB_RUNTIME_COMMANDS_TPCCOMMAND_H

#include "Command.h"

namespace gaudi::runtime {

class TpcCommand final : public PreparedCommand {
public:
  /// Operands of the command, inputs first.
  explicit TpcCommand(const std::vector<BoundTensor> &operands);

  static std::vector<KernelOperand>
  describe(const std::vector<BoundTensor> &operands);

  /// Called once the kernels are compiled.
  void bind(const CompiledKernel &compiled, unsigned threads);
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
  std::string implementation() const override;

  unsigned handle = 0; // in the KernelJit
  /// For reports: why no matrix kernel computes its sums of integers.
  std::string reason;

private:
  std::vector<void *> addresses;
  CompiledKernel kernel;
  int64_t grain = 1;
  std::string detail;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_TPCCOMMAND_H
