// Products as the chips add them (docs/numerics.md). One row times a column of
// ones: 1 and three times 2^-25. gaudi2 adds eight products exactly and rounds
// once, to 1 + 2^-23; gaudi3 cuts each to 24 bits below the largest, gaudi adds
// them one by one to four sums: 1 for both.
// DEFINE: %{run} = gaudi-run %s "--input=1x8xbf16=1 2.98023223876953125e-08 2.98023223876953125e-08 2.98023223876953125e-08 0 0 0 0" "--input=8x1xbf16=1 1 1 1 1 1 1 1"
// RUN: %{run} --device=gaudi2 --numerics=chip --entry=product "--expect=1x1xf32=1.00000011920928955" --atol=0 --rtol=0 | FileCheck %s --check-prefix=GAUDI2
// GAUDI2: --numerics=chip: 1 matrix product as gaudi2 adds them; nothing is published for the other 0 commands, which are exact
// RUN: %{run} --device=gaudi3 --numerics=chip --entry=product "--expect=1x1xf32=1" --atol=0 --rtol=0
// RUN: env GAUDI_NUMERICS=chip %{run} --device=gaudi --entry=product "--expect=1x1xf32=1" --atol=0 --rtol=0
// RUN: env GAUDI_NUMERICS=chip %{run} --device=gaudi3 --numerics=exact --entry=product --report=text | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: (chip)
// RUN: not env GAUDI_NUMERICS=fast %{run} --entry=product 2>&1 | FileCheck %s --check-prefix=ENVIRONMENT
// ENVIRONMENT: the environment variable GAUDI_NUMERICS is 'fast'; set it to exact or chip
// RUN: not gaudi-run %s --numerics=fast 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: --numerics: expected one of exact, chip but got 'fast'

// What is not published is computed as before, and the run says so.
// RUN: gaudi-run %s --entry=wide --seed-inputs=1 --check --numerics=chip --device=gaudi3 | FileCheck %s --check-prefix=WIDE
// WIDE: --numerics=chip: 0 matrix products as gaudi3 adds them; nothing is published for the other 2 commands, which are exact
// WIDE: --check passed

// Batches, transposed and broadcast operands. Other samples have subnormal sums,
// which the chip flushes.
// RUN: gaudi-run %s --entry=batch --seed-inputs=1 --check --check-samples=0 --numerics=chip --device=gaudi2 | FileCheck %s --check-prefix=BATCH
// BATCH: --numerics=chip: 2 matrix products as gaudi2
// BATCH: --check passed

func.func @product(%a: tensor<1x8xbf16>, %b: tensor<8x1xbf16>) -> tensor<1x1xf32> {
  %0 = gaudi.mme.gemm %a, %b : tensor<1x8xbf16>, tensor<8x1xbf16> -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

func.func @wide(%a: tensor<5x7xf32>, %b: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %0 = gaudi.mme.gemm %a, %b : tensor<5x7xf32>, tensor<7x3xf32> -> tensor<5x3xf32>
  %1 = gaudi.tpc.exp %0 : tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}

func.func @batch(%a: tensor<3x2x7x5xbf16>, %b: tensor<1x2x7x4xbf16>, %c: tensor<6x4xf8E4M3FN>,
                 %d: tensor<9x4xf8E4M3FN>) -> (tensor<3x2x5x4xbf16>, tensor<6x9xf32>) {
  %0 = gaudi.mme.gemm %a, %b transpose_a : tensor<3x2x7x5xbf16>, tensor<1x2x7x4xbf16> -> tensor<3x2x5x4xbf16>
  %1 = gaudi.mme.gemm %c, %d transpose_b : tensor<6x4xf8E4M3FN>, tensor<9x4xf8E4M3FN> -> tensor<6x9xf32>
  return %0, %1 : tensor<3x2x5x4xbf16>, tensor<6x9xf32>
}
