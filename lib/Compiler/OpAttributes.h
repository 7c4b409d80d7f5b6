// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All attributes of an op.
#ifndef GAUDI_LIB_COMPILER_OPATTRIBUTES_H
#define GAUDI_LIB_COMPILER_OPATTRIBUTES_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Operation.h"

namespace gaudi {

/// Also those that an op of no registered dialect has as properties, as text in
/// the generic form gives them.
inline DictionaryAttr attributesOf(Operation *op) {
  NamedAttrList all(op->getAttrDictionary());
  if (!op->isRegistered())
    if (auto own =
            dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
      all.append(own);
  return all.getDictionary(op->getContext());
}

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_OPATTRIBUTES_H
