// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies, transposes, broadcasts and fills.
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Dma.h"
#include "Models.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace gaudi::timing {
namespace {

/// The fastest dimension of size above 1 that is not broadcast; none: -1.
int fastestDim(const Operand &operand) {
  const Dims strides = operand.strides.empty()
                           ? kernel::denseStrides(operand.sizes)
                           : operand.strides;
  int fastest = -1;
  for (size_t d = 0; d < operand.sizes.size(); ++d)
    if (operand.sizes[d] > 1 && strides[d] > 0 &&
        (fastest < 0 || strides[d] < strides[size_t(fastest)]))
      fastest = int(d);
  return fastest;
}

/// Bytes when every row of the fastest dimension is moved in whole lines.
double bytesByRows(const Operand &operand, uint64_t line) {
  const int fastest = fastestDim(operand);
  const auto bytes = double(operand.bytes());
  if (fastest < 0)
    return std::ceil(bytes / double(line)) * double(line);
  const auto row = double(operand.sizes[size_t(fastest)]) *
                   kernel::elementSize(operand.type);
  return bytes / row * std::ceil(row / double(line)) * double(line);
}

bool isBroadcast(const Operand &operand) {
  for (size_t d = 0; d < operand.strides.size(); ++d)
    if (operand.strides[d] == 0 && operand.sizes[d] > 1)
      return true;
  return false;
}

/// A copy on the TPC: a kernel of one load, if any, and one store.
KernelWork kernelOf(const Operand *source, const Operand &target) {
  KernelWork work;
  work.extents = target.sizes;
  KernelBlock block;
  block.widestBytes = uint8_t(kernel::elementSize(target.type));
  std::vector<kernel::Affine> position;
  for (unsigned d = 0; d < target.sizes.size(); ++d) {
    work.parallel |= uint64_t(1) << d;
    position.push_back(kernel::Affine::dim(d));
  }
  block.dims = work.parallel;
  if (source) {
    work.operands.push_back(*source);
    work.inputs = 1;
    work.accesses.push_back({0, position, 0, 0});
    block.loads = {0};
  }
  block.stores = {uint32_t(work.accesses.size())};
  work.accesses.push_back({uint32_t(work.operands.size()), position, 0, 0});
  work.operands.push_back(target);
  work.blocks.push_back(std::move(block));
  return work;
}

/// A transpose on the matrix engine, as products with a unit matrix: every
/// engine turns square tiles, each of which takes the least time of a tile.
struct MatrixTranspose {
  double tile = 1, tiles = 1, steps = 1; // edge; on the chip; one by one
  double in = 0, out = 0;                // bytes, in lines of each row
};

MatrixTranspose transposeOf(const TransferWork &work,
                            const device::DeviceSpec &spec) {
  MatrixTranspose result;
  const auto line = spec.memory.cacheLineBytes;
  const double elements = double(work.target.elements());
  if (elements == 0)
    return {1, 0, 0, 0, 0};
  const auto sizeOf = [&](int dim) {
    return dim < 0 ? 1.0 : double(work.target.sizes[size_t(dim)]);
  };
  const int rowDim = fastestDim(work.source),
            columnDim = fastestDim(work.target);
  // Rows that stay rows, in another order, are a product with all of them.
  const double columns = sizeOf(rowDim);
  const double rows =
      rowDim == columnDim ? elements / columns : sizeOf(columnDim);
  result.tile = std::sqrt(double(spec.mme.macsPerCycleBF16) / spec.mme.engines);
  result.tiles = elements / (rows * columns) * std::ceil(rows / result.tile) *
                 std::ceil(columns / result.tile);
  result.steps = std::ceil(result.tiles / spec.mme.engines);
  result.in = bytesByRows(work.source, line);
  result.out = bytesByRows(work.target, line);
  return result;
}

Cost matrixCost(const TransferWork &work, const device::DeviceSpec &spec) {
  const MatrixTranspose transpose = transposeOf(work, spec);
  const device::MmeSilicon &silicon = spec.mme.silicon;
  Cost cost;
  cost.enginesUsed =
      uint32_t(std::clamp<double>(transpose.tiles, 1, spec.mme.engines));
  cost.compute =
      cycleTime(transpose.steps * spec.mme.minCycles * silicon.slowdown,
                spec.mme.clockHz);
  addRead(cost, work.source, counted(transpose.in));
  addWrite(cost, work.target, counted(transpose.out));
  // As of a product: an idle engine waits for its first slice.
  cost.launch = secondsTime(silicon.dispatch);
  cost.fill = secondsTime(
      std::sqrt(2 * silicon.handover * transpose.in / silicon.readBandwidth));
  setMemoryTime(cost, Bound::RollUp, spec);
  raiseMemoryTime(cost,
                  transferTime(counted(transpose.in), silicon.readBandwidth),
                  transferTime(counted(transpose.out), silicon.writeBandwidth),
                  Bound::RollUp);
  return cost;
}

std::string matrixText(const TransferWork &work,
                       const device::DeviceSpec &spec) {
  const MatrixTranspose transpose = transposeOf(work, spec);
  const Cost cost = matrixCost(work, spec);
  return fmt::format(
      "{:.0f} tiles of {:.0f} x {:.0f} on {} matrix engines, {:.0f} cycles "
      "each: {}; {} in and {} out in lines of each row; {}; dispatch {}, fill "
      "{}; bound: {}",
      transpose.tiles, transpose.tile, transpose.tile, spec.mme.engines,
      double(spec.mme.minCycles), timeText(cost.compute),
      humanBytes(counted(transpose.in)), humanBytes(counted(transpose.out)),
      memoryText(cost), timeText(cost.launch), timeText(cost.fill),
      nameOf(cost.bound));
}

/// Gaudi 3 gives its compiler no DMA engine: the TPC moves instead.
bool isOnDma(TransferWork::Engine engine, const device::DeviceSpec &spec) {
  return engine == TransferWork::Engine::Dma && spec.dma.compilerEngines > 0;
}

Cost dmaCost(const Operand *source, const Operand &target,
             const device::DeviceSpec &spec) {
  const DmaTraffic traffic = dmaTraffic(source, target, spec);
  Cost cost;
  // What depends on the command waits for it, unless the engines are busy.
  cost.fill = secondsTime(source ? spec.dma.overhead : spec.dma.overhead / 2);
  cost.compute = dmaWaves(traffic, spec).time;
  cost.enginesUsed = uint32_t(std::clamp<uint64_t>(
      dmaWaves(traffic, spec).descriptors, 1, spec.dma.compilerEngines));
  if (source)
    addRead(cost, *source, counted(traffic.in));
  addWrite(cost, target, counted(traffic.out));
  setMemoryTime(cost, Bound::Dma, spec);
  return cost;
}

std::string dmaText(const Operand *source, const Operand &target,
                    const device::DeviceSpec &spec) {
  const DmaTraffic traffic = dmaTraffic(source, target, spec);
  const DmaWaves waves = dmaWaves(traffic, spec);
  const Cost cost = dmaCost(source, target, spec);
  return fmt::format(
      "DMA: {} in, {} out in lines of {} bytes; {} of {} on {} "
      "engines, {}: {}; {}; overhead {}; bound: {}",
      humanBytes(counted(traffic.in)), humanBytes(counted(traffic.out)),
      spec.memory.cacheLineBytes, countOf(waves.descriptors, "descriptor"),
      humanBytes(counted(waves.descriptorBytes)), spec.dma.compilerEngines,
      countOf(waves.waves, "wave"), timeText(waves.time), memoryText(cost),
      timeText(cost.fill), nameOf(cost.bound));
}

} // namespace

DmaTraffic dmaTraffic(const Operand *source, const Operand &target,
                      const device::DeviceSpec &spec) {
  const uint64_t line = spec.memory.cacheLineBytes;
  DmaTraffic traffic;
  if (target.elements() == 0)
    return traffic;
  const bool turns = source && fastestDim(*source) != fastestDim(target) &&
                     !isBroadcast(*source);
  const auto bytesOf = [&](const Operand &operand) {
    return turns ? bytesByRows(operand, line)
                 : touchedBytes(operand, uint32_t(line));
  };
  traffic.out = bytesOf(target);
  (target.memory == Memory::Hbm ? traffic.hbm : traffic.sram) += traffic.out;
  if (source) {
    traffic.in = isBroadcast(*source) ? traffic.out : bytesOf(*source);
    (source->memory == Memory::Hbm ? traffic.hbm : traffic.sram) += traffic.in;
  }
  return traffic;
}

Picoseconds dmaTime(const DmaTraffic &traffic, const device::DeviceSpec &spec) {
  assert(spec.dma.bandwidth > 0 && "a device whose compiler uses DMA");
  const auto time = [](double bytes, uint64_t bandwidth) {
    return bytes / double(bandwidth);
  };
  return secondsTime(std::max({time(traffic.sram, spec.memory.sramBandwidth),
                               time(traffic.hbm, spec.memory.dramBandwidth),
                               time(traffic.in, spec.dma.bandwidth),
                               time(traffic.out, spec.dma.bandwidth)}));
}

DmaWaves dmaWaves(const DmaTraffic &traffic, const device::DeviceSpec &spec) {
  DmaWaves waves;
  const double bytes = std::max(traffic.in, traffic.out);
  if (bytes == 0)
    return waves;
  const double engines = spec.dma.compilerEngines,
               line = double(spec.memory.cacheLineBytes);
  // What is less than a descriptor per engine is divided evenly.
  waves.descriptorBytes = std::min<double>(
      spec.dma.descriptor, std::ceil(bytes / engines / line) * line);
  const double descriptors = std::ceil(bytes / waves.descriptorBytes);
  waves.descriptors = counted(descriptors);
  waves.waves = counted(std::ceil(descriptors / engines));
  const double perEngine = double(spec.dma.bandwidth) / engines;
  waves.time =
      secondsTime(double(waves.waves) * waves.descriptorBytes / perEngine);
  return waves;
}

Cost costOf(const TransferWork &work, const device::DeviceSpec &spec) {
  if (work.engine == TransferWork::Engine::Mme)
    return matrixCost(work, spec);
  if (isOnDma(work.engine, spec))
    return dmaCost(&work.source, work.target, spec);
  return costOf(kernelOf(&work.source, work.target), spec);
}

Cost costOf(const FillWork &work, const device::DeviceSpec &spec) {
  if (isOnDma(work.engine, spec))
    return dmaCost(nullptr, work.target, spec);
  return costOf(kernelOf(nullptr, work.target), spec);
}

std::string explain(const TransferWork &work, const device::DeviceSpec &spec) {
  if (work.engine == TransferWork::Engine::Mme)
    return matrixText(work, spec);
  if (isOnDma(work.engine, spec))
    return dmaText(&work.source, work.target, spec);
  return explain(kernelOf(&work.source, work.target), spec);
}

std::string explain(const FillWork &work, const device::DeviceSpec &spec) {
  if (isOnDma(work.engine, spec))
    return dmaText(nullptr, work.target, spec);
  return explain(kernelOf(nullptr, work.target), spec);
}

} // namespace gaudi::timing
