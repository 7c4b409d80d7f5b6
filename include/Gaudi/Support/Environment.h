// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environment variables, with the meaning that the card's software gives them,
// and folders that they name.
#ifndef GAUDI_SUPPORT_ENVIRONMENT_H
#define GAUDI_SUPPORT_ENVIRONMENT_H

#include "Gaudi/Support/Error.h"

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gaudi {

/// The text without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// A variable that is set, without blanks around its value.
std::optional<std::string_view> environmentVariable(const char *name);

/// "1", "true", "t", "yes", "y", "on", and their opposites and "" for false, in
/// any case. The error has the text.
Result<bool> switchOf(std::string_view text);

/// Of this process among those of a distributed run, by the first variable that
/// is set and not empty; "": neither is. The error, which names it: it is no
/// number, as which it becomes a part of file names.
Result<std::string_view> rankOf(const char *name, const char *openMpiName);

/// Like mkdir -p. False with errno set.
bool makeFolders(const std::string &path, mode_t mode);

} // namespace gaudi

#endif // GAUDI_SUPPORT_ENVIRONMENT_H
