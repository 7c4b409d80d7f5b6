// Hits, padding and misses of a trace of shapes.
#include "Replay.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Shapes/Histogram.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Timeline.h"
#include "Sizes.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;

/// Launches of one variant. Products of sizes, over all of them.
struct Hits {
  uint64_t launches = 0;
  double real = 0, padded = 0;

  /// By how much the padded elements exceed the real ones, in per cent.
  double padding() const { return real > 0 ? 100 * (padded / real - 1) : 0; }
  void add(uint64_t count, double realElements, double paddedElements) {
    launches += count;
    real += double(count) * realElements;
    padded += double(count) * paddedElements;
  }
};

/// Launches that no variant takes, for one reason.
struct Miss {
  uint64_t launches = 0, line = 0; ///< the first line with it
  std::string reason;
  shapes::Sizes nearest; ///< of the variant that would take it
};

double volumeOf(const shapes::Sizes &sizes) {
  double volume = 1;
  for (int64_t size : sizes)
    volume *= double(size);
  return volume;
}

class Replay {
public:
  Replay(shapes::Buckets buckets, std::vector<int64_t> picoseconds)
      : buckets(std::move(buckets)), picoseconds(std::move(picoseconds)),
        hits(this->buckets.size()) {}

  void run(const shapes::Histogram &trace) {
    for (const shapes::Observation &launch : trace.observations) {
      all.launches += launch.count;
      const auto bucket = buckets.choose(launch.sizes);
      if (!bucket) {
        miss(launch);
        continue;
      }
      const double real = volumeOf(launch.sizes),
                   padded = volumeOf(buckets[*bucket]);
      hits[*bucket].add(launch.count, real, padded);
      all.real += double(launch.count) * real;
      all.padded += double(launch.count) * padded;
      time += double(launch.count) *
              double(std::max<int64_t>(picoseconds[*bucket], 0));
    }
  }

  void printText(const std::string &file) const {
    fmt::print(std::cout,
               "shapes of {}: {}, {} % padding, {} of predicted device "
               "time\n",
               inQuotes(file), countOf(all.launches, "launch", "launches"),
               shapes::paddingPercent(all.padded, all.real),
               timing::timeText(timing::Picoseconds(time)));
    size_t unused = 0;
    for (size_t b = 0; b < hits.size(); ++b) {
      if (!hits[b].launches) {
        ++unused;
        continue;
      }
      fmt::print(std::cout, "  {}: {}, {} % padding, {} each\n",
                 namedSizes(buckets.names(), buckets[b]),
                 countOf(hits[b].launches, "launch", "launches"),
                 shapes::paddingPercent(hits[b].padded, hits[b].real),
                 timing::timeText(timing::Picoseconds(picoseconds[b])));
    }
    if (unused)
      fmt::print(std::cout, "  {} of {} never used\n", unused,
                 countOf(hits.size(), "variant"));
    fmt::print(std::cout, "misses: {}\n", missed());
    for (const Miss &miss : misses)
      fmt::print(std::cout, "  {} ({}line {}): {}\n",
                 countOf(miss.launches, "launch", "launches"),
                 miss.launches > 1 ? "from " : "", miss.line, miss.reason);
  }

  void printJson(const std::string &file) const {
    Json json = {{"trace", file},
                 {"launches", all.launches},
                 {"padding_percent", all.padding()},
                 {"device_us", time / 1e6},
                 {"misses", missed()},
                 {"variants", Json::array()},
                 {"reasons", Json::array()}};
    for (size_t b = 0; b < hits.size(); ++b)
      json["variants"].push_back({{"sizes", buckets[b]},
                                  {"launches", hits[b].launches},
                                  {"padding_percent", hits[b].padding()},
                                  {"device_us", double(picoseconds[b]) / 1e6}});
    for (const Miss &miss : misses)
      json["reasons"].push_back({{"launches", miss.launches},
                                 {"line", miss.line},
                                 {"reason", miss.reason},
                                 {"nearest", miss.nearest}});
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace)
              << "\n";
  }

private:
  void miss(const shapes::Observation &launch) {
    const shapes::Sizes nearest = buckets.nearest(launch.sizes);
    const auto [it, isNew] = missOf.try_emplace(nearest, misses.size());
    if (isNew)
      misses.push_back(
          {0, launch.line, buckets.whyNone(launch.sizes), nearest});
    misses[it->second].launches += launch.count;
  }

  uint64_t missed() const {
    uint64_t count = 0;
    for (const Miss &miss : misses)
      count += miss.launches;
    return count;
  }

  shapes::Buckets buckets;
  std::vector<int64_t> picoseconds;
  std::vector<Hits> hits; ///< per bucket
  Hits all;               ///< those of misses have no padding
  double time = 0;        ///< in picoseconds, of hits
  std::vector<Miss> misses;
  std::map<shapes::Sizes, size_t> missOf; ///< by the variant they would need
};

} // namespace

Status replayShapes(const recipe::RecipeFile &file, uint32_t entry,
                    const Options &options) {
  const recipe::Dispatch *dispatch =
      recipe::items(file->entries())[entry]->dispatch();
  if (!dispatch)
    return fail(
        "--shapes-from: entry {} takes tensors of one size; compile "
        "the model with --buckets",
        inQuotes(recipe::text(recipe::items(file->entries())[entry]->name())));
  std::vector<std::string> names;
  for (const recipe::Symbol *symbol : recipe::items(dispatch->symbols()))
    names.emplace_back(recipe::text(symbol->name()));
  std::vector<shapes::Sizes> boxes;
  std::vector<double> costs;
  std::vector<int64_t> picoseconds;
  bool arePredicted = true;
  for (const recipe::Variant *variant : recipe::items(dispatch->variants())) {
    boxes.push_back(recipe::copyOf(variant->sizes()));
    picoseconds.push_back(variant->picoseconds());
    costs.push_back(double(variant->picoseconds()));
    arePredicted &= variant->picoseconds() >= 0;
  }
  if (!arePredicted)
    costs.clear();
  Replay replay(GAUDI_TRY(shapes::Buckets::create(names, std::move(boxes),
                                                  std::move(costs))),
                std::move(picoseconds));
  const shapes::Histogram trace =
      GAUDI_TRY(shapes::readHistogram(options.shapesFrom));
  replay.run(GAUDI_TRY(trace.columnsOf(names)));
  if (options.report == ReportForm::Json)
    replay.printJson(options.shapesFrom);
  else
    replay.printText(options.shapesFrom);
  return {};
}

} // namespace gaudi::run
