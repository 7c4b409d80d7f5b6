// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilations that a trace of launches causes where all sizes are static.
#include "Gaudi/Analysis/SignatureReplay.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Shapes/SharedSymbols.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace gaudi::analysis {
namespace {

using shapes::Difference;
using shapes::Signature;
using shapes::Trace;

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

class SignatureReplay {
public:
  SignatureReplay(Signature model, const Trace &trace)
      : model(std::move(model)), trace(trace) {
    // Ops are those of the model, whatever the trace says.
    this->model.ops.clear();
  }

  Result<SignatureReport> run();

private:
  Status readColumns();
  std::optional<Column> columnOf(const std::string &name) const;
  Status apply(const Trace::Launch &launch, size_t column, Signature &signature,
               std::string &field) const;
  Status take(const Trace::Launch &launch);
  size_t nearestOf(const Sighting &sighting) const;
  std::vector<SignatureReport::Cause> causes() const;
  std::string advice(const Difference &first) const;
  std::string shapesText() const;

  Signature model;
  const Trace &trace;
  std::vector<Column> columns;
  std::vector<std::string> unknown; ///< columns that the model does not have
  std::vector<Sighting> seen;
  std::map<std::vector<std::string>, size_t> numberOf; ///< by fields
};

Result<SignatureReport> SignatureReplay::run() {
  SignatureReport report;
  GAUDI_TRY(readColumns());
  for (const Trace::Launch &launch : trace.launches) {
    report.launches += launch.count;
    GAUDI_TRY(take(launch));
  }
  for (size_t i = 1; i < seen.size(); ++i)
    report.compilations.push_back(
        {seen[i].line, seen[seen[i].nearest].line, seen[i].launches,
         seen[i].differences.front(), seen[i].differences.size() - 1,
         seen[i].avoidedBy});
  report.causes = causes();
  report.unknown = unknown;
  return report;
}

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
  for (size_t c = 0; c < trace.columns.size(); ++c) {
    const std::string &name = trace.columns[c];
    if (auto column = columnOf(name)) {
      columns.push_back(*column);
      continue;
    }
    columns.push_back({Column::Value, model.values.size(), 0});
    unknown.push_back(name);
    // The model says nothing of it: what the first launch has is compiled.
    model.values.push_back({name, trace.launches.empty()
                                      ? std::string()
                                      : trace.launches[0].fields[c]});
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
        GAUDI_TRY(parseFieldType(text, launch.line, trace.columns[number]));
    signature.inputs[column.number].element = element;
    signature.inputs[column.number].sizes = sizes;
    field = shapes::typeText(element, sizes);
    return {};
  }
  case Column::Dimension: {
    auto &sizes = signature.inputs[column.number].sizes;
    const int64_t size = GAUDI_TRY(trace.sizeAt(launch, number));
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
                  printable(trace.columns[number]), inQuotes(text));
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

std::vector<SignatureReport::Cause> SignatureReplay::causes() const {
  // With the last difference of each subject.
  std::map<std::string, std::pair<SignatureReport::Cause, const Difference *>>
      blamed;
  for (size_t i = 1; i < seen.size(); ++i) {
    const Sighting &sighting = seen[i];
    const Difference &first = sighting.differences.front();
    auto &[cause, last] = blamed[first.subject];
    last = &first;
    cause.subject = first.subject;
    ++cause.compilations;
    cause.launches += sighting.launches;
    if (first.cause == shapes::Cause::Dimension && !first.isNamed)
      for (const Signature *signature :
           {&sighting.signature, &seen[sighting.nearest].signature})
        cause.sizes.insert(
            signature->inputs[first.input].sizes[first.dimension]);
  }
  std::vector<SignatureReport::Cause> causes;
  for (auto &[subject, entry] : blamed) {
    entry.first.avoidedBy = advice(*entry.second);
    causes.push_back(std::move(entry.first));
  }
  std::sort(causes.begin(), causes.end(), [](const auto &a, const auto &b) {
    return a.compilations != b.compilations ? a.compilations > b.compilations
                                            : a.subject < b.subject;
  });
  return causes;
}

/// --shape for all dimensions that change in the trace.
std::string SignatureReplay::shapesText() const {
  std::vector<const Signature *> signatures;
  for (const Sighting &sighting : seen)
    signatures.push_back(&sighting.signature);
  return fmt::format("{}",
                     fmt::join(shapes::symbolsFor(signatures).options, " "));
}

std::string SignatureReplay::advice(const Difference &first) const {
  if (first.cause == shapes::Cause::Dimension && !first.isNamed)
    return fmt::format("one recipe for all sizes: {} --buckets=exponential:8, "
                       "where the model has dynamic sizes ('?')",
                       shapesText());
  for (const Sighting &sighting : seen)
    if (!sighting.differences.empty() &&
        sighting.differences.front().subject == first.subject)
      return sighting.avoidedBy;
  return "";
}

} // namespace

Result<std::pair<std::string, shapes::Sizes>>
parseFieldType(const std::string &field, uint64_t line,
               const std::string &column) {
  std::string_view text = field;
  constexpr std::string_view prefix = "tensor<";
  if (text.substr(0, prefix.size()) == prefix && text.back() == '>')
    text = text.substr(prefix.size(), text.size() - prefix.size() - 1);
  const auto type = recipe::parseTensorType(text);
  if (!type)
    return fail("line {}: {} must be a type, such as 1x128xi32, but is {}",
                line, printable(column), inQuotes(field));
  return std::pair(std::string(recipe::elementName(type->element)),
                   shapes::Sizes(type->shape));
}

Result<SignatureReport> replaySignatures(const Signature &model,
                                         const Trace &trace,
                                         const std::string &traceName) {
  SignatureReport report =
      GAUDI_TRY(ofTrace(traceName, SignatureReplay(model, trace).run()));
  report.trace = traceName;
  return report;
}

nlohmann::ordered_json toJson(const SignatureReport &report) {
  using Json = nlohmann::ordered_json;
  Json json = {{"trace", report.trace},
               {"launches", report.launches},
               {"compiles", Json::array()},
               {"causes", Json::array()}};
  for (const SignatureReport::Compilation &each : report.compilations)
    json["compiles"].push_back({{"line", each.line},
                                {"cause", shapes::causeName(each.reason.cause)},
                                {"subject", each.reason.subject},
                                {"reason", each.reason.text()},
                                {"compared_with_line", each.comparedWith},
                                {"other_differences", each.otherDifferences},
                                {"launches", each.launches},
                                {"avoided_by", each.avoidedBy}});
  for (const SignatureReport::Cause &cause : report.causes)
    json["causes"].push_back({{"subject", cause.subject},
                              {"compiles", cause.compilations},
                              {"launches", cause.launches},
                              {"sizes", cause.sizes},
                              {"avoided_by", cause.avoidedBy}});
  if (!report.unknown.empty())
    json["unknown_columns"] = report.unknown;
  return json;
}

} // namespace gaudi::analysis
