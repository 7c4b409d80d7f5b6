// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/reference/ops.md, which the build puts into the program.
#ifndef GAUDI_TOOLS_LSP_OPTEXTS_H
#define GAUDI_TOOLS_LSP_OPTEXTS_H

#include <string_view>

namespace gaudi {
extern const std::string_view opTexts;
} // namespace gaudi

#endif // GAUDI_TOOLS_LSP_OPTEXTS_H
