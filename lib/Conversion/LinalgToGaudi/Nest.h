// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared view of a structured op (a loop nest over tensors) and the tools
// with which its operands are brought into the order that a gaudi op expects.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NEST_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NEST_H

#include "../Common/FrontEnd.h"
#include "Gaudi/Dialect/NeutralElements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>
#include <string>

namespace gaudi::fromlinalg {

/// One loop dimension per tensor dimension; `unitDim` where the index is
/// always 0 because the size is 1.
using DimList = SmallVector<int64_t>;
constexpr int64_t unitDim = -1;

/// Second step of a pattern: builds at the insertion point of the rewriter,
/// before the op that is being converted.
struct Conversion {
  IRRewriter &rewriter;
};

inline bool has(ArrayRef<int64_t> dims, int64_t dim) {
  return llvm::is_contained(dims, dim);
}

/// What the patterns answer; see FrontEnd.h.
using LinalgMatch = MatchResult<Conversion>;

/// The answer of a pattern that matched; `build(Conversion &)` returns the
/// replacement, or one per result.
template <typename Fn> LinalgMatch build(Fn fn) {
  return matched<Conversion>(std::move(fn));
}

/// Empty if the device has `type`, else why not ("has element type
/// 'f64', which the device does not have").
std::string whyUnsupported(Type type);
/// The same for the first of `types` that the device does not have; `what` are
/// they ("operand").
std::string whyUnsupported(TypeRange types, StringRef what);
/// The same for all operands and results of an op.
std::string whyUnsupported(Operation *op);

/// Remarks `name` of the category `convert-linalg-to-gaudi`.
void remarkPassed(Operation *op, StringRef name, const llvm::Twine &text);
void remarkMissed(Operation *op, StringRef name, const llvm::Twine &text);
void remarkAnalysis(Operation *op, StringRef name, const llvm::Twine &text);

/// A structured op as loops, operands and one scalar body.
class Nest {
public:
  explicit Nest(linalg::LinalgOp op);

  linalg::LinalgOp op;
  SmallVector<int64_t> extents; ///< Trip count per loop dimension.
  SmallVector<bool> reduction;  ///< True for the iterator type reduction.
  Block *body;

  unsigned numLoops() const { return extents.size(); }
  /// Product of the trip counts of `dims`.
  int64_t extentOf(ArrayRef<int64_t> dims) const;
  bool isUnit(int64_t dim) const { return extents[dim] == 1; }
  bool hasReduction() const { return llvm::is_contained(reduction, true); }
  unsigned numInputs() { return op.getNumDpsInputs(); }
  unsigned numOutputs() { return op.getNumDpsInits(); }

  Value input(unsigned i) { return op.getDpsInputOperand(i)->get(); }
  Value init(unsigned i) { return op.getDpsInits()[i]; }
  BlockArgument inputArg(unsigned i) { return body->getArgument(i); }
  BlockArgument outputArg(unsigned i) {
    return body->getArgument(numInputs() + i);
  }
  Value yielded(unsigned i) { return body->getTerminator()->getOperand(i); }

  /// The access maps as written.
  AffineMap inputMap(unsigned i);
  AffineMap outputMap(unsigned i);
  /// The same with loop dimensions of extent 1 replaced by 0.
  AffineMap withoutUnits(AffineMap map) const;

  /// The loop dimension of each dimension of `tensor` when the access is a
  /// projection (distinct whole dimensions, or 0 in a dimension of size 1).
  std::optional<DimList> dimsOf(AffineMap map, Value tensor) const;
  std::optional<DimList> inputDims(unsigned i) {
    return dimsOf(inputMap(i), input(i));
  }
  std::optional<DimList> outputDims(unsigned i) {
    return dimsOf(outputMap(i), init(i));
  }
};

/// `value` holds the loop dimensions `from` in row-major order (unit ones
/// ignored); returns them in the order `to`, with the shape `shape`.
Value relayout(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> from,
               ArrayRef<int64_t> to, ArrayRef<int64_t> extents,
               ArrayRef<int64_t> shape);
/// gaudi.reshape, or nothing when the shape is already right.
Value reshapeTo(OpBuilder &b, Location loc, Value value,
                ArrayRef<int64_t> shape);
/// gaudi.broadcast of equal ranks, or nothing when the shape is right.
Value broadcastTo(OpBuilder &b, Location loc, Value value,
                  ArrayRef<int64_t> shape);
/// gaudi.tpc.cast, or nothing when the element type is right.
Value castTo(OpBuilder &b, Location loc, Value value, Type elementType);
/// gaudi.constant with one value everywhere; `value` has the element type.
Value splat(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
            TypedAttr value);

/// `value` without the integer casts that keep its number.
Value withoutCasts(Value value);
/// The value of a scalar that is constant, also through a truncation.
std::optional<TypedAttr> constantOf(Value scalar);

/// A float in another format, rounded to the nearest, ties to even; `isExact`
/// gets whether it is the same number.
FloatAttr roundedTo(FloatAttr number, Type type, bool *isExact = nullptr);
/// The scalar with which every element of `tensor` is known to be filled;
/// null if there is none.
TypedAttr knownFill(Value tensor);
/// True if the contents of `tensor` are undefined (tensor.empty).
bool isUndefined(Value tensor);
/// `tensor` for an op that really reads it: undefined contents become zeros,
/// with a remark.
Value definedContents(Conversion &c, Operation *user, Value tensor);

/// The initial value of a float sum on the matrix engine. Unless it is zero,
/// the sum is made in f32, the initial value added, and the result rounded
/// once.
class SumInit {
public:
  SumInit(Conversion &c, Operation *op, Value init);
  /// The element type of the sum.
  Type sumElement() const;
  /// The result of the op, from the sum in the shape of the result.
  Value addTo(Conversion &c, Location loc, Value sum) const;

private:
  Value value;
  Type element;
  bool isZero;
};

/// An output that is `combine(value, accumulator)`.
struct Reduction {
  KernelReduce kind; ///< Not argmax, argmin or custom.
  Value value;       ///< Value of the body that is combined.
};
/// Recognises output `i` of the body as a reduction of one value. Casts of a
/// narrow accumulator to f32 and back are looked through.
std::optional<Reduction> matchReduction(Nest &nest, unsigned i);
/// Combines a reduced tensor with the contents of an init operand of the same
/// type, unless those are the identity.
Value combineWithInit(Conversion &c, Operation *op, KernelReduce kind,
                      Value reduced, Value init);

/// Each raises the op to named gaudi ops. The Nest must live until the match is
/// built. A match that fails without a reason is of an op of another kind.
LinalgMatch raiseConvolution(Nest &nest, Matcher &m);
LinalgMatch raiseContraction(Nest &nest, Matcher &m);
LinalgMatch raisePooling(Nest &nest, Matcher &m);
LinalgMatch raiseReduction(Nest &nest, Matcher &m);
LinalgMatch raiseElementwise(Nest &nest, Matcher &m);
LinalgMatch raiseGather(Nest &nest, Matcher &m);

/// The generic kernel.
LinalgMatch convertToKernel(Nest &nest, Matcher &m);

class InsertChains;
/// Patterns of tensor.* and constants, which are not structured. `chains` are
/// those of the block that is converted.
using TensorPatterns = PatternTable<Matcher, Conversion>;
TensorPatterns getTensorPatterns(const InsertChains &chains);

/// The product of two cast block arguments, added to the accumulator: the body
/// of every contraction and convolution.
struct MultiplyAdd {
  unsigned lhs, rhs; ///< Numbers of the inputs.
};
FailureOr<MultiplyAdd> matchFloatMultiplyAdd(Nest &nest, Matcher &m);

/// True if there is nothing to convert: one public function or several with
/// only ops of the device on tensors, as after another front end. Kernels have
/// scalars inside.
bool isConverted(ModuleOp module);

/// Patterns that bring values back to the types and shapes of the device.
void populateSimplifications(RewritePatternSet &patterns);

/// A pattern that computes nests in f64 that read no data.
void populateConstantNests(RewritePatternSet &patterns);

/// True if all shapes among operands and results are static.
bool isStatic(Operation *op);

/// Slices at run-time offsets, gathers along several dimensions and scatters
/// become loop nests; negative padding becomes a slice before what is left.
void writeIndexedAsNests(ModuleOp module);

/// Makes each result that is overwritten with equal values along a parallel
/// dimension a nest over its own dimensions.
void separateResults(ModuleOp module);

/// Stores integers of widths that the device does not have (i4, i24, i48) in
/// the next wider type; an op that cannot be written so is refused.
void widenNarrowIntegers(func::FuncOp func, ConversionReport &report);

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NEST_H
