// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes from which those of all variants are learned.
#ifndef GAUDI_LIB_COMPILER_SAMPLESIZES_H
#define GAUDI_LIB_COMPILER_SAMPLESIZES_H

#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include <vector>

namespace gaudi {

/// Boxes at which a function is looked at besides the largest one. Each symbol
/// has another size there if it has one in any of the buckets; they need not be
/// buckets themselves.
struct SampleSizes {
  /// The source is made for these, and compared with that of the largest: one
  /// box is right below it, and no multiple of more than it must be, so that
  /// what is rounded differs; the other one has the least of each symbol, so
  /// that what has a limit differs.
  std::vector<std::vector<int64_t>> source;
  /// It is compiled for these: multiples of powers of two, as far as the
  /// largest is, so that decisions by time are rather the same.
  std::vector<std::vector<int64_t>> compiled;
};

SampleSizes sampleSizes(ArrayRef<Symbol> symbols,
                        ArrayRef<std::vector<int64_t>> boxes,
                        ArrayRef<int64_t> largest);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_SAMPLESIZES_H
