// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics, and what dumps them.
#include "Gaudi/Monitoring/Metrics.h"

#include "Environment.h"
#include "Gaudi/Monitoring/Events.h"
#include "Gaudi/Monitoring/Log.h"
#include "Gaudi/Support/Quote.h"
#include "MetricFile.h"
#include "State.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace gaudi::monitoring {
namespace {

using Guard = std::lock_guard<std::mutex>;

const bool hasDetails = isSet("PT_HPU_METRICS_GC_DETAILS");
const bool hasCache = isSet("PT_HPU_ENABLE_CACHE_METRICS");

/// What a metric remembers of its events. One thread at a time.
struct GraphCompilation {
  static constexpr std::string_view name = "graph_compilation";
  static constexpr std::array events = {EventId::GraphCompile};
  Durations recipes;
  int64_t number = 0, time = 0;

  void count(const Event &event) {
    const auto duration = event.get<int64_t>("duration");
    ++number;
    time += duration;
    if (hasDetails)
      recipes.emplace_back(event.get<std::string_view>("recipe"), duration);
  }
  std::vector<Statistic> stats() const {
    std::vector<Statistic> result = {
        {"TotalNumber", number},
        {"TotalTime", time},
        {"AvgTime", number > 0 ? double(time) / double(number) : 0.0}};
    if (hasDetails)
      result.push_back({"recipe", recipes});
    return result;
  }
};

/// Adds one to the count of a name.
void increment(Counts &counts, std::string_view name) {
  const auto found = counts.find(name);
  if (found != counts.end())
    ++found->second;
  else
    counts.emplace(name, 1);
}

struct CpuFallback {
  static constexpr std::string_view name = "cpu_fallback";
  static constexpr std::array events = {EventId::CpuFallback};
  int64_t number = 0;
  Counts ops;

  void count(const Event &event) {
    ++number;
    increment(ops, event.get<std::string_view>("op_name"));
  }
  std::vector<Statistic> stats() const {
    return {{"TotalNumber", number}, {"FallbackOps", ops}};
  }
};

struct MemoryDefragmentation {
  static constexpr std::string_view name = "memory_defragmentation";
  static constexpr std::array events = {EventId::MemoryDefragmentation};
  int64_t number = 0, successful = 0;
  double time = 0, most = 0;

  void count(const Event &event) {
    const auto milliseconds = event.get<double>("milliseconds");
    ++number;
    successful += event.get<int64_t>("success") != 0;
    time += milliseconds;
    most = std::max(most, milliseconds);
  }
  std::vector<Statistic> stats() const {
    return {{"TotalNumber", number},
            {"TotalSuccessful", successful},
            {"AvgTime", number > 0 ? time / double(number) : 0.0},
            {"MaxTime", most}};
  }
};

struct RecipeCache {
  static constexpr std::string_view name = "recipe_cache";
  static constexpr std::array events = {EventId::CacheHit, EventId::CacheMiss};
  int64_t hits = 0, misses = 0;
  Counts hitsOf, missesOf;

  void count(const Event &event) {
    const bool isHit = event.id == EventId::CacheHit;
    ++(isHit ? hits : misses);
    increment(isHit ? hitsOf : missesOf,
              event.get<std::string_view>("recipe_id"));
  }
  std::vector<Statistic> stats() const {
    return {{"TotalHit", hits},
            {"RecipeHit", hitsOf},
            {"TotalMiss", misses},
            {"RecipeMiss", missesOf}};
  }
};

void dumpChange(const Metric &metric, const Event &event);

template <typename State> class Listener : public Metric {
public:
  /// A callback may outlive a listener that another callback destroys, so it
  /// has the state; global listeners live as long as the process.
  explicit Listener(bool isGlobal)
      : isGlobal(isGlobal), state(std::make_shared<State>()) {
    for (size_t i = 0; i < State::events.size(); ++i)
      subscriptions[i] =
          addSubscriber(State::events[i],
                        [counted = state, global = isGlobal ? this : nullptr](
                            const Event &event) {
                          {
                            const Guard guard(stateMutex());
                            counted->count(event);
                          }
                          if (global)
                            dumpChange(*global, event);
                        });
  }
  ~Listener() override { end(); }
  Listener(const Listener &) = delete;
  Listener &operator=(const Listener &) = delete;

  std::string_view name() const override { return State::name; }
  std::vector<Statistic> stats() const override {
    const Guard guard(stateMutex());
    return state->stats();
  }
  void reset() override {
    const Guard guard(stateMutex());
    *state = State();
  }
  void stop() override {
    if (!isGlobal)
      end();
  }

private:
  void end() {
    for (Subscription &each : subscriptions)
      unsubscribe(std::exchange(each, 0));
  }

  bool isGlobal;
  std::shared_ptr<State> state;
  std::array<Subscription, State::events.size()> subscriptions{};
};

/// A metric of that name, among those that there are.
std::unique_ptr<Metric> make(std::string_view name, bool isGlobal) {
  if (name == GraphCompilation::name)
    return std::make_unique<Listener<GraphCompilation>>(isGlobal);
  if (name == CpuFallback::name)
    return std::make_unique<Listener<CpuFallback>>(isGlobal);
  if (name == MemoryDefragmentation::name)
    return std::make_unique<Listener<MemoryDefragmentation>>(isGlobal);
  if (name == RecipeCache::name && hasCache)
    return std::make_unique<Listener<RecipeCache>>(isGlobal);
  return nullptr;
}

constexpr std::array<std::string_view, 4> metricNames = {
    GraphCompilation::name, CpuFallback::name, MemoryDefragmentation::name,
    RecipeCache::name};

constexpr std::array<std::string_view, 4> triggerNames = {
    "process_exit", "mark_step", "metric_change", "user"};

/// The file that the environment asks for.
class Dumps {
public:
  /// Reads the environment; from now on triggers count.
  void enable() {
    const char *name =
        firstSet("PT_HPU_METRICS_FILE", "HABANA_PT_METRICS_FILE");
    const Guard guard(stateMutex());
    if (!name || process == ::getpid())
      return;
    process = ::getpid();
    path = name;
    // Of the parent, where this process is a child that opens a card itself.
    file.reset();
    triggers.clear();
    if (const char *text = firstSet("PT_HPU_METRICS_FILE_FORMAT",
                                    "HABANA_PT_METRICS_FILE_FORMAT")) {
      if (const auto known = dumpFormatNamed(text))
        format = *known;
      else
        warn("PT_HPU_METRICS_FILE_FORMAT: " + known.error().message +
             "; json is taken");
    }
    const char *listed = firstSet("PT_HPU_METRICS_DUMP_TRIGGERS",
                                  "HABANA_PT_METRICS_DUMP_TRIGGERS");
    readTriggers(listed ? listed : "process_exit");
  }

  void write(std::string_view trigger,
             std::chrono::system_clock::time_point time, const Metric &metric) {
    if (!wants(trigger))
      return;
    const std::vector<Statistic> stats = metric.stats();
    const Guard guard(stateMutex());
    const Status written = [&]() -> Status {
      if (!file)
        file = GAUDI_TRY(MetricFile::create(path, format));
      return file->add(metric.name(), trigger, time, stats);
    }();
    if (written)
      return;
    warn(written.error().message);
    triggers.clear();
  }

private:
  void readTriggers(std::string_view listed) {
    while (!listed.empty()) {
      const size_t comma = std::min(listed.find(','), listed.size());
      const std::string_view name = listed.substr(0, comma);
      listed.remove_prefix(std::min(comma + 1, listed.size()));
      if (std::find(triggerNames.begin(), triggerNames.end(), name) !=
          triggerNames.end())
        triggers.emplace_back(name);
      else
        warn(fmt::format("PT_HPU_METRICS_DUMP_TRIGGERS names {}, expected {}; "
                         "it is ignored",
                         inQuotes(name),
                         "process_exit, mark_step, metric_change or user"));
    }
  }

  bool wants(std::string_view trigger) {
    const Guard guard(stateMutex());
    return process == ::getpid() && std::find(triggers.begin(), triggers.end(),
                                              trigger) != triggers.end();
  }

  pid_t process = 0; // that has opened a card; 0: none has
  std::string path;
  DumpFormat format = DumpFormat::Json;
  std::vector<std::string> triggers;
  std::optional<MetricFile> file;
};

/// Lives as long as the process.
struct Globals {
  std::vector<std::unique_ptr<Metric>> metrics;
  Dumps dumps;
  int64_t loggedFallbacks = 0;

  Globals() {
    for (const std::string_view name : metricNames)
      if (auto metric = make(name, true))
        metrics.push_back(std::move(metric));
    addSubscriber(EventId::DeviceAcquired,
                  [this](const Event &) { dumps.enable(); });
    addSubscriber(EventId::MarkStep,
                  [this](const Event &event) { writeAll("mark_step", event); });
    addSubscriber(EventId::ProcessExit, [this](const Event &event) {
      logCpuFallbacks();
      writeAll("process_exit", event);
    });
  }

  void writeAll(std::string_view trigger, const Event &event) {
    for (const auto &metric : metrics)
      dumps.write(trigger, event.time, *metric);
  }

  static Globals &instance() {
    static Globals *globals = new Globals;
    return *globals;
  }
};

void dumpChange(const Metric &metric, const Event &event) {
  Globals::instance().dumps.write("metric_change", event.time, metric);
}

/// Before main: where other threads run, one could be making them while another
/// one calls fork().
// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
[[maybe_unused]] const bool areMade = (Globals::instance(), true);

} // namespace

void startMetrics() { Globals::instance(); }

static tl::unexpected<Error> unknown(std::string_view name) {
  return fail(
      "there is no metric {}; expected graph_compilation, cpu_fallback, "
      "memory_defragmentation or, with PT_HPU_ENABLE_CACHE_METRICS=1, "
      "recipe_cache",
      inQuotes(name));
}

Result<std::unique_ptr<Metric>> Metric::start(std::string_view name) {
  startMetrics();
  if (auto metric = make(name, false))
    return metric;
  return unknown(name);
}

Result<Metric *> Metric::global(std::string_view name) {
  for (const auto &metric : Globals::instance().metrics)
    if (metric->name() == name)
      return metric.get();
  return unknown(name);
}

Result<DumpFormat> dumpFormatNamed(std::string_view name) {
  if (name == "json")
    return DumpFormat::Json;
  if (name == "text")
    return DumpFormat::Text;
  return fail("{} is no format of metrics, expected json or text",
              inQuotes(name));
}

Status dumpMetrics(const std::string &path, DumpFormat format) {
  MetricFile file = GAUDI_TRY(MetricFile::create(path, format));
  for (const auto &metric : Globals::instance().metrics)
    GAUDI_TRY(file.add(metric->name(), "user", std::chrono::system_clock::now(),
                       metric->stats()));
  return {};
}

void logCpuFallbacks() {
  Globals &globals = Globals::instance();
  const std::vector<Statistic> stats =
      (*Metric::global(CpuFallback::name))->stats();
  const auto number = std::get<int64_t>(stats[0].value);
  {
    const Guard guard(stateMutex());
    if (std::exchange(globals.loggedFallbacks, number) >= number)
      return;
  }
  const auto &ops = std::get<Counts>(stats[1].value);
  std::vector<std::pair<std::string, int64_t>> sorted(ops.begin(), ops.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string lines;
  for (const auto &[op, count] : sorted)
    lines += fmt::format("\n{}\t{}", count, op);
  GAUDI_LOG(Fallback, Critical, "CPU Fallback stats:{}", lines);
  // As the stack wrote it before; its documentation still does.
  GAUDI_LOG(Fallback, Debug,
            "Frequency of op and op name that were executed on CPU:{}", lines);
}

} // namespace gaudi::monitoring
