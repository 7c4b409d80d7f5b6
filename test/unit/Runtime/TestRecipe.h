// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds small recipes by hand and runs them.
#ifndef GAUDI_TEST_UNIT_RUNTIME_TESTRECIPE_H
#define GAUDI_TEST_UNIT_RUNTIME_TESTRECIPE_H

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Writer.h"
#include "Gaudi/Runtime/Executable.h"
#include "Gaudi/Support/FloatFormats.h"

#include <cstring>
#include <gtest/gtest.h>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gaudi::test {

using recipe::ElementType;
using recipe::Op;
using Dims = std::vector<int64_t>;
using Bytes = std::vector<uint8_t>;

inline constexpr ElementType F32 = ElementType::F32, BF16 = ElementType::BF16,
                             F16 = ElementType::F16, E4 = ElementType::F8E4M3FN,
                             E5 = ElementType::F8E5M2, I32 = ElementType::I32,
                             I64 = ElementType::I64;
inline constexpr float inf = std::numeric_limits<float>::infinity(),
                       nan32 = std::numeric_limits<float>::quiet_NaN();

inline float decodeElement(ElementType type, const uint8_t *src) {
  uint32_t bits = 0;
  std::memcpy(&bits, src, recipe::elementSize(type));
  const auto format = recipe::narrowFormat(type);
  return format ? float(decodeFloat(bits, *format)) : floatOfBits(bits);
}
inline uint32_t encodeElement(ElementType type, double value) {
  const auto format = recipe::narrowFormat(type);
  return format ? encodeFloat(value, *format) : bitsOf(float(value));
}

template <typename T> Bytes bytesOf(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <typename T> std::vector<T> valuesOf(const Bytes &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
inline Bytes encodeAll(ElementType type, const std::vector<float> &values) {
  const unsigned size = recipe::elementSize(type);
  Bytes bytes(values.size() * size);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint32_t bits = encodeElement(type, values[i]);
    std::memcpy(&bytes[i * size], &bits, size);
  }
  return bytes;
}
inline std::vector<float> decodeAll(ElementType type, const Bytes &bytes) {
  const unsigned size = recipe::elementSize(type);
  std::vector<float> values(bytes.size() / size);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = decodeElement(type, &bytes[i * size]);
  return values;
}

/// Reproducible values in [-1, 1).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }
  float value() { return float(int64_t(next() >> 40) - (1 << 23)) / (1 << 23); }
  std::vector<float> values(size_t count) {
    std::vector<float> result(count);
    for (float &value : result)
      value = this->value();
    return result;
  }

private:
  uint64_t state;
};

inline int64_t count(const Dims &sizes) { return *kernel::elementCount(sizes); }

/// A kernel as data. Index expressions: `at({{d, c}, ...}, offset)`.
class KernelBuilder {
public:
  recipe::KernelT kernel;

  explicit KernelBuilder(Dims space, std::vector<bool> parallel) {
    kernel.name = "test";
    kernel.index_space = space;
    kernel.parallel = parallel;
  }
  KernelBuilder &input(ElementType type, unsigned rank) {
    kernel.inputs.push_back(type);
    kernel.input_ranks.push_back(uint8_t(rank));
    return *this;
  }
  KernelBuilder &output(ElementType type, unsigned rank) {
    kernel.outputs.push_back(type);
    kernel.output_ranks.push_back(uint8_t(rank));
    return *this;
  }
  void stage(std::vector<uint8_t> loops = {}) {
    kernel.stages.push_back(std::make_unique<recipe::StageT>());
    kernel.stages.back()->loops = std::move(loops);
  }

  std::unique_ptr<recipe::AccessDimT>
  at(std::vector<std::pair<unsigned, int64_t>> terms, int64_t offset = 0,
     recipe::Boundary boundary = recipe::Boundary::Inside) {
    auto dim = std::make_unique<recipe::AccessDimT>();
    dim->coefficients.assign(kernel.index_space.size(), 0);
    for (auto [d, c] : terms)
      dim->coefficients[d] = c;
    dim->offset = offset;
    dim->boundary = boundary;
    return dim;
  }
  std::unique_ptr<recipe::AccessDimT>
  by(uint32_t value, recipe::Boundary boundary = recipe::Boundary::Checked) {
    auto dim = std::make_unique<recipe::AccessDimT>();
    dim->value = int32_t(value);
    dim->boundary = boundary;
    return dim;
  }
  template <typename... D>
  uint32_t access(uint32_t operand, uint64_t pad, D... dims) {
    auto result = std::make_unique<recipe::AccessT>();
    result->operand = operand;
    result->pad = pad;
    (result->dims.push_back(std::move(dims)), ...);
    kernel.accesses.push_back(std::move(result));
    return uint32_t(kernel.accesses.size() - 1);
  }

  uint32_t inst(Op op, ElementType type, uint32_t a = 0, uint32_t b = 0,
                uint32_t c = 0, uint64_t imm = 0) {
    kernel.stages.back()->insts.emplace_back(imm, a, b, c, op, type);
    return numbers++;
  }
  uint32_t constant(float value) {
    return inst(Op::Const, ElementType::F32, 0, 0, 0, bitsOf(value));
  }
  uint32_t constant(ElementType type, uint64_t bits) {
    return inst(Op::Const, type, 0, 0, 0, bits);
  }
  /// Returns the index of the reduction; results come from `endStage`.
  void reduce(recipe::ReduceOp op, uint32_t init, uint32_t value,
              uint32_t position = 0) {
    auto reduction = std::make_unique<recipe::ReductionT>();
    reduction->op = op;
    reduction->init = init;
    reduction->value = value;
    reduction->position = position;
    kernel.stages.back()->reductions.push_back(std::move(reduction));
  }
  /// The value number of the first result of the stage's reductions.
  uint32_t endStage() {
    const uint32_t first = numbers;
    for (const auto &reduction : kernel.stages.back()->reductions)
      numbers += reduction->op == recipe::ReduceOp::ArgMax ||
                         reduction->op == recipe::ReduceOp::ArgMin
                     ? 2
                     : 1;
    return first;
  }
  void store(uint32_t access, uint32_t value) {
    auto store = std::make_unique<recipe::StoreT>();
    store->access = access;
    store->value = value;
    kernel.stages.back()->stores.push_back(std::move(store));
  }

private:
  uint32_t numbers = 0;
};

/// A recipe under construction. Tensors are laid out one after the other.
class TestRecipe {
public:
  explicit TestRecipe(const char *target = "gaudi2") {
    recipe.target = target;
    recipe.producer = "unit test";
    recipe.locations = {"", "model.mlir:7:3"};
    for (auto kind :
         {recipe::SectionKind::Persistent, recipe::SectionKind::Const,
          recipe::SectionKind::Workspace}) {
      recipe.sections.push_back(std::make_unique<recipe::SectionT>());
      recipe.sections.back()->kind = kind;
    }
    recipe.entries.push_back(std::make_unique<recipe::EntryT>());
    entry().name = "main";
  }

  recipe::RecipeT recipe;
  recipe::EntryT &entry() { return *recipe.entries[0]; }

  uint32_t input(ElementType type, Dims sizes, Dims strides = {}) {
    const uint32_t id =
        tensor(recipe::TensorClass::Input, 0, type, sizes, strides, "in");
    entry().inputs.push_back(id);
    return id;
  }
  uint32_t output(ElementType type, Dims sizes, Dims strides = {}) {
    const uint32_t id =
        tensor(recipe::TensorClass::Output, 0, type, sizes, strides, "out");
    entry().outputs.push_back(id);
    return id;
  }
  uint32_t state(ElementType type, Dims sizes) {
    return tensor(recipe::TensorClass::State, 0, type, sizes, {}, "state");
  }
  uint32_t workspace(ElementType type, Dims sizes, Dims strides = {}) {
    return tensor(recipe::TensorClass::Workspace, 2, type, sizes, strides,
                  "temp");
  }
  uint32_t constant(ElementType type, Dims sizes, const Bytes &bytes) {
    const uint32_t id =
        tensor(recipe::TensorClass::Const, 1, type, sizes, {}, "const");
    constants.resize(recipe.sections[1]->size);
    std::memcpy(&constants[recipe.tensors[id]->offset], bytes.data(),
                bytes.size());
    return id;
  }
  uint32_t tensor(recipe::TensorClass kind, uint32_t section, ElementType type,
                  Dims sizes, Dims strides, const std::string &name) {
    auto result = std::make_unique<recipe::TensorT>();
    result->name = name + std::to_string(recipe.tensors.size());
    result->tensor_class = kind;
    result->section = section;
    result->type = type;
    result->sizes = sizes;
    result->strides = strides.empty() ? kernel::denseStrides(sizes) : strides;
    result->location = 1;
    uint64_t &size = recipe.sections[section]->size;
    result->offset = (size + 63) / 64 * 64;
    size = result->offset + *kernel::byteExtent(sizes, result->strides,
                                                recipe::elementSize(type));
    recipe.tensors.push_back(std::move(result));
    return uint32_t(recipe.tensors.size() - 1);
  }

  template <typename BodyTable>
  void command(recipe::Engine engine, const std::string &name, BodyTable body,
               std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
    auto command = std::make_unique<recipe::CommandT>();
    command->engine = engine;
    command->name = name;
    command->body.Set(std::move(body));
    command->inputs = std::move(inputs);
    command->outputs = std::move(outputs);
    command->location = 1;
    for (uint32_t c = 0; c < entry().commands.size(); ++c)
      command->dependencies.push_back(c);
    entry().commands.push_back(std::move(command));
  }
  void launch(KernelBuilder &builder, std::vector<uint32_t> inputs,
              std::vector<uint32_t> outputs) {
    recipe.kernels.push_back(
        std::make_unique<recipe::KernelT>(std::move(builder.kernel)));
    recipe::LaunchT body;
    body.kernel = uint32_t(recipe.kernels.size() - 1);
    command(recipe::Engine::TPC, "tpc.test", body, std::move(inputs),
            std::move(outputs));
  }

  /// Null and a test failure if the recipe is refused.
  std::unique_ptr<runtime::Executable> load(runtime::LoadOptions options = {}) {
    auto result = tryLoad(options);
    if (!result) {
      ADD_FAILURE() << result.error().message;
      return nullptr;
    }
    return std::move(*result);
  }
  /// The bytes of the file.
  auto write() {
    std::vector<recipe::ConstData> data;
    if (!constants.empty())
      data.push_back({1, {{0, constants.data(), constants.size()}}});
    return recipe::writeRecipe(recipe, data);
  }
  Result<std::unique_ptr<runtime::Executable>>
  tryLoad(runtime::LoadOptions options = {}) {
    auto bytes = write();
    if (!bytes)
      return fail(bytes.error().message);
    auto file =
        recipe::RecipeFile::fromBuffer({bytes->data(), bytes->size()}, "test");
    if (!file)
      return fail(file.error().message);
    if (options.threads == 0)
      options.threads = 2;
    return runtime::Executable::load(
        std::make_shared<const recipe::RecipeFile>(std::move(*file)), options);
  }

  /// Loads, runs once and returns the bytes of all outputs.
  std::vector<Bytes> run(const std::vector<Bytes> &inputs,
                         unsigned threads = 2) {
    runtime::LoadOptions options;
    options.threads = threads;
    auto executable = load(options);
    if (!executable)
      return std::vector<Bytes>(entry().outputs.size());
    return run(*executable, inputs);
  }
  static std::vector<Bytes> run(runtime::Executable &executable,
                                const std::vector<Bytes> &inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      Status status =
          executable.setInput(i, inputs[i].data(), inputs[i].size());
      EXPECT_TRUE(status.has_value()) << status.error().message;
    }
    auto stats = executable.launch();
    EXPECT_TRUE(stats.has_value()) << stats.error().message;
    std::vector<Bytes> outputs;
    for (size_t o = 0; o < executable.outputs().size(); ++o) {
      outputs.emplace_back(executable.outputs()[o].bytes);
      Status status =
          executable.getOutput(o, outputs.back().data(), outputs.back().size());
      EXPECT_TRUE(status.has_value());
    }
    return outputs;
  }

private:
  Bytes constants;
};

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_TESTRECIPE_H
