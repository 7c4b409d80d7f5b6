// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of operands in a type and order that kernels take, and the memory of
// those that are made once.
#ifndef GAUDI_LIB_RUNTIME_MME_PACKING_OPERANDCOPIES_H
#define GAUDI_LIB_RUNTIME_MME_PACKING_OPERANDCOPIES_H

#include "../../Commands/Command.h"

#include <memory>
#include <vector>

namespace gaudi::runtime {

/// A copy between addresses.
struct CopyStep {
  StridedCopy copy;
  const uint8_t *src;
  uint8_t *dst;

  void run(ThreadPool &pool) const { copy.run(pool, src, dst); }
  void visitAddresses(AddressVisitor &visitor) {
    visitor.visit(src);
    visitor.visit(dst);
  }
};

struct OperandCopies {
  std::vector<CopyStep> before; // made by each run, in this order
  std::vector<std::shared_ptr<uint8_t>> owned; // what steps point into

  void run(ThreadPool &pool) const {
    for (const CopyStep &step : before)
      step.run(pool);
  }
  void visitAddresses(AddressVisitor &visitor) {
    for (CopyStep &step : before)
      step.visitAddresses(visitor);
  }
};

/// Zeros `count` elements of `type` at `to`.
CopyStep zeroFill(int64_t count, recipe::ElementType type, uint8_t *to);

/// Zeros `tensor`, whatever its strides.
CopyStep zeroed(const BoundTensor &tensor);

/// Staging memory; throws bad_alloc if the region is too small.
uint8_t *takeStaging(uint64_t bytes, PrepareContext &context);
/// A dense row-major tensor in staging memory.
BoundTensor stagedTensor(const std::vector<int64_t> &sizes,
                         recipe::ElementType type, PrepareContext &context);
/// Zeroed memory that lives as long as `copies`, counted in hostBytes.
uint8_t *takeHost(uint64_t bytes, OperandCopies &copies,
                  PrepareContext &context);

/// A row-major copy in another float type, made now if the tensor is constant,
/// else before each run. The rows are dense, except that one of odd size gets a
/// zero appended if `even`.
BoundTensor convertedFor(const BoundTensor &tensor, recipe::ElementType type,
                         bool even, OperandCopies &copies,
                         PrepareContext &context);

/// The same for matrices: a batch dimension of stride 0 is copied once and
/// stays a broadcast.
BoundTensor convertedMatrices(const BoundTensor &tensor,
                              recipe::ElementType type, bool even,
                              OperandCopies &copies, PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_PACKING_OPERANDCOPIES_H
