// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that do not fit into memory, in a file without a name.
#ifndef GAUDI_SUPPORT_TEMPORARYFILE_H
#define GAUDI_SUPPORT_TEMPORARYFILE_H

#include <cstdio>
#include <memory>
#include <string>

namespace gaudi {

struct CloseFile {
  void operator()(std::FILE *open) const { (void)std::fclose(open); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

/// The folder that TMPDIR names, or /tmp.
std::string temporaryFolder();

/// A file of that folder for reading and writing, which is deleted with the
/// process however that ends. Null: none can be made.
TemporaryFile openTemporaryFile();

} // namespace gaudi

#endif // GAUDI_SUPPORT_TEMPORARYFILE_H
