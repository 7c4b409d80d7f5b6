// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stablehlo.convolution and its gradients share.
#ifndef GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_CONVOLUTION_H
#define GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_CONVOLUTION_H

#include "Converter.h"

namespace gaudi {

/// A convolution as its attributes say it. Dimensions of a tensor are positions
/// in stored order.
struct HloConvolution {
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

/// The letters of a tensor's dimensions, in stored order.
std::string layoutOf(int64_t first, char firstLetter, int64_t second,
                     char secondLetter, ArrayRef<int64_t> spatial);

/// A dilated input that is no gradient's is written out, with zeros between its
/// elements.
void spreadInput(Operation *op, HloConvolution &conv, HloBuilder &b);

/// The convolution as a gradient op, or null if it is not a gradient.
Value createConvolutionGradient(Operation *op, const HloConvolution &conv,
                                HloBuilder &b);

/// Reads the filter before reversals that undo each other, also around
/// transposes.
void undoReversals(HloConvolution &conv);

/// Padding below zero cuts elements off before a forward convolution. With a
/// dilated input, whole steps are cut and the rest stays as padding. False if
/// no element is left.
bool cutNegativePadding(HloConvolution &conv, HloBuilder &b);

/// Refuses what createIntegerConvolution cannot index with.
LogicalResult checkIntegers(const HloConvolution &conv, HloMatcher &m);
/// A TPC kernel: the matrix engine has no integers. Sums run in the result's
/// type.
Value createIntegerConvolution(Operation *op, HloConvolution conv,
                               HloBuilder &b);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_CONVOLUTION_H
