// The form of a file in a DiskCache: a head that names the key and holds a
// checksum for each piece of the value, and the value.
#ifndef GAUDI_LIB_RUNTIME_CACHE_CACHEENTRY_H
#define GAUDI_LIB_RUNTIME_CACHE_CACHEENTRY_H

#include "DiskCache.h"

#include "Gaudi/Runtime/ThreadPool.h"

#include <optional>
#include <vector>

namespace gaudi::runtime {

/// Values up to this are read, larger ones are mapped.
constexpr uint64_t largestRead = 64 * 1024;
/// A value of this many bytes begins at a multiple of them.
constexpr uint64_t hugePageBytes = 2 << 20;

/// What a file says about its value.
struct CacheHead {
  recipe::ByteSpan value;
  CacheNonce stamp;
  std::vector<uint64_t> checksums;
};

/// Header, key and checksums as they stand before the value; without sense once
/// `stop` says so.
std::vector<uint8_t> cacheHeadOf(recipe::ByteSpan key, recipe::ByteSpan value,
                                 const CacheNonce &stamp, ThreadPool *pool,
                                 const std::function<bool()> &stop);

/// Nothing unless the head is as written, for this key, and the file as long as
/// it says. The value is not looked at.
std::optional<CacheHead> cacheHeadIn(recipe::ByteSpan file,
                                     recipe::ByteSpan key);

/// Where the value begins; a hole may lie before it.
uint64_t cacheValueOffset(uint64_t keyBytes, uint64_t valueBytes);

uint64_t pieceChecksum(recipe::ByteSpan value, uint64_t piece);

/// Calls body(piece) for all pieces.
template <typename Body>
void forPieces(int64_t pieces, ThreadPool *pool, Body body) {
  auto range = [&](int64_t begin, int64_t end, unsigned) {
    for (int64_t piece = begin; piece < end; ++piece)
      body(piece);
  };
  if (pool)
    pool->parallelFor(pieces, 4, range);
  else
    range(0, pieces, 0);
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_CACHE_CACHEENTRY_H
