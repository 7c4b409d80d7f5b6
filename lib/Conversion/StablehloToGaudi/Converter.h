// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the patterns of single StableHLO ops share: their table, readers
// of attributes that end in a reason, and builders.
//
// The ops are not registered, so nothing has verified them: a pattern checks
// the number of operands and every attribute that it indexes with. What it
// builds is verified by the pass.
#ifndef GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_CONVERTER_H
#define GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_CONVERTER_H

#include "../Common/FrontEnd.h"
#include "../Common/FrontEndBuilder.h"
#include "../Common/PointKernel.h"
#include "Gaudi/Conversion/StablehloOps.h"

namespace gaudi {

/// First step of a pattern: everything that may be refused.
class HloMatcher : public Matcher {
public:
  using Matcher::Matcher;

  /// Operands and results are static tensors of device types, at most
  /// maxRank dimensions each.
  LogicalResult checkTypes();
  LogicalResult checkOperands(size_t count);
  LogicalResult checkResults(size_t count);
  /// All operands from number `first` have the shape of result 0.
  LogicalResult checkSameShapes(size_t first = 0);

  /// A pointKernel of a result of this shape with `loops` loops exists.
  LogicalResult checkKernelDims(ArrayRef<int64_t> shape, size_t loops = 0);

  /// The numbers of an attribute: an array, a dense attribute or one integer.
  /// Fails if it is absent and there is no default.
  FailureOr<SmallVector<int64_t>> ints(StringRef name);
  FailureOr<SmallVector<int64_t>> ints(StringRef name,
                                       ArrayRef<int64_t> absent);
  /// As many numbers as `count`; all are `absent` if the attribute is.
  FailureOr<SmallVector<int64_t>> intsPerDim(StringRef name, size_t count,
                                             int64_t absent);
  /// One number in [low, high).
  FailureOr<int64_t> integer(StringRef name, int64_t low, int64_t high);
  FailureOr<int64_t> integer(StringRef name, int64_t low, int64_t high,
                             int64_t absent);
  /// Distinct numbers in [0, rank).
  FailureOr<SmallVector<int64_t>> dims(StringRef name, size_t rank);
  /// A window that slides along one dimension. Numbers but pads are 0 or more,
  /// dilations and strides 1 or more, all below 2^32 but `size`.
  struct SlidingWindow {
    int64_t size, dilation; ///< of the tensor
    int64_t low, high;      ///< padding; negative cuts off
    int64_t window, windowDilation, stride;
  };
  /// `positions` is the number of positions of the window in dimension `dim`.
  LogicalResult checkPositions(int64_t dim, int64_t positions,
                               const SlidingWindow &window);

  /// A reader of the fields of a dictionary attribute, such as
  /// `dot_dimension_numbers`; reasons name the field.
  FailureOr<HloMatcher> fields(StringRef name);
  /// Takes the reason of a reader that `fields` gave.
  LogicalResult refuseAs(const HloMatcher &inner) {
    return refuse(inner.getReason());
  }

private:
  Attribute attribute(StringRef name) const;

  DictionaryAttr dictionary; ///< Null: the op's own attributes.
};

/// The scalar of a gaudi.constant all of whose elements are one number.
TypedAttr splatConstant(Value value);
/// The integers of a gaudi.constant of any shape.
std::optional<SmallVector<int64_t>> constantIntegers(Value value);

/// The only op of a region that returns op(a, b) of its two arguments, as those
/// of reductions do; null otherwise. In either order if op is commutative.
Operation *combiner(Region &region);
/// True if the block's last op returns from a region.
bool endsInReturn(Block &block);
/// True if the ops of the region can be computed on scalars in a kernel.
LogicalResult checkScalarRegion(Region &region, HloMatcher &m);
/// Computes the region inside a kernel.
SmallVector<Value> emitScalarRegion(KernelBuilder &k, Region &region,
                                    ValueRange arguments);

class HloBuilder : public FrontEndBuilder {
public:
  using FrontEndBuilder::FrontEndBuilder;

  int64_t numGenerators = 0; ///< stablehlo.rng ops so far

  /// The remark `raise`: `op` became the op of the device called `name`, or a
  /// generic kernel although it costs more.
  void remarkRaised(Operation *op, StringRef name, const Twine &why);
  void remarkKernel(Operation *op, const Twine &why);
  /// The remark `write-out`: elements between those of an operand are written
  /// to memory.
  void remarkWrittenOut(Operation *op, Value written, Value operand);

  /// Each returns the value itself where there is nothing to do.
  Value broadcast(Value value, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims);
  /// Without the dimensions in `dims` reversed; a reversal of a reversal is
  /// its operand.
  Value reverse(Value value, ArrayRef<int64_t> dims);
  /// A scalar as a tensor of `rank` dimensions of size 1.
  Value withRank(Value value, int64_t rank);
  Value splat(RankedTensorType type, TypedAttr value);
  /// A tensor type without elements.
  Value empty(Type type);

  // Arithmetic on tensors of one rank, as a formula is written. Results have
  // the type of the first operand, to which the others are broadcast.
  template <typename Op> Value binary(Value x, Value y) {
    return Op::create(*this, x.getType(), x, y);
  }
  template <typename Op> Value unary(Value x) {
    return Op::create(*this, x.getType(), x);
  }
  Value compare(ComparePredicate predicate, Value x, Value y);
  /// Of the shape of the condition.
  Value select(Value condition, Value x, Value y);
  /// Keeps the reduced dimensions with size 1.
  Value reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes);
  /// A number of f32, of the rank of `like` and one element. As the first
  /// operand it needs its full shape.
  Value number(double value, Value like);
  /// An integer of the type of `like` and one element.
  Value integer(int64_t value, Value like);

  /// A kernel that computes `result` element by element. Its first dimensions
  /// are those of the result, `loops` follow and are sequential; `point` is
  /// called inside and returns the element.
  Value pointKernel(Operation *op, RankedTensorType result, ValueRange inputs,
                    ArrayRef<int64_t> loops,
                    llvm::function_ref<Value(KernelBuilder &)> point);
  /// The same for several results of one shape.
  SmallVector<Value> pointKernel(Operation *op, TypeRange results,
                                 ValueRange inputs, ArrayRef<int64_t> loops,
                                 PointValues point);
};

using HloMatch = MatchResult<HloBuilder>;

template <typename Fn> HloMatch build(Fn fn) {
  return matched<HloBuilder>(std::move(fn));
}

using HloPattern = HloMatch (*)(Operation *, HloMatcher &);
/// The pattern of the op, if its operands and results pass checkTypes.
HloMatch matchHlo(Operation *op, HloMatcher &m);
/// Those of single kinds of ops, in the files of their families.
HloMatch matchElementwise(Operation *op, HloMatcher &m);
#define HLO_MATCHED(kind, name, operands, pattern, rule, traits)               \
  HloMatch match##pattern(Operation *op, HloMatcher &m);
#include "Gaudi/Conversion/StablehloOps.def"

/// One operand and one initial value per result, and a region.
LogicalResult checkReduced(Operation *op, HloMatcher &m);
/// The operands of such an op have one shape, its results another one, and its
/// region combines two scalars of each.
LogicalResult checkReduction(Operation *op, HloMatcher &m,
                             ArrayRef<int64_t> shape);

/// True if combining with `value` by `step`, the op of a reduction's region,
/// changes nothing. False if either is null.
bool isReduceIdentity(Operation *step, TypedAttr value);
bool isReduceIdentity(ReduceKind kind, TypedAttr value);

/// A reduction of two operands, values and their positions, that is an arg-max
/// or arg-min of the device.
struct ArgReduction {
  unsigned valueNumber = 0; ///< of the operand with the values
  int64_t axis = 0;
  bool isMax = false;
  bool ignoresNan = false;
  TypedAttr start; ///< of the values
};
/// The reduction that `op`, with a region of scalar gaudi ops, is along `axis`;
/// nothing and the reason if it is none.
std::optional<ArgReduction> matchArgReduction(Operation *op, int64_t axis,
                                              StringRef &why);
SmallVector<Value> createArgReduction(Operation *op, const ArgReduction &found,
                                      HloBuilder &b);
/// `step` once more, on tensors; b has a's rank, in which it is broadcast.
Value combineTensors(Operation *step, Value a, Value b, HloBuilder &builder);

/// Integers in the total order of the floats x: -NaN, -infinity, ..., -0, 0,
/// ..., infinity, NaN.
Value totalOrder(Value x, HloBuilder &b);
/// The bits of a float tensor as signed integers of its width.
Value bitsOf(Value x, HloBuilder &b);
/// True if a comparison in the comparator of a sort is by the total order. The
/// pattern of the sort reads it, so that it is not written out there.
bool isTotalOrder(CompareOp compare);
/// A custom call that encrypts counters by Threefry.
HloMatch matchThreefryCall(Operation *op, HloMatcher &m);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_CONVERTER_H
