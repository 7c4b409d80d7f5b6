// Opens recipe files: mapped into memory, verified, read in place.
//
// A RecipeFile that exists is safe to run: header, checksums, FlatBuffers
// structure and every rule of the format (Verifier.h) have been checked. The
// file must not be changed by others while it is open.
#ifndef GAUDI_RECIPE_READER_H
#define GAUDI_RECIPE_READER_H

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Error.h"

#include <memory>
#include <string>

namespace gaudi::recipe {

struct OpenOptions {
  /// Compare the bytes of const sections with their checksums. Off: they are
  /// not even paged in; everything else is still verified.
  bool verifyConstants = true;
  /// Threads for that; 0: one per CPU.
  unsigned threads = 0;
};

class RecipeFile {
public:
  /// Maps a regular file. Errors are one line that starts with the path.
  static Result<RecipeFile> open(const std::string &path,
                                 const OpenOptions &options = {});

  /// Verifies a copy of `bytes`. Errors start with `name`.
  static Result<RecipeFile> fromBuffer(ByteSpan bytes,
                                       const std::string &name = "recipe",
                                       const OpenOptions &options = {});

  const Recipe &recipe() const { return *metadata; }
  const Recipe *operator->() const { return metadata; }
  const Header &header() const { return decoded; }
  uint64_t fileSize() const { return contents.size; }

  /// The whole file, page aligned.
  ByteSpan bytes() const { return contents; }

  /// The bytes of a const section, page aligned; nothing for other sections.
  ByteSpan constBytes(uint32_t section) const;

private:
  RecipeFile() = default;
  static Result<RecipeFile> verified(std::shared_ptr<const void> storage,
                                     ByteSpan bytes, const std::string &name,
                                     const OpenOptions &options);

  std::shared_ptr<const void> storage; // unmaps or frees
  ByteSpan contents;
  Header decoded;
  const Recipe *metadata = nullptr;
};

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_READER_H
