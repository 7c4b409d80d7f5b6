// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optional tensors of attention commands by name.
#ifndef GAUDI_RECIPE_ATTENTION_H
#define GAUDI_RECIPE_ATTENTION_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gaudi::recipe {

/// Bits of Attention.operands; the tensors follow query, key and value.
enum class AttentionInput : uint8_t {
  Mask,
  ValidLengths,
  DropoutMask,
  Seed,
  DScaleQ,
  DScaleK,
  DScaleV,
  QScaleS,
  QScaleO,
  DScaleS
};
inline constexpr std::array<std::string_view, 10> attentionInputNames = {
    "mask",      "valid_lengths", "dropout_mask", "seed",      "d_scale_q",
    "d_scale_k", "d_scale_v",     "q_scale_s",    "q_scale_o", "d_scale_s"};
constexpr uint32_t attentionFixedInputs = 3;

/// Bits of Attention.results; the tensors follow the output.
enum class AttentionOutput : uint8_t {
  Maxima,        // m
  InverseSums,   // linv
  Seed,          // a copy of the input
  Probabilities, // P
  Kept,          // by dropout
  AmaxS,
  AmaxO
};
inline constexpr std::array<std::string_view, 7> attentionOutputNames = {
    "m", "linv", "seed", "probabilities", "kept", "amax_s", "amax_o"};
constexpr uint32_t attentionFixedOutputs = 1;

/// Bits of AttentionGrad.operands; the tensors follow the gradient of the
/// output, query, key and value.
enum class AttentionGradInput : uint8_t {
  Output,
  Mask,
  ValidLengths,
  DropoutMask,
  Seed,
  Maxima,
  InverseSums,
  Probabilities
};
inline constexpr std::array<std::string_view, 8> attentionGradInputNames = {
    "output", "mask", "valid_lengths", "dropout_mask",
    "seed",   "m",    "linv",          "probabilities"};
constexpr uint32_t attentionGradFixedInputs = 4;

/// The position of an optional tensor among the operands, `fixed` of which
/// come first; none if its bit is not set.
template <typename Tensor>
constexpr std::optional<uint32_t> positionOf(uint16_t bits, Tensor tensor,
                                             uint32_t fixed) {
  if (!(bits >> unsigned(tensor) & 1))
    return std::nullopt;
  uint32_t position = fixed;
  for (unsigned bit = 0; bit < unsigned(tensor); ++bit)
    position += bits >> bit & 1;
  return position;
}

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_ATTENTION_H
