// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the C interface, and the wall that exceptions do not pass.
#ifndef GAUDI_LIB_CAPI_ERROR_H
#define GAUDI_LIB_CAPI_ERROR_H

#include "Gaudi/Support/Error.h"
#include "gaudi-c/Support.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

/// The message is one sentence; the rest as the header says.
struct GaudiError {
  GaudiErrorCode code = GaudiErrorInternal;
  std::string message, location, details;
};

namespace gaudi::capi {

GaudiError *makeError(GaudiErrorCode code, std::string message);
/// An error of another library: `code`, unless its kind says more.
GaudiError *makeError(GaudiErrorCode code, const Error &error);
/// Takes no memory.
GaudiError *outOfHostMemory();

template <typename First, typename... Rest>
GaudiError *makeError(GaudiErrorCode code, fmt::format_string<First, Rest...> f,
                      First &&first, Rest &&...rest) {
  return makeError(code, fmt::format(f, std::forward<First>(first),
                                     std::forward<Rest>(rest)...));
}

/// What `call` returns; what it throws becomes an error.
template <typename Call> GaudiError *guarded(Call &&call) noexcept {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return outOfHostMemory();
  } catch (const std::exception &problem) {
    try {
      return makeError(GaudiErrorInternal, std::string(problem.what()));
    } catch (const std::bad_alloc &) {
      return outOfHostMemory();
    }
  }
}

/// Null unless a pointer that may not be null is.
template <typename Pointee>
GaudiError *checkPointer(const Pointee *pointer, const char *name) {
  if (pointer)
    return nullptr;
  return makeError(GaudiErrorInvalidArgument, "'{}' is null", name);
}

/// Whether some version of the structure may have that size. All begin with
/// `size` and have fields of 8 bytes, or pairs of 4, so that no version ends
/// within one; a size far above all of them is a number that nobody set.
template <typename Struct> bool isPossibleSize(size_t size) {
  constexpr size_t most = 4096;
  static_assert(alignof(Struct) == sizeof(size_t) && sizeof(Struct) < most);
  return size >= sizeof(size_t) && size <= most && size % alignof(Struct) == 0;
}

/// `all` has its defaults; takes over the fields that the caller knows. Those
/// that this library does not know must be zero.
template <typename Struct>
GaudiError *readOptions(const Struct *given, const char *name, Struct &all) {
  if (!given)
    return nullptr;
  if (!isPossibleSize<Struct>(given->size))
    return makeError(GaudiErrorInvalidArgument,
                     "'size' of {} is {}; call {}Init first", name, given->size,
                     name);
  const size_t known = std::min(given->size, sizeof(Struct));
  const auto *bytes = reinterpret_cast<const unsigned char *>(given);
  if (std::any_of(bytes + known, bytes + given->size,
                  [](unsigned char byte) { return byte != 0; }))
    return makeError(GaudiErrorInvalidArgument,
                     "{} has a field that is set and that this library ({}) "
                     "does not know; install a later one",
                     name, gaudiVersionText());
  std::memcpy(static_cast<void *>(&all), given, known);
  all.size = sizeof(Struct);
  return nullptr;
}

/// Null if some version of the structure has the size that the caller set.
template <typename Struct>
GaudiError *checkStats(const Struct *stats, const char *name) {
  if (isPossibleSize<Struct>(stats->size))
    return nullptr;
  return makeError(GaudiErrorInvalidArgument,
                   "'size' of {} is {}; set it to sizeof({})", name,
                   stats->size, name);
}

/// Writes the fields of `all` that the caller has room for, and zero to those
/// that this library does not know.
template <typename Struct> void writeStats(Struct all, Struct *given) {
  const size_t size = given->size;
  all.size = size;
  std::memset(static_cast<void *>(given), 0, size);
  std::memcpy(static_cast<void *>(given), &all, std::min(size, sizeof(all)));
}

inline GaudiStringRef refOf(std::string_view text) {
  return {text.data(), text.size()};
}

} // namespace gaudi::capi

/// Returns the error that the expression gives, if it gives one.
#define GAUDI_C_CHECK(...)                                                     \
  do {                                                                         \
    if (GaudiError *gaudiFound = (__VA_ARGS__))                                \
      return gaudiFound;                                                       \
  } while (false)

/// The value of a Result; a failure returns an error with that code.
#define GAUDI_C_TRY(code, ...)                                                 \
  (__extension__({                                                             \
    auto gaudiTried = (__VA_ARGS__);                                           \
    if (!gaudiTried)                                                           \
      return gaudi::capi::makeError(code, gaudiTried.error());                 \
    gaudi::detail::takeValue(::std::move(gaudiTried));                         \
  }))

#endif // GAUDI_LIB_CAPI_ERROR_H
