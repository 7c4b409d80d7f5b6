// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which commands of an entry have finished when another one starts.
#ifndef GAUDI_RECIPE_COMMANDORDER_H
#define GAUDI_RECIPE_COMMANDORDER_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gaudi::recipe {

/// Every command gets a vector clock (Lamport's happened-before, one component
/// per engine): for each engine, how many of its commands have finished when
/// the command starts, itself included. Command a happens before b exactly if
/// b's component of a's engine has reached a's own.
class CommandOrder {
public:
  /// Dependencies name earlier commands, as the verifier checks. Linear in
  /// commands and dependencies.
  explicit CommandOrder(const Entry &entry);

  /// True if the earlier command has finished when the later one starts.
  bool happensBefore(uint32_t earlier, uint32_t later) const {
    const size_t engine = engines[earlier];
    return clocks[later][engine] >= clocks[earlier][engine];
  }

private:
  static constexpr size_t engineCount = size_t(Engine::MAX) + 1;
  /// Entries count commands, so 0 is "none".
  using Clock = std::array<uint32_t, engineCount>;

  std::vector<uint8_t> engines; // of commands
  std::vector<Clock> clocks;
};

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_COMMANDORDER_H
