// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixed table of functions that compiled kernels may import.
#include "HostFunctions.h"

#include "KernelTypes.h"
#include "MathSymbols.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <unordered_map>

namespace gaudi::runtime {
namespace {

void recordFault(Fault *fault, int64_t point, uint32_t operand,
                 uint32_t dimension, int64_t index) {
  fault->record(point, operand, dimension, index);
}

std::unordered_map<std::string_view, void *> makeTable() {
  std::unordered_map<std::string_view, void *> table;
  auto bind = [&](std::string_view name, auto *function) {
    table[name] = reinterpret_cast<void *>(function);
  };
  bind(recordFaultName, recordFault);
  // What the code generator itself may call.
  bind("memcpy", static_cast<void *(*)(void *, const void *, size_t)>(memcpy));
  bind("memset", static_cast<void *(*)(void *, int, size_t)>(memset));
  bind("memmove",
       static_cast<void *(*)(void *, const void *, size_t)>(memmove));
  using One = float (*)(float);
  bind("floorf", static_cast<One>(floorf));
  bind("ceilf", static_cast<One>(ceilf));
  bind("truncf", static_cast<One>(truncf));
  bind("roundf", static_cast<One>(roundf));
  bind("roundevenf", static_cast<One>(roundevenf));
  bind("fmaf", static_cast<float (*)(float, float, float)>(fmaf));
  // Under both names: calls of our own have the prefix, those that LLVM makes
  // of intrinsics do not.
  static std::vector<std::string> prefixed; // the table's keys point here
  prefixed.reserve(mathFunctions().size());
  for (auto [name, address] : mathFunctions()) {
    table[name] = address;
    prefixed.push_back(fmt::format("{}{}", mathPrefix, name));
    table[prefixed.back()] = address;
  }
  return table;
}

} // namespace

void *hostFunction(std::string_view name) {
  static const std::unordered_map<std::string_view, void *> table = makeTable();
  auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

} // namespace gaudi::runtime
