// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in host memory: dense, row-major, little-endian bytes.
#ifndef GAUDI_RECIPE_HOSTTENSOR_H
#define GAUDI_RECIPE_HOSTTENSOR_H

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::recipe {

struct TensorType {
  ElementType element = ElementType::F32;
  std::vector<int64_t> shape;

  uint64_t count() const;
  uint64_t bytes() const { return count() * elementSize(element); }
  /// "2x3xf32"; a scalar is "f32".
  std::string text() const;
  bool operator==(const TensorType &other) const {
    return element == other.element && shape == other.shape;
  }
};

/// An input or output of the model.
struct Parameter {
  std::string name;
  TensorType type;
  bool isState = false; ///< an input that launches overwrite
  /// Its shape in terms of sizes that are not chosen yet; empty: they are.
  std::string dynamicShape = {};
};

struct HostTensor {
  std::string name;
  TensorType type;
  /// An input of several steps has a value for each, one after the other.
  std::vector<uint8_t> bytes;

  /// Element `index` of a tensor of floats, exactly.
  double floatAt(uint64_t index) const;
  /// Element `index` of a tensor of integers or booleans, exactly.
  int64_t intAt(uint64_t index) const;
  /// Rounded once to the element type (nearest even).
  void setFloat(uint64_t index, double value);
  /// Truncated to the element type.
  void setInt(uint64_t index, int64_t value);
};

/// Parses "2x3xf32" and "f32". No value if the text has another form.
std::optional<TensorType> parseTensorType(std::string_view text);

/// The tensor that `text` describes for the parameter: a list of as many
/// elements as it has, or one that fills it.
Result<HostTensor> parseElements(const Parameter &parameter,
                                 std::string_view text);

/// One element, with the fewest digits that read back as the same element.
std::string elementText(const HostTensor &tensor, uint64_t index);

/// "[0, 3]" of element `index` in a tensor of this shape.
std::string positionText(const std::vector<int64_t> &shape, uint64_t index);

/// "nan at [0, 3]" of that element.
std::string elementAt(const HostTensor &tensor, uint64_t index);

/// The first element of a float tensor that is NaN or an infinity; none for
/// other types.
std::optional<uint64_t> firstNonFinite(const HostTensor &tensor);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_HOSTTENSOR_H
