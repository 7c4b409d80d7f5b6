// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small views over the zero-copy metadata of a recipe.
//
// FlatBuffers leaves out empty vectors and strings, so every accessor of the
// generated code may return null. `items` and `text` give them the meaning the
// format gives them: absent is empty.
#ifndef GAUDI_RECIPE_VIEWS_H
#define GAUDI_RECIPE_VIEWS_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gaudi::recipe {

/// Read-only bytes owned by somebody else.
struct ByteSpan {
  const uint8_t *data = nullptr;
  size_t size = 0;
};

/// A FlatBuffers vector that may be absent. Scalars come by value, tables and
/// structs as pointers that are never null.
template <typename T> class Items {
public:
  using Vector = flatbuffers::Vector<T>;
  using value_type = typename Vector::return_type;

  explicit Items(const Vector *vector) : vector(vector) {}

  uint32_t size() const { return vector ? vector->size() : 0; }
  bool empty() const { return size() == 0; }
  value_type operator[](uint32_t index) const { return vector->Get(index); }

  struct Iterator {
    const Vector *vector;
    uint32_t index;
    value_type operator*() const { return vector->Get(index); }
    Iterator &operator++() {
      ++index;
      return *this;
    }
    bool operator!=(const Iterator &other) const {
      return index != other.index;
    }
  };
  Iterator begin() const { return {vector, 0}; }
  Iterator end() const { return {vector, size()}; }

private:
  const Vector *vector;
};

template <typename T> Items<T> items(const flatbuffers::Vector<T> *vector) {
  return Items<T>(vector);
}

inline std::string_view text(const flatbuffers::String *string) {
  return string ? std::string_view(string->c_str(), string->size())
                : std::string_view();
}

/// The vector as a std::vector (of scalars).
template <typename T>
std::vector<T> copyOf(const flatbuffers::Vector<T> *vector) {
  std::vector<T> result;
  result.reserve(items(vector).size());
  for (T value : items(vector))
    result.push_back(value);
  return result;
}

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_VIEWS_H
