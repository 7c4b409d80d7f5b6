// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes: opened, saved, described. gaudi_mlir/recipe.py makes objects of the
// tuples that come from here.
#include "Recipe.h"

#include "Operands.h"

#include "gaudi-c/Replay.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::python {

namespace {

/// The bytes of a Python object that has a buffer, without a copy.
class ByteView {
public:
  explicit ByteView(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0)
      throw nb::python_error();
  }
  ByteView(const ByteView &) = delete;
  ByteView &operator=(const ByteView &) = delete;
  ~ByteView() { PyBuffer_Release(&view); }

  const void *data() const { return view.buf; }
  size_t size() const { return static_cast<size_t>(view.len); }

private:
  Py_buffer view;
};

Recipe openRecipe(const nb::bytes &path) {
  GaudiRecipe *recipe = nullptr;
  checkUnlocked([&] { return gaudiRecipeOpen(path.c_str(), &recipe); });
  return Recipe(recipe);
}

Recipe recipeFromMemory(nb::handle object) {
  ByteView bytes(object);
  GaudiRecipe *recipe = nullptr;
  checkUnlocked([&] {
    return gaudiRecipeFromMemory(bytes.data(), bytes.size(), &recipe);
  });
  return Recipe(recipe);
}

void saveRecipe(const Recipe &recipe, const nb::bytes &path) {
  checkUnlocked([&] { return gaudiRecipeSave(recipe.get(), path.c_str()); });
}

nb::bytes bytesOf(const Recipe &recipe) {
  const void *data;
  size_t bytes;
  gaudiRecipeBytes(recipe.get(), &data, &bytes);
  nb::object copy = nb::steal(
      PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes)));
  if (!copy.is_valid())
    throw nb::python_error();
  char *to = PyBytes_AS_STRING(copy.ptr());
  {
    nb::gil_scoped_release release;
    std::memcpy(to, data, bytes);
  }
  return nb::borrow<nb::bytes>(copy);
}

/// Buffers of the arrays, in order. Of more or fewer than there are tensors the
/// library complains before it reads one.
template <GaudiTensorInfo (*Info)(const GaudiRecipe *, size_t, size_t)>
void addArrays(const Recipe &recipe, size_t entry, size_t count,
               const nb::list &arrays, const char *role, Operands &operands) {
  for (size_t i = 0; i != arrays.size() && arrays.size() == count; ++i)
    operands.add(Tensor(Info(recipe.get(), entry, i)), arrays[i], Access::Read,
                 role);
}

void saveReplay(const Recipe &recipe, const nb::bytes &path, size_t entry,
                const nb::list &inputs, const nb::list &outputs,
                bool withInputs, const std::vector<std::string> &options,
                const std::optional<std::string> &source, uint64_t code,
                const std::string &message, const std::string &reason) {
  Operands in(inputs.size()), out(outputs.size());
  addArrays<gaudiRecipeInput>(recipe, entry,
                              gaudiRecipeNumInputs(recipe.get(), entry), inputs,
                              "input", in);
  addArrays<gaudiRecipeOutput>(recipe, entry,
                               gaudiRecipeNumOutputs(recipe.get(), entry),
                               outputs, "output", out);
  std::vector<const char *> texts;
  for (const std::string &option : options)
    texts.push_back(option.c_str());
  GaudiLaunchRecord record;
  gaudiLaunchRecordInit(&record);
  record.inputs = in.data();
  record.numInputs = inputs.size();
  record.outputs = out.data();
  record.numOutputs = outputs.size();
  record.withInputs = withInputs;
  record.options = texts.data();
  record.numOptions = texts.size() / 2;
  record.source = source ? source->c_str() : nullptr;
  record.code = code;
  record.message = message.c_str();
  record.reason = reason.c_str();
  checkUnlocked([&] {
    return gaudiReplaySave(recipe.get(), entry, &record, path.c_str());
  });
}

/// A text that the library makes when it is first asked for.
template <GaudiStringRef (*Get)(const GaudiRecipe *)>
nb::str lazyText(const Recipe &recipe) {
  GaudiStringRef made;
  {
    nb::gil_scoped_release release;
    made = Get(recipe.get());
  }
  return text(made);
}

size_t sizeOf(const Recipe &recipe) {
  const void *data;
  size_t bytes;
  gaudiRecipeBytes(recipe.get(), &data, &bytes);
  return bytes;
}

/// (name, element type, shape, symbolic shape, state or -1)
nb::tuple describe(const GaudiTensorInfo &info) {
  nb::list shape;
  for (uint32_t index = 0; index != info.rank; ++index)
    shape.append(info.shape[index]);
  return nb::make_tuple(text(info.name), gaudiElementTypeName(info.type),
                        nb::tuple(shape), text(info.symbolicShape), info.state);
}

/// (name, inputs, outputs, symbols)
nb::tuple describeEntry(const GaudiRecipe *recipe, size_t entry) {
  nb::list inputs, outputs, symbols;
  for (size_t index = 0; index != gaudiRecipeNumInputs(recipe, entry); ++index)
    inputs.append(describe(gaudiRecipeInput(recipe, entry, index)));
  for (size_t index = 0; index != gaudiRecipeNumOutputs(recipe, entry); ++index)
    outputs.append(describe(gaudiRecipeOutput(recipe, entry, index)));
  for (size_t index = 0; index != gaudiRecipeNumSymbols(recipe, entry);
       ++index) {
    GaudiSymbolInfo symbol = gaudiRecipeSymbol(recipe, entry, index);
    symbols.append(nb::make_tuple(text(symbol.name), symbol.min, symbol.max,
                                  symbol.multiple));
  }
  return nb::make_tuple(text(gaudiRecipeEntryName(recipe, entry)), inputs,
                        outputs, symbols);
}

nb::list entriesOf(const Recipe &recipe) {
  nb::list entries;
  for (size_t entry = 0; entry != gaudiRecipeNumEntries(recipe.get()); ++entry)
    entries.append(describeEntry(recipe.get(), entry));
  return entries;
}

nb::list statesOf(const Recipe &recipe) {
  nb::list states;
  for (size_t index = 0; index != gaudiRecipeNumStates(recipe.get()); ++index)
    states.append(describe(gaudiRecipeState(recipe.get(), index)));
  return states;
}

nb::tuple memoryOf(const Recipe &recipe) {
  GaudiMemoryInfo memory = gaudiRecipeMemory(recipe.get());
  return nb::make_tuple(memory.persistent, memory.constants, memory.workspace);
}

/// Of the first entry.
Recipe variantOf(const Recipe &recipe, size_t variant) {
  GaudiRecipe *alone = nullptr;
  checkUnlocked(
      [&] { return gaudiRecipeVariant(recipe.get(), 0, variant, &alone); });
  return Recipe(alone);
}

/// (input, value) of each extent of a variant of the first entry.
nb::list extentsOf(const Recipe &recipe, size_t variant,
                   const std::vector<int64_t> &sizes) {
  if (sizes.size() != gaudiRecipeNumSymbols(recipe.get(), 0))
    throw nb::value_error("the entry has another number of symbols");
  nb::list extents;
  for (size_t index = 0;
       index != gaudiRecipeNumExtents(recipe.get(), 0, variant); ++index) {
    size_t input = 0;
    int64_t value = 0;
    check(gaudiRecipeExtent(recipe.get(), 0, variant, index, sizes.data(),
                            &input, &value));
    extents.append(nb::make_tuple(input, value));
  }
  return extents;
}

using Sizes = std::optional<std::vector<int64_t>>;

/// `sizes` has one number per symbol, or is None.
nb::str predict(const Recipe &recipe, size_t entry, const Sizes &sizes) {
  return textOf([&](char **json) {
    return gaudiRecipePredict(recipe.get(), entry,
                              sizes ? sizes->data() : nullptr, json);
  });
}

nb::str planMemory(const Recipe &recipe, size_t entry, const Sizes &sizes,
                   uint64_t deviceMemory) {
  return textOf([&](char **json) {
    return gaudiRecipePlanMemory(recipe.get(), entry,
                                 sizes ? sizes->data() : nullptr, deviceMemory,
                                 json);
  });
}

nb::str memoryText(const Recipe &recipe, size_t entry, const Sizes &sizes,
                   uint64_t deviceMemory) {
  return textOf([&](char **text) {
    return gaudiRecipeMemoryText(recipe.get(), entry,
                                 sizes ? sizes->data() : nullptr, deviceMemory,
                                 text);
  });
}

nb::str replayTrace(const Recipe &recipe, size_t entry,
                    const std::string &trace, bool strictShapes) {
  return textOf([&](char **json) {
    return gaudiRecipeReplayTrace(recipe.get(), entry, trace.c_str(),
                                  strictShapes, json);
  });
}

Recipe withPlaces(const Recipe &recipe, const std::string &source,
                  const std::vector<std::string> &places) {
  std::vector<const char *> texts;
  texts.reserve(places.size());
  for (const std::string &each : places)
    texts.push_back(each.c_str());
  GaudiRecipe *renamed = nullptr;
  checkUnlocked([&] {
    return gaudiRecipeWithPlaces(recipe.get(), source.c_str(), texts.data(),
                                 texts.size(), &renamed);
  });
  return Recipe(renamed);
}

/// `script`: JSON, or None.
void writePage(const Recipe &recipe, size_t entry, const Sizes &sizes,
               const std::string &title,
               const std::optional<std::string> &script,
               const nb::bytes &path) {
  checkUnlocked([&] {
    return gaudiRecipeWritePage(
        recipe.get(), entry, sizes ? sizes->data() : nullptr, title.c_str(),
        script ? script->c_str() : nullptr, path.c_str());
  });
}

void writeTrace(const Recipe &recipe, size_t entry, const Sizes &sizes,
                const nb::bytes &path) {
  checkUnlocked([&] {
    return gaudiRecipeWriteTrace(recipe.get(), entry,
                                 sizes ? sizes->data() : nullptr, path.c_str());
  });
}

} // namespace

void registerRecipe(nb::module_ &module) {
  nb::class_<Recipe>(module, "Recipe")
      .def_static("open", &openRecipe)
      .def_static("from_memory", &recipeFromMemory)
      .def("save", &saveRecipe)
      .def("save_replay", &saveReplay, nb::arg("path"), nb::arg("entry"),
           nb::arg("inputs"), nb::arg("outputs"), nb::arg("with_inputs"),
           nb::arg("options"), nb::arg("source").none(), nb::arg("code"),
           nb::arg("message"), nb::arg("reason"))
      // The GaudiRecipe, for extension modules that use the same library.
      .def_prop_ro("handle",
                   [](const Recipe &recipe) { return uintptr_t(recipe.get()); })
      .def_prop_ro("bytes", &bytesOf)
      .def_prop_ro("size", &sizeOf)
      .def_prop_ro("device",
                   [](const Recipe &recipe) {
                     return text(gaudiRecipeDevice(recipe.get()));
                   })
      .def_prop_ro("hash", &lazyText<gaudiRecipeHash>)
      .def_prop_ro("text", &lazyText<gaudiRecipeText>)
      .def_prop_ro("entries", &entriesOf)
      .def_prop_ro("states", &statesOf)
      .def_prop_ro("memory", &memoryOf)
      .def("variant", &variantOf, nb::arg("variant"))
      .def("extents", &extentsOf, nb::arg("variant"), nb::arg("sizes"))
      .def("predict", &predict, nb::arg("entry"), nb::arg("sizes").none())
      .def("with_places", &withPlaces)
      .def("write_page", &writePage, nb::arg("entry"), nb::arg("sizes").none(),
           nb::arg("title"), nb::arg("script").none(), nb::arg("path"))
      .def("write_trace", &writeTrace, nb::arg("entry"),
           nb::arg("sizes").none(), nb::arg("path"))
      .def("plan_memory", &planMemory, nb::arg("entry"),
           nb::arg("sizes").none(), nb::arg("device_memory"))
      .def("memory_text", &memoryText, nb::arg("entry"),
           nb::arg("sizes").none(), nb::arg("device_memory"))
      .def("replay_trace", &replayTrace, nb::arg("entry"), nb::arg("trace"),
           nb::arg("strict_shapes"));
}

} // namespace gaudi::python
