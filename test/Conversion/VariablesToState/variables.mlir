// RUN: gaudi-opt %s --convert-variables-to-state | FileCheck %s
// RUN: gaudi-opt %s --convert-variables-to-state --remarks-filter=convert-variables-to-state --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-NOT: ml_program
// CHECK-NOT: tosa.variable
// REMARK: variables.mlir:[[#@LINE+1]]:{{.*}}made state of variable 'count': it keeps its value from launch to launch
ml_program.global private mutable @count(dense<7> : tensor<i64>) : tensor<i64>
// REMARK: variables.mlir:[[#@LINE+1]]:{{.*}}made state of variable 'sum': it keeps its value from launch to launch, and starts as zeros
tosa.variable @sum : tensor<2xf32>
// REMARK: variables.mlir:[[#@LINE+1]]:{{.*}}made a constant of variable 'seed': no function writes it
ml_program.global private mutable @seed(dense<5> : tensor<i64>) : tensor<i64>
ml_program.global private @weights(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>

// Program order: the second read sees the first write.
// CHECK-LABEL: func.func @order(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<i64>,
// CHECK-SAME: %[[COUNT:[a-z0-9]+]]: tensor<i64> {gaudi.initial = dense<7> : tensor<i64>, gaudi.state = 2 : i64, gaudi.variable = "count"})
// CHECK: %[[ONCE:.*]] = gaudi.tpc.add %[[COUNT]], %[[X]]
// CHECK: %[[TWICE:.*]] = gaudi.tpc.add %[[ONCE]], %[[X]]
// CHECK: return %[[COUNT]], %[[ONCE]], %[[TWICE]]
func.func @order(%x: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  %0 = ml_program.global_load @count : tensor<i64>
  %1 = gaudi.tpc.add %0, %x : tensor<i64>, tensor<i64> -> tensor<i64>
  ml_program.global_store @count = %1 : tensor<i64>
  %2 = ml_program.global_load @count : tensor<i64>
  %3 = gaudi.tpc.add %2, %x : tensor<i64>, tensor<i64> -> tensor<i64>
  ml_program.global_store @count = %3 : tensor<i64>
  return %0, %2 : tensor<i64>, tensor<i64>
}

// The graph forms, whose tokens allow program order.
// CHECK-LABEL: func.func @graph(
// CHECK-SAME: gaudi.state = 0 : i64, gaudi.variable = "count"
// CHECK-NOT: token
// CHECK: return
func.func @graph() {
  %start = ml_program.token
  %0, %loaded = ml_program.global_load_graph @count ordering(%start -> !ml_program.token) : tensor<i64>
  %1 = gaudi.tpc.add %0, %0 : tensor<i64>, tensor<i64> -> tensor<i64>
  %stored = ml_program.global_store_graph @count = %1 ordering(%loaded -> !ml_program.token) : tensor<i64>
  return
}

// Only read here, written elsewhere: state without a result.
// CHECK-LABEL: func.func @reads(
// CHECK-SAME: gaudi.state, gaudi.variable = "count"}) -> tensor<i64>
func.func @reads() -> tensor<i64> {
  %0 = ml_program.global_load @count : tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @tosa(
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<2xf32> {gaudi.initial = dense<0.000000e+00> : tensor<2xf32>, gaudi.state = 1 : i64, gaudi.variable = "sum"}
// CHECK: %[[NEW:.*]] = tosa.add %[[SUM]],
// CHECK: return %[[SUM]], %[[NEW]]
func.func @tosa(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.variable_read @sum : tensor<2xf32>
  %1 = tosa.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  tosa.variable_write @sum, %1 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @constants() -> (tensor<i64>, tensor<2xf32>)
// CHECK-DAG: arith.constant dense<5> : tensor<i64>
// CHECK-DAG: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
func.func @constants() -> (tensor<i64>, tensor<2xf32>) {
  %0 = ml_program.global_load @seed : tensor<i64>
  %1 = ml_program.global_load_const @weights : tensor<2xf32>
  return %0, %1 : tensor<i64>, tensor<2xf32>
}

// A read inside another op sees the value before it.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[N:[a-z0-9]+]]: tensor<i64> {gaudi.initial
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[N]]
func.func @nested(%c: i1, %x: tensor<i64>) -> tensor<i64> {
  %0 = scf.if %c -> tensor<i64> {
    %1 = ml_program.global_load @count : tensor<i64>
    scf.yield %1 : tensor<i64>
  } else {
    scf.yield %x : tensor<i64>
  }
  return %0 : tensor<i64>
}
