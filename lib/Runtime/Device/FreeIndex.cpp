// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Treaps of free chunks.
#include "Gaudi/Runtime/Device/FreeIndex.h"

namespace gaudi::runtime {

namespace {

/// Without branches: which way a search goes is as good as random.
bool less(const Chunk &a, const Chunk &b) {
  return unsigned(a.size < b.size) |
         (unsigned(a.size == b.size) & unsigned(a.offset < b.offset));
}

/// Of a node in the heap order. An address is in a tree once, so it serves as
/// the random number.
uint64_t priority(const Chunk &chunk) {
  const uint64_t product = chunk.offset * 0x9e3779b97f4a7c15u;
  return product ^ product >> 32;
}

} // namespace

void FreeIndex::insert(std::vector<Chunk> &chunks, uint32_t chunk) {
  Chunk &added = chunks[chunk];
  const unsigned bin = binOf(added.size);
  const uint64_t rank = priority(added);
  uint32_t *link = &roots[bin];
  while (*link != none && priority(chunks[*link]) >= rank)
    link = &chunks[*link].child[less(chunks[*link], added)];
  // What was here is split into what precedes and what follows.
  uint32_t rest = *link, *ends[2] = {&added.child[0], &added.child[1]};
  *link = chunk;
  while (rest != none) {
    const bool precedes = less(chunks[rest], added);
    *ends[!precedes] = rest;
    ends[!precedes] = &chunks[rest].child[precedes];
    rest = *ends[!precedes];
  }
  *ends[0] = *ends[1] = none;
  occupied[bin / 64] |= uint64_t(1) << bin % 64;
  occupiedWords |= 1u << bin / 64;
}

void FreeIndex::erase(std::vector<Chunk> &chunks, uint32_t chunk) {
  const Chunk &gone = chunks[chunk];
  const unsigned bin = binOf(gone.size);
  uint32_t *link = &roots[bin];
  while (*link != chunk)
    link = &chunks[*link].child[less(chunks[*link], gone)];
  uint32_t parts[2] = {gone.child[0], gone.child[1]};
  while (parts[0] != none && parts[1] != none) {
    const bool right = priority(chunks[parts[0]]) < priority(chunks[parts[1]]);
    *link = parts[right];
    link = &chunks[parts[right]].child[!right];
    parts[right] = *link;
  }
  *link = parts[0] != none ? parts[0] : parts[1];
  if (roots[bin] == none) {
    uint64_t &word = occupied[bin / 64];
    word &= ~(uint64_t(1) << bin % 64);
    occupiedWords &= ~(uint32_t(word == 0) << bin / 64);
  }
}

uint32_t FreeIndex::bestFit(const std::vector<Chunk> &chunks,
                            uint64_t size) const {
  const unsigned bin = binOf(size);
  uint32_t best = none;
  for (uint32_t c = roots[bin]; c != none;) {
    const bool fits = chunks[c].size >= size;
    best = fits ? c : best;
    c = chunks[c].child[!fits];
  }
  if (best != none)
    return best;
  // The smallest of the next bin that has one.
  unsigned word = bin / 64;
  uint64_t bits = occupied[word] & (~uint64_t(1) << bin % 64);
  if (bits == 0) {
    const uint32_t words = occupiedWords & (~uint32_t(1) << word);
    if (words == 0)
      return none;
    word = unsigned(__builtin_ctz(words));
    bits = occupied[word];
  }
  best = roots[word * 64 + unsigned(__builtin_ctzll(bits))];
  while (chunks[best].child[0] != none)
    best = chunks[best].child[0];
  return best;
}

} // namespace gaudi::runtime
