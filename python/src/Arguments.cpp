// The inputs and outputs of one call of `run`.
#include "Arguments.h"

namespace gaudi::python {

namespace {

/// The items of a list or tuple, or null.
PyObject *const *itemsOf(nb::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr()))
    return nullptr;
  return PySequence_Fast_ITEMS(value.ptr());
}

nb::list namesOf(const std::vector<Tensor> &tensors) {
  nb::list names;
  for (const Tensor &tensor : tensors)
    names.append(tensor.name);
  return names;
}

/// The value of a dict for the tensor: by name, null if there is none.
PyObject *find(nb::handle dict, const Tensor &tensor) {
  PyObject *value = PyDict_GetItemWithError(dict.ptr(), tensor.name.ptr());
  if (!value && PyErr_Occurred())
    throw nb::python_error();
  return value;
}

void addInput(const Entry &entry, const Tensor &tensor, PyObject *value,
              Operands &operands) {
  bool none = !value || value == Py_None;
  if (tensor.bound) {
    if (!none)
      throwMessage("bound_input", tensor.name);
    return operands.addNull(tensor);
  }
  if (!none)
    return operands.add(tensor, value, Access::Read, "input");
  if (tensor.state < 0)
    throwMessage("missing_input", tensor.name, tensor.typeText(), entry.name);
  operands.addNull(tensor);
}

void addInputDict(const Entry &entry, nb::handle given, Operands &operands) {
  Py_ssize_t used = 0;
  for (const Tensor &tensor : entry.inputs) {
    PyObject *value = find(given, tensor);
    used += value != nullptr;
    addInput(entry, tensor, value, operands);
  }
  if (used != PyDict_GET_SIZE(given.ptr()))
    throwMessage("unknown_names", "input", given, namesOf(entry.inputs),
                 entry.name);
}

} // namespace

void addInputs(const Entry &entry, nb::handle given, Operands &operands) {
  if (PyDict_Check(given.ptr()))
    return addInputDict(entry, given, operands);
  PyObject *const *items = itemsOf(given);
  if (!items)
    throwMessage("not_a_list", "inputs", given, isArray(given));
  auto count = static_cast<size_t>(PySequence_Fast_GET_SIZE(given.ptr()));
  bool all = count == entry.inputs.size();
  if (!all && count != entry.inputs.size() - entry.numBound)
    throwMessage("wrong_count", "input", count, namesOf(entry.inputs),
                 entry.numBound, entry.name);
  size_t next = 0;
  for (const Tensor &tensor : entry.inputs) {
    bool skip = tensor.bound && !all;
    addInput(entry, tensor, skip ? nullptr : items[next], operands);
    next += !skip;
  }
}

nb::list addOutputs(const Entry &entry, nb::handle given, Operands &operands,
                    OutputShape shape, void *context) {
  bool isDict = PyDict_Check(given.ptr());
  PyObject *const *items = nullptr;
  if (!isDict && !given.is_none()) {
    items = itemsOf(given);
    if (!items)
      throwMessage("not_a_list", "outputs", given, isArray(given));
    auto count = static_cast<size_t>(PySequence_Fast_GET_SIZE(given.ptr()));
    if (count != entry.outputs.size())
      throwMessage("wrong_count", "output", count, namesOf(entry.outputs), 0,
                   entry.name);
  }
  nb::list results;
  Py_ssize_t used = 0;
  for (size_t index = 0; index != entry.outputs.size(); ++index) {
    const Tensor &tensor = entry.outputs[index];
    PyObject *value = items    ? items[index]
                      : isDict ? find(given, tensor)
                               : nullptr;
    used += value != nullptr;
    if (value && value != Py_None) {
      operands.add(tensor, value, Access::Write, "output");
      results.append(nb::handle(value));
      continue;
    }
    results.append(operands.addNew(
        tensor, tensor.isStatic ? tensor.shapeTuple : shape(context, index)));
  }
  if (isDict && used != PyDict_GET_SIZE(given.ptr()))
    throwMessage("unknown_names", "output", given, namesOf(entry.outputs),
                 entry.name);
  return results;
}

} // namespace gaudi::python
