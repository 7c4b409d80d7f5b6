// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded recipe.
#include "Executable.h"

#include "Arguments.h"

#include <nanobind/stl/vector.h>

#include <utility>

namespace gaudi::python {

namespace {

Entry makeEntry(const GaudiRecipe *recipe, size_t entry) {
  Entry result{text(gaudiRecipeEntryName(recipe, entry)), {}, {}};
  for (size_t index = 0; index != gaudiRecipeNumInputs(recipe, entry); ++index)
    result.inputs.emplace_back(gaudiRecipeInput(recipe, entry, index));
  for (size_t index = 0; index != gaudiRecipeNumOutputs(recipe, entry); ++index)
    result.outputs.emplace_back(gaudiRecipeOutput(recipe, entry, index));
  return result;
}

struct ShapeQuery {
  GaudiExecutable *executable;
  size_t entry;
  const std::vector<Tensor> &outputs;
  Operands &inputs;
};

nb::tuple outputShape(void *context, size_t index) {
  auto *query = static_cast<ShapeQuery *>(context);
  std::vector<int64_t> sizes(query->outputs[index].shape.size() + 1);
  check(gaudiExecutableOutputShape(query->executable, query->entry,
                                   query->inputs.data(), query->inputs.size(),
                                   index, sizes.data()));
  sizes.pop_back();
  nb::list shape;
  for (int64_t size : sizes)
    shape.append(size);
  return nb::tuple(shape);
}

/// The number that `which` is, if it is an int in bounds; else -1.
Py_ssize_t indexOf(nb::handle which, size_t count) {
  if (!PyLong_Check(which.ptr()))
    return -1;
  Py_ssize_t index = PyLong_AsSsize_t(which.ptr());
  if (index == -1 && PyErr_Occurred())
    PyErr_Clear();
  return index >= 0 && static_cast<size_t>(index) < count ? index : -1;
}

} // namespace

Executable::Executable(const Recipe &recipe, const nb::dict &options,
                       const nb::list &bindings)
    : bound(bindings.size()) {
  for (size_t entry = 0; entry != gaudiRecipeNumEntries(recipe.get()); ++entry)
    entries.push_back(makeEntry(recipe.get(), entry));
  for (size_t index = 0; index != gaudiRecipeNumStates(recipe.get()); ++index)
    states.emplace_back(gaudiRecipeState(recipe.get(), index));

  GaudiLoadOptions load;
  gaudiLoadOptionsInit(&load);
  const char *number32 = "a number from 0 to 2^32 - 1";
  const char *number64 = "a number from 0 to 2^64 - 1";
  load.deviceMemory = option<uint64_t>(options, "device_memory", number64);
  load.threads = option<uint32_t>(options, "threads", number32);
  load.maxLaunches = option<uint32_t>(options, "max_launches", number32);
  load.maxIterations = option<uint64_t>(options, "max_iterations", number64);
  load.maxKernelWeight =
      option<uint64_t>(options, "max_kernel_weight", number64);
  if (options.contains("cache_dir"))
    load.cacheDirectory = nb::cast<nb::bytes>(options["cache_dir"]).c_str();

  std::vector<GaudiBinding> given;
  for (nb::handle binding : bindings) {
    auto entry = nb::cast<size_t>(binding[0]);
    auto input = nb::cast<size_t>(binding[1]);
    Tensor &tensor = entries.at(entry).inputs.at(input);
    if (tensor.bound)
      throwMessage("bound_twice", tensor.name, entries[entry].name);
    bound.add(tensor, binding[2], Access::Read, "binding");
    const GaudiBuffer &buffer = bound.data()[bound.size() - 1];
    if (buffer.strides && buffer.rank != 0)
      throwMessage("strided_binding", tensor.name);
    size_t bytes = gaudiElementTypeSize(tensor.type);
    for (uint32_t index = 0; index != buffer.rank; ++index)
      bytes *= static_cast<size_t>(buffer.shape[index]);
    given.push_back({entry, input, buffer.data, bytes});
    tensor.bound = true;
    ++entries[entry].numBound;
  }
  load.bindings = given.data();
  load.numBindings = given.size();
  checkUnlocked(
      [&] { return gaudiExecutableLoad(recipe.get(), &load, &executable); });
}

Executable::~Executable() {
  if (!nb::is_alive()) {
    gaudiExecutableDestroy(executable);
    return;
  }
  // What is left of the cache is written, which may take a second.
  nb::gil_scoped_release release;
  gaudiExecutableDestroy(executable);
}

const Entry &Executable::findEntry(nb::handle entry) const {
  if (entry.is_none() && entries.size() == 1)
    return entries.front();
  if (Py_ssize_t index = indexOf(entry, entries.size()); index >= 0)
    return entries[static_cast<size_t>(index)];
  if (PyUnicode_Check(entry.ptr()))
    for (const Entry &candidate : entries)
      if (candidate.name.equal(entry))
        return candidate;
  nb::list names;
  for (const Entry &candidate : entries)
    names.append(candidate.name);
  throwMessage("unknown_entry", entry, names);
}

void Executable::launch(const Entry &entry, Operands &inputs,
                        Operands &outputs) {
  auto index = static_cast<size_t>(&entry - entries.data());
  GaudiRunStats stats = {};
  stats.size = sizeof stats;
  const GaudiBuffer *in = inputs.data(), *out = outputs.data();
  checkUnlocked([&] {
    return gaudiExecutableRun(executable, index, in, inputs.size(), out,
                              outputs.size(), &stats);
  });
  last = stats;
}

nb::list Executable::run(nb::handle inputs, nb::handle outputs,
                         nb::handle entry) {
  const Entry &signature = findEntry(entry);
  Operands in(signature.inputs.size()), out(signature.outputs.size());
  addInputs(signature, inputs, in);
  ShapeQuery query{executable, static_cast<size_t>(&signature - entries.data()),
                   signature.outputs, in};
  nb::list results = addOutputs(signature, outputs, out, &outputShape, &query);
  launch(signature, in, out);
  return results;
}

void Executable::runAddresses(const std::vector<uintptr_t> &inputs,
                              const std::vector<uintptr_t> &outputs,
                              size_t entry) {
  const Entry &signature = findEntry(nb::int_(entry));
  auto add = [&](Operands &operands, const std::vector<Tensor> &tensors,
                 const std::vector<uintptr_t> &addresses, const char *role) {
    if (addresses.size() != tensors.size())
      throwMessage("wrong_address_count", role, addresses.size(),
                   tensors.size(), signature.name);
    for (size_t index = 0; index != tensors.size(); ++index) {
      if (!tensors[index].isStatic)
        throwMessage("dynamic_address", role, tensors[index].name,
                     tensors[index].typeText());
      operands.addDense(tensors[index],
                        reinterpret_cast<void *>(addresses[index]));
    }
  };
  Operands in(inputs.size()), out(outputs.size());
  add(in, signature.inputs, inputs, "input");
  add(out, signature.outputs, outputs, "output");
  launch(signature, in, out);
}

size_t Executable::findState(nb::handle which) const {
  if (Py_ssize_t index = indexOf(which, states.size()); index >= 0)
    return static_cast<size_t>(index);
  if (PyUnicode_Check(which.ptr()))
    for (const Tensor &state : states)
      if (state.name.equal(which))
        return static_cast<size_t>(&state - states.data());
  nb::list names;
  for (const Tensor &state : states)
    names.append(state.name);
  throwMessage("unknown_state", which, names);
}

nb::object Executable::state(nb::handle which) {
  size_t index = findState(which);
  Operands operands(1);
  nb::object array = operands.addNew(states[index], states[index].shapeTuple);
  const GaudiBuffer *buffer = operands.data();
  checkUnlocked(
      [&] { return gaudiExecutableGetState(executable, index, buffer); });
  return array;
}

void Executable::setState(nb::handle which, nb::handle array) {
  size_t index = findState(which);
  Operands operands(1);
  operands.add(states[index], array, Access::Read, "state");
  const GaudiBuffer *buffer = operands.data();
  checkUnlocked(
      [&] { return gaudiExecutableSetState(executable, index, buffer); });
}

void Executable::resetStates() {
  checkUnlocked([&] { return gaudiExecutableResetStates(executable); });
}

nb::dict Executable::stats() const {
  GaudiExecutableStats stats = {};
  stats.size = sizeof stats;
  check(gaudiExecutableStats(executable, &stats));
  nb::dict result;
  result["launches"] = stats.launches;
  result["contexts"] = stats.contexts;
  result["peak_bytes"] = stats.peakBytes;
  result["kernels"] = stats.kernels;
  result["kernels_from_cache"] = stats.kernelsFromCache;
  result["kernels_compiled"] = stats.kernelsCompiled;
  result["bound_inputs"] = stats.boundInputs;
  return result;
}

nb::dict Executable::lastLaunch() const {
  nb::dict result;
  if (last.size == 0)
    return result;
  result["launch_us"] = last.launchMicroseconds;
  result["copy_us"] = last.copyMicroseconds;
  result["iterations"] = last.iterations;
  if (last.variant >= 0)
    result["variant"] = last.variant;
  if (last.predictedPicoseconds >= 0)
    result["predicted_us"] =
        static_cast<double>(last.predictedPicoseconds) / 1e6;
  return result;
}

void registerExecutable(nb::module_ &module) {
  module.def("finish_background", &gaudiFinishBackground,
             nb::call_guard<nb::gil_scoped_release>());
  nb::class_<Executable>(module, "Executable")
      .def(nb::init<const Recipe &, const nb::dict &, const nb::list &>(),
           nb::arg("recipe"), nb::arg("options"), nb::arg("bindings"))
      .def("run", &Executable::run, nb::arg("inputs").none(),
           nb::arg("outputs") = nb::none(), nb::arg("entry") = nb::none(),
           "Launches the entry once and returns its outputs.\n\n"
           "inputs: a list of arrays, or a dict of them by name; bound inputs "
           "may be left out.\n"
           "outputs: arrays to write, in the same forms; None for a new NumPy "
           "array.\n"
           "entry: name or number, needed if the recipe has several.")
      .def("run_addresses", &Executable::runAddresses, nb::arg("inputs"),
           nb::arg("outputs"), nb::arg("entry") = 0,
           "Launches the entry on dense memory at these addresses, one per "
           "input and output.\n\n"
           "Nothing can be checked. All tensors of the entry must be static. 0 "
           "stands for what is bound,\nfor a state that keeps its value, and "
           "for an output that is not wanted.")
      .def("state", &Executable::state, nb::arg("which"),
           "A copy of the state with this name or number.")
      .def("set_state", &Executable::setState, nb::arg("which"),
           nb::arg("array"), "Gives the state a value.")
      .def("reset_states", &Executable::resetStates,
           "Gives the states that have an initial value that value.")
      .def_prop_ro("_stats", &Executable::stats)
      .def_prop_ro("_last_launch", &Executable::lastLaunch);
}

} // namespace gaudi::python
