// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text that bounds sizes: "x:batch=1..64,seq=16..4096/16".
#ifndef GAUDI_SHAPES_SYMBOLTEXT_H
#define GAUDI_SHAPES_SYMBOLTEXT_H

#include "Gaudi/Shapes/Symbol.h"
#include "Gaudi/Support/Error.h"

#include <string_view>

namespace gaudi::shapes {

/// The largest size that a dimension has.
constexpr int64_t largestSymbol = (int64_t(1) << 31) - 1;

/// The symbol of "NAME=MIN..MAX/MULTIPLE" or "NAME=SIZE"; its bounds go inwards
/// to multiples. Errors quote the text and say what was probably meant.
Result<Symbol> parseSymbol(std::string_view entry);

/// Checks the form of "INPUT:ENTRY,ENTRY;INPUT:...", whose entries with '=' are
/// symbols; others, such as "batch" or "2 * batch", need those of the model.
Status checkShapes(std::string_view text);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_SYMBOLTEXT_H
