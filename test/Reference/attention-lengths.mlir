// Keys and values beyond the valid lengths are read by no result, even if they are NaN or infinite.
// RUN: gaudi-run %s --entry=statistics --seed-inputs=1 --check -i arg1=1x3x2xf32="1 2 3 4 inf nan" -i arg4=1xi32=2 --print=8 | FileCheck %s
// RUN: gaudi-run %s --entry=statistics --seed-inputs=1 --check -i arg2=1x3x2xf32="1 2 3 4 nan inf" -i arg4=1xi32=2 --print=8 | FileCheck %s
// RUN: gaudi-run %s --entry=wide --seed-inputs=1 --check -i arg1=1x3x2xbf16="1 2 3 4 nan inf" -i arg4=1xi32=2 --print=8 | FileCheck %s
// CHECK-NOT: {{(nan|inf)[],]}}

func.func @statistics(%q: tensor<1x5x2xf32>, %k: tensor<1x3x2xf32>, %v: tensor<1x3x2xf32>, %do: tensor<1x5x2xf32>, %lengths: tensor<1xi32>) -> (tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>) {
  %o:3 = gaudi.sdpa %q, %k, %v lengths %lengths scale 0.5 saves <statistics> : (tensor<1x5x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1xi32>) -> (tensor<1x5x2xf32>, tensor<1x5x1xf32>, tensor<1x5x1xf32>)
  %g:3 = gaudi.sdpa_grad %do, %q, %k, %v lengths %lengths m %o#1 linv %o#2 scale 0.5 : (tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1xi32>, tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> (tensor<1x5x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>)
  return %o#0, %g#0, %g#1, %g#2 : tensor<1x5x2xf32>, tensor<1x5x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>
}

func.func @wide(%q: tensor<1x5x2xbf16>, %k: tensor<1x3x2xbf16>, %v: tensor<1x3x2xbf16>, %do: tensor<1x5x2xbf16>, %lengths: tensor<1xi32>) -> (tensor<1x5x2xbf16>, tensor<1x5x2xbf16>, tensor<1x3x2xbf16>, tensor<1x3x2xbf16>) {
  %o:3 = gaudi.sdpa %q, %k, %v lengths %lengths scale 0.5 saves <statistics> : (tensor<1x5x2xbf16>, tensor<1x3x2xbf16>, tensor<1x3x2xbf16>, tensor<1xi32>) -> (tensor<1x5x2xbf16>, tensor<1x5x1xbf16>, tensor<1x5x1xf32>)
  %g:3 = gaudi.sdpa_grad %do, %q, %k, %v output %o#0 lengths %lengths m %o#1 linv %o#2 scale 0.5 : (tensor<1x5x2xbf16>, tensor<1x5x2xbf16>, tensor<1x3x2xbf16>, tensor<1x3x2xbf16>, tensor<1x5x2xbf16>, tensor<1xi32>, tensor<1x5x1xbf16>, tensor<1x5x1xf32>) -> (tensor<1x5x2xbf16>, tensor<1x3x2xbf16>, tensor<1x3x2xbf16>)
  return %o#0, %g#0, %g#1, %g#2 : tensor<1x5x2xbf16>, tensor<1x5x2xbf16>, tensor<1x3x2xbf16>, tensor<1x3x2xbf16>
}
