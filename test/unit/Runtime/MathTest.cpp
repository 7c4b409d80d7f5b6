// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error bounds of the vector cores' functions against float64, over a sweep of
// all float32 numbers. docs/numerics.md states the bounds; GAUDI_MATH_STRIDE=1
// visits every number (a few minutes per function).
#include "TestRecipe.h"

#include <cmath>
#include <cstdlib>

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr int64_t batch = 1 << 18;

/// Runs an operation on batches of operands.
class Runner {
public:
  Runner(Op op, unsigned operands, int64_t length) : length(length) {
    KernelBuilder k({length}, {true});
    std::vector<uint32_t> tensors;
    for (unsigned i = 0; i < operands; ++i) {
      k.input(ElementType::F32, 1);
      tensors.push_back(recipe.input(ElementType::F32, {length}));
    }
    k.output(ElementType::F32, 1);
    k.stage();
    uint32_t values[2] = {0, 0};
    for (unsigned i = 0; i < operands; ++i)
      values[i] =
          k.inst(Op::Load, ElementType::F32, k.access(i, 0, k.at({{0, 1}})));
    const uint32_t result = k.inst(op, ElementType::F32, values[0], values[1]);
    k.store(k.access(operands, 0, k.at({{0, 1}})), result);
    recipe.launch(k, tensors, {recipe.output(ElementType::F32, {length})});
    executable = recipe.load();
  }

  std::vector<float> operator()(const std::vector<std::vector<float>> &x) {
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_TRUE(executable->setInput(i, x[i].data(), x[i].size() * 4));
    EXPECT_TRUE(executable->launch());
    std::vector<float> y(size_t(length), 0);
    EXPECT_TRUE(executable->getOutput(0, y.data(), y.size() * 4));
    return y;
  }

private:
  int64_t length;
  TestRecipe recipe;
  std::unique_ptr<runtime::Executable> executable;
};

/// Distance in units of the last place of the expected value.
double errorOf(double expected, float got) {
  if (std::isnan(expected))
    return std::isnan(got) ? 0 : INFINITY;
  if (float(expected) == got &&
      std::signbit(float(expected)) == std::signbit(got))
    return 0.5; // correctly rounded
  if (std::isinf(float(expected)) || std::isinf(got) || std::isnan(got))
    return INFINITY;
  const int exponent = std::max(std::ilogb(expected), -126);
  return std::fabs(expected - got) / std::ldexp(1.0, exponent - 23);
}

struct Function {
  const char *name;
  Op op;
  double (*oracle)(double);
  double bound;
};

class Accuracy : public testing::TestWithParam<Function> {};

TEST_P(Accuracy, StaysWithinItsBound) {
  const Function &function = GetParam();
  const char *setting = std::getenv("GAUDI_MATH_STRIDE");
  const uint64_t stride =
      setting ? std::max<uint64_t>(1, std::strtoull(setting, nullptr, 10))
              : 4093;
  Runner run(function.op, 1, batch);
  double worst = 0;
  float where = 0;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32;) {
    std::vector<float> x(size_t(batch), 1.0f);
    for (float &value : x) {
      value = floatOfBits(uint32_t(bits));
      bits += stride;
      if (bits >= uint64_t(1) << 32)
        break;
    }
    const std::vector<float> y = run({x});
    for (size_t i = 0; i < x.size(); ++i) {
      const double error = errorOf(function.oracle(double(x[i])), y[i]);
      if (error > worst) {
        worst = error;
        where = x[i];
      }
    }
  }
  EXPECT_LE(worst, function.bound)
      << function.name << " at " << where << " (bits " << std::hex
      << bitsOf(where) << ")";
  RecordProperty("worst_ulp", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(
    Unary, Accuracy,
    testing::Values(Function{"exp", Op::ExpF, std::exp, 1.5},
                    Function{"exp2", Op::Exp2F, std::exp2, 1.5},
                    Function{"expm1", Op::Expm1F, std::expm1, 2},
                    Function{"log", Op::LogF, std::log, 1.5},
                    Function{"log2", Op::Log2F, std::log2, 1.5},
                    Function{"log10", Op::Log10F, std::log10, 1.5},
                    Function{"log1p", Op::Log1pF, std::log1p, 2},
                    Function{"tanh", Op::TanhF, std::tanh, 2},
                    Function{"erf", Op::ErfF, std::erf, 2},
                    Function{"sin", Op::SinF, std::sin, 2},
                    Function{"cos", Op::CosF, std::cos, 2}),
    [](const testing::TestParamInfo<Function> &info) {
      return std::string(info.param.name);
    });

TEST(MathAccuracy, Pow) {
  Runner run(Op::PowF, 2, batch);
  double worst = 0;
  std::string where;
  Random random(11);
  for (int round = 0; round < 12; ++round) {
    std::vector<float> x, y;
    for (int64_t i = 0; i < batch; ++i) {
      const float base = std::exp2(random.value() * (round < 6 ? 4.f : 60.f));
      x.push_back(random.value() < -0.5f ? -base : base);
      y.push_back(x.back() < 0 ? std::nearbyint(random.value() * 9)
                               : random.value() * (round % 2 ? 3.f : 40.f));
    }
    const std::vector<float> got = run({x, y});
    for (size_t i = 0; i < x.size(); ++i) {
      const double error =
          errorOf(std::pow(double(x[i]), double(y[i])), got[i]);
      if (error > worst) {
        worst = error;
        where = std::to_string(x[i]) + ", " + std::to_string(y[i]);
      }
    }
  }
  EXPECT_LE(worst, 1) << where;
}

/// A lane's result must not depend on its place or its neighbours.
TEST(MathAccuracy, LanesAgreeWithScalars) {
  for (const Function &function : {Function{"exp", Op::ExpF, nullptr, 0},
                                   Function{"log", Op::LogF, nullptr, 0},
                                   Function{"tanh", Op::TanhF, nullptr, 0},
                                   Function{"erf", Op::ErfF, nullptr, 0},
                                   Function{"sin", Op::SinF, nullptr, 0},
                                   Function{"exp2", Op::Exp2F, nullptr, 0}}) {
    std::vector<float> x;
    Random random(5);
    for (int i = 0; i < 67; ++i)
      x.push_back(random.value() * (i % 9 == 0 ? 1e6f : 20.f));
    x.insert(x.end(), {0.f, -0.f, 1e-40f, INFINITY, -INFINITY, 88.73f, -104.f});
    const std::vector<float> together =
        Runner(function.op, 1, int64_t(x.size()))({x});
    Runner alone(function.op, 1, 1);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(bitsOf(together[i]), bitsOf(alone({{x[i]}})[0]))
          << function.name << "(" << x[i] << ")";
  }
}

} // namespace
