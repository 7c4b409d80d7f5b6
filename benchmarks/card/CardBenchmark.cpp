// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launches, graphs and overlap of a card cost or save on the host.
//
// Usage: CardBenchmark
//
// `issue`: host time of a call, beside the work, which other threads do: of a
// recipe with 20 commands on 50 tensors, whose addresses change or stay. Each
// row is the median of many rounds. `overlap`: wall time of copies and products
// one after the other, over that with two streams; one thread computes.
#include "Device/DeviceRecipe.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

using namespace gaudi;
using namespace gaudi::test;

namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <typename T> T take(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
  }
  return std::move(*result);
}
void must(Status status) {
  if (status)
    return;
  std::fprintf(stderr, "%s\n", status.error().message.c_str());
  std::exit(1);
}

/// 20 commands on 50 tensors of the caller: sums of two or three vectors.
void addManyTensors(TestRecipe &r) {
  constexpr int64_t n = 16;
  unsigned left = 30;
  for (unsigned c = 0; c < 20; ++c) {
    const unsigned operands = c < 10 ? 2 : 1;
    KernelBuilder k({n}, {true});
    for (unsigned i = 0; i < operands; ++i)
      k.input(F32, 1);
    k.output(F32, 1);
    k.stage();
    uint32_t sum = k.constant(1.0f);
    std::vector<uint32_t> inputs;
    for (unsigned i = 0; i < operands; ++i, --left) {
      inputs.push_back(r.input(F32, {n}));
      sum = k.inst(Op::AddF, F32, sum,
                   k.inst(Op::Load, F32, k.access(i, 0, k.at({{0, 1}}))));
    }
    k.store(k.access(operands, 0, k.at({{0, 1}})), sum);
    r.launch(k, inputs, {r.output(F32, {n})});
  }
}

void measureIssue() {
  const auto device = openDevice(uint64_t(1) << 30);
  TestRecipe r;
  addManyTensors(r);
  const auto program = load(device, r);
  auto &stream = device->defaultStream();
  constexpr size_t sets = 8;
  std::vector<std::vector<DeviceAddress>> addresses(sets);
  for (auto &set : addresses)
    for (const auto &tensor : program->tensors(0))
      set.push_back(take(device->allocate(tensor.bytes, stream)));
  std::printf("%zu tensors\n", addresses[0].size());
  const auto row = [&](const char *name, unsigned count,
                       const std::function<void(unsigned)> &call) {
    std::vector<double> times;
    for (unsigned round = 0; round < 30; ++round) {
      const auto start = Clock::now();
      for (unsigned i = 0; i < count; ++i)
        call(i);
      times.push_back(microseconds(Clock::now() - start) / count);
      must(stream.synchronize());
    }
    std::printf("issue  %-34s %8.2f us\n", name, median(times));
  };
  row("launch, same addresses", 100,
      [&](unsigned) { must(stream.launch(*program, 0, addresses[0])); });
  row("launch, other addresses each time", 100, [&](unsigned i) {
    must(stream.launch(*program, 0, addresses[i % sets]));
  });
  std::vector<double> whole;
  for (unsigned round = 0; round < 30; ++round) {
    const auto start = Clock::now();
    must(stream.launch(*program, 0, addresses[round % sets]));
    must(stream.synchronize());
    whole.push_back(microseconds(Clock::now() - start));
  }
  std::printf("whole  %-34s %8.2f us\n", "launch and wait", median(whole));
  for (unsigned size : {1u, 100u}) {
    must(stream.beginCapture());
    for (unsigned i = 0; i < size; ++i)
      must(stream.launch(*program, 0, addresses[i % sets]));
    const auto graph = take(stream.endCapture());
    row(size == 1 ? "replay of 1 launch" : "replay of 100 launches",
        size == 1 ? 100 : 10, [&](unsigned) { must(graph->replay(stream)); });
  }
}

void measureOverlap() {
  constexpr int64_t rows = 96, columns = 1024; // about as long as the copy
  constexpr uint64_t bytes = uint64_t(rows) * columns * 4;
  constexpr uint64_t copied = uint64_t(24) << 20;
  std::vector<double> ratios;
  const std::vector<float> in(copied / 4, 0.5f);
  const auto run = [&](bool overlaps) {
    runtime::DeviceOptions options;
    options.capacity = uint64_t(1) << 30;
    options.threads = 1;
    const auto device = take(Device::open(options));
    TestRecipe r;
    addTanhOfProduct(r, rows, columns);
    const auto program = load(device, r);
    const auto up = take(device->createStream());
    auto &compute = device->defaultStream();
    auto &copies = overlaps ? *up : compute;
    const DeviceAddress x = take(device->allocate(bytes, compute));
    const DeviceAddress y = take(device->allocate(bytes, compute));
    const DeviceAddress next = take(device->allocate(copied, copies));
    for (int round = 0;; ++round) {
      const auto start = Clock::now();
      for (int step = 0; step < 20; ++step) {
        must(copies.copyIn(next, in.data(), copied));
        must(compute.launch(*program, 0, {x, y}));
      }
      must(device->synchronize());
      if (round)
        return microseconds(Clock::now() - start);
    }
  };
  for (int round = 0; round < 7; ++round)
    ratios.push_back(run(false) / run(true));
  std::printf("overlap  serial / overlapped wall time %8.2f\n", median(ratios));
}

} // namespace

int main() {
  measureIssue();
  measureOverlap();
  return 0;
}
