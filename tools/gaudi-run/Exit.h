// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exit codes of gaudi-run and how an invocation ends.
#ifndef GAUDI_RUN_EXIT_H
#define GAUDI_RUN_EXIT_H

#include <string>

namespace gaudi::run {

/// docs/gaudi-run.md and --help list these for users.
enum class Exit : int {
  Ok = 0,
  Mismatch = 1, ///< a comparison or --check-finite failed
  BadInput = 2, ///< usage, or a file that cannot be read, understood or written
  CompileError = 3,
  RunError = 4, ///< loading or running failed
  Interrupted = 130
};

struct Ending {
  Exit code = Exit::Ok;
  std::string error; ///< one sentence for the user; empty: nothing failed
};

} // namespace gaudi::run

#endif // GAUDI_RUN_EXIT_H
