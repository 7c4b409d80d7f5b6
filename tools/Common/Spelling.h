// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user may have meant.
#ifndef GAUDI_TOOLS_COMMON_SPELLING_H
#define GAUDI_TOOLS_COMMON_SPELLING_H

#include <string>
#include <string_view>
#include <vector>

// CLI11's own namespace. NOLINTNEXTLINE(readability-identifier-naming)
namespace CLI {
class App;
} // namespace CLI

namespace gaudi {

/// The name that takes the fewest edits from `given`; empty if all take too
/// many.
std::string nearestName(std::string_view given,
                        const std::vector<std::string> &names);

/// The error for the first argument that no option of `app` takes. `files`:
/// what is wrong with one that is no option.
std::string unexpectedArgument(const CLI::App &app, const std::string &files);

} // namespace gaudi

#endif // GAUDI_TOOLS_COMMON_SPELLING_H
