// stablehlo.convolution as gaudi.mme.conv or one of its gradients: any
// dimension numbers, padding, dilation of both operands, groups of features and
// of batches, reversal.
#include "Converter.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// A convolution as its attributes say it. Dimensions of a tensor are positions
/// in stored order.
struct Convolution {
  Value input, filter;
  RankedTensorType result;
  int64_t inputBatch, inputFeature, filterInput, filterOutput, outputBatch,
      outputFeature;
  SmallVector<int64_t> inputSpatial, filterSpatial, outputSpatial;
  SmallVector<int64_t> strides, low, high, inputDilation, filterDilation;
  SmallVector<bool> reversed;
  int64_t featureGroups, batchGroups;

  size_t rank() const { return inputSpatial.size(); }
};
} // namespace

static LogicalResult readDims(Convolution &conv, HloMatcher &m) {
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

static LogicalResult readWindow(Convolution &conv, HloMatcher &m) {
  const size_t rank = conv.rank();
  auto strides = m.intsPerDim("window_strides", rank, 1);
  auto padding = m.intsPerDim("padding", 2 * rank, 0);
  auto inputDilation = m.intsPerDim("lhs_dilation", rank, 1);
  auto filterDilation = m.intsPerDim("rhs_dilation", rank, 1);
  if (failed(strides) || failed(padding) || failed(inputDilation) ||
      failed(filterDilation))
    return failure();
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
    if (std::abs(pad) > std::numeric_limits<int32_t>::max())
      return m.refuse("padding " + Twine(pad) + " is too large");
  conv.strides = *strides;
  conv.inputDilation = *inputDilation;
  conv.filterDilation = *filterDilation;
  conv.reversed.assign(rank, false);
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

static std::string layoutOf(int64_t first, char firstLetter, int64_t second,
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

/// Padding below zero cuts elements off before a forward convolution. With a
/// dilated input, whole steps are cut and the rest stays as padding. False if
/// no element is left.
static bool cutNegativePadding(Location loc, Convolution &conv, HloBuilder &b) {
  RankedTensorType type = tensorType(conv.input);
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  SmallVector<int64_t> sizes(type.getShape());
  for (auto [i, dim] : llvm::enumerate(conv.inputSpatial)) {
    const int64_t step = conv.inputDilation[i];
    for (int64_t *pad : {&conv.low[i], &conv.high[i]}) {
      if (*pad >= 0)
        continue;
      const int64_t cut =
          std::min((-*pad + step - 1) / step, std::max<int64_t>(sizes[dim], 0));
      *pad += cut * step;
      sizes[dim] -= cut;
      if (pad == &conv.low[i])
        offsets[dim] = cut;
    }
  }
  if (llvm::is_contained(sizes, 0))
    return false;
  if (sizes != type.getShape())
    conv.input = SliceOp::create(b.builder, loc, type.clone(sizes), conv.input,
                                 offsets, strides);
  return true;
}

/// For the gradient of the input the filter's O counts the channels of the
/// input: of [i = C / groups, o = groups * P] it becomes [groups * C / groups,
/// P].
static void regroupFilter(Location loc, Convolution &conv, HloBuilder &b) {
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
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == in)
      order.push_back(out);
    order.push_back(position(dim));
  }
  merged[in] *= groups;
  merged[out] /= groups;
  Value value = b.reshape(loc, conv.filter, split);
  conv.filter = b.reshape(loc, b.transpose(loc, value, order), merged);
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
static void readBeforeReversal(Convolution &conv) {
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

/// The gradient of a convolution with respect to its input, if that is what
/// `conv` is: its input is dilated, or its filter is reversed.
static std::optional<Convolution> asInputGrad(Convolution conv) {
  if (llvm::any_of(conv.strides, [](int64_t s) { return s != 1; }))
    return std::nullopt;
  readBeforeReversal(conv);
  bool isDilated =
      llvm::any_of(conv.inputDilation, [](int64_t d) { return d != 1; });
  // Reversed along every spatial dimension that has more than one element.
  bool isReversed = false, isStraight = false;
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial))
    if (tensorType(conv.filter).getDimSize(dim) != 1)
      (conv.reversed[i] ? isReversed : isStraight) = true;
  if (!isDilated && !(isReversed && !isStraight))
    return std::nullopt;
  return conv;
}

/// A dilated input that is no gradient's is written out, with zeros between its
/// elements.
static void spreadInput(Operation *op, Convolution &conv, HloBuilder &b) {
  Location loc = op->getLoc();
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
  Value zeros = FillOp::create(b.builder, loc, spread,
                               b.builder.getZeroAttr(type.getElementType()));
  b.remarkWrittenOut(op, zeros, conv.input);
  conv.input = InsertSliceOp::create(b.builder, loc, spread, conv.input, zeros,
                                     offsets, steps);
}

/// True if the input is dilated although the filter is no larger than the
/// result: the gradient of a filter that comes of such an input, the gradient
/// of a transposed convolution, is smaller than the activation that it is
/// multiplied with.
static bool isDilatedForward(const Convolution &conv) {
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
static std::optional<Convolution> asWeightGrad(Convolution conv) {
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

/// The pads below and above of a forward convolution of `size` elements in
/// which the last of `positions` windows, `stride` apart, ends with the
/// padding.
static std::pair<int64_t, int64_t> padsOf(int64_t low, int64_t size,
                                          int64_t window, int64_t positions,
                                          int64_t stride) {
  return {low, lastPosition(window, positions, stride) - low - size};
}

/// The tensors of the convolution by their roles in the one it differentiates:
/// x is the input, dy the filter and dw the result; the batch is x's features.
static Value createWeightGrad(Operation *op, Convolution conv, HloBuilder &b) {
  Location loc = op->getLoc();
  b.remarkRaised(op, ConvWeightGradOp::getOperationName(),
                 "its batch and features are the features and the batch of an "
                 "activation");
  spreadInput(op, conv, b);
  SmallVector<int64_t> reversedDims, high;
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial)) {
    if (conv.reversed[i])
      reversedDims.push_back(dim);
    const int64_t window = lastPosition(
        1, conv.result.getDimSize(conv.outputSpatial[i]), conv.strides[i]);
    high.push_back(
        padsOf(conv.low[i],
               tensorType(conv.input).getDimSize(conv.inputSpatial[i]), window,
               tensorType(conv.filter).getDimSize(dim), conv.filterDilation[i])
            .second);
  }
  return ConvWeightGradOp::create(
      b.builder, loc, conv.result, conv.input,
      b.reverse(loc, conv.filter, reversedDims),
      layoutOf(conv.inputFeature, 'N', conv.inputBatch, 'C', conv.inputSpatial),
      layoutOf(conv.outputBatch, 'I', conv.outputFeature, 'O',
               conv.outputSpatial),
      layoutOf(conv.filterInput, 'N', conv.filterOutput, 'C',
               conv.filterSpatial),
      conv.filterDilation, conv.strides, conv.low, high, conv.batchGroups);
}

/// True if the weight gradient is that of a transposed convolution with a
/// stride: its input is dilated, the filter is not.
static bool isOfTransposed(const Convolution &conv) {
  auto isOne = [](int64_t d) { return d == 1; };
  return conv.batchGroups == 1 && llvm::all_of(conv.filterDilation, isOne) &&
         !llvm::all_of(conv.inputDilation, isOne) &&
         !llvm::is_contained(conv.reversed, true);
}

/// A transposed convolution is the input gradient of one from its result to its
/// input: dy, the filter here, is what that one reads, x its output. With x
/// dilated by s, dw[k] sums x[p] dy[p s + low - k w] over p: element K - 1 - k
/// of the gradient with stride s, dilation w and padding (K - 1) w - low.
static Value createTransposedWeightGrad(Operation *op, const Convolution &conv,
                                        HloBuilder &b) {
  Location loc = op->getLoc();
  b.remarkRaised(op, ConvWeightGradOp::getOperationName(),
                 "its dilated input is the input of a transposed convolution");
  SmallVector<int64_t> low, high;
  for (size_t i = 0; i < conv.rank(); ++i) {
    const int64_t reach =
        (conv.result.getDimSize(conv.outputSpatial[i]) - 1) * conv.strides[i];
    auto [before, after] = padsOf(
        reach - conv.low[i],
        tensorType(conv.filter).getDimSize(conv.filterSpatial[i]), reach + 1,
        tensorType(conv.input).getDimSize(conv.inputSpatial[i]),
        conv.inputDilation[i]);
    low.push_back(before);
    high.push_back(after);
  }
  Value gradient = ConvWeightGradOp::create(
      b.builder, loc, conv.result, conv.filter, conv.input,
      layoutOf(conv.filterInput, 'N', conv.filterOutput, 'C',
               conv.filterSpatial),
      layoutOf(conv.outputFeature, 'I', conv.outputBatch, 'O',
               conv.outputSpatial),
      layoutOf(conv.inputFeature, 'N', conv.inputBatch, 'C', conv.inputSpatial),
      conv.inputDilation, conv.strides, low, high, /*groups=*/1);
  return b.reverse(loc, gradient, conv.outputSpatial);
}

/// The input is the gradient dy of the output, the result the gradient of the
/// input; the filter's input features are those of dy.
static Value createInputGrad(Operation *op, Convolution conv, HloBuilder &b) {
  Location loc = op->getLoc();
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
  conv.filter = b.reverse(loc, conv.filter, reversedDims);
  regroupFilter(loc, conv, b);
  return ConvInputGradOp::create(
      b.builder, loc, conv.result, conv.input, conv.filter,
      layoutOf(conv.outputBatch, 'N', conv.outputFeature, 'C',
               conv.outputSpatial),
      layoutOf(conv.filterInput, 'O', conv.filterOutput, 'I',
               conv.filterSpatial),
      layoutOf(conv.inputBatch, 'N', conv.inputFeature, 'C', conv.inputSpatial),
      conv.inputDilation, conv.filterDilation, conv.low, conv.high,
      conv.featureGroups);
}

static Value createConvolution(Operation *op, Convolution conv, HloBuilder &b) {
  Location loc = op->getLoc();
  if (std::optional<Convolution> grad = asWeightGrad(conv))
    return isOfTransposed(*grad) ? createTransposedWeightGrad(op, *grad, b)
                                 : createWeightGrad(op, *grad, b);
  if (std::optional<Convolution> grad = asInputGrad(conv))
    return createInputGrad(op, *grad, b);
  if (!cutNegativePadding(loc, conv, b))
    return b.splat(loc, conv.result,
                   b.builder.getZeroAttr(conv.result.getElementType()));
  spreadInput(op, conv, b);
  SmallVector<int64_t> reversedDims;
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial))
    if (conv.reversed[i])
      reversedDims.push_back(dim);
  return ConvOp::create(
      b.builder, loc, conv.result, conv.input,
      b.reverse(loc, conv.filter, reversedDims),
      layoutOf(conv.inputBatch, 'N', conv.inputFeature, 'C', conv.inputSpatial),
      layoutOf(conv.filterInput, 'I', conv.filterOutput, 'O',
               conv.filterSpatial),
      layoutOf(conv.outputBatch, 'N', conv.outputFeature, 'C',
               conv.outputSpatial),
      conv.strides, conv.filterDilation, conv.low, conv.high,
      conv.featureGroups);
}

/// Sums run in the result's type. The window and the input features are a loop;
/// a feature or batch of a group is found at run time.
static Value createIntegerConvolution(Operation *op, Convolution conv,
                                      HloBuilder &b) {
  Location loc = op->getLoc();
  if (!cutNegativePadding(loc, conv, b))
    return b.splat(loc, conv.result,
                   b.builder.getZeroAttr(conv.result.getElementType()));
  spreadInput(op, conv, b);
  RankedTensorType input = tensorType(conv.input);
  RankedTensorType filter = tensorType(conv.filter);
  const int64_t rank = input.getRank();
  SmallVector<int64_t> loops, loopDims, reversedDims;
  for (auto [i, dim] : llvm::enumerate(conv.filterSpatial)) {
    loops.push_back(filter.getDimSize(dim));
    if (conv.reversed[i])
      reversedDims.push_back(dim);
  }
  loops.push_back(filter.getDimSize(conv.filterInput));
  for (size_t i = 0; i < loops.size(); ++i)
    loopDims.push_back(rank + int64_t(i));
  conv.filter = b.reverse(loc, conv.filter, reversedDims);
  Type element = conv.result.getElementType();
  b.remarkKernel(op, "the matrix engine has no integer convolution");
  return b.pointKernel(
      op, conv.result, {conv.input, conv.filter}, loops, [&](KernelBuilder &k) {
        SmallVector<AffineExpr> at(rank, k.cst(0)), weightAt(rank, k.cst(0));
        SmallVector<Boundary> rules(rank, Boundary::Inside);
        for (size_t i = 0; i < conv.rank(); ++i) {
          at[conv.inputSpatial[i]] =
              k.dim(conv.outputSpatial[i]) * conv.strides[i] +
              k.dim(loopDims[i]) * conv.filterDilation[i] - conv.low[i];
          rules[conv.inputSpatial[i]] = Boundary::Pad;
          weightAt[conv.filterSpatial[i]] = k.dim(loopDims[i]);
        }
        weightAt[conv.filterInput] = k.dim(loopDims.back());
        weightAt[conv.filterOutput] = k.dim(conv.outputFeature);
        at[conv.inputBatch] = k.dim(conv.outputBatch);
        at[conv.inputFeature] = k.dim(loopDims.back());
        const int64_t groups = conv.featureGroups * conv.batchGroups;
        const int64_t groupedDim =
            conv.batchGroups > 1 ? conv.inputBatch : conv.inputFeature;
        // The group of the output feature says where its inputs begin.
        auto grouped = [&] {
          Type i64 = k.getBuilder().getI64Type();
          Value group = k.binary<arith::DivSIOp>(
              k.index(conv.outputFeature),
              k.intConstant(conv.result.getDimSize(conv.outputFeature) / groups,
                            i64));
          Value first = k.binary<arith::MulIOp>(
              group, k.intConstant(input.getDimSize(groupedDim) / groups, i64));
          return k.binary<arith::AddIOp>(first, k.index(conv.batchGroups > 1
                                                            ? conv.outputBatch
                                                            : loopDims.back()));
        };
        auto cast = [&](Value value, Type from) {
          k.setElementType(from);
          return k.cast(value, element, RoundingMode::TowardZero);
        };
        TypedAttr zero =
            b.builder.getZeroAttr(kernelType(input.getElementType()));
        auto step = [&](ValueRange) {
          Value x;
          if (groups == 1) {
            x = k.load(0, at, rules, zero);
          } else {
            at[groupedDim] = k.cst(0);
            rules[groupedDim] = Boundary::Clamp;
            x = k.loadAt(0, at, {groupedDim}, grouped(), rules, zero);
          }
          Value y = k.load(1, weightAt);
          return SmallVector<Value>{
              k.binary<arith::MulIOp>(cast(x, input.getElementType()),
                                      cast(y, filter.getElementType()))};
        };
        return k
            .loop(loopDims, KernelReduce::Add,
                  k.intConstant(0, kernelType(element)), step)
            .front();
      });
}

/// What the kernel indexes with; ops of the engine check it themselves.
static LogicalResult checkIntegers(const Convolution &conv, HloMatcher &m) {
  RankedTensorType input = tensorType(conv.input);
  RankedTensorType filter = tensorType(conv.filter);
  for (Type element : {input.getElementType(), filter.getElementType(),
                       conv.result.getElementType()})
    if (isFloatElement(element) || element.isInteger(1))
      return m.refuse("operands and result must be all floats or all integers");
  const bool fits =
      filter.getDimSize(conv.filterInput) * conv.featureGroups ==
          input.getDimSize(conv.inputFeature) &&
      filter.getDimSize(conv.filterOutput) ==
          conv.result.getDimSize(conv.outputFeature) &&
      conv.result.getDimSize(conv.outputBatch) * conv.batchGroups ==
          input.getDimSize(conv.inputBatch);
  if (!fits)
    return m.refuse("batch and features of operands and result do not agree");
  return m.checkKernelDims(conv.result.getShape(), conv.rank() + 1);
}

static LogicalResult checkGroups(const Convolution &conv, HloMatcher &m) {
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

static HloMatch matchConvolution(Operation *op, HloMatcher &m) {
  if (failed(m.checkOperands(2)))
    return failure();
  Convolution conv;
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
  for (size_t i = 0; i < conv.rank(); ++i)
    if (failed(
            m.checkPositions(conv.outputSpatial[i],
                             conv.result.getDimSize(conv.outputSpatial[i]),
                             {input.getDimSize(conv.inputSpatial[i]),
                              conv.inputDilation[i], conv.low[i], conv.high[i],
                              filter.getDimSize(conv.filterSpatial[i]),
                              conv.filterDilation[i], conv.strides[i]})))
      return failure();
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

void mlir::gaudi::addConvolutionPatterns(HloPatterns &p) {
  p.add("convolution", matchConvolution);
}
