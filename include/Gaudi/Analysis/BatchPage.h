// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep of batches as one self-contained page: curves of memory and of the
// time of a sample, and the table. HTML and SVG without a script or a network.
#ifndef GAUDI_ANALYSIS_BATCHPAGE_H
#define GAUDI_ANALYSIS_BATCHPAGE_H

#include "Gaudi/Analysis/BatchSearch.h"
#include "Gaudi/Support/OutputFile.h"

#include <string>

namespace gaudi::analysis {

struct BatchPage {
  std::string title, device;
  const BatchPlan &batch; ///< of a sweep
  uint64_t limit = 0;     ///< bytes of device memory
};

/// Writes the page; the caller commits the file.
Status writeBatchPage(OutputFile &file, const BatchPage &page);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_BATCHPAGE_H
