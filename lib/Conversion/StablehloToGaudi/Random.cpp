// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers. stablehlo.rng_bit_generator gives the bits that XLA gives on
// a CPU.
#include "../Common/RandomBits.h"
#include "../Common/SpecialFunctions.h"
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

HloMatch gaudi::matchBitGenerator(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() != 1 || failed(m.checkResults(2)))
    return m.refuse("expected one state as operand; state and bits as results");
  const StringRef algorithm = wordOf(op, "rng_algorithm");
  if (algorithm != "THREE_FRY" && algorithm != "PHILOX" &&
      algorithm != "DEFAULT")
    return m.refuse(
        "attribute 'rng_algorithm' must be THREE_FRY, PHILOX or DEFAULT");
  // XLA's default for a CPU.
  const Generator generator =
      algorithm == "THREE_FRY" ? Generator::Threefry : Generator::Philox;
  RankedTensorType state = tensorType(op->getOperand(0));
  RankedTensorType type = tensorType(op->getResult(1));
  const bool isInteger = isa<IntegerType>(state.getElementType());
  const unsigned width = state.getElementTypeBitWidth();
  const int64_t count = state.getRank() == 1 ? state.getNumElements() : 0;
  // A key and a counter, as XLA has them.
  const bool isState =
      isInteger &&
      ((width == 64 &&
        (count == 2 || (count == 3 && generator == Generator::Philox))) ||
       (width == 32 && count == 4));
  if (!isState)
    return m.refuse("a state of " + algorithm + " has 2 " +
                    (generator == Generator::Philox ? "or 3 " : "") +
                    "elements of 64 bits, or 4 of 32 bits; its type is '" +
                    spelled(state) + "'");
  if (op->getResult(0).getType() != state)
    return m.refuse("the new state must have the type of the old one");
  if (type.getElementType().isInteger(1))
    return m.refuse("bits cannot be of i1");
  return build([op, generator, type](HloBuilder &b) {
    const StringRef label = op->getName().getStringRef();
    Value state = op->getOperand(0);
    auto [bits, blocks] = randomBits(b, label, generator, type, state);
    return SmallVector<Value>{nextState(b, label, generator, blocks, state),
                              bits};
  });
}

/// Bits of Philox for stablehlo.rng, keyed by its number in the model.
static Value createKeyedBits(Operation *op, RankedTensorType type,
                             HloBuilder &b) {
  Value state = gaudi::ConstantOp::create(
      b, b.getI64TensorAttr({++b.numGenerators, 0, 0}));
  return randomBits(b, op->getName().getStringRef(), Generator::Philox, type,
                    state)
      .first;
}

/// low + n mod (high - low), for 63 random bits n.
static Value createIntegers(Operation *op, RankedTensorType type, Value low,
                            Value high, HloBuilder &b) {
  Type i64 = b.getI64Type();
  low = b.cast(low, i64);
  high = b.cast(high, i64);
  Value bits = createKeyedBits(op, type.clone(i64), b);
  Value number = b.binary<ShrLogicalOp>(bits, b.integer(1, bits));
  number = b.binary<RemOp>(number, b.binary<SubOp>(high, low));
  return b.binary<AddOp>(number, low);
}

/// The format leaves the numbers open. They are those of Philox, keyed by the
/// number of the op in the model: the same at each launch.
HloMatch gaudi::matchRng(Operation *op, HloMatcher &m) {
  const StringRef distribution = wordOf(op, "rng_distribution");
  if (distribution != "UNIFORM" && distribution != "NORMAL")
    return m.refuse("attribute 'rng_distribution' must be UNIFORM or NORMAL");
  RankedTensorType type = tensorType(op->getResult(0));
  Type element = type.getElementType();
  for (unsigned i : {0u, 1u})
    if (op->getOperand(i).getType() != RankedTensorType::get({}, element))
      return m.refuse("operand " + Twine(i) + " must be a scalar of type '" +
                      spelled(element) + "'");
  const bool isNormal = distribution == "NORMAL";
  if (element.isInteger(1) || (isNormal && !isFloatElement(element)))
    return m.refuse("a distribution " + distribution +
                    " is not defined for element type '" + spelled(element) +
                    "'");
  return build([op, type, isNormal](HloBuilder &b) {
    b.remarkRaised(op, "Philox-4x32-10",
                   "the format leaves the numbers open; these are the same at "
                   "each launch");
    Value low = b.withRank(op->getOperand(0), type.getRank());
    Value high = b.withRank(op->getOperand(1), type.getRank());
    Type element = type.getElementType(), f32 = b.getF32Type();
    // Bounds of integers are kept as they are: f32 would round them.
    if (!isFloatElement(element))
      return b.cast(createIntegers(op, type, low, high, b), element);
    low = b.cast(low, f32);
    high = b.cast(high, f32);
    Value x = uniformFloats(
        b, createKeyedBits(
               op, RankedTensorType::get(type.getShape(), b.getI32Type()), b));
    Value factor = high;
    if (isNormal) {
      // The inverse of the distribution, of a number in (-1, 1).
      Value centred =
          b.binary<SubOp>(b.binary<AddOp>(x, x), b.number(1 - 0x1p-23, x));
      Formula f(b, tensorType(x));
      x = b.binary<MulOp>(inverseErf(f, centred),
                          b.number(1.41421356237309505, x));
    } else {
      factor = b.binary<SubOp>(high, low);
    }
    x = b.binary<AddOp>(b.binary<MulOp>(x, factor), low);
    return b.cast(x, element);
  });
}

HloMatch gaudi::matchThreefryCall(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() != 4 || failed(m.checkResults(2)))
    return m.refuse("expected two words of keys and two of counters");
  RankedTensorType type = tensorType(op->getResult(0));
  auto hasType = [&](Type other) { return other == type; };
  if (!llvm::all_of(op->getOperandTypes(), hasType) ||
      !llvm::all_of(op->getResultTypes(), hasType) ||
      type.getElementTypeBitWidth() != 32 ||
      !isa<IntegerType>(type.getElementType()))
    return m.refuse("operands and results must have one type of 32-bit words");
  if (failed(m.checkKernelDims(type.getShape())))
    return failure();
  return build([op, type](HloBuilder &b) {
    return b.pointKernel(
        op, op->getResultTypes(), op->getOperands(), {}, [&](KernelBuilder &k) {
          SmallVector<AffineExpr> at = k.dims(type.getRank());
          auto word = [&](unsigned i) { return k.load(i, at); };
          Words words(k);
          return llvm::to_vector(
              words.threefry({word(2), word(3)}, {word(0), word(1)}));
        });
  });
}
