// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes with an environment of their own, which logs and metrics read once.
#ifndef GAUDI_TEST_UNIT_MONITORING_PROCESS_H
#define GAUDI_TEST_UNIT_MONITORING_PROCESS_H

#include <string>
#include <vector>

namespace gaudi::test {

/// A function that a process of its own runs from its main, by name:
///   GAUDI_PROCESS(WritesALine) { GAUDI_LOG(...); }
#define GAUDI_PROCESS(name)                                                    \
  static void name();                                                          \
  static const bool name##IsListed = ::gaudi::test::listProcess(#name, name);  \
  static void name()
bool listProcess(const char *name, void (*function)());

struct Ended {
  int code = -1; // -1: it was killed
  std::string errors;
};
/// Runs this program again, as that function, with "NAME=VALUE" and nothing
/// else in the environment.
Ended runProcess(const std::string &name, std::vector<std::string> environment);

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_MONITORING_PROCESS_H
