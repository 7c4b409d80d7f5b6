// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory as text for people: what fills it, what aliases saved, what would
// help, and what buckets need.
#ifndef GAUDI_ANALYSIS_MEMORYTEXT_H
#define GAUDI_ANALYSIS_MEMORYTEXT_H

#include "Gaudi/Analysis/MemoryReport.h"

#include <iosfwd>
#include <string>

namespace gaudi::analysis {

/// The `buffers` largest buffers alive at the peak, half of them of the
/// workspace, what passes did about memory, the largest copies that remain, and
/// what would lower the peak. Nothing of what the recipe does not have.
void printMemoryPlan(std::ostream &out,
                     const prediction::Prediction &prediction, size_t buffers);

/// What is needed and whether it fits, in one line, then the plan and what
/// would help if it does not fit, or a table of the buckets and which fit.
void printMemory(std::ostream &out, const MemoryReport &report);

/// The one error of what does not fit: both numbers and, of an entry without
/// variants, with `details` what fills the memory and what would help.
std::string outOfMemory(const MemoryReport &report, bool details);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_MEMORYTEXT_H
