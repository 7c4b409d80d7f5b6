// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes and types as functions of sizes.
#ifndef GAUDI_LIB_COMPILER_SAMPLEDATTRIBUTE_H
#define GAUDI_LIB_COMPILER_SAMPLEDATTRIBUTE_H

#include "SizeForms.h"
#include "mlir/IR/Attributes.h"

namespace gaudi {

/// The attribute at the sizes that `forms` speaks of, given what it is at the
/// samples; types are those of a TypeAttr. Null if it differs there in more
/// than numbers, or if a number is not known.
///
/// The elements of a constant that is no splat must be the first ones of those
/// of the first sample, which is the largest: they do not depend on a size.
Attribute attributeAt(const SizeForms &forms, ArrayRef<Attribute> samples);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_SAMPLEDATTRIBUTE_H
