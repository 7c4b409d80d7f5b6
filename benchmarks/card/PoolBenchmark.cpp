// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nanoseconds of an allocation and a free of device memory with its first and
// last use.
//
// Usage: PoolBenchmark
//
// Each row is the best of many rounds. Training steps repeat the allocations of
// a network with 48 layers; the card is behind the host, so that freed memory
// is pending. Random sizes and lifetimes are the case that branch predictors
// and exact fits do not help.
#include "Gaudi/Runtime/Device/HandleTable.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

using namespace gaudi;
using namespace gaudi::runtime;

namespace {

constexpr unsigned rounds = 200;

template <typename Round> double nanosecondsOf(Round &&round) {
  double best = 1e30;
  for (unsigned i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const unsigned count = round();
    const std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / count);
  }
  return best;
}

/// A card whose host runs `lead` allocations ahead.
class Card {
public:
  Card(unsigned streams, int64_t lead, bool handles)
      : streams(streams), lead(lead), useHandles(handles) {}

  struct Tensor {
    BlockId block = none;
    uint64_t handle = 0;
  };

  Tensor allocate(uint64_t bytes) {
    const uint32_t stream = uint32_t(++step % streams);
    const auto result = pool.allocate({bytes, stream, now(), {}}, waits);
    if (!result) {
      std::fprintf(stderr, "PoolBenchmark: error: no room\n");
      std::exit(2);
    }
    Tensor tensor = {result->block, 0};
    if (useHandles) {
      tensor.handle = *handles.add(tensor.block, bytes, {});
      tensor.block = handles.resolve(tensor.handle + bytes / 2, 1)->block;
    }
    use(tensor);
    return tensor;
  }
  void free(const Tensor &tensor) {
    use(tensor);
    if (useHandles)
      (void)handles.remove(tensor.handle);
    (void)pool.free(tensor.block, now());
  }

private:
  void use(const Tensor &tensor) {
    pool.recordUse(tensor.block,
                   {uint32_t(step % streams), step, now() + lead * 1000});
  }
  int64_t now() const { return int64_t(step) * 1000; }
  MemoryPool pool = *MemoryPool::create(uint64_t(96) << 30, 128);
  OwnerTexts texts;
  HandleTable handles{texts};
  std::vector<StreamUse> waits;
  uint64_t step = 0, streams;
  int64_t lead;
  bool useHandles;
};

/// Forward, backward and optimizer; the number of tensors.
unsigned trainingStep(Card &card) {
  constexpr unsigned layers = 48;
  constexpr uint64_t hidden = 8 << 20, wide = 32 << 20, scores = 12 << 20,
                     norm = 16 << 10, weight = 2 << 20;
  Card::Tensor kept[layers][5], gradients[layers][2];
  for (auto &layer : kept) {
    const Card::Tensor query = card.allocate(3 * hidden),
                       raw = card.allocate(scores);
    layer[0] = card.allocate(norm);
    layer[1] = card.allocate(scores);
    card.free(raw);
    layer[2] = card.allocate(hidden);
    card.free(query);
    layer[3] = card.allocate(wide);
    layer[4] = card.allocate(hidden);
  }
  Card::Tensor gradient = card.allocate(hidden);
  for (unsigned layer = layers; layer-- > 0;) {
    const Card::Tensor inner = card.allocate(wide);
    gradients[layer][0] = card.allocate(4 * weight);
    const Card::Tensor next = card.allocate(hidden);
    gradients[layer][1] = card.allocate(weight);
    card.free(inner);
    card.free(gradient);
    gradient = next;
    for (const Card::Tensor &tensor : kept[layer])
      card.free(tensor);
  }
  card.free(gradient);
  for (const auto &layer : gradients)
    for (const Card::Tensor &tensor : layer)
      card.free(tensor);
  return layers * 11 + 1;
}

void measureTraining(const char *name, unsigned streams, int64_t lead,
                     bool handles) {
  Card card(streams, lead, handles);
  std::printf("%-48s %6.1f ns\n", name, nanosecondsOf([&] {
                unsigned tensors = 0;
                for (unsigned i = 0; i < 10; ++i)
                  tensors += trainingStep(card);
                return tensors;
              }));
}

void measureRandom(const char *name, int64_t lead, bool small) {
  Card card(1, lead, false);
  std::mt19937 random(1);
  std::vector<uint64_t> sizes(4096);
  for (uint64_t &size : sizes)
    size = small ? 1 + random() % 128
                 : uint64_t(256) << random() % 16 | random() % 4096;
  std::vector<Card::Tensor> tensors(300);
  for (Card::Tensor &tensor : tensors)
    tensor = card.allocate(sizes[random() % 4096]);
  std::vector<unsigned> order(4096);
  for (unsigned &index : order)
    index = unsigned(random() % tensors.size());
  std::printf("%-48s %6.1f ns\n", name, nanosecondsOf([&] {
                for (unsigned i = 0; i < 4096; ++i) {
                  card.free(tensors[order[i]]);
                  tensors[order[i]] = card.allocate(sizes[i]);
                }
                return 4096u;
              }));
}

void measureResolve() {
  OwnerTexts texts;
  HandleTable table(texts);
  std::vector<uint64_t> handles;
  for (BlockId i = 0; i < 1000; ++i)
    handles.push_back(*table.add(i, 1 << 20, {}));
  volatile uint64_t sum = 0;
  std::printf("%-48s %6.1f ns\n", "resolve a handle", nanosecondsOf([&] {
                uint64_t blocks = 0;
                for (uint64_t handle : handles)
                  blocks += table.resolve(handle + 64, 64)->block;
                sum = sum + blocks;
                return 1000u;
              }));
}

} // namespace

int main() {
  measureTraining("training steps, the card keeps up", 1, 0, false);
  measureTraining("training steps, host 200 ahead", 1, 200, false);
  measureTraining("training steps, host 5,000 ahead", 1, 5000, false);
  measureTraining("training steps, 200 ahead, 4 streams by turns", 4, 200,
                  false);
  measureTraining("training steps, 200 ahead, with handles", 1, 200, true);
  measureRandom("random, the card keeps up", 0, false);
  measureRandom("random, host 200 ahead", 200, false);
  measureRandom("small blocks", 200, true);
  measureResolve();
  return 0;
}
