// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of DimMapOpInterface, attached when the dialect is loaded, and what
// they share.
#ifndef GAUDI_DIALECT_DIMMAPS_DIMMAPS_H
#define GAUDI_DIALECT_DIMMAPS_DIMMAPS_H

#include "Gaudi/Dialect/DimMapBuilder.h"

namespace gaudi {
void attachDimMaps(MLIRContext &context);
void attachMatrixMaps(MLIRContext &context);
void attachMoveMaps(MLIRContext &context);
void attachVectorMaps(MLIRContext &context);
void attachKernelMaps(MLIRContext &context);

/// The model of an op whose map `make` is.
template <typename Op, auto make>
struct MapModel : DimMapOpInterface::ExternalModel<MapModel<Op, make>, Op> {
  DimMap getDimMap(Operation *op) const { return make(cast<Op>(op)); }
};
template <typename Op, auto make> void attachMap(MLIRContext &context) {
  Op::template attachInterface<MapModel<Op, make>>(context);
}

} // namespace gaudi

#endif // GAUDI_DIALECT_DIMMAPS_DIMMAPS_H
