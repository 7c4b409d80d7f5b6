// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics as JSON and as text.
#include "MetricFile.h"

#include "Environment.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Quote.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace gaudi::monitoring {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const std::vector<Statistic> &stats) {
  Json result = Json::object();
  for (const Statistic &each : stats)
    std::visit(
        [&](const auto &value) { result[std::string(each.name)] = value; },
        each.value);
  return result;
}

/// One line; names that are not UTF-8 get replacement characters.
std::string print(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Local time in ISO 8601 with microseconds.
std::string isoText(std::chrono::system_clock::time_point time) {
  const int64_t microseconds =
      std::chrono::duration_cast<std::chrono::microseconds>(
          time.time_since_epoch())
          .count();
  const std::time_t seconds = microseconds / 1'000'000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  char text[32];
  const size_t size =
      std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &local);
  return fmt::format("{}.{:06}", std::string_view(text, size),
                     microseconds % 1'000'000);
}

/// `path` with -rank<RANK> before its extension.
std::string withRank(const std::string &path) {
  const std::string rank = rankText();
  if (rank.empty())
    return path;
  const size_t name = path.rfind('/') + 1; // npos + 1 is 0
  const size_t dot = path.rfind('.');
  const size_t at = dot == path.npos || dot < name ? path.size() : dot;
  return path.substr(0, at) + "-rank" + rank + path.substr(at);
}

} // namespace

std::string jsonText(const std::vector<Statistic> &stats) {
  return print(jsonOf(stats));
}

Result<MetricFile> MetricFile::create(const std::string &path,
                                      DumpFormat format) {
  MetricFile result;
  result.format = format;
  const std::string base = withRank(path);
  const size_t slash = base.rfind('/');
  if (slash != base.npos && slash > 0)
    makeFolders(base.substr(0, slash), 0777); // open() tells what is wrong
  result.path = base;
  for (unsigned number = 1;; ++number) {
    result.file = Descriptor(::open(
        result.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (result.file.isOpen())
      return result;
    if (errno != EEXIST)
      return fail("metrics cannot be written to {}: {}; name a file in a "
                  "folder that you may write to",
                  inQuotes(result.path), std::strerror(errno));
    result.path = fmt::format("{}.{}", base, number);
  }
}

Status MetricFile::add(std::string_view metric, std::string_view trigger,
                       std::chrono::system_clock::time_point time,
                       const std::vector<Statistic> &stats) {
  const bool isJson = format == DumpFormat::Json;
  std::string text;
  if (isJson) {
    text = (end == 0 ? "[" : ",\n") + print({{"metric_name", metric},
                                             {"triggered_by", trigger},
                                             {"generated_on", isoText(time)},
                                             {"statistics", jsonOf(stats)}});
  } else {
    text = fmt::format("Metric name: {}\nTriggered by: {}\nGenerated on: "
                       "{}\nStatistics:\n",
                       metric, trigger, isoText(time));
    const Json values = jsonOf(stats);
    for (const auto &[name, value] : values.items())
      text += fmt::format("\t{}: {}\n", name, print(value));
    text += "\n";
  }
  const auto size = int64_t(text.size());
  if (isJson)
    text += "]\n"; // which the next entry overwrites
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = ::pwrite(file.get(), text.data() + done,
                                     text.size() - done, end + int64_t(done));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return fail("metrics cannot be written to {}: {}", inQuotes(path),
                  std::strerror(errno));
    done += size_t(written);
  }
  end += size;
  return {};
}

} // namespace gaudi::monitoring
