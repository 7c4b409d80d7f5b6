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

/// A symbol for each dimension of an input that differs among `signatures`;
/// those that are always equal are one, those that are dynamic none. Signatures
/// with another rank of an input than the first one say nothing of it.
SharedSymbols symbolsFor(const std::vector<const Signature *> &signatures);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_SHAREDSYMBOLS_H
