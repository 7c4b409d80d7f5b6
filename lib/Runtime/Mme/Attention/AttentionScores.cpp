// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scores of attention.
#include "AttentionScores.h"

#include "../../Commands/Copy.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Support/Philox.h"

#include <cassert>
#include <cstring>
#include <limits>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

int32_t intAt(const uint8_t *from) {
  int32_t value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

/// to[j] = whether element j is 0 (or is not), as 1 or 0.
void flags(const uint8_t *from, int64_t stride, int64_t count, float ifZero,
           float ifNot, float *to) {
  for (int64_t j = 0; j < count; ++j)
    to[j] = from[j * stride] ? ifNot : ifZero;
}

/// to[j] = element j, an integer of the type T.
template <typename T>
void numbers(const uint8_t *from, int64_t stride, int64_t count, float *to) {
  for (int64_t j = 0; j < count; ++j)
    to[j] = float(T(from[j * stride]));
}

} // namespace

float valueOf(const AttentionScale &scale) {
  float value = 1;
  if (scale.data)
    std::memcpy(&value, scale.data, sizeof(value));
  return value;
}

AttentionRow::AttentionRow(const AttentionProblem &p, int64_t unit,
                           int64_t row) {
  assert(row >= 0 && row < p.unitRows() && "a row of the unit");
  // Rows of a unit: queries innermost, then the heads that share keys, then the
  // images that do.
  query = row % p.queries;
  head = unit % p.keyHeads * p.group() + row / p.queries % p.group();
  image = unit / p.keyHeads + row / p.queries / p.group();
  findKeys(p);
}

void AttentionRow::findKeys(const AttentionProblem &p) {
  begin = 0;
  end = p.keys;
  if (p.causal)
    end = std::min(end, query + 1);
  if (p.window > 0) {
    // Saturates: a window may be the largest number.
    begin = std::max(begin, query - p.window + 1);
    if (!p.causal && p.window < p.keys - query)
      end = std::min(end, query + p.window);
  }
  if (p.lengths) {
    const int64_t valid = std::clamp<int64_t>(
        intAt(p.lengths + image * p.lengthStride * 4), 0, p.keys);
    if (p.paddingLeft)
      begin = std::max(begin, p.keys - valid);
    else
      end = std::min(end, valid);
  }
  // Nothing visible: one form of it.
  if (begin >= end)
    begin = end = 0;
}

ScoreRows::ScoreRows(const AttentionProblem &p,
                     const AttentionFunctions &functions, int64_t block,
                     ScratchParts &scratch)
    : p(p), functions(functions), scale(p.scale),
      kept(p.dropout > 0 ? 1 / (1 - p.dropout) : 1),
      maskRow(scratch.take<float>(p.mask ? paddedRow(block) : 0)),
      factors(scratch.take<float>(drops() ? paddedRow(block) : 0)) {}

void ScoreRows::begin() {
  scale = p.scale * valueOf(p.queryScale) * valueOf(p.keyScale);
  if (p.seed)
    seed = uint32_t(intAt(p.seed));
  threshold = dropoutThreshold(p.dropout);
  held = nullptr;
}

const uint8_t *ScoreRows::maskAt(const AttentionTensor &mask,
                                 const AttentionRow &row, int64_t key) const {
  return mask.data +
         (mask.offset(row.image, row.head, row.query) + key * mask.column) *
             recipe::elementSize(mask.type);
}

const float *ScoreRows::bias(const AttentionRow &row, int64_t key,
                             int64_t count) {
  const uint8_t *from = maskAt(p.mask, row, key);
  if (held == from && heldCount == count)
    return maskRow;
  held = from;
  heldCount = count;
  if (p.mask.type == ElementType::I1)
    flags(from, p.mask.column, count, 1, 0, maskRow);
  else
    convertRow(p.mask.type, from, p.mask.column, ElementType::F32,
               reinterpret_cast<uint8_t *>(maskRow), 1, count);
  return maskRow;
}

const float *ScoreRows::hidden(const AttentionRow &row, int64_t key,
                               int64_t count) {
  return p.mask && p.mask.type == ElementType::I1 ? bias(row, key, count)
                                                  : nullptr;
}

float ScoreRows::score(const AttentionRow &row, int64_t key, int64_t count,
                       float *scores) {
  assert(key >= row.begin && key + count <= row.end && "keys that are visible");
  ScoreCall call{scores, count, scale, nullptr, nullptr, p.maskValue};
  if (p.mask)
    (p.mask.type == ElementType::I1 ? call.hide : call.bias) =
        bias(row, key, count);
  return functions.score(call);
}

const float *ScoreRows::dropout(const AttentionRow &row, int64_t key,
                                int64_t count) {
  if (const AttentionTensor &mask = p.dropoutMask) {
    const uint8_t *from = maskAt(mask, row, key);
    // Of integers: flags, or without a probability the factors themselves.
    if (!recipe::isFloat(mask.type)) {
      if (p.dropout > 0 || mask.type == ElementType::I1)
        flags(from, mask.column, count, 0, kept, factors);
      else if (mask.type == ElementType::U8)
        numbers<uint8_t>(from, mask.column, count, factors);
      else
        numbers<int8_t>(from, mask.column, count, factors);
      return factors;
    }
    convertRow(mask.type, from, mask.column, ElementType::F32,
               reinterpret_cast<uint8_t *>(factors), 1, count);
    if (p.dropout > 0)
      for (int64_t j = 0; j < count; ++j)
        factors[j] = factors[j] != 0 ? kept : 0;
    return factors;
  }
  if (p.dropout == 0)
    return nullptr;
  functions.keep(
      {seed, row.number(p) + uint64_t(key), count, threshold, kept, factors});
  return factors;
}

} // namespace gaudi::runtime
