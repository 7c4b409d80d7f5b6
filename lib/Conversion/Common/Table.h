// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small constant tables from one enumeration to another.
#ifndef GAUDI_LIB_CONVERSION_COMMON_TABLE_H
#define GAUDI_LIB_CONVERSION_COMMON_TABLE_H

#include "Gaudi/Dialect/MLIR.h"
#include <cstddef>
#include <optional>
#include <utility>

namespace gaudi {

/// The value of the row with the key; none if there is no such row.
template <typename Key, typename Value, size_t count>
std::optional<Value> lookup(const std::pair<Key, Value> (&table)[count],
                            Key key) {
  for (const auto &[known, value] : table)
    if (known == key)
      return value;
  return std::nullopt;
}

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_TABLE_H
