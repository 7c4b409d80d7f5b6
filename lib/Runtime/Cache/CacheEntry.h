// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of a file in a DiskCache: a header with the key and a checksum per
// block of the value, then the value.
#ifndef GAUDI_LIB_RUNTIME_CACHE_CACHEENTRY_H
#define GAUDI_LIB_RUNTIME_CACHE_CACHEENTRY_H

#include "DiskCache.h"

#include "Gaudi/Runtime/ThreadPool.h"

#include <optional>
#include <vector>

namespace gaudi::runtime {

/// Values of at most this many bytes are read, larger ones are mapped.
constexpr uint64_t largestRead = 64 * 1024;
/// A value of at least this many bytes begins at a multiple of them.
constexpr uint64_t hugePageBytes = 2 << 20;

/// A parsed header. The value itself is not verified yet.
struct EntryHeader {
  recipe::ByteSpan key, value;
  CacheNonce nonce;
  std::vector<uint64_t> checksums;
};

/// The header, key and checksums that precede the value; meaningless if `stop`
/// returned true. Hashes the value, on all threads of `pool` if there is one.
std::vector<uint8_t> makeEntryHeader(recipe::ByteSpan key,
                                     recipe::ByteSpan value,
                                     const CacheNonce &nonce, ThreadPool *pool,
                                     const std::function<bool()> &stop);

/// Nothing unless the header is intact and states the length of the file. Does
/// not read the value. The key may be any.
std::optional<EntryHeader> parseEntryHeader(recipe::ByteSpan file);
/// The same, of an entry for this key only.
std::optional<EntryHeader> parseEntryHeader(recipe::ByteSpan file,
                                            recipe::ByteSpan key);

/// Bytes of a file before its key.
constexpr uint64_t entryKeyOffset = 64;

/// Where the value begins; there may be a hole before it.
uint64_t entryValueOffset(uint64_t keyBytes, uint64_t valueBytes);

/// Checksum of one block of a value.
uint64_t blockChecksum(recipe::ByteSpan value, uint64_t block);

/// Calls body(block) for all blocks, on all threads of `pool` if there is one.
template <typename Body>
void forBlocks(int64_t blocks, ThreadPool *pool, Body body) {
  auto range = [&](int64_t begin, int64_t end, unsigned) {
    for (int64_t block = begin; block < end; ++block)
      body(block);
  };
  if (pool)
    pool->parallelFor(blocks, 4, range);
  else
    range(0, blocks, 0);
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_CACHEENTRY_H
