// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that commands on different engines never race for memory.
//
// Every command gets a vector clock (Lamport's happened-before, one component
// per engine): for each engine, how many of its commands have finished when the
// command starts, itself included. Command a happens before b exactly if b's
// component of a's engine has reached a's own. Going through the commands in
// order, AccessMap tells the earlier ones that an operand conflicts with.
#include "Context.h"
#include "Gaudi/Recipe/AccessMap.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace gaudi::recipe {
namespace {

constexpr size_t engineCount = size_t(Engine::MAX) + 1;
/// Clock entries count commands, so 0 is "none".
using Clock = std::array<uint32_t, engineCount>;

class OrderVerifier {
public:
  OrderVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry), commands(items(entry.commands())),
        accesses([&](uint32_t id) { return placeOf(id); }) {}

  Status run() {
    computeClocks();
    for (uint32_t c = 0; c < commands.size(); ++c) {
      for (uint32_t id : items(commands[c]->inputs()))
        GAUDI_TRY(use(c, id, false));
      for (uint32_t id : items(commands[c]->outputs()))
        GAUDI_TRY(use(c, id, true));
    }
    return {};
  }

private:
  const Context &context;
  const Entry &entry;
  Items<flatbuffers::Offset<Command>> commands;
  std::vector<Clock> clocks;
  AccessMap accesses;
  std::vector<AccessMap::Access> conflicts;

  AccessMap::Place placeOf(uint32_t id) const {
    const TensorInfo &tensor = context.tensors[id],
                     &root = context.tensors[tensor.root];
    return {tensor.section, tensor.window, tensor.begin,
            tensor.end,     root.begin,    root.end};
  }

  size_t engineOf(uint32_t command) const {
    return size_t(commands[command]->engine());
  }

  void computeClocks() {
    clocks.resize(commands.size());
    Clock last[engineCount] = {};
    for (uint32_t c = 0; c < commands.size(); ++c) {
      Clock &clock = clocks[c];
      clock = last[engineOf(c)]; // an engine runs its commands in order
      for (uint32_t d : items(commands[c]->dependencies())) {
        assert(d < c && "dependencies were checked");
        for (size_t e = 0; e < engineCount; ++e)
          clock[e] = std::max(clock[e], clocks[d][e]);
      }
      ++clock[engineOf(c)];
      last[engineOf(c)] = clock;
    }
  }

  /// True if the earlier command has finished when the later one starts.
  bool happensBefore(uint32_t earlier, uint32_t later) const {
    const size_t engine = engineOf(earlier);
    return clocks[later][engine] >= clocks[earlier][engine];
  }

  Status use(uint32_t command, uint32_t id, bool writes) {
    if (context.tensors[id].rootClass == TensorClass::Const)
      return {};
    conflicts.clear();
    accesses.add({command, uint32_t(engineOf(command)), id, writes}, conflicts);
    // The last one that it may meet, a write rather than a read.
    const AccessMap::Access *rival = nullptr;
    for (const AccessMap::Access &earlier : conflicts)
      if (!happensBefore(earlier.command, command) &&
          (!rival || earlier.writes >= rival->writes))
        rival = &earlier;
    if (rival)
      return fail(
          "{} {}{} while {} may still {} those bytes; expected a dependency",
          commandLabel(entry, command), writes ? "writes " : "reads ",
          context.tensorLabel(id), commandLabel(entry, rival->command),
          rival->writes ? "write" : "read");
    // A read looks at every range of a tensor that was written in parts, and
    // many commands may read it.
    if (Status status = context.work.spend(accesses.takeSteps()); !status)
      return fail("{} {}", entryLabel(entry), status.error().message);
    return {};
  }
};

} // namespace

Status verifyOrder(const Context &context, const Entry &entry) {
  return OrderVerifier(context, entry).run();
}

} // namespace gaudi::recipe
