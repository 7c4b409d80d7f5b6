// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division that rounds up, of sizes.
#ifndef GAUDI_LIB_TIMING_CEILDIV_H
#define GAUDI_LIB_TIMING_CEILDIV_H

#include <cstdint>

namespace gaudi::timing {

/// The parts of at most `b` that `a` has; a >= 0, b > 0. It does not overflow.
inline int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_CEILDIV_H
