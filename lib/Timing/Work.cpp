// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of operands, and the operands of products by their roles.
#include "Gaudi/Timing/Work.h"

#include <cassert>
#include <utility>

namespace gaudi::timing {

int64_t Operand::elements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

uint64_t Operand::bytes() const {
  assert((strides.empty() || strides.size() == sizes.size()) &&
         "one stride per dimension");
  uint64_t count = 1;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (strides.empty() || strides[d] != 0 || sizes[d] == 0)
      count *= uint64_t(sizes[d]);
  return count * kernel::elementSize(type);
}

const Operand &MatrixWork::tensor(MatrixRole role) const {
  const Operand *const tensors[] = {&a, &b, &c};
  return *tensors[kernel::placeOf(kind, role)];
}

Operand &MatrixWork::tensor(MatrixRole role) {
  return const_cast<Operand &>(std::as_const(*this).tensor(role));
}

Dims &MatrixWork::turned(MatrixRole role) {
  Dims *const dims[] = {&turnedA, &turnedB, &turnedC};
  return *dims[kernel::placeOf(kind, role)];
}

} // namespace gaudi::timing
