// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an attention command computes, on its operands: contract between the
// command, which reads the recipe, and the code that runs it.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONPROBLEM_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONPROBLEM_H

#include "../../Commands/Addresses.h"

#include "Gaudi/Recipe/Recipe_generated.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gaudi::runtime {

/// An operand or result. Strides in elements, 0 where it is broadcast; the last
/// two are of queries and keys for tensors of scores, of positions and depth
/// for others.
struct AttentionTensor {
  uint8_t *data = nullptr; // null: the problem does not have it
  recipe::ElementType type = recipe::ElementType::F32;
  int64_t n = 0, h = 0, row = 0, column = 0;

  explicit operator bool() const { return data != nullptr; }
  int64_t offset(int64_t image, int64_t head, int64_t position) const {
    return image * n + head * h + position * row;
  }
};

/// A scalar that the command reads when it runs.
struct AttentionScale {
  const uint8_t *data = nullptr; // null: 1
};

/// Attention, or its gradient. Names are those of the recipe's tables.
struct AttentionProblem {
  int64_t images = 1, heads = 1, keyHeads = 1;
  /// 1 if all images share keys and values, else `images`.
  int64_t keyImages = 1;
  int64_t queries = 1, keys = 1, depth = 1, valueDepth = 1;

  AttentionTensor query, key, value, mask, dropoutMask;
  const uint8_t *lengths = nullptr; // i32, or null
  int64_t lengthStride = 1;
  const uint8_t *seed = nullptr; // i32, or null
  AttentionScale queryScale, keyScale, valueScale, probabilityScale,
      outputScale, sumScale;

  float scale = 1, maskValue = 0, dropout = 0;
  /// Where P and the output saturate if they are of 8 bits.
  float largest = std::numeric_limits<float>::infinity();
  int64_t window = 0;
  bool causal = false, paddingLeft = false;

  // Results of the forward command; operands of the gradient.
  AttentionTensor output, maxima, inverseSums, probabilities;
  // Results of the forward command.
  AttentionTensor kept;
  uint8_t *seedResult = nullptr, *largestProbability = nullptr,
          *largestOutput = nullptr;
  // Of the gradient.
  AttentionTensor outputGrad, queryGrad, keyGrad, valueGrad;

  int64_t group() const { return heads / keyHeads; }
  /// Images that share one image of the keys.
  int64_t imagesPerKey() const { return images / keyImages; }
  /// Independent parts: heads of keys. Their rows are the queries of all heads
  /// and images that read them.
  int64_t units() const { return keyImages * keyHeads; }
  int64_t unitRows() const { return imagesPerKey() * group() * queries; }

  void visitAddresses(AddressVisitor &visitor) {
    for (AttentionTensor *tensor :
         {&query, &key, &value, &mask, &dropoutMask, &output, &maxima,
          &inverseSums, &probabilities, &kept, &outputGrad, &queryGrad,
          &keyGrad, &valueGrad})
      visitor.visit(tensor->data);
    for (AttentionScale *each : {&queryScale, &keyScale, &valueScale,
                                 &probabilityScale, &outputScale, &sumScale})
      visitor.visit(each->data);
    visitor.visit(lengths);
    visitor.visit(seed);
    for (uint8_t **result : {&seedResult, &largestProbability, &largestOutput})
      visitor.visit(*result);
  }
};

/// The query that is row `row` of a unit.
struct AttentionRow {
  int64_t image, head, query;
  int64_t begin = 0, end = 0; // keys that causality, window and lengths leave

  AttentionRow() = default;
  AttentionRow(const AttentionProblem &p, int64_t unit, int64_t row);
  /// Sets `begin` and `end`.
  void findKeys(const AttentionProblem &p);

  /// Number of its score for key 0 among all scores, in row-major order.
  uint64_t number(const AttentionProblem &p) const {
    return uint64_t((image * p.heads + head) * p.queries + query) *
           uint64_t(p.keys);
  }
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONPROBLEM_H
