// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products that gradients of a convolution's input are computed as: counted
// position by position.
#include "Gaudi/Timing/Mme.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>

using namespace gaudi;
using namespace gaudi::timing;

namespace {

// A gradient of the input with stride 2: four products, of which one has one
// tap of a 3 x 3 filter, two have two and one has four; equal ones are counted.
TEST(MmeProblems, StridedInputGradients) {
  MatrixWork work;
  work.kind = MatrixWork::Kind::ConvInputGrad;
  work.inputChannels = 32;
  work.outputChannels = 64;
  work.images = 2;
  Spatial s;
  s.input = 16;
  s.output = 8;
  s.filter = 3;
  s.stride = 2;
  s.padLow = 1;
  work.spatial = {s, s};
  double macs = 0;
  int64_t products = 0;
  for (const MmeProblem &part : problemsOf(work)) {
    EXPECT_EQ(part.width, 32);
    EXPECT_EQ(part.height, 2 * 8 * 8);
    macs += part.macs();
    products += part.repeats;
  }
  EXPECT_EQ(products, 4);
  EXPECT_EQ(macs, 2.0 * 16 * 16 * 32 * 64 * 9 / 4);

  // A filter of 1: three of four residues stay zero.
  work.spatial[0].filter = work.spatial[1].filter = 1;
  EXPECT_EQ(problemsOf(work).size(), 1u);
  // The stride decides no sizes of tables.
  work.spatial[0].stride = int64_t(1) << 50;
  work.spatial[0].padLow = 0;
  EXPECT_EQ(problemsOf(work).size(), 1u);
}

/// Positions of the input and taps of the filter, to how many residues have
/// them.
using Residues = std::map<std::pair<int64_t, int64_t>, int64_t>;

Residues residuesByHand(const Spatial &s) {
  std::map<int64_t, std::pair<int64_t, int64_t>> found;
  for (int64_t i = 0; i < s.input; ++i) {
    int64_t taps = 0;
    for (int64_t f = 0; f < s.filter; ++f)
      taps += (i + s.padLow - f * s.dilation) % s.stride == 0;
    auto &[positions, all] = found[(i + s.padLow) % s.stride];
    ++positions;
    all = taps;
  }
  Residues result;
  for (const auto &[residue, sizes] : found)
    if (sizes.second > 0)
      ++result[sizes];
  return result;
}

Residues residuesOfProducts(const Spatial &s) {
  MatrixWork work;
  work.kind = MatrixWork::Kind::ConvInputGrad;
  work.spatial = {s};
  Residues result;
  const std::vector<MmeProblem> parts = problemsOf(work);
  EXPECT_LE(parts.size(), 4u);
  for (const MmeProblem &part : parts)
    result[{part.height, part.common}] += part.repeats;
  return result;
}

TEST(MmeProblems, ResiduesOfInputGradients) {
  for (int64_t input : {1, 2, 7, 12, 30})
    for (int64_t filter = 1; filter <= 14; ++filter)
      for (int64_t stride = 1; stride <= 12; ++stride)
        for (int64_t dilation : {1, 2, 3, 4, 6, 9, 13})
          for (int64_t pad : {0, 1, 2, 5, 14}) {
            const Spatial s = {input, 1, filter, stride, dilation, pad, 0};
            ASSERT_EQ(residuesOfProducts(s), residuesByHand(s))
                << input << " " << filter << " " << stride << " " << dilation
                << " " << pad;
          }
}

// Neither the filter nor the stride decides how long counting takes.
TEST(MmeProblems, ResiduesOfHugeStrides) {
  const int64_t huge = (int64_t(1) << 31) - 1;
  EXPECT_EQ(residuesOfProducts({huge, 1, huge, huge, 1, 0, 0}),
            (Residues{{{1, 1}, huge}}));
  // The largest strides and dilations stay in range.
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(residuesOfProducts({3, 1, 1, most, most - 1, 0, 0}),
            (Residues{{{1, 1}, 1}}));
  // One position and one tap more than whole strides, at the same residue.
  EXPECT_EQ(residuesOfProducts({2 * huge + 1, 3, huge + 1, huge, 1, 0, 0}),
            (Residues{{{3, 2}, 1}, {{2, 1}, huge - 1}}));
  // The same with taps in another order, and a position before the first.
  EXPECT_EQ(residuesOfProducts({2 * huge + 1, 3, huge + 1, huge, 2, 1, 0}),
            (Residues{{{2, 2}, 1}, {{3, 1}, 1}, {{2, 1}, huge - 2}}));
}

} // namespace
