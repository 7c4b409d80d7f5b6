// The choice of buckets between symbols and variants.
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=explicit:2,8" | FileCheck %s
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=explicit:1,2,3,4,8 pattern" | FileCheck %s --check-prefix=PATTERN
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=explicit:2,8" --remark-policy=all --remarks-filter="gaudi-plan-buckets" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: printf 'n,count\n3,90\n8,10\n' > %t.csv
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=optimal:2 histogram=%t.csv cost=elements" --remark-policy=all --remarks-filter="gaudi-plan-buckets" 2>&1 | FileCheck %s --check-prefix=HISTOGRAM
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=optimal:2 histogram=%t.csv" --remark-policy=all --remarks-filter="gaudi-plan-buckets" 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: printf 'n,cost\n1,10\n8,80\n' > %t.costs.csv
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=optimal:2 histogram=%t.csv cost=%t.costs.csv" | FileCheck %s --check-prefix=TABLE
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=optimal:2 histogram=%t.csv device=gaudi9" 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: printf 'n,count\n3,90\n9,5\n8,10\n0,2\n' > %t.outside.csv
// RUN: gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=optimal:2 histogram=%t.outside.csv cost=elements" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not gaudi-opt %s --split-input-file --gaudi-plan-buckets="strategy=cubic:2" 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not gaudi-opt %s --split-input-file --gaudi-plan-buckets="time-limit=-1" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: gaudi-opt %s --split-input-file --gaudi-compile="buckets=explicit:2,8" | FileCheck %s --check-prefix=VARIANTS

// CHECK: func.func @main(
// CHECK-SAME: gaudi.boxes = [array<i64: 2>, array<i64: 8>]
// The largest of many is the pattern of the others.
// PATTERN: gaudi.boxes = [array<i64: 7>, array<i64: 1>, array<i64: 4>, array<i64: 7>, array<i64: 8>], gaudi.missing_boxes = [array<i64: 1>, array<i64: 2>, array<i64: 3>, array<i64: 4>], gaudi.source_samples = 2
// REMARK: remark: [Passed] plan {{.*}} Remark="chose 2 buckets: n=2,8"
// HISTOGRAM: chose 2 buckets with 0.0 % of padding, at least 0.0 %: n=3,8
// HISTOGRAM: gaudi.boxes = [array<i64: 3>, array<i64: 8>]
// Launches of this function take the same at any size: one bucket is enough.
// TIME: predicted launches of 5 sizes in {{[0-9.]+}} s: each was compiled
// TIME: chose 1 buckets with 0.0 % of device time for padding, at least 0.0 %: n=8
// TIME: gaudi.boxes = [array<i64: 8>]
// TABLE: gaudi.boxes = [array<i64: 3>, array<i64: 8>]
// WARNING: warning: the buckets of 'main' are chosen by elements, not by device time: gaudi-compile: {{.*}}gaudi9
// WARNING: gaudi.boxes = [array<i64: 3>, array<i64: 8>]
// OUTSIDE: warning: the buckets of 'main' are chosen without 7 of 107 launches of the histogram, whose sizes the model does not take, such as n 9 in line 3, expected 1 to 8
// OUTSIDE: gaudi.boxes = [array<i64: 3>, array<i64: 8>]
// ERROR: error: option 'buckets': cannot choose the buckets of 'main': {{.*}}'cubic
// LIMIT: error: option 'time-limit': cannot choose the buckets of 'main': time-limit must be between 0 and 1e9 seconds but is -1
// VARIANTS: func.func private @main({{.*}}gaudi.buckets = [@main.0, @main.1]
// VARIANTS: func.func @main.0(%{{.*}}: tensor<2xf32>
// VARIANTS: func.func @main.1(%{{.*}}: tensor<8xf32>
func.func @main(%x: tensor<?xf32> {gaudi.dims = ["n=1..8"], gaudi.shape = affine_map<()[s0] -> (s0)>})
    -> (tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]} {
  %0 = "stablehlo.add"(%x, %x) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Functions without symbols stay as they are.
// CHECK: func.func @static(%arg0: tensor<4xf32>) -> tensor<4xf32> {
func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
