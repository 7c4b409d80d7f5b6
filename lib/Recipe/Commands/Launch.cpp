// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `launch`: runs a kernel of the recipe.
#include "CommandKind.h"

namespace gaudi::recipe {
namespace {

Status verify(const CommandView &view) {
  const uint32_t kernel = view.command.body_as_Launch()->kernel();
  if (kernel >= view.context.kernels.size())
    return fail("launches kernel {} but there are {} kernels", kernel,
                view.context.kernels.size());
  return verifyLaunch(view.context, view.command, view.context.kernels[kernel]);
}

Result<bool> inPlace(const CommandView &view, uint32_t input, uint32_t output) {
  const KernelInfo &kernel =
      view.context.kernels[view.command.body_as_Launch()->kernel()];
  return allowsInPlace(view.context, kernel, input, output,
                       view.input(input).window, view.output(output).window);
}

void describe(TextForm &text, LaunchT &launch) { text.field(launch.kernel); }

} // namespace

static const CommandKind kind[] = {
    {Body::Launch, engineSet(Engine::TPC, Engine::Host), verify, inPlace,
     textOf<LaunchT, describe>}};
extern const CommandKinds launchCommands = kind;

} // namespace gaudi::recipe
