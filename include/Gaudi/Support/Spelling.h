// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user may have meant.
#ifndef GAUDI_SUPPORT_SPELLING_H
#define GAUDI_SUPPORT_SPELLING_H

#include <string>
#include <string_view>
#include <vector>

namespace gaudi {

/// The name that takes the fewest edits from `given`; empty if all take too
/// many.
std::string nearestName(std::string_view given,
                        const std::vector<std::string> &names);

/// "; separate them by commas: a,b" for an item of a list that other separators
/// split; else empty.
std::string commaAdvice(std::string_view item);

/// Why a file cannot be opened, as `errno` says; of one that is not there also
/// the file of its folder whose name is nearest.
std::string whyNotOpened(const std::string &path);

} // namespace gaudi

#endif // GAUDI_SUPPORT_SPELLING_H
