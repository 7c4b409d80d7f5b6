// How far a result may lie from the reference, per element type: one table,
// used by every test and every check. docs/numerics.md argues the numbers.
#ifndef GAUDI_SUPPORT_TOLERANCE_H
#define GAUDI_SUPPORT_TOLERANCE_H

#include <cstddef>
#include <string_view>

namespace gaudi {

/// An element passes if
/// |actual - reference| <= ofLargest * L + ofElement * |reference| + absolute
/// with L the largest finite magnitude in the reference tensor. NaN must meet
/// NaN and an infinity the same infinity. All zero: equal values.
struct Tolerance {
  double ofLargest;
  double ofElement;
  double absolute;
};

/// One row of the table: after one op, and after a whole model.
struct ToleranceRow {
  std::string_view type; ///< "f32", "bf16", ..., "integer"
  Tolerance op;
  Tolerance model;
};

inline constexpr ToleranceRow toleranceTable[] = {
    {"f32", {1e-5, 1e-5, 0x1p-126}, {1e-4, 1e-4, 0x1p-126}},
    {"bf16", {1e-5, 0x1p-7, 0x1p-126}, {0x1p-6, 0x1p-6, 0x1p-126}},
    {"f16", {1e-5, 0x1p-10, 0x1p-24}, {0x1p-9, 0x1p-9, 0x1p-24}},
    {"f8E4M3FN", {1e-5, 0x1p-3, 0x1p-9}, {0x1p-2, 0x1p-2, 0x1p-9}},
    {"f8E5M2", {1e-5, 0x1p-2, 0x1p-16}, {0x1p-1, 0x1p-1, 0x1p-16}},
    {"integer", {0, 0, 0}, {0, 0, 0}},
};

/// The row of an element type by its name; integers share one.
inline const ToleranceRow &toleranceRow(std::string_view elementType) {
  constexpr size_t rows = sizeof(toleranceTable) / sizeof(toleranceTable[0]);
  for (const ToleranceRow &row : toleranceTable)
    if (row.type == elementType)
      return row;
  return toleranceTable[rows - 1];
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_TOLERANCE_H
