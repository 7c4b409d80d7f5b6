// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// plan-buffers: packs the buffers of a CSV file and proves how good that is.
#include "BufferCsv.h"

#include "CommandLine.h"
#include "Gaudi/Support/ByteSize.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Gaudi/Support/TextFile.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <thread>

using namespace gaudi;
using namespace gaudi::plan;

namespace {
/// What --help promises, besides exitBadInput.
constexpr int exitDoesNotFit = 1;

struct Options {
  std::string file, output;
  std::string capacityText;
  uint64_t capacity = 0; // of the text; 0: no limit
  uint64_t steps = UINT64_MAX;
  double timeLimit = 10;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
};

void addOptions(CLI::App &app, Options &options) {
  app.add_option("FILE.csv", options.file,
                 "buffers: the first line names the columns id, lower, upper "
                 "(alive from lower until upper, without upper) and size; "
                 "offset (fixed where given) and alignment are optional")
      ->required();
  app.add_option("--capacity", options.capacityText,
                 "bytes there are, such as 4096 or 96GiB: stop as soon as the "
                 "buffers fit, and fail if they do not")
      ->type_name("BYTES");
  app.add_option("--time-limit", options.timeLimit,
                 "seconds after which the best packing so far is taken")
      ->capture_default_str();
  app.add_option("--steps", options.steps,
                 "limit of the search in steps, about 5e8 a second; a search "
                 "that ends by it gives the same answer everywhere");
  app.add_option("--threads", options.threads,
                 "threads of the search; the packing depends on them only if "
                 "the time limit ends it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--output", options.output,
                 "write the buffers with their offsets, as CSV")
      ->type_name("FILE.csv");
  app.footer("Prints the peak, a lower bound of every packing's peak, and "
             "whether they are equal.\n\nExit codes: 0 success; 1 the buffers "
             "do not fit into --capacity, or no packing that fits was found; 2 "
             "usage, or a file that cannot be read or written");
}

Result<int> packFile(const Tool &tool, Options &options) {
  if (!options.capacityText.empty()) {
    auto bytes = parseBytes(options.capacityText);
    if (!bytes)
      return fail("--capacity: {}", bytes.error().message);
    options.capacity = *bytes;
  }
  if (!(options.timeLimit >= 0 && options.timeLimit <= 1e9))
    return fail("--time-limit must be between 0 and 1e9 seconds but is {}",
                options.timeLimit);
  if (std::error_code ignored;
      std::filesystem::equivalent(options.output, options.file, ignored))
    return fail("--output: {} would replace the file that is read; name "
                "another",
                inQuotes(options.output));
  Stopwatch time;
  const std::string text =
      GAUDI_TRY(readTextFile(options.file, "a CSV file of buffers"));
  auto parsed = parseBuffers(text);
  if (!parsed)
    return fail("{}: {}", printable(options.file), parsed.error().message);
  // Asked by all threads of the search, and told to the user at the end.
  std::atomic<bool> isLate = false;
  memory::PackingOptions search;
  search.steps = options.steps;
  search.threads = options.threads;
  search.capacity = options.capacity;
  search.mustStop = [&] {
    if (time.milliseconds() >= options.timeLimit * 1e3)
      isLate = true;
    return isLate.load();
  };
  search.name = [&](size_t i) {
    return fmt::format("{} of line {}", inQuotes(parsed->ids[i]),
                       parsed->lines[i]);
  };
  auto packed = memory::pack(parsed->buffers, {}, search);
  if (!packed)
    return fail("{}: {}", printable(options.file), packed.error().message);
  const memory::Packing &packing = *packed;
  if (!options.output.empty())
    GAUDI_TRY(
        writeTextFile(options.output, printBuffers(*parsed, packing.offsets)));
  std::cout << fmt::format("peak={} lower_bound={} proved={} seconds={:.3f}\n",
                           packing.peak, packing.lowerBound,
                           packing.isProven() ? "yes" : "no",
                           time.milliseconds() / 1e3);
  // A proven packing is not worth a note, however late.
  if (isLate && !packing.isProven())
    std::cerr << fmt::format("plan-buffers: note: the time limit of {} s ended "
                             "the search; a longer one may find a lower peak\n",
                             options.timeLimit);
  if (options.capacity == 0 || packing.peak <= options.capacity)
    return 0;
  // More time cannot help against a lower bound, but may where the search
  // failed.
  if (packing.lowerBound > options.capacity)
    printError(tool,
               fmt::format("the buffers cannot fit into {} bytes: they need at "
                           "least {}, and {} bytes are alive at time {}; give "
                           "--capacity more",
                           options.capacity, packing.lowerBound,
                           packing.mostAlive, packing.mostAliveTime));
  else
    printError(tool,
               fmt::format("no packing into {} bytes was found: the best needs "
                           "{}, and none can need less than {}; try more "
                           "--steps or a longer --time-limit",
                           options.capacity, packing.peak, packing.lowerBound));
  return exitDoesNotFit;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  Tool tool{"plan-buffers",
            "Packs buffers with known lifetimes into one address range.",
            [&](CLI::App &app) { addOptions(app, options); },
            [&] { return packFile(tool, options); }};
  return runTool(tool, argc, argv);
}
