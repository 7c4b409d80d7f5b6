// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs and outputs of one call of `run`: sequences or dicts of arrays.
#ifndef GAUDI_PYTHON_ARGUMENTS_H
#define GAUDI_PYTHON_ARGUMENTS_H

#include "Executable.h"

namespace gaudi::python {

/// Adds one buffer per input. A sequence has all inputs in order, or all that
/// are not bound; None stands for a bound input and for a state that keeps its
/// value.
void addInputs(const Entry &entry, nb::handle given, Operands &operands);

/// Gives the shape that output `index` has, as a tuple.
using OutputShape = nb::tuple (*)(void *context, size_t index);

/// Adds one buffer per output and returns the arrays: those of `given`, a
/// sequence or a dict, and new ones where that is None or has None.
nb::list addOutputs(const Entry &entry, nb::handle given, Operands &operands,
                    OutputShape shape, void *context);

} // namespace gaudi::python

#endif // GAUDI_PYTHON_ARGUMENTS_H
