// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers of safetensors files, whole and damaged.
#include "Gaudi/Compiler/Resources.h"

#include "llvm/Support/Process.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

using gaudi::SafetensorsFile;

namespace {

std::string fileOf(const std::string &header, size_t dataBytes) {
  std::string bytes(8, '\0');
  for (unsigned i = 0; i < 8; ++i)
    bytes[i] = char(header.size() >> (8 * i));
  return bytes + header + std::string(dataBytes, 'x');
}

std::string problemOf(const std::string &bytes) {
  std::string problem;
  const auto file = SafetensorsFile::parse(bytes, bytes.size(), problem);
  EXPECT_EQ(file == nullptr, !problem.empty());
  return problem;
}

const std::string twoTensors =
    R"({"__metadata__": {"format": "pt"},
        "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "b": {"dtype": "I8", "shape": [], "data_offsets": [24, 25]}})";

TEST(Safetensors, FindsTensors) {
  const std::string bytes = fileOf(twoTensors, 25);
  std::string problem;
  const auto file = SafetensorsFile::parse(bytes, bytes.size(), problem);
  ASSERT_NE(file, nullptr) << problem;
  EXPECT_EQ(file->size(), 2u);
  const SafetensorsFile::Tensor *tensor = file->find("a");
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(tensor->elementType, "F32");
  EXPECT_EQ(tensor->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(tensor->end - tensor->begin, 24u);
  EXPECT_EQ(file->offsetOf(*file->find("b")), bytes.size() - 1);
  EXPECT_EQ(file->find("__metadata__"), nullptr);
}

/// A file that is removed at the end.
class Temporary {
public:
  explicit Temporary(const std::string &bytes)
      : path(testing::TempDir() + "safetensors-" +
             std::to_string(llvm::sys::Process::getProcessId())) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~Temporary() { std::filesystem::remove(path); }
  const std::string path;
};

TEST(Safetensors, ReadsTensors) {
  const Temporary temporary(fileOf(twoTensors, 24) + "!");
  std::string problem;
  const auto file = SafetensorsFile::open(temporary.path, problem);
  ASSERT_NE(file, nullptr) << problem;
  const auto a = file->read(*file->find("a"), problem);
  const auto b = file->read(*file->find("b"), problem);
  ASSERT_TRUE(a && b) << problem;
  EXPECT_EQ(a->getBuffer(), std::string(24, 'x'));
  EXPECT_EQ(b->getBuffer(), "!");
}

TEST(Safetensors, OutlivesAFileThatShrinks) {
  const std::string bytes = fileOf(twoTensors, 25);
  const Temporary temporary(bytes);
  std::string problem;
  const auto file = SafetensorsFile::open(temporary.path, problem);
  ASSERT_NE(file, nullptr) << problem;
  const auto before = file->read(*file->find("a"), problem);
  ASSERT_NE(before, nullptr) << problem;
  std::filesystem::resize_file(temporary.path, bytes.size() - 20);
  EXPECT_EQ(before->getBuffer(), std::string(24, 'x'));
  EXPECT_EQ(file->read(*file->find("a"), problem), nullptr);
  EXPECT_EQ(problem,
            "it ended 19 bytes too early; did another program change it?");
}

TEST(Safetensors, RefusesFilesWithoutAHeader) {
  std::string problem;
  for (const char *bytes : {"", "1234567"}) {
    const Temporary temporary(bytes);
    EXPECT_EQ(SafetensorsFile::open(temporary.path, problem), nullptr);
    EXPECT_EQ(problem, "it is too short for a safetensors file");
  }
  EXPECT_EQ(SafetensorsFile::open(testing::TempDir(), problem), nullptr);
  EXPECT_EQ(problem, "it is not a regular file");
}

TEST(Safetensors, RefusesWhatTheHeaderCannotMean) {
  auto entry = [](const std::string &rest) {
    return problemOf(fileOf(R"({"a": {"dtype": "F32", )" + rest + "}}", 8));
  };
  EXPECT_EQ(problemOf("1234567"), "it is too short for a safetensors file");
  EXPECT_NE(problemOf(std::string(16, '\xff')).find("its header would have"),
            std::string::npos);
  EXPECT_NE(problemOf(fileOf("{\"a\"", 0)).find("its header: "),
            std::string::npos);
  EXPECT_EQ(problemOf(fileOf("[]", 0)), "its header is not a JSON object");
  EXPECT_EQ(problemOf(fileOf("{\"a\": " + std::string(100000, '['), 0)),
            "its header nests too deep");
  EXPECT_EQ(entry(R"("shape": [2])"),
            "tensor 'a' needs 'dtype', 'shape' and two 'data_offsets'");
  EXPECT_EQ(entry(R"("shape": [-2], "data_offsets": [0, 8])"),
            "tensor 'a' has a dimension that is not a size");
  EXPECT_EQ(entry(R"("shape": [1.5], "data_offsets": [0, 8])"),
            "tensor 'a' has a dimension that is not a size");
  EXPECT_EQ(entry(R"("shape": [4294967296, 4294967296, 2],
                     "data_offsets": [0, 8])"),
            "tensor 'a' has too many elements");
  EXPECT_EQ(entry(R"("shape": [2], "data_offsets": [0, 9])"),
            "tensor 'a' has 'data_offsets' outside the 8 bytes of data; is "
            "the file complete?");
  EXPECT_EQ(entry(R"("shape": [2], "data_offsets": [8, 0])"),
            "tensor 'a' has 'data_offsets' outside the 8 bytes of data; is "
            "the file complete?");
  EXPECT_EQ(entry(R"("shape": [3], "data_offsets": [0, 8])"),
            "tensor 'a' has 8 bytes, but its type and shape need 12");
}

// Whatever a tensor without elements has for other sizes, and in which order.
TEST(Safetensors, ReadsEmptyTensorsOfLargeSizes) {
  for (const char *shape :
       {"[4294967296, 4294967296, 0]", "[0, 4294967296, 4294967296]", "[0]"})
    EXPECT_EQ(
        problemOf(fileOf(std::string(R"({"a": {"dtype": "F32", "shape": )") +
                             shape + R"(, "data_offsets": [0, 0]}})",
                         0)),
        "");
  EXPECT_EQ(problemOf(fileOf(R"({"a": {"dtype": "F32", "shape": [0, 4],
                                       "data_offsets": [0, 8]}})",
                             8)),
            "tensor 'a' has 8 bytes, but its type and shape need 0");
}

TEST(Safetensors, RefusesAnObjectThatIsNone) {
  const std::string one =
      R"({"a": {"dtype": "I8", "shape": [4], "data_offsets": [0, 4]})";
  // The same name with the same bytes: what the second one says would win.
  EXPECT_EQ(problemOf(fileOf(one + "," + one.substr(1) + "}", 4)),
            "tensor 'a' is there twice");
  EXPECT_EQ(problemOf(fileOf(one + R"(, "\u0061": {"dtype": "U8", "shape": [4],
                                       "data_offsets": [0, 4]}})",
                             4)),
            "tensor 'a' is there twice");
  EXPECT_EQ(problemOf(fileOf(one + "} {", 4)),
            "its header: text after its end");
  EXPECT_EQ(problemOf(fileOf(one + "]}", 4)),
            "its header: expected ',' or '}'");
  EXPECT_EQ(problemOf(fileOf(one + ", 1}", 4)),
            "its header: expected the name of a tensor");
  EXPECT_EQ(problemOf(fileOf("{\"a\" 1}", 0)), "its header: expected ':'");
  const std::string longOne(5000, ' ');
  EXPECT_EQ(problemOf(fileOf("{\"a\": {" + longOne + "}}", 0)),
            "tensor 'a' is described by 5003 bytes; at most 4096 are read");
}

/// A tree of the whole header would take 84 bytes for each of its bytes.
TEST(Safetensors, TakesMemoryForNamesAndShapesOnly) {
  std::string header = "{";
  constexpr unsigned count = 160000;
  for (unsigned i = 0; i < count; ++i)
    header += (i ? ",\"" : "\"") + std::to_string(i) +
              R"(":{"dtype":"I8","shape":[0],"data_offsets":[0,0]})";
  const std::string bytes = fileOf(header + "}", 0);
  std::string problem;
  const size_t before = llvm::sys::Process::GetMallocUsage();
  const auto file = SafetensorsFile::parse(bytes, bytes.size(), problem);
  ASSERT_NE(file, nullptr) << problem;
  EXPECT_EQ(file->size(), count);
  EXPECT_LT(llvm::sys::Process::GetMallocUsage() - before, 6 * bytes.size());
}

TEST(Safetensors, RefusesBytesOfNoneOrOfTwo) {
  const std::string one =
      R"({"a": {"dtype": "I8", "shape": [4], "data_offsets": [0, 4]})";
  EXPECT_EQ(problemOf(fileOf(one + "}", 5)),
            "bytes 4 to 5 of the data belong to no tensor");
  EXPECT_EQ(problemOf(fileOf(one + R"(, "b": {"dtype": "I8", "shape": [4],
                                       "data_offsets": [3, 7]}})",
                             7)),
            "tensor 'b' overlaps the one before it");
  EXPECT_EQ(problemOf(fileOf(one + R"(, "b": {"dtype": "I8", "shape": [1],
                                       "data_offsets": [6, 7]}})",
                             7)),
            "bytes 4 to 6 of the data belong to no tensor");
}

/// Whatever a header is damaged to, what is found is inside the file.
TEST(Safetensors, SurvivesDamage) {
  const std::string whole = fileOf(twoTensors, 25);
  std::mt19937 random(7);
  unsigned read = 0;
  for (unsigned trial = 0; trial < 20000; ++trial) {
    std::string bytes = whole;
    for (unsigned change = random() % 4 + 1; change > 0; --change) {
      const size_t at = random() % bytes.size();
      if (random() % 4 == 0)
        bytes.erase(at, random() % 8);
      else if (random() % 3 == 0)
        bytes.insert(at, 1, "0123456789{}[],:\"\\"[random() % 18]);
      else
        bytes[at] =
            random() % 2 ? char(random()) : "019{}[],\"-e."[random() % 12];
      if (bytes.empty())
        bytes = whole;
    }
    std::string problem;
    const auto file = SafetensorsFile::parse(bytes, bytes.size(), problem);
    EXPECT_EQ(file == nullptr, !problem.empty());
    if (!file)
      continue;
    ++read;
    for (const char *name : {"a", "b"})
      if (const SafetensorsFile::Tensor *tensor = file->find(name)) {
        EXPECT_LE(tensor->begin, tensor->end);
        EXPECT_LE(file->offsetOf(*tensor), bytes.size());
        EXPECT_LE(tensor->end - tensor->begin,
                  bytes.size() - file->offsetOf(*tensor));
      }
  }
  EXPECT_GT(read, 0u);
}

} // namespace
