// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the 8-bit values come from that a kernel multiplies.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_BYTEVALUES_H
#define GAUDI_LIB_RUNTIME_INTEGERS_BYTEVALUES_H

#include "KnownRange.h"

#include "Gaudi/Recipe/Views.h"

#include <optional>
#include <utility>
#include <vector>

namespace gaudi::runtime {

/// Operations between a load and the product that are looked at.
constexpr unsigned mostSteps = 8;

/// An 8-bit value, or one whose sign bit is the other one.
struct SignFlip {
  const recipe::Inst *of = nullptr;
  bool flips = false;
};

/// The values of a kernel.
class ByteValues {
public:
  ByteValues(const recipe::Kernel &kernel, const KnownRanges &known);

  /// Null for the result of a reduction.
  const recipe::Inst *operator[](uint32_t value) const { return values[value]; }

  /// Of a load of i32, if it has 8 bits; else null.
  const KnownRange *knownRange(const recipe::Inst &load) const;

  /// The multiplication of a value. Null: none, or not of two values that come
  /// from 8-bit loads.
  const recipe::Inst *productOf(uint32_t value) const;

  /// The multiplication of a stage that sums products of 8-bit values, some of
  /// them converted from floats; else null.
  const recipe::Inst *quantizedProductOf(const recipe::Stage &stage) const;

  /// The 8-bit value in such a factor that comes from a float.
  std::optional<uint32_t> quantizedIn(uint32_t factor) const;

  /// Adding 128 flips the sign bit, because 8-bit sums wrap. Extending such a
  /// sum gives what the other extension gives for the value itself, less 128 if
  /// the extension has a sign, else plus 128.
  SignFlip signFlip(const recipe::Inst *inst) const;

  static int64_t signedBits(uint64_t bits, recipe::ElementType type);

private:
  const recipe::Inst *multiplicationOf(uint32_t value) const;
  bool comesFromByte(uint32_t value, unsigned steps) const;
  bool comesFromFloat(uint32_t value, unsigned steps) const;

  const recipe::Kernel &kernel;
  const KnownRanges &known;
  std::vector<const recipe::Inst *> values;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_BYTEVALUES_H
