// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The allocator of a card's memory: which addresses are whose, no bytes.
//
// The strategy is that of the card's PyTorch bridge ("coalesced stringent"):
// best fit over free chunks in 21 bins, each chunk with a header of one
// alignment, blocks below two alignments in a small region of their own, one
// workspace at the top of the memory. docs/device.md has the rules.
#ifndef GAUDI_RUNTIME_DEVICE_MEMORYPOOL_H
#define GAUDI_RUNTIME_DEVICE_MEMORYPOOL_H

#include "Gaudi/Runtime/Device/FreeIndex.h"
#include "Gaudi/Support/Error.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gaudi::runtime {

/// A task that uses memory. A record of the last one of a stream has the most
/// of each number.
struct StreamUse {
  uint32_t stream;      ///< numbered from 0, the default stream
  uint64_t sequence;    ///< of the task in its stream, from 1
  int64_t end;          ///< predicted on the card's clock, picoseconds
  uint64_t written = 0; ///< `sequence` if the task writes; 0: it reads

  void add(const StreamUse &use) {
    sequence = std::max(sequence, use.sequence);
    end = std::max(end, use.end);
    written = std::max(written, use.written);
  }
};

/// A block while it is allocated; later the number may be another block's.
using BlockId = uint32_t;

/// What the card's statistics count. Bytes are those of chunks, with headers
/// and what is not split off; the small region counts as a whole.
struct MemoryStatistics {
  uint64_t limit = 0, inUse = 0, maxInUse = 0;
  int64_t numAllocs = 0, numFrees = 0; // since resetAccumulated
  uint64_t maxAllocSize = 0;
  int64_t totalAllocs = 0, totalFrees = 0; // since the pool is there
  uint64_t workspace = 0;                  // in inUse
  uint64_t lastWorkspace = 0;              // as it was asked for
  uint64_t largestFreeRun = 0;             // contiguous, pending ones included

  using Rows = std::vector<std::pair<std::string_view, int64_t>>;
  /// Limit, InUse, MaxInUse, NumAllocs, NumFrees, ActiveAllocs, MaxAllocSize,
  /// TotalSystemAllocs, TotalSystemFrees, TotalActiveAllocs. ActiveAllocs is
  /// NumAllocs - NumFrees, which may be negative after resetAccumulated.
  Rows rows() const;
  /// limit, in_use, persistent, workspace, last_workspace, future,
  /// max_cntgs_chunk, max_in_use, num_allocs, num_free, max_alloc_size,
  /// active_allocs. `future`: bytes of tensors that the caller will allocate.
  Rows extendedRows(uint64_t future = 0) const;
  /// The rows of memory_summary.
  std::string summary() const;
  /// 100 * (1 - largest free run / all free bytes); 0 if nothing is free.
  double fragmentation() const;
};

/// Why a request failed, and what would help.
struct OutOfMemory {
  struct Holder {
    Owner owner;
    uint64_t blocks, bytes;
  };
  uint64_t requested = 0; // bytes
  uint64_t needed = 0;    // of a chunk for them
  uint64_t largest = 0;   // request that an empty pool has room for
  MemoryStatistics statistics;
  uint64_t waste = 0;   // of blocks: headers, and what is not split off
  uint64_t pending = 0; // freed bytes that the card still uses
  std::optional<int64_t> nextMaturity;
  uint64_t fixed = 0; // bytes of blocks that must not move
  bool waitingHelps = false, movingHelps = false;
  std::vector<Holder> holders;                             // the largest first
  std::array<uint64_t, 21> freeChunks{}, freeChunkBytes{}; // by bin
  /// Starts with "out of device memory": ErrorKind::DeviceMemory.
  std::string text(const OwnerTexts &texts, size_t maxHolders = 10) const;
};

/// A range of the card's memory and what it is, its header included.
struct MemorySpan {
  uint64_t begin, bytes;
  uint64_t requested; ///< of a block; else 0
  ChunkState state;   ///< InUse, Free or Pending
  bool isSmall;       ///< in the small region
  Owner owner;        ///< of a block, also of one that is pending
};

/// Addresses [0, capacity) of a card.
///
/// Time is the card's predicted clock in picoseconds; `now` is when the host
/// calls, and never goes back. What is allocated where depends on these times
/// only, never on how far worker threads of the emulation are.
///
/// A freed block may be used again by the stream whose tasks alone use it, and
/// by others from the predicted end of these tasks on; until then it is
/// pending, and not coalesced. Whoever gets memory that tasks of other streams
/// have used is told which, because on this host they may not have run.
///
/// No lock inside: the caller locks. A member that needs host memory throws
/// std::bad_alloc before it has changed anything.
class MemoryPool {
public:
  static constexpr unsigned bins = 21;
  static constexpr uint64_t smallUnits = 6 * 1024;
  static constexpr uint64_t maxWaste = uint64_t(128) << 20;
  /// The workspace at first, and what it need not be shrunk below.
  static constexpr uint64_t minWorkspace = uint64_t(4) << 20;

  /// `alignment`: a power of two, of the device. `workspace`: initial bytes.
  static Result<MemoryPool> create(uint64_t capacity, uint64_t alignment,
                                   uint64_t workspace = minWorkspace);

  struct Request {
    uint64_t bytes = 0; ///< 0 takes as much as 1
    uint32_t stream = 0;
    int64_t now = 0;
    Owner owner;
  };
  struct Allocation {
    BlockId block;
    uint64_t address;
  };
  /// Nothing if there is no room: then the caller waits, defragments, or
  /// fails with explain(). `waits`: tasks that must have run before the new
  /// block is used, see waitsOf.
  std::optional<Allocation> allocate(const Request &request,
                                     std::vector<StreamUse> &waits);
  /// The error is of a block that is not allocated.
  Status free(BlockId block, int64_t now);

  /// A task uses a block. At most one use per stream is kept, the last.
  void recordUse(BlockId block, const StreamUse &use);
  /// What a task of `stream` waits for that uses a block: tasks of other
  /// streams that have used its memory and may not have run, also those of
  /// former owners; of a task that only reads, those that write, by `written`.
  void waitsOf(BlockId block, uint32_t stream, bool writes,
               std::vector<StreamUse> &waits) const;
  /// All tasks of a stream up to `sequence` have run. Shortens lists of waits,
  /// and changes nothing else.
  void completed(uint32_t stream, uint64_t sequence);
  /// All tasks of all streams have run, and the card's clock is past them.
  void settle();

  /// The next time at which pending memory changes hands.
  std::optional<int64_t> nextMaturity() const;
  /// Whether there is room for a request once nothing is pending.
  bool fitsAfterWaiting(uint64_t bytes) const;

  // Blocks.
  uint64_t address(BlockId block) const {
    return chunks[block].offset + alignment;
  }
  /// As requested.
  uint64_t bytes(BlockId block) const {
    return chunks[block].size - chunks[block].waste;
  }
  const Owner &owner(BlockId block) const { return chunks[block].owner; }
  /// A fixed block is not moved, e.g. while a graph has its address.
  void setFixed(BlockId block, bool fixed) { chunks[block].fixed = fixed; }

  /// The workspace is a block at the top of the memory, which all launches
  /// share; its address falls as it grows.
  BlockId workspace() const { return workspaceChunk; }
  /// To at least `bytes`; false if the memory below it is not free.
  bool growWorkspace(uint64_t bytes, uint32_t stream, int64_t now,
                     std::vector<StreamUse> &waits);
  /// To `bytes`, if it is larger.
  void shrinkWorkspace(uint64_t bytes, int64_t now);

  struct Move {
    BlockId block;
    uint64_t from, to, bytes; ///< addresses; ranges may overlap
  };
  /// Moves, in their order, that make room for a request: within the
  /// contiguous run of chunks that has enough free bytes and the fewest bytes
  /// to move. Nothing if no run without a fixed block has. Call settle() first.
  std::optional<std::vector<Move>> planDefragmentation(uint64_t bytes) const;
  /// The same for growWorkspace: blocks below the workspace go to free chunks
  /// further below, or down within their run.
  std::optional<std::vector<Move>> planWorkspace(uint64_t bytes) const;
  /// After the caller has moved the bytes.
  void apply(const std::vector<Move> &moves);

  MemoryStatistics statistics() const; // walks all chunks
  uint64_t inUse() const { return counts.inUse; }
  uint64_t maxInUse() const { return counts.maxInUse; }
  void resetPeak() { counts.maxInUse = 0; } // the next allocation sets it
  void resetAccumulated();
  OutOfMemory explain(uint64_t bytes) const;
  /// All memory by address.
  std::vector<MemorySpan> spans() const;
  MemorySpan span(BlockId block) const;

  /// Calls visit(begin, end) for memory that is free and that no task may
  /// still touch: its bytes are garbage.
  template <typename Visit> void forEachIdle(Visit &&visit) const {
    for (uint32_t c = first; c != none; c = chunks[c].after)
      if (isFree(c) && isIdle(chunks[c].uses))
        visit(chunks[c].offset, chunks[c].offset + chunks[c].size);
  }
  /// The bin of a chunk: 0 below four alignments, then one per power of two.
  unsigned binOf(uint64_t size) const;
  /// Whether all invariants hold, for tests: what is wrong, or nothing.
  std::string verify() const;

private:
  MemoryPool(uint64_t capacity, uint64_t alignment);

  struct UseNode {
    StreamUse use;
    uint32_t next;
  };
  struct Stream {
    FreeIndex pending; // chunks that only this stream may have
    uint32_t count = 0;
    uint64_t completed = 0;
  };
  struct Maturity {
    int64_t time;
    uint32_t chunk, stamp;
  };

  uint64_t chunkSize(uint64_t bytes) const;
  bool isFree(uint32_t c) const {
    return chunks[c].state == ChunkState::Free ||
           chunks[c].state == ChunkState::Pending;
  }
  bool isFreeFor(uint32_t c, uint32_t stream) const {
    return chunks[c].state == ChunkState::Free ||
           (chunks[c].state == ChunkState::Pending &&
            chunks[c].stream == stream);
  }
  bool isBlock(uint32_t c) const {
    return c < chunks.size() && (chunks[c].state == ChunkState::InUse ||
                                 chunks[c].state == ChunkState::Small);
  }

  void reserveRecords();
  void growRecords();
  uint32_t newChunk();
  void dropChunk(uint32_t c);
  Stream &streamOf(uint32_t stream) {
    if (stream >= streams.size())
      addStreams(stream);
    return streams[stream];
  }
  void addStreams(uint32_t last);
  uint32_t newUse(const StreamUse &use, uint32_t next);
  void addUse(uint32_t &list, const StreamUse &use);
  uint32_t copyUses(uint32_t list);
  void mergeUses(uint32_t &into, uint32_t list);
  void dropUses(uint32_t &list);
  bool hasCompleted(uint32_t stream, uint64_t sequence) const {
    return stream < streams.size() && sequence <= streams[stream].completed;
  }
  bool isCompleted(const StreamUse &use) const {
    return hasCompleted(use.stream, use.sequence);
  }
  bool isIdle(uint32_t list) const;

  void advance(int64_t time);
  void addMaturity(const Maturity &maturity);
  bool isStale(const Maturity &maturity) const {
    return chunks[maturity.chunk].stamp != maturity.stamp;
  }
  void place(uint32_t c);
  FreeIndex *indexOf(const Chunk &chunk);
  void unlink(uint32_t c);
  uint32_t split(uint32_t c, uint64_t size);
  uint32_t takeFront(uint32_t c, uint64_t size);
  void mergeWithNext(uint32_t c);
  uint32_t joinRun(uint64_t size, uint32_t stream);
  std::optional<Allocation> allocateSmall(const Request &request,
                                          std::vector<StreamUse> &waits);
  void placeSmall(uint32_t c);
  void countAllocation(uint64_t size);
  void moveChunk(uint32_t c, uint64_t to);
  std::vector<Move> slide(uint32_t begin, uint32_t end) const;
  std::optional<std::vector<Move>> swapBelow(uint64_t floor) const;
  bool movable(uint32_t c) const;

  uint64_t capacity, alignment;
  std::vector<Chunk> chunks;
  std::vector<UseNode> useNodes;
  uint32_t unusedChunk = none, unusedNode = none; // lists of records
  uint32_t first = none;                          // by address
  uint32_t workspaceChunk = none, smallRegion = none;
  FreeIndex general;
  std::vector<Stream> streams;
  size_t spareNodes = 0; // of uses, that a call may need
  // By time; those before the first have been taken, those of old stamps are
  // stale. Streams run in order, so that nearly all are added at the end.
  std::vector<Maturity> maturities;
  size_t firstMaturity = 0;
  size_t pendingChunks = 0;
  uint64_t pendingBytes = 0;
  int64_t now = INT64_MIN;
  std::array<uint64_t, smallUnits / 64> freeUnits{}; // bits
  std::vector<uint32_t> unitUses; // of former owners, lists by unit
  MemoryStatistics counts;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_MEMORYPOOL_H
