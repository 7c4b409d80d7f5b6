// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promotion of element types, by the rules of torch.promote_types.
#include "Gaudi/Torch/ScalarType.h"
#include <algorithm>

using namespace gaudi;
using namespace gaudi::torch;

namespace {
enum class Category : uint8_t {
  Bool,
  Unsigned,
  Signed,
  Float,
  Narrow,
  Complex
};
} // namespace

static Category categoryOf(ScalarType type) {
  switch (type) {
#define GAUDI_SCALAR_TYPE(enumerator, code, name, category)                    \
  case ScalarType::enumerator:                                                 \
    return Category::category;
#include "Gaudi/Torch/ScalarTypes.def"
  }
  __builtin_unreachable();
}

std::string_view torch::nameOf(ScalarType type) {
  switch (type) {
#define GAUDI_SCALAR_TYPE(enumerator, code, name, category)                    \
  case ScalarType::enumerator:                                                 \
    return name;
#include "Gaudi/Torch/ScalarTypes.def"
  }
  __builtin_unreachable();
}

std::optional<ScalarType> torch::scalarTypeOf(int64_t code) {
  switch (code) {
#define GAUDI_SCALAR_TYPE(enumerator, code, name, category)                    \
  case code:                                                                   \
    return ScalarType::enumerator;
#include "Gaudi/Torch/ScalarTypes.def"
  }
  return std::nullopt;
}

bool torch::isBool(ScalarType type) { return type == ScalarType::Bool; }
bool torch::isUnsigned(ScalarType type) {
  return categoryOf(type) == Category::Unsigned;
}
bool torch::isInteger(ScalarType type) {
  return isUnsigned(type) || categoryOf(type) == Category::Signed;
}
bool torch::isFloat(ScalarType type) {
  const Category category = categoryOf(type);
  return category == Category::Float || category == Category::Narrow;
}
bool torch::isComplex(ScalarType type) {
  return categoryOf(type) == Category::Complex;
}

ScalarType torch::partType(ScalarType type) {
  switch (type) {
  case ScalarType::Complex32:
    return ScalarType::Float16;
  case ScalarType::Complex64:
    return ScalarType::Float32;
  case ScalarType::Complex128:
    return ScalarType::Float64;
  default:
    return type;
  }
}

ScalarType torch::complexType(ScalarType type) {
  switch (type) {
  case ScalarType::Float16:
    return ScalarType::Complex32;
  case ScalarType::Float64:
    return ScalarType::Complex128;
  default:
    return ScalarType::Complex64;
  }
}

Result<ScalarType> torch::promote(ScalarType a, ScalarType b) {
  if (a == b)
    return a;
  // The rank of a category is its place in the enumeration.
  if (categoryOf(a) > categoryOf(b))
    std::swap(a, b);
  const Category low = categoryOf(a), high = categoryOf(b);
  auto refuse = [&] {
    return fail("PyTorch does not promote {} with {}", nameOf(a), nameOf(b));
  };
  if (low == Category::Narrow || high == Category::Narrow)
    return refuse();
  // Of unsigned integers, floats alone go with those wider than a byte.
  const bool isWideUnsigned = [&] {
    for (ScalarType type : {a, b})
      if (isUnsigned(type) && type != ScalarType::UInt8)
        return true;
    return false;
  }();
  if (isWideUnsigned)
    return high == Category::Float ? Result<ScalarType>(b) : refuse();
  if (low == Category::Bool)
    return b;
  if (high == Category::Complex) {
    if (low == Category::Complex)
      return std::max(a, b);
    return low == Category::Float ? std::max(complexType(a), b) : b;
  }
  if (high == Category::Float) {
    if (low != Category::Float)
      return b;
    // Neither half holds the other's numbers.
    if (a != ScalarType::Float64 && b != ScalarType::Float64)
      return ScalarType::Float32;
    return ScalarType::Float64;
  }
  // Integers: bytes fit every signed type but si8, with which they make si16.
  if (low == Category::Signed)
    return std::max(a, b);
  return b == ScalarType::Int8 ? ScalarType::Int16 : b;
}
