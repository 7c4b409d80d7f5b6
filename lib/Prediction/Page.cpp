// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page: template, style, script and data, in that order of nesting.
#include "Gaudi/Prediction/Page.h"
#include "Gaudi/Prediction/Compare.h"
#include "Gaudi/Prediction/Json.h"
#include "JsonText.h"
#include "PageAssets.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

namespace gaudi::prediction {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t mostLineBytes = 300;

/// What only the drawings need; the numbers are in toJson().
Json drawingsJson(const Prediction &prediction) {
  Json pieces = Json::array(), bandwidth = Json::array();
  for (const timing::Piece &piece : prediction.timeline.pieces)
    pieces.push_back({piece.task, us(piece.start), us(piece.end),
                      piece.firstEngine, piece.engines, nameOf(piece.queue)});
  for (const timing::BandwidthSample &sample : prediction.timeline.bandwidth)
    bandwidth.push_back(
        {us(sample.time), sample.hbmRead / 1e9, sample.hbmWritten / 1e9});
  return {{"pieces", std::move(pieces)}, {"bandwidth", std::move(bandwidth)}};
}

/// Whether a place of a location may begin after `before`.
bool endsAPlace(std::string_view before) {
  const auto endsWith = [&](std::string_view end) {
    return before.size() >= end.size() &&
           before.substr(before.size() - end.size()) == end;
  };
  return before.empty() || endsWith(", ") || endsWith(" at ");
}

/// Adds the lines of `file` that a location names: "a.mlir:3:5, a.mlir:7:1".
void addLines(std::string_view location, std::string_view file,
              std::set<size_t> &lines) {
  for (size_t at = location.find(file); at != location.npos;
       at = location.find(file, at + 1)) {
    const std::string_view rest = location.substr(at + file.size());
    size_t line = 0;
    if (endsAPlace(location.substr(0, at)) && !rest.empty() && rest[0] == ':')
      std::from_chars(rest.data() + 1, rest.data() + rest.size(), line);
    if (line)
      lines.insert(line);
  }
}

Json sourceJson(const PageInput &input) {
  if (input.source.empty())
    return nullptr;
  std::set<size_t> wanted;
  for (const PageDevice &device : input.devices)
    for (const Command &command : device.prediction->commands)
      addLines(command.location, input.sourceName, wanted);
  Json lines = Json::object();
  size_t begin = 0, number = 0;
  while (begin < input.source.size() && !wanted.empty()) {
    const size_t end =
        std::min(input.source.find('\n', begin), input.source.size());
    if (++number == *wanted.begin()) {
      std::string text(
          input.source.substr(begin, std::min(end - begin, mostLineBytes)));
      if (end - begin > mostLineBytes)
        text += " ...";
      lines[std::to_string(number)] = std::move(text);
      wanted.erase(wanted.begin());
    }
    begin = end + 1;
  }
  return {{"name", input.sourceName}, {"lines", std::move(lines)}};
}

Json remarksJson(const PageDevice &device) {
  if (!device.remarks)
    return nullptr;
  Json list = Json::array();
  for (const Remark &remark : *device.remarks)
    list.push_back({{"pass", remark.pass},
                    {"kind", remark.kind},
                    {"location", remark.location},
                    {"text", remark.text}});
  return list;
}

/// JSON for a script element: without '<' no text can end the element or begin
/// a comment. '<' occurs in strings only, where an escape means the same.
std::string scriptText(const Json &json) {
  // Names come from files: bytes that are not UTF-8 become U+FFFD.
  const std::string plain =
      json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size() + plain.size() / 64);
  for (char c : plain)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

std::string dataOf(const PageInput &input) {
  Json predictions = Json::array(), extra = Json::array(),
       refused = Json::array(), remarks = Json::array(), slower = Json::array();
  for (const PageDevice &device : input.devices) {
    predictions.push_back(toJson(*device.prediction, device.advice));
    extra.push_back(drawingsJson(*device.prediction));
    remarks.push_back(remarksJson(device));
  }
  for (const auto &[slow, fast] : slowerPairs(predictions))
    slower.push_back(whySlower(predictions[slow], predictions[fast]));
  for (const RefusedDevice &device : input.refused)
    refused.push_back({{"device", device.device}, {"error", device.error}});
  Json measured = nullptr;
  if (input.hostMilliseconds)
    measured = {{"host_ms", *input.hostMilliseconds},
                {"threads", input.hostThreads}};
  return scriptText(
      {{"title", input.title},
       {"predictions", std::move(predictions)},
       {"extra", std::move(extra)},
       {"refused", std::move(refused)},
       {"measured", std::move(measured)},
       {"remarks", std::move(remarks)},
       {"source", sourceJson(input)},
       {"script", input.script.empty() ? Json() : Json::parse(input.script)},
       {"precision",
        input.precision.empty() ? Json() : Json::parse(input.precision)},
       {"passes", input.passes.empty() ? Json() : Json::parse(input.passes)},
       {"comparison",
        input.comparison.empty() ? Json() : Json::parse(input.comparison)},
       {"slower", std::move(slower)}});
}

} // namespace

bool isScript(std::string_view json) {
  return Json::parse(json, nullptr, /*allow_exceptions=*/false).is_object();
}

Status writePage(OutputFile &file, const PageInput &input) {
  assert(!input.devices.empty() && "a page shows a device");
  assert(input.script.empty() || isScript(input.script));
  const auto write = [&](std::string_view text) {
    return file.write(text.data(), text.size());
  };
  std::string_view rest = pageTemplate;
  while (!rest.empty()) {
    const size_t begin = rest.find('@');
    const size_t end =
        begin == rest.npos ? rest.npos : rest.find('@', begin + 1);
    GAUDI_TRY(write(rest.substr(0, begin)));
    if (begin == rest.npos)
      break;
    assert(end != rest.npos && "placeholders come between two signs");
    const std::string_view name = rest.substr(begin + 1, end - begin - 1);
    if (name == "DATA") {
      GAUDI_TRY(write(dataOf(input)));
    } else if (name == "STYLE") {
      GAUDI_TRY(write(pageStyle));
    } else {
      assert(name == "SCRIPT" && "no other placeholder");
      GAUDI_TRY(write(pageScript));
    }
    rest.remove_prefix(end + 1);
  }
  return {};
}

} // namespace gaudi::prediction
