// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AccessMap: conflicts of accesses to windows on shared bytes.
#include "Gaudi/Recipe/AccessMap.h"
#include "Gaudi/Kernel/Runs.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace gaudi;
using namespace gaudi::recipe;

namespace {

/// Windows on buffers of one section.
class Tensors {
public:
  /// A root, or a window of `root`. Returns its number.
  uint32_t add(uint64_t offset, kernel::Dims sizes, kernel::Dims strides,
               std::optional<uint32_t> root = {}) {
    AccessMap::Place place;
    place.window = {offset, sizes, strides, 1};
    place.begin = offset;
    place.end = offset + *kernel::byteExtent(sizes, strides, 1);
    place.rootBegin = root ? places[*root].begin : place.begin;
    place.rootEnd = root ? places[*root].end : place.end;
    places.push_back(place);
    return uint32_t(places.size() - 1);
  }
  AccessMap map() const {
    return AccessMap([this](uint32_t id) { return places[id]; });
  }
  bool shareByte(uint32_t a, uint32_t b) const {
    std::set<uint64_t> bytes;
    each(a, [&](uint64_t byte) { bytes.insert(byte); });
    bool shared = false;
    each(b, [&](uint64_t byte) { shared |= bytes.count(byte) > 0; });
    return shared;
  }
  const kernel::Window &window(uint32_t id) const { return places[id].window; }

private:
  template <typename Visit> void each(uint32_t id, Visit visit) const {
    kernel::eachRun(places[id].window, [&](uint64_t begin, uint64_t end) {
      for (; begin < end; ++begin)
        visit(begin);
      return true;
    });
  }

  std::vector<AccessMap::Place> places;
};

std::set<uint32_t> commandsOf(const std::vector<AccessMap::Access> &accesses) {
  std::set<uint32_t> commands;
  for (const AccessMap::Access &access : accesses)
    commands.insert(access.command);
  return commands;
}

using Set = std::set<uint32_t>;

/// Enters one access and returns the commands that it conflicts with.
Set add(AccessMap &map, uint32_t command, uint32_t tensor, bool isWrite) {
  std::vector<AccessMap::Access> conflicts;
  map.add({command, command % 3, tensor, isWrite}, conflicts);
  return commandsOf(conflicts);
}

constexpr bool reads = false, writes = true;

TEST(AccessMap, ColumnsOfOneBufferDoNotConflict) {
  Tensors tensors;
  const uint32_t whole = tensors.add(0, {4, 12}, {12, 1});
  const uint32_t left = tensors.add(0, {4, 4}, {12, 1}, whole),
                 middle = tensors.add(4, {4, 4}, {12, 1}, whole),
                 right = tensors.add(8, {4, 4}, {12, 1}, whole),
                 across = tensors.add(2, {4, 4}, {12, 1}, whole);
  AccessMap map = tensors.map();
  EXPECT_EQ(add(map, 0, left, writes), Set{});
  EXPECT_EQ(add(map, 1, right, writes), Set{});
  EXPECT_EQ(add(map, 2, middle, writes), Set{});
  EXPECT_EQ(add(map, 3, across, reads), (Set{0, 2}));
  EXPECT_EQ(add(map, 4, right, reads), Set{1});
  EXPECT_EQ(add(map, 5, left, writes), (Set{0, 3}));
  EXPECT_EQ(add(map, 6, whole, reads), (Set{1, 2, 5}));
  // The read of the whole replaces that of a part, on the same queue.
  EXPECT_EQ(add(map, 7, middle, writes), (Set{2, 6}));
}

TEST(AccessMap, ABorderIsBesideWhatItSurrounds) {
  Tensors tensors;
  const uint32_t whole = tensors.add(0, {2, 6, 8}, {48, 8, 1});
  const uint32_t inner = tensors.add(9, {2, 4, 6}, {48, 8, 1}, whole),
                 top = tensors.add(0, {2, 8}, {48, 1}, whole),
                 left = tensors.add(8, {2, 4}, {48, 8}, whole);
  AccessMap map = tensors.map();
  EXPECT_EQ(add(map, 0, inner, writes), Set{});
  EXPECT_EQ(add(map, 1, top, writes), Set{});
  EXPECT_EQ(add(map, 2, left, writes), Set{});
  EXPECT_EQ(add(map, 3, whole, writes), (Set{0, 1, 2}));
}

TEST(AccessMap, RowsStayApartAfterColumnsWereRead) {
  Tensors tensors;
  const uint32_t whole = tensors.add(0, {4, 8}, {8, 1});
  const uint32_t column = tensors.add(3, {4, 2}, {8, 1}, whole);
  uint32_t rows[4];
  for (uint32_t r = 0; r < 4; ++r)
    rows[r] = tensors.add(8 * r, {8}, {1}, whole);
  AccessMap map = tensors.map();
  for (uint32_t r = 0; r < 4; ++r)
    EXPECT_EQ(add(map, r, rows[r], writes), Set{});
  EXPECT_EQ(add(map, 4, column, reads), (Set{0, 1, 2, 3}));
  for (uint32_t r = 0; r < 4; ++r)
    EXPECT_EQ(add(map, 5 + r, rows[r], reads), Set{r});
  EXPECT_EQ(add(map, 9, column, writes), (Set{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  // The write made one range of the rows; each is in its own bytes still.
  EXPECT_EQ(add(map, 10, rows[2], reads), (Set{2, 9}));
}

/// Many columns take a bounded number of steps each, and are ordered by the
/// last ones of each queue.
TEST(AccessMap, ManyColumnsTakeLinearTime) {
  constexpr uint32_t count = 4096;
  Tensors tensors;
  const uint32_t whole = tensors.add(0, {4, count}, {count, 1});
  for (uint32_t c = 0; c < count; ++c)
    tensors.add(c, {4, 1}, {count, 1}, whole);
  AccessMap map = tensors.map();
  for (uint32_t c = 0; c < count; ++c)
    add(map, c, 1 + c, writes);
  EXPECT_LE(map.takeSteps(),
            count * (4 + AccessMap::pairSteps * AccessMap::mostAccesses));
  const Set last = add(map, count, whole, reads);
  EXPECT_LE(last.size(), AccessMap::mostAccesses);
  for (uint32_t c = count - 3; c < count; ++c)
    EXPECT_EQ(last.count(c), 1u);
}

/// Windows of up to three dimensions on few buffers, which share bytes.
Tensors randomTensors(std::mt19937 &random) {
  Tensors tensors;
  const auto below = [&](uint64_t limit) { return random() % limit; };
  for (int root = 0; root < 4; ++root) {
    const kernel::Dims sizes{int64_t(1 + below(4)), int64_t(1 + below(4)),
                             int64_t(1 + below(6))};
    const kernel::Dims strides = kernel::denseStrides(sizes);
    const uint64_t offset = below(40);
    const uint32_t id = tensors.add(offset, sizes, strides);
    for (int window = 0; window < 6; ++window) {
      kernel::Dims part(3);
      uint64_t begin = offset;
      for (size_t d = 0; d < 3; ++d) {
        const uint64_t first = below(uint64_t(sizes[d]));
        part[d] = int64_t(1 + below(uint64_t(sizes[d]) - first));
        begin += first * uint64_t(strides[d]);
      }
      tensors.add(begin, part, strides, id);
    }
  }
  return tensors;
}

/// All pairs that share a byte are ordered by conflicts and queues; with `all`
/// accesses remembered, no pair conflicts of which it is proven that it does
/// not.
void checkRandom(uint32_t seed, uint32_t commands, bool precise) {
  std::mt19937 random(seed);
  const Tensors tensors = randomTensors(random);
  AccessMap map = tensors.map();
  std::vector<AccessMap::Access> all;
  // before[c]: the commands that have ended when c begins.
  std::vector<std::vector<bool>> before(commands,
                                        std::vector<bool>(commands, false));
  const auto follow = [&](uint32_t later, uint32_t earlier) {
    before[later][earlier] = true;
    for (uint32_t c = 0; c < earlier; ++c)
      if (before[earlier][c])
        before[later][c] = true;
  };
  std::vector<int64_t> lastOf(3, -1);
  for (uint32_t c = 0; c < commands; ++c) {
    const uint32_t queue = random() % 3;
    std::vector<AccessMap::Access> own, conflicts;
    for (uint32_t left = random() % 3; left > 0; --left)
      own.push_back({c, queue, uint32_t(random() % 28), reads});
    own.push_back({c, queue, uint32_t(random() % 28), writes});
    for (const AccessMap::Access &access : own) {
      const size_t known = conflicts.size();
      map.add(access, conflicts);
      for (size_t i = known; precise && i < conflicts.size(); ++i)
        EXPECT_FALSE(
            kernel::provablyDisjoint(tensors.window(access.tensor),
                                     tensors.window(conflicts[i].tensor)));
    }
    if (lastOf[queue] >= 0)
      follow(c, uint32_t(lastOf[queue]));
    lastOf[queue] = c;
    for (const AccessMap::Access &earlier : conflicts) {
      ASSERT_LT(earlier.command, c);
      follow(c, earlier.command);
    }
    for (const AccessMap::Access &earlier : all)
      for (const AccessMap::Access &access : own)
        if ((earlier.writes || access.writes) &&
            tensors.shareByte(earlier.tensor, access.tensor))
          EXPECT_TRUE(before[c][earlier.command])
              << "seed " << seed << ": command " << c << " and "
              << earlier.command;
    all.insert(all.end(), own.begin(), own.end());
  }
}

TEST(AccessMap, OrdersWhatSharesBytesAndNothingElse) {
  for (uint32_t seed = 0; seed < 200; ++seed)
    checkRandom(seed, 16, /*precise=*/true);
}

TEST(AccessMap, OrdersWhatSharesBytesWhenItForgets) {
  for (uint32_t seed = 0; seed < 20; ++seed)
    checkRandom(1000 + seed, 300, /*precise=*/false);
}

} // namespace
