// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tolerance table and the comparison that uses it.
#include "Gaudi/Reference/Numerics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

ArrayRef<NumericsRow> gaudi::numericsTable() { return gaudi::toleranceTable; }

Tolerance gaudi::toleranceOf(Type elementType, NumericsScope scope) {
  std::string name = "integer";
  if (isa<FloatType>(elementType)) {
    name.clear();
    llvm::raw_string_ostream(name) << elementType;
  }
  const NumericsRow &row = gaudi::toleranceRow(name);
  return scope == NumericsScope::Op ? row.op : row.model;
}

ComparisonReport gaudi::compareTensors(const ReferenceTensor &actual,
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
  const uint64_t count = uint64_t(reference.getCount());
  const gaudi::Deviation found =
      reference.isFloat()
          ? gaudi::compareElements(
                count, [&](uint64_t i) { return actual.floats()[i]; },
                [&](uint64_t i) { return reference.floats()[i]; }, tolerance)
          : gaudi::compareElements(
                count, [&](uint64_t i) { return actual.ints()[i]; },
                [&](uint64_t i) { return reference.ints()[i]; }, tolerance);
  report.passed = found.passed();
  report.failures = int64_t(found.failures);
  report.largest = found.largest;
  // No element is the worst one.
  if (count == 0)
    return report;
  report.worst = int64_t(found.worst);
  report.actual = found.actual;
  report.reference = found.reference;
  report.error = found.error;
  report.allowed = found.allowed;
  // Row-major, the last dimension fastest.
  report.position.resize(reference.getRank());
  int64_t rest = report.worst;
  for (int64_t d = reference.getRank(); d-- > 0; rest /= reference.getDim(d))
    report.position[d] = rest % reference.getDim(d);
  return report;
}

ComparisonReport gaudi::compareTensors(const ReferenceTensor &actual,
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
