// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of operands in a type and order that kernels take.
#include "OperandCopies.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Not checked for overflow: the recipe verifier bounds every tensor's extent.
uint64_t denseBytes(const std::vector<int64_t> &sizes, ElementType type) {
  uint64_t bytes = recipe::elementSize(type);
  for (int64_t size : sizes)
    bytes *= uint64_t(size);
  return bytes;
}

} // namespace

CopyStep zeroed(const BoundTensor &tensor) {
  // A broadcast of one zero, wide enough for every type.
  static const uint64_t zero = 0;
  const std::vector<int64_t> &sizes = tensor.layout.sizes;
  return {StridedCopy(sizes, std::vector<int64_t>(sizes.size(), 0),
                      tensor.layout.strides, tensor.type, tensor.type),
          reinterpret_cast<const uint8_t *>(&zero), tensor.data};
}

CopyStep zeroFill(int64_t count, ElementType type, uint8_t *to) {
  BoundTensor line;
  line.data = to;
  line.type = type;
  line.layout = {{count}, {1}};
  return zeroed(line);
}

uint8_t *takeStaging(uint64_t bytes, PrepareContext &context) {
  uint8_t *memory = context.staging.take(bytes);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

BoundTensor stagedTensor(const std::vector<int64_t> &sizes, ElementType type,
                         PrepareContext &context) {
  BoundTensor tensor;
  tensor.type = type;
  tensor.layout = {sizes, kernel::denseStrides(sizes)};
  tensor.data = takeStaging(denseBytes(sizes, type), context);
  return tensor;
}

uint8_t *takeHost(uint64_t bytes, OperandCopies &copies,
                  PrepareContext &context) {
  // Whole cache lines and one more: no bytes are no special case.
  const uint64_t rounded = (bytes + 63) / 64 * 64 + 64;
  void *memory = std::aligned_alloc(64, rounded);
  if (!memory)
    throw std::bad_alloc();
  std::memset(memory, 0, rounded);
  copies.owned.emplace_back(static_cast<uint8_t *>(memory),
                            [](uint8_t *p) { std::free(p); });
  context.hostBytes += bytes;
  return copies.owned.back().get();
}

BoundTensor convertedFor(const BoundTensor &tensor, ElementType type, bool even,
                         OperandCopies &copies, PrepareContext &context) {
  // Zeros first where rows are filled up: the copy leaves the gaps alone.
  BoundTensor copy;
  copy.type = type;
  copy.constant = tensor.constant;
  copy.layout.sizes = tensor.layout.sizes;
  // Rows of pairs have an even number of values.
  std::vector<int64_t> padded = tensor.layout.sizes;
  padded.back() += even ? padded.back() % 2 : 0;
  copy.layout.strides = kernel::denseStrides(padded);
  const uint64_t bytes = denseBytes(padded, type);
  copy.data = tensor.constant ? takeHost(bytes, copies, context)
                              : takeStaging(bytes, context);
  // Constants are converted once, at load.
  std::vector<CopyStep> steps;
  if (padded.back() != tensor.layout.sizes.back())
    steps.push_back(
        zeroFill(int64_t(bytes) / recipe::elementSize(type), type, copy.data));
  steps.push_back({StridedCopy(tensor.layout.sizes, tensor.layout.strides,
                               copy.layout.strides, tensor.type, type),
                   tensor.data, copy.data});
  for (const CopyStep &step : steps)
    if (tensor.constant)
      step.run(context.pool);
    else
      copies.before.push_back(step);
  return copy;
}

BoundTensor convertedMatrices(const BoundTensor &tensor, ElementType type,
                              bool even, OperandCopies &copies,
                              PrepareContext &context) {
  // Copied with a batch of one, then broadcast again: the copy has the size of
  // what is stored, not of what is read.
  BoundTensor once = tensor;
  const size_t rank = once.layout.sizes.size();
  for (size_t d = 0; d + 2 < rank; ++d)
    if (once.layout.strides[d] == 0)
      once.layout.sizes[d] = 1;
  BoundTensor copy = convertedFor(once, type, even, copies, context);
  for (size_t d = 0; d + 2 < rank; ++d)
    if (once.layout.sizes[d] != tensor.layout.sizes[d]) {
      copy.layout.sizes[d] = tensor.layout.sizes[d];
      copy.layout.strides[d] = 0;
    }
  return copy;
}

} // namespace gaudi::runtime
