// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies const sections that opening the recipe did not verify.
#ifndef GAUDI_LIB_RUNTIME_CACHE_CONSTANTCHECK_H
#define GAUDI_LIB_RUNTIME_CACHE_CONSTANTCHECK_H

#include "../LoadedRecipe.h"

#include <map>
#include <vector>

namespace gaudi::runtime {

/// Sections whose checksums are in the validation record were verified before,
/// in this very state of the file; only the units that something reads are
/// verified again. Units that nothing reads are not even paged in.
class ConstantCheck {
public:
  ConstantCheck(LoadedRecipe &loaded, ThreadPool &pool)
      : loaded(loaded), pool(pool), file(*loaded.file) {}

  /// Before anything reads constants: verifies the sections that the record
  /// does not have.
  Status begin();
  /// Something reads the tensor.
  void addRead(uint32_t tensor);
  /// Verifies the units that were read.
  Status end();

private:
  LoadedRecipe &loaded;
  ThreadPool &pool;
  const recipe::RecipeFile &file;
  /// Per section of the record: whether each unit is read.
  std::map<uint32_t, std::vector<bool>> read;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_CONSTANTCHECK_H
