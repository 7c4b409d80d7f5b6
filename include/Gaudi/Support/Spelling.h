// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user may have meant.
#ifndef GAUDI_SUPPORT_SPELLING_H
#define GAUDI_SUPPORT_SPELLING_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi {

/// The name that takes the fewest edits from `given`, or begins with it; empty
/// if all take too many.
std::string nearestName(std::string_view given,
                        const std::vector<std::string> &names);

/// "did you mean 'x'? " of the nearest name; "" if there is none.
std::string meantAmong(std::string_view given,
                       const std::vector<std::string> &names);

/// The element type that NumPy, PyTorch or C call `theirs`: "f32" of "float32",
/// `unsignedBegin` and the bits of unsigned integers, "" if the device does not
/// have it. None of a name that is not theirs.
std::optional<std::string> elementNameOf(std::string_view theirs,
                                         std::string_view unsignedBegin);

/// "; arg0 is the first input, ...": of lists that have names the model does
/// not give, which a user has not seen; else empty.
std::string numberedAdvice(const std::vector<std::string> &names);

/// "; separate them by commas: a,b" for an item of a list that other separators
/// split; else empty.
std::string commaAdvice(std::string_view item);

/// "; ... write "$HOME/x.npy"" of a name that a shell has left as "~/x.npy",
/// within a word; "" of others.
std::string homeAdvice(const std::string &path);

/// Why a file cannot be opened, as `errno` says, and the next step: of one that
/// is not there the file of its folder whose name is nearest, else `next`.
std::string whyNotOpened(const std::string &path,
                         std::string_view next = "name a file that exists");

} // namespace gaudi

#endif // GAUDI_SUPPORT_SPELLING_H
