// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a recipe does not serve another model: compares two models, two recipes,
// or a model with a recipe.
#ifndef GAUDI_ANALYSIS_EXPLAINRECOMPILE_H
#define GAUDI_ANALYSIS_EXPLAINRECOMPILE_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Shapes/Recompile.h"

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// An entry of a recipe.
struct RecipeEntry {
  std::shared_ptr<const recipe::RecipeFile> file; ///< null: there is none
  uint32_t entry = 0;
};

/// A model or a recipe.
struct RecompileSide {
  std::string name; ///< of the file, for people
  /// Of a model, what its source says; else that of the recipe.
  shapes::Signature signature;
  RecipeEntry recipe; ///< of a model: none yet
  /// Compiles a model, at most once; empty: it is a recipe.
  std::function<Result<RecipeEntry>()> compile;
};
/// Of a recipe.
RecompileSide sideOf(std::string name, RecipeEntry recipe);

struct RecompileAnswer {
  bool recompiles = false;
  /// One sentence without its full stop, and what would have avoided it, as the
  /// end of a sentence after "avoided by "; empty: there is no recompile.
  std::string reason, avoidedBy;
  std::vector<shapes::Difference> differences; ///< the reason first
  std::string note; ///< what was not compared; may be empty
};

/// Whether `is` needs another compilation than `was`. Models are compiled where
/// their sources do not tell. Errors: those of the compiler.
Result<RecompileAnswer> explainRecompile(RecompileSide was, RecompileSide is);

/// The keys of gaudi-run --explain-recompile (docs/schema).
nlohmann::ordered_json toJson(const RecompileAnswer &answer);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_EXPLAINRECOMPILE_H
