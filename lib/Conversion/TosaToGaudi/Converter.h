// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the patterns of single TOSA ops share: their table, checks that end in a
// reason, constant operands, and elementwise kernels.
#ifndef GAUDI_LIB_CONVERSION_TOSATOGAUDI_CONVERTER_H
#define GAUDI_LIB_CONVERSION_TOSATOGAUDI_CONVERTER_H

#include "../Common/Elements.h"
#include "../Common/FrontEnd.h"
#include "../Common/FrontEndBuilder.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace gaudi {

/// True if NaNs of elements of type `type` are to be skipped; integers have
/// none.
inline bool ignoresNan(tosa::NanPropagationMode mode, Type type) {
  return mode == tosa::NanPropagationMode::IGNORE &&
         isFloatElement(getElementTypeOrSelf(type));
}

/// The numbers of a constant, or nothing if `value` is not a constant of
/// integers. Unsigned types are zero-extended, others sign-extended.
std::optional<SmallVector<int64_t>> constantInts(Value value);
/// True if `value` is a constant whose elements are all zero.
bool isZeroConstant(Value value);

/// The numbers of shape expressions (`!tosa.shape`), each computed once.
class ShapeValues {
public:
  /// Evaluates `op`; the ops of its operands come first. Without a value are
  /// dynamic sizes, divisions by zero and shapes of more than 64 numbers.
  void evaluate(Operation *op);
  std::optional<SmallVector<int64_t>> lookup(Value shape) const;

private:
  std::optional<SmallVector<int64_t>> compute(Operation *op) const;

  llvm::DenseMap<Value, SmallVector<int64_t>> values;
};

/// First step of a pattern: everything that may be refused.
class TosaMatcher : public Matcher {
public:
  TosaMatcher(Operation *op, const ConversionReport &report,
              const ShapeValues &shapes)
      : Matcher(op, report), shapes(shapes) {}

  /// Static shapes and device element types of all operands and results.
  LogicalResult checkTypes();
  /// The element type of operand 0 is one of `elements`.
  LogicalResult checkElements(Elements elements);
  /// The dimensions of TosaBuilder::elementwiseKernel fit into a kernel.
  LogicalResult checkElementwise(RankedTensorType result, ValueRange inputs);

  /// The zero point of a quantized operand: one constant number, extended as
  /// `isUnsigned` says. For float tensors it must be zero.
  FailureOr<int64_t> zeroPoint(Value value, StringRef name,
                               bool isUnsigned = false);
  /// A zero point and whether the tensor's elements are unsigned.
  struct Quantized {
    Value zeroPoint;
    StringRef name;
    bool isUnsigned;
  };
  struct ZeroPoints {
    int64_t first, second;
  };
  FailureOr<ZeroPoints> zeroPoints(Quantized first, Quantized second);
  /// The numbers of a shape operand.
  FailureOr<SmallVector<int64_t>> shape(Value value, StringRef name);

private:
  LogicalResult checkType(Type type, const Twine &what);

  const ShapeValues &shapes;
};

/// Called with the builder inside the kernel and one scalar per input; gives
/// the scalar to store.
using ScalarBody = llvm::function_ref<Value(KernelBuilder &, ValueRange)>;

class TosaBuilder : public FrontEndBuilder {
public:
  using FrontEndBuilder::FrontEndBuilder;

  /// `value` with leading dimensions of size 1 up to `rank`.
  Value withRank(Value value, int64_t rank);

  /// One kernel that computes `result` element by element. Inputs have the
  /// rank of the result, dimensions of size 1 are broadcast; `tables` follow
  /// them as operands that only the body reads. Dimensions are collapsed where
  /// the rank exceeds that of the index space (see checkElementwise).
  Value elementwiseKernel(Operation *op, RankedTensorType result,
                          ValueRange inputs, ValueRange tables,
                          ScalarBody body);
  /// Starts a kernel that stands for `op`.
  KernelBuilder kernel(Operation *op, TypeRange outputs, ValueRange inputs,
                       ArrayRef<int64_t> indexSpace, unsigned numParallel);
};

using TosaMatch = MatchResult<TosaBuilder>;

/// The answer of a pattern that matched; `build(TosaBuilder &)` returns the
/// replacement, or one per result.
template <typename Fn> TosaMatch build(Fn fn) {
  return matched<TosaBuilder>(std::move(fn));
}

/// The patterns of all TOSA ops.
class TosaPatterns : public PatternTable<TosaMatcher, TosaBuilder> {
public:
  TosaPatterns();

  /// Registers `match(Op, TosaMatcher &)`, called if the op passes checkTypes.
  template <typename Op, typename Fn> void add(Fn match) {
    PatternTable::add<Op>([match](Op op, TosaMatcher &m) -> TosaMatch {
      if (failed(m.checkTypes()))
        return failure();
      return match(op, m);
    });
  }
  /// Registers an op that is always refused; `reason(Op)` says why.
  template <typename Op, typename Fn> void refuse(Fn reason) {
    PatternTable::add<Op>([reason](Op op, TosaMatcher &m) -> TosaMatch {
      return m.refuse(reason(op));
    });
  }
};

void addElementwisePatterns(TosaPatterns &patterns);
void addQuantizationPatterns(TosaPatterns &patterns);
void addReductionPatterns(TosaPatterns &patterns);
void addPoolingPatterns(TosaPatterns &patterns);
void addConvolutionPatterns(TosaPatterns &patterns);
void addDataMovementPatterns(TosaPatterns &patterns);
void addFourierPatterns(TosaPatterns &patterns);
void addControlFlowPatterns(TosaPatterns &patterns);

/// Gives the values of i48 in `func` the type i64 and those of i4 the type i8,
/// if an op of TOSA has such; ops whose results depend on the width are
/// refused.
void widenIntegers(func::FuncOp func, ConversionReport &report);

// Integer arithmetic inside kernels.

/// `value` as `to` (at least as wide), by sign or zeros.
Value extendInt(KernelBuilder &k, Value value, Type to, bool isUnsigned);
Value compareInt(KernelBuilder &k, arith::CmpIPredicate predicate, Value a,
                 Value b);
/// value + number, wrapping; nothing is emitted for 0.
Value addNumber(KernelBuilder &k, Value value, int64_t number);
/// `value` (i64) clipped to the range of `type` and truncated to its width.
Value saturateTo(KernelBuilder &k, Value value, Type type, bool isUnsigned);
/// (value * multiplier + 2^(shift-1)) >> shift on i64, the rounding of TOSA's
/// apply_scale_32. `doubleRound` adds its second rounding for shifts over 31.
Value scaleInt(KernelBuilder &k, Value value, Value multiplier, Value shift,
               bool doubleRound);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TOSATOGAUDI_CONVERTER_H
