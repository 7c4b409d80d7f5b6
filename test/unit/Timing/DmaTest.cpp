// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DMA: the compiler's formula with its published values, and the waves.
#include "Gaudi/Timing/Dma.h"

#include <gmock/gmock.h>

using namespace gaudi;
using namespace gaudi::timing;
using testing::AllOf;
using testing::HasSubstr;

namespace {

const device::DeviceSpec &get(const char *name) {
  return **device::DeviceSpec::lookup(name);
}

Operand dense(Dims sizes, ElementType type = ElementType::F32) {
  return {type, std::move(sizes), {}, Memory::Hbm};
}

constexpr double GiB = 1073741824.0;

// A tensor of 1 MiB on Gaudi 2: 2 MiB at 1945 GiB/s would take 1.0042 us, 1 MiB
// through the ports at 970 GiB/s takes 1.0068 us.
TEST(Dma, MatchesTheCompilersModel) {
  const device::DeviceSpec &spec = get("gaudi2");
  const Operand tensor = dense({4, 16, 32, 128});
  const double bytes = 1 << 20, us = 1e6;
  const auto time = [&](const Operand *source, const Operand &target) {
    return double(dmaTime(dmaTraffic(source, target, spec), spec)) / us;
  };
  const double copy = std::max(2 * bytes / 1945, bytes / 970) / GiB * us;
  EXPECT_NEAR(copy, 1.0068, 1e-4);
  EXPECT_NEAR(time(&tensor, tensor), copy, 1e-5);
  EXPECT_NEAR(time(nullptr, tensor),
              std::max(bytes / 1945, bytes / 970) / GiB * us, 1e-5);
  // A transpose of the two fastest dimensions: both have whole lines.
  Operand turned = dense({4, 16, 32, 128});
  turned.strides = {65536, 4096, 1, 32};
  EXPECT_NEAR(time(&turned, tensor), copy, 1e-5);
  // A broadcast counts the size of its result on both sides.
  Operand repeated = dense({4, 16, 8, 2});
  repeated.strides = {0, 16, 2, 1};
  const double result = 4 * 16 * 8 * 2 * 4;
  EXPECT_NEAR(time(&repeated, dense({4, 16, 8, 2})),
              std::max(2 * result / 1945, result / 970) / GiB * us, 1e-5);
}

TEST(Dma, MovesWholeLines) {
  const device::DeviceSpec &spec = get("gaudi2");
  // Rows of 40 bytes at a pitch of 4 KiB: a line of 128 bytes each.
  Operand rows = dense({100, 10});
  rows.strides = {1024, 1};
  const DmaTraffic copy = dmaTraffic(&rows, dense({100, 10}), spec);
  EXPECT_EQ(copy.in, 100 * 128);
  EXPECT_EQ(copy.out, 4096); // 4000 bytes without gaps
  // At a pitch of 64 bytes two rows share a line.
  rows.strides = {16, 1};
  EXPECT_EQ(dmaTraffic(&rows, dense({100, 10}), spec).in, 50 * 128);
  // A transpose to rows of three elements writes a line per row.
  Operand turned = dense({1000, 3});
  turned.strides = {1, 1000};
  const DmaTraffic transpose = dmaTraffic(&turned, dense({1000, 3}), spec);
  EXPECT_EQ(transpose.in, 3 * 4096); // 4000 bytes to 32 lines
  EXPECT_EQ(transpose.out, 1000 * 128);
  EXPECT_EQ(dmaTraffic(&rows, dense({0, 10}), spec).out, 0);
}

TEST(Dma, LastWaveTakesADescriptorOfOneEngine) {
  const device::DeviceSpec &spec = get("gaudi2");
  // 8 descriptors of 128 KiB on 5 engines: two waves at a fifth of 970 GiB/s.
  const DmaWaves waves = dmaWaves({1 << 20, 1 << 20, 2 << 20, 0}, spec);
  EXPECT_EQ(waves.descriptors, 8u);
  EXPECT_EQ(waves.waves, 2u);
  EXPECT_NEAR(double(waves.time), 2 * 131072 / (970 * GiB / 5) * 1e12, 2);
  // Less than a descriptor per engine is divided evenly.
  const DmaWaves small = dmaWaves({64000, 64000, 128000, 0}, spec);
  EXPECT_EQ(small.descriptors, 5u);
  EXPECT_EQ(small.descriptorBytes, 12800);
  EXPECT_EQ(dmaWaves({}, spec).time, 0);
}

TEST(Dma, CostsOverheadAndIsNeverFasterThanMemory) {
  for (const char *name : {"gaudi", "gaudi2"}) {
    const device::DeviceSpec &spec = get(name);
    const TransferWork copy{TransferWork::Engine::Dma, dense({1 << 20}),
                            dense({1 << 20})};
    const Cost cost = costOf(copy, spec);
    EXPECT_EQ(cost.fill, 300000) << name;
    EXPECT_EQ(cost.hbmRead, 4u << 20);
    EXPECT_EQ(cost.hbmWritten, 4u << 20);
    EXPECT_GE(cost.total(), transferTime(8u << 20, spec.memory.dramBandwidth));
    const Cost fill =
        costOf(FillWork{TransferWork::Engine::Dma, dense({1 << 20})}, spec);
    EXPECT_EQ(fill.fill, 150000);
    EXPECT_EQ(fill.hbmRead, 0u);
    EXPECT_LT(fill.total(), cost.total());
  }
}

// Heads of a layer, 128 x 12 rows of 64 elements: 6 tiles of 256 x 256 at once.
// Columns that become rows fill one tile for each of the 128 rows.
TEST(Dma, TransposesRowsTogether) {
  const device::DeviceSpec &spec = get("gaudi3");
  Operand source = dense({12, 128, 64}, ElementType::BF16);
  const Operand target = source;
  source.strides = {64, 768, 1};
  const auto compute = [&] {
    return costOf(TransferWork{TransferWork::Engine::Mme, source, target}, spec)
        .compute;
  };
  const double cycles = 512 * 1.024;
  EXPECT_EQ(compute(), cycleTime(cycles, spec.mme.clockHz));
  source.strides = {1, 768, 12};
  EXPECT_EQ(compute(), cycleTime(128 / 8 * cycles, spec.mme.clockHz));
}

TEST(Dma, ExplainsWhatItAdds) {
  const Operand tensor = dense({4, 16, 32, 128});
  EXPECT_THAT(explain(TransferWork{TransferWork::Engine::Dma, tensor, tensor},
                      get("gaudi2")),
              HasSubstr("; overhead 300 ns; bound: "));
  EXPECT_THAT(
      explain(FillWork{TransferWork::Engine::Dma, dense({8})}, get("gaudi2")),
      AllOf(HasSubstr("1 descriptor of 128 B on 5 engines, 1 wave: "),
            HasSubstr("; overhead 150 ns; bound: ")));
  // As of a product: dispatch, and the first slice of 2 MiB in whole lines,
  // sqrt(2 x 2.44 us x 0.669 us).
  Operand turned = tensor;
  turned.strides = {65536, 4096, 1, 32};
  EXPECT_THAT(explain(TransferWork{TransferWork::Engine::Mme, turned, tensor},
                      get("gaudi3")),
              HasSubstr("; dispatch 200 ns, fill 1.81 us; bound: "));
}

} // namespace
