// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays out and writes recipe files.
#include "Gaudi/Recipe/Writer.h"

#include "Commands/CommandKind.h"
#include "Pack.h"

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Verifier.h"
#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/OutputFile.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace gaudi::recipe {
namespace {

const uint8_t zeroPage[pageBytes] = {};

/// Everything about the file but the constant bytes.
struct Plan {
  std::vector<uint8_t> metadata;
  std::array<uint8_t, headerBytes> header = {};
  uint64_t fileSize = 0;
  uint64_t features = 0;
  /// Per section: its constants, or null for all zero.
  std::vector<const ConstData *> data;
};

/// Calls sink(pointer, size) for the bytes of a const section in order.
template <typename Sink>
Status streamSection(const ConstData *data, uint64_t size, Sink &&sink) {
  uint64_t position = 0;
  auto zeros = [&](uint64_t end) -> Status {
    while (position < end) {
      uint64_t count = std::min(end - position, pageBytes);
      GAUDI_TRY(sink(zeroPage, count));
      position += count;
    }
    return {};
  };
  if (data) {
    for (const ConstPiece &piece : data->pieces) {
      GAUDI_TRY(zeros(piece.offset));
      if (piece.size)
        GAUDI_TRY(sink(piece.data, piece.size));
      position += piece.size;
    }
  }
  return zeros(size);
}

Status checkPieces(const ConstData &data, uint64_t sectionSize) {
  uint64_t position = 0;
  for (const ConstPiece &piece : data.pieces) {
    auto where = [&] {
      return fmt::format("constant piece at byte {} of section @{}",
                         piece.offset, data.section);
    };
    if (piece.offset < position)
      return fail("{} overlaps the piece before it", where());
    std::optional<uint64_t> end = checkedAdd(piece.offset, piece.size);
    if (!end || *end > sectionSize)
      return fail("{} ({} bytes) reaches past the section of {} bytes", where(),
                  piece.size, sectionSize);
    position = *end;
  }
  return {};
}

Status assignData(const RecipeT &recipe,
                  const std::vector<ConstData> &constants, Plan &plan) {
  plan.data.assign(recipe.sections.size(), nullptr);
  for (const ConstData &data : constants) {
    if (data.section >= recipe.sections.size())
      return fail("constants for section @{} but the recipe has {} sections",
                  data.section, recipe.sections.size());
    const SectionT &section = *recipe.sections[data.section];
    if (section.kind != SectionKind::Const)
      return fail("constants for section @{}, which is not a const section",
                  data.section);
    if (plan.data[data.section])
      return fail("constants for section @{} are given twice", data.section);
    GAUDI_TRY(checkPieces(data, section.size));
    plan.data[data.section] = &data;
  }
  return {};
}

Result<std::vector<uint8_t>> pack(const RecipeT &recipe) {
  std::vector<uint8_t> metadata = packMetadata(recipe);
  if (metadata.size() > maxMetadataBytes)
    return fail("the metadata takes {} bytes but the format allows {}",
                metadata.size(), maxMetadataBytes);
  return metadata;
}

/// Where the bytes of a section are depends on the size of the metadata, which
/// have any number but 0 there until it is known.
void setFileOffset(std::vector<uint8_t> &metadata, size_t number,
                   uint64_t offset) {
  auto *section = const_cast<Section *>(
      (*GetRecipe(metadata.data())->sections())[unsigned(number)]);
  const bool isSet = reinterpret_cast<flatbuffers::Table *>(section)->SetField(
      Section::VT_FILE_OFFSET, offset, uint64_t(0));
  assert(isSet && "the field is there");
  (void)isSet;
}

Status fillChecksums(RecipeT &recipe, Plan &plan) {
  for (size_t i = 0; i < recipe.sections.size(); ++i) {
    SectionT &section = *recipe.sections[i];
    section.file_offset = 0;
    section.checksum = 0;
    if (section.kind != SectionKind::Const)
      continue;
    if (section.size > maxDeviceBytes)
      return fail("section @{} has {} bytes, more than 2^48", i, section.size);
    PieceChecksum checksum;
    Status status = streamSection(plan.data[i], section.size,
                                  [&](const uint8_t *data, uint64_t size) {
                                    checksum.add(data, size);
                                    return Status();
                                  });
    if (!status)
      return status;
    section.checksum = checksum.finish();
    if (section.size > checksumPieceBytes)
      plan.features |= featurePieceChecksums;
    // Any number but 0, so that the metadata already has its final size.
    section.file_offset = section.size ? pageBytes : 0;
  }
  return {};
}

Result<Plan> makePlan(RecipeT &recipe, const std::vector<ConstData> &constants,
                      const WriteOptions &options) {
  Plan plan;
  GAUDI_TRY(assignData(recipe, constants, plan));
  GAUDI_TRY(fillChecksums(recipe, plan));
  // Packed first: where sections start in the file depends on the size of the
  // metadata. Offsets are written into the packed bytes then.
  plan.metadata = GAUDI_TRY(pack(recipe));
  plan.fileSize = headerBytes + plan.metadata.size();
  for (size_t i = 0; i < recipe.sections.size(); ++i) {
    SectionT &section = *recipe.sections[i];
    if (section.kind != SectionKind::Const || section.size == 0)
      continue;
    section.file_offset = *checkedAlignUp(plan.fileSize, pageBytes);
    plan.fileSize = section.file_offset + section.size;
    setFileOffset(plan.metadata, i, section.file_offset);
  }

  // Features and version are those that the content needs, as a reader finds
  // them.
  plan.features |= featuresOf(*GetRecipe(plan.metadata.data()));
  Header header;
  header.minor = minorOf(*GetRecipe(plan.metadata.data()), plan.features);
  header.features = plan.features;
  header.fileSize = plan.fileSize;
  header.metadataSize = plan.metadata.size();
  header.metadataChecksum =
      checksumOf(plan.metadata.data(), plan.metadata.size());
  plan.header = encodeHeader(header);
  // The writer checks what it is about to write: a wrong recipe is an error
  // here, not on the device.
  if (options.verify) {
    FileLayout layout{plan.fileSize, headerBytes, plan.metadata.size(),
                      plan.features};
    Status status = verifyRecipe(*GetRecipe(plan.metadata.data()), layout);
    if (!status)
      return fail("the recipe to write is not valid: {}",
                  status.error().message);
  }
  return plan;
}

/// Calls sink(pointer, size) for all bytes of the file in order.
template <typename Sink>
Status streamFile(const RecipeT &recipe, const Plan &plan, Sink &&sink) {
  uint64_t position = 0;
  auto counted = [&](const uint8_t *data, uint64_t size) {
    position += size;
    return sink(data, size);
  };
  GAUDI_TRY(counted(plan.header.data(), plan.header.size()));
  GAUDI_TRY(counted(plan.metadata.data(), plan.metadata.size()));
  for (size_t i = 0; i < recipe.sections.size(); ++i) {
    const SectionT &section = *recipe.sections[i];
    if (section.kind != SectionKind::Const || section.size == 0)
      continue;
    if (uint64_t gap = section.file_offset - position)
      GAUDI_TRY(counted(zeroPage, gap));
    GAUDI_TRY(streamSection(plan.data[i], section.size, counted));
  }
  return {};
}

} // namespace

std::vector<ConstData> constantsOf(const RecipeFile &file) {
  std::vector<ConstData> constants;
  uint32_t number = 0;
  for (const Section *section : items(file.recipe().sections())) {
    if (section->kind() == SectionKind::Const) {
      const ByteSpan bytes = file.constBytes(number);
      constants.push_back({number, {{0, bytes.data, bytes.size}}});
    }
    ++number;
  }
  return constants;
}

Result<std::vector<uint8_t>>
writeRecipe(RecipeT &recipe, const std::vector<ConstData> &constants,
            const WriteOptions &options) {
  const Plan plan = GAUDI_TRY(makePlan(recipe, constants, options));
  std::vector<uint8_t> bytes;
  bytes.reserve(plan.fileSize);
  GAUDI_TRY(streamFile(recipe, plan, [&](const uint8_t *data, uint64_t size) {
    bytes.insert(bytes.end(), data, data + size);
    return Status();
  }));
  assert(bytes.size() == plan.fileSize && "the plan knows the size");
  return bytes;
}

Status writeRecipeFile(const std::string &path, RecipeT &recipe,
                       const std::vector<ConstData> &constants,
                       const WriteOptions &options) {
  const Result<Plan> plan = makePlan(recipe, constants, options);
  if (!plan)
    return fail("cannot write '{}': {}", path, plan.error().message);
  OutputFile output = GAUDI_TRY(OutputFile::create(path, plan->fileSize));
  GAUDI_TRY(streamFile(recipe, *plan, [&](const uint8_t *data, uint64_t size) {
    return output.write(data, size);
  }));
  return output.commit();
}

} // namespace gaudi::recipe
