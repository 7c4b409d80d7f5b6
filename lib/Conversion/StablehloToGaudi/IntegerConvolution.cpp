// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stablehlo.convolution of integers.
#include "Convolution.h"

using namespace mlir;
using namespace gaudi;

// The window and the input features are a loop; a feature or batch of a group
// is found at run time.
Value gaudi::createIntegerConvolution(Operation *op, HloConvolution conv,
                                      HloBuilder &b) {
  if (tensorType(conv.filter).getNumElements() == 0 ||
      !cutNegativePadding(conv, b))
    return b.splat(conv.result, b.getZeroAttr(conv.result.getElementType()));
  // Dilation of the input: zeros between its elements.
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
  // The device's convolution does not turn the filter, so it is turned before.
  conv.filter = b.reverse(conv.filter, reversedDims);
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
        TypedAttr zero = b.getZeroAttr(kernelType(input.getElementType()));
        auto step = [&](ValueRange) {
          Value x;
          if (groups == 1) {
            x = k.load(0, at, rules, zero);
          } else {
            // Of several groups, the first feature (or batch) is computed,
            // always inside.
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

LogicalResult gaudi::checkIntegers(const HloConvolution &conv, HloMatcher &m) {
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
