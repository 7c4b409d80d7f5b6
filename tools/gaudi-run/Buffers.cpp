// The buffers that make the peak of a recipe's device memory.
#include "Buffers.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Gaudi/Recipe/Views.h"

#include <cctype>

namespace gaudi::run {

using namespace recipe;

std::vector<Buffer> largestLiveBuffers(const Recipe &recipe, uint32_t entry,
                                       size_t limit) {
  std::vector<Buffer> buffers;
  LiveBuffers live = liveAtPeak(recipe, entry);
  // A program needs what the largest of its parts needs.
  for (const ProgramStep *step :
       items(items(recipe.entries())[entry]->program()))
    if (step->kind() == StepKind::Launch)
      if (LiveBuffers part = liveAtPeak(recipe, step->id());
          part.workspace > live.workspace)
        live = std::move(part);
  for (uint32_t t : live.tensors) {
    if (buffers.size() == limit)
      break;
    const Tensor &tensor = *items(recipe.tensors())[t];
    Buffer buffer;
    buffer.name = std::string(text(tensor.name()));
    buffer.kind = EnumNameTensorClass(tensor.tensor_class());
    buffer.kind[0] = char(std::tolower(buffer.kind[0]));
    buffer.location =
        std::string(text(items(recipe.locations())[tensor.location()]));
    buffer.bytes = tensorBytes(tensor);
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

FileShares fileShares(const RecipeFile &file) {
  FileShares shares;
  for (const Section *section : items(file->sections()))
    if (section->kind() == SectionKind::Const)
      shares.constants += section->size();
  shares.metadata = file.header().metadataSize;
  return shares;
}

} // namespace gaudi::run
