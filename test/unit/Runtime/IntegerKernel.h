// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that sum products of 8-bit integers.
#ifndef GAUDI_TEST_UNIT_RUNTIME_INTEGERKERNEL_H
#define GAUDI_TEST_UNIT_RUNTIME_INTEGERKERNEL_H

#include "TestRecipe.h"

namespace gaudi::test {

inline ElementType byteType(bool isSigned) {
  return isSigned ? ElementType::I8 : ElementType::U8;
}

inline uint32_t extend(KernelBuilder &b, uint32_t byte, bool isSigned,
                       ElementType type = ElementType::I32) {
  return b.inst(isSigned ? Op::ExtSI : Op::ExtUI, type, byte);
}

/// A loaded byte, extended.
inline uint32_t loadByte(KernelBuilder &b, uint32_t access, bool isSigned) {
  return extend(b, b.inst(Op::Load, ElementType::I8, access), isSigned);
}

/// `init` plus the sum over `loops` of the values that the functions make in
/// the loop. The stage after it is begun.
template <typename Left, typename Right>
uint32_t sumOfProducts(KernelBuilder &b, std::vector<uint8_t> loops, Left left,
                       Right right, ElementType type = ElementType::I32,
                       uint64_t init = 0) {
  b.stage();
  const uint32_t start = b.constant(type, init);
  b.stage(std::move(loops));
  const uint32_t x = left(), w = right();
  b.reduce(recipe::ReduceOp::Add, start, b.inst(Op::MulI, type, x, w));
  const uint32_t sum = b.endStage();
  b.stage();
  return sum;
}

/// The accesses of y[m, n] = sum over k of x[m, k] w[k, n]. Inputs beside x and
/// w, and the result, are i32 and have the sizes of y.
class MatrixKernel : public KernelBuilder {
public:
  MatrixKernel(int64_t m, int64_t n, int64_t k, ElementType x, ElementType w,
               unsigned others = 0)
      : KernelBuilder({m, n, k}, {true, true, false}) {
    input(x, 2).input(w, 2);
    for (unsigned i = 0; i < others; ++i)
      input(ElementType::I32, 2);
    output(ElementType::I32, 2);
    left = access(0, 0, at({{0, 1}}), at({{2, 1}}));
    right = access(1, 0, at({{2, 1}}), at({{1, 1}}));
    for (unsigned i = 0; i <= others; ++i)
      result = access(2 + i, 0, at({{0, 1}}), at({{1, 1}}));
  }
  /// Of the first input beside x and w.
  uint32_t other() const { return right + 1; }

  template <typename Left, typename Right>
  uint32_t sum(Left makeLeft, Right makeRight) {
    return sumOfProducts(*this, {2}, makeLeft, makeRight);
  }

  uint32_t left, right, result = 0;
};

/// y[n, h, w, o] = the sum over (kh, kw, c) of
///   (x[n, s h + d kh - p, s w + d kw - p, c] - z) (f[kh, kw, c, o] - q)
struct IntegerConv {
  int64_t n = 1, size = 7, in = 8, out = 16, taps = 3;
  int64_t stride = 1, dilation = 1, pad = 1, groups = 1;
  bool signedX = false, signedF = true;
  bool channelsFirst = false; // x, f and y
  bool channelsOuter = false; // of the kernel's dimensions, as in y
  bool reversed = false;      // the groups of x
  uint8_t padValue = 3;
  bool flips = false; // 128 is added to the bytes of x before they are extended
  int64_t zero = 3, zeroF = 0;

  int64_t result() const {
    return (size + 2 * pad - dilation * (taps - 1) - 1) / stride + 1;
  }
  Dims image(int64_t edge, int64_t channels) const {
    return channelsFirst ? Dims{n, channels, edge, edge}
                         : Dims{n, edge, edge, channels};
  }
  Dims filter() const {
    return channelsFirst ? Dims{out, in / groups, taps, taps}
                         : Dims{taps, taps, in / groups, out};
  }
  KernelBuilder kernel() const;

private:
  /// Dimensions: n, g, (h, w, o) or (o, h, w), kh, kw, c.
  unsigned dimO() const { return channelsOuter ? 2 : 4; }
  unsigned dimH() const { return channelsOuter ? 3 : 2; }
  std::unique_ptr<recipe::AccessDimT> channel(KernelBuilder &b, unsigned dim,
                                              int64_t count) const {
    return dim == 7 && reversed ? b.at({{1, -count}, {dim, 1}}, in - count)
                                : b.at({{1, count}, {dim, 1}});
  }
  template <typename Channel, typename Row, typename Column>
  uint32_t access(KernelBuilder &b, uint32_t operand, uint8_t padBits,
                  Channel c, Row row, Column column) const {
    return channelsFirst
               ? b.access(operand, padBits, b.at({{0, 1}}), std::move(c),
                          std::move(row), std::move(column))
               : b.access(operand, padBits, b.at({{0, 1}}), std::move(row),
                          std::move(column), std::move(c));
  }
  uint32_t factor(KernelBuilder &b, uint32_t access, bool isSigned,
                  bool isFlipped, int64_t point) const {
    uint32_t byte = b.inst(Op::Load, ElementType::I8, access);
    if (isFlipped)
      byte = b.inst(Op::AddI, ElementType::I8, byte,
                    b.constant(ElementType::I8, 128));
    const uint32_t value = extend(b, byte, isSigned);
    return point == 0 ? value
                      : b.inst(Op::SubI, ElementType::I32, value,
                               b.constant(ElementType::I32, uint32_t(point)));
  }
};

inline KernelBuilder IntegerConv::kernel() const {
  const int64_t perGroup = in / groups, outs = out / groups;
  const Dims space =
      channelsOuter
          ? Dims{n, groups, outs, result(), result(), taps, taps, perGroup}
          : Dims{n, groups, result(), result(), outs, taps, taps, perGroup};
  KernelBuilder b(space, {true, true, true, true, true, false, false, false});
  b.input(byteType(signedX), 4).input(byteType(signedF), 4);
  b.output(ElementType::I32, 4);
  auto position = [&](unsigned dim, unsigned tap) {
    return b.at({{dim, stride}, {tap, dilation}}, -pad,
                pad > 0 ? recipe::Boundary::Pad : recipe::Boundary::Inside);
  };
  const uint32_t x =
      access(b, 0, pad > 0 ? padValue : 0, channel(b, 7, perGroup),
             position(dimH(), 5), position(dimH() + 1, 6));
  const uint32_t f =
      channelsFirst ? b.access(1, 0, channel(b, dimO(), outs), b.at({{7, 1}}),
                               b.at({{5, 1}}), b.at({{6, 1}}))
                    : b.access(1, 0, b.at({{5, 1}}), b.at({{6, 1}}),
                               b.at({{7, 1}}), channel(b, dimO(), outs));
  const uint32_t y = access(b, 2, 0, channel(b, dimO(), outs),
                            b.at({{dimH(), 1}}), b.at({{dimH() + 1, 1}}));
  b.store(y,
          sumOfProducts(
              b, {5, 6, 7}, [&] { return factor(b, x, signedX, flips, zero); },
              [&] { return factor(b, f, signedF, false, zeroF); }));
  return b;
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_INTEGERKERNEL_H
