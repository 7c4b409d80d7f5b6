// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs and outputs of one call of `run`.
#include "Arguments.h"

namespace gaudi::python {

namespace {

/// The items of a list or tuple as a tuple, which nobody can change while code
/// of the arrays runs; null for other values.
nb::object itemsOf(nb::handle value) {
  if (PyTuple_Check(value.ptr()))
    return nb::borrow(value);
  if (!PyList_Check(value.ptr()))
    return {};
  PyObject *items = PyList_AsTuple(value.ptr());
  if (!items)
    throw nb::python_error();
  return nb::steal(items);
}

size_t countOf(const nb::object &items) {
  return static_cast<size_t>(PyTuple_GET_SIZE(items.ptr()));
}

nb::list namesOf(const std::vector<Tensor> &tensors) {
  nb::list names;
  for (const Tensor &tensor : tensors)
    names.append(tensor.name);
  return names;
}

/// The value of a dict for the tensor: by name, null if there is none.
nb::object find(nb::handle dict, const Tensor &tensor) {
  PyObject *value = PyDict_GetItemWithError(dict.ptr(), tensor.name.ptr());
  if (!value && PyErr_Occurred())
    throw nb::python_error();
  return nb::borrow(value);
}

/// `value` may be null, as if it were None.
void addInput(const Entry &entry, const Tensor &tensor, nb::handle value,
              Operands &operands) {
  bool none = !value.is_valid() || value.is_none();
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
  // First, since a misspelt name explains the value that is missing.
  Py_ssize_t used = 0;
  std::vector<nb::object> values;
  values.reserve(entry.inputs.size());
  for (const Tensor &tensor : entry.inputs) {
    values.push_back(find(given, tensor));
    used += values.back().is_valid();
  }
  if (used != PyDict_GET_SIZE(given.ptr()))
    throwMessage("unknown_names", "input", given, namesOf(entry.inputs),
                 entry.name);
  for (size_t index = 0; index != values.size(); ++index)
    addInput(entry, entry.inputs[index], values[index], operands);
}

} // namespace

void addInputs(const Entry &entry, nb::handle given, Operands &operands) {
  if (PyDict_Check(given.ptr()))
    return addInputDict(entry, given, operands);
  nb::object items = itemsOf(given);
  if (!items.is_valid())
    throwMessage("not_a_list", "inputs", given, isArray(given));
  size_t count = countOf(items);
  bool all = count == entry.inputs.size();
  if (!all && count != entry.inputs.size() - entry.numBound)
    throwMessage("wrong_count", "input", count, namesOf(entry.inputs),
                 entry.numBound, entry.name);
  size_t next = 0;
  for (const Tensor &tensor : entry.inputs) {
    bool skip = tensor.bound && !all;
    addInput(entry, tensor,
             skip ? nullptr : PyTuple_GET_ITEM(items.ptr(), next), operands);
    next += !skip;
  }
}

nb::list addOutputs(const Entry &entry, nb::handle given, Operands &operands,
                    OutputShape shape, void *context) {
  bool isDict = PyDict_Check(given.ptr());
  nb::object items;
  if (!isDict && !given.is_none()) {
    items = itemsOf(given);
    if (!items.is_valid())
      throwMessage("not_a_list", "outputs", given, isArray(given));
    if (countOf(items) != entry.outputs.size())
      throwMessage("wrong_count", "output", countOf(items),
                   namesOf(entry.outputs), 0, entry.name);
  }
  nb::list results;
  Py_ssize_t used = 0;
  for (size_t index = 0; index != entry.outputs.size(); ++index) {
    const Tensor &tensor = entry.outputs[index];
    nb::object value;
    if (items.is_valid())
      value = nb::borrow(PyTuple_GET_ITEM(items.ptr(), index));
    else if (isDict)
      value = find(given, tensor);
    used += value.is_valid();
    if (value.is_valid() && !value.is_none()) {
      operands.add(tensor, value, Access::Write, "output");
      results.append(value);
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
