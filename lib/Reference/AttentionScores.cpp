// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scores, masks and dropout of attention in float64.
#include "Attention.h"
#include "Gaudi/Support/Philox.h"
#include "Indexing.h"
#include "MatrixProduct.h"
#include "Scalars.h"
#include "Strided.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

/// Strides of a dense tensor by letter, 0 for one that the layout lacks.
static SmallVector<int64_t>
stridesByLetter(ArrayRef<int64_t> shape, StringRef layout, StringRef letters) {
  const SmallVector<int64_t> dense = denseStrides(shape);
  SmallVector<int64_t> strides;
  for (char letter : letters) {
    const size_t at = layout.find(letter);
    strides.push_back(at == StringRef::npos ? 0 : dense[at]);
  }
  return strides;
}

ReferenceTensor reference::inOrder(const ReferenceTensor &tensor,
                                   StringRef layout, StringRef letters) {
  SmallVector<int64_t> shape;
  for (char letter : letters) {
    const size_t at = layout.find(letter);
    shape.push_back(at == StringRef::npos ? 1 : tensor.getDim(int64_t(at)));
  }
  return readStrided(tensor, shape,
                     stridesByLetter(tensor.getShape(), layout, letters), 0);
}

ReferenceTensor reference::inLayout(const ReferenceTensor &values,
                                    StringRef layout, ReferenceTensor result) {
  // Rounded in the type of the result, which may be narrower than that of the
  // sums.
  ReferenceTensor rounded(values.getShape(), result.getElementType());
  const FloatRounder round(result.getElementType());
  for (auto [to, from] :
       llvm::zip_equal(rounded.mutableFloats(), values.floats()))
    to = round(from);
  writeStrided(result, rounded,
               stridesByLetter(result.getShape(), layout, "NHLD"), 0);
  return result;
}

void reference::addWeighted(int64_t m, int64_t n, int64_t k, const double *a,
                            const double *b, double *c, const Noise *noise) {
  if (std::all_of(b, b + k * n, [](double x) { return std::isfinite(x); }))
    return addMatrixProduct(m, n, k, a, k, b, n, c, n, noise);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; a[i * k + p] != 0 && j < n; ++j)
        c[i * n + j] += a[i * k + p] * b[p * n + j];
}

RepeatedTensor::RepeatedTensor(const ReferenceTensor &given) : tensor(given) {
  SmallVector<int64_t> repeating = repeatingStrides(given.getShape());
  if (repeating.size() == 3)
    repeating.insert(repeating.begin() + 1, 0);
  assert(repeating.size() == strides.size() && "the verifier checks the rank");
  llvm::copy(repeating, strides.begin());
}

const ReferenceTensor *AttentionScores::find(Value operand) const {
  if (!operand)
    return nullptr;
  const auto all = operation->getOperands();
  return &operands[llvm::find(all, operand) - all.begin()];
}

AttentionHead AttentionScores::headOf(int64_t number) const {
  const int64_t head = number % sizes.heads;
  return {number / sizes.heads, head, head / (sizes.heads / sizes.keyHeads)};
}

int64_t AttentionScores::matrixOf(const ReferenceTensor &tensor,
                                  const AttentionHead &at) {
  const int64_t image = tensor.getDim(0) == 1 ? 0 : at.image;
  return (image * tensor.getDim(1) + at.keyHead) * tensor.getDim(2) *
         tensor.getDim(3);
}

bool AttentionScores::isVisible(const AttentionHead &at, int64_t i,
                                int64_t j) const {
  if (causal && j > i)
    return false;
  if (window > 0 && (i - j >= window || (!causal && j - i >= window)))
    return false;
  if (!lengths)
    return true;
  const int64_t count =
      std::clamp<int64_t>(lengths->ints()[at.image], 0, sizes.keys);
  return isPaddedLeft ? j >= sizes.keys - count : j < count;
}

void AttentionScores::compute(const AttentionHead &at, int64_t first,
                              int64_t count, double factor,
                              std::vector<double> &scores) const {
  const int64_t keys = sizes.keys, depth = sizes.depth;
  scores.assign(count * keys, 0);
  addMatrixProduct(count, keys, depth,
                   query.floats().data() + rowOf(at, first) * depth, depth,
                   keyColumns.floats().data() + matrixOf(keyColumns, at), keys,
                   scores.data(), keys, getNoise());
  for (int64_t i = first; i < first + count; ++i)
    for (int64_t j = 0; j < keys; ++j) {
      double &score = scores[(i - first) * keys + j];
      score *= scale * factor;
      if (isReplaced(at, i, j))
        score = maskValue;
      else if (mask && mask.tensor.isFloat())
        score += mask.at(at.image, at.head, i, j);
      if (getNoise())
        score = getNoise()->disturbed(score);
      if (!isVisible(at, i, j))
        score = -std::numeric_limits<double>::infinity();
    }
}

double AttentionScores::keepFactor(const AttentionHead &at, int64_t i,
                                   int64_t j) const {
  if (dropoutMask) {
    const double value = dropoutMask.at(at.image, at.head, i, j);
    return dropout > 0 ? (value != 0 ? 1 / (1 - dropout) : 0) : value;
  }
  if (dropout == 0)
    return 1;
  const auto element = static_cast<uint64_t>(rowOf(at, i) * sizes.keys + j);
  return gaudi::isKept(seed, element, static_cast<float>(dropout))
             ? 1 / (1 - dropout)
             : 0;
}
