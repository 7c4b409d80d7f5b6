// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Model of attention.
#include "Attention.h"
#include "Gaudi/Dialect/TargetDevice.h"
#include "Gaudi/Support/DeviceFormats.h"
#include "Jobs.h"
#include "MatrixProduct.h"
#include "Scalars.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

/// The softmax of a row in place. Gives its maximum, 0 where no score exists.
double softmax(MutableArrayRef<double> row) {
  const double none = -std::numeric_limits<double>::infinity();
  double largest = none;
  for (double score : row)
    if (std::isnan(score) || score > largest)
      largest = score;
  if (largest == none) {
    llvm::fill(row, 0);
    return 0;
  }
  double sum = 0;
  for (double &score : row)
    sum += score = std::exp(score - largest);
  for (double &score : row)
    score /= sum;
  return largest;
}

/// 1 / sum exp(s - m) of a row of scores; 0 where m, as it is rounded, is too
/// far from the scores. A score of -infinity adds nothing, whatever m is.
double inverseSum(ArrayRef<double> scores, double m) {
  double sum = 0;
  for (double score : scores)
    if (score != -std::numeric_limits<double>::infinity())
      sum += std::exp(score - m);
  return sum == 0 || std::isinf(sum) ? 0 : 1 / sum;
}

bool isEightBit(Type type) { return type.getIntOrFloatBitWidth() == 8; }

/// Where 8-bit floats of the op saturate on the device that the module, or a
/// function without one, names; infinity for wide types.
double saturationOf(SdpaOp op) {
  const Type element = getElementTypeOrSelf(op.getQuery());
  if (!isEightBit(element))
    return std::numeric_limits<double>::infinity();
  return largestOn(std::string_view(deviceNameFor(op)), formatOf(element));
}

/// The results in canonical order, not yet rounded.
struct Forward {
  SdpaOp op;
  const AttentionScores &scores;
  ReferenceTensor value;                                // [N, H, S, Dv]
  ReferenceTensor output, m, linv, probabilities, kept; // [N, H, L, ...]
  std::vector<double> amaxS, amaxO;                     // per head
  const double limit = saturationOf(op); // of P and of an output of 8 bits

  Forward(SdpaOp op, const AttentionScores &scores)
      : op(op), scores(scores),
        value(inOrder(*scores.find(op.getValue()), valueLayoutOf(op), "NHLD")),
        element(getElementTypeOrSelf(op.getQuery())),
        scoreFactor(scores.factor(op.getDScaleQ()) *
                    scores.factor(op.getDScaleK())),
        quantised(scores.factor(op.getQScaleS())),
        outputFactor(scores.factor(op.getDScaleV()) *
                     scores.factor(op.getDScaleS())) {
    const AttentionSizes &s = scores.getSizes();
    for (auto [tensor, result, last] :
         {std::tuple(&output, Value(op.getOutput()), s.valueDepth),
          std::tuple(&m, op.getMaxima(), int64_t(1)),
          std::tuple(&linv, op.getInverseSums(), int64_t(1)),
          std::tuple(&probabilities, op.getProbabilities(), s.keys),
          std::tuple(&kept, op.getKept(), s.keys)})
      if (result)
        *tensor = ReferenceTensor({s.batch, s.heads, s.queries, last},
                                  getElementTypeOrSelf(result));
    amaxS.assign(s.batch * s.heads, 0);
    amaxO.assign(s.batch * s.heads, 0);
  }

  /// Pointers for the threads: a write to a tensor may copy it.
  void open() {
    outputs = output.mutableFloats().data();
    if (m) {
      maxima = m.mutableFloats().data();
      sums = linv.mutableFloats().data();
    }
    if (probabilities)
      saved = probabilities.mutableFloats().data();
    if (kept)
      keptBytes = kept.mutableInts().data();
  }

  void runHead(int64_t number) {
    const AttentionHead at = scores.headOf(number);
    const AttentionSizes &s = scores.getSizes();
    std::vector<double> rows;
    for (int64_t first = 0; first < s.queries; first += attentionRows) {
      const int64_t count = std::min(attentionRows, s.queries - first);
      scores.compute(at, first, count, scoreFactor, rows);
      for (int64_t r = 0; r < count; ++r)
        finishRow(at, number, first + r,
                  MutableArrayRef(rows).slice(r * s.keys, s.keys));
      double *to = outputs + scores.rowOf(at, first) * s.valueDepth;
      addWeighted(count, s.valueDepth, s.keys, rows.data(),
                  value.floats().data() + AttentionScores::matrixOf(value, at),
                  to, scores.getNoise());
      for (int64_t i = 0; i < count * s.valueDepth; ++i) {
        to[i] *= outputFactor;
        amaxO[number] = std::max(amaxO[number], std::fabs(to[i]));
      }
    }
  }

private:
  /// From scores to what the second product reads.
  void finishRow(const AttentionHead &at, int64_t number, int64_t i,
                 MutableArrayRef<double> row) {
    const int64_t position = scores.rowOf(at, i);
    const std::vector<double> given = m ? row.vec() : std::vector<double>();
    const double largest = softmax(row);
    if (m) {
      // m is rounded first, so that P = exp(s - m) * linv holds for the m that
      // is saved.
      maxima[position] = FloatRounder(m.getElementType())(largest);
      sums[position] = inverseSum(given, maxima[position]);
    }
    const RuleRounder round(element, FloatRounding::NearestEven, false, limit,
                            scores.getNoise());
    for (int64_t j = 0, keys = scores.getSizes().keys; j < keys; ++j) {
      if (saved)
        saved[position * keys + j] =
            std::clamp(row[j] * quantised, -limit, limit);
      const double keep = scores.keepFactor(at, i, j);
      if (keptBytes)
        keptBytes[position * keys + j] = keep != 0;
      row[j] *= keep;
      amaxS[number] = std::max(amaxS[number], std::fabs(row[j]));
      // Of 8-bit floats the rounding is part of the value: the scales choose
      // what is lost.
      if (isEightBit(element))
        row[j] = round(row[j] * quantised, /*word=*/0);
      else
        row[j] = scores.handedOn(row[j]);
    }
  }

  Type element;
  double scoreFactor, quantised, outputFactor;
  double *outputs = nullptr, *maxima = nullptr, *sums = nullptr;
  double *saved = nullptr;
  int64_t *keptBytes = nullptr;
};

ReferenceTensor scalarOf(ArrayRef<double> magnitudes, Value result) {
  double largest = 0;
  for (double magnitude : magnitudes)
    largest = std::max(largest, magnitude);
  ReferenceTensor tensor(tensorType(result));
  tensor.mutableFloats()[0] = roundTo(tensor.getElementType(), largest);
  return tensor;
}
} // namespace

LogicalResult reference::evaluateAttention(SdpaOp op, Operands operands,
                                           Results &results) {
  const AttentionScores scores(op, operands);
  const AttentionSizes &s = scores.getSizes();
  Forward forward(op, scores);
  forward.open();
  // Heads are independent; each writes its own part of the results.
  forEachJob(op.getContext(), s.batch * s.heads, productWork(s),
             [&](int64_t head) { forward.runHead(head); });

  // One scale for the whole output, before it is rounded to 8 bits.
  if (op.getQScaleO())
    for (double &element : forward.output.mutableFloats())
      element = std::clamp(element * scores.factor(op.getQScaleO()),
                           -forward.limit, forward.limit);
  results.push_back(
      inLayout(forward.output, outputLayoutOf(op), emptyResult(op)));
  // Statistics are in the canonical order, whatever the layout of the query.
  const StringRef order =
      canonicalAttentionLayout(tensorType(op.getQuery()).getRank());
  for (auto [tensor, result] :
       {std::pair(&forward.m, op.getMaxima()),
        std::pair(&forward.linv, op.getInverseSums()),
        std::pair(&forward.probabilities, op.getProbabilities())})
    if (result)
      results.push_back(
          inLayout(*tensor, order, ReferenceTensor(tensorType(result))));
  if (Value result = op.getSeedResult())
    results.push_back(
        scores.find(op.getSeed())->reshaped(tensorType(result).getShape()));
  if (Value result = op.getKept())
    results.push_back(forward.kept.reshaped(tensorType(result).getShape()));
  if (Value result = op.getAmaxSResult())
    results.push_back(scalarOf(forward.amaxS, result));
  if (Value result = op.getAmaxOResult())
    results.push_back(scalarOf(forward.amaxO, result));
  return success();
}

void reference::attachAttentionModels(MLIRContext *context) {
  attach<SdpaOp, evaluateAttention>(context);
  attach<SdpaGradOp, evaluateAttentionGrad>(context);
}
