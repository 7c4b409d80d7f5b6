// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens recipe files: mapped into memory, verified, read in place.
//
// A RecipeFile that exists is safe to run: header, checksums, FlatBuffers
// structure and every rule of the format (Verifier.h) have been checked; the
// checksums of constants now or by whoever loads the recipe. Header and
// metadata are a private copy: a file that is changed while it is open gives
// other numbers, but everything that was proven stays true. Only a file that is
// truncated meanwhile ends the process (SIGBUS at its constants).
#ifndef GAUDI_RECIPE_READER_H
#define GAUDI_RECIPE_READER_H

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Error.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::recipe {

/// Fingerprint of a file's state on this host: a write to the file changes a
/// time that only the system sets. A store through a shared mapping may leave
/// the times, or change them later; so may a write to the device below the file
/// system.
struct FileState {
  uint64_t device = 0, inode = 0;
  std::array<int64_t, 2> changed{}, modified{}; // seconds and nanoseconds
  /// The clock of the file system has advanced since the last change, so that
  /// the next change gets another time.
  bool isQuiescent = false;
  /// The file system is one that sets times and inodes itself.
  bool hasReliableTimes = false;
};

/// The state of an open file.
FileState fileStateOf(const Descriptor &file);

/// A recipe file that this build verified in that state.
struct VerifiedFile {
  FileState state;
  std::array<uint8_t, headerBytes> header{};
};

struct OpenOptions {
  /// Compare the bytes of const sections with their checksums. Off: they are
  /// not even paged in; everything else is still verified. Loading the recipe
  /// then compares what is read.
  bool verifyConstants = true;
  /// Threads for that; 0: one per CPU.
  unsigned threads = 0;
  /// Leaves the rules of the format out, which take most of the time, if the
  /// file is in the state and has the header of this one, on a file system that
  /// sets times itself. The header and all checksums are compared anyway: only
  /// who may write as this user could make other bytes pass.
  const VerifiedFile *verified = nullptr;
};

/// Whether that is so for a file system of this type (statfs::f_type).
bool setsTimesItself(uint64_t type);

class RecipeFile {
public:
  /// Maps a regular file. Errors are one line that starts with the path.
  static Result<RecipeFile> open(const std::string &path,
                                 const OpenOptions &options = {});
  /// The same of an open file; `path` is for errors.
  static Result<RecipeFile> open(const Descriptor &opened,
                                 const std::string &path,
                                 const OpenOptions &options = {});

  /// Verifies a copy of `bytes`. Errors start with `name`.
  static Result<RecipeFile> fromBuffer(ByteSpan bytes,
                                       const std::string &name = "recipe",
                                       const OpenOptions &options = {});

  const Recipe &recipe() const { return *metadata; }
  const Recipe *operator->() const { return metadata; }
  const Header &header() const { return decoded; }
  uint64_t fileSize() const { return contents.size; }

  /// The whole file, page aligned; header and metadata as they were opened.
  ByteSpan bytes() const { return contents; }

  /// The bytes of a const section, page aligned; nothing for other sections.
  ByteSpan constBytes(uint32_t section) const;

  /// The state of the file before its first byte was read; none for buffers.
  const std::optional<FileState> &state() const { return opened; }

  /// Whether const sections were compared with their checksums.
  bool constantsVerified() const { return verifiedConstants; }
  /// Compares all now. Its errors, and those of the functions below, start like
  /// those of open().
  Status verifyConstants(unsigned threads) const;
  /// The size of the units in which a const section can be checked.
  uint64_t checkedBytes(uint32_t section) const;
  /// The checksums of all units of a const section; an error if they are not
  /// those of the section.
  Result<std::vector<uint64_t>> checksums(uint32_t section,
                                          unsigned threads) const;
  /// True if units with these checksums make the checksum of the section.
  bool areChecksumsOf(uint32_t section,
                      const std::vector<uint64_t> &units) const;
  /// Compares the units [first, end) with such checksums.
  Status verifyUnits(uint32_t section, const std::vector<uint64_t> &units,
                     uint64_t first, uint64_t end) const;

private:
  RecipeFile() = default;
  static Result<RecipeFile> verified(std::shared_ptr<const void> storage,
                                     ByteSpan bytes, const std::string &name,
                                     const OpenOptions &options,
                                     bool isVerified = false);

  std::shared_ptr<const void> storage; // unmaps or frees
  ByteSpan contents;
  Header decoded;
  const Recipe *metadata = nullptr;
  std::string name; // for errors
  std::optional<FileState> opened;
  bool verifiedConstants = false;
};

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_READER_H
