// Rules of StableHLO ops that combine elements, and of those with regions.
#include "HloShapes.h"

using namespace mlir;
using namespace mlir::gaudi;

LogicalResult HloShapeRule::dotGeneral() {
  const SizeList lhs = shape(0), rhs = shape(1);
  auto field = [&](StringRef name) {
    return integersOf(op, "dot_dimension_numbers", name);
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

AffineExpr HloShapeRule::positions(AffineExpr size, int64_t low, int64_t high,
                                   int64_t window, int64_t windowDilation,
                                   int64_t dilation, int64_t stride) {
  if (!size || stride <= 0 || dilation <= 0 || windowDilation <= 0 ||
      window <= 0)
    return {};
  AffineExpr dilated = size;
  if (dilation != 1)
    dilated = sizes.normal((size - 1) * dilation + 1);
  return sizes.normal(
      (dilated + (low + high - (window - 1) * windowDilation - 1))
          .floorDiv(stride) +
      1);
}

LogicalResult HloShapeRule::convolution() {
  const SizeList input = shape(0), kernel = shape(1);
  auto field = [&](StringRef name) {
    return integersOf(op, "dimension_numbers", name);
  };
  const SmallVector<int64_t> inputSpatial = field("input_spatial_dimensions"),
                             kernelSpatial = field("kernel_spatial_dimensions"),
                             outputSpatial = field("output_spatial_dimensions"),
                             batch = field("input_batch_dimension"),
                             features =
                                 field("kernel_output_feature_dimension"),
                             toBatch = field("output_batch_dimension"),
                             toFeatures = field("output_feature_dimension");
  const size_t count = inputSpatial.size();
  SizeList dims(count + 2);
  if (kernelSpatial.size() != count || outputSpatial.size() != count ||
      failed(checkDims(inputSpatial, input.size())) ||
      failed(checkDims(kernelSpatial, kernel.size())) ||
      failed(checkDims(outputSpatial, dims.size())) || batch.size() != 1 ||
      features.size() != 1 || toBatch.size() != 1 || toFeatures.size() != 1 ||
      failed(checkDims(batch, input.size())) ||
      failed(checkDims(features, kernel.size())) ||
      failed(checkDims({toBatch[0], toFeatures[0]}, dims.size())))
    return refuse("its dimension numbers do not fit its operands");
  auto numbers = [&](StringRef name, size_t number, int64_t absent) {
    SmallVector<int64_t> list = integersOf(op->getAttr(name));
    return number < list.size() ? list[number] : absent;
  };
  const int64_t groups = numbers("batch_group_count", 0, 1);
  dims[toBatch[0]] = input[batch[0]];
  if (input[batch[0]] && groups > 1)
    dims[toBatch[0]] = sizes.floorDiv(input[batch[0]], sizes.constant(groups));
  dims[toFeatures[0]] = kernel[features[0]];
  const SmallVector<int64_t> padding = integersOf(op->getAttr("padding"));
  for (size_t i = 0; i < count; ++i) {
    auto window =
        dyn_cast_or_null<AffineConstantExpr>(kernel[kernelSpatial[i]]);
    const bool isSplat = padding.size() == 1;
    auto pad = [&](size_t at) {
      return isSplat ? padding[0] : at < padding.size() ? padding[at] : 0;
    };
    // A filter as large as a symbol (of a gradient) has no rule here.
    dims[outputSpatial[i]] =
        window ? positions(input[inputSpatial[i]], pad(2 * i), pad(2 * i + 1),
                           window.getValue(), numbers("rhs_dilation", i, 1),
                           numbers("lhs_dilation", i, 1),
                           numbers("window_strides", i, 1))
               : AffineExpr();
  }
  return set(0, dims);
}

LogicalResult HloShapeRule::reduce() {
  const SmallVector<int64_t> reduced = integersOf(op->getAttr("dimensions"));
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
  if (!llvm::hasNItems(body, 2))
    return success();
  for (AffineExpr element : *elements) {
    const StringRef step = body.front().getName().stripDialect();
    if (!value || !element)
      return success();
    value = step == "multiply"  ? sizes.mul(value, element)
            : step == "add"     ? sizes.add(value, element)
            : step == "maximum" ? sizes.max(value, element)
            : step == "minimum" ? sizes.min(value, element)
                                : AffineExpr();
  }
  shapes.setElements(op->getResult(0), {value});
  return success();
}

LogicalResult HloShapeRule::reduceWindow() {
  auto numbers = [&](StringRef name, size_t rank, int64_t absent) {
    SmallVector<int64_t> list = integersOf(op->getAttr(name));
    list.resize(rank, list.size() == 1 ? list[0] : absent);
    return list;
  };
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    SizeList dims = shape(i);
    const size_t rank = dims.size();
    const auto window = numbers("window_dimensions", rank, 1),
               strides = numbers("window_strides", rank, 1),
               dilations = numbers("base_dilations", rank, 1),
               windowDilations = numbers("window_dilations", rank, 1),
               padding = numbers("padding", 2 * rank, 0);
    for (size_t dim = 0; dim < rank; ++dim)
      dims[dim] = positions(dims[dim], padding[2 * dim], padding[2 * dim + 1],
                            window[dim], windowDilations[dim], dilations[dim],
                            strides[dim]);
    if (failed(set(i, dims)))
      return failure();
  }
  return success();
}

LogicalResult HloShapeRule::topK() {
  SizeList dims = shape(0);
  const SmallVector<int64_t> k = integersOf(op->getAttr("k"));
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
  const SmallVector<int64_t> feature = integersOf(op->getAttr("feature_index"));
  if (feature.size() != 1 || failed(checkDims(feature, dims.size())))
    return refuse("attribute 'feature_index' must name a dimension");
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(set(i, i ? SizeList{dims[feature[0]]} : dims)))
      return failure();
  return success();
}

/// Values that a loop carries keep their shapes; branches agree in theirs.
LogicalResult HloShapeRule::controlFlow() {
  const bool isLoop = op->getName().stripDialect() == "while";
  SmallVector<SizeList> results;
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

/// Assertions on sizes must hold for all sizes within the bounds; other calls
/// say the shapes of their results by operands.
LogicalResult HloShapeRule::customCall() {
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  if (target && target.getValue() == "shape_assertion") {
    AffineExpr holds = op->getNumOperands() > 0
                           ? shapes.element(op->getOperand(0))
                           : AffineExpr();
    if (holds == sizes.constant(1))
      return success();
    auto message = op->getAttrOfType<StringAttr>("error_message");
    return refuse(Twine(holds ? "an assertion on sizes does not hold"
                              : "an assertion on sizes does not hold for all "
                                "sizes within the bounds") +
                  "; give bounds or multiples that make it true: " +
                  (message ? message.getValue() : ""));
  }
  const SmallVector<int64_t> operands =
      integersOf(op->getAttr("indices_of_shape_operands"));
  for (auto [i, number] : llvm::enumerate(operands)) {
    if (i >= op->getNumResults() || number < 0 ||
        number >= int64_t(op->getNumOperands()))
      return refuse("attribute 'indices_of_shape_operands' must name one "
                    "operand per result");
    const SizeList *dims = shapes.elements(op->getOperand(number));
    if (dims && failed(set(i, *dims)))
      return failure();
  }
  return success();
}
