// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions about the layout of products, against the expectations that the
// graph compiler's own unit tests hold. Sizes are fastest first, as there.
#include "Gaudi/Timing/Mme.h"

#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::timing;
using Batch = MmeProblem::Batch;

namespace {

const device::DeviceSpec &get(const char *name) {
  return **device::DeviceSpec::lookup(name);
}

uint32_t geometry(std::string_view name, const device::DeviceSpec &spec) {
  for (uint32_t g = 0; g < spec.mme.geometryCount; ++g)
    if (spec.mme.geometries[g].name == name)
      return g;
  ADD_FAILURE() << "no geometry " << name;
  return 0;
}

std::string_view geometryOf(const MmePlan &plan,
                            const device::DeviceSpec &spec) {
  return spec.mme.geometries[plan.layout.geometry].name;
}

Operand operand(ElementType type, Dims sizes) { return {type, sizes, {}}; }

/// A product of matrices, a batch of them.
MatrixWork gemm(ElementType type, int64_t m, int64_t k, int64_t n,
                Dims batch = {}) {
  MatrixWork work;
  work.m = m;
  work.n = n;
  work.k = k;
  work.batch = batch;
  const auto matrix = [&](int64_t rows, int64_t columns) {
    Dims sizes = batch;
    sizes.push_back(rows);
    sizes.push_back(columns);
    return operand(type, sizes);
  };
  work.a = matrix(m, k);
  work.b = matrix(k, n);
  work.c = matrix(m, n);
  return work;
}

MmeProblem problem(Batch counts, int64_t width, int64_t height,
                   int64_t common) {
  MmeProblem result;
  result.counts = counts;
  result.width = width;
  result.height = result.innerHeight = height;
  result.common = common;
  return result;
}

/// A 3 x 3 convolution without padding by its output.
MatrixWork convolution(int64_t channelsOut, int64_t channelsIn, int64_t width,
                       int64_t height) {
  MatrixWork work;
  work.kind = MatrixWork::Kind::Conv;
  work.inputChannels = channelsIn;
  work.outputChannels = channelsOut;
  for (int64_t output : {height, width}) {
    Spatial s;
    s.output = output;
    s.filter = 3;
    s.input = output + 2;
    work.spatial.push_back(s);
  }
  work.a = operand(ElementType::BF16, {1, height + 2, width + 2, channelsIn});
  work.b = operand(ElementType::BF16, {3, 3, channelsIn, channelsOut});
  work.c = operand(ElementType::BF16, {1, height, width, channelsOut});
  return work;
}

struct GeometryCase {
  int64_t channelsOut, channelsIn, width, height;
  const char *name;
  Walk walk;
  int64_t fetchA, fetchB;
};

// The test that holds these is disabled where they come from: it is older than
// the cost of steps that lack input ports, which 4xh and 4xw have. Without that
// cost all of it holds. Reads count the operand's passes, and there once per
// position of the filter, which this table leaves out.
TEST(MmePlan, GeometryOfConvolutions) {
  const device::DeviceSpec &spec = get("gaudi2");
  MmeOptions options;
  options.portLimits = false;
  const GeometryCase cases[] = {
      {128, 64, 32, 32, "4xh", Walk::Right, 1, 1},
      {256, 64, 32, 16, "2xh", Walk::Right, 1, 1},
      {512, 64, 16, 16, "2xw", Walk::Right, 1, 1},
      {1024, 64, 8, 16, "4xw", Walk::Down, 1, 1},
      {2048, 64, 64, 32, "2xh", Walk::Right, 1, 4},
      {2112, 64, 64, 32, "4xh", Walk::Right, 1, 2},
      {2048, 64, 64, 33, "4xw", Walk::Down, 2, 1},
      {2048, 2048, 64, 32, "2xh", Walk::Right, 2, 4},
  };
  for (const GeometryCase &c : cases) {
    const MatrixWork work =
        convolution(c.channelsOut, c.channelsIn, c.width, c.height);
    const std::vector<MmeProblem> problems = problemsOf(work);
    ASSERT_EQ(problems.size(), 1u);
    const MmePlan plan = choosePlan(problems[0], spec, options);
    SCOPED_TRACE(testing::Message() << c.channelsOut << " " << c.channelsIn
                                    << " " << c.width << " " << c.height);
    EXPECT_EQ(geometryOf(plan, spec), c.name);
    EXPECT_EQ(plan.walk, c.walk);
    EXPECT_EQ(plan.fetchA, c.fetchA * 9);
    EXPECT_EQ(plan.fetchB, c.fetchB);
  }
}

// With the cost of port-bound steps a single step of 4xh is three times the
// sum: 1,728 cycles, and two steps of 2xh are 1,152.
TEST(MmePlan, PortBoundStepsChangeTheGeometry) {
  const device::DeviceSpec &spec = get("gaudi2");
  const MmeProblem one = problemsOf(convolution(128, 64, 32, 32))[0];
  const MmePlan plan = choosePlan(one, spec);
  EXPECT_EQ(geometryOf(plan, spec), "2xh");
  EXPECT_EQ(plan.cycles, 1152u);
  const MmePlan tall = planWith(one, geometry("4xh", spec), spec);
  EXPECT_EQ(tall.constrainedSteps, 1);
  EXPECT_EQ(tall.cycles, 1728u);
}

TEST(MmePlan, UtilizationOfPortBoundSteps) {
  const device::DeviceSpec &spec = get("gaudi2");
  // x {4096, 1536}, w {1024, 4096}: twelve steps, one at double cost.
  const MmePlan wide = planWith(problem(Batch::None, 1024, 1536, 4096),
                                geometry("4xw", spec), spec, {}, Walk::Right);
  EXPECT_NEAR(wide.utilization, 12.0 / 13, 1e-6);
  // x {256, 1024}, w {128, 256}.
  const MmePlan tall = planWith(problem(Batch::Products, 128, 1024, 256),
                                geometry("4xh", spec), spec, {}, Walk::Down);
  EXPECT_NEAR(tall.utilization, 0.5, 1e-6);
}

struct FlatteningCase {
  ElementType type;
  int64_t common, height, batch, width;
  bool dense; // along the batch
  const char *name;
  int64_t factor;
};

TEST(MmePlan, Flattening) {
  const device::DeviceSpec &spec = get("gaudi2");
  constexpr ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;
  const FlatteningCase cases[] = {
      {bf16, 5, 4, 2, 1024, true, "4xw", 2},
      {bf16, 5, 32, 40, 1024, true, "2xw", 8},
      {bf16, 5, 5, 231, 1024, true, "2xw", 231},
      {bf16, 5, 192, 24, 240, true, "2xh", 8},
      {bf16, 5, 1024, 20, 256, true, "2xh", 1},
      {bf16, 5, 5, 300, 1024, true, "2xh", 50}, // strided in rows only
      {f32, 5, 192, 20, 510, false, "2xh", 1},  // strided batch of a
      {f32, 5, 192, 20, 520, false, "2xh", 1},  // strided batch of c
      {bf16, 5, 128, 48, 128, true, "4xh", 48}, // disabled where it is from
  };
  for (const FlatteningCase &c : cases) {
    SCOPED_TRACE(testing::Message()
                 << c.common << " " << c.height << " " << c.batch);
    MatrixWork work = gemm(c.type, c.height, c.common, c.width, {c.batch});
    work.broadcastB = true;
    work.b = operand(c.type, {1, c.common, c.width});
    if (!c.dense)
      work.c.strides = {2 * c.height * c.width, c.width, 1};
    const MmeProblem whole = problemsOf(work)[0];
    EXPECT_EQ(whole.height, c.dense ? c.height * c.batch : c.height);
    const MmePlan plan = choosePlan(whole, spec);
    EXPECT_EQ(geometryOf(plan, spec), c.name);
    if (!c.dense)
      continue; // nothing is merged: a factor of 1
    MmeProblem one = whole;
    one.height = one.innerHeight = c.height;
    one.batch = {c.batch, 1, 1};
    EXPECT_EQ(flatteningOf(one, c.batch, plan.layout.geometry, spec), c.factor);
  }
}

struct BandwidthCase {
  int64_t common, width, height, batch;
  double bandwidthA, bandwidthB; // 10^9 bytes/s
  int64_t accessesA, accessesB;
};

// Of one slice: its height fits the geometry, and of the batch it has what runs
// at once.
TEST(MmePlan, Bandwidth) {
  const device::DeviceSpec &spec = get("gaudi3");
  const double unit = double(spec.mme.portBandwidth) / 200;
  const BandwidthCase cases[] = {
      {128, 128, 128, 8, 6400, 6400, 1, 1},
      {128, 2000, 2000, 8, 1600, 6400, 2, 4},
      {128, 4000, 2000, 8, 800, 6400, 2, 4},
      {3280, 4000, 2000, 8, 1600, 6400, 4, 4}, // in two partial sums
  };
  for (const BandwidthCase &c : cases) {
    SCOPED_TRACE(testing::Message() << c.common << " " << c.width);
    MmeProblem slice = problem(Batch::Products, c.width,
                               std::min<int64_t>(c.height, 1024), c.common);
    slice.batch[0] = c.width <= 256 ? c.batch : 1;
    const MmePlan plan =
        planWith(slice, geometry("2xh", spec), spec, {}, Walk::Right);
    EXPECT_DOUBLE_EQ(plan.accessBandwidthA, c.bandwidthA * unit);
    EXPECT_DOUBLE_EQ(plan.accessBandwidthB, c.bandwidthB * unit);
    EXPECT_EQ(plan.accessesA, c.accessesA);
    EXPECT_EQ(plan.accessesB, c.accessesB);
  }
}

struct SliceCase {
  int64_t width, height;
  int64_t grainWidth, grainHeight, grainBatch;
  double whole, sliced;
};

/// Granules that the compiler puts in a slice: as many as fit the geometry, all
/// of them if fewer, one if one does not fit.
int64_t sliceOf(int64_t size, int64_t edge, int64_t grain) {
  if (grain > edge)
    return grain;
  return (size > edge ? edge / grain : (size + grain - 1) / grain) * grain;
}

TEST(MmePlan, SlicedUtilization) {
  const device::DeviceSpec &spec = get("gaudi3");
  const double near = 125.0 * 125 / (128 * 128);
  const SliceCase cases[] = {
      {1024, 1024, 1, 1, 1, 1, 1},
      {1024, 1024, 256, 256, 4, 1, 1},
      {1000, 1000, 256, 256, 4, near, near},
      {800, 1000, 200, 200, 4, 125.0 * 25 / (128 * 32),
       125.0 * 25 / (128 * 32)},
      {1000, 1000, 200, 200, 4, near, near * 2 / 3},
      {1024, 1024, 200, 1, 1, 1, 2.0 / 3},
      {1024, 2048, 1, 100, 1, 1, 2.0 / 3},
      {256, 256, 1, 1, 5, 1, 17.0 / 32},
      {1024, 2048, 200, 100, 1, 1, 4.0 / 9},
      {1020, 2040, 200, 100, 1, 255.0 * 255 / (256 * 256),
       255.0 * 255 / (256 * 256) * 4 / 9},
  };
  constexpr int64_t batch = 16;
  const uint32_t tall = geometry("2xh", spec);
  for (const SliceCase &c : cases) {
    SCOPED_TRACE(testing::Message() << c.width << " " << c.height << " "
                                    << c.grainWidth << " " << c.grainHeight);
    MmeProblem whole = problem(Batch::Products, c.width, c.height, 256);
    whole.batch[0] = batch;
    const MmePlan plan = planWith(whole, tall, spec, {}, Walk::Right);
    EXPECT_NEAR(plan.utilization, c.whole, 1e-3);
    const MmeLayout &layout = plan.layout;
    const int64_t width =
        std::min(sliceOf(c.width, layout.width, c.grainWidth), c.width);
    const int64_t height =
        std::min(sliceOf(c.height, layout.height, c.grainHeight), c.height);
    const int64_t products =
        std::min(sliceOf(batch, layout.batchConcurrency, c.grainBatch), batch);
    EXPECT_NEAR(slicedUtilization(whole, width, height, products, tall, spec),
                c.sliced, 1e-3);
  }
}

struct SolutionCase {
  int64_t common, width, height, batch;
  bool cutsCommon; // its granules are smaller than it
  size_t solutions;
};

// How many ways the slicer of Gaudi 3 weighs: every geometry, in every walk
// that has steps, and with a long sum also cut. (Of weight gradients it weighs
// each kind of concurrency, which is chosen below.)
TEST(MmePlan, SolutionsOfTheSlicer) {
  constexpr int64_t minCommon = 2048; // shorter sums are not cut
  const device::DeviceSpec &spec = get("gaudi3");
  const SolutionCase cases[] = {
      {256, 256, 256, 8, true, 1},   {256, 512, 256, 8, true, 2},
      {256, 512, 512, 8, true, 2},   {256, 384, 384, 8, true, 2},
      {384, 384, 16, 8, true, 2},    {256, 256, 256, 1, true, 1},
      {256, 512, 256, 1, true, 1},   {256, 256, 512, 1, true, 1},
      {256, 512, 512, 1, true, 2},   {256, 256, 2048, 1, true, 1},
      {256, 2048, 256, 1, true, 1},  {256, 2048, 2048, 1, true, 6},
      {256, 1024, 5000, 1, true, 6}, {256, 4048, 4048, 1, true, 8},
      {2560, 256, 256, 8, true, 2},  {2560, 256, 256, 8, false, 1},
  };
  for (const SolutionCase &c : cases) {
    MmeProblem product = problem(Batch::Products, c.width, c.height, c.common);
    product.batch[0] = c.batch;
    size_t solutions = 0;
    for (uint32_t g : geometriesFor(product, spec)) {
      const MmePlan plan = planWith(product, g, spec);
      const size_t walks = size_t(plan.fcdSteps > 1) + (plan.spSteps > 1);
      solutions += std::max<size_t>(walks, 1);
    }
    if (c.common > minCommon && c.cutsCommon)
      solutions *= 2;
    EXPECT_EQ(solutions, c.solutions)
        << c.common << " " << c.width << " " << c.height << " " << c.batch;
  }
}

struct GradientCase {
  int64_t channelsOut, channelsIn, filterWidth, filterHeight;
  uint32_t common, batch;
  bool asymmetric;
  ElementType type = ElementType::BF16;
};

// Gradients of the weights of convolutions of 20 x 30 images, padding 1.
TEST(MmePlan, ConcurrencyOfWeightGradients) {
  const device::DeviceSpec &spec = get("gaudi2");
  const GradientCase cases[] = {
      {128, 128, 1, 1, 4, 1, false},
      // The result is f32, cast afterwards: memory cannot add f8.
      {128, 128, 1, 1, 4, 1, false, ElementType::F8E4M3FN},
      {128, 128, 1, 1, 4, 1, false, ElementType::F8E5M2},
      {256, 256, 1, 2, 1, 2, false},
      {22, 13, 3, 3, 8, 1, false},
      {62, 42, 3, 4, 1, 4, false},
      {62, 42, 3, 2, 2, 2, false},
      {64, 60, 3, 3, 4, 1, false},
      {64, 60, 3, 4, 1, 4, false},
      {64, 32, 3, 3, 2, 3, true},
      {32, 32, 3, 3, 2, 3, true},
      {6, 32, 3, 3, 2, 3, true},
      {64, 32, 4, 3, 2, 3, true},
      // Disabled where they are from.
      {64, 128, 3, 3, 2, 1, true},
      {60, 120, 3, 3, 2, 1, true},
      {60, 90, 4, 3, 2, 1, true},
  };
  for (const GradientCase &c : cases) {
    SCOPED_TRACE(testing::Message()
                 << c.channelsOut << " " << c.channelsIn << " " << c.filterWidth
                 << " " << c.filterHeight);
    MatrixWork work;
    work.kind = MatrixWork::Kind::ConvWeightGrad;
    work.inputChannels = c.channelsIn;
    work.outputChannels = c.channelsOut;
    const auto dimension = [](int64_t input, int64_t filter) {
      Spatial s;
      s.input = input;
      s.filter = filter;
      s.padLow = s.padHigh = 1;
      s.output = input + 2 - filter + 1;
      return s;
    };
    work.spatial = {dimension(30, c.filterHeight),
                    dimension(20, c.filterWidth)};
    work.a.type = work.b.type = c.type;
    work.c.type = c.type == ElementType::BF16 ? c.type : ElementType::F32;
    const std::vector<MmeProblem> problems = problemsOf(work);
    ASSERT_EQ(problems.size(), 1u);
    const MmeLayout layout = choosePlan(problems[0], spec).layout;
    EXPECT_EQ(layout.commonConcurrency, c.common);
    EXPECT_EQ(layout.batchConcurrency, c.batch);
    EXPECT_EQ(layout.asymmetricPorts, c.asymmetric);
  }
}

struct CutCase {
  int64_t channels, output, filter, stride, pad, packing;
  std::vector<int64_t> cuts;
};

TEST(MmePlan, CutPointsOfMisalignedRows) {
  const CutCase cases[] = {
      {16, 9, 8, 4, 1, 1, {16}},
      {32, 15, 4, 4, 1, 1, {32}},
      {48, 16, 4, 4, 2, 1, {32}},
      {48, 15, 3, 4, 1, 1, {48}},
      {80, 16, 4, 4, 2, 1, {32}},
      {32, 20, 3, 1, 1, 1, {32, 0}},
      {16, 20, 5, 1, 2, 2, {32, 0}}, // two outputs packed in one
      {16, 20, 5, 1, 2, 1, {32, 16, 0, 48}},
      {24, 19, 3, 1, 2, 1, {48, 24, 0, 40, 16, 56, 32, 8}},
  };
  for (const CutCase &c : cases) {
    MisalignedRows rows;
    rows.channels = c.channels;
    rows.innerOutput = c.output;
    rows.stride = c.stride * c.packing;
    rows.pad = c.pad;
    rows.commonPerFilter = c.channels * c.filter;
    EXPECT_EQ(cutPoints(rows, get("gaudi2")), c.cuts)
        << c.channels << " " << c.output;
  }
  // A read of less than a cache line is not cut; nor fewer outputs than parts.
  MisalignedRows narrow;
  narrow.channels = 16;
  narrow.innerOutput = 20;
  narrow.commonPerFilter = 48;
  EXPECT_TRUE(cutPoints(narrow, get("gaudi2")).empty());
  narrow.commonPerFilter = 80;
  narrow.innerOutput = 3;
  EXPECT_TRUE(cutPoints(narrow, get("gaudi2")).empty());
}

// "NumUOW" x max(common, 256) of a 256 x 256 array: another published model of
// the first layers of ResNet-50 with 4 images. Gaudi 2 has two such arrays and
// more shapes, so it is at most half plus one step.
TEST(MmePlan, ResNetLayersBesideAnotherModel) {
  struct Layer {
    int64_t width, common;
    uint64_t clocks;
  };
  for (const Layer &layer :
       {Layer{64, 64, 12544}, Layer{64, 576, 28224}, Layer{256, 64, 12544}}) {
    const MmePlan plan =
        choosePlan(problem(Batch::None, layer.width, 4 * 56 * 56, layer.common),
                   get("gaudi2"));
    EXPECT_LE(plan.cycles,
              layer.clocks / 2 +
                  uint64_t(std::max<int64_t>(layer.common, 256)) * 2);
    EXPECT_GE(plan.cycles, layer.clocks / 8);
  }
}

} // namespace
