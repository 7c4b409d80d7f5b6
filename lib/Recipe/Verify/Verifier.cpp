// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the passes of the verifier in order.
#include "Gaudi/Recipe/Verifier.h"

#include "Context.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <utility>

namespace gaudi::recipe {
namespace {

Status verifyHead(const Recipe &recipe) {
  const std::string_view target = text(recipe.target());
  if (target != "gaudi" && target != "gaudi2" && target != "gaudi3")
    return fail("target is {}, expected gaudi, gaudi2 or gaudi3",
                quoted(target));
  Items locations = items(recipe.locations());
  if (locations.empty() || !text(locations[0]).empty())
    return fail("location 0 is missing or not empty");
  return {};
}

/// The host writes inputs before a launch: each one once, and each element in
/// one place.
Status checkInputs(const Context &context, const Entry &entry) {
  std::vector<uint32_t> sorted;
  for (uint32_t id : items(entry.inputs())) {
    if (id >= context.tensors.size())
      return fail("input %{} but there are {} tensors", id,
                  context.tensors.size());
    const TensorInfo &tensor = context.tensors[id];
    if (tensor.tensorClass != TensorClass::Input &&
        tensor.tensorClass != TensorClass::State)
      return fail("input {} has another class than input or state",
                  context.tensorLabel(id));
    if (!kernel::isInjective(tensor.window.sizes, tensor.window.strides))
      return fail("input {} stores several elements in one place",
                  context.tensorLabel(id));
    sorted.push_back(id);
  }
  std::sort(sorted.begin(), sorted.end());
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    return fail("input {} is listed twice", context.tensorLabel(*twice));
  return {};
}

Status checkOutputs(const Context &context, const Entry &entry) {
  for (uint32_t id : items(entry.outputs())) {
    if (id >= context.tensors.size())
      return fail("output %{} but there are {} tensors", id,
                  context.tensors.size());
    const TensorClass tensorClass = context.tensors[id].tensorClass;
    if (tensorClass != TensorClass::Output && tensorClass != TensorClass::State)
      return fail("output {} has another class than output or state",
                  context.tensorLabel(id));
  }
  return {};
}

/// Reports show kinds and locations of fusions.
Status verifyFusions(const Recipe &recipe) {
  const uint32_t locations = items(recipe.locations()).size();
  for (uint32_t i = 0; i < items(recipe.fusions()).size(); ++i) {
    const Fusion &fusion = *items(recipe.fusions())[i];
    const std::string_view kind = text(fusion.kind());
    const bool isName = std::all_of(kind.begin(), kind.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (kind.empty() || !isName)
      return fail("fusion {} has kind {}, expected lower-case letters, digits "
                  "and underscores",
                  i, quoted(kind));
    if (fusion.location() >= locations)
      return fail("fusion {} {} has location {} of {}", i, quoted(kind),
                  fusion.location(), locations);
  }
  return {};
}

/// Reports show locations, and draw edges from ops to later ones.
Status verifyRegion(const PermutationRegion &region, uint32_t locations) {
  if (region.location() >= locations)
    return fail("has location {} of {}", region.location(), locations);
  const uint32_t transposes = items(region.transposes()).size();
  const uint32_t ops = items(region.ops()).size();
  for (uint32_t t = 0; t < transposes; ++t)
    if (const uint32_t at = items(region.transposes())[t]->location();
        at >= locations)
      return fail("transpose {} has location {} of {}", t, at, locations);
  for (uint32_t o = 0; o < ops; ++o) {
    const PlacedOp &op = *items(region.ops())[o];
    if (op.location() >= locations)
      return fail("op {} has location {} of {}", o, op.location(), locations);
    // Every dimension once: numbers below the count, none twice.
    std::vector<char> seen(items(op.order()).size());
    for (uint8_t dim : items(op.order()))
      if (dim >= seen.size() || std::exchange(seen[dim], 1))
        return fail("op {} has order [{}], which is no permutation", o,
                    fmt::join(copyOf(op.order()), ", "));
  }
  for (uint32_t e = 0; e < items(region.edges()).size(); ++e) {
    const PlacedEdge &edge = *items(region.edges())[e];
    // Edges go forwards, so that drawing them needs no search for cycles.
    if (edge.from() >= edge.to() || edge.to() >= ops)
      return fail("edge {} goes from op {} to op {} of {}, expected a later "
                  "one",
                  e, edge.from(), edge.to(), ops);
    if (edge.transpose() < -1 || edge.transpose() >= int64_t(transposes))
      return fail("edge {} has transpose {} of {}", e, edge.transpose(),
                  transposes);
  }
  return {};
}

Status verifyRegions(const Recipe &recipe) {
  const Items regions = items(recipe.permutations());
  for (uint32_t i = 0; i < regions.size(); ++i)
    if (Status status =
            verifyRegion(*regions[i], items(recipe.locations()).size());
        !status)
      return fail("region {} of permutations {}", i, status.error().message);
  return {};
}

/// Reports name kinds and locations.
Status verifyMemoryPlan(const MemoryPlan &plan, uint32_t locations) {
  for (uint32_t s = 0; s < items(plan.sums()).size(); ++s)
    if (const MemoryKind kind = items(plan.sums())[s]->kind();
        kind > MemoryKind::MAX)
      return fail("sum {} has kind {}, which does not exist", s,
                  unsigned(kind));
  for (uint32_t e = 0; e < items(plan.entries()).size(); ++e) {
    const MemoryEntry &entry = *items(plan.entries())[e];
    if (entry.kind() > MemoryKind::MAX)
      return fail("entry {} has kind {}, which does not exist", e,
                  unsigned(entry.kind()));
    for (uint32_t at : {entry.location(), entry.reader_location()})
      if (at >= locations)
        return fail("entry {} has location {} of {}", e, at, locations);
  }
  return {};
}

Status verifyMemoryPlans(const Recipe &recipe) {
  const Items plans = items(recipe.memory());
  for (uint32_t i = 0; i < plans.size(); ++i)
    if (Status status =
            verifyMemoryPlan(*plans[i], items(recipe.locations()).size());
        !status)
      return fail("memory record {} {}", i, status.error().message);
  return {};
}

} // namespace

Status verifyEntry(const Context &context, const Entry &entry) {
  auto checkSignature = [&]() -> Status {
    GAUDI_TRY(checkInputs(context, entry));
    return checkOutputs(context, entry);
  };
  if (Status status = checkSignature(); !status)
    return fail("{}: {}", entryLabel(entry), status.error().message);
  // Each pass relies on those before it: order and ownership look up tensors
  // that the commands were checked to name.
  for (uint32_t c = 0; c < items(entry.commands()).size(); ++c)
    GAUDI_TRY(verifyCommand(context, entry, c));
  GAUDI_TRY(verifyOrder(context, entry));
  // What a program returns was written by the entries that it launches.
  return items(entry.program()).empty() ? verifyOwnership(context, entry)
                                        : Status();
}

Status verifyRecipe(const Recipe &recipe, const FileLayout &layout,
                    uint64_t *work) {
  Context context{recipe, layout, {}, {}, WorkBudget(layout.metadataSize)};
  // First: it bounds everything that follows by the size of the metadata.
  GAUDI_TRY(verifyAccounting(recipe, layout.metadataSize));
  // In this order, each pass may use what those before it have proved.
  GAUDI_TRY(verifyHead(recipe));
  GAUDI_TRY(verifySections(context));
  GAUDI_TRY(verifyTensors(context));
  GAUDI_TRY(verifyKernels(context));
  for (const Entry *entry : items(recipe.entries()))
    GAUDI_TRY(verifyEntry(context, *entry));
  // After all entries: programs launch and variants name them.
  for (const Entry *entry : items(recipe.entries()))
    if (!items(entry->program()).empty())
      if (Status status = verifyProgram(context, *entry); !status)
        return fail("the program of {} {}", entryLabel(*entry),
                    status.error().message);
  for (const Entry *entry : items(recipe.entries()))
    if (entry->dispatch())
      if (Status status = verifyDispatch(context, *entry); !status)
        return fail("{} {}", entryLabel(*entry), status.error().message);
  GAUDI_TRY(verifyFusions(recipe));
  GAUDI_TRY(verifyRegions(recipe));
  GAUDI_TRY(verifyMemoryPlans(recipe));
  if (work)
    *work = context.work.spent();
  return {};
}

} // namespace gaudi::recipe
