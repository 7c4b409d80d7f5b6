// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens what is compared, and prints the answer.
#include "ExplainRecompile.h"
#include "Compiler.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Analysis/ExplainRecompile.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "JsonOutput.h"
#include "Source.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

using analysis::RecipeEntry;
using analysis::RecompileAnswer;
using analysis::RecompileSide;

/// Differences that are printed beside the reason.
constexpr size_t mostOthers = 5;

class Explanation {
public:
  Explanation(const Options &options, Progress &progress, Exit &failureCode)
      : options(options), progress(progress), failureCode(failureCode) {}

  Result<Exit> run() {
    RecompileSide before = GAUDI_TRY(open(options.explainRecompile, was));
    RecompileSide after = GAUDI_TRY(open(options.file, is));
    const RecompileAnswer answer = GAUDI_TRY(
        analysis::explainRecompile(std::move(before), std::move(after)));
    progress.step("");
    if (options.report == ReportForm::Json) {
      nlohmann::ordered_json json = {
          {"model", options.file}, {"compared_with", options.explainRecompile}};
      json.update(toJson(answer));
      printJsonObject("recompile", json);
    } else {
      printText(answer);
    }
    return Exit::Ok;
  }

private:
  Result<RecompileSide> open(const std::string &path,
                             std::unique_ptr<Compiler> &model) {
    if (GAUDI_TRY(kindOfFile(path)) != SourceKind::Model) {
      recipe::OpenOptions open;
      open.threads = options.threads;
      auto file = GAUDI_TRY(openRecipe(path, open));
      return analysis::sideOf(
          path, GAUDI_TRY(entryOf(std::move(file), options.entry, path)));
    }
    progress.step("reading " + inQuotes(path));
    failureCode = Exit::CompileError;
    model = GAUDI_TRY(Compiler::ofModel(options, path, progress));
    RecompileSide side;
    side.name = path;
    side.signature =
        GAUDI_TRY(model->describe(options.device.value_or("gaudi2")));
    side.compile = [this, path, &model] { return compile(path, *model); };
    failureCode = Exit::BadInput;
    return side;
  }

  Result<RecipeEntry> compile(const std::string &path, Compiler &model) {
    progress.step("compiling " + inQuotes(path));
    failureCode = Exit::CompileError;
    auto file = GAUDI_TRY(model.compileRecipe());
    failureCode = Exit::BadInput;
    return entryOf(std::move(file), model.entryName(), path);
  }

  static Result<RecipeEntry> entryOf(recipe::RecipeFile file,
                                     const std::string &name,
                                     const std::string &path) {
    const uint32_t entry =
        GAUDI_TRY(analysis::chooseEntry(file.recipe(), name, path));
    return RecipeEntry{
        std::make_shared<const recipe::RecipeFile>(std::move(file)), entry};
  }

  static void printText(const RecompileAnswer &answer) {
    if (!answer.recompiles) {
      fmt::print(std::cout, "no recompile: {}\n", answer.reason);
    } else {
      fmt::print(std::cout, "recompile: {}\n", answer.reason);
      fmt::print(std::cout, "avoided by: {}\n", answer.avoidedBy);
    }
    const size_t others =
        answer.differences.empty() ? 0 : answer.differences.size() - 1;
    if (others)
      fmt::print(std::cout, "and {}\n", countOf(others, "other difference"));
    for (size_t i = 1; i <= std::min(others, mostOthers); ++i)
      fmt::print(std::cout, "  {}\n", answer.differences[i].text());
    if (others > mostOthers)
      fmt::print(std::cout, "  ...\n");
    if (!answer.note.empty())
      fmt::print(std::cout, "note: {}\n", answer.note);
  }

  const Options &options;
  Progress &progress;
  Exit &failureCode;
  std::unique_ptr<Compiler> was, is;
};

} // namespace

Result<Exit> explainRecompile(const Options &options, Progress &progress,
                              Exit &failureCode) {
  return Explanation(options, progress, failureCode).run();
}

} // namespace gaudi::run
