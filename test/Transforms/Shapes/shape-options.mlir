// Bounds and buckets as options.
// RUN: gaudi-opt %s --gaudi-infer-symbols="shape=x:n=1..64" --gaudi-bucket-shapes="buckets=8;64" | FileCheck %s
// RUN: gaudi-opt %s --gaudi-infer-symbols="shape=x:n=1..64" | FileCheck %s --check-prefix=SYMBOLS
// RUN: not gaudi-opt %s --gaudi-infer-symbols="shape=x:n=1..64" --gaudi-bucket-shapes="buckets=8;six" 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not gaudi-opt %s --gaudi-infer-symbols="shape=x" 2>&1 | FileCheck %s --check-prefix=ITEM
// RUN: not gaudi-opt %s --gaudi-infer-symbols="shape=z:n=1..2" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gaudi-opt %s --gaudi-infer-symbols="shape=x:n=1..2,m=3,k=4" 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not gaudi-opt %s --gaudi-infer-symbols="shape=x:n=1..4,m=2..8" 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: sed 's/@static/@other/; s/4xf32> loc/?xf32> loc/' %s | not gaudi-opt --gaudi-infer-symbols="shape=x:n=1..2" 2>&1 | FileCheck %s --check-prefix=TWO

// CHECK: func @main.1(%{{.*}}: tensor<64x8xf32>
// SYMBOLS: name = "n"
// LIST: buckets: '8;six' is not a list of sizes such as '8,64;16,64'
// ITEM: option 'shape': 'x' is not of the form INPUT:NAME=MIN..MAX,...; the name of the input comes first
// NAME: option 'shape': function 'main' has no argument 'z'; it has 'x', 'y'
// COUNT: option 'shape': argument 'x' has 1 dynamic dimension of 2 but got 3 entries; write NAME=MIN..MAX for each dynamic dimension, in order
// STATIC: option 'shape': dimension 1 of argument 'x' is 8 in the model, so 'm=2..8' cannot bound it; name the dynamic dimensions only: x:n=1..4
// TWO: option 'shape': it speaks of one function with dynamic dimensions, and '{{.*}}' is another one than '{{.*}}'; choose one with --entry, or bound each with 'gaudi.dims'
func.func @main(%x: tensor<?x8xf32> loc("x"), %y: tensor<4xf32> loc("y")) -> tensor<?x8xf32> {
  %0 = "stablehlo.abs"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
func.func @static(%x: tensor<4xf32> loc("x")) {
  return
}
