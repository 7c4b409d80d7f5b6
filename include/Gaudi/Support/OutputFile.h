// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files that appear whole or not at all.
//
// Bytes go to an unnamed temporary file (O_TMPFILE) in the folder of the
// target; when everything has been written it gets the target's name. A process
// that is killed leaves nothing. On file systems without unnamed files the
// temporary one is called .gaudi- and a number. A target that exists and is no
// regular file (a device, a pipe) is written directly.
#ifndef GAUDI_SUPPORT_OUTPUTFILE_H
#define GAUDI_SUPPORT_OUTPUTFILE_H

#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gaudi {

class OutputFile {
public:
  /// Whether the temporary file has a name. `Unnamed` falls back to `Named`
  /// where the file system cannot do it.
  enum class Temporary { Unnamed, Named };

  /// Opens the temporary file. Errors are one line that names `path`: a
  /// missing or read-only folder, a directory, a dangling symbolic link.
  /// `expectedBytes`, if known, is what a full disk's error asks for.
  static Result<OutputFile> create(const std::string &path,
                                   uint64_t expectedBytes = 0,
                                   Temporary kind = Temporary::Unnamed);

  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&other) noexcept;
  /// Removes the temporary file unless it was published.
  ~OutputFile();

  /// Appends; small writes are collected. Errors: a full disk, a file size
  /// limit.
  Status write(const void *data, size_t size);

  /// Writes over bytes that were appended, from `at` on; what follows is
  /// appended as before. Not for a target that is a device or a pipe.
  Status overwrite(uint64_t at, const void *data, size_t size);

  /// Hands every byte to the system, and reports the errors that it keeps for
  /// the end. Nothing may be written afterwards.
  Status finish();

  /// Gives a finished file its name, replacing the file that has it.
  Status publish();

  /// Takes the name away again if no file had it before publish().
  void withdraw();

  /// finish() and publish().
  Status commit();

  const std::string &path() const { return target; }

private:
  OutputFile() = default;
  tl::unexpected<Error> failed(int error) const;
  /// `mode`: of the file that is replaced, if there is one.
  Status openUnnamed(std::optional<mode_t> mode);
  Status openNamed(std::optional<mode_t> mode);
  Status flush();
  /// `at`: over what was appended.
  Status writeNow(const char *bytes, size_t size,
                  std::optional<uint64_t> at = std::nullopt);
  int linkOverTarget() const;
  void discard();

  std::string target;    // as the user wrote it
  std::string resolved;  // symbolic links followed
  std::string temporary; // empty: unnamed, or written directly
  Descriptor file;
  bool unnamed = false;
  bool finished = false;
  bool created = false; // under a name that no file had
  int slot = -1;        // in the list that removeTemporaryFiles walks
  uint64_t written = 0;
  uint64_t expected = 0; // 0: not known
  std::vector<char> buffer;
};

/// Finishes all files before the first one gets its name: if one cannot be
/// written, none appears. If a name is refused at the very end, new files are
/// taken back; files that were replaced are not.
Status commitAll(std::vector<OutputFile> &files);

/// Removes the named temporary files of every OutputFile that is being
/// written. May be called from a signal handler of a process that then ends.
void removeTemporaryFiles() noexcept;

} // namespace gaudi

#endif // GAUDI_SUPPORT_OUTPUTFILE_H
