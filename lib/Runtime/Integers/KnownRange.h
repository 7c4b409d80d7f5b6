// What is known of the integers in a tensor from the kernel that writes it.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_KNOWNRANGE_H
#define GAUDI_LIB_RUNTIME_INTEGERS_KNOWNRANGE_H

#include "Gaudi/Kernel/Affine.h"
#include "Gaudi/Recipe/Views.h"

#include <optional>
#include <vector>

namespace gaudi::runtime {

/// By input of command `index` of the entry: the range of its values, where an
/// earlier kernel wrote every element from 8 bits, and nothing has since.
/// Quantized values less their zero point are often stored as i32. Only looks
/// at a launch that reads both i32 and 8-bit integers; else empty.
using KnownRanges = std::vector<std::optional<kernel::Range>>;
KnownRanges knownRanges(const recipe::Recipe &recipe,
                        const recipe::Entry &entry, uint32_t index);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_KNOWNRANGE_H
