// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the C functions of DLPack of a class, once per class.
#include "ExchangeApi.h"

#include "ElementTypes.h"

#include <unordered_map>

namespace gaudi::python {

namespace {

/// Whether the class handles operations itself, as PyTorch's tensors without
/// data of their own do (FakeTensor). The functions of its base would read
/// memory that is not there.
bool overridesDispatch(PyTypeObject *type) {
  PyObject *own = _PyType_Lookup(type, numpy().dispatch);
  for (Py_ssize_t index = 0; index != PyTuple_GET_SIZE(type->tp_mro); ++index) {
    auto *base =
        reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(type->tp_mro, index));
    // The class that brought the functions.
    if (base->tp_dict && PyDict_Contains(base->tp_dict, numpy().exchangeApi))
      return own != _PyType_Lookup(base, numpy().dispatch);
  }
  return true;
}

const ExchangeApi *find(PyTypeObject *type) {
  PyObject *capsule = _PyType_Lookup(type, numpy().exchangeApi);
  if (!capsule || !PyCapsule_IsValid(capsule, "dlpack_exchange_api") ||
      overridesDispatch(type))
    return nullptr;
  const auto *header = static_cast<const ExchangeHeader *>(
      PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
  while (header && header->major > 1)
    header = header->previous;
  if (!header || header->major != 1)
    return nullptr;
  const auto *api = reinterpret_cast<const ExchangeApi *>(header);
  return api->view ? api : nullptr;
}

} // namespace

ExchangeClass exchangeClassOf(PyTypeObject *type) {
  // Classes in here live as long as the process, so that no other one gets the
  // address; there are two or three.
  static std::unordered_map<PyTypeObject *, ExchangeClass> known;
  if (auto found = known.find(type); found != known.end())
    return found->second;
  ExchangeClass result{find(type)};
  if (result.api) {
    result.isNegated =
        PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "is_neg");
    if (!result.isNegated)
      PyErr_Clear();
    Py_INCREF(type);
    known.emplace(type, result);
  }
  return result;
}

} // namespace gaudi::python
