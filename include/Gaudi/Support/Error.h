// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error type of everything below LLVM (recipe, runtime, tools).
//
// An error is one sentence for a person: what was found, what was expected,
// and the next step. A function that can fail returns Result<T>, or Status if
// it has no value; neither may be dropped. fail() makes the error, GAUDI_TRY
// passes it on.
#ifndef GAUDI_SUPPORT_ERROR_H
#define GAUDI_SUPPORT_ERROR_H

#include "Gaudi/Support/Format.h"

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gaudi {

struct Error {
  std::string message;
};

/// A value or the reason why there is none.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
  using tl::expected<T, Error>::expected;
};

/// Success or the reason of a failure.
using Status = Result<void>;

/// The error to return: `message` as it is.
inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

/// The error to return, formatted by fmt: fail("{} has rank {}", name, rank).
template <typename First, typename... Rest>
tl::unexpected<Error> fail(fmt::format_string<First, Rest...> format,
                           First &&first, Rest &&...rest) {
  return fail(fmt::format(format, std::forward<First>(first),
                          std::forward<Rest>(rest)...));
}

namespace detail {
template <typename T> T takeValue(Result<T> &&result) {
  return std::move(*result);
}
inline void takeValue(Status &&) {}
} // namespace detail

} // namespace gaudi

/// The value of a Result (nothing for a Status); a failure leaves the
/// surrounding function, whose own Result type may differ:
///   GAUDI_TRY(check(recipe));
///   Tensor tensor = GAUDI_TRY(readTensor(path));
// A statement expression, which clang and g++ have: only so can one macro both
// leave the function and give a value.
#define GAUDI_TRY(...)                                                         \
  (__extension__({                                                             \
    auto gaudiTried = (__VA_ARGS__);                                           \
    if (!gaudiTried)                                                           \
      return ::tl::unexpected<gaudi::Error>(::std::move(gaudiTried).error());  \
    gaudi::detail::takeValue(::std::move(gaudiTried));                         \
  }))

#endif // GAUDI_SUPPORT_ERROR_H
