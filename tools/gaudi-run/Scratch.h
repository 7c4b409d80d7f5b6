// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder for files that only this process reads.
#ifndef GAUDI_RUN_SCRATCH_H
#define GAUDI_RUN_SCRATCH_H

#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Error.h"

#include <string>
#include <sys/types.h>

namespace gaudi::run {

/// A folder of our own that goes away however this process ends: another one,
/// which holds the other end of a pipe, removes it then. A handler of signals
/// could not, and none runs for SIGKILL. To be made before there is much in
/// memory, which that process keeps.
class Scratch {
public:
  /// TMPDIR/gaudi-PURPOSE-XXXXXX. Errors: no such folder, no process.
  static Result<Scratch> create(const char *purpose);
  Scratch(Scratch &&other) noexcept;
  Scratch &operator=(Scratch &&) = delete;
  ~Scratch();
  const std::string &folder() const { return path; }

private:
  Scratch() = default;

  std::string path;
  pid_t remover = -1;
  Descriptor alive;
};

} // namespace gaudi::run

#endif // GAUDI_RUN_SCRATCH_H
