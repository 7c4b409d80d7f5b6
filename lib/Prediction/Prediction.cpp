// From the commands of an entry to tasks, and from their timeline to numbers.
#include "Gaudi/Prediction/Prediction.h"
#include "CommandWork.h"

#include <cassert>
#include <fmt/format.h>

namespace gaudi::prediction {
namespace {

using recipe::items;
using recipe::text;

/// "2x128xbf16"
std::string typeText(const recipe::Tensor &tensor) {
  std::string result;
  for (int64_t size : items(tensor.sizes()))
    result += fmt::format("{}x", size);
  return result +
         std::string(kernel::elementName(kernel::ElementType(tensor.type())));
}

void addCommands(Prediction &prediction, const recipe::Recipe &recipe,
                 const recipe::Entry &entry) {
  const auto first = uint32_t(prediction.commands.size());
  for (const recipe::Command *given : items(entry.commands())) {
    Command command;
    command.name = text(given->name());
    command.location = text(items(recipe.locations())[given->location()]);
    command.queue = timing::Queue(given->engine());
    for (uint32_t id : items(given->inputs()))
      command.operands.push_back("in " +
                                 typeText(*items(recipe.tensors())[id]));
    for (uint32_t id : items(given->outputs()))
      command.operands.push_back("out " +
                                 typeText(*items(recipe.tensors())[id]));
    command.flops = given->flops();
    command.bytes = given->bytes();
    command.work = workOf(recipe, *given);
    command.index = uint32_t(prediction.commands.size()) - first;
    timing::Task task;
    task.queue = command.queue;
    task.cost = timing::costOf(command.work, *prediction.device);
    for (uint32_t dependency : items(given->dependencies()))
      task.dependencies.push_back({first + dependency, false});
    prediction.flops += command.flops;
    prediction.hbmBytes += task.cost.hbmRead + task.cost.hbmWritten;
    prediction.tasks.push_back(std::move(task));
    prediction.commands.push_back(std::move(command));
  }
}

} // namespace

Result<Prediction> predict(const recipe::RecipeFile &file, uint32_t entry) {
  const recipe::Recipe &recipe = file.recipe();
  if (entry >= items(recipe.entries()).size())
    return fail("no entry {}: the recipe has {}", entry,
                items(recipe.entries()).size());
  Prediction prediction;
  prediction.device =
      GAUDI_TRY(device::DeviceSpec::lookup(text(recipe.target())));
  const recipe::Entry &given = *items(recipe.entries())[entry];
  prediction.entry = text(given.name());
  addCommands(prediction, recipe, given);
  prediction.timeline = timing::play(prediction.tasks, *prediction.device);
  return prediction;
}

} // namespace gaudi::prediction
