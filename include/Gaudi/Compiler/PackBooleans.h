// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense booleans as other versions of MLIR write them.
#ifndef GAUDI_COMPILER_PACKBOOLEANS_H
#define GAUDI_COMPILER_PACKBOOLEANS_H

#include "Gaudi/Dialect/MLIR.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace gaudi {

/// Models with more than 100 booleans have them as hexadecimal digits. LLVM 22
/// packs eight into a byte, the least bit first; later versions, which wheels
/// of JAX and torch-mlir have, write a byte of 0 or 1 for each.
///
/// The text with such constants packed, filled up with spaces so that every
/// line and column stays; nothing if it has none. Which form a constant has
/// follows from its type: the two have different lengths. One pass.
std::optional<std::string> packBooleans(llvm::StringRef text);

} // namespace gaudi

#endif // GAUDI_COMPILER_PACKBOOLEANS_H
