// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encodes and checks kernel images.
#include "KernelImage.h"

#include <cstring>
#include <string>

namespace gaudi::runtime {

using recipe::ByteSpan;

namespace {

struct ImageHeader {
  char magic[8];
  uint32_t entry, numImports, numRebases, nameBytes, codeBytes, zero;
};
constexpr char imageMagic[8] = {'G', 'A', 'U', 'D', 'I', 'K', 'I', '1'};

} // namespace

std::vector<uint8_t> KernelImage::encode() const {
  ImageHeader header = {};
  std::memcpy(header.magic, imageMagic, sizeof(imageMagic));
  header.entry = entry;
  header.numImports = uint32_t(imports.size());
  header.numRebases = uint32_t(rebases.size());
  header.nameBytes = uint32_t(names.size());
  header.codeBytes = uint32_t(code.size);
  std::vector<uint8_t> bytes;
  auto add = [&](const void *data, size_t size) {
    const uint8_t *from = static_cast<const uint8_t *>(data);
    bytes.insert(bytes.end(), from, from + size);
  };
  add(&header, sizeof(header));
  add(imports.data(), imports.size() * sizeof(ImageImport));
  add(rebases.data(), rebases.size() * sizeof(ImageRebase));
  add(names.data(), names.size());
  add(code.data, code.size);
  return bytes;
}

Result<KernelImage> KernelImage::decode(ByteSpan bytes) {
  ImageHeader header;
  if (bytes.size < sizeof(header))
    return fail("a kernel image ends in its header");
  std::memcpy(&header, bytes.data, sizeof(header));
  if (std::memcmp(header.magic, imageMagic, sizeof(imageMagic)) != 0)
    return fail("not a kernel image of this build");
  // In 64 bits: four counts of 32 bits do not overflow.
  const uint64_t expected = sizeof(header) +
                            uint64_t(header.numImports) * sizeof(ImageImport) +
                            uint64_t(header.numRebases) * sizeof(ImageRebase) +
                            header.nameBytes + header.codeBytes;
  if (expected != bytes.size)
    return fail("a kernel image has {} bytes, its header says {}", bytes.size,
                expected);
  KernelImage image;
  const uint8_t *at = bytes.data + sizeof(header);
  auto take = [&](auto &list, uint32_t count) {
    list.resize(count);
    if (count)
      std::memcpy(list.data(), at, count * sizeof(list[0]));
    at += count * sizeof(list[0]);
  };
  take(image.imports, header.numImports);
  take(image.rebases, header.numRebases);
  image.names = {reinterpret_cast<const char *>(at), header.nameBytes};
  at += header.nameBytes;
  image.code = {at, header.codeBytes};
  image.entry = header.entry;

  // Every offset is checked once, so that loading needs no checks.
  auto slotFits = [&](uint32_t slot) {
    return slot % 8 == 0 && uint64_t(slot) + 8 <= header.codeBytes;
  };
  // Names are read to their final zero.
  bool sound = header.entry < header.codeBytes &&
               (header.nameBytes == 0 || image.names.back() == '\0');
  for (const ImageImport &import : image.imports)
    sound &= slotFits(import.slot) && import.name < header.nameBytes;
  for (const ImageRebase &rebase : image.rebases)
    sound &= slotFits(rebase.slot) && rebase.target <= header.codeBytes;
  if (!sound)
    return fail("a kernel image has an offset outside its code");
  return image;
}

} // namespace gaudi::runtime
