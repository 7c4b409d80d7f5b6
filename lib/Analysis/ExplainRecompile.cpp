// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what two compilations depend on, and decides what to compare.
#include "Gaudi/Analysis/ExplainRecompile.h"
#include "Gaudi/Analysis/Misses.h"
#include "Gaudi/Analysis/RecipeSignature.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gaudi::analysis {
namespace {

using shapes::Cause;
using shapes::Difference;
using shapes::Signature;

bool isModel(const RecompileSide &side) { return bool(side.compile); }

bool isDynamic(const RecompileSide &side) {
  const auto &inputs = side.signature.inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Signature::Input &input) {
                       return std::count(input.sizes.begin(), input.sizes.end(),
                                         shapes::dynamicSize) != 0;
                     });
}

/// Replaces a model by its recipe.
Status compile(RecompileSide &side) {
  if (!isModel(side))
    return {};
  side.recipe = GAUDI_TRY(side.compile());
  side.signature = recipeSignature(*side.recipe.file, side.recipe.entry);
  return {};
}

class Explanation {
public:
  Explanation(RecompileSide was, RecompileSide is)
      : was(std::move(was)), is(std::move(is)) {}

  Result<RecompileAnswer> compare() {
    if (isDynamic(was) && !isDynamic(is))
      return compareWithBuckets();
    if (isModel(was) != isModel(is) || isDynamic(was) != isDynamic(is)) {
      // What both say alike.
      RecompileAnswer outside = answerOf(surface(was), surface(is));
      if (outside.recompiles)
        return outside;
      GAUDI_TRY(compile(was));
      GAUDI_TRY(compile(is));
    }
    if (isModel(was) && isModel(is) && !was.recipe.file)
      return answerOf(was.signature, is.signature);
    // Commands and constants of a recipe are chosen for its sizes.
    Signature then = was.signature, now = is.signature;
    then.ops = now.ops = {};
    then.constants = now.constants = {};
    RecompileAnswer outside = answerOf(then, now);
    if (!outside.recompiles)
      return answerOf(was.signature, is.signature);
    if (outside.differences.front().cause == Cause::Dimension)
      outside.note = "commands and constants are chosen for the sizes, so they "
                     "were not compared; those of the models can be";
    return outside;
  }

private:
  /// Inputs, outputs, device and version alone.
  static Signature surface(const RecompileSide &side) {
    Signature signature = side.signature;
    signature.ops.clear();
    signature.constants.clear();
    signature.options.clear();
    for (Signature::Input &input : signature.inputs)
      input.attributes.clear();
    return signature;
  }

  static RecompileAnswer answerOf(const Signature &then, const Signature &now) {
    RecompileAnswer answer;
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
  Result<RecompileAnswer> compareWithBuckets() {
    GAUDI_TRY(compile(was));
    Signature then = surface(was), now = surface(is);
    const SymbolTable table = GAUDI_TRY(SymbolTable::of(
        *recipe::items(was.recipe.file->recipe().entries())[was.recipe.entry]
             ->dispatch()));
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
    RecompileAnswer answer = answerOf(then, now);
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
        return contradiction(answer,
                             fmt::format("no input of {} tells {}",
                                         inQuotes(is.name), table.subject(s)));
    if (const auto miss = missOf(table, table.buckets(), *sizes)) {
      answer.recompiles = true;
      answer.reason = miss->reason;
      answer.avoidedBy = miss->avoidedBy;
      return answer;
    }
    const shapes::Sizes &box = table.buckets()[*table.buckets().choose(*sizes)];
    answer.reason = fmt::format(
        "{} runs in the bucket {} of {}, at {} % padding",
        namedSizes(table.buckets().names(), *sizes),
        namedSizes(table.buckets().names(), box), inQuotes(was.name),
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

  static RecompileAnswer contradiction(RecompileAnswer answer,
                                       const std::string &reason) {
    answer.recompiles = true;
    answer.reason = reason;
    answer.avoidedBy = "sizes that agree with each other";
    return answer;
  }

  RecompileSide was, is;
};

} // namespace

RecompileSide sideOf(std::string name, RecipeEntry recipe) {
  RecompileSide side;
  side.name = std::move(name);
  side.signature = recipeSignature(*recipe.file, recipe.entry);
  side.recipe = std::move(recipe);
  return side;
}

Result<RecompileAnswer> explainRecompile(RecompileSide was, RecompileSide is) {
  return Explanation(std::move(was), std::move(is)).compare();
}

nlohmann::ordered_json toJson(const RecompileAnswer &answer) {
  nlohmann::ordered_json json = {{"recompile", answer.recompiles},
                                 {"reason", answer.reason}};
  if (answer.recompiles)
    json["avoided_by"] = answer.avoidedBy;
  json["differences"] = nlohmann::ordered_json::array();
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
  return json;
}

} // namespace gaudi::analysis
