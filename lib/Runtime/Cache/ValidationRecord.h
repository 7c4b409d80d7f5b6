// What earlier processes learned about a recipe file: the checksums of its
// parts, and which files of packed constants hold what packing it gives.
//
// The notes are kept under the state of the file on this host (device, inode,
// size, times of change), never only under a checksum that the file states
// about itself: those can be made to collide, times of change cannot be chosen.
// So there are none on file systems where they can. A store through a shared
// mapping need not change a time. Then the checksum of the metadata, which is
// part of the state, still tells a file that was rewritten with its checksums;
// damage that makes them wrong is found in parts that are read.
#ifndef GAUDI_LIB_RUNTIME_CACHE_VALIDATIONRECORD_H
#define GAUDI_LIB_RUNTIME_CACHE_VALIDATIONRECORD_H

#include "DiskCache.h"

#include "Gaudi/Recipe/Reader.h"

#include <map>
#include <string>
#include <vector>

namespace gaudi::runtime {

class ValidationRecord {
public:
  /// Reads them from `root`. Buffers and files with few constants have none.
  ValidationRecord(const std::string &root, const recipe::RecipeFile &file);

  /// A packed constant: the sample in the key of its file, and which file.
  struct Panels {
    CacheNonce sample, file;
  };
  using Name = std::array<uint64_t, 2>;
  const Panels *find(const Name &name) const;
  void add(const Name &name, const Panels &panels);

  /// Checksums of the units of a const section; null if not known.
  const std::vector<uint64_t> *checksums(uint32_t section) const;
  void add(uint32_t section, std::vector<uint64_t> units);

  /// Whether there can be any.
  bool possible() const { return !key.empty(); }
  std::string note() const { return files.note(); }

  /// Something was added that may be believed later.
  bool hasNews() const { return changed && settled && !key.empty(); }
  /// Writes what was added.
  void keep();

private:
  void read(recipe::ByteSpan value);

  DiskCache files;
  std::vector<uint8_t> key; // empty: no notes
  std::map<Name, Panels> panels;
  std::map<uint32_t, std::vector<uint64_t>> units;
  bool changed = false, settled = false;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_VALIDATIONRECORD_H
