// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `library`: a kernel that the instruction set cannot express, by name.
#include "CommandKind.h"

#include "Gaudi/Recipe/LibraryKernels.h"

#include <cassert>

namespace gaudi::recipe {
namespace {

Status verify(const CommandView &view) {
  const Library &library = *view.command.body_as_Library();
  const LibraryKernel *kernel = findLibraryKernel(text(library.name()));
  if (!kernel)
    return fail("runs library kernel {}, which does not exist",
                quoted(text(library.name())));
  const uint64_t operands = uint64_t(view.inputs.size()) + view.outputs.size();
  if (operands > maxKernelOperands)
    return fail("has {} operands, expected at most {}", operands,
                maxKernelOperands);
  LibraryCall call;
  for (uint32_t i = 0; i < view.inputs.size(); ++i)
    call.inputs.push_back({view.input(i).type, view.input(i).window.sizes});
  for (uint32_t i = 0; i < view.outputs.size(); ++i)
    call.outputs.push_back({view.output(i).type, view.output(i).window.sizes});
  call.ints = copyOf(library.ints());
  call.floats = copyOf(library.floats());
  if (Status status = kernel->check(call); !status)
    return fail("library kernel \"{}\": {}", kernel->name,
                status.error().message);
  return {};
}

Result<bool> inPlace(const CommandView &view, uint32_t input, uint32_t output) {
  const LibraryKernel *kernel =
      findLibraryKernel(text(view.command.body_as_Library()->name()));
  assert(kernel && "verify has found it");
  return mayWriteInPlace(*kernel, input, output, view.input(input).window,
                         view.output(output).window);
}

void describe(TextForm &text, LibraryT &library) {
  text.field(library.name);
  text.optional("ints", library.ints);
  text.optional("floats", library.floats);
}

} // namespace

static const CommandKind kind[] = {
    {Body::Library, engineSet(Engine::TPC, Engine::Host), verify, inPlace,
     textOf<LibraryT, describe>}};
extern const CommandKinds libraryCommands = kind;

} // namespace gaudi::recipe
