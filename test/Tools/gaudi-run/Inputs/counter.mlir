// A counter, and what else a model may keep between launches.
ml_program.global private mutable @count(dense<10> : tensor<i64>) : tensor<i64>
ml_program.global private @scale(dense<2.0> : tensor<2xf32>) : tensor<2xf32>
tosa.variable @sum = dense<[0.5, 0.25]> : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> (tensor<i64>, tensor<2xf32>) {
  %one = arith.constant dense<1> : tensor<i64>
  %0 = ml_program.global_load @count : tensor<i64>
  %1 = arith.addi %0, %one : tensor<i64>
  ml_program.global_store @count = %1 : tensor<i64>
  %s = ml_program.global_load_const @scale : tensor<2xf32>
  %old = tosa.variable_read @sum : tensor<2xf32>
  %2 = arith.mulf %old, %s : tensor<2xf32>
  %new = arith.addf %2, %x : tensor<2xf32>
  tosa.variable_write @sum, %new : tensor<2xf32>
  return %1, %new : tensor<i64>, tensor<2xf32>
}
func.func @peek() -> (tensor<i64>, tensor<2xf32>) {
  %0 = ml_program.global_load @count : tensor<i64>
  %1 = tosa.variable_read @sum : tensor<2xf32>
  return %0, %1 : tensor<i64>, tensor<2xf32>
}
