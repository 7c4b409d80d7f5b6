// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files of text.
#ifndef GAUDI_SUPPORT_TEXTFILE_H
#define GAUDI_SUPPORT_TEXTFILE_H

#include "Gaudi/Support/Error.h"

#include <string>
#include <string_view>

namespace gaudi {

/// The bytes of the file at `path`. Errors name it, and `what` it should be:
/// "a CSV file of costs".
Result<std::string> readTextFile(const std::string &path,
                                 std::string_view what);

/// Replaces the file at `path`; errors leave it as it was and name it.
Status writeTextFile(const std::string &path, std::string_view text);

} // namespace gaudi

#endif // GAUDI_SUPPORT_TEXTFILE_H
