// MultiheadAttention that also gives the mean weights over the heads
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
module {
  func.func @main(%arg0: tensor<2x5x12xf32>) -> (tensor<2x5x12xf32>, tensor<2x5x5xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense_resource<torch_tensor_12_torch.float32> : tensor<12xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_12_12_torch.float32> : tensor<12x12xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_36_torch.float32> : tensor<36xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_36_12_torch.float32> : tensor<36x12xf32>
    %cst_5 = arith.constant 5.000000e-01 : f32
    %cst_6 = arith.constant 3.000000e+00 : f32
    %0 = tensor.empty() : tensor<5x2x12xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x5x12xf32>) outs(%0 : tensor<5x2x12xf32>) permutation = [1, 0, 2] 
    %1 = tensor.empty() : tensor<12x36xf32>
    %transposed_7 = linalg.transpose ins(%cst_4 : tensor<36x12xf32>) outs(%1 : tensor<12x36xf32>) permutation = [1, 0] 
    %2 = tensor.empty() : tensor<5x12x36xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_7 : tensor<12x36xf32>) outs(%2 : tensor<5x12x36xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x12x36xf32>
    %4 = tensor.empty() : tensor<5x2x36xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<5x2x36xf32>) -> tensor<5x2x36xf32>
    %6 = linalg.batch_matmul ins(%transposed, %3 : tensor<5x2x12xf32>, tensor<5x12x36xf32>) outs(%5 : tensor<5x2x36xf32>) -> tensor<5x2x36xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %cst_3 : tensor<5x2x36xf32>, tensor<36xf32>) outs(%4 : tensor<5x2x36xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %39 = arith.addf %in, %in_28 : f32
      linalg.yield %39 : f32
    } -> tensor<5x2x36xf32>
    %expanded = tensor.expand_shape %7 [[0, 1], [2], [3, 4]] output_shape [1, 5, 2, 3, 12] : tensor<5x2x36xf32> into tensor<1x5x2x3x12xf32>
    %8 = tensor.empty() : tensor<3x5x2x1x12xf32>
    %transposed_8 = linalg.transpose ins(%expanded : tensor<1x5x2x3x12xf32>) outs(%8 : tensor<3x5x2x1x12xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed_8 [[0], [1], [2, 3], [4]] : tensor<3x5x2x1x12xf32> into tensor<3x5x2x12xf32>
    %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 5, 2, 12] [1, 1, 1, 1] : tensor<3x5x2x12xf32> to tensor<1x5x2x12xf32>
    %extracted_slice_9 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, 5, 2, 12] [1, 1, 1, 1] : tensor<3x5x2x12xf32> to tensor<1x5x2x12xf32>
    %extracted_slice_10 = tensor.extract_slice %collapsed[2, 0, 0, 0] [1, 5, 2, 12] [1, 1, 1, 1] : tensor<3x5x2x12xf32> to tensor<1x5x2x12xf32>
    %collapsed_11 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x5x2x12xf32> into tensor<5x24xf32>
    %expanded_12 = tensor.expand_shape %collapsed_11 [[0], [1, 2]] output_shape [5, 6, 4] : tensor<5x24xf32> into tensor<5x6x4xf32>
    %9 = tensor.empty() : tensor<6x5x4xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<5x6x4xf32>) outs(%9 : tensor<6x5x4xf32>) permutation = [1, 0, 2] 
    %collapsed_14 = tensor.collapse_shape %extracted_slice_9 [[0, 1], [2, 3]] : tensor<1x5x2x12xf32> into tensor<5x24xf32>
    %expanded_15 = tensor.expand_shape %collapsed_14 [[0], [1, 2]] output_shape [5, 6, 4] : tensor<5x24xf32> into tensor<5x6x4xf32>
    %collapsed_16 = tensor.collapse_shape %extracted_slice_10 [[0, 1], [2, 3]] : tensor<1x5x2x12xf32> into tensor<5x24xf32>
    %expanded_17 = tensor.expand_shape %collapsed_16 [[0], [1, 2]] output_shape [5, 6, 4] : tensor<5x24xf32> into tensor<5x6x4xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<5x6x4xf32>) outs(%9 : tensor<6x5x4xf32>) permutation = [1, 0, 2] 
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_13 : tensor<6x5x4xf32>) outs(%9 : tensor<6x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.mulf %in, %cst_5 : f32
      linalg.yield %39 : f32
    } -> tensor<6x5x4xf32>
    %11 = tensor.empty() : tensor<6x4x5xf32>
    %transposed_19 = linalg.transpose ins(%expanded_15 : tensor<5x6x4xf32>) outs(%11 : tensor<6x4x5xf32>) permutation = [1, 2, 0] 
    %12 = tensor.empty() : tensor<6x5x5xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %14 = linalg.batch_matmul ins(%10, %transposed_19 : tensor<6x5x4xf32>, tensor<6x4x5xf32>) outs(%13 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %15 = tensor.empty() : tensor<6x5xi64>
    %16 = linalg.fill ins(%c0_i64 : i64) outs(%15 : tensor<6x5xi64>) -> tensor<6x5xi64>
    %17 = tensor.empty() : tensor<6x5xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<6x5xf32>) -> tensor<6x5xf32>
    %19:2 = linalg.generic {indexing_maps = [#map1, #map3, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<6x5x5xf32>) outs(%18, %16 : tensor<6x5xf32>, tensor<6x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_28: i64):
      %39 = linalg.index 2 : index
      %40 = arith.index_cast %39 : index to i64
      %41 = arith.maximumf %in, %out : f32
      %42 = arith.cmpf ogt, %in, %out : f32
      %43 = arith.select %42, %40, %out_28 : i64
      linalg.yield %41, %43 : f32, i64
    } -> (tensor<6x5xf32>, tensor<6x5xi64>)
    %expanded_20 = tensor.expand_shape %19#0 [[0], [1, 2]] output_shape [6, 5, 1] : tensor<6x5xf32> into tensor<6x5x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %expanded_20 : tensor<6x5x5xf32>, tensor<6x5x1xf32>) outs(%12 : tensor<6x5x5xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %39 = arith.subf %in, %in_28 : f32
      linalg.yield %39 : f32
    } -> tensor<6x5x5xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<6x5x5xf32>) outs(%12 : tensor<6x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.exp %in : f32
      linalg.yield %39 : f32
    } -> tensor<6x5x5xf32>
    %22 = tensor.empty() : tensor<6x5x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<6x5x1xf32>) -> tensor<6x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<6x5x5xf32>) outs(%23 : tensor<6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %in, %out : f32
      linalg.yield %39 : f32
    } -> tensor<6x5x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<6x5x5xf32>, tensor<6x5x1xf32>) outs(%12 : tensor<6x5x5xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %39 = arith.divf %in, %in_28 : f32
      linalg.yield %39 : f32
    } -> tensor<6x5x5xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%9 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %27 = linalg.batch_matmul ins(%25, %transposed_18 : tensor<6x5x5xf32>, tensor<6x5x4xf32>) outs(%26 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %28 = tensor.empty() : tensor<5x6x4xf32>
    %transposed_21 = linalg.transpose ins(%27 : tensor<6x5x4xf32>) outs(%28 : tensor<5x6x4xf32>) permutation = [1, 0, 2] 
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0, 1, 2]] : tensor<5x6x4xf32> into tensor<120xf32>
    %expanded_23 = tensor.expand_shape %collapsed_22 [[0, 1]] output_shape [10, 12] : tensor<120xf32> into tensor<10x12xf32>
    %29 = tensor.empty() : tensor<12x12xf32>
    %transposed_24 = linalg.transpose ins(%cst_2 : tensor<12x12xf32>) outs(%29 : tensor<12x12xf32>) permutation = [1, 0] 
    %30 = tensor.empty() : tensor<10x12xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %32 = linalg.matmul ins(%expanded_23, %transposed_24 : tensor<10x12xf32>, tensor<12x12xf32>) outs(%31 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%32, %cst_1 : tensor<10x12xf32>, tensor<12xf32>) outs(%30 : tensor<10x12xf32>) {
    ^bb0(%in: f32, %in_28: f32, %out: f32):
      %39 = arith.addf %in, %in_28 : f32
      linalg.yield %39 : f32
    } -> tensor<10x12xf32>
    %expanded_25 = tensor.expand_shape %33 [[0, 1], [2]] output_shape [5, 2, 12] : tensor<10x12xf32> into tensor<5x2x12xf32>
    %expanded_26 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [2, 3, 5, 5] : tensor<6x5x5xf32> into tensor<2x3x5x5xf32>
    %34 = tensor.empty() : tensor<2x5x5xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
    %36 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x3x5x5xf32>) outs(%35 : tensor<2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %in, %out : f32
      linalg.yield %39 : f32
    } -> tensor<2x5x5xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<2x5x5xf32>) outs(%34 : tensor<2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.divf %in, %cst_6 : f32
      linalg.yield %39 : f32
    } -> tensor<2x5x5xf32>
    %38 = tensor.empty() : tensor<2x5x12xf32>
    %transposed_27 = linalg.transpose ins(%expanded_25 : tensor<5x2x12xf32>) outs(%38 : tensor<2x5x12xf32>) permutation = [1, 0, 2] 
    return %transposed_27, %37 : tensor<2x5x12xf32>, tensor<2x5x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_12_12_torch.float32: "0x04000000E8A30DBB13931E3E7E4B73BEC98B59BEB1B4E3BD53899E3D406BBBBB7A616A3E42DDD1BCD2709C3D9EABB2BDEA6B68BDBD338DBED6C543BE84B5F3BD08342F3C8DB9E93D665E313ED26648BE69B900BE83BCD63D2777753E435773BD15345D3EDA953EBD653BFA3CB5D4853E791C89BEF0173ABE48AC95BDCC73E6BDCA667F3EA49A3FBE701308BE3C854EBEDF6C8ABE3E8E2CBE9D197E3E55E7033E54450F3E67BD783C0B8D17BED50B483D6B008ABECE9755BE736418BEE2813A3E8A512D3E3F1903BE3DA82ABC680E3D3E3DEF923EAFA3EA3D50BC1F3DB032463E4B0D2EBEEE555C3DD22E65BEEAE04CBE2EB418BEA6C0053E8AC2ED3DF4192FBE949BB23D2847223EB83D15BDE195343C41FC883DA962373E15EB8D3E84CC63BECBA8D8BD9E59E83D06EC743E3B9E803EEF69823E44516B3D998680BEDB8BD93C58EE38BE8FBE89BE1752833ECFC3603EB16F93BE92505D3D7A3047BD4D9442BD805007BE285AE33D3F162FBE33BBD83D2F7D153E319D533E0B0FDD3DD64892BEC8C13FBE6499133E107B773D6E9866BED3362ABE580B8B3ECD2E473EF7E300BE38CC94BDACCB8CBEDC05AABB529B5EBEFF0364BE104D82BC9488313DF61DF2BD86672F3EDDE233BE5E1C863EB1934A3EFA4679BE5F2493BD146A553CF0832C3D11388C3D9701E83D4CA78D3CBE3B10BE52E00B3E51C78DBEC1342FBE26FF93BD09FE0FBEE6D2CEBD6C4872BE69847BBD9CBF7C3D519340BE08B972BC9F9B533ED21AF3BC9272033CD102CCBC664C6F3DCEF43B3E2B018C3E82B93B3E2D538C3E3607ABBC",
      torch_tensor_36_torch.float32: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_36_12_torch.float32: "0x040000004ED5613E3BA68DBED01399BDF9CB12BEE6778BBDD42A8EBD0C70A2BE884C9CBE439B62BD88D2953B0F7724BE3361083E8FEDA2BEC476C3BC22319F3E34AC13BE0576A33E191D033EE55CA3BE970F653EEA1B27BDD59D21BEB1C0903EE64792BEE6641B3D619997BDA844813E4A1FCA3D26F62D3EE2B6FF3D4E1FAEBD044798BDB72C95BE252B443EB3B98F3E42B7773ECD5F7FBED22C813CA2367FBEEB4B47BE40F652BE2773F73D5DBE57BEEDC1FCBB42AF733CE360693E0ED688BE428B78BED03852BE28677D3EE62302BE11B0983E79EA023EC25F373D487B2CBB01238FBDD6B1353DD656A5BD4ACE22BB43C6383D21988DBE7FC13DBEFB2B923ED8E792BE13F9CFBC4312B33E23C8023EB401243C87DF9CBE9058333EC4EF80BE288ACDBD95F0F2BD147456BDFF717D3B5D4E953E33C9343D4123A23EAC765D3ECAE264BE3660223E78EC7FBEEB7019BEB3F7D43DA915EF3D48CE873E8C17E9BDF25E143AD3623A3EF80FAFBE9CDF823E5FB095BE6EAC9F3BE83576BD0DAD3EBE73673F3D33B0953E76A9D3BDB2F056BE5DE505BEC16AB3BE0D6C233EC1DF2DBE5D9A71BE2C9250BE0528503EE5B93F3EB1EF8A3EDE51033E0AD0F1BD9257CABD04EAD53DDECD943EF8DEC43D034C2BBEAA2F2ABEEF25ABBE7A6F9C3D762B4BBE7864A1BE4ABB9E3EAA1C6BBE8BBE24BD8871CF3D0A8B383CF59B73BE655292BE8E49903ECCD06B3D972D963E79BDF2BDE947D53D4A94A5BD5CCD80BC5F7F5CBE35E2F43DB7EDE43DA5FCEEBBB8D8A2BDE22B5FBEAF5D7A3E52C186BE9350143E3B79F3BD0DAC2EBEB113823D42103CBEB8D4A63DE7318E3DAB6786BE9B1D713DED331A3E5E4E0F3EB44A36BDBD6594BE2A3D5FBD457AFB3D811904BE4C6C093EAD1A713E000A3DBED280643BDFB3153EA901E33CDDEEF13C0ED3343DD54E8EBEAA9DE33C6BB37A3E771EA33EDFC9543EA00E423DC313293EDB1F30BE350296BE8FA99BBE2F96B43E7BD1653EDB407ABE1CA50D3E2FB3883E1AF3B43E4A489E3ED43E8C3E5E00A6BDE11BFEBD2FA0943E0CE14A3E05DE59BE50BDA23E0EEC2E3E315C453ED2EA62BED6BCCF3D96D5FDBDCE708D3E784A82BD39F20C3EA99C803D33091A3EB90FF6BD0A85303E9DDF7CBE5789A33DD2F374BE1695B2BE5E5E91BECBE88E3E36E0433ECFD5A93EB804913E93A8A1BE031177BE20FF69BD9E1E6BBEFC657B3E1EDA88BEA2A330BE98E1AEBEBD8B4DBE63E2943E1E36943E9994813E1CC58B3EBFF5A03ECF68B9BD3A4C1F3E9046A13ED389EF3DF3F5B43EAAC63B3E8C0F613EE06BFDBD53B72D3E0767263D16ECACBDB3154CBE59254BBE794A8BBE2B0C733E3AB1803E81D124BDB88151BE2CE98B3E0C85673E594BD73C65EE2ABE8D5DA63E660D143E846B89BE2140AD3E1A76893EB5F503BE8D854B3ED6B44DBE53F262BD28B4993E92586F3C290580BEAF02F2BD1B8CC4BD03B28BBDDC960A3D7B69A73EC5119B3C83895FBEBF72943CC8972D3EF395333EC770A5BE739181BD068686BE077A1ABEAD70023E1C8C80BE5A94063E2FA5993ED3F6BD3C584B71BE88B601BECD1C9E3D8AFE89BE53DD333E8A57A4BE3F03AEBEADE3AFBE85E392BD5C72733EBC54ABBE0076963EE1D210BE1C12D43D8514843C853AA3BEE51F963EF6EF423EB4EEB33E06E8363E72F86EBE6713973E17A99B3C48AF2B3E862591BE8B43D0BD23BDB1BEE8020DBEBE349C3D24218EBE58CFE63D4658423ECCBD493DEA3B72BE0D598CBED063DFBD7AEB1E3E8C8EB23EC82E503E5D1323BD99DFFD3D6397B1BEDD9B9ABE1CEE283E6F104DBEDC2C2E3E22937FBE5B5233BE881A95BE30ED3C3E538F13BD0C508B3E3F0E603ED754483EA1443A3C68DEDFBDF56F9DBDEB75403D4D77333E00A47DBEEFEC973E3D751DBD32AF97BE44E243BE4B2BA03E0F8CA53EAEACA7BE63587F3E6370353E214C563EF83C993EF01E43BE64A5E43D8328143EC6F5D5BD9450F23DA653D0BDA2D55F3E0AE6C8BD6AF706BE2849B63DAE69003EBFE130BEB403003D79D0513E2E1610BD7E5CDC3D55A3AEBDF1C9FD3D1D2183BEA0E354BE74C437BED65BA63E73D6C2BD4B0E7DBAF7672FBEB6B5B43ED2CBB03EB98588BE36BF92BE1D3689BE6C7DDFBAF591B8BD89F86CBE6ADA01BEF1CC883D6F293DBE6171A03DDD0AA6BD406E2FBE97F4463D3AD8943E4FC474BE077D863C188205BEABA2B13E97BEABBE4589ADBEAC5FB23EE80E65BE91D28A3D1AF8F9BC2E8898BD98B8A1BDD70D663E4F6F8A3C393EB0BEB3BB55BE93D6F6BD0D2F363E95496ABECAAFAA3EF445A1BD4A0482BDD2D68D3EA3F6353EB486993E526B513ED5A6DBBDE23370BE877ED7BC83D1953EC303F3BD34DFA7BEF268143E9737B03EF721CEBD66E395BE0232A4BE0E74B53DC64EDBBC2DD336BEEE5B923DC57C093E"
    }
  }
#-}
