// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the compiler with the options of the run, and prints what it says.
#include "Compiler.h"
#include "Console.h"
#include "Gaudi/CApi/CompilerLibrary.h"
#include "Gaudi/Support/Units.h"
#include "RemarkText.h"

#include <cstdio>
#include <fmt/format.h>
#include <iostream>

namespace gaudi::run {

Result<std::unique_ptr<Compiler>> Compiler::create(const Options &options,
                                                   Progress &progress) {
  const GaudiCompilerApi *api = GAUDI_TRY(capi::openCompiler());
  std::unique_ptr<Compiler> compiler(new Compiler(progress));
  // What one of several devices refuses is printed with its prediction.
  compiler->holdsBack =
      !options.devices.empty() && options.remarks == RemarkLevel::None;
  const bool isJson = options.report == ReportForm::Json;
  compiler->printedRemarks = isJson ? RemarkLevel::None : options.remarks;
  GaudiSessionOptions session = {};
  const std::string device = options.device.value_or("gaudi2");
  session.device = device.c_str();
  session.entry = options.entry.empty() ? nullptr : options.entry.c_str();
  // A run needs one entry; a recipe is for all that the host may call.
  session.allEntries = !options.save.empty();
  const std::string states = fmt::format("{}", fmt::join(options.states, ","));
  session.state = states.c_str();
  const std::string permutable =
      fmt::format("{}", fmt::join(options.allowPermutation, ","));
  session.allowPermutation = permutable.c_str();
  const std::string shapes = fmt::format("{}", fmt::join(options.shapes, ";"));
  session.shape = shapes.c_str();
  session.buckets = options.buckets.c_str();
  session.bucketHistogram = options.bucketHistogram.c_str();
  session.bucketCost = options.bucketCost.c_str();
  // A page shows the curve if there is one.
  session.bucketCurve =
      options.bucketCurve ||
      (!options.html.empty() && !options.bucketHistogram.empty());
  session.disableFusion = options.disableFusion.c_str();
  session.requireFusion = options.requireFusion.c_str();
  // "f32" is what the model says.
  session.autocast = options.autocast == "f32" ? "" : options.autocast.c_str();
  session.marksSources = options.marksSources;
  session.memoryBudget = options.memoryBudget;
  session.maxExpandedOps = options.maxExpandedOps;
  session.verifyFusion = options.verifyFusion;
  session.checkNumerics = options.checkNumerics;
  session.seed = options.seed.value_or(1);
  session.liftElided = options.liftElided;
  // The compiler knows the lines of the model.
  session.remarks = compiler->printedRemarks == RemarkLevel::All;
  session.dumpGraphs = options.dumpGraphs.c_str();
  // Passes run one at a time then, so that a page alone does not follow them.
  session.keepPasses = !options.html.empty() && !options.dumpGraphs.empty();
  session.maxIterations = options.maxIterations;
  session.threads = options.threads;
  session.context = compiler.get();
  session.diagnostic = [](void *context, const char *text, size_t length) {
    static_cast<Compiler *>(context)->print({text, length});
  };
  const bool prints = options.remarks != RemarkLevel::None && !session.remarks;
  if (prints || !options.html.empty() || options.mode == Mode::Predict)
    session.remark = [](void *context, const GaudiRemark *remark) {
      static_cast<Compiler *>(context)->remarks.push_back(
          {remark->pass, remark->kind, remark->location, remark->text,
           remark->name, remark->lostPicoseconds, remark->lostBytes});
    };
  session.progress = [](void *context, uint64_t done, uint64_t total) {
    static_cast<Compiler *>(context)->progress.advance(done, total);
  };
  GAUDI_TRY(compiler->open(*api, session));
  return compiler;
}

Result<std::unique_ptr<Compiler>> Compiler::ofModel(const Options &options,
                                                    const std::string &path,
                                                    Progress &progress) {
  FileBytes bytes = GAUDI_TRY(FileBytes::read(path));
  auto compiler = GAUDI_TRY(create(options, progress));
  GAUDI_TRY(compiler->parse(path, std::move(bytes)));
  return compiler;
}

Status Compiler::parse(const std::string &given, FileBytes read) {
  path = given;
  bytes = std::move(read);
  return noting(
      CompilerSession::parse(path == "-" ? "<stdin>" : path, bytes.text()));
}

/// A diagnostic of the whole model is at ":0:0", which is no place.
static std::string withoutNoPlace(std::string_view text) {
  constexpr std::string_view noPlace = ":0:0: ";
  std::string shown(text);
  if (const size_t at = shown.find(noPlace); at != shown.npos)
    shown.replace(at, noPlace.size(), ": ");
  return shown;
}

void Compiler::print(std::string_view diagnostic) {
  // A diagnostic comes in several pieces, down to single bytes.
  printed += diagnostic;
  const size_t end = printed.rfind('\n');
  if (end == std::string::npos)
    return;
  for (size_t begin = 0; begin <= end;) {
    const size_t next = printed.find('\n', begin);
    printLine(
        withoutNoPlace(std::string_view(printed).substr(begin, next - begin)));
    begin = next + 1;
  }
  const capi::FirstError error =
      capi::firstErrorIn(std::string_view(printed).substr(0, end));
  if (firstErrorText.empty() && !error.message.empty())
    firstErrorText =
        error.location.empty()
            ? error.message
            : withoutNoPlace(error.location + ": " + error.message);
  printed.erase(0, end + 1);
}

void Compiler::printLine(std::string_view line) {
  if (holdsBack)
    return;
  if (line.find("error: ") != std::string_view::npos)
    keepDiagnostic(line);
  progress.clear();
  const std::string shown = diagnosticLine(line) + "\n";
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

Result<GaudiBytes> Compiler::compile() {
  auto compiled = noting(CompilerSession::compile());
  if (printedRemarks != RemarkLevel::None &&
      printedRemarks != RemarkLevel::All) {
    progress.clear();
    printRemarks(std::cerr, remarks, printedRemarks);
  }
  return compiled;
}

Result<recipe::RecipeFile> Compiler::compileRecipe() {
  const GaudiBytes compiled = GAUDI_TRY(compile());
  auto file = GAUDI_TRY(
      recipe::RecipeFile::fromBuffer({compiled.data, compiled.size}, path));
  releaseRecipe();
  return file;
}

Result<GaudiBytes> Compiler::compileBatch(int64_t size) {
  auto compiled = CompilerSession::compileBatch(size);
  if (!compiled && !firstErrorText.empty())
    return fail("{}", firstErrorText);
  // Sizes beyond the last one that fits are expected to fail.
  if (compiled)
    holdsBack = true;
  return compiled;
}

std::string textOf(const GaudiNumerics &numerics) {
  std::string text = fmt::format("--check-numerics passed: {} of {} kept all "
                                 "results within tolerance",
                                 numerics.compared,
                                 countOf(numerics.passes, "pass", "passes"));
  if (numerics.compared < numerics.passes)
    text += fmt::format("; the others were not checked: {}", numerics.whyNot);
  return text;
}

} // namespace gaudi::run
