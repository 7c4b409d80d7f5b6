// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants after gaudi-mask-padding against the function of the real size: the
// same text with other sizes. Padding of the variant holds NaN, infinities or
// garbage.
#ifndef GAUDI_TEST_TRANSFORMS_PADDINGTEST_H
#define GAUDI_TEST_TRANSFORMS_PADDINGTEST_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/Shapes/PaddingPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>

namespace gaudi {

/// Sizes of the symbols by letter.
using Sizes = std::map<char, int64_t>;

/// Sums, differences, products and quotients of letters and numbers, with
/// parentheses.
class SizeText {
public:
  SizeText(StringRef text, const Sizes &sizes) : text(text), sizes(sizes) {}
  int64_t sum() {
    int64_t value = product();
    while (!text.empty() && (text.front() == '+' || text.front() == '-')) {
      const bool minus = text.front() == '-';
      text = text.drop_front();
      const int64_t next = product();
      value += minus ? -next : next;
    }
    return value;
  }

private:
  int64_t product() {
    int64_t value = factor();
    while (!text.empty() && (text.front() == '*' || text.front() == '/')) {
      const bool divides = text.front() == '/';
      text = text.drop_front();
      const int64_t next = factor();
      value = divides ? value / next : value * next;
    }
    return value;
  }
  int64_t factor() {
    if (text.consume_front("(")) {
      const int64_t value = sum();
      EXPECT_TRUE(text.consume_front(")"));
      return value;
    }
    if (isalpha(text.front())) {
      const char letter = text.front();
      text = text.drop_front();
      return sizes.at(letter);
    }
    int64_t value = 0;
    EXPECT_FALSE(text.consumeInteger(10, value));
    return value;
  }

  StringRef text;
  const Sizes &sizes;
};

/// `text` with each @EXPRESSION@ replaced by its value.
inline std::string withSizes(StringRef text, const Sizes &sizes) {
  std::string result;
  while (true) {
    auto [before, rest] = text.split('@');
    result += before;
    if (rest.empty())
      return result;
    // A symbol's name follows the sign as well; sizes end with one.
    const size_t end = rest.find('@');
    const StringRef inner = rest.take_front(end);
    if (inner.find_first_not_of("BST0123456789+-*/()") != StringRef::npos ||
        end == StringRef::npos) {
      result += "@";
      text = rest;
      continue;
    }
    result += std::to_string(SizeText(inner, sizes).sum());
    text = rest.drop_front(end + 1);
  }
}

enum class Poison { NaN, Infinity, Garbage };

class PaddingTest : public testing::Test {
protected:
  PaddingTest() {
    registerReferenceModels(registry);
    registry.insert<func::FuncDialect, GaudiDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  double number() { return double(random() % 4001) / 1000 - 2; }
  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }

  /// Symbols of a bucket, in the order of their letters: S is in [1, 16], all
  /// others in [1, 8].
  static std::string head(const Sizes &bucket) {
    std::string symbols, sizes;
    for (auto [letter, size] : bucket) {
      const std::string separator = symbols.empty() ? "" : ", ";
      symbols += separator + "{name = \"" + letter +
                 "\", min = 1, max = " + (letter == 'S' ? "16" : "8") +
                 ", multiple = 1}";
      sizes += separator + std::to_string(size);
    }
    return "attributes {gaudi.symbols = [" + symbols +
           "], gaudi.bucket = array<i64: " + sizes + ">}";
  }

  OwningOpRef<ModuleOp> parse(StringRef text, const Sizes &sizes,
                              const Sizes &bucket, StringRef attributes) {
    std::string whole = withSizes(text, sizes);
    const size_t at = whole.find("ATTRIBUTES");
    EXPECT_NE(at, std::string::npos);
    whole.replace(at, 10, attributes.str());
    return parseSourceString<ModuleOp>(whole, &context);
  }

  static int64_t valueOf(AffineExpr expr, const Sizes &sizes) {
    MLIRContext *context = expr.getContext();
    SmallVector<AffineExpr> constants;
    for (auto [letter, size] : sizes)
      constants.push_back(getAffineConstantExpr(size, context));
    const AffineExpr value =
        simplifyAffineExpr(expr.replaceSymbols(constants), 0, 0);
    return cast<AffineConstantExpr>(value).getValue();
  }

  /// True where integers of inputs are indices that only padding has.
  bool drawsPadding = false;

  /// An input of the real size: indices are less than S.
  ReferenceTensor drawInput(RankedTensorType type, const Sizes &real) {
    ReferenceTensor tensor(type);
    if (tensor.isFloat())
      for (double &value : tensor.mutableFloats())
        value = roundTo(type.getElementType(), number());
    else
      for (int64_t &value : tensor.mutableInts())
        value = type.getElementType().isInteger(1) ? draw(0, 1)
                : drawsPadding                     ? real.at('S')
                                                   : draw(0, real.at('S') - 1);
    return tensor;
  }

  /// `real` in the corner of a tensor of `type`, poison around it.
  ReferenceTensor padded(const ReferenceTensor &real, RankedTensorType type,
                         Poison poison) {
    ReferenceTensor tensor(type);
    for (int64_t i = 0; i < tensor.getCount(); ++i) {
      const double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
      if (tensor.isFloat())
        tensor.mutableFloats()[i] =
            poison == Poison::NaN ? nan
            : poison == Poison::Infinity
                ? (random() % 2 ? infinity : -infinity)
                : roundTo(type.getElementType(), number() * 1e4);
      else
        tensor.mutableInts()[i] =
            wrapTo(type.getElementType(),
                   random() % 2 ? -1 - draw(0, 1 << 30) : draw(0, 1 << 30));
    }
    forEachReal(real.getShape(), type.getShape(),
                [&](int64_t from, int64_t to) {
                  if (tensor.isFloat())
                    tensor.mutableFloats()[to] = real.floats()[from];
                  else
                    tensor.mutableInts()[to] = real.ints()[from];
                });
    return tensor;
  }

  /// Calls f with the numbers of each element of a box in itself and in a
  /// larger one.
  static void forEachReal(ArrayRef<int64_t> real, ArrayRef<int64_t> whole,
                          llvm::function_ref<void(int64_t, int64_t)> f) {
    int64_t count = 1;
    for (int64_t size : real)
      count *= size;
    for (int64_t i = 0; i < count; ++i) {
      int64_t left = i, to = 0, stride = 1;
      for (size_t d = real.size(); d-- > 0;) {
        to += left % real[d] * stride;
        left /= real[d];
        stride *= whole[d];
      }
      f(i, to);
    }
  }

  /// Runs the passes on a variant; false after an error.
  bool mask(ModuleOp module, bool expandsFirst) {
    PassManager manager(&context);
    if (expandsFirst)
      manager.addPass(createExpandKernels());
    manager.addPass(createMaskPadding({}));
    return succeeded(manager.run(module)) && succeeded(verify(module));
  }

  /// Compares the real elements of a variant with the function of their size.
  /// Returns false if the pass refuses the variant.
  bool check(StringRef text, const Sizes &real, const Sizes &bucket,
             Poison poison, bool expandsFirst, double tolerance = 2e-5) {
    auto exact = parse(text, real, real, "");
    auto variant = parse(text, bucket, bucket, head(bucket));
    if (!exact || !variant) {
      ADD_FAILURE() << "not parsed:\n" << text.str();
      return true;
    }
    if (!mask(*variant, expandsFirst))
      return false;
    auto f = *exact->getOps<func::FuncOp>().begin(),
         g = *variant->getOps<func::FuncOp>().begin();
    SmallVector<ReferenceTensor> realInputs, inputs;
    for (BlockArgument argument : g.getArguments()) {
      const unsigned number = argument.getArgNumber();
      if (auto map =
              g.getArgAttrOfType<AffineMapAttr>(number, extentAttrName)) {
        ReferenceTensor extent{
            RankedTensorType::get({}, IntegerType::get(&context, 32))};
        extent.mutableInts()[0] = valueOf(map.getValue().getResult(0), real);
        inputs.push_back(extent);
        if (number < f.getNumArguments())
          realInputs.push_back(extent);
        continue;
      }
      realInputs.push_back(drawInput(
          cast<RankedTensorType>(f.getArgumentTypes()[number]), real));
      inputs.push_back(padded(realInputs.back(),
                              cast<RankedTensorType>(argument.getType()),
                              poison));
    }
    auto expected = evaluateFunction(f, realInputs);
    auto got = evaluateFunction(g, inputs);
    if (drawsPadding) {
      EXPECT_TRUE(failed(expected)) << text.str();
      EXPECT_TRUE(failed(got)) << text.str();
      return true;
    }
    if (failed(expected) || failed(got)) {
      ADD_FAILURE() << "not evaluated";
      return true;
    }
    for (size_t result = 0; result < expected->size(); ++result) {
      const ReferenceTensor &want = (*expected)[result], &have = (*got)[result];
      double largest = 0;
      for (int64_t i = 0; i < want.getCount(); ++i)
        if (std::isfinite(want.at(i)))
          largest = std::max(largest, std::abs(want.at(i)));
      int64_t wrong = 0;
      forEachReal(want.getShape(), have.getShape(), [&](int64_t i, int64_t j) {
        const double a = want.at(i), b = have.at(j);
        const bool same =
            a == b || (std::isnan(a) && std::isnan(b)) ||
            (want.isFloat() && std::abs(a - b) <= tolerance * (1 + largest));
        if (!same && ++wrong <= 3)
          ADD_FAILURE() << "element " << i << ": " << b << " instead of " << a;
      });
      if (wrong) {
        std::string ir;
        llvm::raw_string_ostream stream(ir);
        variant->print(stream);
        std::string sizes;
        for (auto [letter, size] : real)
          sizes += letter + (" " + std::to_string(size)) + " of " +
                   std::to_string(bucket.at(letter)) + "\n";
        ADD_FAILURE() << sizes << withSizes(text, real) << "\n" << ir;
      }
    }
    return true;
  }

  /// Random sizes and all kinds of padding; also with ops that are kernels
  /// already.
  void checkAll(StringRef text, double tolerance = 2e-5,
                bool alsoKernels = true) {
    for (int trial = 0; trial < 12 && !HasFailure(); ++trial) {
      const Sizes bucket{{'B', draw(1, 4)}, {'S', draw(2, 8)}};
      const Sizes real{{'B', draw(1, bucket.at('B'))},
                       {'S', draw(1, bucket.at('S'))}};
      EXPECT_TRUE(check(text, real, bucket, Poison(trial % 3),
                        alsoKernels && trial % 2, tolerance))
          << text.str();
    }
  }

  /// Indices of padding of a tensor stop the launch, as in the program.
  void checkStops(StringRef text) {
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    drawsPadding = true;
    for (int trial = 0; trial < 6 && !HasFailure(); ++trial) {
      const Sizes bucket{{'B', draw(1, 4)}, {'S', draw(2, 8)}};
      const Sizes real{{'B', draw(1, bucket.at('B'))},
                       {'S', draw(1, bucket.at('S') - 1)}};
      EXPECT_TRUE(check(text, real, bucket, Poison(trial % 3), trial % 2))
          << text.str();
    }
    drawsPadding = false;
  }

  /// A function on x [B, S, 4] whose result has the sizes `result`.
  static std::string function(StringRef body, StringRef resultType,
                              StringRef resultShape, StringRef more = "") {
    return ("func.func @f(%x: tensor<@B@x@S@x4xf32> {gaudi.shape = "
            "affine_map<()[b, s] -> (b, s, 4)>}" +
            more + ") -> (" + resultType +
            " {gaudi.shape = affine_map<()[b, s] -> (" + resultShape +
            ")>}) ATTRIBUTES {\n" + body + "}\n")
        .str();
  }

  DialectRegistry registry;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::mt19937 random{11};
};

} // namespace gaudi

#endif // GAUDI_TEST_TRANSFORMS_PADDINGTEST_H
