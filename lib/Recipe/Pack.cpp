// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the metadata of a recipe, with equal parts of variants once.
//
// Hundreds of variants have the same names, shapes and dependencies. The
// generated Pack writes each anew, so tables that variants have many of are
// written here field by field; all others by the generated code. A field that
// is added to the schema must be added here: a unit test compares both forms.
#include "Pack.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gaudi::recipe {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

class SharingPacker {
public:
  std::vector<uint8_t> pack(const RecipeT &recipe) {
    builder.Finish(recipeOf(recipe), RecipeIdentifier());
    return {builder.GetBufferPointer(),
            builder.GetBufferPointer() + builder.GetSize()};
  }

private:
  template <typename T> using Vector = Offset<flatbuffers::Vector<T>>;
  using String = Offset<flatbuffers::String>;

  // Keys are bytes of the recipe, which outlives the packer.
  String text(const std::string &string) {
    if (string.empty())
      return 0;
    if (string.size() > maxSharedCharacters)
      return builder.CreateString(string);
    auto [it, isNew] = strings.try_emplace(string);
    if (isNew)
      it->second = builder.CreateString(string);
    return it->second;
  }

  template <typename T> using Known = std::unordered_map<std::string_view, T>;

  /// Numbers. Those of one size and the same bytes are one vector.
  template <typename T> Vector<T> scalars(const std::vector<T> &values) {
    if (values.empty())
      return 0;
    if (values.size() > maxSharedElements)
      return builder.CreateVector(values);
    auto [it, isNew] = vectors[sizeof(T)].try_emplace(bytesOf(values));
    if (isNew)
      it->second = builder.CreateVector(values).o;
    return it->second;
  }
  Vector<uint8_t> scalars(const std::vector<bool> &values) {
    return scalars(flags.emplace_back(values.begin(), values.end()));
  }
  Vector<const Inst *> structs(const std::vector<Inst> &values) {
    if (values.empty())
      return 0;
    if (values.size() > maxSharedElements)
      return builder.CreateVectorOfStructs(values);
    auto [it, isNew] = vectors[sizeof(Inst)].try_emplace(bytesOf(values));
    if (isNew)
      it->second = builder.CreateVectorOfStructs(values).o;
    return it->second;
  }

  template <typename T>
  static std::string_view bytesOf(const std::vector<T> &values) {
    return {reinterpret_cast<const char *>(values.data()),
            values.size() * sizeof(T)};
  }

  /// A vector of tables, each made by `make`.
  template <typename T, typename Native, typename Make>
  Vector<Offset<T>> tables(const std::vector<std::unique_ptr<Native>> &natives,
                           Make &&make) {
    if (natives.empty())
      return 0;
    std::vector<Offset<T>> offsets;
    offsets.reserve(natives.size());
    for (const std::unique_ptr<Native> &native : natives)
      offsets.push_back(make(*native));
    return builder.CreateVector(offsets);
  }
  /// The same as the generated code makes them.
  template <typename T, typename Native>
  Vector<Offset<T>>
  tables(const std::vector<std::unique_ptr<Native>> &natives) {
    return tables<T>(natives, [&](const Native &native) {
      return T::Pack(builder, &native);
    });
  }

  Offset<Tensor> tensorOf(const TensorT &tensor) {
    const auto name = text(tensor.name);
    const auto sizes = scalars(tensor.sizes), strides = scalars(tensor.strides);
    const auto permutation = scalars(tensor.permutation);
    return CreateTensor(builder, name, tensor.tensor_class, tensor.section,
                        tensor.offset, sizes, strides, tensor.type, permutation,
                        tensor.alias_of, tensor.location, tensor.initial);
  }

  Offset<Access> accessOf(const AccessT &access) {
    const auto dims = tables<AccessDim>(
        access.dims, [&](const AccessDimT &dim) -> Offset<AccessDim> {
          const auto coefficients = scalars(dim.coefficients);
          return CreateAccessDim(builder, coefficients, dim.offset, dim.value,
                                 dim.boundary);
        });
    return CreateAccess(builder, access.operand, dims, access.pad);
  }

  Offset<Stage> stageOf(const StageT &stage) {
    const auto loops = scalars(stage.loops);
    const auto insts = structs(stage.insts);
    const auto reductions = tables<Reduction>(stage.reductions);
    const auto stores = tables<Store>(stage.stores);
    return CreateStage(builder, loops, insts, reductions, stores);
  }

  Offset<Kernel> kernelOf(const KernelT &kernel) {
    const auto name = text(kernel.name);
    const auto space = scalars(kernel.index_space);
    const auto parallel = scalars(kernel.parallel);
    const auto inputs = scalars(kernel.inputs),
               outputs = scalars(kernel.outputs);
    const auto inputRanks = scalars(kernel.input_ranks),
               outputRanks = scalars(kernel.output_ranks);
    const auto accesses =
        tables<Access>(kernel.accesses,
                       [&](const AccessT &access) { return accessOf(access); });
    const auto stages = tables<Stage>(
        kernel.stages, [&](const StageT &stage) { return stageOf(stage); });
    return CreateKernel(builder, name, space, parallel, inputs, inputRanks,
                        outputs, outputRanks, accesses, stages);
  }

  Offset<Command> commandOf(const CommandT &command) {
    const Offset<void> body = command.body.Pack(builder);
    const auto inputs = scalars(command.inputs),
               outputs = scalars(command.outputs),
               dependencies = scalars(command.dependencies);
    const auto name = text(command.name);
    return CreateCommand(builder, command.engine, command.body.type, body,
                         inputs, outputs, dependencies, command.location, name,
                         command.flops, command.bytes);
  }

  Offset<Entry> entryOf(const EntryT &entry) {
    const auto name = text(entry.name);
    const auto inputs = scalars(entry.inputs), outputs = scalars(entry.outputs);
    const auto commands =
        tables<Command>(entry.commands, [&](const CommandT &command) {
          return commandOf(command);
        });
    Vector<const ProgramStep *> program = 0;
    if (!entry.program.empty())
      program = builder.CreateVectorOfStructs(entry.program);
    Offset<Dispatch> dispatch = 0;
    if (entry.dispatch)
      dispatch = Dispatch::Pack(builder, entry.dispatch.get());
    return CreateEntry(builder, name, inputs, outputs, commands, program,
                       dispatch);
  }

  Offset<Recipe> recipeOf(const RecipeT &recipe) {
    const auto target = text(recipe.target), producer = text(recipe.producer);
    const auto sections = tables<Section>(recipe.sections);
    const auto tensors =
        tables<Tensor>(recipe.tensors,
                       [&](const TensorT &tensor) { return tensorOf(tensor); });
    const auto kernels =
        tables<Kernel>(recipe.kernels,
                       [&](const KernelT &kernel) { return kernelOf(kernel); });
    const auto entries = tables<Entry>(
        recipe.entries, [&](const EntryT &entry) { return entryOf(entry); });
    Vector<String> locations = 0;
    if (!recipe.locations.empty())
      locations = builder.CreateVectorOfStrings(recipe.locations);
    const auto fusions = tables<Fusion>(recipe.fusions);
    const auto permutations = tables<PermutationRegion>(recipe.permutations);
    const auto memory = tables<MemoryPlan>(recipe.memory);
    return CreateRecipe(builder, target, producer, sections, tensors, kernels,
                        entries, locations, fusions, permutations, memory);
  }

  FlatBufferBuilder builder{4096};
  Known<String> strings;
  std::map<size_t, Known<flatbuffers::uoffset_t>> vectors; // by element size
  std::deque<std::vector<uint8_t>> flags;                  // keys of them
};

} // namespace

bool sharesParts(const RecipeT &recipe) {
  return std::any_of(recipe.entries.begin(), recipe.entries.end(),
                     [](const auto &entry) { return bool(entry->dispatch); });
}

std::vector<uint8_t> packMetadata(const RecipeT &recipe) {
  if (sharesParts(recipe))
    return SharingPacker().pack(recipe);
  FlatBufferBuilder builder(4096);
  builder.Finish(Recipe::Pack(builder, &recipe), RecipeIdentifier());
  return {builder.GetBufferPointer(),
          builder.GetBufferPointer() + builder.GetSize()};
}

} // namespace gaudi::recipe
