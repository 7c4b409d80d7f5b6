// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C functions that a class of tensors offers for DLPack (DLPack 1.3,
// `__dlpack_c_exchange_api__`): 50 ns per tensor, where `__dlpack__` of PyTorch
// takes 8 us.
#ifndef GAUDI_PYTHON_EXCHANGEAPI_H
#define GAUDI_PYTHON_EXCHANGEAPI_H

#include "Native.h"

#include <nanobind/ndarray.h>

#include <cstdint>

namespace gaudi::python {

struct ExchangeHeader {
  uint32_t major, minor;
  const ExchangeHeader *previous; // of an older version, or null
};

struct ExchangeApi {
  ExchangeHeader header;
  void *allocate, *fromObject, *toObject; // not used here
  /// Describes the tensor, which stays the owner. 0, or -1 with an exception.
  int (*view)(void *object, nb::dlpack::dltensor *out); // may be null
  void *stream;                                         // not used here
};

struct ExchangeClass {
  const ExchangeApi *api =
      nullptr; // null: tensors must be asked by `__dlpack__`
  /// Method that tells that the memory holds the negated values, or null. The
  /// functions of PyTorch do not look at that.
  PyObject *isNegated = nullptr;
};
ExchangeClass exchangeClassOf(PyTypeObject *type);

} // namespace gaudi::python

#endif // GAUDI_PYTHON_EXCHANGEAPI_H
