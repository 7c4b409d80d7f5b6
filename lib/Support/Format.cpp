// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formatting code of fmt, for all files that format into buffers.
#include "Gaudi/Support/Format.h"

#include <fmt/format.h>

#if FMT_VERSION < 110000
template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char> &,
                                            fmt::string_view, fmt::format_args,
                                            fmt::detail::locale_ref);
#endif
