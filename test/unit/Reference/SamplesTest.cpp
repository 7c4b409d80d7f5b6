// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of every regime, the branches that they take, and what counts as a
// difference between two forms.
#include "Gaudi/Reference/Samples.h"
#include "Gaudi/Reference/Branches.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {
class SamplesTest : public ReferenceTest {
protected:
  func::FuncOp function(StringRef text) {
    modules.push_back(parse(text));
    return *modules.back()->getOps<func::FuncOp>().begin();
  }
  Samples samplesOf(func::FuncOp function, double budget = 1e9) {
    std::string why;
    auto samples = drawSamples(function, /*seed=*/3, budget, why);
    EXPECT_TRUE(succeeded(samples)) << why;
    return succeeded(samples) ? std::move(*samples) : Samples();
  }
  static std::vector<std::string> missedBy(const Samples &samples) {
    std::vector<std::string> texts;
    for (const auto &[loc, text] : samples.missed)
      texts.push_back(text);
    return texts;
  }
  /// The reports of all samples that are not `only` some regime.
  std::vector<SampleReport> compare(func::FuncOp before, func::FuncOp after) {
    std::vector<SampleReport> reports;
    for (const Sample &sample : samplesOf(before).samples) {
      std::string why;
      auto actual = evaluateQuietly(after, sample.inputs, why);
      EXPECT_TRUE(succeeded(actual)) << why;
      reports.push_back(compareForms(sample, before, after, *actual,
                                     NumericsScope::Model,
                                     /*allowsNan=*/false));
    }
    return reports;
  }
  static bool agree(ArrayRef<SampleReport> reports) {
    return llvm::all_of(reports,
                        [](const SampleReport &r) { return r.passed; });
  }

  std::vector<OwningOpRef<ModuleOp>> modules;
};

TEST_F(SamplesTest, RegimesStayInTheRangeOfTheirTypes) {
  for (StringRef text :
       {"tensor<40x50xf32>", "tensor<40x50xbf16>", "tensor<40x50xf16>",
        "tensor<40x50xf8E5M2>", "tensor<40x50xf8E4M3FN>"})
    for (Regime regime : drawnRegimes()) {
      const Type types[] = {type(text), type(text)};
      for (const ReferenceTensor &x :
           regimeInputs(regime, seededInputs(types, 5), 5))
        for (double value : x.floats()) {
          EXPECT_TRUE(regime == Regime::Infinities || std::isfinite(value))
              << text.str() << " " << nameOf(regime).str();
          if (std::isfinite(value))
            EXPECT_EQ(value, roundTo(x.getElementType(), value));
        }
    }
}

TEST_F(SamplesTest, RegimesAreWhatTheirNamesSay) {
  const Type types[] = {type("tensor<64x64xf32>")};
  double least = infinity, most = 0;
  for (double value :
       regimeInputs(Regime::Wide, seededInputs(types, 1), 1)[0].floats()) {
    least = std::min(least, std::fabs(value));
    most = std::max(most, std::fabs(value));
  }
  EXPECT_LT(least, 1e-27);
  EXPECT_GT(most, 1e27);
  EXPECT_FALSE(llvm::all_of(
      regimeInputs(Regime::Infinities, seededInputs(types, 1), 1)[0].floats(),
      [](double value) { return std::isfinite(value); }));
  EXPECT_TRUE(llvm::any_of(
      regimeInputs(Regime::Extremes, seededInputs(types, 1), 1)[0].floats(),
      [](double value) { return value != 0 && std::fabs(value) < 0x1p-126; }));
  const auto other = regimeInputs(Regime::Wide, seededInputs(types, 2), 2)[0];
  EXPECT_NE(
      other.floats()[7],
      regimeInputs(Regime::Wide, seededInputs(types, 1), 1)[0].floats()[7]);
}

TEST_F(SamplesTest, SmallIntegersAreNegativeToo) {
  const Type types[] = {type("tensor<64xi32>"), type("tensor<64xui8>"),
                        type("tensor<64xi1>")};
  const auto seeded = seededInputs(types, 1);
  auto bounds = [](const ReferenceTensor &x) {
    const auto [least, most] =
        std::minmax_element(x.ints().begin(), x.ints().end());
    return std::pair(*least, *most);
  };
  const auto indices = regimeInputs(Regime::Ties, seeded, 1);
  EXPECT_GE(bounds(indices[0]).first, 0);
  EXPECT_LE(bounds(indices[0]).second, bounds(seeded[0]).second);
  const auto small = regimeInputs(Regime::Ties, seeded, 1, Integers::Small);
  EXPECT_LT(bounds(small[0]).first, 0);
  EXPECT_GT(bounds(small[0]).second, 16);
  EXPECT_GE(bounds(small[1]).first, 0);
  EXPECT_EQ(bounds(small[2]), std::pair(int64_t(0), int64_t(1)));
}

TEST_F(SamplesTest, TakesBothSidesOfAClampThatSmallInputsNeverReach) {
  auto f = function(R"(
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<4x4xf32> {
      %0 = gaudi.mme.gemm %x, %y : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
      %1 = gaudi.tpc.clamp %0 min -1.0e5 : f32 max 1.0e5 : f32 : tensor<4x4xf32>
      return %1 : tensor<4x4xf32>
    })");
  EXPECT_EQ(samplesOf(f, /*budget=*/0).samples.size(), 1u);
  EXPECT_EQ(missedBy(samplesOf(f, 0)).size(), 2u);
  const Samples samples = samplesOf(f);
  EXPECT_EQ(samples.branches, 3u);
  EXPECT_THAT(missedBy(samples), IsEmpty());
}

TEST_F(SamplesTest, SearchesForAThresholdThatNoRegimeMeets) {
  // Of integers' floats, x == 7 exactly, and x in a narrow range.
  auto f = function(R"(
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %c = gaudi.constant dense<12345.0> : tensor<8xf32>
      %0 = gaudi.tpc.compare <eq> %x, %c : tensor<8xf32>, tensor<8xf32> -> tensor<8xi1>
      %1 = gaudi.tpc.select %0, %c, %x : tensor<8xi1>, tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
      return %1 : tensor<8xf32>
    })");
  const Samples samples = samplesOf(f);
  EXPECT_THAT(missedBy(samples), IsEmpty());
  EXPECT_TRUE(llvm::any_of(samples.samples, [](const Sample &sample) {
    return sample.regime == Regime::Directed;
  }));
}

TEST_F(SamplesTest, NamesTheBranchThatNoInputTakes) {
  auto f = function(R"(
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %c = gaudi.constant dense<-2.0> : tensor<8xf32>
      %0 = gaudi.tpc.abs %x : tensor<8xf32>
      %1 = gaudi.tpc.max %0, %c : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
      return %1 : tensor<8xf32>
    })");
  EXPECT_THAT(missedBy(samplesOf(f)),
              ::testing::ElementsAre("'gaudi.tpc.max' was never below -2"));
}

TEST_F(SamplesTest, SeesTheBranchesOfKernelsButNotOfIndices) {
  auto f = function(R"(
    func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = gaudi.tpc.kernel(%x) index_space [4, 4] parallel [true, true] : (tensor<4x4xf32>) -> tensor<4x4xf32> {
      ^bb0(%in0: tensor<4x4xf32>, %out0: tensor<4x4xf32>):
        %i = gaudi.kernel.index 0
        %j = gaudi.kernel.index 1
        %below = arith.cmpi sle, %j, %i : i64
        %c = arith.constant 1.0e6 : f32
        %v = gaudi.kernel.load %in0[d0, d1] : tensor<4x4xf32>
        %m = arith.minimumf %v, %c : f32
        %s = arith.select %below, %m, %c : f32
        gaudi.kernel.store %s, %out0[d0, d1] : tensor<4x4xf32>
      }
      return %0 : tensor<4x4xf32>
    })");
  EXPECT_THAT(missedBy(samplesOf(f, /*budget=*/0)),
              Contains("'arith.minimumf' was never above 1e+06"));
  EXPECT_THAT(missedBy(samplesOf(f)), IsEmpty());
}

TEST_F(SamplesTest, FindsADroppedClampThatSeededInputsDoNot) {
  auto with = function(R"(
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %0 = gaudi.tpc.clamp %x min -100.0 : f32 max 100.0 : f32 : tensor<16xf32>
      return %0 : tensor<16xf32>
    })");
  auto without = function(R"(
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      return %x : tensor<16xf32>
    })");
  const std::vector<SampleReport> reports = compare(with, without);
  EXPECT_TRUE(reports.front().passed);
  EXPECT_FALSE(agree(reports));
  EXPECT_TRUE(llvm::any_of(reports, [](const SampleReport &report) {
    return StringRef(report.text).contains("on inputs of regime '");
  }));
}

TEST_F(SamplesTest, EqualFormsDifferByOverflowOnly) {
  auto left = function(R"(
    func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
      %0 = gaudi.tpc.mul %x, %y : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      %1 = gaudi.tpc.mul %0, %z : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      %2 = gaudi.tpc.sub %1, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      return %2 : tensor<64xf32>
    })");
  auto right = function(R"(
    func.func @f(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
      %0 = gaudi.tpc.mul %y, %z : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      %1 = gaudi.tpc.mul %x, %0 : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      %2 = gaudi.tpc.sub %1, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      return %2 : tensor<64xf32>
    })");
  int64_t undefined = 0;
  for (const SampleReport &report : compare(left, right)) {
    EXPECT_TRUE(report.passed) << report.text;
    undefined += report.undefined;
  }
  EXPECT_GT(undefined, 0);
}

/// Of a difference that is 0 but for roundings the root is a NaN or not, and
/// the quotient an infinity of either sign, whatever the inputs are.
TEST_F(SamplesTest, RoundingsDecideWhatIsNotFinite) {
  auto form = [&](StringRef difference, StringRef last) {
    return function((Twine(R"(
    func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
      %three = gaudi.constant dense<3.0> : tensor<64xf32>
      %large = gaudi.constant dense<3.0e38> : tensor<64xf32>
      %thrice = gaudi.tpc.mul %x, %three : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      %twice = gaudi.tpc.add %x, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>)") +
                     difference + last + R"(
      return %r : tensor<64xf32>
    })")
                        .str());
  };
  const char *const left = R"(
      %a = gaudi.tpc.sub %thrice, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      %d = gaudi.tpc.sub %a, %twice : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>)";
  const char *const right = R"(
      %a = gaudi.tpc.sub %thrice, %twice : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>
      %d = gaudi.tpc.sub %x, %a : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>)";
  const char *const root = R"(
      %r = gaudi.tpc.sqrt %d : tensor<64xf32>)";
  const char *const quotient = R"(
      %r = gaudi.tpc.div %large, %d : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>)";
  for (const char *last : {root, quotient}) {
    const SampleReport report =
        compare(form(left, last), form(right, last)).front();
    EXPECT_TRUE(report.passed) << report.text;
    EXPECT_GT(report.undefined, 0);
  }
  // No rounding of the old form gives these.
  const char *const certain = R"(
      %d = gaudi.tpc.sub %x, %large : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>)";
  const char *const negated = R"(
      %d = gaudi.tpc.sub %large, %x : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>)";
  for (const auto &[before, after] :
       {std::pair(certain, negated), std::pair(negated, certain)})
    EXPECT_FALSE(compare(form(before, root), form(after, root)).front().passed);
  const char *const infinite = R"(
      %d = gaudi.tpc.mul %large, %large : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>)";
  const char *const magnitude = R"(
      %r = gaudi.tpc.abs %d : tensor<64xf32>)";
  EXPECT_FALSE(compare(form(infinite, magnitude), form(right, magnitude))
                   .front()
                   .passed);
}

TEST_F(SamplesTest, ARegimeWithoutDefinedElementsIsNotVerified) {
  auto f = function(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c = gaudi.constant dense<0x7F800000> : tensor<4xf32>
      %0 = gaudi.tpc.mul %x, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
      %1 = gaudi.tpc.sub %0, %0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
      return %1 : tensor<4xf32>
    })");
  auto zero = function(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = gaudi.tpc.sub %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  const Type types[] = {type("tensor<4xf32>")};
  Sample sample{Regime::Scaled,
                regimeInputs(Regime::Scaled, seededInputs(types, 1), 1),
                {}};
  std::string why;
  sample.results = *evaluateQuietly(f, sample.inputs, why);
  auto actual = evaluateQuietly(zero, sample.inputs, why);
  const SampleReport report = compareForms(
      sample, f, zero, *actual, NumericsScope::Model, /*allowsNan=*/true);
  EXPECT_TRUE(report.passed);
  EXPECT_FALSE(report.isVerified());
  EXPECT_EQ(report.undefined, 4);
}

/// Scores from which a number far beyond them is subtracted, as in GPT-2's
/// masks: f32 keeps nothing of them. Another form may not round there.
TEST_F(SamplesTest, ExactKernelsAreNotRoundedOtherwise) {
  const char *const softmax = R"(
      %max = gaudi.tpc.kernel label "tpc.reduce"(%s) index_space [4, 8] parallel [true, false] : (tensor<4x8xf32>) -> tensor<4x1xf32> {
      ^bb0(%in: tensor<4x8xf32>, %out: tensor<4x1xf32>):
        %low = arith.constant 0xFF800000 : f32
        %m = gaudi.kernel.loop [1] reduce [#gaudi.reduce<max>] init(%low) : f32 {
        ^bb0(%accumulator: f32):
          %e = gaudi.kernel.load %in[d0, d1] : tensor<4x8xf32>
          gaudi.kernel.yield %e : f32
        }
        gaudi.kernel.store %m, %out[d0, 0] : tensor<4x1xf32>
      }
      %wide = gaudi.broadcast %max dims [0, 1] {engine = #gaudi.engine<unplaced>} : tensor<4x1xf32> -> tensor<4x8xf32>
      %d = gaudi.tpc.sub %s, %wide : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
      %p = gaudi.tpc.exp %d : tensor<4x8xf32>
      %sum = gaudi.tpc.reduce <sum> %p dims [1] : tensor<4x8xf32> -> tensor<4xf32>
      %column = gaudi.reshape %sum : tensor<4xf32> -> tensor<4x1xf32>
      %sums = gaudi.broadcast %column dims [0, 1] {engine = #gaudi.engine<unplaced>} : tensor<4x1xf32> -> tensor<4x8xf32>
      %0 = gaudi.tpc.div %p, %sums : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    })";
  auto shifted = function((Twine(R"(
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %c = gaudi.constant dense<1.0e10> : tensor<4x8xf32>
      %s = gaudi.tpc.sub %x, %c : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>)") +
                           softmax)
                              .str());
  auto exact = function((Twine(R"(
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %s = gaudi.tpc.neg %x : tensor<4x8xf32>)") +
                         softmax)
                            .str());
  const Samples samples = samplesOf(shifted);
  ASSERT_EQ(samples.samples.front().regime, Regime::Seeded);
  std::string why;
  auto actual = evaluateQuietly(exact, samples.samples[0].inputs, why);
  const SampleReport report =
      compareForms(samples.samples[0], shifted, exact, *actual,
                   NumericsScope::Model, /*allowsNan=*/false);
  EXPECT_TRUE(report.passed) << report.text;
}

/// Roundings of one form may all go one way: a sum of many floors then differs
/// from any sum that random roundings give.
TEST_F(SamplesTest, RoundingsMayAllGoOneWay) {
  const char *const rest = R"(
      %f = gaudi.tpc.floor %d : tensor<2x64xf32>
      %sum = gaudi.tpc.reduce <sum> %f dims [1] : tensor<2x64xf32> -> tensor<2xf32>
      %c = gaudi.constant dense<48.0> : tensor<2xf32>
      %m = gaudi.tpc.add %sum, %c : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
      %low = gaudi.constant dense<-1.0> : tensor<2xf32>
      %high = gaudi.constant dense<1.0> : tensor<2xf32>
      %a = gaudi.tpc.max %m, %low : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
      %0 = gaudi.tpc.min %a, %high : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })";
  auto zero = function((Twine(R"(
    func.func @f(%x: tensor<2x64xf32>) -> tensor<2xf32> {
      %t = gaudi.tpc.exp %x : tensor<2x64xf32>
      %d = gaudi.tpc.sub %t, %t : tensor<2x64xf32>, tensor<2x64xf32> -> tensor<2x64xf32>)") +
                        rest)
                           .str());
  // As a form that is a little below 0 everywhere.
  auto below = function((Twine(R"(
    func.func @f(%x: tensor<2x64xf32>) -> tensor<2xf32> {
      %t = gaudi.tpc.exp %x : tensor<2x64xf32>
      %h = gaudi.constant dense<1.0e-30> : tensor<2x64xf32>
      %z = gaudi.tpc.sub %t, %t : tensor<2x64xf32>, tensor<2x64xf32> -> tensor<2x64xf32>
      %d = gaudi.tpc.sub %z, %h : tensor<2x64xf32>, tensor<2x64xf32> -> tensor<2x64xf32>)") +
                         rest)
                            .str());
  for (const SampleReport &report : compare(zero, below))
    EXPECT_TRUE(report.passed) << report.text;
}

/// A comparison makes a number of a NaN that only one of the forms has.
TEST_F(SamplesTest, NanThatAComparisonReadsIsUndefined) {
  const char *const rest = R"(
      %two = gaudi.constant dense<2.0> : tensor<16xf32>
      %less = gaudi.tpc.compare <lt> %d, %two : tensor<16xf32>, tensor<16xf32> -> tensor<16xi1>
      %0 = gaudi.tpc.select %less, %d, %two : tensor<16xi1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
      return %0 : tensor<16xf32>
    })";
  auto nan = function((Twine(R"(
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %d = gaudi.tpc.sub %x, %x : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>)") +
                       rest)
                          .str());
  auto zero = function((Twine(R"(
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %d = gaudi.constant dense<0.0> : tensor<16xf32>)") +
                        rest)
                           .str());
  EXPECT_TRUE(agree(compare(nan, zero)));
}
} // namespace
