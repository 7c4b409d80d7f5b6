// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lowerings that Operators.def names.
#ifndef GAUDI_LIB_CONVERSION_TORCHTOGAUDI_LOWERINGS_H
#define GAUDI_LIB_CONVERSION_TORCHTOGAUDI_LOWERINGS_H

#include "../Common/SpecialFunctions.h"
#include "Call.h"

namespace gaudi::lowerings {

/// Declares nameBy(call, kind), and name<kind> for rows of the table.
#define GAUDI_TORCH_LOWERING_BY(name, Kind)                                    \
  Lowered name##By(TorchCall &c, Kind kind);                                   \
  template <Kind kind> Lowered name(TorchCall &c) { return name##By(c, kind); }

inline SmallVector<Value> one(Value value) { return {value}; }

// --- elementwise -------------------------------------------------------------

template <typename Op> Lowered unary(TorchCall &c) {
  return one(c.apply<Op>({c.operand(0, c.resultElement())}));
}
/// Integers are whole already.
template <typename Op> Lowered rounding(TorchCall &c) {
  if (!isFloatElement(c.resultElement()))
    return one(c.tensor(0));
  return unary<Op>(c);
}
template <typename Op> Lowered binary(TorchCall &c) {
  Type type = c.resultElement();
  return one(c.apply<Op>({c.operand(0, type), c.operand(1, type)}));
}
/// The element type in which PyTorch computes a sum, product or quotient: it
/// does not round a Python number to the type of a narrow tensor beside it.
inline Type arithmeticType(TorchCall &c) {
  Type type = c.resultElement();
  return c.isTensor(0) && c.isTensor(1) ? type : c.wideType(type);
}
/// Of products and quotients: nor does it round a scalar tensor that is the
/// second operand.
template <typename Op> Lowered arithmetic(TorchCall &c) {
  const bool isByScalar = c.isTensor(1) && c.type(1).rank() == 0;
  Type type = isByScalar ? c.wideType(c.resultElement()) : arithmeticType(c);
  return one(c.cast(c.apply<Op>({c.operand(0, type), c.operand(1, type)}),
                    c.resultElement()));
}
template <typename Op> Lowered logical(TorchCall &c) {
  return binary<Op>(c); // the result is of bool, as operands become
}
/// Compares in the type to which the operands are promoted.
GAUDI_TORCH_LOWERING_BY(compare, ComparePredicate)

// --- reductions --------------------------------------------------------------

GAUDI_TORCH_LOWERING_BY(reduce, ReduceKind)
GAUDI_TORCH_LOWERING_BY(truth, ReduceKind)
GAUDI_TORCH_LOWERING_BY(extreme, bool)
GAUDI_TORCH_LOWERING_BY(position, bool)

// --- moves -------------------------------------------------------------------

/// Several indices as one, of the elements of their dimensions together; -1,
/// at which the launch stops, where one is outside of its dimension.
Value linearIndex(TorchCall &c, ArrayRef<Value> indices,
                  ArrayRef<int64_t> sizes);
/// Zeros as every result.
Lowered zerosOfAll(TorchCall &c);

GAUDI_TORCH_LOWERING_BY(triangle, bool)

// --- special functions, scans, linear algebra --------------------------------

/// A function of one or two f32 tensors.
Lowered formulaBy(TorchCall &c, Value (*compute)(Formula &, Value));
Lowered formulaBy(TorchCall &c, Value (*compute)(Formula &, Value, Value));
template <auto compute> Lowered formula(TorchCall &c) {
  return formulaBy(c, compute);
}
enum class PolynomialKind {
  ChebyshevT,
  ChebyshevU,
  ChebyshevV,
  ChebyshevW,
  ShiftedChebyshevT, // of 2x - 1
  ShiftedChebyshevU,
  ShiftedChebyshevV,
  ShiftedChebyshevW,
  HermiteH,
  HermiteHe,
  Laguerre,
  Legendre,
};
GAUDI_TORCH_LOWERING_BY(polynomial, PolynomialKind)
/// P(a, x), or Q(a, x) = 1 - P.
GAUDI_TORCH_LOWERING_BY(incompleteGamma, bool)
GAUDI_TORCH_LOWERING_BY(shift, bool)
GAUDI_TORCH_LOWERING_BY(trianglePositions, bool)
GAUDI_TORCH_LOWERING_BY(cumulativeExtreme, bool)

/// sqrt(a^2 + b^2) of tensors of one float type, without overflow.
Value hypotenuseOf(TorchCall &c, Value a, Value b);

// --- resampling --------------------------------------------------------------

enum class Resampling {
  Nearest,      ///< the element before a position
  NearestExact, ///< the element around a position
  Linear,
  Cubic,
  LinearAntialias, ///< over as many elements as one output stands for
  CubicAntialias
};
GAUDI_TORCH_LOWERING_BY(resample, Resampling)
GAUDI_TORCH_LOWERING_BY(resampleGradient, Resampling)

#define GAUDI_TORCH_LOWERING(name) Lowered name(TorchCall &c);
// Parts of numbers, integers, scans.
GAUDI_TORCH_LOWERING(digammaFunction)
GAUDI_TORCH_LOWERING(polygamma)
GAUDI_TORCH_LOWERING(zetaFunction)
GAUDI_TORCH_LOWERING(scaleByPower)
GAUDI_TORCH_LOWERING(signBit)
GAUDI_TORCH_LOWERING(copySign)
GAUDI_TORCH_LOWERING(nextAfter)
GAUDI_TORCH_LOWERING(fractionAndExponent)
GAUDI_TORCH_LOWERING(hypotenuse)
GAUDI_TORCH_LOWERING(roundDigits)
GAUDI_TORCH_LOWERING(angleOf)
GAUDI_TORCH_LOWERING(integerPowerOf)
GAUDI_TORCH_LOWERING(commonDivisor)
GAUDI_TORCH_LOWERING(commonMultiple)
GAUDI_TORCH_LOWERING(cumulativeProduct)
GAUDI_TORCH_LOWERING(cumulativeLogSum)
GAUDI_TORCH_LOWERING(histogram)
GAUDI_TORCH_LOWERING(firstNonzeros)
GAUDI_TORCH_LOWERING(randomFloats)
GAUDI_TORCH_LOWERING(philoxBits)
GAUDI_TORCH_LOWERING(evenlySpaced)
// Linear algebra.
GAUDI_TORCH_LOWERING(cholesky)
GAUDI_TORCH_LOWERING(choleskySolve)
GAUDI_TORCH_LOWERING(choleskyInverse)
GAUDI_TORCH_LOWERING(triangularEquation)
GAUDI_TORCH_LOWERING(triangularSolve)
GAUDI_TORCH_LOWERING(luDecomposition)
GAUDI_TORCH_LOWERING(unpackLu)
GAUDI_TORCH_LOWERING(luSolve)
GAUDI_TORCH_LOWERING(solveEquation)
GAUDI_TORCH_LOWERING(inverse)
GAUDI_TORCH_LOWERING(determinant)
GAUDI_TORCH_LOWERING(matrixExponential)
GAUDI_TORCH_LOWERING(householderProduct)
GAUDI_TORCH_LOWERING(sumOfProducts)
GAUDI_TORCH_LOWERING(addedVector)
// Of complex numbers only (Complex.h).
GAUDI_TORCH_LOWERING(realOnly)
GAUDI_TORCH_LOWERING(conjugate)
GAUDI_TORCH_LOWERING(sign)
GAUDI_TORCH_LOWERING(square)
GAUDI_TORCH_LOWERING(complementaryError)
GAUDI_TORCH_LOWERING(isNan)
GAUDI_TORCH_LOWERING(isInfinite)
GAUDI_TORCH_LOWERING(isFinite)
GAUDI_TORCH_LOWERING(logicalNot)
GAUDI_TORCH_LOWERING(bitwiseNot)
GAUDI_TORCH_LOWERING(scaledSum)
GAUDI_TORCH_LOWERING(scaledDifference)
GAUDI_TORCH_LOWERING(reverseDifference)
GAUDI_TORCH_LOWERING(product)
GAUDI_TORCH_LOWERING(roundedQuotient)
GAUDI_TORCH_LOWERING(floorQuotient)
GAUDI_TORCH_LOWERING(remainder)
GAUDI_TORCH_LOWERING(power)
GAUDI_TORCH_LOWERING(maximum)
GAUDI_TORCH_LOWERING(minimum)
GAUDI_TORCH_LOWERING(maximumNumber)
GAUDI_TORCH_LOWERING(minimumNumber)
GAUDI_TORCH_LOWERING(choose)
GAUDI_TORCH_LOWERING(fillMasked)
GAUDI_TORCH_LOWERING(clamp)
GAUDI_TORCH_LOWERING(clampAbove)
GAUDI_TORCH_LOWERING(interpolate)
GAUDI_TORCH_LOWERING(addProduct)
GAUDI_TORCH_LOWERING(addQuotient)
GAUDI_TORCH_LOWERING(convert)
// Activations.
GAUDI_TORCH_LOWERING(relu)
GAUDI_TORCH_LOWERING(silu)
GAUDI_TORCH_LOWERING(gelu)
GAUDI_TORCH_LOWERING(hardTanh)
GAUDI_TORCH_LOWERING(hardSwish)
GAUDI_TORCH_LOWERING(hardSigmoid)
GAUDI_TORCH_LOWERING(leakyRelu)
GAUDI_TORCH_LOWERING(elu)
GAUDI_TORCH_LOWERING(softplus)
GAUDI_TORCH_LOWERING(mish)
GAUDI_TORCH_LOWERING(geluGradient)
GAUDI_TORCH_LOWERING(thresholdGradient)
GAUDI_TORCH_LOWERING(tanhGradient)
GAUDI_TORCH_LOWERING(sigmoidGradient)
// Reductions.
GAUDI_TORCH_LOWERING(sum)
GAUDI_TORCH_LOWERING(mean)
GAUDI_TORCH_LOWERING(productOf)
GAUDI_TORCH_LOWERING(variance)
GAUDI_TORCH_LOWERING(deviation)
GAUDI_TORCH_LOWERING(varianceMean)
GAUDI_TORCH_LOWERING(logSumExp)
GAUDI_TORCH_LOWERING(cumulativeSum)
GAUDI_TORCH_LOWERING(softmax)
GAUDI_TORCH_LOWERING(logSoftmax)
GAUDI_TORCH_LOWERING(softmaxGradient)
GAUDI_TORCH_LOWERING(logSoftmaxGradient)
// Views, moves, creation, indexing.
GAUDI_TORCH_LOWERING(view)
GAUDI_TORCH_LOWERING(identity)
GAUDI_TORCH_LOWERING(permute)
GAUDI_TORCH_LOWERING(transpose)
GAUDI_TORCH_LOWERING(transpose2d)
GAUDI_TORCH_LOWERING(expand)
GAUDI_TORCH_LOWERING(slice)
GAUDI_TORCH_LOWERING(narrow)
GAUDI_TORCH_LOWERING(select)
GAUDI_TORCH_LOWERING(concatenate)
GAUDI_TORCH_LOWERING(stack)
GAUDI_TORCH_LOWERING(split)
GAUDI_TORCH_LOWERING(flip)
GAUDI_TORCH_LOWERING(repeat)
GAUDI_TORCH_LOWERING(pad)
GAUDI_TORCH_LOWERING(fillNumber)
GAUDI_TORCH_LOWERING(zeros)
GAUDI_TORCH_LOWERING(ones)
GAUDI_TORCH_LOWERING(range)
GAUDI_TORCH_LOWERING(embedding)
GAUDI_TORCH_LOWERING(indexSelect)
GAUDI_TORCH_LOWERING(gather)
GAUDI_TORCH_LOWERING(index)
// Products, windows, norms.
GAUDI_TORCH_LOWERING(matmul)
GAUDI_TORCH_LOWERING(linear)
GAUDI_TORCH_LOWERING(addedProduct)
GAUDI_TORCH_LOWERING(convolution)
GAUDI_TORCH_LOWERING(convolutionGradient)
GAUDI_TORCH_LOWERING(attention)
GAUDI_TORCH_LOWERING(maxPool)
GAUDI_TORCH_LOWERING(maxPoolGradient)
GAUDI_TORCH_LOWERING(avgPool)
GAUDI_TORCH_LOWERING(avgPoolGradient)
GAUDI_TORCH_LOWERING(adaptiveMaxPool)
GAUDI_TORCH_LOWERING(adaptiveAvgPool)
GAUDI_TORCH_LOWERING(adaptiveAvgPoolGradient)
GAUDI_TORCH_LOWERING(layerNorm)
GAUDI_TORCH_LOWERING(batchNorm)
// Ordering, writes into a copy, views by strides.
GAUDI_TORCH_LOWERING(sort)
GAUDI_TORCH_LOWERING(stableSort)
GAUDI_TORCH_LOWERING(topK)
GAUDI_TORCH_LOWERING(searchSorted)
GAUDI_TORCH_LOWERING(bucketize)
GAUDI_TORCH_LOWERING(scatter)
GAUDI_TORCH_LOWERING(scatterAdd)
GAUDI_TORCH_LOWERING(scatterReduce)
GAUDI_TORCH_LOWERING(indexPut)
GAUDI_TORCH_LOWERING(sliceScatter)
GAUDI_TORCH_LOWERING(selectScatter)
GAUDI_TORCH_LOWERING(diagonal)
GAUDI_TORCH_LOWERING(diagonalScatter)
GAUDI_TORCH_LOWERING(unfold)
GAUDI_TORCH_LOWERING(strided)
GAUDI_TORCH_LOWERING(stridedScatter)
// Ops of the device's own.
GAUDI_TORCH_LOWERING(roundTo)
GAUDI_TORCH_LOWERING(fusedAttention)
GAUDI_TORCH_LOWERING(fusedAttentionGradient)
GAUDI_TORCH_LOWERING(fusedAdamW)
GAUDI_TORCH_LOWERING(fusedSgd)
GAUDI_TORCH_LOWERING(fusedAdagrad)
GAUDI_TORCH_LOWERING(fusedLamb)
GAUDI_TORCH_LOWERING(fusedEma)
GAUDI_TORCH_LOWERING(fusedClipNorm)
#undef GAUDI_TORCH_LOWERING
#undef GAUDI_TORCH_LOWERING_BY

} // namespace gaudi::lowerings

#endif // GAUDI_LIB_CONVERSION_TORCHTOGAUDI_LOWERINGS_H
