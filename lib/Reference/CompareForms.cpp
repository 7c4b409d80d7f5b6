// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two forms of a function on a sample, knowing how results come about.
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Samples.h"
#include "Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <random>

using namespace mlir;
using namespace gaudi;

namespace {
using Tensors = SmallVector<ReferenceTensor>;

/// Evaluations of either form with other roundings. After the first ones come
/// those whose roundings all go one way, as the errors of a form may do.
constexpr unsigned drawsOfForm = 6, moreDraws = 24, mostDraws = 240;
/// Arithmetic operations that the most draws may take.
constexpr double maxDrawnWork = double(1 << 28);
/// Where a draw rounds to.
enum class Direction { Random, Up, Down, Inward, Outward };
constexpr Direction directions[] = {Direction::Up, Direction::Down,
                                    Direction::Inward, Direction::Outward};

Direction directionOf(unsigned draw) {
  return draw >= drawsOfForm && draw - drawsOfForm < std::size(directions)
             ? directions[draw - drawsOfForm]
             : Direction::Random;
}

/// The step, in units of the last place, that a rounding of `value` takes.
int stepOf(Direction direction, double value, int random) {
  const int outward = std::signbit(value) ? -1 : 1;
  switch (direction) {
  case Direction::Up:
    return 1;
  case Direction::Down:
    return -1;
  case Direction::Inward:
    return value == 0 ? 0 : -outward;
  case Direction::Outward:
    return outward;
  case Direction::Random:
    return random;
  }
  llvm_unreachable("covered switch");
}

/// How much farther than the farthest of the draws a result may be.
constexpr double beyondDraws = 4;

/// True if a float type holds all numbers of another.
bool holdsAllOf(Type to, Type from) {
  return APFloat::isRepresentableBy(cast<FloatType>(from).getFloatSemantics(),
                                    cast<FloatType>(to).getFloatSemantics());
}

/// True if a kernel only selects, compares and moves floats.
bool isExact(KernelOp kernel) {
  // Stores round to a type that does not hold what was read.
  const auto floats = [](TypeRange types) {
    return llvm::make_filter_range(
        llvm::map_range(types, [](Type t) { return getElementTypeOrSelf(t); }),
        [](Type type) { return isa<FloatType>(type); });
  };
  for (Type to : floats(kernel.getResultTypes()))
    for (Type from : floats(kernel.getInputs().getTypes()))
      if (!holdsAllOf(to, from))
        return false;
  using Reduce = KernelReduce;
  auto isExactScalar = [](Operation *op) {
    if (auto loop = dyn_cast<KernelLoopOp>(op))
      return llvm::none_of(loop.getReduce(), [](Attribute reduce) {
        return llvm::is_contained({Reduce::Add, Reduce::Mul, Reduce::Custom},
                                  cast<KernelReduceAttr>(reduce).getValue());
      });
    // Integers and conditions are the same whatever computes them.
    const bool givesFloats = llvm::any_of(
        op->getResultTypes(), [](Type type) { return isa<FloatType>(type); });
    return !givesFloats ||
           isa<KernelLoadOp, arith::ConstantOp, arith::SelectOp, arith::ExtFOp,
               arith::BitcastOp, arith::MaximumFOp, arith::MinimumFOp,
               arith::MaxNumFOp, arith::MinNumFOp, arith::NegFOp, math::AbsFOp,
               math::CopySignOp, math::FloorOp, math::CeilOp, math::RoundOp,
               math::RoundEvenOp, math::TruncOp>(op);
  };
  return !kernel.getBody()
              .walk([&](Operation *op) {
                return isExactScalar(op) ? WalkResult::advance()
                                         : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// True if the op's results are elements of its operands, or exact.
bool isExact(Operation *op) {
  if (auto kernel = dyn_cast<KernelOp>(op))
    return isExact(kernel);
  if (auto cast = dyn_cast<CastOp>(op)) {
    const Type from = getElementTypeOrSelf(cast.getOperand()),
               to = getElementTypeOrSelf(cast.getType());
    if (isa<FloatType>(from) && isa<FloatType>(to))
      return holdsAllOf(to, from);
    return from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
  }
  return isa<ConstantOp, ReshapeOp, BitcastOp, SliceOp, SplitOp, TransposeOp,
             BroadcastOp, CopyOp, FillOp, ConcatOp, InsertSliceOp, SelectOp,
             CompareOp, ClampOp, MaxOp, MinOp, MaxNumOp, MinNumOp, AbsOp, NegOp,
             SignOp, FloorOp, CeilOp, RoundOp, RoundEvenOp, TruncOp, GatherOp,
             GatherElementsOp, PadOp, ReverseOp, IotaOp, SortOp, TopKOp>(op);
}

/// An exponential of less is 0 beside others; a difference of more is a factor
/// that no tolerance covers.
constexpr double leastExponent = -100, knownExponent = 1;

/// True if an exponential reads this operand, as an op or in a kernel.
bool isExponent(OpOperand &operand) {
  auto kernel = dyn_cast<KernelOp>(operand.getOwner());
  if (!kernel)
    return isa<ExpOp, Exp2Op>(operand.getOwner());
  const Value tensor = kernel.getBody().getArgument(operand.getOperandNumber());
  return llvm::any_of(tensor.getUsers(), [](Operation *load) {
    return isa<KernelLoadOp>(load) &&
           llvm::any_of(load->getUsers(), [](Operation *scalar) {
             return isa<math::ExpOp, math::Exp2Op>(scalar);
           });
  });
}

/// Changes each float by one unit in its last place up, down or not. A zero may
/// be what is left of an underflow, an infinity of an overflow: the exact value
/// is then between them and the next finite number.
void roundOtherwise(ReferenceTensor &x, bool mayHaveOverflowed,
                    Direction direction, std::mt19937_64 &random) {
  const Type type = x.getElementType();
  const gaudi::FloatFormat format = reference::formatOf(type);
  const reference::FloatRounder round(type);
  const int least = 1 - format.bias();
  const double largest = FloatRange(type).largest;
  uint64_t bits = 0;
  unsigned left = 0;
  // A draw of 64 bits serves for 40 elements, as 3^40 < 2^64.
  for (double &value : x.mutableFloats()) {
    if (left == 0)
      bits = random(), left = 40;
    const int step = stepOf(direction, value, int(bits % 3) - 1);
    bits /= 3;
    --left;
    if (!mayHaveOverflowed && (value == 0 || std::isinf(value)))
      continue;
    // Before an overflow the value was finite, but no larger than that.
    if (std::isinf(value)) {
      if (step < 0)
        value = std::copysign(largest, value);
      continue;
    }
    if (step == 0 || std::isnan(value))
      continue;
    // The unit in the last place, which subnormal numbers share.
    const int exponent =
        value == 0 ? least : std::max(std::ilogb(value), least);
    // Rounded, since the next number may have another exponent.
    const double changed = round(
        value + step * std::ldexp(1.0, exponent - int(format.mantissaBits)));
    if (std::isfinite(changed))
      value = changed;
  }
}

/// True for a finite number that hides a score of a softmax (docs/fusion.md).
bool isHiding(double value) { return std::isfinite(value) && value <= -1e9; }

/// The largest magnitude of the tensor.
double largestIn(const ReferenceTensor &x) {
  double largest = 0;
  for (double value : x.isFloat() ? x.floats() : ArrayRef<double>())
    largest = std::max(largest, std::fabs(value));
  return largest;
}

/// The number by which an op hides scores, or 0: that of a constant operand, or
/// of a constant in its kernel.
double hidingNumberOf(Operation *op, const DenseMap<Value, double> &constants) {
  double number = 0;
  if (isa<SelectOp, AddOp, SubOp, MaxOp>(op))
    for (Value operand : op->getOperands())
      number = std::min(number, constants.lookup(operand));
  if (auto kernel = dyn_cast<KernelOp>(op))
    kernel.getBody().walk([&](arith::ConstantOp constant) {
      if (auto value = dyn_cast<FloatAttr>(constant.getValue());
          value && isHiding(value.getValueAsDouble()))
        number = std::min(number, value.getValueAsDouble());
    });
  return number;
}

/// True for comparisons and for kernels that have some.
bool compares(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  return isa<CompareOp>(op) || (kernel && kernel.getBody()
                                              .walk([](arith::CmpFOp) {
                                                return WalkResult::interrupt();
                                              })
                                              .wasInterrupted());
}

/// What a form meets on the way to its results that makes other forms differ.
struct Encounters {
  /// A value that is NaN or infinite: forms spread them differently.
  bool isNotFinite = false;
  /// The same from finite inputs: it overflowed, and a number may depend on
  /// where (a norm that is infinite scales by 0).
  bool overflowed = false;
  /// Scores that come near the finite number that hides others: docs/fusion.md
  /// says up to where it does.
  bool reachesHidden = false;
  /// A NaN that a comparison reads: it is neither of its sides, and a select
  /// makes a number of it. Where NaNs are is not the same in all forms.
  bool hasNanDecided = false;

  static Encounters of(func::FuncOp form, ArrayRef<ReferenceTensor> inputs) {
    Encounters found;
    DenseMap<Value, double> hiding, largest; // constants; values
    DenseSet<Value> nans;                    // values with some
    for (auto [argument, input] : llvm::zip(form.getArguments(), inputs)) {
      largest[argument] = largestIn(input);
      found.isNotFinite |=
          input.isFloat() && !llvm::all_of(input.floats(), [](double value) {
            return std::isfinite(value);
          });
    }
    const bool areFinite = !found.isNotFinite;
    const QuietDiagnostics quiet(form.getContext());
    (void)evaluateForCallers(
        form, inputs,
        [&](Operation *op, MutableArrayRef<ReferenceTensor> results) {
          found.hasNanDecided |=
              compares(op) && llvm::any_of(op->getOperands(), [&](Value value) {
                return nans.contains(value);
              });
          for (auto [value, tensor] : llvm::zip(op->getResults(), results)) {
            largest[value] = largestIn(tensor);
            if (tensor.isFloat() && llvm::any_of(tensor.floats(), [](double x) {
                  return std::isnan(x);
                }))
              nans.insert(value);
            if (!isExact(op))
              found.see(tensor, areFinite);
            if (isa<BroadcastOp, ReshapeOp>(op))
              if (double number = hiding.lookup(op->getOperand(0)))
                hiding[value] = number;
            if (isa<ConstantOp>(op) && tensor.isFloat() &&
                tensor.getCount() > 0 &&
                isHiding(*llvm::min_element(tensor.floats())))
              hiding[value] = *llvm::min_element(tensor.floats());
          }
          // From 1/32 of it on, both have no common digits but a few.
          const double number = hidingNumberOf(op, hiding);
          if (number == 0)
            return;
          double scores = 0;
          for (Value operand : op->getOperands())
            if (!hiding.contains(operand))
              scores = std::max(scores, largest.lookup(operand));
          if (isa<SelectOp>(op) && scores == 0) // a mask to be added
            hiding[op->getResult(0)] = number;
          else
            found.reachesHidden |= scores > -number / 32;
        });
    return found;
  }

private:
  void see(const ReferenceTensor &x, bool areInputsFinite) {
    if (!x.isFloat())
      return;
    for (double value : x.floats())
      isNotFinite |= std::isnan(value) || (std::isinf(value) && value > 0);
    overflowed |= isNotFinite && areInputsFinite;
  }
};

/// Where a value lies for a reader who does not see finite numbers apart:
/// roundings turn an infinity into the largest number and back.
enum class Place { Number, Above, Below, Nan };

Place placeOf(double value, double largest) {
  if (std::isnan(value))
    return Place::Nan;
  if (std::fabs(value) < largest)
    return Place::Number;
  return value > 0 ? Place::Above : Place::Below;
}

class Comparison {
public:
  Comparison(const Sample &sample, func::FuncOp before, func::FuncOp after,
             ArrayRef<ReferenceTensor> actual, bool allowsNan)
      : sample(sample), before(before), after(after), actual(actual),
        allowsNan(allowsNan), random(uint64_t(sample.regime) + 17) {}

  SampleReport compare(NumericsScope scope) {
    SampleReport report;
    for (unsigned number = 0; number < actual.size() && report.passed; ++number)
      compareResult(number, scope, report);
    return report;
  }

private:
  struct Pending {
    int64_t element;
    double error, allowed;
  };

  void compareResult(unsigned number, NumericsScope scope,
                     SampleReport &report) {
    const ReferenceTensor &e = sample.results[number], &a = actual[number];
    if (e.getType() != a.getType()) {
      report.passed = false;
      report.result = number;
      report.text = compareTensors(a, e, scope).describe();
      return;
    }
    const Tolerance tolerance = toleranceOf(e.getElementType(), scope);
    SmallVector<Pending> pending;
    for (int64_t i = 0; i < e.getCount(); ++i) {
      const double expected = e.at(i), got = a.at(i);
      const double error = gaudi::distance(got, expected);
      double allowed = tolerance.absolute;
      if (std::isfinite(expected))
        allowed += tolerance.ofElement * std::fabs(expected);
      if (error <= allowed)
        ++report.compared;
      else if (isSeeded() ? allowsNan && std::isnan(expected)
                          : !std::isfinite(expected))
        ++report.undefined; // it overflowed, and the other form need not
      else
        pending.push_back({i, error, allowed});
    }
    if (!pending.empty())
      settle(number, pending, report);
  }

  /// Decides about elements that differ by more than the table's share.
  void settle(unsigned number, SmallVector<Pending> &pending,
              SampleReport &report) {
    const ReferenceTensor &e = sample.results[number], &a = actual[number];
    // Seeded inputs are of the size that models expect: they excuse nothing.
    const Encounters met =
        isSeeded() ? Encounters() : Encounters::of(before, sample.inputs);
    // Hidden, overflowed or not finite on the way: no number is right.
    llvm::erase_if(pending, [&](const Pending &element) {
      const bool isUndefined =
          met.reachesHidden || met.overflowed || met.hasNanDecided ||
          (met.isNotFinite && !std::isfinite(a.at(element.element)));
      report.undefined += isUndefined;
      return isUndefined;
    });
    // Draws cost an evaluation each: few first, more only for what is left.
    for (const unsigned draws : {drawsOfForm, moreDraws, mostDraws}) {
      if (pending.empty() || (draws == mostDraws && isLarge()))
        break;
      drawForms(draws);
      llvm::erase_if(pending, [&](const Pending &element) {
        const int64_t i = element.element;
        if (isSeeded() && std::isinf(element.error)) {
          const bool isUndefined = isPlaceUnknown(number, i);
          report.undefined += isUndefined;
          return isUndefined;
        }
        double spread = 0;
        for (const Tensors &draw : drawsBefore)
          spread =
              std::max(spread, gaudi::distance(draw[number].at(i), e.at(i)));
        double own = 0;
        for (const Tensors &draw : drawsAfter)
          own = std::max(own, gaudi::distance(draw[number].at(i), a.at(i)));
        // Of a form that may overflow no number is confirmed.
        if (!std::isfinite(spread) || !std::isfinite(own)) {
          report.undefined += !isSeeded();
          return !isSeeded();
        }
        // Roundings move it by whole units: only what they do move is
        // undefined.
        if (!isSeeded() && hasUnknownExponents &&
            (spread > element.allowed || own > element.allowed)) {
          ++report.undefined;
          return true;
        }
        // Integers follow from decisions, which other roundings may change.
        const bool isNoise =
            e.isFloat() ? element.error <=
                              element.allowed + beyondDraws * (spread + own)
                        : spread > 0;
        // A difference between integers is no noise, but undefined if their
        // decisions are.
        report.compared += isNoise && e.isFloat();
        report.undefined += isNoise && !e.isFloat();
        return isNoise;
      });
    }
    if (pending.empty())
      return;
    report.passed = false;
    report.result = number;
    report.text = describe(number, pending);
  }

  bool isSeeded() const { return sample.regime == Regime::Seeded; }

  /// True if roundings decide whether an element is a NaN, an infinity of a
  /// sign or a number: the root, or the quotient of a large number, of what is
  /// 0 but for roundings. That other roundings of the new form alone give a
  /// number, too, is no excuse.
  bool isPlaceUnknown(unsigned number, int64_t element) const {
    const double largest = FloatRange(actual[number].getElementType()).largest;
    const Place place = placeOf(sample.results[number].at(element), largest);
    auto isThere = [&](const Tensors &draw) {
      return placeOf(draw[number].at(element), largest) == place;
    };
    return !llvm::all_of(drawsBefore, isThere) ||
           (place != Place::Number && llvm::any_of(drawsAfter, isThere));
  }

  bool isLarge() {
    return (workOf(before) + workOf(after)) * mostDraws > maxDrawnWork;
  }

  void drawForms(unsigned count) {
    auto draw = [&](func::FuncOp form, std::vector<Tensors> &draws) {
      while (draws.size() < count) {
        const QuietDiagnostics quiet(form.getContext());
        const Direction direction = directionOf(draws.size());
        auto results = evaluateForCallers(
            form, sample.inputs,
            [&](Operation *op, MutableArrayRef<ReferenceTensor> values) {
              // Constants were rounded when they were written.
              if (!isExact(op) || isa<ConstantOp>(op))
                for (ReferenceTensor &value : values)
                  if (value.isFloat())
                    roundOtherwise(value, !isa<ConstantOp>(op), direction,
                                   random);
              if (form == before)
                noteExponents(op, values);
            });
        if (failed(results)) // an index that follows from floats
          return;
        draws.push_back(std::move(*results));
      }
    };
    draw(before, drawsBefore);
    draw(after, drawsAfter);
  }

  /// Compares what an exponential will read with the first draw's. The result
  /// may jump from one value to another where roundings move it by whole units,
  /// as where a large number is added to all scores and taken away again.
  void noteExponents(Operation *op, ArrayRef<ReferenceTensor> values) {
    for (auto [value, tensor] : llvm::zip_equal(op->getResults(), values)) {
      if (!tensor.isFloat() || llvm::none_of(value.getUses(), isExponent))
        continue;
      const auto [first, isNew] = exponents.try_emplace(value, tensor);
      if (isNew)
        continue;
      for (auto [x, y] : llvm::zip(tensor.floats(), first->second.floats()))
        hasUnknownExponents |=
            std::max(x, y) > leastExponent && std::fabs(x - y) > knownExponent;
    }
  }

  std::string describe(unsigned number, ArrayRef<Pending> pending) {
    const ReferenceTensor &e = sample.results[number], &a = actual[number];
    const Pending &worst =
        *llvm::max_element(pending, [](const Pending &x, const Pending &y) {
          return x.error / x.allowed < y.error / y.allowed;
        });
    ComparisonReport report;
    report.failures = pending.size();
    report.worst = worst.element;
    report.actual = a.at(worst.element);
    report.reference = e.at(worst.element);
    report.error = worst.error;
    report.allowed = worst.allowed;
    report.position.resize(e.getRank());
    int64_t rest = worst.element;
    for (int64_t d = e.getRank(); d-- > 0; rest /= e.getDim(d))
      report.position[d] = rest % e.getDim(d);
    return report.describe() + ", on inputs of regime '" +
           nameOf(sample.regime).str() + "'";
  }

  const Sample &sample;
  func::FuncOp before, after;
  ArrayRef<ReferenceTensor> actual;
  bool allowsNan;
  std::mt19937_64 random;
  std::vector<Tensors> drawsBefore, drawsAfter;
  DenseMap<Value, ReferenceTensor> exponents; ///< of the first draw
  bool hasUnknownExponents = false;
};
} // namespace

SampleReport gaudi::compareForms(const Sample &sample, func::FuncOp before,
                                 func::FuncOp after,
                                 ArrayRef<ReferenceTensor> actual,
                                 NumericsScope scope, bool allowsNan) {
  // In other regimes the table's share does not hold: draws decide.
  if (sample.regime != Regime::Seeded)
    return Comparison(sample, before, after, actual, allowsNan).compare(scope);
  SampleReport report;
  for (auto [number, pair] :
       llvm::enumerate(llvm::zip_equal(sample.results, actual))) {
    ReferenceTensor expected = std::get<0>(pair), got = std::get<1>(pair);
    // A NaN was there before: what the new form has there is not compared.
    if (allowsNan && expected.isFloat() && expected.getType() == got.getType())
      for (auto [x, y] :
           llvm::zip(expected.mutableFloats(), got.mutableFloats()))
        if (std::isnan(x))
          x = y = 0, ++report.undefined;
    const ComparisonReport compared = compareTensors(got, expected, scope);
    report.compared += expected.getCount();
    // The table knows nothing of terms that cancel.
    if (!compared.passed)
      return Comparison(sample, before, after, actual, allowsNan)
          .compare(scope);
  }
  report.compared -= report.undefined;
  return report;
}
