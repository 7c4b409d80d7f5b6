// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards by the header: every function, what it refuses, and fork().
#include "../Support/TempFolder.h"
#include "Model.h"

#include "gaudi-c/Device.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gaudi::test;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

template <typename T, void (*destroy)(T *)> struct Destroy {
  void operator()(T *object) const { destroy(object); }
};
template <typename T, void (*destroy)(T *)>
using Owner = std::unique_ptr<T, Destroy<T, destroy>>;
using DeviceOwner = Owner<GaudiDevice, gaudiDeviceDestroy>;
using StreamOwner = Owner<GaudiStream, gaudiStreamDestroy>;
using EventOwner = Owner<GaudiEvent, gaudiEventDestroy>;
using GraphOwner = Owner<GaudiGraph, gaudiGraphDestroy>;
using ProgramOwner = Owner<GaudiProgram, gaudiProgramDestroy>;

constexpr uint64_t xBytes = 24, wBytes = 24, yBytes = 16;

struct CDevice : ::testing::Test {
  TempFolder folder;
  RecipeOwner recipe = compile(matmul);
  DeviceOwner device;
  StreamOwner stream;
  ProgramOwner program;
  GaudiDeviceAddress x = 0, w = 0, y = 0;
  const float hostX[6] = {1, 2, 3, 4, 5, 6}, hostW[6] = {1, 0, 0, 1, 0, 0};

  /// Cards of this process, whatever other processes of the user have.
  CDevice() {
    ::setenv("XDG_RUNTIME_DIR", folder.path.c_str(), 1);
    device = open();
    GaudiStream *made = nullptr;
    EXPECT_TRUE(isFine(gaudiStreamCreate(device.get(), "mine", 0, &made)));
    stream.reset(made);
    program = load(device);
    x = allocate(xBytes);
    w = allocate(wBytes);
    y = allocate(yBytes);
    EXPECT_TRUE(isFine(gaudiStreamCopyIn(stream.get(), x, hostX, xBytes, 0)));
    EXPECT_TRUE(isFine(gaudiStreamCopyIn(stream.get(), w, hostW, wBytes, 1)));
  }

  static DeviceOwner open(const char *kind = nullptr) {
    GaudiDeviceOptions options;
    gaudiDeviceOptionsInit(&options);
    options.kind = kind;
    options.capacity = 64 << 20;
    options.threads = 2;
    GaudiDevice *opened = nullptr;
    EXPECT_TRUE(isFine(gaudiDeviceOpen(&options, &opened)));
    return DeviceOwner(opened);
  }
  ProgramOwner load(const DeviceOwner &device) {
    GaudiProgramOptions options;
    gaudiProgramOptionsInit(&options);
    options.name = "product";
    GaudiProgram *loaded = nullptr;
    EXPECT_TRUE(isFine(
        gaudiProgramLoad(device.get(), recipe.get(), &options, &loaded)));
    return ProgramOwner(loaded);
  }
  GaudiDeviceAddress allocate(uint64_t bytes, const char *name = nullptr) {
    const GaudiMemoryOwner owner = {name, "4xf32", "here.c:1"};
    GaudiDeviceAddress address = 0;
    EXPECT_TRUE(isFine(gaudiDeviceAllocate(device.get(), stream.get(), bytes,
                                           &owner, &address)));
    EXPECT_NE(address, 0u);
    return address;
  }
  EventOwner event() {
    GaudiEvent *made = nullptr;
    EXPECT_TRUE(isFine(gaudiEventCreate(device.get(), &made)));
    return EventOwner(made);
  }
  GaudiError *launch() {
    const GaudiDeviceAddress addresses[] = {x, w, y};
    return gaudiStreamLaunch(stream.get(), program.get(), 0, addresses, 3);
  }
  std::vector<float> read(GaudiDeviceAddress from, size_t count) {
    std::vector<float> out(count, -1);
    EXPECT_TRUE(isFine(
        gaudiStreamCopyOut(stream.get(), out.data(), from, count * 4, 1)));
    return out;
  }
  GaudiMemoryStats stats() {
    GaudiMemoryStats stats = {};
    stats.size = sizeof(stats);
    EXPECT_TRUE(isFine(gaudiDeviceMemoryStats(device.get(), &stats)));
    return stats;
  }
};

const std::vector<float> product = {1, 2, 4, 5};

TEST_F(CDevice, LaunchesOnItsMemory) {
  EXPECT_EQ(textOf(gaudiDeviceKind(device.get())), "gaudi2");
  EXPECT_EQ(gaudiDeviceModule(device.get()), 0u);
  EXPECT_EQ(gaudiDeviceCapacity(device.get()), 64u << 20);
  EXPECT_TRUE(isFine(launch()));
  EXPECT_TRUE(isFine(gaudiStreamSynchronize(stream.get())));
  EXPECT_EQ(read(y, 4), product);
  EXPECT_TRUE(isFine(gaudiStreamFill(stream.get(), y, yBytes, 0, 4)));
  EXPECT_TRUE(isFine(gaudiStreamCopy(stream.get(), y, x, 8)));
  EXPECT_EQ(read(y, 4), std::vector<float>({1, 2, 0, 0}));
  EXPECT_EQ(read(y + 4, 1), std::vector<float>({2}));
  const DeviceOwner second = open("gaudi3");
  EXPECT_EQ(gaudiDeviceModule(second.get()), 1u);
  EXPECT_EQ(textOf(gaudiDeviceKind(second.get())), "gaudi3");
}

TEST_F(CDevice, TheDefaultStreamIsTheDevices) {
  GaudiStream *made = nullptr;
  EXPECT_TRUE(isFine(gaudiDeviceDefaultStream(device.get(), &made)));
  EXPECT_TRUE(isFine(gaudiStreamFill(made, y, yBytes, 7, 1)));
  gaudiStreamDestroy(made);
  GaudiDeviceAddress address = 0;
  EXPECT_TRUE(
      isFine(gaudiDeviceAllocate(device.get(), nullptr, 8, nullptr, &address)));
  EXPECT_TRUE(isFine(gaudiDeviceSynchronize(device.get())));
  uint8_t byte = 0;
  EXPECT_TRUE(isFine(gaudiStreamCopyOut(stream.get(), &byte, y + 15, 1, 1)));
  EXPECT_EQ(byte, 7);
}

TEST_F(CDevice, DescribesPrograms) {
  size_t count = 0;
  ASSERT_TRUE(isFine(gaudiProgramNumTensors(program.get(), 0, &count)));
  EXPECT_EQ(count, 3u);
  for (size_t index = 0; index < count; ++index) {
    GaudiLaunchTensor tensor = {};
    tensor.size = sizeof(tensor);
    EXPECT_TRUE(isFine(gaudiProgramTensor(program.get(), 0, index, &tensor)));
    EXPECT_EQ(tensor.size, sizeof(tensor));
    EXPECT_EQ(textOf(tensor.name), index == 2 ? "out0"
                                   : index    ? "arg1"
                                              : "arg0");
    EXPECT_EQ(tensor.bytes, index == 2 ? yBytes : xBytes);
    EXPECT_GT(tensor.alignment, 0u);
    EXPECT_EQ(tensor.isWritten, uint64_t(index == 2));
  }
  int64_t tensor = -1;
  uint64_t offset = 1;
  int32_t isDense = 0;
  EXPECT_TRUE(isFine(gaudiProgramInput(program.get(), 0, 1, &tensor, &offset)));
  EXPECT_EQ(tensor, 1);
  EXPECT_EQ(offset, 0u);
  EXPECT_TRUE(
      isFine(gaudiProgramOutput(program.get(), 0, 0, &tensor, &offset)));
  EXPECT_EQ(tensor, 2);
  EXPECT_TRUE(isFine(gaudiProgramIsDense(program.get(), 0, 0, 1, &isDense)));
  int32_t may = 1;
  EXPECT_TRUE(isFine(gaudiProgramMayAlias(program.get(), 0, 0, 2, &may)));
  EXPECT_EQ(may, 0) << "a product reads all of x";
  EXPECT_EQ(isDense, 1);
  int64_t time = 0;
  EXPECT_TRUE(isFine(gaudiProgramTime(program.get(), 0, &time)));
  EXPECT_GT(time, 0);
}

/// x += g, where x is a state.
static auto compileSum() {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.state = "x=out0";
  return compile("func.func @main(%x: tensor<4xf32> {gaudi.name = \"x\"}, "
                 "%g: tensor<4xf32>) -> tensor<4xf32> {\n"
                 "  %r = tosa.add %x, %g : (tensor<4xf32>, tensor<4xf32>) "
                 "-> tensor<4xf32>\n  return %r : tensor<4xf32>\n}\n",
                 &options);
}

TEST_F(CDevice, StatesAreThePrograms) {
  recipe = compileSum();
  ASSERT_TRUE(recipe);
  program = load(device);
  GaudiDeviceAddress state = 0;
  EXPECT_TRUE(isFine(gaudiProgramState(program.get(), 0, &state)));
  EXPECT_TRUE(isFine(gaudiStreamFill(stream.get(), state, 16, 0, 4)));
  int64_t tensor = 0;
  uint64_t offset = 0;
  EXPECT_TRUE(isFine(gaudiProgramInput(program.get(), 0, 0, &tensor, &offset)));
  EXPECT_EQ(tensor, -1);
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(
        isFine(gaudiStreamLaunch(stream.get(), program.get(), 0, &x, 1)));
  EXPECT_EQ(read(state, 4), std::vector<float>({3, 6, 9, 12}));
  EXPECT_EQ(invalid(gaudiProgramState(program.get(), 1, &state)),
            "there is no state 1, the program has 1");
}

TEST_F(CDevice, EventsHaveTimesOfTheCard) {
  const EventOwner begin = event(), end = event();
  GaudiStream *other = nullptr;
  ASSERT_TRUE(isFine(gaudiStreamCreate(device.get(), nullptr, 1, &other)));
  const StreamOwner second(other);
  EXPECT_TRUE(isFine(gaudiStreamRecord(stream.get(), begin.get())));
  EXPECT_TRUE(isFine(launch()));
  EXPECT_TRUE(isFine(gaudiStreamRecord(stream.get(), end.get())));
  EXPECT_TRUE(isFine(gaudiStreamWait(second.get(), end.get())));
  float out[4] = {};
  EXPECT_TRUE(isFine(gaudiStreamCopyOut(second.get(), out, y, yBytes, 0)));
  EXPECT_TRUE(isFine(gaudiStreamSynchronize(second.get())));
  EXPECT_EQ(std::vector<float>(out, out + 4), product);
  EXPECT_TRUE(isFine(gaudiEventSynchronize(end.get())));
  int32_t isDone = 0;
  EXPECT_TRUE(isFine(gaudiEventQuery(end.get(), &isDone)));
  EXPECT_EQ(isDone, 1);
  isDone = 0;
  EXPECT_TRUE(isFine(gaudiStreamQuery(second.get(), &isDone)));
  EXPECT_EQ(isDone, 1);
  int64_t elapsed = 0, time = 0;
  EXPECT_TRUE(isFine(gaudiEventElapsed(begin.get(), end.get(), &elapsed)));
  EXPECT_TRUE(isFine(gaudiProgramTime(program.get(), 0, &time)));
  EXPECT_GE(elapsed, time);
  EXPECT_TRUE(isFine(gaudiDeviceRecordStream(device.get(), y, second.get())));
}

TEST_F(CDevice, MemoryIsCounted) {
  const GaudiMemoryStats before = stats();
  const GaudiDeviceAddress block = allocate(1 << 20);
  const GaudiMemoryStats with = stats();
  EXPECT_GE(with.inUse, before.inUse + (1 << 20));
  EXPECT_EQ(with.numAllocs, before.numAllocs + 1);
  EXPECT_EQ(with.activeAllocs, with.numAllocs - with.numFrees);
  EXPECT_GE(with.maxAllocSize, 1u << 20);
  EXPECT_LE(with.inUse, with.limit);
  EXPECT_GT(with.largestFreeRun, 0u);
  EXPECT_GE(with.fragmentation, 0);
  EXPECT_GT(with.touchedBytes, 0u);
  EXPECT_TRUE(isFine(gaudiDeviceFree(device.get(), block)));
  const GaudiMemoryStats after = stats();
  EXPECT_EQ(after.inUse, before.inUse);
  EXPECT_EQ(after.totalFrees, before.totalFrees + 1);
  EXPECT_EQ(after.maxInUse, with.inUse);
  EXPECT_TRUE(isFine(gaudiDeviceResetPeakMemory(device.get())));
  EXPECT_EQ(stats().maxInUse, 0u);
  EXPECT_TRUE(isFine(gaudiDeviceResetAccumulatedMemory(device.get())));
  EXPECT_EQ(stats().numAllocs, 0);
  EXPECT_EQ(stats().totalAllocs, after.totalAllocs);
  char *text = nullptr;
  ASSERT_TRUE(isFine(gaudiDeviceMemorySummary(device.get(), &text)));
  EXPECT_THAT(std::string(text), AllOf(HasSubstr("Limit:"), HasSubstr("InUse:"),
                                       HasSubstr("ActiveAllocs:")));
  gaudiTextDestroy(text);
}

TEST_F(CDevice, AFullCardSaysWhoHasItsMemory) {
  GaudiError *error = nullptr;
  const GaudiMemoryOwner owner = {"activation", "1x2", "a.c:3"};
  for (int i = 0; i < 100 && !error; ++i) {
    GaudiDeviceAddress address = 0;
    error = gaudiDeviceAllocate(device.get(), stream.get(), 4 << 20, &owner,
                                &address);
  }
  EXPECT_THAT(messageOf(error, GaudiErrorOutOfMemory),
              AllOf(StartsWith("out of device memory"),
                    HasSubstr("'activation' 1x2 (allocated at a.c:3)")));
}

TEST_F(CDevice, MemoryBlocksCoverTheCard) {
  const GaudiMemoryOwner owner = {"activation", "1x2", "a.c:3"};
  GaudiDeviceAddress large = 0, small = 0;
  ASSERT_TRUE(isFine(
      gaudiDeviceAllocate(device.get(), stream.get(), 5000, &owner, &large)));
  ASSERT_TRUE(
      isFine(gaudiDeviceAllocate(device.get(), nullptr, 8, nullptr, &small)));
  std::vector<GaudiMemoryBlock> blocks;
  ASSERT_TRUE(isFine(gaudiDeviceMemoryBlocks(
      device.get(),
      [](const GaudiMemoryBlock *block, void *blocks) {
        static_cast<std::vector<GaudiMemoryBlock> *>(blocks)->push_back(*block);
      },
      &blocks)));
  uint64_t end = 0;
  for (const GaudiMemoryBlock &each : blocks) {
    EXPECT_EQ(each.begin, end);
    end += each.bytes;
  }
  EXPECT_EQ(end, gaudiDeviceCapacity(device.get()));
  const auto isAmong = [&](const GaudiMemoryBlock &block) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const auto &each) {
      return each.begin == block.begin && each.bytes == block.bytes &&
             each.state == GaudiMemoryInUse;
    });
  };
  GaudiMemoryBlock block = {};
  block.size = sizeof(block);
  ASSERT_TRUE(isFine(gaudiDeviceMemoryBlock(device.get(), large, &block)));
  EXPECT_EQ(block.requested, 5000u);
  EXPECT_GT(block.bytes, 5000u);
  EXPECT_EQ(block.isSmall, 0u);
  EXPECT_EQ(std::string(block.where.data, block.where.length), "a.c:3");
  EXPECT_TRUE(isAmong(block));
  ASSERT_TRUE(isFine(gaudiDeviceMemoryBlock(device.get(), small, &block)));
  EXPECT_EQ(block.requested, 8u);
  EXPECT_EQ(block.isSmall, 1u);
  EXPECT_TRUE(isAmong(block));
  EXPECT_TRUE(isFine(gaudiDeviceFree(device.get(), small)));
  EXPECT_NE(invalid(gaudiDeviceMemoryBlock(device.get(), small, &block)), "");
  EXPECT_EQ(invalid(gaudiDeviceMemoryBlocks(device.get(), nullptr, nullptr)),
            "'visit' is null");
  EXPECT_TRUE(isFine(gaudiDeviceFree(device.get(), large)));
}

TEST_F(CDevice, CallsFunctionsInOrder) {
  std::vector<int> seen;
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(isFine(gaudiStreamCall(
        stream.get(),
        [](void *seen) {
          auto &all = *static_cast<std::vector<int> *>(seen);
          all.push_back(int(all.size()));
        },
        &seen)));
  EXPECT_TRUE(isFine(gaudiStreamSynchronize(stream.get())));
  EXPECT_EQ(seen, std::vector<int>({0, 1, 2, 3, 4}));
}

TEST_F(CDevice, DrawsSeedsToItsMemory) {
  const GaudiDeviceAddress seed = allocate(8), offset = allocate(8);
  void *pinned = nullptr;
  ASSERT_TRUE(isFine(gaudiDeviceAllocatePinned(device.get(), 16, &pinned)));
  auto *const values = static_cast<int64_t *>(pinned);
  EXPECT_TRUE(isFine(gaudiDeviceSetSeed(device.get(), 42)));
  for (int64_t expected : {0, 3}) {
    EXPECT_TRUE(isFine(gaudiStreamDrawSeed(stream.get(), seed, offset, 3)));
    EXPECT_TRUE(isFine(gaudiStreamCopyOut(stream.get(), values, seed, 8, 0)));
    EXPECT_TRUE(
        isFine(gaudiStreamCopyOut(stream.get(), values + 1, offset, 8, 1)));
    EXPECT_EQ(values[0], 42);
    EXPECT_EQ(values[1], expected);
  }
  EXPECT_NE(invalid(gaudiStreamDrawSeed(stream.get(), seed, offset, 0)), "");
  EXPECT_TRUE(isFine(gaudiDeviceFreePinned(device.get(), pinned)));
  EXPECT_NE(invalid(gaudiDeviceFreePinned(device.get(), pinned)), "");
  EXPECT_EQ(invalid(gaudiDeviceAllocatePinned(device.get(), 16, nullptr)),
            "'memory' is null");
  EXPECT_EQ(invalid(gaudiDeviceSetSeed(nullptr, 1)), "'device' is null");
}

TEST_F(CDevice, GraphsAreReplayed) {
  ASSERT_TRUE(isFine(gaudiStreamBeginCapture(stream.get())));
  EXPECT_TRUE(isFine(launch()));
  EXPECT_TRUE(isFine(gaudiStreamCopy(stream.get(), x, y, yBytes)));
  GaudiGraph *captured = nullptr;
  ASSERT_TRUE(isFine(gaudiStreamEndCapture(stream.get(), &captured)));
  const GraphOwner graph(captured);
  EXPECT_EQ(gaudiGraphSize(graph.get()), 2u);
  EXPECT_EQ(read(x, 4), std::vector<float>({1, 2, 3, 4}));
  EXPECT_TRUE(isFine(gaudiGraphReplay(graph.get(), stream.get(), nullptr, 0)));
  EXPECT_EQ(read(x, 4), product);
  const GaudiDeviceAddress other = allocate(yBytes);
  const GaudiRebinding rebinding = {y, other};
  EXPECT_TRUE(isFine(gaudiStreamFill(stream.get(), y, yBytes, 0, 4)));
  EXPECT_TRUE(
      isFine(gaudiGraphReplay(graph.get(), stream.get(), &rebinding, 1)));
  EXPECT_EQ(read(y, 4), std::vector<float>(4, 0));
  EXPECT_EQ(read(other, 4), std::vector<float>({1, 2, 5, 5}));
  EXPECT_TRUE(isFine(gaudiGraphFreeBetweenReplays(graph.get())));
  EXPECT_TRUE(isFine(gaudiGraphReplay(graph.get(), stream.get(), nullptr, 0)));
}

TEST_F(CDevice, EventsOfTheHost) {
  GaudiDeviceOptions options;
  gaudiDeviceOptionsInit(&options);
  options.hostEvents = 1;
  GaudiDevice *opened = nullptr;
  ASSERT_TRUE(isFine(gaudiDeviceOpen(&options, &opened)));
  const DeviceOwner own(opened);
  GaudiStream *made = nullptr;
  ASSERT_TRUE(isFine(gaudiDeviceDefaultStream(own.get(), &made)));
  const StreamOwner of(made);
  GaudiEvent *events[2] = {};
  for (GaudiEvent *&event : events) {
    ASSERT_TRUE(isFine(gaudiEventCreate(own.get(), &event)));
    EXPECT_TRUE(isFine(gaudiStreamRecord(of.get(), event)));
    // No time on the card.
    EXPECT_TRUE(isFine(
        gaudiStreamCall(of.get(), [](void *) { ::usleep(20'000); }, nullptr)));
  }
  const EventOwner begin(events[0]), end(events[1]);
  int64_t time = 0;
  EXPECT_TRUE(isFine(gaudiEventElapsed(begin.get(), end.get(), &time)));
  EXPECT_GE(time, 15'000'000'000);
}

TEST_F(CDevice, LoadsProgramsWhileTheDefaultStreamIsCaptured) {
  recipe = compileSum();
  ASSERT_TRUE(recipe);
  GaudiStream *made = nullptr;
  ASSERT_TRUE(isFine(gaudiDeviceDefaultStream(device.get(), &made)));
  ASSERT_TRUE(isFine(gaudiStreamBeginCapture(made)));
  const ProgramOwner loaded = load(device);
  GaudiGraph *graph = nullptr;
  ASSERT_TRUE(isFine(gaudiStreamEndCapture(made, &graph)));
  EXPECT_EQ(gaudiGraphSize(graph), 0u);
  gaudiGraphDestroy(graph);
  gaudiStreamDestroy(made);
  GaudiDeviceAddress state = 0;
  ASSERT_TRUE(isFine(gaudiProgramState(loaded.get(), 0, &state)));
  EXPECT_EQ(read(state, 4), std::vector<float>(4, 0));
}

TEST_F(CDevice, ClockAndTrace) {
  EXPECT_TRUE(isFine(gaudiDeviceBeginTrace(device.get())));
  gaudiDeviceSetTraceLabel(4711);
  EXPECT_TRUE(isFine(launch()));
  gaudiDeviceSetTraceLabel(0);
  EXPECT_TRUE(isFine(gaudiStreamSynchronize(stream.get())));
  GaudiClockTimes times = {};
  times.size = sizeof(times);
  EXPECT_TRUE(isFine(gaudiDeviceClock(device.get(), &times)));
  for (int queue = 0; queue < GAUDI_CARD_QUEUES; ++queue)
    EXPECT_EQ(times.busy[queue] + times.idle[queue], times.elapsed);
  EXPECT_GT(times.busy[GaudiCardMme], 0);
  EXPECT_GT(times.busy[GaudiCardCopyUp], 0);
  const int64_t before = times.host;
  EXPECT_TRUE(isFine(gaudiDeviceAdvanceHost(device.get(), 1000)));
  EXPECT_TRUE(isFine(gaudiDeviceClock(device.get(), &times)));
  EXPECT_EQ(times.host, before + 1000);
  // A thread that works for this one takes its time, not one that works for
  // itself.
  const uint64_t own = gaudiHostThread();
  for (bool isForOther : {true, false}) {
    std::thread([&] {
      EXPECT_NE(gaudiHostThread(), own);
      gaudiHostIssueForThread(isForOther ? own : 0);
      EXPECT_TRUE(isFine(gaudiDeviceAdvanceHost(device.get(), 5000)));
    }).join();
    const int64_t now = times.host;
    EXPECT_TRUE(isFine(gaudiDeviceAdvanceHost(device.get(), 1)));
    EXPECT_TRUE(isFine(gaudiDeviceClock(device.get(), &times)));
    EXPECT_EQ(times.host, isForOther ? now + 5001 : now + 1);
  }
  const std::string path = folder.file("trace.json");
  EXPECT_TRUE(isFine(gaudiDeviceWriteTrace(device.get(), path.c_str())));
  EXPECT_THAT(folder.read("trace.json"),
              AllOf(HasSubstr("\"product\""), HasSubstr("\"mine\""),
                    HasSubstr("\"label\":4711")));
  EXPECT_TRUE(isFine(gaudiDeviceBeginTrace(device.get())));
  EXPECT_THAT(messageOf(gaudiDeviceWriteTrace(device.get(), "/nowhere/x.json"),
                        GaudiErrorIo),
              HasSubstr("/nowhere/x.json"));
}

TEST_F(CDevice, NullPointersAreNamed) {
  GaudiDevice *d = device.get();
  GaudiStream *s = stream.get();
  GaudiProgram *p = program.get();
  const EventOwner made = event();
  GaudiEvent *e = made.get();
  GaudiDeviceAddress address = 0;
  int32_t flag = 0;
  int64_t number = 0;
  uint64_t offset = 0;
  size_t count = 0;
  EXPECT_EQ(invalid(gaudiDeviceOpen(nullptr, nullptr)), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceSynchronize(nullptr)), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceAllocate(nullptr, s, 8, nullptr, &address)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceAllocate(d, s, 8, nullptr, nullptr)),
            "'address' is null");
  EXPECT_EQ(invalid(gaudiDeviceFree(nullptr, x)), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceRecordStream(nullptr, x, s)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceRecordStream(d, x, nullptr)),
            "'stream' is null");
  EXPECT_EQ(invalid(gaudiDeviceMemoryStats(nullptr, nullptr)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceMemoryStats(d, nullptr)),
            "'GaudiMemoryStats' is null");
  EXPECT_EQ(invalid(gaudiDeviceMemorySummary(nullptr, nullptr)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceMemorySummary(d, nullptr)), "'text' is null");
  EXPECT_EQ(invalid(gaudiDeviceResetPeakMemory(nullptr)), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceResetAccumulatedMemory(nullptr)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiStreamCreate(nullptr, "", 0, nullptr)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiStreamCreate(d, "", 0, nullptr)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiDeviceDefaultStream(nullptr, nullptr)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceDefaultStream(d, nullptr)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamCopyIn(nullptr, x, hostX, 4, 0)),
            "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamCopyIn(s, x, nullptr, 4, 0)),
            "a copy of 4 bytes from host memory that is null");
  EXPECT_EQ(invalid(gaudiStreamCopyOut(nullptr, &flag, x, 4, 0)),
            "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamCopyOut(s, nullptr, x, 4, 0)),
            "a copy of 4 bytes to host memory that is null");
  EXPECT_EQ(invalid(gaudiStreamCopy(nullptr, x, y, 4)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamFill(nullptr, x, 4, 0, 4)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamCall(
                nullptr, [](void *) {}, nullptr)),
            "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamCall(s, nullptr, nullptr)),
            "'function' is null");
  EXPECT_EQ(invalid(gaudiStreamSynchronize(nullptr)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamQuery(nullptr, &flag)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamQuery(s, nullptr)), "'isDone' is null");
  EXPECT_EQ(invalid(gaudiEventCreate(nullptr, nullptr)), "'device' is null");
  EXPECT_EQ(invalid(gaudiEventCreate(d, nullptr)), "'event' is null");
  EXPECT_EQ(invalid(gaudiStreamRecord(nullptr, e)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamRecord(s, nullptr)), "'event' is null");
  EXPECT_EQ(invalid(gaudiStreamWait(nullptr, e)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamWait(s, nullptr)), "'event' is null");
  EXPECT_EQ(invalid(gaudiEventSynchronize(nullptr)), "'event' is null");
  EXPECT_EQ(invalid(gaudiEventQuery(nullptr, &flag)), "'event' is null");
  EXPECT_EQ(invalid(gaudiEventQuery(e, nullptr)), "'isDone' is null");
  EXPECT_EQ(invalid(gaudiEventElapsed(nullptr, e, &number)), "'begin' is null");
  EXPECT_EQ(invalid(gaudiEventElapsed(e, nullptr, &number)), "'end' is null");
  EXPECT_EQ(invalid(gaudiEventElapsed(e, e, nullptr)), "'picoseconds' is null");
  GaudiProgram *loaded = nullptr;
  EXPECT_EQ(invalid(gaudiProgramLoad(nullptr, recipe.get(), nullptr, &loaded)),
            "'device' is null");
  EXPECT_EQ(invalid(gaudiProgramLoad(d, nullptr, nullptr, &loaded)),
            "'recipe' is null");
  EXPECT_EQ(invalid(gaudiProgramLoad(d, recipe.get(), nullptr, nullptr)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramNumTensors(nullptr, 0, &count)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramNumTensors(p, 0, nullptr)), "'count' is null");
  EXPECT_EQ(invalid(gaudiProgramTensor(nullptr, 0, 0, nullptr)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramTensor(p, 0, 0, nullptr)),
            "'GaudiLaunchTensor' is null");
  EXPECT_EQ(invalid(gaudiProgramInput(nullptr, 0, 0, &number, &offset)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramInput(p, 0, 0, nullptr, &offset)),
            "'tensor' is null");
  EXPECT_EQ(invalid(gaudiProgramOutput(p, 0, 0, &number, nullptr)),
            "'offset' is null");
  EXPECT_EQ(invalid(gaudiProgramMayAlias(nullptr, 0, 0, 0, &flag)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramMayAlias(p, 0, 0, 0, nullptr)),
            "'may' is null");
  EXPECT_EQ(invalid(gaudiProgramMayAlias(p, 0, 0, 3, &flag)),
            "there is no launch tensor 3, the entry has 3");
  EXPECT_EQ(invalid(gaudiProgramIsDense(nullptr, 0, 0, 0, &flag)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramIsDense(p, 0, 0, 0, nullptr)),
            "'isDense' is null");
  EXPECT_EQ(invalid(gaudiProgramState(nullptr, 0, &address)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramState(p, 0, nullptr)), "'address' is null");
  EXPECT_EQ(invalid(gaudiProgramTime(nullptr, 0, &number)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiProgramTime(p, 0, nullptr)), "'picoseconds' is null");
  EXPECT_EQ(invalid(gaudiStreamLaunch(nullptr, p, 0, &x, 1)),
            "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamLaunch(s, nullptr, 0, &x, 1)),
            "'program' is null");
  EXPECT_EQ(invalid(gaudiStreamLaunch(s, p, 0, nullptr, 3)),
            "'addresses' is null");
  EXPECT_EQ(invalid(gaudiStreamBeginCapture(nullptr)), "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamEndCapture(nullptr, nullptr)),
            "'stream' is null");
  EXPECT_EQ(invalid(gaudiStreamEndCapture(s, nullptr)), "'graph' is null");
  EXPECT_EQ(invalid(gaudiGraphReplay(nullptr, s, nullptr, 0)),
            "'graph' is null");
  EXPECT_EQ(invalid(gaudiGraphFreeBetweenReplays(nullptr)), "'graph' is null");
  EXPECT_EQ(invalid(gaudiDeviceClock(nullptr, nullptr)), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceClock(d, nullptr)), "'GaudiClockTimes' is null");
  EXPECT_EQ(invalid(gaudiDeviceAdvanceHost(nullptr, 1)), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceBeginTrace(nullptr)), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceWriteTrace(nullptr, "x")), "'device' is null");
  EXPECT_EQ(invalid(gaudiDeviceWriteTrace(d, nullptr)), "'path' is null");
  gaudiDeviceDestroy(nullptr);
  gaudiStreamDestroy(nullptr);
  gaudiEventDestroy(nullptr);
  gaudiProgramDestroy(nullptr);
  gaudiGraphDestroy(nullptr);
}

TEST_F(CDevice, NullPointersOfGraphs) {
  ASSERT_TRUE(isFine(gaudiStreamBeginCapture(stream.get())));
  GaudiGraph *captured = nullptr;
  ASSERT_TRUE(isFine(gaudiStreamEndCapture(stream.get(), &captured)));
  const GraphOwner graph(captured);
  EXPECT_EQ(invalid(gaudiGraphReplay(graph.get(), nullptr, nullptr, 0)),
            "'stream' is null");
  EXPECT_EQ(invalid(gaudiGraphReplay(graph.get(), stream.get(), nullptr, 1)),
            "'rebindings' is null");
  EXPECT_EQ(invalid(gaudiStreamEndCapture(stream.get(), &captured)),
            "\"mine\" is not being captured; begin a capture first");
}

TEST_F(CDevice, WrongArgumentsAreNamed) {
  GaudiDevice *opened = nullptr;
  GaudiDeviceOptions options;
  gaudiDeviceOptionsInit(&options);
  options.kind = "gaudi9";
  EXPECT_THAT(invalid(gaudiDeviceOpen(&options, &opened)), HasSubstr("gaudi9"));
  gaudiDeviceOptionsInit(&options);
  for (const double factor : {-1.0, 1e300, double(NAN)}) {
    options.hostFactor = factor;
    EXPECT_THAT(invalid(gaudiDeviceOpen(&options, &opened)),
                HasSubstr("; it is above 0 and at most 1e6"));
  }
  gaudiDeviceOptionsInit(&options);
  options.module = int64_t(1) << 32;
  EXPECT_EQ(invalid(gaudiDeviceOpen(&options, &opened)),
            "there is no card 4294967296");
  options.module = 0;
  EXPECT_THAT(
      messageOf(gaudiDeviceOpen(&options, &opened), GaudiErrorUnavailable),
      HasSubstr("card 0 is busy: this process has it; close the device"));
  options.size = 3;
  EXPECT_EQ(invalid(gaudiDeviceOpen(&options, &opened)),
            "'size' of gaudiDeviceOptions is 3; call gaudiDeviceOptionsInit "
            "first");
  EXPECT_EQ(opened, nullptr);
  GaudiMemoryStats stats = {};
  EXPECT_EQ(invalid(gaudiDeviceMemoryStats(device.get(), &stats)),
            "'size' of GaudiMemoryStats is 0; set it to the size of the "
            "structure");
  stats.size = 4;
  EXPECT_THAT(invalid(gaudiDeviceMemoryStats(device.get(), &stats)),
              HasSubstr("is 4"));
  GaudiClockTimes times = {};
  EXPECT_THAT(invalid(gaudiDeviceClock(device.get(), &times)),
              HasSubstr("'size' of GaudiClockTimes is 0"));
  GaudiLaunchTensor tensor = {};
  EXPECT_THAT(invalid(gaudiProgramTensor(program.get(), 0, 0, &tensor)),
              HasSubstr("'size' of GaudiLaunchTensor is 0"));
  tensor.size = sizeof(tensor);
  EXPECT_EQ(invalid(gaudiProgramTensor(program.get(), 0, 3, &tensor)),
            "there is no launch tensor 3, the entry has 3");
  EXPECT_EQ(invalid(gaudiProgramTensor(program.get(), 1, 0, &tensor)),
            "there is no entry 1, the program has 1");
  int64_t number = 0;
  uint64_t offset = 0;
  EXPECT_EQ(invalid(gaudiProgramInput(program.get(), 0, 2, &number, &offset)),
            "there is no input 2, the entry has 2");
  EXPECT_EQ(invalid(gaudiProgramOutput(program.get(), 0, 1, &number, &offset)),
            "there is no output 1, the entry has 1");
  GaudiProgramOptions load;
  gaudiProgramOptionsInit(&load);
  load.size = 1;
  GaudiProgram *loaded = nullptr;
  EXPECT_EQ(
      invalid(gaudiProgramLoad(device.get(), recipe.get(), &load, &loaded)),
      "'size' of gaudiProgramOptions is 1; call gaudiProgramOptionsInit "
      "first");
  const DeviceOwner other = open("gaudi3");
  EXPECT_THAT(
      messageOf(gaudiProgramLoad(other.get(), recipe.get(), nullptr, &loaded),
                GaudiErrorInvalidRecipe),
      HasSubstr("the recipe is for gaudi2, the device is a gaudi3"));
  EXPECT_EQ(invalid(gaudiDeviceAdvanceHost(device.get(), -5)),
            "the host's clock goes forward, not by -5 ps");
  EXPECT_THAT(invalid(gaudiDeviceAdvanceHost(device.get(), INT64_MAX)),
              AllOf(HasSubstr("the host's clock would go from "),
                    HasSubstr(" ps to more than 53 days; advance it by "
                              "less")));
  EXPECT_THAT(messageOf(gaudiDeviceWriteTrace(device.get(), "/tmp/x.json"),
                        GaudiErrorIo),
              HasSubstr("no trace has begun"));
  EXPECT_THAT(invalid(gaudiStreamLaunch(stream.get(), program.get(), 0, &x, 1)),
              HasSubstr("takes 3 addresses, got 1"));
  EXPECT_THAT(invalid(gaudiStreamFill(stream.get(), x, 4, 0, 3)),
              HasSubstr("a pattern has 1, 2, 4 or 8 bytes"));
  EXPECT_THAT(invalid(gaudiStreamWait(stream.get(), event().get())),
              HasSubstr("has never been recorded"));
  EXPECT_TRUE(isFine(gaudiDeviceFree(device.get(), y)));
  EXPECT_THAT(invalid(launch()), HasSubstr("freed"));
  EXPECT_THAT(invalid(gaudiDeviceFree(device.get(), y)), HasSubstr("freed"));
}

TEST_F(CDevice, EntriesOfDynamicSizesHaveNoAddresses) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.shape = "arg0:rows=1..16";
  recipe = compile(dynamicModel, &options);
  ASSERT_TRUE(recipe);
  program = load(device);
  int64_t tensor = 0;
  uint64_t offset = 0;
  const char expected[] =
      "entry \"main\" of \"product\" cannot be launched by address: it has "
      "variants, or is a part of another one; compile the model for one size";
  EXPECT_EQ(invalid(gaudiProgramInput(program.get(), 0, 0, &tensor, &offset)),
            expected);
  EXPECT_EQ(invalid(gaudiStreamLaunch(stream.get(), program.get(), 0, &x, 1)),
            expected);
}

TEST_F(CDevice, StatisticsOfOtherVersions) {
  // Of a program that knows only the first fields, and of a later one.
  struct {
    GaudiMemoryStats stats;
    uint64_t more[2];
  } given = {};
  given.stats.size = 2 * sizeof(uint64_t);
  given.stats.inUse = 77;
  EXPECT_TRUE(isFine(gaudiDeviceMemoryStats(device.get(), &given.stats)));
  EXPECT_GT(given.stats.limit, 0u);
  EXPECT_EQ(given.stats.inUse, 77u);
  given.stats.size = sizeof(given);
  given.more[1] = 5;
  EXPECT_TRUE(isFine(gaudiDeviceMemoryStats(device.get(), &given.stats)));
  EXPECT_EQ(given.stats.size, sizeof(given));
  EXPECT_EQ(given.more[1], 0u);
}

TEST_F(CDevice, AFailedLaunchIsTheErrorOfWhoWaits) {
  // An index that is out of bounds.
  recipe = compile(R"(
func.func @main(%t: tensor<10xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %n = arith.index_cast %in : i32 to index
    %v = tensor.extract %t[%n] : tensor<10xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
})");
  ASSERT_TRUE(recipe);
  program = load(device);
  const GaudiDeviceAddress addresses[] = {allocate(40), allocate(16),
                                          allocate(16)};
  const auto launchWith = [&](uint64_t index) {
    EXPECT_TRUE(isFine(gaudiStreamFill(stream.get(), addresses[0], 40, 0, 4)));
    EXPECT_TRUE(
        isFine(gaudiStreamFill(stream.get(), addresses[1], 16, index, 4)));
    EXPECT_TRUE(isFine(
        gaudiStreamLaunch(stream.get(), program.get(), 0, addresses, 3)));
  };
  const auto isWorkError = AllOf(StartsWith("work of the device has failed: "),
                                 HasSubstr("index 10 is out of bounds"));
  launchWith(10);
  EXPECT_THAT(messageOf(gaudiStreamSynchronize(stream.get()), GaudiErrorLaunch),
              isWorkError);
  launchWith(10);
  EXPECT_THAT(messageOf(gaudiDeviceSynchronize(device.get()), GaudiErrorLaunch),
              isWorkError);
  launchWith(10);
  float out[4];
  EXPECT_THAT(
      messageOf(gaudiStreamCopyOut(stream.get(), out, addresses[2], 16, 1),
                GaudiErrorLaunch),
      isWorkError);
  launchWith(9);
  EXPECT_TRUE(isFine(gaudiStreamSynchronize(stream.get())));
}

TEST_F(CDevice, ThreadsShareIt) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      GaudiStream *made = nullptr;
      ASSERT_TRUE(isFine(gaudiStreamCreate(device.get(), nullptr, 0, &made)));
      const StreamOwner own(made);
      for (int step = 0; step < 50; ++step) {
        GaudiDeviceAddress in = 0, out = 0;
        float host[6], result[4] = {};
        std::iota(host, host + 6, float(t * 100 + step));
        ASSERT_TRUE(isFine(
            gaudiDeviceAllocate(device.get(), made, xBytes, nullptr, &in)));
        ASSERT_TRUE(isFine(
            gaudiDeviceAllocate(device.get(), made, yBytes, nullptr, &out)));
        const GaudiDeviceAddress addresses[] = {in, w, out};
        EXPECT_TRUE(isFine(gaudiStreamCopyIn(made, in, host, xBytes, 0)));
        EXPECT_TRUE(
            isFine(gaudiStreamLaunch(made, program.get(), 0, addresses, 3)));
        EXPECT_TRUE(isFine(gaudiDeviceFree(device.get(), in)));
        EXPECT_TRUE(isFine(gaudiStreamCopyOut(made, result, out, yBytes, 1)));
        EXPECT_TRUE(isFine(gaudiDeviceFree(device.get(), out)));
        EXPECT_EQ(std::vector<float>(result, result + 4),
                  std::vector<float>({host[0], host[1], host[3], host[4]}));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// 1 unless the error is the one that says what to do.
int isNotRefused(GaudiError *error) {
  const ErrorOwner owner(error);
  return !error || gaudiErrorCode(error) != GaudiErrorUnavailable ||
         textOf(gaudiErrorMessage(error)) !=
             "the device was opened before fork() made this process, which has "
             "none of its threads; open one here";
}

TEST_F(CDevice, AChildOfForkHasNone) {
  const EventOwner made = event();
  EXPECT_TRUE(isFine(gaudiStreamRecord(stream.get(), made.get())));
  ASSERT_TRUE(isFine(gaudiStreamBeginCapture(stream.get())));
  GaudiGraph *captured = nullptr;
  ASSERT_TRUE(isFine(gaudiStreamEndCapture(stream.get(), &captured)));
  GraphOwner graph(captured);
  // Another thread has the device's lock most of the time.
  std::atomic<bool> isDone{false};
  std::thread busy([&] {
    while (!isDone)
      (void)stats();
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      GaudiDevice *d = device.get();
      GaudiStream *s = stream.get(), *newStream = nullptr;
      GaudiEvent *newEvent = nullptr;
      GaudiMemoryStats stats = {};
      stats.size = sizeof(stats);
      GaudiClockTimes times = {};
      times.size = sizeof(times);
      char *text = nullptr;
      float host[4] = {};
      int32_t flag = 0;
      int64_t time = 0;
      GaudiDeviceAddress address = 0;
      int failures =
          isNotRefused(gaudiDeviceSynchronize(d)) +
          isNotRefused(gaudiDeviceAllocate(d, s, 8, nullptr, &address)) +
          isNotRefused(gaudiDeviceFree(d, x)) +
          isNotRefused(gaudiDeviceRecordStream(d, x, s)) +
          isNotRefused(gaudiDeviceMemoryStats(d, &stats)) +
          isNotRefused(gaudiDeviceMemorySummary(d, &text)) +
          isNotRefused(gaudiDeviceResetPeakMemory(d)) +
          isNotRefused(gaudiDeviceResetAccumulatedMemory(d)) +
          isNotRefused(gaudiStreamCreate(d, "", 0, &newStream)) +
          isNotRefused(gaudiStreamCopyIn(s, x, host, 4, 0)) +
          isNotRefused(gaudiStreamCopyOut(s, host, x, 4, 1)) +
          isNotRefused(gaudiStreamCopy(s, x, y, 4)) +
          isNotRefused(gaudiStreamFill(s, x, 4, 0, 4)) +
          isNotRefused(gaudiStreamCall(
              s, [](void *) {}, nullptr)) +
          isNotRefused(gaudiStreamSynchronize(s)) +
          isNotRefused(gaudiStreamQuery(s, &flag)) +
          isNotRefused(gaudiEventCreate(d, &newEvent)) +
          isNotRefused(gaudiStreamRecord(s, made.get())) +
          isNotRefused(gaudiStreamWait(s, made.get())) +
          isNotRefused(gaudiEventSynchronize(made.get())) +
          isNotRefused(gaudiEventQuery(made.get(), &flag)) +
          isNotRefused(gaudiEventElapsed(made.get(), made.get(), &time)) +
          isNotRefused(launch()) + isNotRefused(gaudiStreamBeginCapture(s)) +
          isNotRefused(gaudiStreamEndCapture(s, &captured)) +
          isNotRefused(gaudiGraphReplay(graph.get(), s, nullptr, 0)) +
          isNotRefused(gaudiGraphFreeBetweenReplays(graph.get())) +
          isNotRefused(gaudiDeviceClock(d, &times)) +
          isNotRefused(gaudiDeviceAdvanceHost(d, 1)) +
          isNotRefused(gaudiDeviceBeginTrace(d)) +
          isNotRefused(gaudiDeviceWriteTrace(d, "/dev/null"));
      // What is the parent's goes quietly, and the child has its own.
      graph.reset();
      program.reset();
      stream.reset();
      device.reset();
      GaudiDevice *own = nullptr;
      failures += gaudiDeviceOpen(nullptr, &own) != nullptr;
      gaudiDeviceDestroy(own);
      ::_exit(failures);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  isDone = true;
  busy.join();
  EXPECT_TRUE(isFine(launch())) << "the parent goes on";
  EXPECT_EQ(read(y, 4), product);
}

} // namespace
