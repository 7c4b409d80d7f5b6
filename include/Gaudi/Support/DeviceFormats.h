// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where conversions of a device to 8-bit floats saturate. docs/numerics.md has
// the sources.
#ifndef GAUDI_SUPPORT_DEVICEFORMATS_H
#define GAUDI_SUPPORT_DEVICEFORMATS_H

#include "Gaudi/Support/FloatFormats.h"

#include <string_view>

namespace gaudi {

/// The largest number of a format on a device: of f8E4M3FN 240 on "gaudi2",
/// whose E4M3 has infinities; else that of the format.
inline double largestOn(std::string_view device, FloatFormat format) {
  const bool isE4M3 = format.exponentBits == 4 && format.mantissaBits == 3;
  return isE4M3 && device == "gaudi2" ? 240 : format.largest();
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_DEVICEFORMATS_H
