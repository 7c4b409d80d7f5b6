// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Model of gaudi.tpc.kernel: runs the compiled body over the index space.
#include "Indexing.h"
#include "Jobs.h"
#include "KernelProgram.h"
#include "Models.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

/// Runs points [first, last) of the parallel dimensions; returns the first
/// error.
static std::string runPoints(const KernelProgram &program,
                             ArrayRef<int64_t> extents, ArrayRef<unsigned> rows,
                             int64_t first, int64_t last) {
  Lanes lanes(program.floatRows, program.intRows);
  for (int64_t start = first; start < last && lanes.error.empty();
       start += Lanes::width) {
    lanes.count = std::min(Lanes::width, last - start);
    for (int64_t i = 0; i < lanes.count; ++i) {
      int64_t rest = start + i;
      for (size_t d = extents.size(); d-- > 0; rest /= extents[d])
        lanes.ints(rows[d])[i] = rest % extents[d];
    }
    for (const Step &step : program.steps)
      step(lanes);
  }
  return lanes.error;
}

/// Runs the kernel; `observer` may be null.
static LogicalResult runKernel(KernelOp op, Operands operands, Results &results,
                               const ScalarObserver &observer) {
  SmallVector<ReferenceTensor> outputs;
  for (unsigned number = 0; number < op->getNumResults(); ++number)
    outputs.push_back(emptyResult(op, number));
  FailureOr<KernelProgram> program =
      compileKernel(op, operands, outputs, observer);
  if (failed(program))
    return failure();

  SmallVector<int64_t> extents;
  SmallVector<unsigned> rows;
  for (auto [d, isParallel] : llvm::enumerate(op.getParallel()))
    if (isParallel) {
      extents.push_back(op.getIndexSpace()[d]);
      rows.push_back(program->indexRows[d]);
    }
  const int64_t points = product(extents);
  const int64_t batches = (points + Lanes::width - 1) / Lanes::width;
  // Jobs of 1 to 64 batches. No two points store to one element, so results do
  // not depend on how points are grouped; nor does the error, which is that of
  // the first job in order that has one.
  const int64_t perJob =
      std::clamp<int64_t>(batches / 64, 1, 64) * Lanes::width;
  std::vector<std::string> errors((points + perJob - 1) / perJob);
  const double work =
      double(product(op.getIndexSpace())) * program->steps.size();
  forEachJob(op.getContext(), errors.size(), work, [&](int64_t job) {
    const int64_t first = job * perJob;
    errors[job] = runPoints(*program, extents, rows, first,
                            std::min(points, first + perJob));
  });
  for (const std::string &error : errors)
    if (!error.empty())
      return op.emitError() << error;
  results.append(outputs.begin(), outputs.end());
  return success();
}

static LogicalResult evaluateKernel(KernelOp op, Operands operands,
                                    Results &results) {
  return runKernel(op, operands, results, nullptr);
}

LogicalResult reference::observeKernel(KernelOp kernel,
                                       ArrayRef<ReferenceTensor> operands,
                                       const ScalarObserver &observer) {
  SmallVector<ReferenceTensor> results;
  return runKernel(kernel, Operands(operands, nullptr), results, observer);
}

void reference::attachKernelModel(MLIRContext *context) {
  attach<KernelOp, evaluateKernel>(context);
}
