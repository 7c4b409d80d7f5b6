// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of the reference evaluator share: a context, tensors from
// lists of numbers, functions from text, and the errors that were emitted.
#ifndef GAUDI_TEST_UNIT_REFERENCE_REFERENCETEST_H
#define GAUDI_TEST_UNIT_REFERENCE_REFERENCETEST_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/Numerics.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gaudi {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

class ReferenceTest : public ::testing::Test {
protected:
  ReferenceTest() {
    DialectRegistry registry;
    registry.insert<GaudiDialect, arith::ArithDialect, func::FuncDialect,
                    math::MathDialect>();
    registerReferenceModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    handler = std::make_unique<ScopedDiagnosticHandler>(
        &context, [this](Diagnostic &diagnostic) {
          messages.push_back(diagnostic.str());
          return success();
        });
  }

  RankedTensorType type(StringRef text) {
    return cast<RankedTensorType>(parseType(text, &context));
  }

  /// A tensor such as "tensor<2x2xf32>" with the given elements, rounded.
  ReferenceTensor tensor(StringRef text, ArrayRef<double> values) {
    ReferenceTensor result(type(text));
    EXPECT_EQ(static_cast<int64_t>(values.size()), result.getCount());
    for (auto [i, value] : llvm::enumerate(values)) {
      if (result.isFloat())
        result.mutableFloats()[i] = roundTo(result.getElementType(), value);
      else
        result.mutableInts()[i] =
            wrapTo(result.getElementType(), static_cast<int64_t>(value));
    }
    return result;
  }

  static std::vector<double> numbers(const ReferenceTensor &tensor) {
    std::vector<double> result;
    for (int64_t i = 0; i < tensor.getCount(); ++i)
      result.push_back(tensor.at(i));
    return result;
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str() << "\n"
                        << ::testing::PrintToString(messages);
    return module;
  }

  /// The results of `op` ("%r = gaudi... %0, %1 ..."), which reads the function
  /// arguments %0, %1, ... of the types of `inputs` and defines %r or %r:n.
  SmallVector<ReferenceTensor> evaluateOp(StringRef op,
                                          ArrayRef<ReferenceTensor> inputs,
                                          ArrayRef<StringRef> resultTypes) {
    std::string text = "func.func @f(";
    llvm::raw_string_ostream out(text);
    for (auto [i, input] : llvm::enumerate(inputs))
      out << (i ? ", " : "") << "%" << i << ": " << input.getType();
    out << ") -> (" << llvm::join(resultTypes, ", ") << ") {\n  " << op
        << "\n  return ";
    for (size_t i = 0; i < resultTypes.size(); ++i)
      out << (i ? ", " : "") << "%r"
          << (resultTypes.size() > 1 ? "#" + std::to_string(i) : "");
    out << " : " << llvm::join(resultTypes, ", ") << "\n}\n";
    OwningOpRef<ModuleOp> module = parse(text);
    if (!module)
      return {};
    FailureOr<SmallVector<ReferenceTensor>> results =
        evaluateFunction(*module->getOps<func::FuncOp>().begin(), inputs);
    return succeeded(results) ? *results : SmallVector<ReferenceTensor>();
  }

  /// The numbers of the only result; empty if the evaluation failed.
  std::vector<double> valuesOf(StringRef op, ArrayRef<ReferenceTensor> inputs,
                               StringRef resultType) {
    SmallVector<ReferenceTensor> results = evaluateOp(op, inputs, {resultType});
    if (results.size() != 1)
      return {};
    EXPECT_EQ(results[0].getType(), type(resultType));
    return numbers(results[0]);
  }

  MLIRContext context;
  std::vector<std::string> messages;
  std::unique_ptr<ScopedDiagnosticHandler> handler;
};

/// Equal numbers, NaN equal to NaN, zeros distinguished by their sign.
MATCHER_P(SameNumbers, expected, "") {
  std::vector<double> wanted(expected);
  if (wanted.size() != arg.size())
    return false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (std::isnan(wanted[i])
            ? !std::isnan(arg[i])
            : wanted[i] != arg[i] ||
                  std::signbit(wanted[i]) != std::signbit(arg[i])) {
      *result_listener << "element " << i << ": expected " << wanted[i]
                       << " but got " << arg[i];
      return false;
    }
  }
  return true;
}
inline auto same(std::vector<double> expected) {
  return SameNumbers(std::move(expected));
}

} // namespace gaudi

#endif // GAUDI_TEST_UNIT_REFERENCE_REFERENCETEST_H
