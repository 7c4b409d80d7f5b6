// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who holds device memory: texts that many blocks share, by number.
#ifndef GAUDI_RUNTIME_DEVICE_OWNER_H
#define GAUDI_RUNTIME_DEVICE_OWNER_H

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gaudi::runtime {

/// What a block of device memory is for, as numbers of OwnerTexts; 0: unknown.
struct Owner {
  uint32_t name = 0;  ///< of the tensor
  uint32_t shape = 0; ///< and type: "f32[8,128]"
  uint32_t where = 0; ///< it was allocated: "train.py:31"

  friend bool operator==(const Owner &a, const Owner &b) {
    return a.name == b.name && a.shape == b.shape && a.where == b.where;
  }
};

/// Each text once. Texts stay until the table dies: they are the names,
/// shapes and places of a program, not one per allocation. Locked by the
/// caller.
class OwnerTexts {
public:
  OwnerTexts() { intern(""); }
  OwnerTexts(const OwnerTexts &) = delete;
  OwnerTexts &operator=(const OwnerTexts &) = delete;

  uint32_t intern(std::string_view text);
  std::string_view operator[](uint32_t number) const { return texts[number]; }
  /// "'w' f32[4,4] (allocated at train.py:3)", for messages.
  std::string describe(const Owner &owner) const;

private:
  std::deque<std::string> texts; // where keys of `numbers` point
  std::unordered_map<std::string_view, uint32_t> numbers;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_OWNER_H
