// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stablehlo.convolution as gaudi.mme.conv or one of its gradients: any
// dimension numbers, padding, dilation of both operands, groups of features and
// of batches, reversal.
#include "Convolution.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;

static LogicalResult readDims(HloConvolution &conv, HloMatcher &m) {
  auto numbers = m.fields("dimension_numbers");
  if (failed(numbers))
    return failure();
  const int64_t rank = conv.rank() + 2;
  struct Side {
    StringRef prefix, first, second;
    int64_t &firstDim, &secondDim;
    SmallVector<int64_t> &spatial;
  } sides[] = {{"input_", "batch_dimension", "feature_dimension",
                conv.inputBatch, conv.inputFeature, conv.inputSpatial},
               {"kernel_", "input_feature_dimension",
                "output_feature_dimension", conv.filterInput, conv.filterOutput,
                conv.filterSpatial},
               {"output_", "batch_dimension", "feature_dimension",
                conv.outputBatch, conv.outputFeature, conv.outputSpatial}};
  for (Side &side : sides) {
    auto first = numbers->integer((side.prefix + side.first).str(), 0, rank);
    auto second = numbers->integer((side.prefix + side.second).str(), 0, rank);
    auto spatial =
        numbers->dims((side.prefix + "spatial_dimensions").str(), rank);
    if (failed(first) || failed(second) || failed(spatial))
      return m.refuseAs(*numbers);
    // Two named dimensions and the spatial ones: together each dimension once.
    if (*first == *second || int64_t(spatial->size()) != rank - 2 ||
        llvm::is_contained(*spatial, *first) ||
        llvm::is_contained(*spatial, *second))
      return m.refuse("'dimension_numbers' must name each of the " +
                      Twine(rank) + " dimensions of the " +
                      side.prefix.drop_back() + " once");
    side.firstDim = *first;
    side.secondDim = *second;
    side.spatial = *spatial;
  }
  return success();
}

static LogicalResult readWindow(HloConvolution &conv, HloMatcher &m) {
  const size_t rank = conv.rank();
  auto strides = m.intsPerDim("window_strides", rank, 1);
  auto padding = m.intsPerDim("padding", 2 * rank, 0);
  auto inputDilation = m.intsPerDim("lhs_dilation", rank, 1);
  auto filterDilation = m.intsPerDim("rhs_dilation", rank, 1);
  if (failed(strides) || failed(padding) || failed(inputDilation) ||
      failed(filterDilation))
    return failure();
  // Within 32 bits, so that sizes computed from them do not overflow.
  for (auto *list : {&*strides, &*inputDilation, &*filterDilation})
    for (int64_t number : *list)
      if (number < 1 || number > std::numeric_limits<int32_t>::max())
        return m.refuse("strides and dilations must be 1 or more but one is " +
                        Twine(number));
  for (size_t i = 0; i < rank; ++i) {
    conv.low.push_back((*padding)[2 * i]);
    conv.high.push_back((*padding)[2 * i + 1]);
  }
  for (int64_t pad : *padding)
    if (pad > std::numeric_limits<int32_t>::max() ||
        pad < -std::numeric_limits<int32_t>::max())
      return m.refuse("padding " + Twine(pad) + " is too large");
  conv.strides = *strides;
  conv.inputDilation = *inputDilation;
  conv.filterDilation = *filterDilation;
  conv.reversed.assign(rank, false);
  // Versions of StableHLO write booleans as an array or as elements.
  Attribute reversal = m.getOperation()->getAttr("window_reversal");
  if (auto array = dyn_cast_or_null<DenseBoolArrayAttr>(reversal);
      array && size_t(array.size()) == rank)
    conv.reversed.assign(array.asArrayRef().begin(), array.asArrayRef().end());
  else if (auto dense = dyn_cast_or_null<DenseElementsAttr>(reversal);
           dense && dense.getElementType().isInteger(1) &&
           dense.getNumElements() == int64_t(rank))
    conv.reversed.assign(dense.value_begin<bool>(), dense.value_end<bool>());
  else if (reversal)
    return m.refuse("attribute 'window_reversal' must have one boolean per "
                    "spatial dimension");
  return success();
}

std::string gaudi::layoutOf(int64_t first, char firstLetter, int64_t second,
                            char secondLetter, ArrayRef<int64_t> spatial) {
  std::string layout(spatial.size() + 2, ' ');
  layout[first] = firstLetter;
  layout[second] = secondLetter;
  for (auto [i, dim] : llvm::enumerate(spatial))
    layout[dim] = spatialLetters(spatial.size())[i];
  return layout;
}

//===----------------------------------------------------------------------===//
// Forms that the engine does not have are brought to one that it has
//===----------------------------------------------------------------------===//

bool gaudi::cutNegativePadding(HloConvolution &conv, HloBuilder &b) {
  RankedTensorType type = tensorType(conv.input);
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> sizes(type.getShape());
  for (auto [i, dim] : llvm::enumerate(conv.inputSpatial)) {
    const int64_t step = conv.inputDilation[i];
    for (int64_t *pad : {&conv.low[i], &conv.high[i]}) {
      if (*pad >= 0)
        continue;
      // Of a dilated input whole steps are cut. What is cut too much are zeros
      // between elements, which the padding gives back.
      const int64_t cut =
          std::min((-*pad + step - 1) / step, std::max<int64_t>(sizes[dim], 0));
      *pad += cut * step;
      sizes[dim] -= cut;
      if (pad == &conv.low[i])
        offsets[dim] = cut;
    }
  }
  // Only padding is left of the input.
  if (llvm::is_contained(sizes, 0))
    return false;
  if (sizes != type.getShape())
    conv.input =
        SliceOp::create(b, type.clone(sizes), conv.input, offsets, strides);
  return true;
}

void gaudi::spreadInput(Operation *op, HloConvolution &conv, HloBuilder &b) {
  RankedTensorType type = tensorType(conv.input);
  SmallVector<int64_t> offsets(type.getRank(), 0), steps(type.getRank(), 1);
  SmallVector<int64_t> sizes(type.getShape());
  for (auto [i, dim] : llvm::enumerate(conv.inputSpatial)) {
    steps[dim] = std::exchange(conv.inputDilation[i], 1);
    sizes[dim] = std::max<int64_t>(sizes[dim] - 1, 0) * steps[dim] +
                 std::min<int64_t>(sizes[dim], 1);
  }
  if (sizes == type.getShape())
    return;
  RankedTensorType spread = type.clone(sizes);
  Value zeros = FillOp::create(b, spread, b.getZeroAttr(type.getElementType()));
  b.remarkWrittenOut(op, zeros, conv.input);
  conv.input =
      InsertSliceOp::create(b, spread, conv.input, zeros, offsets, steps);
}

static Value createConvolution(Operation *op, HloConvolution conv,
                               HloBuilder &b) {
  // Before reversals are undone: they tell a gradient from a convolution.
  if (Value gradient = createConvolutionGradient(op, conv, b))
    return gradient;
  undoReversals(conv);
  if (!cutNegativePadding(conv, b))
    return b.splat(conv.result, b.getZeroAttr(conv.result.getElementType()));
  spreadInput(op, conv, b);
  SmallVector<int64_t> reversedDims;
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial))
    if (conv.reversed[i])
      reversedDims.push_back(dim);
  return ConvOp::create(
      b, conv.result, conv.input, b.reverse(conv.filter, reversedDims),
      layoutOf(conv.inputBatch, 'N', conv.inputFeature, 'C', conv.inputSpatial),
      layoutOf(conv.filterInput, 'I', conv.filterOutput, 'O',
               conv.filterSpatial),
      layoutOf(conv.outputBatch, 'N', conv.outputFeature, 'C',
               conv.outputSpatial),
      conv.strides, conv.filterDilation, conv.low, conv.high,
      conv.featureGroups);
}

static LogicalResult checkGroups(const HloConvolution &conv, HloMatcher &m) {
  RankedTensorType input = tensorType(conv.input);
  RankedTensorType filter = tensorType(conv.filter);
  if (conv.featureGroups > 1 && conv.batchGroups > 1)
    return m.refuse("it groups both features and batches");
  if (input.getDimSize(conv.inputBatch) % conv.batchGroups != 0 ||
      input.getDimSize(conv.inputFeature) % conv.featureGroups != 0 ||
      filter.getDimSize(conv.filterOutput) %
              (conv.featureGroups * conv.batchGroups) !=
          0)
    return m.refuse("the groups must divide the batch or the features of the "
                    "input, and the output features");
  return success();
}

HloMatch gaudi::matchConvolution(Operation *op, HloMatcher &m) {
  HloConvolution conv;
  conv.input = op->getOperand(0);
  conv.filter = op->getOperand(1);
  conv.result = tensorType(op->getResult(0));
  const int64_t rank = tensorType(conv.input).getRank();
  if (rank < 3 || rank > 5 || tensorType(conv.filter).getRank() != rank ||
      conv.result.getRank() != rank)
    return m.refuse("operands and result must have one rank of 3, 4 or 5");
  conv.inputSpatial.resize(rank - 2);
  if (failed(readDims(conv, m)) || failed(readWindow(conv, m)))
    return failure();
  const int64_t most = std::numeric_limits<int32_t>::max();
  auto features = m.integer("feature_group_count", 1, most, 1);
  auto batches = m.integer("batch_group_count", 1, most, 1);
  if (failed(features) || failed(batches))
    return failure();
  conv.featureGroups = *features;
  conv.batchGroups = *batches;
  if (failed(checkGroups(conv, m)))
    return failure();
  RankedTensorType input = tensorType(conv.input);
  RankedTensorType filter = tensorType(conv.filter);
  // The result must have as many positions as window and padding give.
  for (size_t i = 0; i < conv.rank(); ++i)
    if (failed(
            m.checkPositions(conv.outputSpatial[i],
                             conv.result.getDimSize(conv.outputSpatial[i]),
                             {input.getDimSize(conv.inputSpatial[i]),
                              conv.inputDilation[i], conv.low[i], conv.high[i],
                              filter.getDimSize(conv.filterSpatial[i]),
                              conv.filterDilation[i], conv.strides[i]})))
      return failure();
  // Floats on the matrix engine; integers as sums of products.
  if (llvm::all_of(op->getOperands(), [](Value operand) {
        return isFloatElement(getElementTypeOrSelf(operand));
      }))
    return build(
        [op, conv](HloBuilder &b) { return createConvolution(op, conv, b); });
  if (failed(checkIntegers(conv, m)))
    return failure();
  return build([op, conv](HloBuilder &b) {
    return createIntegerConvolution(op, conv, b);
  });
}
