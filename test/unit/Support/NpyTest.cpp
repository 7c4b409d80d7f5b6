// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy files: round trips, foreign forms, and headers that lie.
#include "Gaudi/Support/Npy.h"
#include "TempFolder.h"

#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace gaudi;

namespace {

/// A file of version `major` with this header text and these elements.
std::string npy(const std::string &text, const std::string &data,
                char major = 1) {
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  file += char(text.size() & 255);
  file += char(text.size() >> 8 & 255);
  if (major > 1) {
    file += char(text.size() >> 16 & 255);
    file += char(text.size() >> 24 & 255);
  }
  return file + text + data;
}

std::string header(const std::string &descr, const std::string &shape,
                   const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

Result<NpyArray> parse(const std::string &file) {
  return parseNpy(reinterpret_cast<const uint8_t *>(file.data()), file.size());
}

std::string errorOf(const std::string &file) {
  auto array = parse(file);
  return array ? "no error" : array.error().message;
}

/// The next step of what is wrong with a header, and with the number of bytes
/// after it.
const std::string damaged =
    "; the file is damaged: write it again with numpy.save";
const std::string again = "; write it again with numpy.save";

std::string bytesOf(const NpyArray &array) {
  return {array.data.begin(), array.data.end()};
}

TEST(Npy, ReadsEveryVersion) {
  for (char major : {1, 2, 3}) {
    auto array =
        parse(npy(header("<i2", "(2,)"), std::string("\1\0\2\0", 4), major));
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->shape, std::vector<int64_t>{2});
    EXPECT_EQ(array->type, (NpyType{'i', 2}));
    EXPECT_EQ(bytesOf(*array), std::string("\1\0\2\0", 4));
  }
}

TEST(Npy, ReadsKeysInAnyOrderAndDoubleQuotes) {
  auto array = parse(
      npy("{\"shape\": (), \"descr\": \"|u1\",\"fortran_order\":False}", "x"));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_TRUE(array->shape.empty());
  EXPECT_EQ(bytesOf(*array), "x");
}

TEST(Npy, ReadsSizesOfPython2) {
  auto array = parse(npy(header("|b1", "(2L, 1L)"), std::string("\1\0", 2)));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 1}));
}

TEST(Npy, SwapsBigEndian) {
  auto array = parse(npy(header(">i4", "(1,)"), std::string("\0\0\1\2", 4)));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(bytesOf(*array), std::string("\2\1\0\0", 4));
}

TEST(Npy, TurnsFortranOrderIntoCOrder) {
  // Element (i, j, k) of a 2x3x2 array is named by its C position.
  std::string fortran(12, '\0');
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k)
        fortran[i + 2 * j + 6 * k] = char('a' + i * 6 + j * 2 + k);
  auto array = parse(npy(header("|u1", "(2, 3, 2)", "True"), fortran));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(bytesOf(*array), "abcdefghijkl");
}

TEST(Npy, ReadsEmptyArraysWithHugeOtherSizes) {
  auto array = parse(npy(header("<f4", "(0, 99999999999, 99999999999)"), ""));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_TRUE(array->data.empty());
}

TEST(Npy, RefusesWhatIsNoNpy) {
  EXPECT_EQ(errorOf(""),
            "the file is empty; write an array to it with numpy.save");
  EXPECT_EQ(errorOf(std::string("\x20\0\0\0\0\0\0\0{\"w\":", 13)),
            "it is a safetensors file; write a tensor of it to a file of its "
            "own with numpy.save(FILE, tensor)");
  EXPECT_EQ(errorOf("1 2 3"),
            "not a .npy file (expected it to start with \"\\x93NUMPY\"); write "
            "it with numpy.save");
  EXPECT_EQ(errorOf("version https://git-lfs.github.com/spec/v1\n"),
            "it is a pointer of Git LFS, not the file itself; fetch it: git "
            "lfs pull");
  EXPECT_EQ(errorOf("PK\x03\x04"),
            "it is an archive of arrays, as numpy.savez writes; write each "
            "array to a file of its own with numpy.save");
  // The header of a zip's first member up to its name, whose length is at 26.
  const auto archive = [](const std::string &member) {
    return "PK\x03\x04" + std::string(22, '\0') + char(member.size()) +
           std::string(3, '\0') + member;
  };
  for (const char *member : {"x/data.pkl", "archive/version"})
    EXPECT_EQ(errorOf(archive(member)),
              "torch.save wrote it; write a tensor to a file of its own with "
              "numpy.save(FILE, tensor.numpy())");
  for (const char *member : {"data.npy", "version.npy", "a/version.npy"})
    EXPECT_EQ(errorOf(archive(member)),
              "it is an archive of arrays, as numpy.savez writes; write each "
              "array to a file of its own with numpy.save");
  EXPECT_EQ(errorOf("\x80\x02}q"),
            "it is a pickle, such as torch.save writes; write a tensor to a "
            "file of its own with numpy.save(FILE, tensor.numpy())");
  EXPECT_EQ(errorOf("version https://git-lfs.github.com/spec/v1\noid"),
            "it is a pointer of Git LFS, not the file itself; fetch it: git "
            "lfs pull");
  EXPECT_EQ(errorOf("\x93NUMPY\x01"), "the header is truncated" + damaged);
  EXPECT_EQ(
      errorOf(npy(header("<f4", "()"), "....", 4)),
      "version 4.0 of the format is not supported; expected 1.0, 2.0 or 3.0");
}

TEST(Npy, RefusesTruncatedAndOversizedHeaders) {
  std::string file = npy(header("<f4", "(1,)"), "");
  EXPECT_EQ(errorOf(file.substr(0, 30)),
            "the header is truncated: expected 58 bytes but got 20" + damaged);
  std::string huge = npy(header("<f4", "(1,)"), "....", 2);
  huge[10] = huge[11] = char(0x7f);
  // 58 bytes of text, with 0x7f in each of the upper two length bytes.
  EXPECT_EQ(errorOf(huge),
            "the header claims 2139029562 bytes; at most 65536 are supported" +
                damaged);
}

TEST(Npy, RefusesMalformedHeaders) {
  EXPECT_EQ(errorOf(npy("descr", "")),
            "the header is malformed: expected '{' but got 'descr'" + damaged);
  EXPECT_EQ(
      errorOf(npy("{", "")),
      "the header is malformed: expected a quoted key or '}' but got its end" +
          damaged);
  EXPECT_EQ(errorOf(npy("{}", "")),
            "the header lacks the key 'descr'" + damaged);
  EXPECT_EQ(errorOf(npy("{'descr': '<f4', 'fortran_order': False}", "")),
            "the header lacks the key 'shape'" + damaged);
  EXPECT_EQ(errorOf(npy("{'descr': '<f4', 'descr': '<f4'}", "")),
            "the header has the key 'descr' twice" + damaged);
  EXPECT_EQ(errorOf(npy("{'colour': 3}", "")),
            "the header has an unknown key 'colour'" + damaged);
  EXPECT_EQ(errorOf(npy("{'fortran_order': maybe}", "")),
            "the header is malformed: expected True or False but got 'maybe}'" +
                damaged);
  EXPECT_EQ(errorOf(npy("{'shape': (1 2)}", "")),
            "the header is malformed: expected ',' or ')' but got '2)}'" +
                damaged);
  EXPECT_EQ(
      errorOf(npy(header("<f4", "()") + "more", "")),
      "the header is malformed: expected the end of the header but got 'more'" +
          damaged);
  EXPECT_EQ(errorOf(npy(std::string("{'descr': \0", 11), "")),
            "the header is malformed: expected a quoted element type but got "
            "'\\x00'" +
                damaged);
}

TEST(Npy, RefusesUnsupportedTypes) {
  for (const char *descr : {"<c8", "|O", "<U7", "<f16", "<i3", "|V3", "<f1",
                            "<b2", "x4", "", "<f\xff"})
    EXPECT_NE(errorOf(npy(header(descr, "()"), ""))
                  .find("is not supported; expected floats"),
              std::string::npos)
        << descr;
  EXPECT_EQ(errorOf(npy(header("<c8", "()"), "")),
            "element type '<c8' is not supported; expected floats, integers or "
            "booleans of at most 8 bytes; save array.real and array.imag");
  EXPECT_EQ(errorOf(npy(header("|O", "()"), "")),
            "element type '|O' is not supported; expected floats, integers or "
            "booleans of at most 8 bytes; save an array of numbers, not of "
            "objects of Python, such as lists of several lengths");
  EXPECT_EQ(errorOf(npy("{'descr': [('a', '<f4')]}", "")),
            "structured element types are not supported; write each field to a "
            "file of its own with numpy.save");
}

TEST(Npy, RefusesLyingShapes) {
  EXPECT_EQ(errorOf(npy(header("<f4", "(-1,)"), "")),
            "the shape has a negative size" + damaged);
  EXPECT_EQ(errorOf(npy(header("<f4", "(99999999999999999999999,)"), "")),
            "the shape has a size above 281474976710656" + damaged);
  EXPECT_EQ(
      errorOf(npy(header("<f4", "(4294967296, 4294967296, 4294967296)"), "")),
      "the shape holds more than 281474976710656 bytes" + damaged);
  EXPECT_EQ(
      errorOf(npy(header("<f4", "(100000000,)"), "....")),
      "the header promises 400000000 bytes of elements but the file has 4" +
          again);
  EXPECT_EQ(errorOf(npy(header("<f4", "(1,)"), ".....")),
            "the header promises 4 bytes of elements but the file has 5" +
                again);
  std::string deep = "(";
  for (int i = 0; i < 33; ++i)
    deep += "1, ";
  EXPECT_EQ(errorOf(npy(header("<f4", deep + ")"), "....")),
            "the shape has more than 32 dimensions; write "
            "array.reshape(SIZES) with fewer");
}

TEST(Npy, SurvivesEveryFlippedByteAndEveryTruncation) {
  const std::string file =
      npy(header("<i4", "(2, 3)", "True"), std::string(24, 'x'));
  for (size_t at = 0; at < file.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = file;
      changed[at] = char(value);
      if (auto array = parse(changed))
        EXPECT_LE(array->data.size(), changed.size());
    }
    EXPECT_FALSE(parse(file.substr(0, at)));
  }
}

TEST(Npy, WritesWhatItReads) {
  TempFolder folder;
  const std::vector<std::vector<int64_t>> shapes = {{}, {7}, {2, 3, 4}, {0, 5}};
  for (NpyType type : {NpyType{'f', 4},
                       {'f', 2},
                       {'i', 8},
                       {'u', 1},
                       {'b', 1},
                       {'V', 2},
                       {'V', 1}})
    for (const auto &shape : shapes) {
      size_t bytes = type.bytes;
      for (int64_t size : shape)
        bytes *= size_t(size);
      std::vector<uint8_t> data(bytes);
      for (size_t i = 0; i < bytes; ++i)
        data[i] = uint8_t(i * 37);
      const std::string path = folder.file("x.npy");
      auto file = OutputFile::create(path);
      ASSERT_TRUE(file);
      ASSERT_TRUE(writeNpy(*file, type, shape, data.data(), data.size()));
      ASSERT_TRUE(file->commit());
      EXPECT_EQ(folder.read("x.npy").size() - bytes,
                npyHeader(type, shape).size());
      EXPECT_EQ(npyHeader(type, shape).size() % 64, 0u);
      auto array = readNpy(path);
      ASSERT_TRUE(array) << array.error().message;
      EXPECT_EQ(array->type, type);
      EXPECT_EQ(array->shape, shape);
      EXPECT_EQ(array->data, data);
    }
}

TEST(Npy, NamesTheFileInErrors) {
  TempFolder folder;
  auto message = [](const std::string &path) {
    return readNpy(path).error().message;
  };
  const std::string missing = folder.file("missing.npy");
  EXPECT_EQ(message(missing),
            "cannot read '" + missing +
                "': No such file or directory; name a file that exists");
  EXPECT_EQ(message(folder.path),
            "cannot read '" + folder.path +
                "': it is a directory; name a .npy file in it");
  const std::string empty = folder.write("empty.npy", "");
  EXPECT_EQ(message(empty),
            "cannot read '" + empty +
                "': the file is empty; write an array to it with numpy.save");
  const std::string longer =
      folder.write("long.npy", npy(header("<f4", "(1,)"), "....."));
  EXPECT_EQ(
      message(longer),
      "cannot read '" + longer +
          "': the header promises 4 bytes of elements but the file has 5" +
          again);
  EXPECT_NE(message("/dev/zero").find("not a .npy file"), std::string::npos);
  // What tells these apart is behind the first bytes.
  const std::string weights = folder.write(
      "w.pt", "PK\x03\x04" + std::string(22, '\0') + '\x0a' +
                  std::string(3, '\0') + "w/data.pkl" + std::string(99, 'x'));
  EXPECT_EQ(message(weights),
            "cannot read '" + weights +
                "': torch.save wrote it; write a tensor to a file of its own "
                "with numpy.save(FILE, tensor.numpy())");
  const std::string pointer = folder.write(
      "lfs.npy", "version https://git-lfs.github.com/spec/v1\noid");
  EXPECT_NE(message(pointer).find("it is a pointer of Git LFS"),
            std::string::npos);
}

TEST(Npy, ReadsFilesWithShortHeaders) {
  // The whole file is shorter than the first read.
  TempFolder folder;
  const std::string tiny = folder.write("tiny.npy", "\x93NUMPY\x01");
  EXPECT_EQ(readNpy(tiny).error().message,
            "cannot read '" + tiny + "': the header is truncated" + damaged);
  const std::string claim = folder.write("claim.npy", npy("", "...."));
  EXPECT_NE(readNpy(claim).error().message.find("expected '{' but got its end"),
            std::string::npos);
}

TEST(Npy, RefusesPipes) {
  // Even a whole array: a pipe has no size to check the header against.
  const std::string bytes = npy(header("<i2", "(2,)"), "abcd");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()),
            ssize_t(bytes.size()));
  ::close(ends[1]);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  auto array = readNpy(path);
  ::close(ends[0]);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().message,
            "cannot read '" + path + "': not a regular file; name a .npy file");
}

} // namespace
