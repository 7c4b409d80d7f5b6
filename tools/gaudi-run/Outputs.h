// Writes outputs to files, or prints them for people.
#ifndef GAUDI_RUN_OUTPUTS_H
#define GAUDI_RUN_OUTPUTS_H

#include "HostTensor.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// True if two paths name one regular file, or one that is yet to be made.
bool sameFile(const std::string &a, const std::string &b);

/// Where each output goes; no value: it is printed. Fails before anything ran
/// when a name is wrong or one file is named twice.
Outcome<std::vector<std::optional<std::string>>>
matchOutputFiles(const std::vector<std::string> &texts,
                 const std::vector<Parameter> &parameters);

/// Writes every output that has a file. All files are complete before the
/// first one gets its name, so a full disk leaves none of them behind.
Done writeOutputs(const std::vector<HostTensor> &outputs,
                  const std::vector<std::optional<std::string>> &files);

/// Writes bytes to a file, whole or not at all.
Done writeFile(const std::string &path, const uint8_t *data, size_t size);

/// One line: "output 'y': 2x3xf32 = [1, 2, 3, ...] (6 elements, min 1, max 6)".
void printOutput(std::ostream &out, const HostTensor &tensor,
                 uint32_t elements);

/// Smallest and largest element that is a number.
struct ValueRange {
  double smallest = 0, largest = 0;
  uint64_t notNumbers = 0; ///< elements that are NaN
};
std::optional<ValueRange> rangeOf(const HostTensor &tensor);

} // namespace gaudi::run

#endif // GAUDI_RUN_OUTPUTS_H
