// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PyTorch's element types and how they are promoted.
#ifndef GAUDI_TORCH_SCALARTYPE_H
#define GAUDI_TORCH_SCALARTYPE_H

#include "Gaudi/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string_view>

namespace gaudi::torch {

enum class ScalarType : uint8_t {
#define GAUDI_SCALAR_TYPE(enumerator, code, name, category) enumerator = (code),
#include "Gaudi/Torch/ScalarTypes.def"
};

/// In MLIR's syntax: "f32", "si64", "i1".
std::string_view nameOf(ScalarType type);
/// By c10::ScalarType's number; none if PyTorch has no such type or we do not.
std::optional<ScalarType> scalarTypeOf(int64_t code);

bool isBool(ScalarType type);
/// True for signed and unsigned integers, but not for bool.
bool isInteger(ScalarType type);
bool isUnsigned(ScalarType type);
/// True for floats of any width, not for complex numbers.
bool isFloat(ScalarType type);
bool isComplex(ScalarType type);
/// The type of the parts of a complex type; another type itself.
ScalarType partType(ScalarType type);
/// The complex type whose parts hold numbers of `type`: 32-bit parts unless
/// they are f16 or f64.
ScalarType complexType(ScalarType type);

/// What PyTorch computes two tensors of these types in
/// (torch.promote_types). Fails for the pairs that PyTorch refuses: floats of
/// 8 bits with others, uint16 to uint64 with other integers.
Result<ScalarType> promote(ScalarType a, ScalarType b);

} // namespace gaudi::torch

#endif // GAUDI_TORCH_SCALARTYPE_H
