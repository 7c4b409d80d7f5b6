// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of a recipe that the user means.
#ifndef GAUDI_ANALYSIS_ENTRY_H
#define GAUDI_ANALYSIS_ENTRY_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Support/Error.h"

#include <string>

namespace gaudi::analysis {

/// The entry `name`; if that is empty the only callable one, else `main` or
/// `forward`. Errors: no such entry, an ambiguous choice; `file` is for them.
Result<uint32_t> chooseEntry(const recipe::Recipe &recipe,
                             const std::string &name, const std::string &file);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_ENTRY_H
