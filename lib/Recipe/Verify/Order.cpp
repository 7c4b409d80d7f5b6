// Proves that commands on different engines never race for memory.
//
// Every command gets a vector clock (Lamport's happened-before, one component
// per engine): for each engine, how many of its commands have finished when the
// command starts, itself included. Command a happens before b exactly if b's
// component of a's engine has reached a's own. Going through the commands in
// order, a map of byte ranges remembers the last writer and, per engine, the
// last reader since. That is enough: earlier commands of one engine happen
// before its last one, and readers before a write were compared with it.
#include "Context.h"
#include "Gaudi/Recipe/IntervalMap.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

namespace gaudi::recipe {
namespace {

constexpr size_t engineCount = size_t(Engine::MAX) + 1;
/// Clock entries count commands, so 0 is "none".
using Clock = std::array<uint32_t, engineCount>;

/// Command numbers plus 1; 0 is none.
struct Users {
  uint32_t writer = 0;
  std::array<uint32_t, engineCount> readers = {};
  bool operator==(const Users &other) const {
    return writer == other.writer && readers == other.readers;
  }
};

class OrderVerifier {
public:
  OrderVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry), commands(items(entry.commands())) {}

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
  std::map<uint32_t, IntervalMap<Users>> sections;

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

  /// True if the user has finished when the command starts. `user` is a command
  /// number plus 1.
  bool before(uint32_t user, uint32_t command) const {
    if (user == 0 || user - 1 == command)
      return true;
    const size_t engine = engineOf(user - 1);
    return clocks[command][engine] >= clocks[user - 1][engine];
  }

  Status use(uint32_t command, uint32_t id, bool write) {
    const TensorInfo &tensor = context.tensors[id];
    if (tensor.rootClass == TensorClass::Const)
      return {};
    IntervalMap<Users> &map = sections[tensor.section];
    uint32_t rival = 0;
    bool rivalWrites = false;
    auto isRival = [&](uint32_t user, bool writes) {
      if (rival || before(user, command))
        return;
      rival = user;
      rivalWrites = writes;
    };
    if (write) {
      map.visit(tensor.begin, tensor.end,
                [&](uint64_t, uint64_t, const Users *users) {
                  if (!users)
                    return true;
                  isRival(users->writer, true);
                  for (uint32_t reader : users->readers)
                    isRival(reader, false);
                  return rival == 0;
                });
      Users users;
      users.writer = command + 1;
      map.assign(tensor.begin, tensor.end, users);
    } else {
      const size_t engine = engineOf(command);
      // One pass: the columns of one tensor that several thousand commands
      // wrote are as many ranges, and each column may be read on its own.
      map.update(tensor.begin, tensor.end, [&](Users &users) {
        isRival(users.writer, true);
        users.readers[engine] = command + 1;
        return rival == 0;
      });
    }
    if (rival)
      return fail(
          "{} {}{} while {} may still {} those bytes; expected a dependency",
          commandLabel(entry, command), write ? "writes " : "reads ",
          context.tensorLabel(id), commandLabel(entry, rival - 1),
          rivalWrites ? "write" : "read");
    // A read looks at every range of a tensor that was written in parts, and
    // many commands may read it.
    if (Status status = context.work.spend(map.takeVisits()); !status)
      return fail("{} {}", entryLabel(entry), status.error().message);
    return {};
  }
};

} // namespace

Status verifyOrder(const Context &context, const Entry &entry) {
  return OrderVerifier(context, entry).run();
}

} // namespace gaudi::recipe
