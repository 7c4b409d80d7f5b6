// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector of numbers whose first few need no allocation.
#ifndef GAUDI_KERNEL_INLINEVECTOR_H
#define GAUDI_KERNEL_INLINEVECTOR_H

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gaudi::kernel {

/// Holds up to `inlineCount` elements in the object itself, more on the heap.
template <typename T, uint32_t inlineCount> class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements are copied as bytes");

public:
  InlineVector() = default;
  InlineVector(const InlineVector &other) { append(other); }
  InlineVector(InlineVector &&other) noexcept { take(other); }
  InlineVector &operator=(const InlineVector &other) {
    if (this != &other) {
      count = 0;
      append(other);
    }
    return *this;
  }
  InlineVector &operator=(InlineVector &&other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~InlineVector() { release(); }

  uint32_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T *data() const { return isInline() ? few : many; }
  T *data() { return isInline() ? few : many; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + count; }
  T &operator[](uint32_t i) {
    assert(i < count && "index beyond the vector");
    return data()[i];
  }
  const T &operator[](uint32_t i) const {
    assert(i < count && "index beyond the vector");
    return data()[i];
  }
  const T &back() const { return (*this)[count - 1]; }

  void clear() { count = 0; }
  void pop_back() {
    assert(count > 0 && "nothing to remove");
    --count;
  }
  /// New elements are zero.
  void resize(uint32_t newCount) {
    reserve(newCount);
    if (newCount > count)
      std::fill(data() + count, data() + newCount, T());
    count = newCount;
  }
  bool operator==(const InlineVector &other) const {
    return count == other.count && std::equal(begin(), end(), other.begin());
  }

private:
  bool isInline() const { return capacity == inlineCount; }

  void reserve(uint32_t wanted) {
    if (wanted <= capacity)
      return;
    // Grows by doubling, so that appending stays linear.
    const uint32_t larger = std::max(wanted, 2 * capacity);
    T *moved = new T[larger];
    std::copy(begin(), end(), moved);
    release();
    many = moved;
    capacity = larger;
  }
  void append(const InlineVector &other) {
    reserve(other.count);
    std::copy(other.begin(), other.end(), data());
    count = other.count;
  }
  /// Takes the elements of `other`, which is empty afterwards. Nothing is held.
  void take(InlineVector &other) {
    if (other.isInline()) {
      std::copy(other.begin(), other.end(), few);
      capacity = inlineCount;
    } else {
      many = other.many;
      capacity = other.capacity;
      other.capacity = inlineCount;
    }
    count = other.count;
    other.count = 0;
  }
  void release() {
    if (!isInline())
      delete[] many;
    capacity = inlineCount;
  }

  uint32_t count = 0;
  uint32_t capacity = inlineCount; // more than inlineCount: `many` is in use
  union {
    T few[inlineCount];
    T *many;
  };
};

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_INLINEVECTOR_H
