// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host tensors from .npy files and from seeds, and their element types there.
#ifndef GAUDI_RECIPE_NPYTENSOR_H
#define GAUDI_RECIPE_NPYTENSOR_H

#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Support/Npy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::recipe {

/// The element type that .npy files of tensors of `type` have.
NpyType npyType(ElementType type);

/// Converts the elements of a file to the parameter's type where that is exact
/// or rounds a float32 to a narrower float. An integer of the same width gives
/// its bits: TOSA's and linalg's integers have no sign, so that a uint8 model
/// of another framework has i8 arguments. Expected values (`acceptDouble`) may
/// be float64, which is rounded. The shape must be the parameter's. Errors name
/// the file.
Result<std::vector<uint8_t>> elementsOf(NpyArray array,
                                        const Parameter &parameter,
                                        const std::string &file,
                                        bool acceptDouble);

/// The values of SeededInputs.h for argument number `argument`.
HostTensor seededTensor(uint32_t seed, uint32_t argument,
                        const Parameter &parameter);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_NPYTENSOR_H
