// Exit codes of gaudi-run and the failures that lead to them.
#ifndef GAUDI_RUN_EXIT_H
#define GAUDI_RUN_EXIT_H

#include "Gaudi/Support/Error.h"

#include <string>
#include <tl/expected.hpp>

namespace gaudi::run {

/// docs/gaudi-run.md and --help list these for users.
enum class Exit : int {
  Ok = 0,
  Mismatch = 1, ///< a comparison failed
  BadInput = 2, ///< usage, or a file that cannot be read, understood or written
  CompileError = 3,
  RunError = 4, ///< loading or running failed
  Interrupted = 130
};

struct Failure {
  Exit code;
  std::string message; ///< one sentence, without the program's name
};

template <typename T> using Outcome = tl::expected<T, Failure>;
using Done = tl::expected<void, Failure>;

inline tl::unexpected<Failure> fail(Exit code, std::string message) {
  return tl::unexpected<Failure>(Failure{code, std::move(message)});
}
inline tl::unexpected<Failure> badInput(std::string message) {
  return fail(Exit::BadInput, std::move(message));
}
inline tl::unexpected<Failure> badInput(const Error &error) {
  return fail(Exit::BadInput, error.message);
}
inline tl::unexpected<Failure> runError(const Error &error) {
  return fail(Exit::RunError, error.message);
}
inline tl::unexpected<Failure> again(const Failure &failure) {
  return tl::unexpected<Failure>(failure);
}

} // namespace gaudi::run

#endif // GAUDI_RUN_EXIT_H
