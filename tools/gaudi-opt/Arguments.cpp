// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with arguments, in more words than LLVM has.
#include "Arguments.h"
#include "Gaudi/Support/Spelling.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace gaudi;

namespace {

/// The passes of gaudi-mlir and of MLIR whose name ends like `name`.
std::string passMeantBy(StringRef name) {
  for (const std::string &begin : {"gaudi-", "gaudi-fuse-", "gaudi-place-"})
    if (PassInfo::lookup(begin + name.str()))
      return begin + name.str();
  return "";
}

/// Options of gaudi-run that gaudi-compile has, too, and others.
constexpr StringRef compileOptions[] = {
    "allow-permutation", "autocast",         "bucket-cost",    "buckets",
    "bucket-histogram",  "check-numerics",   "device",         "disable-fusion",
    "memory-budget",     "max-expanded-ops", "require-fusion", "shape",
    "verify-fusion"};
constexpr StringRef runOptions[] = {
    "bisect",         "check",       "compile-only", "devices",     "dump",
    "find-max-batch", "html",        "input",        "plan-memory", "predict",
    "reference",      "save-recipe", "seed-inputs",  "trace"};

/// What to use instead of an option of gaudi-run; LLVM would propose the
/// nearest of its own options by spelling.
std::string explainOption(ArrayRef<char *> arguments) {
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

/// Of LLVM's list of positional arguments nothing says which is too many.
std::string explainSecondFile(ArrayRef<char *> arguments) {
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

/// The names of the options of a pass; it has no list of them, but prints
/// them: "gaudi-autocast{device=gaudi2 dtype=bf16}".
SmallVector<std::string> optionsOf(const PassInfo &pass) {
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
std::string explainPassOption(const PassInfo &pass, StringRef unknown) {
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

/// Names of options, those of gaudi-mlir's passes first.
std::vector<std::string> optionNames() {
  std::vector<std::string> names;
  for (const bool isOurs : {true, false})
    for (StringRef name : llvm::cl::getRegisteredOptions().keys())
      if (name.starts_with("gaudi-") == isOurs)
        names.push_back(name.str());
  // The map has no order.
  llvm::sort(names, [](StringRef a, StringRef b) {
    const bool isOurs = a.starts_with("gaudi-");
    return isOurs != b.starts_with("gaudi-") ? isOurs : a < b;
  });
  return names;
}

/// "did you mean X?" of a pass or an option that there is none of; else what to
/// do without.
std::string meantBy(StringRef name, StringRef dashes) {
  const std::vector<std::string> names = optionNames();
  std::string meant = passMeantBy(name);
  if (meant.empty() && llvm::is_contained(names, "mlir-" + name.str()))
    meant = "mlir-" + name.str();
  if (meant.empty())
    meant = nearestName(std::string_view(name), names);
  return meant.empty() ? "leave it out, or choose one that gaudi-opt --help "
                         "describes"
                       : "did you mean " + dashes.str() + meant + "?";
}

/// Of other programs, what gaudi-opt has for it: "--target=gaudi3".
std::string explainForeign(StringRef name, StringRef value) {
  const auto is = [&](std::initializer_list<StringRef> names) {
    return llvm::is_contained(names, name);
  };
  const auto valueOr = [&](StringRef otherwise) {
    return (value.empty() ? otherwise : value).str();
  };
  if (is({"target", "arch", "march", "mcpu", "chip", "hardware", "backend"}))
    return "write --gaudi-compile=device=" +
           (value.starts_with("gaudi") ? value.str() : "gaudi2");
  if (is({"stop-after", "start-after", "phase", "until"}))
    return "write --gaudi-compile=stop-after=" + valueOr("PHASE");
  if (is({"output", "out"}))
    return "write -o " + valueOr("FILE");
  if (is({"emit-recipe", "recipe", "save"}))
    return "write --gaudi-compile --gaudi-emit-recipe=output=" +
           valueOr("FILE");
  if (is({"O0", "O1", "O2", "O3", "opt-level", "optimize"}))
    return "there are no levels; write --gaudi-compile";
  if (is({"verbose", "debug", "dump", "print-ir"}))
    return "write --mlir-print-ir-after-all, which prints the module after "
           "each pass";
  return "";
}

/// An option that there is none of. LLVM says so in two lines, and may mean
/// one of its own by it.
std::string explainUnknown(ArrayRef<char *> arguments) {
  const auto &options = llvm::cl::getRegisteredOptions();
  bool isValue = false; // of the option before
  for (StringRef argument : arguments) {
    if (argument == "--")
      break;
    if (std::exchange(isValue, false) || !argument.starts_with("-") ||
        argument.ltrim('-').empty())
      continue;
    const auto [name, value] = argument.ltrim('-').split('=');
    if (name == "o") { // which is registered when it is parsed
      isValue = !argument.contains('=');
      continue;
    }
    // LLVM has a meaning of its own, for its passes.
    const bool isOurs = name == "stop-after" || name == "start-after";
    if (const llvm::cl::Option *option = options.lookup(name);
        option && !isOurs) {
      isValue = option->getValueExpectedFlag() == llvm::cl::ValueRequired &&
                !argument.contains('=');
      continue;
    }
    // "-I/usr/include".
    if (llvm::any_of(options, [&, name = name](const auto &entry) {
          const auto form = entry.second->getFormattingFlag();
          return (form == llvm::cl::Prefix || form == llvm::cl::AlwaysPrefix) &&
                 name.starts_with(entry.first);
        }))
      continue;
    const std::string foreign = explainForeign(name, value);
    return ("unknown option '" + argument.split('=').first + "'; " +
            (foreign.empty() ? meantBy(name, "--") : foreign))
        .str();
  }
  return "";
}

/// The value of --pass-pipeline; "": none.
StringRef pipelineIn(ArrayRef<char *> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto [name, value] = StringRef(arguments[i]).ltrim('-').split('=');
    if (name == "pass-pipeline" && StringRef(arguments[i]).starts_with("-"))
      return value.empty() && i + 1 < arguments.size() ? arguments[i + 1]
                                                       : value;
  }
  return "";
}

std::string writePipeline(const Twine &text) {
  return ("write --pass-pipeline=\"" + text + "\"").str();
}

/// A pipeline whose form is wrong.
std::string explainPipeline(ArrayRef<char *> arguments) {
  const StringRef text = pipelineIn(arguments).trim();
  if (text.empty())
    return "";
  const std::string begin = "--pass-pipeline: ";
  if (const int missing = int(text.count('(')) - int(text.count(')')))
    return begin + "it has " + std::to_string(std::abs(missing)) + " ')' " +
           (missing > 0
                ? "too few; " + writePipeline(text + std::string(missing, ')'))
                : "too many; remove what closes nothing");
  for (StringRef argument : arguments) {
    const StringRef name = argument.ltrim('-').split('=').first;
    if (argument.starts_with("-") &&
        (PassInfo::lookup(name) || PassPipelineInfo::lookup(name))) {
      StringRef rest = text;
      rest.consume_front("builtin.module(");
      return begin + "it excludes --" + name.str() + "; " +
             writePipeline("builtin.module(" + name + "," + rest +
                           (rest == text ? ")" : ""));
    }
  }
  const StringRef anchor = text.take_until([](char c) { return c == '('; });
  const bool hasNoModule = llvm::any_of(arguments, [](StringRef argument) {
    const auto [name, value] = argument.ltrim('-').split('=');
    return argument.starts_with("-") && name == "no-implicit-module" &&
           !value.equals_insensitive("false") && value != "0";
  });
  return anchor.trim() == "builtin.module" || anchor.trim() == "any" ||
                 hasNoModule
             ? ""
             : begin +
                   "passes are written within the op that they run on, and "
                   "a FILE is a module; " +
                   writePipeline("builtin.module(" + text + ")");
}

} // namespace

std::string gaudi::explainArguments(ArrayRef<char *> arguments) {
  for (const auto explain :
       {explainOption, explainSecondFile, explainUnknown, explainPipeline})
    if (std::string why = explain(arguments); !why.empty())
      return why;
  return "";
}

/// What stands between two texts; "": they are not there.
static StringRef between(StringRef text, StringRef before, StringRef after) {
  const size_t at = text.find(before);
  return at == StringRef::npos
             ? ""
             : text.substr(at + before.size()).take_until([&](char c) {
                 return c == after.front();
               });
}

std::string gaudi::explainPasses(StringRef error, ArrayRef<char *> arguments) {
  const StringRef text = error.trim();
  const StringRef pass = between(text, "failed to add `", "`");
  if (const StringRef unknown = between(text, "no such option ", "\n");
      !unknown.empty()) {
    if (const PassInfo *info = PassInfo::lookup(pass))
      return explainPassOption(*info, unknown);
    for (StringRef argument : arguments) {
      const auto [name, options] = argument.ltrim('-').split('=');
      if (const PassInfo *info = PassInfo::lookup(name);
          info && options.contains(unknown))
        return explainPassOption(*info, unknown);
    }
  }
  if (const StringRef unknown = between(text, "error: '", "'");
      !unknown.empty() && text.contains("does not refer to a registered pass"))
    return ("--pass-pipeline: no pass is called '" + unknown + "'; " +
            meantBy(unknown, ""))
        .str();
  if (const StringRef needed = between(text, "restricted to '", "'");
      !needed.empty() && !pass.empty())
    return ("--pass-pipeline: " + pass + " runs on '" + needed + "', not on '" +
            between(text, "intended to run on '", "'") + "'; " +
            writePipeline(needed == "builtin.module"
                              ? "builtin.module(" + pass + ")"
                              : "builtin.module(" + needed + "(" + pass + "))"))
        .str();
  if (text.contains("unable to schedule pass '"))
    for (StringRef argument : arguments)
      if (StringRef name = argument.ltrim('-').split('=').first;
          PassInfo::lookup(name) && name.contains('-') &&
          !name.starts_with("gaudi-"))
        return ("--" + name + " runs on functions, not on a module; " +
                writePipeline("builtin.module(func.func(" + name + "))"))
            .str();
  return ("error: " + text.split("\nfailed to add").first).str();
}
