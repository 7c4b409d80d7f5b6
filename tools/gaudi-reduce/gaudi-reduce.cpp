// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-reduce: MLIR's reducer with the dialects and passes of gaudi-opt.
#include "Gaudi/Compiler/ParserHints.h"
#include "Gaudi/Compiler/Register.h"
#include "Gaudi/Compiler/SourceGuards.h"
#include "Gaudi/Support/Spelling.h"
#include "ReduceModel.h"
#include "ToolHelp.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace gaudi;

static const char *const help =
    R"(gaudi-reduce: makes a model that fails as small as it can be
Usage: gaudi-reduce --test=PROGRAM FILE [-o FILE]

PROGRAM is run on smaller and smaller models, whose file is its last argument.
It ends with 0 if the failure is gone, and with another code if it is still
there: a script that looks for the message of the failure, for example

  #!/bin/sh
  gaudi-run "$1" --seed-inputs=1 --check 2>&1 | grep -q "does not match" && exit 1
  exit 0

What the failure does not need goes: functions, ops (their results become
arguments of the function), returned values and arguments.

Options:
  --test=PROGRAM                     The test, as above
  --test-arg=ARG                     An argument of PROGRAM (repeatable)
  -o FILE                            Write the result to FILE
  --reduction-tree=OPTIONS           MLIR's own passes instead of --test:
  --opt-reduction-pass=OPTIONS       see mlir-reduce
  --help, -h                         Print this help
  --help-hidden                      List all options, also those of LLVM
  --version                          Print the version

Exit codes: 0 success; 1 wrong usage, a file that cannot be read or parsed, or
a model that does not fail.
)";

static int complain(const Twine &text) {
  llvm::errs() << "gaudi-reduce: error: " << text << "\n";
  return 1;
}

namespace {
/// The arguments for mlir-reduce.
struct Arguments {
  std::vector<std::string> given;
  std::string test, file, output, problem;
  std::string optPass;     ///< of MLIR's reducer
  bool isReducing = false; // by passes of MLIR

  Arguments(int argc, char **argv) {
    std::string testArguments;
    given.push_back(argv[0]);
    for (int i = 1; i < argc; ++i) {
      StringRef argument = argv[i];
      if (argument.starts_with("--"))
        argument = argument.drop_front();
      isReducing |= argument.starts_with("-reduction-tree") ||
                    argument.starts_with("-opt-reduction-pass") ||
                    argument.starts_with("-reduce-model");
      // With "=" or a space.
      const bool hasNext = i + 1 < argc;
      if (argument.consume_front("-test=")) {
        test = argument.str();
      } else if (argument == "-test" && hasNext) {
        test = argv[++i];
      } else if (argument.consume_front("-test-arg=") ||
                 (argument == "-test-arg" && hasNext)) {
        if (argument == "-test-arg")
          argument = argv[++i];
        testArguments += (testArguments.empty() ? "" : ",") + argument.str();
      } else {
        given.push_back(argv[i]);
        const bool takesNext = argument == "-o" ||
                               argument == "-reduction-tree" ||
                               argument == "-opt-reduction-pass";
        if (takesNext && hasNext)
          given.push_back(argv[++i]);
        if (argument == "-o" && hasNext)
          output = argv[i];
        else if (argument.consume_front("-o="))
          output = argument.str();
        else if (argument.starts_with("-reduction-tree") ||
                 argument.starts_with("-opt-reduction-pass"))
          checkPass(argument.take_until([](char c) { return c == '='; }),
                    takesNext && hasNext ? argv[i]
                                         : argument.split('=').second);
        else if (!argument.starts_with("-") || argument == "-")
          addFile(argv[i]);
      }
    }
    if (!test.empty() && problem.empty())
      addPass(testArguments);
  }

private:
  /// What MLIR says of options that are missing names none, or ends the
  /// program.
  void checkPass(StringRef name, StringRef options) {
    const bool isTree = name == "-reduction-tree";
    const std::string form =
        ("-" + name + "=\"" +
         (isTree ? Twine("") : Twine("opt-pass=canonicalize ")) +
         "test=PROGRAM\"")
            .str();
    const auto has = [&](StringRef option) {
      return options.starts_with(option) ||
             options.contains((" " + option).str());
    };
    if (problem.empty() && (!has("test=") || (!isTree && !has("opt-pass="))))
      problem = ("-" + name + " needs a test" + (isTree ? "" : " and a pass") +
                 ", by their names; write " + form)
                    .str();
    if (!isTree)
      optPass = options.split("opt-pass=").second.take_until([](char c) {
        return c == ' ';
      });
  }

  void addFile(const std::string &name) {
    if (!file.empty() && problem.empty())
      problem = "unexpected argument '" + name + "' after '" + file +
                "'; one FILE is read, and -o names the one that is written";
    file = name;
  }

  /// Why the test cannot be started; empty: it can.
  std::string whyNotRun(const std::string &program) const {
    const std::string quoted = "'" + test + "'";
    if (!llvm::sys::fs::exists(program))
      return "there is no file or program " + quoted +
             "; name a script that tests a model";
    if (llvm::sys::fs::is_directory(program))
      return quoted + " is a folder; name a program";
    if (!llvm::sys::fs::can_execute(program))
      return quoted + " is not executable: chmod +x " + test;
    if (program == test && !StringRef(test).contains('/'))
      return quoted +
             " is in the current folder, not in $PATH: write --test=./" + test;
    auto bytes = llvm::MemoryBuffer::getFileSlice(program, 4, 0);
    if (bytes && !(*bytes)->getBuffer().starts_with("#!") &&
        !(*bytes)->getBuffer().starts_with("\x7f"
                                           "ELF"))
      return quoted + " does not say what runs it: begin it with a line such "
                      "as #!/bin/sh";
    return "";
  }

  void addPass(const std::string &testArguments) {
    // The options of a pass are separated by blanks.
    if (StringRef(test + testArguments).find_first_of(" \t'\"{}") !=
        StringRef::npos) {
      problem = "--test and --test-arg take no blanks, quotes and braces; "
                "write a script";
      return;
    }
    auto program = llvm::sys::findProgramByName(test);
    problem = "--test: " + whyNotRun(program ? *program : test);
    if (problem != "--test: ")
      return;
    problem.clear();
    given.push_back("--reduce-model=test=" + *program +
                    (testArguments.empty() ? "" : " test-arg=") +
                    testArguments);
  }
};
} // namespace

/// Why a pass that a reduction runs is none; "": it is one.
static std::string whyNoPass(StringRef given) {
  const StringRef name = given.trim("'\"").take_while(
      [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
  // Within "builtin.module(...)" MLIR reads it.
  if (given.contains('(') || PassInfo::lookup(name) ||
      PassPipelineInfo::lookup(name))
    return "";
  // Makes options of the passes, whose names are nowhere else.
  const PassPipelineCLParser parser("", "");
  std::vector<std::string> names;
  for (StringRef option : llvm::cl::getRegisteredOptions().keys())
    if (PassInfo::lookup(option))
      names.push_back(option.str());
  llvm::sort(names);
  const std::string meant = nearestName(std::string_view(name), names);
  return "no pass is called '" + name.str() + "'; " +
         (meant.empty() ? "name one that gaudi-opt --list-passes lists"
                        : "did you mean " + meant + "?");
}

/// Errors of the model as the user wrote it; those of reduced ones are normal.
static LogicalResult parses(StringRef file, const DialectRegistry &registry) {
  std::string problem;
  if (std::string why = whyNotRead(file); !why.empty())
    return failure(complain("cannot read '" + file + "': " + why));
  auto buffer = openInputFile(file, &problem);
  if (!buffer)
    return failure(complain(problem));
  if (std::string why = whyNotParsed(buffer->getBuffer()); !why.empty())
    return failure(complain("cannot parse '" + file + "': " + why));
  DialectRegistry withHints;
  registry.appendTo(withHints);
  addParserHints(withHints, buffer->getBuffer());
  MLIRContext context(withHints);
  auto sources = std::make_shared<llvm::SourceMgr>();
  auto view = llvm::MemoryBuffer::getMemBuffer(buffer->getMemBufferRef());
  sources->AddNewSourceBuffer(std::move(view), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);
  auto module = parseSourceFile<ModuleOp>(
      sources, ParserConfig(&context, /*verifyAfterParse=*/false));
  return success(module && succeeded(verifySource(*module)));
}

/// Why the result cannot be kept, before it is looked for; "": it can.
static std::string whyNotWritten(const std::string &output,
                                 const std::string &file) {
  if (output.empty() || output == "-")
    return "";
  const std::string quoted = "'" + output + "'";
  const StringRef folder = llvm::sys::path::parent_path(output);
  if (!folder.empty() && !llvm::sys::fs::exists(folder))
    return "the folder of " + quoted +
           " does not exist; make it first: mkdir -p '" + folder.str() + "'";
  if (llvm::sys::fs::is_directory(output))
    return quoted + " is a folder; name a file in it";
  if (llvm::sys::fs::equivalent(output, file))
    return quoted + " would replace the model that fails; name another file";
  return "";
}

int main(int argc, char **argv) {
  llvm::InitLLVM setUp(argc, argv);
  if (wantsHelp(argc, argv)) {
    llvm::outs() << help;
    return 0;
  }
  Arguments arguments(argc, argv);
  if (!arguments.problem.empty())
    return complain(arguments.problem);
  llvm::cl::SetVersionPrinter(printVersion);
  registerAllPasses();
  registerGaudiPasses();
  registerReduceModelPass();
  DialectRegistry registry;
  registerGaudiDialects(registry);
  if ((!arguments.test.empty() || argc == 1) && arguments.file.empty())
    return complain("no FILE is given; name the model that fails "
                    "(gaudi-reduce --help)");
  // mlir-reduce reads the file again, without the guards.
  if (!arguments.file.empty() && arguments.file != "-" &&
      failed(parses(arguments.file, registry)))
    return 1;
  if (!arguments.file.empty() && arguments.test.empty() &&
      !arguments.isReducing)
    return complain("nothing tells whether a smaller model still fails; name a "
                    "program with --test=PROGRAM (gaudi-reduce --help)");
  if (std::string why = whyNotWritten(arguments.output, arguments.file);
      !why.empty())
    return complain("-o: " + why);
  if (!arguments.optPass.empty())
    if (std::string why = whyNoPass(arguments.optPass); !why.empty())
      return complain("--opt-reduction-pass: " + why);
  MLIRContext context(registry);
  // mlir-reduce prints no source lines, which `parses` has done.
  ScopedDiagnosticHandler plain(&context, [](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
      llvm::errs() << "gaudi-reduce: warning: " << diagnostic.str() << "\n";
    else
      complain(diagnostic.str());
    return success();
  });
  std::vector<char *> pointers;
  for (std::string &argument : arguments.given)
    pointers.push_back(argument.data());
  return failed(mlirReduceMain(int(pointers.size()), pointers.data(), context));
}
