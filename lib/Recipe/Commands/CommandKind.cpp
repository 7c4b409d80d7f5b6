// The registry of command kinds, and checks that several share.
#include "CommandKind.h"

#include <cassert>

namespace gaudi::recipe {

// The rows, each in a file of its own.
extern const CommandKind launchCommand;
extern const CommandKind gemmCommand;
extern const CommandKind convCommand;
extern const CommandKind transferCommand;
extern const CommandKind fillCommand;
extern const CommandKind libraryCommand;

const std::vector<const CommandKind *> &commandKinds() {
  static const std::vector<const CommandKind *> kinds = {
      &launchCommand,   &gemmCommand, &convCommand,
      &transferCommand, &fillCommand, &libraryCommand};
  assert(kinds.size() == size_t(Body::MAX) && "one row per body");
  return kinds;
}

const CommandKind *commandKindOf(const Command &command) {
  if (command.body_type() == Body::NONE || command.body_type() > Body::MAX ||
      command.body() == nullptr)
    return nullptr;
  const CommandKind *kind = commandKinds()[size_t(command.body_type()) - 1];
  assert(kind->body == command.body_type() && "rows are in the order of Body");
  return kind;
}

std::string CommandKind::word() const { return lowerCase(EnumNameBody(body)); }

Status checkOperandCounts(const CommandView &view, uint32_t inputs,
                          uint32_t outputs) {
  if (view.inputs.size() != inputs || view.outputs.size() != outputs)
    return fail("takes {} inputs and {} outputs but got {} and {}", inputs,
                outputs, view.inputs.size(), view.outputs.size());
  return {};
}

Status checkMatrixOperands(const CommandView &view) {
  GAUDI_TRY(checkOperandCounts(view, 2, 1));
  for (uint32_t id : {view.inputs[0], view.inputs[1], view.outputs[0]})
    if (const ElementType type = view.context.tensors[id].type; !isFloat(type))
      return fail("takes float tensors but {} is {}",
                  view.context.tensorLabel(id), elementName(type));
  if (view.input(0).type != view.input(1).type)
    return fail("takes inputs of one type but got {} and {}",
                elementName(view.input(0).type),
                elementName(view.input(1).type));
  return {};
}

} // namespace gaudi::recipe
