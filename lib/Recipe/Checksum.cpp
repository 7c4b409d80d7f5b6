// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checksums of recipe files.
#include "Gaudi/Recipe/Container.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include <xxhash.h>
#if defined(__x86_64__)
// The same numbers from the widest vectors of the host.
#include <xxh_x86dispatch.h>
#endif

namespace gaudi::recipe {

// The checksum of a section is that of its pieces' checksums, so pieces can be
// computed by several threads and checked one by one. One piece needs no second
// level.
uint64_t checksumOfPieces(const std::vector<uint64_t> &pieces) {
  if (pieces.size() == 1)
    return pieces[0];
  std::vector<uint8_t> bytes;
  bytes.reserve(pieces.size() * sizeof(uint64_t));
  for (uint64_t piece : pieces)
    for (unsigned i = 0; i < sizeof(piece); ++i)
      bytes.push_back(uint8_t(piece >> (8 * i)));
  return checksumOf(bytes.data(), bytes.size());
}

uint64_t checksumOf(const uint8_t *data, uint64_t size) {
  return XXH3_64bits(data, size);
}

uint64_t pieceChecksumOf(const uint8_t *data, uint64_t size, unsigned threads) {
  return checksumOfPieces(pieceChecksumsOf(data, size, threads));
}

std::vector<uint64_t> pieceChecksumsOf(const uint8_t *data, uint64_t size,
                                       unsigned threads) {
  if (size <= checksumPieceBytes)
    return {checksumOf(data, size)};
  std::vector<uint64_t> pieces((size + checksumPieceBytes - 1) /
                               checksumPieceBytes);
  constexpr uint64_t atOnce = 4;
  std::atomic<uint64_t> next{0};
  auto work = [&] {
    for (;;) {
      const uint64_t begin = next.fetch_add(atOnce);
      if (begin >= pieces.size())
        return;
      const uint64_t end = std::min<uint64_t>(begin + atOnce, pieces.size());
      for (uint64_t p = begin; p < end; ++p) {
        const uint64_t start = p * checksumPieceBytes;
        pieces[p] = checksumOf(data + start,
                               std::min(checksumPieceBytes, size - start));
      }
    }
  };
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  // A thread is worth starting for a few megabytes.
  threads = unsigned(std::min<uint64_t>(threads, pieces.size() / 8 + 1));
  std::vector<std::thread> helpers;
  try {
    helpers.reserve(threads);
    for (unsigned t = 1; t < threads; ++t)
      helpers.emplace_back(work);
  } catch (const std::exception &) { // no memory, no threads
    // This thread and those that started do all pieces.
  }
  work();
  for (std::thread &helper : helpers)
    helper.join();
  return pieces;
}

struct PieceChecksum::State {
  XXH3_state_t *hash = XXH3_createState();
  uint64_t filled = 0; // bytes of the current piece
  std::vector<uint64_t> pieces;

  ~State() { XXH3_freeState(hash); }
};

PieceChecksum::PieceChecksum() : state(std::make_unique<State>()) {
  XXH3_64bits_reset(state->hash);
}
PieceChecksum::~PieceChecksum() = default;

void PieceChecksum::add(const uint8_t *data, uint64_t size) {
  while (size) {
    if (state->filled == checksumPieceBytes) {
      state->pieces.push_back(XXH3_64bits_digest(state->hash));
      XXH3_64bits_reset(state->hash);
      state->filled = 0;
    }
    const uint64_t count = std::min(size, checksumPieceBytes - state->filled);
    XXH3_64bits_update(state->hash, data, count);
    state->filled += count;
    data += count;
    size -= count;
  }
}

uint64_t PieceChecksum::finish() {
  state->pieces.push_back(XXH3_64bits_digest(state->hash));
  return checksumOfPieces(state->pieces);
}

} // namespace gaudi::recipe
