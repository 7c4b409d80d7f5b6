// Proves that every byte read was written for the tensor that reads it.
//
// Going through the commands in order, each byte belongs to the alias root
// that was last written there: two live buffers in one place show up as a
// read of bytes that another root has taken over. A read stops at the first
// byte of another owner, so the work is near-linear in the operands.
#include "Context.h"
#include "IntervalMap.h"

#include <map>

namespace gaudi::recipe {
namespace {

class OwnershipVerifier {
public:
  OwnershipVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry) {}

  Status run() {
    for (uint32_t id = 0; id < context.tensors.size(); ++id) {
      const TensorInfo &tensor = context.tensors[id];
      if (tensor.root == id && tensor.tensorClass == TensorClass::State)
        write(id);
    }
    for (uint32_t id : items(entry.inputs()))
      write(id);
    for (uint32_t c = 0; c < items(entry.commands()).size(); ++c) {
      const Command &command = *items(entry.commands())[c];
      for (uint32_t id : items(command.inputs()))
        if (Status status = read(id); !status)
          return reject(commandLabel(entry, c), " reads ",
                        status.error().message);
      for (uint32_t id : items(command.outputs()))
        write(id);
    }
    for (uint32_t id : items(entry.outputs()))
      if (Status status = read(id); !status)
        return reject(entryLabel(entry), " returns ", status.error().message);
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
    // Nobody writes constants, and they have their value from the start.
    if (tensor.rootClass == TensorClass::Const)
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
      return reject(context.tensorLabel(id),
                    ", which is no input of this entry");
    if (missing)
      return reject(context.tensorLabel(id),
                    ", which nothing has written before");
    if (other != tensor.root)
      return reject(context.tensorLabel(id), " after ",
                    context.tensorLabel(other),
                    " was written to its bytes: the buffers overlap while "
                    "both are live");
    return {};
  }
};

} // namespace

Status verifyOwnership(const Context &context, const Entry &entry) {
  return OwnershipVerifier(context, entry).run();
}

} // namespace gaudi::recipe
