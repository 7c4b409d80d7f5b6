// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a search must end before it is done.
#ifndef GAUDI_LIB_SHAPES_CUT_H
#define GAUDI_LIB_SHAPES_CUT_H

#include <functional>
#include <utility>

namespace gaudi::shapes {

/// Of one plan. Searches ask it between steps of at most some milliseconds, and
/// end with the best that they have.
class Cut {
public:
  /// Without a function a search is never cut.
  explicit Cut(std::function<bool()> mustStop)
      : mustStop(std::move(mustStop)) {}

  /// Once it must end, it must.
  bool isDue() {
    if (!isMade && mustStop)
      isMade = mustStop();
    return isMade;
  }
  /// A search was asked to end.
  bool wasMade() const { return isMade; }

private:
  std::function<bool()> mustStop;
  bool isMade = false;
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_CUT_H
