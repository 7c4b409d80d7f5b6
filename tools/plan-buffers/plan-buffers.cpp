// plan-buffers: packs the buffers of a CSV file and proves how good that is.
#include "BufferCsv.h"

#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Stopwatch.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <new>
#include <thread>

using namespace gaudi;
using namespace gaudi::plan;

namespace {
/// What --help promises.
enum class Exit : int { Ok = 0, DoesNotFit = 1, BadInput = 2 };

struct Options {
  std::string file, output;
  uint64_t capacity = 0;
  uint64_t steps = UINT64_MAX;
  double timeLimit = 10;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
};

void printError(const std::string &message) {
  std::cerr << "plan-buffers: error: " + message + "\n";
}

void addOptions(CLI::App &app, Options &options) {
  app.add_option("FILE.csv", options.file,
                 "buffers: the first line names the columns id, lower, upper "
                 "(alive from lower until upper, without upper) and size; "
                 "offset (fixed where given) and alignment are optional")
      ->required();
  app.add_option("--capacity", options.capacity,
                 "bytes there are: stop as soon as the buffers fit, and fail "
                 "if they do not")
      ->check(CLI::PositiveNumber);
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
                 "write the buffers with their offsets, as CSV");
  app.footer("Prints the peak, a lower bound of every packing's peak, and "
             "whether they are equal.\n\nExit codes: 0 success; 1 the buffers "
             "do not fit into --capacity, or no packing that fits was found; 2 "
             "usage, or a file that cannot be read or written");
}

Result<std::string> readFile(const std::string &path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
      std::fopen(path.c_str(), "rb"), std::fclose);
  std::string text;
  if (file) {
    char chunk[1 << 16];
    errno = 0;
    while (const size_t got = std::fread(chunk, 1, sizeof chunk, file.get()))
      text.append(chunk, got);
  }
  if (!file || std::ferror(file.get()))
    return fail("cannot read {}: {}; name a CSV file of buffers",
                inQuotes(path), std::strerror(errno));
  return text;
}

Result<Exit> plan(const Options &options) {
  Stopwatch time;
  const std::string text = GAUDI_TRY(readFile(options.file));
  auto parsed = parseBuffers(text);
  if (!parsed)
    return fail("{}: {}", printable(options.file), parsed.error().message);
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
  if (!options.output.empty()) {
    const std::string table = printBuffers(*parsed, packing.offsets);
    OutputFile output =
        GAUDI_TRY(OutputFile::create(options.output, table.size()));
    GAUDI_TRY(output.write(table.data(), table.size()));
    GAUDI_TRY(output.commit());
  }
  std::cout << fmt::format("peak={} lower_bound={} proved={} seconds={:.3f}\n",
                           packing.peak, packing.lowerBound,
                           packing.isProven() ? "yes" : "no",
                           time.milliseconds() / 1e3);
  if (isLate && !packing.isProven())
    std::cerr << fmt::format("plan-buffers: note: the time limit of {} s ended "
                             "the search; a longer one may find a lower peak\n",
                             options.timeLimit);
  if (options.capacity == 0 || packing.peak <= options.capacity)
    return Exit::Ok;
  if (packing.lowerBound > options.capacity)
    printError(fmt::format("the buffers cannot fit into {} bytes: they need at "
                           "least {}, and {} bytes are alive at time {}",
                           options.capacity, packing.lowerBound,
                           packing.mostAlive, packing.mostAliveTime));
  else
    printError(fmt::format("no packing into {} bytes was found: the best needs "
                           "{}, and none can need less than {}; try more "
                           "--steps or a longer --time-limit",
                           options.capacity, packing.peak, packing.lowerBound));
  return Exit::DoesNotFit;
}

Exit runAll(int argc, char **argv) {
  CLI::App app("Packs buffers with known lifetimes into one address range.",
               "plan-buffers");
  Options options;
  addOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) { // --help
    app.exit(request);
    return Exit::Ok;
  } catch (const CLI::ParseError &error) {
    printError(fmt::format("{} (plan-buffers --help lists the options)",
                           error.what()));
    return Exit::BadInput;
  }
  if (!(options.timeLimit >= 0 && options.timeLimit <= 1e9)) {
    printError(fmt::format("--time-limit must be between 0 and 1e9 seconds but "
                           "is {}",
                           options.timeLimit));
    return Exit::BadInput;
  }
  Result<Exit> code = plan(options);
  if (code && std::cout.flush())
    return *code;
  printError(code ? "cannot write to standard output" : code.error().message);
  return Exit::BadInput;
}
} // namespace

int main(int argc, char **argv) {
  Exit code = Exit::BadInput;
  try {
    code = runAll(argc, argv);
  } catch (const std::bad_alloc &) {
    printError("not enough host memory");
  } catch (const std::exception &error) {
    printError(error.what());
  }
  return int(code);
}
