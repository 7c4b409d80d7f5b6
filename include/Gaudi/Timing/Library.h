// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of library kernels.
#ifndef GAUDI_TIMING_LIBRARY_H
#define GAUDI_TIMING_LIBRARY_H

#include <string_view>

namespace gaudi::timing {

/// Ends the name of a scatter whose result has the place of its first operand:
/// nothing else of it is copied.
constexpr std::string_view inPlaceSuffix = " in place";

} // namespace gaudi::timing

#endif // GAUDI_TIMING_LIBRARY_H
