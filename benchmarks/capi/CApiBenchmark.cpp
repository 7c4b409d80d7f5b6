// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gaudiExecutableRun takes besides the launch and the copies, and what
// another context costs.
//
// Usage: CApiBenchmark X.recipe [CALLS]
//
// Prints the median of calls of the first entry: the whole call by a clock
// around it, less the launch and the copies as the call itself measured them.
#include "gaudi-c/Executable.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

void check(GaudiError *error) {
  if (!error)
    return;
  const GaudiStringRef message = gaudiErrorMessage(error);
  std::fprintf(stderr, "CApiBenchmark: error: %.*s\n", int(message.length),
               message.data);
  std::exit(2);
}

double microsecondsNow() {
  const std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now().time_since_epoch();
  return time.count();
}

/// MiB of the process that are in memory.
double residentMiB() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("VmRSS:", 0) == 0)
      return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return 0;
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Zeroed memory for all inputs, or all outputs.
struct Buffers {
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<GaudiBuffer> buffers;

  void add(const GaudiTensorInfo &info) {
    size_t count = 1;
    for (uint32_t d = 0; d < info.rank; ++d) {
      if (info.shape[d] < 0) {
        std::fprintf(stderr, "CApiBenchmark: error: dynamic sizes\n");
        std::exit(2);
      }
      count *= size_t(info.shape[d]);
    }
    bytes.emplace_back(count * gaudiElementTypeSize(info.type));
    buffers.push_back(
        {bytes.back().data(), info.type, info.rank, info.shape, nullptr});
  }
};

/// Both contexts at work at least once: a launch that takes a while, twice.
void useTwo(GaudiExecutable *executable, Buffers &inputs, Buffers outputs[2]) {
  GaudiExecutableStats stats;
  stats.size = sizeof(stats);
  do {
    std::thread other([&] {
      check(gaudiExecutableRun(executable, 0, inputs.buffers.data(),
                               inputs.buffers.size(), outputs[1].buffers.data(),
                               outputs[1].buffers.size(), nullptr));
    });
    check(gaudiExecutableRun(executable, 0, inputs.buffers.data(),
                             inputs.buffers.size(), outputs[0].buffers.data(),
                             outputs[0].buffers.size(), nullptr));
    other.join();
    gaudiExecutableStats(executable, &stats);
  } while (stats.contexts < 2);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: CApiBenchmark X.recipe [CALLS]\n");
    return 1;
  }
  const size_t calls =
      argc > 2 ? std::max(1ul, std::strtoul(argv[2], nullptr, 10)) : 2000;
  GaudiRecipe *recipe;
  check(gaudiRecipeOpen(argv[1], &recipe));
  Buffers inputs, outputs[2];
  for (size_t i = 0; i < gaudiRecipeNumInputs(recipe, 0); ++i)
    inputs.add(gaudiRecipeInput(recipe, 0, i));
  for (size_t i = 0; i < gaudiRecipeNumOutputs(recipe, 0); ++i)
    for (Buffers &set : outputs)
      set.add(gaudiRecipeOutput(recipe, 0, i));
  GaudiLoadOptions options;
  gaudiLoadOptionsInit(&options);
  options.maxLaunches = 2;
  const double start = microsecondsNow();
  GaudiExecutable *executable;
  check(gaudiExecutableLoad(recipe, &options, &executable));
  const double loaded = microsecondsNow() - start;

  std::vector<double> whole, launch, copies, rest;
  GaudiRunStats stats;
  stats.size = sizeof(stats);
  for (size_t call = 0; call < calls; ++call) {
    const double before = microsecondsNow();
    check(gaudiExecutableRun(executable, 0, inputs.buffers.data(),
                             inputs.buffers.size(), outputs[0].buffers.data(),
                             outputs[0].buffers.size(), &stats));
    const double time = microsecondsNow() - before;
    whole.push_back(time);
    launch.push_back(stats.launchMicroseconds);
    copies.push_back(stats.copyMicroseconds);
    rest.push_back(time - stats.launchMicroseconds - stats.copyMicroseconds);
  }
  std::printf("inputs %zu, outputs %zu, calls %zu; medians in us\n",
              inputs.buffers.size(), outputs[0].buffers.size(), calls);
  std::printf("call %.3f = launch %.3f + copies %.3f + rest %.3f\n",
              medianOf(whole), medianOf(launch), medianOf(copies),
              medianOf(rest));

  const double resident = residentMiB(), begin = microsecondsNow();
  useTwo(executable, inputs, outputs);
  std::printf("load %.1f ms; second context: %.1f ms until both have run, "
              "%.1f MiB more\n",
              loaded / 1e3, (microsecondsNow() - begin) / 1e3,
              residentMiB() - resident);
  gaudiExecutableDestroy(executable);
  gaudiRecipeDestroy(recipe);
  return 0;
}
