// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form of an entry's dispatch.
#ifndef GAUDI_LIB_RECIPE_TEXT_DISPATCHTEXT_H
#define GAUDI_LIB_RECIPE_TEXT_DISPATCHTEXT_H

#include "Format.h"

#include <memory>

namespace gaudi::recipe {

/// What stands between the braces of the entry.
void printDispatch(TextWriter &out, const Dispatch &dispatch);
std::unique_ptr<DispatchT> parseDispatch(Lexer &lexer);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_TEXT_DISPATCHTEXT_H
