// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Program.h"
#include "Graph.h"
#include "History.h"
#include "Observer.h"
#include "Tensors.h"

#include <ATen/Dispatch_v2.h>
#include <ATen/ops/item.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_set>

using namespace gaudi::bridge;
using at::Tensor;

namespace {
struct Living {
  std::mutex mutex;
  std::unordered_set<uint64_t> numbers;
};
} // namespace

/// Never destroyed: programs may go after it.
static Living &living() {
  static auto *all = new Living;
  return *all;
}

std::vector<uint64_t> Program::living() {
  Living &all = ::living();
  const std::lock_guard lock(all.mutex);
  return {all.numbers.begin(), all.numbers.end()};
}

Program::Program(const GaudiRecipe *given, std::string name,
                 std::vector<ResultSpec> results)
    : name(std::move(name)), specs(std::move(results)) {
  static std::atomic<uint64_t> count{0};
  ownNumber = ++count;
  const void *data = nullptr;
  size_t bytes = 0;
  gaudiRecipeBytes(given, &data, &bytes);
  check(gaudiRecipeFromMemory(data, bytes, &recipe));
  inputCount = gaudiRecipeNumInputs(recipe, 0);
  outputCount = gaudiRecipeNumOutputs(recipe, 0);
  TORCH_INTERNAL_ASSERT(outputCount == specs.size());
  Living &all = ::living();
  const std::lock_guard lock(all.mutex);
  all.numbers.insert(ownNumber);
}

Program::~Program() {
  {
    Living &all = ::living();
    const std::lock_guard lock(all.mutex);
    all.numbers.erase(ownNumber);
  }
  for (const auto &each : loaded)
    if (each)
      gaudiProgramDestroy(each->program);
  gaudiRecipeDestroy(recipe);
}

Program::Loaded Program::load(const Card &card) const {
  Loaded made;
  GaudiProgramOptions options;
  gaudiProgramOptionsInit(&options);
  options.name = name.c_str();
  check(gaudiProgramLoad(card.device(), recipe, &options, &made.program));
  size_t count = 0;
  check(gaudiProgramNumTensors(made.program, 0, &count));
  made.alignments.resize(count);
  for (size_t index = 0; index != count; ++index) {
    GaudiLaunchTensor tensor;
    tensor.size = sizeof(tensor);
    check(gaudiProgramTensor(made.program, 0, index, &tensor));
    made.alignments[index] = tensor.alignment;
  }
  for (const bool isOutput : {false, true})
    for (size_t index = 0; index != (isOutput ? outputCount : inputCount);
         ++index) {
      int32_t isDense = 0;
      check(gaudiProgramIsDense(made.program, 0, index, isOutput ? 1 : 0,
                                &isDense));
      TORCH_INTERNAL_ASSERT(isDense, name, " is permuted in memory");
      Place place{};
      check(isOutput ? gaudiProgramOutput(made.program, 0, index, &place.tensor,
                                          &place.offset)
                     : gaudiProgramInput(made.program, 0, index, &place.tensor,
                                         &place.offset));
      (isOutput ? made.outputs : made.inputs).push_back(place);
    }
  made.mayAlias.assign(inputCount * outputCount, -1);
  return made;
}

Program::Loaded &Program::loadedOn(const Card &card) {
  const std::lock_guard lock(mutex);
  std::unique_ptr<Loaded> &slot = loaded[card.index()];
  if (!slot)
    slot = std::make_unique<Loaded>(load(card));
  return *slot;
}

bool Program::mayAlias(Loaded &on, size_t input, size_t output) {
  const std::lock_guard lock(mutex);
  int8_t &known = on.mayAlias[input * outputCount + output];
  if (known < 0) {
    const Place &from = on.inputs[input], &to = on.outputs[output];
    int32_t may = 0;
    if (from.tensor >= 0 && to.tensor >= 0 && from.offset == to.offset)
      check(gaudiProgramMayAlias(on.program, 0, size_t(from.tensor),
                                 size_t(to.tensor), &may));
    known = int8_t(may != 0);
  }
  return known > 0;
}

bool Program::mayWriteTo(const Card &card, at::ArrayRef<Tensor> inputs,
                         size_t index, const Tensor &target) {
  Loaded &on = loadedOn(card);
  const Place &place = on.outputs[index];
  const GaudiDeviceAddress begin = addressOf(*target.unsafeGetTensorImpl());
  if (place.tensor < 0 || place.offset != 0 || begin == 0 ||
      begin % on.alignments[place.tensor] != 0)
    return false;
  const GaudiDeviceAddress end = begin + reachBytes(target);
  for (size_t input = 0; input != inputs.size(); ++input) {
    if (!inputs[input].is_hpu())
      continue;
    const GaudiDeviceAddress from =
        addressOf(*inputs[input].unsafeGetTensorImpl());
    if (from < end && begin < from + reachBytes(inputs[input]) &&
        (from != begin || !mayAlias(on, input, index)))
      return false;
  }
  return true;
}

at::Tensor gaudi::bridge::uploadNumber(const Card &card,
                                       const at::Scalar &value,
                                       at::ScalarType type) {
  const at::ScalarType stored = storedType(type);
  const auto bytes = uint32_t(c10::elementSize(stored));
  uint64_t pattern = 0;
  TORCH_INTERNAL_ASSERT(bytes <= sizeof(pattern));
  AT_DISPATCH_V2(stored, "uploadNumber", AT_WRAP([&] {
                   scalar_t element;
                   // Infinite where it is too large, and wrapped, as where
                   // PyTorch converts a number to the type of a tensor.
                   if (std::is_integral_v<scalar_t> && value.isIntegral(false))
                     element = scalar_t(value.toLong());
                   else if constexpr (std::is_integral_v<scalar_t> ||
                                      c10::is_complex<scalar_t>::value)
                     element = value.to<scalar_t>();
                   else
                     element = scalar_t(float(value.toDouble()));
                   std::memcpy(&pattern, &element, sizeof(element));
                 }),
                 AT_EXPAND(AT_ALL_TYPES), AT_EXPAND(AT_FLOAT8_TYPES), at::kHalf,
                 at::kBFloat16, at::kBool, at::kComplexFloat,
                 AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
  at::Tensor made = emptyContiguous({}, type, card.index());
  check(gaudiStreamFill(card.stream(), addressOf(*made.unsafeGetTensorImpl()),
                        bytes, pattern, bytes));
  return made;
}

namespace {

/// `name`: of the op that reads it.
Tensor uploadElement(const Card &card, const Tensor &host,
                     const std::string &name) {
  TORCH_CHECK(
      host.is_cpu() && host.numel() == 1,
      "Expected all tensors to be on the same device, but found at "
      "least two devices, hpu:",
      int(card.index()), " and ", host.device(), "! (an operand of ", name,
      " is ", host.sizes(),
      "; move it, or the module that it is of: .to(\"hpu:", int(card.index()),
      "\"); with a module, a tensor moves that is a parameter, or a "
      "buffer: register_buffer(name, tensor))");
  return uploadNumber(card, host.item(), host.scalar_type());
}

} // namespace

void Program::launch(const Card &card, at::ArrayRef<Tensor> inputs,
                     std::vector<Tensor> &outputs) {
  TORCH_CHECK(inputs.size() == inputCount, name, " takes ", inputCount,
              " tensors, not ", inputs.size());
  if (C10_LIKELY(!Observation::areMade()) || capturedBy(card))
    return issue(card, inputs, outputs);
  Observation observation(ownNumber, name, inputs, outputs);
  try {
    issue(card, inputs, outputs);
  } catch (const c10::Error &error) {
    observation.failed(error.what_without_backtrace());
    throw;
  }
  observation.end(outputs);
}

void Program::issue(const Card &card, at::ArrayRef<Tensor> inputs,
                    std::vector<Tensor> &outputs) {
  Loaded &on = loadedOn(card);
  if (Graph *graph = capturedBy(card))
    graph->keep(shared_from_this());
  const Making making(name.c_str(), {}, at::kByte); // the tensors say their own
  GaudiStream *stream = card.stream();
  c10::SmallVector<GaudiDeviceAddress, 16> addresses(on.alignments.size(), 0);
  c10::SmallVector<Tensor, 4> staged; // until the launch has been issued
  for (size_t index = 0; index != inputCount; ++index) {
    const Place &place = on.inputs[index];
    if (place.tensor < 0)
      continue;
    const Tensor *tensor = &inputs[index];
    if (tensor->numel() == 0) // it has no memory, and none will be read
      tensor = &staged.emplace_back(
          emptyContiguous({1}, tensor->scalar_type(), card.index()));
    else if (!tensor->is_hpu())
      tensor = &staged.emplace_back(uploadElement(card, *tensor, name));
    GaudiDeviceAddress address =
        addressOf(*tensor->unsafeGetTensorImpl()) - place.offset;
    if (address % on.alignments[place.tensor] != 0) {
      const uint64_t bytes = reachBytes(*tensor);
      staged.push_back(
          emptyContiguous({int64_t(bytes)}, at::kByte, card.index()));
      address = addressOf(*staged.back().unsafeGetTensorImpl());
      check(gaudiStreamCopy(stream, address,
                            addressOf(*tensor->unsafeGetTensorImpl()), bytes));
    }
    addresses[place.tensor] = address;
  }
  outputs.resize(outputCount);
  for (size_t index = 0; index != outputCount; ++index) {
    const ResultSpec &spec = specs[index];
    if (!outputs[index].defined())
      outputs[index] =
          emptyStrided(spec.sizes, spec.strides, spec.type, card.index());
    const Place &place = on.outputs[index];
    TORCH_INTERNAL_ASSERT(place.tensor >= 0 || !outputs[index].numel());
    if (place.tensor < 0)
      continue;
    const Tensor *tensor = &outputs[index];
    if (tensor->numel() == 0)
      tensor =
          &staged.emplace_back(emptyContiguous({1}, spec.type, card.index()));
    addresses[place.tensor] =
        addressOf(*tensor->unsafeGetTensorImpl()) - place.offset;
  }
  check(gaudiStreamLaunch(stream, on.program, 0, addresses.data(),
                          addresses.size()));
}
