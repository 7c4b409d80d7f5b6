// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The named kernels that kernels-as-data cannot express: their signatures.
//
// A `Library` command names one of these. The table says what each computes
// and checks operand types and shapes; execution lives in the runtime. The
// meaning, in full, is in docs/recipe-format.md, "Library kernels".
#ifndef GAUDI_RECIPE_LIBRARYKERNELS_H
#define GAUDI_RECIPE_LIBRARYKERNELS_H

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace gaudi::recipe {

/// One operand of a library call.
struct OperandShape {
  ElementType type;
  kernel::Dims sizes;
};

struct LibraryCall {
  std::vector<OperandShape> inputs;
  std::vector<OperandShape> outputs;
  std::vector<int64_t> ints;
  std::vector<double> floats;
};

struct LibraryKernel {
  std::string_view name;
  std::string_view description; // one line
  /// Ok if the kernel can run on these operands. Errors do not repeat the
  /// kernel's name.
  Status (*check)(const LibraryCall &call);
  /// The first minor version of the format that has the kernel, and the feature
  /// bit of files that call it; none in 1.0.
  uint16_t minor = 0;
  uint64_t feature = 0;
  /// The output is input 0 but for some elements: it may have its place, and
  /// then nothing else is written.
  bool updatesInput = false;
};

/// All library kernels, sorted by name.
const std::vector<LibraryKernel> &libraryKernels();

/// Null if there is no such kernel.
const LibraryKernel *findLibraryKernel(std::string_view name);

/// True if output `output` in `to` may have the place of input `input` in
/// `from`: the kernel changes some elements of that input, in the same window.
bool mayWriteInPlace(const LibraryKernel &kernel, uint32_t input,
                     uint32_t output, const kernel::Window &from,
                     const kernel::Window &to);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_LIBRARYKERNELS_H
