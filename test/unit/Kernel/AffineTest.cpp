// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Affine forms against the enumeration of every point.
#include "AffineTest.h"

using namespace gaudi::kernel;
using namespace gaudi::kernel::test;

namespace {

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

} // namespace
