// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function of the package as its callers see it: in C++, so that the
// traceback of an error that it raises ends at their line.
#include "Native.h"

namespace gaudi::python {

namespace {

struct Checked {
  Checked(nb::object function, nb::object raised)
      : function(std::move(function)), raised(std::move(raised)) {}

  nb::object call(const nb::args &arguments, const nb::kwargs &options) const {
    nb::object instead;
    try {
      return function(*arguments, **options);
    } catch (nb::python_error &error) {
      // With an error set, no code of Python runs: `error` has it now.
      instead = raised(error.value(), arguments, options);
    }
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(instead.ptr())),
                    instead.ptr());
    throw nb::python_error();
  }

  nb::object function, raised;
};

} // namespace

void registerChecked(nb::module_ &module) {
  nb::class_<Checked>(module, "Checked", nb::dynamic_attr(),
                      nb::is_weak_referenceable())
      .def(nb::init<nb::object, nb::object>())
      .def("__call__", &Checked::call)
      .def("__repr__",
           [](const Checked &self) { return nb::repr(self.function); })
      // Of a function, pickle and copy keep the name.
      .def("__reduce__",
           [](nb::handle self) { return self.attr("__qualname__"); });
}

} // namespace gaudi::python
