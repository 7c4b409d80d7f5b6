// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From shapes to sizes and back.
#include "DynamicShape.h"

#include <fmt/format.h>

namespace gaudi::runtime {

using namespace recipe;

Dispatcher::Shape shapeAt(const DynamicShape &shape,
                          const shapes::Sizes &symbols) {
  Dispatcher::Shape sizes;
  for (const DynamicDim &dim : shape)
    sizes.push_back(dim.at(symbols.data()));
  return sizes;
}

Status checkBounds(const shapes::Symbol &symbol, int64_t size) {
  if (!symbol.holds(size))
    return fail("{} {} is outside what the model takes: {}", symbol.name, size,
                symbol.boundsText());
  return {};
}

bool findSizes(const std::vector<Dispatcher::Shape> &given,
               const std::vector<DynamicShape> &inputs,
               const std::vector<SymbolSource> &sources,
               const std::vector<shapes::Symbol> &symbols,
               shapes::Sizes &found) {
  if (given.size() != inputs.size())
    return false;
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i].size() != inputs[i].size())
      return false;
  for (const SymbolSource &source : sources) {
    const shapes::Symbol &symbol = symbols[source.symbol];
    const DynamicDim &dim = inputs[source.input][source.dimension];
    const int64_t size = given[source.input][source.dimension];
    // Most dimensions are a symbol itself and need no solver.
    const auto solved =
        dim.symbol >= 0 ? std::optional<int64_t>(size)
                        : solve(*dim.size, source.symbol,
                                {symbol.min, symbol.max}, size, found.data());
    if (!solved || !symbol.holds(*solved))
      return false;
    found[source.symbol] = *solved;
  }
  // A symbol was read from one dimension: all others must agree.
  for (size_t i = 0; i < given.size(); ++i)
    for (size_t d = 0; d < inputs[i].size(); ++d)
      if (inputs[i][d].at(found.data()) != given[i][d])
        return false;
  return true;
}

Result<std::optional<int64_t>>
solveFor(const SymbolSource &source, const DynamicDim &dim,
         const std::vector<shapes::Symbol> &symbols, int64_t size,
         const shapes::Sizes &known) {
  if (dim.symbol >= 0)
    return std::optional<int64_t>(size);
  for (size_t s = 0; s < known.size(); ++s)
    if (known[s] >= 0)
      GAUDI_TRY(checkBounds(symbols[s], known[s]));
  const shapes::Symbol &symbol = symbols[source.symbol];
  shapes::Sizes scratch = known;
  return solve(*dim.size, source.symbol, {symbol.min, symbol.max}, size,
               scratch.data());
}

} // namespace gaudi::runtime
