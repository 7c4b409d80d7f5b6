// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands of convolutions and their gradients, read alike: what the rows of
// MatrixKinds.def say of their bodies.
#ifndef GAUDI_RECIPE_CONVOLUTION_H
#define GAUDI_RECIPE_CONVOLUTION_H

#include "Gaudi/Kernel/MatrixKinds.h"
#include "Gaudi/Recipe/Recipe_generated.h"

#include <cassert>
#include <optional>
#include <type_traits>

namespace gaudi::recipe {

inline bool isTransposed(const Conv &conv) { return conv.transposed(); }
template <typename Body> bool isTransposed(const Body &) { return false; }

template <typename Body>
kernel::MatrixKind convolutionKindOf(const Body &conv) {
#define GAUDI_CONVOLUTION(kind, op, a, b, c, body, transposed)                 \
  if (std::is_same_v<Body, body> && isTransposed(conv) == transposed)          \
    return kernel::MatrixKind::kind;
#include "Gaudi/Kernel/MatrixKinds.def"
  assert(false && "a row for each body");
  return {};
}

/// A convolution of any kind, with the fields of its body.
struct Convolution {
  kernel::MatrixKind kind;
  bool transposed;
  const flatbuffers::String *inputLayout, *filterLayout, *outputLayout;
  const flatbuffers::Vector<int64_t> *strides, *dilations, *padLow, *padHigh;
  int64_t groups;

  template <typename Body>
  explicit Convolution(const Body &body)
      : kind(convolutionKindOf(body)), transposed(isTransposed(body)),
        inputLayout(body.input_layout()), filterLayout(body.filter_layout()),
        outputLayout(body.output_layout()), strides(body.strides()),
        dilations(body.dilations()), padLow(body.pad_low()),
        padHigh(body.pad_high()), groups(body.groups()) {}

  /// Of x, w or y. The layouts of a body are those of the forward convolution,
  /// but of a transposed one those of what it reads and makes.
  const flatbuffers::String *layoutOf(kernel::MatrixRole role) const {
    if (role == kernel::MatrixRole::W)
      return filterLayout;
    return (role == kernel::MatrixRole::X) != transposed ? inputLayout
                                                         : outputLayout;
  }
};

/// None of other commands.
inline std::optional<Convolution> convolutionOf(const Command &command) {
#define GAUDI_CONVOLUTION(kind, op, a, b, c, body, transposed)                 \
  if (const auto *conv = command.body_as_##body())                             \
    return Convolution(*conv);
#include "Gaudi/Kernel/MatrixKinds.def"
  return std::nullopt;
}

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_CONVOLUTION_H
