// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the caller that a launch by address works on, in place
// (LoadOptions::relocatable).
//
//   for (const LaunchTensor &tensor : executable.launchTensors(entry))
//     addresses.push_back(allocate(tensor.bytes, tensor.alignment));
//   executable.launch({addresses.data(), addresses.size(), workspace}, entry);
#ifndef GAUDI_RUNTIME_LAUNCHADDRESSES_H
#define GAUDI_RUNTIME_LAUNCHADDRESSES_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// Memory that outlives a launch of an entry: inputs, outputs and states that
/// share bytes, because some are views, are one of these.
struct LaunchTensor {
  std::string name;
  uint32_t tensor = 0;    ///< of the recipe, of which the others are views
  uint64_t bytes = 0;     ///< from the first that the entry uses to the last
  uint64_t alignment = 1; ///< of its address: at most that of the device
  bool isWritten = false; ///< by launches of the entry
  bool isState = false;
};

/// Where an input, output or state is: bytes from the address of a
/// LaunchTensor. There it has the sizes and strides of its TensorInfo, in the
/// device's order of dimensions.
struct LaunchPlace {
  size_t tensor = 0; ///< among the entry's
  uint64_t offset = 0;
};

/// Addresses of one launch: of the entry's launch tensors, in their order, and
/// of Executable::workspaceBytes. Null where there are no bytes.
struct LaunchAddresses {
  void *const *tensors = nullptr;
  size_t count = 0;
  void *workspace = nullptr;
};

/// The tensors of an entry by the addresses that were checked last, and the
/// workspace as the one behind all of them.
using AddressOrder = std::vector<uint32_t>;
/// How errors write the address of a tensor.
using ShownAddress = std::function<std::string(size_t tensor)>;

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_LAUNCHADDRESSES_H
