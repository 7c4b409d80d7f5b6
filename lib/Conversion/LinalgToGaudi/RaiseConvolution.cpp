// Float convolutions, named or written as generics, to gaudi.mme.conv.
#include "Window.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

namespace {
/// The loop dimensions of a convolution by their part in it.
struct ConvDims {
  DimList batch, group, inChannel, outChannel;
};
} // namespace

/// Sorts the dimensions that do not slide. False if one has another part.
static bool sortDims(Nest &nest, const Window &window, ArrayRef<int64_t> filter,
                     ArrayRef<int64_t> out, ConvDims &dims, std::string &why) {
  auto has = [](ArrayRef<int64_t> list, int64_t dim) {
    return llvm::is_contained(list, dim);
  };
  for (int64_t dim : window.plain) {
    if (dim == unitDim)
      continue;
    bool inFilter = has(filter, dim), inOut = has(out, dim);
    if (inOut && inFilter && !nest.reduction[dim])
      dims.group.push_back(dim);
    else if (inOut && !inFilter && !nest.reduction[dim])
      dims.batch.push_back(dim);
    else if (!inOut && inFilter && nest.reduction[dim])
      dims.inChannel.push_back(dim);
    else
      return why = "a dimension of the input is neither batch, group nor "
                   "channel",
             false;
  }
  auto isTap = [&](int64_t dim) {
    return llvm::any_of(window.spatial,
                        [&](const Spatial &s) { return s.tap == dim; });
  };
  for (int64_t dim : filter) {
    if (isTap(dim) || has(dims.group, dim) || has(dims.inChannel, dim))
      continue;
    if (nest.reduction[dim] || !has(out, dim))
      return why = "a dimension of the filter is not in the result", false;
    dims.outChannel.push_back(dim);
  }
  for (const Spatial &spatial : window.spatial)
    if (!has(out, spatial.position) || has(filter, spatial.position) ||
        (spatial.tap != unitDim &&
         (!has(filter, spatial.tap) || has(out, spatial.tap))))
      return why = "a spatial dimension is used by the wrong operand", false;
  // Nothing may be left over in the result.
  size_t known = dims.batch.size() + dims.group.size() +
                 dims.outChannel.size() + window.spatial.size();
  if (known != out.size())
    return why = "the result has a dimension of neither operand", false;
  return true;
}

static int64_t product(Nest &nest, ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= nest.extents[dim];
  return result;
}

Raised fromlinalg::raiseConvolution(Conversion &c, Nest &nest,
                                    std::string &why) {
  why = "";
  if (!nest.hasReduction() || nest.numInputs() < 2)
    return std::nullopt;
  auto factors = matchFloatMultiplyAdd(nest, why);
  if (!factors)
    return std::nullopt;
  // The input is the factor whose access slides.
  unsigned x = factors->lhs, w = factors->rhs;
  auto window = matchWindow(nest, nest.inputMap(x), why);
  if (!window) {
    std::swap(x, w);
    window = matchWindow(nest, nest.inputMap(x), why);
  }
  if (!window)
    return std::nullopt;
  why = "filter or result are not read by plain dimensions";
  auto filterKeys = plainDims(nest.inputMap(w));
  auto outKeys = plainDims(nest.outputMap(0));
  if (!filterKeys || !outKeys)
    return std::nullopt;
  ConvDims dims;
  if (!sortDims(nest, *window, *filterKeys, *outKeys, dims, why))
    return std::nullopt;

  // Each spatial dimension of the input is keyed by its position loop.
  DimList inKeys = window->plain;
  for (const Spatial &spatial : window->spatial)
    inKeys[spatial.tensorDim] = spatial.position;
  SmallVector<int64_t> strides, dilations;
  DimList channels = dims.group, filters = dims.group, outputs = dims.group;
  channels.append(dims.inChannel);
  filters.append(dims.outChannel);
  outputs.append(dims.outChannel);
  SmallVector<Group> inGroups{{'N', dims.batch}};
  SmallVector<Group> filterGroups{{'O', filters}};
  SmallVector<Group> outGroups{{'N', dims.batch}};
  StringRef letters = StringRef("DHW").take_back(window->spatial.size());
  for (auto [letter, spatial] : llvm::zip_equal(letters, window->spatial)) {
    inGroups.push_back({letter, {spatial.position}});
    outGroups.push_back({letter, {spatial.position}});
    filterGroups.push_back(
        {letter, spatial.tap == unitDim ? DimList() : DimList{spatial.tap}});
    strides.push_back(spatial.stride);
    dilations.push_back(spatial.dilation);
  }
  inGroups.push_back({'C', channels});
  filterGroups.push_back({'I', dims.inChannel});
  outGroups.push_back({'C', outputs});

  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  Value input = nest.input(x), filter = nest.input(w);
  auto sizesOf = [](Value v) {
    return cast<RankedTensorType>(v.getType()).getShape();
  };
  Type inType = getElementTypeOrSelf(input);
  Type filterType = getElementTypeOrSelf(filter);
  if (inType != filterType) {
    // Widening to f32 is exact.
    input = castTo(b, loc, input, b.getF32Type());
    filter = castTo(b, loc, filter, b.getF32Type());
  }
  auto outType = cast<RankedTensorType>(nest.init(0).getType());
  Arrangement in = arrange(inKeys, sizesOf(input), inGroups);
  Arrangement taps = arrange(*filterKeys, sizesOf(filter), filterGroups);
  Arrangement out = arrange(*outKeys, outType.getShape(), outGroups);
  // The window must walk the whole input: sizes beyond its reach are cut off.
  input = toArrangement(b, loc, input, inKeys, in);
  SmallVector<int64_t> reach(in.shape), zeros(in.shape.size(), 0),
      ones(in.shape.size(), 1);
  for (auto [letter, spatial] : llvm::zip_equal(letters, window->spatial)) {
    int64_t tapCount = spatial.tap == unitDim ? 1 : nest.extents[spatial.tap];
    reach[in.layout.find(letter)] =
        (nest.extents[spatial.position] - 1) * spatial.stride +
        (tapCount - 1) * spatial.dilation + 1;
  }
  bool cut = false;
  for (auto [letter, size, needed] : llvm::zip(in.layout, in.shape, reach)) {
    // A rest smaller than one stride gives the same number of positions.
    size_t at = letters.find(letter);
    int64_t slack = at == StringRef::npos ? 0 : strides[at] - 1;
    if (size - needed > slack)
      cut = true;
    else
      needed = size;
  }
  if (cut)
    input = SliceOp::create(
        b, loc, RankedTensorType::get(reach, getElementTypeOrSelf(input)),
        input, zeros, ones);
  filter = toArrangement(b, loc, filter, *filterKeys, taps);

  Value init = definedContents(c, nest.op, nest.init(0));
  TypedAttr fill = knownFill(init);
  bool startsFromZero = fill && isIdentity(Combiner::Add, fill);
  // With an initial value the sum is made in f32 and rounded once.
  Type element =
      startsFromZero ? outType.getElementType() : Type(b.getF32Type());
  SmallVector<int64_t> noPadding(window->spatial.size(), 0);
  Value result = ConvOp::create(
      b, loc, RankedTensorType::get(out.shape, element), input, filter,
      in.layout, taps.layout, out.layout, strides, dilations, noPadding,
      noPadding, product(nest, dims.group), /*transposed=*/false);
  result = fromArrangement(b, loc, result, out, *outKeys, outType.getShape());
  if (!startsFromZero) {
    Value wide = castTo(b, loc, init, b.getF32Type());
    result = AddOp::create(b, loc, result.getType(), result, wide);
    result = castTo(b, loc, result, outType.getElementType());
  }
  return SmallVector<Value>{result};
}
