// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pass of the compiler did or did not do.
#ifndef GAUDI_PREDICTION_REMARK_H
#define GAUDI_PREDICTION_REMARK_H

#include <cstdint>
#include <string>

namespace gaudi::prediction {

struct Remark {
  std::string pass;     // "gaudi-fuse-tpc"
  std::string kind;     // "passed", "missed", "failed" or "analysis"
  std::string location; // as in recipes: "model.mlir:12:8"; may be empty
  std::string text;
  std::string name = {};        // "keep-apart"
  int64_t lostPicoseconds = -1; // at most; -1: not known
  int64_t lostBytes = -1;       // the same in bytes of device memory
};

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_REMARK_H
