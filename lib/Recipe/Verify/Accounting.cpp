// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds the work of the verifier by the size of the file, and checks that all
// vectors can be read in place.
//
// FlatBuffers lets many references share one table, so a small file could
// describe a huge structure. Recipes never share, but for small strings and
// vectors of variants: all other parts must add up to no more than the
// metadata.
#include "../Commands/CommandKind.h"

namespace gaudi::recipe {
namespace {

void visit(const Access &access, Account &account) {
  account.takeTables(access.dims(), [&](const AccessDim &dim) {
    account.takeScalars(dim.coefficients());
  });
}

void visit(const Stage &stage, Account &account) {
  account.takeScalars(stage.loops());
  account.takeScalars(stage.insts());
  account.takeTables(stage.reductions(), [](const Reduction &) {});
  account.takeTables(stage.stores(), [](const Store &) {});
}

void visit(const Kernel &kernel, Account &account) {
  account.take(kernel.name());
  account.takeScalars(kernel.index_space());
  account.takeScalars(kernel.parallel());
  account.takeScalars(kernel.inputs());
  account.takeScalars(kernel.input_ranks());
  account.takeScalars(kernel.outputs());
  account.takeScalars(kernel.output_ranks());
  account.takeTables(kernel.accesses(),
                     [&](const Access &access) { visit(access, account); });
  account.takeTables(kernel.stages(),
                     [&](const Stage &stage) { visit(stage, account); });
}

void visit(const Tensor &tensor, Account &account) {
  account.take(tensor.name());
  account.takeScalars(tensor.sizes());
  account.takeScalars(tensor.strides());
  account.takeScalars(tensor.permutation());
}

void visit(const Command &command, Account &account) {
  account.takeScalars(command.inputs());
  account.takeScalars(command.outputs());
  account.takeScalars(command.dependencies());
  account.take(command.name());
  // A body of no known kind is refused later, and never read.
  const CommandKind *kind = commandKindOf(command);
  if (kind && kind->account)
    kind->account(command, account);
}

void visit(const Dispatch &dispatch, Account &account) {
  account.take(4);
  account.takeTables(dispatch.symbols(), [&](const Symbol &symbol) {
    account.take(symbol.name());
  });
  for (const auto *tensors : {dispatch.inputs(), dispatch.outputs()})
    account.takeTables(tensors, [&](const SizedTensor &tensor) {
      account.take(tensor.name());
      account.takeTables(tensor.sizes(), [&](const Size &size) {
        account.takeScalars(size.steps());
      });
    });
  account.takeTables(dispatch.variants(), [&](const Variant &variant) {
    account.takeScalars(variant.sizes());
    account.takeTables(variant.extents(), [&](const Extent &extent) {
      if (!extent.value())
        return;
      account.take(4);
      account.takeScalars(extent.value()->steps());
    });
  });
}

void visit(const PermutationRegion &region, Account &account) {
  account.take(region.entry());
  account.takeTables(region.transposes(),
                     [&](const PlacedTranspose &transpose) {
                       account.take(transpose.text());
                     });
  account.takeTables(region.ops(), [&](const PlacedOp &op) {
    account.take(op.name());
    account.takeScalars(op.order());
  });
  account.takeScalars(region.edges());
}

void visit(const MemoryPlan &plan, Account &account) {
  account.take(plan.entry());
  account.takeScalars(plan.sums());
  account.takeTables(plan.entries(), [&](const MemoryEntry &entry) {
    account.take(entry.name());
    account.take(entry.reader());
    account.take(entry.reason());
    account.take(entry.remedy());
  });
}

} // namespace

Status verifyAccounting(const Recipe &recipe, uint64_t metadataSize) {
  // Variants may share small vectors.
  bool hasVariants = false;
  for (const Entry *entry : items(recipe.entries()))
    hasVariants |= entry->dispatch() != nullptr;
  Account account(metadataSize, hasVariants);
  account.take(recipe.target());
  account.take(recipe.producer());
  account.takeTables(recipe.sections(), [](const Section &) {});
  account.takeTables(recipe.tensors(),
                     [&](const Tensor &tensor) { visit(tensor, account); });
  account.takeTables(recipe.kernels(),
                     [&](const Kernel &kernel) { visit(kernel, account); });
  // Each visit takes the bytes of all that a table refers to.
  account.takeTables(recipe.entries(), [&](const Entry &entry) {
    account.take(entry.name());
    account.takeScalars(entry.inputs());
    account.takeScalars(entry.outputs());
    account.takeScalars(entry.program());
    account.takeTables(entry.commands(), [&](const Command &command) {
      visit(command, account);
    });
    if (entry.dispatch())
      visit(*entry.dispatch(), account);
  });
  // Strings are no tables; the count bounds the loop, as in takeTables.
  if (auto locations = recipe.locations()) {
    account.take(4 * uint64_t(locations->size()));
    for (const flatbuffers::String *location : items(locations)) {
      account.take(location);
      if (account.overdrawn())
        break;
    }
  }
  account.takeTables(recipe.fusions(), [&](const Fusion &fusion) {
    account.take(fusion.kind());
    account.take(fusion.text());
  });
  account.takeTables(
      recipe.permutations(),
      [&](const PermutationRegion &region) { visit(region, account); });
  account.takeTables(recipe.memory(),
                     [&](const MemoryPlan &plan) { visit(plan, account); });
  if (account.overdrawn())
    return fail("parts of the metadata are shared: they add up to more than "
                "its {} bytes",
                metadataSize);
  if (account.misaligned())
    return fail("a vector of the metadata is not aligned to its elements");
  return {};
}

} // namespace gaudi::recipe
