// Proves that every byte read was written for the tensor that reads it.
//
// Going through the commands in order, each byte belongs to the alias root
// that was last written there: two live buffers in one place show up as a
// read of bytes that another root has taken over. A read stops at the first
// byte of another owner, and neighbours of one owner are one range, so a read
// looks at two ranges at most: the work is operands times a logarithm.
#include "Context.h"
#include "Gaudi/Recipe/IntervalMap.h"

#include <map>

namespace gaudi::recipe {
namespace {

class OwnershipVerifier {
public:
  OwnershipVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry) {}

  Status run() {
    for (uint32_t id : items(entry.inputs()))
      write(id);
    for (uint32_t c = 0; c < items(entry.commands()).size(); ++c) {
      const Command &command = *items(entry.commands())[c];
      for (uint32_t id : items(command.inputs()))
        if (Status status = read(id); !status)
          return fail("{} reads {}", commandLabel(entry, c),
                      status.error().message);
      for (uint32_t id : items(command.outputs()))
        write(id);
    }
    for (uint32_t id : items(entry.outputs()))
      if (Status status = read(id); !status)
        return fail("{} returns {}", entryLabel(entry), status.error().message);
    return {};
  }

private:
  const Context &context;
  const Entry &entry;
  std::map<uint32_t, IntervalMap<uint32_t>> sections; // byte range -> root

  void write(uint32_t id) {
    const TensorInfo &tensor = context.tensors[id];
    sections[tensor.section].assign(tensor.begin, tensor.end, tensor.root);
  }

  Status read(uint32_t id) {
    const TensorInfo &tensor = context.tensors[id];
    // Constants and state have a value from the start. Nobody else can write
    // their bytes: a command writes no constant, and persistent roots, the only
    // tensors of their sections, do not overlap.
    if (tensor.rootClass == TensorClass::Const ||
        tensor.rootClass == TensorClass::State)
      return {};
    bool missing = false;
    uint32_t other = tensor.root;
    IntervalMap<uint32_t> &map = sections[tensor.section];
    map.visit(tensor.begin, tensor.end,
              [&](uint64_t, uint64_t, const uint32_t *owner) {
                missing = !owner;
                if (owner)
                  other = *owner;
                return owner && *owner == tensor.root;
              });
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
