// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs in the modules, levels and files of the bridge of the real stack:
//
//   GAUDI_LOG(DevMem, Debug, "allocated {} bytes for '{}'", size, name);
//
// The level of a module is that of the environment variable LOG_LEVEL_<module>,
// else of LOG_LEVEL_ALL_PT, else of LOG_LEVEL_ALL (PT_TRACE and PT_TOWL have
// only their own): 0 to 6, or its name. Without one nothing is written, no file
// is made, and a log costs a load and a compare.
//
// Lines go to pytorch_log.txt in the folder HABANA_LOGS (~/.habana_logs), in
// its subfolder of the rank where RANK or OMPI_COMM_WORLD_RANK is set, or with
// ENABLE_CONSOLE=true to standard error. A file of LOG_FILE_SIZE bytes (5 MiB)
// becomes pytorch_log.1.txt, and so on; PT_LOG_FILE_AMOUNT (5) of these are
// kept. Threads, processes that fork() made and other processes may write at
// once. Where a file cannot be written, one warning on standard error says so,
// and lines go there, too.
#ifndef GAUDI_MONITORING_LOG_H
#define GAUDI_MONITORING_LOG_H

#include "Gaudi/Support/Format.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gaudi::monitoring {

enum class Level : uint8_t {
  Trace,
  Debug,
  Info,
  Warning,
  Error,
  Critical,
  Off // of a module, never of a line
};

enum class Module : uint8_t {
#define GAUDI_LOG_MODULE(enumerator, name) enumerator,
#include "Gaudi/Monitoring/LogModules.def"
};
constexpr unsigned moduleCount = unsigned(Module::Towl) + 1;

namespace detail {
/// Level::Off less the level of each module: all are off before they are read.
extern std::atomic<uint8_t> logged[moduleCount];
} // namespace detail

inline bool isLogged(Module module, Level level) {
  return uint8_t(Level::Off) - uint8_t(level) <=
         detail::logged[unsigned(module)].load(std::memory_order_relaxed);
}

/// Writes a line, which may have line feeds, whatever the module's level is.
void writeLog(Module module, Level level, std::string_view text);

Level levelOf(Module module);
void setLevel(Module module, Level level);

/// "PT_DEVICE", ...
std::string_view nameOf(Module module);
/// "trace", "debug", "info", "warning", "error", "critical", "off".
std::string_view nameOf(Level level);
/// Of those names; none for another one.
std::optional<Module> moduleNamed(std::string_view name);
/// Of a name, of "warn", or of "0" to "6"; none for another text.
std::optional<Level> levelNamed(std::string_view text);

} // namespace gaudi::monitoring

/// Logs a text, which is formatted, and whose operands are computed, only if
/// the module has that level: GAUDI_LOG(Device, Info, "opened card {}", card).
#define GAUDI_LOG(module, level, ...)                                          \
  do {                                                                         \
    if (::gaudi::monitoring::isLogged(::gaudi::monitoring::Module::module,     \
                                      ::gaudi::monitoring::Level::level))      \
      ::gaudi::monitoring::writeLog(::gaudi::monitoring::Module::module,       \
                                    ::gaudi::monitoring::Level::level,         \
                                    ::fmt::format(__VA_ARGS__));               \
  } while (false)

#endif // GAUDI_MONITORING_LOG_H
