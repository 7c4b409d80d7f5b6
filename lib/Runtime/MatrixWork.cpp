// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a recipe leaves to the matrix engine's library.
#include "MatrixWork.h"

#include "Gaudi/Recipe/Views.h"
#include "Host/Plugin.h"
#include "Integers/IntegerCommand.h"
#include "Mme/Library.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Operands of a command before they have addresses: inputs, then outputs.
BoundTensors unbound(const Recipe &recipe, const Command &command) {
  BoundTensors operands;
  for (const auto *ids : {command.inputs(), command.outputs()})
    for (uint32_t id : items(ids)) {
      const Tensor &tensor = *recipe.tensors()->Get(id);
      operands.push_back({nullptr,
                          tensor.type(),
                          {copyOf(tensor.sizes()), copyOf(tensor.strides())},
                          recipe.sections()->Get(tensor.section())->kind() ==
                              SectionKind::Const});
    }
  return operands;
}

FoundContraction contractionOf(const Recipe &recipe, const Entry &entry,
                               uint32_t index) {
  const Command &command = *entry.commands()->Get(index);
  if (command.body_type() != Body::Launch)
    return {};
  return contractionOf(
      *recipe.kernels()->Get(command.body_as_Launch()->kernel()),
      unbound(recipe, command), knownRanges(recipe, entry, index));
}

Result<const MmeApi *> openLibrary() {
  static const Result<const void *> api =
      openPlugin("libGaudiMme.so", "gaudiMme", "runs matrix commands");
  return static_cast<const MmeApi *>(GAUDI_TRY(api));
}

} // namespace

Result<MatrixWork> findMatrixWork(const Recipe &recipe) {
  MatrixWork work;
  for (const Entry *entry : items(recipe.entries())) {
    std::vector<FoundContraction> &found = work.contractions.emplace_back();
    const auto commands = items(entry->commands());
    for (uint32_t c = 0; c < commands.size(); ++c) {
      found.push_back(contractionOf(recipe, *entry, c));
      const bool isMatrix = isMatrixCommand(*commands[c]);
      const auto &contraction = found.back().contraction;
      if (!isMatrix && !contraction)
        continue;
      if (!work.mme)
        work.mme = GAUDI_TRY(openLibrary());
      work.staging =
          std::max(work.staging,
                   isMatrix ? work.mme->stagingBound(
                                  *commands[c], unbound(recipe, *commands[c]))
                            : work.mme->integerStaging(*contraction) +
                                  quantizedBytes(found.back()));
    }
  }
  return work;
}

} // namespace gaudi::runtime
