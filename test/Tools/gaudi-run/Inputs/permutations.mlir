module attributes {gaudi.permutations = [
    {entry = "main", loc = loc("model.mlir":3:8), ops_in_all = 7 : i64, transposes_before = 2 : i64,
     transposes_after = 1 : i64, bytes_before = 64 : i64, bytes_after = 32 : i64, picoseconds_before = 9000000 : i64,
     picoseconds_after = 5000000 : i64, lower_bound = 4000000 : i64, complete = true,
     transposes = [{remains = true, loc = loc("model.mlir":3:8), bytes = 32 : i64, picoseconds = 450 : i64,
                    text = "kept: transpose <img src=x>"},
                   {remains = false, bytes = 7 : i64, text = "removed"}],
     ops = [{name = "argument x"}, {name = "mme.gemm", order = array<i64: 1, 0>, loc = loc("model.mlir":3:8)},
            {name = "tpc.add+more+mul+and+on", order = array<i64: 0, 1>}, {name = "tpc.x"}],
     edges = array<i32: 0, 1, 0, 1, 2, -1, 1, 3, 1>},
    {entry = "main", ops_in_all = 0 : i64, transposes = [], ops = [], edges = array<i32>}]} {
  func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = gaudi.tpc.add %x, %x : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
