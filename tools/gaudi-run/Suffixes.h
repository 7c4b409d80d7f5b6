// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the names of files say of their formats.
#ifndef GAUDI_RUN_SUFFIXES_H
#define GAUDI_RUN_SUFFIXES_H

#include "Gaudi/Support/Error.h"

#include <string>
#include <string_view>

namespace gaudi::run {

/// Refuses to write a file of the format `ours`, ".json", under a name that
/// says another one: it would mislead, or replace a file that others read.
/// Names of no known format are free.
Status refuseOtherFormat(std::string_view option, const std::string &path,
                         std::string_view ours);

} // namespace gaudi::run

#endif // GAUDI_RUN_SUFFIXES_H
