// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minimum s-t cut for variables of two labels.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SOLVER_CUT_H
#define GAUDI_TRANSFORMS_LAYOUT_SOLVER_CUT_H

#include "Model.h"
#include <optional>

namespace gaudi::layout {

/// Labels of least cost, if all variables have at most two and each function is
/// submodular after the labels of some variables change places; else nothing.
std::optional<std::vector<uint32_t>> solveByCut(const Model &model);

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SOLVER_CUT_H
