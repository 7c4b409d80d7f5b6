// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zip archives of a few named files, as replay files are.
//
// Nothing in an archive is trusted: names stay below the folder into which they
// are unpacked, sizes are checked against a budget before a byte is unpacked,
// and checksums after it.
#ifndef GAUDI_ANALYSIS_ZIPARCHIVE_H
#define GAUDI_ANALYSIS_ZIPARCHIVE_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::analysis {

struct ZipMember {
  std::string name; ///< "inputs/0.npy"
  /// What it holds, one after the other; must stay until it is written.
  std::vector<std::string_view> parts;
};

/// Replaces the file at `path` whole, as OutputFile does. Equal members make
/// equal bytes. Errors name the file.
Status writeZip(const std::string &path, const std::vector<ZipMember> &members);

class ZipReader {
public:
  /// Reads the directory. Errors, which name the file: no zip archive, or one
  /// that is damaged, encrypted or compressed in another way than by deflate;
  /// more than 4,096 members, two of one name, or a name that is absolute or
  /// has "..", a backslash or control characters; members that would unpack to
  /// more than 64 MiB and 20 times the archive.
  static Result<ZipReader> open(const std::string &path);

  bool has(const std::string &name) const { return members.count(name) != 0; }
  /// The bytes of a member of at most `limit` bytes.
  Result<std::string> read(const std::string &name, uint64_t limit);
  /// Writes all members below `folder`, which is there.
  Status unpack(const std::string &folder);

private:
  struct Place {
    uint64_t size = 0;
    uint64_t directory = 0, number = 0; // of minizip
  };
  struct Close {
    void operator()(void *file) const;
  };
  template <typename Function>
  Status stream(const std::string &name, Function &&take);

  std::string path;
  std::unique_ptr<void, Close> file;
  std::map<std::string, Place> members;
};

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_ZIPARCHIVE_H
