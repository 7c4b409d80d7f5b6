// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What folders of cached files have in common: whom to trust, and files that
// appear whole or not at all.
#ifndef GAUDI_LIB_RUNTIME_CACHE_FOLDERFILES_H
#define GAUDI_LIB_RUNTIME_CACHE_FOLDERFILES_H

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Support/Descriptor.h"

#include <array>
#include <cstdint>
#include <dirent.h>
#include <functional>
#include <string>

namespace gaudi::runtime {

/// A random number that each file gets when it is written: it distinguishes two
/// files written for one key.
using CacheNonce = std::array<uint64_t, 2>;
CacheNonce randomNumber();

/// Why an opened file or folder could be another user's work; empty if it
/// cannot. What belongs to somebody else, or others may write to, could be made
/// to run their code.
std::string whyNotOurs(int descriptor, bool isDirectory);

/// Writes at an offset. Gives 0, errno, or ECANCELED soon after `stop` returned
/// true.
int writeAll(int descriptor, uint64_t offset, recipe::ByteSpan bytes,
             const std::function<bool()> &stop = nullptr);

/// The longest file that this process may write: a write beyond it would end
/// the process (SIGXFSZ).
uint64_t fileSizeLimit();

/// Calls visit(name) for each file of the folder; false with errno set if it
/// cannot be listed.
bool forFiles(int folder, const std::function<void(const char *)> &visit);

/// A file under a temporary name, locked as long as its writer lives. Removed
/// by the destructor unless it got its name.
class TemporaryFile {
public:
  /// Check file().isOpen(); errno says why not.
  explicit TemporaryFile(int folder);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  const Descriptor &file() const { return descriptor; }
  /// Replaces the file of that name. Gives 0 or errno.
  int rename(const std::string &to);

  /// Whether a file of that name is one of these.
  static bool isNameOfOne(const char *name);
  /// Removes one whose writer was killed; false if it still writes.
  static bool removeIfLeft(int folder, const char *name);

private:
  int folder;
  std::string name; // empty: renamed
  Descriptor descriptor;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_FOLDERFILES_H
