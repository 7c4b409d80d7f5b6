// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Model of the gradient of attention.
#include "Attention.h"
#include "Jobs.h"
#include "MatrixProduct.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

/// The tensors of a backward pass in canonical order, and its sums.
struct Backward {
  const AttentionScores &scores;
  ReferenceTensor keyRows, valueColumns; // [N, H, S, D], [N, H, Dv, S]
  ReferenceTensor outputGrad, output;    // [N, H, L, Dv]; output may be none
  const ReferenceTensor *m, *linv, *probabilities;
  ReferenceTensor queryGrad, keyGrad, valueGrad;
  // Taken before threads run: a write to a tensor may copy it.
  double *dq = queryGrad.mutableFloats().data();
  double *dk = keyGrad.mutableFloats().data();
  double *dv = valueGrad.mutableFloats().data();

  void addHead(const AttentionHead &at) const {
    const AttentionSizes &s = scores.getSizes();
    const double *keys =
        keyRows.floats().data() + AttentionScores::matrixOf(keyRows, at);
    const double *values = valueColumns.floats().data() +
                           AttentionScores::matrixOf(valueColumns, at);
    std::vector<double> p, dS;
    // A few queries at a time keep the matrices of scores small.
    for (int64_t first = 0; first < s.queries; first += attentionRows) {
      const int64_t count = std::min(attentionRows, s.queries - first);
      const int64_t position = scores.rowOf(at, first);
      const double *dO = outputGrad.floats().data() + position * s.valueDepth;
      computeProbabilities(at, first, count, p);
      dS.assign(count * s.keys, 0);
      addMatrixProduct(count, s.keys, s.valueDepth, dO, s.valueDepth, values,
                       s.keys, dS.data(), s.keys, scores.getNoise());
      differentiate(at, first, count, p, dS);
      addWeighted(count, s.depth, s.keys, dS.data(), keys,
                  dq + position * s.depth, scores.getNoise());
      addTransposed(count, p, dO, s.valueDepth,
                    dv + AttentionScores::matrixOf(valueGrad, at));
      addTransposed(count, dS,
                    scores.getQuery().floats().data() + position * s.depth,
                    s.depth, dk + AttentionScores::matrixOf(keyGrad, at));
    }
  }

private:
  /// P of rows [first, first + count) of a head.
  void computeProbabilities(const AttentionHead &at, int64_t first,
                            int64_t count, std::vector<double> &p) const {
    const int64_t keys = scores.getSizes().keys;
    if (!probabilities) {
      scores.compute(at, first, count, 1, p);
      for (int64_t r = 0; r < count; ++r) {
        const int64_t row = scores.rowOf(at, first + r);
        for (double &score : MutableArrayRef(p).slice(r * keys, keys))
          score = linv->floats()[row] == 0
                      ? 0
                      : rounded(std::exp(score - m->floats()[row]) *
                                linv->floats()[row]);
      }
      return;
    }
    p.assign(count * keys, 0);
    for (int64_t i = first; i < first + count; ++i)
      for (int64_t j = 0; j < keys; ++j)
        if (scores.isVisible(at, i, j))
          p[(i - first) * keys + j] =
              probabilities->floats()[scores.rowOf(at, i) * keys + j];
  }

  /// D of a row: sum_j dP * P, or sum_d output * dO.
  double sumOf(int64_t position, ArrayRef<double> p,
               ArrayRef<double> dP) const {
    double sum = 0, magnitudes = 0;
    auto add = [&](double term) {
      sum += term;
      magnitudes += std::fabs(term);
    };
    if (output) {
      const int64_t depth = scores.getSizes().valueDepth;
      for (int64_t d = position * depth; d < (position + 1) * depth; ++d)
        add(output.floats()[d] * outputGrad.floats()[d]);
    } else {
      for (auto [a, b] : llvm::zip_equal(p, dP))
        if (a != 0)
          add(a * b);
    }
    const Noise *noise = scores.getNoise();
    return noise ? noise->disturbed(sum, magnitudes) : sum;
  }

  /// As a device computes it in float32, where there is noise.
  double rounded(double value) const {
    const Noise *noise = scores.getNoise();
    return noise ? noise->disturbed(value) : value;
  }

  /// Turns rows of P and of dO V^T into Pd and scale * dS.
  void differentiate(const AttentionHead &at, int64_t first, int64_t count,
                     std::vector<double> &p, std::vector<double> &dP) const {
    const int64_t keys = scores.getSizes().keys;
    std::vector<double> keep(keys);
    for (int64_t i = first; i < first + count; ++i) {
      const auto row = MutableArrayRef(p).slice((i - first) * keys, keys);
      const auto gradient = MutableArrayRef(dP).slice((i - first) * keys, keys);
      for (int64_t j = 0; j < keys; ++j) {
        keep[j] = scores.keepFactor(at, i, j);
        gradient[j] *= keep[j];
      }
      const double sum = sumOf(scores.rowOf(at, i), row, gradient);
      for (int64_t j = 0; j < keys; ++j) {
        // A replaced score depends on no operand. Nor does a probability of 0
        // depend on values, which may be infinite or NaN.
        gradient[j] = row[j] == 0 || scores.isReplaced(at, i, j)
                          ? 0
                          : scores.handedOn(row[j] * (gradient[j] - sum) *
                                            scores.getScale());
        row[j] = scores.handedOn(row[j] * keep[j]);
      }
    }
  }

  /// to[j, d] += sum_r rows[r, j] * from[r, d].
  void addTransposed(int64_t count, const std::vector<double> &rows,
                     const double *from, int64_t depth, double *to) const {
    const int64_t keys = scores.getSizes().keys;
    std::vector<double> columns(rows.size());
    for (int64_t r = 0; r < count; ++r)
      for (int64_t j = 0; j < keys; ++j)
        columns[j * count + r] = rows[r * keys + j];
    addMatrixProduct(keys, depth, count, columns.data(), count, from, depth, to,
                     depth, scores.getNoise());
  }
};
} // namespace

LogicalResult reference::evaluateAttentionGrad(SdpaGradOp op, Operands operands,
                                               Results &results) {
  const AttentionScores scores(op, operands);
  const AttentionSizes &s = scores.getSizes();
  const ReferenceTensor *output = scores.find(op.getOutput());
  // Sums keep float64 until they are rounded to the results' types.
  const auto f32 = Float32Type::get(op.getContext());
  const Backward backward = {
      scores,
      inOrder(*scores.find(op.getKey()), keyLayoutOf(op), "NHLD"),
      inOrder(*scores.find(op.getValue()), valueLayoutOf(op), "NHDL"),
      inOrder(*scores.find(op.getOutputGrad()), outputLayoutOf(op), "NHLD"),
      output ? inOrder(*output, outputLayoutOf(op), "NHLD") : ReferenceTensor(),
      scores.find(op.getM()),
      scores.find(op.getLinv()),
      scores.find(op.getProbabilities()),
      ReferenceTensor({s.batch, s.heads, s.queries, s.depth}, f32),
      ReferenceTensor({s.keyBatch, s.keyHeads, s.keys, s.depth}, f32),
      ReferenceTensor({s.valueBatch, s.keyHeads, s.keys, s.valueDepth}, f32)};
  // A job adds to one head of key and value: of one image, or of all if images
  // share it.
  const bool isShared = s.keyBatch != s.batch || s.valueBatch != s.batch;
  const int64_t group = s.heads / s.keyHeads;
  const int64_t jobs = (isShared ? 1 : s.batch) * s.keyHeads;
  forEachJob(op.getContext(), jobs, productWork(s), [&](int64_t job) {
    const int64_t keyHead = job % s.keyHeads;
    const int64_t first = isShared ? 0 : job / s.keyHeads;
    const int64_t last = isShared ? s.batch - 1 : first;
    for (int64_t n = first; n <= last; ++n)
      for (int64_t h = keyHead * group; h < (keyHead + 1) * group; ++h)
        backward.addHead({n, h, keyHead});
  });
  results.push_back(
      inLayout(backward.queryGrad, queryLayoutOf(op), emptyResult(op, 0)));
  results.push_back(
      inLayout(backward.keyGrad, keyLayoutOf(op), emptyResult(op, 1)));
  results.push_back(
      inLayout(backward.valueGrad, valueLayoutOf(op), emptyResult(op, 2)));
  return success();
}
