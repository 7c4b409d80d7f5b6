// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of devices. Sources: see DeviceSpec.h.
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Kernel/Limits.h"

#include <fmt/format.h>

namespace gaudi::device {
namespace {

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
constexpr uint64_t MHz = 1000000;

constexpr DTypeSet integers =
    DTypeSet::of(DType::I8, DType::U8, DType::I16, DType::U16, DType::I32,
                 DType::U32, DType::I64, DType::I1);
constexpr DTypeSet gaudi1Floats = DTypeSet::of(DType::F32, DType::BF16);
constexpr DTypeSet allFloats =
    gaudi1Floats | DTypeSet::of(DType::F16, DType::F8E4M3FN, DType::F8E5M2);
constexpr DTypeSet oneByte = DTypeSet::of(DType::F8E4M3FN, DType::F8E5M2,
                                          DType::I8, DType::U8, DType::I1);
constexpr DTypeSet twoByte =
    DTypeSet::of(DType::BF16, DType::F16, DType::I16, DType::U16);
constexpr DTypeSet fourByte = DTypeSet::of(DType::F32, DType::I32, DType::U32);

constexpr Constant measured(double value, std::string_view source) {
  return {value, Certainty::Measured, source};
}
constexpr Constant published(double value, std::string_view source) {
  return {value, Certainty::Published, source};
}
constexpr Constant estimated(double value, std::string_view source) {
  return {value, Certainty::Estimated, source};
}

constexpr std::string_view compilerBandwidth =
    "the bandwidth the compiler counts with, which has an efficiency of 0.85 "
    "in it";
constexpr std::string_view asMatrixReads =
    "what the matrix engine reads with, by benchmarks/device_time/fit.py";
constexpr std::string_view dmaChunk = "the compiler's chunk of a DMA";
constexpr std::string_view tpcGuide = "TPC user guide";
constexpr std::string_view tpcTrace =
    "public hardware trace of a Gaudi 3, medians of 48 activations";

constexpr std::string_view gemmFit =
    "benchmarks/device_time/fit.py on 95 products of a Gaudi 1";

constexpr std::string_view shortestProduct =
    "below the shortest product measured on Gaudi 1, 0.36 us";
constexpr std::string_view asGaudi1 = "as measured on Gaudi 1";

/// Sixteen lanes; 0.8 of their rate is what copies of large blocks usually get.
constexpr std::string_view pcie4 = "0.8 of PCIe 4.0 x16, which is published";
constexpr std::string_view pcie5 = "0.8 of PCIe 5.0 x16, which is published";
constexpr std::string_view linkLatency = "a descriptor and its completion";

constexpr HostLinkSpec linkOf(double lanes, std::string_view source) {
  return {estimated(0.8 * lanes, source), estimated(0.8 * lanes, source),
          estimated(2e-6, linkLatency)};
}

DeviceSpec gaudi1() {
  DeviceSpec spec{};
  spec.name = "gaudi";
  spec.generation = 1;
  spec.dcores = 1;
  spec.compilerClockHz = 1900 * MHz;
  spec.memory = {
      128,        128,      20 * MiB,  false,
      1045 * GiB, 32 * GiB, 950 * GiB, estimated(903e9, asMatrixReads),
      {}};
  spec.mme.array = MmeArray::Tiles;
  spec.mme.engines = 2;
  spec.mme.coresPerEngine = 2;
  spec.mme.clockHz = 1800 * MHz;
  spec.mme.minCycles = 128;
  spec.mme.geometryCount = 3;
  spec.mme.geometries = {
      {{"4xw", 256, 64}, {"2xw", 128, 128}, {"4xh", 64, 256}, {"", 0, 0}}};
  spec.mme.fp32GeometryDivisor = 2;
  spec.mme.macsPerCycleBF16 = 16384;
  spec.mme.accumulators = 16;
  spec.mme.streamBufferLines = 512;
  spec.mme.types = gaudi1Floats;
  spec.mme.f8Cycles = spec.mme.f16Cycles = spec.mme.f32Cycles = 1;
  spec.launchSeconds = measured(12.59e-6, gemmFit);
  spec.mme.silicon = {
      measured(1.024, gemmFit),
      measured(1, gemmFit),
      measured(903.5e9, gemmFit),
      measured(372.3e9, gemmFit),
      measured(2.44e-6, gemmFit),
      published(20 * MiB - 320 * KiB, "SRAM less what collectives reserve"),
      estimated(0.2e-6, shortestProduct)};
  spec.tpc.engines = 8;
  spec.tpc.clockHz = 1900 * MHz;
  spec.dma = {8, 5, 894 * GiB, estimated(0.3e-6, "as Gaudi 2"),
              published(16 * KiB, dmaChunk)};
  spec.hostLink = linkOf(31.5e9, pcie4);
  spec.transposeEngine = spec.broadcastEngine = MoveEngine::DMA;
  spec.memcpyEngine = spec.memsetEngine = MoveEngine::DMA;
  spec.transposeTypes = twoByte | fourByte;
  spec.tensorTypes = integers | gaudi1Floats;
  spec.nicEngines = 10;
  spec.rotators = 0;
  return spec;
}

DeviceSpec gaudi2() {
  DeviceSpec spec{};
  spec.name = "gaudi2";
  spec.generation = 2;
  spec.dcores = 4;
  spec.compilerClockHz = 2000 * MHz;
  spec.memory = {128,        128,
                 48 * MiB,   false,
                 6554 * GiB, 96 * GiB,
                 1945 * GiB, published(1945 * GiB, compilerBandwidth),
                 {}};
  spec.mme.array = MmeArray::PortedCores;
  spec.mme.engines = 2;
  spec.mme.coresPerEngine = 2;
  spec.mme.clockHz = 1650 * MHz;
  spec.mme.minCycles = 256;
  spec.mme.geometryCount = 4;
  spec.mme.geometries = {{{"4xw", 1024, 128},
                          {"2xw", 512, 256},
                          {"2xh", 256, 512},
                          {"4xh", 128, 1024}}};
  spec.mme.fp32GeometryDivisor = 1;
  spec.mme.macsPerCycleBF16 = 131072;
  spec.mme.accumulators = 4;
  spec.mme.streamBufferLines = 2768;
  spec.mme.types = allFloats;
  spec.mme.f8Cycles = 0.5;
  spec.mme.f16Cycles = 1;
  spec.mme.f32Cycles = 4;
  spec.launchSeconds = estimated(12.59e-6, asGaudi1);
  spec.mme.silicon = {
      estimated(1.024, asGaudi1),
      measured(1, "public throughputs of up to 99 % of the peak"),
      estimated(1945 * GiB, "the bandwidth the compiler counts with, which has "
                            "an efficiency of 0.85 in it"),
      estimated(1365e9, "roll-up port of 1,024 bytes per cycle, used as on "
                        "Gaudi 1 (0.81)"),
      estimated(2.44e-6, asGaudi1),
      estimated(48 * MiB - 320 * KiB, "SRAM less what collectives reserve"),
      estimated(0.2e-6, shortestProduct)};
  spec.tpc.engines = 24;
  spec.tpc.clockHz = 1800 * MHz;
  spec.dma = {10, 5, 970 * GiB,
              published(0.3e-6, "the compiler's DMA cost model"),
              published(128 * KiB, dmaChunk)};
  spec.hostLink = linkOf(31.5e9, pcie4);
  spec.transposeEngine = spec.broadcastEngine = MoveEngine::DMA;
  spec.memcpyEngine = spec.memsetEngine = MoveEngine::DMA;
  spec.transposeTypes = oneByte | twoByte | fourByte;
  spec.tensorTypes = integers | allFloats;
  spec.nicEngines = 24;
  spec.rotators = 2;
  return spec;
}

DeviceSpec gaudi3() {
  DeviceSpec spec{};
  spec.name = "gaudi3";
  spec.generation = 3;
  spec.dcores = 4;
  spec.compilerClockHz = 2000 * MHz;
  spec.memory = {256,
                 256,
                 96 * MiB,
                 true,
                 9600 * uint64_t(1000000000),
                 128 * GiB,
                 2918 * GiB,
                 published(2918 * GiB, compilerBandwidth),
                 {}};
  spec.mme.array = MmeArray::WholeEngines;
  spec.mme.engines = 8;
  spec.mme.coresPerEngine = 2;
  spec.mme.clockHz = 1600 * MHz;
  spec.mme.minCycles = 512;
  spec.mme.geometryCount = 4;
  spec.mme.geometries = {{{"4xw", 2048, 256},
                          {"2xw", 1024, 512},
                          {"2xh", 512, 1024},
                          {"4xh", 256, 2048}}};
  spec.mme.fp32GeometryDivisor = 1;
  spec.mme.macsPerCycleBF16 = 524288;
  spec.mme.accumulators = 4;
  spec.mme.streamBufferLines = 3200;
  spec.mme.types = allFloats;
  spec.mme.f8Cycles = 1;
  spec.mme.f16Cycles = 4;
  spec.mme.f32Cycles = 8;
  spec.launchSeconds = estimated(12.59e-6, asGaudi1);
  spec.mme.silicon = {
      estimated(1.024, asGaudi1),
      estimated(1.27, "one public throughput, 1,289 TFLOP/s in bf16"),
      estimated(2918 * GiB, "the bandwidth the compiler counts with, which has "
                            "an efficiency of 0.85 in it"),
      estimated(2648e9, "roll-up port of 2,048 bytes per cycle, used as on "
                        "Gaudi 1 (0.81)"),
      estimated(2.44e-6, asGaudi1),
      estimated(96 * MiB, "capacity of the cache"),
      estimated(0.2e-6, shortestProduct)};
  spec.tpc.engines = 64;
  spec.tpc.clockHz = 1600 * MHz;
  spec.tpc.splitsByDcore = true;
  spec.dma = {6, 0, 0, estimated(0.3e-6, "as Gaudi 2"),
              published(128 * KiB, dmaChunk)};
  spec.hostLink = linkOf(63e9, pcie5);
  spec.transposeEngine = MoveEngine::MME;
  spec.broadcastEngine = spec.memcpyEngine = spec.memsetEngine =
      MoveEngine::TPC;
  spec.transposeTypes = oneByte | twoByte | fourByte;
  spec.tensorTypes = integers | allFloats;
  spec.nicEngines = 12;
  spec.rotators = 8;
  return spec;
}

/// Gaudi 1 and 2 are assumed to start kernels as Gaudi 3 does.
TpcSilicon tpcSilicon(bool isTraced) {
  const auto traced = [&](double value) {
    return isTraced ? measured(value, tpcTrace)
                    : estimated(value, "as Gaudi 3, whose trace is public");
  };
  return {published(80 * KiB, tpcGuide),
          published(16 * KiB, tpcGuide),
          estimated(64, "a vector of 256 bytes in four cycles: 8 engines of "
                        "Gaudi 1 just saturate its memory"),
          published(4, tpcGuide),
          traced(0.158e-6),
          traced(0.64e-6),
          traced(1.2e-6)};
}

/// Of the vectors of 256 bytes and more that are gathered on Gaudi 2, 64 % of
/// the peak of 2.46 TB/s: 0.75 of its streams.
Constant gatherBandwidth(const DeviceSpec &spec) {
  const double share = 0.64 * 2.46e12 / (1945.0 * double(GiB));
  const double value = share * spec.memory.streamBandwidth;
  return spec.generation == 2
             ? measured(value, "gathers of vectors, arXiv 2501.00210")
             : estimated(value, "the share of streams that Gaudi 2 has");
}

/// What all generations share.
DeviceSpec withCommon(DeviceSpec spec) {
  spec.mme.maxReuseSteps = 240;
  spec.mme.portBandwidth = 200 * GiB;
  spec.mme.maxRank = 5;
  spec.mme.maxSpatialDims = 3;
  spec.tpc.vectorBytes = 256;
  spec.tpc.instructionCacheBytes = 64 * KiB;
  spec.tpc.maxIndexSpaceRank = kernel::maxParallelDims;
  spec.tpc.maxTensorsPerKernel = 16;
  spec.tpc.maxScalarParams = 32;
  spec.tpc.silicon = tpcSilicon(spec.generation == 3);
  spec.memory.gatherBandwidth = gatherBandwidth(spec);
  spec.maxRank = kernel::maxRank;
  return spec;
}

} // namespace

std::string_view nameOf(Certainty certainty) {
  constexpr std::array<std::string_view, 3> names = {"measured", "published",
                                                     "estimated"};
  return names[size_t(certainty)];
}

double MmeSpec::cyclesPerElement(DType type) const {
  switch (type) {
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return f8Cycles;
  case DType::F16:
    return f16Cycles;
  case DType::F32:
    return f32Cycles;
  default:
    return 1;
  }
}

uint32_t MmeSpec::outputsAtOnce(DType type) const {
  const uint32_t divisor =
      kernel::elementSize(type) == 4 ? fp32GeometryDivisor : 1;
  return macsPerCycleBF16 / (divisor * divisor);
}
double MmeSpec::macsPerSecond(DType type) const {
  return outputsAtOnce(type) * double(clockHz) / cyclesPerElement(type);
}
double DeviceSpec::peakFlopsBF16() const {
  return 2 * mme.macsPerSecond(DType::BF16);
}

const std::array<DeviceSpec, 3> &DeviceSpec::all() {
  static const std::array<DeviceSpec, 3> table = {
      withCommon(gaudi1()), withCommon(gaudi2()), withCommon(gaudi3())};
  return table;
}

Result<const DeviceSpec *> DeviceSpec::lookup(std::string_view name) {
  std::string names, meant, letters;
  // "Gaudi-3", "gaudi_2".
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ')
      letters += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  for (const DeviceSpec &spec : all()) {
    if (spec.name == name)
      return &spec;
    if (letters == spec.name || (letters == "gaudi1" && spec.name == "gaudi"))
      meant = fmt::format("; did you mean {}?", spec.name);
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", spec.name);
  }
  return fail("unknown device \"{}\", expected one of {}{}", name, names,
              meant);
}

} // namespace gaudi::device
