// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the extension module share: errors, strings, NumPy.
#ifndef GAUDI_PYTHON_NATIVE_H
#define GAUDI_PYTHON_NATIVE_H

#include "gaudi-c/Support.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>

namespace gaudi::python {

namespace nb = nanobind;

/// Text of the library as a str. Bytes that are no UTF-8 are replaced: names of
/// a model may have some.
nb::str text(GaudiStringRef text);

/// A text that the library gave away, as a str; destroys it.
nb::str takeText(char *text);

/// The exception of gaudi_mlir.errors for the error, which it destroys.
nb::object makeException(GaudiError *error);
/// Throws that exception if there is an error.
void check(GaudiError *error);
/// Calls a function of the library without the interpreter; throws its error.
template <typename Call> void checkUnlocked(Call call) {
  GaudiError *error;
  {
    nb::gil_scoped_release release;
    error = call();
  }
  check(error);
}
/// The text that `ask` gives away, which is called without the interpreter.
template <typename Ask> nb::str textOf(Ask ask) {
  char *text = nullptr;
  checkUnlocked([&] { return ask(&text); });
  return takeText(text);
}
/// Throws the exception that the function of gaudi_mlir._messages returns.
template <typename... Args>
[[noreturn]] void throwMessage(const char *function, Args &&...args) {
  nb::object exception = nb::module_::import_("gaudi_mlir._messages")
                             .attr(function)(std::forward<Args>(args)...);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())),
                  exception.ptr());
  throw nb::python_error();
}

/// The option of that name; `absent` if the dict has none. Raises an exception
/// that says what was expected if its value does not fit into a T.
template <typename T>
T option(const nb::dict &options, const char *name, const char *expected,
         T absent = T()) {
  if (!options.contains(name))
    return absent;
  nb::object value = options[name];
  T result = absent;
  if (!nb::try_cast<T>(value, result))
    throwMessage("wrong_option", name, value, expected);
  return result;
}

void registerChecked(nb::module_ &module);
void registerRecipe(nb::module_ &module);
void registerRecipeCache(nb::module_ &module);
void registerCompile(nb::module_ &module);
void registerExecutable(nb::module_ &module);
void registerMonitoring(nb::module_ &module);
void registerDevice(nb::module_ &module);

} // namespace gaudi::python

#endif // GAUDI_PYTHON_NATIVE_H
