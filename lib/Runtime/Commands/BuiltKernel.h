// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that the loader has written.
#ifndef GAUDI_LIB_RUNTIME_COMMANDS_BUILTKERNEL_H
#define GAUDI_LIB_RUNTIME_COMMANDS_BUILTKERNEL_H

#include "Gaudi/Recipe/Recipe_generated.h"

namespace gaudi::runtime {

/// In a buffer of its own.
class BuiltKernel {
public:
  explicit BuiltKernel(const recipe::KernelT &kernel) {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(recipe::Kernel::Pack(builder, &kernel));
    buffer = builder.Release();
  }
  const recipe::Kernel &kernel() const {
    return *flatbuffers::GetRoot<recipe::Kernel>(buffer.data());
  }

private:
  flatbuffers::DetachedBuffer buffer;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_COMMANDS_BUILTKERNEL_H
