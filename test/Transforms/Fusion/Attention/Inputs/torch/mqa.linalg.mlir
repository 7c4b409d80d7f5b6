// MQA of Falcon: one key head, broadcast in the product
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x5x12xf32>) -> tensor<2x5x12xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense_resource<torch_tensor_12_torch.float32_1> : tensor<12xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_12_12_torch.float32_1> : tensor<12x12xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_8_torch.float32> : tensor<8xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_8_12_torch.float32> : tensor<8x12xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_12_torch.float32> : tensor<12xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_12_12_torch.float32> : tensor<12x12xf32>
    %cst_7 = arith.constant 2.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x5x12xf32> into tensor<10x12xf32>
    %0 = tensor.empty() : tensor<12x12xf32>
    %transposed = linalg.transpose ins(%cst_6 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<10x12xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<10x12xf32>, tensor<12x12xf32>) outs(%2 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %cst_5 : tensor<10x12xf32>, tensor<12xf32>) outs(%1 : tensor<10x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %37 = arith.addf %in, %in_26 : f32
      linalg.yield %37 : f32
    } -> tensor<10x12xf32>
    %expanded = tensor.expand_shape %4 [[0, 1], [2, 3]] output_shape [2, 5, 3, 4] : tensor<10x12xf32> into tensor<2x5x3x4xf32>
    %5 = tensor.empty() : tensor<2x3x5x4xf32>
    %transposed_8 = linalg.transpose ins(%expanded : tensor<2x5x3x4xf32>) outs(%5 : tensor<2x3x5x4xf32>) permutation = [0, 2, 1, 3] 
    %6 = tensor.empty() : tensor<12x8xf32>
    %transposed_9 = linalg.transpose ins(%cst_4 : tensor<8x12xf32>) outs(%6 : tensor<12x8xf32>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<10x8xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<10x8xf32>) -> tensor<10x8xf32>
    %9 = linalg.matmul ins(%collapsed, %transposed_9 : tensor<10x12xf32>, tensor<12x8xf32>) outs(%8 : tensor<10x8xf32>) -> tensor<10x8xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %cst_3 : tensor<10x8xf32>, tensor<8xf32>) outs(%7 : tensor<10x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %37 = arith.addf %in, %in_26 : f32
      linalg.yield %37 : f32
    } -> tensor<10x8xf32>
    %expanded_10 = tensor.expand_shape %10 [[0, 1], [2]] output_shape [2, 5, 8] : tensor<10x8xf32> into tensor<2x5x8xf32>
    %extracted_slice = tensor.extract_slice %expanded_10[0, 0, 0] [2, 5, 4] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x5x4xf32>
    %extracted_slice_11 = tensor.extract_slice %expanded_10[0, 0, 4] [2, 5, 4] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x5x4xf32>
    %expanded_12 = tensor.expand_shape %extracted_slice [[0], [1, 2], [3]] output_shape [2, 1, 5, 4] : tensor<2x5x4xf32> into tensor<2x1x5x4xf32>
    %11 = tensor.empty() : tensor<2x1x4x5xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<2x1x5x4xf32>) outs(%11 : tensor<2x1x4x5xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_14 = tensor.collapse_shape %transposed_8 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %12 = tensor.empty() : tensor<2x3x4x5xf32>
    %collapsed_15 = tensor.collapse_shape %transposed_13 [[0, 1], [2], [3]] : tensor<2x1x4x5xf32> into tensor<2x4x5xf32>
    %13 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_15 : tensor<2x4x5xf32>) outs(%12 : tensor<2x3x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x4x5xf32>
    %collapsed_16 = tensor.collapse_shape %13 [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
    %14 = tensor.empty() : tensor<6x5x5xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %16 = linalg.batch_matmul ins(%collapsed_14, %collapsed_16 : tensor<6x5x4xf32>, tensor<6x4x5xf32>) outs(%15 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %expanded_17 = tensor.expand_shape %16 [[0, 1], [2], [3]] output_shape [2, 3, 5, 5] : tensor<6x5x5xf32> into tensor<2x3x5x5xf32>
    %17 = tensor.empty() : tensor<2x3x5x5xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<2x3x5x5xf32>) outs(%17 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.divf %in, %cst_7 : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x5xf32>
    %19 = tensor.empty() : tensor<2x3x5xi64>
    %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %21 = tensor.empty() : tensor<2x3x5xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %23:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x3x5x5xf32>) outs(%22, %20 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_26: i64):
      %37 = linalg.index 3 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.maximumf %in, %out : f32
      %40 = arith.cmpf ogt, %in, %out : f32
      %41 = arith.select %40, %38, %out_26 : i64
      linalg.yield %39, %41 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_18 = tensor.expand_shape %23#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_18 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%17 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %37 = arith.subf %in, %in_26 : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x5xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x3x5x5xf32>) outs(%17 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x5xf32>
    %26 = tensor.empty() : tensor<2x3x5x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<2x3x5x5xf32>) outs(%27 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x1xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%17 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %37 = arith.divf %in, %in_26 : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x5xf32>
    %collapsed_19 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<2x3x5x5xf32> into tensor<6x5x5xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_11 : tensor<2x5x4xf32>) outs(%5 : tensor<2x3x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x5x4xf32>
    %collapsed_20 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %31 = tensor.empty() : tensor<6x5x4xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %33 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<6x5x5xf32>, tensor<6x5x4xf32>) outs(%32 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded_21 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %34 = tensor.empty() : tensor<2x5x3x4xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<2x3x5x4xf32>) outs(%34 : tensor<2x5x3x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_23 = tensor.collapse_shape %transposed_22 [[0, 1], [2, 3]] : tensor<2x5x3x4xf32> into tensor<10x12xf32>
    %transposed_24 = linalg.transpose ins(%cst_2 : tensor<12x12xf32>) outs(%0 : tensor<12x12xf32>) permutation = [1, 0] 
    %35 = linalg.matmul ins(%collapsed_23, %transposed_24 : tensor<10x12xf32>, tensor<12x12xf32>) outs(%2 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %cst_1 : tensor<10x12xf32>, tensor<12xf32>) outs(%1 : tensor<10x12xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %37 = arith.addf %in, %in_26 : f32
      linalg.yield %37 : f32
    } -> tensor<10x12xf32>
    %expanded_25 = tensor.expand_shape %36 [[0, 1], [2]] output_shape [2, 5, 12] : tensor<10x12xf32> into tensor<2x5x12xf32>
    return %expanded_25 : tensor<2x5x12xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32_1: "0x04000000B9C4F13DE96760BE5C758D3E3279603E4B7DD7BDBD2C263E65F527BE154D39BD45FF7A3ED86C433C590E51BECA99C5BD",
      torch_tensor_12_12_torch.float32_1: "0x04000000294C2ABE7CF5293E338B1C3ECCE1623EBF71D63D6F70C5BD2C36A5BD00A9AE3D07FF723E96BEA03D04DD0BBEDAF40ABEEDBD8BBE42757F3D2EE325BEC2C683BE939A813ED6F73FBE5F8306BD7C60A93DC8AD163CF5E746BE4EF16EBEC79E6B3EEB8A403D623D753E4C32C6BDA424AE3DE53187BD465552BC160934BE57F2C73D5EEBBA3DCA21C3BBB2F684BDFD3736BE466C4C3EE30D5CBE6C32F23D9ACBC6BD819E0EBE2B6A543DA08D19BE8637883D0E34683D7C7B5BBEBFDE443DEBCFFB3D9604EA3D34D714BDFB5472BE194636BDA354CD3DC0B7D7BD2F69E03D5BDC443E89591ABE74923A3B9F76F43D9A59B93C9B89C53C7DA4133D4C6368BEFBD8B93C47B24C3EA52F853EBBBD2D3E6E721E3D0B0D0A3E15CE0FBE8AF674BE0F327EBEC972933E56A53B3EBC544CBE254EE73DE53A5F3EA7BE933EAD3C813E1205653E238A87BDA37ACFBD6CB4723E6CA6253E4CE331BE51E0843EC3D20E3ED524213EF54639BEF99DA93D3E41CFBDBBF8663E9FC354BD062AE63DBE05523D268AFB3D87E8C8BDB220103E68784EBEE886853DB80048BED9CF91BECE626DBEB75E693E94EE1F3E7BAB8A3E69D06C3E5DFE83BE9ABA49BEB20E3FBD6FF93FBE13444D3E7A7A5FBEAD3910BE38CA8EBED6D327BE8820733E3807723EA19A533E4F3E643E5A6C833EDA6297BDEB10023E56AE833E0F95C33DFBC0933E8951193EE5C2373EEEEACEBDAFD60D3EF6DD073DBE308DBD6FA226BE31DE25BE0A7663BE8E72463E5427523EDA9206BDBF0F2BBE3379643EFA083D3E7EC9AF3C95900BBE39D6873E",
      torch_tensor_8_torch.float32: "0x040000009F70743E3ED2ACBD7A7F2FBEB4A6DABD4E7E92BEFE6E053EB2F70DBE9C4445BE",
      torch_tensor_8_12_torch.float32: "0x040000005D64383EF94F67BE6EF979BDD7B7EFBD39C063BD822868BD3CA184BE313C7FBEFF0539BDB0A8743B014906BE03B5DE3DB70785BE7B989FBCCBFA813E0226F1BD2277853E941BD63D9E6285BE07073B3EA87108BD98F503BE53616C3E2AE06EBEF0C1FD3C738F77BD1518533E3808A53DFB090E3E39CAD03D952B8EBD00AB78BDE99973BEC22B203EDCB36A3E57424A3E1E8350BE28F1523C816150BE97B922BEEB3F2CBEBC0ACA3D672730BE2B60CEBBB7F7463C7F8D3E3ED6735FBE70EF4ABE3EA52BBE14E74E3EA384D4BD8C56793EE8C8D53D6BB9153DA3D40CBBC6BD69BD645A143DB8FF86BD2EEE04BB22DE163DF23867BE5CEF1ABE92B26E3E5AE56FBE28CFA9BC0D36923ED590D53D2FE9053C1E1680BE746F123E758D52BE8CD2A7BD085CC6BDBA192FBDEDEF4E3BDCD0733E719C133D8862843E01D3343E72E23ABE4D94043EF9F550BE7991FABD26E3AD3D3636C33D19C55D3E9D51BEBDE549F239FE2E183E16F08EBE2AB7553EE77074BE775F823BB40749BDB0AF1BBEE2471C3D",
      torch_tensor_12_torch.float32: "0x04000000FFC584BE89230CBE2147493E7647F5BAB6ED12BE398662BE0C528ABEDC7D79BE3ED66FBD531C223EB8D01F3E6D8B8EBE",
      torch_tensor_12_12_torch.float32: "0x04000000E8A30DBB13931E3E7E4B73BEC98B59BEB1B4E3BD53899E3D406BBBBB7A616A3E42DDD1BCD2709C3D9EABB2BDEA6B68BDBD338DBED6C543BE84B5F3BD08342F3C8DB9E93D665E313ED26648BE69B900BE83BCD63D2777753E435773BD15345D3EDA953EBD653BFA3CB5D4853E791C89BEF0173ABE48AC95BDCC73E6BDCA667F3EA49A3FBE701308BE3C854EBEDF6C8ABE3E8E2CBE9D197E3E55E7033E54450F3E67BD783C0B8D17BED50B483D6B008ABECE9755BE736418BEE2813A3E8A512D3E3F1903BE3DA82ABC680E3D3E3DEF923EAFA3EA3D50BC1F3DB032463E4B0D2EBEEE555C3DD22E65BEEAE04CBE2EB418BEA6C0053E8AC2ED3DF4192FBE949BB23D2847223EB83D15BDE195343C41FC883DA962373E15EB8D3E84CC63BECBA8D8BD9E59E83D06EC743E3B9E803EEF69823E44516B3D998680BEDB8BD93C58EE38BE8FBE89BE1752833ECFC3603EB16F93BE92505D3D7A3047BD4D9442BD805007BE285AE33D3F162FBE33BBD83D2F7D153E319D533E0B0FDD3DD64892BEC8C13FBE6499133E107B773D6E9866BED3362ABE580B8B3ECD2E473EF7E300BE38CC94BDACCB8CBEDC05AABB529B5EBEFF0364BE104D82BC9488313DF61DF2BD86672F3EDDE233BE5E1C863EB1934A3EFA4679BE5F2493BD146A553CF0832C3D11388C3D9701E83D4CA78D3CBE3B10BE52E00B3E51C78DBEC1342FBE26FF93BD09FE0FBEE6D2CEBD6C4872BE69847BBD9CBF7C3D519340BE08B972BC9F9B533ED21AF3BC9272033CD102CCBC664C6F3DCEF43B3E2B018C3E82B93B3E2D538C3E3607ABBC"
    }
  }
#-}
