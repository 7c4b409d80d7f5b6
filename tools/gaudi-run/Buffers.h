// The buffers that make the peak of a recipe's device memory.
#ifndef GAUDI_RUN_BUFFERS_H
#define GAUDI_RUN_BUFFERS_H

#include "Gaudi/Recipe/Reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::run {

struct Buffer {
  std::string name;
  std::string kind;     ///< "input", "output", "state", "const", "workspace"
  std::string location; ///< in the model
  uint64_t bytes = 0;
};

/// The `limit` largest buffers alive at the moment of the entry at which most
/// bytes are (recipe::liveAtPeak).
std::vector<Buffer> largestLiveBuffers(const recipe::Recipe &recipe,
                                       uint32_t entry, size_t limit);

/// The share of the file for each purpose, in bytes.
struct FileShares {
  uint64_t metadata = 0, constants = 0;
};
FileShares fileShares(const recipe::RecipeFile &file);

} // namespace gaudi::run

#endif // GAUDI_RUN_BUFFERS_H
