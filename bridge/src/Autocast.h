// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which types ops run in where a program asks for mixed precision.
#ifndef GAUDI_BRIDGE_AUTOCAST_H
#define GAUDI_BRIDGE_AUTOCAST_H

#include <optional>
#include <string>
#include <unordered_map>

namespace gaudi::bridge {

/// What the floating operands of an op are cast to.
enum class CastRule {
  Lower, ///< The type of autocast.
  Float,
  Widest, ///< The widest of their types.
  First,  ///< The type of the first one.
};

/// Rules that take the place of the lists of torch.autocast("hpu"), as Habana
/// mixed precision has them: by the names of ATen's ops without their overload,
/// and for all others that have tensors and write to none.
struct CastRules {
  std::unordered_map<std::string, CastRule> byName;
  CastRule others;
  bool isVerbose; ///< Whether each cast is said on standard error.
};

/// From now on, in all threads where autocast is enabled; nothing: the lists of
/// torch.autocast. Backward passes run in the types of the forward pass.
void setCastRules(std::optional<CastRules> rules);

/// Whether ATen has an op of that name.
bool isOpName(const std::string &name);

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_AUTOCAST_H
