// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captured work, run again and again.
#include "DeviceRecipe.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr int64_t n = 1000;
constexpr uint64_t bytes = n * sizeof(float);

struct Fixture {
  std::shared_ptr<Device> device = openDevice();
  std::shared_ptr<Program> program;
  DeviceAddress x = 0, y = 0, z = 0;
  Fixture() {
    program = loadScaled(device, n, 2);
    x = *device->allocate(bytes, stream(), {"x"});
    y = *device->allocate(bytes, stream(), {"y"});
    z = *device->allocate(bytes, stream(), {"z"});
  }
  runtime::Stream &stream() { return device->defaultStream(); }
  void set(DeviceAddress to, float value) {
    const std::vector<float> in(n, value);
    EXPECT_OK(stream().copyIn(to, in.data(), bytes, true));
  }
  std::vector<float> get(DeviceAddress from) {
    std::vector<float> out(n);
    EXPECT_OK(stream().copyOut(out.data(), from, bytes, true));
    return out;
  }
};

TEST(Graph, ReplaysWhatWasCaptured) {
  Fixture f;
  f.set(f.x, 1);
  f.set(f.z, 0);
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_TRUE(f.stream().isCapturing());
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, f.y}));
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.y, f.z}));
  EXPECT_OK(f.stream().copy(f.x, f.z, bytes));
  ASSERT_GET(graph, f.stream().endCapture());
  EXPECT_EQ(graph->size(), 3u);
  EXPECT_EQ(f.get(f.z), std::vector<float>(n, 0)); // nothing has run
  float expected = 1;
  for (int i = 0; i < 4; ++i) {
    EXPECT_OK(graph->replay(f.stream()));
    expected = (expected * 2 + 1) * 2 + 1;
  }
  EXPECT_EQ(f.get(f.x), std::vector<float>(n, expected));
}

TEST(Graph, ReplaysWithOtherMemory) {
  Fixture f;
  f.set(f.x, 1);
  ASSERT_GET(other, f.device->allocate(bytes, f.stream()));
  f.set(other, 10);
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, f.y}));
  ASSERT_GET(graph, f.stream().endCapture());
  // Queued one behind the other, each with its own memory.
  EXPECT_OK(graph->replay(f.stream(), {{f.x, other}}));
  EXPECT_OK(f.stream().copy(f.z, f.y, bytes));
  EXPECT_OK(graph->replay(f.stream()));
  EXPECT_EQ(f.get(f.z), std::vector<float>(n, 21));
  EXPECT_EQ(f.get(f.y), std::vector<float>(n, 3));
  ASSERT_GET(small, f.device->allocate(8, f.stream(), {"small"}));
  EXPECT_ERROR("small", graph->replay(f.stream(), {{f.x, small}}));
}

TEST(Graph, RebindsWholeBlocksThatItUses) {
  Fixture f;
  ASSERT_GET(other, f.device->allocate(bytes, f.stream()));
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, f.y}));
  ASSERT_GET(graph, f.stream().endCapture());
  EXPECT_ERROR(
      ", but blocks are bound as a whole, by the address of their first "
      "byte",
      graph->replay(f.stream(), {{f.x + 4, other}}));
  EXPECT_ERROR(", which the graph does not use; leave it out",
               graph->replay(f.stream(), {{f.z, other}}));
  EXPECT_ERROR("a replay binds two uses of memory to ",
               graph->replay(f.stream(), {{f.x, f.y}}));
  // The two change places.
  f.set(f.x, 1);
  f.set(f.y, 5);
  EXPECT_OK(graph->replay(f.stream(), {{f.x, f.y}, {f.y, f.x}}));
  EXPECT_EQ(f.get(f.x), std::vector<float>(n, 11));
}

TEST(Graph, PinsBlocksOfUsedNumbers) {
  Fixture f;
  const auto capture = [&](DeviceAddress from, DeviceAddress to) {
    EXPECT_OK(f.stream().beginCapture());
    EXPECT_OK(f.stream().launch(*f.program, 0, {from, to}));
    return *f.stream().endCapture();
  };
  const uint64_t size = 6 << 20;
  ASSERT_GET(gap, f.device->allocate(size, f.stream()));
  ASSERT_GET(x, f.device->allocate(bytes, f.stream()));
  const auto first = capture(x, f.y);
  EXPECT_OK(f.device->free(x));
  ASSERT_GET(again, f.device->allocate(bytes, f.stream())); // the same block
  const auto second = capture(again, f.y);
  // All is full but two gaps, and `again` between them must stay.
  std::vector<DeviceAddress> blocks;
  for (;;) {
    auto block = f.device->allocate(size, f.stream());
    if (!block)
      break;
    blocks.push_back(*block);
  }
  f.set(again, 38);
  EXPECT_OK(f.device->free(gap));
  EXPECT_OK(f.device->free(blocks.front()));
  (void)f.device->allocate(2 * size, f.stream());
  EXPECT_OK(second->replay(f.stream()));
  EXPECT_EQ(f.get(f.y), std::vector<float>(n, 77));
  EXPECT_ERROR("the graph uses memory of its capture: ",
               first->replay(f.stream()));
}

TEST(Graph, StreamsThatWaitTakePart) {
  Fixture f;
  ASSERT_GET(side, f.device->createStream({"side"}));
  ASSERT_GET(fork, f.device->createEvent());
  ASSERT_GET(join, f.device->createEvent());
  f.set(f.x, 1);
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_OK(f.stream().record(*fork));
  EXPECT_OK(side->wait(*fork));
  EXPECT_TRUE(side->isCapturing());
  EXPECT_OK(side->launch(*f.program, 0, {f.x, f.y}));
  EXPECT_OK(side->record(*join));
  EXPECT_OK(f.stream().wait(*join));
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.y, f.z}));
  EXPECT_ERROR(
      "the capture began on \"default stream\" and ends there, not on \"side",
      side->endCapture());
  ASSERT_GET(graph, f.stream().endCapture());
  EXPECT_FALSE(side->isCapturing());
  EXPECT_OK(graph->replay(*side));
  EXPECT_OK(side->synchronize());
  EXPECT_EQ(f.get(f.z), std::vector<float>(n, 7));
  EXPECT_ERROR(
      "\" would wait for an event that was recorded in a capture which "
      "has ended; record one in this capture",
      f.stream().wait(*join));
  EXPECT_ERROR("the event was recorded in a capture, so it has no time; record "
               "it outside of the capture",
               join->query());
}

TEST(Graph, KeepsMemoryOfItsCapture) {
  Fixture f;
  f.set(f.x, 1);
  const uint64_t before = f.device->memoryStats().pool.inUse;
  EXPECT_OK(f.stream().beginCapture());
  ASSERT_GET(a, f.device->allocate(bytes, f.stream(), {"a"}));
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, a}));
  EXPECT_OK(f.stream().launch(*f.program, 0, {a, f.y}));
  EXPECT_OK(f.device->free(a));
  const uint64_t one = f.device->memoryStats().pool.inUse;
  // The next intermediate takes its memory.
  ASSERT_GET(b, f.device->allocate(bytes, f.stream(), {"b"}));
  EXPECT_EQ(f.device->memoryStats().pool.inUse, one);
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.y, b}));
  EXPECT_OK(f.stream().copy(f.z, b, bytes));
  EXPECT_OK(f.device->free(b));
  ASSERT_GET(graph, f.stream().endCapture());
  // Nobody else gets it.
  ASSERT_GET(c, f.device->allocate(bytes, f.stream(), {"c"}));
  f.set(c, 99);
  EXPECT_OK(graph->replay(f.stream()));
  EXPECT_EQ(f.get(c), std::vector<float>(n, 99));
  EXPECT_EQ(f.get(f.z), std::vector<float>(n, 15));
  EXPECT_OK(f.stream().synchronize());
  graph.reset();
  graphResult = fail("gone");
  EXPECT_OK(f.device->free(c));
  EXPECT_EQ(f.device->memoryStats().pool.inUse, before);
}

TEST(Graph, FreesIntermediatesBetweenReplays) {
  Fixture f;
  f.set(f.x, 1);
  const uint64_t before = f.device->memoryStats().pool.inUse;
  constexpr uint64_t large = 4 << 20;
  EXPECT_OK(f.stream().beginCapture());
  ASSERT_GET(a, f.device->allocate(large, f.stream(), {"a"}));
  ASSERT_GET(b, f.device->allocate(large, f.stream(), {"b"}));
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, a}));
  EXPECT_OK(f.stream().launch(*f.program, 0, {a, b + 1024}));
  EXPECT_OK(f.stream().copy(f.y, b + 1024, bytes));
  EXPECT_OK(f.device->free(a));
  EXPECT_OK(f.device->free(b));
  ASSERT_GET(graph, f.stream().endCapture());
  EXPECT_GT(f.device->memoryStats().pool.inUse, before + 2 * large);
  EXPECT_OK(graph->freeBetweenReplays());
  EXPECT_EQ(f.device->memoryStats().pool.inUse, before);
  EXPECT_OK(graph->replay(f.stream()));
  EXPECT_EQ(f.get(f.y), std::vector<float>(n, 7));
  // Others have the memory of the capture, and keep it.
  ASSERT_GET(other, f.device->allocate(2 * large, f.stream(), {"other"}));
  EXPECT_OK(f.stream().fill(other, 2 * large, 5, 4));
  f.set(f.x, 2);
  EXPECT_OK(graph->replay(f.stream(), {{f.y, f.z}}));
  EXPECT_EQ(f.get(f.z), std::vector<float>(n, 11));
  EXPECT_EQ(f.get(f.y), std::vector<float>(n, 7));
  std::vector<int32_t> kept(2 * large / 4);
  EXPECT_OK(f.stream().copyOut(kept.data(), other, 2 * large, true));
  EXPECT_EQ(kept, std::vector<int32_t>(kept.size(), 5));
  EXPECT_OK(f.device->free(other));
  EXPECT_EQ(f.device->memoryStats().pool.inUse, before);
  // Without room the replay fails, and leaves nothing behind.
  const auto free = f.device->memoryStats().pool.largestFreeRun;
  ASSERT_GET(rest, f.device->allocate(free - large, f.stream(), {"rest"}));
  const uint64_t full = f.device->memoryStats().pool.inUse;
  EXPECT_ERROR("out of device memory", graph->replay(f.stream()));
  EXPECT_EQ(f.device->memoryStats().pool.inUse, full);
  EXPECT_OK(f.device->free(rest));
  EXPECT_OK(graph->replay(f.stream()));
  EXPECT_OK(f.stream().synchronize());
}

TEST(Graph, MemoryOfAnotherGraphIsNotItsOwn) {
  Fixture f;
  EXPECT_OK(f.stream().beginCapture());
  ASSERT_GET(a, f.device->allocate(bytes, f.stream(), {"a"}));
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, a}));
  ASSERT_GET(first, f.stream().endCapture());
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_OK(f.stream().launch(*f.program, 0, {a, f.y}));
  ASSERT_GET(second, f.stream().endCapture());
  EXPECT_OK(second->replay(f.stream()));
  EXPECT_OK(f.device->free(a)); // it is the first graph's from here on
  EXPECT_OK(first->replay(f.stream()));
  EXPECT_ERROR("the graph uses memory of its capture: ",
               second->replay(f.stream()));
  EXPECT_OK(f.stream().synchronize());
}

TEST(Graph, RefusesWhatCannotBeCaptured) {
  Fixture f;
  float host[4] = {};
  ASSERT_GET(outside, f.device->createEvent());
  EXPECT_OK(f.stream().record(*outside));
  EXPECT_ERROR("is not being captured; begin a capture first",
               f.stream().endCapture());
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_ERROR("a capture is under way: a device has one at a time; end it "
               "first",
               f.stream().beginCapture());
  EXPECT_ERROR("a wait for the device cannot be captured, and a capture is "
               "under way; end that first",
               f.device->synchronize());
  EXPECT_ERROR(
      "a wait for the stream cannot be captured: \"default stream\" is "
      "being captured; end the capture first",
      f.stream().synchronize());
  EXPECT_ERROR("a query cannot be captured", f.stream().query());
  EXPECT_ERROR("a blocking copy cannot be captured",
               f.stream().copyOut(host, f.x, 16, true));
  EXPECT_ERROR("a call of a host function cannot be captured",
               f.stream().call([] {}));
  EXPECT_ERROR("\" is being captured and would wait for an event that was "
               "recorded outside of the capture; wait for it before the "
               "capture begins",
               f.stream().wait(*outside));
  EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, f.y}));
  ASSERT_GET(graph, f.stream().endCapture());
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_ERROR(
      "a replay cannot be captured: \"default stream\" is being captured; "
      "end the capture first",
      graph->replay(f.stream()));
  ASSERT_GET(empty, f.stream().endCapture());
  EXPECT_OK(empty->replay(f.stream()));
  EXPECT_OK(f.device->free(f.y));
  EXPECT_ERROR("the graph uses memory of its capture: ",
               graph->replay(f.stream()));
  EXPECT_OK(f.stream().synchronize());
}

TEST(Graph, DrawsInEachReplay) {
  Fixture f;
  const DeviceAddress seed = *f.device->allocate(8, f.stream());
  const DeviceAddress offset = *f.device->allocate(8, f.stream());
  const auto read = [&](DeviceAddress from) {
    int64_t value = -1;
    EXPECT_OK(f.stream().copyOut(&value, from, 8, true));
    return value;
  };
  f.device->setSeed(-5);
  EXPECT_OK(f.stream().drawSeed(seed, offset, 3));
  EXPECT_OK(f.stream().drawSeed(seed, offset, 10));
  EXPECT_EQ(read(seed), -5);
  EXPECT_EQ(read(offset), 3);
  EXPECT_OK(f.stream().beginCapture());
  EXPECT_OK(f.stream().drawSeed(seed, offset, 100));
  ASSERT_GET(graph, f.stream().endCapture());
  EXPECT_EQ(f.device->randomState().offset, 13); // a capture draws nothing
  for (int64_t replay = 0; replay < 3; ++replay) {
    EXPECT_OK(graph->replay(f.stream()));
    EXPECT_EQ(read(offset), 13 + 100 * replay);
  }
  // Replays that are queued have each their own.
  std::vector<int64_t> seen(4);
  for (int64_t &value : seen) {
    EXPECT_OK(graph->replay(f.stream()));
    EXPECT_OK(f.stream().copyOut(&value, offset, 8));
  }
  EXPECT_OK(f.stream().synchronize());
  EXPECT_EQ(seen, (std::vector<int64_t>{313, 413, 513, 613}));
  f.device->setSeed(7);
  EXPECT_OK(graph->replay(f.stream()));
  EXPECT_EQ(read(seed), 7);
  EXPECT_EQ(read(offset), 0);
  EXPECT_ERROR("a seed is drawn for 0 blocks of random numbers; 1 is the least",
               f.stream().drawSeed(seed, offset, 0));
}

TEST(Graph, TimesOfAReplayAreThoseOfItsWork) {
  Fixture f;
  EXPECT_OK(f.stream().beginCapture());
  constexpr int launches = 100;
  for (int i = 0; i < launches; ++i)
    EXPECT_OK(f.stream().launch(*f.program, 0, {f.x, f.y}));
  ASSERT_GET(graph, f.stream().endCapture());
  ASSERT_GET(begin, f.device->createEvent());
  ASSERT_GET(end, f.device->createEvent());
  EXPECT_OK(graph->replay(f.stream()));
  EXPECT_OK(f.stream().record(*begin));
  EXPECT_OK(graph->replay(f.stream()));
  EXPECT_OK(f.stream().record(*end));
  ASSERT_GET(elapsed, end->since(*begin));
  EXPECT_EQ(elapsed, launches * f.program->times(0).duration);
}

} // namespace
