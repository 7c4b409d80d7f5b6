// The gradient of attention against sums in double precision.
#include "AttentionCase.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace gaudi::runtime;
using namespace gaudi::runtime::attention_test;

namespace {

/// Which operands tell of the forward command.
struct Form {
  bool probabilities, output, wideResults;
};

void check(const Options &options, const Form &form,
           const MicroKernel &kernel) {
  SCOPED_TRACE(options.text() + " " + kernel.name +
               (form.probabilities ? " P" : "") + (form.output ? " O" : ""));
  Case c(options);
  AttentionProblem &p = c.p;
  const uint64_t forward = attentionStaging(p) * 4 + 4096;
  run(p, buildAttention, kernel, forward, 1);
  Expected expected(c, false);
  const Sizes out = c.output.sizes;
  c.outputGrad = c.make(out, options.type, options.permuted, -1, 1);
  p.outputGrad = c.outputGrad.bound;
  expected.differentiate(c);
  if (!form.output)
    p.output = {};
  if (form.probabilities) {
    p.maxima = p.inverseSums = {};
    if (p.kept) {
      p.dropoutMask = p.kept;
      p.seed = nullptr;
    }
  }
  const ElementType result = form.wideResults ? ElementType::F32 : options.type;
  c.queryGrad = c.make(c.query.sizes, result, options.permuted, 5, 5);
  c.keyGrad = c.make(c.key.sizes, result, options.permuted, 5, 5);
  c.valueGrad = c.make(c.value.sizes, result, options.permuted, 5, 5);
  p.queryGrad = c.queryGrad.bound;
  p.keyGrad = c.keyGrad.bound;
  p.valueGrad = c.valueGrad.bound;
  const uint64_t staging = attentionGradStaging(p) + 4096;
  run(p, buildAttentionGrad, kernel, staging, 1);
  // Sums over all queries of a head have larger rounding errors.
  const double tolerance = 3 * toleranceOf(options.type, kernel.pairs);
  const std::vector<double> queryGrad = c.read(c.queryGrad),
                            keyGrad = c.read(c.keyGrad),
                            valueGrad = c.read(c.valueGrad);
  expectNear(queryGrad, expected.queryGrad, tolerance, "dq");
  expectNear(keyGrad, expected.keyGrad, tolerance, "dk");
  expectNear(valueGrad, expected.valueGrad, tolerance, "dv");
  run(p, buildAttentionGrad, kernel, staging, 3);
  EXPECT_EQ(c.read(c.queryGrad), queryGrad) << "three threads";
  EXPECT_EQ(c.read(c.keyGrad), keyGrad) << "three threads";
  EXPECT_EQ(c.read(c.valueGrad), valueGrad) << "three threads";
}

TEST(AttentionGrad, AgreesWithDoublesOnARandomGrid) {
  for (unsigned seed = 1; seed <= 100 && !HasFatalFailure(); ++seed) {
    Options o = drawn(seed);
    const Form form = {seed % 3 == 0, seed % 2 == 0, seed % 5 == 0};
    o.saves = form.probabilities ? Options::Probabilities : Options::Statistics;
    for (const MicroKernel *kernel : kernels(o.type))
      if (!HasFatalFailure())
        check(o, form, *kernel);
  }
}

} // namespace
