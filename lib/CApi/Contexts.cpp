// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads contexts and hands them out.
#include "Contexts.h"

#include "Gaudi/Recipe/Entries.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/ErrorKind.h"

#include <algorithm>
#include <exception>

namespace gaudi::capi {

using namespace recipe;

// --- entries -----------------------------------------------------------------

/// Whether a launch of the entry reads or writes a state.
static bool usesStates(const Recipe &recipe, uint32_t number) {
  const Entry &entry = *items(recipe.entries())[number];
  const auto isAny = [&](const flatbuffers::Vector<uint32_t> *tensors) {
    for (uint32_t tensor : items(tensors))
      if (isState(recipe, tensor))
        return true;
    return false;
  };
  if (isAny(entry.inputs()) || isAny(entry.outputs()))
    return true;
  for (const Command *command : items(entry.commands()))
    if (isAny(command->inputs()) || isAny(command->outputs()))
      return true;
  for (const ProgramStep *step : items(entry.program()))
    if ((step->kind() == StepKind::Launch && usesStates(recipe, step->id())) ||
        (step->kind() == StepKind::While && isState(recipe, step->id())))
      return true;
  if (entry.dispatch())
    for (const Variant *variant : items(entry.dispatch()->variants()))
      if (usesStates(recipe, variant->entry()))
        return true;
  return false;
}

std::vector<LaunchedEntry> launchedEntries(const Recipe &recipe,
                                           const Signature &signature) {
  std::vector<LaunchedEntry> entries;
  for (const HostEntry &host : signature.entries) {
    LaunchedEntry entry;
    entry.index = host.index;
    entry.numOutputs = host.outputs.size();
    entry.hasStates = usesStates(recipe, host.index);
    for (const HostTensor &input : host.inputs)
      entry.isState.push_back(input.state >= 0);
    entry.isBound.resize(host.inputs.size());
    entries.push_back(std::move(entry));
  }
  return entries;
}

// --- contexts ----------------------------------------------------------------

Result<std::unique_ptr<Contexts>>
Contexts::create(std::shared_ptr<const RecipeFile> file,
                 runtime::LoadOptions options,
                 std::vector<LaunchedEntry> entries, size_t most) {
  std::unique_ptr<Contexts> contexts(new Contexts(
      std::move(file), std::move(options), std::move(entries), most));
  contexts->contexts.push_back(GAUDI_TRY(contexts->load(0)));
  contexts->firstContext = contexts->contexts.front().get();
  return contexts;
}

Result<std::unique_ptr<runtime::Executable>>
Contexts::loadAnother(size_t others) const {
  const runtime::MemoryStats &memory = firstContext->executable->memory();
  // Constants and bound inputs are there once.
  const uint64_t taken =
      others * (memory.persistent + memory.workspace - memory.bound);
  const uint64_t left = memory.capacity - std::min(memory.capacity, taken);
  auto loaded = firstContext->executable->another(std::max<uint64_t>(left, 1));
  if (loaded ||
      runtime::kindOf(loaded.error()) != runtime::ErrorKind::DeviceMemory)
    return loaded;
  return fail("{}\nother launches take the rest: {}; lower maxLaunches",
              loaded.error().message, others);
}

Result<std::unique_ptr<Context>> Contexts::load(size_t others) const {
  auto context = std::make_unique<Context>();
  context->executable = GAUDI_TRY(
      others ? loadAnother(others) : runtime::Executable::load(file, options));
  for (const LaunchedEntry &entry : hostEntries) {
    std::unique_ptr<runtime::Dispatcher> dispatcher;
    std::vector<runtime::Dispatcher::Shape> shapes;
    if (runtime::Dispatcher::hasVariants(*context->executable, entry.index)) {
      dispatcher = GAUDI_TRY(
          runtime::Dispatcher::create(*context->executable, entry.index));
      shapes.resize(dispatcher->inputs().size());
    }
    context->dispatchers.push_back(std::move(dispatcher));
    context->shapes.push_back(std::move(shapes));
  }
  return context;
}

template <typename Call>
static auto withoutThrowing(Call &&call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception &problem) {
    return fail("no memory of its own for another launch: {}", problem.what());
  }
}

Context *Contexts::freeOne(bool needsStates) const {
  // Early ones first: their memory is in caches.
  for (const std::unique_ptr<Context> &context : contexts) {
    if (!context->isBusy)
      return context.get();
    if (needsStates)
      break;
  }
  return nullptr;
}

Result<Contexts::Use> Contexts::take(bool needsStates) {
  std::unique_lock<std::mutex> guard(lock);
  for (;;) {
    if (Context *context = freeOne(needsStates)) {
      context->isBusy = true;
      counted.mostAtOnce = std::max<uint64_t>(counted.mostAtOnce, ++inUse);
      return Use(*this, *context);
    }
    const size_t others = contexts.size() + beingLoaded;
    if (needsStates || others == most) {
      isFree.wait(guard);
      continue;
    }
    ++beingLoaded;
    guard.unlock();
    auto loaded = withoutThrowing([&] { return load(others); });
    guard.lock();
    --beingLoaded;
    isFree.notify_all(); // another thread may take it, or try again
    if (!loaded)
      return tl::unexpected<Error>(loaded.error());
    contexts.push_back(std::move(*loaded));
  }
}

void Contexts::giveBack(Context &context) {
  {
    const std::lock_guard<std::mutex> guard(lock);
    context.isBusy = false;
    --inUse;
    counted.peakBytes =
        std::max(counted.peakBytes, context.executable->memory().measuredPeak);
  }
  // Who waits for the first context must not miss it.
  isFree.notify_all();
}

Contexts::Counts Contexts::counts() const {
  const std::lock_guard<std::mutex> guard(lock);
  return counted;
}

} // namespace gaudi::capi
