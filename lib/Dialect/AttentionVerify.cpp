// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of attention and of its gradient.
#include "AttentionForm.h"
#include "Checks.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

AttentionSizes AttentionForm::sizes() const {
  return {query.size('N'), key.size('N'), value.size('N'),
          query.size('H'), key.size('H'), query.size('L'),
          key.size('L'),   key.size('D'), value.size('D')};
}

SmallVector<int64_t> AttentionForm::shapeIn(StringRef layout,
                                            int64_t last) const {
  SmallVector<int64_t> shape;
  for (char letter : layout)
    shape.push_back(letter == 'D' ? last : query.size(letter));
  return shape;
}

SmallVector<int64_t> AttentionForm::canonicalShape(int64_t last) const {
  return shapeIn(canonicalAttentionLayout(rank()), last);
}

LogicalResult AttentionForm::verifyTensors() const {
  if (rank() != 3 && rank() != 4)
    return op->emitOpError("query ")
           << query.type() << " must have rank 4 (N, H, L, D) or 3 (N, L, D)";
  // Value may have another depth than query and key, so only ranks and element
  // types are compared here; verifySizes does the rest.
  for (const AttentionTensor *tensor : {&key, &value}) {
    if (tensor->type().getRank() != rank())
      return failAt(op->emitOpError() << tensor->name << " has rank "
                                      << tensor->type().getRank()
                                      << " but query has rank " << rank(),
                    query.value, "query");
    if (tensor->type().getElementType() != elementType())
      return failAt(op->emitOpError() << tensor->name << " has element type "
                                      << tensor->type().getElementType()
                                      << " but query has " << elementType(),
                    query.value, "query");
  }
  // Any order of the dimensions: a permuted tensor is read in place, with no
  // transpose before the op.
  const StringRef letters = canonicalAttentionLayout(rank());
  for (auto [name, layout] :
       {std::pair("query", query.layout), std::pair("key", key.layout),
        std::pair("value", value.layout), std::pair("output", outputLayout)})
    if (!isLayoutOf(layout, letters))
      return op->emitOpError()
             << name << "_layout \"" << layout << "\" must name each of \""
             << letters << "\" once";
  for (const AttentionTensor *tensor : {&query, &key, &value})
    if (llvm::any_of(tensor->type().getShape(),
                     [](int64_t size) { return size < 1; }))
      return failAt(op->emitOpError()
                        << tensor->name << " has type " << tensor->type()
                        << "; expected one element or more in each dimension",
                    tensor->value, tensor->name);
  return success();
}

LogicalResult AttentionForm::verifySizes() const {
  const AttentionSizes s = sizes();
  auto differs = [&](const AttentionTensor &a, StringRef what, int64_t aSize,
                     const AttentionTensor &b, int64_t bSize) {
    return failAt(op->emitOpError() << a.name << " has " << aSize << " " << what
                                    << " but " << b.name << " has " << bSize,
                  b.value, b.name);
  };
  if (query.size('D') != s.depth)
    return differs(key, "elements per head", s.depth, query, query.size('D'));
  if (value.size('L') != s.keys)
    return differs(value, "keys", value.size('L'), key, s.keys);
  if (value.size('H') != s.keyHeads)
    return differs(value, "heads", value.size('H'), key, s.keyHeads);
  // Grouped queries: each head of key and value serves equally many heads of
  // query.
  if (s.heads % s.keyHeads != 0)
    return failAt(op->emitOpError("query has ")
                      << s.heads << " heads, which the " << s.keyHeads
                      << " heads of key do not divide",
                  key.value, "key");
  // Batch 1 is a broadcast: one set of keys serves all images.
  for (const AttentionTensor *tensor : {&key, &value})
    if (const int64_t size = tensor->size('N'); size != s.batch && size != 1)
      return failAt(op->emitOpError()
                        << tensor->name << " has batch " << size
                        << "; expected 1 or the " << s.batch << " of query",
                    query.value, "query");
  return success();
}

LogicalResult AttentionForm::verifyBroadcast(Value operand,
                                             StringRef name) const {
  const auto type = tensorType(operand);
  const SmallVector<int64_t> scores = canonicalShape(key.size('L'));
  bool fits = type.getRank() == rank();
  for (int64_t i = 0; fits && i < rank(); ++i)
    fits = type.getDimSize(i) == scores[i] || type.getDimSize(i) == 1;
  if (fits)
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << name << " has type " << type << "; expected ["
                             << scores << "], or 1 in its place";
  return failAt(std::move(error), operand, name);
}

LogicalResult AttentionForm::verifyScores() const {
  if (!std::isfinite(scale))
    return op->emitOpError("scale is ") << scale << "; expected a number";
  if (window && *window < 1)
    return op->emitOpError("window is ") << *window << "; expected 1 or more";
  if (mask && failed(verifyBroadcast(mask, "mask")))
    return failure();
  // -infinity, the default, suits a mask of any type. Only a select by a
  // boolean mask can put another number in the place of a score.
  const bool isDefault = std::isinf(maskValue) && maskValue < 0;
  if (std::isnan(maskValue) || (std::isinf(maskValue) && !isDefault))
    return op->emitOpError("mask_value is ")
           << maskValue << "; expected a number or -infinity";
  if (!isDefault && !(mask && getElementTypeOrSelf(mask).isInteger(1))) {
    InFlightDiagnostic error = op->emitOpError("has mask_value ")
                               << maskValue << ", which needs a mask of i1";
    return failAt(std::move(error), mask ? mask : query.value,
                  mask ? "mask" : "query");
  }
  if (!validLengths)
    return success();
  if (tensorType(validLengths).getShape() == ArrayRef(query.size('N')))
    return success();
  return failAt(op->emitOpError("valid_lengths has type ")
                    << validLengths.getType() << "; expected ["
                    << query.size('N') << "], a length for each image of query",
                query.value, "query");
}

LogicalResult AttentionForm::verifyDropout() const {
  if (!(dropout >= 0 && dropout < 1))
    return op->emitOpError("dropout is ")
           << dropout << "; expected 0 or more, below 1";
  if (dropoutMask && failed(verifyBroadcast(dropoutMask, "dropout_mask")))
    return failure();
  if (seed && tensorType(seed).getNumElements() != 1)
    return failAt(op->emitOpError("seed has type ")
                      << seed.getType() << "; expected one element",
                  seed, "seed");
  if (dropoutMask && seed)
    return failAt(op->emitOpError("has a dropout_mask and a seed; expected one "
                                  "of them"),
                  seed, "seed");
  if (dropout > 0 && !dropoutMask && !seed)
    return op->emitOpError("has dropout ")
           << dropout << " but neither a dropout_mask nor a seed";
  if (dropout == 0 && seed)
    return failAt(op->emitOpError("has a seed but no dropout"), seed, "seed");
  return success();
}

LogicalResult AttentionForm::verifySlice() const {
  if (!slice || (slice->size() == 2 &&
                 llvm::all_of(*slice, [](int64_t size) { return size >= 1; })))
    return success();
  return op->emitOpError("slice is [")
         << *slice
         << "]; expected two entries of 1 or more, the queries and the keys";
}

LogicalResult AttentionForm::verify() const {
  if (failed(verifyTensors()) || failed(verifySizes()) ||
      failed(verifyScores()) || failed(verifyDropout()))
    return failure();
  return verifySlice();
}

//===----------------------------------------------------------------------===//
// Sdpa
//===----------------------------------------------------------------------===//

static bool isEightBit(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
}

/// What only f8 operands have.
static LogicalResult verifyScales(SdpaOp op) {
  const Type element = getElementTypeOrSelf(op.getQuery());
  for (auto [name, scale] : {std::pair("d_scale_q", op.getDScaleQ()),
                             std::pair("d_scale_k", op.getDScaleK()),
                             std::pair("d_scale_v", op.getDScaleV()),
                             std::pair("q_scale_s", op.getQScaleS()),
                             std::pair("q_scale_o", op.getQScaleO()),
                             std::pair("d_scale_s", op.getDScaleS())}) {
    if (!scale)
      continue;
    if (!isEightBit(element))
      return failAt(op.emitOpError("has ")
                        << name << " but query has element type " << element
                        << "; only f8 operands have scales",
                    op.getQuery(), "query");
    if (tensorType(scale).getNumElements() != 1)
      return failAt(op.emitOpError() << name << " has type " << scale.getType()
                                     << "; expected one element",
                    scale, name);
  }
  // Magnitudes serve the next step's scales, which only f8 has.
  for (auto [name, isSet] :
       {std::pair("amax_s", op.getAmaxS()), std::pair("amax_o", op.getAmaxO())})
    if (isSet && !isEightBit(element))
      return failAt(op.emitOpError("has ")
                        << name << " but query has element type " << element
                        << "; only attention of f8 measures magnitudes",
                    op.getQuery(), "query");
  return success();
}

SmallVector<Type> SdpaOp::getExpectedTypes() {
  const AttentionForm form(*this);
  MLIRContext *context = getContext();
  const Type f32 = Float32Type::get(context), bf16 = BFloat16Type::get(context);
  const Type element = form.elementType();
  const bool isF8 = isEightBit(element);
  const AttentionSizes sizes = form.sizes();
  auto tensor = [&](int64_t last, Type type) {
    return RankedTensorType::get(form.canonicalShape(last), type);
  };
  // The order of the results is fixed: output, what `saves` asks for, then the
  // magnitudes. f8 without a scale of the output leaves it in bf16.
  SmallVector<Type> types{
      RankedTensorType::get(form.shapeIn(form.outputLayout, sizes.valueDepth),
                            isF8 && !getQScaleO() ? bf16 : element)};
  // Statistics have a row each per query and head: the maximum and the inverse
  // of the sum. The fast softmax and f8 keep the sum as narrow as bf16.
  if (getSaves() == AttentionSaves::Statistics) {
    const bool isNarrow =
        isF8 || (element == bf16 && getSoftmaxMode() == SoftmaxMode::Fast);
    types.push_back(tensor(1, isF8 ? bf16 : element));
    types.push_back(tensor(1, isNarrow ? bf16 : f32));
    // The gradient computes the same dropout from this seed.
    if (getSeed())
      types.push_back(
          RankedTensorType::get({1}, IntegerType::get(context, 32)));
  } else if (getSaves() == AttentionSaves::Probabilities) {
    types.push_back(tensor(sizes.keys, element));
    if (form.dropout > 0)
      types.push_back(tensor(sizes.keys, IntegerType::get(context, 8)));
  }
  types.append(size_t(getAmaxS()) + size_t(getAmaxO()),
               RankedTensorType::get({}, f32));
  return types;
}

LogicalResult SdpaOp::verify() {
  if (failed(AttentionForm(*this).verify()) || failed(verifyScales(*this)))
    return failure();
  const SmallVector<Type> expected = getExpectedTypes();
  if (expected.size() != getNumResults())
    return emitOpError("has ") << getNumResults() << " results; expected "
                               << expected.size() << " of " << expected;
  for (auto [i, type] : llvm::enumerate(expected))
    if (getResult(i).getType() != type)
      return failAt(emitOpError("result ")
                        << i << " has type " << getResult(i).getType()
                        << "; expected " << type,
                    getQuery(), "query");
  return success();
}

//===----------------------------------------------------------------------===//
// SdpaGrad
//===----------------------------------------------------------------------===//

/// `value` has the type of the forward op's tensor, which `cause` follows from.
static LogicalResult verifyForward(SdpaGradOp op, Value value, StringRef name,
                                   ArrayRef<int64_t> shape, Type element) {
  if (!value || value.getType() == RankedTensorType::get(shape, element))
    return success();
  return failAt(op.emitOpError()
                    << name << " has type " << value.getType() << "; expected "
                    << RankedTensorType::get(shape, element),
                op.getQuery(), "query");
}

/// Exactly one of the two forms in which the forward pass saves P.
static LogicalResult verifySaved(SdpaGradOp op) {
  const bool hasStatistics = op.getM() && op.getLinv();
  if (bool(op.getM()) != bool(op.getLinv()))
    return failAt(op.emitOpError("has ")
                      << (op.getM() ? "m but no linv" : "linv but no m"),
                  op.getM() ? op.getM() : op.getLinv(),
                  op.getM() ? "m" : "linv");
  if (hasStatistics == bool(op.getProbabilities()))
    return failAt(op.emitOpError("has ")
                      << (hasStatistics ? "both" : "neither") << " m and linv "
                      << (hasStatistics ? "and" : "nor")
                      << " probabilities; expected one of the two",
                  op.getQuery(), "query");
  if (hasStatistics)
    return success();
  if (op.getMask() && !getElementTypeOrSelf(op.getMask()).isInteger(1))
    return failAt(op.emitOpError("has a mask of floats beside probabilities, "
                                 "which hold it"),
                  op.getMask(), "mask");
  if (op.getValidLengths())
    return failAt(op.emitOpError("has valid_lengths beside probabilities, "
                                 "which hold them"),
                  op.getValidLengths(), "valid_lengths");
  return success();
}

LogicalResult SdpaGradOp::verify() {
  const AttentionForm form(*this);
  if (failed(form.verify()) || failed(verifySaved(*this)))
    return failure();
  const Type element = form.elementType();
  const AttentionSizes sizes = form.sizes();
  const auto output = form.shapeIn(form.outputLayout, sizes.valueDepth);
  const auto row = form.canonicalShape(1);
  // linv is f32 unless the forward op was fast.
  const bool isNarrow = getLinv() && getElementTypeOrSelf(getLinv()).isBF16() &&
                        element.isBF16() &&
                        getSoftmaxMode() == SoftmaxMode::Fast;
  const Type sums = isNarrow ? element : Float32Type::get(getContext());
  if (failed(verifyForward(*this, getOutputGrad(), "output_grad", output,
                           element)) ||
      failed(verifyForward(*this, getOutput(), "output", output, element)) ||
      failed(verifyForward(*this, getM(), "m", row, element)) ||
      failed(verifyForward(*this, getLinv(), "linv", row, sums)) ||
      failed(verifyForward(*this, getProbabilities(), "probabilities",
                           form.canonicalShape(sizes.keys), element)))
    return failure();
  for (auto [operand, result, name] :
       {std::tuple(getQuery(), getQueryGrad(), "query"),
        std::tuple(getKey(), getKeyGrad(), "key"),
        std::tuple(getValue(), getValueGrad(), "value")}) {
    const auto type = tensorType(result);
    if (type.getShape() != tensorType(operand).getShape() ||
        (type.getElementType() != element && !type.getElementType().isF32()))
      return failAt(emitOpError("gradient of ")
                        << name << " has type " << type << "; expected "
                        << operand.getType() << ", or the same of f32",
                    operand, name);
  }
  return success();
}
