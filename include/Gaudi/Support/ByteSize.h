// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of memory as people write them.
#ifndef GAUDI_SUPPORT_BYTESIZE_H
#define GAUDI_SUPPORT_BYTESIZE_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>

namespace gaudi {

/// "512M", "4GiB", "1.5 GB", "4096": bytes. K, M, G and T are powers of 1024,
/// with or without "iB"; KB, MB, GB and TB powers of 1000.
Result<uint64_t> parseBytes(const std::string &text);

} // namespace gaudi

#endif // GAUDI_SUPPORT_BYTESIZE_H
