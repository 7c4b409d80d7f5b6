// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates the scalar body of a structured op into that of a TPC kernel.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_SCALARBODY_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_SCALARBODY_H

#include "Gaudi/Dialect/KernelBuilder.h"
#include "Nest.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace gaudi::fromlinalg {

/// Emits values of a body at the insertion point of a KernelBuilder. Floats
/// are f32, index is i64; a truncf rounds to its narrow type and widens again.
class ScalarBody {
public:
  /// `numberOf` gives the kernel input number of a tensor, `indexOf` the index
  /// of a loop dimension as an i64 value.
  ScalarBody(KernelBuilder &k, llvm::function_ref<unsigned(Value)> numberOf,
             llvm::function_ref<Value(int64_t)> indexOf)
      : k(k), numberOf(numberOf), indexOf(indexOf) {}

  /// Refuses what a kernel cannot compute of `source` and the values it is
  /// computed from; those in `checked` have passed.
  static LogicalResult check(Value source, Matcher &m,
                             llvm::DenseSet<Value> &checked);

  /// Declares what `source` is in the kernel.
  void map(Value source, Value target) { values[source] = target; }
  /// The kernel value of `source`, which passed `check`. Emits what it is
  /// computed from, once and operands first.
  Value get(Value source);
  /// Values emitted inside a loop are not visible outside: `restore` forgets
  /// what was emitted after `save`.
  using Snapshot = DenseMap<Value, Value>;
  Snapshot save() const { return values; }
  void restore(Snapshot snapshot) { values = std::move(snapshot); }

private:
  Value known(Value source) const {
    Value value = values.lookup(source);
    assert(value && "operands are emitted first");
    return value;
  }
  Value emit(Operation *op, unsigned result);
  Value emitConstant(Attribute attr, Type type);
  Value emitCast(Operation *op, Value in);
  Value emitBitcast(Type from, Type to, Value in);
  Value emitExtract(tensor::ExtractOp op);
  Value emitArithmetic(Operation *op, unsigned result);
  Value emitPower(Value base, int64_t exponent);
  Value emitComposed(Operation *op, ValueRange in);
  Value resize(Value in, Type to, bool isSigned);

  KernelBuilder &k;
  llvm::function_ref<unsigned(Value)> numberOf;
  llvm::function_ref<Value(int64_t)> indexOf;
  DenseMap<Value, Value> values;
};

/// The position of a load, one tensor dimension after the other.
class LoadPosition {
public:
  /// An index that is inside the tensor.
  void add(AffineExpr index) {
    position.push_back(index);
    rules.push_back(Boundary::Inside);
  }
  /// An i64 value; one outside the tensor stops the launch.
  void add(KernelBuilder &k, Value index) {
    dynamic.push_back(position.size());
    indices.push_back(index);
    position.push_back(k.cst(0));
    rules.push_back(Boundary::Checked);
  }
  /// Loads from input number `input` of the kernel.
  Value load(KernelBuilder &k, unsigned input) const {
    return dynamic.empty() ? k.load(input, position)
                           : k.loadAt(input, position, dynamic, indices, rules);
  }

private:
  SmallVector<AffineExpr> position;
  SmallVector<int64_t> dynamic;
  SmallVector<Value> indices;
  SmallVector<Boundary> rules;
};

/// Why a kernel cannot compute an arithmetic or math op; empty if it can.
std::string whyNoArithmetic(Operation *op);
/// The type a body value of `type` has in a kernel, or null.
Type scalarTypeOf(Type type);
/// Adds the tensors that a scalar from outside the body is read from, in the
/// order in which they are met.
void collectTensors(Value scalar, Block *body, llvm::SetVector<Value> &tensors);
/// The same for everything that the body reads with tensor.extract.
void collectTensors(Block *body, llvm::SetVector<Value> &tensors);

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_SCALARBODY_H
