// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of command kinds, and checks that several share.
#include "CommandKind.h"

#include "Gaudi/Recipe/LibraryKernels.h"

#include <algorithm>
#include <cassert>

namespace gaudi::recipe {

// The rows of each file.
extern const CommandKinds launchCommands, gemmCommands, convCommands,
    transferCommands, fillCommands, libraryCommands, attentionCommands;

const std::vector<const CommandKind *> &commandKinds() {
  static const auto kinds = [] {
    std::vector<const CommandKind *> kinds;
    kinds.resize(size_t(Body::MAX));
    for (const CommandKinds &rows :
         {launchCommands, gemmCommands, convCommands, transferCommands,
          fillCommands, libraryCommands, attentionCommands})
      for (const CommandKind &kind : rows)
        kinds[size_t(kind.body) - 1] = &kind;
    assert(std::count(kinds.begin(), kinds.end(), nullptr) == 0 &&
           "one row per body");
    return kinds;
  }();
  return kinds;
}

const CommandKind *commandKindOf(const Command &command) {
  if (command.body_type() == Body::NONE || command.body_type() > Body::MAX ||
      command.body() == nullptr)
    return nullptr;
  const CommandKind *kind = commandKinds()[size_t(command.body_type()) - 1];
  assert(kind->body == command.body_type() && "rows are in the order of Body");
  return kind;
}

uint64_t featureOf(const Command &command) {
  const CommandKind *kind = commandKindOf(command);
  uint64_t feature = kind ? kind->feature : 0;
  if (const Library *library = command.body_as_Library())
    if (const LibraryKernel *kernel = findLibraryKernel(text(library->name())))
      feature |= kernel->feature;
  return feature;
}

uint64_t featuresOf(const Recipe &recipe) {
  uint64_t features = 0;
  for (const Tensor *tensor : items(recipe.tensors()))
    if (tensor->initial() != -1)
      features |= featureInitialValues;
  for (const Entry *entry : items(recipe.entries())) {
    if (!items(entry->program()).empty())
      features |= featurePrograms;
    if (entry->dispatch())
      features |= featureVariants;
  }
  for (const Entry *entry : items(recipe.entries()))
    for (const Command *command : items(entry->commands()))
      features |= featureOf(*command);
  for (const Kernel *kernel : items(recipe.kernels()))
    if (roundsByRule(*kernel))
      features |= featureRoundings;
  return features;
}

uint64_t knownFeatures() {
  uint64_t features = featurePieceChecksums | featureInitialValues |
                      featurePrograms | featureVariants | featureRoundings;
  for (const CommandKind *kind : commandKinds())
    features |= kind->feature;
  for (const LibraryKernel &kernel : libraryKernels())
    features |= kernel.feature;
  return features;
}

uint16_t minorOf(uint64_t features) {
  uint16_t minor = features & featureRoundings                           ? 7
                   : features & featureVariants                          ? 6
                   : features & (featureInitialValues | featurePrograms) ? 2
                                                                         : 0;
  for (const CommandKind *kind : commandKinds())
    if (kind->feature & features)
      minor = std::max(minor, kind->minor);
  for (const LibraryKernel &kernel : libraryKernels())
    if (kernel.feature & features)
      minor = std::max(minor, kernel.minor);
  return minor;
}

uint16_t minorOf(const Recipe &recipe, uint64_t features) {
  uint16_t minor = minorOf(features);
  if (!items(recipe.fusions()).empty())
    minor = std::max(minor, fusionsMinor);
  if (!items(recipe.permutations()).empty())
    minor = std::max(minor, permutationsMinor);
  if (!items(recipe.memory()).empty())
    minor = std::max(minor, memoryMinor);
  return minor;
}

uint16_t formatMinor() {
  return std::max(
      {minorOf(knownFeatures()), fusionsMinor, permutationsMinor, memoryMinor});
}

std::string CommandKind::word() const {
  std::string word;
  for (const char letter : std::string_view(EnumNameBody(body))) {
    if (letter >= 'A' && letter <= 'Z' && !word.empty())
      word += '_';
    word += letter;
  }
  return lowerCase(word);
}

Status checkOperandCounts(const CommandView &view, uint32_t inputs,
                          uint32_t outputs) {
  if (view.inputs.size() != inputs || view.outputs.size() != outputs)
    return fail("takes {} inputs and {} outputs but got {} and {}", inputs,
                outputs, view.inputs.size(), view.outputs.size());
  return {};
}

Status checkMatrixOperands(const CommandView &view) {
  GAUDI_TRY(checkOperandCounts(view, 2, 1));
  for (uint32_t id : {view.inputs[0], view.inputs[1], view.outputs[0]})
    if (const ElementType type = view.context.tensors[id].type; !isFloat(type))
      return fail("takes float tensors but {} is {}",
                  view.context.tensorLabel(id), elementName(type));
  if (view.input(0).type != view.input(1).type)
    return fail("takes inputs of one type but got {} and {}",
                elementName(view.input(0).type),
                elementName(view.input(1).type));
  return {};
}

} // namespace gaudi::recipe
