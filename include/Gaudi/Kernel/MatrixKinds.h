// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiler, time model, recipe and runtime ask of a kind of product of the
// matrix engine. The answers are the rows of MatrixKinds.def: a new kind that
// relates the same tensors is a row there.
#ifndef GAUDI_KERNEL_MATRIXKINDS_H
#define GAUDI_KERNEL_MATRIXKINDS_H

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace gaudi::kernel {

/// What a tensor is: of a product of matrices, or of the forward convolution
/// that the kind computes or differentiates (there also its gradient).
enum class MatrixRole : uint8_t { Lhs, Rhs, Product, X, W, Y };

enum class MatrixKind : uint8_t {
#define GAUDI_MATRIX_KIND(kind, ...) kind,
#include "Gaudi/Kernel/MatrixKinds.def"
};

struct MatrixKindInfo {
  std::string_view op;   // "gaudi.mme.gemm"
  MatrixRole tensors[3]; // the operands, then the result
};

/// In the order of the enumeration.
inline constexpr MatrixKindInfo matrixKindTable[] = {
#define GAUDI_MATRIX_KIND(kind, op, a, b, c)                                   \
  {"gaudi.mme." op, {MatrixRole::a, MatrixRole::b, MatrixRole::c}},
#include "Gaudi/Kernel/MatrixKinds.def"
};

/// The kind of an op of this name; none of other ops.
constexpr std::optional<MatrixKind> matrixKindOf(std::string_view op) {
  for (size_t i = 0; i < std::size(matrixKindTable); ++i)
    if (matrixKindTable[i].op == op)
      return MatrixKind(i);
  return std::nullopt;
}

/// The role of an operand, 0 or 1, or of the result, 2.
constexpr MatrixRole roleOf(MatrixKind kind, unsigned tensor) {
  return matrixKindTable[size_t(kind)].tensors[tensor];
}

/// What the kind computes: Product, Y forward, X or W as gradients. What W is
/// summed over, images and positions, no other convolution sums over.
constexpr MatrixRole resultOf(MatrixKind kind) { return roleOf(kind, 2); }

/// The operand, 0 or 1, or the result, 2, that has this role.
constexpr unsigned placeOf(MatrixKind kind, MatrixRole role) {
  for (unsigned tensor : {0, 1})
    if (roleOf(kind, tensor) == role)
      return tensor;
  assert(resultOf(kind) == role && "a role that the kind has");
  return 2;
}

constexpr bool isConvolution(MatrixKind kind) {
  return resultOf(kind) != MatrixRole::Product;
}

/// The name of an operand of the op.
constexpr std::string_view operandName(MatrixKind kind, unsigned operand) {
  constexpr std::string_view names[] = {"lhs",   "rhs",    "result",
                                        "input", "filter", "output_grad"};
  return names[size_t(roleOf(kind, operand))];
}

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_MATRIXKINDS_H
