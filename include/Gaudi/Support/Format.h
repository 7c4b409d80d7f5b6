// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmt, whose code that formats numbers and text is compiled once.
#ifndef GAUDI_SUPPORT_FORMAT_H
#define GAUDI_SUPPORT_FORMAT_H

#include <fmt/core.h>

// fmt::format_to and fmt::print to a stream call this template, which has all
// of the formatting below it: 60 KB of code in each file that uses them. It is
// compiled in Format.cpp. From version 11 it is a function of libfmt.
#if FMT_VERSION < 110000
extern template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char> &,
                                                   fmt::string_view,
                                                   fmt::format_args,
                                                   fmt::detail::locale_ref);
#endif

#endif // GAUDI_SUPPORT_FORMAT_H
