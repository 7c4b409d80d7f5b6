// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that use streams, events and memory of one card at once, at random.
// GAUDI_STRESS_SECONDS lets it run longer; under the thread sanitizer by
// scripts/sanitize.sh --thread.
#include "DeviceRecipe.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr int64_t n = 257;
constexpr uint64_t bytes = n * sizeof(float);

/// One thread: its streams hand buffers to each other by events. What a buffer
/// should hold is computed beside it.
class Player {
public:
  Player(std::shared_ptr<Device> device, std::shared_ptr<Program> program,
         uint64_t seed)
      : device(std::move(device)), program(std::move(program)), random(seed) {
    for (int s = 0; s < 4; ++s)
      streams.push_back(*this->device->createStream({"", int(s % 2)}));
  }

  void play(std::chrono::steady_clock::time_point end) {
    while (std::chrono::steady_clock::now() < end &&
           !testing::Test::HasFailure())
      step();
    while (!buffers.empty())
      check(0);
    for (auto &stream : streams)
      EXPECT_OK(stream->synchronize());
  }

private:
  struct Buffer {
    DeviceAddress address;
    float value;
    size_t stream; // that wrote it last
    std::shared_ptr<runtime::Event> written;
  };

  size_t pick(size_t count) { return size_t(random.next() >> 33) % count; }

  runtime::Stream &streamFor(Buffer &buffer) {
    const size_t stream = pick(streams.size());
    if (stream != buffer.stream)
      EXPECT_OK(streams[stream]->wait(*buffer.written));
    buffer.stream = stream;
    return *streams[stream];
  }
  void written(Buffer &buffer) {
    buffer.written = *device->createEvent();
    EXPECT_OK(streams[buffer.stream]->record(*buffer.written));
  }

  void step() {
    if (buffers.size() < 4 || (buffers.size() < 12 && pick(4) == 0))
      return make();
    const size_t b = pick(buffers.size());
    switch (pick(8)) {
    case 0:
      return check(b);
    case 1:
      if (auto done = buffers[b].written->query(); !done)
        ADD_FAILURE() << done.error().message;
      return;
    default:
      return launch(b);
    }
  }

  void make() {
    Buffer buffer{0, float(pick(100)), pick(streams.size()), nullptr};
    runtime::Stream &stream = *streams[buffer.stream];
    auto address = device->allocate(bytes, stream, {"buffer"});
    if (!address)
      return; // full: others hold it
    buffer.address = *address;
    EXPECT_OK(stream.fill(*address, bytes, bitsOf(buffer.value), 4));
    written(buffer);
    buffers.push_back(std::move(buffer));
  }

  /// The result replaces the buffer, whose memory is freed while it is in use.
  void launch(size_t b) {
    Buffer &buffer = buffers[b];
    runtime::Stream &stream = streamFor(buffer);
    auto result = device->allocate(bytes, stream, {"result"});
    if (!result)
      return;
    EXPECT_OK(stream.launch(*program, 0, {buffer.address, *result}));
    EXPECT_OK(device->free(buffer.address));
    buffer.address = *result;
    buffer.value = buffer.value * 0.5f + 1;
    written(buffer);
  }

  void check(size_t b) {
    Buffer &buffer = buffers[b];
    std::vector<float> out(n);
    EXPECT_OK(
        streamFor(buffer).copyOut(out.data(), buffer.address, bytes, true));
    EXPECT_EQ(out, std::vector<float>(n, buffer.value));
    EXPECT_OK(device->free(buffer.address));
    buffers.erase(buffers.begin() + ptrdiff_t(b));
  }

  std::shared_ptr<Device> device;
  std::shared_ptr<Program> program;
  Random random;
  std::vector<std::shared_ptr<runtime::Stream>> streams;
  std::vector<Buffer> buffers;
};

TEST(DeviceStress, ThreadsStreamsEventsAndFrees) {
  const char *seconds = std::getenv("GAUDI_STRESS_SECONDS");
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(seconds ? std::atoi(seconds) : 2);
  const auto device = openDevice(8 << 20);
  const auto program = loadScaled(device, n, 0.5f);
  ASSERT_TRUE(program);
  {
    std::vector<Player> players;
    players.reserve(8);
    for (uint64_t t = 0; t < 8; ++t)
      players.emplace_back(device, program, t + 1);
    std::vector<std::thread> threads;
    for (Player &player : players)
      threads.emplace_back([&] { player.play(end); });
    for (std::thread &thread : threads)
      thread.join();
  }
  EXPECT_OK(device->synchronize());
  const auto stats = device->memoryStats().pool;
  EXPECT_EQ(stats.totalAllocs - stats.totalFrees, 0);
}

} // namespace
