// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector clocks of commands.
#include "Gaudi/Recipe/CommandOrder.h"

#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cassert>

namespace gaudi::recipe {

CommandOrder::CommandOrder(const Entry &entry) {
  const auto commands = items(entry.commands());
  clocks.resize(commands.size());
  Clock last[engineCount] = {};
  for (uint32_t c = 0; c < commands.size(); ++c) {
    engines.push_back(uint8_t(commands[c]->engine()));
    Clock &clock = clocks[c];
    clock = last[engines[c]]; // an engine runs its commands in order
    for (uint32_t d : items(commands[c]->dependencies())) {
      assert(d < c && "dependencies were checked");
      for (size_t e = 0; e < engineCount; ++e)
        clock[e] = std::max(clock[e], clocks[d][e]);
    }
    ++clock[engines[c]];
    last[engines[c]] = clock;
  }
}

} // namespace gaudi::recipe
