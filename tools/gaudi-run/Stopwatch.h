// Wall-clock time since it was made.
#ifndef GAUDI_RUN_STOPWATCH_H
#define GAUDI_RUN_STOPWATCH_H

#include <chrono>

namespace gaudi::run {

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

} // namespace gaudi::run

#endif // GAUDI_RUN_STOPWATCH_H
