// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `fill`: sets all elements of a tensor.
#include "CommandKind.h"

namespace gaudi::recipe {
namespace {

Status verify(const CommandView &view) {
  GAUDI_TRY(checkOperandCounts(view, 0, 1));
  const ElementType type = view.output(0).type;
  const uint64_t value = view.command.body_as_Fill()->value();
  const unsigned bits =
      type == ElementType::I1 ? 1 : 8 * view.output(0).window.elementSize;
  if (bits < 64 && value >> bits != 0)
    return fail("fills with bits {}, which do not fit {}", value,
                elementName(type));
  return {};
}

void describe(TextForm &text, FillT &fill) {
  if (TextWriter *out = text.printed())
    return out->put(" {:#x}", fill.value);
  text.field(fill.value);
}

} // namespace

static const CommandKind kind[] = {
    {Body::Fill, engineSet(Engine::DMA, Engine::TPC, Engine::Host), verify,
     nullptr, textOf<FillT, describe>}};
extern const CommandKinds fillCommands = kind;

} // namespace gaudi::recipe
