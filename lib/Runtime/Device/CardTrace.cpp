// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records and writes what a card did.
#include "CardTrace.h"

#include "Gaudi/Prediction/TraceEvents.h"

#include <fmt/format.h>

namespace gaudi::runtime {

using prediction::durationText;
using prediction::EventWriter;
using prediction::startText;
using prediction::traceText;

namespace {

thread_local uint64_t label = 0;

constexpr uint32_t cardProcess = 1, hostProcess = 2;
/// Tracks of the card: streams, then queues; of these one per engine.
constexpr uint32_t firstQueueTrack = 10'000, tracksPerQueue = 1000;

uint32_t trackOf(CardQueue queue, uint32_t engine) {
  return firstQueueTrack + uint32_t(queue) * tracksPerQueue + engine;
}

} // namespace

uint32_t CardTrace::intern(std::string_view name) {
  const auto [place, isNew] =
      numbers.try_emplace(std::string(name), uint32_t(names.size()));
  if (isNew)
    names.emplace_back(name);
  return place->second;
}

void CardTrace::addWork(
    std::string_view name, uint32_t stream, const Stamp &stamp,
    const WorkTimes &times,
    std::shared_ptr<const prediction::Prediction> prediction) {
  work.push_back(
      {intern(name), stream, stamp, times, std::move(prediction), label});
}

void CardTrace::setLabel(uint64_t given) { label = given; }

void CardTrace::addCall(HostCall call, Picoseconds begin, Picoseconds end) {
  const auto [place, isNew] =
      threads.try_emplace(std::this_thread::get_id(), uint32_t(threads.size()));
  calls.push_back({call, place->second, begin, end});
}

/// What the engines do in a launch, moved to where it is on the card's
/// timeline; of other work, its queue as a whole.
static Status writePieces(EventWriter &out, Picoseconds start,
                          const std::string &name, const WorkTimes &times,
                          const prediction::Prediction *prediction,
                          const device::DeviceSpec &spec,
                          std::array<uint32_t, cardQueueCount> &engines) {
  if (!prediction) {
    for (unsigned q = 0; q < cardQueueCount; ++q)
      if (const WorkTimes::Use &use = times.queues[q]; use.busy) {
        engines[q] = std::max(engines[q], 1u);
        GAUDI_TRY(out.event(
            R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{})",
            cardProcess, trackOf(CardQueue(q), 0), startText(start + use.first),
            durationText(start + use.first, start + use.released), name));
      }
    return {};
  }
  for (const timing::Piece &piece : prediction->timeline.pieces) {
    const auto queue = CardQueue(unsigned(piece.queue));
    const uint32_t engine =
        piece.firstEngine % timing::enginesOf(piece.queue, spec);
    uint32_t &known = engines[unsigned(queue)];
    known = std::max(known, engine + 1);
    GAUDI_TRY(out.event(
        R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},)"
        R"("args":{{"launch":{},"command":{},"engines":{}}})",
        cardProcess, trackOf(queue, engine), startText(start + piece.start),
        durationText(start + piece.start, start + piece.end),
        traceText(prediction->commands[piece.task].name), name, piece.task,
        piece.engines));
  }
  return {};
}

Status CardTrace::write(const std::string &path, const device::DeviceSpec &spec,
                        const std::vector<std::string> &streams) const {
  OutputFile file = GAUDI_TRY(OutputFile::create(path));
  EventWriter out(file);
  GAUDI_TRY(out.begin());
  GAUDI_TRY(prediction::nameProcess(out, cardProcess, spec.name,
                                    "predicted time of the card"));
  GAUDI_TRY(prediction::nameProcess(out, hostProcess, "host",
                                    "predicted time of the script's calls"));
  std::vector<std::string> texts;
  for (const std::string &name : names)
    texts.push_back(traceText(name));
  std::array<uint32_t, cardQueueCount> engines{};
  std::vector<bool> used(streams.size());
  for (const WorkEvent &event : work) {
    if (event.stream < used.size())
      used[event.stream] = true;
    GAUDI_TRY(out.event(
        R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},)"
        R"("args":{{"start_ps":{},"end_ps":{}{}}})",
        cardProcess, event.stream, startText(event.stamp.start),
        durationText(event.stamp.start, event.stamp.end), texts[event.name],
        event.stamp.start, event.stamp.end,
        event.label ? fmt::format(R"(,"label":{})", event.label) : ""));
    GAUDI_TRY(writePieces(out, event.stamp.start, texts[event.name],
                          event.times, event.prediction.get(), spec, engines));
  }
  for (const CallEvent &event : calls)
    GAUDI_TRY(
        out.event(R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{})",
                  hostProcess, event.thread, startText(event.begin),
                  durationText(event.begin, event.end),
                  traceText(hostTimeOf(event.call).name)));
  for (uint32_t s = 0; s < streams.size(); ++s)
    if (used[s])
      GAUDI_TRY(prediction::nameTrack(out, cardProcess, s, streams[s]));
  for (unsigned q = 0; q < cardQueueCount; ++q)
    for (uint32_t engine = 0; engine < engines[q]; ++engine)
      GAUDI_TRY(prediction::nameTrack(
          out, cardProcess, trackOf(CardQueue(q), engine),
          engines[q] == 1
              ? std::string(nameOf(CardQueue(q)))
              : fmt::format("{} {}", nameOf(CardQueue(q)), engine)));
  for (uint32_t thread = 0; thread < threads.size(); ++thread)
    GAUDI_TRY(prediction::nameTrack(out, hostProcess, thread,
                                    fmt::format("thread {}", thread)));
  GAUDI_TRY(out.end(fmt::format(R"({{"device":"{}"}})", spec.name)));
  return file.commit();
}

} // namespace gaudi::runtime
