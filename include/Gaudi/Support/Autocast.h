// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of PyTorch's ops autocast computes in the lower type, in f32, or in the
// widest type of their operands: the lists of Intel's bridge, which the pass
// gaudi-autocast and torch.autocast("hpu") share.
#ifndef GAUDI_SUPPORT_AUTOCAST_H
#define GAUDI_SUPPORT_AUTOCAST_H

#include "Gaudi/Support/Error.h"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gaudi {

/// What autocast does to an op. Of several lists that have it the first holds.
enum class AutocastRule {
  Lower,  ///< floats are cast to the lower type
  Float,  ///< floats are cast to f32
  Widest, ///< floats are cast to the widest type among them
  Given,  ///< in no list: runs in the types that it is given
};

class AutocastLists {
public:
  using Names = std::set<std::string, std::less<>>;

  /// The defaults of the bridge.
  AutocastLists();

  const Names &names(AutocastRule rule) const { return lists[size_t(rule)]; }
  /// Replaces a whole list, by the names in a text file, one on each line.
  /// Errors: the file cannot be read.
  Status read(AutocastRule rule, const std::string &path);

  /// `name` as Python has it: "add", "conv2d".
  AutocastRule ruleOf(std::string_view name) const;

private:
  std::array<Names, 3> lists; // by rule
};

/// Products and convolutions that read 8-bit floats, each operand with a scale
/// of its own.
struct EightBitsSetting {
  EightBitsSetting();

  AutocastLists::Names names; ///< of ops that autocast has in the lower type
  /// Those of the backward pass read f8E5M2; else all read f8E4M3FN.
  bool isHybrid = true;
  int margin = 0; ///< powers of two that scales leave above the largest value
};

/// How a model is computed.
struct AutocastSetting {
  /// bf16 or f16, what ops of the lower type run in; f32: as it is.
  std::string type = "f32";
  AutocastLists lists;
  std::optional<EightBitsSetting> eightBits;
};

/// "bf16", "f16", "f32", or "fp8" (bf16 with products of 8 bits), with files of
/// lists and other keys behind it: "bf16:lower=a.txt:fp32=b.txt",
/// "fp8:format=e4m3:margin=1:fp8=c.txt". Errors: another type, key or value, a
/// file that cannot be read.
Result<AutocastSetting> parseAutocast(std::string_view text);

/// The name in the lists of an op of ATen, by its name with or without the
/// namespace and the overload: "aten.native_layer_norm" gives "layer_norm",
/// "aten.add.Tensor" "add". A convolution is "conv", as `spatialRank` is not in
/// its name: "conv2d" for 2.
std::string autocastName(std::string_view op, size_t spatialRank = 0);

/// True for ops of which only the first operand is cast, with or without their
/// namespace: "layer_norm", "aten::layer_norm".
bool autocastsFirstOnly(std::string_view name);

} // namespace gaudi

#endif // GAUDI_SUPPORT_AUTOCAST_H
