// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extension module gaudi_mlir._core: the C interface for the Python files
// of the package. Only those call it.
#include "ElementTypes.h"
#include "Native.h"

#include "gaudi-c/Executable.h"

// NOLINTNEXTLINE(readability-identifier-naming): a macro of nanobind.
NB_MODULE(_core, module) {
  using namespace gaudi::python;
  // Objects that live at exit are the caller's business.
  nb::set_leak_warnings(false);
  importNumpy();
  module.def("version", &gaudiVersionText);
  module.def("binding_alignment", &gaudiBindingAlignment);
  registerChecked(module);
  registerRecipe(module);
  registerRecipeCache(module);
  registerCompile(module);
  registerExecutable(module);
  registerMonitoring(module);
  registerDevice(module);
}
