// Which buffers occupy device memory at the peak.
#ifndef GAUDI_RECIPE_LIVEBUFFERS_H
#define GAUDI_RECIPE_LIVEBUFFERS_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <vector>

namespace gaudi::recipe {

/// Bytes from a tensor's first element to its last.
uint64_t tensorBytes(const Tensor &tensor);

struct LiveBuffers {
  std::vector<uint32_t> tensors; // largest first, none that is an alias
  uint64_t workspace = 0;        // bytes of them in the workspace
};

/// The tensors that are live at the command of the entry where the workspace is
/// fullest: inputs, outputs, state and constants always; workspace tensors from
/// the first command that uses them to the last. A result that reuses the
/// buffer of an operand counts once.
LiveBuffers liveAtPeak(const Recipe &recipe, uint32_t entry);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_LIVEBUFFERS_H
