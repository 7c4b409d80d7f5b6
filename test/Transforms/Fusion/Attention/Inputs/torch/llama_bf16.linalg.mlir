// Llama in bf16: softmax in f32, rounded to bf16 before the second product
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x16xbf16>) -> tensor<2x6x16xbf16> {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<bf16>
    %cst_2 = arith.constant dense<-3.389530e+38> : tensor<6x6xbf16>
    %cst_3 = arith.constant dense_resource<torch_tensor_16_16_torch.bfloat16_1> : tensor<16x16xbf16>
    %cst_4 = arith.constant dense_resource<torch_tensor_8_16_torch.bfloat16_1> : tensor<8x16xbf16>
    %cst_5 = arith.constant dense_resource<torch_tensor_8_16_torch.bfloat16> : tensor<8x16xbf16>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_16_torch.bfloat16> : tensor<16x16xbf16>
    %cst_7 = arith.constant 5.000000e-01 : bf16
    %0 = tensor.empty() : tensor<16x16xbf16>
    %transposed = linalg.transpose ins(%cst_6 : tensor<16x16xbf16>) outs(%0 : tensor<16x16xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x6x16xbf16> into tensor<12x16xbf16>
    %1 = tensor.empty() : tensor<12x16xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<12x16xbf16>, tensor<16x16xbf16>) outs(%2 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %4 = tensor.empty() : tensor<12x16xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<12x16xf32>) outs(%4 : tensor<12x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<12x16xbf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [2, 6, 4, 4] : tensor<12x16xbf16> into tensor<2x6x4x4xbf16>
    %6 = tensor.empty() : tensor<2x4x6x4xbf16>
    %transposed_8 = linalg.transpose ins(%expanded : tensor<2x6x4x4xbf16>) outs(%6 : tensor<2x4x6x4xbf16>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<16x8xbf16>
    %transposed_9 = linalg.transpose ins(%cst_5 : tensor<8x16xbf16>) outs(%7 : tensor<16x8xbf16>) permutation = [1, 0] 
    %8 = tensor.empty() : tensor<12x8xf32>
    %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<12x8xf32>) -> tensor<12x8xf32>
    %10 = linalg.matmul ins(%collapsed, %transposed_9 : tensor<12x16xbf16>, tensor<16x8xbf16>) outs(%9 : tensor<12x8xf32>) -> tensor<12x8xf32>
    %11 = tensor.empty() : tensor<12x8xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<12x8xf32>) outs(%11 : tensor<12x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<12x8xbf16>
    %expanded_10 = tensor.expand_shape %12 [[0, 1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<12x8xbf16> into tensor<2x6x2x4xbf16>
    %13 = tensor.empty() : tensor<2x2x6x4xbf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<2x6x2x4xbf16>) outs(%13 : tensor<2x2x6x4xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_12 = linalg.transpose ins(%cst_4 : tensor<8x16xbf16>) outs(%7 : tensor<16x8xbf16>) permutation = [1, 0] 
    %14 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<12x16xbf16>, tensor<16x8xbf16>) outs(%9 : tensor<12x8xf32>) -> tensor<12x8xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<12x8xf32>) outs(%11 : tensor<12x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<12x8xbf16>
    %expanded_13 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<12x8xbf16> into tensor<2x6x2x4xbf16>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x6x2x4xbf16>) outs(%13 : tensor<2x2x6x4xbf16>) permutation = [0, 2, 1, 3] 
    %16 = tensor.empty() : tensor<6xi64>
    %17 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%16 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %58 = linalg.index 0 : index
      %59 = arith.index_cast %58 : index to i64
      linalg.yield %59 : i64
    } -> tensor<6xi64>
    %expanded_15 = tensor.expand_shape %17 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
    %expanded_16 = tensor.expand_shape %17 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %18 = tensor.empty() : tensor<6x6xi64>
    %19 = linalg.generic {indexing_maps = [#map2, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_15, %expanded_16 : tensor<1x6xi64>, tensor<6x1xi64>) outs(%18 : tensor<6x6xi64>) {
    ^bb0(%in: i64, %in_31: i64, %out: i64):
      %58 = arith.subi %in, %in_31 : i64
      linalg.yield %58 : i64
    } -> tensor<6x6xi64>
    %20 = tensor.empty() : tensor<6x6xi1>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<6x6xi64>) outs(%20 : tensor<6x6xi1>) {
    ^bb0(%in: i64, %out: i1):
      %58 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %58 : i1
    } -> tensor<6x6xi1>
    %22 = tensor.empty() : tensor<6x6xbf16>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %cst_2, %cst_1 : tensor<6x6xi1>, tensor<6x6xbf16>, tensor<bf16>) outs(%22 : tensor<6x6xbf16>) {
    ^bb0(%in: i1, %in_31: bf16, %in_32: bf16, %out: bf16):
      %58 = arith.select %in, %in_31, %in_32 : bf16
      linalg.yield %58 : bf16
    } -> tensor<6x6xbf16>
    %expanded_17 = tensor.expand_shape %23 [[0, 1, 2], [3]] output_shape [1, 1, 6, 6] : tensor<6x6xbf16> into tensor<1x1x6x6xbf16>
    %24 = tensor.empty() : tensor<2x2x2x6x4xbf16>
    %25 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_11 : tensor<2x2x6x4xbf16>) outs(%24 : tensor<2x2x2x6x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x6x4xbf16>
    %collapsed_18 = tensor.collapse_shape %25 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x4xbf16> into tensor<2x4x6x4xbf16>
    %26 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14 : tensor<2x2x6x4xbf16>) outs(%24 : tensor<2x2x2x6x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x2x6x4xbf16>
    %27 = tensor.empty() : tensor<2x4x4x6xbf16>
    %transposed_19 = linalg.transpose ins(%collapsed_18 : tensor<2x4x6x4xbf16>) outs(%27 : tensor<2x4x4x6xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_20 = tensor.collapse_shape %transposed_8 [[0, 1], [2], [3]] : tensor<2x4x6x4xbf16> into tensor<8x6x4xbf16>
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<2x4x4x6xbf16> into tensor<8x4x6xbf16>
    %28 = tensor.empty() : tensor<8x6x6xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %30 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<8x6x4xbf16>, tensor<8x4x6xbf16>) outs(%29 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %31 = tensor.empty() : tensor<8x6x6xbf16>
    %32 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<8x6x6xf32>) outs(%31 : tensor<8x6x6xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<8x6x6xbf16>
    %expanded_22 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [2, 4, 6, 6] : tensor<8x6x6xbf16> into tensor<2x4x6x6xbf16>
    %33 = tensor.empty() : tensor<2x4x6x6xbf16>
    %34 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<2x4x6x6xbf16>) outs(%33 : tensor<2x4x6x6xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %58 = arith.mulf %in, %cst_7 : bf16
      linalg.yield %58 : bf16
    } -> tensor<2x4x6x6xbf16>
    %35 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %expanded_17 : tensor<2x4x6x6xbf16>, tensor<1x1x6x6xbf16>) outs(%33 : tensor<2x4x6x6xbf16>) {
    ^bb0(%in: bf16, %in_31: bf16, %out: bf16):
      %58 = arith.addf %in, %in_31 : bf16
      linalg.yield %58 : bf16
    } -> tensor<2x4x6x6xbf16>
    %36 = tensor.empty() : tensor<2x4x6x6xf32>
    %37 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<2x4x6x6xbf16>) outs(%36 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %58 = arith.extf %in : bf16 to f32
      linalg.yield %58 : f32
    } -> tensor<2x4x6x6xf32>
    %38 = tensor.empty() : tensor<2x4x6xi64>
    %39 = linalg.fill ins(%c0_i64 : i64) outs(%38 : tensor<2x4x6xi64>) -> tensor<2x4x6xi64>
    %40 = tensor.empty() : tensor<2x4x6xf32>
    %41 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %42:2 = linalg.generic {indexing_maps = [#map8, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<2x4x6x6xf32>) outs(%41, %39 : tensor<2x4x6xf32>, tensor<2x4x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_31: i64):
      %58 = linalg.index 3 : index
      %59 = arith.index_cast %58 : index to i64
      %60 = arith.maximumf %in, %out : f32
      %61 = arith.cmpf ogt, %in, %out : f32
      %62 = arith.select %61, %59, %out_31 : i64
      linalg.yield %60, %62 : f32, i64
    } -> (tensor<2x4x6xf32>, tensor<2x4x6xi64>)
    %expanded_23 = tensor.expand_shape %42#0 [[0], [1], [2, 3]] output_shape [2, 4, 6, 1] : tensor<2x4x6xf32> into tensor<2x4x6x1xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %expanded_23 : tensor<2x4x6x6xf32>, tensor<2x4x6x1xf32>) outs(%36 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %58 = arith.subf %in, %in_31 : f32
      linalg.yield %58 : f32
    } -> tensor<2x4x6x6xf32>
    %44 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x4x6x6xf32>) outs(%36 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<2x4x6x6xf32>
    %45 = tensor.empty() : tensor<2x4x6x1xf32>
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<2x4x6x1xf32>) -> tensor<2x4x6x1xf32>
    %47 = linalg.generic {indexing_maps = [#map8, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<2x4x6x6xf32>) outs(%46 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<2x4x6x1xf32>
    %48 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %47 : tensor<2x4x6x6xf32>, tensor<2x4x6x1xf32>) outs(%36 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_31: f32, %out: f32):
      %58 = arith.divf %in, %in_31 : f32
      linalg.yield %58 : f32
    } -> tensor<2x4x6x6xf32>
    %49 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x4x6x6xf32>) outs(%33 : tensor<2x4x6x6xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<2x4x6x6xbf16>
    %collapsed_24 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<2x4x6x6xbf16> into tensor<8x6x6xbf16>
    %collapsed_25 = tensor.collapse_shape %26 [[0, 1, 2], [3], [4]] : tensor<2x2x2x6x4xbf16> into tensor<8x6x4xbf16>
    %50 = tensor.empty() : tensor<8x6x4xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %52 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<8x6x6xbf16>, tensor<8x6x4xbf16>) outs(%51 : tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %53 = tensor.empty() : tensor<8x6x4xbf16>
    %54 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<8x6x4xf32>) outs(%53 : tensor<8x6x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<8x6x4xbf16>
    %expanded_26 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [2, 4, 6, 4] : tensor<8x6x4xbf16> into tensor<2x4x6x4xbf16>
    %55 = tensor.empty() : tensor<2x6x4x4xbf16>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<2x4x6x4xbf16>) outs(%55 : tensor<2x6x4x4xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_28 = linalg.transpose ins(%cst_3 : tensor<16x16xbf16>) outs(%0 : tensor<16x16xbf16>) permutation = [1, 0] 
    %collapsed_29 = tensor.collapse_shape %transposed_27 [[0, 1], [2, 3]] : tensor<2x6x4x4xbf16> into tensor<12x16xbf16>
    %56 = linalg.matmul ins(%collapsed_29, %transposed_28 : tensor<12x16xbf16>, tensor<16x16xbf16>) outs(%2 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%56 : tensor<12x16xf32>) outs(%4 : tensor<12x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %58 = arith.truncf %in : f32 to bf16
      linalg.yield %58 : bf16
    } -> tensor<12x16xbf16>
    %expanded_30 = tensor.expand_shape %57 [[0, 1], [2]] output_shape [2, 6, 16] : tensor<12x16xbf16> into tensor<2x6x16xbf16>
    return %expanded_30 : tensor<2x6x16xbf16>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_16_torch.bfloat16_1: "0x020000008EBDBFBD813DB63DFABDB53C143ECCBC9C3D77BDB33D39BE17BE02BE6B3E8ABD33BAF8BD803E7A3E41BE50BE42BE9EBA83BD28BEB8BD413D06BE633D6BBDF8BD0D3D523E2DBE3E3CBDBD7B3E73BE75BE7C3E22BE443DB1BC58BD65BD233E443C79BE17BEAFBD013E26BE713E64BD38BD493E013E593E143E9BBD2ABE98BC543EACBD6DBED23D793E92BD54BE68BE803D9BBC01BE4F3DC23D4C3E473E19BD62BE67BE6F3EE23DDF3D5DBE6D3E733E673E58BEC1BD30BE723EDCBDEABD063EEDBDFCBDB3BCC5BC47BE553EE2BDB63D5F3E013E113D5A3E0A3DEDBD723E723D7ABE92BD2EBE603E29BD69BE81BC213E853DA23DBE3CBF3D79BDCCBD6FBE41BEDE3D18BE133DA33D913C26BE753E15BE533E4CBE76BD0B3ED1BD573E30BE57BEE7BD263D6C3EF4BDB73D80BD5EBD3C3E46BEDA3C713E0DBD473E9EBD4E3E78BE14BD34BDA63DC93D453E19BD22BC2F3E8BBD603E2ABEDEBC5CBCE43D2F3E22BD54BEFE3D993DCE3D1EBE253E723EB23C6FBE343E3EBE6B3D153DF0BDB23D65BE693D22BEDDBC043D5A3EF4BD243E02BDF3BD5FBE6BBE7A3E7FBD4D3C8B3D2E3E5A3E503E3EBE24BD17BE12BE733D703E4DBE1B3E05BE47BD4B3E68BDBA3C33BE5A3E04BD3BBE963D36BE4BBE7A3C4B3E91BDF13D5C3E2A3E06BEE1BCA1BD4EBED938413E583EBF3C693DDEBD413ED5BD32BE1E3D193E67BE673EB83D33BE5DBD5E3E",
      torch_tensor_8_16_torch.bfloat16_1: "0x02000000A93D803E053E1F3EB3BDF63DEB3C75BD10BE10BE45BE2C3E363EE9BC14BE463E243E983CF2BD6B3ED13D42BE753E423EBBBD103E11BE20BD593E293C35BEABBD8BBD46BDC43C6D3E5B3C1EBE523CF53DFE3D6ABE37BD3EBEDABDB83D36BEBE3D593E863C2BBEB7BD603D43BEFE3D68BE76BE79BE50BD2C3E72BE553ECDBD963D3B3C67BE543E0A3E7E3E013E29BE563E5C3CF33D4DBE93BD7BBEC7BD5D3D49BEA33D093E0F3D2BBE46BE9EBDE13D7D3E133EE7BCB43D7BBE5BBEEF3D11BEF63D35BEFEBD53BE063ED1BC453E1E3E0E3E043C9EBD5FBD083DFE3D33BE573EDFBC57BE0BBE633E6A3E6DBE353E003E183E593E0ABEA23DD23D97BDAB3D93BD1E3E",
      torch_tensor_8_16_torch.bfloat16: "0x020000007EBEE73DF6BD2BBE13BE133E083E443EBA3DABBD8FBD973D523E8B3DF2BDF1BD72BE5D3D10BE64BE603E26BEE9BC933D023C2CBE4FBE4C3E273D543EACBD973D6ABD36BC1CBEAD3DA23DA9BB66BD1EBE313E3FBED23DACBDF7BD383D05BE6C3D493D3EBE2A3DDA3DCB3D01BD52BE1EBDB23DBBBDC23D2A3E06BE223BD43DA13CAB3C003D49BEA13C313E673E163E093DEF3DF9BD54BE5CBE7F3E233E31BEC83D413E803E603E463E6BBDB4BD523E0F3E1ABE663EF73D0C3E20BE933DB3BD483E38BDC73D363DDA3DAEBDFA3D33BE673D2DBE7DBE4EBE4A3E0B3E703E4D3E65BE2FBE25BD26BE323E42BEFABD77BE11BE533E523E373E463E643E83BDE13D643E",
      torch_tensor_16_16_torch.bfloat16: "0x02000000F5BA093E53BE3CBEC5BD893DA2BB4B3EB6BC873D9BBD49BD75BE2ABED3BD183CCA3D1A3E2EBEDFBDBA3D553E53BD403E25BDD93C683E6DBE21BE82BDC8BD5D3E26BEECBD33BE70BE15BE5C3EE43DF83D573C03BE2D3D6FBE39BE04BE223E163EE3BD14BC243E7E3ECB3D0A3D2C3E17BE3F3D46BE31BE04BEE83DCE3D18BE9B3D0D3E01BD1C3C6D3D1F3E763E45BEBCBDC93D543E5F3E623E4C3D5FBEBC3C20BE6FBE633E433E7FBE403D2DBD29BDEABDC53D18BEBC3D013E373EBF3D7DBE26BE003E563D48BE13BE713E2C3EDFBD81BD74BE93BB41BE45BE62BC1A3DD2BD183E1CBE683E2F3E58BE7FBD393C153D733DC93D753CFABDF23D76BE18BE80BDF9BDB3BD52BE5ABD5B3D27BE52BC373ED3BCE43BB1BC4F3D233E723E233E733E94BC66BEF3BD2E3ED4BAFEBD44BE70BE58BE50BD0C3E0A3E77BE203E48BE58BDD0BD45BD49BD66BE5DBE20BD543BE9BDC13D66BE8ABC613ED1BD673EB93D67BE223EECBCE5BD4D3E4FBEDC3C56BD373E8F3DF63DB53D76BD57BD53BE0B3E4B3E2F3E35BE373C34BE0DBE15BEAF3D19BEB3BB2C3C253E42BE30BE15BE333EB8BD583EB93D023DF4BA4ABD003D6ABDE6BA033D48BE06BE4F3E50BE93BC7D3EB93DE83B5EBEFE3D36BE91BDACBD18BD333B533E003D653E1D3E22BEE63D35BED9BD973DA93D403EA5BDD239043E78BE393E54BE623B2EBD07BE073D543E96BD18BEBDBD"
    }
  }
#-}
