// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Levels of the environment, and lines by spdlog.
#include "Gaudi/Monitoring/Log.h"

#include "Environment.h"
#include "Gaudi/Support/Quote.h"
#include "LogFile.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <spdlog/details/log_msg.h>
#include <spdlog/pattern_formatter.h>
#include <string>
#include <unistd.h>

namespace gaudi::monitoring {

std::atomic<uint8_t> detail::logged[moduleCount];

namespace {

/// The variables of the modules' levels.
constexpr std::array<const char *, moduleCount> variables = {
#define GAUDI_LOG_MODULE(enumerator, name) "LOG_LEVEL_" name,
#include "Gaudi/Monitoring/LogModules.def"
};
constexpr std::array<std::string_view, 7> levelNames = {
    "trace", "debug", "info", "warning", "error", "critical", "off"};

/// The level that a variable names, if it is set.
std::optional<Level> levelOfVariable(const char *variable) {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return {};
  const auto level = levelNamed(text);
  if (!level)
    warn(fmt::format("{} is {}, expected a level from 0 (trace) to 6 (off); it "
                     "is ignored",
                     variable, inQuotes(text)));
  return level;
}

/// Held while a line is written, and by fork(): a child's copy must not be held
/// by a thread that it has not.
std::mutex sinkMutex;

bool prepare() {
  // Without memory for the handlers a child of a busy parent may hang.
  ::pthread_atfork([] { sinkMutex.lock(); }, [] { sinkMutex.unlock(); },
                   [] { sinkMutex.unlock(); });
  std::optional<Level> all = levelOfVariable("LOG_LEVEL_ALL_PT");
  if (const auto widest = levelOfVariable("LOG_LEVEL_ALL"); !all)
    all = widest;
  for (unsigned i = 0; i < moduleCount; ++i) {
    const auto module = Module(i);
    auto level = levelOfVariable(variables[i]);
    if (!level && module != Module::Trace && module != Module::Towl)
      level = all;
    setLevel(module, level.value_or(Level::Off));
  }
  return true;
}

// Before main, and before the first line. A program for which there is no
// memory then does not start.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
[[maybe_unused]] const bool isPrepared = prepare();

/// A number of the environment; `absent` if there is none, or another text.
uint64_t numberOf(const char *variable, uint64_t absent) {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return absent;
  uint64_t number = 0;
  const char *end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error == std::errc() && stop == end)
    return number;
  warn(fmt::format("{} is {}, expected a number; {} is taken", variable,
                   inQuotes(text), absent));
  return absent;
}

std::string folder() {
  std::string path;
  if (const char *given = std::getenv("HABANA_LOGS"); given && *given) {
    path = given;
  } else {
    const char *home = std::getenv("HOME");
    path = std::string(home && *home ? home : ".") + "/.habana_logs";
  }
  const std::string rank = rankText();
  return rank.empty() ? path : path + "/" + rank;
}

/// Where lines go. One thread at a time.
class Sink {
public:
  Sink() : formatter(pattern()) {
    if (!isSet("ENABLE_CONSOLE"))
      file.emplace(folder(), numberOf("LOG_FILE_SIZE", 5 << 20),
                   unsigned(numberOf("PT_LOG_FILE_AMOUNT", 5)));
  }

  void write(Module module, Level level, std::string_view text) {
    const std::string_view name = nameOf(module);
    spdlog::details::log_msg line(
        spdlog::string_view_t(name.data(), name.size()),
        spdlog::level::level_enum(level),
        spdlog::string_view_t(text.data(), text.size()));
    // spdlog keeps it for the thread, which fork() gives another number.
    line.thread_id = size_t(::gettid());
    buffer.clear();
    formatter.format(line, buffer);
    const std::string_view bytes(buffer.data(), buffer.size());
    if (file) {
      const Status written = file->append(bytes);
      if (written)
        return;
      file.reset();
      warn(written.error().message);
    }
    std::fwrite(bytes.data(), 1, bytes.size(), stderr);
  }

private:
  static std::string pattern() {
    const std::string rank = rankText();
    return fmt::format("[%m-%d %H:%M:%S::%f][R{}][%t][%n][%l] %v",
                       rank.empty() ? "0" : rank);
  }

  spdlog::pattern_formatter formatter;
  spdlog::memory_buf_t buffer;
  std::optional<LogFile> file; // none: standard error
};

} // namespace

void writeLog(Module module, Level level, std::string_view text) {
  const std::lock_guard<std::mutex> guard(sinkMutex);
  // Made by the first line, and never destroyed: destructors log, too.
  static Sink *sink = nullptr;
  if (!sink)
    sink = new Sink;
  sink->write(module, level, text);
}

Level levelOf(Module module) {
  return Level(uint8_t(Level::Off) - detail::logged[unsigned(module)].load());
}

void setLevel(Module module, Level level) {
  detail::logged[unsigned(module)] = uint8_t(Level::Off) - uint8_t(level);
}

std::string_view nameOf(Module module) {
  return variables[unsigned(module)] + std::strlen("LOG_LEVEL_");
}
std::string_view nameOf(Level level) { return levelNames[unsigned(level)]; }

std::optional<Module> moduleNamed(std::string_view name) {
  for (unsigned i = 0; i < moduleCount; ++i)
    if (nameOf(Module(i)) == name)
      return Module(i);
  return {};
}

std::optional<Level> levelNamed(std::string_view text) {
  for (unsigned i = 0; i < levelNames.size(); ++i)
    if (levelNames[i] == text || (text.size() == 1 && text[0] == char('0' + i)))
      return Level(i);
  if (text == "warn")
    return Level::Warning;
  return {};
}

} // namespace gaudi::monitoring
