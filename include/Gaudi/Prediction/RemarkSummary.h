// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks of passes by what they are about, and what was lost.
#ifndef GAUDI_PREDICTION_REMARKSUMMARY_H
#define GAUDI_PREDICTION_REMARKSUMMARY_H

#include "Gaudi/Prediction/Remark.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gaudi::prediction {

/// What several remarks lost together, at most: losses may overlap.
struct RemarkLoss {
  int64_t picoseconds = 0, bytes = 0;

  void add(const Remark &remark);
  bool isKnown() const { return picoseconds > 0 || bytes > 0; }
  /// "12.3 us", "4.00 KiB", "12.3 us and 4.00 KiB" or "".
  std::string text() const;
};

/// Remarks of one pass and name.
struct RemarkCount {
  std::string pass, name;
  size_t passed = 0, missed = 0, analysis = 0;
  RemarkLoss loss;
};
/// In the order in which passes first say something, then by name.
std::vector<RemarkCount> countsOf(const std::vector<Remark> &remarks);

/// Equal remarks of several places.
struct LostLine {
  std::vector<const Remark *> remarks;
  RemarkLoss loss; ///< of each

  const Remark &first() const { return *remarks.front(); }
  /// "model.mlir:12:8 and 2 more places".
  std::string place() const;
};

/// What was missed under one name of one pass.
struct LostGroup {
  std::vector<LostLine> lines; ///< the dearest first
  size_t remarks = 0;
  RemarkLoss loss;

  /// "gaudi-fuse-tpc keep-apart"
  std::string title() const {
    return lines.front().first().pass + " " + lines.front().first().name;
  }
};
/// What was missed and cost something, as far as the passes know; the dearest
/// first. Views of `remarks`.
std::vector<LostGroup> lostOf(const std::vector<Remark> &remarks);

nlohmann::ordered_json toJson(const Remark &remark);
/// As an array.
nlohmann::ordered_json toJson(const std::vector<RemarkCount> &counts);

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_REMARKSUMMARY_H
