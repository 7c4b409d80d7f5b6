// Runs the passes of the verifier in order.
#include "Gaudi/Recipe/Verifier.h"

#include "Context.h"

#include <algorithm>

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
  GAUDI_TRY(verifyHead(recipe));
  GAUDI_TRY(verifySections(context));
  GAUDI_TRY(verifyTensors(context));
  GAUDI_TRY(verifyKernels(context));
  for (const Entry *entry : items(recipe.entries()))
    GAUDI_TRY(verifyEntry(context, *entry));
  for (const Entry *entry : items(recipe.entries()))
    if (!items(entry->program()).empty())
      if (Status status = verifyProgram(context, *entry); !status)
        return fail("the program of {} {}", entryLabel(*entry),
                    status.error().message);
  GAUDI_TRY(verifyFusions(recipe));
  if (work)
    *work = context.work.spent();
  return {};
}

} // namespace gaudi::recipe
