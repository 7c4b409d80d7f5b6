// What fills a recipe's device memory at the worst moment.
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

/// The tensors alive at the command of the entry at which most workspace bytes
/// are: inputs, outputs, state and constants always; workspace tensors from the
/// first command that touches them to the last. One that is written over an
/// operand lives from then on in the operand's place and counts once.
LiveBuffers liveAtPeak(const Recipe &recipe, uint32_t entry);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_LIVEBUFFERS_H
