// Compares two forms of a function on a sample, knowing how results come about.
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Samples.h"
#include "Scalars.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <random>

using namespace mlir;
using namespace mlir::gaudi;

namespace {
using Tensors = SmallVector<ReferenceTensor>;

/// Evaluations of either form with other roundings.
constexpr unsigned drawsOfForm = 6, moreDraws = 24;
/// How much farther than the farthest of the draws a result may be.
constexpr double beyondDraws = 4;

/// True if the op's results are elements of its operands, or exact.
bool isExact(Operation *op) {
  if (auto cast = dyn_cast<CastOp>(op))
    return getElementTypeOrSelf(cast.getOperand()).getIntOrFloatBitWidth() <=
           getElementTypeOrSelf(cast.getType()).getIntOrFloatBitWidth();
  return isa<ConstantOp, ReshapeOp, BitcastOp, SliceOp, SplitOp, TransposeOp,
             BroadcastOp, CopyOp, FillOp, ConcatOp, InsertSliceOp, SelectOp,
             CompareOp, ClampOp, MaxOp, MinOp, MaxNumOp, MinNumOp, AbsOp, NegOp,
             SignOp, FloorOp, CeilOp, RoundOp, RoundEvenOp, TruncOp, GatherOp,
             GatherElementsOp, PadOp, ReverseOp, IotaOp, SortOp, TopKOp>(op);
}

/// Changes each float by one unit in its last place up, down or not. A zero may
/// be what is left of an underflow, an infinity of an overflow: the exact value
/// is then between them and the next finite number.
void roundOtherwise(ReferenceTensor &x, std::mt19937_64 &random) {
  const Type type = x.getElementType();
  const ::gaudi::FloatFormat format = reference::formatOf(type);
  const reference::FloatRounder round(type);
  const int least = 1 - format.bias();
  const double largest = FloatRange(type).largest;
  uint64_t bits = 0;
  unsigned left = 0;
  for (double &value : x.mutableFloats()) {
    if (left == 0)
      bits = random(), left = 40;
    const int step = int(bits % 3) - 1;
    bits /= 3;
    --left;
    if (std::isinf(value)) {
      if (step < 0)
        value = std::copysign(largest, value);
      continue;
    }
    if (step == 0 || std::isnan(value))
      continue;
    const int exponent =
        value == 0 ? least : std::max(std::ilogb(value), least);
    const double changed = round(
        value + step * std::ldexp(1.0, exponent - int(format.mantissaBits)));
    if (std::isfinite(changed))
      value = changed;
  }
}

class Comparison {
public:
  Comparison(const Sample &sample, func::FuncOp before, func::FuncOp after,
             ArrayRef<ReferenceTensor> actual)
      : sample(sample), before(before), after(after), actual(actual),
        random(uint64_t(sample.regime) + 17) {}

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
      const double error = ::gaudi::distance(got, expected);
      const double allowed =
          tolerance.absolute + tolerance.ofElement * std::fabs(expected);
      if (error == 0 || (std::isfinite(expected) && error <= allowed))
        ++report.compared;
      else if (!std::isfinite(expected))
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
    if (sample.regime == Regime::Infinities)
      dropUndefined(number, pending, report);
    for (const unsigned draws : {drawsOfForm, moreDraws}) {
      drawForms(draws);
      llvm::erase_if(pending, [&](const Pending &element) {
        const int64_t i = element.element;
        double spread = 0;
        for (const Tensors &draw : drawsBefore)
          spread = std::max(spread,
                            ::gaudi::distance(draw[number].at(i), e.at(i)));
        double own = 0;
        for (const Tensors &draw : drawsAfter)
          own = std::max(own, ::gaudi::distance(draw[number].at(i), a.at(i)));
        if (!std::isfinite(spread)) {
          ++report.undefined;
          return true;
        }
        // Integers follow from decisions, which other roundings may change.
        const bool isNoise =
            e.isFloat() ? element.error <= element.allowed +
                                               beyondDraws * (spread + own)
                        : spread > 0;
        report.compared += isNoise && e.isFloat();
        report.undefined += isNoise && !e.isFloat();
        return isNoise;
      });
      if (pending.empty())
        return;
    }
    report.passed = false;
    report.result = number;
    report.text = describe(number, pending);
  }

  /// Of a result that depends on an infinite or NaN input, a form may make
  /// another one that is not finite.
  void dropUndefined(unsigned number, SmallVector<Pending> &pending,
                     SampleReport &report) {
    std::string why;
    auto one = evaluateQuietly(before, finiteInputs(sample.inputs, 1001), why);
    auto two = evaluateQuietly(before, finiteInputs(sample.inputs, 1002), why);
    if (failed(one) || failed(two))
      return;
    llvm::erase_if(pending, [&](const Pending &element) {
      const int64_t i = element.element;
      const bool isUndefined =
          !std::isfinite(actual[number].at(i)) &&
          ::gaudi::distance((*one)[number].at(i), (*two)[number].at(i)) != 0;
      report.undefined += isUndefined;
      return isUndefined;
    });
  }

  void drawForms(unsigned count) {
    auto draw = [&](func::FuncOp form, std::vector<Tensors> &draws) {
      while (draws.size() < count) {
        const QuietDiagnostics quiet(form.getContext());
        auto results = evaluateForCallers(
            form, sample.inputs,
            [&](Operation *op, MutableArrayRef<ReferenceTensor> values) {
              if (!isExact(op))
                for (ReferenceTensor &value : values)
                  if (value.isFloat())
                    roundOtherwise(value, random);
            });
        if (failed(results)) // an index that follows from floats
          return;
        draws.push_back(std::move(*results));
      }
    };
    draw(before, drawsBefore);
    draw(after, drawsAfter);
  }

  std::string describe(unsigned number, ArrayRef<Pending> pending) {
    const ReferenceTensor &e = sample.results[number], &a = actual[number];
    const Pending &worst = *llvm::max_element(
        pending, [](const Pending &x, const Pending &y) {
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
  std::mt19937_64 random;
  std::vector<Tensors> drawsBefore, drawsAfter;
};
} // namespace

SampleReport mlir::gaudi::compareForms(const Sample &sample,
                                       func::FuncOp before, func::FuncOp after,
                                       ArrayRef<ReferenceTensor> actual,
                                       NumericsScope scope, bool allowsNan) {
  if (sample.regime != Regime::Seeded)
    return Comparison(sample, before, after, actual).compare(scope);
  SampleReport report;
  for (auto [number, pair] :
       llvm::enumerate(llvm::zip_equal(sample.results, actual))) {
    ReferenceTensor expected = std::get<0>(pair), got = std::get<1>(pair);
    if (allowsNan && expected.isFloat() && expected.getType() == got.getType())
      for (auto [x, y] :
           llvm::zip(expected.mutableFloats(), got.mutableFloats()))
        if (std::isnan(x))
          x = y = 0, ++report.undefined;
    const ComparisonReport compared = compareTensors(got, expected, scope);
    report.compared += expected.getCount();
    if (compared.passed)
      continue;
    report.passed = false;
    report.result = number;
    report.text = compared.describe();
    break;
  }
  report.compared -= report.undefined;
  return report;
}
