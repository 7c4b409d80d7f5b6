// Geometry of a recipe's tensors: the kernel language's, under this room's
// name.
#ifndef GAUDI_RECIPE_GEOMETRY_H
#define GAUDI_RECIPE_GEOMETRY_H

#include "Gaudi/Kernel/Geometry.h"

namespace gaudi::recipe {

using kernel::byteExtent;
using kernel::denseStrides;
using kernel::Dims;
using kernel::elementCount;
using kernel::isDense;
using kernel::isInjective;
using kernel::provablyDisjoint;
using kernel::Window;

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_GEOMETRY_H
