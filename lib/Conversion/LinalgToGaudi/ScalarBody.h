// Translates the scalar body of a structured op into that of a TPC kernel.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_SCALARBODY_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_SCALARBODY_H

#include "Gaudi/Dialect/KernelBuilder.h"
#include "Nest.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::gaudi::fromlinalg {

/// Emits values of a body at the insertion point of a KernelBuilder. Floats
/// are f32, index is i64; a truncf rounds to its narrow type and widens again.
class ScalarBody {
public:
  /// `numberOf` gives the kernel input number of a tensor, `indexOf` the index
  /// of a loop dimension as an i64 value.
  ScalarBody(KernelBuilder &k, llvm::function_ref<unsigned(Value)> numberOf,
             llvm::function_ref<Value(int64_t)> indexOf)
      : k(k), numberOf(numberOf), indexOf(indexOf) {}

  /// Declares what `source` is in the kernel.
  void map(Value source, Value target) { values[source] = target; }
  /// The kernel value of `source`, emitting what it is computed from. Null
  /// with the reason in `why` if that is impossible.
  Value get(Value source);
  /// Forgets every emitted value from now on, until restored (values inside of
  /// a loop are not visible outside).
  using Snapshot = DenseMap<Value, Value>;
  Snapshot save() const { return values; }
  void restore(Snapshot snapshot) { values = std::move(snapshot); }

  std::string why;

private:
  Value emit(Operation *op, unsigned result);
  Value emitConstant(Attribute attr, Type type);
  Value emitCast(Operation *op, Value in);
  Value emitExtract(tensor::ExtractOp op);
  Value emitClone(Operation *op, unsigned result);
  Value emitPower(Value base, int64_t exponent);
  Value emitMath(Operation *op, ValueRange in, bool &known);
  Value resize(Value in, Type to, bool isSigned);
  Value roundTo(Value in, Type narrow);
  Value fail(const llvm::Twine &text) {
    if (why.empty())
      why = text.str();
    return {};
  }

  KernelBuilder &k;
  llvm::function_ref<unsigned(Value)> numberOf;
  llvm::function_ref<Value(int64_t)> indexOf;
  DenseMap<Value, Value> values;
};

/// The type a body value of `type` has in a kernel, or null.
Type scalarTypeOf(Type type);
/// Tensors from outside that a body reads: those behind tensor.extract, in
/// the body or behind scalars used by it.
void collectTensors(Block *body, llvm::SetVector<Value> &tensors);
/// The same for one value used by a body.
void collectTensors(Value scalar, Block *body, llvm::SetVector<Value> &tensors);

} // namespace mlir::gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_SCALARBODY_H
