// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of attention: counted against each position, played against tasks, and
// a chain by hand.
#include "Gaudi/Timing/Attention.h"
#include "Gaudi/Timing/Timeline.h"

#include <gmock/gmock.h>
#include <vector>

using namespace gaudi;
using namespace gaudi::timing;
using testing::HasSubstr;

namespace {

const device::DeviceSpec &get(const char *name) {
  return **device::DeviceSpec::lookup(name);
}

Operand dense(Dims sizes, ElementType type = ElementType::BF16) {
  return {type, std::move(sizes), {}, Memory::Hbm};
}

struct Sizes {
  int64_t batches = 1, heads = 1, keyHeads = 1, queries = 1, keys = 1,
          depth = 64;
};

AttentionWork forward(const Sizes &sizes, AttentionForm form = {},
                      ElementType type = ElementType::BF16) {
  const Dims query = {sizes.batches, sizes.heads, sizes.queries, sizes.depth},
             key = {sizes.batches, sizes.keyHeads, sizes.keys, sizes.depth};
  std::vector<Operand> outputs = {dense(query, type)};
  if ((form.results & 8))
    outputs.push_back(
        dense({sizes.batches, sizes.heads, sizes.queries, sizes.keys}, type));
  return attentionWork(form,
                       {dense(query, type), dense(key, type), dense(key, type)},
                       std::move(outputs));
}

/// From the output, the maximum and the inverse sum.
AttentionWork gradient(const Sizes &sizes, AttentionForm form = {}) {
  const Dims query = {sizes.batches, sizes.heads, sizes.queries, sizes.depth},
             key = {sizes.batches, sizes.keyHeads, sizes.keys, sizes.depth},
             row = {sizes.batches, sizes.heads, sizes.queries, 1};
  form.isGradient = true;
  form.inputs = 0b1100001;
  return attentionWork(form,
                       {dense(query), dense(query), dense(key), dense(key),
                        dense(query), dense(row), dense(row, ElementType::F32)},
                       {dense(query), dense(key), dense(key)});
}

// Positions are sorted one by one into slices of 3 x 4.
TEST(Attention, SkipsSlicesThatSeeNothing) {
  for (const int64_t queries : {1, 5, 9, 14})
    for (const int64_t keys : {1, 4, 11, 16})
      for (const int64_t window : {0, 1, 3, 7, 100})
        for (const bool causal : {false, true}) {
          AttentionForm form;
          form.causal = causal;
          form.window = window;
          form.slice = {3, 4};
          const AttentionChain chain = chainOf(
              forward({1, 1, 1, queries, keys, 8}, form), get("gaudi2"));
          int64_t slices = 0, cut = 0, skipped = 0;
          for (int64_t row = 0; row < queries; row += 3)
            for (int64_t column = 0; column < keys; column += 4) {
              bool any = false, all = true;
              for (int64_t i = row; i < std::min(row + 3, queries); ++i)
                for (int64_t j = column; j < std::min(column + 4, keys); ++j) {
                  const bool isVisible =
                      (!causal || j <= i) &&
                      (window == 0 ||
                       (i - j < window && (causal || j - i < window)));
                  any |= isVisible;
                  all &= isVisible;
                }
              slices += any;
              skipped += !any;
              cut += any && !all;
            }
          SCOPED_TRACE(testing::Message()
                       << queries << " x " << keys << ", causal " << causal
                       << ", window " << window);
          EXPECT_EQ(chain.slices, slices);
          EXPECT_EQ(chain.cut, cut);
          EXPECT_EQ(chain.skipped, skipped);
        }
}

// Blocks of queries are counted one by one: not 2^36 of them.
TEST(Attention, LimitsTheBlocksOfAGivenSlice) {
  AttentionForm form;
  form.slice = {1, 1};
  const int64_t queries = int64_t(1) << 36;
  const AttentionChain chain =
      chainOf(forward({1, 1, 1, queries, 4, 1}, form), get("gaudi2"));
  EXPECT_EQ(chain.slice.queries, queries >> 16);
  EXPECT_EQ(chain.slice.keys, 1);
  EXPECT_EQ(chain.slices, int64_t(4) << 16);
}

// The example of docs/device-time.md. The slices have 2 heads: products of
// 2,048 and 1,024 cycles, softmax of 10,404.
TEST(Attention, TakesAsLongAsByHand) {
  const device::DeviceSpec &spec = get("gaudi2");
  const AttentionWork work = forward({2, 16, 16, 512, 512, 64});
  const AttentionChain chain = chainOf(work, spec);
  EXPECT_EQ(chain.slice.heads, 2);
  EXPECT_EQ(chain.slice.queries, 512);
  EXPECT_EQ(chain.slice.keys, 512);
  EXPECT_EQ(chain.slices, 16);
  EXPECT_EQ(chain.kernels, cycleTime(10404, spec.tpc.clockHz));
  EXPECT_NEAR(double(chain.products), 3072 * 1.024 / 1.65e9 * 1e12, 2);
  EXPECT_NEAR(double(chain.latency), 9.7265e6, 100);
  EXPECT_EQ(chain.time, 15 * chain.kernels + chain.latency);
  const Cost cost = costOf(work, spec);
  EXPECT_EQ(cost.bound, Bound::Special);
  EXPECT_NEAR(double(cost.total()), 97.585e6, 1e4);
  EXPECT_THAT(explain(work, spec),
              HasSubstr("16 slices of 2 heads x 512 queries x 512 keys; a "
                        "slice: products 1.91 us, kernels 5.78 us"));
}

/// The chain as tasks in slices: what the timeline makes of it.
Picoseconds played(const AttentionChain &chain,
                   const device::DeviceSpec &spec) {
  device::DeviceSpec device = spec;
  device.launchSeconds.value = 0;
  std::vector<Task> tasks;
  const auto add = [&](Queue queue, Picoseconds busy) {
    Task task;
    task.queue = queue;
    task.cost.compute = busy * chain.slices;
    task.cost.enginesUsed = 1000;
    task.maxSlices = uint32_t(chain.slices);
    if (queue == Queue::Tpc) {
      task.cost.fill = Picoseconds(spec.tpc.silicon.firstData * 1e12);
      task.cost.drain = Picoseconds(spec.tpc.silicon.completion * 1e12);
    }
    if (!tasks.empty())
      task.dependencies.push_back({uint32_t(tasks.size() - 1), true});
    tasks.push_back(task);
  };
  add(Queue::Mme, chain.products / 2);
  add(Queue::Tpc, chain.kernels);
  add(Queue::Mme, chain.products - chain.products / 2);
  return play(tasks, device).end;
}

TEST(Attention, TakesAsLongAsItsSlicesPlayed) {
  for (const char *device : {"gaudi", "gaudi2", "gaudi3"})
    for (const Sizes &sizes :
         {Sizes{4, 16, 16, 512, 512, 64}, Sizes{1, 32, 8, 2048, 2048, 128},
          Sizes{16, 12, 12, 128, 128, 64}, Sizes{2, 8, 8, 1024, 1024, 256}})
      for (const Dims &slice : {Dims{}, Dims{128, sizes.keys}}) {
        AttentionForm form;
        form.slice = slice;
        const AttentionChain chain = chainOf(forward(sizes, form), get(device));
        if (chain.slice.keys != sizes.keys)
          continue; // has a fourth stage
        const auto expected = double(played(chain, get(device)));
        EXPECT_NEAR(double(chain.time), expected, 0.1 * expected)
            << device << ": " << chain.slices << " slices of "
            << chain.slice.heads << " x " << chain.slice.queries << " x "
            << chain.slice.keys;
      }
}

TEST(Attention, ChoosesSlicesThatFit) {
  for (const char *device : {"gaudi", "gaudi2", "gaudi3"})
    for (const Sizes &sizes :
         {Sizes{1, 12, 12, 128, 128, 64}, Sizes{8, 32, 8, 4096, 4096, 128},
          Sizes{1, 1, 1, 1, 1, 1}, Sizes{64, 32, 1, 1, 100000, 128},
          Sizes{1, 4, 4, 1000000, 1000000, 64}})
      for (const AttentionWork &work : {forward(sizes), gradient(sizes)}) {
        const AttentionSlice slice = sliceOf(work, get(device));
        const double room = get(device).mme.silicon.operandMemory;
        EXPECT_LE(double(chainOf(work, get(device)).sramBytes), room);
        // Given by the op, it takes the same time; no other of these is
        // shorter.
        const Picoseconds best = costOf(work, get(device)).total();
        AttentionWork given = work;
        given.sliceQueries = slice.queries;
        given.sliceKeys = slice.keys;
        EXPECT_EQ(costOf(given, get(device)).total(), best);
        for (const int64_t queries : {64, 128, 512, 2048}) {
          AttentionWork other = work;
          other.sliceQueries = queries;
          other.sliceKeys = std::min<int64_t>(sizes.keys, 1024);
          if (double(chainOf(other, get(device)).sramBytes) <= room)
            EXPECT_LE(best, costOf(other, get(device)).total())
                << device << ": " << slice.heads << " x " << slice.queries
                << " x " << slice.keys << " against " << queries;
        }
      }
}

TEST(Attention, CostsWhatItComputes) {
  const device::DeviceSpec &spec = get("gaudi2");
  const Sizes sizes = {2, 16, 16, 2048, 2048, 128};
  const Cost plain = costOf(forward(sizes), spec);
  EXPECT_TRUE(plain.isChain());
  EXPECT_EQ(plain.hbmRead, 3u * 2 * 16 * 2048 * 128 * 2);
  EXPECT_EQ(plain.hbmWritten, 2u * 16 * 2048 * 128 * 2);
  // Half of the scores, and a little for the diagonal.
  AttentionForm causal;
  causal.causal = true;
  const Cost half = costOf(forward(sizes, causal), spec);
  EXPECT_GT(half.compute, plain.compute / 2);
  EXPECT_LT(half.compute, plain.compute * 7 / 10);
  // A window of 256 leaves an eighth, and less of large slices.
  AttentionForm window = causal;
  window.window = 256;
  EXPECT_LT(costOf(forward(sizes, window), spec).compute, half.compute / 2);
  // A cheaper exponential.
  AttentionForm fast;
  fast.isFast = true;
  EXPECT_LT(costOf(forward(sizes, fast), spec).compute, plain.compute);
  // Random numbers are not free.
  AttentionWork drawn = forward(sizes);
  drawn.isSeeded = true;
  EXPECT_GT(costOf(drawn, spec).compute, plain.compute * 3 / 2);
  // Five products and the exponentials again.
  EXPECT_GT(costOf(gradient(sizes), spec).compute, plain.compute);
  EXPECT_GT(chainOf(gradient(sizes), spec).macs,
            2.4 * chainOf(forward(sizes), spec).macs);
  // Probabilities pass the memory.
  AttentionForm saves;
  saves.results = 8;
  EXPECT_EQ(costOf(forward(sizes, saves), spec).hbmWritten,
            plain.hbmWritten + 2u * 16 * 2048 * 2048 * 2);
  // P v takes half of the cycles in f8.
  EXPECT_LT(costOf(forward(sizes, {}, ElementType::F8E4M3FN), spec).mmeBusy,
            plain.mmeBusy);
  // Four times slower products in f32.
  EXPECT_GT(costOf(forward(sizes, {}, ElementType::F32), spec).mmeBusy,
            plain.mmeBusy);
}

// A mask of all heads is read once, as it stays in SRAM; one for each head
// whole, or half of it where causality hides the other half.
TEST(Attention, ReadsMasks) {
  const device::DeviceSpec &spec = get("gaudi2");
  const auto traffic = [&](Dims mask, bool causal) {
    AttentionForm form;
    form.causal = causal;
    form.inputs = 1;
    const Operand query = dense({2, 16, 1024, 64});
    const AttentionWork work = attentionWork(
        form, {query, query, query, dense(std::move(mask))}, {query});
    EXPECT_EQ(work.mask, 3);
    return costOf(work, spec).hbmRead - 3 * query.bytes();
  };
  EXPECT_EQ(traffic({1, 1, 1024, 1024}, false), 2u << 20);
  EXPECT_EQ(traffic({2, 16, 1024, 1024}, false), 64u << 20);
  EXPECT_EQ(traffic({2, 1, 1, 1024}, false), 4096u);
  EXPECT_LT(traffic({2, 16, 1024, 1024}, true), 48u << 20);
}

// Keys and values of one head, 2 x 64 MiB, do not fit: each block of 2048
// queries reads them. Sums of their gradients pass the memory as often.
TEST(Attention, ReadsKeysAgainThatDoNotFit) {
  const device::DeviceSpec &spec = get("gaudi2");
  AttentionForm form;
  form.slice = {2048, 1024};
  const Sizes sizes = {1, 1, 1, 8192, 1 << 18, 128};
  const uint64_t keys = uint64_t(2) << 26, queries = 8192 * 128 * 2;
  EXPECT_EQ(costOf(forward(sizes, form), spec).hbmRead, queries + 4 * keys);
  const Cost grad = costOf(gradient(sizes, form), spec);
  EXPECT_EQ(grad.hbmWritten, queries + keys + 4 * 2 * keys);
  // Those of short ones stay.
  form.slice = {512, 512};
  const Sizes shorter = {1, 8, 1, 8192, 4096, 128};
  EXPECT_EQ(chainOf(gradient(shorter, form), spec).keyReads, 1);
  EXPECT_EQ(chainOf(gradient(shorter, form), spec).sumMoves, 0);
}

TEST(Attention, ReadsStoredLayouts) {
  AttentionForm form;
  form.queryLayout = "NLHD";
  form.keyLayout = "NHDL";
  form.valueLayout = "NLHD";
  const AttentionWork work = attentionWork(
      form,
      {dense({2, 100, 12, 64}), dense({2, 4, 64, 200}), dense({2, 200, 4, 32})},
      {dense({2, 12, 100, 32})});
  EXPECT_EQ(work.batches, 2);
  EXPECT_EQ(work.heads, 12);
  EXPECT_EQ(work.keyHeads, 4);
  EXPECT_EQ(work.queries, 100);
  EXPECT_EQ(work.keys, 200);
  EXPECT_EQ(work.depth, 64);
  EXPECT_EQ(work.valueDepth, 32);
  EXPECT_EQ(chainOf(work, get("gaudi2")).macs,
            2.0 * 12 * 100 * 200 * (64 + 32));
  const AttentionWork three = attentionWork(
      {}, {dense({6, 10, 8}), dense({1, 20, 8}), dense({1, 20, 8})},
      {dense({6, 10, 8})});
  EXPECT_EQ(three.batches, 6);
  EXPECT_EQ(three.heads, 1);
  EXPECT_EQ(three.keyBatches, 1);
}

TEST(Attention, NumbersOptionalOperands) {
  AttentionForm form;
  form.isGradient = true;
  // Output, dropout mask, probabilities.
  form.inputs = 0b10001001;
  const Operand query = dense({1, 2, 16, 8}), scores = dense({1, 2, 16, 16});
  const AttentionWork work =
      attentionWork(form, {query, query, query, query, query, scores, scores},
                    {query, query, query});
  EXPECT_EQ(work.forwardOutput, 4);
  EXPECT_EQ(work.mask, -1);
  EXPECT_EQ(work.dropoutMask, 5);
  EXPECT_EQ(work.probabilities, 6);
  EXPECT_FALSE(work.isSeeded);
  AttentionForm saves;
  saves.results = 0b11000;
  saves.inputs = 1 << 3;
  const AttentionWork forward =
      attentionWork(saves, {query, query, query, dense({1}, ElementType::I32)},
                    {query, scores, dense({1, 2, 16, 16}, ElementType::I8)});
  EXPECT_TRUE(forward.isSeeded);
  EXPECT_EQ(forward.probabilities, 5);
  EXPECT_EQ(forward.drawnMask, 6);
}

TEST(Attention, HasAnyCost) {
  const int64_t huge = int64_t(1) << 40;
  for (const char *device : {"gaudi", "gaudi2", "gaudi3"})
    for (const Sizes &sizes :
         {Sizes{0, 1, 1, 1, 1, 1}, Sizes{1, 2, 2, 0, 5, 8},
          Sizes{1, 2, 2, 5, 0, 8}, Sizes{1, 2, 2, 5, 5, 0},
          Sizes{1, 1, 1, huge, huge, 1}, Sizes{huge, 1, 1, 3, 3, 64}})
      for (const AttentionWork &work : {forward(sizes), gradient(sizes)}) {
        const Cost cost = costOf(work, get(device));
        EXPECT_GE(cost.total(), 0);
        EXPECT_GE(cost.compute, 0);
        EXPECT_THAT(explain(work, get(device)), HasSubstr("HBM"));
      }
}

} // namespace
