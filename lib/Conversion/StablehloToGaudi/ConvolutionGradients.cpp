// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stablehlo.convolution that is the gradient of another one, as
// gaudi.mme.conv_input_grad or gaudi.mme.conv_weight_grad.
#include "Convolution.h"

using namespace mlir;
using namespace gaudi;

/// For the gradient of the input the filter's O counts the channels of the
/// input: of [i = C / groups, o = groups * P] it becomes [groups * C / groups,
/// P].
static void regroupFilter(HloConvolution &conv, HloBuilder &b) {
  const int64_t groups = conv.featureGroups;
  if (groups == 1)
    return;
  RankedTensorType type = tensorType(conv.filter);
  const int64_t in = conv.filterInput, out = conv.filterOutput;
  SmallVector<int64_t> split, order, merged(type.getShape());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == out)
      split.push_back(groups);
    split.push_back(dim == out ? type.getDimSize(dim) / groups
                               : type.getDimSize(dim));
  }
  auto position = [&](int64_t dim) { return dim + (dim >= out ? 1 : 0); };
  // The groups move from the outputs to the inputs.
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == in)
      order.push_back(out);
    order.push_back(position(dim));
  }
  merged[in] *= groups;
  merged[out] /= groups;
  Value value = b.reshape(conv.filter, split);
  conv.filter = b.reshape(b.transpose(value, order), merged);
}

/// The operand of the transpose that defines `value`, and the dimensions of the
/// convolution there.
static void readBeforeTranspose(Value &value, int64_t &first, int64_t &second,
                                MutableArrayRef<int64_t> spatial) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  value = transpose.getOperand();
  first = permutation[first];
  second = permutation[second];
  for (int64_t &dim : spatial)
    dim = permutation[dim];
}

/// Reads the filter before reversals of its spatial dimensions and transposes,
/// which both become attributes.
static void readBeforeReversal(HloConvolution &conv) {
  while (true) {
    if (conv.filter.getDefiningOp<TransposeOp>()) {
      readBeforeTranspose(conv.filter, conv.filterInput, conv.filterOutput,
                          conv.filterSpatial);
      continue;
    }
    auto reverse = conv.filter.getDefiningOp<ReverseOp>();
    if (!reverse || llvm::is_contained(reverse.getDims(), conv.filterInput) ||
        llvm::is_contained(reverse.getDims(), conv.filterOutput))
      return;
    for (auto [i, dim] : llvm::enumerate(conv.filterSpatial))
      if (llvm::is_contained(reverse.getDims(), dim))
        conv.reversed[i] = !conv.reversed[i];
    conv.filter = reverse.getOperand();
  }
}

/// True if the filter is read in order: reversals of one element are none.
static bool isStraight(const HloConvolution &conv) {
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial))
    if (conv.reversed[i] && tensorType(conv.filter).getDimSize(dim) != 1)
      return false;
  return true;
}

/// The gradient of a convolution with respect to its input, if that is what
/// `conv` is: its input is dilated, or its filter is reversed.
static std::optional<HloConvolution> asInputGrad(HloConvolution conv) {
  if (llvm::any_of(conv.strides, [](int64_t s) { return s != 1; }))
    return std::nullopt;
  readBeforeReversal(conv);
  bool isDilated =
      llvm::any_of(conv.inputDilation, [](int64_t d) { return d != 1; });
  // Reversed along every spatial dimension that has more than one element.
  bool isReversed = !isStraight(conv);
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial))
    if (tensorType(conv.filter).getDimSize(dim) != 1 && !conv.reversed[i])
      isReversed = false;
  if (!isDilated && !isReversed)
    return std::nullopt;
  return conv;
}

/// True if the input is dilated although the filter is no larger than the
/// result: the gradient of a filter that comes of such an input, the gradient
/// of a transposed convolution, is smaller than the activation that it is
/// multiplied with.
static bool isDilatedForward(const HloConvolution &conv) {
  auto elements = [](RankedTensorType type, ArrayRef<int64_t> dims) {
    int64_t count = 1;
    for (int64_t dim : dims)
      count *= type.getDimSize(dim);
    return count;
  };
  return llvm::any_of(conv.inputDilation, [](int64_t d) { return d != 1; }) &&
         elements(tensorType(conv.filter), conv.filterSpatial) <=
             elements(conv.result, conv.outputSpatial);
}

/// The gradient of a convolution with respect to its filter, if that is what
/// `conv` is: its batch and its features are the features and the batch of an
/// activation. So it groups batches, or its features are stored before its
/// batch, once transposes before it are left out.
static std::optional<HloConvolution> asWeightGrad(HloConvolution conv) {
  readBeforeTranspose(conv.input, conv.inputBatch, conv.inputFeature,
                      conv.inputSpatial);
  readBeforeTranspose(conv.filter, conv.filterInput, conv.filterOutput,
                      conv.filterSpatial);
  const bool isPlain = conv.featureGroups == 1 &&
                       !llvm::is_contained(conv.reversed, true) &&
                       !isDilatedForward(conv);
  if (conv.batchGroups > 1 || (isPlain && conv.inputFeature < conv.inputBatch))
    return conv;
  return std::nullopt;
}

/// The upper pad of a forward convolution of `size` elements in which the last
/// of `positions` windows, `stride` apart, ends with the padding.
static int64_t padHighOf(int64_t low, int64_t size, int64_t window,
                         int64_t positions, int64_t stride) {
  return lastPosition(window, positions, stride) - low - size;
}

/// The tensors of the convolution by their roles in the one it differentiates:
/// x is the input, dy the filter and dw the result; the batch is x's features.
static Value createWeightGrad(Operation *op, HloConvolution conv,
                              HloBuilder &b) {
  b.remarkRaised(op, ConvWeightGradOp::getOperationName(),
                 "its batch and features are the features and the batch of an "
                 "activation");
  spreadInput(op, conv, b);
  SmallVector<int64_t> reversedDims, high;
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial)) {
    if (conv.reversed[i])
      reversedDims.push_back(dim);
    // Of this op the window is dy, and strides and dilations change places.
    const int64_t window = lastPosition(
        1, conv.result.getDimSize(conv.outputSpatial[i]), conv.strides[i]);
    high.push_back(padHighOf(
        conv.low[i], tensorType(conv.input).getDimSize(conv.inputSpatial[i]),
        window, tensorType(conv.filter).getDimSize(dim),
        conv.filterDilation[i]));
  }
  return ConvWeightGradOp::create(
      b, conv.result, conv.input, b.reverse(conv.filter, reversedDims),
      layoutOf(conv.inputFeature, 'N', conv.inputBatch, 'C', conv.inputSpatial),
      layoutOf(conv.outputBatch, 'I', conv.outputFeature, 'O',
               conv.outputSpatial),
      layoutOf(conv.filterInput, 'N', conv.filterOutput, 'C',
               conv.filterSpatial),
      conv.filterDilation, conv.strides, conv.low, high, conv.batchGroups);
}

/// True if the weight gradient is that of a transposed convolution with a
/// stride: its input is dilated, the filter is not.
static bool isOfTransposed(const HloConvolution &conv) {
  auto isOne = [](int64_t d) { return d == 1; };
  return conv.batchGroups == 1 && llvm::all_of(conv.filterDilation, isOne) &&
         !llvm::all_of(conv.inputDilation, isOne) &&
         !llvm::is_contained(conv.reversed, true);
}

/// A transposed convolution is the input gradient of one from its result to its
/// input: dy, the filter here, is what that one reads, x its output. With x
/// dilated by s, dw[k] sums x[p] dy[p s + low - k w] over p: element K - 1 - k
/// of the gradient with stride s, dilation w and padding (K - 1) w - low.
static Value createTransposedWeightGrad(Operation *op,
                                        const HloConvolution &conv,
                                        HloBuilder &b) {
  b.remarkRaised(op, ConvWeightGradOp::getOperationName(),
                 "its dilated input is the input of a transposed convolution");
  SmallVector<int64_t> low, high;
  for (size_t i = 0; i < conv.rank(); ++i) {
    const int64_t reach =
        (conv.result.getDimSize(conv.outputSpatial[i]) - 1) * conv.strides[i];
    low.push_back(reach - conv.low[i]);
    high.push_back(padHighOf(
        low.back(), tensorType(conv.filter).getDimSize(conv.filterSpatial[i]),
        reach + 1, tensorType(conv.input).getDimSize(conv.inputSpatial[i]),
        conv.inputDilation[i]));
  }
  Value gradient = ConvWeightGradOp::create(
      b, conv.result, conv.filter, conv.input,
      layoutOf(conv.filterInput, 'N', conv.filterOutput, 'C',
               conv.filterSpatial),
      layoutOf(conv.outputFeature, 'I', conv.outputBatch, 'O',
               conv.outputSpatial),
      layoutOf(conv.inputFeature, 'N', conv.inputBatch, 'C', conv.inputSpatial),
      conv.inputDilation, conv.strides, low, high, /*groups=*/1);
  return b.reverse(gradient, conv.outputSpatial);
}

/// The input is the gradient dy of the output, the result the gradient of the
/// input; the filter's input features are those of dy.
static Value createInputGrad(Operation *op, HloConvolution conv,
                             HloBuilder &b) {
  b.remarkRaised(op, ConvInputGradOp::getOperationName(),
                 "its input is dilated or its filter reversed");
  SmallVector<int64_t> reversedDims;
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial)) {
    if (!conv.reversed[i])
      reversedDims.push_back(dim);
    // Windows meet the elements of dy in reverse order.
    const int64_t reach =
        (tensorType(conv.filter).getDimSize(dim) - 1) * conv.filterDilation[i];
    conv.low[i] = reach - conv.low[i];
    conv.high[i] = reach - conv.high[i];
  }
  conv.filter = b.reverse(conv.filter, reversedDims);
  regroupFilter(conv, b);
  return ConvInputGradOp::create(
      b, conv.result, conv.input, conv.filter,
      layoutOf(conv.outputBatch, 'N', conv.outputFeature, 'C',
               conv.outputSpatial),
      layoutOf(conv.filterInput, 'O', conv.filterOutput, 'I',
               conv.filterSpatial),
      layoutOf(conv.inputBatch, 'N', conv.inputFeature, 'C', conv.inputSpatial),
      conv.inputDilation, conv.filterDilation, conv.low, conv.high,
      conv.featureGroups);
}

Value gaudi::createConvolutionGradient(Operation *op,
                                       const HloConvolution &conv,
                                       HloBuilder &b) {
  if (std::optional<HloConvolution> grad = asWeightGrad(conv))
    return isOfTransposed(*grad) ? createTransposedWeightGrad(op, *grad, b)
                                 : createWeightGrad(op, *grad, b);
  if (std::optional<HloConvolution> grad = asInputGrad(conv))
    return createInputGrad(op, *grad, b);
  return {};
}

void gaudi::undoReversals(HloConvolution &conv) {
  if (isStraight(conv) && !conv.filter.getDefiningOp<ReverseOp>())
    return;
  HloConvolution straight = conv;
  readBeforeReversal(straight);
  if (isStraight(straight))
    conv = straight;
}
