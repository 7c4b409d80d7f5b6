// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a script that was written for "cuda" asks of PyTorch, given by "hpu".
#ifndef GAUDI_BRIDGE_MIGRATION_H
#define GAUDI_BRIDGE_MIGRATION_H

#include <torch/csrc/utils/pybind.h>

namespace gaudi::bridge {

/// From now on torch.device("cuda") is "hpu" with the same index, as are the
/// devices of generators, streams and events; ops that make tensors of cuda
/// make tensors of hpu; guards of cuda guard the cards. It costs nothing where
/// no device is given. `converted` is called with what was asked for:
/// "torch.device", or an op. `attributes` replaces attributes of torch.device,
/// and `text` gets str() of a device of hpu and gives another. Once in a
/// process.
void migrate(pybind11::function converted, pybind11::dict attributes,
             pybind11::function text);

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_MIGRATION_H
