// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A view of consecutive elements that somebody else owns.
#ifndef GAUDI_KERNEL_SPAN_H
#define GAUDI_KERNEL_SPAN_H

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace gaudi::kernel {

/// Pointer and length, from any container that is contiguous: std::vector,
/// std::array, llvm::SmallVector, llvm::ArrayRef. The elements must outlive it.
template <typename T> class Span {
public:
  constexpr Span() = default;
  constexpr Span(T *first, size_t count) : first(first), count(count) {}
  template <size_t N> constexpr Span(T (&array)[N]) : first(array), count(N) {}
  template <typename Container,
            typename = std::enable_if_t<std::is_convertible_v<
                decltype(std::declval<Container &>().data()), T *>>>
  constexpr Span(Container &&container)
      : first(container.data()), count(container.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  /// For arguments only: the list ends with the full expression.
  template <typename U = T, typename = std::enable_if_t<std::is_const_v<U>>>
  constexpr Span(std::initializer_list<std::remove_const_t<U>> list)
      : first(list.begin()), count(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  constexpr T *begin() const { return first; }
  constexpr T *end() const { return first + count; }
  constexpr size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr T &operator[](size_t i) const {
    assert(i < count && "index beyond the span");
    return first[i];
  }

private:
  T *first = nullptr;
  size_t count = 0;
};

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_SPAN_H
