// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of products on silicon: peaks, bounds and what is waited for.
#include "Gaudi/Timing/Cost.h"
#include "Gaudi/Timing/Describe.h"
#include "Gaudi/Timing/Timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace gaudi;
using namespace gaudi::timing;

namespace {

constexpr ElementType BF16 = ElementType::BF16, F16 = ElementType::F16,
                      F32 = ElementType::F32, F8E4M3FN = ElementType::F8E4M3FN,
                      F8E5M2 = ElementType::F8E5M2;

const device::DeviceSpec &get(const char *name) {
  return **device::DeviceSpec::lookup(name);
}

MatrixWork gemm(ElementType type, int64_t m, int64_t k, int64_t n) {
  MatrixWork work;
  work.m = m;
  work.k = k;
  work.n = n;
  work.a = {type, {m, k}, {}};
  work.b = {type, {k, n}, {}};
  work.c = {type, {m, n}, {}};
  return work;
}

/// Operations per second of one of many equal products.
double rate(const MatrixWork &work, const device::DeviceSpec &spec) {
  const Cost cost = costOf(work, spec);
  const double seconds = double(cost.total() - cost.fill - cost.launch) / 1e12;
  return 2.0 * double(work.m) * double(work.k) * double(work.n) / seconds;
}

TEST(MmeCost, NeverAboveThePeak) {
  for (const device::DeviceSpec &spec : device::DeviceSpec::all())
    for (ElementType type : {BF16, F16, F32, F8E4M3FN}) {
      if (!spec.mme.types.contains(type))
        continue;
      double peak = spec.peakFlopsBF16() / spec.mme.cyclesPerElement(type);
      if (type == F32)
        peak /= spec.mme.fp32GeometryDivisor * spec.mme.fp32GeometryDivisor;
      double best = 0;
      for (int64_t size : {1, 100, 1000, 4096, 8192, 20000})
        for (int64_t k : {1, 333, 4096, 16384})
          best = std::max(best, rate(gemm(type, size, k, size), spec));
      EXPECT_LE(best, peak) << spec.name << " " << elementName(type);
      EXPECT_GE(best * spec.mme.silicon.throttle, 0.9 * peak)
          << spec.name << " " << elementName(type);
    }
}

// Large results of short sums: reading and writing share the bus.
TEST(MmeCost, NeverFasterThanMemory) {
  for (const device::DeviceSpec &spec : device::DeviceSpec::all())
    for (int64_t k : {8, 256, 1024}) {
      MatrixWork work = gemm(BF16, 256, k, 512);
      work.batch = {1024};
      work.a.sizes.insert(work.a.sizes.begin(), 1024);
      work.b.sizes.insert(work.b.sizes.begin(), 1024);
      work.c.sizes.insert(work.c.sizes.begin(), 1024);
      const Cost cost = costOf(work, spec);
      EXPECT_GE(cost.total() + 2, transferTime(cost.hbmRead + cost.hbmWritten,
                                               spec.memory.streamBandwidth))
          << spec.name << " " << k;
    }
}

TEST(MmeCost, LargeProductOfGaudi2) {
  const double reached = rate(gemm(BF16, 8192, 8192, 8192), get("gaudi2"));
  EXPECT_GE(reached, 415e12);
  EXPECT_LE(reached, 430e12);
}

TEST(MmeCost, RatesOfTypes) {
  const auto time = [](const char *device, ElementType type) {
    return double(costOf(gemm(type, 512, 1024, 512), get(device)).compute);
  };
  EXPECT_NEAR(time("gaudi", F32) / time("gaudi", BF16), 4, 1e-4);
  EXPECT_NEAR(time("gaudi2", F32) / time("gaudi2", BF16), 4, 1e-4);
  EXPECT_NEAR(time("gaudi2", F16) / time("gaudi2", BF16), 1, 1e-4);
  EXPECT_NEAR(time("gaudi2", F8E4M3FN) / time("gaudi2", BF16), 0.5, 1e-4);
  EXPECT_NEAR(time("gaudi3", F8E5M2) / time("gaudi3", BF16), 1, 1e-4);
  EXPECT_NEAR(time("gaudi3", F16) / time("gaudi3", BF16), 4, 1e-4);
  EXPECT_NEAR(time("gaudi3", F32) / time("gaudi3", BF16), 8, 1e-4);
}

TEST(MmeCost, Bounds) {
  const auto bound = [](const MatrixWork &work, const char *device) {
    return costOf(work, get(device)).bound;
  };
  EXPECT_EQ(bound(gemm(BF16, 4096, 4096, 4096), "gaudi"), Bound::Array);
  EXPECT_EQ(bound(gemm(F32, 16384, 32, 1024), "gaudi"), Bound::Write);
  EXPECT_EQ(bound(gemm(BF16, 1, 65536, 4096), "gaudi2"), Bound::Read);
  EXPECT_EQ(bound(gemm(BF16, 64, 256, 1024), "gaudi2"), Bound::Launch);
  // Many tiles of a short sum whose operands are on the chip.
  MatrixWork local = gemm(BF16, 8192, 32, 8192);
  local.c.memory = Memory::Sram;
  EXPECT_EQ(bound(local, "gaudi2"), Bound::RollUp);
}

// 1024 x 2048 x 512 in f32 on a Gaudi 1, the row whose operands do not fit
// twice: computed by hand in docs/device-time.md.
TEST(MmeCost, ByHand) {
  const device::DeviceSpec &spec = get("gaudi");
  const Cost cost = costOf(gemm(F32, 1024, 2048, 512), spec);
  const device::MmeSilicon &silicon = spec.mme.silicon;
  // 128 tiles of 64 x 64, one element per cycle; then the wait for A of the
  // next product, which does not fit beside the operands of this one.
  const double wait = 4.0 * 1024 * 2048 / silicon.readBandwidth * 1e12;
  EXPECT_NEAR(double(cost.compute),
              128.0 * 2048 * silicon.slowdown / 1.8e9 * 1e12 + wait, 3);
  const double bytes = 4.0 * (1024 * 2048 + 2048 * 512);
  EXPECT_EQ(cost.hbmRead, uint64_t(bytes));
  // HBM is one bus: the larger part has the time of all bytes.
  EXPECT_NEAR(double(cost.read),
              (bytes + 4.0 * 1024 * 512) / spec.memory.streamBandwidth * 1e12,
              2);
  EXPECT_NEAR(double(cost.write),
              4.0 * 1024 * 512 / silicon.writeBandwidth * 1e12, 2);
  // The fill of 8.2 us is less than that.
  EXPECT_LT(std::sqrt(2 * silicon.handover * bytes / silicon.readBandwidth),
            wait / 1e12);
  EXPECT_EQ(cost.fill, 0);
  EXPECT_NEAR(cost.utilization,
              128.0 * 2048 / 1.8e9 / (double(cost.compute) / 1e12), 1e-9);
}

// What a product waits for beyond its own time, in bytes of the next one.
TEST(MmeCost, WaitsForOperandsOfTheNextProduct) {
  const device::DeviceSpec &spec = get("gaudi");
  const auto waited = [&](int64_t m, int64_t k, int64_t n) {
    const MatrixWork work = gemm(F32, m, k, n);
    MatrixWork local = work;
    local.a.memory = local.b.memory = Memory::Sram;
    return double(costOf(work, spec).compute - costOf(local, spec).compute) /
           1e12 * spec.mme.silicon.readBandwidth / 1e6;
  };
  EXPECT_NEAR(waited(1024, 1024, 1024), 0, 1e-3);    // 8.4 MB fit twice
  EXPECT_NEAR(waited(2048, 1024, 512), 2.10, 0.01);  // B has no room
  EXPECT_NEAR(waited(2048, 1024, 1024), 8.39, 0.01); // A has none
  EXPECT_NEAR(waited(8192, 1024, 256), 1.05, 0.01);  // sliced: B
  EXPECT_NEAR(waited(8192, 2048, 2048), 4.13, 0.01); // a slice
}

// Products of a batch come one by one: each fits twice, all of them do not.
TEST(MmeCost, BatchesAreReadOneByOne) {
  MatrixWork one = gemm(BF16, 512, 1024, 512);
  MatrixWork many = one;
  many.batch = {64};
  many.a.sizes = {64, 512, 1024};
  many.b.sizes = {64, 1024, 512};
  many.c.sizes = {64, 512, 512};
  const device::DeviceSpec &spec = get("gaudi");
  EXPECT_NEAR(double(costOf(many, spec).compute),
              64 * double(costOf(one, spec).compute), 100);
}

// Two slices of each operand of 16,384 bf16 elements are just over the SRAM of
// gaudi2: the sum is cut in two, written as f32 and read again.
// The engine takes activations channels last: others cost their transposes.
TEST(MmeCost, ActivationsOfOtherOrdersCostTransposes) {
  using Kind = MatrixWork::Kind;
  const Operand nchw = {BF16, {4, 64, 28, 28}, {}},
                nhwc = {BF16, {4, 28, 28, 64}, {}},
                filter = {BF16, {64, 64, 3, 3}, {}};
  const auto form = [](std::string_view x, std::string_view y) {
    return ConvolutionForm{x, "OIHW", y, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1};
  };
  for (const device::DeviceSpec &spec : device::DeviceSpec::all()) {
    const auto time = [&](const MatrixWork &work) {
      return costOf(work, spec).total();
    };
    const TransferWork::Engine engine =
        spec.transposeEngine == device::MoveEngine::MME
            ? TransferWork::Engine::Mme
            : TransferWork::Engine::Dma;
    const Operand turned = {
        BF16, {4, 28, 28, 64}, {64 * 28 * 28, 28, 1, 28 * 28}};
    const Operand dense = {
        BF16, {4, 28, 28, 64}, {64 * 28 * 28, 28 * 64, 64, 1}};
    const Cost in = costOf(TransferWork{engine, turned, dense}, spec),
               out = costOf(TransferWork{engine, dense, turned}, spec);

    const MatrixWork native =
        convolutionWork(Kind::Conv, nhwc, filter, nhwc, form("NHWC", "NHWC"));
    const MatrixWork first =
        convolutionWork(Kind::Conv, nchw, filter, nhwc, form("NCHW", "NHWC"));
    const MatrixWork both =
        convolutionWork(Kind::Conv, nchw, filter, nchw, form("NCHW", "NCHW"));
    EXPECT_EQ(time(first), time(native) + in.total()) << spec.name;
    EXPECT_EQ(time(both), time(native) + in.total() + out.total()) << spec.name;
    EXPECT_EQ(costOf(both, spec).hbmRead,
              costOf(native, spec).hbmRead + in.hbmRead + out.hbmRead);
    EXPECT_NE(explain(both, spec).find("transposes to channels last"),
              std::string::npos);
    // The gradients, each tensor in its place.
    const auto gradient = [&](Kind kind, const Operand &b, const Operand &c,
                              std::string_view x, std::string_view y) {
      return time(convolutionWork(kind, nchw, b, c, form(x, y)));
    };
    EXPECT_EQ(gradient(Kind::ConvInputGrad, filter, nhwc, "NHWC", "NCHW") +
                  out.total(),
              gradient(Kind::ConvInputGrad, filter, nchw, "NCHW", "NCHW"));
    EXPECT_EQ(gradient(Kind::ConvWeightGrad, nhwc, filter, "NCHW", "NHWC") +
                  in.total(),
              gradient(Kind::ConvWeightGrad, nchw, filter, "NCHW", "NCHW"));
  }
}

// Dimensions of one element may be anywhere, strides count, and not names.
TEST(MmeCost, ChannelsThatAreLastInMemoryCostNothing) {
  const Operand filter = {BF16, {8, 1, 1, 1}, {}};
  const auto turns = [&](Operand x, Operand y) {
    const MatrixWork work = convolutionWork(
        MatrixWork::Kind::Conv, std::move(x), filter, std::move(y),
        {"NCHW", "OIHW", "NCHW", {1, 1}, {1, 1}, {0, 0}, {0, 0}, 1});
    return std::pair(!work.turnedA.empty(), !work.turnedC.empty());
  };
  EXPECT_EQ(turns({BF16, {4, 1, 6, 6}, {}}, {BF16, {4, 8, 6, 6}, {}}),
            std::pair(false, true));
  EXPECT_EQ(turns({BF16, {4, 1, 1, 1}, {}}, {BF16, {4, 8, 1, 1}, {}}),
            std::pair(false, false));
  EXPECT_EQ(turns({BF16, {4, 1, 6, 6}, {}},
                  {BF16, {4, 8, 6, 6}, {8 * 36, 1, 6 * 8, 8}}),
            std::pair(false, false));
}

// Rows apart are read in whole lines, and lone elements, too.
TEST(MmeCost, StridedOperandsTakeWholeLines) {
  const device::DeviceSpec &spec = get("gaudi2");
  const auto heads = [](int64_t depth, kernel::Dims aStrides) {
    MatrixWork work = gemm(BF16, 96, depth, 96);
    work.batch = {2, 12};
    work.a = {BF16, {2, 12, 96, depth}, std::move(aStrides)};
    work.b = {BF16, {2, 12, depth, 96}, {}};
    work.c = {BF16, {2, 12, 96, 96}, {}};
    return work;
  };
  const uint64_t a = 2 * 12 * 96 * 64 * 2, others = a;
  const auto read = [&](const MatrixWork &work) {
    return costOf(work, spec).hbmRead;
  };
  // Dense, and [2, 96, 12, 64]: rows of one line.
  EXPECT_EQ(read(heads(64, {12 * 96 * 64, 96 * 64, 64, 1})), a + others);
  EXPECT_EQ(read(heads(64, {12 * 96 * 64, 64, 12 * 64, 1})), a + others);
  // Rows of half a line; dense ones need no line of their own.
  EXPECT_EQ(read(heads(32, {12 * 96 * 32, 32, 12 * 32, 1})), a + others / 2);
  EXPECT_EQ(read(heads(32, {12 * 96 * 32, 96 * 32, 32, 1})),
            a / 2 + others / 2);
  // Columns are as good as rows: [2, 12, 64, 96] read transposed.
  EXPECT_EQ(read(heads(64, {12 * 96 * 64, 96 * 64, 1, 96})), a + others);
  // Heads innermost: a line of 128 bytes for each element of two.
  EXPECT_EQ(read(heads(64, {12 * 96 * 64, 1, 12 * 64, 12})), 64 * a + others);
  // A repeated operand counts once.
  MatrixWork shared = heads(64, {0, 64, 12 * 64, 1});
  EXPECT_EQ(read(shared), a / 2 + others);
}

TEST(MmeCost, PartialSums) {
  const device::DeviceSpec &spec = get("gaudi2");
  const MatrixWork cube = gemm(BF16, 16384, 16384, 16384);
  const double bytes = 2.0 * 4 * 16384 * 16384;
  const double sums = bytes / spec.mme.silicon.writeBandwidth +
                      bytes / spec.mme.silicon.readBandwidth;
  const double whole = double(costOf(cube, spec).compute) / 1e12;
  MatrixWork less = gemm(BF16, 16384, 16000, 16384); // just fits
  const double fits = double(costOf(less, spec).compute) / 1e12;
  EXPECT_NEAR(whole - sums, fits * 16384 / 16000, 1e-6);
  // f8 has half the bytes; a cache needs no slices.
  const auto ratio = [](const MatrixWork &more, const MatrixWork &than,
                        const char *device) {
    return double(costOf(more, get(device)).compute) /
           double(costOf(than, get(device)).compute);
  };
  less.a.type = less.b.type = less.c.type = F8E5M2;
  EXPECT_NEAR(ratio(gemm(F8E5M2, 16384, 16384, 16384), less, "gaudi2"), 1.024,
              1e-3);
  less.a.type = less.b.type = less.c.type = BF16;
  EXPECT_NEAR(ratio(cube, less, "gaudi3"), 1.024, 1e-3);
}

TEST(MmeCost, OperandsOnTheChipAreNotWaitedFor) {
  MatrixWork work = gemm(BF16, 2048, 2048, 2048);
  work.a.memory = work.b.memory = Memory::Sram;
  const Cost cost = costOf(work, get("gaudi2"));
  EXPECT_EQ(cost.hbmRead, 0u);
  EXPECT_EQ(cost.fill, 0);
}

TEST(MmeCost, NothingToCompute) {
  for (int64_t size : {0, 1}) {
    const Cost cost = costOf(gemm(F32, 4, 0, size), get("gaudi"));
    EXPECT_EQ(cost.compute, 0);
    EXPECT_EQ(cost.utilization, 0);
    EXPECT_EQ(cost.hbmWritten, uint64_t(16 * size));
  }
}

// On Gaudi 3 the geometries offered depend on the size: none of them may make a
// product slower than a taller or wider one.
TEST(MmeCost, MoreRowsTakeNoLessTime) {
  const device::DeviceSpec &spec = get("gaudi3");
  for (int64_t n : {256, 300, 512, 600, 1024, 1500, 2048, 4096}) {
    Picoseconds rows = 0, columns = 0;
    for (int64_t m = 192; m <= 576; ++m) {
      const Picoseconds tall = costOf(gemm(BF16, m, 16384, n), spec).compute;
      const Picoseconds wide = costOf(gemm(BF16, n, 16384, m), spec).compute;
      EXPECT_GE(tall, rows) << m << " x " << n;
      EXPECT_GE(wide, columns) << n << " x " << m;
      rows = tall;
      columns = wide;
    }
  }
}

// Sizes that no card holds stay within the range of times.
TEST(MmeCost, AbsurdSizes) {
  const int64_t huge = int64_t(1) << 30;
  const Cost cost = costOf(gemm(F32, huge, huge, huge), get("gaudi"));
  EXPECT_GT(cost.total(), 0);
}

// The first slice of a product that is bound by its reads is one of them: an
// idle engine takes a hand-over more, not a whole fill.
TEST(MmeCost, FillOfReads) {
  const device::DeviceSpec &spec = get("gaudi2");
  const Cost cost = costOf(gemm(BF16, 1, 32768, 8192), spec);
  EXPECT_EQ(cost.bound, Bound::Read);
  EXPECT_NEAR(double(cost.fill), spec.mme.silicon.handover * 1e12, 2);
}

// The timeline plays equal products as docs/device-time.md adds them up: the
// second one's dispatch and fill are hidden.
TEST(MmeCost, EqualProductsOnTheTimeline) {
  const device::DeviceSpec &spec = get("gaudi");
  for (const MatrixWork &work :
       {gemm(BF16, 4096, 1024, 512), gemm(F32, 1024, 2048, 512),
        gemm(F32, 8192, 32, 512)}) {
    Task task;
    task.queue = Queue::Mme;
    task.cost = costOf(work, spec);
    const Cost &cost = task.cost;
    constexpr int count = 8;
    const double added =
        spec.launchSeconds * 1e12 + double(cost.launch + cost.fill) +
        count * double(std::max({cost.compute, cost.read, cost.write}));
    const Timeline played = play(std::vector<Task>(count, task), spec);
    EXPECT_NEAR(double(played.end), added, 1e-4 * added);
  }
}

TEST(MmeCost, Explanation) {
  const std::string text = explain(gemm(BF16, 8192, 8192, 8192), get("gaudi2"));
  EXPECT_NE(text.find("16 x 32 tiles of 512 x 256 (2xh, right) x 8192 "
                      "elements; array 2.60 ms"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("bound by array"), std::string::npos) << text;
  const std::string tiny = explain(gemm(BF16, 512, 64, 512), get("gaudi2"));
  EXPECT_NE(tiny.find(" x 256 cycles of roll-up; "), std::string::npos) << tiny;
  // Engines that could take more products of a batch are idle without one.
  MatrixWork work = gemm(BF16, 128, 128, 256);
  const std::string alone = explain(work, get("gaudi2"));
  EXPECT_NE(alone.find(", on 1/2 of the array"), std::string::npos) << alone;
  EXPECT_EQ(alone.find("at once"), std::string::npos) << alone;
  work.batch = {2};
  for (Operand *operand : {&work.a, &work.b, &work.c})
    operand->sizes = {2, operand->sizes[0], operand->sizes[1]};
  const std::string pair = explain(work, get("gaudi2"));
  EXPECT_NE(pair.find(", 2 products at once"), std::string::npos) << pair;
}

} // namespace
