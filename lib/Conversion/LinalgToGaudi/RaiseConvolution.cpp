// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float convolutions, named or written as generics, to gaudi.mme.conv.
//
// Loops have roles by the operands that vary with them: in input and result,
// batch; in all three, group; in input and filter only, input channel; in
// filter and result only, output channel; the rest are positions and taps of
// the window. Loops of one role are collapsed into one dimension of the layout.
#include "Window.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// The loop dimensions of a convolution by their role.
struct ConvDims {
  DimList batch, group, inChannel, outChannel;
};

struct ConvPlan {
  Value input, filter;
  Window window; ///< Of the input.
  DimList filterKeys, outKeys;
  ConvDims dims;
};

/// Layout groups of the three tensors.
struct ConvGroups {
  SmallVector<Group> in, filter, out;
};
} // namespace

/// Sorts the dimensions that do not slide by the operands that have them.
static FailureOr<ConvDims> sortDims(Nest &nest, const Window &window,
                                    ArrayRef<int64_t> filter,
                                    ArrayRef<int64_t> out, Matcher &m) {
  ConvDims dims;
  for (int64_t dim : window.plain) {
    if (dim == unitDim)
      continue;
    bool inFilter = has(filter, dim), inOut = has(out, dim);
    // In all three tensors: a group. In input and result: batch. In input and
    // filter, summed: a channel.
    if (inOut && inFilter && !nest.reduction[dim])
      dims.group.push_back(dim);
    else if (inOut && !inFilter && !nest.reduction[dim])
      dims.batch.push_back(dim);
    else if (!inOut && inFilter && nest.reduction[dim])
      dims.inChannel.push_back(dim);
    else
      return m.refuse(
          "a dimension of the input is neither batch, group nor channel");
  }
  auto isTap = [&](int64_t dim) {
    return llvm::any_of(window.spatial,
                        [&](const Spatial &s) { return s.tap == dim; });
  };
  // What is left of the filter is an output channel.
  for (int64_t dim : filter) {
    if (isTap(dim) || has(dims.group, dim) || has(dims.inChannel, dim))
      continue;
    if (nest.reduction[dim] || !has(out, dim))
      return m.refuse("a dimension of the filter is not in the result");
    dims.outChannel.push_back(dim);
  }
  // Positions are in the result alone, taps in the filter alone.
  for (const Spatial &spatial : window.spatial)
    if (!has(out, spatial.position) || has(filter, spatial.position) ||
        (spatial.tap != unitDim &&
         (!has(filter, spatial.tap) || has(out, spatial.tap))))
      return m.refuse("a spatial dimension is used by the wrong operand");
  // Nothing may be left over in the result.
  size_t known = dims.batch.size() + dims.group.size() +
                 dims.outChannel.size() + window.spatial.size();
  if (known != out.size())
    return m.refuse("the result has a dimension of neither operand");
  return dims;
}

/// Channels of grouped convolutions are [group, channel], collapsed.
static ConvGroups groupsOf(const ConvPlan &plan) {
  const ConvDims &dims = plan.dims;
  DimList channels = dims.group, filters = dims.group, outputs = dims.group;
  channels.append(dims.inChannel);
  filters.append(dims.outChannel);
  outputs.append(dims.outChannel);
  ConvGroups groups{{{'N', dims.batch}}, {{'O', filters}}, {{'N', dims.batch}}};
  for (auto [letter, spatial] :
       llvm::zip_equal(plan.window.letters(), plan.window.spatial)) {
    groups.in.push_back({letter, {spatial.position}});
    groups.out.push_back({letter, {spatial.position}});
    groups.filter.push_back(
        {letter, spatial.tap == unitDim ? DimList() : DimList{spatial.tap}});
  }
  groups.in.push_back({'C', channels});
  groups.filter.push_back({'I', dims.inChannel});
  groups.out.push_back({'C', outputs});
  return groups;
}

static Value createConv(Conversion &c, Nest &nest, const ConvPlan &plan) {
  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  Value input = plan.input, filter = plan.filter;
  if (getElementTypeOrSelf(input) != getElementTypeOrSelf(filter)) {
    // Widening to f32 is exact.
    input = castTo(b, loc, input, b.getF32Type());
    filter = castTo(b, loc, filter, b.getF32Type());
  }
  // Each tensor: loops of a role collapsed into the letter of the layout.
  ConvGroups groups = groupsOf(plan);
  DimList inKeys = plan.window.keys();
  auto outType = tensorType(nest.init(0));
  Arrangement in = arrange(inKeys, tensorType(input).getShape(), groups.in);
  Arrangement taps =
      arrange(plan.filterKeys, tensorType(filter).getShape(), groups.filter);
  Arrangement out = arrange(plan.outKeys, outType.getShape(), groups.out);
  // gaudi.mme.conv walks the whole input.
  input = toArrangement(b, loc, input, inKeys, in);
  input = cutToReach(b, nest, plan.window, in.layout, input);
  filter = toArrangement(b, loc, filter, plan.filterKeys, taps);

  SmallVector<int64_t> strides, dilations;
  for (const Spatial &spatial : plan.window.spatial) {
    strides.push_back(spatial.stride);
    dilations.push_back(spatial.dilation);
  }
  // linalg pads by an op of its own, which gaudi-absorb-padding folds later.
  SmallVector<int64_t> noPadding(strides.size(), 0);
  SumInit init(c, nest.op, nest.init(0));
  Value result = ConvOp::create(
      b, loc, RankedTensorType::get(out.shape, init.sumElement()), input,
      filter, in.layout, taps.layout, out.layout, strides, dilations, noPadding,
      noPadding, nest.extentOf(plan.dims.group));
  result =
      fromArrangement(b, loc, result, out, plan.outKeys, outType.getShape());
  return init.addTo(c, loc, result);
}

LinalgMatch fromlinalg::raiseConvolution(Nest &nest, Matcher &m) {
  if (!nest.hasReduction() || nest.numInputs() < 2)
    return failure();
  auto factors = matchFloatMultiplyAdd(nest, m);
  if (failed(factors))
    return failure();
  // The input is the factor whose access slides.
  unsigned x = factors->lhs, w = factors->rhs;
  auto window = matchWindow(nest, nest.inputMap(x), m);
  if (failed(window)) {
    std::swap(x, w);
    window = matchWindow(nest, nest.inputMap(x), m);
  }
  if (failed(window))
    return failure();
  auto filterKeys = plainDims(nest.inputMap(w));
  auto outKeys = plainDims(nest.outputMap(0));
  if (!filterKeys || !outKeys)
    return m.refuse("filter or result are not read by plain dimensions");
  auto dims = sortDims(nest, *window, *filterKeys, *outKeys, m);
  if (failed(dims))
    return failure();
  ConvPlan plan{nest.input(x), nest.input(w), *window,
                *filterKeys,   *outKeys,      *dims};
  return build(
      [&nest, plan](Conversion &c) { return createConv(c, nest, plan); });
}
