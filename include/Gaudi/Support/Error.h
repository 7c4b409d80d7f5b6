// The error type of everything outside the compiler (recipe, runtime, tools).
//
// An error is one sentence for a person: what was found, what was expected,
// and the next step. Functions that can fail return Result<T>.
#ifndef GAUDI_SUPPORT_ERROR_H
#define GAUDI_SUPPORT_ERROR_H

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gaudi {

struct Error {
  std::string message;
};

template <typename T> using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_ERROR_H
