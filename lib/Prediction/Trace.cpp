// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timelines of predictions and of this host as trace events.
#include "Gaudi/Prediction/Trace.h"
#include "Gaudi/Prediction/TraceEvents.h"
#include "JsonText.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace gaudi::prediction {
namespace {

using timing::Queue;
using timing::queueCount;

constexpr uint32_t launchTrack = 1;
constexpr uint32_t tracksPerQueue = 1000; // more engines than any device has

uint32_t trackOf(Queue queue, uint32_t engine) {
  return (uint32_t(queue) + 1) * tracksPerQueue + engine;
}

/// The process of one predicted device.
class DeviceTrace {
public:
  DeviceTrace(EventWriter &out, const Prediction &prediction, uint32_t process,
              uint64_t &arrowId, const TraceLimits &limits)
      : out(out), given(prediction), line(prediction.timeline),
        process(process), arrowId(arrowId) {
    assert(line.spans.size() == given.commands.size() &&
           "one span per command");
    choose(limits);
  }

  /// What the process shows and what was left out, for a person. Without
  /// commas, at which catapult cuts labels.
  std::string labels() const {
    std::string text = fmt::format(
        "predicted by a model of the device and not measured; entry {}",
        given.entry);
    if (!onEveryEngine)
      text += "; commands are shown on their first engine only";
    if (leftOut)
      text += fmt::format("; the {} shortest commands ({} in all) are left out",
                          leftOut, timing::timeText(leftOutTime));
    if (!everyArrow)
      text += "; arrows only along dependencies that a command waited for";
    return text;
  }

  Status write() {
    GAUDI_TRY(nameProcess(out, process,
                          fmt::format("predicted on {}", given.device->name),
                          labels()));
    GAUDI_TRY(writeTracks());
    GAUDI_TRY(writeSlices());
    GAUDI_TRY(writeArrows());
    return writeCounters();
  }

private:
  /// Applies the limits. n log n in the commands.
  void choose(const TraceLimits &limits) {
    firstPiece.assign(line.spans.size(), nullptr);
    lastPiece.assign(line.spans.size(), nullptr);
    std::vector<uint64_t> pieces(line.spans.size());
    uint64_t onAll = 0, dependencies = 0;
    for (const timing::Piece &piece : line.pieces) {
      assert(piece.task < line.spans.size() && "a piece of a command");
      if (!firstPiece[piece.task])
        firstPiece[piece.task] = &piece;
      lastPiece[piece.task] = &piece;
      ++pieces[piece.task];
      onAll += piece.engines;
    }
    for (const timing::Task &task : given.tasks)
      dependencies += task.dependencies.size();
    onEveryEngine = onAll <= limits.slices;
    everyArrow = dependencies <= limits.arrows;
    isShown.assign(line.spans.size(), true);
    if (line.pieces.size() <= limits.slices)
      return;
    uint64_t room = limits.slices;
    for (uint32_t task : given.longest(line.spans.size())) {
      isShown[task] = pieces[task] <= room;
      if (isShown[task]) {
        room -= pieces[task];
        continue;
      }
      room = 0; // no shorter one takes what a longer one could not
      ++leftOut;
      leftOutTime += duration(task);
    }
  }

  Picoseconds duration(size_t task) const {
    return line.spans[task].end - line.spans[task].start;
  }

  uint32_t track(const timing::Piece &piece, uint32_t engine) const {
    const Queue queue = piece.queue;
    return trackOf(queue, (piece.firstEngine + engine) %
                              timing::enginesOf(queue, *given.device));
  }

  Status writeTracks() {
    GAUDI_TRY(nameTrack(out, process, launchTrack, "launch"));
    for (uint32_t q = 0; q < queueCount; ++q) {
      const auto queue = Queue(q);
      if (!line.queues[q].tasks)
        continue;
      const uint32_t engines = timing::enginesOf(queue, *given.device);
      assert(engines <= tracksPerQueue && "tracks of queues are apart");
      for (uint32_t engine = 0; engine < engines; ++engine)
        GAUDI_TRY(nameTrack(out, process, trackOf(queue, engine),
                            engines == 1
                                ? std::string(nameOf(queue))
                                : fmt::format("{} {}", nameOf(queue), engine)));
    }
    return {};
  }

  Status writeSlices() {
    if (line.launch > 0)
      GAUDI_TRY(out.event(R"("ph":"X","pid":{},"tid":{},"ts":0,"dur":{},)"
                          R"("name":"launch of the graph","cat":"launch")",
                          process, launchTrack, startText(line.launch)));
    for (const timing::Piece &piece : line.pieces) {
      if (!isShown[piece.task])
        continue;
      const std::string name = jsonText(given.commands[piece.task].name);
      const uint32_t engines = onEveryEngine ? piece.engines : 1;
      for (uint32_t e = 0; e < engines; ++e) {
        const bool isFirst = e == 0 && &piece == firstPiece[piece.task];
        GAUDI_TRY(out.event(
            R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},)"
            R"("cat":"{}","args":{})",
            process, track(piece, e), startText(piece.start),
            durationText(piece.start, piece.end), name, nameOf(piece.queue),
            isFirst ? arguments(piece.task)
                    : fmt::format(R"({{"command":{},"slice":{}}})", piece.task,
                                  piece.slice)));
      }
    }
    return {};
  }

  /// The element type of the first result, or of the last operand:
  /// "out 2x3xf32" has f32.
  static std::string typeOf(const Command &command) {
    std::string_view text;
    for (const std::string &operand : command.operands) {
      text = operand;
      if (text.substr(0, 4) == "out ")
        break;
    }
    const size_t last = text.find_last_of("x ");
    return std::string(last == text.npos ? text : text.substr(last + 1));
  }

  std::string arguments(size_t task) const {
    const Command &command = given.commands[task];
    const timing::Span &span = line.spans[task];
    const timing::Cost &cost = given.tasks[task].cost;
    std::vector<std::string> operands;
    for (const std::string &operand : command.operands)
      operands.push_back(jsonText(operand));
    return fmt::format(
        R"({{"command":{},"op":{},"type":{},"operands":[{}],"location":{},)"
        R"("bound":{},"start_ps":{},"duration_ps":{},"flops":{},"bytes":{},)"
        R"("hbm_read":{},"hbm_written":{},"engines":{},"slices":{},)"
        R"("critical":{},"wait":"{}","waited_ps":{},"waited_for":{},)"
        R"("explanation":{}}})",
        task, jsonText(command.name), jsonText(typeOf(command)),
        fmt::join(operands, ","), jsonText(command.location),
        jsonText(timing::nameOf(span.bound)), span.start, duration(task),
        command.flops, command.bytes, cost.hbmRead, cost.hbmWritten,
        span.engines, span.slices, span.isCritical, nameOf(span.wait),
        span.waited, waitedFor(span), jsonText(explain(given, task)));
  }

  std::string waitedFor(const timing::Span &span) const {
    if (span.waitedFor < 0)
      return "\"\"";
    const auto other = size_t(span.waitedFor);
    assert(other < given.commands.size() && "an earlier command");
    return jsonText(
        fmt::format("{} (command {})", given.commands[other].name, other));
  }

  /// An arrow belongs to the slices around its ends. Perfetto counts whole
  /// nanoseconds, so that a shorter slice is around nothing.
  static bool canCarryArrow(const timing::Piece *piece) {
    return piece && piece->end / 1000 > piece->start / 1000; // nanoseconds
  }

  Status writeArrows() {
    for (uint32_t i = 0; i < line.spans.size(); ++i)
      for (const timing::Dependency &dependency : given.tasks[i].dependencies) {
        const uint32_t from = dependency.task;
        const timing::Piece *tail =
            dependency.sliced ? firstPiece[from] : lastPiece[from];
        if (!isShown[from] || !isShown[i] || !canCarryArrow(tail) ||
            !canCarryArrow(firstPiece[i]) ||
            (!everyArrow && line.spans[i].waitedFor != int64_t(from)))
          continue;
        GAUDI_TRY(writeArrowEnd("s", *tail));
        GAUDI_TRY(writeArrowEnd("f", *firstPiece[i]));
        ++arrowId;
      }
    return {};
  }

  Status writeArrowEnd(const char *phase, const timing::Piece &piece) {
    return out.event(R"("ph":"{}","pid":{},"tid":{},"ts":{},"id":{},"bp":"e",)"
                     R"("name":"dependency","cat":"dependency")",
                     phase, process, track(piece, 0), startText(piece.start),
                     arrowId);
  }

  Status writeCounters() {
    for (const MemorySample &sample : given.memory)
      GAUDI_TRY(out.event(
          R"("ph":"C","pid":{},"ts":{},"name":"memory in use, bytes",)"
          R"("args":{{"workspace":{},"persistent":{},"const":{}}})",
          process, startText(sample.time), sample.workspace, given.persistent,
          given.constants));
    for (const timing::BandwidthSample &sample : line.bandwidth)
      GAUDI_TRY(out.event(R"("ph":"C","pid":{},"ts":{},"name":"HBM, bytes/s",)"
                          R"("args":{{"read":{:.0f},"written":{:.0f}}})",
                          process, startText(sample.time), sample.hbmRead,
                          sample.hbmWritten));
    return {};
  }

  EventWriter &out;
  const Prediction &given;
  const timing::Timeline &line;
  const uint32_t process;
  uint64_t &arrowId; // of the next arrow of the file
  std::vector<bool> isShown;
  std::vector<const timing::Piece *> firstPiece, lastPiece; // of each command
  bool onEveryEngine = true, everyArrow = true;
  uint64_t leftOut = 0;
  Picoseconds leftOutTime = 0;
};

/// The process of this host. The emulation runs one command at a time.
Status writeHost(EventWriter &out, const HostRun &run, uint32_t process,
                 uint64_t mostSlices) {
  std::string labels =
      fmt::format("host times of the emulation (median of {}); they say "
                  "nothing about a device",
                  run.launches == 1 ? "one launch"
                                    : fmt::format("{} launches", run.launches));
  if (run.commands.size() > mostSlices)
    labels += fmt::format("; only the first {} commands", mostSlices);
  GAUDI_TRY(
      nameProcess(out, process,
                  fmt::format("measured on this host ({} {})", run.threads,
                              run.threads == 1 ? "thread" : "threads"),
                  labels));
  for (uint32_t queue = 0; queue < queueCount; ++queue)
    for (const HostCommand &command : run.commands)
      if (uint32_t(command.queue) == queue) {
        GAUDI_TRY(nameTrack(out, process, trackOf(command.queue, 0),
                            fmt::format("{} emulated", nameOf(Queue(queue)))));
        break;
      }
  std::vector<std::vector<uint32_t>> inTiles(run.commands.size());
  for (uint32_t i = 0; i < run.commands.size(); ++i)
    if (run.commands[i].within)
      inTiles[*run.commands[i].within].push_back(i);
  Picoseconds now = 0;
  for (uint32_t i = 0; i < run.commands.size() && i < mostSlices; ++i) {
    const HostCommand &command = run.commands[i];
    if (command.within)
      continue;
    std::vector<std::string> fused;
    for (uint32_t other : inTiles[i])
      fused.push_back(jsonText(run.commands[other].name));
    const auto time = Picoseconds(std::llround(command.milliseconds * 1e9));
    GAUDI_TRY(out.event(
        R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"cat":"{}",)"
        R"("args":{{"command":{},"op":{},"location":{},"implementation":{},)"
        R"("in_its_tiles":[{}]}})",
        process, trackOf(command.queue, 0), startText(now),
        durationText(now, now + time), jsonText(command.name),
        nameOf(command.queue), i, jsonText(command.name),
        jsonText(command.location), jsonText(command.implementation),
        fmt::join(fused, ",")));
    now += time;
  }
  return {};
}

} // namespace

Status writeTrace(OutputFile &file,
                  const std::vector<const Prediction *> &devices,
                  const HostRun *measured, const TraceLimits &limits) {
  EventWriter out(file);
  GAUDI_TRY(out.begin());
  std::string metadata = R"({"producer":"gaudi-run")";
  uint32_t process = 0;
  uint64_t arrowId = 1;
  for (const Prediction *device : devices) {
    const Prediction &prediction = *device;
    DeviceTrace trace(out, prediction, ++process, arrowId, limits);
    metadata += fmt::format(
        R"(,{}:{})",
        jsonText(fmt::format("predicted on {}", prediction.device->name)),
        jsonText(trace.labels()));
    GAUDI_TRY(trace.write());
  }
  if (measured)
    GAUDI_TRY(writeHost(out, *measured, ++process, limits.slices));
  return out.end(metadata + "}");
}

} // namespace gaudi::prediction
