// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects of attention commands.
#include "DefectMakers.h"

#include <gtest/gtest.h>
#include <utility>

namespace gaudi::recipe::test {
namespace {

using Edits = std::vector<std::pair<const char *, const char *>>;

/// The sample with the first place of each text replaced.
Defect editAll(const char *name, const Edits &edits, const char *expected) {
  return {name,
          [=] {
            std::string text = attentionText;
            for (const auto &[from, to] : edits) {
              const size_t at = text.find(from);
              EXPECT_NE(at, std::string::npos) << name << ": " << from;
              if (at != std::string::npos)
                text.replace(at, std::strlen(from), to);
            }
            return bytesOfText(text, /*verify=*/false);
          },
          expected};
}

#define SDPA "command #0 \"sdpa\" of entry \"main\" "
#define GRAD "command #1 \"sdpa_grad\" of entry \"main\" "

std::vector<Defect> forwardDefects() {
  return {
      forge(
          "attention-feature", [](Bytes &b) { put<uint64_t>(b, 16, 0); },
          SDPA "runs attention, which needs feature bits 0x20 that the header "
               "does not have",
          attentionText),
      editAll("attention-bits", {{"seed] makes", "seed, 12] makes"}},
              SDPA "has bits 0x100b of optional inputs, expected at most "
                   "0x3ff"),
      editAll("attention-count", {{"%4, %5) ->", "%4) ->"}},
              SDPA "has 5 inputs, expected 3 and the 3 of its bits 0xb"),
      editAll("attention-rank", {{"@0+0 f32[1,2,3,2]", "@0+0 f32[2,3,2]"}},
              SDPA "takes query, key and value of one rank of 3 or 4 but got "
                   "3, 4 and 4"),
      editAll("attention-layout", {{"k \"NHDL\"", "k \"NHDD\""}},
              SDPA "layout of the key is \"NHDD\", expected the letters NHLD "
                   "in any order"),
      editAll("attention-integers", {{"@0+0 f32", "@0+0 i32"}},
              SDPA "takes float tensors but query is i32"),
      editAll("attention-types", {{"f32[1,1,2,4]", "bf16[1,1,2,4]"}},
              SDPA "takes tensors of one type but key is bf16 and query f32"),
      editAll("attention-depth", {{"k \"NHDL\"", "k \"NHLD\""}},
              SDPA "has 2 elements per head in query but 4 in key"),
      editAll("attention-keys", {{"v \"NHLD\"", "v \"NHDL\""}},
              SDPA "has 4 keys in key but 2 in value"),
      editAll("attention-heads",
              {{"@0+512 f32[1,1,4,2]", "@0+512 f32[1,2,4,2]"}},
              SDPA "has 2 query heads, 1 key heads and 2 value heads, expected "
                   "equal numbers of the last two that divide the first"),
      editAll("attention-batch",
              {{"@0+512 f32[1,1,4,2]", "@0+512 f32[3,1,4,2]"}},
              SDPA "value has batch size 3, expected 1 or the 1 of query"),
      editAll("attention-scale", {{"scale 0.5", "scale inf"}},
              SDPA "scale is inf, expected a number"),
      editAll("attention-window", {{"window 3", "window -3"}},
              SDPA "window is -3, expected 0 or more"),
      editAll("attention-mask", {{"i1[1,1,3,4]", "i1[1,1,4,4]"}},
              SDPA "mask is [1,1,4,4], expected [1,2,3,4] or 1 in its place"),
      editAll("attention-mask-type", {{"i1[1,1,3,4]", "i8[1,1,3,4]"}},
              SDPA "mask is i8, expected i1, f32, bf16 or f16"),
      editAll("attention-mask-value", {{"mask_value -10.0", "mask_value inf"}},
              SDPA "mask value is inf, expected -inf, or a number and a mask "
                   "of i1"),
      editAll("attention-lengths", {{"@0+1024 i32[1]", "@0+1024 i64[1]"}},
              SDPA "valid_lengths is i64[1], expected i32[1]"),
      editAll("attention-slice", {{"slice [2, 4]", "slice [2]"}},
              SDPA "slice is [2], expected two numbers of 1 or more"),
      editAll("attention-dropout", {{"dropout 0.25", "dropout 1.0"}},
              SDPA "dropout is 1, expected 0 or more, below 1"),
      editAll("attention-dropout-mask",
              {{"seed] makes", "dropout_mask] makes"}},
              SDPA "dropout_mask is [1], expected [1,2,3,4] or 1 in its "
                   "place"),
      editAll("attention-dropout-mask-type",
              {{"seed] makes", "dropout_mask] makes"},
               {"@0+1280 i32[1]", "@0+1280 i32[1,1,1,1]"}},
              SDPA "dropout_mask is i32, expected i1, i8, u8, f32, bf16 or "
                   "f16"),
      editAll("attention-seed", {{"@0+1280 i32[1]", "@0+1280 f32[1]"}},
              SDPA "seed is f32[1], expected one i32"),
      editAll("attention-no-dropout", {{" dropout 0.25", ""}},
              SDPA "has dropout 0 with a seed and no dropout_mask, expected a "
                   "seed or a dropout_mask if it is not 0"),
      editAll("attention-scale-of-wide",
              {{"seed] makes", "d_scale_q] makes"}, {" dropout 0.25", ""}},
              SDPA "has d_scale_q for operands of f32, expected 8-bit floats"),
      editAll("attention-output", {{"o \"NLHD\"", "o \"NHLD\""}},
              SDPA "output is f32[1,3,2,2], expected f32[1,2,3,2]"),
      editAll("attention-saved",
              {{"makes [m, linv, seed]", "makes [m, seed, kept]"}},
              SDPA "makes m, no linv and no probabilities, expected m and "
                   "linv, or probabilities"),
      editAll("attention-seed-of-none",
              {{", seed] makes", "] makes"},
               {" dropout 0.25", ""},
               {"%4, %5) ->", "%4) ->"}},
              SDPA "makes a seed but takes none"),
      editAll("attention-kept-of-statistics",
              {{"makes [m, linv, seed]", "makes [m, linv, kept]"},
               {"@0+2560 i32[1]", "@0+2560 i8[1,2,3,4]"}},
              SDPA "makes no probabilities and kept with dropout 0.25, "
                   "expected kept with probabilities if dropout is not 0"),
      editAll(
          "attention-kept-without-dropout",
          {{", seed] makes [m, linv, seed]", "] makes [probabilities, kept]"},
           {" dropout 0.25", ""},
           {"%4, %5) ->", "%4) ->"},
           {"(%7, %8, %9, %10)", "(%7, %8, %9)"},
           {"@0+2048 f32[1,2,3,1]", "@0+2048 f32[1,2,3,4]"},
           {"@0+2304 f32[1,2,3,1]", "@0+2304 i8[1,2,3,4]"}},
          SDPA "makes probabilities and kept with dropout 0, expected "
               "kept with probabilities if dropout is not 0"),
      editAll("attention-not-kept",
              {{"makes [m, linv, seed]", "makes [probabilities]"},
               {"(%7, %8, %9, %10)", "(%7, %8)"},
               {"@0+2048 f32[1,2,3,1]", "@0+2048 f32[1,2,3,4]"}},
              SDPA "makes probabilities and no kept with dropout 0.25, "
                   "expected kept with probabilities if dropout is not 0"),
      editAll("attention-amax-of-wide",
              {{"makes [m, linv, seed]", "makes [m, linv, amax_s]"},
               {"@0+2560 i32[1]", "@0+2560 f32[1]"}},
              SDPA "makes amax_s of operands of f32, expected 8-bit floats"),
  };
}

std::vector<Defect> backwardDefects() {
  return {
      editAll("attention-grad-outputs", {{"(%11, %12, %13)", "(%11, %12)"}},
              GRAD "has 2 outputs, expected 3"),
      editAll("attention-grad-saved", {{"m, linv] q", "m, probabilities] q"}},
              GRAD "takes m, no linv and probabilities, expected m and linv, "
                   "or probabilities"),
      editAll(
          "attention-grad-lengths",
          {{"m, linv] q", "probabilities] q"}, {"%10, %8, %9)", "%10, %8)"}},
          GRAD "takes probabilities and valid_lengths, which they hold"),
      editAll("attention-grad-result", {{"@0+3072 f32", "@0+3072 bf16"}},
              GRAD "the gradient of the key is bf16[1,1,2,4], expected "
                   "[1,1,2,4] of f32"),
      editAll("attention-grad-f8",
              {{"@0+0 f32", "@0+0 f8E5M2"},
               {"@0+256 f32", "@0+256 f8E5M2"},
               {"@0+512 f32", "@0+512 f8E5M2"},
               {"@0+1792 f32", "@0+1792 bf16"},
               {"@0+2048 f32", "@0+2048 bf16"},
               {"@0+2304 f32", "@0+2304 bf16"}},
              GRAD "takes operands of f8E5M2, expected f32, bf16 or f16"),
  };
}

#undef SDPA
#undef GRAD

} // namespace

std::vector<Defect> attentionDefects() {
  std::vector<Defect> all = forwardDefects();
  for (Defect &defect : backwardDefects())
    all.push_back(std::move(defect));
  return all;
}

} // namespace gaudi::recipe::test
