// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and reads zip archives by minizip.
#include "Gaudi/Analysis/ZipArchive.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/OutputFile.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <utility>

namespace gaudi::analysis {
namespace {

constexpr uint64_t maxMembers = 4096;
constexpr size_t maxName = 255;
/// Members above this are stored as they are: constants and values hardly
/// shrink, and what is written while a launch waits should not take long.
constexpr uint64_t compressedBelow = uint64_t(8) << 20;
constexpr uint64_t leastBudget = uint64_t(64) << 20;
constexpr uint64_t mostExpansion = 20;
/// minizip counts the bytes of one call in 32 bits.
constexpr size_t blockBytes = size_t(1) << 20;

bool isSafeName(std::string_view name) {
  if (name.empty() || name.size() > maxName || name.front() == '/')
    return false;
  if (std::any_of(name.begin(), name.end(), [](unsigned char c) {
        return c < 0x20 || c == 0x7f || c == '\\';
      }))
    return false;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (part.empty() || part == "." || part == "..")
      return false;
    at = end + 1;
  }
  return true;
}

int writeMember(zipFile zip, const ZipMember &member) {
  uint64_t size = 0;
  for (std::string_view part : member.parts)
    size += part.size();
  // The date is zero, so that equal members make equal bytes.
  const zip_fileinfo info = {};
  const bool isStored = size > compressedBelow;
  int code = zipOpenNewFileInZip64(
      zip, member.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
      isStored ? 0 : Z_DEFLATED, isStored ? 0 : Z_BEST_SPEED,
      /*zip64=*/size >= UINT32_MAX);
  for (std::string_view part : member.parts)
    for (size_t at = 0; at < part.size() && code == ZIP_OK; at += blockBytes) {
      const std::string_view block = part.substr(at, blockBytes);
      code = zipWriteInFileInZip(zip, block.data(), unsigned(block.size()));
    }
  return code == ZIP_OK ? zipCloseFileInZip(zip) : code;
}

/// A file as minizip writes one: it appends, and goes back to the header of a
/// member when that is written.
struct ZipTarget {
  OutputFile file;
  uint64_t at = 0, end = 0;
  Status status = {};

  static void *open(void *target, const void *, int) { return target; }
  static uLong write(void *, void *stream, const void *data, uLong size) {
    auto &target = *static_cast<ZipTarget *>(stream);
    const auto bytes = static_cast<const char *>(data);
    const size_t over = std::min<uint64_t>(target.end - target.at, size);
    if (target.status && over)
      target.status = target.file.overwrite(target.at, bytes, over);
    if (target.status && size > over)
      target.status = target.file.write(bytes + over, size - over);
    if (!target.status)
      return 0;
    target.at += size;
    target.end = std::max(target.end, target.at);
    return size;
  }
  static ZPOS64_T tell(void *, void *stream) {
    return static_cast<ZipTarget *>(stream)->at;
  }
  static long seek(void *, void *stream, ZPOS64_T offset, int from) {
    auto &target = *static_cast<ZipTarget *>(stream);
    const uint64_t base = from == ZLIB_FILEFUNC_SEEK_SET   ? 0
                          : from == ZLIB_FILEFUNC_SEEK_CUR ? target.at
                                                           : target.end;
    if (base + offset > target.end)
      return -1;
    target.at = base + offset;
    return 0;
  }
  static uLong read(void *, void *, void *, uLong) { return 0; }
  static int close(void *, void *) { return 0; }
  static int error(void *, void *stream) {
    return static_cast<ZipTarget *>(stream)->status ? 0 : 1;
  }
};

} // namespace

Status writeZip(const std::string &path,
                const std::vector<ZipMember> &members) {
  ZipTarget target = {GAUDI_TRY(OutputFile::create(path))};
  zlib_filefunc64_def functions = {
      ZipTarget::open, ZipTarget::read,  ZipTarget::write, ZipTarget::tell,
      ZipTarget::seek, ZipTarget::close, ZipTarget::error, &target};
  const zipFile zip =
      zipOpen2_64(&target, APPEND_STATUS_CREATE, nullptr, &functions);
  int code = zip ? ZIP_OK : ZIP_INTERNALERROR;
  for (const ZipMember &member : members)
    if (code == ZIP_OK)
      code = writeMember(zip, member);
  if (zip && zipClose(zip, nullptr) != ZIP_OK)
    code = ZIP_INTERNALERROR;
  GAUDI_TRY(std::move(target.status));
  if (code != ZIP_OK)
    return fail("cannot write {}: {}", inQuotes(path), strerror(ENOMEM));
  return target.file.commit();
}

void ZipReader::Close::operator()(void *file) const { unzClose(file); }

Result<ZipReader> ZipReader::open(const std::string &path) {
  ZipReader reader;
  reader.path = path;
  errno = 0;
  std::FILE *const probe = std::fopen(path.c_str(), "rb");
  if (!probe)
    return fail("cannot read {}: {}", inQuotes(path), strerror(errno));
  const bool sized = std::fseek(probe, 0, SEEK_END) == 0;
  const auto fileSize = uint64_t(sized ? std::ftell(probe) : 0);
  std::fclose(probe);
  reader.file.reset(unzOpen64(path.c_str()));
  unz_global_info64 global;
  if (!reader.file || unzGetGlobalInfo64(reader.file.get(), &global) != UNZ_OK)
    return fail("{} is not a whole zip archive: it has no directory; copy it "
                "again",
                inQuotes(path));
  if (global.number_entry > maxMembers)
    return fail("{} has {} members; at most {} are read", inQuotes(path),
                uint64_t(global.number_entry), maxMembers);
  const uint64_t budget =
      std::max(leastBudget, fileSize > UINT64_MAX / mostExpansion
                                ? UINT64_MAX
                                : fileSize * mostExpansion);
  uint64_t total = 0;
  for (uint64_t i = 0; i < global.number_entry; ++i) {
    if (i && unzGoToNextFile(reader.file.get()) != UNZ_OK)
      return fail("{} is damaged: its directory ends after {} of {} members",
                  inQuotes(path), i, uint64_t(global.number_entry));
    unz_file_info64 info;
    char name[maxName + 2] = {};
    if (unzGetCurrentFileInfo64(reader.file.get(), &info, name,
                                sizeof(name) - 1, nullptr, 0, nullptr,
                                0) != UNZ_OK)
      return fail("{} is damaged: member {} of its directory cannot be read",
                  inQuotes(path), i);
    // A name with a zero byte would be another one here than on disk.
    if (info.size_filename != std::strlen(name) || !isSafeName(name))
      return fail("{}: a member is called {}, which is not the name of a file "
                  "below a folder",
                  inQuotes(path), inQuotes(name));
    if (info.flag & 1)
      return fail("{}: {} is encrypted", inQuotes(path), inQuotes(name));
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      return fail("{}: {} is compressed by method {}; expected deflate or none",
                  inQuotes(path), inQuotes(name),
                  uint64_t(info.compression_method));
    if (info.uncompressed_size > budget - total)
      return fail("{}: its members unpack to more than {} bytes, {} times the "
                  "archive",
                  inQuotes(path), budget, mostExpansion);
    total += info.uncompressed_size;
    unz64_file_pos place;
    unzGetFilePos64(reader.file.get(), &place);
    if (!reader.members
             .emplace(name,
                      Place{info.uncompressed_size, place.pos_in_zip_directory,
                            place.num_of_file})
             .second)
      return fail("{}: two members are called {}", inQuotes(path),
                  inQuotes(name));
  }
  return reader;
}

template <typename Function>
Status ZipReader::stream(const std::string &name, Function &&take) {
  const Place &place = members.at(name);
  const unz64_file_pos position = {place.directory, place.number};
  std::vector<char> block(std::min<uint64_t>(blockBytes, place.size + 1));
  int got = UNZ_ERRNO;
  uint64_t total = 0;
  if (unzGoToFilePos64(file.get(), &position) == UNZ_OK &&
      unzOpenCurrentFile(file.get()) == UNZ_OK) {
    while ((got = unzReadCurrentFile(file.get(), block.data(),
                                     unsigned(block.size()))) > 0) {
      total += uint64_t(got);
      if (total > place.size)
        break;
      GAUDI_TRY(take(std::string_view(block.data(), size_t(got))));
    }
    if (unzCloseCurrentFile(file.get()) != UNZ_OK)
      got = UNZ_CRCERROR;
  }
  if (got != 0 || total != place.size)
    return fail("{} is damaged: the bytes of {} are not those that were "
                "written; copy it again",
                inQuotes(path), inQuotes(name));
  return {};
}

Result<std::string> ZipReader::read(const std::string &name, uint64_t limit) {
  if (!has(name))
    return fail("{} has no {}", inQuotes(path), inQuotes(name));
  if (members.at(name).size > limit)
    return fail("{}: {} has {} bytes; at most {} are read", inQuotes(path),
                inQuotes(name), members.at(name).size, limit);
  std::string bytes;
  GAUDI_TRY(stream(name, [&](std::string_view block) -> Status {
    bytes += block;
    return {};
  }));
  return bytes;
}

Status ZipReader::unpack(const std::string &folder) {
  for (const auto &[name, place] : members) {
    const std::string target = folder + "/" + name;
    const std::string parent = target.substr(0, target.rfind('/'));
    if (!makeFolders(parent, 0700))
      return fail("cannot make the folder {}: {}", inQuotes(parent),
                  strerror(errno));
    OutputFile output = GAUDI_TRY(OutputFile::create(target, place.size));
    GAUDI_TRY(stream(name, [&](std::string_view block) {
      return output.write(block.data(), block.size());
    }));
    GAUDI_TRY(output.commit());
  }
  return {};
}

} // namespace gaudi::analysis
