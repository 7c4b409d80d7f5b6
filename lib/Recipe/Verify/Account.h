// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up the parts of the metadata, to find sharing.
#ifndef GAUDI_LIB_RECIPE_VERIFY_ACCOUNT_H
#define GAUDI_LIB_RECIPE_VERIFY_ACCOUNT_H

#include "../Pack.h"
#include "Gaudi/Recipe/Views.h"

#include <cstdint>
#include <type_traits>

namespace gaudi::recipe {

/// Takes the bytes of each part from those of the metadata. Every part is at
/// least as large as what is taken for it, so an overdrawn account proves that
/// two references share a part. `sharesSmall`: several may share a small string
/// or vector (Pack.h), for which nothing is taken.
class Account {
public:
  explicit Account(uint64_t bytes, bool sharesSmall = false)
      : left(bytes), sharesSmall(sharesSmall) {}
  bool overdrawn() const { return over; }
  bool misaligned() const { return misplaced; }

  void take(uint64_t bytes) {
    if (bytes > left)
      over = true;
    else
      left -= bytes;
  }

  /// The length, the characters and the final zero.
  void take(const flatbuffers::String *string) {
    if (string && !(sharesSmall && string->size() <= maxSharedCharacters))
      take(5 + uint64_t(string->size()));
  }

  /// Scalars or structs. FlatBuffers only checks the alignment of the length.
  template <typename T> void takeScalars(const flatbuffers::Vector<T> *vector) {
    using Element = std::remove_const_t<
        std::remove_pointer_t<typename flatbuffers::Vector<T>::return_type>>;
    if (!vector)
      return;
    if (!sharesSmall || vector->size() > maxSharedElements)
      take(4 + uint64_t(vector->size()) * sizeof(Element));
    if (reinterpret_cast<uintptr_t>(vector->Data()) % alignof(Element) != 0)
      misplaced = true;
  }

  /// A vector of tables: its own bytes, and `visit` for each table. Stops when
  /// overdrawn, so the work is bounded by the metadata too.
  template <typename T, typename Visit>
  void takeTables(const flatbuffers::Vector<T> *vector, Visit &&visit) {
    if (!vector)
      return;
    take(4 + 4 * uint64_t(vector->size()));
    for (auto table : items(vector)) {
      if (over)
        return;
      take(4);
      visit(*table);
    }
  }

private:
  uint64_t left;
  const bool sharesSmall;
  bool over = false;
  bool misplaced = false;
};

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_VERIFY_ACCOUNT_H
