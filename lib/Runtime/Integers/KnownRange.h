// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the integers in a tensor from the kernel that writes it.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_KNOWNRANGE_H
#define GAUDI_LIB_RUNTIME_INTEGERS_KNOWNRANGE_H

#include "Gaudi/Kernel/Affine.h"
#include "Gaudi/Recipe/Views.h"

#include <optional>
#include <vector>

namespace gaudi::runtime {

/// A constant of 8 bits, each element of which a kernel has extended, and added
/// a number to, element by element.
struct ExtendedConstant {
  uint32_t tensor = 0; // of the recipe
  std::vector<int64_t> strides;
  bool isSigned = true;
  int32_t added = 0;
};

struct KnownRange {
  kernel::Range range;
  std::optional<ExtendedConstant> constant; // what the values come from
};

/// By input of command `index` of the entry: the range of its values, where an
/// earlier kernel wrote every element from 8 bits, and nothing has since.
/// Quantized values less their zero point are often stored as i32. Only looks
/// at a launch that reads i32 and another one, or 8-bit integers; else empty.
using KnownRanges = std::vector<std::optional<KnownRange>>;
KnownRanges knownRanges(const recipe::Recipe &recipe,
                        const recipe::Entry &entry, uint32_t index);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_KNOWNRANGE_H
