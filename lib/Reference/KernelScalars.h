// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar operations of a TPC kernel, by opcode.
#ifndef GAUDI_LIB_REFERENCE_KERNELSCALARS_H
#define GAUDI_LIB_REFERENCE_KERNELSCALARS_H

#include "Gaudi/Dialect/KernelLanguage.h"
#include "Scalars.h"
#include "llvm/ADT/StringRef.h"

namespace gaudi::reference {

using UnaryFloat = double (*)(double);
using BinaryFloat = double (*)(double, double);
using UnaryInt = int64_t (*)(int64_t, IntKind);

/// `asUnsigned` says how the op reads its signless operands.
struct BinaryInt {
  int64_t (*formula)(int64_t, int64_t, IntKind) = nullptr;
  bool asUnsigned = false;
};

using kernel::Opcode;

/// The formula of an opcode, or null if it is not of that shape.
UnaryFloat unaryFloatOf(Opcode op);
BinaryFloat binaryFloatOf(Opcode op);
UnaryInt unaryIntOf(Opcode op);
BinaryInt binaryIntOf(Opcode op);

/// How a loop combines its accumulator with the next value; null for the
/// operators that floats (ints) do not have and for argmax, argmin and custom.
BinaryFloat findFloatCombiner(KernelReduce kind);
BinaryInt findIntCombiner(KernelReduce kind);

/// How a kernel keeps a signless integer: sign-extended, i1 as 0 or 1.
inline IntKind kernelKind(Type type) {
  const unsigned width = type.getIntOrFloatBitWidth();
  return {width, width == 1};
}

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_KERNELSCALARS_H
