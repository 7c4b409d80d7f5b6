// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that an output may have the place of an input.
#include "InPlace.h"

#include "Commands/Command.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/LibraryKernels.h"
#include "Gaudi/Recipe/Views.h"
#include "Jit/LoopPlan.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// An operand of a command, in its root.
struct Operand {
  const Tensor &tensor;
  uint32_t root;
  kernel::Window window; // from the root's first byte
};

Operand operandOf(const Recipe &recipe, uint32_t id,
                  const std::vector<uint32_t> &roots) {
  const Tensor &tensor = *recipe.tensors()->Get(id);
  const Tensor &root = *recipe.tensors()->Get(roots[id]);
  return {tensor,
          roots[id],
          {tensor.offset() - root.offset(), copyOf(tensor.sizes()),
           copyOf(tensor.strides()), elementSize(tensor.type())}};
}

std::vector<Operand> operandsOf(const Recipe &recipe, const Command &command,
                                const std::vector<uint32_t> &roots) {
  std::vector<Operand> operands;
  for (const auto *ids : {command.inputs(), command.outputs()})
    for (uint32_t id : items(ids))
      operands.push_back(operandOf(recipe, id, roots));
  return operands;
}

/// True if each point of the kernel reads of the input only the element that it
/// writes of the output, once both have one address. Kernels with loops are
/// left out: they are cut (LongReduction.h), and keep rows.
bool isElementwise(const Kernel &kernel, const std::vector<Operand> &operands,
                   unsigned input, unsigned output) {
  for (const Stage *stage : items(kernel.stages()))
    if (!items(stage->loops()).empty())
      return false;
  std::vector<KernelOperand> placed;
  for (const Operand &operand : operands)
    placed.push_back({operand.tensor.type(),
                      operand.window.sizes,
                      operand.window.strides,
                      0,
                      {}});
  return readsWhereItWrites(kernel, placed, input, output);
}

} // namespace

InPlace::InPlace(const Recipe &recipe, const Entry &entry,
                 const std::vector<bool> &contracts,
                 const std::vector<uint32_t> &roots)
    : order(entry), runsCommands(items(entry.program()).empty()) {
  const auto commands = items(entry.commands());
  for (uint32_t id : items(entry.outputs()))
    returned.insert(roots[id]);
  const auto note = [&](Uses &uses, uint32_t root, uint32_t command) {
    std::vector<uint32_t> &list = uses[root];
    if (list.empty() || list.back() != command)
      list.push_back(command);
  };
  pairs.resize(commands.size());
  for (uint32_t c = 0; c < commands.size(); ++c) {
    for (uint32_t id : items(commands[c]->inputs()))
      note(reads, roots[id], c);
    for (uint32_t id : items(commands[c]->outputs()))
      note(writes, roots[id], c);
    if (!contracts[c])
      findPairs(recipe, *commands[c], c, roots);
  }
  findGroups(entry, contracts);
}

void InPlace::findPairs(const Recipe &recipe, const Command &command,
                        uint32_t index, const std::vector<uint32_t> &roots) {
  if (command.body_type() != Body::Launch &&
      command.body_type() != Body::Library)
    return;
  const auto operands = operandsOf(recipe, command, roots);
  const unsigned inputs = items(command.inputs()).size();
  const auto classOf = [&](const Operand &operand) {
    return recipe.tensors()->Get(operand.root)->tensor_class();
  };
  const auto mayWrite = [&](unsigned i, unsigned o) {
    const kernel::Window &from = operands[i].window, &to = operands[o].window;
    if (command.body_type() == Body::Library)
      return mayWriteInPlace(
          *findLibraryKernel(text(command.body_as_Library()->name())), i,
          o - inputs, from, to);
    return from.offset == to.offset && from.elementSize == to.elementSize &&
           isElementwise(
               *recipe.kernels()->Get(command.body_as_Launch()->kernel()),
               operands, i, o);
  };
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> refused;
  for (unsigned i = 0; i < inputs; ++i)
    for (unsigned o = inputs; o < operands.size(); ++o) {
      if (classOf(operands[i]) != TensorClass::Input ||
          classOf(operands[o]) != TensorClass::Output)
        continue;
      const std::tuple both(index, operands[i].root, operands[o].root);
      const bool isApart =
          kernel::provablyDisjoint(operands[i].window, operands[o].window);
      if (!isApart && mayWrite(i, o))
        pairs[index].push_back({{i, o}, operands[i].root, operands[o].root});
      else if (!isApart)
        refused.insert(both);
      if (refused.count(both))
        inPlace.erase(both);
      else
        inPlace.insert(both);
    }
}

/// A matrix command and the kernels behind it may run tile by tile; so may a
/// kernel that is a contraction. Which ones do depends on the host.
void InPlace::findGroups(const Entry &entry,
                         const std::vector<bool> &contracts) {
  const auto commands = items(entry.commands());
  for (uint32_t c = 0; c < commands.size(); ++c) {
    const bool joins = c > 0 && commands[c]->body_type() == Body::Launch;
    groups.push_back(joins ? groups.back() : c);
    hasTiles.push_back((joins && hasTiles.back()) || contracts[c] ||
                       isMatrixCommand(*commands[c]));
  }
}

bool InPlace::isBefore(uint32_t reader, uint32_t writer) const {
  return reader < writer && order.happensBefore(reader, writer) &&
         (groups[reader] != groups[writer] || !hasTiles[reader]);
}

bool InPlace::mayAlias(uint32_t input, uint32_t output) const {
  const auto readers = reads.find(input), writers = writes.find(output);
  if (!runsCommands || returned.count(input) || writers == writes.end())
    return false;
  if (readers == reads.end())
    return true;
  return std::all_of(
      readers->second.begin(), readers->second.end(), [&](uint32_t reader) {
        return std::all_of(writers->second.begin(), writers->second.end(),
                           [&](uint32_t writer) {
                             return reader == writer
                                        ? inPlace.count({reader, input, output})
                                        : isBefore(reader, writer);
                           });
      });
}

std::vector<OperandPair> InPlace::pairsOf(uint32_t command) const {
  std::vector<OperandPair> found;
  for (const Pair &pair : pairs[command])
    if (mayAlias(pair.input, pair.output))
      found.push_back(pair.operands);
  return found;
}

} // namespace gaudi::runtime
