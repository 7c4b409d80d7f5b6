// MQA of Falcon: one key head, broadcast in the product
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 1
module {
  func.func @main(%arg0: tensor<2x5x12xf32>) -> tensor<2x5x12xf32> {
    %0 = tosa.const_shape  {values = dense<[10, 12]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = tosa.const_shape  {values = dense<[1, 10, 12]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = tosa.const_shape  {values = dense<[2, 5, 12]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %5 = tosa.const_shape  {values = dense<[2, 5, 3, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %6 = tosa.const_shape  {values = dense<[10, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %7 = tosa.const_shape  {values = dense<[2, 5, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.const_shape  {values = dense<[2, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %9 = tosa.const_shape  {values = dense<0> : tensor<3xindex>} : () -> !tosa.shape<3>
    %10 = tosa.const_shape  {values = dense<[0, 0, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %11 = tosa.const_shape  {values = dense<[2, 1, 5, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %12 = tosa.const_shape  {values = dense<[6, 5, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %13 = tosa.const_shape  {values = dense<[1, 3, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %14 = tosa.const_shape  {values = dense<[6, 4, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %15 = tosa.const_shape  {values = dense<[2, 3, 5, 5]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %16 = tosa.const_shape  {values = dense<[6, 5, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %17 = tosa.const_shape  {values = dense<[2, 3, 5, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %18 = "tosa.const"() <{values = dense<"0xE8A30DBBBD338DBEDA953EBD3E8E2CBE3F1903BEA6C0053E9E59E83D92505D3D6499133E104D82BC9701E83D519340BE13931E3ED6C543BE653BFA3C9D197E3E3DA82ABC8AC2ED3D06EC743E7A3047BD107B773D9488313D4CA78D3C08B972BC7E4B73BE84B5F3BDB5D4853E55E7033E680E3D3EF4192FBE3B9E803E4D9442BD6E9866BEF61DF2BDBE3B10BE9F9B533EC98B59BE08342F3C791C89BE54450F3E3DEF923E949BB23DEF69823E805007BED3362ABE86672F3E52E00B3ED21AF3BCB1B4E3BD8DB9E93DF0173ABE67BD783CAFA3EA3D2847223E44516B3D285AE33D580B8B3EDDE233BE51C78DBE9272033C53899E3D665E313E48AC95BD0B8D17BE50BC1F3DB83D15BD998680BE3F162FBECD2E473E5E1C863EC1342FBED102CCBC406BBBBBD26648BECC73E6BDD50B483DB032463EE195343CDB8BD93C33BBD83DF7E300BEB1934A3E26FF93BD664C6F3D7A616A3E69B900BECA667F3E6B008ABE4B0D2EBE41FC883D58EE38BE2F7D153E38CC94BDFA4679BE09FE0FBECEF43B3E42DDD1BC83BCD63DA49A3FBECE9755BEEE555C3DA962373E8FBE89BE319D533EACCB8CBE5F2493BDE6D2CEBD2B018C3ED2709C3D2777753E701308BE736418BED22E65BE15EB8D3E1752833E0B0FDD3DDC05AABB146A553C6C4872BE82B93B3E9EABB2BD435773BD3C854EBEE2813A3EEAE04CBE84CC63BECFC3603ED64892BE529B5EBEF0832C3D69847BBD2D538C3EEA6B68BD15345D3EDF6C8ABE8A512D3E2EB418BECBA8D8BDB16F93BEC8C13FBEFF0364BE11388C3D9CBF7C3D3607ABBC"> : tensor<1x12x12xf32>}> : () -> tensor<1x12x12xf32>
    %19 = "tosa.const"() <{values = dense_resource<torch_tensor_12_torch.float32> : tensor<1x12xf32>}> : () -> tensor<1x12xf32>
    %20 = "tosa.const"() <{values = dense<[[[0.180070356, -0.259824485, 0.0309762657, -0.203625172, -0.167622536, -0.225803167, -0.0968552231, 0.0953182429], [-0.225891009, -0.019481888, -0.0604395382, 0.0128748789, 0.202053368, -0.151303709, -0.0427491441, 0.21657218], [-0.0610288903, 0.253866524, 0.206146553, -0.203496948, -0.103768609, 0.233103067, 0.00315761124, -9.292910e-02], [-0.117049865, -0.117748275, 0.0805820822, -0.158911094, 0.243494213, -0.234273344, 0.238101423, 4.62128926E-4], [-0.0556032397, 0.260674536, 0.138709947, -0.168212578, 0.104387105, -0.0207286626, 0.036037866, 0.148616761], [-0.0566792563, 0.104544789, 0.101948209, 0.0986532866, 0.0365537815, 0.285568625, 0.258564234, -0.27917546], [-0.259042621, -2.605180e-01, -0.0694190636, -0.172025308, -0.0021489046, 0.104280151, 0.176586166, 0.208706528], [-0.249253049, 1.826440e-01, -0.0607099533, -0.00629808521, -0.0570657477, 0.00817327108, -0.182504445, -0.238711938], [-0.0451717339, -0.033311516, -0.237891808, 0.0121440208, 0.0362190157, -0.250168741, 0.129471973, 0.00397866545], [0.00373319909, -0.128866553, 0.156416923, 0.18608664, -0.0659174323, 0.143003285, -0.204063311, -0.0490796119], [-0.131137863, 0.230840012, 0.229201734, -0.218215317, -0.00202835677, -0.205617741, -0.12234778, -0.152037382], [0.10874369, -2.332770e-01, 0.197518691, -1.981790e-01, 0.0368329361, -0.081944555, 0.0849059075, 0.0381544903]]]> : tensor<1x12x8xf32>}> : () -> tensor<1x12x8xf32>
    %21 = "tosa.const"() <{values = dense_resource<torch_tensor_8_torch.float32> : tensor<1x8xf32>}> : () -> tensor<1x8xf32>
    %22 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %23 = "tosa.const"() <{values = dense<"0x294C2ABEEDBD8BBEEB8A403D466C4C3E9604EA3D9B89C53CC972933E4CE331BE87E8C8BD9ABA49BE5A6C833E6FA226BE7CF5293E42757F3D623D753EE30D5CBE34D714BD7DA4133D56A53B3E51E0843EB220103EB20E3FBDDA6297BD31DE25BE338B1C3E2EE325BE4C32C6BD6C32F23DFB5472BE4C6368BEBC544CBEC3D20E3E68784EBE6FF93FBEEB10023E0A7663BECCE1623EC2C683BEA424AE3D9ACBC6BD194636BDFBD8B93C254EE73DD524213EE886853D13444D3E56AE833E8E72463EBF71D63D939A813EE53187BD819E0EBEA354CD3D47B24C3EE53A5F3EF54639BEB80048BE7A7A5FBE0F95C33D5427523E6F70C5BDD6F73FBE465552BC2B6A543DC0B7D7BDA52F853EA7BE933EF99DA93DD9CF91BEAD3910BEFBC0933EDA9206BD2C36A5BD5F8306BD160934BEA08D19BE2F69E03DBBBD2D3EAD3C813E3E41CFBDCE626DBE38CA8EBE8951193EBF0F2BBE00A9AE3D7C60A93D57F2C73D8637883D5BDC443E6E721E3D1205653EBBF8663EB75E693ED6D327BEE5C2373E3379643E07FF723EC8AD163C5EEBBA3D0E34683D89591ABE0B0D0A3E238A87BD9FC354BD94EE1F3E8820733EEEEACEBDFA083D3E96BEA03DF5E746BECA21C3BB7C7B5BBE74923A3B15CE0FBEA37ACFBD062AE63D7BAB8A3E3807723EAFD60D3E7EC9AF3C04DD0BBE4EF16EBEB2F684BDBFDE443D9F76F43D8AF674BE6CB4723EBE05523D69D06C3EA19A533EF6DD073D95900BBEDAF40ABEC79E6B3EFD3736BEEBCFFB3D9A59B93C0F327EBE6CA6253E268AFB3D5DFE83BE4F3E643EBE308DBD39D6873E"> : tensor<1x12x12xf32>}> : () -> tensor<1x12x12xf32>
    %24 = "tosa.const"() <{values = dense_resource<torch_tensor_12_torch.float32_1> : tensor<1x12xf32>}> : () -> tensor<1x12xf32>
    %25 = tosa.reshape %arg0, %2 : (tensor<2x5x12xf32>, !tosa.shape<3>) -> tensor<1x10x12xf32>
    %26 = tosa.matmul %25, %18, %1, %1 : (tensor<1x10x12xf32>, tensor<1x12x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x12xf32>
    %27 = tosa.reshape %26, %0 : (tensor<1x10x12xf32>, !tosa.shape<2>) -> tensor<10x12xf32>
    %28 = tosa.add %27, %19 : (tensor<10x12xf32>, tensor<1x12xf32>) -> tensor<10x12xf32>
    %29 = tosa.reshape %28, %5 : (tensor<10x12xf32>, !tosa.shape<4>) -> tensor<2x5x3x4xf32>
    %30 = tosa.transpose %29 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
    %31 = tosa.matmul %25, %20, %1, %1 : (tensor<1x10x12xf32>, tensor<1x12x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x8xf32>
    %32 = tosa.reshape %31, %6 : (tensor<1x10x8xf32>, !tosa.shape<2>) -> tensor<10x8xf32>
    %33 = tosa.add %32, %21 : (tensor<10x8xf32>, tensor<1x8xf32>) -> tensor<10x8xf32>
    %34 = tosa.reshape %33, %7 : (tensor<10x8xf32>, !tosa.shape<3>) -> tensor<2x5x8xf32>
    %35 = tosa.slice %34, %9, %8 : (tensor<2x5x8xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x5x4xf32>
    %36 = tosa.slice %34, %10, %8 : (tensor<2x5x8xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x5x4xf32>
    %37 = tosa.reshape %35, %11 : (tensor<2x5x4xf32>, !tosa.shape<4>) -> tensor<2x1x5x4xf32>
    %38 = tosa.reshape %36, %11 : (tensor<2x5x4xf32>, !tosa.shape<4>) -> tensor<2x1x5x4xf32>
    %39 = tosa.transpose %37 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x1x5x4xf32>) -> tensor<2x1x4x5xf32>
    %40 = tosa.reshape %30, %12 : (tensor<2x3x5x4xf32>, !tosa.shape<3>) -> tensor<6x5x4xf32>
    %41 = tosa.tile %39, %13 : (tensor<2x1x4x5xf32>, !tosa.shape<4>) -> tensor<2x3x4x5xf32>
    %42 = tosa.reshape %41, %14 : (tensor<2x3x4x5xf32>, !tosa.shape<3>) -> tensor<6x4x5xf32>
    %43 = tosa.matmul %40, %42, %1, %1 : (tensor<6x5x4xf32>, tensor<6x4x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x5xf32>
    %44 = tosa.reshape %43, %15 : (tensor<6x5x5xf32>, !tosa.shape<4>) -> tensor<2x3x5x5xf32>
    %45 = tosa.mul %44, %22, %3 : (tensor<2x3x5x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x5x5xf32>
    %46 = tosa.reduce_max %45 {axis = 3 : i32} : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x1xf32>
    %47 = tosa.sub %45, %46 : (tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) -> tensor<2x3x5x5xf32>
    %48 = tosa.exp %47 : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %49 = tosa.reduce_sum %48 {axis = 3 : i32} : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x1xf32>
    %50 = tosa.reciprocal %49 : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %51 = tosa.mul %48, %50, %3 : (tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>, tensor<1xi8>) -> tensor<2x3x5x5xf32>
    %52 = tosa.reshape %51, %16 : (tensor<2x3x5x5xf32>, !tosa.shape<3>) -> tensor<6x5x5xf32>
    %53 = tosa.tile %38, %13 : (tensor<2x1x5x4xf32>, !tosa.shape<4>) -> tensor<2x3x5x4xf32>
    %54 = tosa.reshape %53, %12 : (tensor<2x3x5x4xf32>, !tosa.shape<3>) -> tensor<6x5x4xf32>
    %55 = tosa.matmul %52, %54, %1, %1 : (tensor<6x5x5xf32>, tensor<6x5x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x5x4xf32>
    %56 = tosa.reshape %55, %17 : (tensor<6x5x4xf32>, !tosa.shape<4>) -> tensor<2x3x5x4xf32>
    %57 = tosa.transpose %56 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x3x5x4xf32>) -> tensor<2x5x3x4xf32>
    %58 = tosa.reshape %57, %2 : (tensor<2x5x3x4xf32>, !tosa.shape<3>) -> tensor<1x10x12xf32>
    %59 = tosa.matmul %58, %23, %1, %1 : (tensor<1x10x12xf32>, tensor<1x12x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x12xf32>
    %60 = tosa.reshape %59, %0 : (tensor<1x10x12xf32>, !tosa.shape<2>) -> tensor<10x12xf32>
    %61 = tosa.add %60, %24 : (tensor<10x12xf32>, tensor<1x12xf32>) -> tensor<10x12xf32>
    %62 = tosa.reshape %61, %4 : (tensor<10x12xf32>, !tosa.shape<3>) -> tensor<2x5x12xf32>
    return %62 : tensor<2x5x12xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32: "0x04000000FFC584BE89230CBE2147493E7647F5BAB6ED12BE398662BE0C528ABEDC7D79BE3ED66FBD531C223EB8D01F3E6D8B8EBE",
      torch_tensor_8_torch.float32: "0x040000009F70743E3ED2ACBD7A7F2FBEB4A6DABD4E7E92BEFE6E053EB2F70DBE9C4445BE",
      torch_tensor_12_torch.float32_1: "0x04000000B9C4F13DE96760BE5C758D3E3279603E4B7DD7BDBD2C263E65F527BE154D39BD45FF7A3ED86C433C590E51BECA99C5BD"
    }
  }
#-}
