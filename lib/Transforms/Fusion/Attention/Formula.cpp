// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Formula.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

static constexpr double hidden = -std::numeric_limits<double>::infinity();

AttentionFormula::AttentionFormula(SdpaOp op, Sampler &sampler)
    : op(op), sampler(sampler) {
  const AttentionSizes s = attentionSizes(op);
  sizes = {s.batch,   1,      s.keyHeads, 1,           s.heads / s.keyHeads,
           s.queries, s.keys, s.depth,    s.valueDepth};
  images = s.batch;
  keyHeads = s.keyHeads;
  keyIsShared = s.keyBatch == 1;
  valueIsShared = s.valueBatch == 1;
  for (Value operand : {op.getQuery(), op.getKey(), op.getValue()})
    sampler.cut(operand);
  // Random bits are expensive to compute, and compared with nothing.
  if (op.getDropoutMask())
    sampler.cut(op.getDropoutMask());
  split(images, keyHeads);
}

void AttentionFormula::split(int64_t outerImages, int64_t outerHeads) {
  assert(images % outerImages == 0 && keyHeads % outerHeads == 0 &&
         "outer axes that divide both");
  sizes[size_t(Axis::N)] = outerImages;
  sizes[size_t(Axis::NInner)] = images / outerImages;
  sizes[size_t(Axis::KeyHead)] = outerHeads;
  sizes[size_t(Axis::KeyHeadInner)] = keyHeads / outerHeads;
  queryDims = dimsOf(queryLayoutOf(op), Axis::Query, Axis::Depth);
  keyDims = dimsOf(keyLayoutOf(op), Axis::Key, Axis::Depth);
  valueDims = dimsOf(valueLayoutOf(op), Axis::Key, Axis::ValueDepth);
  forget();
}

void AttentionFormula::forget() {
  rows.clear();
  gradients.clear();
  keys.assign(sampler.indicesOf(sizeOf(Axis::Key)));
  queries.assign(sampler.indicesOf(sizeOf(Axis::Query)));
}

SmallVector<Axis, 6> AttentionFormula::realAxes(ArrayRef<Axis> axes) const {
  SmallVector<Axis, 6> real;
  llvm::copy_if(axes, std::back_inserter(real),
                [&](Axis axis) { return sizeOf(axis) > 1; });
  return real;
}

Dims AttentionFormula::dimsOf(StringRef layout, Axis length, Axis depth) const {
  Dims dims;
  for (char letter : layout) {
    SmallVector<Axis, 2> axes;
    switch (letter) {
    // A key or value of one image is shared by all.
    case 'N': {
      const bool isShared =
          (length == Axis::Key) &&
          (depth == Axis::Depth ? keyIsShared : valueIsShared);
      if (!isShared)
        axes = {Axis::N, Axis::NInner};
      break;
    }
    case 'H':
      axes = {Axis::KeyHead, Axis::KeyHeadInner};
      // Heads of queries are those of keys times the group.
      if (length == Axis::Query)
        axes.push_back(Axis::Group);
      break;
    case 'L':
      axes = {length};
      break;
    default:
      assert(letter == 'D' && "a letter of layouts");
      axes = {depth};
    }
    dims.push_back(SmallVector<Axis, 2>(realAxes(axes)));
  }
  return dims;
}

double AttentionFormula::element(Value tensor, const Dims &dims,
                                 const Coordinates &at) const {
  Position position;
  for (ArrayRef<Axis> axes : dims) {
    int64_t index = 0;
    for (Axis axis : axes)
      index = index * sizeOf(axis) + get(at, axis);
    position.push_back(index);
  }
  return sampler.at(tensor, position);
}

double AttentionFormula::value(const Coordinates &at) {
  return element(op.getValue(), valueDims, at);
}

double AttentionFormula::broadcastElement(Value tensor,
                                          const Coordinates &at) const {
  ArrayRef<int64_t> shape = tensorType(tensor).getShape();
  const int64_t head =
      keyHeadOf(at) * sizeOf(Axis::Group) + get(at, Axis::Group);
  Position position = {imageOf(at), head, get(at, Axis::Query),
                       get(at, Axis::Key)};
  if (shape.size() == 3)
    position.erase(position.begin() + 1);
  for (auto [index, size] : llvm::zip_equal(position, shape))
    index = size == 1 ? 0 : index;
  return sampler.at(tensor, position);
}

void AttentionFormula::visible(const Coordinates &at, double &score,
                               bool &isConstant) {
  isConstant = false;
  if (Value mask = op.getMask()) {
    const double element = broadcastElement(mask, at);
    if (!getElementTypeOrSelf(mask).isInteger(1)) {
      score += element;
    } else if (element == 0) {
      // What a select puts in the place of a score has no gradient.
      score = op.getMaskValue().convertToDouble();
      isConstant = true;
    }
  }
  const int64_t i = get(at, Axis::Query), j = get(at, Axis::Key);
  bool exists = !op.getCausal() || j <= i;
  if (std::optional<uint64_t> window = op.getWindow())
    exists = exists && i - j < int64_t(*window) &&
             (op.getCausal() || j - i < int64_t(*window));
  if (Value lengths = op.getValidLengths()) {
    const int64_t count = sizeOf(Axis::Key);
    const int64_t length = std::clamp<int64_t>(
        int64_t(sampler.at(lengths, {imageOf(at)})), 0, count);
    exists =
        exists && (op.getPadding() == PaddingSide::Right ? j < length
                                                         : j >= count - length);
  }
  if (!exists)
    score = hidden;
}

double AttentionFormula::dropoutFactor(const Coordinates &at) {
  Value mask = op.getDropoutMask();
  if (!mask)
    return 1;
  const double element = broadcastElement(mask, at);
  const double p = op.getDropout().convertToDouble();
  return p == 0 ? element : (element != 0 ? 1 / (1 - p) : 0);
}

const AttentionFormula::Row &AttentionFormula::rowOf(const Coordinates &at) {
  // A row is computed once for all elements that read it.
  auto [entry, isNew] = rows.try_emplace(rowKey(at));
  Row &row = entry->second;
  if (!isNew)
    return row;
  const double scale = op.getScale().convertToDouble();
  Coordinates here = at;
  double maximum = hidden;
  // A sample of the keys: sums in graph and formula are over the same ones.
  for (int64_t j : keys) {
    get(here, Axis::Key) = j;
    double score = 0;
    SmallVector<int64_t, 8> depths(sampler.indicesOf(sizeOf(Axis::Depth)));
    for (int64_t d : depths) {
      get(here, Axis::Depth) = d;
      score += element(op.getQuery(), queryDims, here) *
               element(op.getKey(), keyDims, here);
    }
    score *= scale;
    bool isConstant = false;
    visible(here, score, isConstant);
    maximum = std::max(maximum, score);
    row.probability.push_back(score);
    row.isConstant.push_back(isConstant);
    row.factor.push_back(dropoutFactor(here));
  }
  double sum = 0;
  // A row without visible keys has probabilities of 0.
  for (double &p : row.probability)
    sum += p = maximum == hidden ? 0 : std::exp(p - maximum);
  for (double &p : row.probability)
    p = sum == 0 ? 0 : p / sum;
  return row;
}

ArrayRef<double> AttentionFormula::scoreGrads(const Coordinates &at) {
  auto [entry, isNew] = gradients.try_emplace(rowKey(at));
  SmallVector<double, 8> &grads = entry->second;
  if (!isNew)
    return grads;
  const Row &row = rowOf(at);
  Coordinates here = at;
  double mean = 0;
  for (auto [k, j] : llvm::enumerate(keys)) {
    get(here, Axis::Key) = j;
    double grad = 0;
    SmallVector<int64_t, 8> depths(sampler.indicesOf(sizeOf(Axis::ValueDepth)));
    for (int64_t d : depths) {
      get(here, Axis::ValueDepth) = d;
      grad += outputGrad(here) * value(here);
    }
    grads.push_back(grad * row.factor[k]);
    mean += grads.back() * row.probability[k];
  }
  // The gradient of a softmax: P (dP - mean), with the mean weighted by P.
  for (size_t k = 0; k < keys.size(); ++k)
    grads[k] = row.isConstant[k] ? 0 : row.probability[k] * (grads[k] - mean);
  return grads;
}

size_t AttentionFormula::placeOf(int64_t key) const {
  const auto *place = llvm::find(keys, key);
  assert(place != keys.end() && "a key that the sampler visits");
  return size_t(place - keys.begin());
}

double AttentionFormula::output(const Coordinates &at) {
  const Row &row = rowOf(at);
  Coordinates here = at;
  double sum = 0;
  for (auto [k, j] : llvm::enumerate(keys)) {
    get(here, Axis::Key) = j;
    sum += row.probability[k] * row.factor[k] * value(here);
  }
  return sum;
}

double AttentionFormula::queryGrad(const Coordinates &at) {
  ArrayRef<double> grads = scoreGrads(at);
  Coordinates here = at;
  double sum = 0;
  for (auto [k, j] : llvm::enumerate(keys)) {
    get(here, Axis::Key) = j;
    sum += grads[k] * element(op.getKey(), keyDims, here);
  }
  return sum * op.getScale().convertToDouble();
}

double AttentionFormula::sumOverQueries(
    const Coordinates &at, bool overImages,
    llvm::function_ref<double(const Coordinates &)> term) {
  SmallVector<int64_t, 8> outer = {get(at, Axis::N)};
  SmallVector<int64_t, 8> inner = {get(at, Axis::NInner)};
  // All heads of query that share the key, and the images if these do.
  SmallVector<int64_t, 8> group(sampler.indicesOf(sizeOf(Axis::Group)));
  if (overImages) {
    outer.assign(sampler.indicesOf(sizeOf(Axis::N)));
    inner.assign(sampler.indicesOf(sizeOf(Axis::NInner)));
  }
  Coordinates here = at;
  double sum = 0;
  for (int64_t n : outer)
    for (int64_t m : inner)
      for (int64_t g : group)
        for (int64_t i : queries) {
          get(here, Axis::N) = n;
          get(here, Axis::NInner) = m;
          get(here, Axis::Group) = g;
          get(here, Axis::Query) = i;
          sum += term(here);
        }
  return sum;
}

double AttentionFormula::keyGrad(const Coordinates &at) {
  const size_t place = placeOf(get(at, Axis::Key));
  return op.getScale().convertToDouble() *
         sumOverQueries(at, keyIsShared, [&](const Coordinates &here) {
           return scoreGrads(here)[place] *
                  element(op.getQuery(), queryDims, here);
         });
}

double AttentionFormula::valueGrad(const Coordinates &at) {
  const size_t place = placeOf(get(at, Axis::Key));
  return sumOverQueries(at, valueIsShared, [&](const Coordinates &here) {
    const Row &row = rowOf(here);
    return row.probability[place] * row.factor[place] * outputGrad(here);
  });
}
