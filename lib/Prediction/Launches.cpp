// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the entry of a recipe to tasks.
#include "Launches.h"
#include "CommandWork.h"
#include "Hazards.h"
#include "TensorText.h"

#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

namespace gaudi::prediction {
namespace {

using recipe::items;
using recipe::text;

class Builder {
public:
  Builder(Prediction &prediction, const recipe::Recipe &recipe,
          const WorkChange &change, KnownAnswers &answers)
      : prediction(prediction), recipe(recipe), change(change),
        isConstant(items(recipe.tensors()).size()), answers(answers) {}

  void run(uint32_t entry) {
    const auto program = items(items(recipe.entries())[entry]->program());
    if (program.empty()) {
      addEntry(entry);
      return;
    }
    uint32_t loops = 0;
    for (const recipe::ProgramStep *step : program) {
      loops += step->kind() == recipe::StepKind::While;
      if (step->kind() == recipe::StepKind::Launch) {
        if (!prediction.launches.empty())
          addHostLaunch();
        addEntry(step->id());
      }
    }
    if (loops)
      prediction.notes.push_back(fmt::format(
          "the host runs {}, and how often is known only in a run: each is "
          "predicted with one iteration",
          loops == 1 ? "a loop" : fmt::format("{} loops", loops)));
  }

private:
  void addEntry(uint32_t entry) {
    const auto first = uint32_t(prediction.commands.size());
    const auto commands = items(items(recipe.entries())[entry]->commands());
    for (const recipe::Command *given : commands)
      addCommand(*given, first);
    addHazards(prediction.tasks, first, recipe,
               *items(recipe.entries())[entry]);
    prediction.launches.push_back({entry, first, commands.size()});
    // The next launch waits for all that nothing else waits for.
    std::vector<bool> isAwaited(commands.size());
    for (uint32_t t = first; t < prediction.tasks.size(); ++t) {
      timing::Task &task = prediction.tasks[t];
      for (const timing::Dependency &dependency : task.dependencies)
        isAwaited[dependency.task - first] = true;
      if (task.dependencies.empty() && first > 0)
        task.dependencies.push_back({first - 1, false});
    }
    ends.clear();
    for (uint32_t t = first; t < prediction.tasks.size(); ++t)
      if (!isAwaited[t - first])
        ends.push_back({t, false});
    if (commands.empty() && first > 0)
      ends.push_back({first - 1, false});
  }

  void addCommand(const recipe::Command &given, uint32_t first) {
    const auto operandText = [&](const char *role, uint32_t id) {
      return role + typeText(*items(recipe.tensors())[id]);
    };
    Command command;
    command.name = text(given.name());
    command.location = text(items(recipe.locations())[given.location()]);
    command.queue = timing::Queue(given.engine());
    for (uint32_t id : items(given.inputs()))
      command.operands.push_back(operandText("in ", id));
    for (uint32_t id : items(given.outputs()))
      command.operands.push_back(operandText("out ", id));
    command.flops = given.flops();
    command.bytes = given.bytes();
    command.index = uint32_t(prediction.commands.size()) - first;
    command.constantInputs = constantInputsOf(given);
    timing::Task task;
    task.queue = command.queue;
    // Networks repeat their layers: a cost is found once. Equal works of equal
    // constants that are both changed, or both not, stay equal.
    const auto number = uint32_t(prediction.commands.size());
    std::string key = workKeyOf(recipe, given);
    if (change) {
      command.work = workOf(recipe, given);
      key += change(number, command.work)
                 ? fmt::format("c{}", command.constantInputs)
                 : "u";
    }
    const auto [place, isNew] = answers.works.try_emplace(key);
    KnownAnswers::Work &work = place->second;
    if (isNew) {
      work.number = uint32_t(answers.works.size());
      work.work = change ? std::move(command.work) : workOf(recipe, given);
      work.cost = timing::costOf(work.work, *prediction.device);
    }
    command.work = work.work;
    command.workClass = known.insert({work.number, number}).first->second;
    task.cost = work.cost;
    answers.workOfCommand.push_back(work.number);
    for (uint32_t dependency : items(given.dependencies()))
      task.dependencies.push_back({first + dependency, false});
    prediction.tasks.push_back(std::move(task));
    prediction.commands.push_back(std::move(command));
  }

  /// Also marks what the command writes, for those that read it. Fills are no
  /// constants: other commands write into what they set.
  uint32_t constantInputsOf(const recipe::Command &command) {
    uint32_t bits = 0, i = 0;
    bool all = command.inputs() && command.inputs()->size() > 0;
    for (uint32_t id : items(command.inputs())) {
      const recipe::Tensor &tensor = *items(recipe.tensors())[id];
      const bool is = isConstant[id] ||
                      items(recipe.sections())[tensor.section()]->kind() ==
                          recipe::SectionKind::Const;
      if (is && i < 32)
        bits |= 1u << i;
      all &= is;
      ++i;
    }
    for (uint32_t id : items(command.outputs()))
      isConstant[id] = all;
    return bits;
  }

  /// Between two parts of a program: the host waits for the first one, reads
  /// the condition of a loop, and launches the second.
  void addHostLaunch() {
    Command command;
    command.name = "host.launch";
    command.queue = timing::Queue::Host;
    command.work = timing::LibraryWork{"host.launch", {}, 0, {}};
    // No work has this number.
    command.workClass =
        known.insert({0, uint32_t(prediction.commands.size())}).first->second;
    answers.workOfCommand.push_back(0);
    timing::Task task;
    task.queue = timing::Queue::Host;
    task.cost.compute = Picoseconds(
        std::llround(double(prediction.device->launchSeconds) * 1e12));
    task.cost.bound = timing::Bound::Launch;
    task.dependencies = std::move(ends);
    prediction.tasks.push_back(std::move(task));
    prediction.commands.push_back(std::move(command));
  }

  Prediction &prediction;
  const recipe::Recipe &recipe;
  const WorkChange &change;
  std::vector<timing::Dependency> ends; // of the last launch
  std::vector<bool> isConstant;         // tensors that constants decided
  KnownAnswers &answers;
  std::unordered_map<uint32_t, uint32_t> known; // the first of each work
};

} // namespace

void addLaunches(Prediction &prediction, const recipe::Recipe &recipe,
                 uint32_t entry, const WorkChange &change,
                 KnownAnswers &known) {
  known.workOfCommand.clear();
  Builder(prediction, recipe, change, known).run(entry);
}

} // namespace gaudi::prediction
