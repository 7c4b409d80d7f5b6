// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects of entries and commands: operands, shapes, order, ownership.
#include "DefectMakers.h"

namespace gaudi::recipe::test {

std::vector<Defect> commandDefects() {
  return {
      edit("entry-input-dangling", "(%0, %1) -> (%2, %3",
           "(%0, %99) -> (%2, %3",
           "entry \"main\": input %99 but there are 20 tensors"),
      edit("entry-input-class", "(%0, %1) -> (%2, %3", "(%0, %2) -> (%2, %3",
           "entry \"main\": input tensor %2 \"y\" has another class than "
           "input or state"),
      edit("entry-input-repeats", "i64[3]", "i64[3] strides[0]",
           "entry \"main\": input tensor %1 \"ids\" stores several elements in "
           "one place"),
      edit("entry-input-twice", "(%0, %1) -> (%2, %3", "(%0, %0) -> (%2, %3",
           "entry \"main\": input tensor %0 \"x\" is listed twice"),
      edit("entry-output-dangling", "%11, %19) {", "%11, %20) {",
           "entry \"main\": output %20 but there are 20 tensors"),
      edit("entry-output-class", "%11, %19) {", "%11, %6) {",
           "entry \"main\": output tensor %6 \"softmax\" has another class "
           "than output or state"),
      edit("command-dangling-tensor", "transfer (%6)", "transfer (%66)",
           "command #1 \"copy\" of entry \"main\" names tensor %66 but there "
           "are 20 tensors"),
      edit("command-no-elements", "@2+64 f32[2,8]", "@2+64 f32[0,8]",
           "command #1 \"copy\" of entry \"main\" tensor %7 \"copied\" has no "
           "elements"),
      edit("dependency-later", "after [#0]", "after [#1]",
           "command #1 \"copy\" of entry \"main\" depends on command #1, "
           "expected an earlier one"),
      edit("command-location", "bytes 128 loc 1", "bytes 128 loc 7",
           "command #0 \"tpc.softmax\" of entry \"main\" has location 7 of 3"),
      change(
          "engine-unknown",
          [](RecipeT &r) { r.entries[0]->commands[1]->engine = Engine(9); },
          "command #1 \"copy\" of entry \"main\" has unknown engine 9"),
      change(
          "command-without-body",
          [](RecipeT &r) { r.entries[0]->commands[1]->body.Reset(); },
          "command #1 \"copy\" of entry \"main\" has no body that this "
          "version knows"),
      edit("engine-wrong", "#2 mme", "#2 dma",
           "command #2 \"mme.gemm\" of entry \"main\" runs gemm on engine "
           "dma, which cannot"),
      edit("launch-dangling", "launch 5", "launch 6",
           "command #11 \"tpc.stencil\" of entry \"main\" launches kernel 6 "
           "but there are 6 kernels"),
      edit("launch-operand-count", "launch 0 (%0) ->", "launch 0 (%0, %0) ->",
           "command #0 \"tpc.softmax\" of entry \"main\" kernel 0 \"softmax\" "
           "takes 1 inputs and 1 outputs but got 2 and 1"),
      edit("launch-operand-type", "launch 0 (%0) -> (%6)",
           "launch 0 (%0) -> (%17)",
           "command #0 \"tpc.softmax\" of entry \"main\" output 0 is bf16 but "
           "kernel 0 \"softmax\" takes f32"),
      edit("launch-operand-rank", "launch 0 (%0)", "launch 0 (%12)",
           "command #0 \"tpc.softmax\" of entry \"main\" input 0 has rank 4 "
           "but kernel 0 \"softmax\" takes 2"),
      edit("launch-outside", "%4 = load in0[d0, d1]",
           "%4 = load in0[d0, d1 + 1]",
           "command #0 \"tpc.softmax\" of entry \"main\" access 1 of kernel 0 "
           "\"softmax\" reaches index 8 of input 0, whose dimension 1 has size "
           "8"),
      edit("launch-store-collides", "space [2 parallel, 4 parallel]",
           "space [2 parallel, 4 parallel, 2 parallel]",
           "command #3 \"tpc.relu\" of entry \"main\" output 0 of kernel 1 "
           "\"relu\" may be stored to one place from several points"),
      edit("launch-store-partial", "space [2 parallel, 4 parallel]",
           "space [2 parallel, 3 parallel]",
           "command #3 \"tpc.relu\" of entry \"main\" output 0 of kernel 1 "
           "\"relu\" has 8 elements but is stored at 6 points"),
      edit("gemm-operand-count", "gemm (%7, %4)", "gemm (%7)",
           "command #2 \"mme.gemm\" of entry \"main\" takes 2 inputs and 1 "
           "outputs but got 1 and 1"),
      edit("gemm-integer", "gemm (%7, %4)", "gemm (%7, %1)",
           "command #2 \"mme.gemm\" of entry \"main\" takes float tensors but "
           "tensor %1 \"ids\" is i64"),
      edit("gemm-mixed-types", "gemm (%7, %4)", "gemm (%7, %5)",
           "command #2 \"mme.gemm\" of entry \"main\" takes inputs of one type "
           "but got f32 and bf16"),
      edit("gemm-rank", "gemm (%7, %4)", "gemm (%7, %13)",
           "command #2 \"mme.gemm\" of entry \"main\" takes tensors of one "
           "rank of at least 2 but got 2, 4 and 2"),
      edit("gemm-inner-size", "gemm (%7, %4)", "gemm transpose_b (%7, %4)",
           "command #2 \"mme.gemm\" of entry \"main\" has 8 columns in A but 4 "
           "rows in B"),
      edit("gemm-result-size", "gemm (%7, %4) -> (%8)", "gemm (%7, %4) -> (%7)",
           "command #2 \"mme.gemm\" of entry \"main\" makes a matrix of 2 by 4 "
           "but C is 2 by 8"),
      edit("transfer-type", "transfer (%6) -> (%7)", "transfer (%6) -> (%17)",
           "command #1 \"copy\" of entry \"main\" copies f32 to bf16"),
      edit(
          "transfer-size", "transfer (%6) -> (%7)", "transfer (%6) -> (%8)",
          "command #1 \"copy\" of entry \"main\" copies between tensors of "
          "different sizes, tensor %6 \"softmax\" [2,8] and tensor %8 \"gemm\" "
          "[2,4]"),
      edit("transfer-operand-count", "transfer (%6) -> (%7)",
           "transfer (%6) -> ()",
           "command #1 \"copy\" of entry \"main\" takes 1 inputs and 1 outputs "
           "but got 1 and 0"),
      edit("fill-operand-count", "fill 0x3f80 ()", "fill 0x3f80 (%0)",
           "command #10 \"fill\" of entry \"main\" takes 0 inputs and 1 "
           "outputs but got 1 and 1"),
      edit("fill-value", "fill 0x3f80", "fill 0x13f80",
           "command #10 \"fill\" of entry \"main\" fills with bits 81792, "
           "which do not fit bf16"),
      edit("library-unknown", "library \"sort\"", "library \"shuffle\"",
           "command #9 \"tpc.sort\" of entry \"main\" runs library kernel "
           "\"shuffle\", which does not exist"),
      edit("library-signature", "ints [2, 0, 1]", "ints [4, 0, 1]",
           "command #9 \"tpc.sort\" of entry \"main\" library kernel \"sort\": "
           "axis 4 is outside the rank of f32[1,2,4,2]"),
      change(
          "library-operand-count",
          [](RecipeT &r) {
            r.entries[0]->commands[9]->inputs.assign(1025, 14);
          },
          "command #9 \"tpc.sort\" of entry \"main\" has 1027 operands, "
          "expected at most 1024"),
      edit(
          "write-to-input", "transfer (%6) -> (%7)", "transfer (%6) -> (%0)",
          "command #1 \"copy\" of entry \"main\" writes tensor %0 \"x\", which "
          "is an input"),
      edit("write-to-constant", "\"gemm\" workspace @2+128",
           "\"gemm\" const @1+0",
           "command #2 \"mme.gemm\" of entry \"main\" writes tensor %8 "
           "\"gemm\", which is constant"),
      edit("write-repeats", "@2+64 f32[2,8]", "@2+64 f32[2,8] strides[0,1]",
           "command #1 \"copy\" of entry \"main\" writes tensor %7 \"copied\", "
           "which stores several elements in one place"),
      edit("outputs-overlap", "workspace @2+320 i32", "workspace @2+288 i32",
           "command #9 \"tpc.sort\" of entry \"main\" writes tensor %15 "
           "\"sorted\" and tensor %16 \"order\", which overlap"),
      edit("in-place-shifted", "workspace @2+64 f32", "workspace @2+32 f32",
           "command #1 \"copy\" of entry \"main\" writes tensor %7 \"copied\" "
           "over its own input tensor %6 \"softmax\" in a way that is not "
           "element by element"),
      edit("in-place-transfer", "workspace @2+64 f32", "workspace @2+0 f32",
           "command #1 \"copy\" of entry \"main\" writes tensor %7 \"copied\" "
           "over its own input tensor %6 \"softmax\" in a way that is not "
           "element by element"),
      edit(
          "in-place-reversed", "%1 = load in0[d0, d1] : f32\n    %2 = maxf",
          "%1 = load in0[d0, -d1 + 3] : f32\n    %2 = maxf",
          "command #3 \"tpc.relu\" of entry \"main\" writes tensor %9 \"relu\" "
          "over its own input tensor %8 \"gemm\" in a way that is not element "
          "by element"),
  };
}

std::vector<Defect> convolutionDefects() {
#define CONV "command #8 \"mme.conv\" of entry \"main\" "
  return {
      edit("conv-rank", "(%12, %13) -> (%14)", "(%0, %4) -> (%6)",
           CONV "a convolution takes tensors of one rank from 3 to 5 but got "
                "2, 2 and 2"),
      edit("conv-input-layout", "x \"NHWC\"", "x \"NHWX\"",
           CONV "layout of the input is \"NHWX\", expected the letters NCHW in "
                "any order"),
      edit("conv-filter-layout", "w \"OHWI\"", "w \"OHWII\"",
           CONV "layout of the filter is \"OHWII\", expected the letters OIHW "
                "in any order"),
      edit("conv-output-layout", "y \"NHWC\"", "y \"NHHC\"",
           CONV "layout of the output is \"NHHC\", expected the letters NCHW "
                "in any order"),
      edit("conv-strides", "strides [1, 1]", "strides [1, 0]",
           CONV "strides has 0, expected 1 to 2^31"),
      edit("conv-dilations", "dilations [1, 1]", "dilations [1]",
           CONV "dilations has 1 numbers, expected 2"),
      edit("conv-pad-low", "pad_low [0, 0]", "pad_low [0, -1]",
           CONV "pad_low has -1, expected 0 to 2^31"),
      edit("conv-pad-high", "pad_high [0, 0]", "pad_high [4294967296, 0]",
           CONV "pad_high has 4294967296, expected 0 to 2^31"),
      edit("conv-groups", "(%12, %13)", "groups 3 (%12, %13)",
           CONV "groups is 3, expected a divisor of the 2 output channels of "
                "the filter"),
      edit("conv-group-channels", "(%12, %13)", "groups 2 (%12, %13)",
           CONV "the input has 2 channels in 2 groups but the filter takes 2 "
                "per group"),
      edit("conv-output-channels", "y \"NHWC\"", "y \"NHCW\"",
           CONV "the output has 4 channels but the filter makes 2"),
      edit("conv-batch", "y \"NHWC\"", "y \"HNWC\"",
           CONV "the output has batch size 2 but the input has 1"),
      edit("conv-output-size", "pad_low [0, 0]", "pad_low [1, 0]",
           CONV "spatial dimension 0 of the output has size 2 but the "
                "convolution makes 3"),
      edit("conv-output-impossible", "pad_low [0, 0] pad_high [0, 0]",
           "pad_low [0, 0] pad_high [0, 99] transposed",
           CONV "spatial dimension 1 of the output has size 4 but the "
                "convolution makes no such size"),
  };
#undef CONV
}

std::vector<Defect> rowsDefects() {
#define ROWS "command #0 \"scatter\" of entry \"main\" "
  return {
      forge(
          "scatter-rows-feature", [](Bytes &b) { put<uint64_t>(b, 16, 0); },
          ROWS "runs library, which needs feature bits 0x10 that the header "
               "does not have",
          rowsText),
      edit("scatter-rows-flag", "ints [1, 1]", "ints [1, 2]",
           ROWS "library kernel \"scatter_rows\": drop_outside is 2, expected "
                "0 or 1",
           rowsText),
      edit("scatter-rows-ints", "ints [1, 1]", "ints [1]",
           ROWS "library kernel \"scatter_rows\": expected 2 ints but got 1",
           rowsText),
  };
#undef ROWS
}

std::vector<Defect> gradientDefects() {
#define GRAD "command #0 \"mme.conv_weight_grad\" of entry \"main\" "
  auto editGrad = [](const char *name, const char *from, const char *to,
                     const char *expected) {
    return edit(name, from, to, expected, gradientText);
  };
  return {
      forge(
          "weight-grad-feature", [](Bytes &b) { put<uint64_t>(b, 16, 0); },
          GRAD "runs conv_weight_grad, which needs feature bits 0x2 that the "
               "header does not have",
          gradientText),
      editGrad("weight-grad-engine", "#0 mme", "#0 tpc",
               GRAD "runs conv_weight_grad on engine tpc, which cannot"),
      editGrad("weight-grad-operand-count", "[0, 2] (%0, %1)", "[0, 2] (%0)",
               GRAD "takes 2 inputs and 1 outputs but got 1 and 1"),
      editGrad("weight-grad-mixed-types", "f32[1,2,2,3]", "bf16[1,2,2,3]",
               GRAD "takes inputs of one type but got f32 and bf16"),
      editGrad("weight-grad-rank", "f32[3,3,3,2]", "f32[9,3,2]",
               GRAD "a convolution takes tensors of one rank from 3 to 5 but "
                    "got 4, 3 and 4"),
      editGrad("weight-grad-input-layout", "x \"NHWC\"", "x \"NHCC\"",
               GRAD "layout of the input is \"NHCC\", expected the letters "
                    "NCHW in any order"),
      editGrad("weight-grad-filter-layout", "w \"OHWI\"", "w \"NHWC\"",
               GRAD "layout of the filter is \"NHWC\", expected the letters "
                    "OIHW in any order"),
      editGrad("weight-grad-output-layout", "y \"NHWC\"", "y \"\"",
               GRAD "layout of the output is \"\", expected the letters NCHW "
                    "in any order"),
      editGrad("weight-grad-strides", "strides [2, 2]", "strides [2, 0]",
               GRAD "strides has 0, expected 1 to 2^31"),
      editGrad("weight-grad-pad", "pad_low [1, -1]", "pad_low [1, -4294967296]",
               GRAD "pad_low has -4294967296, expected -2147483648 to 2^31"),
      editGrad("weight-grad-groups", "(%0, %1) -> (%2)\n}",
               "groups 2 (%0, %1) -> (%2)\n}",
               GRAD "groups is 2, expected a divisor of the 3 output channels "
                    "of the filter"),
      editGrad("weight-grad-channels", "w \"OHWI\"", "w \"IHWO\"",
               GRAD "the input has 2 channels in 1 groups but the filter takes "
                    "3 per group"),
      editGrad("weight-grad-batch", "y \"NHWC\"", "y \"HNWC\"",
               GRAD "the output has batch size 2 but the input has 1"),
      editGrad("weight-grad-output-size", "pad_low [1, -1]", "pad_low [1, 1]",
               GRAD "spatial dimension 1 of the output has size 2 but the "
                    "convolution makes 3"),
  };
#undef GRAD
}

namespace {
/// Two commands write a tensor, each its columns.
const char *const partsText = R"(recipe 1.0 target "gaudi2" producer ""
section @0 persistent 512 bytes
section @1 workspace 512 bytes
tensor %0 "x" input @0+0 f32[4,4]
tensor %1 "y" output @0+128 f32[4,8]
tensor %2 "both" workspace @1+0 f32[4,8]
tensor %3 "left" workspace @1+0 f32[4,4] strides[8,1] alias %2
tensor %4 "right" workspace @1+16 f32[4,4] strides[8,1] alias %2
tensor %5 "next" workspace @1+128 f32[4]
entry "main" (%0) -> (%1) {
  #0 dma "left" transfer (%0) -> (%3)
  #1 dma "right" transfer (%0) -> (%4)
  #2 dma "next" fill 0 () -> (%5)
  #3 dma "copy" transfer (%2) -> (%1)
}
)";
} // namespace

std::vector<Defect> timeDefects() {
  return {
      edit("race-read", " after [#0]", "",
           "command #1 \"copy\" of entry \"main\" reads tensor %6 \"softmax\" "
           "while command #0 \"tpc.softmax\" of entry \"main\" may still write "
           "those bytes; expected a dependency"),
      change(
          "race-write",
          [](RecipeT &r) {
            r.tensors[17]->offset = r.tensors[18]->offset = 192;
          },
          "command #10 \"fill\" of entry \"main\" writes tensor %17 "
          "\"filled\" while command #8 \"mme.conv\" of entry \"main\" may "
          "still write those bytes; expected a dependency"),
      edit("race-write-read", "#10 dma \"fill\" fill 0x3f80 () -> (%17)",
           "#10 dma \"fill\" fill 0x3f80 () -> (%14) after [#8]",
           "command #10 \"fill\" of entry \"main\" writes tensor %14 \"conv\" "
           "while command #9 \"tpc.sort\" of entry \"main\" may still read "
           "those bytes; expected a dependency"),
      edit("never-written", "transfer (%6) -> (%7)", "transfer (%15) -> (%14)",
           "command #1 \"copy\" of entry \"main\" reads tensor %15 "
           "\"sorted\", which nothing has written before"),
      edit("input-not-listed", "(%0, %1) -> (%2, %3", "(%0) -> (%2, %3",
           "command #5 \"tpc.gather\" of entry \"main\" reads tensor %1 "
           "\"ids\", which is no input of this entry"),
      edit(
          "output-not-written", "launch 2 (%1, %5) -> (%3)",
          "launch 2 (%1, %5) -> (%3)\n}\nentry \"rest\" (%0, %1) -> (%2) {\n  "
          "#0 dma \"x\" fill 0 () -> (%7)\n  #1 dma \"x\" fill 0 () -> "
          "(%7)\n  #2 dma \"x\" fill 0 () -> (%7)\n  #3 dma \"x\" fill 0 () -> "
          "(%7)\n  #4 dma \"x\" fill 0 () -> (%7)\n  #5 dma \"x\" fill 0 () -> "
          "(%7)",
          "entry \"main\" returns tensor %10 \"best\", which nothing has "
          "written before"),
      edit("live-overlap", "transfer (%9) -> (%2)", "transfer (%8) -> (%2)",
           "command #4 \"copy\" of entry \"main\" reads tensor %8 \"gemm\" "
           "after tensor %9 \"relu\" was written to its bytes: the buffers "
           "overlap while both are live"),
      edit("part-not-written", "transfer (%0) -> (%4)", "transfer (%0) -> (%3)",
           "command #3 \"copy\" of entry \"main\" reads tensor %2 \"both\", "
           "but nothing has written byte 16 of section @1 before",
           partsText),
      edit("part-overwritten", "@1+128 f32", "@1+64 f32",
           "command #3 \"copy\" of entry \"main\" reads tensor %2 \"both\" "
           "after tensor %5 \"next\" was written to its bytes: the buffers "
           "overlap while both are live",
           partsText),
      edit(
          "part-read-again", "fill 0 () -> (%5)\n",
          "transfer (%2) -> (%1)\n  #3 dma \"late\" fill 0 () -> (%4)\n  #4 "
          "dma "
          "\"x\" fill 0 () -> (%5)\n  #5 dma \"again\" transfer (%2) -> "
          "(%1)\n}\nentry \"rest\" (%0) -> () {\n  #0 dma \"x\" fill 0 () -> "
          "(%2)\n  #1 dma \"x\" fill 0 () -> (%2)\n  #2 dma \"x\" fill 0 () -> "
          "(%2)\n",
          "command #5 \"again\" of entry \"main\" reads tensor %2 \"both\" "
          "after "
          "tensor %4 \"right\" was written to its bytes: its value is that of "
          "before",
          partsText),
  };
}

} // namespace gaudi::recipe::test
