// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What logs and metrics read of the environment.
#ifndef GAUDI_LIB_MONITORING_ENVIRONMENT_H
#define GAUDI_LIB_MONITORING_ENVIRONMENT_H

#include <string>

namespace gaudi::monitoring {

/// Whether a flag is on (switchOf). A text that is neither on nor off is off.
bool isSet(const char *name) noexcept;
/// The value of the first variable that is set and not empty; null: none is.
const char *firstSet(const char *name, const char *other);
/// Of this process among those of a distributed run; empty: none, or no number.
std::string rankText();
/// One line on standard error.
void warn(const std::string &text);

} // namespace gaudi::monitoring

#endif // GAUDI_LIB_MONITORING_ENVIRONMENT_H
