// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random bits by counters: Threefry-2x32-20 and Philox-4x32-10 of J. Salmon, M.
// Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011. Each point of a kernel encrypts one value of a counter.
//
// A state is a tensor of a key and a counter: 2 elements of 64 bits, 3 for
// Philox' counter of 128 bits, or 4 of 32 bits.
#ifndef GAUDI_LIB_CONVERSION_COMMON_RANDOMBITS_H
#define GAUDI_LIB_CONVERSION_COMMON_RANDOMBITS_H

#include "PointKernel.h"

namespace gaudi {

enum class Generator { Threefry, Philox };

/// The words of a state, all scalars of a kernel.
struct StateWords {
  std::array<Value, 2> key;     ///< i32, the low one first
  std::array<Value, 2> counter; ///< i64, the low one first
};

/// Arithmetic of the generators on i32 words.
class Words {
public:
  explicit Words(KernelBuilder &k) : k(k), i32(k.getBuilder().getI32Type()) {}

  using Pair = std::array<Value, 2>;
  using Block = std::array<Value, 4>;

  Pair threefry(Pair x, Pair key);
  Block philox(Block x, Pair key);

  /// The two words of an i64, the low one first.
  Pair split(Value wide);
  /// An i64 of two words, the low one first.
  Value join(Value low, Value high);
  /// counter + number, where the number is below 2^63.
  Pair advance(Pair counter, Value number);
  StateWords read(unsigned input, RankedTensorType type, Generator generator);

  Value wide(int64_t value) {
    return k.intConstant(value, k.getBuilder().getI64Type());
  }

private:
  Value word(uint32_t value) { return k.intConstant(int32_t(value), i32); }
  Value add(Value a, Value b) { return k.binary<arith::AddIOp>(a, b); }
  Value bitXor(Value a, Value b) { return k.binary<arith::XOrIOp>(a, b); }
  Value rotateLeft(Value a, unsigned distance) {
    return k.binary<arith::OrIOp>(
        k.binary<arith::ShLIOp>(a, word(distance)),
        k.binary<arith::ShRUIOp>(a, word(32 - distance)));
  }
  Value mulHigh(Value a, Value b) {
    return arith::MulUIExtendedOp::create(k.getBuilder(), k.getLoc(), a, b)
        .getHigh();
  }

  KernelBuilder &k;
  Type i32;
};

/// The state after `count` blocks.
Value nextState(FrontEndBuilder &b, StringRef label, Generator generator,
                int64_t count, Value state);

/// Bits for a tensor of `type`, and how many blocks they were. The words of a
/// Philox block follow each other in row-major order. Those of Threefry follow
/// each other along a dimension: the first of even size, else the largest; with
/// 64 bits one block is one element. The first block is `start` after the
/// state's.
std::pair<Value, int64_t> randomBits(FrontEndBuilder &b, StringRef label,
                                     Generator generator, RankedTensorType type,
                                     Value state, int64_t start = 0);

/// Floats in [0, 1) of the 23 upper bits of words of 32 bits.
Value uniformFloats(FrontEndBuilder &b, Value bits);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_RANDOMBITS_H
