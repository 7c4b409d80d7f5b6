// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a recipe file, before anything of it is known to be right.
#ifndef GAUDI_LIB_RECIPE_HEAD_H
#define GAUDI_LIB_RECIPE_HEAD_H

#include "Gaudi/Recipe/Views.h"

namespace gaudi::recipe {

/// How many bytes at the start of a file decodeHeader and the verifier may
/// read, given its first bytes, which nobody has checked.
uint64_t headBytes(ByteSpan start, uint64_t fileSize);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_HEAD_H
