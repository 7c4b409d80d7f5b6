// Maps and verifies recipe files.
#include "Gaudi/Recipe/Reader.h"

#include "Gaudi/Recipe/CheckedMath.h"
#include "Gaudi/Recipe/Verifier.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gaudi::recipe {
namespace {

constexpr flatbuffers::uoffset_t maxDepth = 32;

Status openFailed(const std::string &path, int error) {
  return fail("cannot open recipe '" + path + "': " + strerror(error));
}

/// FlatBuffers structure: every offset, vector and string inside the buffer.
Status verifyStructure(const uint8_t *metadata, uint64_t size) {
  // A table takes at least four bytes, so a larger count means sharing.
  flatbuffers::Verifier verifier(metadata, size, maxDepth,
                                 flatbuffers::uoffset_t(size / 4 + 1));
  if (size < 8 || !RecipeBufferHasIdentifier(metadata))
    return fail("metadata has no file identifier \"GREC\"");
  if (!VerifyRecipeBuffer(verifier))
    return fail("metadata is not a well-formed FlatBuffer of the recipe "
                "schema");
  return {};
}

/// Zero padding between parts, and checksums. Offsets are already proven.
Status verifySections(const Recipe &recipe, ByteSpan file, const Header &header,
                      const OpenOptions &options) {
  uint64_t position = header.metadataOffset + header.metadataSize;
  auto checksum = [&](const Section &section) {
    const uint8_t *bytes = file.data + section.file_offset();
    return header.features & featurePieceChecksums
               ? pieceChecksumOf(bytes, section.size(), options.threads)
               : checksumOf(bytes, section.size());
  };
  for (uint32_t i = 0; i < items(recipe.sections()).size(); ++i) {
    const Section *section = items(recipe.sections())[i];
    if (section->kind() != SectionKind::Const)
      continue;
    if (section->size() != 0) {
      for (; position < section->file_offset(); ++position)
        if (file.data[position] != 0)
          return fail("padding byte at " + std::to_string(position) +
                      " is not zero");
      position = section->file_offset() + section->size();
    }
    if (options.verifyConstants && checksum(*section) != section->checksum())
      return fail("checksum of const section @" + std::to_string(i) +
                  " does not match: the file is damaged");
  }
  return {};
}

} // namespace

Result<RecipeFile> RecipeFile::verified(std::shared_ptr<const void> storage,
                                        ByteSpan bytes, const std::string &name,
                                        const OpenOptions &options) {
  RecipeFile file;
  file.storage = std::move(storage);
  file.contents = bytes;
  auto failed = [&](const Error &error) {
    return fail(name + ": " + error.message);
  };
  Result<Header> header = decodeHeader(bytes);
  if (!header)
    return failed(header.error());
  file.decoded = *header;
  const uint8_t *metadata = bytes.data + header->metadataOffset;
  if (Status status = verifyStructure(metadata, header->metadataSize); !status)
    return failed(status.error());
  file.metadata = GetRecipe(metadata);
  FileLayout layout{header->fileSize, header->metadataOffset,
                    header->metadataSize};
  if (Status status = verifyRecipe(*file.metadata, layout); !status)
    return failed(status.error());
  Status status = verifySections(*file.metadata, bytes, *header, options);
  if (!status)
    return failed(status.error());
  return file;
}

Result<RecipeFile> RecipeFile::open(const std::string &path,
                                    const OpenOptions &options) {
  // Non-blocking: opening a pipe must not wait for a writer.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return tl::unexpected(openFailed(path, errno).error());
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } closer{descriptor};
  struct stat info;
  if (::fstat(descriptor, &info) != 0)
    return tl::unexpected(openFailed(path, errno).error());
  if (S_ISDIR(info.st_mode))
    return tl::unexpected(openFailed(path, EISDIR).error());
  if (!S_ISREG(info.st_mode))
    return fail("cannot open recipe '" + path + "': not a regular file");
  size_t size = size_t(info.st_size);
  if (size == 0)
    return verified(nullptr, {}, path, options);
  void *address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED)
    return tl::unexpected(openFailed(path, errno).error());
  std::shared_ptr<const void> storage(address, [size](const void *p) {
    ::munmap(const_cast<void *>(p), size);
  });
  return verified(std::move(storage),
                  {static_cast<const uint8_t *>(address), size}, path, options);
}

Result<RecipeFile> RecipeFile::fromBuffer(ByteSpan bytes,
                                          const std::string &name,
                                          const OpenOptions &options) {
  std::optional<uint64_t> room =
      checkedAlignUp(std::max<uint64_t>(bytes.size, 1), pageBytes);
  void *copy = room ? std::aligned_alloc(pageBytes, *room) : nullptr;
  if (!copy)
    return fail(name + ": out of memory for " + std::to_string(bytes.size) +
                " bytes");
  if (bytes.size)
    std::memcpy(copy, bytes.data, bytes.size);
  std::shared_ptr<const void> storage(
      copy, [](const void *p) { std::free(const_cast<void *>(p)); });
  return verified(std::move(storage),
                  {static_cast<const uint8_t *>(copy), bytes.size}, name,
                  options);
}

ByteSpan RecipeFile::constBytes(uint32_t section) const {
  Items sections = items(metadata->sections());
  if (section >= sections.size() ||
      sections[section]->kind() != SectionKind::Const ||
      sections[section]->size() == 0)
    return {};
  return {contents.data + sections[section]->file_offset(),
          sections[section]->size()};
}

} // namespace gaudi::recipe
