// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which outputs of an entry may be written over which of its inputs, by callers
// that bind both to one address (LaunchBindings.h).
#ifndef GAUDI_LIB_RUNTIME_INPLACE_H
#define GAUDI_LIB_RUNTIME_INPLACE_H

#include "Jit/KernelTypes.h"

#include "Gaudi/Recipe/CommandOrder.h"

#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gaudi::runtime {

/// Inputs and outputs are named by their roots: tensors that are no alias, of
/// class Input and Output. An output may have the place of an input if each
/// command that reads the input
/// - has finished when the first one that writes the output starts: on the card
///   by the order of its queues, on this host because the two do not run tile
///   by tile (Pipeline.h); or
/// - writes the output itself, each element where no other point reads: an
///   elementwise kernel with equal index maps, or a library kernel that updates
///   its input.
/// That follows from the recipe alone, so it is the same on every host.
class InPlace {
public:
  /// `contracts`: of each command, whether the matrix engine's library may run
  /// it though it is a kernel. `roots`: of all tensors. Linear in commands but
  /// for those that read an input and write an output.
  InPlace(const recipe::Recipe &recipe, const recipe::Entry &entry,
          const std::vector<bool> &contracts,
          const std::vector<uint32_t> &roots);

  /// Takes the readers of the input times the writers of the output.
  bool mayAlias(uint32_t input, uint32_t output) const;

  /// Operands of a kernel that a launch may bind to one address.
  std::vector<OperandPair> pairsOf(uint32_t command) const;

private:
  /// Commands by root, ascending.
  using Uses = std::unordered_map<uint32_t, std::vector<uint32_t>>;
  struct Pair {
    OperandPair operands;
    uint32_t input, output; // roots
  };

  void findPairs(const recipe::Recipe &recipe, const recipe::Command &command,
                 uint32_t index, const std::vector<uint32_t> &roots);
  void findGroups(const recipe::Entry &entry,
                  const std::vector<bool> &contracts);
  bool isBefore(uint32_t reader, uint32_t writer) const;

  recipe::CommandOrder order;
  bool runsCommands;
  Uses reads, writes;
  std::set<uint32_t> returned; // roots of the entry's outputs
  /// Of each command: the first of those around it that may run in the same
  /// tiles, and whether one up to here makes some.
  std::vector<uint32_t> groups;
  std::vector<bool> hasTiles;
  std::vector<std::vector<Pair>> pairs; // of each command
  /// Commands that may write a root over one of another.
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> inPlace;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INPLACE_H
