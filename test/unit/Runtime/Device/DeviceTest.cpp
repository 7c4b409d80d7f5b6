// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards: memory, streams, events and their errors.
#include "DeviceRecipe.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <future>
#include <iterator>
#include <stdexcept>
#include <thread>

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr int64_t n = 1000;
constexpr uint64_t bytes = n * sizeof(float);

TEST(Device, LaunchesByAddress) {
  TestRecipe r;
  addTanhOfProduct(r, 64, 128);
  const Bytes in = bytesOf(Random(1).values(64 * 128));
  const Bytes expected = r.run({in})[0];
  const auto device = openDevice();
  const auto program = load(device, r);
  ASSERT_TRUE(program);
  ASSERT_EQ(program->tensors(0).size(), 2u);
  ASSERT_GET(stream, device->createStream());
  // Other memory each time; the former is full of NaN.
  std::vector<DeviceAddress> old;
  for (int launch = 0; launch < 3; ++launch) {
    ASSERT_GET(x, device->allocate(in.size(), *stream, {"x"}));
    ASSERT_GET(y, device->allocate(expected.size(), *stream, {"y"}));
    EXPECT_OK(stream->copyIn(x, in.data(), in.size()));
    EXPECT_OK(stream->launch(*program, 0, {x, y}));
    Bytes out(expected.size());
    EXPECT_OK(stream->copyOut(out.data(), y, out.size(), true));
    EXPECT_EQ(out, expected);
    EXPECT_OK(stream->fill(x, in.size(), 0xff, 1));
    EXPECT_OK(stream->fill(y, expected.size(), 0xffff, 2));
    old.insert(old.end(), {x, y});
  }
  for (DeviceAddress address : old)
    EXPECT_OK(device->free(address));
  EXPECT_OK(device->synchronize());
}

TEST(Device, WorkOfAStreamRunsInOrder) {
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  auto &stream = device->defaultStream();
  ASSERT_GET(a, device->allocate(bytes, stream));
  ASSERT_GET(b, device->allocate(bytes, stream));
  EXPECT_OK(stream.fill(a, bytes, 0, 4));
  for (int i = 0; i < 10; ++i) {
    EXPECT_OK(stream.launch(*program, 0, {a, b}));
    EXPECT_OK(stream.copy(a, b, bytes));
  }
  std::vector<float> out(n);
  EXPECT_OK(stream.copyOut(out.data(), a, bytes, true));
  EXPECT_EQ(out, std::vector<float>(n, 1023)); // 2^10 - 1
}

TEST(Device, CopiesElementsThatLieApart) {
  const auto device = openDevice();
  auto &stream = device->defaultStream();
  constexpr uint64_t rows = 3, columns = 4, wide = 6, planes = 2;
  for (const unsigned element : {1U, 2U, 4U, 8U, 16U}) {
    const uint64_t from = planes * rows * columns * element;
    const uint64_t to = planes * rows * wide * element;
    ASSERT_GET(x, device->allocate(from, stream));
    ASSERT_GET(y, device->allocate(to, stream));
    std::vector<uint8_t> in(from), out(to), expected(to, 0xee);
    for (uint64_t i = 0; i < from; ++i)
      in[i] = uint8_t(i);
    EXPECT_OK(stream.copyIn(x, in.data(), from, true));
    const auto check = [&](const std::vector<runtime::StridedDim> &dims) {
      EXPECT_OK(stream.fill(y, to, 0xee, 1));
      EXPECT_OK(stream.copyStrided(y, x, dims, element));
      EXPECT_OK(stream.copyOut(out.data(), y, to, true));
      EXPECT_EQ(out, expected) << element;
      std::fill(expected.begin(), expected.end(), uint8_t(0xee));
    };
    const auto move = [&](uint64_t target, uint64_t source) {
      std::memcpy(&expected[target * element], &in[source * element], element);
    };
    // Rows to wider ones.
    for (uint64_t p = 0; p < planes * rows; ++p)
      for (uint64_t c = 0; c < columns; ++c)
        move(p * wide + c, p * columns + c);
    check({{planes, rows * wide * element, rows * columns * element},
           {rows, wide * element, columns * element},
           {columns, element, element}});
    // Transposed.
    for (uint64_t p = 0; p < planes; ++p)
      for (uint64_t r = 0; r < rows; ++r)
        for (uint64_t c = 0; c < columns; ++c)
          move((p * columns + c) * rows + r, (p * rows + r) * columns + c);
    check({{planes, rows * columns * element, rows * columns * element},
           {columns, rows * element, element},
           {rows, element, columns * element}});
    // One element again and again; one; none.
    for (uint64_t i = 0; i < wide; ++i)
      move(i, 0);
    check({{wide, element, 0}});
    move(0, 0);
    check({});
    check({{wide, element, element}, {0, element, element}});
    EXPECT_OK(device->free(x));
    EXPECT_OK(device->free(y));
  }
}

TEST(Device, LaunchesInPlace) {
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  ASSERT_GET(may, program->mayAlias(0, 0, 1));
  EXPECT_TRUE(may);
  ASSERT_GET(isReversed, program->mayAlias(0, 1, 0));
  EXPECT_FALSE(isReversed) << "the first is no input";
  auto &stream = device->defaultStream();
  ASSERT_GET(x, device->allocate(bytes, stream, {"x"}));
  EXPECT_OK(stream.fill(x, bytes, 0, 4));
  for (int i = 0; i < 10; ++i)
    EXPECT_OK(stream.launch(*program, 0, {x, x}));
  // In a graph, and on other memory in its replays.
  EXPECT_OK(stream.beginCapture());
  EXPECT_OK(stream.launch(*program, 0, {x, x}));
  ASSERT_GET(graph, stream.endCapture());
  EXPECT_OK(graph->replay(stream));
  ASSERT_GET(y, device->allocate(bytes, stream, {"y"}));
  EXPECT_OK(stream.fill(y, bytes, 0, 4));
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(graph->replay(stream, {{x, y}}));
  std::vector<float> out(n);
  EXPECT_OK(stream.copyOut(out.data(), x, bytes, true));
  EXPECT_EQ(out, std::vector<float>(n, 2047)); // 2^11 - 1
  EXPECT_OK(stream.copyOut(out.data(), y, bytes, true));
  EXPECT_EQ(out, std::vector<float>(n, 7));
}

TEST(Device, RefusesToWriteOverWhatIsStillRead) {
  const auto device = openDevice();
  TestRecipe r;
  addTanhOfProduct(r, 64, 64); // a product reads all of x
  const auto program = load(device, r);
  ASSERT_TRUE(program);
  ASSERT_GET(may, program->mayAlias(0, 0, 1));
  EXPECT_FALSE(may);
  auto &stream = device->defaultStream();
  const uint64_t size = program->tensors(0)[1].bytes;
  ASSERT_GET(x, device->allocate(size, stream, {"x"}));
  EXPECT_ERROR(" before all of \"in", stream.launch(*program, 0, {x, x}));
  EXPECT_OK(stream.synchronize());
}

TEST(Device, ReadsDoNotWaitForReads) {
  constexpr uint64_t size = 8 << 20;
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  auto &other = device->defaultStream();
  ASSERT_GET(first, device->createStream());
  ASSERT_GET(second, device->createStream());
  ASSERT_GET(x, device->allocate(size, other));
  ASSERT_GET(y, device->allocate(bytes, other));
  ASSERT_GET(copied, device->createEvent());
  ASSERT_GET(launched, device->createEvent());
  EXPECT_OK(other.fill(x, size, 0, 4));
  EXPECT_OK(other.synchronize());
  // No copy runs before the promise is kept.
  std::promise<void> go;
  EXPECT_OK(other.call([&] { go.get_future().wait(); }));
  std::vector<float> held(size / sizeof(float), 1), out(n);
  EXPECT_OK(first->copyOut(held.data(), x, size));
  EXPECT_OK(first->record(*copied));
  EXPECT_OK(second->launch(*program, 0, {x, y}));
  EXPECT_OK(second->record(*launched));
  auto read =
      std::async(std::launch::async, [&] { return second->synchronize(); });
  EXPECT_EQ(read.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  // A write waits for the copy.
  EXPECT_OK(second->launch(*program, 0, {x, x}));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  go.set_value();
  EXPECT_OK(read.get());
  EXPECT_OK(device->synchronize());
  EXPECT_EQ(held, std::vector<float>(held.size(), 0));
  EXPECT_OK(other.copyOut(out.data(), x, bytes, true));
  EXPECT_EQ(out, std::vector<float>(n, 1));
  // The card ran both at the same time.
  ASSERT_GET(lead, copied->since(*launched));
  EXPECT_GT(lead, 0);
}

TEST(Device, FreedMemoryServesAnotherStream) {
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  ASSERT_GET(first, device->createStream());
  ASSERT_GET(second, device->createStream());
  // The second stream gets the memory while the first still works in it.
  for (int round = 0; round < 20; ++round) {
    ASSERT_GET(a, device->allocate(bytes, *first));
    ASSERT_GET(b, device->allocate(bytes, *first));
    ASSERT_GET(kept, device->allocate(bytes, *first));
    EXPECT_OK(first->fill(a, bytes, 0, 4));
    for (int i = 0; i < 5; ++i) {
      EXPECT_OK(first->launch(*program, 0, {a, b}));
      EXPECT_OK(first->copy(a, b, bytes));
    }
    EXPECT_OK(first->copy(kept, a, bytes));
    EXPECT_OK(device->free(a));
    EXPECT_OK(device->free(b));
    EXPECT_OK(
        device->advanceHost(Picoseconds(1e12))); // the card has ended all of it
    ASSERT_GET(c, device->allocate(bytes, *second));
    EXPECT_OK(second->fill(c, bytes, 0x7fc00000, 4));
    std::vector<float> out(n), other(n);
    EXPECT_OK(second->copyOut(other.data(), c, bytes, true));
    EXPECT_TRUE(std::isnan(other[0]));
    EXPECT_OK(first->copyOut(out.data(), kept, bytes, true));
    EXPECT_EQ(out, std::vector<float>(n, 31));
    EXPECT_OK(device->free(c));
    EXPECT_OK(device->free(kept));
  }
  EXPECT_EQ(device->memoryStats().pool.totalAllocs -
                device->memoryStats().pool.totalFrees,
            0);
}

TEST(Device, AStreamDoesNotRepeatTheWorkOfOneThatIsGone) {
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  auto &other = device->defaultStream();
  ASSERT_GET(x, device->allocate(bytes, other));
  ASSERT_GET(kept, device->allocate(bytes, other));
  EXPECT_OK(other.fill(x, bytes, 0, 4));
  {
    ASSERT_GET(gone, device->createStream());
    for (int i = 0; i < 20; ++i)
      EXPECT_OK(gone->fill(kept, bytes, 0, 4));
  }
  // It has the number of the former. Its copy waits for the host, while the
  // card has ended it.
  ASSERT_GET(stream, device->createStream());
  ASSERT_GET(a, device->allocate(bytes, *stream));
  EXPECT_OK(stream->fill(a, bytes, 5, 4));
  EXPECT_OK(stream->synchronize());
  std::promise<void> go;
  EXPECT_OK(stream->call([&] { go.get_future().wait(); }));
  EXPECT_OK(stream->copy(kept, a, bytes));
  EXPECT_OK(device->free(a));
  EXPECT_OK(device->advanceHost(Picoseconds(1e12)));
  ASSERT_GET(b, device->allocate(bytes, other));
  EXPECT_OK(other.launch(*program, 0, {x, b}));
  // Time enough for a launch that does not wait for the copy.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  go.set_value();
  EXPECT_OK(device->synchronize());
  std::vector<int32_t> out(n);
  EXPECT_OK(other.copyOut(out.data(), kept, bytes, true));
  EXPECT_EQ(out, std::vector<int32_t>(n, 5));
}

TEST(Device, EventsOrderStreams) {
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  ASSERT_GET(up, device->createStream({"up"}));
  ASSERT_GET(compute, device->createStream({"compute"}));
  ASSERT_GET(copied, device->createEvent());
  ASSERT_GET(done, device->createEvent());
  ASSERT_GET(x, device->allocate(bytes, *up));
  ASSERT_GET(y, device->allocate(bytes, *compute));
  const std::vector<float> in(n, 3);
  EXPECT_OK(up->copyIn(x, in.data(), bytes));
  EXPECT_OK(up->record(*copied));
  EXPECT_OK(compute->wait(*copied));
  EXPECT_OK(compute->launch(*program, 0, {x, y}));
  EXPECT_OK(compute->record(*done));
  EXPECT_OK(done->synchronize());
  std::vector<float> out(n);
  EXPECT_OK(compute->copyOut(out.data(), y, bytes, true));
  EXPECT_EQ(out, std::vector<float>(n, 7));
  // The launch began when the copy had ended, and took what was predicted.
  ASSERT_GET(between, done->since(*copied));
  EXPECT_GE(between, program->times(0).duration);
  ASSERT_GET(isDone, done->query());
  EXPECT_TRUE(isDone);
}

TEST(Device, TimesAreThoseOfTheCard) {
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  auto &stream = device->defaultStream();
  ASSERT_GET(x, device->allocate(bytes, stream));
  ASSERT_GET(y, device->allocate(bytes, stream));
  ASSERT_GET(begin, device->createEvent());
  ASSERT_GET(end, device->createEvent());
  // Once the card is behind the host, launches follow each other.
  constexpr int launches = 50;
  EXPECT_OK(stream.fill(x, bytes, 0, 4));
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(stream.launch(*program, 0, {x, y}));
  EXPECT_OK(stream.record(*begin));
  for (int i = 0; i < launches; ++i)
    EXPECT_OK(stream.launch(*program, 0, {x, y}));
  EXPECT_OK(stream.record(*end));
  ASSERT_GET(elapsed, end->since(*begin));
  const Picoseconds card = launches * program->times(0).duration;
  const Picoseconds host =
      launches *
      (runtime::hostTimeOf(runtime::HostCall::Launch).time +
       2 * runtime::hostTimeOf(runtime::HostCall::LaunchTensor).time);
  ASSERT_GT(card, host);
  EXPECT_EQ(elapsed, card);
  EXPECT_OK(stream.synchronize());
  const Device::ClockTimes times = device->clockTimes();
  for (const auto &queue : times.queues)
    EXPECT_EQ(queue.busy + queue.idle, times.elapsed);
  EXPECT_GT(times.queues[unsigned(runtime::CardQueue::Tpc)].busy, 0);
  EXPECT_GE(device->hostTime(), *end->time());
}

TEST(Device, EventsMayHaveTimesOfTheHost) {
  const auto device = openDevice(64 << 20, runtime::EventClockKind::Host);
  auto &stream = device->defaultStream();
  ASSERT_GET(other, device->createStream());
  ASSERT_GET(begin, device->createEvent());
  ASSERT_GET(end, device->createEvent());
  ASSERT_GET(joined, device->createEvent());
  EXPECT_OK(stream.record(*begin));
  std::promise<void> go;
  EXPECT_OK(stream.call([&] { go.get_future().wait(); }));
  EXPECT_OK(stream.record(*end));
  EXPECT_OK(other->wait(*end));
  EXPECT_OK(other->record(*joined));
  EXPECT_OK(
      device->advanceHost(Picoseconds(1e12))); // the card would have ended it
  for (runtime::Event *event : {end.get(), joined.get()}) {
    ASSERT_GET(isDone, event->query());
    EXPECT_FALSE(isDone);
  }
  ASSERT_GET(isIdle, stream.query());
  EXPECT_FALSE(isIdle);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  go.set_value();
  for (runtime::Event *event : {end.get(), joined.get()}) {
    ASSERT_GET(time, event->since(*begin)); // waits for it
    EXPECT_GE(time, Picoseconds(25e9));
    EXPECT_LT(time, Picoseconds(20e12));
    ASSERT_GET(isDone, event->query());
    EXPECT_TRUE(isDone);
  }
  // An event behind what has run is now.
  ASSERT_GET(now, device->createEvent());
  EXPECT_OK(stream.synchronize());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_OK(stream.record(*now));
  ASSERT_GET(later, now->since(*end));
  EXPECT_GE(later, Picoseconds(15e9));
}

TEST(HostClock, ForgetsThreadsThatHaveEnded) {
  runtime::HostClock clock;
  clock.advance(5);
  for (int i = 0; i < 1000; ++i)
    std::thread([&] { clock.advance(1); }).join();
  EXPECT_LT(clock.numThreads(), 130u);
  EXPECT_EQ(clock.latestTime(), 1005);
  EXPECT_EQ(clock.now(), 5) << "this one runs still";
}

TEST(HostClock, MeasuredTimeDoesNotOverflow) {
  runtime::HostClock clock(runtime::HostClockKind::Measured, 1e15);
  Picoseconds before = 0;
  for (int i = 0; i < 3; ++i) {
    clock.beginEmulation(); // adds what the thread took since the last one
    clock.endEmulation();
    EXPECT_GE(clock.now(), before);
    before = clock.issue(runtime::HostCall::Launch);
    const std::clock_t begin = std::clock();
    while (std::clock() == begin) // 1 us of the thread is 10^21 ps
      ;
  }
  EXPECT_GE(clock.latestTime(), runtime::HostClock::mostTime);
  EXPECT_LT(clock.latestTime(), runtime::HostClock::mostTime + 1'000'000'000);
}

TEST(Device, AQueryIsTrueWhenTheCardHasEnded) {
  const auto device = openDevice();
  auto &stream = device->defaultStream();
  ASSERT_GET(x, device->allocate(1 << 20, stream));
  ASSERT_GET(event, device->createEvent());
  EXPECT_OK(stream.fill(x, 1 << 20, 0, 8));
  std::vector<uint8_t> out(1 << 20);
  EXPECT_OK(stream.copyOut(out.data(), x, out.size()));
  EXPECT_OK(stream.record(*event));
  int queries = 0;
  for (;; ++queries) {
    ASSERT_GET(isDone, event->query());
    if (isDone)
      break;
  }
  // Each query takes the host a known time, so their number is known.
  const Picoseconds query =
      runtime::hostTimeOf(runtime::HostCall::EventQuery).time;
  EXPECT_GT(queries, 10);
  EXPECT_GE(device->hostTime(), *event->time());
  EXPECT_LT(device->hostTime(), *event->time() + query);
}

TEST(Device, PinnedMemoryNeedsNoCopyOfTheDriver) {
  const auto device = openDevice();
  auto &stream = device->defaultStream();
  constexpr uint64_t size = 1 << 20;
  ASSERT_GET(x, device->allocate(size, stream));
  ASSERT_GET(pinned, device->allocatePinned(size));
  std::memset(pinned, 3, size);
  const std::vector<uint8_t> pageable(size, 4);
  const auto issueTime = [&](const void *from) {
    const Picoseconds before = device->hostTime();
    EXPECT_OK(stream.copyIn(x, from, size));
    return device->hostTime() - before;
  };
  EXPECT_EQ(issueTime(pageable.data()) - issueTime(pinned),
            1024 * runtime::hostTimeOf(runtime::HostCall::PageableKiB).time);
  std::vector<uint8_t> out(size);
  EXPECT_OK(stream.copyOut(out.data(), x, size, true));
  EXPECT_EQ(out, std::vector<uint8_t>(size, 3));
  EXPECT_OK(device->freePinned(pinned));
  EXPECT_FALSE(device->freePinned(pinned));
}

TEST(Device, FreedPinnedMemoryStaysUntilItsCopiesHaveRun) {
  const auto device = openDevice();
  auto &stream = device->defaultStream();
  ASSERT_GET(x, device->allocate(4096, stream));
  ASSERT_GET(pinned, device->allocatePinned(4096));
  std::memset(pinned, 3, 4096);
  std::promise<void> go;
  EXPECT_OK(stream.call([&] { go.get_future().wait(); }));
  EXPECT_OK(stream.copyIn(x, pinned, 4096));
  EXPECT_OK(device->freePinned(pinned));
  EXPECT_FALSE(device->freePinned(pinned));
  ASSERT_GET(other, device->allocatePinned(4096));
  EXPECT_NE(other, pinned);
  std::memset(other, 4, 4096);
  go.set_value();
  std::vector<uint8_t> out(4096);
  EXPECT_OK(stream.copyOut(out.data(), x, 4096, true));
  EXPECT_EQ(out, std::vector<uint8_t>(4096, 3));
  ASSERT_GET(again, device->allocatePinned(4096));
  EXPECT_EQ(again, pinned);
}

TEST(Device, CopiesAndLaunchesOverlapOnTheCard) {
  const auto run = [](bool isOverlapped) -> Picoseconds {
    const auto device = openDevice();
    TestRecipe r;
    addTanhOfProduct(r, 512, 512);
    const auto program = load(device, r);
    const uint64_t size = 512 * 512 * 4;
    auto up = isOverlapped ? *device->createStream() : nullptr;
    auto &compute = device->defaultStream();
    auto &copies = up ? *up : compute;
    // Copies of the driver would take the host longer than the card's.
    void *const in = *device->allocatePinned(size);
    DeviceAddress x[2], y[2];
    std::shared_ptr<runtime::Event> ready[2], used[2];
    for (int i = 0; i < 2; ++i) {
      x[i] = *device->allocate(size, compute);
      y[i] = *device->allocate(size, compute);
      ready[i] = *device->createEvent();
      used[i] = *device->createEvent();
      EXPECT_OK(compute.record(*used[i]));
    }
    for (int step = 0; step < 12; ++step) {
      const int i = step % 2;
      EXPECT_OK(copies.wait(*used[i]));
      EXPECT_OK(copies.copyIn(x[i], in, size));
      EXPECT_OK(copies.record(*ready[i]));
      EXPECT_OK(compute.wait(*ready[i]));
      EXPECT_OK(compute.launch(*program, 0, {x[i], y[i]}));
      EXPECT_OK(compute.record(*used[i]));
    }
    EXPECT_OK(device->synchronize());
    return device->clockTimes().elapsed;
  };
  EXPECT_LT(double(run(true)), 0.8 * double(run(false)));
}

TEST(Device, ErrorsOfWorkReachWhoWaits) {
  const auto device = openDevice();
  // An index outside of its tensor.
  TestRecipe r;
  KernelBuilder k({n}, {true});
  k.input(F32, 1).input(I32, 1).output(F32, 1);
  k.stage();
  const uint32_t index = k.inst(
      Op::ExtSI, I64, k.inst(Op::Load, I32, k.access(1, 0, k.at({{0, 1}}))));
  const uint32_t x = k.inst(Op::Load, F32, k.access(0, 0, k.by(index)));
  k.store(k.access(2, 0, k.at({{0, 1}})), x);
  r.launch(k, {r.input(F32, {10}), r.input(I32, {n})}, {r.output(F32, {n})});
  const auto program = load(device, r);
  ASSERT_TRUE(program);
  ASSERT_GET(stream, device->createStream());
  ASSERT_GET(other, device->createStream());
  ASSERT_GET(event, device->createEvent());
  ASSERT_GET(table, device->allocate(40, *stream));
  ASSERT_GET(indices, device->allocate(bytes, *stream));
  ASSERT_GET(y, device->allocate(bytes, *stream));
  EXPECT_OK(stream->fill(table, 40, 0, 4));
  EXPECT_OK(stream->fill(indices, bytes, 10, 4));
  EXPECT_OK(stream->fill(y, bytes, 7, 4));
  EXPECT_OK(stream->launch(*program, 0, {table, indices, y}));
  EXPECT_OK(stream->fill(y, bytes, 8, 4)); // is left out
  EXPECT_OK(stream->record(*event));
  EXPECT_OK(other->wait(*event));
  EXPECT_OK(other->fill(table, 40, 9, 4)); // waits for it: is left out, too
  EXPECT_ERROR("index 10 is out of bounds", other->synchronize());
  EXPECT_ERROR("index 10 is out of bounds", stream->synchronize());
  std::vector<int32_t> out(n);
  EXPECT_OK(stream->copyOut(out.data(), y, bytes, true));
  EXPECT_NE(out[0], 8);
  EXPECT_OK(stream->fill(indices, bytes, 9, 4));
  EXPECT_OK(stream->launch(*program, 0, {table, indices, y}));
  EXPECT_OK(stream->synchronize());
}

TEST(Device, RefusesBadInput) {
  const auto device = openDevice();
  const auto second = openDevice();
  const auto program = loadScaled(device, n, 2);
  ASSERT_TRUE(program);
  auto &stream = device->defaultStream();
  ASSERT_GET(x, device->allocate(bytes, stream, {"x"}));
  ASSERT_GET(y, device->allocate(bytes, stream, {"y"}));
  ASSERT_GET(small, device->allocate(bytes / 2, stream, {"small"}));
  std::vector<float> host(n);
  EXPECT_ERROR("takes 2 addresses, got 1", stream.launch(*program, 0, {x}));
  EXPECT_ERROR("\" has no entry 3, it has 1",
               stream.launch(*program, 3, {x, y}));
  EXPECT_ERROR("small", stream.launch(*program, 0, {x, small}));
  ASSERT_GET(longer, device->allocate(bytes + 128, stream, {"longer"}));
  EXPECT_ERROR("\"in0\" and \"out1\" share memory at 0x",
               stream.launch(*program, 0, {longer, longer + 128}));
  EXPECT_ERROR(", and launches write \"out1\"",
               stream.launch(*program, 0, {longer + 128, longer}));
  EXPECT_ERROR("there is no launch tensor 2, the entry has 2",
               program->mayAlias(0, 0, 2));
  ASSERT_GET(wide, device->allocate(bytes + 64, stream, {"wide"}));
  EXPECT_ERROR("is not aligned to", stream.launch(*program, 0, {x, wide + 1}));
  EXPECT_ERROR("\" is loaded on another device than \"default stream\" is a "
               "stream of; take a stream of its device",
               second->defaultStream().launch(*program, 0, {x, y}));
  EXPECT_ERROR("\" is a stream of another device; take one of this device",
               device->allocate(8, second->defaultStream()));
  EXPECT_ERROR("host memory that is null", stream.copyIn(x, nullptr, 8));
  EXPECT_ERROR("host memory that is null", stream.copyOut(nullptr, x, 8));
  EXPECT_ERROR(", which overlap; copy by way of other memory",
               stream.copy(x, x + 4, 8));
  EXPECT_ERROR("a copy of 2 elements from ",
               stream.copyStrided(x, x + 8, {{2, 8, 8}}, 4));
  EXPECT_ERROR(", whose ranges overlap",
               stream.copyStrided(x, x + 8, {{2, 8, 8}}, 4));
  EXPECT_ERROR("an element of a copy has 1, 2, 4, 8 or 16 bytes, not 3",
               stream.copyStrided(x, y, {}, 3));
  const uint64_t many = uint64_t(1) << 40;
  EXPECT_ERROR("a copy of more elements than the card has bytes",
               stream.copyStrided(x, y, {{many, 0, 0}, {many, 0, 0}}, 4));
  EXPECT_ERROR("a copy of more elements than the card has bytes",
               stream.copyStrided(x, y, {{3, ~uint64_t(0), 0}}, 4));
  EXPECT_ERROR("a pattern has 1, 2, 4 or 8 bytes, not 3",
               stream.fill(x, 8, 0, 3));
  EXPECT_ERROR(" bytes are no multiple of the pattern's 4",
               stream.fill(x, 7, 0, 4));
  ASSERT_GET(event, device->createEvent());
  ASSERT_GET(foreign, second->createEvent());
  EXPECT_ERROR(
      "\" would wait for an event that has never been recorded; record "
      "it first",
      stream.wait(*event));
  EXPECT_ERROR("the event has never been recorded; record it first",
               event->query());
  EXPECT_ERROR("has never been recorded", event->synchronize());
  EXPECT_ERROR(
      "an event of another device than \"default stream\" is a stream of; "
      "take one of the stream's device",
      stream.record(*foreign));
  EXPECT_ERROR("an event of another device", stream.wait(*foreign));
  EXPECT_ERROR("the events are of two devices, which share no clock; take two "
               "events of one device",
               foreign->since(*event));
  EXPECT_ERROR("no trace has begun; begin one first",
               device->writeTrace("/tmp/x.json"));
  EXPECT_OK(device->free(y));
  EXPECT_ERROR("freed", stream.launch(*program, 0, {x, y}));
  EXPECT_ERROR("freed", device->free(y));
  TestRecipe wrong("gaudi3");
  addScaled(wrong, n, 2);
  EXPECT_ERROR("the recipe is for gaudi3, the device is a gaudi2; compile the "
               "model with device=gaudi2",
               Program::load(device, fileOf(wrong)));
  runtime::DeviceOptions options;
  options.kind = "gaudi9";
  EXPECT_ERROR("gaudi9", Device::open(options));
  // All is as before.
  EXPECT_OK(stream.synchronize());
}

TEST(Device, CallsMayIssueButNotWait) {
  const auto device = openDevice();
  auto &stream = device->defaultStream();
  ASSERT_GET(x, device->allocate(64, stream));
  std::string error;
  bool isIssued = false;
  EXPECT_OK(stream.call([&] {
    if (Status status = stream.synchronize(); !status)
      error = status.error().message;
    isIssued = stream.fill(x, 64, 5, 4).has_value();
    EXPECT_OK(device->advanceHost(Picoseconds(1e12)));
    EXPECT_FALSE(stream.query());
  }));
  EXPECT_OK(stream.synchronize());
  EXPECT_OK(stream.synchronize());
  EXPECT_NE(
      error.find(" in a function that a stream calls would wait for itself; "
                 "call it outside of the function"),
      std::string::npos);
  EXPECT_TRUE(isIssued);
  int32_t out[16];
  EXPECT_OK(stream.copyOut(out, x, 64, true));
  EXPECT_EQ(out[15], 5);
}

TEST(Device, WhatACallThrowsIsAnError) {
  const auto device = openDevice();
  auto &stream = device->defaultStream();
  EXPECT_OK(stream.call([] { throw std::runtime_error("no luck"); }));
  EXPECT_ERROR("a function that the stream called threw an exception: no luck",
               stream.synchronize());
  EXPECT_OK(stream.call([] { throw 1; }));
  EXPECT_ERROR("a function that the stream called threw an exception",
               stream.synchronize());
  EXPECT_OK(stream.synchronize());
}

TEST(Device, OutOfMemoryWaitsMovesAndExplains) {
  const auto device = openDevice(64 << 20);
  auto &stream = device->defaultStream();
  // Every second block is free: 8 MiB fit only after the others have moved.
  std::vector<DeviceAddress> blocks;
  const uint64_t size = 2 << 20;
  for (;;) {
    auto block =
        device->allocate(size, stream, {"activation", "1x2", "a.py:1"});
    if (!block)
      break;
    blocks.push_back(*block);
    const uint64_t number = blocks.size();
    EXPECT_OK(stream.fill(*block, size, number, 8));
  }
  ASSERT_GT(blocks.size(), 20u);
  EXPECT_ERROR("activation", device->allocate(size, stream));
  EXPECT_ERROR("out of device memory", device->allocate(size, stream));
  for (size_t i = 0; i < blocks.size(); i += 2)
    EXPECT_OK(device->free(blocks[i]));
  ASSERT_GET(large, device->allocate(4 * size, stream, {"large"}));
  EXPECT_OK(stream.fill(large, 4 * size, 0, 8));
  for (size_t i = 1; i < blocks.size(); i += 2) {
    std::vector<uint64_t> out(size / 8);
    EXPECT_OK(stream.copyOut(out.data(), blocks[i], size, true));
    EXPECT_EQ(out, std::vector<uint64_t>(size / 8, i + 1));
  }
}

/// Work that takes the host long, and the card no time.
void sleepOn(runtime::Stream &stream, std::atomic<int> &ended) {
  EXPECT_OK(stream.call([&ended] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ++ended;
  }));
}

TEST(Device, AllMemoryOfACopyIsWaitedFor) {
  const auto device = openDevice();
  ASSERT_GET(a, device->createStream());
  ASSERT_GET(c, device->createStream());
  ASSERT_GET(x, device->allocate(bytes, *a));
  ASSERT_GET(y, device->allocate(bytes, *c));
  EXPECT_OK(a->fill(x, bytes, 11, 4));
  EXPECT_OK(c->fill(y, bytes, 22, 4));
  EXPECT_OK(device->synchronize());
  std::atomic<int> ended{0};
  sleepOn(*a, ended);
  std::vector<int32_t> out(n);
  EXPECT_OK(a->copyOut(out.data(), x, bytes));
  EXPECT_OK(device->free(x));
  EXPECT_OK(device->advanceHost(Picoseconds(1e12)));
  ASSERT_GET(z, device->allocate(bytes, *c)); // where x was
  EXPECT_OK(c->copy(z, y, bytes));
  EXPECT_OK(device->synchronize());
  EXPECT_EQ(out, std::vector<int32_t>(n, 11));
}

TEST(Device, AnEventHasWhatItsStreamWaitedFor) {
  const auto device = openDevice();
  ASSERT_GET(a, device->createStream());
  ASSERT_GET(b, device->createStream());
  ASSERT_GET(first, device->createEvent());
  ASSERT_GET(second, device->createEvent());
  std::atomic<int> ended{0};
  sleepOn(*a, ended);
  EXPECT_OK(a->record(*first));
  EXPECT_OK(b->wait(*first));
  EXPECT_OK(b->record(*second));
  EXPECT_OK(second->synchronize());
  EXPECT_EQ(ended, 1);
  sleepOn(*a, ended);
  EXPECT_OK(a->record(*first));
  EXPECT_OK(b->wait(*first));
  ASSERT_GET(isDone, b->query());
  EXPECT_TRUE(isDone);
  EXPECT_EQ(ended, 2);
}

TEST(Device, EachWaiterOfFailedWorkIsTold) {
  const auto device = openDevice();
  ASSERT_GET(stream, device->createStream());
  ASSERT_GET(other, device->createStream());
  ASSERT_GET(event, device->createEvent());
  ASSERT_GET(x, device->allocate(bytes, *stream));
  EXPECT_OK(stream->call([] { throw std::runtime_error("no luck"); }));
  EXPECT_OK(stream->fill(x, bytes, 0, 4)); // is left out
  EXPECT_OK(stream->record(*event));
  EXPECT_ERROR("no luck", stream->synchronize());
  EXPECT_OK(stream->synchronize()); // once
  EXPECT_ERROR("no luck", event->synchronize());
  // Who uses the memory, but has not waited for the stream, is none of them.
  EXPECT_OK(stream->call([] { throw std::runtime_error("no luck"); }));
  EXPECT_OK(stream->fill(x, bytes, 0, 4));
  EXPECT_OK(other->fill(x, bytes, 1, 4));
  EXPECT_OK(other->synchronize());
  EXPECT_ERROR("no luck", stream->synchronize());
}

TEST(Device, ThreadsBeginWhereTheLatestIs) {
  const auto device = openDevice();
  EXPECT_OK(device->advanceHost(1000));
  for (Picoseconds expected : {1000, 1500, 2000})
    std::thread([&] {
      EXPECT_EQ(device->hostTime(), expected);
      EXPECT_OK(device->advanceHost(500));
    }).join();
  EXPECT_EQ(device->hostTime(), 1000);
}

TEST(Device, PagesOfEndedWorkGoBackToTheHost) {
  runtime::DeviceOptions options;
  options.capacity = 256 << 20;
  options.hostMemory = 40 << 20;
  openDevice(); // sets the folder of cards
  ASSERT_GET(device, Device::open(options));
  ASSERT_GET(stream, device->createStream());
  for (int round = 0; round < 8; ++round) {
    ASSERT_GET(x, device->allocate(24 << 20, *stream));
    // Beside the last one: its pages must go back.
    EXPECT_OK(stream->fill(x, 24 << 20, 1, 1));
    EXPECT_OK(stream->synchronize());
    ASSERT_GET(small, device->allocate(1 << 20, *stream));
    EXPECT_OK(device->free(x));
    (void)small;
  }
}

TEST(Device, MovedMemoryIsWholeUnderALimitOfTheHost) {
  for (uint64_t limit = 40; limit <= 64; limit += 2) {
    runtime::DeviceOptions options;
    options.capacity = 64 << 20;
    options.hostMemory = limit << 20;
    ASSERT_GET(device, Device::open(options));
    auto &stream = device->defaultStream();
    const uint64_t size = 3 << 20;
    std::vector<DeviceAddress> blocks;
    for (;;) {
      auto block = device->allocate(size, stream);
      if (!block)
        break;
      blocks.push_back(*block);
    }
    std::vector<size_t> filled; // as many as the host has memory for
    for (size_t i = 1; i < blocks.size(); i += 2)
      if (stream.fill(blocks[i], size, i, 8))
        filled.push_back(i);
    EXPECT_GT(filled.size(), 5u);
    EXPECT_OK(stream.synchronize());
    for (size_t i = 0; i < blocks.size(); i += 2)
      EXPECT_OK(device->free(blocks[i]));
    (void)device->allocate(4 * size, stream); // moves them, if the host lets it
    for (size_t i : filled) {
      std::vector<uint64_t> out(size / 8);
      EXPECT_OK(stream.copyOut(out.data(), blocks[i], size, true));
      EXPECT_EQ(out, std::vector<uint64_t>(size / 8, i)) << limit;
    }
  }
}

TEST(Device, ALastOwnerMayBeAFunction) {
  const auto device = openDevice();
  auto stream = *device->createStream();
  auto event = *device->createEvent();
  EXPECT_OK(stream->call([stream, device] {}));
  auto *const raw = stream.get();
  EXPECT_OK(raw->record(*event));
  stream.reset();
  EXPECT_OK(event->synchronize());
  EXPECT_OK(device->synchronize());
}

TEST(Device, TraceHasWorkAndCalls) {
  const auto device = openDevice();
  const auto program = loadScaled(device, n, 2, "scaled");
  ASSERT_TRUE(program);
  auto &stream = device->defaultStream();
  ASSERT_GET(x, device->allocate(bytes, stream));
  ASSERT_GET(y, device->allocate(bytes, stream));
  EXPECT_OK(device->beginTrace());
  const std::vector<float> in(n, 3);
  EXPECT_OK(stream.copyIn(x, in.data(), bytes));
  EXPECT_OK(stream.launch(*program, 0, {x, y}));
  EXPECT_OK(stream.synchronize());
  const std::string path = testing::TempDir() + "card-trace.json";
  EXPECT_OK(device->writeTrace(path));
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  for (const char *part :
       {"\"copy in\"", "\"scaled\"", "\"default stream\"", "\"Launch\"",
        "\"copy up\"", "\"Synchronize\"", "tpc.test"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

} // namespace
