// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention against a double loop, on every kernel of the host: shapes, masks,
// dropout, types, orders and what is saved, drawn at random.
#include "AttentionCase.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace gaudi::runtime;
using namespace gaudi::runtime::attention_test;

namespace {

void check(const Options &options, Build build, const MicroKernel &kernel) {
  SCOPED_TRACE(options.text() + " " + kernel.name);
  Case c(options);
  const uint64_t staging = attentionStaging(c.p) * 4 + 4096;
  run(c.p, build, kernel, staging, 1);
  const bool f8 = gaudi::recipe::elementSize(options.type) == 1;
  const Expected expected(c, f8 || options.saves == Options::Probabilities);
  const double tolerance =
      toleranceOf(options.type, kernel.format == StepFormat::Bf16);
  const std::vector<double> output = c.read(c.output);
  expectNear(output, expected.output, tolerance, "output");
  if (c.p.maxima) {
    expectNear(c.read(c.maxima), expected.maxima, tolerance, "m");
    expectNear(c.read(c.inverseSums), expected.inverseSums, tolerance, "linv");
  }
  if (c.p.probabilities)
    expectNear(c.read(c.probabilities), expected.probabilities, tolerance, "P");
  if (c.p.kept) {
    std::vector<double> kept = expected.weights;
    for (double &w : kept)
      w = w != 0;
    expectNear(c.read(c.kept), kept, 0, "kept");
  }
  if (c.p.seedResult) {
    EXPECT_EQ(c.seedResult, c.seed);
  }
  if (c.p.largestProbability) {
    EXPECT_NEAR(c.largest[0], expected.largestProbability, 1e-4);
    EXPECT_NEAR(c.largest[1], expected.largestOutput, tolerance);
  }
  run(c.p, build, kernel, staging, 3);
  EXPECT_EQ(c.read(c.output), output) << "three threads";
}

void checkAll(const Options &options) {
  for (const MicroKernel *kernel : kernels(options.type)) {
    check(options, buildAttention, *kernel);
    if (Case c(options); isThin(c.p, *kernel))
      check(options, buildThinAttention, *kernel);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(Attention, AgreesWithDoublesOnARandomGrid) {
  for (unsigned seed = 1; seed <= 150 && !HasFatalFailure(); ++seed)
    checkAll(drawn(seed));
}

TEST(Attention, EightBitOperands) {
  for (unsigned seed = 1; seed <= 12 && !HasFatalFailure(); ++seed) {
    Options o = drawn(seed);
    o.type = seed % 2 ? ElementType::F8E4M3FN : ElementType::F8E5M2;
    o.scales = seed % 3 != 0;
    if (o.saves == Options::Probabilities)
      o.saves = Options::Statistics;
    checkAll(o);
  }
}

/// P and the output end at the largest number of the device, whatever their
/// scales; the largest magnitudes are those before.
TEST(Attention, EightBitsSaturate) {
  for (auto [type, largest] : {std::pair(ElementType::F8E4M3FN, 240.0f),
                               std::pair(ElementType::F8E4M3FN, 448.0f),
                               std::pair(ElementType::F8E5M2, 57344.0f)}) {
    Options o;
    o.queries = 20;
    o.keys = 6;
    o.type = type;
    o.scales = true;
    const float scales[] = {4 * largest, 1 / (4 * largest), 64 * largest};
    for (const MicroKernel *kernel : kernels(type))
      for (Options::Saves saves : {Options::None, Options::Probabilities}) {
        SCOPED_TRACE(std::string(kernel->name) + " " + std::to_string(largest));
        o.saves = saves;
        Case c(o);
        c.p.largest = largest;
        AttentionScale *const places[] = {&c.p.probabilityScale, &c.p.sumScale,
                                          &c.p.outputScale};
        for (int i = 0; i < 3; ++i)
          places[i]->data = reinterpret_cast<const uint8_t *>(&scales[i]);
        run(c.p, buildAttention, *kernel, attentionStaging(c.p) * 4 + 4096, 1);
        // Saved probabilities do not pass through their type in between.
        c.p.probabilities.data = nullptr;
        const Expected expected(c, true);
        const std::vector<double> output = c.read(c.output);
        expectNear(output, expected.output,
                   toleranceOf(type, kernel->format == StepFormat::Bf16),
                   "output");
        EXPECT_EQ(*std::max_element(output.begin(), output.end()), largest);
        EXPECT_NEAR(c.largest[0], expected.largestProbability, 1e-4);
        if (saves == Options::None)
          continue;
        const std::vector<double> stored = c.read(c.probabilities);
        EXPECT_EQ(*std::max_element(stored.begin(), stored.end()), largest);
      }
  }
}

/// Without a probability, elements of a mask are what P is multiplied by.
TEST(Attention, WeightsOfIntegers) {
  for (int64_t queries : {1, 20})
    for (ElementType type : {ElementType::I8, ElementType::U8}) {
      Options o;
      o.queries = queries;
      o.keys = 30;
      for (const MicroKernel *kernel : kernels(o.type)) {
        Case c(o);
        c.dropoutMask = c.make({1, 1, queries, 30}, type, false, 0, 1);
        for (size_t j = 0; j < c.dropoutMask.values.size(); ++j)
          c.dropoutMask.bound.data[j] = uint8_t(j * 7 + 250);
        c.dropoutMask.values = c.read(c.dropoutMask);
        c.p.dropoutMask = c.dropoutMask.bound;
        const Build build =
            isThin(c.p, *kernel) ? buildThinAttention : buildAttention;
        run(c.p, build, *kernel, attentionStaging(c.p) * 4 + 4096, 2);
        expectNear(c.read(c.output), Expected(c, false).output, 1e-3,
                   kernel->name);
      }
    }
}

/// The thin form does not store what dropout kept.
TEST(Attention, WhatIsKeptIsNotThin) {
  Options o;
  o.dropout = Options::Seeded;
  for (const MicroKernel *kernel : kernels(o.type)) {
    Case c(o);
    c.kept = c.make({1, 1, 1, 1}, ElementType::I8, false, 5, 5);
    c.p.kept = c.kept.bound;
    EXPECT_FALSE(isThin(c.p, *kernel)) << kernel->name;
  }
}

TEST(Attention, DeepHeads) {
  Options o;
  o.queries = 40;
  o.keys = 200;
  o.depth = 256;
  o.valueDepth = 256;
  for (ElementType type : {ElementType::F32, ElementType::BF16}) {
    o.type = type;
    checkAll(o);
  }
}

/// Keys that lengths or causality hide from all rows of a block are not read:
/// those after the valid ones of a cache hold anything.
TEST(Attention, HiddenKeysAreNotRead) {
  for (int64_t queries : {1, 40}) {
    Options o;
    o.images = 2;
    o.queries = queries;
    o.keys = 300;
    o.lengths = true;
    for (const MicroKernel *kernel : kernels(o.type)) {
      Case c(o);
      const Expected expected(c, false);
      for (int64_t n = 0; n < o.images; ++n) {
        int32_t valid;
        std::memcpy(&valid, c.p.lengths + n * 4, 4);
        for (int64_t j = valid; j < o.keys; ++j)
          for (const AttentionTensor *t : {&c.p.key, &c.p.value})
            std::memset(t->data + t->offset(n, 0, j) * 4, 0xff,
                        size_t(o.depth) * 4);
      }
      const Build build =
          isThin(c.p, *kernel) ? buildThinAttention : buildAttention;
      run(c.p, build, *kernel, attentionStaging(c.p) * 4 + 4096, 2);
      expectNear(c.read(c.output), expected.output, 2e-5, kernel->name);
    }
  }
}

/// Values of keys that some rows see and others do not may be infinite: they
/// matter to the first only.
TEST(Attention, InfiniteValuesOfHiddenKeys) {
  for (int64_t queries : {3, 40})
    for (Options::Mask mask : {Options::NoMask, Options::Hides, Options::Adds})
      for (ElementType type : {ElementType::F32, ElementType::BF16}) {
        Options o;
        o.queries = queries;
        o.keys = 45;
        o.causal = true;
        o.mask = mask;
        o.type = type;
        for (const MicroKernel *kernel : kernels(o.type)) {
          Case c(o);
          const std::vector<double> wanted = Expected(c, false).output;
          const int64_t at = 2, d = 1;
          storeFloat(type,
                     c.p.value.data + (c.p.value.offset(0, 0, at) + d) *
                                          gaudi::recipe::elementSize(type),
                     std::numeric_limits<float>::infinity());
          const Build build =
              isThin(c.p, *kernel) ? buildThinAttention : buildAttention;
          run(c.p, build, *kernel, attentionStaging(c.p) * 4 + 4096, 2);
          const std::vector<double> got = c.read(c.output);
          for (int64_t i = 0; i < queries; ++i)
            for (int64_t e = 0; e < o.valueDepth; ++e) {
              const size_t element = size_t(i * o.valueDepth + e);
              const bool seen =
                  i >= at && (!c.p.mask || mask == Options::Hides
                                  ? !c.p.mask || c.mask.at(0, 0, i, at) != 0
                                  : c.mask.at(0, 0, i, at) != -infinity);
              if (seen && e == d)
                EXPECT_EQ(got[element], infinity) << kernel->name << " " << i;
              else
                EXPECT_NEAR(
                    got[element], wanted[element],
                    toleranceOf(type, kernel->format == StepFormat::Bf16))
                    << kernel->name << " " << i;
            }
        }
      }
}

/// A row whose scores are all hidden by a finite value attends to all keys.
TEST(Attention, ExtremeScores) {
  Options o;
  o.queries = 20;
  o.keys = 50;
  for (const MicroKernel *kernel : kernels(o.type))
    for (float scale : {1e4f, -1e4f, 0.0f, 1e-30f}) {
      Case c(o);
      c.p.scale = scale;
      run(c.p, buildAttention, *kernel, attentionStaging(c.p) * 4 + 4096, 1);
      // Differences of large scores are those of rounded sums.
      expectNear(c.read(c.output), Expected(c, false).output,
                 std::fabs(scale) > 1 ? 0.02 : 2e-5, kernel->name);
    }
}

} // namespace
