// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation and reuse of device memory.
#include "Gaudi/Runtime/Device/MemoryPool.h"

#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gaudi::runtime {

namespace {

unsigned log2Of(uint64_t value) {
  return 63u - unsigned(__builtin_clzll(value));
}

/// Room for `spare` more elements, in steps that keep appending linear.
template <typename T> void reserveMore(std::vector<T> &vector, size_t spare) {
  if (vector.capacity() - vector.size() < spare)
    vector.reserve(2 * vector.capacity() + spare);
}

} // namespace

MemoryPool::MemoryPool(uint64_t capacity, uint64_t alignment)
    : capacity(capacity), alignment(alignment), general(log2Of(alignment)),
      unitUses(smallUnits, none) {}

Result<MemoryPool> MemoryPool::create(uint64_t capacity, uint64_t alignment,
                                      uint64_t workspace) {
  assert(alignment && (alignment & (alignment - 1)) == 0);
  capacity &= ~(alignment - 1);
  const uint64_t region = (smallUnits + 1) * alignment;
  if (capacity > uint64_t(1) << 42)
    return fail("a memory pool has at most 4 TiB; got {}",
                humanBytes(capacity));
  if (workspace > capacity || capacity < region + 3 * alignment + workspace)
    return fail("a memory pool of {} has no room for its small region of {} "
                "and a workspace of {}; a card has at least {} bytes",
                humanBytes(capacity), humanBytes(region), humanBytes(workspace),
                region + 3 * alignment + workspace);
  MemoryPool pool(capacity, alignment);
  pool.reserveRecords();
  const uint32_t small = pool.first = pool.newChunk();
  pool.chunks[small].size = capacity;
  const uint32_t middle = pool.split(small, region);
  const uint64_t top = pool.chunkSize(workspace);
  const uint32_t tail = pool.split(middle, pool.chunks[middle].size - top);
  for (uint32_t c : {small, tail}) {
    pool.chunks[c].state = ChunkState::InUse;
    pool.chunks[c].fixed = true;
  }
  pool.smallRegion = small;
  pool.workspaceChunk = tail;
  pool.chunks[tail].waste = uint32_t(top - workspace);
  pool.place(middle);
  pool.freeUnits.fill(~uint64_t(0));
  pool.counts.limit = capacity;
  pool.counts.inUse = pool.counts.maxInUse = region + top;
  return pool;
}

uint64_t MemoryPool::chunkSize(uint64_t bytes) const {
  return (std::max<uint64_t>(bytes, 1) + 2 * alignment - 1) & ~(alignment - 1);
}

unsigned MemoryPool::binOf(uint64_t size) const {
  return std::min(log2Of(std::max(size / (2 * alignment), uint64_t(1))),
                  bins - 1);
}

// Records.

/// What one call may need: so that nothing throws halfway.
void MemoryPool::reserveRecords() {
  if (chunks.capacity() - chunks.size() < 4 ||
      maturities.capacity() - maturities.size() < 4 ||
      useNodes.capacity() - useNodes.size() < spareNodes)
    growRecords();
}

void MemoryPool::growRecords() {
  reserveMore(chunks, 4);
  reserveMore(maturities, 4);
  reserveMore(useNodes, spareNodes);
}

uint32_t MemoryPool::newChunk() {
  uint32_t c = unusedChunk;
  if (c == none) {
    c = uint32_t(chunks.size());
    chunks.emplace_back();
    return c;
  }
  unusedChunk = chunks[c].after;
  const uint32_t stamp = chunks[c].stamp; // old maturities stay stale
  chunks[c] = Chunk();
  chunks[c].stamp = stamp;
  return c;
}

void MemoryPool::dropChunk(uint32_t c) {
  chunks[c].state = ChunkState::Unused;
  chunks[c].uses = none;
  chunks[c].after = unusedChunk;
  unusedChunk = c;
}

void MemoryPool::addStreams(uint32_t last) {
  while (streams.size() <= last)
    streams.push_back({FreeIndex(log2Of(alignment))});
  spareNodes = 4 * streams.size();
}

// Uses: lists with a node per stream.

uint32_t MemoryPool::newUse(const StreamUse &use, uint32_t next) {
  const uint32_t node = unusedNode;
  if (node == none) {
    useNodes.push_back({use, next});
    return uint32_t(useNodes.size() - 1);
  }
  unusedNode = useNodes[node].next;
  useNodes[node] = {use, next};
  return node;
}

void MemoryPool::addUse(uint32_t &list, const StreamUse &use) {
  for (uint32_t n = list; n != none; n = useNodes[n].next) {
    StreamUse &known = useNodes[n].use;
    if (known.stream == use.stream) {
      known.add(use);
      return;
    }
  }
  reserveMore(useNodes, 1); // nothing, where the caller has reserved
  list = newUse(use, list);
}

uint32_t MemoryPool::copyUses(uint32_t list) {
  uint32_t copy = none;
  for (; list != none; list = useNodes[list].next)
    copy = newUse(StreamUse(useNodes[list].use), copy);
  return copy;
}

void MemoryPool::mergeUses(uint32_t &into, uint32_t list) {
  if (into == none) {
    into = list;
    return;
  }
  while (list != none) {
    const UseNode node = useNodes[list];
    useNodes[list].next = unusedNode; // the next addUse may take it
    unusedNode = list;
    addUse(into, node.use);
    list = node.next;
  }
}

void MemoryPool::dropUses(uint32_t &list) {
  while (list != none) {
    const uint32_t next = useNodes[list].next;
    useNodes[list].next = unusedNode;
    unusedNode = list;
    list = next;
  }
}

bool MemoryPool::isIdle(uint32_t list) const {
  for (; list != none; list = useNodes[list].next)
    if (!isCompleted(useNodes[list].use))
      return false;
  return true;
}

void MemoryPool::recordUse(BlockId block, const StreamUse &use) {
  assert(isBlock(block));
  (void)streamOf(use.stream);
  addUse(chunks[block].uses, use);
}

void MemoryPool::waitsOf(BlockId block, uint32_t stream, bool writes,
                         std::vector<StreamUse> &waits) const {
  waits.clear();
  for (uint32_t n = chunks[block].uses; n != none; n = useNodes[n].next) {
    const StreamUse &use = useNodes[n].use;
    const uint64_t last = writes ? use.sequence : use.written;
    if (use.stream != stream && last && !hasCompleted(use.stream, last))
      waits.push_back(use);
  }
}

void MemoryPool::completed(uint32_t stream, uint64_t sequence) {
  uint64_t &last = streamOf(stream).completed;
  last = std::max(last, sequence);
}

// Free chunks: indexed, or waiting for their time.

/// Puts a free chunk where allocations find it. Memory that nobody may use yet
/// or that only one stream may use is not coalesced with its neighbours: it
/// would keep them from other streams.
void MemoryPool::place(uint32_t c) {
  int64_t next = INT64_MAX;
  uint32_t stream = none;
  for (uint32_t *link = &chunks[c].uses; *link != none;) {
    const uint32_t n = *link;
    const StreamUse &use = useNodes[n].use;
    if (use.end <= now && isCompleted(use)) { // on the card and on this host
      *link = useNodes[n].next;
      useNodes[n].next = unusedNode;
      unusedNode = n;
      continue;
    }
    if (use.end > now) {
      stream = next == INT64_MAX ? use.stream : none;
      next = std::min(next, use.end);
    }
    link = &useNodes[n].next;
  }
  if (next != INT64_MAX) {
    Chunk &chunk = chunks[c];
    chunk.state = ChunkState::Pending;
    chunk.stream = stream;
    if (stream != none) {
      streams[stream].pending.insert(chunks, c);
      ++streams[stream].count;
    }
    ++pendingChunks;
    pendingBytes += chunk.size;
    addMaturity({next, c, chunk.stamp});
    return;
  }
  const uint32_t after = chunks[c].after, before = chunks[c].before;
  if (after != none && chunks[after].state == ChunkState::Free) {
    general.erase(chunks, after);
    mergeWithNext(c);
  }
  if (before != none && chunks[before].state == ChunkState::Free) {
    general.erase(chunks, before);
    mergeWithNext(before);
    c = before;
  }
  chunks[c].state = ChunkState::Free;
  general.insert(chunks, c);
}

FreeIndex *MemoryPool::indexOf(const Chunk &chunk) {
  if (chunk.state == ChunkState::Free)
    return &general;
  return chunk.stream == none ? nullptr : &streams[chunk.stream].pending;
}

/// The opposite. The chunk has no state until it is placed or given out, so
/// that nothing coalesces with it.
void MemoryPool::unlink(uint32_t c) {
  Chunk &chunk = chunks[c];
  assert(isFree(c));
  if (FreeIndex *index = indexOf(chunk))
    index->erase(chunks, c);
  if (chunk.state == ChunkState::Pending) {
    if (chunk.stream != none)
      --streams[chunk.stream].count;
    --pendingChunks;
    pendingBytes -= chunk.size;
    ++chunk.stamp;
  }
  chunk.state = ChunkState::Unused;
}

/// A new chunk of the low end of a free one, which stays what it is.
uint32_t MemoryPool::takeFront(uint32_t c, uint64_t size) {
  const uint32_t front = newChunk();
  Chunk &low = chunks[front], &high = chunks[c];
  FreeIndex *index = indexOf(high);
  index->erase(chunks, c);
  low.offset = high.offset;
  low.size = size;
  low.before = high.before;
  low.after = c;
  chunks[low.before].after = front; // the small region at the least
  low.uses = copyUses(high.uses);
  high.before = front;
  high.offset += size;
  high.size -= size;
  index->insert(chunks, c);
  if (high.state == ChunkState::Pending)
    pendingBytes -= size;
  return front;
}

/// Cuts the end off a chunk that is in no index; the new one is in none either.
uint32_t MemoryPool::split(uint32_t c, uint64_t size) {
  const uint32_t rest = newChunk();
  Chunk &low = chunks[c], &high = chunks[rest];
  high.offset = low.offset + size;
  high.size = low.size - size;
  low.size = size;
  high.before = c;
  high.after = low.after;
  if (high.after != none)
    chunks[high.after].before = rest;
  low.after = rest;
  high.uses = copyUses(low.uses);
  return rest;
}

void MemoryPool::mergeWithNext(uint32_t c) {
  const uint32_t gone = chunks[c].after;
  chunks[c].size += chunks[gone].size;
  chunks[c].after = chunks[gone].after;
  if (chunks[c].after != none)
    chunks[chunks[c].after].before = c;
  mergeUses(chunks[c].uses, chunks[gone].uses);
  dropChunk(gone);
}

void MemoryPool::addMaturity(const Maturity &maturity) {
  // In constant time for each that was added.
  if (maturities.size() > 2 * pendingChunks + 1024) {
    const auto begin = maturities.begin();
    const auto kept =
        std::remove_if(begin + ptrdiff_t(firstMaturity), maturities.end(),
                       [&](const Maturity &old) { return isStale(old); });
    maturities.erase(kept, maturities.end());
    maturities.erase(begin, begin + ptrdiff_t(firstMaturity));
    firstMaturity = 0;
  }
  if (firstMaturity == maturities.size() ||
      maturity.time >= maturities.back().time) {
    maturities.push_back(maturity);
    return;
  }
  maturities.insert(
      std::upper_bound(
          maturities.begin() + ptrdiff_t(firstMaturity), maturities.end(),
          maturity,
          [](const Maturity &a, const Maturity &b) { return a.time < b.time; }),
      maturity);
}

void MemoryPool::advance(int64_t time) {
  now = std::max(now, time);
  while (firstMaturity < maturities.size() &&
         maturities[firstMaturity].time <= now) {
    const Maturity maturity = maturities[firstMaturity++];
    const uint32_t c = maturity.chunk;
    if (isStale(maturity))
      continue;
    if (chunks[c].state == ChunkState::SmallLater) {
      ++chunks[c].stamp;
      --pendingChunks;
      placeSmall(c);
    } else {
      unlink(c);
      place(c);
    }
  }
}

std::optional<int64_t> MemoryPool::nextMaturity() const {
  for (size_t i = firstMaturity; i < maturities.size(); ++i)
    if (!isStale(maturities[i]))
      return maturities[i].time;
  return std::nullopt;
}

void MemoryPool::settle() {
  for (uint32_t &list : unitUses)
    dropUses(list);
  for (Chunk &chunk : chunks)
    dropUses(chunk.uses);
  for (uint32_t c = 0; c < chunks.size(); ++c)
    if (chunks[c].state == ChunkState::Pending) {
      unlink(c);
      place(c);
    } else if (chunks[c].state == ChunkState::SmallLater) {
      ++chunks[c].stamp;
      --pendingChunks;
      placeSmall(c);
    }
}

// Blocks.

/// No chunk is large enough, but contiguous ones may be together: those of
/// pending memory are not coalesced. The smallest such run, cut to size.
uint32_t MemoryPool::joinRun(uint64_t size, uint32_t stream) {
  if (stream >= streams.size() || streams[stream].count == 0)
    return none;
  uint32_t best = none;
  uint64_t bestSize = UINT64_MAX;
  for (uint32_t c = first; c != none; c = chunks[c].after) {
    const uint32_t begin = c;
    uint64_t sum = 0;
    for (; isFreeFor(c, stream); c = chunks[c].after) // the workspace ends it
      sum += chunks[c].size;
    if (sum >= size && sum < bestSize) {
      best = begin;
      bestSize = sum;
    }
  }
  if (best == none)
    return none;
  unlink(best);
  while (chunks[best].size < size) {
    const uint32_t next = chunks[best].after;
    const uint64_t missing = size - chunks[best].size;
    if (chunks[next].size > missing)
      takeFront(next, missing);
    else
      unlink(next);
    mergeWithNext(best);
  }
  return best;
}

void MemoryPool::countAllocation(uint64_t size) {
  counts.inUse += size;
  counts.maxInUse = std::max(counts.maxInUse, counts.inUse);
  counts.maxAllocSize = std::max(counts.maxAllocSize, size);
  ++counts.numAllocs;
  ++counts.totalAllocs;
}

std::optional<MemoryPool::Allocation>
MemoryPool::allocate(const Request &request, std::vector<StreamUse> &waits) {
  waits.clear();
  (void)streamOf(request.stream);
  reserveRecords();
  if (request.bytes > capacity)
    return std::nullopt;
  const uint64_t size = chunkSize(request.bytes);
  const Stream &own = streams[request.stream];
  const auto fitOfOwn = [&] {
    return own.count != 0 ? own.pending.bestFit(chunks, size) : none;
  };
  const bool isSmall = size < 3 * alignment && request.stream == 0;
  uint32_t c = isSmall ? none : fitOfOwn();
  // Programs repeat themselves: what their tasks are not done with mostly fits,
  // and need not be coalesced and split again.
  if (c == none || chunks[c].size != size) {
    advance(request.now);
    if (isSmall)
      if (auto small = allocateSmall(request, waits))
        return small;
    c = fitOfOwn();
    const uint32_t other = general.bestFit(chunks, size);
    if (c == none || (other != none && chunks[other].size < chunks[c].size))
      c = other;
  }
  if (c == none) {
    c = joinRun(size, request.stream);
    if (c == none)
      return std::nullopt;
  } else {
    const uint64_t found = chunks[c].size;
    // Twice the request is among the latter.
    if (found - size >= maxWaste || 10 * size < 9 * found)
      c = takeFront(c, size);
    else
      unlink(c);
  }
  Chunk &chunk = chunks[c];
  chunk.state = ChunkState::InUse;
  chunk.fixed = false;
  chunk.owner = request.owner;
  chunk.waste = uint32_t(chunk.size - request.bytes);
  countAllocation(chunk.size);
  waitsOf(c, request.stream, /*writes=*/true, waits);
  return Allocation{c, chunk.offset + alignment};
}

Status MemoryPool::free(BlockId block, int64_t time) {
  if (!isBlock(block) || block == workspaceChunk || block == smallRegion)
    return fail("block {} of the memory pool is not allocated", block);
  reserveRecords();
  now = std::max(now, time);
  ++counts.numFrees;
  ++counts.totalFrees;
  if (chunks[block].state == ChunkState::Small) {
    placeSmall(block);
    return {};
  }
  counts.inUse -= chunks[block].size;
  place(block);
  return {};
}

// The small region: units of one alignment, for the default stream alone.

std::optional<MemoryPool::Allocation>
MemoryPool::allocateSmall(const Request &request,
                          std::vector<StreamUse> &waits) {
  for (uint32_t word = 0; word < freeUnits.size(); ++word) {
    if (freeUnits[word] == 0)
      continue;
    const uint32_t unit =
        word * 64 + unsigned(__builtin_ctzll(freeUnits[word]));
    freeUnits[word] &= freeUnits[word] - 1;
    const uint32_t c = newChunk();
    Chunk &chunk = chunks[c];
    chunk.state = ChunkState::Small;
    chunk.fixed = true;
    chunk.offset = chunks[smallRegion].offset + unit * alignment;
    chunk.size = alignment;
    chunk.owner = request.owner;
    chunk.waste = uint32_t(alignment - request.bytes);
    std::swap(chunk.uses, unitUses[unit]);
    ++counts.numAllocs;
    ++counts.totalAllocs;
    waitsOf(c, 0, /*writes=*/true, waits);
    return Allocation{c, chunk.offset + alignment};
  }
  return std::nullopt;
}

/// Frees a unit, at once or when no other stream uses it.
void MemoryPool::placeSmall(uint32_t c) {
  Chunk &chunk = chunks[c];
  int64_t last = INT64_MIN;
  for (uint32_t n = chunk.uses; n != none; n = useNodes[n].next)
    if (useNodes[n].use.stream != 0)
      last = std::max(last, useNodes[n].use.end);
  if (last > now) {
    chunk.state = ChunkState::SmallLater;
    ++pendingChunks;
    addMaturity({last, c, chunk.stamp});
    return;
  }
  const uint64_t unit = (chunk.offset - chunks[smallRegion].offset) / alignment;
  freeUnits[unit / 64] |= uint64_t(1) << unit % 64;
  std::swap(chunk.uses, unitUses[unit]);
  dropChunk(c);
}

// The workspace.

bool MemoryPool::growWorkspace(uint64_t bytes, uint32_t stream, int64_t time,
                               std::vector<StreamUse> &waits) {
  waits.clear();
  (void)streamOf(stream);
  reserveRecords();
  advance(time);
  counts.lastWorkspace = bytes;
  const uint32_t w = workspaceChunk;
  const uint64_t size = bytes > capacity ? UINT64_MAX : chunkSize(bytes);
  if (size > chunks[w].size) {
    const uint64_t missing = size - chunks[w].size;
    uint64_t sum = 0;
    uint32_t lowest = w;
    while (sum < missing && isFreeFor(chunks[lowest].before, stream)) {
      lowest = chunks[lowest].before;
      sum += chunks[lowest].size;
    }
    if (sum < missing)
      return false;
    unlink(lowest);
    if (sum > missing) {
      const uint32_t kept = lowest;
      lowest = split(kept, sum - missing);
      place(kept);
    }
    while (chunks[lowest].after != w) {
      unlink(chunks[lowest].after);
      mergeWithNext(lowest);
    }
    // The workspace keeps its number.
    chunks[w].offset -= missing;
    chunks[w].size += missing;
    chunks[w].before = chunks[lowest].before;
    chunks[chunks[w].before].after = w; // the small region at the least
    mergeUses(chunks[w].uses, chunks[lowest].uses);
    dropChunk(lowest);
    chunks[w].waste = uint32_t(size - bytes);
    counts.inUse += missing;
    counts.maxInUse = std::max(counts.maxInUse, counts.inUse);
  }
  waitsOf(w, stream, /*writes=*/true, waits);
  return true;
}

void MemoryPool::shrinkWorkspace(uint64_t bytes, int64_t time) {
  reserveRecords();
  advance(time);
  const uint32_t w = workspaceChunk;
  const uint64_t size = chunkSize(std::min(bytes, capacity));
  if (size >= chunks[w].size)
    return;
  const uint64_t given = chunks[w].size - size;
  const uint32_t c = newChunk();
  Chunk &chunk = chunks[c], &space = chunks[w];
  chunk.offset = space.offset;
  chunk.size = given;
  chunk.before = space.before;
  chunk.after = w;
  chunks[chunk.before].after = c;
  chunk.uses = copyUses(space.uses);
  space.before = c;
  space.offset += given;
  space.size = size;
  space.waste = uint32_t(size - std::min(bytes, size));
  counts.inUse -= given;
  place(c);
}

} // namespace gaudi::runtime
