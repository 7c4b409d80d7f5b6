// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GAUDI_BRIDGE_WORK_H
#define GAUDI_BRIDGE_WORK_H

#include <ATen/core/Tensor.h>
#include <torch/csrc/utils/pybind.h>

namespace gaudi::bridge {

/// What an op of torch.distributed returns beside its tensors where nothing is
/// left to wait for. Its future has the tensors: DistributedDataParallel reads
/// averaged gradients there.
pybind11::object finishedWork(std::vector<at::Tensor> results);

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_WORK_H
