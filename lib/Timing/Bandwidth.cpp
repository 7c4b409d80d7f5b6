// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Max-min fair shares of bandwidth.
#include "Bandwidth.h"
#include "Playback.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {
namespace {

using Wide = unsigned __int128;

/// Bytes per second of bytes that move in a time, at most `bandwidth`. Tasks
/// whose own model has them alone at the whole bandwidth ask for just that.
uint64_t demandOf(uint64_t bytes, Picoseconds time, uint64_t bandwidth) {
  if (bytes == 0 || time <= 0)
    return 0;
  const Wide rate =
      (Wide(bytes) * 1000000000000u + Wide(time) - 1) / Wide(time);
  return uint64_t(std::min<Wide>(rate, bandwidth ? bandwidth : UINT64_MAX));
}

} // namespace

Picoseconds Stream::end(Picoseconds now) const {
  assert(now >= updated && speed > 0 && "a stream that proceeds");
  const Wide done = Wide(uint64_t(now - updated)) * speed;
  const Wide all = Wide(uint64_t(left)) << 32;
  const Wide rest = all > done ? (all - done + speed - 1) / speed : 0;
  return sumOf(now, Picoseconds(std::min<Wide>(rest, INT64_MAX)));
}

Stream Shares::streamOf(const Cost &cost, Picoseconds duration,
                        Picoseconds now) const {
  Stream stream;
  stream.left = duration;
  stream.updated = now;
  // The rate is the same in every slice of the task.
  const Picoseconds whole = std::max({cost.compute, cost.read, cost.write});
  const uint64_t hbm = cost.hbmRead + cost.hbmWritten;
  stream.hbm = demandOf(hbm, whole, hbmBandwidth);
  stream.sram =
      demandOf(cost.sramRead + cost.sramWritten, whole, sramBandwidth);
  if (whole > 0) {
    stream.reads = double(cost.hbmRead) * 1e12 / double(whole);
    stream.writes = double(cost.hbmWritten) * 1e12 / double(whole);
  }
  return stream;
}

uint64_t Shares::level(std::vector<uint64_t> &demands, uint64_t bandwidth) {
  std::sort(demands.begin(), demands.end());
  uint64_t left = bandwidth;
  for (size_t i = 0; i < demands.size(); ++i) {
    const uint64_t equal = left / (demands.size() - i);
    if (demands[i] > equal)
      return std::max<uint64_t>(equal, 1);
    left -= demands[i];
  }
  return UINT64_MAX;
}

void Shares::assign(const std::vector<Stream *> &streams, Picoseconds now) {
  const auto levelOf = [&](uint64_t Stream::*demand, uint64_t bandwidth) {
    if (bandwidth == 0)
      return UINT64_MAX;
    Wide sum = 0;
    for (const Stream *stream : streams)
      sum += stream->*demand;
    if (sum <= bandwidth)
      return UINT64_MAX;
    demands.clear();
    for (const Stream *stream : streams)
      if (stream->*demand)
        demands.push_back(stream->*demand);
    return level(demands, bandwidth);
  };
  const uint64_t hbmLevel = levelOf(&Stream::hbm, hbmBandwidth);
  const uint64_t sramLevel = levelOf(&Stream::sram, sramBandwidth);
  const auto speedOf = [](uint64_t demand, uint64_t level) {
    return demand <= level
               ? Stream::fullSpeed
               : std::max<uint64_t>(uint64_t((Wide(level) << 32) / demand), 1);
  };
  for (Stream *stream : streams) {
    const uint64_t speed = std::min(speedOf(stream->hbm, hbmLevel),
                                    speedOf(stream->sram, sramLevel));
    if (speed == stream->speed)
      continue;
    const Wide done = Wide(uint64_t(now - stream->updated)) * stream->speed;
    stream->left -= std::min(
        stream->left, Picoseconds(std::min<Wide>(done >> 32, INT64_MAX)));
    stream->updated = now;
    stream->speed = speed;
  }
}

} // namespace gaudi::timing
