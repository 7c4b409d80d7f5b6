// Output files that appear whole or not at all.
//
// Bytes go to a temporary file in the folder of the target, which takes the
// target's name when everything has been written. A target that exists and is
// no regular file (a device, a pipe) is written directly.
#ifndef GAUDI_SUPPORT_OUTPUTFILE_H
#define GAUDI_SUPPORT_OUTPUTFILE_H

#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gaudi {

class OutputFile {
public:
  /// Opens the temporary file. Errors are one line that names `path`: a
  /// missing or read-only folder, a directory, a dangling symbolic link.
  /// `expectedBytes`, if known, is what a full disk's error asks for.
  static Result<OutputFile> create(const std::string &path,
                                   uint64_t expectedBytes = 0);

  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&other) noexcept;
  /// Removes the temporary file unless `commit` succeeded.
  ~OutputFile();

  /// Appends; small pieces are collected. Errors: a full disk, a file size
  /// limit.
  Status write(const void *data, size_t size);

  /// Closes and gives the file its name. Nothing may be written afterwards.
  Status commit();

  const std::string &path() const { return target; }

private:
  OutputFile() = default;
  Status failed(int error) const;
  Status flush();
  Status writeNow(const char *bytes, size_t size);
  void discard();

  std::string target;    // as the user wrote it
  std::string resolved;  // symbolic links followed
  std::string temporary; // empty: written directly
  int descriptor = -1;
  int slot = -1; // in the list that removeTemporaryFiles walks
  uint64_t written = 0;
  uint64_t expected = 0; // 0: not known
  std::vector<char> buffer;
};

/// Removes the temporary files of every OutputFile that is being written. May
/// be called from a signal handler of a process that then ends.
void removeTemporaryFiles() noexcept;

} // namespace gaudi

#endif // GAUDI_SUPPORT_OUTPUTFILE_H
