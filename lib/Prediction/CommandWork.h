// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of a recipe's commands, for the time model.
#ifndef GAUDI_LIB_PREDICTION_COMMANDWORK_H
#define GAUDI_LIB_PREDICTION_COMMANDWORK_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Timing/Work.h"

#include <string>

namespace gaudi::prediction {

/// The work of a command of a verified recipe.
timing::Work workOf(const recipe::Recipe &recipe,
                    const recipe::Command &command);

/// Equal for commands of equal work: all that workOf reads, as bytes.
std::string workKeyOf(const recipe::Recipe &recipe,
                      const recipe::Command &command);

/// The work of a kernel on operands, inputs first.
timing::KernelWork kernelWorkOf(const recipe::Kernel &kernel,
                                std::vector<timing::Operand> operands);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_COMMANDWORK_H
