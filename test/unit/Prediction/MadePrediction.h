// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predictions of works that a test chooses, without a recipe.
#ifndef GAUDI_TEST_PREDICTION_MADEPREDICTION_H
#define GAUDI_TEST_PREDICTION_MADEPREDICTION_H

#include "Gaudi/Prediction/Advice.h"

#include <string>
#include <utility>
#include <vector>

namespace gaudi::prediction {

using kernel::ElementType;
using timing::Dims;
using timing::Operand;
using timing::Queue;
using timing::Work;

constexpr Picoseconds us = 1000000;

/// A dense operand.
inline Operand operandOf(Dims sizes, ElementType type = ElementType::BF16) {
  Operand operand;
  operand.type = type;
  operand.strides = kernel::denseStrides(sizes);
  operand.sizes = std::move(sizes);
  return operand;
}

/// c[m, n] = a[m, k] * b[k, n].
inline timing::MatrixWork gemm(int64_t m, int64_t n, int64_t k,
                               ElementType type = ElementType::BF16) {
  timing::MatrixWork work;
  work.m = m;
  work.n = n;
  work.k = k;
  work.a = operandOf({m, k}, type);
  work.b = operandOf({k, n}, type);
  work.c = operandOf({m, n}, type);
  return work;
}

/// out[i, j] = f(in[i, j]), `instructions` instructions each.
inline timing::KernelWork elementwise(int64_t rows, int64_t columns,
                                      ElementType type = ElementType::BF16,
                                      uint32_t instructions = 1) {
  timing::KernelWork work;
  work.extents = {rows, columns};
  work.parallel = 3;
  work.operands = {operandOf({rows, columns}, type),
                   operandOf({rows, columns}, type)};
  work.inputs = 1;
  for (uint32_t operand : {0u, 1u})
    work.accesses.push_back(
        {operand, {kernel::Affine::dim(0), kernel::Affine::dim(1)}, 0, 0});
  timing::KernelBlock block;
  block.dims = 3;
  block.vector = block.operations = instructions;
  block.loads = {0};
  block.stores = {1};
  work.blocks = {block};
  return work;
}

inline timing::TransferWork copy(const Dims &sizes,
                                 ElementType type = ElementType::BF16) {
  return {timing::TransferWork::Engine::Dma, operandOf(sizes, type),
          operandOf(sizes, type)};
}

class Made {
public:
  explicit Made(std::string_view device = "gaudi2") {
    prediction.device = *device::DeviceSpec::lookup(device);
    prediction.capacity = prediction.device->memory.dramBytes;
  }

  /// Its number; `cost` replaces that of the model.
  uint32_t add(std::string name, Queue queue, Work work,
               std::vector<uint32_t> dependencies = {},
               std::string location = "") {
    timing::Task task;
    task.queue = queue;
    task.cost = timing::costOf(work, *prediction.device);
    for (uint32_t dependency : dependencies)
      task.dependencies.push_back({dependency, false});
    Command command;
    command.name = std::move(name);
    command.location = std::move(location);
    command.queue = queue;
    command.work = std::move(work);
    command.index = uint32_t(prediction.commands.size());
    prediction.tasks.push_back(std::move(task));
    prediction.commands.push_back(std::move(command));
    return uint32_t(prediction.tasks.size() - 1);
  }

  timing::Cost &cost(uint32_t command) {
    return prediction.tasks[command].cost;
  }

  const Prediction &finish() {
    prediction.timeline = timing::play(prediction.tasks, *prediction.device);
    return prediction;
  }

  Prediction prediction;
};

/// The time of tasks that a test changed itself.
inline Picoseconds timeOf(const Prediction &prediction,
                          const std::vector<timing::Task> &tasks) {
  return timing::play(tasks, *prediction.device).end;
}

/// The advice of a kind.
inline std::vector<Advice> ofKind(const std::vector<Advice> &advice,
                                  AdviceKind kind) {
  std::vector<Advice> result;
  for (const Advice &entry : advice)
    if (entry.kind == kind)
      result.push_back(entry);
  return result;
}

} // namespace gaudi::prediction

#endif // GAUDI_TEST_PREDICTION_MADEPREDICTION_H
