// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of integers that take a loop, for the front ends.
#ifndef GAUDI_LIB_CONVERSION_COMMON_INTEGERMATH_H
#define GAUDI_LIB_CONVERSION_COMMON_INTEGERMATH_H

#include "PointKernel.h"

namespace gaudi {

/// base^exponent of tensors of one integer type and shape, modulo 2^w. A
/// negative exponent gives 0 unless the base is 1 or -1; nothing is negative if
/// `isUnsigned`.
Value integerPower(FrontEndBuilder &b, StringRef label, Value base,
                   Value exponent, bool isUnsigned);

/// The greatest common divisor of |x| and |y|, tensors of one integer type and
/// shape; 0 if both are 0. The smallest integer has no magnitude and stays.
Value greatestDivisor(FrontEndBuilder &b, StringRef label, Value x, Value y);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_INTEGERMATH_H
