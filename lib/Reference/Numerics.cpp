// The tolerance table and the comparison that uses it.
#include "Gaudi/Reference/Numerics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::gaudi;

ArrayRef<NumericsRow> mlir::gaudi::numericsTable() {
  return ::gaudi::toleranceTable;
}

Tolerance mlir::gaudi::toleranceOf(Type elementType, NumericsScope scope) {
  std::string name = "integer";
  if (isa<FloatType>(elementType)) {
    name.clear();
    llvm::raw_string_ostream(name) << elementType;
  }
  const NumericsRow &row = ::gaudi::toleranceRow(name);
  return scope == NumericsScope::Op ? row.op : row.model;
}

/// |a - b|, 0 for equal infinities and for two NaNs, infinite for any other
/// pair with a value that is not finite.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  if (!std::isfinite(a) || !std::isfinite(b))
    return std::numeric_limits<double>::infinity();
  return std::fabs(a - b);
}

ComparisonReport mlir::gaudi::compareTensors(const ReferenceTensor &actual,
                                             const ReferenceTensor &reference,
                                             Tolerance tolerance) {
  ComparisonReport report;
  if (actual.getType() != reference.getType()) {
    report.passed = false;
    llvm::raw_string_ostream(report.mismatch)
        << "expected a result of type " << reference.getType() << " but got "
        << actual.getType();
    return report;
  }
  const int64_t count = reference.getCount();
  const bool isFloat = reference.isFloat();
  if (isFloat)
    for (double value : reference.floats())
      if (std::isfinite(value))
        report.largest = std::max(report.largest, std::fabs(value));

  double worstRatio = -1;
  for (int64_t i = 0; i < count; ++i) {
    double error, allowed = 0;
    if (isFloat) {
      const double expected = reference.floats()[i];
      error = distance(actual.floats()[i], expected);
      allowed =
          tolerance.absolute + tolerance.ofLargest * report.largest +
          (std::isfinite(expected) ? tolerance.ofElement * std::fabs(expected)
                                   : 0);
    } else {
      // int64 differences may not fit a double: equal values are exactly so.
      error = actual.ints()[i] == reference.ints()[i]
                  ? 0
                  : std::max(1.0, std::fabs(actual.at(i) - reference.at(i)));
    }
    if (!(error <= allowed))
      ++report.failures;
    const double ratio = error == 0 ? 0
                         : allowed == 0
                             ? std::numeric_limits<double>::infinity()
                             : error / allowed;
    if (ratio > worstRatio) {
      worstRatio = ratio;
      report.worst = i;
      report.error = error;
      report.allowed = allowed;
    }
  }
  report.passed = report.failures == 0;
  if (report.worst < 0)
    return report;
  report.actual = actual.at(report.worst);
  report.reference = reference.at(report.worst);
  report.position.resize(reference.getRank());
  int64_t rest = report.worst;
  for (int64_t d = reference.getRank(); d-- > 0; rest /= reference.getDim(d))
    report.position[d] = rest % reference.getDim(d);
  return report;
}

ComparisonReport mlir::gaudi::compareTensors(const ReferenceTensor &actual,
                                             const ReferenceTensor &reference,
                                             NumericsScope scope) {
  return compareTensors(actual, reference,
                        toleranceOf(reference.getElementType(), scope));
}

std::string ComparisonReport::describe() const {
  if (!mismatch.empty())
    return mismatch;
  if (worst < 0)
    return "no elements";
  std::string index;
  llvm::raw_string_ostream(index) << llvm::interleaved_array(position);
  // Nine digits tell any two f32 values apart.
  auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9g", value);
    return std::string(text);
  };
  return llvm::formatv(
      "worst element {0}: expected {1} but got {2} (error {3}, allowed {4}); "
      "{5} element{6} out of tolerance",
      index, number(reference), number(actual), number(error), number(allowed),
      failures, failures == 1 ? "" : "s");
}
