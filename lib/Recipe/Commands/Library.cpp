// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `library`: a kernel that the instruction set cannot express, by name.
#include "CommandKind.h"

#include "../Text/Format.h"
#include "Gaudi/Recipe/LibraryKernels.h"

#include <cassert>
#include <cstring>

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

/// A kernel that changes some elements of its first input may do so in place.
Result<bool> inPlace(const CommandView &view, uint32_t input, uint32_t output) {
  const LibraryKernel *kernel =
      findLibraryKernel(text(view.command.body_as_Library()->name()));
  assert(kernel && "verify has found it");
  const kernel::Window &from = view.input(input).window,
                       &to = view.output(output).window;
  bool isSame = kernel->updatesInput && input == 0 && output == 0 &&
                from.offset == to.offset && from.sizes == to.sizes &&
                from.elementSize == to.elementSize;
  // Strides of dimensions of size 1 do not matter.
  for (size_t d = 0; isSame && d < from.sizes.size(); ++d)
    isSame = from.sizes[d] == 1 || from.strides[d] == to.strides[d];
  return isSame;
}

void account(const Command &command, Account &account) {
  const Library &library = *command.body_as_Library();
  account.take(library.name());
  account.takeScalars(library.ints());
  account.takeScalars(library.floats());
}

void print(const Command &command, TextWriter &out) {
  const Library &library = *command.body_as_Library();
  out.put(" {}", quoted(text(library.name())));
  if (!items(library.ints()).empty())
    out.put(" ints [{}]", fmt::join(copyOf(library.ints()), ", "));
  if (items(library.floats()).empty())
    return;
  std::vector<std::string> floats;
  for (double number : items(library.floats())) {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    floats.push_back(float64Text(bits));
  }
  out.put(" floats [{}]", fmt::join(floats, ", "));
}

void parse(Lexer &lexer, BodyUnion &body) {
  LibraryT library;
  library.name = lexer.string();
  if (lexer.accept("ints"))
    library.ints = lexer.integers();
  if (lexer.accept("floats"))
    lexer.list("[", "]", [&] {
      const uint64_t bits = lexer.float64();
      double number;
      std::memcpy(&number, &bits, sizeof(number));
      library.floats.push_back(number);
    });
  body.Set(std::move(library));
}

} // namespace

static const CommandKind kind[] = {{Body::Library,
                                    engineSet(Engine::TPC, Engine::Host),
                                    verify, inPlace, account, print, parse}};
extern const CommandKinds libraryCommands = kind;

} // namespace gaudi::recipe
