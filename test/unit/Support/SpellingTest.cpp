// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that are nearest, and what messages say of files that are not there.
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/TextFile.h"
#include "TempFolder.h"

#include <cerrno>
#include <filesystem>
#include <gtest/gtest.h>

using namespace gaudi;

namespace {

TEST(Spelling, FindsNamesByEditsAndByTheirBegin) {
  const std::vector<std::string> names = {"--repeat", "--seed-inputs"};
  EXPECT_EQ(nearestName("--repaet", names), "--repeat");
  EXPECT_EQ(nearestName("--seed", names), "--seed-inputs");
  EXPECT_EQ(nearestName("spda", {"adamw", "sdpa"}), "sdpa");
  EXPECT_EQ(nearestName("ab", {"ba"}), "");
  EXPECT_EQ(nearestName("--s", names), "");
  EXPECT_EQ(nearestName("--frobnicate", names), "");
  EXPECT_EQ(meantAmong("--repaet", names), "did you mean '--repeat'? ");
  EXPECT_EQ(meantAmong("x", names), "");
}

TEST(Spelling, KnowsElementTypesOfOthers) {
  EXPECT_EQ(elementNameOf("float32", "u"), "f32");
  EXPECT_EQ(elementNameOf("bfloat16", "u"), "bf16");
  EXPECT_EQ(elementNameOf("uint8", "u"), "u8");
  EXPECT_EQ(elementNameOf("uint8", "ui"), "ui8");
  EXPECT_EQ(elementNameOf("int64", "u"), "i64");
  EXPECT_EQ(elementNameOf("double", "u"), "");
  EXPECT_EQ(elementNameOf("int7", "u"), std::nullopt);
  EXPECT_EQ(elementNameOf("f32", "u"), std::nullopt);
}

TEST(Spelling, SaysThatNumberedNamesAreNotTheModels) {
  EXPECT_EQ(numberedAdvice({"x", "y"}), "");
  EXPECT_EQ(numberedAdvice({"argument", "out"}), "");
  EXPECT_EQ(numberedAdvice({"x", "arg1"}),
            "; arg1 has no name of its own in the model, such as "
            "{gaudi.name = \"x\"}");
}

TEST(Spelling, SaysWhatToDoAboutFilesThatAreNotThere) {
  TempFolder folder;
  const std::string there = folder.write("resnet.mlir", "x");
  const auto why = [](const std::string &path) {
    errno = ENOENT;
    return whyNotOpened(path, "name a model");
  };
  EXPECT_EQ(why(folder.file("resent.mlir")),
            "No such file or directory; did you mean '" + there + "'?");
  EXPECT_EQ(why(folder.file("resnet")),
            "No such file or directory; did you mean '" + there + "'?");
  EXPECT_EQ(why(folder.file("bert.mlir")),
            "No such file or directory; name a model");
  EXPECT_EQ(why(folder.file("none/bert.mlir")),
            "No such file or directory; there is no folder '" +
                folder.file("none") + "'");
  EXPECT_EQ(why("no-such-file.mlir"),
            "No such file or directory in " +
                std::filesystem::current_path().string() + "; name a model");
  EXPECT_EQ(why("~/bert.mlir"),
            "No such file or directory; the shell expands ~ at the begin of a "
            "word only; write \"$HOME/bert.mlir\"");
  errno = EACCES;
  EXPECT_EQ(whyNotOpened(there),
            "Permission denied; name a file that you may read");
}

TEST(TextFile, RefusesFilesOfOtherKinds) {
  TempFolder folder;
  const auto message = [&](const std::string &bytes) {
    const auto text = readTextFile(folder.write("x", bytes), "a CSV file");
    return text ? "no error" : text.error().message;
  };
  const std::string start = "cannot read '" + folder.file("x") + "': ";
  EXPECT_EQ(message("a,b\n1,2\n"), "no error");
  EXPECT_EQ(message("\x93NUMPY\x01"),
            start + "it is an array of NumPy; name a CSV file");
  EXPECT_EQ(message("PK\x03\x04"),
            start + "it is a zip archive; name a CSV file");
  EXPECT_EQ(message("\xff\xfe"
                    "a"),
            start + "it is text in UTF-16, not in UTF-8; name a CSV file");
  EXPECT_EQ(message(std::string("a\0b", 3)),
            start + "it is no text; name a CSV file");
  EXPECT_EQ(readTextFile(folder.path, "a CSV file").error().message,
            "cannot read '" + folder.path +
                "': Is a directory; name a CSV file");
}

} // namespace
