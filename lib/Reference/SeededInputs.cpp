// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeded inputs as reference tensors.
#include "Gaudi/Reference/SeededInputs.h"
#include "Gaudi/Support/SeededInputs.h"
#include "Scalars.h"
#include "mlir/IR/TypeRange.h"

using namespace mlir;
using namespace gaudi;

static gaudi::SeededElement seededElement(Type type) {
  if (isa<FloatType>(type))
    return gaudi::SeededElement::floating(reference::formatOf(type));
  if (type.isInteger(1))
    return gaudi::SeededElement::boolean();
  return gaudi::SeededElement::integer(deviceElementBytes(type));
}

ReferenceTensor gaudi::seededInput(RankedTensorType type, uint32_t argument,
                                   uint32_t seed) {
  std::vector<char> bytes(type.getNumElements() *
                          deviceElementBytes(type.getElementType()));
  gaudi::writeSeededInput(seed, argument, type.getShape().data(),
                          type.getRank(), seededElement(type.getElementType()),
                          bytes.data());
  return *ReferenceTensor::fromBytes(type, bytes);
}

SmallVector<ReferenceTensor> gaudi::seededInputs(TypeRange types,
                                                 uint32_t seed) {
  SmallVector<ReferenceTensor> inputs;
  for (auto [argument, type] : llvm::enumerate(types))
    inputs.push_back(seededInput(cast<RankedTensorType>(type), argument, seed));
  return inputs;
}
