// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-opt: mlir-opt with the gaudi dialect, its passes and pipelines.
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

/// The passes of gaudi-mlir and of MLIR whose name ends like `name`.
static std::string passMeantBy(StringRef name) {
  for (const std::string &begin : {"gaudi-", "gaudi-fuse-", "gaudi-place-"})
    if (PassInfo::lookup(begin + name.str()))
      return begin + name.str();
  return "";
}

/// Options of gaudi-run that gaudi-compile has, too, and others.
static constexpr StringRef compileOptions[] = {
    "allow-permutation", "autocast",         "bucket-cost",    "buckets",
    "bucket-histogram",  "check-numerics",   "device",         "disable-fusion",
    "memory-budget",     "max-expanded-ops", "require-fusion", "shape",
    "verify-fusion"};
static constexpr StringRef runOptions[] = {
    "bisect",         "check",       "compile-only", "devices",     "dump",
    "find-max-batch", "html",        "input",        "plan-memory", "predict",
    "reference",      "save-recipe", "seed-inputs",  "trace"};

/// What to use instead of an option of gaudi-run; LLVM would propose the
/// nearest of its own options by spelling.
static std::string explainOption(ArrayRef<char *> arguments) {
  StringRef before;
  for (StringRef argument : arguments) {
    const auto [name, value] = argument.ltrim('-').split('=');
    // "--gaudi-compile device=gaudi3".
    const StringRef pass = std::exchange(before, name);
    if (!argument.starts_with("-") && argument.contains('=') &&
        (PassInfo::lookup(pass) || PassPipelineInfo::lookup(pass)))
      return ("unexpected argument '" + argument +
              "'; options of a pass follow its '=': --" + pass + "=\"" +
              argument + "\"")
          .str();
    if (!argument.starts_with("--"))
      continue;
    if ((name == "mlir-print-ir-after" || name == "mlir-print-ir-before") &&
        !value.empty() && !value.contains(',') && !PassInfo::lookup(value)) {
      const std::string meant = passMeantBy(value);
      return ("--" + name + ": no pass is called '" + value + "'; " +
              (meant.empty() ? "--list-passes lists them"
                             : "did you mean " + meant + "?"))
          .str();
    }
    if (PassInfo::lookup(name))
      continue;
    if (name.starts_with("stablehlo-") || name.starts_with("chlo-") ||
        name.starts_with("iree-") || name.starts_with("convert-torch-") ||
        name.starts_with("torch-"))
      return ("'--" + name +
              "' is of another project; --gaudi-compile takes StableHLO, TOSA, "
              "linalg and torch as they are")
          .str();
    const bool isFlag = name == "check-numerics" || name == "verify-fusion";
    if (llvm::is_contained(compileOptions, name))
      return ("'" + argument +
              "' is an option of gaudi-run; here it is one of the pipeline: "
              "--gaudi-compile=" +
              name + "=" +
              (isFlag          ? "true"
               : value.empty() ? "VALUE"
                               : value))
          .str();
    if (llvm::is_contained(runOptions, name))
      return ("'--" + name + "' is an option of gaudi-run: gaudi-run FILE " +
              argument)
          .str();
    if (name == "remarks")
      return "'--remarks' is an option of gaudi-run: gaudi-run --remarks FILE; "
             "of gaudi-opt: --remarks-filter=REGEX --remark-format=emitRemark";
    if (name == "gaudi-emit-recipe" && argument.contains('=') &&
        argument.count('=') < 2)
      return "'" + argument.str() +
             "': options of a pass have names; write "
             "--gaudi-emit-recipe=output=" +
             argument.split('=').second.str();
    if (name == "quiet")
      return "'--quiet' is an option of gaudi-run; gaudi-opt prints no "
             "progress, and writes its result to a file with -o FILE";
  }
  return "";
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

/// Of LLVM's list of positional arguments nothing says which is too many.
static std::string explainSecondFile(ArrayRef<char *> arguments) {
  StringRef first;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const StringRef argument = arguments[i];
    if (argument == "-o") {
      ++i;
      continue;
    }
    if (argument.starts_with("-") ||
        !(argument.ends_with(".mlir") || argument.ends_with(".mlirbc")))
      continue;
    if (!first.empty())
      return ("unexpected argument '" + argument + "' after '" + first +
              "'; one FILE is read, and -o names the one that is written")
          .str();
    first = argument;
  }
  return "";
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

/// The names of the options of a pass; it has no list of them, but prints
/// them: "gaudi-autocast{device=gaudi2 dtype=bf16}".
static SmallVector<std::string> optionsOf(const PassInfo &pass) {
  OpPassManager passes;
  if (failed(pass.addToPipeline(passes, "",
                                [](const Twine &) { return failure(); })) ||
      passes.empty())
    return {};
  std::string text;
  llvm::raw_string_ostream os(text);
  passes.begin()->printAsTextualPipeline(os);
  SmallVector<std::string> names;
  const StringRef options = StringRef(text).split('{').second;
  for (size_t at = 0; (at = options.find('=', at)) != StringRef::npos; ++at) {
    const size_t begin = options.find_last_of(" {", at);
    const StringRef name =
        options.slice(begin == StringRef::npos ? 0 : begin + 1, at);
    // Not '=' in a value.
    if (!name.empty() && !name.contains('='))
      names.push_back(name.str());
  }
  return names;
}

/// "has ... such as --PASS=NAME=VALUE": the next step for an option that a pass
/// does not have.
static std::string explainPassOption(const PassInfo &pass, StringRef unknown) {
  const SmallVector<std::string> names = optionsOf(pass);
  const std::string option = ("--" + pass.getPassArgument()).str();
  const std::string begin =
      option + ": no option is called '" + unknown.str() + "'; ";
  if (names.empty())
    return begin + "it has none: write " + option;
  std::string nearest = names.front();
  unsigned best = 4; // edits: too many
  bool isMeant = false;
  for (const std::string &name : names)
    if (unsigned edits = StringRef(name).edit_distance(unknown); edits < best) {
      best = edits;
      nearest = name;
      isMeant = true;
    }
  return begin +
         (isMeant ? "did you mean " + nearest + "?"
                  : "it has " + llvm::join(names, ", ") + ": write " + option +
                        "=NAME=" + unknown.str() + " with one of them");
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
  StringRef text = StringRef(problem).trim();
  const StringRef before = "no such option ";
  if (const size_t at = text.find(before); at != StringRef::npos) {
    const StringRef unknown = text.substr(at + before.size()).split('\n').first;
    for (StringRef argument : arguments) {
      const auto [name, options] = argument.ltrim('-').split('=');
      if (const PassInfo *pass = PassInfo::lookup(name);
          pass && options.contains(unknown))
        return complain("gaudi-opt: " + explainPassOption(*pass, unknown));
    }
    return complain("gaudi-opt: --pass-pipeline: a pass has no option '" +
                    unknown + "'; gaudi-opt --help describes each");
  }
  if (text.contains("wrapped with the anchor"))
    return complain("gaudi-opt: --pass-pipeline: passes are written within the "
                    "op that they run on: "
                    "--pass-pipeline=\"builtin.module(gaudi-compile)\"");
  const StringRef unable = "unable to schedule pass '";
  if (const size_t at = text.find(unable); at != StringRef::npos)
    for (StringRef argument : arguments)
      if (StringRef name = argument.ltrim('-').split('=').first;
          PassInfo::lookup(name) && StringRef(name).count('-') &&
          !name.starts_with("gaudi-"))
        return complain("gaudi-opt: --" + name +
                        " runs on functions, not on a module; write "
                        "--pass-pipeline=\"builtin.module(func.func(" +
                        name + "))\"");
  return complain("gaudi-opt: error: " + text);
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
  for (const auto explain : {explainOption, explainSecondFile})
    if (std::string why = explain(ArrayRef(argv, argc).drop_front());
        !why.empty())
      return asMainReturnCode(complain("gaudi-opt: " + why));
  llvm::cl::SetVersionPrinter(printVersion);
  DialectRegistry registry;
  registerGaudiDialects(registry);
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "gaudi-opt: the gaudi-mlir optimizer driver\n", registry);
  // The op of an error may be the whole module, printed in generic form.
  if (llvm::cl::Option *printsOp = llvm::cl::getRegisteredOptions().lookup(
          "mlir-print-op-on-diagnostic");
      printsOp && printsOp->getNumOccurrences() == 0)
    static_cast<llvm::cl::opt<bool> *>(printsOp)->setValue(false);
  return asMainReturnCode(
      optimize(input, output, ArrayRef(argv, argc).drop_front(), registry));
}
