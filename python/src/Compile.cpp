// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler. Remarks are collected without the interpreter; a function of
// the caller gets each at once.
#include "Recipe.h"

#include "ElementTypes.h"

#include "gaudi-c/Compiler.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::python {

namespace {

struct Remark {
  std::string pass, kind, location, text, name;
  int64_t lostPicoseconds, lostBytes;
};

std::string copy(GaudiStringRef text) { return {text.data, text.length}; }
nb::str toPython(const std::string &value) {
  return text({value.data(), value.size()});
}

/// The fields of gaudi_mlir.Remark.
nb::tuple tupleOf(const Remark &remark) {
  nb::object lostTime = nb::none(), lostBytes = nb::none();
  if (remark.lostPicoseconds >= 0)
    lostTime = nb::float_(static_cast<double>(remark.lostPicoseconds) / 1e6);
  if (remark.lostBytes >= 0)
    lostBytes = nb::int_(remark.lostBytes);
  return nb::make_tuple(toPython(remark.pass), toPython(remark.kind),
                        toPython(remark.location), toPython(remark.text),
                        toPython(remark.name), lostTime, lostBytes);
}

/// What a compilation says on its way.
class Listener {
public:
  Listener(nb::object onRemark, bool collect)
      : onRemark(std::move(onRemark)), collect(collect) {}

  // The compiler, which calls these, lets nothing be thrown through it.
  static void remark(void *context, const GaudiCompilerRemark *remark) {
    auto *listener = static_cast<Listener *>(context);
    listener->guarded([&] { listener->take(*remark); });
  }
  static void diagnostic(void *context, GaudiStringRef text) {
    auto *listener = static_cast<Listener *>(context);
    listener->guarded([&] { listener->warnings.push_back(copy(text)); });
  }

  bool wantsRemarks() const { return collect || !onRemark.is_none(); }
  /// Throws what the caller's function raised, or what went wrong here.
  void rethrow() const {
    if (thrown)
      std::rethrow_exception(thrown);
  }
  nb::list remarks() const {
    nb::list list;
    for (const Remark &remark : collected)
      list.append(tupleOf(remark));
    return list;
  }
  nb::list warningTexts() const {
    nb::list list;
    for (const std::string &warning : warnings)
      list.append(toPython(warning));
    return list;
  }

private:
  /// Keeps the first exception for `rethrow`.
  template <typename Call> void guarded(Call call) {
    try {
      call();
    } catch (const std::exception &) {
      if (!thrown)
        thrown = std::current_exception();
    }
  }

  void take(const GaudiCompilerRemark &remark) {
    Remark copied = {copy(remark.pass),     copy(remark.kind),
                     copy(remark.location), copy(remark.text),
                     copy(remark.name),     remark.lostPicoseconds,
                     remark.lostBytes};
    if (!onRemark.is_none() && !thrown) {
      nb::gil_scoped_acquire acquire;
      onRemark(*tupleOf(copied));
    }
    if (collect)
      collected.push_back(std::move(copied));
  }

  nb::object onRemark;
  bool collect;
  std::vector<Remark> collected;
  std::vector<std::string> warnings;
  std::exception_ptr thrown;
};

/// The options of the C interface for a dict that has its fields by their names
/// there (in snake case): str, int or bool.
class Options {
public:
  Options(const nb::dict &given, const nb::list &resources) {
    gaudiCompileOptionsInit(&options);
    const std::pair<const char *, const char **> texts[] = {
        {"device", &options.device},
        {"entry", &options.entry},
        {"state", &options.state},
        {"allow_permutation", &options.allowPermutation},
        {"disable_fusion", &options.disableFusion},
        {"require_fusion", &options.requireFusion},
        {"shape", &options.shape},
        {"buckets", &options.buckets},
        {"bucket_histogram", &options.bucketHistogram},
        {"bucket_cost", &options.bucketCost},
        {"autocast", &options.autocast},
        {"dump_graphs", &options.dumpGraphs}};
    for (const auto &[name, field] : texts)
      *field = option<const char *>(given, name, "text (a str)", *field);
    options.allEntries = option<bool>(given, "all_entries", "True or False");
    options.verifyFusion =
        option<bool>(given, "verify_fusion", "True or False");
    options.threads =
        option<uint32_t>(given, "threads", "a number from 0 to 2^32 - 1");
    options.memoryBudget =
        option<uint64_t>(given, "memory_budget", "bytes from 0 to 2^64 - 1");
    options.maxExpandedOps = option<uint64_t>(given, "max_expanded_ops",
                                              "a number from 0 to 2^64 - 1");
    shapes.reserve(resources.size());
    for (nb::handle item : resources) {
      shapes.push_back(nb::cast<std::vector<int64_t>>(item[4]));
      values.push_back(
          {nb::cast<const char *>(item[0]),
           reinterpret_cast<const void *>(nb::cast<uintptr_t>(item[1])),
           nb::cast<size_t>(item[2]), nb::cast<const char *>(item[3]),
           static_cast<uint32_t>(shapes.back().size()), shapes.back().data()});
    }
    options.resources = values.data();
    options.numResources = values.size();
  }

  GaudiCompileOptions options;

private:
  std::vector<GaudiResource> values;
  std::vector<std::vector<int64_t>> shapes;
};

/// Compiles, or only imports. Returns (recipe or None, exception or None,
/// remarks, warnings). `resources` has tuples of name, address, bytes, element
/// type, shape, and what keeps the memory.
nb::tuple compile(const std::string &name, const nb::bytes &source,
                  const nb::dict &given, const nb::list &resources,
                  nb::object onRemark, bool collect, bool importOnly) {
  Options options(given, resources);
  Listener listener(std::move(onRemark), collect);
  if (listener.wantsRemarks())
    options.options.remark = &Listener::remark;
  options.options.diagnostic = &Listener::diagnostic;
  options.options.context = &listener;
  GaudiRecipe *recipe = nullptr;
  GaudiError *error;
  {
    nb::gil_scoped_release release;
    error = importOnly ? gaudiImport(name.c_str(), source.c_str(),
                                     source.size(), &options.options)
                       : gaudiCompile(name.c_str(), source.c_str(),
                                      source.size(), &options.options, &recipe);
  }
  nb::object result = recipe ? nb::cast(Recipe(recipe)) : nb::none();
  nb::object exception = error ? makeException(error) : nb::none();
  listener.rethrow();
  return nb::make_tuple(result, exception, listener.remarks(),
                        listener.warningTexts());
}

/// The JSON of gaudiFindMaxBatch. `input` may be None.
nb::str findMaxBatch(const std::string &name, const nb::bytes &source,
                     const nb::dict &given, const nb::list &resources,
                     const std::optional<std::string> &input,
                     uint64_t deviceMemory) {
  const Options options(given, resources);
  return textOf([&](char **json) {
    return gaudiFindMaxBatch(name.c_str(), source.c_str(), source.size(),
                             &options.options, input ? input->c_str() : nullptr,
                             deviceMemory, json);
  });
}

/// The JSON of gaudiSweepBatch. `input` and `page` may be None.
nb::str sweepBatch(const std::string &name, const nb::bytes &source,
                   const nb::dict &given, const nb::list &resources,
                   const std::optional<std::string> &input,
                   uint64_t deviceMemory,
                   const std::optional<nb::bytes> &page) {
  const Options options(given, resources);
  return textOf([&](char **json) {
    return gaudiSweepBatch(name.c_str(), source.c_str(), source.size(),
                           &options.options, input ? input->c_str() : nullptr,
                           deviceMemory, page ? page->c_str() : nullptr, json);
  });
}

/// Of a tuple (recipe or None, entry, name, source), which outlives it.
GaudiRecompileSide sideOf(const nb::tuple &given) {
  GaudiRecompileSide side = {};
  if (!given[0].is_none())
    side.recipe = nb::cast<const Recipe &>(given[0]).get();
  side.entry = nb::cast<size_t>(given[1]);
  side.name = nb::cast<const char *>(given[2]);
  const auto source = nb::cast<nb::bytes>(given[3]);
  side.source = source.c_str();
  side.bytes = source.size();
  return side;
}

/// The JSON of gaudiExplainRecompile.
nb::str explainRecompile(const nb::tuple &was, const nb::tuple &now,
                         const nb::dict &given, const nb::list &resources) {
  const Options options(given, resources);
  const GaudiRecompileSide before = sideOf(was), after = sideOf(now);
  return textOf([&](char **json) {
    return gaudiExplainRecompile(&before, &after, &options.options, json);
  });
}

/// (address, element type, shape) of arrays; None: no data.
struct Buffers {
  explicit Buffers(const nb::list &arrays) {
    shapes.reserve(arrays.size());
    for (nb::handle array : arrays) {
      GaudiBuffer &buffer = all.emplace_back();
      if (array.is_none())
        continue;
      shapes.push_back(nb::cast<std::vector<int64_t>>(array[2]));
      buffer.data = reinterpret_cast<void *>(nb::cast<uintptr_t>(array[0]));
      buffer.type = GaudiElementType(nb::cast<int>(array[1]));
      buffer.rank = uint32_t(shapes.back().size());
      buffer.shape = shapes.back().data();
    }
  }

  std::vector<GaudiBuffer> all;
  std::vector<std::vector<int64_t>> shapes;
};

std::vector<const char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<const char *> pointers;
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
  return pointers;
}

/// The JSON of gaudiBisect. `suspect`: its text; empty: none. `inputs`: those
/// without data are seeded; empty: all are.
nb::str bisectModel(const std::string &name, const nb::bytes &source,
                    const nb::dict &given, const nb::list &resources,
                    const nb::list &inputs, uint64_t seed,
                    const std::vector<std::string> &places,
                    const std::string &suspectName, const nb::bytes &suspect,
                    const std::vector<std::string> &goldenNames,
                    const nb::list &golden) {
  const Options options(given, resources);
  const Buffers buffers(inputs), values(golden);
  const auto placeTexts = pointersTo(places), names = pointersTo(goldenNames);
  GaudiBisectOptions what = {};
  what.size = sizeof(what);
  what.inputs = buffers.all.data();
  what.numInputs = buffers.all.size();
  what.seed = seed;
  what.places = placeTexts.data();
  what.numPlaces = placeTexts.size();
  if (suspect.size()) {
    what.suspectName = suspectName.c_str();
    what.suspect = suspect.c_str();
    what.suspectBytes = suspect.size();
  }
  what.golden = values.all.data();
  what.goldenNames = names.data();
  what.numGolden = values.all.size();
  return textOf([&](char **json) {
    return gaudiBisect(name.c_str(), source.c_str(), source.size(),
                       &options.options, &what, json);
  });
}

nb::str comparePrecision(const std::string &name, const nb::bytes &source,
                         const nb::dict &given, const nb::list &resources,
                         const std::string &before, const std::string &after,
                         const nb::list &inputs, uint64_t seed,
                         const std::vector<std::string> &places) {
  const Options options(given, resources);
  const Buffers buffers(inputs);
  const auto texts = pointersTo(places);
  const GaudiPrecisionOptions precision = {
      sizeof(precision),  before.c_str(), after.c_str(), buffers.all.data(),
      buffers.all.size(), seed,           texts.data(),  texts.size()};
  return textOf([&](char **json) {
    return gaudiComparePrecision(name.c_str(), source.c_str(), source.size(),
                                 &options.options, &precision, json);
  });
}

/// The names of the PyTorch ops that the front end lowers.
nb::list torchOperators() {
  nb::list names;
  for (size_t index = 0;; ++index) {
    const GaudiStringRef name = gaudiTorchOperator(index);
    if (!name.length)
      return names;
    names.append(text(name));
  }
}

/// The name that safetensors files have for an element type.
std::string fileTypeOf(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const std::string bits = std::to_string(type.bits * type.lanes);
  switch (static_cast<Code>(type.code)) {
  case Code::Int:
    return "I" + bits;
  case Code::UInt:
    return "U" + bits;
  case Code::Float:
    return "F" + bits;
  case Code::Bfloat:
    return "BF" + bits;
  case Code::Bool:
    return "BOOL";
  case Code::Float8_E4M3FN:
    return "F8_E4M3";
  case Code::Float8_E5M2:
    return "F8_E5M2";
  default:
    return "type " + std::to_string(type.code) + " of DLPack";
  }
}

/// (address, bytes, element type, shape, owner, dense) of an array; the memory
/// is there as long as the owner.
nb::tuple memoryOf(nb::handle array) {
  nb::ndarray<nb::ro> view;
  if (!nb::try_cast(array, view, false))
    throw nb::type_error("not an array");
  int64_t expected = 1;
  bool dense = view.device_type() == nb::device::cpu::value;
  for (size_t index = view.ndim(); index-- != 0;) {
    auto size = static_cast<int64_t>(view.shape(index));
    dense &= size == 1 || view.stride(index) == expected;
    expected *= size;
  }
  nb::list shape;
  for (size_t index = 0; index != view.ndim(); ++index)
    shape.append(view.shape(index));
  auto keep = std::make_unique<nb::ndarray<nb::ro>>(view);
  nb::capsule owner(keep.get(), [](void *kept) noexcept {
    delete static_cast<nb::ndarray<nb::ro> *>(kept);
  });
  [[maybe_unused]] auto *kept = keep.release(); // the capsule has it now
  return nb::make_tuple(reinterpret_cast<uintptr_t>(view.data()), view.nbytes(),
                        fileTypeOf(view.dtype()), shape, owner,
                        dense || expected == 0);
}

} // namespace

void registerCompile(nb::module_ &module) {
  module.def("compile", &compile, nb::arg("name"), nb::arg("source"),
             nb::arg("options"), nb::arg("resources"),
             nb::arg("on_remark").none(), nb::arg("collect"),
             nb::arg("import_only"));
  module.def("find_max_batch", &findMaxBatch, nb::arg("name"),
             nb::arg("source"), nb::arg("options"), nb::arg("resources"),
             nb::arg("input").none(), nb::arg("device_memory"));
  module.def("sweep_batch", &sweepBatch, nb::arg("name"), nb::arg("source"),
             nb::arg("options"), nb::arg("resources"), nb::arg("input").none(),
             nb::arg("device_memory"), nb::arg("page").none());
  module.def("explain_recompile", &explainRecompile, nb::arg("was"),
             nb::arg("now"), nb::arg("options"), nb::arg("resources"));
  module.def("compare_precision", &comparePrecision);
  module.def("bisect_model", &bisectModel);
  module.def("memory_of", &memoryOf);
  module.def("torch_operators", &torchOperators);
}

} // namespace gaudi::python
