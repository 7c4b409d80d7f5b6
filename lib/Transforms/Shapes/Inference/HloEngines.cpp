// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of StableHLO ops that combine elements, and of those with regions.
#include "HloShapes.h"
#include "SourceShapes.h"

using namespace mlir;
using namespace gaudi;

LogicalResult HloShapeRule::dotGeneral() {
  const SizeList lhs = shape(0), rhs = shape(1);
  auto field = [&](StringRef name) {
    return numbersOf(op, "dot_dimension_numbers", name);
  };
  const SmallVector<int64_t> lhsBatch = field("lhs_batching_dimensions"),
                             rhsBatch = field("rhs_batching_dimensions"),
                             lhsContracted =
                                 field("lhs_contracting_dimensions"),
                             rhsContracted =
                                 field("rhs_contracting_dimensions");
  if (failed(checkDims(lhsBatch, lhs.size())) ||
      failed(checkDims(lhsContracted, lhs.size())) ||
      failed(checkDims(rhsBatch, rhs.size())) ||
      failed(checkDims(rhsContracted, rhs.size())) ||
      lhsBatch.size() != rhsBatch.size() ||
      lhsContracted.size() != rhsContracted.size())
    return refuse("its dimension numbers do not fit its operands");
  // Paired dimensions must be the same expression; merge() says which two
  // differ.
  auto agree = [&](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    for (auto [i, j] : llvm::zip_equal(a, b))
      if (lhs[i] && rhs[j] && lhs[i] != rhs[j]) {
        (void)shapes.merge(op, lhs[i], rhs[j], op->getOperand(0),
                           op->getOperand(1));
        return failure();
      }
    return success();
  };
  if (failed(agree(lhsBatch, rhsBatch)) ||
      failed(agree(lhsContracted, rhsContracted)))
    return failure();
  // Batch dimensions, then the rest of the left side, then that of the right.
  SizeList dims;
  for (int64_t dim : lhsBatch)
    dims.push_back(lhs[dim]);
  auto addFree = [&](const SizeList &from, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> contracted) {
    for (auto [i, size] : llvm::enumerate(from))
      if (!llvm::is_contained(batch, int64_t(i)) &&
          !llvm::is_contained(contracted, int64_t(i)))
        dims.push_back(size);
  };
  addFree(lhs, lhsBatch, lhsContracted);
  addFree(rhs, rhsBatch, rhsContracted);
  return set(0, dims);
}

LogicalResult HloShapeRule::dot() {
  const SizeList lhs = shape(0), rhs = shape(1);
  if (lhs.empty() || rhs.empty())
    return refuse("expected vectors or matrices");
  SizeList dims(ArrayRef<AffineExpr>(lhs).drop_back());
  llvm::append_range(dims, ArrayRef<AffineExpr>(rhs).drop_front());
  return set(0, dims);
}

LogicalResult HloShapeRule::reduce() {
  const SmallVector<int64_t> reduced = numbersOf(op, "dimensions");
  if (op->getNumOperands() < 2 * op->getNumResults())
    return refuse("expected an initial value for each operand");
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    SizeList dims;
    for (auto [dim, size] : llvm::enumerate(shape(i)))
      if (!llvm::is_contained(reduced, int64_t(dim)))
        dims.push_back(size);
    if (failed(set(i, dims)))
      return failure();
  }
  // The product or sum of sizes.
  const SizeList *elements = shapes.elements(op->getOperand(0));
  AffineExpr value = shapes.element(op->getOperand(1));
  if (op->getNumResults() != 1 || !elements || !value || reduced.size() != 1 ||
      op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return success();
  Block &body = op->getRegion(0).front();
  // One op and the return.
  if (!llvm::hasNItems(body, 2))
    return success();
  for (AffineExpr element : *elements) {
    const Hlo step = hloOf(&body.front());
    if (!value || !element)
      return success();
    value = step == Hlo::Mul   ? sizes.mul(value, element)
            : step == Hlo::Add ? sizes.add(value, element)
            : step == Hlo::Max ? sizes.max(value, element)
            : step == Hlo::Min ? sizes.min(value, element)
                               : AffineExpr();
  }
  shapes.setElements(op->getResult(0), {value});
  return success();
}

LogicalResult HloShapeRule::topK() {
  SizeList dims = shape(0);
  const SmallVector<int64_t> k = numbersOf(op, "k");
  if (dims.empty() || k.size() != 1)
    return refuse("attribute 'k' must say how many elements it takes");
  dims.back() = sizes.constant(k[0]);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(set(i, dims)))
      return failure();
  return success();
}

/// Results beside the first are one number per feature.
LogicalResult HloShapeRule::batchNorm() {
  const SizeList dims = shape(0);
  const SmallVector<int64_t> feature = numbersOf(op, "feature_index");
  if (feature.size() != 1 || failed(checkDims(feature, dims.size())))
    return refuse("attribute 'feature_index' must name a dimension");
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(set(i, i ? SizeList{dims[feature[0]]} : dims)))
      return failure();
  return success();
}

/// Values that a loop carries keep their shapes; branches agree in theirs.
LogicalResult HloShapeRule::controlFlow() {
  const bool isLoop = isHlo(op, Hlo::While);
  SmallVector<SizeList> results;
  // Branches have no operands of their own: their shapes are those they yield.
  for (Value operand : op->getOperands())
    if (isLoop)
      results.push_back(shapes.shape(operand));
  for (Region &region : op->getRegions()) {
    if (!region.hasOneBlock())
      return refuse("its regions must be one block each");
    Block &block = region.front();
    if (isLoop && block.getNumArguments() != results.size())
      return refuse("its regions must have one argument per operand");
    for (auto [argument, dims] : llvm::zip(block.getArguments(), results))
      if (isLoop)
        shapes.setArgument(argument, dims);
    if (failed(shapes.inferBlock(block)))
      return failure();
    Operation &end = block.back();
    // The condition of a loop yields no value of it.
    if (isLoop && &region == &op->getRegion(0))
      continue;
    for (auto [i, value] : llvm::enumerate(end.getOperands())) {
      // The first branch says what the others must agree with.
      if (i >= results.size())
        results.push_back(shapes.shape(value));
      if (results[i] != shapes.shape(value))
        return refuse("value " + Twine(i) + " has another shape " +
                      (isLoop ? "in the next iteration" : "in another branch") +
                      "; sizes may depend on arguments only");
    }
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (isa<RankedTensorType>(op->getResult(i).getType()) &&
        (i >= results.size() || failed(set(i, results[i]))))
      return failure();
  return success();
}

/// Whether results have the sizes of the first operand, where their types do
/// not say another: calls that carry an op (`mhlo.erf`, `chlo.topk`), marks of
/// sharding, ops of ByteIR.
static bool isLikeOperand(StringRef target) {
  auto [dialect, name] = target.split('.');
  if (dialect == "mhlo" || dialect == "chlo")
    return llvm::is_contained({"topk", "top_k"}, name) ||
           isElementwise(hloNamed(name));
  return llvm::is_contained({"Sharding", "SPMDFullToShardShape",
                             "SPMDShardToFullShape",
                             "annotate_device_placement", "byteir.softmax",
                             "byteir.gelu", "byteir.layer_norm"},
                            target);
}

/// Results of lower rank, such as the mean of a layer norm, leave out the last
/// dimensions.
LogicalResult HloShapeRule::likeFirstOperand() {
  const SizeList from = shape(0);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || size_t(type.getRank()) > from.size())
      continue;
    SizeList dims(from.begin(), from.begin() + type.getRank());
    for (auto [size, told] : llvm::zip_equal(dims, type.getShape()))
      if (!ShapedType::isDynamic(told))
        size = sizes.constant(told);
    if (failed(set(i, std::move(dims))))
      return failure();
  }
  return success();
}

/// Assertions on sizes must hold for all sizes within the bounds; other calls
/// say the shapes of their results by operands.
LogicalResult HloShapeRule::customCall() {
  const StringRef target = wordOf(op, "call_target_name");
  // Exporters write what they assume of sizes as assertions, which must hold
  // for all sizes within the bounds.
  if (target == "shape_assertion") {
    AffineExpr holds = op->getNumOperands() > 0
                           ? shapes.element(op->getOperand(0))
                           : AffineExpr();
    if (holds == sizes.constant(1))
      return success();
    const StringRef words = wordOf(op, "error_message");
    if (holds)
      return checkAssertion(op, op->getOperand(0), words, shapes);
    return refuse("an assertion on sizes does not hold for all sizes within "
                  "the bounds; give bounds or multiples that make it true: " +
                  words);
  }
  // The convention of JAX: the shapes of results are operands.
  const SmallVector<int64_t> operands =
      numbersOf(op, "indices_of_shape_operands");
  for (auto [i, number] : llvm::enumerate(operands)) {
    if (i >= op->getNumResults() || number < 0 ||
        number >= int64_t(op->getNumOperands()))
      return refuse("attribute 'indices_of_shape_operands' must name one "
                    "operand per result");
    const SizeList *dims = shapes.elements(op->getOperand(number));
    if (dims && failed(set(i, *dims)))
      return failure();
  }
  if (operands.empty() && isLikeOperand(target))
    return likeFirstOperand();
  return success();
}
