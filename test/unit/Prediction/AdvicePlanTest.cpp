// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice on the launch as a whole: element types, order, capacity; commands
// that could go.
#include "MadePrediction.h"

#include <gmock/gmock.h>

namespace gaudi::prediction {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Advice, OffersBf16) {
  const auto model = [](ElementType type) {
    Made made;
    const uint32_t product =
        made.add("mme.gemm", Queue::Mme, gemm(4096, 4096, 4096, type));
    made.add("tpc.relu", Queue::Tpc, elementwise(4096, 4096, type), {product});
    return made;
  };
  Made f32 = model(ElementType::F32), bf16 = model(ElementType::BF16);
  const Prediction &prediction = f32.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Precision);
  ASSERT_THAT(advice, SizeIs(2));
  EXPECT_EQ(advice[0].title, "Compute in bf16 instead of f32 in 2 commands");
  EXPECT_EQ(advice[0].gain, prediction.time() - bf16.finish().time());
  EXPECT_THAT(advice[0].text, HasSubstr("docs/numerics.md"));
  EXPECT_EQ(advice[1].title, "Give 1 product bf16 instead of f32");
  std::vector<timing::Task> tasks = prediction.tasks;
  tasks[0] = bf16.prediction.tasks[0];
  EXPECT_EQ(advice[1].gain, prediction.time() - timeOf(prediction, tasks));
  EXPECT_THAT(ofKind(advise(bf16.prediction), AdviceKind::Precision),
              IsEmpty());
}

/// Products of bf16 have sums of f32, to which a kernel adds a bias in f32.
TEST(Advice, OffersNoBf16ToProductsThatHaveIt) {
  Made made;
  timing::MatrixWork product = gemm(4096, 4096, 4096, ElementType::BF16);
  product.c.type = ElementType::F32;
  made.add("mme.gemm", Queue::Mme, product);
  made.add("tpc.add", Queue::Tpc, elementwise(4096, 4096, ElementType::F32),
           {0});
  EXPECT_THAT(ofKind(advise(made.finish()), AdviceKind::Precision), IsEmpty());

  // One that multiplies f32 has the advice for itself and the kernels.
  product.a.type = product.b.type = ElementType::F32;
  made.add("mme.gemm", Queue::Mme, product, {1});
  const auto advice = ofKind(advise(made.finish()), AdviceKind::Precision);
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice.back().title, "Give 1 product bf16 instead of f32");
  EXPECT_THAT(advice.back().commands, ElementsAre(2));
}

/// Advice on products that could not have the type of their operands says why.
TEST(Advice, SaysWhyProductsStayWide) {
  Made made;
  made.add("mme.gemm", Queue::Mme, gemm(4096, 4096, 4096, ElementType::F32));
  made.add("tpc.relu", Queue::Tpc, elementwise(4096, 4096, ElementType::F32),
           {0});
  made.prediction.fusions.push_back(
      {"narrow_product", false, 0, 0, 0, "m:1:1",
       "'gaudi.mme.gemm' is not narrow: in f32 although its operands are bf16 "
       "and f16: no narrow type has the numbers of both"});
  const auto advice = ofKind(advise(made.finish()), AdviceKind::Precision);
  ASSERT_THAT(advice, SizeIs(2));
  EXPECT_THAT(advice[1].text,
              HasSubstr("narrow product 0/1: one at m:1:1: in f32 although its "
                        "operands are bf16 and f16"));
}

/// With the kernel in bf16, too, the launch gains less: other pipelines, say.
TEST(Advice, OffersBf16OnlyWhereItGains) {
  Made made;
  made.add("mme.gemm", Queue::Mme, gemm(4096, 4096, 4096, ElementType::F32));
  made.add("tpc.relu", Queue::Tpc, elementwise(64, 64, ElementType::F32));
  const Prediction &prediction = made.finish();
  int64_t tenths = 9;
  const Repredict again = [&](const WorkChange &change) -> Result<Prediction> {
    Work work = prediction.commands[1].work;
    Prediction result = prediction;
    result.timeline.end =
        prediction.time() * (change(1, work) ? tenths : 5) / 10;
    return result;
  };
  auto advice = ofKind(advise(prediction, {}, again), AdviceKind::Precision);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].title, "Give 1 product bf16 instead of f32");
  tenths = 4;
  advice = ofKind(advise(prediction, {}, again), AdviceKind::Precision);
  ASSERT_THAT(advice, SizeIs(2));
  EXPECT_THAT(advice[0].text, HasSubstr("Includes what the products alone"));
}

/// A long product after a kernel that the other kernel need not wait for.
TEST(Advice, StartsTheLongChainFirst) {
  Made made;
  made.add("tpc.other", Queue::Tpc, elementwise(64, 64), {}, "m:1:1");
  made.add("tpc.first", Queue::Tpc, elementwise(64, 64), {}, "m:2:1");
  made.add("mme.gemm", Queue::Mme, gemm(64, 64, 64), {1}, "m:3:1");
  for (uint32_t i = 0; i < 3; ++i) {
    made.cost(i) = {};
    made.cost(i).compute = (i == 2 ? 100 : 50) * us;
    made.cost(i).enginesUsed = 1000;
  }
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Order);
  ASSERT_THAT(advice, SizeIs(1));
  // 50 + 50 + 100 before; the first kernel runs beside the product after.
  EXPECT_EQ(advice[0].gain, 50 * us);
  EXPECT_THAT(advice[0].commands, ElementsAre(1));
  EXPECT_THAT(advice[0].locations, ElementsAre("m:2:1"));
}

/// A pipeline needs two engines. A kernel that is ready with it has a shorter
/// chain and must not take one of them first.
TEST(Advice, StartsAPipelineBeforeAShorterChain) {
  Made made;
  made.add("tpc.other", Queue::Tpc, elementwise(64, 64), {}, "m:1:1");
  made.add("tpc.first", Queue::Tpc, elementwise(64, 64), {}, "m:2:1");
  made.add("mme.gemm", Queue::Mme, gemm(64, 64, 64), {1}, "m:3:1");
  made.add("mme.last", Queue::Mme, gemm(64, 64, 64), {2}, "m:4:1");
  made.prediction.pipelines = {{1, 2, 4, 0, ""}};
  for (uint32_t i = 0; i < 4; ++i) {
    made.cost(i) = {};
    made.cost(i).compute = (i == 3 ? 100 : 50) * us;
    made.cost(i).enginesUsed = 1000;
  }
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Order);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].gain, 50 * us); // "other" runs beside the products
  EXPECT_THAT(advice[0].commands, ElementsAre(1));
}

TEST(Advice, KeepsTheOrderOfASingleChain) {
  Made made;
  uint32_t last = made.add("tpc.a", Queue::Tpc, elementwise(64, 64));
  last = made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512), {last});
  made.add("tpc.b", Queue::Tpc, elementwise(512, 512), {last});
  EXPECT_THAT(ofKind(advise(made.finish()), AdviceKind::Order), IsEmpty());
}

TEST(Advice, SaysWhatDoesNotFit) {
  Made made("gaudi");
  made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512));
  constexpr uint64_t GiB = 1ull << 30;
  made.prediction.constants = 20 * GiB;
  made.prediction.persistent = 4 * GiB;
  made.prediction.workspace = 20 * GiB;
  made.prediction.buffers = {{7, "scores", "m:4:1", 0, 16 * GiB, 0, us}};
  const std::vector<Advice> advice = advise(made.finish());
  ASSERT_THAT(advice, testing::Not(IsEmpty()));
  EXPECT_EQ(advice[0].kind, AdviceKind::Capacity);
  EXPECT_EQ(advice[0].title,
            "Use 12.0 GiB less memory: the model does not fit on gaudi");
  EXPECT_THAT(advice[0].text, HasSubstr("needs 44.0 GiB"));
  // 24 GiB of samples, room for 12.
  EXPECT_THAT(advice[0].text, HasSubstr("With 1/2 of the samples"));
  EXPECT_THAT(advice[0].text, HasSubstr("gaudi2 has 96.0 GiB. gaudi3 has 128"));
  EXPECT_THAT(advice[0].text, HasSubstr("Buffer scores: 16.0 GiB."));
  EXPECT_THAT(advice[0].locations, ElementsAre("m:4:1"));
  made.prediction.constants = GiB;
  EXPECT_THAT(ofKind(advise(made.prediction), AdviceKind::Capacity), IsEmpty());
}

TEST(Advice, NamesLibraryKernels) {
  Made made;
  const uint32_t product =
      made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512));
  timing::LibraryWork sort;
  sort.name = "sort";
  sort.operands = {operandOf({64, 1024}, ElementType::F32),
                   operandOf({64, 1024}, ElementType::F32)};
  sort.inputs = 1;
  sort.ints = {1, 0, 0};
  made.add("tpc.sort", Queue::Tpc, sort, {product}, "m:5:1");
  made.cost(1) = {};
  made.cost(1).compute = 40 * us;
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Library);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_EQ(advice[0].gain,
            prediction.time() - timeOf(prediction, {prediction.tasks[0]}));
  EXPECT_THAT(advice[0].locations, ElementsAre("m:5:1"));
}

/// What the host does between the parts of a program is not work of an engine.
TEST(Advice, LeavesLaunchesOfTheHostAsTheyAre) {
  Made made;
  const uint32_t first = made.add("mme.gemm", Queue::Mme, gemm(64, 512, 512));
  const uint32_t host =
      made.add("host.launch", Queue::Host,
               timing::LibraryWork{"host.launch", {}, 0, {}}, {first});
  made.cost(host) = {};
  made.cost(host).compute = 10 * us;
  made.add("mme.gemm", Queue::Mme, gemm(64, 512, 512), {host});
  const Prediction &prediction = made.finish();
  const std::vector<Advice> advice = advise(prediction);
  EXPECT_THAT(ofKind(advice, AdviceKind::Library), IsEmpty());
  const auto batch = ofKind(advice, AdviceKind::Batch);
  ASSERT_THAT(batch, SizeIs(1));
  int64_t factor = 0;
  ASSERT_EQ(sscanf(batch[0].title.c_str(), "Use a %ldx larger batch", &factor),
            1);
  std::vector<timing::Task> tasks = prediction.tasks;
  tasks[0].cost = tasks[2].cost =
      timing::costOf(gemm(64 * factor, 512, 512), *prediction.device);
  EXPECT_NEAR(double(batch[0].gain),
              double(prediction.time()) -
                  double(timeOf(prediction, tasks)) / double(factor),
              1.0);
}

TEST(Advice, NamesGathers) {
  Made made;
  timing::KernelWork gather = elementwise(4096, 64);
  gather.operands.insert(gather.operands.begin(), operandOf({50000, 64}));
  gather.inputs = 2;
  for (timing::KernelAccess &access : gather.accesses)
    ++access.operand;
  gather.accesses.push_back(
      {0, {kernel::Affine(), kernel::Affine::dim(1)}, 1, 1});
  gather.blocks[0].loads.push_back(2);
  made.add("tpc.gather", Queue::Tpc, gather, {}, "m:6:1");
  made.cost(0) = {};
  made.cost(0).compute = 40 * us;
  const Prediction &prediction = made.finish();
  const std::vector<Advice> advice = advise(prediction);
  const auto gathers = ofKind(advice, AdviceKind::Gather);
  ASSERT_THAT(gathers, SizeIs(1));
  EXPECT_EQ(gathers[0].gain, prediction.time() - timeOf(prediction, {}));
  EXPECT_THAT(ofKind(advice, AdviceKind::Movement), IsEmpty());
}

} // namespace
} // namespace gaudi::prediction
