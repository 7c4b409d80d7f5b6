// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes, programs and devices for tests of cards.
#ifndef GAUDI_TEST_UNIT_RUNTIME_DEVICE_DEVICERECIPE_H
#define GAUDI_TEST_UNIT_RUNTIME_DEVICE_DEVICERECIPE_H

#include "../ProductRecipe.h"
#include "../TemporaryFolder.h"

#include "Gaudi/Runtime/Device/Device.h"
#include "Gaudi/Runtime/Device/Program.h"

namespace gaudi::test {

using runtime::Device;
using runtime::DeviceAddress;
using runtime::Picoseconds;
using runtime::Program;

/// The value of a result; a test failure, and nothing, if it is an error.
#define ASSERT_GET(variable, ...)                                              \
  auto variable##Result = (__VA_ARGS__);                                       \
  ASSERT_TRUE(variable##Result) << variable##Result.error().message;           \
  auto variable = std::move(*variable##Result)
#define EXPECT_OK(...)                                                         \
  if (auto gaudiStatus = (__VA_ARGS__); !gaudiStatus)                          \
  ADD_FAILURE() << gaudiStatus.error().message
#define EXPECT_ERROR(expected, ...)                                            \
  if (auto gaudiStatus = (__VA_ARGS__); gaudiStatus)                           \
    ADD_FAILURE() << "no error where one says " << (expected);                 \
  else                                                                         \
    EXPECT_NE(gaudiStatus.error().message.find(expected), std::string::npos)   \
        << gaudiStatus.error().message

/// A small card of host memory.
inline std::shared_ptr<Device>
openDevice(uint64_t capacity = 64 << 20,
           runtime::EventClockKind events = runtime::EventClockKind::Card) {
  // Cards of this process, whatever other processes of the user have.
  static const TemporaryFolder folder;
  ::setenv("XDG_RUNTIME_DIR", folder.path.c_str(), 1);
  runtime::DeviceOptions options;
  options.capacity = capacity;
  options.threads = 2;
  options.eventClock = events;
  auto device = Device::open(options);
  if (!device) {
    ADD_FAILURE() << device.error().message;
    return nullptr;
  }
  return *device;
}

inline std::shared_ptr<const recipe::RecipeFile> fileOf(TestRecipe &r) {
  auto bytes = r.write();
  if (!bytes) {
    ADD_FAILURE() << bytes.error().message;
    return nullptr;
  }
  auto file =
      recipe::RecipeFile::fromBuffer({bytes->data(), bytes->size()}, "test");
  if (!file) {
    ADD_FAILURE() << file.error().message;
    return nullptr;
  }
  return std::make_shared<const recipe::RecipeFile>(std::move(*file));
}

inline std::shared_ptr<Program> load(const std::shared_ptr<Device> &device,
                                     TestRecipe &r, std::string name = "test") {
  runtime::ProgramOptions options;
  options.name = std::move(name);
  options.cacheDirectory = "";
  const auto file = fileOf(r);
  if (!file)
    return nullptr;
  auto program = Program::load(device, file, options);
  if (!program) {
    ADD_FAILURE() << program.error().message;
    return nullptr;
  }
  return *program;
}

/// y = x * factor + 1 for f32 vectors.
inline void addScaled(TestRecipe &r, int64_t n, float factor) {
  KernelBuilder k({n}, {true});
  k.input(F32, 1).output(F32, 1);
  k.stage();
  const uint32_t x = k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}})));
  const uint32_t y =
      k.inst(Op::AddF, F32, k.inst(Op::MulF, F32, x, k.constant(factor)),
             k.constant(1.0f));
  k.store(k.access(1, 0, k.at({{0, 1}})), y);
  r.launch(k, {r.input(F32, {n})}, {r.output(F32, {n})});
}

/// A program of that; null and a test failure if it cannot be loaded.
inline std::shared_ptr<Program>
loadScaled(const std::shared_ptr<Device> &device, int64_t n, float factor,
           std::string name = "test") {
  TestRecipe r;
  addScaled(r, n, factor);
  return load(device, r, std::move(name));
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_DEVICE_DEVICERECIPE_H
