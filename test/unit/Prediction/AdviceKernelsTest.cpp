// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice on kernels and products: chains, rows, padding, samples.
#include "MadePrediction.h"

#include <gmock/gmock.h>

namespace gaudi::prediction {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

timing::Cost shortKernel() {
  timing::Cost cost;
  cost.launch = 2 * us;
  cost.fill = us;
  cost.compute = us;
  cost.drain = us;
  return cost;
}

TEST(Advice, FusesAChainOfShortKernels) {
  Made made;
  uint32_t last =
      made.add("tpc.a", Queue::Tpc, elementwise(8, 64), {}, "m:1:1");
  for (const char *name : {"tpc.b", "tpc.c", "tpc.d"})
    last = made.add(name, Queue::Tpc, elementwise(8, 64), {last}, "m:2:1");
  for (uint32_t i = 0; i < 4; ++i)
    made.cost(i) = shortKernel();
  const Prediction &prediction = made.finish();
  const auto advice =
      ofKind(advise(prediction, {{"gaudi-fuse-tpc", "missed", "m:2:1",
                                  "not fused: another reader of 'tpc.a'"}}),
             AdviceKind::Fuse);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].title, "Fuse 4 short kernels in 1 chain");
  EXPECT_THAT(advice[0].commands, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(advice[0].locations, ElementsAre("m:1:1", "m:2:1"));
  EXPECT_THAT(advice[0].text, HasSubstr("take 20.0 us of which 4.00 us"));
  EXPECT_THAT(advice[0].text, HasSubstr("not fused: another reader"));
  // Launch and fill of the first, the work of all, drain of the last.
  std::vector<timing::Task> tasks = prediction.tasks;
  for (uint32_t i = 0; i < 4; ++i) {
    if (i > 0)
      tasks[i].cost.launch = tasks[i].cost.fill = 0;
    if (i < 3)
      tasks[i].cost.drain = 0;
  }
  EXPECT_EQ(advice[0].gain, prediction.time() - timeOf(prediction, tasks));
  EXPECT_GE(advice[0].gain, 6 * us); // 3 fills and 3 drains at least
}

TEST(Advice, LeavesLongKernelsAndSingleOnesAlone) {
  Made made;
  uint32_t last = made.add("tpc.a", Queue::Tpc, elementwise(8, 64));
  made.cost(last) = shortKernel();
  for (const char *name : {"tpc.b", "tpc.c"}) {
    last = made.add(name, Queue::Tpc, elementwise(8, 64), {last});
    made.cost(last) = shortKernel();
    made.cost(last).compute = 50 * us;
  }
  last = made.add("tpc.d", Queue::Tpc, elementwise(8, 64), {last});
  made.cost(last) = shortKernel();
  EXPECT_THAT(ofKind(advise(made.finish()), AdviceKind::Fuse), IsEmpty());
}

/// The second kernel waits for a product of the first one's result, too: one
/// kernel for both would wait for itself.
TEST(Advice, DoesNotFuseAroundAProduct) {
  const auto fusions = [](bool productReadsFirst) {
    Made made;
    const uint32_t first = made.add("tpc.a", Queue::Tpc, elementwise(512, 512));
    const uint32_t product =
        made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512),
                 productReadsFirst ? std::vector<uint32_t>{first}
                                   : std::vector<uint32_t>());
    const uint32_t second =
        made.add("tpc.b", Queue::Tpc, elementwise(512, 512), {first, product});
    made.cost(first) = made.cost(second) = shortKernel();
    return ofKind(advise(made.finish()), AdviceKind::Fuse).size();
  };
  EXPECT_EQ(fusions(true), 0u);
  EXPECT_EQ(fusions(false), 1u);
}

TEST(Advice, JoinsEqualChains) {
  Made made;
  for (int layer = 0; layer < 5; ++layer) {
    const uint32_t product =
        made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512));
    const uint32_t first =
        made.add("tpc.a", Queue::Tpc, elementwise(8, 64), {product},
                 "m:" + std::to_string(layer) + ":1");
    const uint32_t second =
        made.add("tpc.b", Queue::Tpc, elementwise(8, 64), {first},
                 "m:" + std::to_string(layer) + ":2");
    made.cost(first) = made.cost(second) = shortKernel();
  }
  const auto advice = ofKind(advise(made.finish()), AdviceKind::Fuse);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].title, "Fuse 10 short kernels in 5 chains");
  EXPECT_THAT(advice[0].locations, SizeIs(10));
}

TEST(Advice, CountsSamplesThatShareALaunch) {
  Made made;
  made.add("mme.gemm", Queue::Mme, gemm(8, 4096, 4096), {}, "m:1:1");
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Batch);
  ASSERT_THAT(advice, SizeIs(1));
  int64_t factor = 0;
  ASSERT_EQ(sscanf(advice[0].title.c_str(), "Use a %ldx larger batch", &factor),
            1);
  // The same model with as many rows, predicted on its own.
  Made larger;
  larger.add("mme.gemm", Queue::Mme, gemm(8 * factor, 4096, 4096));
  EXPECT_NEAR(double(advice[0].gain),
              double(prediction.time()) -
                  double(larger.finish().time()) / double(factor),
              1.0);
  EXPECT_THAT(advice[0].commands, ElementsAre(0));
}

/// The weights of w * x are the left operand; they must not grow.
TEST(Advice, CountsColumnsBesideWeightsOnTheLeft) {
  for (uint32_t constantInputs : {0u, 1u}) {
    Made made;
    made.add("mme.gemm", Queue::Mme, gemm(4096, 8, 4096), {}, "m:1:1");
    made.prediction.commands[0].constantInputs = constantInputs;
    const Prediction &prediction = made.finish();
    const auto advice = ofKind(advise(prediction), AdviceKind::Batch);
    ASSERT_THAT(advice, SizeIs(1));
    int64_t factor = 0;
    ASSERT_EQ(
        sscanf(advice[0].title.c_str(), "Use a %ldx larger batch", &factor), 1);
    EXPECT_THAT(advice[0].text, HasSubstr("(n " + std::to_string(8 * factor) +
                                          " instead of 8 in mme.gemm)"));
    Made larger;
    larger.add("mme.gemm", Queue::Mme, gemm(4096, 8 * factor, 4096));
    EXPECT_NEAR(double(advice[0].gain),
                double(prediction.time()) -
                    double(larger.finish().time()) / double(factor),
                1.0);
  }
}

/// Constants decide against the sizes: 64 rows of a narrow weight.
TEST(Advice, KeepsConstantsThatAreTheSmallerSide) {
  Made made;
  made.add("mme.gemm", Queue::Mme, gemm(64, 10, 4096), {}, "m:1:1");
  made.prediction.commands[0].constantInputs = 2;
  const auto advice = ofKind(advise(made.finish()), AdviceKind::Batch);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_THAT(advice[0].text, HasSubstr(" instead of 64 in mme.gemm)"));
}

TEST(Advice, CountsNoSamplesWhereNothingComputesThem) {
  Made copied;
  copied.add("dma.copy", Queue::Dma, copy({4}));
  EXPECT_THAT(ofKind(advise(copied.finish()), AdviceKind::Batch), IsEmpty());
  Made empty;
  empty.add("mme.gemm", Queue::Mme, gemm(0, 0, 128));
  EXPECT_THAT(ofKind(advise(empty.finish()), AdviceKind::Batch), IsEmpty());
  // The host decides between launches: the kernel may count its iterations.
  Made decided;
  decided.add("tpc.add", Queue::Tpc, elementwise(1, 2));
  decided.add("tpc.add", Queue::Tpc, elementwise(1, 2), {0});
  EXPECT_THAT(ofKind(advise(decided.finish()), AdviceKind::Batch), SizeIs(1));
  decided.prediction.launches = {{0, 0, 1}, {1, 1, 1}};
  EXPECT_THAT(ofKind(advise(decided.prediction), AdviceKind::Batch), IsEmpty());
}

/// Two products, which Gaudi 3 computes at once only if each fills the engines
/// that it gets: with 1000 columns they do not, with 1024 they do.
timing::MatrixWork pair(int64_t rows, int64_t columns) {
  timing::MatrixWork work = gemm(rows, columns, 4000, ElementType::F32);
  work.batch = {2};
  for (timing::Operand *operand : {&work.a, &work.b, &work.c})
    *operand =
        operandOf({2, operand->sizes[0], operand->sizes[1]}, ElementType::F32);
  return work;
}

TEST(Advice, PadsWithZerosWhereThatSavesTime) {
  Made made("gaudi3"), padded("gaudi3");
  made.add("mme.gemm", Queue::Mme, pair(200, 1000));
  padded.add("mme.gemm", Queue::Mme, pair(200, 1024));
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Pad);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].title, "Pad n of 1 product from 1000 to 1024");
  EXPECT_EQ(advice[0].gain, prediction.time() - padded.finish().time());
  EXPECT_THAT(ofKind(advise(padded.prediction), AdviceKind::Pad), IsEmpty());
}

/// 520 columns fill their tiles in part, but zeros beside them save nothing.
TEST(Advice, KeepsSizesThatZerosDoNotMakeFaster) {
  Made made("gaudi"), padded("gaudi");
  made.add("mme.gemm", Queue::Mme, gemm(4096, 520, 1024));
  padded.add("mme.gemm", Queue::Mme, gemm(4096, 768, 1024));
  const Prediction &prediction = made.finish();
  EXPECT_GE(padded.finish().time(), prediction.time());
  EXPECT_THAT(ofKind(advise(prediction), AdviceKind::Pad), IsEmpty());
}

TEST(Advice, JoinsProductsThatNeedTheSameSize) {
  Made made("gaudi3");
  made.add("mme.gemm", Queue::Mme, pair(200, 1000), {}, "m:1:1");
  made.add("mme.gemm", Queue::Mme, pair(220, 1000), {}, "m:2:1");
  const auto advice = ofKind(advise(made.finish()), AdviceKind::Pad);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_THAT(advice[0].commands, ElementsAre(0, 1));
  EXPECT_THAT(advice[0].text, HasSubstr("m 220, n 1000")); // the larger one
}

TEST(Advice, AsksForRowsThatFillVectors) {
  // Rows of 40 elements at a distance of 64.
  timing::KernelWork gapped = elementwise(65536, 40);
  for (timing::Operand &operand : gapped.operands)
    operand.strides = {64, 1};
  Made made;
  made.add("tpc.exp", Queue::Tpc, gapped, {}, "m:1:1");
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Rows);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].title,
            "Use rows of 128 instead of 40 elements in 1 x tpc.exp");
  EXPECT_THAT(advice[0].text,
              HasSubstr("Rows of 80 bytes, which are not contiguous, fill 31 % "
                        "of vectors of 256 bytes."));
  // 65536 rows of 40 are 20480 of 128.
  Made dense;
  dense.add("tpc.exp", Queue::Tpc, elementwise(20480, 128));
  EXPECT_EQ(advice[0].gain, prediction.time() - dense.finish().time());
  // Dense rows of 40 are passed through as one.
  Made packed;
  packed.add("tpc.exp", Queue::Tpc, elementwise(65536, 40));
  EXPECT_THAT(ofKind(advise(packed.finish()), AdviceKind::Rows), IsEmpty());
}

TEST(Advice, DoesNotAskForMoreSamplesThanTheCardHolds) {
  Made made;
  made.add("mme.gemm", Queue::Mme, gemm(8, 4096, 4096));
  made.prediction.persistent = made.prediction.capacity / 2 + 1;
  EXPECT_THAT(ofKind(advise(made.finish()), AdviceKind::Batch), IsEmpty());
}

} // namespace
} // namespace gaudi::prediction
