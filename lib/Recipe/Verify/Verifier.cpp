// Runs the passes of the verifier in order.
#include "Gaudi/Recipe/Verifier.h"

#include "Context.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

Status verifyHead(const Recipe &recipe) {
  const std::string_view target = text(recipe.target());
  if (target != "gaudi" && target != "gaudi2" && target != "gaudi3")
    return reject("target is ", quoted(target),
                  ", expected gaudi, gaudi2 or gaudi3");
  Items locations = items(recipe.locations());
  if (locations.empty() || !text(locations[0]).empty())
    return reject("location 0 is missing or not empty");
  return {};
}

Status checkInputs(const Context &context, const Entry &entry) {
  std::vector<uint32_t> sorted;
  for (uint32_t id : items(entry.inputs())) {
    if (id >= context.tensors.size())
      return reject("input %", id, " but there are ", context.tensors.size(),
                    " tensors");
    const TensorInfo &tensor = context.tensors[id];
    if (tensor.tensorClass != TensorClass::Input &&
        tensor.tensorClass != TensorClass::State)
      return reject("input ", context.tensorLabel(id),
                    " has another class than input or state");
    if (!isInjective(tensor.window.sizes, tensor.window.strides))
      return reject("input ", context.tensorLabel(id),
                    " stores several elements in one place");
    sorted.push_back(id);
  }
  std::sort(sorted.begin(), sorted.end());
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    return reject("input ", context.tensorLabel(*twice), " is listed twice");
  return {};
}

Status checkOutputs(const Context &context, const Entry &entry) {
  for (uint32_t id : items(entry.outputs())) {
    if (id >= context.tensors.size())
      return reject("output %", id, " but there are ", context.tensors.size(),
                    " tensors");
    const TensorClass tensorClass = context.tensors[id].tensorClass;
    if (tensorClass != TensorClass::Output && tensorClass != TensorClass::State)
      return reject("output ", context.tensorLabel(id),
                    " has another class than output or state");
  }
  return {};
}

} // namespace

Status verifyEntry(const Context &context, const Entry &entry) {
  Status status = checkInputs(context, entry);
  if (status)
    status = checkOutputs(context, entry);
  if (!status)
    return reject(entryLabel(entry), ": ", status.error().message);
  for (uint32_t c = 0; c < items(entry.commands()).size(); ++c)
    if (status = verifyCommand(context, entry, c); !status)
      return status;
  if (status = verifyOrder(context, entry); !status)
    return status;
  return verifyOwnership(context, entry);
}

Status verifyRecipe(const Recipe &recipe, const FileLayout &layout) {
  Context context{recipe, layout, {}, {}};
  Status status = verifyAccounting(recipe, layout.metadataSize);
  if (status)
    status = verifyHead(recipe);
  if (status)
    status = verifySections(context);
  if (status)
    status = verifyTensors(context);
  if (status)
    status = verifyKernels(context);
  if (!status)
    return status;
  for (const Entry *entry : items(recipe.entries())) {
    if (status = verifyEntry(context, *entry); !status)
      return status;
  }
  return {};
}

} // namespace gaudi::recipe
