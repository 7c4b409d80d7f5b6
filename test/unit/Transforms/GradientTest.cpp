// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backward graphs of attentions become gaudi.sdpa_grad, however they are
// written, and keep their values.
#include "Attention/MatchGradient.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
using Sizes = std::vector<int64_t>;

std::string typeOf(const Sizes &sizes, const char *element = "f32") {
  return fmt::format("tensor<{}x{}>", fmt::join(sizes, "x"), element);
}

/// Writes an attention with its gradients, each part in one of the ways that
/// exporters have. Names of values are those of the mathematics.
class Program {
public:
  explicit Program(uint32_t seed)
      : random(seed), images(1 + pick(3)), keyHeads(1 + pick(3)),
        group(1 + pick(2)), queries(2 + pick(4)), keys(2 + pick(4)),
        depth(2 + pick(3)), valueDepth(2 + pick(3)) {}

  /// One with an op that changes numbers, at an edge of the backward graph. All
  /// matrices are square, so that a transpose fits everywhere.
  Program(uint32_t seed, std::string edge, std::string mutation)
      : Program(seed) {
    queries = keys = depth = valueDepth = 4;
    mutated = std::move(edge);
    this->mutation = std::move(mutation);
  }
  static constexpr const char *edges[] = {"dO", "dP", "p",  "D",
                                          "dS", "dq", "dk", "dv"};
  static constexpr const char *mutations[] = {
      "clamp", "relu",  "min",  "max",    "abs",     "threshold",
      "floor", "bf16",  "stop", "scale",  "offset",  "transpose",
      "round", "isnan", "sign", "maxnum", "infinite"};

  std::string write() {
    heads = keyHeads * group;
    scores = {images, heads, queries, keys};
    rows = {images, heads, queries, 1};
    isMerged = pick(3) == 0;
    writeForward();
    writeWeightsGrad();
    writeScoresGrad();
    writeProducts();
    const std::string q = typeOf(stored({images, heads, queries, depth}, 0));
    const std::string k = typeOf(stored({images, keyHeads, keys, depth}, 1));
    const std::string v =
        typeOf(stored({images, keyHeads, keys, valueDepth}, 2));
    const std::string o =
        typeOf(stored({images, heads, queries, valueDepth}, 3));
    return fmt::format("func.func @main(%q: {0}, %k: {1}, %v: {2}, %dO: {3}, "
                       "%m: {4}, %w: {5}) "
                       "-> ({0}, {1}, {2}) {{\n{6}  return %dq, %dk, %dv : "
                       "{0}, {1}, {2}\n}}\n",
                       q, k, v, o, typeOf(scores, "i1"), typeOf(scores), body);
  }

private:
  int64_t pick(int64_t count) { return int64_t(random() % uint32_t(count)); }
  bool coin() { return pick(2) == 0; }

  void add(const std::string &line) { body += "  " + line + "\n"; }
  /// An elementwise op on tensors of these sizes.
  void binary(const std::string &result, const char *op, const std::string &a,
              const std::string &b, const Sizes &sizes) {
    const std::string type = typeOf(sizes);
    add(fmt::format("%{} = gaudi.tpc.{} %{}, %{} : {}, {} -> {}", result, op, a,
                    b, type, type, type));
  }
  /// The value that is read instead of `x` at the edge.
  std::string at(const char *edge, const std::string &x, const Sizes &sizes) {
    if (mutated != edge)
      return x;
    const std::string type = typeOf(sizes), bit = typeOf(sizes, "i1");
    auto constant = [&](const char *name, const char *value) {
      add(fmt::format("%{} = gaudi.constant dense<{}> : {}", name, value,
                      type));
    };
    auto selected = [&](const char *predicate, const std::string &than,
                        const char *otherwise) {
      add(fmt::format("%mut_c = gaudi.tpc.compare <{}> %{}, %{} : {}, {} -> {}",
                      predicate, x, than, type, type, bit));
      add(fmt::format("%mut = gaudi.tpc.select %mut_c, %{0}, %{1} : {2}, {3}, "
                      "{3} -> {3}",
                      x, otherwise, bit, type));
    };
    constant("mut_zero", "0.0");
    if (mutation == "clamp") {
      add(fmt::format(
          "%mut = gaudi.tpc.clamp %{} min -2.0 : f32 max 2.0 : f32 : {}", x,
          type));
    } else if (mutation == "relu") {
      binary("mut", "max", x, "mut_zero", sizes);
    } else if (mutation == "min" || mutation == "max" || mutation == "maxnum") {
      constant("mut_b", mutation == "min" ? "1.5" : "-1.5");
      binary("mut", mutation.c_str(), x, "mut_b", sizes);
    } else if (mutation == "abs" || mutation == "floor" ||
               mutation == "round" || mutation == "sign") {
      add(fmt::format("%mut = gaudi.tpc.{} %{} : {}", mutation, x, type));
    } else if (mutation == "threshold") {
      constant("mut_b", "1.25");
      selected("lt", "mut_b", "mut_b");
    } else if (mutation == "isnan") {
      // Only a NaN is replaced: another function, though not of finite numbers.
      selected("eq", x, "mut_zero");
    } else if (mutation == "infinite") {
      constant("mut_b", "0x7F800000");
      selected("lt", "mut_b", "mut_zero");
    } else if (mutation == "bf16") {
      const std::string narrow = typeOf(sizes, "bf16");
      add(fmt::format("%mut_n = gaudi.tpc.cast %{} : {} -> {}", x, type,
                      narrow));
      add(fmt::format("%mut = gaudi.tpc.cast %mut_n : {} -> {}", narrow, type));
    } else if (mutation == "stop") {
      constant("mut", "0.25");
    } else if (mutation == "scale") {
      constant("mut_b", "1.00001");
      binary("mut", "mul", x, "mut_b", sizes);
    } else if (mutation == "offset") {
      constant("mut_b", "1.0e-6");
      binary("mut", "add", x, "mut_b", sizes);
    } else {
      EXPECT_EQ(mutation, "transpose");
      add(fmt::format("%mut = gaudi.transpose %{} permutation [0, 1, 3, 2] : "
                      "{} -> {}",
                      x, type, type));
    }
    return "mut";
  }
  void scaled(const std::string &result, const std::string &x, double factor,
              const Sizes &sizes) {
    add(fmt::format("%{}_c = gaudi.constant dense<{:e}> : {}", result, factor,
                    typeOf(sizes)));
    binary(result, "mul", x, result + "_c", sizes);
  }
  void reduced(const std::string &result, const char *kind,
               const std::string &x) {
    add(fmt::format(
        "%{0}_r = gaudi.tpc.reduce <{1}> %{2} dims [3] : {3} -> {4}", result,
        kind, x, typeOf(scores), typeOf({images, heads, queries})));
    add(fmt::format("%{0} = gaudi.reshape %{0}_r : {1} -> {2}", result,
                    typeOf({images, heads, queries}), typeOf(rows)));
  }
  void broadcast(const std::string &result, const std::string &row) {
    add(fmt::format("%{} = gaudi.broadcast %{} dims [0, 1, 2, 3] : {} -> {}",
                    result, row, typeOf(rows), typeOf(scores)));
  }

  /// The layout in which tensor `number` of the op is stored: its permutation.
  const std::vector<int64_t> &orderOf(unsigned number) {
    while (orders.size() <= number) {
      std::vector<int64_t> order = {0, 1, 2, 3};
      if (!isMerged)
        std::shuffle(order.begin(), order.end(), random);
      orders.push_back(order);
    }
    return orders[number];
  }
  Sizes stored(const Sizes &sizes, unsigned number) {
    Sizes result;
    for (int64_t d : orderOf(number))
      result.push_back(sizes[d]);
    return result;
  }
  std::string layoutOf(unsigned number) {
    std::string layout;
    for (int64_t d : orderOf(number))
      layout += "NHLD"[d];
    return layout;
  }
  /// Tensor `number` in canonical order.
  void canonical(const std::string &result, const std::string &x,
                 const Sizes &sizes, unsigned number) {
    std::vector<int64_t> inverse(4);
    for (unsigned d = 0; d < 4; ++d)
      inverse[orderOf(number)[d]] = d;
    add(fmt::format("%{} = gaudi.transpose %{} permutation [{}] : {} -> {}",
                    result, x, fmt::join(inverse, ", "),
                    typeOf(stored(sizes, number)), typeOf(sizes)));
  }
  void toStored(const std::string &result, const std::string &x,
                const Sizes &sizes, unsigned number) {
    add(fmt::format("%{} = gaudi.transpose %{} permutation [{}] : {} -> {}",
                    result, x, fmt::join(orderOf(number), ", "), typeOf(sizes),
                    typeOf(stored(sizes, number))));
  }
  /// Keys or values with a head for each of the query's.
  void repeated(const std::string &result, const std::string &x,
                const Sizes &sizes) {
    const Sizes all = {images, heads, sizes[2], sizes[3]};
    const Sizes split = {images, keyHeads, group, sizes[2], sizes[3]};
    add(fmt::format("%{}_b = gaudi.broadcast %{} dims [0, 1, 3, 4] : {} -> {}",
                    result, x, typeOf(sizes), typeOf(split)));
    add(fmt::format("%{0} = gaudi.reshape %{0}_b : {1} -> {2}", result,
                    typeOf(split), typeOf(all)));
  }
  void gemm(const std::string &result, const std::string &a, const Sizes &sa,
            const std::string &b, const Sizes &sb, const char *flags,
            const Sizes &sizes) {
    add(fmt::format("%{} = gaudi.mme.gemm %{}, %{} {} : {}, {} -> {}", result,
                    a, b, flags, typeOf(sa), typeOf(sb), typeOf(sizes)));
  }

  void writeForward() {
    qs = {images, heads, queries, depth};
    ks = {images, heads, keys, depth};
    vs = {images, heads, keys, valueDepth};
    os = {images, heads, queries, valueDepth};
    const Sizes keysOnly = {images, keyHeads, keys, depth};
    const Sizes valuesOnly = {images, keyHeads, keys, valueDepth};
    canonical("qc", "q", qs, 0);
    canonical("kc", "k", keysOnly, 1);
    canonical("vc", "v", valuesOnly, 2);
    canonical("dOcc", "dO", os, 3);
    dO = at("dO", "dOcc", os);
    repeated("kr", "kc", keysOnly);
    repeated("vr", "vc", valuesOnly);
    scaleFirst = coin();
    if (scaleFirst)
      scaled("qscaled", "qc", scale, qs);
    gemm("s0", scaleFirst ? "qscaled" : "qc", qs, "kr", ks, "transpose_b",
         scores);
    std::string s = "s0";
    if (!scaleFirst)
      scaled(s = "s1", "s0", scale, scores);
    isMasked = coin();
    if (isMasked) {
      add(fmt::format("%low = gaudi.constant dense<-1.0e9> : {}",
                      typeOf(scores)));
      add(fmt::format(
          "%s2 = gaudi.tpc.select %m, %{0}, %low : {1}, {2}, {2} -> {2}", s,
          typeOf(scores, "i1"), typeOf(scores)));
      s = "s2";
    }
    reduced("max", "max", s);
    broadcast("maxb", "max");
    binary("shifted", "sub", s, "maxb", scores);
    add(fmt::format("%e = gaudi.tpc.exp %shifted : {}", typeOf(scores)));
    reduced("sum", "sum", "e");
    broadcast("sumb", "sum");
    binary("p", "div", "e", "sumb", scores);
    hasDropout = coin();
    if (hasDropout)
      binary("pd", "mul", "p", "w", scores);
    gemm("o", hasDropout ? "pd" : "p", scores, "vr", vs, "", os);
    isMerged ? addMergedOp() : addOp();
  }

  void addOp() {
    const Sizes keysOnly = {images, keyHeads, keys, depth};
    const Sizes valuesOnly = {images, keyHeads, keys, valueDepth};
    add(fmt::format(
        "%oop = gaudi.sdpa %q, %k, %v {} {} scale {:e} {{{}"
        "query_layout = \"{}\", key_layout = \"{}\", value_layout = \"{}\", "
        "output_layout = \"{}\"}} : ({}, {}, {}{}{}) -> {}",
        isMasked ? "mask %m" : "", hasDropout ? "dropout_mask %w" : "", scale,
        isMasked ? "mask_value = -1.0e9 : f32, " : "", layoutOf(0), layoutOf(1),
        layoutOf(2), layoutOf(3), typeOf(stored(qs, 0)),
        typeOf(stored(keysOnly, 1)), typeOf(stored(valuesOnly, 2)),
        isMasked ? ", " + typeOf(scores, "i1") : "",
        hasDropout ? ", " + typeOf(scores) : "", typeOf(stored(os, 3))));
  }

  /// The op with the images among its heads.
  void addMergedOp() {
    auto merged = [&](const char *name, const Sizes &sizes,
                      const char *element = "f32") {
      const Sizes made = {1, sizes[0] * sizes[1], sizes[2], sizes[3]};
      add(fmt::format("%{0}_1 = gaudi.reshape %{0} : {1} -> {2}", name,
                      typeOf(sizes, element), typeOf(made, element)));
      return typeOf(made, element);
    };
    std::string types = merged("q", qs);
    types += ", " + merged("k", {images, keyHeads, keys, depth});
    types += ", " + merged("v", {images, keyHeads, keys, valueDepth});
    if (isMasked)
      types += ", " + merged("m", scores, "i1");
    if (hasDropout)
      types += ", " + merged("w", scores);
    add(fmt::format("%oop = gaudi.sdpa %q_1, %k_1, %v_1 {} {} scale {:e} {} : "
                    "({}) -> {}",
                    isMasked ? "mask %m_1" : "",
                    hasDropout ? "dropout_mask %w_1" : "", scale,
                    isMasked ? "{mask_value = -1.0e9 : f32}" : "", types,
                    typeOf({1, images * heads, queries, valueDepth})));
  }

  /// dP, from dO and the value, either operand first.
  void writeWeightsGrad() {
    if (coin()) {
      gemm("dPd", dO, os, "vr", vs, "transpose_b", scores);
    } else {
      const Sizes flipped = {images, heads, keys, queries};
      gemm("dPt", "vr", vs, dO, os, "transpose_b", flipped);
      add(fmt::format("%dPd = gaudi.transpose %dPt permutation [0, 1, 3, 2] : "
                      "{} -> {}",
                      typeOf(flipped), typeOf(scores)));
    }
    dP = hasDropout ? "dP" : "dPd";
    if (hasDropout)
      binary("dP", "mul", "dPd", "w", scores);
    dP = at("dP", dP, scores);
    p = at("p", "p", scores);
  }

  /// dS in one of the ways that libraries differentiate a softmax.
  void writeScoresGrad() {
    switch (pick(4)) {
    case 0: // p * (dP - sum(dP * p))
      binary("t", "mul", dP, p, scores);
      reduced("D", "sum", "t");
      broadcast("Db", "D");
      binary("u", "sub", dP, at("D", "Db", scores), scores);
      binary("ds", "mul", "u", p, scores);
      break;
    case 1: // dP * p - p * sum(dP * p)
      binary("t", "mul", dP, p, scores);
      reduced("D", "sum", "t");
      broadcast("Db", "D");
      binary("u", "mul", p, at("D", "Db", scores), scores);
      binary("ds", "sub", "t", "u", scores);
      break;
    case 2: // the quotient's rule: (dP / l - sum(dP * e / l^2)) * e
      binary("l2", "mul", "sumb", "sumb", scores);
      binary("t0", "div", dP, "l2", scores);
      binary("t", "mul", "t0", "e", scores);
      reduced("D", "sum", "t");
      broadcast("Db", "D");
      binary("t1", "div", dP, "sumb", scores);
      binary("u", "sub", "t1", at("D", "Db", scores), scores);
      binary("ds", "mul", "u", "e", scores);
      break;
    default: { // the sum as that of output and its gradient
      binary("oo", "mul", "o", dO, os);
      add(fmt::format("%D_r = gaudi.tpc.reduce <sum> %oo dims [3] : {} -> {}",
                      typeOf(os), typeOf({images, heads, queries})));
      add(fmt::format("%D = gaudi.reshape %D_r : {} -> {}",
                      typeOf({images, heads, queries}), typeOf(rows)));
      broadcast("Db", "D");
      binary("u", "sub", dP, at("D", "Db", scores), scores);
      binary("ds", "mul", "u", p, scores);
    }
    }
    dS = at("dS", "ds", scores);
    if (isMasked) {
      add(fmt::format("%zero = gaudi.constant dense<0.0> : {}",
                      typeOf(scores)));
      add(fmt::format(
          "%ds1 = gaudi.tpc.select %m, %{2}, %zero : {0}, {1}, {1} -> {1}",
          typeOf(scores, "i1"), typeOf(scores), dS));
      dS = "ds1";
    }
    if (!scaleFirst)
      scaled("ds2", dS, scale, scores);
    if (!scaleFirst)
      dS = "ds2";
  }

  void writeProducts() {
    // dq
    gemm("dq0", dS, scores, "kr", ks, "", qs);
    if (scaleFirst)
      scaled("dq1", "dq0", scale, qs);
    toStored("dq", at("dq", scaleFirst ? "dq1" : "dq0", qs), qs, 0);
    grouped("dk", dS, scaleFirst ? "qscaled" : "qc", qs, depth, 1);
    grouped("dv", hasDropout ? "pd" : "p", dO, os, valueDepth, 2);
  }

  /// x^T y, summed over the heads of a group.
  void grouped(const std::string &result, const std::string &x,
               const std::string &y, const Sizes &ys, int64_t width,
               unsigned number) {
    const Sizes made = {images, keyHeads, keys, width};
    if (coin()) {
      // One product over queries and group.
      const Sizes left = {images, keyHeads, group * queries, keys};
      const Sizes right = {images, keyHeads, group * queries, width};
      add(fmt::format("%{}_x = gaudi.reshape %{} : {} -> {}", result, x,
                      typeOf(scores), typeOf(left)));
      add(fmt::format("%{}_y = gaudi.reshape %{} : {} -> {}", result, y,
                      typeOf(ys), typeOf(right)));
      gemm(result + "_c", result + "_x", left, result + "_y", right,
           "transpose_a", made);
    } else {
      const Sizes all = {images, heads, keys, width};
      const Sizes split = {images, keyHeads, group, keys, width};
      gemm(result + "_p", x, scores, y, ys, "transpose_a", all);
      add(fmt::format("%{0}_s = gaudi.reshape %{0}_p : {1} -> {2}", result,
                      typeOf(all), typeOf(split)));
      add(fmt::format(
          "%{0}_c = gaudi.tpc.reduce <sum> %{0}_s dims [2] : {1} -> {2}",
          result, typeOf(split), typeOf(made)));
    }
    toStored(result, at(result.c_str(), result + "_c", made), made, number);
  }

  std::mt19937 random;
  int64_t images, keyHeads, group, queries, keys, depth, valueDepth;
  int64_t heads = 1;
  Sizes scores, rows, qs, ks, vs, os;
  std::vector<std::vector<int64_t>> orders;
  bool isMerged = false, scaleFirst = false, isMasked = false;
  bool hasDropout = false;
  std::string dO, dP, p, dS, body, mutated, mutation;
  static constexpr double scale = 0.375;
};

class GradientTest : public testing::Test {
protected:
  GradientTest() {
    DialectRegistry registry;
    registry.insert<GaudiDialect, func::FuncDialect, arith::ArithDialect,
                    math::MathDialect>();
    registerReferenceModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The function's results for values and output gradients of a magnitude,
  /// queries and keys of at most 1: the exponential of a score of 1e6 in f32 is
  /// noise. `terms` are bounds, up to the sizes, of the terms of each result: a
  /// row with one visible key subtracts one from itself.
  std::vector<std::vector<double>> evaluated(func::FuncOp function,
                                             uint32_t seed, double magnitude,
                                             std::array<double, 3> &terms) {
    auto inputs = seededInputs(function.getArgumentTypes(), seed);
    for (unsigned i = 0; i < 4; ++i)
      for (double &number : inputs[i].mutableFloats())
        number = float(number * (i < 2 ? std::min(magnitude, 1.0) : magnitude));
    std::array<double, 4> largest = {};
    for (unsigned i = 0; i < 4; ++i)
      for (double number : inputs[i].floats())
        largest[i] = std::max(largest[i], std::abs(number));
    const double weightGrad = largest[2] * largest[3];
    terms = {weightGrad * largest[1], weightGrad * largest[0], largest[3]};
    auto results = evaluateFunction(function, inputs);
    std::vector<std::vector<double>> numbers;
    EXPECT_TRUE(succeeded(results));
    if (succeeded(results))
      for (const ReferenceTensor &result : *results)
        numbers.emplace_back(result.floats().begin(), result.floats().end());
    return numbers;
  }

  /// The op of a mutation that is no continuous function, or null.
  static const char *stepOf(StringRef mutation) {
    return mutation == "floor"       ? "gaudi.tpc.floor"
           : mutation == "round"     ? "gaudi.tpc.round"
           : mutation == "sign"      ? "gaudi.tpc.sign"
           : mutation == "threshold" ? "gaudi.tpc.compare"
                                     : nullptr;
  }
  /// True if a result of the function is computed from such an op.
  static bool returns(func::FuncOp function, StringRef name) {
    llvm::SetVector<Operation *> found;
    found.insert(function.front().getTerminator());
    for (size_t i = 0; i < found.size(); ++i)
      for (Value operand : found[i]->getOperands())
        if (Operation *op = operand.getDefiningOp())
          found.insert(op);
    return llvm::any_of(found, [&](Operation *op) {
      return op->getName().getStringRef() == name;
    });
  }

  MLIRContext context;
};

TEST_F(GradientTest, KeepsTheValuesOfRandomForms) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const std::string text = Program(seed).write();
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    auto function = cast<func::FuncOp>(module->lookupSymbol("main"));
    auto inputs = seededInputs(function.getArgumentTypes(), seed);
    auto expected = evaluateFunction(function, inputs);
    ASSERT_TRUE(succeeded(expected));

    auto products = llvm::to_vector(function.getOps<GemmOp>());
    std::string why;
    SdpaOp forward = *function.getOps<SdpaOp>().begin();
    auto gradient = matchGradient(forward, products[0], products[1], why);
    ASSERT_TRUE(gradient) << "seed " << seed << ": " << why << "\n" << text;
    emitGradient(forward, *gradient, nullptr);
    ASSERT_TRUE(succeeded(verify(*module)));
    auto actual = evaluateFunction(function, inputs);
    ASSERT_TRUE(succeeded(actual));
    for (auto [a, b] : llvm::zip_equal(*expected, *actual))
      for (auto [x, y] : llvm::zip_equal(a.floats(), b.floats()))
        EXPECT_NEAR(x, y, 1e-5 + 1e-5 * std::abs(x)) << "seed " << seed;
    if (HasFailure()) {
      llvm::errs() << text << *module;
      return;
    }
  }
}

// Whatever is done to a value of the backward graph stays, or the graph does.
TEST_F(GradientTest, KeepsWhatIsDoneToItsValues) {
  constexpr double magnitudes[] = {1e-3, 1, 1e3};
  unsigned fused = 0, refused = 0;
  for (const char *edge : Program::edges)
    for (const char *mutation : Program::mutations)
      for (uint32_t seed = 0; seed < 6; ++seed) {
        const std::string text = Program(seed, edge, mutation).write();
        auto module = parseSourceString<ModuleOp>(text, &context);
        ASSERT_TRUE(module) << text;
        auto function = cast<func::FuncOp>(module->lookupSymbol("main"));
        std::array<double, 3> terms;
        std::vector<std::vector<std::vector<double>>> expected;
        for (double magnitude : magnitudes)
          expected.push_back(evaluated(function, seed, magnitude, terms));
        auto products = llvm::to_vector(function.getOps<GemmOp>());
        std::string why;
        SdpaOp forward = *function.getOps<SdpaOp>().begin();
        auto gradient = matchGradient(forward, products[0], products[1], why);
        if (!gradient) {
          EXPECT_FALSE(why.empty());
          ++refused;
          continue;
        }
        ++fused;
        emitGradient(forward, *gradient, nullptr);
        ASSERT_TRUE(succeeded(verify(*module)));
        // A step after the product, of a number that is 0 but for rounding, is
        // 0 or 1: it must be there.
        if (stepOf(mutation) && StringRef(edge).size() == 2 &&
            StringRef("qkv").contains(edge[1])) {
          EXPECT_TRUE(returns(function, stepOf(mutation)))
              << mutation << " at " << edge << ", seed " << seed;
          continue;
        }
        for (auto [magnitude, numbers] : llvm::zip(magnitudes, expected)) {
          const auto actual = evaluated(function, seed, magnitude, terms);
          for (auto [a, b, term] : llvm::zip_equal(numbers, actual, terms)) {
            double largest = term;
            for (double x : a)
              largest = std::max(largest, std::abs(x));
            for (auto [x, y] : llvm::zip_equal(a, b))
              EXPECT_NEAR(x, y, 2e-6 * largest)
                  << mutation << " at " << edge << ", seed " << seed
                  << ", numbers up to " << magnitude;
          }
        }
        if (HasFailure()) {
          llvm::errs() << text << *module;
          return;
        }
      }
  // What is done to dO, or to a gradient after its product, is beside the op;
  // what is done between them is not.
  RecordProperty("fused", int(fused));
  EXPECT_GT(fused, 4u * 17u * 6u * 3u / 4u);
  EXPECT_GT(refused, 4u * 17u * 6u * 3u / 4u);
}
} // namespace
