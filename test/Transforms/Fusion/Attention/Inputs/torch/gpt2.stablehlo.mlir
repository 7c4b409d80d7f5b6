// GPT-2: one projection split in three, a causal buffer selects finfo.min
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, stablehlo
// attentions: 1
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x6x12xf32>) -> tensor<2x6x12xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x6x12xf32>):
    %0 = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<2.44948983> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense_resource<torch_tensor_12_torch.float32> : tensor<12xf32>}> : () -> tensor<12xf32>
    %3 = "stablehlo.constant"() <{value = dense_resource<torch_tensor_12_12_torch.float32> : tensor<12x12xf32>}> : () -> tensor<12x12xf32>
    %4 = "stablehlo.constant"() <{value = dense_resource<torch_tensor_1_1_8_8_torch.uint8> : tensor<1x1x8x8xui8>}> : () -> tensor<1x1x8x8xui8>
    %5 = "stablehlo.constant"() <{value = dense_resource<torch_tensor_36_torch.float32> : tensor<36xf32>}> : () -> tensor<36xf32>
    %6 = "stablehlo.constant"() <{value = dense_resource<torch_tensor_36_12_torch.float32> : tensor<36x12xf32>}> : () -> tensor<36x12xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "arith.constant"() <{value = dense<1> : tensor<1xi64>}> : () -> tensor<1xi64>
    %10 = "stablehlo.reshape"(%arg0) : (tensor<2x6x12xf32>) -> tensor<12x12xf32>
    %11 = "stablehlo.transpose"(%6) <{permutation = array<i64: 1, 0>}> : (tensor<36x12xf32>) -> tensor<12x36xf32>
    %12 = "stablehlo.dot_general"(%10, %11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<12x12xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %13 = "stablehlo.convert"(%9) : (tensor<1xi64>) -> tensor<1xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xf32>) -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x36xf32>
    %16 = "stablehlo.multiply"(%12, %15) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %17 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<36xf32>
    %18 = "stablehlo.multiply"(%17, %5) : (tensor<36xf32>, tensor<36xf32>) -> tensor<36xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 1>}> : (tensor<36xf32>) -> tensor<12x36xf32>
    %20 = "stablehlo.add"(%16, %19) : (tensor<12x36xf32>, tensor<12x36xf32>) -> tensor<12x36xf32>
    %21 = "stablehlo.reshape"(%20) : (tensor<12x36xf32>) -> tensor<2x6x36xf32>
    %22 = "stablehlo.slice"(%21) <{limit_indices = array<i64: 2, 6, 12>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %23 = "stablehlo.slice"(%21) <{limit_indices = array<i64: 2, 6, 24>, start_indices = array<i64: 0, 0, 12>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %24 = "stablehlo.slice"(%21) <{limit_indices = array<i64: 2, 6, 36>, start_indices = array<i64: 0, 0, 24>, strides = array<i64: 1, 1, 1>}> : (tensor<2x6x36xf32>) -> tensor<2x6x12xf32>
    %25 = "stablehlo.reshape"(%22) : (tensor<2x6x12xf32>) -> tensor<2x6x2x6xf32>
    %26 = "stablehlo.transpose"(%25) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x6x2x6xf32>) -> tensor<2x2x6x6xf32>
    %27 = "stablehlo.reshape"(%23) : (tensor<2x6x12xf32>) -> tensor<2x6x2x6xf32>
    %28 = "stablehlo.transpose"(%27) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x6x2x6xf32>) -> tensor<2x2x6x6xf32>
    %29 = "stablehlo.reshape"(%24) : (tensor<2x6x12xf32>) -> tensor<2x6x2x6xf32>
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x6x2x6xf32>) -> tensor<2x2x6x6xf32>
    %31 = "stablehlo.transpose"(%28) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %32 = "stablehlo.reshape"(%26) : (tensor<2x2x6x6xf32>) -> tensor<4x6x6xf32>
    %33 = "stablehlo.reshape"(%31) : (tensor<2x2x6x6xf32>) -> tensor<4x6x6xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %35 = "stablehlo.dot_general"(%32, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<4x6x6xf32>, tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<4x6x6xf32>) -> tensor<2x2x6x6xf32>
    %37 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x6x6xf32>
    %38 = "stablehlo.divide"(%36, %37) : (tensor<2x2x6x6xf32>, tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %39 = "stablehlo.convert"(%4) : (tensor<1x1x8x8xui8>) -> tensor<1x1x8x8xi1>
    %40 = "stablehlo.slice"(%39) <{limit_indices = array<i64: 1, 1, 6, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x1x8x8xi1>) -> tensor<1x1x6x8xi1>
    %41 = "stablehlo.slice"(%40) <{limit_indices = array<i64: 1, 1, 6, 6>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x1x6x8xi1>) -> tensor<1x1x6x6xi1>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x6x6xi1>) -> tensor<2x2x6x6xi1>
    %43 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %44 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x6x6xf32>
    %45 = "stablehlo.select"(%42, %43, %44) : (tensor<2x2x6x6xi1>, tensor<2x2x6x6xf32>, tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %46 = "stablehlo.reduce"(%45, %7) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %73 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%73) : (tensor<f32>) -> ()
    }) : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<2x2x6xf32>) -> tensor<2x2x6x1xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x6x1xf32>) -> tensor<2x2x6x6xf32>
    %49 = "stablehlo.subtract"(%45, %48) : (tensor<2x2x6x6xf32>, tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %50 = "stablehlo.exponential"(%49) : (tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %51 = "stablehlo.reduce"(%50, %8) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %72 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%72) : (tensor<f32>) -> ()
    }) : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<2x2x6xf32>) -> tensor<2x2x6x1xf32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x6x1xf32>) -> tensor<2x2x6x6xf32>
    %54 = "stablehlo.divide"(%50, %53) : (tensor<2x2x6x6xf32>, tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %55 = "stablehlo.reshape"(%54) : (tensor<2x2x6x6xf32>) -> tensor<4x6x6xf32>
    %56 = "stablehlo.reshape"(%30) : (tensor<2x2x6x6xf32>) -> tensor<4x6x6xf32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %58 = "stablehlo.dot_general"(%55, %57) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<4x6x6xf32>, tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<4x6x6xf32>) -> tensor<2x2x6x6xf32>
    %60 = "stablehlo.transpose"(%59) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x6x6xf32>) -> tensor<2x6x2x6xf32>
    %61 = "stablehlo.reshape"(%60) : (tensor<2x6x2x6xf32>) -> tensor<2x6x12xf32>
    %62 = "stablehlo.reshape"(%61) : (tensor<2x6x12xf32>) -> tensor<12x12xf32>
    %63 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %64 = "stablehlo.dot_general"(%62, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %65 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x12xf32>
    %66 = "stablehlo.multiply"(%64, %65) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %67 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12xf32>
    %68 = "stablehlo.multiply"(%67, %2) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 1>}> : (tensor<12xf32>) -> tensor<12x12xf32>
    %70 = "stablehlo.add"(%66, %69) : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %71 = "stablehlo.reshape"(%70) : (tensor<12x12xf32>) -> tensor<2x6x12xf32>
    "func.return"(%71) : (tensor<2x6x12xf32>) -> ()
  }) : () -> ()
}) : () -> ()

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32: "0x04000000616F763EA56502BEB5B5D13D338E803EDF13153EEA67273D24847B3E87F21E3D49C308BEFFD18B3E56ED8B3D0E3590BE",
      torch_tensor_12_12_torch.float32: "0x04000000E52F65BEA765B6BDEBC1013E81CA913E02FB293E942605BD6B49CF3DB30091BEA6797CBE4DEE093E296F27BEA7360E3E07AD50BE626A12BE377C73BE02421A3ED8F6F0BC257F633ED0F0363EE691233E5616183CC0C9B6BD0B8C80BDB8241D3D8C88123EC2184FBEE517783E5B9000BD13B377BE41F01FBE0CC7823E2C2B873EDAE788BE107D503EF324143E1BF92E3EA33C7A3EC5501FBE51B0BA3D00F1F13D99B2AEBD63D9C53D1C19AABD97C2363E7408A4BD3966DCBDF1D5943D7FB2D13D646C10BEF70BD13C0D502B3EE14AEBBC9BECB33D63978EBDBC37CF3D232256BEC2D22DBEA30B16BED3D4873E95159FBD859E4EBAEF370FBE878C933E7D5A903EA9F05EBE00A36FBEB41060BE907AB6BA6EB396BD637C41BEA30CD4BDF6645F3D33731ABE4600833DB59287BD113D0FBE4972223DF10F733EEED947BE5E9E5B3C9804DABDE909913E923A8CBE15B18DBE3CA4913E77063BBE3DB2623D5519CCBC6A1579BD710B84BD9ED63B3E2610623CE0E68FBE2F832EBEE38AC9BDA0C0143E7D4B3FBE775D8B3ED7AD83BD045154BD539F673E9092143E0BB57A3E76FD2A3E4858B3BDE91F44BE48F3AFBC05A7743EB16BC6BD1B1189BE395AF23D75E18F3E7F4EA8BD3BC474BE9F1086BEF127943D6210B3BCA24615BEE0006F3D1684E03D54196B3E4D80653EEFFC30BDA05382BE988E85BE3A008A3E4AAC023E0DDB003E21C37FBEDEDD883ED6048C3EBB71853ED65D79BE7B13DFBD264E4BBE8DF68B3E9907FEBD84F506BED3DE1A3E6DBE08BE589711BEDBDACEBC574EE3BCC54466BE",
      torch_tensor_1_1_8_8_torch.uint8: "0x0100000001000000000000000101000000000000010101000000000001010101000000000101010101000000010101010101000001010101010101000101010101010101",
      torch_tensor_36_torch.float32: "0x04000000D2E67A3EE71A9B3C170445BE09D2D3BD2C19813D005861BED9DB123E442F86BEAD148EBEF19C8FBE4ADE6FBDFEC5463E24E48BBEA2B3753E067FECBDB127AD3D9DAF573C8D4685BE0527753E6A2A1F3E0AEA923EA857153E5C1E43BEABB4763E4B317E3C122E0C3EFB056DBEF50BAABD861F91BE4445E6BD58157F3DAF1868BE9D74BC3D90AE1E3E9EB8243D84C845BE",
      torch_tensor_36_12_torch.float32: "0x04000000E8A30DBB13931E3E7E4B73BEC98B59BEB1B4E3BD53899E3D406BBBBB7A616A3E42DDD1BCD2709C3D9EABB2BDEA6B68BDBD338DBED6C543BE84B5F3BD08342F3C8DB9E93D665E313ED26648BE69B900BE83BCD63D2777753E435773BD15345D3EDA953EBD653BFA3CB5D4853E791C89BEF0173ABE48AC95BDCC73E6BDCA667F3EA49A3FBE701308BE3C854EBEDF6C8ABE3E8E2CBE9D197E3E55E7033E54450F3E67BD783C0B8D17BED50B483D6B008ABECE9755BE736418BEE2813A3E8A512D3E3F1903BE3DA82ABC680E3D3E3DEF923EAFA3EA3D50BC1F3DB032463E4B0D2EBEEE555C3DD22E65BEEAE04CBE2EB418BEA6C0053E8AC2ED3DF4192FBE949BB23D2847223EB83D15BDE195343C41FC883DA962373E15EB8D3E84CC63BECBA8D8BD9E59E83D06EC743E3B9E803EEF69823E44516B3D998680BEDB8BD93C58EE38BE8FBE89BE1752833ECFC3603EB16F93BE92505D3D7A3047BD4D9442BD805007BE285AE33D3F162FBE33BBD83D2F7D153E319D533E0B0FDD3DD64892BEC8C13FBE6499133E107B773D6E9866BED3362ABE580B8B3ECD2E473EF7E300BE38CC94BDACCB8CBEDC05AABB529B5EBEFF0364BE104D82BC9488313DF61DF2BD86672F3EDDE233BE5E1C863EB1934A3EFA4679BE5F2493BD146A553CF0832C3D11388C3D9701E83D4CA78D3CBE3B10BE52E00B3E51C78DBEC1342FBE26FF93BD09FE0FBEE6D2CEBD6C4872BE69847BBD9CBF7C3D519340BE08B972BC9F9B533ED21AF3BC9272033CD102CCBC664C6F3DCEF43B3E2B018C3E82B93B3E2D538C3E3607ABBCFFC584BE89230CBE2147493E7647F5BAB6ED12BE398662BE0C528ABEDC7D79BE3ED66FBD531C223EB8D01F3E6D8B8EBE5D64383EF94F67BE6EF979BDD7B7EFBD39C063BD822868BD3CA184BE313C7FBEFF0539BDB0A8743B014906BE03B5DE3DB70785BE7B989FBCCBFA813E0226F1BD2277853E941BD63D9E6285BE07073B3EA87108BD98F503BE53616C3E2AE06EBEF0C1FD3C738F77BD1518533E3808A53DFB090E3E39CAD03D952B8EBD00AB78BDE99973BEC22B203EDCB36A3E57424A3E1E8350BE28F1523C816150BE97B922BEEB3F2CBEBC0ACA3D672730BE2B60CEBBB7F7463C7F8D3E3ED6735FBE70EF4ABE3EA52BBE14E74E3EA384D4BD8C56793EE8C8D53D6BB9153DA3D40CBBC6BD69BD645A143DB8FF86BD2EEE04BB22DE163DF23867BE5CEF1ABE92B26E3E5AE56FBE28CFA9BC0D36923ED590D53D2FE9053C1E1680BE746F123E758D52BE8CD2A7BD085CC6BDBA192FBDEDEF4E3BDCD0733E719C133D8862843E01D3343E72E23ABE4D94043EF9F550BE7991FABD26E3AD3D3636C33D19C55D3E9D51BEBDE549F239FE2E183E16F08EBE2AB7553EE77074BE775F823BB40749BDB0AF1BBEE2471C3D9F70743E3ED2ACBD7A7F2FBEB4A6DABD4E7E92BEFE6E053EB2F70DBE9C4445BE294C2ABE7CF5293E338B1C3ECCE1623EBF71D63D6F70C5BD2C36A5BD00A9AE3D07FF723E96BEA03D04DD0BBEDAF40ABEEDBD8BBE42757F3D2EE325BEC2C683BE939A813ED6F73FBE5F8306BD7C60A93DC8AD163CF5E746BE4EF16EBEC79E6B3EEB8A403D623D753E4C32C6BDA424AE3DE53187BD465552BC160934BE57F2C73D5EEBBA3DCA21C3BBB2F684BDFD3736BE466C4C3EE30D5CBE6C32F23D9ACBC6BD819E0EBE2B6A543DA08D19BE8637883D0E34683D7C7B5BBEBFDE443DEBCFFB3D9604EA3D34D714BDFB5472BE194636BDA354CD3DC0B7D7BD2F69E03D5BDC443E89591ABE74923A3B9F76F43D9A59B93C9B89C53C7DA4133D4C6368BEFBD8B93C47B24C3EA52F853EBBBD2D3E6E721E3D0B0D0A3E15CE0FBE8AF674BE0F327EBEC972933E56A53B3EBC544CBE254EE73DE53A5F3EA7BE933EAD3C813E1205653E238A87BDA37ACFBD6CB4723E6CA6253E4CE331BE51E0843EC3D20E3ED524213EF54639BEF99DA93D3E41CFBDBBF8663E9FC354BD062AE63DBE05523D268AFB3D87E8C8BDB220103E68784EBEE886853DB80048BED9CF91BECE626DBEB75E693E94EE1F3E7BAB8A3E69D06C3E5DFE83BE9ABA49BEB20E3FBD6FF93FBE13444D3E7A7A5FBEAD3910BE38CA8EBED6D327BE8820733E3807723EA19A533E4F3E643E5A6C833EDA6297BDEB10023E56AE833E0F95C33DFBC0933E8951193EE5C2373EEEEACEBDAFD60D3EF6DD073DBE308DBD6FA226BE31DE25BE0A7663BE8E72463E5427523EDA9206BDBF0F2BBE3379643EFA083D3E7EC9AF3C95900BBE39D6873EB9C4F13DE96760BE5C758D3E3279603E4B7DD7BDBD2C263E65F527BE154D39BD45FF7A3ED86C433C590E51BECA99C5BDED7AA0BD1F1F64BDBD50E23CFDB0883E303A7D3C6F8436BE3A6A723CEEBC0D3E93A1123EE61487BE7C9553BD0EAD5BBE6542FCBD0302D53DB7EA51BE75C4DB3D"
    }
  }
#-}
