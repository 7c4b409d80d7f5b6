// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as JSON. docs/gaudi-run.md lists the keys.
#include "Gaudi/Prediction/Json.h"
#include "Gaudi/Prediction/RemarkSummary.h"
#include "JsonOutput.h"
#include "Report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity; they become strings.
Json number(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  return value;
}

Json nameOrNull(const std::string &name) {
  return name.empty() ? Json(nullptr) : Json(name);
}

Json comparisonJson(const analysis::Comparison &comparison) {
  Json json = {{"output", comparison.output},
               {"against", comparison.against},
               {"passed", comparison.passed()},
               {"elements", comparison.count},
               {"out_of_tolerance", comparison.failures}};
  if (comparison.count)
    json["worst"] = {{"index", comparison.position},
                     {"got", number(comparison.actual)},
                     {"expected", number(comparison.reference)},
                     {"error", number(comparison.error)},
                     {"allowed", number(comparison.allowed)}};
  json["largest_expected"] = number(comparison.largest);
  if (comparison.hasNoise) {
    if (comparison.count)
      json["worst"]["expected_noise"] = number(comparison.noise);
    json["unexpected"] = {{"rms", number(comparison.spread)},
                          {"allowed", number(comparison.allowedSpread)}};
  }
  return json;
}

Json enginesJson(const DeviceReport &device) {
  Json engines = Json::object();
  for (unsigned engine = 0; engine < runtime::engineCount; ++engine) {
    const EngineSum sum = sumOf(device, engine);
    Json entry = {
        {"commands", sum.commands}, {"flops", sum.flops}, {"bytes", sum.bytes}};
    if (device.profiles)
      entry["host_ms"] = device.engineMilliseconds[engine];
    engines[runtime::engineName(engine)] = std::move(entry);
  }
  return engines;
}

Json commandsJson(const DeviceReport &device) {
  Json list = Json::array();
  for (size_t i = 0; i < device.commands.size(); ++i) {
    const auto &command = device.commands[i];
    Json entry = {{"name", command.name},
                  {"engine", runtime::engineName(command.engine)},
                  {"location", command.location},
                  {"implementation", command.implementation},
                  {"flops", command.flops},
                  {"bytes", command.bytes},
                  {"predicted_us", double(predictedTime(device, i)) / 1e6}};
    if (command.within)
      entry["within"] = *command.within;
    if (i < device.commandMilliseconds.size())
      entry["host_ms"] = device.commandMilliseconds[i];
    list.push_back(std::move(entry));
  }
  return list;
}

Json memoryJson(const DeviceReport &device) {
  const auto &memory = device.memory;
  Json json = {{"persistent", memory.persistent},
               {"state", device.stateBytes},
               {"const", memory.constants},
               {"workspace", memory.workspace},
               {"planned_peak", memory.plannedPeak()},
               {"measured_peak", memory.measuredPeak},
               {"capacity", device.capacity},
               {"fits", device.prediction.fits()},
               {"host_limit", memory.capacity},
               {"host_scratch", memory.hostScratch},
               {"host_mapped", memory.hostMapped},
               {"host_shared", memory.hostShared}};
  constexpr size_t mostBuffers = 20;
  json.update(prediction::blameOf(device.prediction, mostBuffers));
  return json;
}

Json kernelsJson(const runtime::KernelStats &kernels) {
  Json json = {{"different", kernels.kernels},
               {"from_cache", kernels.fromCache},
               {"compiled", kernels.compiled},
               {"lookup_host_ms", kernels.lookupMilliseconds},
               {"compile_host_ms", kernels.compileMilliseconds},
               {"cache", nameOrNull(kernels.cacheDirectory)}};
  if (!kernels.cacheNote.empty())
    json["note"] = kernels.cacheNote;
  return json;
}

Json hostKernelsJson(const runtime::HostKernels &host) {
  Json kernels = Json::object();
  for (const auto &kernel : host.kernels)
    kernels[kernel.operands] = nameOrNull(kernel.name);
  return {{"family", host.family},
          {"reason", host.reason},
          {"kernels", std::move(kernels)},
          {"notes", host.notes}};
}

Json panelsJson(const runtime::PanelStats &panels) {
  Json json = {{"different", panels.constants},
               {"from_cache", panels.mapped},
               {"packed", panels.packed},
               {"shared", panels.shared},
               {"from_cache_bytes", panels.mappedBytes},
               {"shared_bytes", panels.sharedBytes},
               {"packed_bytes", panels.packedBytes},
               {"host_ms", panels.milliseconds},
               {"cache", nameOrNull(panels.cacheDirectory)},
               {"validation_record", panels.hasRecord}};
  if (!panels.cacheNote.empty())
    json["note"] = panels.cacheNote;
  return json;
}

Json variantsJson(const DeviceReport &device) {
  Json variants = Json::array();
  for (const VariantHits &variant : device.variants)
    variants.push_back(
        {{"sizes", variant.sizes},
         {"launches", variant.launches},
         {"padding_percent",
          variant.real > 0 ? 100 * (variant.padded / variant.real - 1) : 0},
         {"device_us", double(variant.picoseconds) / 1e6}});
  Json json = {{"launched_with", device.sizes},
               {"variants", std::move(variants)}};
  json["compiles"] = Json::array();
  if (device.recompiled)
    json["compiles"].push_back({{"reason", device.recompiled->reason},
                                {"variant", device.recompiled->bucket},
                                {"host_ms", device.recompiled->milliseconds}});
  return json;
}

Json permutedJson(const DeviceReport &device) {
  Json list = Json::array();
  for (const PermutedTensor &tensor : device.permuted)
    list.push_back({{"kind", tensor.kind},
                    {"name", tensor.name},
                    {"type", recipe::elementName(tensor.type.element)},
                    {"shape", tensor.type.shape},
                    {"order", tensor.order},
                    {"host_ms", tensor.milliseconds}});
  return list;
}

Json timesJson(const Report &report) {
  Json times = Json::object();
  const auto add = [&](const char *step, std::optional<double> time) {
    if (time)
      times[step] = *time;
  };
  add("read", report.readMilliseconds);
  add("parse", report.parseMilliseconds);
  add("compile", report.compileMilliseconds);
  if (report.device) {
    const Spread spread = spreadOf(report.device->launches);
    const Spread cpu = spreadOf(report.device->cpuTimes);
    times["load"] = report.device->loadMilliseconds;
    times["run"] = {{"count", spread.count},
                    {"median", spread.median},
                    {"min", spread.smallest},
                    {"max", spread.largest},
                    {"mad", spread.deviation},
                    {"launches", report.device->launches},
                    {"cpu",
                     {{"median", cpu.median},
                      {"min", cpu.smallest},
                      {"max", cpu.largest},
                      {"mad", cpu.deviation}}},
                    {"profiled", report.device->profiles}};
  }
  add("reference", report.referenceMilliseconds);
  return times;
}

Json outputJson(const recipe::HostTensor &tensor, uint32_t elements) {
  Json first = Json::array();
  const bool isFloat = recipe::isFloat(tensor.type.element);
  const uint64_t shown = std::min<uint64_t>(elements, tensor.type.count());
  for (uint64_t i = 0; i < shown; ++i)
    first.push_back(isFloat ? number(tensor.floatAt(i))
                            : Json(tensor.intAt(i)));
  Json json = {{"name", tensor.name},
               {"type", recipe::elementName(tensor.type.element)},
               {"shape", tensor.type.shape},
               {"first", std::move(first)}};
  const analysis::ValueRange range = analysis::rangeOf(tensor);
  if (range.hasNumbers()) {
    json["min"] = number(range.smallest);
    json["max"] = number(range.largest);
  }
  if (range.nans)
    json["nan"] = range.nans;
  return json;
}

/// The counts, and with the other levels "missed" or "all".
Json remarksJson(const std::vector<prediction::Remark> &remarks,
                 RemarkLevel level) {
  Json json = {{"counts", toJson(prediction::countsOf(remarks))}};
  if (level == RemarkLevel::Missed) {
    json["missed"] = Json::array();
    for (const prediction::LostGroup &group : prediction::lostOf(remarks))
      for (const prediction::LostLine &line : group.lines)
        for (const prediction::Remark *remark : line.remarks)
          json["missed"].push_back(toJson(*remark));
  } else if (level == RemarkLevel::All) {
    json["all"] = Json::array();
    for (const prediction::Remark &remark : remarks)
      json["all"].push_back(toJson(remark));
  }
  return json;
}

} // namespace

void printJson(const Report &report,
               const std::vector<recipe::HostTensor> &outputs,
               uint32_t elements) {
  Json json = {{"model", report.file}, {"entry", report.entry}};
  if (report.device) {
    const DeviceReport &device = *report.device;
    json["recipe"] = {{"target", device.target},
                      {"producer", device.producer},
                      {"bytes", device.recipeBytes},
                      {"metadata_bytes", device.shares.metadata},
                      {"constant_bytes", device.shares.constants}};
    if (device.entries.size() > 1)
      json["recipe"]["entries"] = device.entries;
    if (device.iterations) {
      json["iterations"] = *device.iterations;
      json["predicted_iterations"] = 1; // of each loop
    }
    json["threads"] = device.threads;
    json["predicted"] = summaryOf(device.prediction);
    json["fusions"] = prediction::fusionsOf(device.prediction);
    json["permutations"] = prediction::permutationsOf(device.prediction);
    json["engines"] = enginesJson(device);
    json["memory"] = memoryJson(device);
    if (!device.permuted.empty())
      json["permuted"] = permutedJson(device);
    if (!device.variants.empty())
      json["dynamic_sizes"] = variantsJson(device);
    json["kernels"] = kernelsJson(device.kernels);
    if (!device.hostKernels.family.empty())
      json["matrix_kernels"] = hostKernelsJson(device.hostKernels);
    if (device.panels.constants)
      json["panels"] = panelsJson(device.panels);
  }
  json["host_ms"] = timesJson(report);
  if (report.loss) {
    Json values = Json::array();
    for (double value : report.loss->values)
      values.push_back(number(value));
    json["loss"] = {{"output", report.loss->output},
                    {"values", std::move(values)}};
  }
  json["outputs"] = Json::array();
  for (const recipe::HostTensor &output : outputs)
    json["outputs"].push_back(outputJson(output, elements));
  json["comparisons"] = Json::array();
  for (const analysis::Comparison &comparison : report.comparisons)
    json["comparisons"].push_back(comparisonJson(comparison));
  if (report.finite)
    json["finite"] = {{"passed", report.finite->passed},
                      {"message", report.finite->message}};
  if (report.finite && !report.finite->birth.empty())
    json["finite"]["birth"] = Json::parse(report.finite->birth);
  if (report.device)
    json["commands"] = commandsJson(*report.device);
  if (report.remarkLevel != RemarkLevel::None)
    json["remarks"] = remarksJson(report.remarks, report.remarkLevel);
  printJsonObject("report", json);
}

} // namespace gaudi::run
