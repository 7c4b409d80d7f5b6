// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pins the hardware numbers: a change of the table must be meant.
#include "Gaudi/Device/DeviceSpec.h"

#include <gtest/gtest.h>

using namespace gaudi::device;

namespace {

constexpr uint64_t MiB = uint64_t(1) << 20, GiB = uint64_t(1) << 30;

const DeviceSpec &get(const char *name) { return **DeviceSpec::lookup(name); }

TEST(DeviceSpec, LooksUpByName) {
  for (const char *name : {"gaudi", "gaudi2", "gaudi3"})
    EXPECT_EQ(get(name).name, name);
  auto missing = DeviceSpec::lookup("gaudi4");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message,
            "unknown device \"gaudi4\", expected one of \"gaudi\", "
            "\"gaudi2\", \"gaudi3\"");
  EXPECT_FALSE(DeviceSpec::lookup("").has_value());
}

TEST(DeviceSpec, Memory) {
  EXPECT_EQ(get("gaudi").memory.dramBytes, 32 * GiB);
  EXPECT_EQ(get("gaudi2").memory.dramBytes, 96 * GiB);
  EXPECT_EQ(get("gaudi3").memory.dramBytes, 128 * GiB);
  EXPECT_EQ(get("gaudi").memory.sramBytes, 20 * MiB);
  EXPECT_EQ(get("gaudi2").memory.sramBytes, 48 * MiB);
  EXPECT_EQ(get("gaudi3").memory.sramBytes, 96 * MiB);
  EXPECT_FALSE(get("gaudi2").memory.sramIsCache);
  EXPECT_TRUE(get("gaudi3").memory.sramIsCache);
  EXPECT_EQ(get("gaudi").memory.dramBandwidth, 950 * GiB);
  EXPECT_EQ(get("gaudi2").memory.dramBandwidth, 1945 * GiB);
  EXPECT_EQ(get("gaudi3").memory.dramBandwidth, 2918 * GiB);
  EXPECT_EQ(get("gaudi").memory.cacheLineBytes, 128u);
  EXPECT_EQ(get("gaudi2").memory.cacheLineBytes, 128u);
  EXPECT_EQ(get("gaudi3").memory.cacheLineBytes, 256u);
}

TEST(DeviceSpec, MatrixEngine) {
  EXPECT_EQ(get("gaudi").mme.engines, 2u);
  EXPECT_EQ(get("gaudi2").mme.engines, 2u);
  EXPECT_EQ(get("gaudi3").mme.engines, 8u);
  EXPECT_EQ(get("gaudi2").mme.clockHz, 1650000000u);
  EXPECT_EQ(get("gaudi2").mme.minCycles, 256u);
  EXPECT_EQ(get("gaudi2").mme.cyclesPerElement(DType::F32), 4);
  EXPECT_EQ(get("gaudi3").mme.cyclesPerElement(DType::F16), 4);
  EXPECT_EQ(get("gaudi3").mme.cyclesPerElement(DType::BF16), 1);
  // Gaudi computes f32 in tiles of half the edge, Gaudi 2 in more cycles.
  EXPECT_EQ(get("gaudi").mme.outputsAtOnce(DType::F32), 4096u);
  EXPECT_EQ(get("gaudi2").mme.outputsAtOnce(DType::F32), 131072u);
  EXPECT_EQ(get("gaudi2").mme.macsPerSecond(DType::F32),
            get("gaudi2").mme.macsPerSecond(DType::BF16) / 4);
  EXPECT_EQ(get("gaudi2").mme.macsPerSecond(DType::F8E4M3FN),
            get("gaudi2").peakFlopsBF16());
  EXPECT_NEAR(get("gaudi2").peakFlopsBF16(), 432.5e12, 0.1e12);
  EXPECT_NEAR(get("gaudi3").peakFlopsBF16(), 1677.7e12, 0.1e12);
  for (const DeviceSpec &spec : DeviceSpec::all())
    // Every tile keeps all multipliers busy.
    for (uint32_t g = 0; g < spec.mme.geometryCount; ++g)
      EXPECT_EQ(spec.mme.geometries[g].width * spec.mme.geometries[g].height,
                spec.mme.macsPerCycleBF16)
          << spec.name << " " << spec.mme.geometries[g].name;
}

// The time model's constants: a Gaudi 1 was measured, and the best rates of the
// others.
TEST(DeviceSpec, MatrixEngineSilicon) {
  for (const DeviceSpec &spec : DeviceSpec::all()) {
    const MmeSilicon &silicon = spec.mme.silicon;
    const Certainty expected =
        spec.generation == 1 ? Certainty::Measured : Certainty::Estimated;
    for (const Constant *constant :
         {&silicon.slowdown, &silicon.readBandwidth, &silicon.writeBandwidth,
          &silicon.handover, &spec.launchSeconds}) {
      EXPECT_EQ(constant->certainty, expected) << spec.name;
      EXPECT_FALSE(constant->source.empty()) << spec.name;
    }
    EXPECT_GE(silicon.slowdown, 1) << "faster than the chip's peak";
    EXPECT_EQ(silicon.throttle.certainty, spec.generation == 3
                                              ? Certainty::Estimated
                                              : Certainty::Measured);
    EXPECT_GE(silicon.throttle, 1) << "faster than the chip's peak";
    EXPECT_LE(silicon.readBandwidth, spec.memory.dramBandwidth) << spec.name;
    EXPECT_LE(silicon.writeBandwidth, spec.memory.dramBandwidth) << spec.name;
    EXPECT_LE(silicon.operandMemory, spec.memory.sramBytes) << spec.name;
  }
  EXPECT_EQ(nameOf(Certainty::Measured), "measured");
  EXPECT_EQ(nameOf(Certainty::Published), "published");
  EXPECT_EQ(nameOf(Certainty::Estimated), "estimated");
}

// What the time of kernels and movements depends on: each constant says where
// it is from.
TEST(DeviceSpec, VectorAndMemoryConstantsHaveSources) {
  for (const DeviceSpec &spec : DeviceSpec::all()) {
    const TpcSilicon &tpc = spec.tpc.silicon;
    for (const Constant *constant :
         {&tpc.localMemory, &tpc.localMemoryBesideTables, &tpc.portBytes,
          &tpc.latency, &tpc.start, &tpc.firstData, &tpc.completion,
          &spec.dma.overhead, &spec.dma.descriptor,
          &spec.memory.streamBandwidth, &spec.memory.gatherBandwidth}) {
      EXPECT_GT(constant->value, 0) << spec.name;
      EXPECT_FALSE(constant->source.empty()) << spec.name;
    }
    // A trace exists of Gaudi 3 alone.
    EXPECT_EQ(tpc.completion.certainty, spec.generation == 3
                                            ? Certainty::Measured
                                            : Certainty::Estimated);
    EXPECT_NEAR(tpc.start + tpc.firstData + tpc.completion, 2e-6, 0.1e-6);
    EXPECT_LE(spec.memory.streamBandwidth, spec.memory.dramBandwidth);
    EXPECT_LT(spec.memory.gatherBandwidth, spec.memory.streamBandwidth);
    // All engines together can ask for more than HBM gives.
    EXPECT_GT(2 * tpc.portBytes * double(spec.tpc.clockHz) * spec.tpc.engines,
              spec.memory.streamBandwidth);
  }
}

TEST(DeviceSpec, VectorEngine) {
  EXPECT_EQ(get("gaudi").tpc.engines, 8u);
  EXPECT_EQ(get("gaudi2").tpc.engines, 24u);
  EXPECT_EQ(get("gaudi3").tpc.engines, 64u);
  for (const DeviceSpec &spec : DeviceSpec::all()) {
    EXPECT_EQ(spec.tpc.vectorBytes, 256u);
    EXPECT_EQ(spec.tpc.maxIndexSpaceRank, 5u);
  }
}

TEST(DeviceSpec, Movement) {
  EXPECT_EQ(get("gaudi2").dma.compilerEngines, 5u);
  EXPECT_EQ(get("gaudi2").dma.bandwidth, 970 * GiB);
  EXPECT_EQ(get("gaudi3").dma.compilerEngines, 0u);
  EXPECT_EQ(get("gaudi2").transposeEngine, MoveEngine::DMA);
  EXPECT_EQ(get("gaudi3").transposeEngine, MoveEngine::MME);
  EXPECT_EQ(get("gaudi3").memcpyEngine, MoveEngine::TPC);
  EXPECT_EQ(get("gaudi").memsetEngine, MoveEngine::DMA);
  EXPECT_FALSE(get("gaudi").transposeTypes.contains(DType::I8));
  EXPECT_TRUE(get("gaudi2").transposeTypes.contains(DType::I8));
}

TEST(DeviceSpec, Types) {
  EXPECT_FALSE(get("gaudi").mme.types.contains(DType::F16));
  EXPECT_FALSE(get("gaudi").tensorTypes.contains(DType::F8E4M3FN));
  EXPECT_TRUE(get("gaudi2").mme.types.contains(DType::F8E5M2));
  EXPECT_FALSE(get("gaudi2").mme.types.contains(DType::I8));
  EXPECT_EQ(elementName(DType::F8E4M3FN), "f8E4M3FN");
  EXPECT_EQ(elementName(DType::I1), "i1");
}

} // namespace
