// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prediction as JSON.
#include "Gaudi/Prediction/Json.h"
#include "JsonText.h"

#include <map>
#include <nlohmann/json.hpp>

namespace gaudi::prediction {
namespace {

using Json = nlohmann::ordered_json;
using timing::Queue;
using timing::queueCount;

Json enginesJson(const Prediction &prediction) {
  const timing::Timeline &line = prediction.timeline;
  Json engines = Json::object();
  for (unsigned q = 0; q < queueCount; ++q) {
    const timing::QueueTime &queue = line.queues[q];
    Json idle = Json::object();
    for (unsigned other = 0; other < queueCount; ++other)
      if (queue.idleFor[other])
        idle[std::string(nameOf(Queue(other)))] = us(queue.idleFor[other]);
    if (queue.idleFor[queueCount])
      idle["end"] = us(queue.idleFor[queueCount]);
    engines[std::string(nameOf(Queue(q)))] = {
        {"engines", enginesOf(Queue(q), *prediction.device)},
        {"commands", queue.tasks},
        {"busy_us", us(queue.busy)},
        {"share", prediction.shareOf(Queue(q))},
        {"exposed_us", us(queue.exposed)},
        {"idle_us_for", std::move(idle)}};
  }
  return engines;
}

Json memoryJson(const Prediction &prediction) {
  return {{"persistent", prediction.persistent},
          {"const", prediction.constants},
          {"workspace", prediction.workspace},
          {"needed", prediction.memoryNeeded()},
          {"capacity", prediction.capacity},
          {"fits", prediction.fits()}};
}

Json splitJson(const Prediction &prediction) {
  const TimeSplit split = prediction.split();
  Json json = {{"start", us(split.start)}};
  for (unsigned q = 0; q < queueCount; ++q)
    json[std::string(nameOf(Queue(q)))] = us(split.working[q]);
  json["idle"] = us(split.idle);
  return json;
}

/// Rates that the engines of the device cannot exceed. A vector instruction
/// multiplies and adds in each lane of 32 bits.
Json peaksJson(const device::DeviceSpec &device) {
  Json mme = Json::object();
  for (const auto &[name, type] : {std::pair("bf16", device::DType::BF16),
                                   std::pair("f32", device::DType::F32)})
    if (device.mme.types.contains(type))
      mme[name] = 2 * device.mme.macsPerSecond(type);
  return {{"hbm_bytes_per_second", device.memory.dramBandwidth},
          {"mme_flops_per_second", std::move(mme)},
          {"tpc_flops_per_second", 2.0 * device.tpc.engines *
                                       (device.tpc.vectorBytes / 4) *
                                       double(device.tpc.clockHz)}};
}

void addLives(const Prediction &prediction, Json &json) {
  Json samples = Json::array();
  for (const MemorySample &sample : prediction.memory)
    samples.push_back({us(sample.time), sample.workspace});
  Json buffers = Json::array();
  for (const BufferLife &buffer : prediction.buffers)
    buffers.push_back({{"tensor", buffer.tensor},
                       {"name", buffer.name},
                       {"op", buffer.op},
                       {"location", buffer.location},
                       {"offset", buffer.offset},
                       {"bytes", buffer.bytes},
                       {"from_us", us(buffer.from)},
                       {"to_us", us(buffer.to)}});
  Json resident = Json::array();
  for (const ResidentTensor &tensor : prediction.resident) {
    Json each = {{"tensor", tensor.tensor},     {"name", tensor.name},
                 {"class", tensor.kind},        {"type", tensor.type},
                 {"location", tensor.location}, {"section", tensor.section},
                 {"offset", tensor.offset},     {"bytes", tensor.bytes}};
    if (tensor.from != tensor.to)
      each["used_us"] = {us(tensor.from), us(tensor.to)};
    resident.push_back(std::move(each));
  }
  json["resident"] = std::move(resident);
  json["in_use"] = std::move(samples);
  json["buffers"] = std::move(buffers);
}

/// Numbers of works by class and slices.
using Works = std::map<std::pair<uint32_t, uint32_t>, size_t>;

Works addWorks(const Prediction &prediction, Json &json) {
  Works works;
  json["works"] = Json::array();
  for (uint32_t c = 0; c < prediction.commands.size(); ++c)
    if (works
            .insert({{prediction.commands[c].workClass,
                      prediction.timeline.spans[c].slices},
                     works.size()})
            .second)
      json["works"].push_back(explain(prediction, c));
  return works;
}

Json mostExpensiveJson(const Prediction &prediction) {
  Json list = Json::array();
  for (const CommandGroup &group : prediction.mostExpensive(10))
    list.push_back({{"commands", group.commands}, {"time_us", us(group.time)}});
  return list;
}

Json commandJson(const Prediction &prediction, const Works &works, uint32_t c) {
  const Command &command = prediction.commands[c];
  const timing::Task &task = prediction.tasks[c];
  const timing::Span &span = prediction.timeline.spans[c];
  Json json = {{"name", command.name},
               {"engine", nameOf(command.queue)},
               {"location", command.location},
               {"operands", command.operands},
               {"work", works.at({command.workClass, span.slices})},
               {"start_us", us(span.start)},
               {"end_us", us(span.end)},
               {"alone_us", us(prediction.timeAlone(c))},
               {"bound", nameOf(span.bound)},
               {"critical", span.isCritical},
               {"wait", nameOf(span.wait)},
               {"waited_us", us(span.waited)}};
  if (span.waitedFor >= 0)
    json["waited_for"] = span.waitedFor;
  if (span.slices > 1)
    json["slices"] = span.slices;
  json["first_engine"] = span.firstEngine;
  json["engines"] = span.engines;
  if (task.cost.isChain()) {
    json["mme_busy_us"] = us(task.cost.mmeBusy);
    json["tpc_busy_us"] = us(task.cost.tpcBusy);
  }
  json["flops"] = command.flops;
  json["bytes"] = command.bytes;
  json["hbm_bytes"] = task.cost.hbmRead + task.cost.hbmWritten;
  json["utilization"] = task.cost.utilization;
  Json dependencies = Json::array();
  for (const timing::Dependency &dependency : task.dependencies)
    dependencies.push_back(dependency.task);
  json["dependencies"] = std::move(dependencies);
  return json;
}

Json pipelinesJson(const Prediction &prediction) {
  Json list = Json::array();
  for (const Pipeline &pipeline : prediction.pipelines) {
    Json json = {{"first", pipeline.first}, {"commands", pipeline.count}};
    if (pipeline.slices > 1) {
      json["slices"] = pipeline.slices;
      json["saved_us"] = us(pipeline.saved);
    } else {
      json["refused"] = pipeline.refusal;
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json adviceJson(const std::vector<Advice> &advice) {
  Json entries = Json::array();
  for (const Advice &entry : advice)
    entries.push_back({{"kind", nameOf(entry.kind)},
                       {"title", entry.title},
                       {"text", entry.text},
                       {"gain_us", us(entry.gain)},
                       {"share", entry.share},
                       {"commands", entry.commands},
                       {"locations", entry.locations}});
  return entries;
}

} // namespace

Json summaryOf(const Prediction &prediction) {
  return {{"device", prediction.device->name},
          {"entry", prediction.entry},
          {"time_us", us(prediction.time())},
          {"launch_us", us(prediction.timeline.launch)},
          {"time_split_us", splitJson(prediction)},
          {"flops", prediction.flops},
          {"hbm_bytes", prediction.hbmBytes},
          {"flops_per_byte", prediction.intensity()},
          {"mme_utilization", prediction.mmeUtilization},
          {"engines", enginesJson(prediction)},
          {"memory", memoryJson(prediction)},
          {"notes", prediction.notes}};
}

static Json peakJson(const Prediction &prediction, size_t limit) {
  const PeakMoment &peak = prediction.peak;
  if (!peak.exists)
    return nullptr;
  const Command &command = prediction.commands[peak.command];
  const timing::Span &span = prediction.timeline.spans[peak.command];
  Json buffers = Json::array();
  for (const LiveBuffer &buffer : peak.buffers) {
    if (buffers.size() == limit)
      break;
    buffers.push_back({{"name", buffer.name},
                       {"class", buffer.kind},
                       {"bytes", buffer.bytes},
                       {"location", buffer.location},
                       {"type", buffer.type},
                       {"op", buffer.op}});
  }
  return {{"workspace", peak.live},
          {"command", peak.command},
          {"op", command.name},
          {"location", command.location},
          {"from_us", us(span.start)},
          {"to_us", us(span.end)},
          {"buffers_in_all", peak.buffers.size()},
          {"buffers", std::move(buffers)}};
}

static Json planJson(const MemoryPlan &plan) {
  Json json = {{"entry", plan.entry}, {"line", plan.peaks.line()}};
  for (auto [key, bytes] : {std::pair("program_order", plan.peaks.programOrder),
                            std::pair("order", plan.peaks.order),
                            std::pair("order_bound", plan.peaks.orderBound),
                            std::pair("planned", plan.peaks.planned),
                            std::pair("planned_bound", plan.peaks.plannedBound),
                            std::pair("budget", plan.peaks.budget)})
    if (bytes >= 0)
      json[key] = bytes;
  Json sums = Json::array(), entries = Json::array();
  for (unsigned k = 0; k < memoryKindCount; ++k)
    if (const MemorySum &sum = plan.sums[k]; sum.count)
      sums.push_back({{"kind", nameOf(MemoryKind(k))},
                      {"count", sum.count},
                      {"bytes", sum.bytes},
                      {"time_us", us(sum.picoseconds)},
                      {"line", sum.line(MemoryKind(k))}});
  for (const MemoryPlan::Entry &entry : plan.entries) {
    Json item = {{"kind", nameOf(entry.kind)},
                 {"op", entry.name},
                 {"location", entry.location},
                 {"bytes", entry.bytes},
                 {"time_us", us(entry.picoseconds)}};
    for (auto [key, text] :
         {std::pair("reader", &entry.reader),
          std::pair("reader_location", &entry.readerLocation),
          std::pair("reason", &entry.reason),
          std::pair("remedy", &entry.remedy)})
      if (!text->empty())
        item[key] = *text;
    entries.push_back(std::move(item));
  }
  json["sums"] = std::move(sums);
  json["entries"] = std::move(entries);
  return json;
}

Json blameOf(const Prediction &prediction, size_t limit) {
  Json remedies = Json::array(), plans = Json::array();
  for (const Remedy &remedy : prediction.remedies)
    remedies.push_back({{"kind", nameOf(remedy.kind)},
                        {"text", remedy.text},
                        {"peak", remedy.peak},
                        {"saved", remedy.saved},
                        {"cost_us", us(remedy.cost)},
                        {"commands", remedy.commands}});
  for (const MemoryPlan &plan : prediction.plans)
    plans.push_back(planJson(plan));
  return {{"peak", peakJson(prediction, limit)},
          {"remedies", std::move(remedies)},
          {"plans", std::move(plans)}};
}

Json fusionsOf(const Prediction &prediction) {
  Json counts = Json::array(), candidates = Json::array();
  for (const FusionCount &count : countFusions(prediction))
    counts.push_back({{"kind", count.kind},
                      {"fused", count.fused},
                      {"candidates", count.candidates},
                      {"members", count.members},
                      {"bytes_saved", count.bytesSaved},
                      {"saved_us", double(count.picosecondsSaved) / 1e6},
                      {"line", count.line}});
  for (const Fusion &fusion : prediction.fusions)
    candidates.push_back({{"kind", fusion.kind},
                          {"fused", fusion.fused},
                          {"members", fusion.members},
                          {"bytes_saved", fusion.bytesSaved},
                          {"saved_us", double(fusion.picosecondsSaved) / 1e6},
                          {"location", fusion.location},
                          {"text", fusion.text}});
  return {{"counts", std::move(counts)}, {"candidates", std::move(candidates)}};
}

static Json countJson(const PermutationCount &count, std::string_view device) {
  return {{"transposes_before", count.transposesBefore},
          {"transposes_after", count.transposesAfter},
          {"bytes_before", count.bytesBefore},
          {"bytes_after", count.bytesAfter},
          {"before_us", double(count.picosecondsBefore) / 1e6},
          {"after_us", double(count.picosecondsAfter) / 1e6},
          {"lower_bound_us", double(count.lowerBound) / 1e6},
          {"optimal", count.isOptimal()},
          {"gap", count.gap()},
          {"line", count.line(device)}};
}

static Json regionJson(const PermutationRegion &region,
                       std::string_view device) {
  Json json = {{"entry", region.entry}, {"location", region.location}};
  json.update(countJson(region.count, device));
  json["ops_in_all"] = region.opsInAll;
  Json transposes = Json::array(), ops = Json::array(), edges = Json::array();
  for (const PermutationRegion::Transpose &transpose : region.transposes)
    transposes.push_back({{"remains", transpose.remains},
                          {"location", transpose.location},
                          {"bytes", transpose.bytes},
                          {"time_us", double(transpose.picoseconds) / 1e6},
                          {"text", transpose.text}});
  for (const PermutationRegion::Op &op : region.ops)
    ops.push_back(
        {{"name", op.name}, {"location", op.location}, {"order", op.order}});
  for (const PermutationRegion::Edge &edge : region.edges)
    edges.push_back({edge.from, edge.to, edge.transpose});
  json["transposes"] = std::move(transposes);
  json["ops"] = std::move(ops);
  json["edges"] = std::move(edges);
  return json;
}

Json permutationsOf(const Prediction &prediction) {
  const std::string_view device = prediction.device->name;
  Json json = countJson(countPermutations(prediction), device);
  json["regions"] = Json::array();
  for (const PermutationRegion &region : prediction.permutations)
    json["regions"].push_back(regionJson(region, device));
  return json;
}

Json toJson(const Prediction &prediction, const std::vector<Advice> &advice) {
  Json json = summaryOf(prediction);
  addLives(prediction, json["memory"]);
  constexpr size_t mostBuffers = 1000; // for people; `buffers` has all
  json["memory"].update(blameOf(prediction, mostBuffers));
  json["peaks"] = peaksJson(*prediction.device);
  json["pipelines"] = pipelinesJson(prediction);
  json["advice"] = adviceJson(advice);
  json["fusions"] = fusionsOf(prediction);
  json["permutations"] = permutationsOf(prediction);
  if (prediction.buckets)
    json["buckets"] = bucketsOf(prediction);
  json["critical_path"] = prediction.timeline.criticalPath;
  json["most_expensive"] = mostExpensiveJson(prediction);
  const Works works = addWorks(prediction, json);
  json["commands"] = Json::array();
  for (uint32_t c = 0; c < prediction.commands.size(); ++c)
    json["commands"].push_back(commandJson(prediction, works, c));
  return json;
}

} // namespace gaudi::prediction
