// Checks const sections that opening the recipe did not check.
#ifndef GAUDI_LIB_RUNTIME_CACHE_CONSTANTCHECK_H
#define GAUDI_LIB_RUNTIME_CACHE_CONSTANTCHECK_H

#include "../Loader.h"

#include <map>
#include <vector>

namespace gaudi::runtime {

/// What was checked before in this state of the file is checked again where a
/// command reads it; the rest is not even paged in.
class ConstantCheck {
public:
  explicit ConstantCheck(LoadedRecipe &loaded)
      : loaded(loaded), file(*loaded.file) {}

  /// Before anything reads them: all, unless there are notes.
  Status begin();
  /// Something reads the tensor.
  void needs(uint32_t id);
  /// Checks what was needed.
  Status end();

private:
  LoadedRecipe &loaded;
  const recipe::RecipeFile &file;
  std::map<uint32_t, std::vector<bool>> pending; // units of sections, by need
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_CONSTANTCHECK_H
