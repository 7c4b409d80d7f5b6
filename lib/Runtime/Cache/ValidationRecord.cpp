// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validation records as 64-bit numbers in a file of the cache.
#include "ValidationRecord.h"

#include "../Host/BuildId.h"
#include "Gaudi/Recipe/Views.h"

#include <cstring>

namespace gaudi::runtime {

using recipe::ByteSpan;

namespace {

/// Limit of all records. One of 400 MB of constants takes about 15 KiB.
constexpr uint64_t recordBytes = uint64_t(32) << 20;
/// Verifying fewer bytes is faster than reading a record.
constexpr uint64_t fewConstants = 1 << 20;

} // namespace

ValidationRecord::ValidationRecord(const std::string &root,
                                   const recipe::RecipeFile &file)
    : files(root, "recipes", recordBytes) {
  uint64_t constants = 0;
  const auto sections = recipe::items(file.recipe().sections());
  for (uint32_t s = 0; s < sections.size(); ++s)
    constants += file.constBytes(s).size;
  if (root.empty() || !file.state() || !file.state()->hasReliableTimes ||
      constants < fewConstants)
    return;
  const recipe::FileState &state = *file.state();
  stable = state.isQuiescent;
  // The state, so that any change of the file leads to another record; the
  // format of panels, so that another build's record is not found.
  const uint64_t words[] = {state.device,
                            state.inode,
                            file.fileSize(),
                            uint64_t(state.changed[0]),
                            uint64_t(state.changed[1]),
                            uint64_t(state.modified[0]),
                            uint64_t(state.modified[1]),
                            file.header().metadataChecksum};
  key.resize(sizeof(words));
  std::memcpy(key.data(), words, sizeof(words));
  key.insert(key.end(), packingId(), packingId() + std::strlen(packingId()));
  if (auto found = files.get({key.data(), key.size()}))
    read(found->bytes());
}

/// Number of sections, then per section its number, count and checksums; number
/// of panels, then per panel its name, fingerprint and nonce. Counts are
/// checked against the size: another build may have written another format.
void ValidationRecord::read(ByteSpan value) {
  std::vector<uint64_t> words(value.size / sizeof(uint64_t));
  if (!words.empty())
    std::memcpy(words.data(), value.data, words.size() * sizeof(uint64_t));
  size_t at = 0;
  auto next = [&] { return at < words.size() ? words[at++] : 0; };
  for (uint64_t sections = next(); sections > 0 && at < words.size();
       --sections) {
    const uint64_t number = next(), count = next();
    // What was read so far is sound by itself; the caller proves each entry.
    if (number > UINT32_MAX || count > words.size() - at)
      return;
    units[uint32_t(number)].assign(words.begin() + int64_t(at),
                                   words.begin() + int64_t(at + count));
    at += count;
  }
  for (uint64_t count = next(); count > 0 && words.size() - at >= 6; --count) {
    const uint64_t *w = &words[at];
    panels[{w[0], w[1]}] = {{w[2], w[3]}, {w[4], w[5]}};
    at += 6;
  }
}

const ValidationRecord::Panels *ValidationRecord::find(const Name &name) const {
  const auto found = panels.find(name);
  return found == panels.end() ? nullptr : &found->second;
}

void ValidationRecord::add(const Name &name, const Panels &added) {
  panels[name] = added;
  changed = true;
}

const std::vector<uint64_t> *
ValidationRecord::checksums(uint32_t section) const {
  const auto found = units.find(section);
  return found == units.end() ? nullptr : &found->second;
}

void ValidationRecord::add(uint32_t section, std::vector<uint64_t> added) {
  units[section] = std::move(added);
  changed = true;
}

void ValidationRecord::save() {
  if (!hasUnsaved())
    return;
  std::vector<uint64_t> words = {units.size()};
  for (const auto &[section, checksums] : units) {
    words.push_back(section);
    words.push_back(checksums.size());
    words.insert(words.end(), checksums.begin(), checksums.end());
  }
  words.push_back(panels.size());
  for (const auto &[name, entry] : panels)
    for (const auto *pair : {&name, &entry.fingerprint, &entry.file})
      words.insert(words.end(), pair->begin(), pair->end());
  changed = !files.put({key.data(), key.size()},
                       {reinterpret_cast<const uint8_t *>(words.data()),
                        words.size() * sizeof(uint64_t)});
}

} // namespace gaudi::runtime
