// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equal kernels: finding them, and making one from another.
#ifndef GAUDI_DIALECT_KERNELCOPIES_H
#define GAUDI_DIALECT_KERNELCOPIES_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// A list of numbers and addresses as bytes; equal ones mean equal things as
/// long as the context lives.
class Encoding {
public:
  void add(uint64_t value) { words.push_back(value); }
  void add(const void *address) { add(uint64_t(uintptr_t(address))); }
  void add(Type type) { add(type.getAsOpaquePointer()); }
  void add(Attribute attr) { add(attr.getAsOpaquePointer()); }
  template <typename Range> void addAll(const Range &range) {
    add(uint64_t(llvm::range_size(range)));
    for (auto value : range)
      add(uint64_t(value));
  }
  void addTypes(TypeRange types) {
    add(uint64_t(types.size()));
    for (Type type : types)
      add(type);
  }

  StringRef bytes() const {
    return {reinterpret_cast<const char *>(words.data()),
            words.size() * sizeof(uint64_t)};
  }

private:
  SmallVector<uint64_t, 256> words;
};

/// Name and attributes of an op, without operands and results.
void encodeAttributes(Operation *op, Encoding &code);

/// Everything but the operands and locations of a kernel.
void encodeKernel(KernelOp kernel, Encoding &code);

/// Gives an op and all it holds the location.
void relocate(Operation *op, Location loc);

} // namespace gaudi

#endif // GAUDI_DIALECT_KERNELCOPIES_H
