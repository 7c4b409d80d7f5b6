// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which buffers occupy device memory at the peak.
#ifndef GAUDI_RECIPE_LIVEBUFFERS_H
#define GAUDI_RECIPE_LIVEBUFFERS_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <vector>

namespace gaudi::recipe {

/// Bytes from a tensor's first element to its last.
uint64_t tensorBytes(const Tensor &tensor);

/// Of each tensor, the one without `alias_of` whose bytes it is a view of.
std::vector<uint32_t> rootsOf(const Recipe &recipe);

/// When a buffer of the workspace is live, in commands of an entry.
struct BufferRange {
  uint32_t tensor = 0; // none that is an alias
  uint32_t first = 0, last = 0;
  /// The first command writes it over an operand that dies there: its bytes
  /// count as that operand's until the command has ended.
  bool reuses = false;
};

/// The buffers that the commands of the entry use, by tensor.
std::vector<BufferRange> workspaceRanges(const Recipe &recipe, uint32_t entry);

struct LiveBuffers {
  std::vector<uint32_t> tensors; // largest first, none that is an alias
  uint64_t workspace = 0;        // bytes of them in the workspace
  uint32_t command = 0;          // at which they are live
};

/// The tensors that are live at the command of the entry where the workspace is
/// fullest: inputs, outputs, state and constants always; workspace tensors from
/// the first command that uses them to the last. A result that reuses the
/// buffer of an operand counts once.
LiveBuffers liveAtPeak(const Recipe &recipe, uint32_t entry);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_LIVEBUFFERS_H
