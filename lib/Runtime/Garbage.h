// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that no result may depend on.
#ifndef GAUDI_LIB_RUNTIME_GARBAGE_H
#define GAUDI_LIB_RUNTIME_GARBAGE_H

#include "Commands/Copy.h"

namespace gaudi::runtime {

/// Fills all elements of a tensor: by `turn`, with NaN, with infinities, and
/// with random bits; integers with the largest number, the smallest, and random
/// bits. One element after the other: for tests of models.
void fillWithGarbage(uint8_t *data, recipe::ElementType type,
                     const Layout &layout, uint64_t turn);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_GARBAGE_H
