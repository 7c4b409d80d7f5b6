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
  PyObject *name = numpy().dispatch;
  PyObject *own = _PyType_Lookup(type, name);
  PyTypeObject *base = type;
  // The class that brought the functions.
  while (base && !PyDict_Contains(base->tp_dict, numpy().exchangeApi))
    base = base->tp_base;
  return !base || own != _PyType_Lookup(base, name);
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
