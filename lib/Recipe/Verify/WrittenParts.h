// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of a buffer are written, if commands write it in parts.
#ifndef GAUDI_LIB_RECIPE_VERIFY_WRITTENPARTS_H
#define GAUDI_LIB_RECIPE_VERIFY_WRITTENPARTS_H

#include "Context.h"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace gaudi::recipe {

/// True if the elements of the window cover its byte range without gaps.
bool isContiguous(const kernel::Window &window);

/// The written bytes of one buffer as boxes.
///
/// The strides of the windows that commands write, each a multiple of the next
/// smaller one, make a number system: an address within the buffer has a digit
/// per stride, and one for the bytes below. A window whose dimensions stay
/// within their digits is a box, a range per digit, however many rows it has.
/// So the columns of a matrix take as much work as its rows.
///
/// Invariant: every byte of `boxes` is written.
class WrittenParts {
public:
  using Box = std::vector<std::pair<uint64_t, uint64_t>>; // [first, last)

  explicit WrittenParts(uint64_t begin) : begin(begin) {}

  /// Before the first write: all windows that will be written.
  void announce(const kernel::Window &window);
  /// After them. False if some of them are no boxes; then the bytes have to be
  /// followed run by run.
  bool prepare(const std::vector<kernel::Window> &windows);

  /// The window is written. Of one that was not announced, nothing if it is no
  /// box.
  void add(const kernel::Window &window);
  /// Another buffer has taken some of the bytes: none counts as written.
  void clear() { boxes.clear(); }

  /// A byte of the window that is not written, if there is one. Of a window
  /// that is no box, the smallest box that holds it counts.
  Result<std::optional<uint64_t>> firstMissing(const kernel::Window &window,
                                               WorkBudget &work) const;

private:
  std::optional<Box> exactBox(const kernel::Window &window) const;
  Box hull(const kernel::Window &window) const;
  std::vector<uint64_t> digitsOf(uint64_t address) const;
  uint64_t baseOf(size_t digit) const;

  uint64_t begin;              // of the buffer
  std::vector<uint64_t> units; // bytes of a step of each digit, the last is 1
  std::set<Box> boxes;         // by their first corner
};

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_VERIFY_WRITTENPARTS_H
