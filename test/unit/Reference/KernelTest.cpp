// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel interpreter: by hand, and against the named ops it can stand for.
#include "Gaudi/Reference/Scalars.h"
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;

namespace {
class KernelTest : public ReferenceTest {
protected:
  /// One result of a kernel on the inputs. `body` uses the arguments %in0, ...
  /// and %out0 of types $in0, ... and $out0.
  std::vector<double> kernel(ArrayRef<ReferenceTensor> inputs, StringRef space,
                             StringRef resultType, StringRef body) {
    std::string op = "%r = gaudi.tpc.kernel (";
    llvm::raw_string_ostream out(op);
    for (size_t i = 0; i < inputs.size(); ++i)
      out << (i ? ", " : "") << "%" << i;
    out << ") " << space << " : (";
    for (auto [i, input] : llvm::enumerate(inputs))
      out << (i ? ", " : "") << input.getType();
    out << ") -> " << resultType << " {\n^bb0(";
    for (size_t i = 0; i < inputs.size(); ++i)
      out << "%in" << i << ": $in" << i << ", ";
    out << "%out0: $out0):\n" << body << "\n}";
    for (auto [i, input] : llvm::enumerate(inputs))
      replaceAll(op, "$in" + std::to_string(i), print(input.getType()));
    replaceAll(op, "$out0", resultType);
    return valuesOf(op, inputs, resultType);
  }

  static std::string print(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }
  static void replaceAll(std::string &text, StringRef name, StringRef type) {
    for (size_t at; (at = text.find(name.str())) != std::string::npos;)
      text.replace(at, name.size(), type.str());
  }

  /// f applied to each element of x, one operation per point.
  std::vector<double> pointwise(ArrayRef<ReferenceTensor> inputs,
                                StringRef resultType, StringRef body) {
    const int64_t count = inputs[0].getCount();
    std::string text;
    llvm::raw_string_ostream out(text);
    for (size_t i = 0; i < inputs.size(); ++i)
      out << "%v" << i << " = gaudi.kernel.load %in" << i << "[d0] : $in" << i
          << "\n";
    out << body << "\ngaudi.kernel.store %s, %out0[d0] : $out0";
    return kernel(inputs,
                  "index_space [" + std::to_string(count) + "] parallel [true]",
                  resultType, text);
  }
};

TEST_F(KernelTest, ScalarsAreEvaluatedAsInKernels) {
  auto agrees = [&](StringRef op, StringRef from, StringRef to,
                    ArrayRef<double> values) {
    // All pairs of the values; an op with one operand reads the first.
    SmallVector<double> first, second;
    for (double a : values)
      for (double b : values) {
        first.push_back(a);
        second.push_back(b);
      }
    const std::string size = std::to_string(first.size());
    const std::string in = "tensor<" + size + "x" + from.str() + ">";
    const std::string out = "tensor<" + size + "x" + to.str() + ">";
    const ReferenceTensor inputs[] = {tensor(in, first), tensor(in, second)};
    const std::vector<double> expected =
        pointwise(inputs, out, ("%s = " + op).str());
    OwningOpRef<ModuleOp> module =
        parse(("func.func @f(%v0: " + from + ", %v1: " + from + ") -> " + to +
               " {\n%s = " + op + "\nreturn %s : " + to + "\n}")
                  .str());
    func::FuncOp function = *module->getOps<func::FuncOp>().begin();
    Operation &scalar = function.getBody().front().front();
    std::vector<double> actual;
    for (size_t i = 0; i < first.size(); ++i) {
      const double x[] = {inputs[0].at(int64_t(i)), inputs[1].at(int64_t(i))};
      const Type type = scalar.getResult(0).getType();
      const std::optional<double> value = reference::evaluateScalar(
          scalar.getName(), scalar.getAttrDictionary(),
          ArrayRef(x).take_front(scalar.getNumOperands()),
          scalar.getOperand(0).getType(), type);
      ASSERT_TRUE(value) << op.str();
      actual.push_back(isa<FloatType>(type) ? roundTo(type, *value) : *value);
    }
    EXPECT_THAT(actual, same(expected)) << op.str();
  };
  const double bytes[] = {-128, -77, -8, -1, 0, 1, 3, 7, 127};
  for (StringRef name : {"addi", "subi", "muli", "divsi", "divui", "remsi",
                         "remui", "maxsi", "maxui", "minsi", "minui", "andi",
                         "ori", "xori", "shli", "shrsi", "shrui"})
    agrees(("arith." + name + " %v0, %v1 : i8").str(), "i8", "i8", bytes);
  for (StringRef predicate : {"eq", "ne", "slt", "sge", "ult", "uge"})
    agrees(("arith.cmpi " + predicate + ", %v0, %v1 : i8").str(), "i8", "i1",
           bytes);
  for (StringRef name : {"extsi", "extui"})
    agrees(("arith." + name + " %v0 : i8 to i32").str(), "i8", "i32", bytes);
  agrees("arith.trunci %v0 : i32 to i8", "i32", "i8", {-300, -1, 0, 200, 1000});
  for (StringRef name : {"sitofp", "uitofp"}) {
    agrees(("arith." + name + " %v0 : i8 to f32").str(), "i8", "f32", bytes);
    agrees(("arith." + name + " %v0 : i1 to f32").str(), "i1", "f32", {0, 1});
  }
  const double floats[] = {-infinity, -1e30, -2.5, -0.0, 0, 0.3, 1e20, NaN};
  for (StringRef name : {"addf", "subf", "mulf", "divf", "maximumf", "minnumf"})
    agrees(("arith." + name + " %v0, %v1 : f32").str(), "f32", "f32", floats);
  for (StringRef predicate : {"oeq", "une", "olt", "uge", "ord", "uno"})
    agrees(("arith.cmpf " + predicate + ", %v0, %v1 : f32").str(), "f32", "i1",
           floats);
  for (StringRef name : {"math.absf", "math.sqrt", "arith.negf"})
    agrees((name + " %v0 : f32").str(), "f32", "f32", floats);
}

TEST_F(KernelTest, SumOverASequentialDimension) {
  EXPECT_THAT(kernel({tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6})},
                     "index_space [2, 3] parallel [true, false]",
                     "tensor<2xf32>", R"(
      %zero = arith.constant 0.0 : f32
      %sum = gaudi.kernel.loop [1] reduce [#gaudi.reduce<add>] init(%zero) : f32 {
      ^bb0(%running: f32):
        %v = gaudi.kernel.load %in0[d0, d1] : $in0
        gaudi.kernel.yield %v : f32
      }
      gaudi.kernel.store %sum, %out0[d0] : $out0)"),
              same({6, 15}));
}

TEST_F(KernelTest, SeveralReductionsAndStages) {
  // (x - max) / sum(x) of each row: two loops, then one more with a store.
  EXPECT_THAT(kernel({tensor("tensor<2x2xf32>", {1, 3, 8, 0})},
                     "index_space [2, 2] parallel [true, false]",
                     "tensor<2x2xf32>", R"(
      %zero = arith.constant 0.0 : f32
      %low = arith.constant 0xFF800000 : f32
      %max, %sum = gaudi.kernel.loop [1] reduce [#gaudi.reduce<max>, #gaudi.reduce<add>] init(%low, %zero) : f32, f32 {
      ^bb0(%a: f32, %b: f32):
        %v = gaudi.kernel.load %in0[d0, d1] : $in0
        gaudi.kernel.yield %v, %v : f32, f32
      }
      gaudi.kernel.loop [1] reduce [] init() {
        %v = gaudi.kernel.load %in0[d0, d1] : $in0
        %d = arith.subf %v, %max : f32
        %q = arith.divf %d, %sum : f32
        gaudi.kernel.store %q, %out0[d0, d1] : $out0
        gaudi.kernel.yield
      })"),
              same({-0.5, 0, 0, -1}));
}

TEST_F(KernelTest, ArgMaxFirstWinsAndNanBeatsAll) {
  const char *body = R"(
      %low = arith.constant 0xFF800000 : f32
      %m, %p = gaudi.kernel.loop [1] reduce [#gaudi.reduce<argmax>] init(%low) : f32, i64 {
      ^bb0(%running: f32):
        %v = gaudi.kernel.load %in0[d0, d1] : $in0
        %i = gaudi.kernel.index 1
        gaudi.kernel.yield %v, %i : f32, i64
      }
      gaudi.kernel.store %p, %out0[d0] : $out0)";
  EXPECT_THAT(kernel({tensor("tensor<4x4xf32>",
                             {1, 5, 5, 2, 1, NaN, 9, NaN, -infinity, -infinity,
                              -infinity, -infinity, -3, -2, -1, -4})},
                     "index_space [4, 4] parallel [true, false]",
                     "tensor<4xi64>", body),
              same({1, 1, 0, 2}));
}

TEST_F(KernelTest, CustomReductionsChangeTogether) {
  // (a, b) <- (b, a + b), 10 times: Fibonacci.
  EXPECT_THAT(kernel({}, "index_space [10] parallel [false]", "tensor<i32>", R"(
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %x, %y = gaudi.kernel.loop [0] reduce [#gaudi.reduce<custom>, #gaudi.reduce<custom>] init(%zero, %one) : i32, i32 {
      ^bb0(%a: i32, %b: i32):
        %sum = arith.addi %a, %b : i32
        gaudi.kernel.yield %b, %sum : i32, i32
      }
      gaudi.kernel.store %x, %out0[] : $out0)"),
              same({55}));
}

TEST_F(KernelTest, IntegerReductions) {
  auto reduce = [&](StringRef kind, int64_t init, ArrayRef<double> x) {
    const std::string body = ("%init = arith.constant " + Twine(init) + R"( : i8
      %s = gaudi.kernel.loop [1] reduce [#gaudi.reduce<)" +
                              kind + R"(>] init(%init) : i8 {
      ^bb0(%running: i8):
        %v = gaudi.kernel.load %in0[d0, d1] : $in0
        gaudi.kernel.yield %v : i8
      }
      gaudi.kernel.store %s, %out0[d0] : $out0)")
                                 .str();
    return kernel({tensor("tensor<1x3xui8>", x)},
                  "index_space [1, 3] parallel [true, false]", "tensor<1xui8>",
                  body);
  };
  EXPECT_THAT(reduce("add", 0, {200, 100, 1}), same({45}));
  EXPECT_THAT(reduce("mul", 1, {3, 5, 20}), same({44}));
  EXPECT_THAT(reduce("max", -128, {200, 100, 1}), same({100})); // 200 is -56
  EXPECT_THAT(reduce("maxu", 0, {200, 100, 1}), same({200}));
  EXPECT_THAT(reduce("min", 127, {200, 100, 1}), same({200}));
  EXPECT_THAT(reduce("minu", -1, {200, 100, 1}), same({1}));
  EXPECT_THAT(reduce("and", -1, {7, 6, 14}), same({6}));
  EXPECT_THAT(reduce("or", 0, {1, 2, 8}), same({11}));
  EXPECT_THAT(reduce("xor", 0, {1, 3, 8}), same({10}));
}

TEST_F(KernelTest, BoundaryRules) {
  const ReferenceTensor x = tensor("tensor<3xf32>", {1, 2, 3});
  const char *space = "index_space [5] parallel [true]";
  EXPECT_THAT(kernel({x}, space, "tensor<5xf32>", R"(
      %v = gaudi.kernel.load %in0[d0 - 1] boundary [#gaudi.boundary<clamp>] : $in0
      gaudi.kernel.store %v, %out0[d0] : $out0)"),
              same({1, 1, 2, 3, 3}));
  EXPECT_THAT(kernel({x}, space, "tensor<5xf32>", R"(
      %v = gaudi.kernel.load %in0[d0 - 1] boundary [#gaudi.boundary<pad>] pad 9.0 : f32 : $in0
      gaudi.kernel.store %v, %out0[d0] : $out0)"),
              same({9, 1, 2, 3, 9}));
}

TEST_F(KernelTest, CheckedIndices) {
  const ReferenceTensor x = tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6});
  const char *body = R"(
      %i = gaudi.kernel.load %in1[d0] : $in1
      %v = gaudi.kernel.load %in0[1, %i] boundary [#gaudi.boundary<inside>, #gaudi.boundary<checked>] : $in0
      gaudi.kernel.store %v, %out0[d0] : $out0)";
  EXPECT_THAT(kernel({x, tensor("tensor<2xi64>", {2, 0})},
                     "index_space [2] parallel [true]", "tensor<2xf32>", body),
              same({6, 4}));
  EXPECT_THAT(kernel({x, tensor("tensor<2xi64>", {2, 3})},
                     "index_space [2] parallel [true]", "tensor<2xf32>", body),
              same({}));
  EXPECT_THAT(messages, ElementsAre("expected an index in [0, 3) for dimension "
                                    "1 of operand 0 but got 3"));
}

TEST_F(KernelTest, FloatsStayWideUntilTheyAreNarrowed) {
  const ReferenceTensor x = tensor("tensor<1xbf16>", {256});
  EXPECT_THAT(pointwise({x}, "tensor<1xbf16>", R"(
      %one = arith.constant 1.0 : f32
      %a = arith.addf %v0, %one : f32
      %s = arith.addf %a, %one : f32)"),
              same({258}));
  EXPECT_THAT(pointwise({x}, "tensor<1xbf16>", R"(
      %one = arith.constant 1.0 : f32
      %a = arith.addf %v0, %one : f32
      %n = arith.truncf %a : f32 to bf16
      %w = arith.extf %n : bf16 to f32
      %s = arith.addf %w, %one : f32)"),
              same({256}));
}

TEST_F(KernelTest, IntegerOperations) {
  auto binary = [&](StringRef op, ArrayRef<double> a, ArrayRef<double> b) {
    const std::string t = "tensor<" + std::to_string(a.size()) + "xi8>";
    return pointwise({tensor(t, a), tensor(t, b)}, t,
                     ("%s = " + op + " %v0, %v1 : i8").str());
  };
  EXPECT_THAT(binary("arith.divsi", {-7, -128, 5}, {2, -1, 0}),
              same({-3, -128, -1}));
  EXPECT_THAT(binary("arith.divui", {-1, 5}, {2, 0}), same({127, -1}));
  EXPECT_THAT(binary("arith.remsi", {-7, -128, 5}, {2, -1, 0}),
              same({-1, 0, 5}));
  EXPECT_THAT(binary("arith.remui", {-1, 5}, {7, 0}), same({3, 5}));
  EXPECT_THAT(binary("arith.maxui", {-1}, {5}), same({-1}));
  EXPECT_THAT(binary("arith.maxsi", {-1}, {5}), same({5}));
  EXPECT_THAT(binary("arith.minui", {-1}, {5}), same({5}));
  EXPECT_THAT(binary("arith.shli", {1, 1}, {7, 8}), same({-128, 0}));
  EXPECT_THAT(binary("arith.shrsi", {-128, -128}, {1, 77}), same({-64, -1}));
  EXPECT_THAT(binary("arith.shrui", {-128, -128}, {1, 8}), same({64, 0}));
  auto unary = [&](StringRef op, ArrayRef<double> a) {
    const std::string t = "tensor<" + std::to_string(a.size()) + "xi8>";
    return pointwise({tensor(t, a)}, t, ("%s = " + op + " %v0 : i8").str());
  };
  EXPECT_THAT(unary("math.absi", {-5, -128}), same({5, -128}));
  EXPECT_THAT(unary("math.ctlz", {0, 1, -1}), same({8, 7, 0}));
  EXPECT_THAT(unary("math.cttz", {0, 8, -1}), same({8, 3, 0}));
  EXPECT_THAT(unary("math.ctpop", {0, 7, -1}), same({0, 3, 8}));
}

TEST_F(KernelTest, HighProducts) {
  const ReferenceTensor a = tensor("tensor<2xi32>", {-0x40000000, 0x7fffffff});
  const ReferenceTensor b = tensor("tensor<2xi32>", {8, 0x7fffffff});
  EXPECT_THAT(pointwise({a, b}, "tensor<2xi32>",
                        "%l, %s = arith.mulsi_extended %v0, %v1 : i32"),
              same({-2, 0x3fffffff}));
  EXPECT_THAT(pointwise({a, b}, "tensor<2xi32>",
                        "%l, %s = arith.mului_extended %v0, %v1 : i32"),
              same({6, 0x3fffffff}));
  EXPECT_THAT(pointwise({a, b}, "tensor<2xi32>",
                        "%s, %h = arith.mulsi_extended %v0, %v1 : i32"),
              same({0, 1}));
}

TEST_F(KernelTest, Conversions) {
  const ReferenceTensor x = tensor("tensor<4xf32>", {1.9, -1.9, 1000, NaN});
  EXPECT_THAT(
      pointwise({x}, "tensor<4xi8>", "%s = arith.fptosi %v0 : f32 to i8"),
      same({1, -1, 127, 0}));
  EXPECT_THAT(
      pointwise({x}, "tensor<4xui8>", "%s = arith.fptoui %v0 : f32 to i8"),
      same({1, 0, 255, 0}));
  const ReferenceTensor i = tensor("tensor<2xi8>", {-1, 5});
  EXPECT_THAT(
      pointwise({i}, "tensor<2xf32>", "%s = arith.sitofp %v0 : i8 to f32"),
      same({-1, 5}));
  EXPECT_THAT(
      pointwise({i}, "tensor<2xf32>", "%s = arith.uitofp %v0 : i8 to f32"),
      same({255, 5}));
  EXPECT_THAT(
      pointwise({i}, "tensor<2xi32>", "%s = arith.extsi %v0 : i8 to i32"),
      same({-1, 5}));
  EXPECT_THAT(
      pointwise({i}, "tensor<2xi32>", "%s = arith.extui %v0 : i8 to i32"),
      same({255, 5}));
  EXPECT_THAT(
      pointwise({i}, "tensor<2xi1>", "%s = arith.trunci %v0 : i8 to i1"),
      same({1, 1}));
  const ReferenceTensor b = tensor("tensor<2xi1>", {0, 1});
  EXPECT_THAT(
      pointwise({b}, "tensor<2xi32>", "%s = arith.extsi %v0 : i1 to i32"),
      same({0, -1}));
  EXPECT_THAT(
      pointwise({b}, "tensor<2xi32>", "%s = arith.extui %v0 : i1 to i32"),
      same({0, 1}));
  EXPECT_THAT(
      pointwise({b}, "tensor<2xf32>", "%s = arith.sitofp %v0 : i1 to f32"),
      same({0, -1}));
  EXPECT_THAT(pointwise({tensor("tensor<1xf32>", {-2})}, "tensor<1xi32>",
                        "%s = arith.bitcast %v0 : f32 to i32"),
              same({-0x1p30}));
  EXPECT_THAT(pointwise({tensor("tensor<1xi32>", {0x3f800000})},
                        "tensor<1xf32>", "%s = arith.bitcast %v0 : i32 to f32"),
              same({1}));
}

TEST_F(KernelTest, ComparisonAndSelection) {
  const ReferenceTensor a = tensor("tensor<3xf32>", {1, NaN, 2}),
                        b = tensor("tensor<3xf32>", {2, 2, 2});
  auto compare = [&](StringRef predicate) {
    return pointwise(
        {a, b}, "tensor<3xi1>",
        ("%s = arith.cmpf " + predicate + ", %v0, %v1 : f32").str());
  };
  EXPECT_THAT(compare("oeq"), same({0, 0, 1}));
  EXPECT_THAT(compare("one"), same({1, 0, 0}));
  EXPECT_THAT(compare("une"), same({1, 1, 0}));
  EXPECT_THAT(compare("ult"), same({1, 1, 0}));
  EXPECT_THAT(compare("oge"), same({0, 0, 1}));
  EXPECT_THAT(compare("ord"), same({1, 0, 1}));
  EXPECT_THAT(compare("uno"), same({0, 1, 0}));
  EXPECT_THAT(
      pointwise({tensor("tensor<1xi8>", {-1}), tensor("tensor<1xi8>", {1})},
                "tensor<1xi1>", "%s = arith.cmpi ult, %v0, %v1 : i8"),
      same({0}));
  EXPECT_THAT(
      pointwise({tensor("tensor<1xi1>", {1}), tensor("tensor<1xi1>", {0})},
                "tensor<1xi1>", "%s = arith.cmpi slt, %v0, %v1 : i1"),
      same({1})); // true is -1
  EXPECT_THAT(pointwise({a, b}, "tensor<3xf32>", R"(
      %c = arith.cmpf uno, %v0, %v0 : f32
      %s = arith.select %c, %v1, %v0 : f32)"),
              same({1, 2, 2}));
}

TEST_F(KernelTest, ManyPoints) {
  // More points than lanes, and not a multiple of them.
  const ReferenceTensor x = seededInput(type("tensor<61x37xf32>"), 0, 1);
  const std::vector<double> y =
      kernel({x}, "index_space [37, 61] parallel [true, true]",
             "tensor<37x61xf32>", R"(
      %v = gaudi.kernel.load %in0[60 - d1, d0] : $in0
      %e = math.exp %v : f32
      gaudi.kernel.store %e, %out0[d0, d1] : $out0)");
  ASSERT_EQ(y.size(), 37u * 61);
  for (int64_t i = 0; i < 37; ++i)
    for (int64_t j = 0; j < 61; ++j)
      EXPECT_EQ(y[i * 61 + j],
                double(float(std::exp(x.floats()[(60 - j) * 37 + i]))));
}

TEST_F(KernelTest, NamesAnOperationNoKernelHas) {
  EXPECT_THAT(pointwise({tensor("tensor<1xi64>", {1})}, "tensor<1xi64>",
                        "%s = arith.ceildivsi %v0, %v0 : i64"),
              same({}));
  ASSERT_FALSE(messages.empty());
}
} // namespace
