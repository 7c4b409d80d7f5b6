// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads and memory that launches use in turn.
#include "Gaudi/Runtime/LaunchResources.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace gaudi::runtime {

Result<std::shared_ptr<LaunchResources>>
LaunchResources::create(unsigned threads) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, 1024u);
  try {
    return std::shared_ptr<LaunchResources>(new LaunchResources(threads));
  } catch (const std::system_error &error) {
    return fail("cannot start {} host threads: {}; use fewer", threads,
                error.what());
  }
}

Status LaunchResources::grow(uint64_t scratchBytes, uint64_t stagingBytes) {
  if (scratchBytes > scratchSize) {
    // Pages, so that no two workers share one.
    const uint64_t each = (scratchBytes + 4095) / 4096 * 4096;
    // Address space for all workers; only what they touch becomes memory.
    own = GAUDI_TRY(
        Arena::create(each * perWorker.size(), "the scratch of commands"));
    scratchSize = each;
    for (size_t worker = 0; worker < perWorker.size(); ++worker)
      perWorker[worker] = own.data() + worker * each;
  }
  if (stagingBytes > shared.size())
    shared = GAUDI_TRY(
        Arena::create(stagingBytes, "conversions and partial results"));
  return {};
}

} // namespace gaudi::runtime
