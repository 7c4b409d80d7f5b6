// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine forms at the ends of int64: what does not fit is said, never wrapped.
#include "AffineTest.h"

using namespace gaudi::kernel;
using namespace gaudi::kernel::test;

namespace {

using AffineOverflowTest = AffineTest;

TEST_F(AffineOverflowTest, TrailingZerosDoNotCount) {
  Affine form = Affine::dim(7, 3);
  EXPECT_EQ(form.size(), 8u);
  form.add(7, -3);
  EXPECT_TRUE(form.isConstant());
  EXPECT_EQ(form, Affine());
  EXPECT_EQ(Affine::dim(2).singleDim(), 2u);
  EXPECT_EQ(Affine::dim(2, 2).singleDim(), std::nullopt);
  EXPECT_EQ(Affine(1).singleDim(), std::nullopt);
  EXPECT_EQ(Affine::dim(9, -1).dims(), uint64_t(1) << 9);
}

// --- the ends of int64 -------------------------------------------------------

TEST_F(AffineOverflowTest, WhatDoesNotFitIsInexact) {
  Affine offset(greatest);
  offset.addOffset(1);
  Affine coefficient = Affine::dim(0, least);
  coefficient.add(0, -1);
  Affine scaled;
  scaled.add(Affine::dim(3, int64_t(1) << 62), 2);
  Affine sum = Affine(least);
  sum.add(Affine(1), -1);
  const Affine composed = Affine::dim(0, 3).substitute({Affine(greatest / 2)});
  for (const Affine &form : {offset, coefficient, scaled, sum, composed}) {
    EXPECT_FALSE(form.isExact());
    EXPECT_FALSE(form == form);
    EXPECT_FALSE(form.isConstant());
    EXPECT_EQ(form.singleDim(), std::nullopt);
    EXPECT_EQ(form.dims(), ~uint64_t(0));
    const Range range = rangeOf(form, {4, 4, 4, 4});
    EXPECT_EQ(range.low, least);
    EXPECT_EQ(range.high, greatest);
    // It stays so, whatever is added.
    Affine later = form;
    later.addOffset(-1);
    later.add(0, 1);
    EXPECT_FALSE(later.isExact());
    EXPECT_FALSE(form.substitute({Affine()}).isExact());
    Affine other = Affine::dim(0);
    other.add(form, 0);
    EXPECT_FALSE(other.isExact());
    Affine quotient, rest;
    EXPECT_FALSE(divide(form, 2, {4, 4, 4, 4}, quotient, rest).ok);
    EXPECT_EQ(contiguousRun(form, {4, 4, 4, 4}), 0);
    const Walk walk[] = {{0, 4}};
    EXPECT_FALSE(isInjective(form, walk));
    EXPECT_EQ(blockPerPoint(form, walk, {}), 0);
  }
}

TEST_F(AffineOverflowTest, NumbersAtTheEndsAreExact) {
  Affine form(greatest);
  form.add(0, least);
  EXPECT_TRUE(form.isExact());
  EXPECT_EQ(form.at({1}), -1);
  EXPECT_TRUE(isInjective(form, {{0, 2}}));
  form.add(Affine(greatest), -1);
  EXPECT_EQ(form, Affine::dim(0, least));
}

TEST_F(AffineOverflowTest, ValuesAreExactWhateverTheirPartialSums) {
  // Three terms of about -2^126 leave 128 bits before the others bring the sum
  // back: least + greatest is -1.
  Affine form(7);
  for (unsigned d = 0; d < 3; ++d) {
    form.add(d, least);
    form.add(d + 3, greatest);
    form.add(d + 6, 1);
  }
  EXPECT_EQ(form.at(Dims(9, greatest)), 7);
  Affine reversed(-7);
  for (unsigned d = 0; d < 3; ++d) {
    reversed.add(d, greatest);
    reversed.add(d + 3, least);
    reversed.add(d + 6, 1);
  }
  EXPECT_EQ(reversed.at(Dims(9, greatest)), -7);
}

TEST_F(AffineOverflowTest, RangesSaturate) {
  // Bounds are exact although the terms are not.
  Affine form = Affine::dim(0, greatest);
  form.add(1, -greatest);
  Range range = rangeOf(form, {2, 2});
  EXPECT_EQ(range.low, -greatest);
  EXPECT_EQ(range.high, greatest);
  // A bound beyond int64 is its end, from either side of zero.
  range = rangeOf(form, {greatest, greatest});
  EXPECT_EQ(range.low, least);
  EXPECT_EQ(range.high, greatest);
  form = Affine(-5);
  for (unsigned d = 0; d < 20; ++d)
    form.add(d, greatest);
  range = rangeOf(form, Dims(20, greatest));
  EXPECT_EQ(range.low, -5);
  EXPECT_EQ(range.high, greatest);
  EXPECT_FALSE(range.isWithin(greatest));
  // Coming back from beyond is exact as well.
  form = Affine(least);
  form.add(0, int64_t(1) << 62);
  range = rangeOf(form, {4});
  EXPECT_EQ(range.low, least);
  EXPECT_EQ(range.high, int64_t(1) << 62);
}

TEST_F(AffineOverflowTest, DivisionRefusesWhatItDoesNotKnow) {
  // Both bounds would saturate to one number.
  Affine form = Affine(greatest);
  form.add(0, 1);
  Affine quotient, rest;
  EXPECT_FALSE(divide(form, greatest, {greatest}, quotient, rest).ok);
  // The rest's offset does not fit on the way.
  EXPECT_FALSE(
      divide(Affine(least + 1), (int64_t(1) << 62) + 1, {}, quotient, rest).ok);
  EXPECT_FALSE(divide(Affine(1), 0, {}, quotient, rest).ok);
  EXPECT_TRUE(divide(Affine(greatest - 1), greatest, {}, quotient, rest).ok);
  EXPECT_EQ(rest.getOffset(), greatest - 1);
}

TEST_F(AffineOverflowTest, LastPositionsSaturate) {
  EXPECT_EQ(lastPosition(3, 5, 2), 11);
  EXPECT_EQ(lastPosition(0, greatest, greatest), greatest);
  EXPECT_EQ(lastPosition(0, greatest, least), least);
  EXPECT_EQ(lastPosition(-7, greatest, 1), greatest - 8);
  EXPECT_EQ(saturatingAdd(greatest, 1), greatest);
  EXPECT_EQ(saturatingAdd(least, -1), least);
  EXPECT_EQ(saturatingAdd(least, greatest), -1);
}

} // namespace
