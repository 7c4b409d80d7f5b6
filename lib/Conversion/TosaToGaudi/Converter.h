// What the handlers of single TOSA ops share: the table of handlers, checks
// that end in a reason, constant operands, and elementwise kernels.
#ifndef GAUDI_LIB_CONVERSION_TOSATOGAUDI_CONVERTER_H
#define GAUDI_LIB_CONVERSION_TOSATOGAUDI_CONVERTER_H

#include "Gaudi/Conversion/ConversionReport.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace mlir::gaudi {

class TosaConverter;

/// What a handler gives: one value per result of the op. A handler that fails
/// has called TosaConverter::fail with the reason.
using Replacement = FailureOr<SmallVector<Value>>;
using TosaHandler = std::function<Replacement(Operation *, TosaConverter &)>;

/// Handlers by op name.
class TosaHandlers {
public:
  TosaHandlers();

  const TosaHandler *lookup(Operation *op) const {
    auto it = table.find(op->getName().getStringRef());
    return it == table.end() ? nullptr : &it->second;
  }

  /// Registers `handler(Op, TosaConverter &)`, which returns FailureOr<Value>
  /// or Replacement. It is called only if the op passes checkTypes.
  template <typename Op, typename Handler> void add(Handler handler);
  /// Registers an op that is always refused; `reason(Op)` says why.
  template <typename Op, typename Reason> void refuse(Reason reason);

private:
  llvm::StringMap<TosaHandler> table;
};

void addElementwiseHandlers(TosaHandlers &handlers);
void addQuantizationHandlers(TosaHandlers &handlers);
void addReductionHandlers(TosaHandlers &handlers);
void addPoolingHandlers(TosaHandlers &handlers);
void addConvolutionHandlers(TosaHandlers &handlers);
void addDataMovementHandlers(TosaHandlers &handlers);
void addFourierHandlers(TosaHandlers &handlers);
void addControlFlowHandlers(TosaHandlers &handlers);

/// Which element types an op takes.
enum class Elements { Any, Number, Float, Int, IntOrBool, Bool };

/// True if `type` is one of `elements`.
bool isElementOf(Type type, Elements elements);

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
/// The value of a shape expression made of constant shapes.
std::optional<SmallVector<int64_t>> constantShape(Value shape);

/// Called with the builder inside the kernel and one scalar per input; gives
/// the scalar to store.
using ScalarBody = llvm::function_ref<Value(KernelBuilder &, ValueRange)>;

class TosaConverter {
public:
  TosaConverter(MLIRContext *context, ConversionReport &report)
      : builder(context), report(report) {}

  /// Inserts before the op that is being converted.
  OpBuilder builder;
  /// Kernels created so far.
  unsigned numKernels = 0;

  LogicalResult fail(Operation *op, const Twine &reason) {
    return report.add(op, reason);
  }
  bool hasFailed(Operation *op) const { return report.contains(op); }

  /// Static shapes and device element types of all operands and results.
  LogicalResult checkTypes(Operation *op);
  /// The element type of operand 0 is one of `elements`.
  LogicalResult checkElements(Operation *op, Elements elements);

  /// The zero point of a quantized operand: one constant number, extended as
  /// `isUnsigned` says. For float tensors it must be zero.
  FailureOr<int64_t> zeroPoint(Operation *op, Value value, StringRef name,
                               bool isUnsigned = false);
  /// The numbers of a shape operand.
  FailureOr<SmallVector<int64_t>> shape(Operation *op, Value value,
                                        StringRef name);

  /// gaudi.reshape, or the value itself if it has the shape already.
  Value reshape(Location loc, Value value, ArrayRef<int64_t> shape);
  /// The tensor seen with `rank` dimensions, 1s in front.
  Value withRank(Location loc, Value value, int64_t rank);
  /// gaudi.tpc.cast, or the value itself if it has the element type already.
  Value castTo(Location loc, Value value, Type elementType);

  /// One kernel that computes `result` element by element. Inputs have the
  /// rank of the result, size-1 dimensions repeat; `tables` follow them as
  /// operands that only the body reads. Dimensions are merged where the rank
  /// exceeds that of the index space.
  FailureOr<Value> elementwiseKernel(Operation *op, RankedTensorType result,
                                     ValueRange inputs, ValueRange tables,
                                     ScalarBody body);
  /// Starts a kernel that stands for `op`.
  KernelBuilder kernel(Operation *op, TypeRange outputs, ValueRange inputs,
                       ArrayRef<int64_t> indexSpace, unsigned numParallel);

private:
  ConversionReport &report;
};

template <typename Op, typename Handler>
void TosaHandlers::add(Handler handler) {
  table[Op::getOperationName()] = [handler](Operation *op,
                                            TosaConverter &c) -> Replacement {
    if (failed(c.checkTypes(op)))
      return failure();
    auto result = handler(cast<Op>(op), c);
    if (failed(result))
      return failure();
    if constexpr (std::is_same_v<decltype(result), Replacement>)
      return result;
    else
      return SmallVector<Value>{*result};
  };
}

template <typename Op, typename Reason>
void TosaHandlers::refuse(Reason reason) {
  table[Op::getOperationName()] = [reason](Operation *op, TosaConverter &c) {
    return Replacement(c.fail(op, reason(cast<Op>(op))));
  };
}

// Integer arithmetic inside kernels.

/// `value` as `to` (at least as wide), by sign or zeros.
Value extendInt(KernelBuilder &k, Value value, Type to, bool isUnsigned);
/// value + number, wrapping; nothing is emitted for 0.
Value addNumber(KernelBuilder &k, Value value, int64_t number);
/// `value` (i64) clipped to the range of `type` and truncated to its width.
Value saturateTo(KernelBuilder &k, Value value, Type type, bool isUnsigned);
/// (value * multiplier + 2^(shift-1)) >> shift on i64, the rounding of TOSA's
/// apply_scale_32. `doubleRound` adds its second rounding for shifts over 31.
Value scaleInt(KernelBuilder &k, Value value, Value multiplier, Value shift,
               bool doubleRound);

} // namespace mlir::gaudi

#endif // GAUDI_LIB_CONVERSION_TOSATOGAUDI_CONVERTER_H
