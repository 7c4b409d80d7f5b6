// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps and verifies recipe files.
#include "Gaudi/Recipe/Reader.h"

#include "Head.h"

#include "Gaudi/Recipe/Verifier.h"
#include "Gaudi/Support/CheckedMath.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

namespace gaudi::recipe {
namespace {

constexpr flatbuffers::uoffset_t maxDepth = 32;

tl::unexpected<Error> openFailed(const std::string &path, int error) {
  return fail("cannot open recipe '{}': {}", path, strerror(error));
}

/// Replaces the pages of the header and the metadata, at the start of a mapped
/// file, by a private copy that nobody else can write: sizes and strides are
/// read again long after they were verified, and must still be the same. The
/// constants behind stay mapped. The copy costs one read of the metadata, below
/// a thousandth of the time to verify it. Gives 0 or errno.
int copyHead(const Descriptor &file, uint8_t *mapping, size_t size) {
  uint8_t start[headerBytes];
  const ssize_t got = ::pread(file.get(), start, sizeof(start), 0);
  if (got < 0)
    return errno;
  const uint64_t head = headBytes({start, std::min(size_t(got), size)}, size);
  const uint64_t page = uint64_t(::sysconf(_SC_PAGESIZE));
  const uint64_t pages = (head + page - 1) / page * page;
  if (::mmap(mapping, pages, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    return errno;
  // The last page holds bytes after the metadata too. What a file that shrinks
  // meanwhile lacks stays zero, and its checksum is wrong.
  const uint64_t end = std::min<uint64_t>(pages, size);
  for (uint64_t have = 0; have < end;) {
    const ssize_t count =
        ::pread(file.get(), mapping + have, end - have, off_t(have));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    if (count == 0)
      break;
    have += uint64_t(count);
  }
  return ::mprotect(mapping, pages, PROT_READ) == 0 ? 0 : errno;
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

/// Zero padding between parts. Offsets are already proven.
Status verifyPadding(const Recipe &recipe, ByteSpan file,
                     const Header &header) {
  uint64_t position = header.metadataOffset + header.metadataSize;
  for (uint32_t i = 0; i < items(recipe.sections()).size(); ++i) {
    const Section *section = items(recipe.sections())[i];
    if (section->kind() != SectionKind::Const)
      continue;
    if (section->size() != 0) {
      for (; position < section->file_offset(); ++position)
        if (file.data[position] != 0)
          return fail("padding byte at {} is not zero", position);
      position = section->file_offset() + section->size();
    }
  }
  return {};
}

Status verifyAllButConstants(ByteSpan file, Header &header,
                             const Recipe *&metadata, bool isVerified) {
  header = GAUDI_TRY(decodeHeader(file));
  const uint8_t *start = file.data + header.metadataOffset;
  if (isVerified) {
    metadata = GetRecipe(start);
    return {};
  }
  GAUDI_TRY(verifyStructure(start, header.metadataSize));
  metadata = GetRecipe(start);
  GAUDI_TRY(verifyRecipe(*metadata, {header.fileSize, header.metadataOffset,
                                     header.metadataSize, header.features}));
  return verifyPadding(*metadata, file, header);
}

tl::unexpected<Error> damaged(const std::string &name, uint32_t section) {
  return fail("{}: checksum of const section @{} does not match: the file is "
              "damaged; copy it again, or compile the model again",
              name, section);
}

/// Whether `verified` is of this file: the same file unchanged since. Bytes
/// that were changed without a trace in the state have other checksums, and the
/// header has those.
bool isOf(const VerifiedFile *verified, const FileState &state, ByteSpan file) {
  return verified && state.hasReliableTimes &&
         verified->state.device == state.device &&
         verified->state.inode == state.inode &&
         verified->state.changed == state.changed &&
         verified->state.modified == state.modified &&
         file.size >= headerBytes &&
         std::memcmp(file.data, verified->header.data(), headerBytes) == 0;
}

} // namespace

bool setsTimesItself(uint64_t type) {
  // Not those whose images are made elsewhere (squashfs, iso9660, vfat), whose
  // server answers what it likes (FUSE, NFS), or where a store through a shared
  // mapping changes no time at all (tmpfs).
  constexpr uint64_t known[] = {
      0xef53,     // ext2, ext3, ext4
      0x58465342, // xfs
      0x9123683e, // btrfs
      0x2fc12fc1, // zfs
      0x794c7630, // overlayfs
  };
  return std::find(std::begin(known), std::end(known), type & 0xffffffff) !=
         std::end(known);
}

FileState fileStateOf(const Descriptor &file) {
  FileState state;
  struct stat info;
  struct statfs system;
  if (::fstat(file.get(), &info) != 0)
    return state;
  state.hasReliableTimes = ::fstatfs(file.get(), &system) == 0 &&
                           setsTimesItself(uint64_t(system.f_type));
  state.device = info.st_dev;
  state.inode = info.st_ino;
  state.changed = {info.st_ctim.tv_sec, info.st_ctim.tv_nsec};
  state.modified = {info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
  // File systems count in ticks of some milliseconds, a few in seconds.
  timespec now = {};
  if (::clock_gettime(CLOCK_REALTIME, &now) == 0) {
    const auto last = std::max(state.changed, state.modified);
    const double age =
        double(now.tv_sec - last[0]) + 1e-9 * double(now.tv_nsec - last[1]);
    state.isQuiescent = age > (last[1] ? 0.1 : 3.0);
  }
  return state;
}

Result<RecipeFile> RecipeFile::verified(std::shared_ptr<const void> storage,
                                        ByteSpan bytes, const std::string &name,
                                        const OpenOptions &options,
                                        bool isVerified) {
  RecipeFile file;
  file.name = name;
  file.storage = std::move(storage);
  file.contents = bytes;
  if (Status status =
          verifyAllButConstants(bytes, file.decoded, file.metadata, isVerified);
      !status)
    return fail("{}: {}", name, status.error().message);
  if (options.verifyConstants)
    GAUDI_TRY(file.verifyConstants(options.threads));
  file.verifiedConstants = options.verifyConstants;
  return file;
}

Result<RecipeFile> RecipeFile::open(const std::string &path,
                                    const OpenOptions &options) {
  const Descriptor opened = Descriptor::openToRead(path);
  if (!opened.isOpen())
    return openFailed(path, errno);
  return open(opened, path, options);
}

Result<RecipeFile> RecipeFile::open(const Descriptor &opened,
                                    const std::string &path,
                                    const OpenOptions &options) {
  struct stat info;
  if (::fstat(opened.get(), &info) != 0)
    return openFailed(path, errno);
  if (S_ISDIR(info.st_mode))
    return openFailed(path, EISDIR);
  // A pipe has no size, and could not be mapped.
  if (!S_ISREG(info.st_mode))
    return fail("cannot open recipe '{}': not a regular file", path);
  const FileState state = fileStateOf(opened); // before a byte is read
  const size_t size = size_t(info.st_size);
  // A mapping of no bytes is an error; the verifier says that the file is
  // empty.
  if (size == 0)
    return verified(nullptr, {}, path, options);
  void *address =
      ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened.get(), 0);
  if (address == MAP_FAILED)
    return openFailed(path, errno);
  std::shared_ptr<const void> storage(address, [size](const void *p) {
    ::munmap(const_cast<void *>(p), size);
  });
  // The metadata is copied, so that a writer of the file cannot change it after
  // it has been verified.
  if (const int error = copyHead(opened, static_cast<uint8_t *>(address), size))
    return openFailed(path, error);
  const ByteSpan bytes = {static_cast<const uint8_t *>(address), size};
  RecipeFile file = GAUDI_TRY(verified(std::move(storage), bytes, path, options,
                                       isOf(options.verified, state, bytes)));
  file.opened = state;
  return file;
}

Result<RecipeFile> RecipeFile::fromBuffer(ByteSpan bytes,
                                          const std::string &name,
                                          const OpenOptions &options) {
  std::optional<uint64_t> room =
      checkedAlignUp(std::max<uint64_t>(bytes.size, 1), pageBytes);
  void *copy = room ? std::aligned_alloc(pageBytes, *room) : nullptr;
  if (!copy)
    return fail("{}: out of memory for {} bytes", name, bytes.size);
  if (bytes.size)
    std::memcpy(copy, bytes.data, bytes.size);
  std::shared_ptr<const void> storage(
      copy, [](const void *p) { std::free(const_cast<void *>(p)); });
  return verified(std::move(storage),
                  {static_cast<const uint8_t *>(copy), bytes.size}, name,
                  options);
}

Status RecipeFile::verifyConstants(unsigned threads) const {
  for (uint32_t i = 0; i < items(metadata->sections()).size(); ++i)
    GAUDI_TRY(checksums(i, threads));
  return {};
}

uint64_t RecipeFile::checkedBytes(uint32_t section) const {
  return decoded.features & featurePieceChecksums
             ? checksumPieceBytes
             : std::max<uint64_t>(constBytes(section).size, 1);
}

Result<std::vector<uint64_t>> RecipeFile::checksums(uint32_t section,
                                                    unsigned threads) const {
  const ByteSpan bytes = constBytes(section);
  if (items(metadata->sections())[section]->kind() != SectionKind::Const)
    return std::vector<uint64_t>();
  std::vector<uint64_t> units =
      decoded.features & featurePieceChecksums
          ? pieceChecksumsOf(bytes.data, bytes.size, threads)
          : std::vector<uint64_t>{checksumOf(bytes.data, bytes.size)};
  if (!areChecksumsOf(section, units))
    return damaged(name, section);
  return units;
}

bool RecipeFile::areChecksumsOf(uint32_t section,
                                const std::vector<uint64_t> &units) const {
  const Section &described = *items(metadata->sections())[section];
  const uint64_t unit = checkedBytes(section);
  const uint64_t count =
      std::max<uint64_t>((described.size() + unit - 1) / unit, 1);
  return units.size() == count &&
         checksumOfPieces(units) == described.checksum();
}

Status RecipeFile::verifyUnits(uint32_t section,
                               const std::vector<uint64_t> &units,
                               uint64_t first, uint64_t end) const {
  const ByteSpan bytes = constBytes(section);
  const uint64_t unit = checkedBytes(section);
  for (uint64_t i = first; i < end; ++i)
    if (checksumOf(bytes.data + i * unit,
                   std::min(unit, bytes.size - i * unit)) != units[i])
      return damaged(name, section);
  return {};
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
