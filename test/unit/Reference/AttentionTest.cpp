// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention against its definition, term by term, and gradients against
// differences of the forward op, over random forms of both.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Support/Philox.h"
#include "ReferenceTest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace gaudi;

namespace {

/// One attention: sizes, and what is drawn of its operands and attributes.
struct Form {
  int64_t batch, keyBatch, heads, keyHeads, queries, keys, depth, valueDepth;
  bool hasHeads; // rank 4
  std::string layouts[4];
  std::string maskType; // "" for none
  SmallVector<int64_t> maskShape;
  bool finiteMask = false;
  bool hasLengths = false, left = false, causal = false;
  int64_t window = 0;
  std::string dropoutType; // "seed", or the type of a mask; "" for none
  SmallVector<int64_t> dropoutShape;
  float dropout = 0;
};

struct Operand {
  std::string name, type;
  ReferenceTensor tensor;
};

class AttentionTest : public ReferenceTest {
protected:
  std::mt19937 random{7};

  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  double number() { return double(random() % 2001) / 1000 - 1; }

  SmallVector<int64_t> broadcastShape(const Form &f) {
    SmallVector<int64_t> shape{f.batch, f.heads, f.queries, f.keys};
    if (!f.hasHeads)
      shape.erase(shape.begin() + 1);
    for (int64_t &size : shape)
      if (draw(0, 2) == 0)
        size = 1;
    return shape;
  }

  Form drawForm() {
    Form f;
    f.hasHeads = draw(0, 3) != 0;
    f.batch = draw(1, 3);
    f.keyBatch = draw(0, 3) == 0 ? 1 : f.batch;
    f.keyHeads = f.hasHeads ? draw(1, 3) : 1;
    f.heads = f.keyHeads * (f.hasHeads ? draw(1, 3) : 1);
    f.queries = draw(1, 40);
    f.keys = draw(1, 9);
    f.depth = draw(1, 5);
    f.valueDepth = draw(1, 5);
    for (std::string &layout : f.layouts) {
      layout = f.hasHeads ? "NHLD" : "NLD";
      if (draw(0, 1))
        std::shuffle(layout.begin(), layout.end(), random);
    }
    const char *const masks[] = {"", "", "i1", "i1", "f32", "bf16"};
    f.maskType = masks[draw(0, 5)];
    f.maskShape = broadcastShape(f);
    f.finiteMask = f.maskType == "i1" && draw(0, 1);
    f.hasLengths = draw(0, 2) == 0;
    f.left = draw(0, 1);
    f.causal = draw(0, 2) == 0;
    f.window = draw(0, 2) == 0 ? draw(1, 5) : 0;
    const char *const dropouts[] = {"", "", "seed", "i1", "i8", "f32"};
    f.dropoutType = dropouts[draw(0, 5)];
    f.dropoutShape = broadcastShape(f);
    if (!f.dropoutType.empty())
      f.dropout = f.dropoutType == "seed" || draw(0, 1) ? 0.375f : 0;
    return f;
  }

  static std::string typeText(ArrayRef<int64_t> shape, StringRef element) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + element.str() + ">";
  }
  static SmallVector<int64_t> shapeOf(StringRef layout, int64_t n, int64_t h,
                                      int64_t l, int64_t d) {
    SmallVector<int64_t> shape;
    for (char letter : layout)
      shape.push_back(letter == 'N'   ? n
                      : letter == 'H' ? h
                      : letter == 'L' ? l
                                      : d);
    return shape;
  }

  Operand floats(const std::string &name, ArrayRef<int64_t> shape,
                 StringRef element = "f32") {
    Operand operand{name, typeText(shape, element), {}};
    operand.tensor = ReferenceTensor(type(operand.type));
    for (double &value : operand.tensor.mutableFloats())
      value = roundTo(operand.tensor.getElementType(), number());
    return operand;
  }
  Operand integers(const std::string &name, ArrayRef<int64_t> shape,
                   StringRef element, int64_t low, int64_t high) {
    Operand operand{name, typeText(shape, element), {}};
    operand.tensor = ReferenceTensor(type(operand.type));
    for (int64_t &value : operand.tensor.mutableInts())
      value = draw(low, high);
    return operand;
  }

  /// Query, key and value, then the operands that the form has.
  std::vector<Operand> drawOperands(const Form &f) {
    std::vector<Operand> all;
    all.push_back(floats(
        "q", shapeOf(f.layouts[0], f.batch, f.heads, f.queries, f.depth)));
    all.push_back(floats(
        "k", shapeOf(f.layouts[1], f.keyBatch, f.keyHeads, f.keys, f.depth)));
    all.push_back(floats("v", shapeOf(f.layouts[2], f.keyBatch, f.keyHeads,
                                      f.keys, f.valueDepth)));
    if (f.maskType == "i1")
      all.push_back(integers("mask", f.maskShape, "i1", 0, 1));
    else if (!f.maskType.empty())
      all.push_back(floats("mask", f.maskShape, f.maskType));
    if (f.hasLengths)
      all.push_back(integers("lengths", {f.batch}, "i32", -1, f.keys + 1));
    if (f.dropoutType == "seed")
      all.push_back(integers("seed", {1}, "i32", -5, 5));
    else if (f.dropoutType == "f32")
      all.push_back(floats("dropout_mask", f.dropoutShape));
    else if (!f.dropoutType.empty())
      all.push_back(
          integers("dropout_mask", f.dropoutShape, f.dropoutType, 0, 1));
    return all;
  }

  static constexpr float scale = 0.75f, maskValue = -3.0f;

  /// Attributes in the syntax of both ops.
  static std::string attributes(const Form &f, StringRef saves) {
    std::string text = "scale 0.75";
    if (f.causal)
      text += " causal";
    if (f.window)
      text += " window " + std::to_string(f.window);
    if (f.hasLengths && f.left)
      text += " padding <left>";
    if (f.dropout > 0)
      text += " dropout 0.375";
    if (!saves.empty())
      text += (" saves <" + saves + ">").str();
    text += " {query_layout = \"" + f.layouts[0] + "\", key_layout = \"" +
            f.layouts[1] + "\", value_layout = \"" + f.layouts[2] +
            "\", output_layout = \"" + f.layouts[3] + "\"";
    if (f.finiteMask)
      text += ", mask_value = -3.0 : f32";
    return text + "}";
  }

  /// "%0, %1, ... name %n" and the types; the first `fixed` have no names.
  static std::string operandText(ArrayRef<Operand> operands, size_t fixed) {
    std::string text;
    for (auto [i, operand] : llvm::enumerate(operands))
      text += (i >= fixed ? " " + operand.name + " "
               : i        ? ", "
                          : "") +
              "%" + std::to_string(i);
    return text;
  }

  SmallVector<ReferenceTensor>
  evaluate(StringRef op, ArrayRef<Operand> operands, size_t fixed,
           const Form &f, StringRef saves, ArrayRef<std::string> results) {
    SmallVector<ReferenceTensor> tensors;
    std::string types, resultTypes;
    for (const Operand &operand : operands) {
      tensors.push_back(operand.tensor);
      types += (types.empty() ? "" : ", ") + operand.type;
    }
    SmallVector<StringRef> texts;
    for (const std::string &result : results) {
      resultTypes += (resultTypes.empty() ? "" : ", ") + result;
      texts.push_back(result);
    }
    std::string text = "%r";
    if (results.size() > 1)
      text += ":" + std::to_string(results.size());
    text += " = gaudi." + op.str() + " " + operandText(operands, fixed) + " " +
            attributes(f, saves) + " : (" + types + ") -> (" + resultTypes +
            ")";
    return evaluateOp(text, tensors, texts);
  }

  std::vector<std::string> resultsOf(const Form &f, StringRef saves) {
    std::vector<std::string> results{typeText(
        shapeOf(f.layouts[3], f.batch, f.heads, f.queries, f.valueDepth),
        "f32")};
    auto canonical = [&](int64_t last, StringRef element) {
      return typeText(shapeOf(f.hasHeads ? "NHLD" : "NLD", f.batch, f.heads,
                              f.queries, last),
                      element);
    };
    if (saves == "statistics") {
      results.push_back(canonical(1, "f32"));
      results.push_back(canonical(1, "f32"));
      if (f.dropoutType == "seed")
        results.push_back("tensor<1xi32>");
    } else if (saves == "probabilities") {
      results.push_back(canonical(f.keys, "f32"));
      if (f.dropout > 0)
        results.push_back(canonical(f.keys, "i8"));
    }
    return results;
  }

  static const ReferenceTensor *find(ArrayRef<Operand> operands,
                                     StringRef name) {
    for (const Operand &operand : operands)
      if (operand.name == name)
        return &operand.tensor;
    return nullptr;
  }

  /// An element by its letters.
  static double at(const ReferenceTensor &tensor, StringRef layout, int64_t n,
                   int64_t h, int64_t l, int64_t d) {
    int64_t position = 0;
    for (auto [dim, letter] : llvm::enumerate(layout)) {
      const int64_t size = tensor.getDim(int64_t(dim));
      const int64_t index = letter == 'N'   ? n
                            : letter == 'H' ? h
                            : letter == 'L' ? l
                                            : d;
      position = position * size + (size == 1 ? 0 : index);
    }
    return tensor.at(position);
  }

  struct Row {
    std::vector<double> p, factor;
    double m = 0, linv = 0;
  };

  /// A row of probabilities, from the op's text.
  static Row rowOf(const Form &f, ArrayRef<Operand> operands, int64_t n,
                   int64_t h, int64_t i) {
    const StringRef order = f.hasHeads ? "NHLD" : "NLD";
    const int64_t keyHead = h / (f.heads / f.keyHeads);
    const ReferenceTensor *mask = find(operands, "mask"),
                          *lengths = find(operands, "lengths"),
                          *dropped = find(operands, "dropout_mask"),
                          *seed = find(operands, "seed");
    Row row;
    std::vector<double> scores;
    row.m = -infinity;
    for (int64_t j = 0; j < f.keys; ++j) {
      double score = 0;
      for (int64_t d = 0; d < f.depth; ++d)
        score += at(operands[0].tensor, f.layouts[0], n, h, i, d) *
                 at(operands[1].tensor, f.layouts[1], n, keyHead, j, d);
      score *= scale;
      if (mask && mask->isFloat())
        score += at(*mask, order, n, h, i, j);
      else if (mask && at(*mask, order, n, h, i, j) == 0)
        score = f.finiteMask ? maskValue : -infinity;
      bool visible = true;
      if (f.causal && j > i)
        visible = false;
      if (f.window && (i - j >= f.window || (!f.causal && j - i >= f.window)))
        visible = false;
      if (lengths) {
        const int64_t count = lengths->ints()[n];
        visible = visible && (f.left ? f.keys - j <= count : j < count);
      }
      scores.push_back(visible ? score : -infinity);
      row.m = std::max(row.m, scores.back());
      double factor = 1;
      if (dropped)
        factor = at(*dropped, order, n, h, i, j);
      if (seed) {
        const auto element =
            uint64_t(((n * f.heads + h) * f.queries + i) * f.keys + j);
        factor = gaudi::isKept(uint32_t(seed->ints()[0]), element, f.dropout);
      }
      if (f.dropout > 0)
        factor = factor != 0 ? 1 / (1 - double(f.dropout)) : 0;
      row.factor.push_back(factor);
    }
    if (row.m == -infinity) {
      row.m = 0;
      row.p.assign(f.keys, 0);
      return row;
    }
    double sum = 0;
    for (double score : scores)
      sum += std::exp(score - row.m);
    row.linv = 1 / sum;
    for (double score : scores)
      row.p.push_back(std::exp(score - row.m) / sum);
    return row;
  }

  static void expectNear(double actual, double expected, const char *what) {
    EXPECT_NEAR(actual, expected, 1e-6 * (1 + std::fabs(expected))) << what;
  }

  /// The sum of output times `weights`.
  double lossOf(const Form &f, ArrayRef<Operand> operands,
                const ReferenceTensor &weights) {
    const auto results = evaluate("sdpa", operands, 3, f, "", resultsOf(f, ""));
    double sum = 0;
    for (auto [a, b] : llvm::zip_equal(results[0].floats(), weights.floats()))
      sum += a * b;
    return sum;
  }
};

TEST_F(AttentionTest, isItsDefinition) {
  for (int trial = 0; trial < 60; ++trial) {
    const Form f = drawForm();
    const auto operands = drawOperands(f);
    const StringRef saves = trial % 2 ? "statistics" : "probabilities";
    const auto results =
        evaluate("sdpa", operands, 3, f, saves, resultsOf(f, saves));
    ASSERT_EQ(results.size(), resultsOf(f, saves).size());
    const StringRef order = f.hasHeads ? "NHLD" : "NLD";
    for (int64_t n = 0; n < f.batch; ++n)
      for (int64_t h = 0; h < f.heads; ++h)
        for (int64_t i = 0; i < f.queries; ++i) {
          const Row row = rowOf(f, operands, n, h, i);
          for (int64_t d = 0; d < f.valueDepth; ++d) {
            double sum = 0;
            for (int64_t j = 0; j < f.keys; ++j)
              sum += row.p[j] * row.factor[j] *
                     at(operands[2].tensor, f.layouts[2], n,
                        h / (f.heads / f.keyHeads), j, d);
            expectNear(at(results[0], f.layouts[3], n, h, i, d), sum, "output");
          }
          if (trial % 2) {
            expectNear(at(results[1], order, n, h, i, 0), row.m, "m");
            expectNear(at(results[2], order, n, h, i, 0), row.linv, "linv");
          }
          for (int64_t j = 0; trial % 2 == 0 && j < f.keys; ++j) {
            expectNear(at(results[1], order, n, h, i, j), row.p[j], "P");
            if (f.dropout > 0) {
              EXPECT_EQ(at(results[2], order, n, h, i, j), row.factor[j] != 0);
            }
          }
        }
    if (trial % 2 && f.dropoutType == "seed") {
      EXPECT_EQ(results[3].ints()[0], find(operands, "seed")->ints()[0]);
    }
    if (HasFailure())
      FAIL() << "trial " << trial << ": " << attributes(f, saves);
  }
}

/// Along a random direction of each operand the loss changes as the gradient
/// says. Results are f32, so that the difference has an error of about
/// 1e-7 / step, and the op is smooth, so that it has one of step^2.
TEST_F(AttentionTest, gradientsAreDifferences) {
  for (int trial = 0; trial < 60; ++trial) {
    const Form f = drawForm();
    auto operands = drawOperands(f);
    const bool isSaved = draw(0, 1), hasOutput = draw(0, 1);
    const StringRef saves = isSaved ? "probabilities" : "statistics";
    const auto forward =
        evaluate("sdpa", operands, 3, f, saves, resultsOf(f, saves));
    const Operand weights = floats(
        "", shapeOf(f.layouts[3], f.batch, f.heads, f.queries, f.valueDepth));

    std::vector<Operand> given{weights, operands[0], operands[1], operands[2]};
    auto add = [&](const std::string &name, const ReferenceTensor &tensor) {
      std::string text;
      llvm::raw_string_ostream(text) << tensor.getType();
      given.push_back({name, text, tensor});
    };
    if (hasOutput)
      add("output", forward[0]);
    // P holds what floats and lengths hide.
    for (size_t i = 3; i < operands.size(); ++i)
      if (!isSaved || (operands[i].name != "lengths" &&
                       (operands[i].name != "mask" || f.maskType == "i1")))
        given.push_back(operands[i]);
    if (isSaved) {
      add("probabilities", forward[1]);
    } else {
      add("m", forward[1]);
      add("linv", forward[2]);
    }
    Form ofGrad = f;
    ofGrad.hasLengths = f.hasLengths && !isSaved;
    const auto gradients =
        evaluate("sdpa_grad", given, 4, ofGrad, "",
                 {operands[0].type, operands[1].type, operands[2].type});
    ASSERT_EQ(gradients.size(), 3u);
    for (unsigned i = 0; i < 3; ++i) {
      constexpr double step = 1.0 / 256;
      auto low = operands, high = operands;
      double expected = 0, size = 1;
      for (int64_t e = 0; e < operands[i].tensor.getCount(); ++e) {
        const double to = number() * step, x = operands[i].tensor.at(e);
        low[i].tensor.mutableFloats()[e] = float(x - to);
        high[i].tensor.mutableFloats()[e] = float(x + to);
        const double change = high[i].tensor.at(e) - low[i].tensor.at(e);
        expected += gradients[i].at(e) * change;
        size += std::fabs(gradients[i].at(e) * change);
      }
      const double actual =
          lossOf(f, high, weights.tensor) - lossOf(f, low, weights.tensor);
      EXPECT_NEAR(actual, expected, 1e-4 * size * step + 2e-5)
          << "operand " << i << " of trial " << trial << ": "
          << attributes(f, saves);
    }
  }
}

TEST_F(AttentionTest, roundsProbabilitiesOfEightBitFloatsByTheirScale) {
  const auto f8 = [&](StringRef shape, ArrayRef<double> values) {
    return tensor(("tensor<" + shape + "xf8E4M3FN>").str(), values);
  };
  const auto one = [&](double value) { return tensor("tensor<f32>", {value}); };
  // Scores 0 and log 3 give P = 1/4 and 3/4; times 0.3 they round to 0.078125
  // and 0.21875.
  const SmallVector<ReferenceTensor> inputs{f8("1x1x1", {1}),
                                            f8("1x2x1", {0, 1}),
                                            f8("1x2x2", {8, 0, 0, 16}),
                                            one(0.5),
                                            one(2 * std::log(3.0)),
                                            one(0.25),
                                            one(0.3),
                                            one(4)};
  const auto results = evaluateOp(
      "%r:3 = gaudi.sdpa %0, %1, %2 d_scale_q %3 d_scale_k %4 d_scale_v %5 "
      "q_scale_s %6 d_scale_s %7 scale 1.0 amax_s amax_o : "
      "(tensor<1x1x1xf8E4M3FN>, tensor<1x2x1xf8E4M3FN>, "
      "tensor<1x2x2xf8E4M3FN>, tensor<f32>, tensor<f32>, tensor<f32>, "
      "tensor<f32>, tensor<f32>) -> (tensor<1x1x2xbf16>, tensor<f32>, "
      "tensor<f32>)",
      inputs, {"tensor<1x1x2xbf16>", "tensor<f32>", "tensor<f32>"});
  EXPECT_THAT(numbers(results[0]), ::testing::ElementsAre(0.625, 3.5));
  EXPECT_NEAR(results[1].at(0), 0.75, 1e-6);
  EXPECT_EQ(results[2].at(0), 3.5);
}

TEST_F(AttentionTest, saturatesEightBitFloatsAtTheLargestNumberOfTheDevice) {
  struct {
    std::string device, type;
    double largest;
  } const cases[] = {{"gaudi2", "f8E4M3FN", 240},
                     {"gaudi3", "f8E4M3FN", 448},
                     {"gaudi2", "f8E5M2", 57344}};
  for (const auto &[device, type, largest] : cases) {
    const std::string row = "tensor<1x1x1x" + type + ">",
                      keys = "tensor<1x2x1x" + type + ">",
                      scores = "tensor<1x1x2x" + type + ">";
    OwningOpRef<ModuleOp> module = parse(
        "module attributes {gaudi.device = \"" + device + "\"} {\n" +
        "func.func @f(%q: " + row + ", %k: " + keys + ", %v: " + keys +
        ", %s: tensor<f32>, %o: tensor<f32>, %d: tensor<f32>) -> (" + row +
        ", " + scores + ", tensor<f32>) {\n" +
        "%r:3 = gaudi.sdpa %q, %k, %v q_scale_s %s q_scale_o %o d_scale_s %d "
        "scale 1.0 saves <probabilities> amax_s : (" +
        row + ", " + keys + ", " + keys +
        ", tensor<f32>, tensor<f32>, tensor<f32>) -> (" + row + ", " + scores +
        ", tensor<f32>)\nreturn %r#0, %r#1, %r#2 : " + row + ", " + scores +
        ", tensor<f32>\n}\n}");
    ASSERT_TRUE(module);
    // Both probabilities are 1/2. Their sum with the values, -1 in all, is
    // finite; times the scale of the output it is not.
    const SmallVector<ReferenceTensor> inputs{
        tensor(row, {1}),
        tensor(keys, {0, 0}),
        tensor(keys, {1, -2}),
        tensor("tensor<f32>", {4 * largest}),
        tensor("tensor<f32>", {2 * largest}),
        tensor("tensor<f32>", {1 / largest})};
    auto results =
        evaluateFunction(*module->getOps<func::FuncOp>().begin(), inputs);
    ASSERT_TRUE(succeeded(results));
    EXPECT_THAT(numbers((*results)[0]), same({-largest}));
    EXPECT_THAT(numbers((*results)[1]), same({largest, largest}));
    EXPECT_THAT(numbers((*results)[2]), same({0.5}));
  }
}

// The maximum is rounded before the sum is computed, so that both give P.
TEST_F(AttentionTest, statisticsOfBf16GiveTheProbabilities) {
  const SmallVector<ReferenceTensor> inputs{
      tensor("tensor<1x1x1xbf16>", {100.5}),
      tensor("tensor<1x2x1xbf16>", {1.0078125, 1}),
      tensor("tensor<1x2x1xbf16>", {1, 0})};
  const auto results = evaluateOp(
      "%r:3 = gaudi.sdpa %0, %1, %2 scale 1.0 saves <statistics> : "
      "(tensor<1x1x1xbf16>, tensor<1x2x1xbf16>, tensor<1x2x1xbf16>) -> "
      "(tensor<1x1x1xbf16>, tensor<1x1x1xbf16>, tensor<1x1x1xf32>)",
      inputs,
      {"tensor<1x1x1xbf16>", "tensor<1x1x1xbf16>", "tensor<1x1x1xf32>"});
  const double score = 100.5 * 1.0078125, m = results[1].at(0);
  EXPECT_NE(m, score) << "the maximum is no bf16 number";
  EXPECT_NEAR(std::exp(score - m) * results[2].at(0), results[0].at(0), 2e-3);
}

TEST_F(AttentionTest, inverseSumIsZeroIfTheMaximumOverflows) {
  // The second score is hidden; the first is below every bf16 number.
  const SmallVector<ReferenceTensor> inputs{
      tensor("tensor<1x1x1xbf16>", {1}), tensor("tensor<1x2x1xbf16>", {1, 1}),
      tensor("tensor<1x2x1xbf16>", {3, 5}), tensor("tensor<1x1x1xi1>", {0})};
  const auto results = evaluateOp(
      "%r:3 = gaudi.sdpa %0, %1, %2 mask %3 scale 1.0 causal "
      "saves <statistics> {mask_value = -3.4028234663852886e38 : f32} : "
      "(tensor<1x1x1xbf16>, tensor<1x2x1xbf16>, tensor<1x2x1xbf16>, "
      "tensor<1x1x1xi1>) -> "
      "(tensor<1x1x1xbf16>, tensor<1x1x1xbf16>, tensor<1x1x1xf32>)",
      inputs,
      {"tensor<1x1x1xbf16>", "tensor<1x1x1xbf16>", "tensor<1x1x1xf32>"});
  EXPECT_EQ(results[0].at(0), 3);
  EXPECT_EQ(results[1].at(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(results[2].at(0), 0);
}

} // namespace
