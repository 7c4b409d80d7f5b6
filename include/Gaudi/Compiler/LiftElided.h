// Models whose publisher removed the weights (`dense_resource<__elided__>`).
#ifndef GAUDI_COMPILER_LIFTELIDED_H
#define GAUDI_COMPILER_LIFTELIDED_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::gaudi {

/// Makes an argument of each constant of `function`, of any dialect, that is a
/// resource without data. They follow the function's own arguments in the order
/// of the constants and are called elided0, elided1, ... in recipes. Returns
/// their number.
unsigned liftElided(FunctionOpInterface function);

/// Registers the pass `gaudi-lift-elided`, which does so in each function with
/// a body that nothing calls.
void registerLiftElidedPass();

} // namespace mlir::gaudi

#endif // GAUDI_COMPILER_LIFTELIDED_H
