// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch by address takes beside the work of its commands, and what a
// small recipe that is loaded takes of time and memory.
//
// Usage: LaunchBenchmark [RECIPES [LAUNCHES]]
//
// The recipe has 50 tensors and 20 commands that move a few bytes. Times are of
// the calling thread's CPU, since others may use the host. Each figure is the
// median: of launches on the addresses of before, of launches with all of them
// new, of RECIPES loads with resources of their own and shared ones.
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Writer.h"
#include "Gaudi/Runtime/Executable.h"
#include "Gaudi/Runtime/LaunchResources.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace gaudi;
using runtime::Executable;
using runtime::LoadOptions;

namespace {

constexpr int tensors = 50, commands = 20;

template <typename T> T check(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "LaunchBenchmark: error: %s\n",
                 result.error().message.c_str());
    std::exit(2);
  }
  return std::move(*result);
}

double cpuMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) * 1e-3;
}

/// KiB of the process that are in memory, or of its address space.
double processKiB(const std::string &field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(field, 0) == 0)
      return std::strtod(line.c_str() + field.size(), nullptr);
  return 0;
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Inputs and outputs; each command adds two inputs, of one element each.
std::shared_ptr<const recipe::RecipeFile> smallRecipe() {
  std::string text = fmt::format("recipe 1.6 target \"gaudi2\" producer \"\"\n"
                                 "section @0 persistent {} bytes\n",
                                 tensors * 128);
  constexpr int inputs = tensors - commands;
  for (int t = 0; t < tensors; ++t)
    text += fmt::format("tensor %{} \"t{}\" {} @0+{} f32[1]\n", t, t,
                        t < inputs ? "input" : "output", t * 128);
  text += R"(kernel 0 "add" {
  space [1 parallel]
  in0 : f32 rank 1
  in1 : f32 rank 1
  out0 : f32 rank 1
  stage {
    %0 = load in0[d0] : f32
    %1 = load in1[d0] : f32
    %2 = addf %0, %1 : f32
    store %2 -> out0[d0]
  }
}
)";
  const auto list = [&](int begin, int end) {
    std::string ids;
    for (int t = begin; t < end; ++t)
      ids += fmt::format("{}%{}", t == begin ? "" : ", ", t);
    return ids;
  };
  text += fmt::format("entry \"main\" ({}) -> ({}) {{\n", list(0, inputs),
                      list(inputs, tensors));
  for (int c = 0; c < commands; ++c)
    text += fmt::format("  #{} tpc \"add\" launch 0 (%{}, %{}) -> (%{})\n", c,
                        c, c + 10, inputs + c);
  text += "}\n";
  auto parsed = check(recipe::parseRecipeText(text));
  const auto bytes =
      check(recipe::writeRecipe(parsed.recipe, parsed.constants()));
  return std::make_shared<const recipe::RecipeFile>(
      check(recipe::RecipeFile::fromBuffer({bytes.data(), bytes.size()})));
}

/// Microseconds of a launch; `places`: how many sets of addresses take turns.
double launchTime(Executable &executable, int places, int launches) {
  const auto &all = executable.launchTensors();
  std::vector<uint8_t> memory(size_t(places + 1) * all.size() * 128 + 128);
  uint8_t *const base =
      memory.data() + 128 - reinterpret_cast<uintptr_t>(memory.data()) % 128;
  std::vector<std::vector<void *>> addresses;
  for (int p = 0; p < places; ++p) {
    addresses.emplace_back();
    for (size_t t = 0; t < all.size(); ++t)
      addresses.back().push_back(base + (size_t(p) * all.size() + t) * 128);
  }
  std::vector<double> times;
  constexpr int together = 100; // reading the clock takes longer than a launch
  for (int round = 0; round < launches / together; ++round) {
    const double before = cpuMicroseconds();
    for (int i = 0; i < together; ++i) {
      const std::vector<void *> &now = addresses[size_t(i % places)];
      check(executable.launch({now.data(), now.size(), nullptr}));
    }
    times.push_back((cpuMicroseconds() - before) / together);
  }
  return medianOf(times);
}

struct Loads {
  double microseconds, residentKiB, addressKiB;
};

/// What each of `count` recipes takes when all are loaded and launched.
Loads loadMany(const std::shared_ptr<const recipe::RecipeFile> &file,
               const LoadOptions &options, int count) {
  std::vector<std::unique_ptr<Executable>> all;
  // The first one opens libraries and compiles.
  all.push_back(check(Executable::load(file, options)));
  const double resident = processKiB("VmRSS:"), space = processKiB("VmSize:");
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const double before = cpuMicroseconds();
    all.push_back(check(Executable::load(file, options)));
    times.push_back(cpuMicroseconds() - before);
    if (options.relocatable)
      launchTime(*all.back(), 1, 100);
    else
      check(all.back()->launch());
  }
  return {medianOf(times), (processKiB("VmRSS:") - resident) / count,
          (processKiB("VmSize:") - space) / count};
}

void print(const char *what, const Loads &loads) {
  std::printf("load, %s: %.0f us, %.1f KiB in memory, %.0f KiB of addresses\n",
              what, loads.microseconds, loads.residentKiB, loads.addressKiB);
}

} // namespace

int main(int argc, char **argv) {
  const int recipes = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 100000;
  const auto file = smallRecipe();
  LoadOptions options;
  options.threads = 1;
  print("memory of its own", loadMany(file, options, recipes));
  // A device knows both.
  options.deviceMemory = options.hostScratch = uint64_t(1) << 32;
  options.resources = check(runtime::LaunchResources::create(1));
  options.relocatable = true;
  print("by address, shared resources", loadMany(file, options, recipes));
  const auto executable = check(Executable::load(file, options));
  std::printf("launch of %d commands on %d tensors: %.2f us, at new addresses "
              "%.2f us\n",
              commands, tensors, launchTime(*executable, 1, launches),
              launchTime(*executable, 2, launches));
  return 0;
}
