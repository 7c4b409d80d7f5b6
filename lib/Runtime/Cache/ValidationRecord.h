// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What earlier processes validated about a recipe file: the checksums of its
// const sections, and which panel files hold its packed constants.
//
// A record belongs to a state of the file on this host: device, inode, size,
// mtime, ctime, and the checksum of the metadata. Checksums that the file
// states about itself would not do, since collisions can be constructed; the
// ctime cannot be chosen. File systems where it can have no records.
//
// A MAP_SHARED store may leave mtime and ctime unchanged. A file rewritten
// together with its checksums is still detected, because the metadata checksum
// is part of the key; corruption that leaves checksums stale is detected when
// the affected units are read.
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
  /// Reads the record from the cache in `root`, if there is one. Buffers and
  /// files with few constants have none.
  ValidationRecord(const std::string &root, const recipe::RecipeFile &file);

  /// A packed constant: the fingerprint that names its panel file, and the
  /// nonce of that file.
  struct Panels {
    CacheNonce fingerprint, file;
  };
  using Name = std::array<uint64_t, 2>;
  const Panels *find(const Name &name) const;
  void add(const Name &name, const Panels &panels);

  /// Checksums of the units of a const section; null if not known.
  const std::vector<uint64_t> *checksums(uint32_t section) const;
  void add(uint32_t section, std::vector<uint64_t> units);

  /// Whether this file can have a record.
  bool enabled() const { return !key.empty(); }
  std::string problem() const { return files.problem(); }

  /// True if something was added that save() would write. A file that was still
  /// changing when it was opened is not recorded: it may have been replaced.
  bool hasUnsaved() const { return changed && stable && !key.empty(); }
  /// Writes what was added.
  void save();

private:
  void read(recipe::ByteSpan value);

  DiskCache files;
  std::vector<uint8_t> key; // empty: no record
  std::map<Name, Panels> panels;
  std::map<uint32_t, std::vector<uint64_t>> units;
  bool changed = false, stable = false;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_VALIDATIONRECORD_H
