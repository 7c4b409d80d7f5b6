// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `transfer`: a copy between tensors of the same sizes and type.
#include "CommandKind.h"

namespace gaudi::recipe {
namespace {

Status verify(const CommandView &view) {
  GAUDI_TRY(checkOperandCounts(view, 1, 1));
  if (view.input(0).type != view.output(0).type)
    return fail("copies {} to {}", elementName(view.input(0).type),
                elementName(view.output(0).type));
  const kernel::Dims &from = view.input(0).window.sizes,
                     &to = view.output(0).window.sizes;
  if (from != to)
    return fail("copies between tensors of different sizes, {} [{}] and {} "
                "[{}]",
                view.context.tensorLabel(view.inputs[0]), fmt::join(from, ","),
                view.context.tensorLabel(view.outputs[0]), fmt::join(to, ","));
  return {};
}

void describe(TextForm &, TransferT &) {}

} // namespace

static const CommandKind kind[] = {
    {Body::Transfer,
     engineSet(Engine::DMA, Engine::TPC, Engine::MME, Engine::Host), verify,
     nullptr, textOf<TransferT, describe>}};
extern const CommandKinds transferCommands = kind;

} // namespace gaudi::recipe
