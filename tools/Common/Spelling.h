// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that no option takes, and options without their value.
#ifndef GAUDI_TOOLS_COMMON_SPELLING_H
#define GAUDI_TOOLS_COMMON_SPELLING_H

#include <string>

// CLI11's own namespace. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {
class App;
} // namespace CLI

namespace gaudi {

/// The error for the first argument that no option of `app` takes. `files`:
/// what is wrong with one that is no option.
std::string unexpectedArgument(const CLI::App &app, const std::string &files);

/// The error for an option whose value is another option of `app`
/// ("--seed-inputs --predict"); empty: there is none.
std::string missingValue(const CLI::App &app);

} // namespace gaudi

#endif // GAUDI_TOOLS_COMMON_SPELLING_H
