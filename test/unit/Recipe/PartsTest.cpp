// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that several commands write in parts, and values that change in them.
#include "Samples.h"

#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

/// A matrix of 4 x 12 values, of which commands write windows: "OFFSET
/// f32[...] strides[...]" each, the offset in values; "other" is another tensor
/// on some of its bytes. Then a window is read. What the verifier says, after
/// the label of that window.
std::string verifyParts(std::vector<std::string> windows,
                        const std::string &read) {
  std::string tensors = "recipe 1.0 target \"gaudi\" producer \"\"\n"
                        "section @0 persistent 4096 bytes\n"
                        "section @1 workspace 4096 bytes\n"
                        "tensor %0 \"all\" workspace @1+0 f32[4,12]\n";
  std::string commands;
  windows.push_back(read);
  for (size_t i = 0; i < windows.size(); ++i) {
    const std::string &text = windows[i];
    tensors +=
        text == "other"
            ? fmt::format("tensor %{} \"other\" workspace @1+96 f32[4]\n",
                          i + 1)
            : fmt::format("tensor %{} \"w\" workspace @1+{}{} alias %0\n",
                          i + 1, 4 * std::stoi(text),
                          text.substr(text.find(' ')));
    if (i + 1 < windows.size())
      commands += fmt::format("#{} dma \"w\" fill 0 () -> (%{})\n", i, i + 1);
  }
  const size_t last = windows.size(), at = read.find('[');
  const std::string sizes = read.substr(at, read.find(']') + 1 - at);
  const std::string message = verify(fmt::format(
      "{0}tensor %{1} \"y\" output @0+0 f32{2}\nentry \"e\" () -> (%{1}) {{\n"
      "{3}#{4} dma \"r\" transfer (%{5}) -> (%{1})\n}}\n",
      tensors, last + 1, sizes, commands, last - 1, last));
  const std::string label =
      fmt::format("command #{} \"r\" of entry \"e\" reads tensor %{} \"w\"",
                  last - 1, last);
  return message.rfind(label, 0) == 0 ? message.substr(label.size()) : message;
}

TEST(WrittenParts, TensorsMayBeReadOnceAllPartsAreWritten) {
  const std::string all = "0 f32[4,12]", strides = " strides[12,1]",
                    left = "0 f32[4,8]" + strides,
                    right = "8 f32[4,4]" + strides;
  EXPECT_EQ(verifyParts({left, right}, all), "ok");
  EXPECT_EQ(verifyParts({right, left}, all), "ok");
  EXPECT_EQ(verifyParts({left}, left), "ok") << "a part by itself";
  EXPECT_EQ(verifyParts({left}, all),
            ", but nothing has written byte 32 of section @1 before");
  EXPECT_EQ(verifyParts({left, left}, all),
            ", but nothing has written byte 32 of section @1 before");
  // Blocks in any order, and one that is missing.
  const std::string block[] = {"0 f32[2,8]" + strides, "8 f32[2,4]" + strides,
                               "24 f32[2,8]" + strides,
                               "32 f32[2,4]" + strides};
  EXPECT_EQ(verifyParts({block[3], block[0], block[2], block[1]}, all), "ok");
  EXPECT_EQ(verifyParts({block[3], block[0], block[2]}, all),
            ", but nothing has written byte 32 of section @1 before");
  EXPECT_EQ(verifyParts({block[1], block[0], block[2]}, all),
            ", but nothing has written byte 128 of section @1 before");
  // Rows without gaps beside rows in parts; columns of columns.
  EXPECT_EQ(verifyParts({"0 f32[24]", block[2], block[3]}, all), "ok");
  EXPECT_EQ(verifyParts({right, "0 f32[4,2,3] strides[12,4,1]",
                         "3 f32[4,2] strides[12,4]"},
                        all),
            "ok");
  EXPECT_EQ(verifyParts({right, "0 f32[4,2,3] strides[12,4,1]",
                         "3 f32[4,1] strides[12,4]"},
                        all),
            ", but nothing has written byte 28 of section @1 before");
  // Views of what was written: transposed, every second row, in the middle.
  EXPECT_EQ(verifyParts({left, right}, "0 f32[12,4] strides[1,12]"), "ok");
  EXPECT_EQ(verifyParts({left}, "0 f32[2,8] strides[24,1]"), "ok");
  EXPECT_EQ(verifyParts({left}, "13 f32[6]"), "ok");
  EXPECT_EQ(verifyParts({left}, "13 f32[8]"),
            ", but nothing has written byte 80 of section @1 before");
  EXPECT_EQ(verifyParts({left, right}, "10 f32[6]"), "ok");
  // A part of everything that was written before changes nothing of the rest.
  EXPECT_EQ(verifyParts({all, left}, all), "ok");
}

TEST(WrittenParts, PartsThatAreNoBoxesAreFollowedRunByRun) {
  // Pitches of 12 and of 8 values.
  const std::string odd[] = {"0 f32[4,6] strides[12,1]",
                             "6 f32[6]",
                             "18 f32[6]",
                             "30 f32[6]",
                             "42 f32[6]",
                             "0 f32[6,2] strides[8,1]"};
  EXPECT_EQ(verifyParts({odd[0], odd[1], odd[2], odd[3], odd[4], odd[5]},
                        "0 f32[48]"),
            "ok");
  EXPECT_EQ(verifyParts({odd[0], odd[1], odd[2], odd[4], odd[5]}, "0 f32[48]"),
            ", which nothing has written before");
  EXPECT_EQ(verifyParts({odd[0], odd[5]}, "1 f32[4] strides[12]"), "ok");
}

TEST(WrittenParts, PartsAreLostWhenAnotherBufferTakesTheirBytes) {
  const std::string all = "0 f32[4,12]", left = "0 f32[4,8] strides[12,1]",
                    right = "8 f32[4,4] strides[12,1]";
  EXPECT_EQ(verifyParts({left, right, "other"}, all),
            " after tensor %3 \"other\" was written to its bytes: the buffers "
            "overlap while both are live");
  EXPECT_EQ(verifyParts({left, "other", right}, all),
            ", but nothing has written byte 0 of section @1 before");
  EXPECT_EQ(verifyParts({left, "other", right, left}, all), "ok");
}

TEST(WrittenParts, TensorsKeepTheirValueOnceTheyAreRead) {
  // The first row of a state is written; `next` is the state after that.
  auto with = [](const std::string &commands) {
    return verify(R"(recipe 1.0 target "gaudi" producer ""
section @0 persistent 4096 bytes
tensor %0 "s" state @0+0 f32[4,4]
tensor %1 "x" input @0+64 f32[4]
tensor %2 "row" workspace @0+0 f32[4] alias %0
tensor %3 "next" output @0+0 f32[4,4] alias %0
tensor %4 "y" output @0+128 f32[4,4]
tensor %5 "rest" workspace @0+16 f32[3,4] alias %0
tensor %6 "z" output @0+192 f32[3,4]
entry "main" (%0, %1) -> (%3, %4, %6) {
  #0 dma "rest" transfer (%5) -> (%6)
)" + commands + "}\n");
  };
  const std::string write = "#1 dma \"w\" transfer (%1) -> (%2)\n";
  EXPECT_EQ(with(write + "#2 dma \"r\" transfer (%3) -> (%4)\n"), "ok");
  EXPECT_EQ(with(write + "#2 dma \"r\" transfer (%3) -> (%4)\n"
                         "#3 dma \"r\" transfer (%5) -> (%6)\n"),
            "ok")
      << "its bytes are as they were";
  EXPECT_EQ(with("#1 dma \"r\" transfer (%0) -> (%4)\n"
                 "#2 dma \"w\" transfer (%1) -> (%2)\n"),
            "ok");
  EXPECT_EQ(with(write + "#2 dma \"r\" transfer (%0) -> (%4)\n"),
            "command #2 \"r\" of entry \"main\" reads tensor %0 \"s\" after "
            "tensor %2 \"row\" was written to its bytes: its value is that of "
            "before");
  EXPECT_EQ(with(write + "#2 dma \"r\" transfer (%3) -> (%4)\n"
                         "#3 dma \"v\" transfer (%1) -> (%2)\n"),
            "entry \"main\" returns tensor %3 \"next\" after tensor %2 \"row\" "
            "was written to its bytes: its value is that of before");
}

TEST(WrittenParts, AgreeWithCounting) {
  // Random blocks of the matrix are written; a block can be read if and only if
  // each of its values was.
  std::mt19937_64 random(20261123);
  auto number = [&](int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  };
  struct Block {
    int64_t row, column, rows, columns;
    std::string text() const {
      return fmt::format("{} f32[{},{}] strides[12,1]", row * 12 + column, rows,
                         columns);
    }
  };
  auto block = [&](int64_t least) {
    const int64_t rows = number(least, 4), columns = number(3 * least, 12);
    return Block{number(0, 4 - rows), number(0, 12 - columns), rows, columns};
  };
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::array<bool, 48> isWritten{};
    std::vector<std::string> windows;
    for (int64_t w = number(1, 7); w > 0; --w) {
      const Block written = block(i % 2 + 1);
      windows.push_back(written.text());
      for (int64_t r = 0; r < written.rows; ++r)
        for (int64_t c = 0; c < written.columns; ++c)
          isWritten[size_t((written.row + r) * 12 + written.column + c)] = true;
    }
    const Block read = block(1);
    bool expected = true;
    for (int64_t r = 0; r < read.rows; ++r)
      for (int64_t c = 0; c < read.columns; ++c)
        expected &= isWritten[size_t((read.row + r) * 12 + read.column + c)];
    EXPECT_EQ(verifyParts(windows, read.text()) == "ok", expected)
        << fmt::format("{}", fmt::join(windows, ", ")) << " / " << read.text();
    refused += !expected;
  }
  EXPECT_GT(refused, 50);
  EXPECT_LT(refused, 350);
}

/// Columns of a matrix, written one by one, each of them read at once, and what
/// is read at each of them: work that grows with their number, not its square.
TEST(WrittenParts, ManyPartsTakeStepsInProportion) {
  constexpr int columns = 3000;
  for (const int pitch : {1, 7}) { // in which order: 0, 7, 14, ..., 1, 8, ...
    std::string tensors = fmt::format(
        "recipe 1.0 target \"gaudi\" producer \"\"\n"
        "section @0 persistent {0} bytes\nsection @1 workspace {0} bytes\n"
        "tensor %0 \"all\" workspace @1+0 f32[4,{1}]\n"
        "tensor %1 \"y\" output @0+0 f32[4,1]\n"
        "tensor %2 \"z\" output @0+128 f32[4,1]\n",
        1 << 16, columns);
    std::string commands;
    int line = 0;
    const auto append = [&](const std::string &text) {
      commands += fmt::format("#{} dma \"c\" {}\n", line++, text);
    };
    for (int c = 0; c < columns; ++c)
      tensors += fmt::format("tensor %{} \"c\" workspace @1+{} f32[4,1] "
                             "strides[{},1] alias %0\n",
                             c + 3, 4 * c, columns);
    for (int first = 0; first < pitch; ++first)
      for (int c = first; c < columns; c += pitch) {
        append(fmt::format("fill 0 () -> (%{})", c + 3));
        append(fmt::format("transfer (%{}) -> (%1)", c + 3));
        append("transfer (%3) -> (%2)");
      }
    EXPECT_EQ(
        verify(tensors + "entry \"e\" () -> (%1, %2) {\n" + commands + "}\n"),
        "ok");
  }
}

/// A scatter of two rows of four values into a state of nine, from the rows at
/// byte `from` to those at byte `to`. What the verifier says.
std::string verifyScatter(const std::string &kernel, unsigned from, unsigned to,
                          const std::string &more = "") {
  return verify(
      fmt::format("recipe 1.0 target \"gaudi\" producer \"\"\n"
                  "section @0 persistent 4096 bytes\n"
                  "tensor %0 \"state\" state @0+0 f32[9,4]\n"
                  "tensor %1 \"indices\" input @0+256 i32[1,2]\n"
                  "tensor %2 \"rows\" input @0+512 f32[1,2,4]\n"
                  "tensor %3 \"data\" state @0+{} f32[1,8,4] alias %0\n"
                  "tensor %4 \"next\" output @0+{} f32[1,8,4] alias %0\n"
                  "entry \"e\" (%0, %1, %2) -> (%4) {{\n"
                  "#0 tpc \"s\" library \"{}\" (%3, %1, %2) -> (%4)\n{}}}\n",
                  from, to, kernel, more));
}

TEST(WrittenParts, ScattersMayHaveThePlaceOfTheirInput) {
  EXPECT_EQ(verifyScatter("scatter", 0, 0), "ok");
  EXPECT_EQ(verifyScatter("scatter", 16, 16), "ok");
  // A copy of rows to the rows after them reads what it has overwritten.
  EXPECT_EQ(
      verifyScatter("scatter", 0, 16),
      "command #0 \"s\" of entry \"e\" writes tensor %4 \"next\" over its "
      "own input tensor %3 \"data\" in a way that is not element by "
      "element");
  // The command that reads a value may be the one that replaces it.
  EXPECT_EQ(verifyScatter("scatter", 0, 0,
                          "#1 tpc \"t\" library \"scatter\" (%3, %1, %2) -> "
                          "(%4)\n"),
            "command #1 \"t\" of entry \"e\" reads tensor %3 \"data\" after "
            "tensor %4 \"next\" was written to its bytes: its value is that of "
            "before");
}

} // namespace
