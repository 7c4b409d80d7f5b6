// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wall-clock time since it was made.
#ifndef GAUDI_SUPPORT_STOPWATCH_H
#define GAUDI_SUPPORT_STOPWATCH_H

#include <chrono>

namespace gaudi {

class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now() - started)
        .count();
  }

private:
  std::chrono::steady_clock::time_point started =
      std::chrono::steady_clock::now();
};

} // namespace gaudi

#endif // GAUDI_SUPPORT_STOPWATCH_H
