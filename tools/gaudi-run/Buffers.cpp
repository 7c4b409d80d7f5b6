// Live ranges of a recipe's buffers.
#include "Buffers.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <limits>

namespace gaudi::run {

using namespace recipe;

namespace {

const char *kindName(TensorClass kind) {
  switch (kind) {
  case TensorClass::Input:
    return "input";
  case TensorClass::Output:
    return "output";
  case TensorClass::State:
    return "state";
  case TensorClass::Const:
    return "const";
  default:
    return "workspace";
  }
}

/// Bytes from the first to the last element.
uint64_t extentOf(const Tensor &tensor) {
  const auto sizes = items(tensor.sizes()), strides = items(tensor.strides());
  uint64_t last = 0;
  for (uint32_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0)
      return 0;
    last += uint64_t(sizes[d] - 1) * uint64_t(strides[d]);
  }
  return (last + 1) * elementSize(tensor.type());
}

struct LiveRange {
  uint64_t first = std::numeric_limits<uint64_t>::max();
  uint64_t last = 0;
  void touch(uint64_t command) {
    first = std::min(first, command);
    last = std::max(last, command);
  }
};

} // namespace

std::vector<Buffer> largestLiveBuffers(const Recipe &recipe,
                                       uint32_t entryIndex, size_t limit) {
  const auto tensors = items(recipe.tensors());
  const Entry &entry = *items(recipe.entries())[entryIndex];
  const auto commands = items(entry.commands());
  std::vector<LiveRange> ranges(tensors.size());
  auto touch = [&](uint32_t tensor, uint64_t command) {
    // The verifier has checked that aliases end at a tensor that is none.
    while (tensors[tensor]->alias_of() >= 0)
      tensor = uint32_t(tensors[tensor]->alias_of());
    ranges[tensor].touch(command);
  };
  for (uint32_t c = 0; c < commands.size(); ++c) {
    for (uint32_t tensor : items(commands[c]->inputs()))
      touch(tensor, c);
    for (uint32_t tensor : items(commands[c]->outputs()))
      touch(tensor, c);
  }

  // Bytes that come to life and end at each command.
  std::vector<int64_t> change(commands.size() + 1, 0);
  auto isWorkspace = [&](uint32_t tensor) {
    return tensors[tensor]->tensor_class() == TensorClass::Workspace;
  };
  for (uint32_t t = 0; t < tensors.size(); ++t) {
    if (!isWorkspace(t) || ranges[t].first > ranges[t].last)
      continue;
    change[ranges[t].first] += int64_t(extentOf(*tensors[t]));
    change[ranges[t].last + 1] -= int64_t(extentOf(*tensors[t]));
  }
  int64_t live = 0, most = -1;
  uint64_t peak = 0;
  for (uint64_t c = 0; c < commands.size(); ++c) {
    live += change[c];
    if (live > most) {
      most = live;
      peak = c;
    }
  }

  std::vector<std::pair<uint64_t, uint32_t>> alive; // bytes, tensor
  for (uint32_t t = 0; t < tensors.size(); ++t)
    if (tensors[t]->alias_of() < 0 &&
        (!isWorkspace(t) ||
         (ranges[t].first <= peak && peak <= ranges[t].last)))
      alive.push_back({extentOf(*tensors[t]), t});
  std::sort(alive.begin(), alive.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  alive.resize(std::min(limit, alive.size()));

  std::vector<Buffer> buffers;
  for (auto [bytes, t] : alive) {
    const Tensor &tensor = *tensors[t];
    Buffer buffer;
    buffer.name = std::string(text(tensor.name()));
    buffer.kind = kindName(tensor.tensor_class());
    buffer.location =
        std::string(text(items(recipe.locations())[tensor.location()]));
    buffer.bytes = bytes;
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

FileShares fileShares(const RecipeFile &file) {
  FileShares shares;
  for (const Section *section : items(file->sections()))
    if (section->kind() == SectionKind::Const)
      shares.constants += section->size();
  shares.metadata = file.header().metadataSize;
  return shares;
}

} // namespace gaudi::run
