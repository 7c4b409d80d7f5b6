// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two models, two recipes, or a model with a recipe.
#include "ExplainRecompile.h"
#include "Compiler.h"
#include "Entry.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "JsonOutput.h"
#include "Misses.h"
#include "Outputs.h"
#include "RecipeSignature.h"
#include "Sizes.h"
#include "Source.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using shapes::Cause;
using shapes::Difference;
using shapes::Signature;

/// Differences that are printed beside the reason.
constexpr size_t mostOthers = 5;

/// A model or a recipe.
struct Side {
  std::string path;
  bool isModel = false;
  FileBytes source; ///< the compiler reads from it
  std::unique_ptr<Compiler> compiler;
  std::optional<recipe::RecipeFile> recipe;
  uint32_t entry = 0; ///< of the recipe
  Signature signature;

  bool isDynamic() const {
    return std::any_of(signature.inputs.begin(), signature.inputs.end(),
                       [](const Signature::Input &input) {
                         return std::count(input.sizes.begin(),
                                           input.sizes.end(),
                                           shapes::dynamicSize) != 0;
                       });
  }
  std::string file() const { return inQuotes(path); }
};

/// What is printed.
struct Answer {
  /// "no recompile: ..." or "recompile: ...", without the first words.
  std::string reason;
  bool recompiles = false;
  std::string avoidedBy;
  std::vector<Difference> differences;
  std::string note; ///< what was not compared
};

class Explanation {
public:
  Explanation(const Options &options, Progress &progress)
      : options(options), progress(progress) {}

  Status run() {
    GAUDI_TRY(open(was, options.explainRecompile));
    GAUDI_TRY(open(is, options.file));
    const Answer answer = GAUDI_TRY(compare());
    progress.step("");
    if (options.report == ReportForm::Json)
      printJson(answer);
    else
      printText(answer);
    return {};
  }

  Exit failureCode = Exit::BadInput;

private:
  Status open(Side &side, const std::string &path) {
    side.path = path;
    side.isModel = GAUDI_TRY(kindOfFile(path)) == SourceKind::Model;
    if (!side.isModel) {
      recipe::OpenOptions open;
      open.threads = options.threads;
      side.recipe = GAUDI_TRY(openRecipe(path, open));
      return readRecipe(side, options.entry);
    }
    progress.step("reading " + side.file());
    side.source = GAUDI_TRY(FileBytes::read(path));
    failureCode = Exit::CompileError;
    side.compiler = GAUDI_TRY(Compiler::create(options, progress));
    GAUDI_TRY(side.compiler->parse(path, side.source.text()));
    side.signature = GAUDI_TRY(side.compiler->describe());
    side.signature.device = options.device.value_or("gaudi2");
    for (const Compiler::Symbol &symbol : side.compiler->symbols())
      side.signature.options.push_back(
          {"the range of " + symbol.name,
           fmt::format("{} to {} in multiples of {}", symbol.min, symbol.max,
                       symbol.multiple)});
    failureCode = Exit::BadInput;
    return {};
  }

  Status readRecipe(Side &side, const std::string &name) {
    side.entry = GAUDI_TRY(chooseEntry(side.recipe->recipe(), name, side.path));
    side.signature = recipeSignature(*side.recipe, side.entry);
    return {};
  }

  /// Replaces a model by its recipe.
  Status compile(Side &side) {
    if (!side.isModel)
      return {};
    progress.step("compiling " + side.file());
    failureCode = Exit::CompileError;
    const GaudiBytes bytes = GAUDI_TRY(side.compiler->compile());
    side.recipe = GAUDI_TRY(
        recipe::RecipeFile::fromBuffer({bytes.data, bytes.size}, side.path));
    const std::string entry = side.compiler->entryName();
    side.compiler->releaseRecipe();
    failureCode = Exit::BadInput;
    return readRecipe(side, entry);
  }

  Result<Answer> compare() {
    if (was.isDynamic() && !is.isDynamic())
      return compareWithBuckets();
    if (was.isModel != is.isModel || was.isDynamic() != is.isDynamic()) {
      // What both say alike.
      const Answer outside = answerOf(surface(was), surface(is));
      if (outside.recompiles)
        return outside;
      GAUDI_TRY(compile(was));
      GAUDI_TRY(compile(is));
    }
    if (was.isModel && is.isModel && !was.recipe)
      return answerOf(was.signature, is.signature);
    // Commands and constants of a recipe are chosen for its sizes.
    Signature then = was.signature, now = is.signature;
    then.ops = now.ops = {};
    then.constants = now.constants = {};
    Answer outside = answerOf(then, now);
    if (!outside.recompiles)
      return answerOf(was.signature, is.signature);
    if (outside.differences.front().cause == Cause::Dimension)
      outside.note = "commands and constants are chosen for the sizes, so they "
                     "were not compared; those of the models can be";
    return outside;
  }

  /// Inputs, outputs, device and version alone.
  static Signature surface(const Side &side) {
    Signature signature = side.signature;
    signature.ops.clear();
    signature.constants.clear();
    signature.options.clear();
    for (Signature::Input &input : signature.inputs)
      input.attributes.clear();
    return signature;
  }

  static Answer answerOf(const Signature &then, const Signature &now) {
    Answer answer;
    answer.differences = shapes::differences(then, now);
    answer.recompiles = !answer.differences.empty();
    if (!answer.recompiles) {
      answer.reason = "device, options, inputs, ops and constants are the same";
      return answer;
    }
    answer.reason = answer.differences.front().text();
    answer.avoidedBy = shapes::howToAvoid(answer.differences, then, now);
    return answer;
  }

  /// Whether a variant of `was` takes the sizes of `is`.
  Result<Answer> compareWithBuckets() {
    GAUDI_TRY(compile(was));
    Signature then = surface(was), now = surface(is);
    const SymbolTable table = GAUDI_TRY(SymbolTable::of(
        *recipe::items(was.recipe->recipe().entries())[was.entry]->dispatch()));
    std::vector<std::optional<SymbolTable::Shape>> inputs;
    for (size_t i = 0; i < now.inputs.size(); ++i) {
      inputs.push_back(now.inputs[i].sizes);
      if (i >= then.inputs.size() ||
          then.inputs[i].sizes.size() != now.inputs[i].sizes.size())
        continue;
      for (size_t d = 0; d < now.inputs[i].sizes.size(); ++d)
        if (then.inputs[i].sizes[d] == shapes::dynamicSize)
          then.inputs[i].sizes[d] = now.inputs[i].sizes[d];
    }
    Answer answer = answerOf(then, now);
    answer.note = "ops and constants were not compared: only one of both has "
                  "dynamic sizes";
    if (answer.recompiles) {
      if (answer.differences.front().cause == Cause::Dimension)
        answer.avoidedBy = adviceFor(table, then, answer.differences.front());
      return answer;
    }
    const shapes::Sizes none(table.symbols().size(), -1);
    const auto sizes = table.sizesOf(inputs, none);
    if (!sizes)
      return contradiction(answer, sizes.error().message);
    for (size_t s = 0; s < sizes->size(); ++s)
      if ((*sizes)[s] < 0)
        return contradiction(answer, fmt::format("no input of {} tells {}",
                                                 is.file(), table.subject(s)));
    if (const auto miss = missOf(table, table.buckets(), *sizes)) {
      answer.recompiles = true;
      answer.reason = miss->reason;
      answer.avoidedBy = miss->avoidedBy;
      return answer;
    }
    const shapes::Sizes &box = table.buckets()[*table.buckets().choose(*sizes)];
    answer.reason =
        fmt::format("{} runs in the bucket {} of {}, at {} % padding",
                    namedSizes(table.buckets().names(), *sizes),
                    namedSizes(table.buckets().names(), box), was.file(),
                    shapes::paddingPercent(shapes::volumeOf(box),
                                           shapes::volumeOf(*sizes)));
    return answer;
  }

  /// One recipe for more dimensions than are dynamic in `was`. `then` is its
  /// signature at the sizes of `is` where it is dynamic.
  std::string adviceFor(const SymbolTable &table, const Signature &then,
                        const Difference &difference) const {
    std::vector<std::optional<SymbolTable::Shape>> inputs;
    for (const Signature::Input &input : then.inputs)
      inputs.push_back(input.sizes);
    const shapes::Sizes none(table.symbols().size(), -1);
    const auto sizes = table.sizesOf(inputs, none);
    return fmt::format(
        "one recipe for both sizes: {}, with a dynamic size ('?') where the "
        "model has {}",
        sharedRecipe(table, was.signature, is.signature, sizes ? *sizes : none),
        difference.is);
  }

  static Answer contradiction(Answer answer, const std::string &reason) {
    answer.recompiles = true;
    answer.reason = reason;
    answer.avoidedBy = "sizes that agree with each other";
    return answer;
  }

  static void printText(const Answer &answer) {
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

  void printJson(const Answer &answer) const {
    Json json = {{"model", is.path},
                 {"compared_with", was.path},
                 {"recompile", answer.recompiles},
                 {"reason", answer.reason}};
    if (answer.recompiles)
      json["avoided_by"] = answer.avoidedBy;
    json["differences"] = Json::array();
    for (const Difference &difference : answer.differences)
      json["differences"].push_back(
          {{"cause", shapes::causeName(difference.cause)},
           {"subject", difference.subject},
           {"is", difference.is},
           {"was", difference.was},
           {"text", difference.text()},
           {"following_dimensions", difference.dimensions},
           {"following_constants", difference.constants}});
    if (!answer.note.empty())
      json["note"] = answer.note;
    printJsonObject("recompile", json);
  }

  const Options &options;
  Progress &progress;
  Side was, is;
};

} // namespace

Ending explainRecompile(const Options &options, Progress &progress) {
  Explanation explanation(options, progress);
  const Status done = explanation.run();
  return done ? Ending()
              : Ending{explanation.failureCode, done.error().message};
}

} // namespace gaudi::run
