// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that every byte read was written for the tensor that reads it.
//
// Going through the commands in order, each byte belongs to the alias root
// that was last written there: two live buffers in one place show up as a
// read of bytes that another root has taken over. A read stops at the first
// byte of another owner, and neighbours of one owner are one range, so a read
// looks at few ranges: the work is operands times a logarithm.
//
// Several commands may write a root, each a window on it, and the windows may
// have gaps (columns). The range of such a root belongs to it from the first
// write, and WrittenParts knows which of its bytes are written. Tensors of one
// root are values of different times: one that was read is not read again after
// another one was written to its bytes.
#include "Gaudi/Kernel/Runs.h"
#include "Gaudi/Support/IntervalMap.h"
#include "WrittenParts.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace gaudi::recipe {
namespace {

constexpr uint32_t nobody = UINT32_MAX;

struct Owner {
  uint32_t root = nobody;
  bool inParts = false; // only the bytes that its WrittenParts has are written
  bool operator==(const Owner &other) const {
    return root == other.root && inParts == other.inParts;
  }
};

/// A root that commands write with gaps.
struct PartedRoot {
  explicit PartedRoot(uint64_t begin) : parts(begin) {}
  WrittenParts parts;
  std::vector<kernel::Window> windows;
  bool isByRuns = false; // the windows are no boxes
};

/// Calls visit(begin, end) for each contiguous run of the window until it
/// returns an error.
template <typename Visit>
Status visitRuns(const kernel::Window &window, Visit &&visit) {
  Status status;
  kernel::eachRun(window, [&](uint64_t begin, uint64_t end) {
    status = visit(begin, end);
    return status.has_value();
  });
  return status;
}

class OwnershipVerifier {
public:
  OwnershipVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry) {}

  Status run() {
    findParts();
    // Inputs are written before the first command.
    for (uint32_t id : items(entry.inputs())) {
      const TensorInfo &tensor = context.tensors[id];
      sections[tensor.section].assign(tensor.begin, tensor.end,
                                      {tensor.root, false});
      given.insert(id);
      readAt[id] = 0; // the caller knows its value
    }
    for (uint32_t c = 0; c < items(entry.commands()).size(); ++c) {
      now = c + 1;
      const Command &command = *items(entry.commands())[c];
      // Reads before writes, since a command may write over its own operand.
      for (uint32_t id : items(command.inputs()))
        if (Status status = read(id); !status)
          return fail("{} reads {}", commandLabel(entry, c),
                      status.error().message);
      for (uint32_t id : items(command.outputs()))
        if (Status status = write(id); !status)
          return fail("{} {}", commandLabel(entry, c), status.error().message);
    }
    // Outputs are read when all commands have run.
    ++now;
    for (uint32_t id : items(entry.outputs()))
      if (Status status = read(id); !status)
        return fail("{} returns {}", entryLabel(entry), status.error().message);
    return {};
  }

private:
  const Context &context;
  const Entry &entry;
  std::map<uint32_t, IntervalMap<Owner>> sections; // byte ranges
  std::map<uint32_t, PartedRoot> parted;           // by root

  struct Write {
    uint32_t time, tensor;
  };
  uint32_t now = 0;                   // the number of the command, from 1
  std::unordered_set<uint32_t> given; // inputs
  std::unordered_map<uint32_t, std::vector<Write>> writes; // by root, in order
  /// By tensor: when it was read last since it was written.
  std::unordered_map<uint32_t, uint32_t> readAt;

  /// Constants and state have a value from the start. Nobody else can write
  /// their bytes: a command writes no constant, and persistent roots, the only
  /// tensors of their sections, do not overlap.
  static bool hasValue(const TensorInfo &tensor) {
    return tensor.rootClass == TensorClass::Const ||
           tensor.rootClass == TensorClass::State;
  }

  /// The number system of a root needs all windows that commands write.
  void findParts() {
    for (const Command *command : items(entry.commands()))
      for (uint32_t id : items(command->outputs())) {
        const TensorInfo &tensor = context.tensors[id];
        if (hasValue(tensor) || isContiguous(tensor.window))
          continue;
        PartedRoot &root =
            parted.try_emplace(tensor.root, context.tensors[tensor.root].begin)
                .first->second;
        root.parts.announce(tensor.window);
        root.windows.push_back(tensor.window);
      }
    for (auto &[id, root] : parted)
      root.isByRuns = !root.parts.prepare(root.windows);
  }

  PartedRoot *partsOf(uint32_t root) {
    const auto found = parted.find(root);
    return found == parted.end() ? nullptr : &found->second;
  }

  /// Ranges beyond those that each operand may have pay from the budget.
  Status payFor(IntervalMap<Owner> &map) const {
    constexpr uint64_t free = 4;
    const uint64_t visits = map.takeVisits();
    return visits > free ? context.work.spend(visits - free) : Status();
  }

  Status write(uint32_t id) {
    const TensorInfo &tensor = context.tensors[id];
    IntervalMap<Owner> &map = sections[tensor.section];
    PartedRoot *root = partsOf(tensor.root);
    writes[tensor.root].push_back({now, id});
    readAt.erase(id);
    // What others had there is lost.
    if (!parted.empty())
      map.visit(tensor.begin, tensor.end,
                [&](uint64_t, uint64_t, const Owner *owner) {
                  if (owner && owner->inParts && owner->root != tensor.root)
                    partsOf(owner->root)->parts.clear();
                  return true;
                });
    if (root && !root->isByRuns)
      root->parts.add(tensor.window);
    // What is contiguous is owned as one range, whatever its shape.
    if (hasValue(tensor) || isContiguous(tensor.window)) {
      map.assign(tensor.begin, tensor.end, {tensor.root, false});
    } else if (root->isByRuns) {
      GAUDI_TRY(
          visitRuns(tensor.window, [&](uint64_t begin, uint64_t end) -> Status {
            map.assign(begin, end, {tensor.root, false});
            return context.work.spend(1);
          }));
    } else {
      // A window with gaps marks the root's range as written in parts, which
      // tell the bytes.
      map.update(tensor.begin, tensor.end, [&](Owner &owner) {
        if (owner.root != tensor.root)
          owner = {tensor.root, true};
        return true;
      });
    }
    return payFor(map);
  }

  /// A tensor that was read has a value: nobody else has changed it since then.
  /// The states of programs are variables, which have many.
  Status readSameValue(uint32_t id) {
    const TensorInfo &tensor = context.tensors[id];
    const auto log = writes.find(tensor.root);
    const auto [before, isFirst] = readAt.try_emplace(id, now);
    if (isFirst || log == writes.end() ||
        (tensor.rootClass == TensorClass::State && !given.count(tensor.root)))
      return {};
    // From the last write back to the last read, whose command writes after it.
    for (auto write = log->second.rbegin();
         write != log->second.rend() && write->time >= before->second;
         ++write) {
      constexpr uint64_t pairSteps = 16; // as for pairs of operands
      GAUDI_TRY(context.work.spend(pairSteps));
      if (write->tensor != id &&
          !kernel::provablyDisjoint(tensor.window,
                                    context.tensors[write->tensor].window))
        return fail("{} after {} was written to its bytes: its value is that "
                    "of before",
                    context.tensorLabel(id),
                    context.tensorLabel(write->tensor));
    }
    before->second = now;
    return {};
  }

  Status read(uint32_t id) {
    const TensorInfo &tensor = context.tensors[id];
    // Constants have their bytes from the file.
    if (tensor.rootClass == TensorClass::Const)
      return {};
    GAUDI_TRY(readSameValue(id));
    if (hasValue(tensor))
      return {};
    PartedRoot *root = partsOf(tensor.root);
    bool inParts = false;
    Status whole;
    // As a whole first: most windows lie in bytes of one owner.
    if (!root || !root->isByRuns)
      whole = readRange(id, tensor.begin, tensor.end, inParts);
    // The gaps of a window need no value.
    if ((root && root->isByRuns) || (!whole && !isContiguous(tensor.window)))
      whole =
          visitRuns(tensor.window, [&](uint64_t begin, uint64_t end) -> Status {
            GAUDI_TRY(context.work.spend(1));
            return readRange(id, begin, end, inParts);
          });
    GAUDI_TRY(whole);
    if (!inParts)
      return {};
    if (const auto byte =
            GAUDI_TRY(root->parts.firstMissing(tensor.window, context.work)))
      return fail("{}, but nothing has written byte {} of section @{} before",
                  context.tensorLabel(id), *byte, tensor.section);
    return {};
  }

  /// Sets `inParts` if some of the bytes belong to the root, or to nobody, and
  /// only its parts tell whether they are written.
  Status readRange(uint32_t id, uint64_t begin, uint64_t end, bool &inParts) {
    const TensorInfo &tensor = context.tensors[id];
    const PartedRoot *const root = partsOf(tensor.root);
    const bool hasParts = root && !root->isByRuns;
    bool missing = false;
    uint32_t other = tensor.root;
    // Stops at the first byte of another owner: the work is paid for by ranges
    // that are passed.
    sections[tensor.section].visit(begin, end,
                                   [&](uint64_t, uint64_t, const Owner *owner) {
                                     if (!owner && hasParts)
                                       return inParts = true;
                                     missing = !owner;
                                     if (owner)
                                       other = owner->root;
                                     inParts |= owner && owner->inParts;
                                     return owner && other == tensor.root;
                                   });
    GAUDI_TRY(payFor(sections[tensor.section]));
    if (missing && tensor.rootClass == TensorClass::Input)
      return fail("{}, which is no input of this entry",
                  context.tensorLabel(id));
    if (missing)
      return fail("{}, which nothing has written before",
                  context.tensorLabel(id));
    if (other != tensor.root)
      return fail("{} after {} was written to its bytes: the buffers overlap "
                  "while both are live",
                  context.tensorLabel(id), context.tensorLabel(other));
    return {};
  }
};

} // namespace

Status verifyOwnership(const Context &context, const Entry &entry) {
  return OwnershipVerifier(context, entry).run();
}

} // namespace gaudi::recipe
