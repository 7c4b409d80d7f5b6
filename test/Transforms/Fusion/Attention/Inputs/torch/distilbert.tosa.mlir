// DistilBERT: masked_fill with -inf
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 1
module {
  func.func @main(%arg0: tensor<2x8x12xf32>, %arg1: tensor<2x8xi1>) -> tensor<2x8x12xf32> {
    %0 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64>}> : () -> tensor<8xi64>
    %1 = tosa.const_shape  {values = dense<[1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %2 = tosa.const_shape  {values = dense<[16, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = tosa.const_shape  {values = dense<[1, 16, 12]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = tosa.const_shape  {values = dense<[2, 8, 12]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[2, 8, 2, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %8 = tosa.const_shape  {values = dense<[4, 8, 6]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %9 = tosa.const_shape  {values = dense<[4, 6, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %10 = tosa.const_shape  {values = dense<[2, 2, 8, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %11 = tosa.const_shape  {values = dense<[2, 1, 1, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %12 = tosa.const_shape  {values = dense<[1, 2, 8, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %13 = tosa.const_shape  {values = dense<[4, 8, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.const_shape  {values = dense<[2, 2, 8, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %15 = "tosa.const"() <{values = dense<0> : tensor<1xi64>}> : () -> tensor<1xi64>
    %16 = "tosa.const"() <{values = dense<"0xE8A30DBBBD338DBEDA953EBD3E8E2CBE3F1903BEA6C0053E9E59E83D92505D3D6499133E104D82BC9701E83D519340BE13931E3ED6C543BE653BFA3C9D197E3E3DA82ABC8AC2ED3D06EC743E7A3047BD107B773D9488313D4CA78D3C08B972BC7E4B73BE84B5F3BDB5D4853E55E7033E680E3D3EF4192FBE3B9E803E4D9442BD6E9866BEF61DF2BDBE3B10BE9F9B533EC98B59BE08342F3C791C89BE54450F3E3DEF923E949BB23DEF69823E805007BED3362ABE86672F3E52E00B3ED21AF3BCB1B4E3BD8DB9E93DF0173ABE67BD783CAFA3EA3D2847223E44516B3D285AE33D580B8B3EDDE233BE51C78DBE9272033C53899E3D665E313E48AC95BD0B8D17BE50BC1F3DB83D15BD998680BE3F162FBECD2E473E5E1C863EC1342FBED102CCBC406BBBBBD26648BECC73E6BDD50B483DB032463EE195343CDB8BD93C33BBD83DF7E300BEB1934A3E26FF93BD664C6F3D7A616A3E69B900BECA667F3E6B008ABE4B0D2EBE41FC883D58EE38BE2F7D153E38CC94BDFA4679BE09FE0FBECEF43B3E42DDD1BC83BCD63DA49A3FBECE9755BEEE555C3DA962373E8FBE89BE319D533EACCB8CBE5F2493BDE6D2CEBD2B018C3ED2709C3D2777753E701308BE736418BED22E65BE15EB8D3E1752833E0B0FDD3DDC05AABB146A553C6C4872BE82B93B3E9EABB2BD435773BD3C854EBEE2813A3EEAE04CBE84CC63BECFC3603ED64892BE529B5EBEF0832C3D69847BBD2D538C3EEA6B68BD15345D3EDF6C8ABE8A512D3E2EB418BECBA8D8BDB16F93BEC8C13FBEFF0364BE11388C3D9CBF7C3D3607ABBC"> : tensor<1x12x12xf32>}> : () -> tensor<1x12x12xf32>
    %17 = "tosa.const"() <{values = dense_resource<torch_tensor_12_torch.float32> : tensor<1x12xf32>}> : () -> tensor<1x12xf32>
    %18 = "tosa.const"() <{values = dense<"0x5D64383EB70785BEF0C1FD3C1E8350BE3EA52BBEF23867BE085CC6BD3636C33D9F70743EBF71D63D939A813EE53187BDF94F67BE7B989FBC738F77BD28F1523C14E74E3E5CEF1ABEBA192FBD19C55D3E3ED2ACBD6F70C5BDD6F73FBE465552BC6EF979BDCBFA813E1518533E816150BEA384D4BD92B26E3EEDEF4E3B9D51BEBD7A7F2FBE2C36A5BD5F8306BD160934BED7B7EFBD0226F1BD3808A53D97B922BE8C56793E5AE56FBEDCD0733EE549F239B4A6DABD00A9AE3D7C60A93D57F2C73D39C063BD2277853EFB090E3EEB3F2CBEE8C8D53D28CFA9BC719C133DFE2E183E4E7E92BE07FF723EC8AD163C5EEBBA3D822868BD941BD63D39CAD03DBC0ACA3D6BB9153D0D36923E8862843E16F08EBEFE6E053E96BEA03DF5E746BECA21C3BB3CA184BE9E6285BE952B8EBD672730BEA3D40CBBD590D53D01D3343E2AB7553EB2F70DBE04DD0BBE4EF16EBEB2F684BD313C7FBE07073B3E00AB78BD2B60CEBBC6BD69BD2FE9053C72E23ABEE77074BE9C4445BEDAF40ABEC79E6B3EFD3736BEFF0539BDA87108BDE99973BEB7F7463C645A143D1E1680BE4D94043E775F823B294C2ABEEDBD8BBEEB8A403D466C4C3EB0A8743B98F503BEC22B203E7F8D3E3EB8FF86BD746F123EF9F550BEB40749BD7CF5293E42757F3D623D753EE30D5CBE014906BE53616C3EDCB36A3ED6735FBE2EEE04BB758D52BE7991FABDB0AF1BBE338B1C3E2EE325BE4C32C6BD6C32F23D03B5DE3D2AE06EBE57424A3E70EF4ABE22DE163D8CD2A7BD26E3AD3DE2471C3DCCE1623EC2C683BEA424AE3D9ACBC6BD"> : tensor<1x12x12xf32>}> : () -> tensor<1x12x12xf32>
    %19 = "tosa.const"() <{values = dense_resource<torch_tensor_12_torch.float32_1> : tensor<1x12xf32>}> : () -> tensor<1x12xf32>
    %20 = "tosa.const"() <{values = dense<"0xA354CD3D47B24C3EE53A5F3EF54639BEB80048BE7A7A5FBE0F95C33D5427523E4B7DD7BD303A7D3CD2E67A3E24E48BBEC0B7D7BDA52F853EA7BE933EF99DA93DD9CF91BEAD3910BEFBC0933EDA9206BDBD2C263E6F8436BEE71A9B3CA2B3753E2F69E03DBBBD2D3EAD3C813E3E41CFBDCE626DBE38CA8EBE8951193EBF0F2BBE65F527BE3A6A723C170445BE067FECBD5BDC443E6E721E3D1205653EBBF8663EB75E693ED6D327BEE5C2373E3379643E154D39BDEEBC0D3E09D2D3BDB127AD3D89591ABE0B0D0A3E238A87BD9FC354BD94EE1F3E8820733EEEEACEBDFA083D3E45FF7A3E93A1123E2C19813D9DAF573C74923A3B15CE0FBEA37ACFBD062AE63D7BAB8A3E3807723EAFD60D3E7EC9AF3CD86C433CE61487BE005861BE8D4685BE9F76F43D8AF674BE6CB4723EBE05523D69D06C3EA19A533EF6DD073D95900BBE590E51BE7C9553BDD9DB123E0527753E9A59B93C0F327EBE6CA6253E268AFB3D5DFE83BE4F3E643EBE308DBD39D6873ECA99C5BD0EAD5BBE442F86BE6A2A1F3E9B89C53CC972933E4CE331BE87E8C8BD9ABA49BE5A6C833E6FA226BEB9C4F13DED7AA0BD6542FCBDAD148EBE0AEA923E7DA4133D56A53B3E51E0843EB220103EB20E3FBDDA6297BD31DE25BEE96760BE1F1F64BD0302D53DF19C8FBEA857153E4C6368BEBC544CBEC3D20E3E68784EBE6FF93FBEEB10023E0A7663BE5C758D3EBD50E23CB7EA51BE4ADE6FBD5C1E43BEFBD8B93C254EE73DD524213EE886853D13444D3E56AE833E8E72463E3279603EFDB0883E75C4DB3DFEC5463EABB4763E"> : tensor<1x12x12xf32>}> : () -> tensor<1x12x12xf32>
    %21 = "tosa.const"() <{values = dense_resource<torch_tensor_12_torch.float32_2> : tensor<1x12xf32>}> : () -> tensor<1x12xf32>
    %22 = "tosa.const"() <{values = dense<0.408248276> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %23 = "tosa.const"() <{values = dense<0> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
    %24 = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %25 = "tosa.const"() <{values = dense<"0xE52F65BE07AD50BE8C88123EA33C7A3E646C10BE859E4EBA33731ABE3CA4913E7D4B3FBEB16BC6BD54196B3ED65D79BEA765B6BD626A12BEC2184FBEC5501FBEF70BD13CEF370FBE4600833D77063BBE775D8B3E1B1189BE4D80653E7B13DFBDEBC1013E377C73BEE517783E51B0BA3D0D502B3E878C933EB59287BD3DB2623DD7AD83BD395AF23DEFFC30BD264E4BBE81CA913E02421A3E5B9000BD00F1F13DE14AEBBC7D5A903E113D0FBE5519CCBC045154BD75E18F3EA05382BE8DF68B3E02FB293ED8F6F0BC13B377BE99B2AEBD9BECB33DA9F05EBE4972223D6A1579BD539F673E7F4EA8BD988E85BE9907FEBD942605BD257F633E41F01FBE63D9C53D63978EBD00A36FBEF10F733E710B84BD9092143E3BC474BE3A008A3E84F506BE6B49CF3DD0F0363E0CC7823E1C19AABDBC37CF3DB41060BEEED947BE9ED63B3E0BB57A3E9F1086BE4AAC023ED3DE1A3EB30091BEE691233E2C2B873E97C2363E232256BE907AB6BA5E9E5B3C2610623C76FD2A3EF127943D0DDB003E6DBE08BEA6797CBE5616183CDAE788BE7408A4BDC2D22DBE6EB396BD9804DABDE0E68FBE4858B3BD6210B3BC21C37FBE589711BE4DEE093EC0C9B6BD107D503E3966DCBDA30B16BE637C41BEE909913E2F832EBEE91F44BEA24615BEDEDD883EDBDACEBC296F27BE0B8C80BDF324143EF1D5943DD3D4873EA30CD4BD923A8CBEE38AC9BD48F3AFBCE0006F3DD6048C3E574EE3BCA7360E3EB8241D3D1BF92E3E7FB2D13D95159FBDF6645F3D15B18DBEA0C0143E05A7743E1684E03DBB71853EC54466BE"> : tensor<1x12x12xf32>}> : () -> tensor<1x12x12xf32>
    %26 = "tosa.const"() <{values = dense_resource<torch_tensor_12_torch.float32_3> : tensor<1x12xf32>}> : () -> tensor<1x12xf32>
    %27 = tosa.equal %15, %0 : (tensor<1xi64>, tensor<8xi64>) -> tensor<8xi1>
    %28 = tosa.reshape %27, %1 : (tensor<8xi1>, !tosa.shape<2>) -> tensor<1x8xi1>
    %29 = tosa.logical_or %arg1, %28 : (tensor<2x8xi1>, tensor<1x8xi1>) -> tensor<2x8xi1>
    %30 = tosa.reshape %arg0, %4 : (tensor<2x8x12xf32>, !tosa.shape<3>) -> tensor<1x16x12xf32>
    %31 = tosa.matmul %30, %16, %3, %3 : (tensor<1x16x12xf32>, tensor<1x12x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x12xf32>
    %32 = tosa.reshape %31, %2 : (tensor<1x16x12xf32>, !tosa.shape<2>) -> tensor<16x12xf32>
    %33 = tosa.add %32, %17 : (tensor<16x12xf32>, tensor<1x12xf32>) -> tensor<16x12xf32>
    %34 = tosa.reshape %33, %7 : (tensor<16x12xf32>, !tosa.shape<4>) -> tensor<2x8x2x6xf32>
    %35 = tosa.transpose %34 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x2x6xf32>) -> tensor<2x2x8x6xf32>
    %36 = tosa.matmul %30, %18, %3, %3 : (tensor<1x16x12xf32>, tensor<1x12x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x12xf32>
    %37 = tosa.reshape %36, %2 : (tensor<1x16x12xf32>, !tosa.shape<2>) -> tensor<16x12xf32>
    %38 = tosa.add %37, %19 : (tensor<16x12xf32>, tensor<1x12xf32>) -> tensor<16x12xf32>
    %39 = tosa.reshape %38, %7 : (tensor<16x12xf32>, !tosa.shape<4>) -> tensor<2x8x2x6xf32>
    %40 = tosa.matmul %30, %20, %3, %3 : (tensor<1x16x12xf32>, tensor<1x12x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x12xf32>
    %41 = tosa.reshape %40, %2 : (tensor<1x16x12xf32>, !tosa.shape<2>) -> tensor<16x12xf32>
    %42 = tosa.add %41, %21 : (tensor<16x12xf32>, tensor<1x12xf32>) -> tensor<16x12xf32>
    %43 = tosa.reshape %42, %7 : (tensor<16x12xf32>, !tosa.shape<4>) -> tensor<2x8x2x6xf32>
    %44 = tosa.transpose %43 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x8x2x6xf32>) -> tensor<2x2x8x6xf32>
    %45 = tosa.mul %35, %22, %5 : (tensor<2x2x8x6xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x2x8x6xf32>
    %46 = tosa.transpose %39 {perms = array<i32: 0, 2, 3, 1>} : (tensor<2x8x2x6xf32>) -> tensor<2x2x6x8xf32>
    %47 = tosa.reshape %45, %8 : (tensor<2x2x8x6xf32>, !tosa.shape<3>) -> tensor<4x8x6xf32>
    %48 = tosa.reshape %46, %9 : (tensor<2x2x6x8xf32>, !tosa.shape<3>) -> tensor<4x6x8xf32>
    %49 = tosa.matmul %47, %48, %3, %3 : (tensor<4x8x6xf32>, tensor<4x6x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8x8xf32>
    %50 = tosa.reshape %49, %10 : (tensor<4x8x8xf32>, !tosa.shape<4>) -> tensor<2x2x8x8xf32>
    %51 = tosa.cast %29 : (tensor<2x8xi1>) -> tensor<2x8xi64>
    %52 = tosa.equal %51, %23 : (tensor<2x8xi64>, tensor<1x1xi64>) -> tensor<2x8xi1>
    %53 = tosa.reshape %52, %11 : (tensor<2x8xi1>, !tosa.shape<4>) -> tensor<2x1x1x8xi1>
    %54 = tosa.tile %53, %12 : (tensor<2x1x1x8xi1>, !tosa.shape<4>) -> tensor<2x2x8x8xi1>
    %55 = tosa.select %54, %24, %50 : (tensor<2x2x8x8xi1>, tensor<1x1x1x1xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %56 = tosa.reduce_max %55 {axis = 3 : i32} : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x1xf32>
    %57 = tosa.sub %55, %56 : (tensor<2x2x8x8xf32>, tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %58 = tosa.exp %57 : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %59 = tosa.reduce_sum %58 {axis = 3 : i32} : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x1xf32>
    %60 = tosa.reciprocal %59 : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x1xf32>
    %61 = tosa.mul %58, %60, %5 : (tensor<2x2x8x8xf32>, tensor<2x2x8x1xf32>, tensor<1xi8>) -> tensor<2x2x8x8xf32>
    %62 = tosa.reshape %61, %13 : (tensor<2x2x8x8xf32>, !tosa.shape<3>) -> tensor<4x8x8xf32>
    %63 = tosa.reshape %44, %8 : (tensor<2x2x8x6xf32>, !tosa.shape<3>) -> tensor<4x8x6xf32>
    %64 = tosa.matmul %62, %63, %3, %3 : (tensor<4x8x8xf32>, tensor<4x8x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8x6xf32>
    %65 = tosa.reshape %64, %14 : (tensor<4x8x6xf32>, !tosa.shape<4>) -> tensor<2x2x8x6xf32>
    %66 = tosa.transpose %65 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x2x8x6xf32>) -> tensor<2x8x2x6xf32>
    %67 = tosa.reshape %66, %4 : (tensor<2x8x2x6xf32>, !tosa.shape<3>) -> tensor<1x16x12xf32>
    %68 = tosa.matmul %67, %25, %3, %3 : (tensor<1x16x12xf32>, tensor<1x12x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x12xf32>
    %69 = tosa.reshape %68, %2 : (tensor<1x16x12xf32>, !tosa.shape<2>) -> tensor<16x12xf32>
    %70 = tosa.add %69, %26 : (tensor<16x12xf32>, tensor<1x12xf32>) -> tensor<16x12xf32>
    %71 = tosa.reshape %70, %6 : (tensor<16x12xf32>, !tosa.shape<3>) -> tensor<2x8x12xf32>
    return %71 : tensor<2x8x12xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32: "0x04000000FFC584BE89230CBE2147493E7647F5BAB6ED12BE398662BE0C528ABEDC7D79BE3ED66FBD531C223EB8D01F3E6D8B8EBE",
      torch_tensor_12_torch.float32_1: "0x04000000819E0EBE2B6A543DA08D19BE8637883D0E34683D7C7B5BBEBFDE443DEBCFFB3D9604EA3D34D714BDFB5472BE194636BD",
      torch_tensor_12_torch.float32_2: "0x040000004B317E3C122E0C3EFB056DBEF50BAABD861F91BE4445E6BD58157F3DAF1868BE9D74BC3D90AE1E3E9EB8243D84C845BE",
      torch_tensor_12_torch.float32_3: "0x04000000616F763EA56502BEB5B5D13D338E803EDF13153EEA67273D24847B3E87F21E3D49C308BEFFD18B3E56ED8B3D0E3590BE"
    }
  }
#-}
