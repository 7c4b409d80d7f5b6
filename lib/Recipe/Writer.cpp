// Lays out and writes recipe files.
#include "Gaudi/Recipe/Writer.h"

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/Verifier.h"
#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/OutputFile.h"

#include <algorithm>

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
      if (Status status = sink(zeroPage, count); !status)
        return status;
      position += count;
    }
    return {};
  };
  if (data) {
    for (const ConstPiece &piece : data->pieces) {
      if (Status status = zeros(piece.offset); !status)
        return status;
      if (piece.size)
        if (Status status = sink(piece.data, piece.size); !status)
          return status;
      position += piece.size;
    }
  }
  return zeros(size);
}

Status checkPieces(const ConstData &data, uint64_t sectionSize) {
  uint64_t position = 0;
  for (const ConstPiece &piece : data.pieces) {
    std::string where = "constant piece at byte " +
                        std::to_string(piece.offset) + " of section @" +
                        std::to_string(data.section);
    if (piece.offset < position)
      return fail(where + " overlaps the piece before it");
    std::optional<uint64_t> end = checkedAdd(piece.offset, piece.size);
    if (!end || *end > sectionSize)
      return fail(where + " (" + std::to_string(piece.size) +
                  " bytes) reaches past the section of " +
                  std::to_string(sectionSize) + " bytes");
    position = *end;
  }
  return {};
}

Status assignData(const RecipeT &recipe,
                  const std::vector<ConstData> &constants, Plan &plan) {
  plan.data.assign(recipe.sections.size(), nullptr);
  for (const ConstData &data : constants) {
    std::string name = "section @" + std::to_string(data.section);
    if (data.section >= recipe.sections.size())
      return fail("constants for " + name + " but the recipe has " +
                  std::to_string(recipe.sections.size()) + " sections");
    const SectionT &section = *recipe.sections[data.section];
    if (section.kind != SectionKind::Const)
      return fail("constants for " + name + ", which is not a const section");
    if (plan.data[data.section])
      return fail("constants for " + name + " are given twice");
    if (Status status = checkPieces(data, section.size); !status)
      return status;
    plan.data[data.section] = &data;
  }
  return {};
}

Result<std::vector<uint8_t>> pack(const RecipeT &recipe) {
  flatbuffers::FlatBufferBuilder builder(4096);
  builder.Finish(Recipe::Pack(builder, &recipe), RecipeIdentifier());
  if (builder.GetSize() > maxMetadataBytes)
    return fail("the metadata takes " + std::to_string(builder.GetSize()) +
                " bytes but the format allows " +
                std::to_string(maxMetadataBytes));
  return std::vector<uint8_t>(builder.GetBufferPointer(),
                              builder.GetBufferPointer() + builder.GetSize());
}

Status fillChecksums(RecipeT &recipe, Plan &plan) {
  for (size_t i = 0; i < recipe.sections.size(); ++i) {
    SectionT &section = *recipe.sections[i];
    section.file_offset = 0;
    section.checksum = 0;
    if (section.kind != SectionKind::Const)
      continue;
    if (section.size > maxDeviceBytes)
      return fail("section @" + std::to_string(i) + " has " +
                  std::to_string(section.size) + " bytes, more than 2^48");
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
  if (Status status = assignData(recipe, constants, plan); !status)
    return tl::unexpected(status.error());
  if (Status status = fillChecksums(recipe, plan); !status)
    return tl::unexpected(status.error());
  Result<std::vector<uint8_t>> draft = pack(recipe);
  if (!draft)
    return tl::unexpected(draft.error());
  plan.fileSize = headerBytes + draft->size();
  for (const std::unique_ptr<SectionT> &section : recipe.sections) {
    if (section->kind != SectionKind::Const || section->size == 0)
      continue;
    section->file_offset = *checkedAlignUp(plan.fileSize, pageBytes);
    plan.fileSize = section->file_offset + section->size;
  }
  Result<std::vector<uint8_t>> metadata = pack(recipe);
  if (!metadata)
    return tl::unexpected(metadata.error());
  plan.metadata = std::move(*metadata);

  Header header;
  header.features = plan.features;
  header.fileSize = plan.fileSize;
  header.metadataSize = plan.metadata.size();
  header.metadataChecksum =
      checksumOf(plan.metadata.data(), plan.metadata.size());
  plan.header = encodeHeader(header);
  if (options.verify) {
    FileLayout layout{plan.fileSize, headerBytes, plan.metadata.size()};
    Status status = verifyRecipe(*GetRecipe(plan.metadata.data()), layout);
    if (!status)
      return fail("the recipe to write is not valid: " +
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
  if (Status status = counted(plan.header.data(), plan.header.size()); !status)
    return status;
  if (Status status = counted(plan.metadata.data(), plan.metadata.size());
      !status)
    return status;
  for (size_t i = 0; i < recipe.sections.size(); ++i) {
    const SectionT &section = *recipe.sections[i];
    if (section.kind != SectionKind::Const || section.size == 0)
      continue;
    if (uint64_t gap = section.file_offset - position)
      if (Status status = counted(zeroPage, gap); !status)
        return status;
    if (Status status = streamSection(plan.data[i], section.size, counted);
        !status)
      return status;
  }
  return {};
}

} // namespace

Result<std::vector<uint8_t>>
writeRecipe(RecipeT &recipe, const std::vector<ConstData> &constants,
            const WriteOptions &options) {
  Result<Plan> plan = makePlan(recipe, constants, options);
  if (!plan)
    return tl::unexpected(plan.error());
  std::vector<uint8_t> bytes;
  bytes.reserve(plan->fileSize);
  Status status =
      streamFile(recipe, *plan, [&](const uint8_t *data, uint64_t size) {
        bytes.insert(bytes.end(), data, data + size);
        return Status();
      });
  if (!status)
    return tl::unexpected(status.error());
  return bytes;
}

Status writeRecipeFile(const std::string &path, RecipeT &recipe,
                       const std::vector<ConstData> &constants,
                       const WriteOptions &options) {
  Result<Plan> plan = makePlan(recipe, constants, options);
  if (!plan)
    return fail("cannot write '" + path + "': " + plan.error().message);
  Result<OutputFile> output = OutputFile::create(path, plan->fileSize);
  if (!output)
    return tl::unexpected(output.error());
  Status status =
      streamFile(recipe, *plan, [&](const uint8_t *data, uint64_t size) {
        return output->write(data, size);
      });
  if (!status)
    return status;
  return output->commit();
}

} // namespace gaudi::recipe
