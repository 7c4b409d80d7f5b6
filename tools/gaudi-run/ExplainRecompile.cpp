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

/// A model; the compiler reads from the source.
struct OpenModel {
  FileBytes source;
  std::unique_ptr<Compiler> compiler;
};

class Explanation {
public:
  Explanation(const Options &options, Progress &progress)
      : options(options), progress(progress) {}

  Status run() {
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
    return {};
  }

  Exit failureCode = Exit::BadInput;

private:
  Result<RecompileSide> open(const std::string &path, OpenModel &model) {
    if (GAUDI_TRY(kindOfFile(path)) != SourceKind::Model) {
      recipe::OpenOptions open;
      open.threads = options.threads;
      auto file = GAUDI_TRY(openRecipe(path, open));
      return analysis::sideOf(
          path, GAUDI_TRY(entryOf(std::move(file), options.entry, path)));
    }
    progress.step("reading " + inQuotes(path));
    model.source = GAUDI_TRY(FileBytes::read(path));
    failureCode = Exit::CompileError;
    model.compiler = GAUDI_TRY(Compiler::create(options, progress));
    GAUDI_TRY(model.compiler->parse(path, model.source.text()));
    RecompileSide side;
    side.name = path;
    side.signature =
        GAUDI_TRY(model.compiler->describe(options.device.value_or("gaudi2")));
    side.compile = [this, path, &model] { return compile(path, model); };
    failureCode = Exit::BadInput;
    return side;
  }

  Result<RecipeEntry> compile(const std::string &path, OpenModel &model) {
    progress.step("compiling " + inQuotes(path));
    failureCode = Exit::CompileError;
    const GaudiBytes bytes = GAUDI_TRY(model.compiler->compile());
    auto file = GAUDI_TRY(
        recipe::RecipeFile::fromBuffer({bytes.data, bytes.size}, path));
    const std::string entry = model.compiler->entryName();
    model.compiler->releaseRecipe();
    failureCode = Exit::BadInput;
    return entryOf(std::move(file), entry, path);
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
  OpenModel was, is;
};

} // namespace

Ending explainRecompile(const Options &options, Progress &progress) {
  Explanation explanation(options, progress);
  const Status done = explanation.run();
  return done ? Ending()
              : Ending{explanation.failureCode, done.error().message};
}

} // namespace gaudi::run
