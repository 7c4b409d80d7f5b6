// Affine forms against the enumeration of every point.
#include "Gaudi/Kernel/Affine.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace gaudi::kernel;

namespace {

using Dims = std::vector<int64_t>;
using Forms = std::vector<Affine>;

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t greatest = std::numeric_limits<int64_t>::max();

class AffineTest : public testing::Test {
protected:
  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  Dims space(unsigned dims, int64_t most = 4) {
    Dims extents;
    for (unsigned d = 0; d < dims; ++d)
      extents.push_back(number(1, most));
    return extents;
  }
  Affine form(unsigned dims, int64_t most = 9) {
    Affine result(number(-most, most));
    for (unsigned d = 0; d < dims; ++d)
      if (number(0, 3) != 0)
        result.add(d, number(-most, most));
    return result;
  }

  std::mt19937_64 random{20261122};
};

/// Calls f(index) for every point of the space, the last dimension fastest.
template <typename F> void forEachPoint(const Dims &extents, F f) {
  Dims index(extents.size(), 0);
  for (;;) {
    f(index);
    size_t d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

TEST_F(AffineTest, ComposesAsItsValuesDo) {
  for (int round = 0; round < 300; ++round) {
    const unsigned outer = number(0, 5), inner = number(0, 6);
    const Affine form = this->form(outer);
    Forms forms;
    for (unsigned d = 0; d < outer; ++d)
      forms.push_back(this->form(inner));
    const Affine composed = form.substitute(forms);
    forEachPoint(space(inner, 3), [&](const Dims &index) {
      Dims middle;
      for (const Affine &each : forms)
        middle.push_back(each.at(index));
      ASSERT_EQ(composed.at(index), form.at(middle));
    });
  }
}

TEST_F(AffineTest, FlattensPositionsToMemory) {
  for (int round = 0; round < 100; ++round) {
    const unsigned dims = number(0, 4), rank = number(0, 4);
    Forms position;
    Dims strides;
    for (unsigned t = 0; t < rank; ++t) {
      position.push_back(form(dims));
      strides.push_back(number(0, 50));
    }
    const Affine flat = flatten(position, strides);
    forEachPoint(space(dims), [&](const Dims &index) {
      int64_t expected = 0;
      for (unsigned t = 0; t < rank; ++t)
        expected += position[t].at(index) * strides[t];
      ASSERT_EQ(flat.at(index), expected);
    });
  }
}

TEST_F(AffineTest, RangeIsLeastAndGreatestValue) {
  for (int round = 0; round < 500; ++round) {
    const unsigned dims = number(0, 5);
    const Dims extents = space(dims);
    const Affine form = this->form(dims);
    int64_t low = greatest, high = least;
    forEachPoint(extents, [&](const Dims &index) {
      low = std::min(low, form.at(index));
      high = std::max(high, form.at(index));
    });
    const Range range = rangeOf(form, extents);
    EXPECT_EQ(range.low, low);
    EXPECT_EQ(range.high, high);
    for (int64_t size : {int64_t(0), high, high + 1})
      EXPECT_EQ(range.isWithin(size), low >= 0 && high < size);
  }
}

TEST_F(AffineTest, EqualWithoutUnitDimsMeansEqualEverywhere) {
  for (int round = 0; round < 500; ++round) {
    const unsigned dims = number(0, 3);
    const Dims extents = space(dims, 2);
    const Affine a = form(dims, 1), b = form(dims, 1);
    bool equal = true;
    forEachPoint(extents, [&](const Dims &index) {
      equal &= a.at(index) == b.at(index);
    });
    EXPECT_EQ(a.withoutUnitDims(extents) == b.withoutUnitDims(extents), equal);
  }
}

TEST_F(AffineTest, InjectiveFormsTakeNoValueTwice) {
  int injective = 0, missed = 0;
  for (int round = 0; round < 2000; ++round) {
    const unsigned dims = number(0, 4);
    const Dims extents = space(dims);
    const Affine form = this->form(dims, 20);
    std::vector<Walk> walks;
    for (unsigned d = 0; d < dims; ++d)
      walks.push_back({d, extents[d]});
    std::set<int64_t> values;
    bool distinct = true;
    forEachPoint(extents, [&](const Dims &index) {
      distinct &= values.insert(form.at(index)).second;
    });
    if (isInjective(form, walks)) {
      EXPECT_TRUE(distinct);
      ++injective;
    } else {
      missed += distinct;
    }
  }
  EXPECT_GT(injective, 300);
  EXPECT_LT(missed, injective); // the test is sufficient, and rarely too strict
}

TEST_F(AffineTest, InjectiveOverSomeDimensionsOnly) {
  Affine form = Affine::dim(0, 4);
  form.add(1, 1);
  const Walk both[] = {{0, 3}, {1, 5}}, rows[] = {{0, 3}};
  EXPECT_FALSE(isInjective(form, both)); // 4 * 1 + 0 = 4 * 0 + 4
  EXPECT_TRUE(isInjective(form, rows));
}

TEST_F(AffineTest, ContiguousRunsTakeEachValueOnce) {
  int runs = 0;
  for (int round = 0; round < 2000; ++round) {
    const unsigned dims = number(0, 3);
    const Dims extents = space(dims, 3);
    Affine form(number(0, 9) == 0);
    for (unsigned d = 0; d < dims; ++d)
      form.add(d, Dims{0, 1, 2, 3, 6}[number(0, 4)]);
    const int64_t run = contiguousRun(form, extents);
    if (run == 0)
      continue;
    ++runs;
    // Over the dimensions that it has; the others repeat every value.
    std::map<int64_t, int64_t> count;
    forEachPoint(extents, [&](const Dims &index) { ++count[form.at(index)]; });
    int64_t repeats = 1;
    for (unsigned d = 0; d < dims; ++d)
      repeats *= form[d] == 0 ? extents[d] : 1;
    ASSERT_EQ(int64_t(count.size()), run);
    for (auto [value, times] : count) {
      EXPECT_TRUE(value >= 0 && value < run);
      EXPECT_EQ(times, repeats);
    }
  }
  EXPECT_GT(runs, 200);
}

TEST_F(AffineTest, BlockPerPoint) {
  int blocks = 0;
  for (int round = 0; round < 5000; ++round) {
    const unsigned points = number(1, 2), dims = points + number(0, 1);
    const Dims extents = space(dims, 3);
    Affine form(number(0, 2));
    std::vector<Walk> pointWalks, loopWalks;
    for (unsigned d = 0; d < dims; ++d) {
      form.add(d, number(-1, 9));
      (d < points ? pointWalks : loopWalks).push_back({d, extents[d]});
    }
    const int64_t block = blockPerPoint(form, pointWalks, loopWalks);
    const Dims pointExtents(extents.begin(), extents.begin() + points);
    // All loops of the k-th point stay in [k * b, (k + 1) * b).
    auto stays = [&](int64_t b) {
      bool inside = true;
      int64_t k = 0;
      forEachPoint(pointExtents, [&](const Dims &point) {
        const Dims loopExtents(extents.begin() + points, extents.end());
        forEachPoint(loopExtents, [&](const Dims &loop) {
          Dims index = point;
          index.insert(index.end(), loop.begin(), loop.end());
          const int64_t at = form.at(index);
          inside &= at >= k * b && at < (k + 1) * b;
        });
        ++k;
      });
      return inside;
    };
    if (block != 0) {
      EXPECT_GT(block, 0);
      EXPECT_TRUE(stays(block));
      ++blocks;
    }
  }
  EXPECT_GT(blocks, 50);
}

TEST_F(AffineTest, DividesIntoQuotientAndRest) {
  int divided = 0, mined = 0;
  for (int round = 0; round < 3000; ++round) {
    const unsigned dims = number(0, 3);
    const Dims extents = space(dims, 6);
    const int64_t stride = number(1, 12);
    const Affine form = this->form(dims, 12);
    Affine quotient, rest;
    const Reindexed result = divide(form, stride, extents, quotient, rest);
    if (result.ok) {
      ++divided;
      forEachPoint(extents, [&](const Dims &index) {
        const int64_t q = quotient.at(index), r = rest.at(index);
        ASSERT_EQ(q * stride + r, form.at(index));
        ASSERT_TRUE(r >= 0 && r < stride);
      });
    } else if (result.stripMine) {
      // The dimension can be mined: the inner extent divides it, and the outer
      // step is a multiple of the stride.
      ++mined;
      const auto [dim, inner] = *result.stripMine;
      EXPECT_EQ(extents[dim] % inner, 0);
      EXPECT_LT(inner, extents[dim]);
      EXPECT_EQ(form[dim] * inner % stride, 0);
    }
  }
  EXPECT_GT(divided, 500);
  EXPECT_GT(mined, 20);
}

TEST_F(AffineTest, StripMinedIndexRunsThroughTheOldExtent) {
  const Affine old = stripMined({1, 4}, 2);
  std::vector<int64_t> values;
  forEachPoint({1, 3, 4},
               [&](const Dims &index) { values.push_back(old.at(index)); });
  ASSERT_EQ(values.size(), 12u);
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ(values[i], i);
}

/// Random factors of a number, in random order.
Dims factors(std::mt19937_64 &random, int64_t number) {
  Dims result;
  while (number > 1) {
    std::vector<int64_t> divisors;
    for (int64_t d = 2; d <= number; ++d)
      if (number % d == 0)
        divisors.push_back(d);
    result.push_back(divisors[random() % divisors.size()]);
    number /= result.back();
    if (random() % 4 == 0)
      result.push_back(1);
  }
  return result;
}

int64_t rowMajor(const Dims &sizes, const Dims &index) {
  int64_t at = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    at = at * sizes[i] + index[i];
  return at;
}

Dims valuesAt(const Forms &forms, const Dims &index) {
  Dims values;
  for (const Affine &form : forms)
    values.push_back(form.at(index));
  return values;
}

/// Applies strip-mining to an index space and positions over it.
void mine(StripMine at, Dims &extents, Forms &position) {
  Forms forms;
  for (unsigned d = 0; d < extents.size(); ++d)
    forms.push_back(Affine::dim(d));
  forms[at.dim] = stripMined(at, extents.size());
  extents[at.dim] /= at.inner;
  extents.push_back(at.inner);
  for (Affine &form : position)
    form = form.substitute(forms);
}

TEST_F(AffineTest, ReshapedPositionsAreTheSameElements) {
  int reshaped = 0;
  for (int round = 0; round < 500; ++round) {
    const int64_t count = Dims{1, 6, 8, 12, 24, 36}[number(0, 5)];
    const Dims from = factors(random, count), to = factors(random, count);
    // The points walk the source, perhaps in another order of dimensions.
    Dims extents = from;
    Forms position;
    for (unsigned d = 0; d < from.size(); ++d)
      position.push_back(Affine::dim(d));
    Forms result(to.size());
    Reindexed solved;
    for (int attempt = 0; attempt < 8; ++attempt) {
      solved = reshapePosition(position, from, to, extents, result);
      if (solved.ok || !solved.stripMine)
        break;
      mine(*solved.stripMine, extents, position);
    }
    if (!solved.ok)
      continue;
    ++reshaped;
    forEachPoint(extents, [&](const Dims &index) {
      const Dims there = valuesAt(result, index);
      for (size_t i = 0; i < to.size(); ++i)
        ASSERT_TRUE(there[i] >= 0 && there[i] < to[i]);
      ASSERT_EQ(rowMajor(to, there), rowMajor(from, valuesAt(position, index)));
    });
  }
  EXPECT_GT(reshaped, 200);
}

TEST_F(AffineTest, ReshapeRefusesOtherCountsAndEmptyTensors) {
  Forms result(1);
  EXPECT_FALSE(reshapePosition({Affine::dim(0)}, {6}, {5}, {6}, result).ok);
  EXPECT_FALSE(reshapePosition({Affine::dim(0)}, {0}, {0}, {1}, result).ok);
}

TEST_F(AffineTest, InvertedStoresGiveTheStoringPoint) {
  int inverted = 0;
  for (int round = 0; round < 2000; ++round) {
    // A store that spreads each tensor dimension over some kernel dimensions.
    const unsigned rank = number(1, 3);
    Dims storeExtents, sizes;
    Forms store;
    for (unsigned t = 0; t < rank; ++t) {
      Affine form(number(0, 4) == 0);
      int64_t size = 1;
      for (int64_t digits = number(1, 2); digits > 0; --digits) {
        const int64_t extent = number(1, 4);
        form.add(storeExtents.size(), size);
        storeExtents.push_back(extent);
        size *= extent;
      }
      store.push_back(form);
      sizes.push_back(size + form.getOffset());
    }
    // Another kernel reads it, along other dimensions.
    Dims extents;
    Forms position;
    for (unsigned t = 0; t < rank; ++t) {
      Affine form(store[t].getOffset());
      const int64_t size = sizes[t] - store[t].getOffset();
      form.add(extents.size(), 1);
      extents.push_back(number(0, 5) == 0 ? std::max<int64_t>(size / 2, 1)
                                          : size);
      position.push_back(form);
    }
    Forms indices(storeExtents.size());
    Reindexed solved;
    for (int attempt = 0; attempt < 8; ++attempt) {
      solved = invertStore(store, storeExtents, position, extents, indices);
      if (solved.ok || !solved.stripMine)
        break;
      mine(*solved.stripMine, extents, position);
    }
    if (!solved.ok)
      continue;
    ++inverted;
    forEachPoint(extents, [&](const Dims &index) {
      const Dims point = valuesAt(indices, index);
      for (size_t d = 0; d < point.size(); ++d)
        ASSERT_TRUE(point[d] >= 0 && point[d] < storeExtents[d]);
      ASSERT_EQ(valuesAt(store, point), valuesAt(position, index));
    });
  }
  EXPECT_GT(inverted, 500);
}

TEST_F(AffineTest, InvertRefusesWhatNoPointStores) {
  Forms indices(1);
  // Twice the index: odd positions are stored by nobody.
  EXPECT_FALSE(
      invertStore({Affine::dim(0, 2)}, {4}, {Affine::dim(0)}, {8}, indices).ok);
  // Beyond the last point.
  EXPECT_FALSE(
      invertStore({Affine::dim(0)}, {4}, {Affine::dim(0)}, {5}, indices).ok);
  // Backwards.
  EXPECT_FALSE(
      invertStore({Affine::dim(0, -1)}, {4}, {Affine::dim(0, -1)}, {4}, indices)
          .ok);
  // An index that two dimensions of the tensor say.
  EXPECT_FALSE(invertStore({Affine::dim(0), Affine::dim(0)}, {4},
                           {Affine::dim(0), Affine::dim(0)}, {4}, indices)
                   .ok);
}

TEST_F(AffineTest, TrailingZerosDoNotCount) {
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

TEST_F(AffineTest, WhatDoesNotFitIsInexact) {
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

TEST_F(AffineTest, NumbersAtTheEndsAreExact) {
  Affine form(greatest);
  form.add(0, least);
  EXPECT_TRUE(form.isExact());
  EXPECT_EQ(form.at({1}), -1);
  EXPECT_TRUE(isInjective(form, {{0, 2}}));
  form.add(Affine(greatest), -1);
  EXPECT_EQ(form, Affine::dim(0, least));
}

TEST_F(AffineTest, RangesSaturate) {
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

TEST_F(AffineTest, DivisionRefusesWhatItDoesNotKnow) {
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

TEST_F(AffineTest, LastPositionsSaturate) {
  EXPECT_EQ(lastPosition(3, 5, 2), 11);
  EXPECT_EQ(lastPosition(0, greatest, greatest), greatest);
  EXPECT_EQ(lastPosition(0, greatest, least), least);
  EXPECT_EQ(lastPosition(-7, greatest, 1), greatest - 8);
  EXPECT_EQ(saturatingAdd(greatest, 1), greatest);
  EXPECT_EQ(saturatingAdd(least, -1), least);
  EXPECT_EQ(saturatingAdd(least, greatest), -1);
}

} // namespace
