// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers as CSV, in the format of MiniMalloc.
//
// The first line names the columns, in any order: `id`, `lower`, `upper` (the
// lifetime, without `upper`) and `size`, all required; `offset` for buffers
// whose offset is fixed (empty: it is chosen) and `alignment` (empty: 1).
// Output is the same lines with the column `offset` at the end.
#ifndef GAUDI_PLANBUFFERS_BUFFERCSV_H
#define GAUDI_PLANBUFFERS_BUFFERCSV_H

#include "Gaudi/Support/Error.h"
#include "Gaudi/Transforms/Memory/Packing.h"

#include <string>
#include <string_view>
#include <vector>

namespace gaudi::plan {

struct BufferFile {
  std::vector<std::string> ids;
  std::vector<uint64_t> lines; // where each is in the file, from 1
  std::vector<memory::Buffer> buffers;
};

/// Reads `text`. Errors name the line, the column, and what was expected.
Result<BufferFile> parseBuffers(std::string_view text);

/// The buffers with their offsets, as CSV.
std::string printBuffers(const BufferFile &file,
                         const std::vector<uint64_t> &offsets);

} // namespace gaudi::plan

#endif // GAUDI_PLANBUFFERS_BUFFERCSV_H
