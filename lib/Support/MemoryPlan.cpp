// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, sums and lines of what the compiler did about memory.
#include "Gaudi/Support/MemoryPlan.h"
#include "CountTexts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace gaudi {
namespace {

struct KindText {
  std::string_view name, noun, plural;
};
constexpr std::array<KindText, memoryKindCount> kinds = {
    {{"view", "view", "views"},
     {"in_place", "result in place", "results in place"},
     {"slice_write", "write into a slice", "writes into slices"},
     {"state_update", "state updated in place", "states updated in place"},
     {"donation", "output in a donated input", "outputs in donated inputs"},
     {"shared_constant", "shared constant", "shared constants"},
     {"copy", "copy that remains", "copies that remain"},
     {"recompute", "op that runs again", "ops that run again"}}};

} // namespace

std::string_view nameOf(MemoryKind kind) {
  assert(size_t(kind) < kinds.size() && "readers check the kind");
  return kinds[size_t(kind)].name;
}

std::optional<MemoryKind> parseMemoryKind(std::string_view name) {
  for (size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].name == name)
      return MemoryKind(i);
  return std::nullopt;
}

void MemorySum::add(uint64_t moreCount, int64_t moreBytes,
                    int64_t morePicoseconds) {
  addSaturated(count, moreCount);
  addSaturated(bytes, moreBytes);
  addSaturated(picoseconds, morePicoseconds);
}

std::string MemorySum::line(MemoryKind kind) const {
  const KindText &text = kinds[size_t(kind)];
  const bool one = count == 1;
  const std::string what = countOf(count, text.noun, text.plural);
  const std::string time =
      picoseconds == 0 ? ""
                       : fmt::format("{}{}", isAlias(kind) ? " and " : " in ",
                                     picosecondsText(picoseconds));
  const char *verb = kind == MemoryKind::Copy ? "move"
                     : isAlias(kind)          ? "save"
                                              : "free";
  return fmt::format("{} {}{} {}{}", what, verb, one ? "s" : "",
                     bytesText(bytes), time);
}

void MemoryPeaks::update(const MemoryPeaks &other) {
  for (auto number : {&MemoryPeaks::programOrder, &MemoryPeaks::order,
                      &MemoryPeaks::orderBound, &MemoryPeaks::planned,
                      &MemoryPeaks::plannedBound, &MemoryPeaks::budget})
    if (other.*number >= 0)
      this->*number = other.*number;
}

std::string MemoryPeaks::line() const {
  std::string line;
  const auto add = [&](std::string_view separator, std::string_view text) {
    line.append(line.empty() ? "" : separator).append(text);
  };
  if (planned >= 0)
    add("", "planned " + bytesText(planned));
  if (planned >= 0 && plannedBound >= 0)
    add(", ", planned <= plannedBound
                  ? "optimal for this order"
                  : fmt::format("bound of this order {}: gap {:.2g} %",
                                bytesText(plannedBound),
                                100 * double(planned - plannedBound) /
                                    double(planned)));
  if (order >= 0)
    add("; ", "live " + bytesText(order));
  if (order >= 0 && programOrder >= 0)
    line += fmt::format(" ({} in program order)", bytesText(programOrder));
  if (order >= 0 && orderBound >= 0)
    line += order <= orderBound ? ", no order has less"
                                : fmt::format(", no order has less than {}",
                                              bytesText(orderBound));
  if (budget >= 0)
    add("; ", fmt::format("budget {}", bytesText(budget)));
  return line;
}

} // namespace gaudi
