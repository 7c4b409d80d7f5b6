// What the user asked gaudi-run for.
#ifndef GAUDI_RUN_OPTIONS_H
#define GAUDI_RUN_OPTIONS_H

#include "Exit.h"
#include "Gaudi/Runtime/Executable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gaudi::run {

enum class Mode { Run, Check, Reference, Verify, Dump, CompileOnly };
enum class ReportForm { None, Text, Json };

struct Options {
  std::string file;
  Mode mode = Mode::Run;

  std::vector<std::string> inputs;
  std::optional<uint32_t> seed;
  std::vector<std::string> outputs;
  std::vector<std::string> expected;
  std::optional<double> atol, rtol;
  uint32_t printedElements = 16;

  std::optional<std::string> device; ///< absent: gaudi2, or the recipe's own
  std::string entry;
  std::string save; ///< where the compiled recipe goes
  bool remarks = false;
  bool checkNumerics = false;
  bool dumpConstants = false;

  uint32_t repeat = 1;
  uint32_t warmup = 0;
  uint32_t threads = 0;      ///< 0: one per CPU
  bool pipelined = true;     ///< kernels follow matrix commands tile by tile
  uint64_t deviceMemory = 0; ///< bytes; 0: the device's
  /// Absent: the user's cache folder; empty: no cache.
  std::optional<std::string> cacheDirectory;
  uint64_t panelCacheBytes = runtime::defaultPanelCacheBytes;
  ReportForm report = ReportForm::None;
};

/// The options, or the exit code after --help or --version were printed.
Outcome<std::variant<Options, Exit>> parseOptions(int argc, char **argv);

/// "512M", "4GiB", "1.5 GB", "4096": bytes. K, M, G and T count in steps of
/// 1024, with or without "iB"; KB, MB, GB and TB in steps of 1000.
Outcome<uint64_t> parseBytes(const std::string &text);

} // namespace gaudi::run

#endif // GAUDI_RUN_OPTIONS_H
