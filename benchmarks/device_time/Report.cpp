// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of predictions, as a table and as JSON.
#include "Report.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/TextFile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gaudi::benchmark {
namespace {

using Json = nlohmann::ordered_json;

struct Model {
  const char *name;
  double Compared::*prediction;
};
constexpr std::array<Model, 3> models = {{{"ours", &Compared::ours},
                                          {"roofline", &Compared::roofline},
                                          {"brain", &Compared::brain}}};

double errorOf(const Compared &row, const Model &model) {
  return row.*model.prediction / row.row.microseconds - 1;
}

struct Errors {
  double mean = 0, median = 0, p95 = 0, worst = 0;
};

/// Of the absolute errors; quantiles interpolate between neighbours.
Errors errorsOf(const std::vector<Compared> &rows, const Model &model) {
  std::vector<double> errors;
  Errors result;
  for (const Compared &row : rows) {
    errors.push_back(std::abs(errorOf(row, model)));
    result.mean += errors.back() / double(rows.size());
  }
  std::sort(errors.begin(), errors.end());
  const auto quantile = [&](double share) {
    const double place = share * double(errors.size() - 1);
    const size_t below = size_t(place);
    const size_t above = std::min(below + 1, errors.size() - 1);
    return errors[below] +
           (errors[above] - errors[below]) * (place - double(below));
  };
  result.median = quantile(0.5);
  result.p95 = quantile(0.95);
  result.worst = errors.back();
  return result;
}

} // namespace

void printTable(const std::vector<Compared> &rows) {
  fmt::print("{:>4} {:7} {:>6} {:>6} {:>6} {:7} {:2} {:>5} {:>12} {:>12} {:>7} "
             "{:>12} {:>7} {:>12} {:>7}\n",
             "id", "chip", "M", "K", "N", "type", "t", "nodes", "measured us",
             "ours us", "error", "roofline us", "error", "brain us", "error");
  for (const Compared &row : rows) {
    const Row &r = row.row;
    fmt::print("{:>4} {:7} {:6} {:6} {:6} {:7} {}{} {:5} {:12.4f}",
               printable(r.id), r.chip, r.m, r.k, r.n, r.dtype,
               int(r.transposedA), int(r.transposedB), r.nodes, r.microseconds);
    for (const Model &model : models)
      fmt::print(" {:12.4f} {:+6.1f}%", row.*model.prediction,
                 100 * errorOf(row, model));
    fmt::print("\n");
  }
  fmt::print("\nerror of {} rows {:>10} {:>10} {:>10} {:>10}\n", rows.size(),
             "mean", "median", "p95", "worst");
  for (const Model &model : models) {
    const Errors e = errorsOf(rows, model);
    fmt::print("{:16} {:9.2f}% {:9.2f}% {:9.2f}% {:9.2f}%\n", model.name,
               100 * e.mean, 100 * e.median, 100 * e.p95, 100 * e.worst);
  }
}

Status writeJson(const std::vector<Compared> &rows, const std::string &path) {
  Json json;
  for (const Model &model : models) {
    const Errors e = errorsOf(rows, model);
    json[model.name] = {{"mean", e.mean},
                        {"median", e.median},
                        {"p95", e.p95},
                        {"worst", e.worst}};
  }
  json["rows"] = Json::array();
  for (const Compared &row : rows) {
    const Row &r = row.row;
    Json entry = {{"id", r.id},
                  {"chip", r.chip},
                  {"M", r.m},
                  {"K", r.k},
                  {"N", r.n},
                  {"dtype", r.dtype},
                  {"trans_a", int(r.transposedA)},
                  {"trans_b", int(r.transposedB)},
                  {"nodes_in_graph", r.nodes},
                  {"measured_us", r.microseconds}};
    for (const Model &model : models) {
      entry[fmt::format("{}_us", model.name)] = row.*model.prediction;
      entry[fmt::format("{}_error", model.name)] = errorOf(row, model);
    }
    json["rows"].push_back(std::move(entry));
  }
  // Cells come from a file: bytes that are not UTF-8 are replaced, not fatal.
  const std::string text =
      json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return writeTextFile(path, text);
}

} // namespace gaudi::benchmark
