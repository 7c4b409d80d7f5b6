// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serialises data into the bytes of a cache key.
#ifndef GAUDI_LIB_RUNTIME_JIT_KEYWRITER_H
#define GAUDI_LIB_RUNTIME_JIT_KEYWRITER_H

#include "Gaudi/Kernel/Affine.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gaudi::runtime {

/// Appends numbers, lists and structs. Every list is preceded by its length, so
/// different data gives different bytes.
///
/// A struct has a member `void key(KeyWriter &) const` that takes itself apart
/// with a structured binding and adds the parts: a binding names every member,
/// so one that is added later and not named does not compile.
class KeyWriter {
public:
  template <typename... Values> void add(const Values &...values) {
    (addOne(values), ...);
  }
  std::string take() { return std::move(bytes); }

private:
  template <typename T> void addOne(const T &value) {
    if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      const uint64_t word = uint64_t(value);
      bytes.append(reinterpret_cast<const char *>(&word), sizeof(word));
    } else if constexpr (std::is_same_v<T, double>) {
      bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    } else {
      value.key(*this);
    }
  }
  template <typename T> void addOne(const std::vector<T> &values) {
    addOne(uint64_t(values.size()));
    for (const T &value : values)
      addOne(value);
  }
  void addOne(const kernel::Affine &form) {
    addOne(form.getOffset());
    addOne(form.size());
    for (unsigned d = 0; d < form.size(); ++d)
      addOne(form[d]);
  }
  void addOne(const std::vector<bool> &values) {
    addOne(uint64_t(values.size()));
    for (bool value : values)
      bytes += value ? '1' : '0';
  }

  std::string bytes;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KEYWRITER_H
