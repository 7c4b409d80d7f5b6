// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  const double tolerance =
      3 * toleranceOf(options.type, kernel.format == StepFormat::Bf16);
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

/// A key of NaN matters to the rows that see it only.
TEST(AttentionGrad, HiddenKeysOfNan) {
  for (ElementType type : {ElementType::F32, ElementType::BF16})
    for (int64_t keys : {12, 300})
      for (const MicroKernel *kernel : kernels(type)) {
        Options o;
        o.type = type;
        o.queries = keys;
        o.keys = keys;
        o.causal = true;
        o.saves = Options::Statistics;
        Case c(o);
        AttentionProblem &p = c.p;
        Expected expected(c, false);
        c.outputGrad = c.make(c.output.sizes, type, false, -1, 1);
        p.outputGrad = c.outputGrad.bound;
        expected.differentiate(c);
        const int64_t at = 5;
        for (int64_t d = 0; d < o.depth; ++d)
          storeFloat(type,
                     p.key.data + (p.key.offset(0, 0, at) + d) *
                                      gaudi::recipe::elementSize(type),
                     std::numeric_limits<float>::quiet_NaN());
        run(p, buildAttention, *kernel, attentionStaging(p) * 4 + 4096, 1);
        c.queryGrad = c.make(c.query.sizes, type, false, 5, 5);
        c.keyGrad = c.make(c.key.sizes, type, false, 5, 5);
        c.valueGrad = c.make(c.value.sizes, type, false, 5, 5);
        p.queryGrad = c.queryGrad.bound;
        p.keyGrad = c.keyGrad.bound;
        p.valueGrad = c.valueGrad.bound;
        run(p, buildAttentionGrad, *kernel, attentionGradStaging(p) + 4096, 2);
        const std::vector<double> got = c.read(c.queryGrad);
        for (int64_t i = 0; i < o.queries; ++i)
          for (int64_t d = 0; d < o.depth; ++d) {
            const size_t e = size_t(i * o.depth + d);
            if (i >= at)
              EXPECT_TRUE(std::isnan(got[e])) << kernel->name << " " << i;
            else
              EXPECT_NEAR(
                  got[e], expected.queryGrad[e],
                  3 * toleranceOf(type, kernel->format == StepFormat::Bf16))
                  << kernel->name << " " << i;
          }
      }
}

} // namespace
