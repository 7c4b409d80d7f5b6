// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes: opened, saved, described.
#include "Recipe.h"

#include "Error.h"
#include "Gaudi/Recipe/Places.h"
#include "Gaudi/Recipe/Sizes.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Variants.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/OutputFile.h"

#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

using namespace gaudi;
using namespace gaudi::capi;
using recipe::RecipeFile;

GaudiRecipe::GaudiRecipe(RecipeFile opened)
    : GaudiRecipe(std::make_shared<const RecipeFile>(std::move(opened))) {}

GaudiRecipe::GaudiRecipe(std::shared_ptr<const RecipeFile> opened)
    : file(std::move(opened)), signature(signatureOf(file->recipe())) {}

/// Whether the path has a file that could be read.
static bool isReadable(const char *path) {
  struct stat status = {};
  return ::stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path, R_OK) == 0;
}

GaudiError *gaudiRecipeOpen(const char *path, GaudiRecipe **recipe) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(path, "path"));
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    auto file =
        GAUDI_C_TRY(isReadable(path) ? GaudiErrorInvalidRecipe : GaudiErrorIo,
                    RecipeFile::open(path));
    *recipe = new GaudiRecipe(std::move(file));
    return nullptr;
  });
}

GaudiError *gaudiRecipeFromMemory(const void *data, size_t bytes,
                                  GaudiRecipe **recipe) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(data, "data"));
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    auto file = GAUDI_C_TRY(
        GaudiErrorInvalidRecipe,
        RecipeFile::fromBuffer({static_cast<const uint8_t *>(data), bytes}));
    *recipe = new GaudiRecipe(std::move(file));
    return nullptr;
  });
}

void gaudiRecipeDestroy(GaudiRecipe *recipe) { delete recipe; }

GaudiError *gaudiRecipeSave(const GaudiRecipe *recipe, const char *path) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GAUDI_C_CHECK(checkPointer(path, "path"));
    const recipe::ByteSpan bytes = recipe->file->bytes();
    OutputFile output =
        GAUDI_C_TRY(GaudiErrorIo, OutputFile::create(path, bytes.size));
    GAUDI_C_TRY(GaudiErrorIo, output.write(bytes.data, bytes.size));
    GAUDI_C_TRY(GaudiErrorIo, output.commit());
    return nullptr;
  });
}

GaudiError *gaudiRecipeWithPlaces(const GaudiRecipe *recipe, const char *source,
                                  const char *const *places, size_t numPlaces,
                                  GaudiRecipe **renamed) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GAUDI_C_CHECK(checkPointer(source, "source"));
    GAUDI_C_CHECK(checkPointer(renamed, "renamed"));
    if (numPlaces)
      GAUDI_C_CHECK(checkPointer(places, "places"));
    std::vector<std::string> texts;
    for (size_t line = 0; line != numPlaces; ++line)
      texts.emplace_back(places[line] ? places[line] : "");
    const std::vector<uint8_t> bytes =
        GAUDI_C_TRY(GaudiErrorInvalidRecipe,
                    recipe::withPlaces(*recipe->file, source, texts));
    auto file =
        GAUDI_C_TRY(GaudiErrorInvalidRecipe,
                    RecipeFile::fromBuffer({bytes.data(), bytes.size()}));
    *renamed = new GaudiRecipe(std::move(file));
    return nullptr;
  });
}

void gaudiRecipeBytes(const GaudiRecipe *recipe, const void **data,
                      size_t *bytes) {
  *data = recipe->file->bytes().data;
  *bytes = recipe->file->bytes().size;
}

GaudiStringRef gaudiRecipeDevice(const GaudiRecipe *recipe) {
  return refOf(recipe::text(recipe->file->recipe().target()));
}

GaudiStringRef gaudiRecipeHash(const GaudiRecipe *recipe) {
  return recipe->hash.get([&] {
    const recipe::ByteSpan bytes = recipe->file->bytes();
    const XXH128_hash_t hash = XXH3_128bits(bytes.data, bytes.size);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  });
}

GaudiStringRef gaudiRecipeText(const GaudiRecipe *recipe) {
  return recipe->text.get([&] {
    std::ostringstream out;
    out.exceptions(std::ios::badbit); // where memory is missing
    recipe::PrintOptions options;
    options.elideConstantsAbove = 1024;
    recipe::printRecipe(out, *recipe->file, options);
    return out.str();
  });
}

// --- what launches exchange with the host ------------------------------------

/// The item with that number; an empty one if there is none.
template <typename Item>
static const Item &itemOf(const std::vector<Item> &items, size_t index) {
  static const Item none = {};
  return index < items.size() ? items[index] : none;
}

static const HostEntry &entryOf(const GaudiRecipe *recipe, size_t entry) {
  return itemOf(recipe->signature.entries, entry);
}

static GaudiTensorInfo infoOf(const HostTensor &tensor) {
  return {refOf(tensor.name),
          GaudiElementType(tensor.type),
          uint32_t(tensor.shape.size()),
          tensor.shape.data(),
          refOf(tensor.symbolicShape),
          tensor.state};
}

size_t gaudiRecipeNumEntries(const GaudiRecipe *recipe) {
  return recipe->signature.entries.size();
}

GaudiStringRef gaudiRecipeEntryName(const GaudiRecipe *recipe, size_t entry) {
  return refOf(entryOf(recipe, entry).name);
}

GaudiError *gaudiRecipeFindEntry(const GaudiRecipe *recipe, const char *name,
                                 size_t *entry) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(entry, "entry"));
    std::string names;
    const std::vector<HostEntry> &entries = recipe->signature.entries;
    for (size_t e = 0; e < entries.size(); ++e) {
      if (entries[e].name == name) {
        *entry = e;
        return nullptr;
      }
      names += fmt::format("{}\"{}\"", e ? ", " : "", entries[e].name);
    }
    return makeError(GaudiErrorInvalidArgument,
                     "the recipe has no entry \"{}\", it has {}", name,
                     names.empty() ? "none" : names);
  });
}

size_t gaudiRecipeNumInputs(const GaudiRecipe *recipe, size_t entry) {
  return entryOf(recipe, entry).inputs.size();
}
size_t gaudiRecipeNumOutputs(const GaudiRecipe *recipe, size_t entry) {
  return entryOf(recipe, entry).outputs.size();
}
GaudiTensorInfo gaudiRecipeInput(const GaudiRecipe *recipe, size_t entry,
                                 size_t index) {
  return infoOf(itemOf(entryOf(recipe, entry).inputs, index));
}
GaudiTensorInfo gaudiRecipeOutput(const GaudiRecipe *recipe, size_t entry,
                                  size_t index) {
  return infoOf(itemOf(entryOf(recipe, entry).outputs, index));
}
size_t gaudiRecipeNumStates(const GaudiRecipe *recipe) {
  return recipe->signature.states.size();
}
GaudiTensorInfo gaudiRecipeState(const GaudiRecipe *recipe, size_t index) {
  return infoOf(itemOf(recipe->signature.states, index));
}
size_t gaudiRecipeNumSymbols(const GaudiRecipe *recipe, size_t entry) {
  return entryOf(recipe, entry).symbols.size();
}
GaudiSymbolInfo gaudiRecipeSymbol(const GaudiRecipe *recipe, size_t entry,
                                  size_t index) {
  const shapes::Symbol &symbol = itemOf(entryOf(recipe, entry).symbols, index);
  return {refOf(symbol.name), symbol.min, symbol.max, symbol.multiple};
}

// --- variants ----------------------------------------------------------------

/// Of an entry without symbols there are none.
static recipe::Items<flatbuffers::Offset<recipe::Variant>>
variantsOf(const GaudiRecipe *recipe, size_t entry) {
  if (entry >= recipe->signature.entries.size())
    return recipe::Items<flatbuffers::Offset<recipe::Variant>>(nullptr);
  const recipe::Dispatch *dispatch =
      recipe::items(recipe->file->recipe()
                        .entries())[recipe->signature.entries[entry].index]
          ->dispatch();
  return recipe::Items<flatbuffers::Offset<recipe::Variant>>(
      dispatch ? dispatch->variants() : nullptr);
}

size_t gaudiRecipeNumVariants(const GaudiRecipe *recipe, size_t entry) {
  return variantsOf(recipe, entry).size();
}

static GaudiError *checkVariant(const GaudiRecipe *recipe, size_t entry,
                                size_t variant) {
  GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
  const size_t count = variantsOf(recipe, entry).size();
  if (variant < count)
    return nullptr;
  return makeError(GaudiErrorInvalidArgument,
                   "there is no variant {}, the entry has {}", variant, count);
}

GaudiError *gaudiRecipeVariant(const GaudiRecipe *recipe, size_t entry,
                               size_t variant, GaudiRecipe **alone) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkVariant(recipe, entry, variant));
    GAUDI_C_CHECK(checkPointer(alone, "alone"));
    const recipe::Entry &of =
        *recipe::items(recipe->file->recipe()
                           .entries())[recipe->signature.entries[entry].index];
    const std::vector<uint8_t> bytes =
        GAUDI_C_TRY(GaudiErrorInvalidArgument,
                    variantAlone(*recipe->file, of, uint32_t(variant)));
    auto file =
        GAUDI_C_TRY(GaudiErrorInvalidRecipe,
                    RecipeFile::fromBuffer({bytes.data(), bytes.size()}));
    *alone = new GaudiRecipe(std::move(file));
    return nullptr;
  });
}

size_t gaudiRecipeNumExtents(const GaudiRecipe *recipe, size_t entry,
                             size_t variant) {
  const auto variants = variantsOf(recipe, entry);
  return variant < variants.size()
             ? recipe::items(variants[uint32_t(variant)]->extents()).size()
             : 0;
}

GaudiError *gaudiRecipeExtent(const GaudiRecipe *recipe, size_t entry,
                              size_t variant, size_t index,
                              const int64_t *sizes, size_t *input,
                              int64_t *value) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkVariant(recipe, entry, variant));
    GAUDI_C_CHECK(checkPointer(sizes, "sizes"));
    GAUDI_C_CHECK(checkPointer(input, "input"));
    GAUDI_C_CHECK(checkPointer(value, "value"));
    const recipe::Variant &of = *variantsOf(recipe, entry)[uint32_t(variant)];
    const auto extents = recipe::items(of.extents());
    if (index >= extents.size())
      return makeError(GaudiErrorInvalidArgument,
                       "there is no extent {}, the variant has {}", index,
                       extents.size());
    const std::vector<shapes::Symbol> &symbols =
        recipe->signature.entries[entry].symbols;
    for (size_t s = 0; s < symbols.size(); ++s)
      if (const int64_t most = recipe::items(of.sizes())[uint32_t(s)];
          sizes[s] < symbols[s].min || sizes[s] > most)
        return makeError(GaudiErrorInvalidArgument,
                         "the size of {} is {}, expected {} to {}",
                         symbols[s].name, sizes[s], symbols[s].min, most);
    *input = extents[uint32_t(index)]->input();
    *value = recipe::evaluate(*extents[uint32_t(index)]->value(), sizes);
    return nullptr;
  });
}

GaudiMemoryInfo gaudiRecipeMemory(const GaudiRecipe *recipe) {
  GaudiMemoryInfo memory = {};
  for (const recipe::Section *section :
       recipe::items(recipe->file->recipe().sections()))
    switch (section->kind()) {
    case recipe::SectionKind::Persistent:
      memory.persistent += section->size();
      break;
    case recipe::SectionKind::Const:
      memory.constants += section->size();
      break;
    case recipe::SectionKind::Workspace:
      memory.workspace += section->size();
      break;
    }
  return memory;
}
