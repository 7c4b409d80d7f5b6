// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types of the library in the terms of NumPy and DLPack.
#ifndef GAUDI_PYTHON_ELEMENTTYPES_H
#define GAUDI_PYTHON_ELEMENTTYPES_H

#include "Native.h"

#include <nanobind/ndarray.h>

namespace gaudi::python {

constexpr int numElementTypes = GaudiI1 + 1;
/// What an array holds: a GaudiElementType or one of these.
constexpr int unsigned64 = numElementTypes;
constexpr int unknownType = -1;

/// What the module asks of NumPy and ml_dtypes; filled when it is imported.
struct Numpy {
  PyObject *ndarray, *generic, *maskedArray, *empty;
  PyObject *dtypes[numElementTypes];
  PyObject *scalarTypes[numElementTypes]; // numpy.float32, ...
  // Interned names of attributes.
  PyObject *arrayStruct, *dtype, *type, *exchangeApi, *dispatch;
};
const Numpy &numpy();
void importNumpy();

/// The element type of an array with this typekind of the array interface.
/// `array` is asked only about types that NumPy does not know itself.
int typeOfArray(char kind, int itemSize, PyObject *array);
int typeOfDlpack(nb::dlpack::dtype type);

/// Whether a tensor of `expected` takes the bits of `given`: the same type, or
/// integers of the same width, because integers of linalg and TOSA have no
/// sign.
bool takesBitsOf(GaudiElementType expected, int given);

} // namespace gaudi::python

#endif // GAUDI_PYTHON_ELEMENTTYPES_H
