// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a memory pool says of itself.
#include "../ErrorPhrases.h"
#include "Gaudi/Runtime/Device/MemoryPool.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gaudi::runtime {

MemoryStatistics::Rows MemoryStatistics::rows() const {
  return {{"Limit", limit},
          {"InUse", inUse},
          {"MaxInUse", maxInUse},
          {"NumAllocs", numAllocs},
          {"NumFrees", numFrees},
          {"ActiveAllocs", numAllocs - numFrees},
          {"MaxAllocSize", maxAllocSize},
          {"TotalSystemAllocs", totalAllocs},
          {"TotalSystemFrees", totalFrees},
          {"TotalActiveAllocs", totalAllocs - totalFrees}};
}

MemoryStatistics::Rows MemoryStatistics::extendedRows(uint64_t future) const {
  return {{"limit", limit},
          {"in_use", inUse},
          {"persistent", inUse - workspace},
          {"workspace", workspace},
          {"last_workspace", lastWorkspace},
          {"future", future},
          {"max_cntgs_chunk", largestFreeRun},
          {"max_in_use", maxInUse},
          {"num_allocs", numAllocs},
          {"num_free", numFrees},
          {"max_alloc_size", maxAllocSize},
          {"active_allocs", numAllocs - numFrees}};
}

std::string MemoryStatistics::summary() const {
  constexpr double MiB = 1 << 20, GiB = 1 << 30;
  const auto row = [](std::string_view name, int64_t value) {
    return fmt::format("  {:<18} {:>20}", fmt::format("{}:", name), value);
  };
  const auto scaled = [&](std::string_view name, uint64_t value, double unit,
                          const char *symbol) {
    return fmt::format("{} ({:.2f} {})\n", row(name, int64_t(value)),
                       double(value) / unit, symbol);
  };
  return scaled("Limit", limit, GiB, "GB") + scaled("InUse", inUse, MiB, "MB") +
         scaled("MaxInUse", maxInUse, MiB, "MB") + row("NumAllocs", numAllocs) +
         "\n" + row("NumFrees", numFrees) + "\n" +
         scaled("MaxAllocSize", maxAllocSize, MiB, "MB") +
         row("ActiveAllocs", numAllocs - numFrees) + "\n";
}

double MemoryStatistics::fragmentation() const {
  if (limit == inUse)
    return 0;
  return 100 * (1 - double(largestFreeRun) / double(limit - inUse));
}

MemoryStatistics MemoryPool::statistics() const {
  MemoryStatistics result = counts;
  result.workspace = chunks[workspaceChunk].size;
  uint64_t run = 0;
  for (uint32_t c = first; c != none; c = chunks[c].after) {
    run = isFree(c) ? run + chunks[c].size : 0;
    result.largestFreeRun = std::max(result.largestFreeRun, run);
  }
  return result;
}

void MemoryPool::resetAccumulated() {
  counts.numAllocs = counts.numFrees = 0;
  counts.maxAllocSize = 0;
  counts.maxInUse = counts.inUse;
}

bool MemoryPool::fitsAfterWaiting(uint64_t bytes) const {
  return bytes <= capacity && statistics().largestFreeRun >= chunkSize(bytes);
}

OutOfMemory MemoryPool::explain(uint64_t bytes) const {
  OutOfMemory report;
  report.requested = bytes;
  report.needed = bytes <= capacity ? chunkSize(bytes) : bytes;
  report.statistics = statistics();
  report.largest =
      capacity - chunks[smallRegion].size - alignment -
      std::min(chunks[workspaceChunk].size, chunkSize(minWorkspace));
  report.pending = pendingBytes;
  report.nextMaturity = nextMaturity();
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  std::map<Key, OutOfMemory::Holder> holders;
  for (uint32_t c = 0; c < chunks.size(); ++c) {
    const Chunk &chunk = chunks[c];
    if (isFree(c)) {
      ++report.freeChunks[binOf(chunk.size)];
      report.freeChunkBytes[binOf(chunk.size)] += chunk.size;
    }
    if (!isBlock(c) || c == workspaceChunk || c == smallRegion)
      continue;
    const Owner &owner = chunk.owner;
    auto &holder = holders[{owner.name, owner.shape, owner.where}];
    holder = {owner, holder.blocks + 1, holder.bytes + chunk.size};
    if (chunk.state == ChunkState::InUse)
      report.waste += chunk.waste;
    if (chunk.fixed && chunk.state == ChunkState::InUse)
      report.fixed += chunk.size;
  }
  for (const auto &entry : holders)
    report.holders.push_back(entry.second);
  std::sort(report.holders.begin(), report.holders.end(),
            [](const auto &a, const auto &b) {
              return std::tie(b.bytes, a.owner.name, a.owner.shape) <
                     std::tie(a.bytes, b.owner.name, b.owner.shape);
            });
  report.waitingHelps = pendingBytes != 0 && fitsAfterWaiting(bytes);
  // A plan that takes pending memory as free: so on a copy that has settled.
  MemoryPool settled = *this;
  settled.settle();
  report.movingHelps =
      !report.waitingHelps && settled.planDefragmentation(bytes).has_value();
  return report;
}

MemorySpan MemoryPool::span(BlockId block) const {
  const Chunk &chunk = chunks[block];
  const bool isSmall =
      chunk.state == ChunkState::Small || chunk.state == ChunkState::SmallLater;
  MemorySpan made = {chunk.offset, chunk.size, 0,
                     chunk.state,  isSmall,    chunk.owner};
  if (isBlock(block)) {
    made.requested = chunk.size - chunk.waste;
    made.state = ChunkState::InUse;
  } else if (chunk.state == ChunkState::SmallLater) {
    made.state = ChunkState::Pending;
  }
  return made;
}

std::vector<MemorySpan> MemoryPool::spans() const {
  std::vector<MemorySpan> small;
  for (uint32_t c = 0; c != chunks.size(); ++c)
    if (chunks[c].state == ChunkState::Small ||
        chunks[c].state == ChunkState::SmallLater)
      small.push_back(span(c));
  std::sort(small.begin(), small.end(),
            [](const auto &a, const auto &b) { return a.begin < b.begin; });
  std::vector<MemorySpan> all;
  for (uint32_t c = first; c != none; c = chunks[c].after) {
    if (c != smallRegion) {
      all.push_back(span(c));
      continue;
    }
    uint64_t end = chunks[c].offset;
    const auto addFree = [&](uint64_t until) {
      if (end != until)
        all.push_back({end, until - end, 0, ChunkState::Free, true, {}});
    };
    for (const MemorySpan &each : small) {
      addFree(each.begin);
      all.push_back(each);
      end = each.begin + each.bytes;
    }
    addFree(chunks[c].offset + chunks[c].size);
  }
  return all;
}

std::string OutOfMemory::text(const OwnerTexts &texts,
                              size_t maxHolders) const {
  const MemoryStatistics &s = statistics;
  const uint64_t free = s.limit - s.inUse;
  std::string result = fmt::format(
      "{}: Allocation failed for size::{} ({:.2f})MB; the pool has {}, of "
      "which {} are in use ({} by the workspace) and {} are free, the largest "
      "run {} (fragmentation {:.1f} %)",
      outOfDeviceMemory, requested, double(requested) / (1 << 20),
      humanBytes(s.limit), humanBytes(s.inUse), humanBytes(s.workspace),
      humanBytes(free), humanBytes(s.largestFreeRun), s.fragmentation());
  for (size_t i = 0; i < std::min(maxHolders, holders.size()); ++i)
    result += fmt::format("\n  {} in {}: {}", humanBytes(holders[i].bytes),
                          countOf(holders[i].blocks, "block"),
                          texts.describe(holders[i].owner));
  if (holders.size() > maxHolders) {
    uint64_t others = 0;
    for (size_t i = maxHolders; i < holders.size(); ++i)
      others += holders[i].bytes;
    result += fmt::format("\n  and {} with {}",
                          countOf(holders.size() - maxHolders, "more owner"),
                          humanBytes(others));
  }
  if (needed > free && needed - free <= waste)
    result += fmt::format("\n  {} of the blocks are headers and what was not "
                          "split off; without them there would be room",
                          humanBytes(waste));
  const auto helps = [&](const std::string &what) {
    result += "\n  to free memory: " + what;
  };
  if (pending != 0 && nextMaturity)
    helps(fmt::format("wait for {} that tasks still use, the first until {} "
                      "of the card's clock{}",
                      humanBytes(pending),
                      timeText(double(*nextMaturity) / 1e9),
                      waitingHelps ? "; that makes room" : ""));
  if (movingHelps)
    helps("defragment; that makes room");
  else if (!waitingHelps && free >= needed && fixed != 0)
    helps(fmt::format("release {} that graphs hold in place, which "
                      "defragmentation cannot move",
                      humanBytes(fixed)));
  if (s.workspace >= 2 * MemoryPool::minWorkspace)
    helps(fmt::format("shrink the workspace of {}", humanBytes(s.workspace)));
  if (requested > largest)
    helps(fmt::format("none does: the pool has room for a tensor of {} bytes "
                      "({}) when it is empty; ask for a smaller one",
                      largest, humanBytes(largest)));
  else if (!holders.empty() && needed > free)
    helps(fmt::format("free {} of blocks, for instance {}",
                      humanBytes(needed - free),
                      texts.describe(holders.front().owner)));
  return result;
}

std::string MemoryPool::verify() const {
  uint64_t end = 0, used = 0, pending = 0, records = 0;
  uint32_t before = none;
  for (uint32_t c = first; c != none; c = chunks[c].after) {
    const Chunk &chunk = chunks[c];
    if (++records > chunks.size())
      return "chunks are in a circle";
    if (chunk.offset != end || chunk.before != before || chunk.size == 0 ||
        chunk.size % alignment != 0)
      return fmt::format("chunk {} does not follow its neighbour", c);
    if (chunk.state == ChunkState::Free && before != none &&
        chunks[before].state == ChunkState::Free)
      return fmt::format("chunk {} is not coalesced", c);
    if (chunk.state == ChunkState::Free &&
        chunks[general.bestFit(chunks, chunk.size)].size != chunk.size)
      return fmt::format("chunk {} is in no bin", c);
    if (chunk.state != ChunkState::Free && chunk.state != ChunkState::Pending &&
        chunk.state != ChunkState::InUse)
      return fmt::format("chunk {} has no memory", c);
    end += chunk.size;
    used += chunk.state == ChunkState::InUse ? chunk.size : 0;
    pending += chunk.state == ChunkState::Pending ? chunk.size : 0;
    before = c;
  }
  if (end != capacity || before != workspaceChunk)
    return "chunks do not cover the memory";
  if (used != counts.inUse || pending != pendingBytes)
    return "bytes are counted wrong";
  return "";
}

} // namespace gaudi::runtime
