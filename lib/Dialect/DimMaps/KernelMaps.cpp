// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps of kernels in data form: the factors are the dimensions of the index
// space, and the accesses those of loads and stores.
#include "DimMaps.h"
#include "Gaudi/Dialect/KernelLanguage.h"

using namespace mlir;
using namespace gaudi;

std::optional<unsigned> gaudi::walkedAlone(KernelOp kernel, int64_t rank,
                                           unsigned dim) {
  std::optional<unsigned> found;
  kernel.getBody().walk([&](KernelStoreOp store) {
    AffineMap map = store.getMap();
    if (map.getNumResults() != rank)
      return;
    auto walked = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (walked && kernel.getIndexSpace()[walked.getPosition()] == 1)
      found = walked.getPosition();
  });
  return found;
}

namespace {
class KernelMap {
public:
  explicit KernelMap(KernelOp kernel) : kernel(kernel) {}

  DimMap make() {
    for (auto [dim, size] : llvm::enumerate(kernel.getIndexSpace()))
      map.factors.push_back({size, unsigned(dim)});
    // A dimension of size 1 is read and written at 0: it may be one that all
    // tensors of the first result's rank have.
    for (int64_t dim = 0; dim < rank(); ++dim)
      map.factors.push_back({1, unsigned(map.factors.size())});
    for (Value argument : kernel.getBody().getArguments())
      addTensor(cast<BlockArgument>(argument));
    return std::move(map);
  }

private:
  int64_t rank() {
    return kernel.getOutputs().empty()
               ? 0
               : tensorType(kernel.getOutputs().front()).getRank();
  }

  void addTensor(BlockArgument argument) {
    const unsigned tensor = argument.getArgNumber();
    const size_t first = map.accesses.size();
    for (Operation *user : argument.getUsers()) {
      DimMap::Access access{tensor, {}};
      auto load = dyn_cast<KernelLoadOp>(user);
      const AffineMap position =
          load ? load.getMap() : cast<KernelStoreOp>(user).getMap();
      for (auto [dim, expr] : llvm::enumerate(position.getResults()))
        access.dims.push_back(dimOf(load, dim, expr, position.getNumResults(),
                                    tensorType(argument).getDimSize(dim)));
      map.accesses.push_back(std::move(access));
    }
    if (map.accesses.size() != first)
      return;
    // Nothing reads it: it may have any size.
    DimMap::Access access{tensor, {}};
    access.dims.resize(tensorType(argument).getRank());
    for (DimMap::Dim &dim : access.dims)
      dim.isWhole = true;
    map.accesses.push_back(std::move(access));
  }

  DimMap::Dim dimOf(KernelLoadOp load, unsigned dim, AffineExpr expr,
                    unsigned rank, int64_t size) {
    DimMap::Dim result;
    if (load && load.getDynamicIndex(dim)) {
      result.isWhole = true;
      return result;
    }
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      result.offset = constant.getValue();
      if (size != 1)
        return result; // an element that is there in any size
      // If it grows, the result does; if it does not, it is repeated.
      if (auto walked = walkedAlone(kernel, rank, dim))
        result.terms.push_back({*walked, 0});
      else if (rank == this->rank())
        result.terms.push_back(
            {unsigned(kernel.getIndexSpace().size()) + dim, load ? 0 : 1});
      return result;
    }
    // Outside, another element is read.
    result.isWhole = load && load.getBoundaryOf(dim) == Boundary::Clamp;
    const FailureOr<Affine> form = affineOf(expr);
    result.isWhole |= failed(form) || !form->isExact();
    for (unsigned d = 0; d < kernel.getIndexSpace().size(); ++d)
      if (expr.isFunctionOfDim(d))
        result.terms.push_back({d, result.isWhole ? 1 : (*form)[d]});
    if (!result.isWhole)
      result.offset = form->getOffset();
    return result;
  }

  KernelOp kernel;
  DimMap map;
};
} // namespace

static DimMap mapKernel(KernelOp kernel) { return KernelMap(kernel).make(); }

void gaudi::attachKernelMaps(MLIRContext &context) {
  attachMap<KernelOp, mapKernel>(context);
}
