// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of entries that choose among variants: their number, and the work of
// comparing each with what callers see.
#include "Gaudi/Recipe/Sizes.h"
#include "Samples.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

/// One entry for `variants` buckets, with one input that depends on the bucket
/// and `scalars` that do not.
std::string variantsOf(unsigned variants, unsigned scalars) {
  std::string tensors = "tensor %0 \"x\" input @0+0 f32[100000]\n";
  std::string inputs = "  input \"x\" f32[s0]\n", list = "%0", table;
  for (unsigned i = 1; i <= scalars; ++i) {
    tensors +=
        fmt::format("tensor %{} \"\" input @0+{} f32[]\n", i, 400000 + 4 * i);
    inputs += "  input \"\" f32[]\n";
    list += fmt::format(", %{}", i);
  }
  for (unsigned v = 1; v <= variants; ++v)
    table += fmt::format("  variant 1 sizes [{}]\n", v);
  return "recipe 1.6 target \"gaudi\" producer \"\"\n"
         "section @0 persistent 1048576 bytes\n" +
         tensors + "entry \"main\" dispatch {\n  symbol \"n\" 1 to 100000\n" +
         inputs + table + "}\nentry \"main.0\" (" + list + ") -> () {\n}\n";
}

TEST(Variants, MayBeAsManyAsALaunchCanChooseAmong) {
  EXPECT_EQ(verify(variantsOf(maxVariants, 0)), "ok");
  EXPECT_EQ(verify(variantsOf(maxVariants + 1, 0)),
            "entry \"main\" has 65537 variants, expected at most 65536");
}

TEST(Variants, OfOneEntryWithManyInputsAreRefusedNotComparedForever) {
  EXPECT_EQ(verify(variantsOf(100, 100)), "ok");
  const std::string message = verify(variantsOf(5000, 5000));
  EXPECT_NE(message.find("takes more than"), std::string::npos) << message;
}

} // namespace
