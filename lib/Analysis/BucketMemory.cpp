// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the variants of a dispatching entry need of the card, and which fit.
#include "Gaudi/Analysis/BucketMemory.h"
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace gaudi::analysis {
namespace {

using recipe::items;

/// Bytes of tables and vectors of the metadata, each of which counts once.
class MetadataBytes {
public:
  uint64_t of(const recipe::Command &command) {
    uint64_t bytes = sizeof(uint32_t) + table(&command);
    bytes += table(command.body());
    bytes += vector(command.inputs()) + vector(command.outputs()) +
             vector(command.dependencies());
    return bytes + vector(command.name());
  }
  uint64_t of(const recipe::Tensor &tensor) {
    return table(&tensor) + vector(tensor.sizes()) + vector(tensor.strides()) +
           vector(tensor.name());
  }

private:
  bool isNew(const void *object) {
    return object && seen.insert(object).second;
  }
  uint64_t table(const void *object) {
    if (!isNew(object))
      return 0;
    const auto *bytes = static_cast<const uint8_t *>(object);
    const uint8_t *layout =
        bytes - flatbuffers::ReadScalar<flatbuffers::soffset_t>(bytes);
    return flatbuffers::ReadScalar<flatbuffers::voffset_t>(
        layout + sizeof(flatbuffers::voffset_t));
  }
  template <typename T> uint64_t vector(const flatbuffers::Vector<T> *vector) {
    return isNew(vector) ? sizeof(uint32_t) + vector->size() * sizeof(T) : 0;
  }
  uint64_t vector(const flatbuffers::String *string) {
    return isNew(string) ? sizeof(uint32_t) + string->size() + 1 : 0;
  }

  std::set<const void *> seen;
};

/// Bytes of a kernel's program on the card: one word of 32 bytes, which is an
/// instruction of four slots, per instruction of its stages.
uint64_t programBytes(const recipe::Kernel &kernel) {
  constexpr uint64_t wordBytes = 32;
  uint64_t words = 0;
  for (const recipe::Stage *stage : items(kernel.stages()))
    words += items(stage->insts()).size() + items(stage->stores()).size() +
             items(stage->reductions()).size();
  return words * wordBytes;
}

/// What the commands of an entry use.
class EntryNeeds {
public:
  explicit EntryNeeds(const recipe::Recipe &recipe) : recipe(recipe) {}

  void add(const recipe::Entry &entry, BucketNeeds &needs) {
    std::set<uint32_t> tensors, kernels;
    for (const recipe::Command *command : items(entry.commands())) {
      needs.recipe += metadata.of(*command);
      for (const auto *list : {command->inputs(), command->outputs()})
        for (uint32_t tensor : items(list))
          tensors.insert(tensor);
      if (const recipe::Launch *launch = command->body_as_Launch())
        kernels.insert(launch->kernel());
    }
    for (uint32_t number : tensors) {
      const recipe::Tensor &tensor = *recipe.tensors()->Get(number);
      needs.recipe += metadata.of(tensor);
      if (recipe.sections()->Get(tensor.section())->kind() ==
          recipe::SectionKind::Workspace)
        needs.workspace = std::max(
            needs.workspace, tensor.offset() + recipe::tensorBytes(tensor));
    }
    for (uint32_t kernel : kernels)
      if (seenKernels.insert(kernel).second)
        needs.program += programBytes(*recipe.kernels()->Get(kernel));
    needs.kernels = uint32_t(kernels.size());
    needs.commands = items(entry.commands()).size();
  }

private:
  const recipe::Recipe &recipe;
  MetadataBytes metadata;
  std::set<uint32_t> seenKernels;
};

/// Bytes of a parameter that callers see.
uint64_t parameterBytes(const recipe::Recipe &recipe, uint32_t tensor) {
  return recipe::tensorBytes(*recipe.tensors()->Get(tensor));
}

/// Counts the launches of the histogram by bucket.
Status countLaunches(BucketSet &set, const recipe::Dispatch &dispatch,
                     const shapes::Histogram &histogram) {
  const SymbolTable table = GAUDI_TRY(SymbolTable::of(dispatch));
  const SymbolTable::Launches launches = GAUDI_TRY(table.launchesOf(histogram));
  set.observed = launches.observed;
  set.missed = set.refused = launches.refused;
  for (const shapes::Observation &launch : launches.taken.observations)
    if (const auto chosen = table.buckets().choose(launch.sizes))
      set.buckets[*chosen].launches += launch.count;
    else
      set.missed += launch.count;
  set.drops = shapes::dropOrder(table.buckets(), launches.taken);
  for (shapes::Drop &drop : set.drops)
    drop.misses += launches.refused;
  return {};
}

} // namespace

double CompileModel::of(const std::vector<uint32_t> &set) const {
  double sum = set.empty() ? 0 : shared();
  for (uint32_t number : set)
    sum += own[number];
  return sum;
}

CompileModel compileModel(const CompileTimes &times) {
  CompileModel model;
  model.threads = times.threads;
  model.areDerived = times.areDerived;
  model.plan = times.plan;
  model.structure = times.structure;
  // Of these no part is measured for each bucket.
  const double count = double(std::max<size_t>(times.variants.size(), 1));
  for (double seconds : times.variants)
    model.own.push_back((seconds / times.threads) +
                        (times.derivation + times.emission) / count);
  return model;
}

uint64_t BucketSet::needed(const std::vector<uint32_t> &set) const {
  uint64_t workspace = 0, bytes = constants;
  std::vector<uint64_t> tensors;
  for (uint32_t number : set) {
    const BucketNeeds &bucket = buckets[number];
    workspace = std::max(workspace, bucket.workspace);
    tensors.resize(std::max(tensors.size(), bucket.tensors.size()));
    for (size_t i = 0; i < bucket.tensors.size(); ++i)
      tensors[i] = std::max(tensors[i], bucket.tensors[i]);
  }
  bytes = std::accumulate(tensors.begin(), tensors.end(), bytes);
  return bytes + workspace + (set.empty() ? 0 : program);
}

std::vector<uint32_t> BucketSet::all() const {
  std::vector<uint32_t> numbers(buckets.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

uint64_t BucketSet::needed() const { return needed(all()); }

std::vector<uint32_t> BucketSet::largestFit(uint64_t limit) const {
  // What a set needs is the most of its members, input by input: dropping the
  // one that needs most is best, up to inputs that grow with other symbols.
  std::vector<uint32_t> set = all();
  std::sort(set.begin(), set.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(needed({a}), a) < std::pair(needed({b}), b);
  });
  while (!set.empty() && needed(set) > limit)
    set.pop_back();
  std::sort(set.begin(), set.end());
  return set;
}

Result<BucketSet> bucketSetOf(const recipe::Recipe &recipe, uint32_t number,
                              const shapes::Histogram *histogram) {
  const recipe::Entry &entry = *recipe.entries()->Get(number);
  const recipe::Dispatch *dispatch = entry.dispatch();
  assert(dispatch && "an entry with variants");
  BucketSet set;
  set.entry = recipe::text(entry.name());
  for (const recipe::Symbol *symbol : items(dispatch->symbols()))
    set.symbols.emplace_back(recipe::text(symbol->name()));
  for (const recipe::Section *section : items(recipe.sections()))
    if (section->kind() == recipe::SectionKind::Const)
      set.constants += section->size();
  EntryNeeds needs(recipe);
  for (const recipe::Variant *variant : items(dispatch->variants())) {
    BucketNeeds &bucket = set.buckets.emplace_back();
    bucket.sizes = recipe::copyOf(variant->sizes());
    bucket.picoseconds = variant->picoseconds();
    const recipe::Entry &own = *recipe.entries()->Get(variant->entry());
    for (const auto *list : {own.inputs(), own.outputs()})
      for (uint32_t tensor : items(list))
        bucket.tensors.push_back(parameterBytes(recipe, tensor));
    needs.add(own, bucket);
    set.program += bucket.program;
  }
  std::set<uint32_t> kernels;
  for (const recipe::Variant *variant : items(dispatch->variants()))
    for (const recipe::Command *command :
         items(recipe.entries()->Get(variant->entry())->commands()))
      if (const recipe::Launch *launch = command->body_as_Launch())
        kernels.insert(launch->kernel());
  set.kernels = uint32_t(kernels.size());
  if (histogram)
    GAUDI_TRY(countLaunches(set, *dispatch, *histogram));
  return set;
}

nlohmann::ordered_json toJson(const BucketSet &set, uint64_t limit) {
  using Json = nlohmann::ordered_json;
  const std::vector<uint32_t> kept = set.largestFit(limit);
  Json buckets = Json::array();
  for (uint32_t number = 0; number < set.buckets.size(); ++number) {
    const BucketNeeds &bucket = set.buckets[number];
    Json sizes = Json::object();
    for (size_t k = 0; k < set.symbols.size(); ++k)
      sizes[set.symbols[k]] = bucket.sizes[k];
    Json json = {
        {"sizes", std::move(sizes)},
        {"needed", set.needed({number})},
        {"workspace", bucket.workspace},
        {"recipe", bucket.recipe},
        {"program", bucket.program},
        {"kernels", bucket.kernels},
        {"commands", bucket.commands},
        {"fits", std::binary_search(kept.begin(), kept.end(), number)}};
    if (bucket.picoseconds >= 0)
      json["picoseconds"] = bucket.picoseconds;
    if (set.observed)
      json["launches"] = bucket.launches;
    if (set.compile)
      json["compile_s"] = set.compile->own[number];
    buckets.push_back(std::move(json));
  }
  Json json = {{"needed", set.needed()},     {"limit", limit},
               {"constants", set.constants}, {"program", set.program},
               {"kernels", set.kernels},     {"buckets", std::move(buckets)}};
  if (set.compile)
    json["compile"] = {{"predicted_s", set.compile->of(set.all())},
                       {"predicted_s_of_fitting", set.compile->of(kept)},
                       {"shared_s", set.compile->shared()},
                       {"threads", set.compile->threads},
                       {"derived", set.compile->areDerived}};
  if (!set.observed)
    return json;
  json["missed"] = set.missed;
  json["drop_first"] = Json::array();
  for (const shapes::Drop &drop : set.drops)
    json["drop_first"].push_back(
        {{"bucket", drop.bucket}, {"missed_then", drop.misses}});
  return json;
}

} // namespace gaudi::analysis
