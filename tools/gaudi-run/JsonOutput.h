// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON on standard output: what all of it has in common.
#ifndef GAUDI_RUN_JSONOUTPUT_H
#define GAUDI_RUN_JSONOUTPUT_H

#include "Exit.h"

#include <nlohmann/json_fwd.hpp>

namespace gaudi::run {

/// Prints the object with "schema": "gaudi-run-KIND/VERSION" before all other
/// keys (docs/schema). Names come from files: bytes that are not UTF-8 are
/// replaced, not fatal.
void printJsonObject(const char *kind, const nlohmann::ordered_json &json);

/// Prints the failure as an object, unless another one was printed: standard
/// output holds exactly one.
void printJsonError(const Ending &ending);

} // namespace gaudi::run

#endif // GAUDI_RUN_JSONOUTPUT_H
