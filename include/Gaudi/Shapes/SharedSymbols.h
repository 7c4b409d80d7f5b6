// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dynamic sizes that would make one model of several.
#ifndef GAUDI_SHAPES_SHAREDSYMBOLS_H
#define GAUDI_SHAPES_SHAREDSYMBOLS_H

#include "Gaudi/Shapes/Recompile.h"

#include <string>
#include <vector>

namespace gaudi::shapes {

struct SharedSymbols {
  std::vector<std::string> names; ///< no two are the same
  std::vector<Sizes> sizes;       ///< of each, in the order of the signatures
  /// Of each input that has some: "--shape=tokens:tokens_1=128..200".
  std::vector<std::string> options;
};

/// What --shape says of dimensions that are dynamic already.
struct GivenSymbols {
  std::vector<std::string> names; ///< which no new symbol has
  /// By input and dimension: "batch=1..8", "batch"; of those that are dynamic.
  std::vector<std::vector<std::string>> dimensions;
};

/// A symbol for each dimension of an input that differs among `signatures`;
/// those that are always equal are one, those that are dynamic in one of them
/// none, but `given`. Signatures with another rank of an input than the first
/// one say nothing of it.
SharedSymbols symbolsFor(const std::vector<const Signature *> &signatures,
                         const GivenSymbols &given = {});

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_SHAREDSYMBOLS_H
