// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of StableHLO ops that slide windows: convolutions and window
// reductions.
#include "HloShapes.h"

using namespace mlir;
using namespace gaudi;

AffineExpr HloWindow::positions(const SizeExprs &sizes) const {
  for (AffineExpr part :
       {size, low, high, window, windowDilation, dilation, stride})
    if (!part)
      return {};
  for (AffineExpr part : {windowDilation, dilation, stride})
    if (sizes.range(part).low <= 0)
      return {};
  const AffineExpr one = sizes.constant(1);
  AffineExpr dilated = size;
  if (dilation != one)
    dilated = sizes.add(sizes.mul(sizes.sub(size, one), dilation), one);
  const AffineExpr span =
      sizes.add(sizes.mul(sizes.sub(window, one), windowDilation), one);
  const AffineExpr room = sizes.sub(sizes.add(dilated, low + high), span);
  return sizes.add(sizes.floorDiv(room, stride), one);
}

/// Number `i` of an attribute; `absent` if it has none. One may stand for all.
static int64_t numberOf(ArrayRef<int64_t> numbers, size_t i, int64_t absent) {
  return numbers.size() == 1  ? numbers[0]
         : i < numbers.size() ? numbers[i]
                              : absent;
}

/// Element `i` of an operand that says sizes; null if it is not known.
static AffineExpr elementOf(const SymbolicShapes &shapes, Operation *op,
                            unsigned operand, size_t i) {
  const SizeList *list = operand < op->getNumOperands()
                             ? shapes.elements(op->getOperand(operand))
                             : nullptr;
  return list && i < list->size() ? (*list)[i] : AffineExpr();
}

std::optional<SmallVector<HloWindow>>
gaudi::windowsOf(Operation *op, const SymbolicShapes &shapes) {
  const SizeExprs &sizes = shapes.sizes;
  SmallVector<HloWindow> windows;
  auto numbers = [&](StringRef attribute) { return numbersOf(op, attribute); };
  auto constant = [&](ArrayRef<int64_t> list, size_t i, int64_t absent) {
    return sizes.constant(numberOf(list, i, absent));
  };
  const SizeList input = shapes.shape(op->getOperand(0));
  // A reduction slides over all dimensions; its dynamic form has the numbers as
  // operands.
  if (isHlo(op, Hlo::ReduceWindow, Hlo::DynamicReduceWindow)) {
    const bool isDynamic = isHlo(op, Hlo::DynamicReduceWindow);
    const unsigned first = 2 * op->getNumResults();
    for (size_t i = 0; i < input.size(); ++i) {
      auto part = [&](StringRef attribute, unsigned operand, size_t at,
                      int64_t absent) {
        return isDynamic ? elementOf(shapes, op, first + operand, at)
                         : constant(numbers(attribute), at, absent);
      };
      windows.push_back(
          {int64_t(i), int64_t(i), input[i], part("window_dimensions", 0, i, 1),
           part("window_strides", 1, i, 1), part("base_dilations", 2, i, 1),
           part("window_dilations", 3, i, 1), part("padding", 4, 2 * i, 0),
           part("padding", 4, 2 * i + 1, 0)});
    }
    return windows;
  }
  auto field = [&](StringRef fieldName) {
    return numbersOf(op, "dimension_numbers", fieldName);
  };
  const SizeList kernel = shapes.shape(op->getOperand(1));
  const auto from = field("input_spatial_dimensions"),
             over = field("kernel_spatial_dimensions"),
             to = field("output_spatial_dimensions");
  auto areDims = [&](ArrayRef<int64_t> dims, size_t rank) {
    return llvm::all_of(
        dims, [&](int64_t dim) { return dim >= 0 && dim < int64_t(rank); });
  };
  // Not verified by an op: the dialect has none.
  if (over.size() != from.size() || to.size() != from.size() ||
      input.size() != from.size() + 2 || kernel.size() != from.size() + 2 ||
      !areDims(from, input.size()) || !areDims(over, kernel.size()) ||
      !areDims(to, input.size()))
    return std::nullopt;
  for (size_t i = 0; i < from.size(); ++i) {
    auto pad = [&](size_t at) {
      return isHlo(op, Hlo::DynamicConv) ? elementOf(shapes, op, 2, at)
                                         : constant(numbers("padding"), at, 0);
    };
    windows.push_back({from[i], to[i], input[from[i]], kernel[over[i]],
                       constant(numbers("window_strides"), i, 1),
                       constant(numbers("lhs_dilation"), i, 1),
                       constant(numbers("rhs_dilation"), i, 1), pad(2 * i),
                       pad(2 * i + 1)});
  }
  return windows;
}

LogicalResult HloShapeRule::convolution() {
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return refuse("expected an input, a filter and one result");
  const SizeList input = shape(0), kernel = shape(1);
  auto dimension = [&](StringRef name, size_t rank) -> std::optional<int64_t> {
    const auto numbers = numbersOf(op, "dimension_numbers", name);
    if (numbers.size() != 1 || failed(checkDims(numbers, rank)))
      return std::nullopt;
    return numbers[0];
  };
  const auto batch = dimension("input_batch_dimension", input.size()),
             features =
                 dimension("kernel_output_feature_dimension", kernel.size()),
             toBatch = dimension("output_batch_dimension", input.size()),
             toFeatures = dimension("output_feature_dimension", input.size());
  const auto windows = windowsOf(op, shapes);
  if (!windows || !batch || !features || !toBatch || !toFeatures)
    return refuse("its dimension numbers do not fit its operands");
  SizeList dims(input.size());
  // Groups of the batch become groups of features.
  const int64_t groups = numberOf(numbersOf(op, "batch_group_count"), 0, 1);
  dims[*toBatch] = input[*batch];
  if (input[*batch] && groups > 1)
    dims[*toBatch] = sizes.floorDiv(input[*batch], sizes.constant(groups));
  dims[*toFeatures] = kernel[*features];
  for (const HloWindow &window : *windows)
    dims[window.to] = window.positions(sizes);
  return set(0, dims);
}

LogicalResult HloShapeRule::reduceWindow() {
  if (op->getNumResults() == 0 ||
      op->getNumOperands() < 2 * op->getNumResults())
    return refuse("expected an initial value for each operand");
  const auto windows = windowsOf(op, shapes);
  const SizeList dims =
      llvm::map_to_vector<6>(*windows, [&](const HloWindow &window) {
        return window.positions(sizes);
      });
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (failed(set(i, dims)))
      return failure();
  return success();
}
