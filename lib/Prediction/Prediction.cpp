// From the commands of an entry to tasks, and from their timeline to numbers.
#include "Gaudi/Prediction/Prediction.h"
#include "CommandWork.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace gaudi::prediction {
namespace {

using recipe::items;
using recipe::text;
using timing::Queue;

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

void addMemory(Prediction &prediction, const recipe::Recipe &recipe) {
  for (const recipe::Section *section : items(recipe.sections()))
    (section->kind() == recipe::SectionKind::Persistent ? prediction.persistent
     : section->kind() == recipe::SectionKind::Const ? prediction.constants
                                                     : prediction.workspace) +=
        section->size();
  prediction.capacity = prediction.device->memory.dramBytes;
}

/// Multiply-adds per second of operands of a type.
double peakOf(const timing::MatrixWork &work, const device::MmeSpec &mme) {
  const double edge =
      work.a.type == kernel::ElementType::F32 ? mme.fp32GeometryDivisor : 1;
  return double(mme.macsPerCycleBF16) * double(mme.clockHz) / edge / edge /
         mme.cyclesPerElement(work.a.type);
}

void setUtilization(Prediction &prediction) {
  double seconds = 0;
  for (const Command &command : prediction.commands)
    if (const auto *work = std::get_if<timing::MatrixWork>(&command.work))
      seconds +=
          double(command.flops) / 2 / peakOf(*work, prediction.device->mme);
  if (prediction.time())
    prediction.mmeUtilization = seconds * 1e12 / double(prediction.time());
}

} // namespace

double Prediction::intensity() const {
  return hbmBytes ? double(flops) / double(hbmBytes) : 0;
}

double Prediction::shareOf(timing::Queue queue) const {
  return time() ? double(timeline.queues[size_t(queue)].busy) / double(time())
                : 0;
}

std::vector<uint32_t> Prediction::longest(size_t count) const {
  std::vector<uint32_t> order(commands.size());
  for (uint32_t c = 0; c < order.size(); ++c)
    order[c] = c;
  const auto duration = [&](uint32_t c) {
    return timeline.spans[c].end - timeline.spans[c].start;
  };
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + ptrdiff_t(count),
                    order.end(), [&](uint32_t a, uint32_t b) {
                      const Picoseconds x = duration(a), y = duration(b);
                      return x != y ? x > y : a < b;
                    });
  order.resize(count);
  return order;
}

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
  addMemory(prediction, recipe);
  setUtilization(prediction);
  return prediction;
}

} // namespace gaudi::prediction
