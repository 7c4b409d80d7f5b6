// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes looks at cards.
#include "CardTable.h"

#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gaudi::smi {

using runtime::CardState;

namespace {

/// Between the borders.
constexpr size_t width = 77;

std::string line(const std::string &text) {
  return fmt::format("|{:<{}.{}}|\n", text, width, width);
}
std::string rule(char corner, char stroke) {
  return corner + std::string(width, stroke) + corner + "\n";
}

std::string timeText(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  ::localtime_r(&seconds, &local);
  char text[32];
  return {text, std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local)};
}

std::string mebibytes(uint64_t bytes) {
  return fmt::format("{} MiB", bytes >> 20);
}

/// "1.234 s", "0.056 ms": of picoseconds.
std::string duration(int64_t picoseconds) {
  return picoseconds < 1'000'000'000
             ? fmt::format("{:.3f} us", double(picoseconds) * 1e-6)
         : picoseconds < 1'000'000'000'000
             ? fmt::format("{:.3f} ms", double(picoseconds) * 1e-9)
             : fmt::format("{:.3f} s", double(picoseconds) * 1e-12);
}

/// The card in an earlier look, if the same process has had it since.
const CardState *earlier(const CardState &card, const Look *before) {
  for (size_t i = 0; before && i < before->cards.size(); ++i)
    if (const CardState &other = before->cards[i];
        other.card == card.card && other.isOpen &&
        other.process == card.process && other.opened == card.opened)
      return &other;
  return nullptr;
}

/// The part of the card's time in which a queue was busy, 0 to 1.
double busyPart(const CardState &card, size_t queue, const CardState *before) {
  const int64_t elapsed =
      card.counters.elapsed - (before ? before->counters.elapsed : 0);
  const int64_t busy =
      card.counters.busy[queue] - (before ? before->counters.busy[queue] : 0);
  return elapsed > 0 ? std::clamp(double(busy) / double(elapsed), 0.0, 1.0)
                     : 0.0;
}

std::string rowsOf(const CardState &card, const CardState *before) {
  if (!card.isOpen)
    return line(fmt::format(" {:>4}  free", card.card));
  const runtime::CardCounters &counters = card.counters;
  std::string rows = line(fmt::format(
      " {:>4}  {:<7} {:>10} / {:>10}  {:>10}  {:>9}  {:>12}", card.card,
      printable(card.device), mebibytes(counters.memoryInUse),
      mebibytes(counters.memoryLimit), mebibytes(counters.memoryPeak),
      counters.launches, duration(counters.elapsed)));
  std::string busy;
  for (size_t i = 0; i < card.queues.size(); ++i) {
    const double part = busyPart(card, i, before);
    if (part == 0)
      continue;
    const std::string text =
        fmt::format("{} {:.0f}%", printable(card.queues[i]), part * 100);
    if (busy.size() + text.size() + 9 > width) {
      rows += line("       " + busy);
      busy.clear();
    }
    busy += (busy.empty() ? "" : "  ") + text;
  }
  return rows + line("       " + (busy.empty() ? "idle" : busy));
}

} // namespace

std::string tableOf(const Look &look, const Look *before) {
  std::string text = rule('+', '-');
  text += line(fmt::format(" {:<{}}{} ", "gaudi-smi " GAUDI_VERSION, width - 21,
                           timeText(look.time)));
  text += rule('|', '-');
  text += line(" Card  Kind        Memory /      limit        Peak   Launches  "
               "   Card time");
  text += line(before ? "       Busy by the card's clock since the last look"
                      : "       Busy by the card's clock since it was opened");
  text += rule('|', '=');
  std::string processes;
  for (const CardState &card : look.cards) {
    if (const auto problem = look.problems.find(card.card);
        problem != look.problems.end()) {
      text += line(fmt::format(" {:>4}  cannot be read: {}", card.card,
                               printable(problem->second)));
      continue;
    }
    text += rowsOf(card, earlier(card, before));
    if (card.isOpen)
      processes +=
          line(fmt::format(" {:>4}  {:>8}  {}  {}", card.card, card.process,
                           timeText(card.opened), printable(card.processName)));
  }
  text += rule('|', '-');
  text += line(" Card       PID  Since                Process");
  text += rule('|', '=');
  text += processes.empty() ? line("       no card is in use") : processes;
  return text + rule('+', '-');
}

std::string jsonOf(const Look &look, const Look *before, bool isLine) {
  using Json = nlohmann::ordered_json;
  Json cards = Json::array();
  for (const CardState &card : look.cards) {
    if (const auto problem = look.problems.find(card.card);
        problem != look.problems.end()) {
      cards.push_back({{"card", card.card}, {"error", problem->second}});
      continue;
    }
    if (!card.isOpen) {
      cards.push_back({{"card", card.card}, {"in_use", false}});
      continue;
    }
    const runtime::CardCounters &counters = card.counters;
    Json busy = Json::object(), utilization = Json::object();
    for (size_t i = 0; i < card.queues.size(); ++i) {
      busy[card.queues[i]] = counters.busy[i];
      utilization[card.queues[i]] = busyPart(card, i, earlier(card, before));
    }
    cards.push_back({{"card", card.card},
                     {"in_use", true},
                     {"device", card.device},
                     {"memory",
                      {{"limit", counters.memoryLimit},
                       {"used", counters.memoryInUse},
                       {"peak", counters.memoryPeak}}},
                     {"launches", counters.launches},
                     {"elapsed_ps", counters.elapsed},
                     {"busy_ps", busy},
                     {"utilization", utilization},
                     {"process",
                      {{"pid", card.process},
                       {"name", card.processName},
                       {"since", timeText(card.opened)}}}});
  }
  const Json all = {{"version", GAUDI_VERSION},
                    {"time", timeText(look.time)},
                    {"cards", cards}};
  return all.dump(isLine ? -1 : 2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

} // namespace gaudi::smi
