// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep of batches as a page.
#include "Gaudi/Analysis/BatchPage.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Cost.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <vector>

namespace gaudi::analysis {
namespace {

constexpr const char *style =
    ":root{color-scheme:light dark;--line:#2a6fb0;--text:#222;--faint:#999;"
    "--back:#fff}"
    "@media(prefers-color-scheme:dark){:root{--line:#7ab8f5;--text:#ddd;"
    "--faint:#888;--back:#181a1b}}"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--text);"
    "background:var(--back);max-width:60em;margin:1em auto;padding:0 1em}"
    "figure{margin:1em 0}svg{width:100%;height:auto}"
    "polyline{fill:none;stroke:var(--line);stroke-width:2}"
    "circle{fill:var(--line)}text{fill:var(--text);font-size:12px}"
    "svg line{stroke:var(--faint)}"
    "table{border-collapse:collapse}td,th{text-align:right;padding:2px 12px}"
    "tr.best{font-weight:bold}";

std::string escaped(const std::string &text) {
  std::string result;
  for (char each : text)
    switch (each) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += each;
    }
  return result;
}

std::string microseconds(double value) {
  return timing::timeText(timing::Picoseconds(value * 1e6));
}

struct Point {
  int64_t batch = 0;
  double value = 0;
};

/// One curve: both axes are logarithmic, so that a value that does not change
/// with the batch, or grows as it does, is a straight line.
std::string curve(const std::vector<Point> &points, const std::string &title,
                  const std::function<std::string(double)> &text) {
  constexpr double width = 720, height = 240, left = 90, right = 30, top = 16,
                   bottom = 34;
  const auto ends = std::minmax_element(
      points.begin(), points.end(),
      [](const Point &a, const Point &b) { return a.value < b.value; });
  const Point &low = *ends.first, &high = *ends.second;
  const auto place = [](double value, double first, double last) {
    return last > first ? std::log(value / first) / std::log(last / first) : .5;
  };
  const auto x = [&](int64_t batch) {
    return left + (width - left - right) * place(double(batch),
                                                 double(points.front().batch),
                                                 double(points.back().batch));
  };
  const auto y = [&](double value) {
    return height - bottom -
           (height - top - bottom) * place(std::max(value, 1e-9),
                                           std::max(low.value, 1e-9),
                                           high.value);
  };
  std::string line, marks;
  for (const Point &point : points) {
    const double px = x(point.batch), py = y(point.value);
    line += fmt::format("{:.1f},{:.1f} ", px, py);
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>a "
                         "batch of {}: {}</title></circle>",
                         px, py, point.batch, text(point.value));
  }
  std::string labels;
  double taken = -100;
  for (const Point &point : points) {
    const double px = x(point.batch);
    if (px - taken < 48)
      continue;
    taken = px;
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{}\" "
                          "text-anchor=\"middle\">{}</text>",
                          px, height - 12, point.batch);
  }
  for (const Point *end : {&low, &high})
    labels += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}"
                          "</text>",
                          left - 8, y(end->value) + 4, text(end->value));
  return fmt::format(
      "<figure><figcaption>{0}</figcaption><svg viewBox=\"0 0 {1} {2}\" "
      "role=\"img\" aria-label=\"{0}\"><line x1=\"{3}\" y1=\"{4}\" x2=\"{5}\" "
      "y2=\"{4}\"/><polyline points=\"{6}\"/>{7}{8}</svg></figure>\n",
      title, width, height, left, height - bottom, width - right, line, marks,
      labels);
}

} // namespace

Status writeBatchPage(OutputFile &file, const BatchPage &page) {
  const BatchPlan &batch = page.batch;
  std::vector<Point> memory, samples;
  std::string rows;
  const auto fastest = batch.fastest(page.limit);
  for (const auto &[size, time] : batch.times) {
    const auto planned = batch.planned.find(size);
    if (planned == batch.planned.end() || planned->second > page.limit)
      continue;
    memory.push_back({size, double(planned->second)});
    samples.push_back({size, time / double(size)});
    rows += fmt::format("<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
                        "</tr>\n",
                        size == fastest ? " class=\"best\"" : "", size,
                        humanBytes(planned->second), microseconds(time),
                        microseconds(time / double(size)));
  }
  std::string inputs;
  for (const BatchPlan::Input &input : batch.inputs)
    inputs += (inputs.empty() ? "" : ", ") + input.name;
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
      "<meta name=\"generator\" content=\"gaudi-mlir\">"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<title>batches of {0}</title><style>{1}</style>\n<h1>Batches of "
      "{0}</h1>\n<p>Predicted for {2}; the leading dimension of {3} is the "
      "batch. ",
      escaped(page.title), style, page.device, escaped(inputs));
  text += batch.largest
              ? fmt::format("The largest that fits into {} is {}.",
                            humanBytes(page.limit), *batch.largest)
              : fmt::format("None fits into {}.", humanBytes(page.limit));
  if (fastest)
    text += fmt::format(
        " A batch of {} takes the least time for each sample, "
        "{}.",
        *fastest, microseconds(batch.times.at(*fastest) / double(*fastest)));
  text += "</p>\n";
  if (!samples.empty()) {
    text += curve(samples, "time of a sample, by batch", microseconds);
    text += curve(memory, "memory of the card, by batch",
                  [](double value) { return humanBytes(uint64_t(value)); });
  }
  text += "<table><tr><th>batch</th><th>memory</th><th>launch</th>"
          "<th>per sample</th></tr>\n" +
          rows + "</table></html>\n";
  return file.write(text.data(), text.size());
}

} // namespace gaudi::analysis
