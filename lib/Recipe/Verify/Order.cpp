// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that commands on different engines never race for memory.
//
// Going through the commands in order, AccessMap tells the earlier ones that an
// operand conflicts with; CommandOrder whether they have finished.
#include "Context.h"
#include "Gaudi/Recipe/AccessMap.h"
#include "Gaudi/Recipe/CommandOrder.h"

namespace gaudi::recipe {
namespace {

class OrderVerifier {
public:
  OrderVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry), commands(items(entry.commands())),
        order(entry), accesses([&](uint32_t id) { return placeOf(id); }) {}

  Status run() {
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
  CommandOrder order;
  AccessMap accesses;
  std::vector<AccessMap::Access> conflicts;

  AccessMap::Place placeOf(uint32_t id) const {
    const TensorInfo &tensor = context.tensors[id],
                     &root = context.tensors[tensor.root];
    return {tensor.section, tensor.window, tensor.begin,
            tensor.end,     root.begin,    root.end};
  }

  Status use(uint32_t command, uint32_t id, bool writes) {
    if (context.tensors[id].rootClass == TensorClass::Const)
      return {};
    conflicts.clear();
    accesses.add({command, uint32_t(commands[command]->engine()), id, writes},
                 conflicts);
    // The last one that it may meet, a write rather than a read.
    const AccessMap::Access *rival = nullptr;
    for (const AccessMap::Access &earlier : conflicts)
      if (!order.happensBefore(earlier.command, command) &&
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
