// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @embedding(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x4xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.gather"(%[[ARG0]], %[[ARG1]]) index_space [2, 4, 3] parallel [true, true, true] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<5x3xf32>, %[[IN1_2:[a-z0-9_-]+]]: tensor<2x4xi32>, %[[OUT0_3:[a-z0-9_-]+]]: tensor<2x4x3xf32>):
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_2]][d0, d1] : tensor<2x4xi32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = arith.extsi %[[V4]] : i32 to i64
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.constant 4 : i64
// CHECK:   %[[V7:[a-z0-9_-]+]] = arith.minsi %[[V5]], %[[V6]] : i64
// CHECK:   %[[V8:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.maxsi %[[V7]], %[[V8]] : i64
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][%[[V9]], d2] boundary [#gaudi.boundary<clamp>, #gaudi.boundary<inside>] : tensor<5x3xf32>
// CHECK:   gaudi.kernel.store %[[V10]], %[[OUT0_3]][d0, d1, d2] : tensor<2x4x3xf32>
// CHECK:   return %[[V0]] : tensor<2x4x3xf32>
func.func @embedding(%x: tensor<5x3xf32>, %i: tensor<2x4xi32>) -> tensor<2x4x3xf32> {
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @gather_points(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<4x2xi64>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.gather"(%[[ARG0]], %[[ARG1]]) index_space [4] parallel [true] : (tensor<5x3xf32>, tensor<4x2xi64>) -> tensor<4xf32> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<5x3xf32>, %[[IN1_2:[a-z0-9_-]+]]: tensor<4x2xi64>, %[[OUT0_3:[a-z0-9_-]+]]: tensor<4xf32>):
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_2]][d0, 0] : tensor<4x2xi64>
// CHECK:   %[[V5:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.minsi %[[V4]], %[[V5]] : i64
// CHECK:   %[[V7:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V8:[a-z0-9_-]+]] = arith.maxsi %[[V6]], %[[V7]] : i64
// CHECK:   %[[V9:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_2]][d0, 1] : tensor<4x2xi64>
// CHECK:   %[[V10:[a-z0-9_-]+]] = arith.constant 4 : i64
// CHECK:   %[[V11:[a-z0-9_-]+]] = arith.minsi %[[V9]], %[[V10]] : i64
// CHECK:   %[[V12:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V13:[a-z0-9_-]+]] = arith.maxsi %[[V11]], %[[V12]] : i64
// CHECK:   %[[V14:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][%[[V13]], %[[V8]]] boundary [#gaudi.boundary<clamp>, #gaudi.boundary<clamp>] : tensor<5x3xf32>
// CHECK:   gaudi.kernel.store %[[V14]], %[[OUT0_3]][d0] : tensor<4xf32>
// CHECK:   return %[[V0]] : tensor<4xf32>
func.func @gather_points(%x: tensor<5x3xf32>, %i: tensor<4x2xi64>) -> tensor<4xf32> {
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x3xf32>, tensor<4x2xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @gather_batch(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x5xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x1xui32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.gather"(%[[ARG0]], %[[ARG1]]) index_space [2, 3] parallel [true, true] : (tensor<2x5xf32>, tensor<2x1xui32>) -> tensor<2x3xf32> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<2x5xf32>, %[[IN1_2:[a-z0-9_-]+]]: tensor<2x1xui32>, %[[OUT0_3:[a-z0-9_-]+]]: tensor<2x3xf32>):
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_2]][d0, 0] : tensor<2x1xui32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = arith.extui %[[V4]] : i32 to i64
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.constant 2 : i64
// CHECK:   %[[V7:[a-z0-9_-]+]] = arith.minsi %[[V5]], %[[V6]] : i64
// CHECK:   %[[V8:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.maxsi %[[V7]], %[[V8]] : i64
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:   %[[V11:[a-z0-9_-]+]] = arith.addi %[[V9]], %[[V10]] : i64
// CHECK:   %[[V12:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][d0, %[[V11]]] boundary [#gaudi.boundary<inside>, #gaudi.boundary<clamp>] : tensor<2x5xf32>
// CHECK:   gaudi.kernel.store %[[V12]], %[[OUT0_3]][d0, d1] : tensor<2x3xf32>
// CHECK:   return %[[V0]] : tensor<2x3xf32>
func.func @gather_batch(%x: tensor<2x5xf32>, %i: tensor<2x1xui32>) -> tensor<2x3xf32> {
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<2x5xf32>, tensor<2x1xui32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @scatter_add(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x1xi32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[ROWS:.*]] = gaudi.tpc.kernel label "stablehlo.scatter"(%[[ARG1]]) index_space [2] parallel [true] : (tensor<2x1xi32>) -> tensor<2xi64> {
// CHECK:   arith.muli
// CHECK:   %[[NOWHERE:.*]] = arith.constant 5 : i64
// CHECK-NEXT: arith.select %{{.*}}, %{{.*}}, %[[NOWHERE]] : i64
// CHECK:   %[[AT:.*]] = gaudi.reshape %[[ROWS]] : tensor<2xi64> -> tensor<1x2xi64>
// CHECK:   %[[UPDATES:.*]] = gaudi.reshape %[[ARG2]] : tensor<2x3xf32> -> tensor<1x2x3xf32>
// CHECK:   %[[DATA:.*]] = gaudi.reshape %[[ARG0]] : tensor<5x3xf32> -> tensor<1x5x3xf32>
// CHECK:   gaudi.tpc.scatter_rows %[[DATA]], %[[AT]], %[[UPDATES]] accumulate drop_outside : tensor<1x5x3xf32>, tensor<1x2xi64>, tensor<1x2x3xf32> -> tensor<1x5x3xf32>
func.func @scatter_add(%x: tensor<5x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<5x3xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func.func @scatter_update(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x1xi32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[ROWS:.*]] = gaudi.tpc.kernel label "stablehlo.scatter"(%[[ARG1]]) index_space [2] parallel [true] : (tensor<2x1xi32>) -> tensor<2xi64> {
// CHECK:   arith.muli
// CHECK:   %[[NOWHERE:.*]] = arith.constant 5 : i64
// CHECK-NEXT: arith.select %{{.*}}, %{{.*}}, %[[NOWHERE]] : i64
// CHECK:   %[[AT:.*]] = gaudi.reshape %[[ROWS]] : tensor<2xi64> -> tensor<1x2xi64>
// CHECK:   %[[UPDATES:.*]] = gaudi.reshape %[[ARG2]] : tensor<2x3xf32> -> tensor<1x2x3xf32>
// CHECK:   %[[DATA:.*]] = gaudi.reshape %[[ARG0]] : tensor<5x3xf32> -> tensor<1x5x3xf32>
// CHECK:   gaudi.tpc.scatter_rows %[[DATA]], %[[AT]], %[[UPDATES]] drop_outside : tensor<1x5x3xf32>, tensor<1x2xi64>, tensor<1x2x3xf32> -> tensor<1x5x3xf32>
func.func @scatter_update(%x: tensor<5x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<5x3xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func.func @scatter_maximum(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<5x3xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x1xi32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<2x3xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.scatter"(%[[ARG1]]) index_space [2, 3] parallel [true, true] : (tensor<2x1xi32>) -> tensor<2x3xi64> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<2x1xi32>, %[[OUT0_2:[a-z0-9_-]+]]: tensor<2x3xi64>):
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.kernel.index 1
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][d0, 0] : tensor<2x1xi32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = arith.extsi %[[V4]] : i32 to i64
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V7:[a-z0-9_-]+]] = arith.cmpi sge, %[[V5]], %[[V6]] : i64
// CHECK:   %[[V8:[a-z0-9_-]+]] = arith.constant 4 : i64
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.cmpi sle, %[[V5]], %[[V8]] : i64
// CHECK:   %[[V10:[a-z0-9_-]+]] = arith.andi %[[V7]], %[[V9]] : i1
// CHECK:   %[[V11:[a-z0-9_-]+]] = arith.constant 0 : i64
// CHECK:   %[[V12:[a-z0-9_-]+]] = arith.constant 5 : i64
// CHECK:   %[[V13:[a-z0-9_-]+]] = arith.muli %[[V11]], %[[V12]] : i64
// CHECK:   %[[V14:[a-z0-9_-]+]] = arith.addi %[[V13]], %[[V5]] : i64
// CHECK:   %[[V15:[a-z0-9_-]+]] = arith.constant 3 : i64
// CHECK:   %[[V16:[a-z0-9_-]+]] = arith.muli %[[V14]], %[[V15]] : i64
// CHECK:   %[[V17:[a-z0-9_-]+]] = arith.addi %[[V16]], %[[V3]] : i64
// CHECK:   %[[V18:[a-z0-9_-]+]] = arith.constant 15 : i64
// CHECK:   %[[V19:[a-z0-9_-]+]] = arith.select %[[V10]], %[[V17]], %[[V18]] : i64
// CHECK:   gaudi.kernel.store %[[V19]], %[[OUT0_2]][d0, d1] : tensor<2x3xi64>
// CHECK:   %[[V20:[a-z0-9_-]+]] = gaudi.reshape %[[V0]] : tensor<2x3xi64> -> tensor<6xi64>
// CHECK:   %[[V21:[a-z0-9_-]+]] = gaudi.reshape %[[ARG2]] : tensor<2x3xf32> -> tensor<6xf32>
// CHECK:   %[[V22:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<5x3xf32> -> tensor<15xf32>
// CHECK:   %[[V23:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.scatter"(%[[V22]], %[[V20]], %[[V21]]) index_space [15, 6] parallel [true, false] : (tensor<15xf32>, tensor<6xi64>, tensor<6xf32>) -> tensor<15xf32> {
// CHECK:   ^bb0(%[[IN0_24:[a-z0-9_-]+]]: tensor<15xf32>, %[[IN1_25:[a-z0-9_-]+]]: tensor<6xi64>, %[[IN2_26:[a-z0-9_-]+]]: tensor<6xf32>, %[[OUT0_27:[a-z0-9_-]+]]: tensor<15xf32>):
// CHECK:   %[[V28:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_24]][d0] : tensor<15xf32>
// CHECK:   %[[V29:[a-z0-9_-]+]] = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>] init(%[[V28]]) : f32 {
// CHECK:   ^bb0(%[[ARG3_30:[a-z0-9_-]+]]: f32):
// CHECK:   %[[V31:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN2_26]][d1] : tensor<6xf32>
// CHECK:   %[[V32:[a-z0-9_-]+]] = arith.maximumf %[[ARG3_30]], %[[V31]] : f32
// CHECK:   %[[V33:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_25]][d1] : tensor<6xi64>
// CHECK:   %[[V34:[a-z0-9_-]+]] = gaudi.kernel.index 0
// CHECK:   %[[V35:[a-z0-9_-]+]] = arith.cmpi eq, %[[V33]], %[[V34]] : i64
// CHECK:   %[[V36:[a-z0-9_-]+]] = arith.select %[[V35]], %[[V32]], %[[ARG3_30]] : f32
// CHECK:   gaudi.kernel.yield %[[V36]] : f32
// CHECK:   gaudi.kernel.store %[[V29]], %[[OUT0_27]][d0] : tensor<15xf32>
// CHECK:   %[[V37:[a-z0-9_-]+]] = gaudi.reshape %[[V23]] : tensor<15xf32> -> tensor<5x3xf32>
// CHECK:   return %[[V37]] : tensor<5x3xf32>
func.func @scatter_maximum(%x: tensor<5x3xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<5x3xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<5x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func.func @sort(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]], %[[V1:[a-z0-9_-]+]] = gaudi.tpc.sort %[[ARG0]] axis 0 : tensor<4xf32> -> tensor<4xf32>, tensor<4xi64>
// CHECK:   return %[[V0]] : tensor<4xf32>
func.func @sort(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @sort_by_key(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<4xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]], %[[V1:[a-z0-9_-]+]] = gaudi.tpc.sort %[[ARG0]] axis 0 descending : tensor<4xf32> -> tensor<4xf32>, tensor<4xi64>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.gather_elements %[[ARG1]], %[[V1]] axis 0 : tensor<4xi32>, tensor<4xi64> -> tensor<4xi32>
// CHECK:   return %[[V0]], %[[V2]] : tensor<4xf32>, tensor<4xi32>
func.func @sort_by_key(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r:2 = "stablehlo.sort"(%x, %i) <{dimension = -1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %s = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @top_k(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x4xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]], %[[V1:[a-z0-9_-]+]] = gaudi.tpc.top_k %[[ARG0]] axis 1 : tensor<2x4xf32> -> tensor<2x3xf32>, tensor<2x3xi32>
// CHECK:   return %[[V0]], %[[V1]] : tensor<2x3xf32>, tensor<2x3xi32>
func.func @top_k(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %r:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<2x3xi32>
}
