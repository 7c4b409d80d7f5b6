// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all kinds of advice have in common: grouping, order, thresholds,
// remarks; and the advice on movements, which needs nothing else.
#include "MadePrediction.h"

#include <chrono>
#include <gmock/gmock.h>

namespace gaudi::prediction {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// `layers` times: product, copy, product; each waits for the one before.
Made layersOf(int layers) {
  Made made;
  for (int layer = 0; layer < layers; ++layer) {
    const auto after = [&] {
      const auto count = uint32_t(made.prediction.tasks.size());
      return count ? std::vector<uint32_t>{count - 1} : std::vector<uint32_t>();
    };
    const std::string line = std::to_string(10 * layer + 1);
    made.add("mme.gemm", Queue::Mme, gemm(4096, 4096, 4096), after(),
             "m.mlir:" + line + ":1");
    made.add("dma.copy", Queue::Dma, copy({4096, 4096}), after(),
             "m.mlir:" + line + ":5");
    made.add("mme.gemm", Queue::Mme, gemm(4096, 4096, 4096), after(),
             "m.mlir:" + line + ":9");
  }
  return made;
}

TEST(Advice, RemovesACopyBetweenProducts) {
  Made made = layersOf(1);
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Movement);
  ASSERT_THAT(advice, SizeIs(1));
  // The second product waits for the first instead.
  std::vector<timing::Task> tasks = {prediction.tasks[0], prediction.tasks[2]};
  tasks[1].dependencies = {{0, false}};
  EXPECT_EQ(advice[0].gain, prediction.time() - timeOf(prediction, tasks));
  EXPECT_DOUBLE_EQ(advice[0].share,
                   double(advice[0].gain) / double(prediction.time()));
  EXPECT_THAT(advice[0].commands, ElementsAre(1));
  EXPECT_THAT(advice[0].locations, ElementsAre("m.mlir:1:5"));
  EXPECT_EQ(advice[0].title, "Avoid 1 x dma.copy");
}

TEST(Advice, JoinsEqualLayers) {
  Made made = layersOf(12);
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Movement);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_THAT(advice[0].commands, SizeIs(12));
  EXPECT_THAT(advice[0].locations, SizeIs(12));
  EXPECT_EQ(advice[0].title, "Avoid 12 x dma.copy");
  std::vector<timing::Task> tasks;
  for (const timing::Task &task : prediction.tasks)
    if (task.queue != Queue::Dma) {
      tasks.push_back(task);
      tasks.back().dependencies.clear();
      if (tasks.size() > 1)
        tasks.back().dependencies = {{uint32_t(tasks.size() - 2), false}};
    }
  EXPECT_EQ(advice[0].gain, prediction.time() - timeOf(prediction, tasks));
}

TEST(Advice, QuotesTheRemarkOfTheLocation) {
  Made made = layersOf(1);
  const std::vector<Remark> remarks = {
      {"convert-tosa-to-gaudi", "passed", "m.mlir:1:5", "raised to a copy"},
      {"gaudi-a", "passed", "m.mlir:1:5", "vectorised"},
      {"gaudi-place", "analysis", "m.mlir:1:5", "placed the copy"},
      {"gaudi-materialize", "missed", "m.mlir:1:5",
       "copied: the buffer has another reader"},
      {"gaudi-b", "missed", "m.mlir:1:1", "copied as well"}};
  const auto advice =
      ofKind(advise(made.finish(), remarks), AdviceKind::Movement);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_THAT(advice[0].text,
              HasSubstr("Why it is there (gaudi-materialize): copied: the "
                        "buffer has another reader."));
  const auto without =
      ofKind(advise(made.prediction, {}), AdviceKind::Movement);
  ASSERT_THAT(without, SizeIs(1));
  EXPECT_THAT(without[0].text, testing::Not(HasSubstr("Why")));
}

TEST(Advice, JoinsSmallMovementsOfManySizes) {
  Made made;
  uint32_t last = made.add("mme.gemm", Queue::Mme, gemm(4096, 4096, 4096));
  for (int64_t i = 0; i < 40; ++i) {
    last = made.add("dma.copy", Queue::Dma, copy({8 + i, 4096}), {last});
    made.cost(last) = {};
    made.cost(last).compute = us; // each far below 1 %
  }
  const Prediction &prediction = made.finish();
  ASSERT_LT(us, prediction.time() / 100);
  const auto advice = ofKind(advise(prediction), AdviceKind::Movement);
  ASSERT_THAT(advice, SizeIs(1));
  EXPECT_THAT(advice[0].commands, SizeIs(40));
  EXPECT_EQ(advice[0].gain,
            prediction.time() - timeOf(prediction, {prediction.tasks[0]}));
}

TEST(Advice, SaysNothingOfWellShapedProducts) {
  Made made;
  made.add("mme.gemm", Queue::Mme, gemm(8192, 8192, 8192));
  EXPECT_THAT(advise(made.finish()), IsEmpty());
}

TEST(Advice, SaysNothingBelowOnePercent) {
  Made made;
  const uint32_t product =
      made.add("mme.gemm", Queue::Mme, gemm(8192, 8192, 8192));
  made.add("dma.copy", Queue::Dma, copy({64, 64}), {product});
  const Prediction &prediction = made.finish();
  EXPECT_THAT(advise(prediction), IsEmpty());
}

TEST(Advice, OfAnEmptyLaunchIsEmpty) {
  Made made;
  EXPECT_THAT(advise(made.finish()), IsEmpty());
}

TEST(Advice, IsSortedByGainAndTheSameAgain) {
  Made made = layersOf(3);
  made.add("mme.gemm", Queue::Mme, gemm(4096, 4096, 4096, ElementType::F32),
           {8}, "m.mlir:99:1");
  const Prediction &prediction = made.finish();
  const std::vector<Advice> first = advise(prediction);
  const std::vector<Advice> again = advise(prediction);
  ASSERT_GE(first.size(), 2u);
  ASSERT_EQ(first.size(), again.size());
  for (size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].title, again[i].title);
    EXPECT_EQ(first[i].text, again[i].text);
    EXPECT_EQ(first[i].gain, again[i].gain);
    EXPECT_EQ(first[i].commands, again[i].commands);
    EXPECT_GE(first[i].gain, prediction.time() / 100);
    if (i > 0) {
      EXPECT_GE(first[i - 1].gain, first[i].gain);
    }
  }
}

TEST(Advice, TextShowsTheLargestEntries) {
  std::vector<Advice> advice(3);
  for (int i = 0; i < 3; ++i) {
    advice[size_t(i)].title = "Do " + std::to_string(i);
    advice[size_t(i)].text = "Because.";
    advice[size_t(i)].gain = (5 - i) * us;
    advice[size_t(i)].share = 0.05;
  }
  advice[0].locations = {"a:1:1", "a:2:1", "a:3:1", "a:4:1"};
  EXPECT_EQ(adviceText(advice, 2),
            "advice (gains of the same commands do not add up):\n"
            "  1. Do 0: saves 5.00 us (5.0 %)\n"
            "     Because.\n"
            "     at a:1:1, a:2:1, a:3:1 and 1 more place\n"
            "  2. Do 1: saves 4.00 us (5.0 %)\n"
            "     Because.\n"
            "  (1 more with smaller gains)\n");
  EXPECT_EQ(adviceText({}, 2), "");
}

/// All sizes differ, so that nothing is replayed together.
TEST(Advice, ReplaysAreBounded) {
  Made made("gaudi2");
  uint32_t last = made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512));
  for (int64_t i = 0; i < 10'000; ++i)
    last = i % 2 ? made.add("tpc.add", Queue::Tpc,
                            elementwise(64 + i, 40, ElementType::F32), {last})
                 : made.add("dma.copy", Queue::Dma, copy({64 + i, 40}), {last});
  const Prediction &prediction = made.finish();
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Advice> advice = advise(prediction);
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - begin;
  EXPECT_THAT(advice, testing::Not(IsEmpty()));
  // About 0.3 s alone; the bound is for loaded machines and sanitizers.
  EXPECT_LT(took.count(), 60);
}

/// A removed task that waited for many is kept without its cost.
TEST(Advice, RemovedChainsDoNotGrowQuadratically) {
  Made made;
  std::vector<uint32_t> all;
  for (int i = 0; i < 200; ++i)
    all.push_back(made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512)));
  const uint32_t copied =
      made.add("dma.copy", Queue::Dma, copy({4096, 4096}), all);
  made.add("mme.gemm", Queue::Mme, gemm(512, 512, 512), {copied});
  const Prediction &prediction = made.finish();
  const auto advice = ofKind(advise(prediction), AdviceKind::Movement);
  ASSERT_THAT(advice, SizeIs(1));
  std::vector<timing::Task> tasks = prediction.tasks;
  tasks.erase(tasks.begin() + copied);
  tasks.back().dependencies.clear();
  for (uint32_t task : all)
    tasks.back().dependencies.push_back({task, false});
  EXPECT_NEAR(double(advice[0].gain),
              double(prediction.time() - timeOf(prediction, tasks)), 2.0);
}

} // namespace
} // namespace gaudi::prediction
