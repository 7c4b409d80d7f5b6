// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of an attention command.
#include "AttentionForward.h"

#include "../Packing/OperandCopies.h"

#include <cstring>
#include <fmt/format.h>

namespace gaudi::runtime {

namespace {
/// Most bytes of a unit's panels that one thread packs and multiplies with all
/// rows of the unit: they are still in L2 when the rows pass.
constexpr uint64_t ownPanelBytes = 1 << 20;
} // namespace

AttentionForward::AttentionForward(const AttentionProblem &problem,
                                   const MicroKernel &kernel,
                                   PrepareContext &context)
    : AttentionTasks(problem, AttentionTiling(problem, kernel)),
      keys(AttentionPanels::ofPositions(*tiling.keyKernel, p.key, p.keys,
                                        p.depth)),
      values(AttentionPanels::ofDepth(*tiling.depthKernel, p.value, p.keys,
                                      p.valueDepth, tiling.keyBlock)),
      twoPasses(p.probabilities || isF8(p.query.type)),
      packsInTask(p.units() >= enoughTasks &&
                  keys.bytes() + values.bytes() <= ownPanelBytes) {
  if (!packsInTask) {
    keyPanels = takeStaging(keys.bytes() * uint64_t(p.units()), context);
    valuePanels = takeStaging(values.bytes() * uint64_t(p.units()), context);
  }
  if (p.largestProbability || p.largestOutput)
    largest = reinterpret_cast<float *>(takeStaging(
        uint64_t(p.units() * tiling.tasksPerUnit) * 2 * sizeof(float),
        context));
}

void AttentionForward::visitAddresses(AddressVisitor &visitor) {
  p.visitAddresses(visitor);
  keys.visitAddresses(visitor);
  values.visitAddresses(visitor);
  visitor.visit(keyPanels);
  visitor.visit(valuePanels);
  visitor.visit(largest);
}

uint64_t AttentionForward::scratchBytes() const {
  return std::max(
      ForwardTask(*this, nullptr).bytes(),
      uint64_t(std::max(keys.scratchFloats(), values.scratchFloats())) *
          sizeof(float));
}

std::string AttentionForward::implementation() const {
  return fmt::format("{}, {}{}", describe("attention"),
                     packsInTask ? "packed in tasks" : "packed",
                     twoPasses ? ", two passes" : "");
}

void AttentionForward::packAhead(ThreadPool &pool) {
  const int64_t perUnit = keys.count() + values.count();
  constexpr int64_t grain = 8; // panels: enough to be worth a thread
  pool.parallelFor(
      p.units() * perUnit, grain,
      [&](int64_t begin, int64_t end, unsigned worker) {
        float *rows = reinterpret_cast<float *>(scratch[worker]);
        for (int64_t i = begin; i < end; ++i) {
          const int64_t unit = i / perUnit, panel = i % perUnit;
          const int64_t image = unit / p.keyHeads, head = unit % p.keyHeads;
          if (panel < keys.count())
            keys.pack(image, head, panel, rows,
                      keyPanels + (unit * keys.count() + panel) * keys.pitch());
          else
            values.pack(image, head, panel - keys.count(), rows,
                        valuePanels +
                            (unit * values.count() + panel - keys.count()) *
                                values.pitch());
        }
      });
}

void AttentionForward::storeScalars() const {
  if (p.seedResult)
    std::memcpy(p.seedResult, p.seed, 4);
  float most[2] = {0, 0};
  if (largest)
    for (int64_t t = 0; t < p.units() * tiling.tasksPerUnit; ++t)
      for (int i = 0; i < 2; ++i)
        most[i] = std::max(most[i], largest[2 * t + i]);
  if (p.largestProbability)
    std::memcpy(p.largestProbability, &most[0], 4);
  if (p.largestOutput)
    std::memcpy(p.largestOutput, &most[1], 4);
}

void AttentionForward::run(LaunchContext &context) {
  if (!packsInTask)
    packAhead(context.pool);
  // Tasks of a unit whose panels are its own run one after the other.
  const int64_t tasks = p.units() * tiling.tasksPerUnit;
  const int64_t together = packsInTask ? tiling.tasksPerUnit : 1;
  context.pool.parallelFor(
      tasks / together, 1, [&](int64_t begin, int64_t end, unsigned worker) {
        ForwardTask task(*this, scratch[worker]);
        for (int64_t t = begin * together; t < end * together; ++t) {
          if (t % together == 0)
            task.enter(t / tiling.tasksPerUnit);
          task.run(t);
        }
        tiling.finish();
      });
  storeScalars();
}

std::unique_ptr<PreparedCommand> buildAttention(const AttentionProblem &problem,
                                                const MicroKernel &kernel,
                                                PrepareContext &context) {
  return std::make_unique<AttentionForward>(problem, kernel, context);
}

} // namespace gaudi::runtime
