// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds kernels whose results nothing reads.
#include "SkippedExtension.h"

#include "../Pipeline.h"
#include "IntegerCommand.h"

#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

class Skipper {
public:
  Skipper(LoadedRecipe &loaded, const Entry &entry)
      : tensors(loaded.tensors), entry(entry),
        commands(loaded.entries[0].commands) {}

  void run() {
    for (uint32_t c = 0; c < commands.size(); ++c) {
      const auto inputs = items(entry.commands()->Get(c)->inputs());
      for (uint32_t i = 0; i < inputs.size(); ++i)
        if (commands[c].integers && commands[c].integers->readsBehind(i))
          if (const auto writer = writerOf(inputs[i], c);
              writer && !isRead(inputs[i], *writer))
            commands[*writer].skippedFor = c;
    }
  }

private:
  bool overlaps(uint32_t a, uint32_t b) const {
    return mayOverlap(tensors[a], tensors[b]);
  }

  /// The kernel that wrote all of the tensor, and nothing else.
  std::optional<uint32_t> writerOf(uint32_t tensor, uint32_t before) const {
    for (uint32_t c = before; c-- > 0;) {
      const auto outputs = copyOf(entry.commands()->Get(c)->outputs());
      if (std::none_of(outputs.begin(), outputs.end(),
                       [&](uint32_t id) { return overlaps(id, tensor); }))
        continue;
      if (!commands[c].tpc || commands[c].within || outputs.size() != 1 ||
          outputs[0] != tensor)
        return std::nullopt;
      return c;
    }
    return std::nullopt;
  }

  /// True if bytes of the tensor may be read after the command wrote them.
  bool isRead(uint32_t tensor, uint32_t writer) const {
    for (uint32_t id : items(entry.outputs()))
      if (overlaps(id, tensor))
        return true;
    std::vector<uint32_t> rewritten; // tensors, all elements of them
    for (uint32_t c = writer + 1; c < commands.size(); ++c) {
      const Command &command = *entry.commands()->Get(c);
      const auto inputs = items(command.inputs());
      for (uint32_t i = 0; i < inputs.size(); ++i) {
        const bool isBehind =
            commands[c].integers && commands[c].integers->readsBehind(i);
        if (!isBehind && overlaps(inputs[i], tensor) &&
            std::find(rewritten.begin(), rewritten.end(), inputs[i]) ==
                rewritten.end())
          return true;
      }
      for (uint32_t id : items(command.outputs()))
        if (overlaps(id, tensor))
          rewritten.push_back(id);
    }
    return false;
  }

  const BoundTensors &tensors;
  const Entry &entry;
  std::vector<LoadedCommand> &commands;
};

} // namespace

void skipExtensions(LoadedRecipe &loaded) {
  const auto entries = items(loaded.file->recipe().entries());
  if (entries.size() == 1)
    Skipper(loaded, *entries[0]).run();
}

} // namespace gaudi::runtime
