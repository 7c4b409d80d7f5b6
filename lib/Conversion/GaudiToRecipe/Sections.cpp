// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sections of a recipe under construction.
#include "Sections.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"

using namespace mlir;
using namespace gaudi;
using gaudi::recipe::SectionT;
using SectionKindT = gaudi::recipe::SectionKind;

void Sections::add(func::FuncOp function) {
  const std::pair<StringLiteral, SectionKindT> kinds[] = {
      {persistentBytesAttrName, SectionKindT::Persistent},
      {constBytesAttrName, SectionKindT::Const},
      {workspaceBytesAttrName, SectionKindT::Workspace}};
  auto &sections = emitted.recipe.sections;
  first = sections.empty();
  for (auto [attr, kind] : kinds) {
    auto planned = function->getAttrOfType<IntegerAttr>(attr);
    const uint64_t bytes = planned ? planned.getInt() : 0;
    if (first) {
      auto section = std::make_unique<SectionT>();
      section->kind = kind;
      section->size = bytes;
      sections.push_back(std::move(section));
    } else if (kind == SectionKindT::Workspace) {
      // Entries run one at a time and share a workspace.
      uint64_t &size = sections[size_t(kind)]->size;
      size = std::max(size, bytes);
    }
  }
  if (first)
    emitted.constants.push_back({uint32_t(SectionKindT::Const), {}});
}

uint64_t Sections::reserve(SectionKindT kind, uint64_t bytes) {
  uint64_t &size = emitted.recipe.sections[size_t(kind)]->size;
  const uint64_t offset = llvm::alignTo(size, alignment);
  size = offset + llvm::alignTo(std::max<uint64_t>(bytes, 1), alignment);
  return offset;
}

uint64_t Sections::placeOf(Value value) {
  BufferAttr buffer = bufferOf(value);
  if (first || buffer.getSection() == gaudi::SectionKind::Workspace)
    return buffer.getOffset();
  return reserve(SectionKindT(buffer.getSection()),
                 extentBytes(tensorType(value), buffer.getStrides()));
}

uint64_t Sections::placeOf(RankedTensorType type) {
  return reserve(SectionKindT::Persistent,
                 elementBytes(type.getElementType()) * type.getNumElements());
}
