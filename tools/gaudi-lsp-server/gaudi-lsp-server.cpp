// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-lsp-server: MLIR's language server with the dialects of gaudi-opt.
#include "Answers.h"
#include "Gaudi/Compiler/ParserHints.h"
#include "Gaudi/Compiler/Register.h"
#include "ToolHelp.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace mlir;
using namespace gaudi;

static const char *const help =
    R"(gaudi-lsp-server: the language server for models in MLIR
Usage: gaudi-lsp-server [options]

An editor starts it and speaks the language server protocol with it on standard
input and output. It knows the dialects of gaudi-opt, and shows errors, types,
definitions, uses and what ops do. docs/tools.md sets editors up.

Options:
  --log=error|info|verbose           What to log on standard error
  --pretty                           Write JSON for people
  --lit-test                         Read and write as tests do: messages
                                     between // ----- lines
  --help, -h                         Print this help
  --help-hidden                      List all options, also those of LLVM
  --version                          Print the version
)";

int main(int argc, char **argv) {
  llvm::InitLLVM setUp(argc, argv);
  if (wantsHelp(argc, argv)) {
    llvm::outs() << help;
    return 0;
  }
  StringRef before; // "--log" may have its value behind a space
  for (StringRef argument : ArrayRef(argv, argc).drop_front()) {
    if (!argument.starts_with("-") && before.ltrim('-') != "log") {
      llvm::errs() << "gaudi-lsp-server: error: unexpected argument '"
                   << argument
                   << "'; it reads no file: an editor starts it, as "
                      "docs/tools.md says\n";
      return 1;
    }
    before = argument;
  }
  llvm::cl::SetVersionPrinter(printVersion);
  DialectRegistry registry;
  registerGaudiDialects(registry);
  // The server owns the text, which changes; the hints do without it.
  addParserHints(registry, /*source=*/"");
  // LLVM ends the program where it prints its version or its options.
  const bool onlyPrints =
      llvm::any_of(ArrayRef(argv, argc).drop_front(), [](StringRef argument) {
        argument = argument.ltrim('-');
        return argument.starts_with("version") || argument.starts_with("help");
      });
  std::optional<AnswerFilter> filter;
  if (!onlyPrints)
    filter.emplace();
  return failed(MlirLspServerMain(argc, argv, registry));
}
