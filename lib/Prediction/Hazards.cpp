// Reads after writes, writes after reads and writes after writes.
#include "Hazards.h"
#include "Gaudi/Recipe/IntervalMap.h"
#include "Gaudi/Recipe/LiveBuffers.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>

namespace gaudi::prediction {
namespace {

using recipe::items;

/// Who used a range of bytes last: commands plus 1, 0 is none. Of several
/// readers on one queue the last stands for all, as in recipes.
struct Users {
  uint32_t writer = 0;
  std::array<uint32_t, timing::queueCount> readers{};

  bool operator==(const Users &other) const {
    return writer == other.writer && readers == other.readers;
  }
};

class Hazards {
public:
  Hazards(const recipe::Recipe &recipe, std::vector<timing::Task> &tasks,
          uint32_t first)
      : recipe(recipe), tasks(tasks), first(first) {}

  void add(const recipe::Command &command, uint32_t number) {
    assert(first + number < tasks.size() && "one task per command");
    for (uint32_t id : items(command.inputs()))
      read(id, number, size_t(command.engine()));
    for (uint32_t id : items(command.outputs()))
      write(id, number);
    auto &found = tasks[first + number].dependencies;
    std::sort(found.begin(), found.end(),
              [](const timing::Dependency &a, const timing::Dependency &b) {
                return a.task < b.task;
              });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const timing::Dependency &a,
                               const timing::Dependency &b) {
                              return a.task == b.task;
                            }),
                found.end());
  }

private:
  void waitFor(uint32_t user, uint32_t number) {
    if (user == 0 || user - 1 == number)
      return;
    auto &found = tasks[first + number].dependencies;
    // Ranges of one writer come one after the other.
    if (found.empty() || found.back().task != first + user - 1)
      found.push_back({first + user - 1, false});
  }

  recipe::IntervalMap<Users> &sectionOf(const recipe::Tensor &tensor) {
    return sections[tensor.section()];
  }

  void read(uint32_t id, uint32_t number, size_t queue) {
    const recipe::Tensor &tensor = *items(recipe.tensors())[id];
    if (tensor.tensor_class() == recipe::TensorClass::Const)
      return;
    sectionOf(tensor).update(tensor.offset(),
                             tensor.offset() + recipe::tensorBytes(tensor),
                             [&](Users &users) {
                               waitFor(users.writer, number);
                               users.readers[queue] = number + 1;
                               return true;
                             });
  }

  void write(uint32_t id, uint32_t number) {
    const recipe::Tensor &tensor = *items(recipe.tensors())[id];
    const uint64_t begin = tensor.offset(),
                   end = begin + recipe::tensorBytes(tensor);
    sectionOf(tensor).visit(begin, end,
                            [&](uint64_t, uint64_t, const Users *users) {
                              if (!users)
                                return true;
                              waitFor(users->writer, number);
                              for (uint32_t reader : users->readers)
                                waitFor(reader, number);
                              return true;
                            });
    Users users;
    users.writer = number + 1;
    sectionOf(tensor).assign(begin, end, users);
  }

  const recipe::Recipe &recipe;
  std::vector<timing::Task> &tasks;
  uint32_t first;
  std::unordered_map<uint32_t, recipe::IntervalMap<Users>> sections;
};

} // namespace

void addHazards(std::vector<timing::Task> &tasks, uint32_t first,
                const recipe::Recipe &recipe, const recipe::Entry &entry) {
  Hazards hazards(recipe, tasks, first);
  uint32_t number = 0;
  for (const recipe::Command *command : items(entry.commands()))
    hazards.add(*command, number++);
}

} // namespace gaudi::prediction
