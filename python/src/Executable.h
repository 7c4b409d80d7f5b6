// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded recipe: what a call of `run` does between Python and the library.
#ifndef GAUDI_PYTHON_EXECUTABLE_H
#define GAUDI_PYTHON_EXECUTABLE_H

#include "Operands.h"
#include "Recipe.h"

#include "gaudi-c/Executable.h"

#include <cstdint>
#include <vector>

namespace gaudi::python {

struct Entry {
  nb::str name;
  std::vector<Tensor> inputs, outputs;
  size_t numBound = 0;
};

class Executable {
public:
  /// `options`: a dict with the fields of GaudiLoadOptions. `bindings`: a list
  /// of tuples of entry, input and array, which live as long as this.
  Executable(const Recipe &recipe, const nb::dict &options,
             const nb::list &bindings);
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;
  ~Executable();

  /// Returns the outputs: new NumPy arrays, or what the caller gave.
  nb::list run(nb::handle inputs, nb::handle outputs, nb::handle entry);
  /// The same with addresses of dense memory of static tensors; 0 for what is
  /// bound, keeps its state, or is not wanted.
  void runAddresses(const std::vector<uintptr_t> &inputs,
                    const std::vector<uintptr_t> &outputs, size_t entry);

  nb::object state(nb::handle which);
  void setState(nb::handle which, nb::handle array);
  void resetStates();

  nb::dict stats() const;
  nb::dict lastLaunch() const;

private:
  const Entry &findEntry(nb::handle entry) const;
  size_t findState(nb::handle which) const;
  void launch(const Entry &entry, Operands &inputs, Operands &outputs);

  GaudiExecutable *executable = nullptr;
  std::vector<Entry> entries;
  std::vector<Tensor> states;
  Operands bound;          // what keeps the memory of bindings
  GaudiRunStats last = {}; // guarded by the interpreter's lock
};

} // namespace gaudi::python

#endif // GAUDI_PYTHON_EXECUTABLE_H
