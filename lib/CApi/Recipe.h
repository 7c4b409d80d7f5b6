// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GaudiRecipe holds.
#ifndef GAUDI_LIB_CAPI_RECIPE_H
#define GAUDI_LIB_CAPI_RECIPE_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Shapes/Symbol.h"
#include "gaudi-c/Recipe.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gaudi::capi {

/// A tensor as launches see it; the texts that its information refers to.
struct HostTensor {
  std::string name, symbolicShape;
  recipe::ElementType type = recipe::ElementType::F32;
  std::vector<int64_t> shape; ///< -1: differs from launch to launch
  int32_t state = -1;         ///< number of the state
};

struct HostEntry {
  uint32_t index = 0; ///< among all entries of the recipe
  std::string name;
  std::vector<HostTensor> inputs, outputs;
  std::vector<shapes::Symbol> symbols;
};

/// What launches of the recipe exchange with the host.
struct Signature {
  std::vector<HostEntry> entries; ///< that the host may launch
  std::vector<HostTensor> states;
};
Signature signatureOf(const recipe::Recipe &recipe);

/// What is said of a launch with another number of tensors than the entry has;
/// it names what is missing. `role`: "input" or "output", of which `expected`
/// are.
std::string wrongCount(const HostEntry &entry, std::string_view role,
                       const std::vector<HostTensor> &expected, size_t given);

/// A text that is made when it is first asked for.
class LazyText {
public:
  /// Empty while there is no memory for it.
  template <typename Make> GaudiStringRef get(Make &&make) const noexcept {
    try {
      const std::lock_guard<std::mutex> guard(lock);
      if (text.empty())
        text = make();
      return {text.data(), text.size()};
    } catch (const std::exception &) {
      return {"", 0};
    }
  }

private:
  mutable std::mutex lock;
  mutable std::string text;
};

} // namespace gaudi::capi

/// Its members do not change, but for texts that are made on demand.
struct GaudiRecipe {
  explicit GaudiRecipe(gaudi::recipe::RecipeFile opened);
  explicit GaudiRecipe(std::shared_ptr<const gaudi::recipe::RecipeFile> opened);

  std::shared_ptr<const gaudi::recipe::RecipeFile> file;
  gaudi::capi::Signature signature;
  gaudi::capi::LazyText hash, text;
};

#endif // GAUDI_LIB_CAPI_RECIPE_H
