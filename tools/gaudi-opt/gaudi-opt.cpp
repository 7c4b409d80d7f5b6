// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-opt: mlir-opt with the gaudi dialect, its passes and pipelines.
#include "Arguments.h"
#include "Gaudi/Compiler/PackBooleans.h"
#include "Gaudi/Compiler/ParserHints.h"
#include "Gaudi/Compiler/Register.h"
#include "Gaudi/Compiler/SourceGuards.h"
#include "Gaudi/Support/OutputFile.h"
#include "GaudiOpt.h"
#include "Help.h"
#include "ToolHelp.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"
#include <unistd.h>

using namespace mlir;
using namespace gaudi;

static LogicalResult complain(const Twine &text) {
  llvm::errs() << text << "\n";
  return failure();
}

/// Reports what the system could not write; else LLVM aborts at the end.
static LogicalResult finish(llvm::raw_fd_ostream &os, StringRef path) {
  os.flush();
  if (!os.has_error())
    return success();
  const std::string reason = os.error().message();
  os.clear_error();
  return complain(
      "cannot write " +
      (path == "-" ? "to standard output" : "'" + path.str() + "'") + ": " +
      reason);
}

/// What to do about a file that cannot be written.
static std::string adviceOnOutput(StringRef path) {
  const StringRef folder = llvm::sys::path::parent_path(path);
  if (llvm::sys::fs::is_directory(path))
    return "; name a file in it";
  return !folder.empty() && !llvm::sys::fs::exists(folder)
             ? ("; make its folder first: mkdir -p '" + folder + "'").str()
             : "; name a file that you may write";
}

/// Adds the passes of the command line. MLIR's errors about them name no
/// option and, as a place, an unknown one.
static LogicalResult setUpPasses(const MlirOptMainConfig &passes,
                                 PassManager &manager,
                                 ArrayRef<char *> arguments) {
  std::string problem;
  {
    ScopedDiagnosticHandler listener(manager.getContext(),
                                     [&](Diagnostic &diagnostic) {
                                       problem += diagnostic.str();
                                       return success();
                                     });
    if (succeeded(passes.setupPassPipeline(manager)))
      return success();
  }
  return complain("gaudi-opt: " + explainPasses(problem, arguments));
}

/// mlir-opt on one file, with verifySource instead of its own verification.
static LogicalResult optimize(StringRef input, StringRef output,
                              ArrayRef<char *> arguments,
                              DialectRegistry &registry) {
  auto config = MlirOptMainConfig::createFromCLOptions();
  // These print and need no input.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(llvm::outs(), llvm::MemoryBuffer::getMemBuffer(""),
                       registry, config);
  if (const std::string why = whyNotRead(input); !why.empty())
    return complain("cannot read '" + input + "': " + why);
  // Else it seems to hang.
  if (input == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "gaudi-opt: note: reading a model from the terminal, until "
                    "Ctrl-D; name a FILE to read that instead\n";
  std::string problem;
  auto source = openInputFile(input, &problem);
  if (!source)
    return complain(problem);
  if (input == "-" && source->getBufferSize() == 0)
    return complain("cannot read standard input: it is empty; give it a model, "
                    "or name a FILE");
  // Parsed from a view, so that the hints can read the text during the run.
  const StringRef text = source->getBuffer();
  if (std::string why = whyNotParsed(text); !why.empty())
    return complain("cannot parse '" + input + "': " + why);
  auto result = openOutputFile(output, &problem);
  if (!result)
    return complain(problem + adviceOnOutput(output));
  addParserHints(registry, text);
  // MLIR's own verification would print attributes of any size.
  const bool verifies = config.shouldVerifyOnParsing();
  config.verifyOnParsing(false);
  config.setPassPipelineSetupFn([=, passes = config](PassManager &manager) {
    if (verifies)
      addVerifySourcePass(manager, input);
    return setUpPasses(passes, manager, arguments);
  });
  const std::optional<std::string> packed = packBooleans(text);
  // Booleans with a byte each become the packed form, which this parser reads.
  auto view = llvm::MemoryBuffer::getMemBuffer(
      packed ? StringRef(*packed) : text, source->getBufferIdentifier());
  const LogicalResult ran =
      MlirOptMain(result->os(), std::move(view), registry, config);
  const LogicalResult written = finish(result->os(), output);
  if (failed(ran)) {
    const std::string advice = explainFile(input, text);
    return advice.empty() ? failure()
                          : complain("cannot parse '" + input + "': " + advice);
  }
  if (succeeded(written))
    result->keep();
  return written;
}

int gaudiOptMain(int argc, char **argv, void (*registerPasses)()) {
  llvm::InitLLVM setUp(argc, argv);
  // A recipe that is being written must not leave its temporary file behind.
  llvm::sys::SetInterruptFunction([] {
    gaudi::removeTemporaryFiles();
    _exit(130);
  });
  registerGaudiPasses();
  if (wantsHelp(argc, argv)) {
    printHelp(llvm::outs());
    return 0;
  }
  // MLIR's list begins with hundreds of passes of its own.
  if (llvm::any_of(ArrayRef(argv, argc), [](StringRef argument) {
        return argument.ltrim('-') == "list-passes";
      })) {
    llvm::outs() << "Of gaudi-mlir, described by --help:\n";
    llvm::outs().flush();
    printRegisteredPasses();
    llvm::outs() << "\nAll, with those of MLIR:\n";
  }
  registerPasses ? registerPasses() : registerTransformsPasses();
  registerVerifySourcePass();
  llvm::cl::SetVersionPrinter(printVersion);
  DialectRegistry registry;
  registerGaudiDialects(registry);
  const std::string header = registerCLIOptions(
      "gaudi-opt: the gaudi-mlir optimizer driver\n", registry);
  if (std::string why = explainArguments(ArrayRef(argv, argc).drop_front());
      !why.empty())
    return asMainReturnCode(complain("gaudi-opt: " + why));
  auto [input, output] = parseCLIOptions(argc, argv, header);
  // The op of an error may be the whole module, printed in generic form.
  if (llvm::cl::Option *printsOp = llvm::cl::getRegisteredOptions().lookup(
          "mlir-print-op-on-diagnostic");
      printsOp && printsOp->getNumOccurrences() == 0)
    static_cast<llvm::cl::opt<bool> *>(printsOp)->setValue(false);
  return asMainReturnCode(
      optimize(input, output, ArrayRef(argv, argc).drop_front(), registry));
}
