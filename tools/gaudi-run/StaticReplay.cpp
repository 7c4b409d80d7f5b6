// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilations that a trace of launches causes where all sizes are static.
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Shapes/SharedSymbols.h"
#include "Gaudi/Shapes/Trace.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "HostTensor.h"
#include "JsonOutput.h"
#include "Replay.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/ostream.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using shapes::Difference;
using shapes::Signature;
using shapes::Trace;

constexpr size_t mostLines = 20;
/// Signatures that a new one is compared with in full; more are compared by
/// their fields first.
constexpr size_t mostCompared = 64;

/// What the fields of a column say.
struct Column {
  enum Kind { Device, Input, Dimension, Constant, Value } kind = Value;
  size_t number = 0, dimension = 0;
};

/// A signature, when it was seen first, and why it differs.
struct Sighting {
  Signature signature;
  std::vector<std::string> fields; ///< what it is by, normalised
  uint64_t line = 0;               ///< 0: the model itself
  uint64_t launches = 0;
  size_t nearest = 0; ///< what it was compared with
  std::vector<Difference> differences;
  std::string avoidedBy;
};

/// Compilations with the same thing to blame.
struct Blamed {
  const Difference *first = nullptr;
  size_t compilations = 0;
  uint64_t launches = 0;
  std::set<int64_t> sizes; ///< of a dimension
};

class SignatureReplay {
public:
  SignatureReplay(Signature model, const Options &options)
      : model(std::move(model)), options(options) {
    // Ops are those of the model, whatever the trace says.
    this->model.ops.clear();
  }

  Status run(const Trace &given) {
    trace = &given;
    GAUDI_TRY(readColumns());
    for (const Trace::Launch &launch : given.launches) {
      launches += launch.count;
      GAUDI_TRY(take(launch));
    }
    return {};
  }

  void printText() const;
  void printJson() const;

private:
  Status readColumns();
  std::optional<Column> columnOf(const std::string &name) const;
  Status apply(const Trace::Launch &launch, size_t column, Signature &signature,
               std::string &field) const;
  Status take(const Trace::Launch &launch);
  size_t nearestOf(const Sighting &sighting) const;
  std::map<std::string, Blamed> blame() const;
  std::string advice(const Blamed &blamed) const;
  std::string shapesText() const;
  std::vector<std::pair<std::string, Blamed>> blamedInOrder() const;
  std::string lineText(const Sighting &sighting) const {
    return sighting.line ? fmt::format("line {}", sighting.line) : "the model";
  }

  Signature model;
  const Options &options;
  const Trace *trace = nullptr;
  std::vector<Column> columns;
  std::vector<std::string> unknown; ///< columns that the model does not have
  std::vector<Sighting> seen;
  std::map<std::vector<std::string>, size_t> numberOf; ///< by fields
  uint64_t launches = 0;
};

/// "tokens" or "tokens[1]".
std::optional<Column> SignatureReplay::columnOf(const std::string &name) const {
  if (name == "device")
    return Column{Column::Device, 0, 0};
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const Signature::Input &input = model.inputs[i];
    if (name == input.name)
      return Column{Column::Input, i, 0};
    for (size_t d = 0; d < input.sizes.size(); ++d)
      if (name == fmt::format("{}[{}]", input.name, d))
        return Column{Column::Dimension, i, d};
  }
  for (size_t c = 0; c < model.constants.size(); ++c)
    if (name == model.constants[c].name &&
        model.constants[c].values.size() == 1)
      return Column{Column::Constant, c, 0};
  return std::nullopt;
}

Status SignatureReplay::readColumns() {
  for (size_t c = 0; c < trace->columns.size(); ++c) {
    const std::string &name = trace->columns[c];
    if (auto column = columnOf(name)) {
      columns.push_back(*column);
      continue;
    }
    columns.push_back({Column::Value, model.values.size(), 0});
    unknown.push_back(name);
    // The model says nothing of it: what the first launch has is compiled.
    model.values.push_back({name, trace->launches.empty()
                                      ? std::string()
                                      : trace->launches[0].fields[c]});
  }
  if (std::none_of(columns.begin(), columns.end(), [](const Column &column) {
        return column.kind == Column::Constant;
      }))
    model.constants.clear();
  Sighting first;
  first.signature = model;
  for (size_t c = 0; c < columns.size(); ++c) {
    const Column &column = columns[c];
    const auto *input =
        column.kind == Column::Input || column.kind == Column::Dimension
            ? &model.inputs[column.number]
            : nullptr;
    first.fields.push_back(
        column.kind == Column::Device ? model.device
        : column.kind == Column::Input
            ? shapes::typeText(input->element, input->sizes)
        : column.kind == Column::Dimension
            ? std::to_string(input->sizes[column.dimension])
        : column.kind == Column::Constant
            ? fmt::format("{}", model.constants[column.number].values[0])
            : model.values[column.number].second);
  }
  numberOf[first.fields] = 0;
  seen.push_back(std::move(first));
  return {};
}

/// Changes the signature as the field says; `field` becomes what equal fields
/// have in common.
Status SignatureReplay::apply(const Trace::Launch &launch, size_t number,
                              Signature &signature, std::string &field) const {
  const Column &column = columns[number];
  const std::string &text = launch.fields[number];
  field = text;
  switch (column.kind) {
  case Column::Device:
    signature.device = text;
    return {};
  case Column::Input: {
    auto [element, sizes] =
        GAUDI_TRY(parseFieldType(text, launch.line, trace->columns[number]));
    signature.inputs[column.number].element = element;
    signature.inputs[column.number].sizes = sizes;
    field = shapes::typeText(element, sizes);
    return {};
  }
  case Column::Dimension: {
    auto &sizes = signature.inputs[column.number].sizes;
    const int64_t size = GAUDI_TRY(trace->sizeAt(launch, number));
    if (column.dimension < sizes.size()) // a column of its types may say less
      sizes[column.dimension] = size;
    field = std::to_string(size);
    return {};
  }
  case Column::Constant: {
    double value = 0;
    const char *end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end)
      return fail("line {}: {} must be a number but is {}", launch.line,
                  printable(trace->columns[number]), inQuotes(text));
    auto &constant = signature.constants[column.number];
    if (constant.values[0] != value)
      std::memcpy(&constant.hash, &value, sizeof value);
    constant.values[0] = value;
    field = fmt::format("{}", value);
    return {};
  }
  case Column::Value:
    signature.values[column.number].second = text;
    return {};
  }
  return {};
}

/// The signature with the fewest differences; of several the one seen last.
size_t SignatureReplay::nearestOf(const Sighting &sighting) const {
  const auto fieldsApart = [&](size_t i) {
    size_t count = 0;
    for (size_t c = 0; c < sighting.fields.size(); ++c)
      count += seen[i].fields[c] != sighting.fields[c];
    return count;
  };
  size_t fewestFields = SIZE_MAX;
  if (seen.size() > mostCompared)
    for (size_t i = 0; i < seen.size(); ++i)
      fewestFields = std::min(fewestFields, fieldsApart(i));
  size_t nearest = 0, fewest = SIZE_MAX, compared = 0;
  for (size_t i = seen.size(); i-- > 0 && compared < mostCompared;) {
    if (seen.size() > mostCompared && fieldsApart(i) != fewestFields)
      continue;
    ++compared;
    const size_t count =
        differences(seen[i].signature, sighting.signature).size();
    if (count < fewest) {
      fewest = count;
      nearest = i;
    }
  }
  return nearest;
}

Status SignatureReplay::take(const Trace::Launch &launch) {
  Sighting sighting;
  sighting.signature = model;
  sighting.fields.resize(columns.size());
  for (size_t c = 0; c < columns.size(); ++c)
    GAUDI_TRY(apply(launch, c, sighting.signature, sighting.fields[c]));
  const auto [it, isNew] = numberOf.try_emplace(sighting.fields, seen.size());
  if (isNew) {
    sighting.line = launch.line;
    sighting.nearest = nearestOf(sighting);
    const Signature &nearest = seen[sighting.nearest].signature;
    sighting.differences = differences(nearest, sighting.signature);
    sighting.avoidedBy =
        howToAvoid(sighting.differences, nearest, sighting.signature);
    if (sighting.differences.empty())
      it->second = sighting.nearest; // other words for it
    else
      seen.push_back(std::move(sighting));
  }
  seen[it->second].launches += launch.count;
  return {};
}

std::map<std::string, Blamed> SignatureReplay::blame() const {
  std::map<std::string, Blamed> blamed;
  for (size_t i = 1; i < seen.size(); ++i) {
    const Sighting &sighting = seen[i];
    const Difference &first = sighting.differences.front();
    Blamed &entry = blamed[first.subject];
    entry.first = &first;
    ++entry.compilations;
    entry.launches += sighting.launches;
    if (first.cause == shapes::Cause::Dimension && !first.isNamed)
      for (const Signature *signature :
           {&sighting.signature, &seen[sighting.nearest].signature})
        entry.sizes.insert(
            signature->inputs[first.input].sizes[first.dimension]);
  }
  return blamed;
}

std::vector<std::pair<std::string, Blamed>>
SignatureReplay::blamedInOrder() const {
  std::vector<std::pair<std::string, Blamed>> list;
  for (auto &[subject, blamed] : blame())
    list.emplace_back(subject, blamed);
  std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
    return a.second.compilations != b.second.compilations
               ? a.second.compilations > b.second.compilations
               : a.first < b.first;
  });
  return list;
}

/// --shape for all dimensions that change in the trace.
std::string SignatureReplay::shapesText() const {
  std::vector<const Signature *> signatures;
  for (const Sighting &sighting : seen)
    signatures.push_back(&sighting.signature);
  return fmt::format("{}",
                     fmt::join(shapes::symbolsFor(signatures).options, " "));
}

std::string SignatureReplay::advice(const Blamed &blamed) const {
  if (blamed.first->cause == shapes::Cause::Dimension && !blamed.first->isNamed)
    return fmt::format("one recipe for all sizes: {} --buckets=exponential:8, "
                       "where the model has dynamic sizes ('?')",
                       shapesText());
  for (const Sighting &sighting : seen)
    if (!sighting.differences.empty() &&
        sighting.differences.front().subject == blamed.first->subject)
      return sighting.avoidedBy;
  return "";
}

void SignatureReplay::printText() const {
  const size_t compiles = seen.size() - 1;
  fmt::print(std::cout, "shapes of {}: {}, {} besides the model's own\n",
             inQuotes(options.shapesFrom),
             countOf(launches, "launch", "launches"),
             countOf(compiles, "signature"));
  fmt::print(std::cout, "compiles: {}\n", compiles);
  for (const auto &[subject, blamed] : blamedInOrder()) {
    std::string sizes;
    if (!blamed.sizes.empty())
      sizes = fmt::format(", {} sizes from {} to {}", blamed.sizes.size(),
                          *blamed.sizes.begin(), *blamed.sizes.rbegin());
    fmt::print(std::cout, "  {} of {} because of {}{}; for {}\n",
               blamed.compilations, compiles, subject, sizes,
               countOf(blamed.launches, "launch", "launches"));
    fmt::print(std::cout, "    avoided by: {}\n", advice(blamed));
  }
  for (size_t i = 1; i <= std::min(compiles, mostLines); ++i) {
    const Sighting &sighting = seen[i];
    const size_t others = sighting.differences.size() - 1;
    fmt::print(std::cout, "  line {}: {} ({}){}; for {}\n", sighting.line,
               sighting.differences.front().text(),
               lineText(seen[sighting.nearest]),
               others ? " and " + countOf(others, "other difference") : "",
               countOf(sighting.launches, "launch", "launches"));
  }
  if (compiles > mostLines)
    fmt::print(std::cout, "  ... and {} more\n", compiles - mostLines);
  if (!unknown.empty())
    fmt::print(std::cout,
               "note: {} {} neither input nor constant of the model; each "
               "value counts as a signature of its own\n",
               printable(fmt::format("{}", fmt::join(unknown, ", "))),
               unknown.size() == 1 ? "is" : "are");
}

void SignatureReplay::printJson() const {
  Json json = {{"trace", options.shapesFrom},
               {"launches", launches},
               {"compiles", Json::array()},
               {"causes", Json::array()}};
  for (size_t i = 1; i < seen.size(); ++i) {
    const Sighting &sighting = seen[i];
    const Difference &first = sighting.differences.front();
    json["compiles"].push_back(
        {{"line", sighting.line},
         {"cause", shapes::causeName(first.cause)},
         {"subject", first.subject},
         {"reason", first.text()},
         {"compared_with_line", seen[sighting.nearest].line},
         {"other_differences", sighting.differences.size() - 1},
         {"launches", sighting.launches},
         {"avoided_by", sighting.avoidedBy}});
  }
  for (const auto &[subject, blamed] : blamedInOrder())
    json["causes"].push_back({{"subject", subject},
                              {"compiles", blamed.compilations},
                              {"launches", blamed.launches},
                              {"sizes", blamed.sizes},
                              {"avoided_by", advice(blamed)}});
  if (!unknown.empty())
    json["unknown_columns"] = unknown;
  printJsonObject("replay", json);
}

} // namespace

Result<std::pair<std::string, shapes::Sizes>>
parseFieldType(const std::string &field, uint64_t line,
               const std::string &column) {
  std::string_view text = field;
  constexpr std::string_view prefix = "tensor<";
  if (text.substr(0, prefix.size()) == prefix && text.back() == '>')
    text = text.substr(prefix.size(), text.size() - prefix.size() - 1);
  const auto type = parseTensorType(text);
  if (!type)
    return fail("line {}: {} must be a type, such as 1x128xi32, but is {}",
                line, printable(column), inQuotes(field));
  return std::pair(std::string(recipe::elementName(type->element)),
                   shapes::Sizes(type->shape));
}

Status replaySignatures(const shapes::Signature &model,
                        const Options &options) {
  if (options.launchesTrace())
    return fail("--shapes-from launches models with dynamic sizes only; remove "
                "--seed-inputs and --input");
  const Trace trace = GAUDI_TRY(shapes::readTrace(options.shapesFrom));
  SignatureReplay replay(model, options);
  GAUDI_TRY(replay.run(trace));
  if (options.report == ReportForm::Json)
    replay.printJson();
  else
    replay.printText();
  return {};
}

} // namespace gaudi::run
