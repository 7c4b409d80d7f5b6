// The shared view of a structured op (a loop nest over tensors) and the tools
// with which its operands are brought into the order that a gaudi op expects.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NEST_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NEST_H

#include "Gaudi/Conversion/ConversionReport.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>
#include <string>

namespace mlir::gaudi::fromlinalg {

/// One loop dimension per tensor dimension; `unitDim` where the index is
/// always 0 because the size is 1.
using DimList = SmallVector<int64_t>;
constexpr int64_t unitDim = -1;

/// What every step of the conversion shares.
struct Conversion {
  IRRewriter &rewriter;
  ConversionReport &report;
};

/// Empty if `type` may stand on the device, else why not ("has element type
/// 'f64', which the device does not have").
std::string whyUnsupported(Type type);
/// The same for all operands and results of an op; names the operand.
std::string whyUnsupported(Operation *op);

/// A remark of the category `convert-linalg`.
void remarkPassed(Operation *op, const llvm::Twine &text);
void remarkMissed(Operation *op, const llvm::Twine &text);
void remarkAnalysis(Operation *op, const llvm::Twine &text);

/// A structured op as loops, operands and one scalar body.
class Nest {
public:
  explicit Nest(linalg::LinalgOp op);

  linalg::LinalgOp op;
  SmallVector<int64_t> extents; ///< Trip count per loop dimension.
  SmallVector<bool> reduction;  ///< True for the iterator type reduction.
  Block *body;

  unsigned numLoops() const { return extents.size(); }
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

/// The value of a scalar that is constant, also behind a truncation.
std::optional<TypedAttr> constantOf(Value scalar);

/// The scalar with which every element of `tensor` is known to be filled;
/// null if there is none.
TypedAttr knownFill(Value tensor);
/// True if the contents of `tensor` are undefined (tensor.empty).
bool isUndefined(Value tensor);
/// `tensor` for an op that really reads it: undefined contents become zeros,
/// with a remark.
Value definedContents(Conversion &c, Operation *user, Value tensor);
TypedAttr zeroOf(Type elementType);

/// Operator with which a reduction joins its values.
enum class Combiner {
  Add,
  Mul,
  MaxF,
  MinF,
  MaxNumF,
  MinNumF,
  MaxS,
  MinS,
  MaxU,
  MinU,
  And,
  Or,
  Xor
};
/// An output that is `combine(value, running)`.
struct Reduction {
  Combiner kind;
  Value value; ///< Value of the body that is combined.
};
/// Recognises output `i` of the body as a reduction of one value. Casts of a
/// narrow running value to f32 and back are looked through.
std::optional<Reduction> matchReduction(Nest &nest, unsigned i);
/// True if `fill` leaves every value unchanged under `kind`.
bool isIdentity(Combiner kind, TypedAttr fill);
/// Joins a reduced tensor with the contents of an init operand of the same
/// type, unless those are the identity.
Value combineWithInit(Conversion &c, Operation *op, Combiner kind,
                      Value reduced, Value init);

/// Each raises the op to named gaudi ops: the replacements of its results, or
/// nothing with the reason in `why`.
using Raised = std::optional<SmallVector<Value>>;
Raised raiseConvolution(Conversion &c, Nest &nest, std::string &why);
Raised raiseContraction(Conversion &c, Nest &nest, std::string &why);
Raised raisePooling(Conversion &c, Nest &nest, std::string &why);
Raised raiseReduction(Conversion &c, Nest &nest, std::string &why);
Raised raiseElementwise(Conversion &c, Nest &nest, std::string &why);
Raised raiseGather(Conversion &c, Nest &nest, std::string &why);

/// The generic kernel. On failure `why` says what it cannot express.
Raised convertToKernel(Conversion &c, Nest &nest, std::string &why);

/// tensor.* and other ops that are not structured: the replacements, or
/// nothing with the reason in `why`.
Raised convertTensorOp(Conversion &c, Operation *op, std::string &why);
/// True if convertTensorOp knows the op.
bool isTensorOp(Operation *op);

/// The product of two casted block arguments, added to the running output:
/// the body of every contraction and convolution.
struct MultiplyAdd {
  unsigned lhs, rhs; ///< Numbers of the inputs.
};
std::optional<MultiplyAdd> matchFloatMultiplyAdd(Nest &nest, std::string &why);

/// True if there is nothing to convert: one public function or several with
/// only ops of the device on tensors, as after another front end. Kernels have
/// scalars inside.
bool isConverted(ModuleOp module);

/// Patterns that bring values back to the types and shapes of the device.
void populateSimplifications(RewritePatternSet &patterns);

/// Floats of f64 become f32 where all of them start from narrower values and
/// end in narrower values without deciding anything.
void demoteDoubles(func::FuncOp func);

/// Upstream preparation: inlining, folding, decomposition (see the pass text).
/// Ops that cannot be prepared are reported.
LogicalResult prepare(ModuleOp module, ConversionReport &report,
                      llvm::function_ref<LogicalResult()> inlineCalls);

} // namespace mlir::gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_NEST_H
