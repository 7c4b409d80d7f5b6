// A choice of boxes that the time limit ends says so.
// RUN: printf 'n,m,count\n3,5,90\n8,2,10\n5,5,7\n' > %t.csv
// RUN: gaudi-opt %s --gaudi-plan-buckets="strategy=optimal:2 histogram=%t.csv cost=elements time-limit=1e-9" --remark-policy=all --remarks-filter="gaudi-plan-buckets" -o /dev/null 2>&1 | FileCheck %s
// RUN: gaudi-opt %s --gaudi-plan-buckets="strategy=optimal:2 histogram=%t.csv cost=elements" --remark-policy=all --remarks-filter="gaudi-plan-buckets" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE --implicit-check-not="time limit"
// CHECK: chose 2 buckets with {{.*}}; the time limit of 1e-09 s ended the search
// WHOLE: chose 2 buckets with
func.func @main(%x: tensor<?x?xf32> {gaudi.dims = ["n=1..8", "m=1..8"], gaudi.shape = affine_map<()[s0, s1] -> (s0, s1)>})
    -> (tensor<?x?xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s0, s1)>})
    attributes {gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}, {name = "m", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]} {
  %0 = "stablehlo.add"(%x, %x) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
