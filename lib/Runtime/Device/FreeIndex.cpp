// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Treaps of free chunks.
#include "Gaudi/Runtime/Device/FreeIndex.h"

namespace gaudi::runtime {

namespace {

bool less(const Chunk &a, const Chunk &b) {
  return a.size != b.size ? a.size < b.size : a.offset < b.offset;
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
  uint32_t *link = &roots[bin];
  while (*link != none && priority(chunks[*link]) >= priority(added))
    link =
        less(added, chunks[*link]) ? &chunks[*link].left : &chunks[*link].right;
  // What was here is split into what precedes and what follows.
  uint32_t rest = *link, *left = &added.left, *right = &added.right;
  *link = chunk;
  while (rest != none)
    if (less(chunks[rest], added)) {
      *left = rest;
      left = &chunks[rest].right;
      rest = *left;
    } else {
      *right = rest;
      right = &chunks[rest].left;
      rest = *right;
    }
  *left = *right = none;
  occupied[bin / 64] |= uint64_t(1) << bin % 64;
}

void FreeIndex::erase(std::vector<Chunk> &chunks, uint32_t chunk) {
  const Chunk &gone = chunks[chunk];
  const unsigned bin = binOf(gone.size);
  uint32_t *link = &roots[bin];
  while (*link != chunk)
    link =
        less(gone, chunks[*link]) ? &chunks[*link].left : &chunks[*link].right;
  uint32_t left = gone.left, right = gone.right;
  while (left != none && right != none)
    if (priority(chunks[left]) >= priority(chunks[right])) {
      *link = left;
      link = &chunks[left].right;
      left = *link;
    } else {
      *link = right;
      link = &chunks[right].left;
      right = *link;
    }
  *link = left != none ? left : right;
  if (roots[bin] == none)
    occupied[bin / 64] &= ~(uint64_t(1) << bin % 64);
}

uint32_t FreeIndex::bestFit(const std::vector<Chunk> &chunks,
                            uint64_t size) const {
  const unsigned bin = binOf(size);
  uint32_t best = none;
  for (uint32_t c = roots[bin]; c != none;)
    if (chunks[c].size >= size) {
      best = c;
      c = chunks[c].left;
    } else {
      c = chunks[c].right;
    }
  if (best != none)
    return best;
  // The smallest of the next bin that has one.
  unsigned word = bin / 64;
  uint64_t bits = occupied[word] & (~uint64_t(1) << bin % 64);
  while (bits == 0)
    if (++word == occupied.size())
      return none;
    else
      bits = occupied[word];
  best = roots[word * 64 + unsigned(__builtin_ctzll(bits))];
  while (chunks[best].left != none)
    best = chunks[best].left;
  return best;
}

} // namespace gaudi::runtime
