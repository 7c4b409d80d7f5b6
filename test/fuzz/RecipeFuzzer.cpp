// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a recipe file, with checksums made right: what the verifier
// accepts loads, compiles and runs without touching foreign memory, entries
// with variants at several sizes.
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/Dispatch.h"
#include "Gaudi/Runtime/Executable.h"

#include <algorithm>
#include <cstring>

using namespace gaudi;
using namespace gaudi::recipe;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Computes the checksums of metadata and header again, so that mutations get
/// past them to the verifier (offsets: docs/recipe-format.md, "Container").
static void reseal(uint8_t *data, size_t size) {
  if (size < headerBytes)
    return;
  auto get = [&](size_t at) {
    uint64_t value;
    std::memcpy(&value, data + at, sizeof(value));
    return value;
  };
  auto put = [&](size_t at, uint64_t value) {
    std::memcpy(data + at, &value, sizeof(value));
  };
  put(24, size);
  const uint64_t offset = get(32), length = get(40);
  if (offset <= size && length <= size - offset)
    put(48, checksumOf(data + offset, length));
  put(56, 0);
  put(56, checksumOf(data, headerBytes));
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  // Mostly the metadata; the header is covered by unit tests byte by byte.
  if (size > headerBytes && seed % 16 != 0)
    size =
        headerBytes + LLVMFuzzerMutate(data + headerBytes, size - headerBytes,
                                       maxSize - headerBytes);
  else
    size = LLVMFuzzerMutate(data, size, maxSize);
  reseal(data, size);
  return size;
}

/// An upper bound of the scalar operations of one launch; commands touch every
/// element of their operands a bounded number of times, or multiply them.
static double workOf(const Recipe &recipe) {
  double work = 0;
  auto elements = [&](uint32_t tensor) {
    double count = 1;
    for (int64_t extent : items(recipe.tensors()->Get(tensor)->sizes()))
      count *= double(extent);
    return count;
  };
  for (const Kernel *kernel : items(recipe.kernels())) {
    double points = 1;
    for (int64_t extent : items(kernel->index_space()))
      points *= double(extent);
    work += points * 100;
  }
  for (const Entry *entry : items(recipe.entries()))
    for (const Command *command : items(entry->commands())) {
      double product = 1;
      for (uint32_t input : items(command->inputs()))
        product *= elements(input);
      work += product;
    }
  return work;
}

/// Copies tensors of these sizes in, launches, and copies out. Errors are
/// right.
static void launchAt(runtime::Dispatcher &dispatcher,
                     const shapes::Sizes &sizes) {
  if (!dispatcher.selectSizes(sizes))
    return;
  std::vector<uint8_t> host;
  const auto resize = [&](ElementType type,
                          const runtime::Dispatcher::Shape &shape) {
    const int64_t elements = *kernel::elementCount(shape);
    host.assign(elements < (1 << 20) ? size_t(elements) * elementSize(type) : 0,
                0);
  };
  std::vector<runtime::Dispatcher::Shape> shapes;
  for (size_t i = 0; i < dispatcher.inputs().size(); ++i) {
    shapes.push_back(dispatcher.inputShape(i, sizes));
    resize(dispatcher.inputs()[i].type, shapes.back());
    (void)dispatcher.setInput(i, host.data(), host.size());
  }
  (void)dispatcher.select(shapes);
  (void)dispatcher.launch();
  for (size_t o = 0; o < dispatcher.outputs().size(); ++o) {
    resize(dispatcher.outputs()[o].type,
           dispatcher.outputShape(o, dispatcher.sizes()));
    (void)dispatcher.getOutput(o, host.data(), host.size());
  }
}

/// At the least and largest sizes of callers, those of variants and those past
/// all of them.
static void launchVariants(runtime::Executable &executable, size_t entry) {
  auto dispatcher = runtime::Dispatcher::create(executable, entry);
  if (!dispatcher)
    __builtin_trap(); // the verifier accepts no variants that cannot be chosen
  (*dispatcher)->setPoison(true);
  shapes::Sizes low, high, past;
  for (const shapes::Symbol &symbol : (*dispatcher)->symbols()) {
    low.push_back(symbol.min);
    high.push_back(symbol.max - symbol.max % symbol.multiple);
    past.push_back(symbol.max + symbol.multiple % 1000);
  }
  for (const shapes::Sizes &sizes : {low, high, past})
    launchAt(**dispatcher, sizes);
  const shapes::Buckets &buckets = (*dispatcher)->buckets();
  for (size_t v = 0; v < std::min<size_t>(buckets.size(), 4); ++v)
    launchAt(**dispatcher, buckets[v]);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<RecipeFile> opened = RecipeFile::fromBuffer({data, size});
  if (!opened)
    return 0;
  auto file = std::make_shared<const RecipeFile>(std::move(*opened));
  if (workOf(file->recipe()) > 1e6)
    return 0;
  runtime::LoadOptions options;
  options.deviceMemory = 64 << 20;
  options.threads = 1;
  options.cacheDirectory = "";
  auto loaded = runtime::Executable::load(file, options);
  if (!loaded)
    return 0;
  for (size_t entry = 0; entry < (*loaded)->numEntries(); ++entry)
    if (runtime::Dispatcher::hasVariants(**loaded, entry))
      launchVariants(**loaded, entry);
    else
      (void)(*loaded)->launch(entry);
  return 0;
}
