// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buckets of an entry as JSON.
#include "Gaudi/Prediction/Json.h"
#include "JsonText.h"

#include <nlohmann/json.hpp>

namespace gaudi::prediction {

using Json = nlohmann::ordered_json;

/// Padding per real elements, as a fraction.
static double paddingOf(double real, double padded) {
  return real > 0 ? padded / real - 1 : 0;
}

static Json rowJson(const Buckets &buckets, const Buckets::Row &row) {
  Json json = {{"sizes", row.sizes}, {"predicted", row.isPredicted}};
  if (row.picoseconds >= 0)
    json["time_us"] = us(Picoseconds(row.picoseconds));
  if (buckets.histogram.empty())
    return json;
  json["launches"] = row.launches;
  json["share"] =
      buckets.launches ? double(row.launches) / double(buckets.launches) : 0.0;
  json["padding"] = paddingOf(row.real, row.padded);
  return json;
}

Json bucketsOf(const Prediction &prediction) {
  if (!prediction.buckets)
    return nullptr;
  const Buckets &buckets = *prediction.buckets;
  Json rows = Json::array(), curve = Json::array();
  double real = 0, padded = 0, time = 0;
  for (const Buckets::Row &row : buckets.rows) {
    rows.push_back(rowJson(buckets, row));
    real += row.real;
    padded += row.padded;
    time +=
        double(row.launches) * double(std::max<int64_t>(row.picoseconds, 0));
  }
  for (const Buckets::Point &point : buckets.curve)
    curve.push_back({{"strategy", point.strategy},
                     {"max_buckets", point.maxBuckets},
                     {"buckets", point.buckets},
                     {"waste", point.waste},
                     {"least_waste", point.leastWaste}});
  Json json = {{"symbols", buckets.symbols}, {"rows", std::move(rows)}};
  if (!buckets.histogram.empty()) {
    json["histogram"] = buckets.histogram;
    json["launches"] = buckets.launches;
    json["misses"] = buckets.misses;
    json["padding"] = paddingOf(real, padded);
    json["device_us"] = time / 1e6;
  }
  json["curve"] = std::move(curve);
  json["curve_of"] = buckets.isCurveOfTime ? "device time" : "elements";
  return json;
}

} // namespace gaudi::prediction
