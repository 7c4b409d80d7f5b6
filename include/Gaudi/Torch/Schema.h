// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of PyTorch's ops, read from the text that PyTorch prints.
#ifndef GAUDI_TORCH_SCHEMA_H
#define GAUDI_TORCH_SCHEMA_H

#include "Gaudi/Torch/Argument.h"

namespace gaudi::torch {

/// One parameter: `int[2] stride=1` has kind Int, is a list whose single values
/// stand for `listLength` of them, and has a default.
struct Parameter {
  enum class Kind : uint8_t {
    Tensor,
    Scalar, ///< a Python number: bool, int or float
    Int,
    Float,
    Bool,
    String,
    Opaque, ///< device, generator
  };

  std::string name;
  Kind kind = Kind::Opaque;
  bool isList = false;
  bool isOptional = false;       ///< None is allowed.
  bool hasOptionalItems = false; ///< `Tensor?[]`
  uint8_t listLength = 0;        ///< Of `int[2]`; 0 if any.
  std::optional<Argument> value; ///< The default.
};

struct Schema {
  std::string name; ///< "aten.add.Tensor", without the overload "default"
  std::vector<Parameter> parameters;
  uint8_t numResults = 0;
  bool returnsList = false; ///< One list of tensors, of any length.
};

/// Reads "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) ->
/// Tensor". Aliasing (`Tensor(a!)`) is read over.
Result<Schema> parseSchema(std::string_view text);

/// Succeeds if `argument` may be given for `parameter`; the error says what was
/// expected.
Status checkArgument(const Parameter &parameter, const Argument &argument);

} // namespace gaudi::torch

#endif // GAUDI_TORCH_SCHEMA_H
