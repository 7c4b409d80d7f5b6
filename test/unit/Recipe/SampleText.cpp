// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sample recipes: every kind of command, kernels with loops, gathers,
// padding, custom and positional reductions, aliases and in-place updates.
#include "Samples.h"

namespace gaudi::recipe::test {

const char *const sampleText =
    R"(recipe 1.0 target "gaudi2" producer "recipe tests"

location 1 "sample.mlir:3:8"
location 2 "sample.mlir:\"four\""

section @0 persistent 512 bytes
section @1 const 208 bytes align 64
section @2 workspace 512 bytes

tensor %0 "x" input @0+0 f32[2,8] loc 1
tensor %1 "ids" input @0+64 i64[3]
tensor %2 "y" output @0+128 f32[2,4] perm[1,0]
tensor %3 "rows" output @0+192 f32[3,8]
tensor %4 "w" const @1+0 f32[8,4]
tensor %5 "table" const @1+128 bf16[5,8]
tensor %6 "softmax" workspace @2+0 f32[2,8]
tensor %7 "copied" workspace @2+64 f32[2,8]
tensor %8 "gemm" workspace @2+128 f32[2,4]
tensor %9 "relu" workspace @2+128 f32[2,4]
tensor %10 "best" output @0+288 i64[2]
tensor %11 "sum" state @0+304 f32[2]
tensor %12 "image" input @0+0 f32[1,2,4,2] alias %0
tensor %13 "filter" const @1+0 f32[2,1,1,2] alias %4
tensor %14 "conv" workspace @2+192 f32[1,2,4,2]
tensor %15 "sorted" workspace @2+256 f32[1,2,4,2]
tensor %16 "order" workspace @2+320 i32[1,2,4,2]
tensor %17 "filled" workspace @2+384 bf16[2,8]
tensor %18 "left" workspace @2+384 bf16[2,4] strides[8,1] alias %17
tensor %19 "peak" output @0+312 f32[2]

kernel 0 "softmax" {
  space [2 parallel, 8]
  in0 : f32 rank 2
  out0 : f32 rank 2
  stage {
    %0 = const -inf : f32
    %1 = const 0.0 : f32
  }
  loop [1] {
    %2 = load in0[d0, d1] : f32
    reduce max %2 init %0 -> %3
  }
  loop [1] {
    %4 = load in0[d0, d1] : f32
    %5 = subf %4, %3 : f32
    %6 = expf %5 : f32
    reduce add %6 init %1 -> %7
  }
  loop [1] {
    %8 = load in0[d0, d1] : f32
    %9 = subf %8, %3 : f32
    %10 = expf %9 : f32
    %11 = divf %10, %7 : f32
    store %11 -> out0[d0, d1]
  }
}

kernel 1 "relu" {
  space [2 parallel, 4 parallel]
  in0 : f32 rank 2
  out0 : f32 rank 2
  stage {
    %0 = const 0.0 : f32
    %1 = load in0[d0, d1] : f32
    %2 = maxf %1, %0 : f32
    store %2 -> out0[d0, d1]
  }
}

kernel 2 "gather" {
  space [3 parallel, 8 parallel]
  in0 : i64 rank 1
  in1 : bf16 rank 2
  out0 : f32 rank 2
  stage {
    %0 = load in0[d0] : i64
    %1 = load in1[%0 checked, d1] : f32
    store %1 -> out0[d0, d1]
  }
}

kernel 3 "argmax" {
  space [2 parallel, 8]
  in0 : f32 rank 2
  out0 : i64 rank 1
  out1 : f32 rank 1
  stage {
    %0 = const -inf : f32
  }
  loop [1] {
    %1 = load in0[d0, d1] : f32
    %2 = index d1 : i64
    reduce argmax %1 at %2 init %0 -> %3, %4
  }
  stage {
    store %4 -> out0[d0]
    store %3 -> out1[d0]
  }
}

kernel 4 "decaying sum" {
  space [2 parallel, 8]
  in0 : f32 rank 2
  in1 : f32 rank 1
  out0 : f32 rank 1
  stage {
    %0 = load in1[d0] : f32
  }
  loop [1] {
    %1 = carry 0 : f32
    %2 = load in0[d0, d1] : f32
    %3 = const 0.5 : f32
    %4 = fmaf %1, %3, %2 : f32
    reduce custom %4 init %0 -> %5
  }
  stage {
    store %5 -> out0[d0]
  }
}

kernel 5 "stencil" {
  space [2 parallel, 4 parallel]
  in0 : f32 rank 2
  out0 : bf16 rank 2
  access #0 in0[d0, 2*d1 - 1 pad] else 0.25
  access #1 in0[d0, -d1 + 3 clamp]
  access #2 out0[d0, d1]
  stage {
    %0 = load #0 : f32
    %1 = load #1 : f32
    %2 = load #0 : f32
    %3 = cmpf ogt %0, %1 : i1
    %4 = select %3, %0, %2 : f32
    %5 = roundto bf16 %4 : f32
    %6 = floattosi %5 : i32
    %7 = const -7 : i32
    %8 = cmpi slt %6, %7 : i1
    %9 = uitofloat %8 : f32
    %10 = addf %5, %9 : f32
    store %10 -> #2
  }
}

entry "main" (%0, %1) -> (%2, %3, %10, %11, %19) {
  #0 tpc "tpc.softmax" launch 0 (%0) -> (%6) flops 64 bytes 128 loc 1
  #1 dma "copy" transfer (%6) -> (%7) after [#0]
  #2 mme "mme.gemm" gemm (%7, %4) -> (%8) after [#1] flops 128
  #3 tpc "tpc.relu" launch 1 (%8) -> (%9) after [#2]
  #4 dma "copy" transfer (%9) -> (%2) after [#3] loc 2
  #5 tpc "tpc.gather" launch 2 (%1, %5) -> (%3)
  #6 tpc "tpc.argmax" launch 3 (%0) -> (%10, %19)
  #7 tpc "tpc.sum" launch 4 (%0, %11) -> (%11)
  #8 mme "mme.conv" conv x "NHWC" w "OHWI" y "NHWC" strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] (%12, %13) -> (%14)
  #9 tpc "tpc.sort" library "sort" ints [2, 0, 1] (%14) -> (%15, %16) after [#8]
  #10 dma "fill" fill 0x3f80 () -> (%17)
  #11 tpc "tpc.stencil" launch 5 (%0) -> (%18) after [#10]
}

bytes @1 {
  0x000000000000803f0000004000004040000080400000a0400000c0400000e040
  0x0000004100001041000020410000304100004041000050410000604100007041
  0x00008041000088410000904100009841000000000000803f0000004000004040
  0x000080400000a0400000c0400000e04000000041000010410000204100003041
  0x803f004040408040a040c040e04000411041204130414041504160417041803f
  0x004040408040a040c040e0400041104120413041404150416041704180418841
  0x803f004040408040a040c040e0400041
}
)";

const char *const gradientText =
    R"(recipe 1.1 target "gaudi2" producer "recipe tests"

section @0 persistent 512 bytes

tensor %0 "x" input @0+0 f32[1,4,4,2]
tensor %1 "dy" input @0+128 f32[1,2,2,3]
tensor %2 "dw" output @0+192 f32[3,3,3,2]

entry "main" (%0, %1) -> (%2) {
  #0 mme "mme.conv_weight_grad" conv_weight_grad x "NHWC" w "OHWI" y "NHWC" strides [2, 2] dilations [1, 1] pad_low [1, -1] pad_high [0, 2] (%0, %1) -> (%2)
}
)";

const char *const rowsText =
    R"(recipe 1.2 target "gaudi2" producer "recipe tests"

section @0 persistent 512 bytes

tensor %0 "table" input @0+0 f32[1,4,3]
tensor %1 "ids" input @0+128 i32[1,2]
tensor %2 "rows" input @0+192 f32[1,2,3]
tensor %3 "sum" output @0+256 f32[1,4,3]

entry "main" (%0, %1, %2) -> (%3) {
  #0 tpc "scatter" library "scatter_rows" ints [1, 1] (%0, %1, %2) -> (%3)
}
)";

const char *const programText =
    R"(recipe 1.2 target "gaudi2" producer "recipe tests"

section @0 persistent 1024 bytes
section @1 const 32 bytes align 64

tensor %0 "n" input @0+0 i64[]
tensor %1 "y" output @0+64 f32[4]
tensor %2 "v" state @0+128 f32[4] initial %4
tensor %3 "goes_on" state @0+192 i1[]
tensor %4 "v.initial" const @1+0 f32[4]
tensor %5 "other" const @1+16 i32[4]
tensor %6 "head" state @0+128 f32[2] alias %2
tensor %7 "flags" state @0+256 i1[2]
tensor %8 "left" output @0+320 f32[4]

entry "main" (%0) -> (%1) program [launch 1 while %3 [launch 2 while %3 [launch 2]] launch 3] {
}

entry "main.before" (%0) -> () {
  #0 dma "fill" fill 0x1 () -> (%3)
}

entry "main.loop" () -> () {
  #0 dma "fill" fill 0x0 () -> (%3)
}

entry "main.after" () -> (%1) {
  #0 dma "copy" transfer (%2) -> (%1)
}

entry "alone" () -> (%8) {
  #0 dma "copy" transfer (%2) -> (%8)
}

bytes @1 {
  0x0000803f00000040000040400000804000000000000000000000000000000000
}
)";

const char *const fusionText =
    R"(recipe 1.3 target "gaudi2" producer "recipe tests"

location 1 "model.mlir:3:8"

section @0 persistent 128 bytes

tensor %0 "x" input @0+0 f32[4]
tensor %1 "y" output @0+64 f32[4]

entry "main" (%0) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%1)
}

fusion "adamw" fused "fused AdamW of 148 parameters" members 148 bytes_saved 4096 picoseconds_saved 1250
fusion "layer_norm" missed "not fused layer norm: it reads its mean elsewhere" picoseconds_saved -7 loc 1
)";

/// The recipe of a copy, after its version.
#define COPY_OF_X                                                              \
  R"( target "gaudi2" producer "recipe tests"

location 1 "model.mlir:3:8"
location 2 "model.mlir:9:1"

section @0 persistent 128 bytes

tensor %0 "x" input @0+0 f32[2,2]
tensor %1 "y" output @0+64 f32[2,2]

entry "main" (%0) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%1)
}
)"

const char *const permutationText = "recipe 1.4" COPY_OF_X R"(
region "main" transposes 2 -> 1 bytes 64 -> 32 picoseconds 900 -> 500 bound 400 ops 7 loc 1 {
  transpose kept "kept: argument 'x' has its caller's order" bytes 32 picoseconds 450 loc 2
  transpose removed "removed" loc 1
  op "argument x"
  op "mme.gemm" order [1, 0] loc 1
  op "tpc.add" loc 2
  edge 0 -> 1 transpose 0
  edge 1 -> 2
}
region "other" transposes 0 -> 0 bytes 0 -> 0 picoseconds 0 -> 0 bound 0 ops 0 incomplete {
}
)";

const char *const memoryText = "recipe 1.5" COPY_OF_X R"(
memory "main" program_order 4096 order 2048 order_bound 1024 planned 2176 planned_bound 2048 budget 2000 {
  sum view count 3 bytes 96 picoseconds 900
  sum copy count 1 bytes 32 picoseconds 450
  view "gaudi.reshape" bytes 64 picoseconds 500 loc 1
  in_place "tpc.add" bytes 16
  slice_write "gaudi.concat" bytes 16 loc 2
  state_update "tpc.sub"
  donation "gaudi.copy" bytes 8
  shared_constant "gaudi.constant" bytes 4
  copy "gaudi.concat" bytes 32 picoseconds 450 reader "mme.gemm" reader_loc 2 reason "reads rows" remedy "donate 'x'" loc 1
  recompute "tpc.exp" bytes 64 picoseconds -7
}
memory "other" {
}
)";

#undef COPY_OF_X

const char *const roundingText =
    R"(recipe 1.7 target "gaudi2" producer "recipe tests"

section @0 persistent 512 bytes

tensor %0 "x" input @0+0 f32[32]
tensor %1 "words" input @0+128 i32[32]
tensor %2 "y" output @0+256 f8E5M2[32]

kernel 0 "round_to" {
  space [32 parallel]
  in0 : f32 rank 1
  in1 : i32 rank 1
  out0 : f8E5M2 rank 1
  stage {
    %0 = load in0[d0] : f32
    %1 = load in1[d0] : i32
    %2 = roundby f8E5M2 stochastic_normal flush %0, %1 : f32
    store %2 -> out0[d0]
  }
}

entry "main" (%0, %1) -> (%2) {
  #0 tpc "round" launch 0 (%0, %1) -> (%2)
}
)";

const char *const dispatchText =
    R"(recipe 1.6 target "gaudi2" producer "recipe tests"

section @0 persistent 512 bytes

tensor %0 "x" input @0+0 f32[32]
tensor %1 "y" output @0+128 f32[32]
tensor %2 "rows" input @0+256 i32[]
tensor %3 "x.4" input @0+0 f32[4,2] alias %0
tensor %4 "y.4" output @0+128 f32[8] alias %1
tensor %5 "x.8" input @0+0 f32[3,8] perm[1,0] alias %0
tensor %6 "y.8" output @0+128 f32[24] alias %1
tensor %7 "cells" input @0+260 i32[1]
tensor %8 "state" state @0+320 f32[2]
tensor %9 "y.4 as rows" output @0+128 f32[4,2] alias %4
tensor %10 "y.8 as rows" output @0+128 f32[3,8] alias %6
tensor %11 "other" state @0+384 f32[2]

entry "main" dispatch {
  symbol "rows" 1 to 7
  symbol "columns" 2 to 3
  input "x" f32[s0, s1]
  input "state" f32[2]
  output "y" f32[(s0 * s1)]
  variant 1 sizes [4, 2] picoseconds 900 extent 1 = s0
  variant 2 sizes [8, 3] extent 1 = (((s0 - 1) max 0) + 1) extent 3 = ((s0 * s1) min 24)
}

entry "main.0" (%3, %2, %8) -> (%4) {
  #0 dma "copy" transfer (%3) -> (%9)
}

entry "main.1" (%5, %2, %8, %7) -> (%6) {
  #0 dma "copy" transfer (%5) -> (%10)
}
)";

const char *const attentionText =
    R"(recipe 1.3 target "gaudi2" producer "recipe tests"

section @0 persistent 4096 bytes

tensor %0 "query" input @0+0 f32[1,2,3,2]
tensor %1 "key" input @0+256 f32[1,1,2,4]
tensor %2 "value" input @0+512 f32[1,1,4,2]
tensor %3 "mask" input @0+768 i1[1,1,3,4]
tensor %4 "lengths" input @0+1024 i32[1]
tensor %5 "seed" input @0+1280 i32[1]
tensor %6 "dO" input @0+1536 f32[1,3,2,2]
tensor %7 "output" output @0+1792 f32[1,3,2,2]
tensor %8 "m" output @0+2048 f32[1,2,3,1]
tensor %9 "linv" output @0+2304 f32[1,2,3,1]
tensor %10 "used" output @0+2560 i32[1]
tensor %11 "dq" output @0+2816 f32[1,2,3,2]
tensor %12 "dk" output @0+3072 f32[1,1,2,4]
tensor %13 "dv" output @0+3328 f32[1,1,4,2]

entry "main" (%0, %1, %2, %3, %4, %5, %6) -> (%7, %8, %9, %10, %11, %12, %13) {
  #0 mme "sdpa" attention with [mask, valid_lengths, seed] makes [m, linv, seed] q "NHLD" k "NHDL" v "NHLD" o "NLHD" scale 0.5 mask_value -10.0 dropout 0.25 window 3 causal padding_left softmax_mode fast slice [2, 4] (%0, %1, %2, %3, %4, %5) -> (%7, %8, %9, %10)
  #1 mme "sdpa_grad" attention_grad with [output, mask, valid_lengths, seed, m, linv] q "NHLD" k "NHDL" v "NHLD" o "NLHD" scale 0.5 mask_value -10.0 dropout 0.25 window 3 causal padding_left (%6, %0, %1, %2, %7, %3, %4, %10, %8, %9) -> (%11, %12, %13)
}
)";

} // namespace gaudi::recipe::test
