// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and errors of the library as Python objects.
#include "Native.h"

#include "gaudi-c/Recipe.h"

#include <cstring>
#include <memory>

namespace gaudi::python {

nb::str text(GaudiStringRef text) {
  PyObject *decoded = PyUnicode_DecodeUTF8(
      text.data, static_cast<Py_ssize_t>(text.length), "replace");
  if (!decoded)
    throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

nb::str takeText(char *given) {
  const std::unique_ptr<char, decltype(&gaudiTextDestroy)> owner(
      given, &gaudiTextDestroy);
  return text({given, std::strlen(given)});
}

nb::object makeException(GaudiError *error) {
  int code = gaudiErrorCode(error);
  nb::str message = text(gaudiErrorMessage(error));
  nb::str location = text(gaudiErrorLocation(error));
  nb::str details = text(gaudiErrorDetails(error));
  gaudiErrorDestroy(error);
  return nb::module_::import_("gaudi_mlir.errors")
      .attr("_from_code")(code, message, location, details);
}

void check(GaudiError *error) {
  if (!error)
    return;
  nb::object exception = makeException(error);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())),
                  exception.ptr());
  throw nb::python_error();
}

} // namespace gaudi::python
