// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PyTorch's ops take: tensors by shape and element type, and values of all
// else.
#ifndef GAUDI_TORCH_ARGUMENT_H
#define GAUDI_TORCH_ARGUMENT_H

#include "Gaudi/Kernel/InlineVector.h"
#include "Gaudi/Torch/ScalarType.h"
#include <string>
#include <variant>
#include <vector>

namespace gaudi::torch {

/// Sizes of a tensor, or a list of integers.
using Ints = kernel::InlineVector<int64_t, 6>;

/// Shape and element type. Every size is known and 0 or more.
struct TensorType {
  Ints sizes;
  ScalarType dtype = ScalarType::Float32;

  int64_t rank() const { return sizes.size(); }
  bool operator==(const TensorType &other) const {
    return dtype == other.dtype && sizes == other.sizes;
  }
};

/// "[4,17] si64", for messages.
std::string text(const TensorType &type);
std::string text(const Ints &sizes);

/// A list of tensors, some of which may be None (`Tensor?[]`).
using Tensors = std::vector<std::optional<TensorType>>;

/// The value of one parameter of a schema. None is the first alternative. An
/// enumeration (ScalarType, Layout, MemoryFormat) is its number, a device or
/// generator is None: neither says anything about results. A list of bool is
/// one of integers.
using Argument = std::variant<std::monostate, TensorType, bool, int64_t, double,
                              std::string, Ints, std::vector<double>, Tensors>;

inline bool isNone(const Argument &argument) { return argument.index() == 0; }

} // namespace gaudi::torch

#endif // GAUDI_TORCH_ARGUMENT_H
