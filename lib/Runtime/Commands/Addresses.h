// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How commands tell which addresses they keep.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_ADDRESSES_H
#define GAUDI_LIB_RUNTIME_COMMANDS_ADDRESSES_H

#include <cstddef>
#include <vector>

namespace gaudi::runtime {

/// Sees all pointers to tensors and to staging memory that a command keeps,
/// once it is complete. They stay where they are in memory and are changed
/// there, between launches, when what they point to moves. Pointers to other
/// memory may be among them.
class AddressVisitor {
public:
  virtual ~AddressVisitor() = default;

  template <typename T> void visit(T *&pointer) {
    pointers(static_cast<void *>(&pointer), 1);
  }
  template <typename T> void visit(std::vector<T *> &table) {
    pointers(static_cast<void *>(table.data()), table.size());
  }

protected:
  /// `count` pointers of any one type, from `first` on.
  virtual void pointers(void *first, size_t count) = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_ADDRESSES_H
