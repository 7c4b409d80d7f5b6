// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of attention: its phases.
#include "AttentionGrad.h"

#include "../../Commands/Copy.h"
#include "../Kernels/KernelChoice.h"
#include "../Packing/OperandCopies.h"
#include "AttentionGradTask.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <fmt/format.h>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

/// Chunks of keys of all units that keep any number of threads busy. More of
/// them cost a buffer of query gradients each.
constexpr int64_t enoughChunks = 16;
/// Most keys of a step: P, dP and their packed forms stay in L2.
constexpr int64_t gradKeyBlock = 128;

AttentionTiling tilingFor(const AttentionProblem &p,
                          const MicroKernel &kernel) {
  // The product with columns of depth is the one for the queries' gradient.
  AttentionProblem grad = p;
  grad.valueDepth = p.depth;
  AttentionTiling tiling(grad, kernel);
  const int64_t width = tiling.keyKernel->columns;
  tiling.keyBlock = std::min(tiling.keyBlock, gradKeyBlock / width * width);
  // Bands of rows run one after the other: no task needs fewer of them.
  const int64_t rows = p.unitRows();
  const int64_t most =
      AttentionTiling::mostTaskRows / tiling.blockRows * tiling.blockRows;
  tiling.tasksPerUnit = (rows + most - 1) / most;
  tiling.taskRows = (rows + tiling.tasksPerUnit - 1) / tiling.tasksPerUnit;
  return tiling;
}

float *takeFloats(int64_t count, PrepareContext &context) {
  return reinterpret_cast<float *>(
      takeStaging(uint64_t(count) * sizeof(float), context));
}

} // namespace

AttentionGrad::AttentionGrad(const AttentionProblem &problem,
                             const MicroKernel &kernel, PrepareContext &context)
    : AttentionTasks(problem, tilingFor(problem, kernel)),
      keys(AttentionPanels::ofPositions(*tiling.keyKernel, p.key, p.keys,
                                        p.depth)),
      values(AttentionPanels::ofPositions(*tiling.keyKernel, p.value, p.keys,
                                          p.valueDepth)),
      keyDepths(AttentionPanels::ofDepth(*tiling.depthKernel, p.key, p.keys,
                                         p.depth, tiling.keyBlock)) {
  const int64_t units = p.units();
  const int64_t blocks = (p.keys + tiling.keyBlock - 1) / tiling.keyBlock;
  chunks = std::clamp<int64_t>(enoughChunks / units, 1, blocks);
  chunkKeys = (blocks + chunks - 1) / chunks * tiling.keyBlock;
  chunks = (p.keys + chunkKeys - 1) / chunkKeys;
  keyPanels = takeStaging(keys.bytes() * uint64_t(units), context);
  valuePanels = takeStaging(values.bytes() * uint64_t(units), context);
  keyDepthPanels = takeStaging(keyDepths.bytes() * uint64_t(units), context);
  means = takeFloats(units * p.unitRows(), context);
  if (chunks > 1)
    queryParts = takeFloats(chunks * units * p.unitRows() * p.depth, context);
  // One of keys and values may be shared by the images of the other.
  if (p.keyImages > 1 && p.keyGrad.n == 0)
    keyParts = takeFloats(units * p.keys * p.depth, context);
  if (p.keyImages > 1 && p.valueGrad.n == 0)
    valueParts = takeFloats(units * p.keys * p.valueDepth, context);
}

void AttentionGrad::visitAddresses(AddressVisitor &visitor) {
  p.visitAddresses(visitor);
  for (AttentionPanels *panels : {&keys, &values, &keyDepths})
    panels->visitAddresses(visitor);
  for (uint8_t **panels : {&keyPanels, &valuePanels, &keyDepthPanels})
    visitor.visit(*panels);
  for (float **parts : {&means, &queryParts, &keyParts, &valueParts})
    visitor.visit(*parts);
}

uint64_t AttentionGrad::scratchBytes() const {
  return GradTask(*this, nullptr).bytes();
}

std::string AttentionGrad::implementation() const {
  return fmt::format("{}, {} chunk{}{}", describe("attention gradient"), chunks,
                     chunks == 1 ? "" : "s", p.output ? "" : ", two passes");
}

void AttentionGrad::packAhead(ThreadPool &pool) {
  struct Side {
    const AttentionPanels &panels;
    uint8_t *to;
  };
  const Side sides[] = {
      {keys, keyPanels}, {values, valuePanels}, {keyDepths, keyDepthPanels}};
  constexpr int64_t grain = 8; // panels: enough to be worth a thread
  for (const Side &side : sides) {
    const int64_t perUnit = side.panels.count();
    pool.parallelFor(p.units() * perUnit, grain,
                     [&](int64_t begin, int64_t end, unsigned worker) {
                       for (int64_t i = begin; i < end; ++i)
                         side.panels.pack(
                             i / perUnit / p.keyHeads, i / perUnit % p.keyHeads,
                             i % perUnit,
                             reinterpret_cast<float *>(scratch[worker]),
                             side.to + i * side.panels.pitch());
                     });
  }
}

void AttentionGrad::meansOfOutputs(ThreadPool &pool) {
  const int64_t rows = p.unitRows();
  // The mean of a row is the dot product of O and dO. Without O it is the sum
  // of P dP over the keys, which costs two products of their own.
  if (!p.output) {
    pool.parallelFor(p.units() * tiling.tasksPerUnit, 1,
                     [&](int64_t begin, int64_t end, unsigned worker) {
                       GradTask task(*this, scratch[worker]);
                       for (int64_t t = begin; t < end; ++t)
                         task.findMeans(t / tiling.tasksPerUnit,
                                        t % tiling.tasksPerUnit);
                       tiling.finish();
                     });
    return;
  }
  constexpr int64_t grain = 64; // rows: enough to be worth a thread
  const int64_t pitch = paddedRow(p.valueDepth);
  pool.parallelFor(
      p.units() * rows, grain,
      [&](int64_t begin, int64_t end, unsigned worker) {
        float *both = reinterpret_cast<float *>(scratch[worker]);
        for (int64_t i = begin; i < end; ++i) {
          const AttentionRow row(p, i / rows, i % rows);
          int part = 0;
          for (const AttentionTensor *t : {&p.output, &p.outputGrad})
            convertRow(t->type,
                       t->data + t->offset(row.image, row.head, row.query) *
                                     recipe::elementSize(t->type),
                       t->column, ElementType::F32,
                       reinterpret_cast<uint8_t *>(both + part++ * pitch), 1,
                       p.valueDepth);
          means[i] = tiling.functions->dot(both, both + pitch, p.valueDepth);
        }
      });
}

void AttentionGrad::sumQueryGrads(ThreadPool &pool) {
  const int64_t rows = p.units() * p.unitRows();
  constexpr int64_t grain = 64;
  pool.parallelFor(
      rows, grain, [&](int64_t begin, int64_t end, unsigned worker) {
        float *sum = reinterpret_cast<float *>(scratch[worker]);
        for (int64_t i = begin; i < end; ++i) {
          // Chunk by chunk in order: the bits do not depend on the threads.
          std::copy_n(queryParts + i * p.depth, p.depth, sum);
          for (int64_t chunk = 1; chunk < chunks; ++chunk) {
            const float *part = queryParts + (chunk * rows + i) * p.depth;
            for (int64_t d = 0; d < p.depth; ++d)
              sum[d] += part[d];
          }
          tiling.functions->scale(sum, p.depth, p.scale);
          storeTensorRow(p.queryGrad,
                         AttentionRow(p, i / p.unitRows(), i % p.unitRows()),
                         sum, p.depth, *tiling.keyKernel);
        }
      });
}

/// Adds the images of a tensor that all of them share, in order.
void AttentionGrad::sumImages(ThreadPool &pool, const AttentionTensor &grad,
                              const float *parts, int64_t depth) {
  constexpr int64_t grain = 64;
  const int64_t rows = p.keyHeads * p.keys;
  pool.parallelFor(rows, grain,
                   [&](int64_t begin, int64_t end, unsigned worker) {
                     float *sum = reinterpret_cast<float *>(scratch[worker]);
                     for (int64_t i = begin; i < end; ++i) {
                       std::fill(sum, sum + depth, 0.0f);
                       for (int64_t n = 0; n < p.keyImages; ++n)
                         for (int64_t d = 0; d < depth; ++d)
                           sum[d] += parts[(n * rows + i) * depth + d];
                       AttentionRow row;
                       row.image = 0;
                       row.head = i / p.keys;
                       row.query = i % p.keys;
                       storeTensorRow(grad, row, sum, depth, *tiling.keyKernel);
                     }
                   });
}

void AttentionGrad::run(LaunchContext &context) {
  ThreadPool &pool = context.pool;
  packAhead(pool);
  meansOfOutputs(pool);
  pool.parallelFor(p.units() * chunks, 1,
                   [&](int64_t begin, int64_t end, unsigned worker) {
                     GradTask task(*this, scratch[worker]);
                     for (int64_t t = begin; t < end; ++t)
                       task.run(t / chunks, t % chunks);
                     tiling.finish();
                   });
  if (queryParts)
    sumQueryGrads(pool);
  if (keyParts)
    sumImages(pool, p.keyGrad, keyParts, p.depth);
  if (valueParts)
    sumImages(pool, p.valueGrad, valueParts, p.valueDepth);
}

std::unique_ptr<PreparedCommand>
buildAttentionGrad(const AttentionProblem &problem, const MicroKernel &kernel,
                   PrepareContext &context) {
  return std::make_unique<AttentionGrad>(problem, kernel, context);
}

} // namespace gaudi::runtime
