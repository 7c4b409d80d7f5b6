// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Re-indexing of affine forms: division, strip-mining, reshapes, inverses.
#include "AffineTest.h"

using namespace gaudi::kernel;
using namespace gaudi::kernel::test;

namespace {

using ReindexTest = AffineTest;

TEST_F(ReindexTest, DividesIntoQuotientAndRest) {
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

TEST_F(ReindexTest, StripMinedIndexRunsThroughTheOldExtent) {
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

TEST_F(ReindexTest, ReshapedPositionsAreTheSameElements) {
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

TEST_F(ReindexTest, ReshapeRefusesOtherCountsAndEmptyTensors) {
  Forms result(1);
  EXPECT_FALSE(reshapePosition({Affine::dim(0)}, {6}, {5}, {6}, result).ok);
  EXPECT_FALSE(reshapePosition({Affine::dim(0)}, {0}, {0}, {1}, result).ok);
}

TEST_F(ReindexTest, InvertedStoresGiveTheStoringPoint) {
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

TEST_F(ReindexTest, InvertRefusesWhatNoPointStores) {
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

} // namespace
