// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --remarks prints of the remarks of passes.
#ifndef GAUDI_RUN_REMARKTEXT_H
#define GAUDI_RUN_REMARKTEXT_H

#include "Gaudi/Prediction/RemarkSummary.h"
#include "Options.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace gaudi::run {

/// A table of counts by pass and name, or with RemarkLevel::Missed what was
/// lost, the dearest first. Equal remarks of several places are one line.
void printRemarks(std::ostream &out,
                  const std::vector<prediction::Remark> &remarks,
                  RemarkLevel level);

} // namespace gaudi::run

#endif // GAUDI_RUN_REMARKTEXT_H
