// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nanoseconds of a log that is off, beside the same loop without it, and of one
// that is written; of an event that only metrics hear; of new counters of a
// card.
//
// Usage: MonitoringBenchmark. The lines go to a folder that is removed.
#include "Gaudi/Monitoring/Events.h"
#include "Gaudi/Monitoring/Log.h"
#include "Gaudi/Runtime/Device/CardFile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

using namespace gaudi::monitoring;

namespace {

/// Of one call: the best of many rounds.
template <typename Call> double nanoseconds(unsigned calls, Call call) {
  double best = 1e18;
  for (unsigned round = 0; round < 50; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < calls; ++i)
      call(i);
    const std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / calls);
  }
  return best;
}

/// Keeps a loop, and what it computes.
void keep(unsigned i) { asm volatile("" : : "r"(i) : "memory"); }

} // namespace

int main() {
  std::string folder =
      (std::filesystem::temp_directory_path() / "gaudi-XXXXXX").string();
  if (!::mkdtemp(folder.data()))
    return 2;
  ::setenv("HABANA_LOGS", folder.c_str(), 1);
  const double empty = nanoseconds(1000000, keep);
  const double off = nanoseconds(1000000, [](unsigned i) {
    GAUDI_LOG(Device, Debug, "launch {}", i);
    keep(i);
  });
  setLevel(Module::Device, Level::Debug);
  const double on = nanoseconds(
      1000, [](unsigned i) { GAUDI_LOG(Device, Debug, "launch {}", i); });
  const double event = nanoseconds(10000, [](unsigned) {
    emitEvent(EventId::CpuFallback, {{"op_name", "op"}});
  });
  std::printf(
      "empty loop             %8.2f ns\nloop with a log off    %8.2f ns\n"
      "log to a file          %8.2f ns\nevent                  %8.2f ns\n",
      empty, off, on, event);
  ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  if (auto card = gaudi::runtime::CardFile::open({}, "gaudi2", {})) {
    gaudi::runtime::CardCounters counters;
    std::printf("counters of a card     %8.2f ns\n",
                nanoseconds(100000, [&](unsigned i) {
                  counters.launches = i;
                  card->publish(counters);
                }));
  }
  std::filesystem::remove_all(folder);
}
