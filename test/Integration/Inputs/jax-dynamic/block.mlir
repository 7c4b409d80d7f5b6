"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{function_type = (tensor<?x?xi32>) -> tensor<?x11xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg32: tensor<?x?xi32>):
    %300 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %301 = "stablehlo.get_dimension_size"(%arg32) <{dimension = 0 : i64}> : (tensor<?x?xi32>) -> tensor<i32>
    %302 = "stablehlo.get_dimension_size"(%arg32) <{dimension = 1 : i64}> : (tensor<?x?xi32>) -> tensor<i32>
    %303 = "stablehlo.compare"(%301, %300) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%303, %301) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, t). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>) -> ()
    %304 = "stablehlo.compare"(%302, %300) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%304, %301, %302) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 't'. Using the following polymorphic shapes specifications: args[0].shape = (b, t). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 't' = {1} from specification 't' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %305 = "func.call"(%301, %302, %arg32) <{callee = @_wrapped_jax_export_main}> : (tensor<i32>, tensor<i32>, tensor<?x?xi32>) -> tensor<?x11xf32>
    "func.return"(%305) : (tensor<?x11xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "t"}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?xi32>) -> tensor<?x11xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "_wrapped_jax_export_main", sym_visibility = "private"}> ({
  ^bb0(%arg21: tensor<i32>, %arg22: tensor<i32>, %arg23: tensor<?x?xi32>):
    %78 = "stablehlo.constant"() <{value = dense<11> : tensor<1xi32>}> : () -> tensor<1xi32>
    %79 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %80 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.constant"() <{value = dense<-1.000000e+09> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %87 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %89 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %90 = "stablehlo.constant"() <{value = dense<24> : tensor<1xi32>}> : () -> tensor<1xi32>
    %91 = "stablehlo.constant"() <{value = dense<16> : tensor<1xi32>}> : () -> tensor<1xi32>
    %92 = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %93 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.constant"() <{value = dense<8> : tensor<1xi32>}> : () -> tensor<1xi32>
    %95 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %98 = "stablehlo.constant"() <{value = dense<11> : tensor<i32>}> : () -> tensor<i32>
    %99 = "stablehlo.constant"() <{value = dense<[[0.529215753, 0.120047167, 0.293621421, 0.672267973, 0.560267448, -0.293183386, 0.28502655, -0.0454071611], [-0.0309656579, 0.123179562, 0.0432130694, 0.436282068, 0.228311315, 0.0365025066, 0.133158982, 0.100102305], [0.44822374, -0.0615474805, 0.0939203128, -0.256228745, -0.765896975, 0.196085587, 0.259330869, -0.222649515], [0.680926442, -0.436309725, 0.0137275551, -0.0561551601, 0.459833771, 0.44080767, 0.0464842319, 0.113448761], [-0.266335726, -0.594238937, -0.104373656, 0.0469046943, 0.369087219, 0.360713959, -0.116198048, -0.0906908288], [-0.314565897, -0.426005393, -0.511881113, 0.585232615, -0.152895659, -0.131422296, -0.375838608, 0.233247116], [-0.484169364, -0.0638220906, -0.268639982, 0.116070755, -0.153241545, -0.354189694, -0.00845466926, 0.128499568], [0.0199551657, 0.0907415747, -0.190296635, -0.108822353, -0.201738134, -0.107865952, -0.2439439, -0.517884791], [0.0532278456, -0.120534286, -0.489059538, 0.138834685, -0.272189528, 0.0155836195, 0.218727186, 0.0386948772], [0.34182024, -0.370447755, 0.120702498, -0.20544304, -0.261239171, -0.173654914, -0.0934657604, 0.0168496035], [-0.349544942, 0.270247966, 0.139698744, -0.460873127, 0.446475655, 0.568766773, 0.353633881, -0.0539774522]]> : tensor<11x8xf32>}> : () -> tensor<11x8xf32>
    %100 = "stablehlo.constant"() <{value = dense<"0xB577A4BEBBF6A13E40B6F7BD7FC4BB3EA5ED7F3D0303963E97F3DA3D2E0F593E56704E3BA527093F18F31B3D77FBF63D40A0103F0B04CFBE8225C3BE3BE6943E1731B4BE2645153FA520FEBD3E9E65BE95AE133F3668E33EB46D0F3F212B8B3EC64884BE68B1123F4AA9A4BDBD83763E777F913EF6793EBD2BA53C3EA5A68D3E9F46E73D33DEA8BED03CB73D9EBBCB3E0B5F55BEF5DE37BDDEAD05BE02060E3F69874E3E3558FA3DAA846CBE48A8253EAF274FBE1C741C3CF95443BEE1CC4F3EF320313E20F57FBD794EF33DEEE4A7BEA30EE5BE2CFB063EF3CE4C3DE914433E8906373F7212913EA2358CBEDF92AB3E961FCABE7ECC0DBEE8B5A7BCB095033FE8C964BEC6E17DBEF9F4F1BC0FD24BBE210DAD3EA3E0A5BE4E40B0BE927F06BEDEFE18BE2530143FBFD4913E7B2AD73C163ABCBEB4B1813E11A299BEDF46EDBE3C7BB63EC3BAC23DA5718D3E87D3C33DF49B833EBDFE47BE16DC9EBEC662513EB5CE76BE68D453BE89F00BBEBFD3AB3B6F7ED9BD4931D3BE37B845BEE3C12ABF3412403E7913F6BE1FA2A9BE6F33803C9A3163BECF01ED3E3595C6BE7813A43D3A1541BC4E6BB3BE28C0203ECFCB52BD15186D3E01FB7C3EF322263F6B4ACD3E49D3E2BD171393BD60E8A83E0A4C493EFFA5443E4D5DF8BEB322EFBB1DB962BE56FCAB3DE336F1BCB1CD8B3E1DE6C23D598F713EB1480FBE241191BE3FEFFBBD4651A7BB6AF3E83DD3832D3FCEB34FBC4AD592BE3B92D4BDAC6A0EBE3FE9133E9BAAECBE02799B3CB450403DECA68E3DDA7E37BEDB2D92BD5BBCDABE418C17BE5DC426BE049FFF3DF296B1BEEBFB6F3E878DE53E90F91EBF5AF2023E37F24F3E17D243BE7515F4BD9E4823BD75F6B6BD8ADBBDBD94B700BF86FFB03E55D4A53E92DD79BE273EE1BE3612203ECFE130BE9C6E2E3D0532C4BDD370543E4C6D553E4DE75EBE167CD4BEAD23F3BE31823B3ED99BB6BEA9B11BBE0B3037BE7C3081BCD0B414BF9DF8673D78F0203E5F4ED93C2B02BFBDE35EEF3C902CF53D65EF54BFCE36163F61ACEF3D816B48BEA633F0BD6FAD173E25AB0EBDE2F41BBF968D1E3F"> : tensor<8x24xf32>}> : () -> tensor<8x24xf32>
    %101 = "stablehlo.constant"() <{value = dense<[[-3.316220e-02, 0.306051821, -0.207614973, 0.460913152, 0.0859031081, 0.182653159, -0.313576043, 0.363343596], [0.206945449, 0.390553892, -0.188426286, -0.14430815, 0.691175043, -0.318004757, -0.0407849103, 0.341067433], [0.0293174908, 0.174886107, -0.119834714, 0.111016773, -0.391958088, 0.497439206, -0.0354492143, -0.204053476], [0.199914932, -0.138215944, -0.400277555, -0.404015273, 0.208131954, -0.047872033, -0.0401104689, 0.323323131], [-0.338047743, -0.219203323, -0.115463942, 0.0283054784, -0.012651436, -0.086066164, -0.018487921, -0.032191582], [-0.215881318, -0.2438979, 8.235490e-02, -0.267274529, -0.347206593, -0.0936876758, -0.0473001041, 0.677017033], [-0.21141009, 0.282978237, 0.224156514, -0.356683493, 0.231975898, -0.35516423, -0.797751724, 0.181895867], [-0.526767194, 0.135280341, -0.20520328, 0.49786526, 0.320552826, -0.136015743, -0.206351295, -0.364223212]]> : tensor<8x8xf32>}> : () -> tensor<8x8xf32>
    %102 = "stablehlo.constant"() <{value = dense<"0x917307BE1B40ACBD5711E0BDC68E403DC8B8313EE5D3D63DBABE6ABE43D8DCBE9497D13E7ECC53BE766248BE001C20BE398C0DBF68D512BEAB5913BEF6923E3EE890563E0347943AC5218F3EDFDFD03D54299ABBA1BF453D67466ABD7698F2BDD97EA4BD3643ADBEAB4DAC3D368B98BE4A46813E724499BD1A47733CE8B4173E50A0453E6D3FF1BE463E7EBD0C32873E1F6A02BFF4F1ED3D333A2DBF9B0E9DBE7CE03D3CB178FEBEDD5F97BEE912E2BE4E27FD3E96CD493D87452E3EC4CF88BD0326D9BD5A4AF8BE0D4EB3BD2FEE69BEF1C6833EF445AF3E3944E13EB5F3823E10E837BEDB66ABBED9846B3E04E8DA3DE2D207BF7568DA3D73387A3EC7D0903CDB6463BD101C78BE1030DEBEFFD9753E80EBBDBD22718FBDB012053F5C47523EBBD5E33DC8902E3DA278E93E8110043FA1C58E3E02DC323E93DD20BF8D07183D1CE01FBD43E6E63C15DA903E3F6852BF86E42EBE49D4A53D3B6A0FBE05A3D9BE0979853E301CAA3D632995BE776CC13D22647C3E861DD03AFBEE753E0C55C03C25D4F2BD4516B2BEF72ED3BC46BF6E3D2587863EAE710DBDA1840C3E172A94BE766C70BE79A507BDAEFDA1BEEBFA7B3E0D460E3EF879AB3D0339D03D56371B3FFC0810BE191229BF6DE6743DFFB978BC5BFB1EBE285996BE45EB06BE24D45E3D1D771ABEC546393F928893BE4AA573BE1AC42FBF15839A3D2BDC1ABF71B825BE"> : tensor<8x16xf32>}> : () -> tensor<8x16xf32>
    %103 = "stablehlo.constant"() <{value = dense<"0x3A5FA9BD47075ABEA18B053F2EBD983E939ECA3E1F8A87BE205AAD3E1A5F183ED5F96C3E2F1F9E3E07968BBEB35902BEA87E843E99F34BBF7C72E83E14EC293EE5A460BCDB7A873DB4329EBE5601D7BDF100A93E4E60C73EEC114F3F62ADB5BCB74E4ABE01F91DBE095F9CBEFA55BFBC9B26EB3DC34E28BC1D66A83EF6E68FBD4379D5BDD19032BECEC5FABE23CFF0BE611EB5BE3DE6C73E1183893ECB31D33EB2A0CCBEBD3017BFF1C44ABEDD0B583D9A32193EF2F7A03E54A9AE3D43D6053FD9C488BDBD3F8CBE191E01BFC78B88BEDDC1943DE88188BE37E28F3EFCEED83EFAFB35BFECB7843E68002CBF58AEF63DDF23BC3EEF639F3C6E8FC4BE30D833BE45C1A0BD41F15FBDD45179BD230607BD8329833D0EA3B9BE6EB294BD7634E93E7F53ECBDB15808BE729CA53E9E8B44BFB375B53EF01E42BE796F493D29B8EC3C5BC3903E0469A4BD1F4A50BE6159C73E8D9135BFA6E4C73B960ACFBE92F469BEEB761A3F09325BBCA0B36F3DF4D208BF69F65FBE9D87713D90F6D93DEF813D3EA4A1293B4CE5213EDD660B3E29860CBFFAE3353C4FE66B3E0A36353E0C8EDFBD0D7D77BED0C5ABBE080A21BD840AAE3E08E615BF00B84ABEDC12AFBE9323713EAF482ABE749410BE384B85BD27D3083E7515F1BD9DF169BFCAE7263EBFDF063ED2E286BD0E82A6BE3B22D83D9800E93DE46410BEEA2885BD3FDF8EBE46735BBD"> : tensor<16x8xf32>}> : () -> tensor<16x8xf32>
    %104 = "stablehlo.constant"() <{value = dense<[[-0.465128809, 0.125195652, -0.283310562, 0.0714309513, -0.421788901, -0.177017301, -0.0331468247, -0.498209983, 0.0345443636, -0.113744274, -0.522706866], [-0.390972853, 0.181536019, 0.268666804, -0.0395725928, 0.121428549, 0.0671530738, 0.0988868996, 0.385795236, -0.452099532, 0.202938229, -0.114602692], [-0.0672776848, -0.0906749219, -0.112544134, -0.367858857, 0.0550017618, 0.50128293, -0.0168399066, -4.15512855E-4, -0.206189707, -0.0352423675, 0.139849931], [-0.111072741, -0.136141226, 0.120979369, -0.275401443, 0.0757489949, 0.246096551, 0.407984585, -0.0271146037, 0.410279185, 0.31032297, -0.298863798], [-0.365381569, -0.0914890989, 0.308680683, -0.0216861032, -0.180197284, 4.656730e-01, 0.0860713496, -0.696178317, 0.0951481983, 0.156012192, 6.768260e-02], [0.134913638, -0.0201826822, -0.39551878, -0.111211203, -0.283684731, -0.27982229, -0.378920525, 0.135746732, 0.0293688439, -0.134449616, -0.19480139], [-0.00702693174, 0.323758453, -0.601264715, 0.113062963, -0.163713604, -0.565375805, -0.583710909, -0.273835063, 0.065852873, 0.117918879, -0.281694502], [0.305106282, 0.426895082, 0.11882598, -0.177420795, 0.337325782, 0.226618722, 0.260222256, -0.196939111, -0.850366354, 0.635037303, -0.483263522]]> : tensor<8x11xf32>}> : () -> tensor<8x11xf32>
    %105 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %106 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %107 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %108 = "stablehlo.concatenate"(%106, %107) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %109 = "stablehlo.dynamic_broadcast_in_dim"(%105, %108) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %110 = "stablehlo.compare"(%arg23, %109) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %111 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %112 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %113 = "stablehlo.concatenate"(%111, %112) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %114 = "stablehlo.dynamic_broadcast_in_dim"(%98, %113) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %115 = "stablehlo.add"(%arg23, %114) : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
    %116 = "stablehlo.select"(%110, %115, %arg23) : (tensor<?x?xi1>, tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
    %117 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %118 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %119 = "stablehlo.concatenate"(%117, %118, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %120 = "stablehlo.dynamic_broadcast_in_dim"(%116, %119) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x?xi32>, tensor<3xi32>) -> tensor<?x?x1xi32>
    %121 = "stablehlo.gather"(%99, %120) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<11x8xf32>, tensor<?x?x1xi32>) -> tensor<?x?x8xf32>
    %122 = "stablehlo.reduce"(%121, %96) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %299 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%299) : (tensor<f32>) -> ()
    }) : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %123 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %124 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %125 = "stablehlo.concatenate"(%123, %124, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %126 = "stablehlo.dynamic_broadcast_in_dim"(%122, %125) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %127 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %128 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %129 = "stablehlo.concatenate"(%127, %128, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %130 = "stablehlo.dynamic_broadcast_in_dim"(%95, %129) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %131 = "stablehlo.divide"(%126, %130) : (tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %132 = "func.call"(%arg21, %arg22, %121, %105) <{callee = @_var}> : (tensor<i32>, tensor<i32>, tensor<?x?x8xf32>, tensor<i32>) -> tensor<?x?x1xf32>
    %133 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %134 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %135 = "stablehlo.concatenate"(%133, %134, %94) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %136 = "stablehlo.dynamic_broadcast_in_dim"(%131, %135) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %137 = "stablehlo.subtract"(%121, %136) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %138 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %139 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %140 = "stablehlo.concatenate"(%138, %139, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %141 = "stablehlo.dynamic_broadcast_in_dim"(%93, %140) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %142 = "stablehlo.add"(%132, %141) : (tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %143 = "stablehlo.sqrt"(%142) : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %144 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %145 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %146 = "stablehlo.concatenate"(%144, %145, %94) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %147 = "stablehlo.dynamic_broadcast_in_dim"(%143, %146) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %148 = "stablehlo.divide"(%137, %147) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %149 = "stablehlo.dot_general"(%148, %100) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x?x8xf32>, tensor<8x24xf32>) -> tensor<?x?x24xf32>
    %150 = "stablehlo.concatenate"(%92, %92, %92) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %151 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %152 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %153 = "stablehlo.concatenate"(%151, %152, %94) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %154 = "stablehlo.concatenate"(%97, %97, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %155 = "stablehlo.real_dynamic_slice"(%149, %150, %153, %154) : (tensor<?x?x24xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %156 = "stablehlo.concatenate"(%92, %92, %94) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %157 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %158 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %159 = "stablehlo.concatenate"(%157, %158, %91) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %160 = "stablehlo.concatenate"(%97, %97, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %161 = "stablehlo.real_dynamic_slice"(%149, %156, %159, %160) : (tensor<?x?x24xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %162 = "stablehlo.concatenate"(%92, %92, %91) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %163 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %164 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %165 = "stablehlo.concatenate"(%163, %164, %90) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %166 = "stablehlo.concatenate"(%97, %97, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %167 = "stablehlo.real_dynamic_slice"(%149, %162, %165, %166) : (tensor<?x?x24xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %168 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %169 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %170 = "stablehlo.concatenate"(%168, %169, %89, %88) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %171 = "stablehlo.dynamic_reshape"(%155, %170) : (tensor<?x?x8xf32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %172 = "stablehlo.transpose"(%171) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x?x2x4xf32>) -> tensor<?x2x?x4xf32>
    %173 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %174 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %175 = "stablehlo.concatenate"(%173, %174, %89, %88) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %176 = "stablehlo.dynamic_reshape"(%161, %175) : (tensor<?x?x8xf32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %177 = "stablehlo.transpose"(%176) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x?x2x4xf32>) -> tensor<?x2x?x4xf32>
    %178 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %179 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %180 = "stablehlo.concatenate"(%178, %179, %89, %88) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %181 = "stablehlo.dynamic_reshape"(%167, %180) : (tensor<?x?x8xf32>, tensor<4xi32>) -> tensor<?x?x2x4xf32>
    %182 = "stablehlo.transpose"(%181) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x?x2x4xf32>) -> tensor<?x2x?x4xf32>
    %183 = "stablehlo.transpose"(%177) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<?x2x?x4xf32>) -> tensor<?x2x4x?xf32>
    %184 = "stablehlo.dot_general"(%172, %183) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>}> : (tensor<?x2x?x4xf32>, tensor<?x2x4x?xf32>) -> tensor<?x2x?x?xf32>
    %185 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %186 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %187 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %188 = "stablehlo.concatenate"(%185, %89, %186, %187) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %189 = "stablehlo.dynamic_broadcast_in_dim"(%87, %188) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %190 = "stablehlo.divide"(%184, %189) : (tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
    %191 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %192 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %193 = "stablehlo.concatenate"(%191, %192) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %194 = "stablehlo.dynamic_broadcast_in_dim"(%86, %193) <{broadcast_dimensions = array<i64>}> : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %195 = "func.call"(%arg21, %arg22, %194) <{callee = @tril}> : (tensor<i32>, tensor<i32>, tensor<?x?xi1>) -> tensor<?x?xi1>
    %196 = "func.call"(%arg21, %arg22, %195, %190, %85) <{callee = @_where_0}> : (tensor<i32>, tensor<i32>, tensor<?x?xi1>, tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?x?xf32>
    %197 = "stablehlo.reduce"(%196, %84) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %298 = "stablehlo.maximum"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%298) : (tensor<f32>) -> ()
    }) : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?xf32>
    %198 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %199 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %200 = "stablehlo.concatenate"(%198, %89, %199) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %201 = "stablehlo.dynamic_broadcast_in_dim"(%84, %200) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x2x?xf32>
    %202 = "stablehlo.maximum"(%201, %197) : (tensor<?x2x?xf32>, tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
    %203 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %204 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %205 = "stablehlo.concatenate"(%203, %89, %204, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %206 = "stablehlo.dynamic_broadcast_in_dim"(%202, %205) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x2x?xf32>, tensor<4xi32>) -> tensor<?x2x?x1xf32>
    %207 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %208 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %209 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %210 = "stablehlo.concatenate"(%207, %89, %208, %209) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %211 = "stablehlo.dynamic_broadcast_in_dim"(%206, %210) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x2x?x1xf32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %212 = "stablehlo.subtract"(%196, %211) : (tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
    %213 = "stablehlo.exponential"(%212) : (tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
    %214 = "stablehlo.reduce"(%213, %96) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %297 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%297) : (tensor<f32>) -> ()
    }) : (tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?xf32>
    %215 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %216 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %217 = "stablehlo.concatenate"(%215, %89, %216, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %218 = "stablehlo.dynamic_broadcast_in_dim"(%214, %217) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x2x?xf32>, tensor<4xi32>) -> tensor<?x2x?x1xf32>
    %219 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %220 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %221 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %222 = "stablehlo.concatenate"(%219, %89, %220, %221) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %223 = "stablehlo.dynamic_broadcast_in_dim"(%218, %222) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x2x?x1xf32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %224 = "stablehlo.divide"(%213, %223) : (tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
    %225 = "stablehlo.dot_general"(%224, %182) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>}> : (tensor<?x2x?x?xf32>, tensor<?x2x?x4xf32>) -> tensor<?x2x?x4xf32>
    %226 = "stablehlo.transpose"(%225) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x2x?x4xf32>) -> tensor<?x?x2x4xf32>
    %227 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %228 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %229 = "stablehlo.concatenate"(%227, %228, %94) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %230 = "stablehlo.dynamic_reshape"(%226, %229) : (tensor<?x?x2x4xf32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %231 = "stablehlo.dot_general"(%230, %101) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
    %232 = "stablehlo.add"(%121, %231) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %233 = "stablehlo.reduce"(%232, %96) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %296 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%296) : (tensor<f32>) -> ()
    }) : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %234 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %235 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %236 = "stablehlo.concatenate"(%234, %235, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %237 = "stablehlo.dynamic_broadcast_in_dim"(%233, %236) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %238 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %239 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %240 = "stablehlo.concatenate"(%238, %239, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %241 = "stablehlo.dynamic_broadcast_in_dim"(%95, %240) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %242 = "stablehlo.divide"(%237, %241) : (tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %243 = "func.call"(%arg21, %arg22, %232, %105) <{callee = @_var}> : (tensor<i32>, tensor<i32>, tensor<?x?x8xf32>, tensor<i32>) -> tensor<?x?x1xf32>
    %244 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %245 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %246 = "stablehlo.concatenate"(%244, %245, %94) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %247 = "stablehlo.dynamic_broadcast_in_dim"(%242, %246) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %248 = "stablehlo.subtract"(%232, %247) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %249 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %250 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %251 = "stablehlo.concatenate"(%249, %250, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %252 = "stablehlo.dynamic_broadcast_in_dim"(%93, %251) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %253 = "stablehlo.add"(%243, %252) : (tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %254 = "stablehlo.sqrt"(%253) : (tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %255 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %256 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %257 = "stablehlo.concatenate"(%255, %256, %94) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %258 = "stablehlo.dynamic_broadcast_in_dim"(%254, %257) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %259 = "stablehlo.divide"(%248, %258) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %260 = "stablehlo.dot_general"(%259, %102) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x?x8xf32>, tensor<8x16xf32>) -> tensor<?x?x16xf32>
    %261 = "stablehlo.multiply"(%260, %260) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %262 = "stablehlo.multiply"(%261, %260) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %263 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %264 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %265 = "stablehlo.concatenate"(%263, %264, %91) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %266 = "stablehlo.dynamic_broadcast_in_dim"(%83, %265) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %267 = "stablehlo.multiply"(%266, %262) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %268 = "stablehlo.add"(%260, %267) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %269 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %270 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %271 = "stablehlo.concatenate"(%269, %270, %91) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %272 = "stablehlo.dynamic_broadcast_in_dim"(%82, %271) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %273 = "stablehlo.multiply"(%272, %268) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %274 = "stablehlo.tanh"(%273) : (tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %275 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %276 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %277 = "stablehlo.concatenate"(%275, %276, %91) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %278 = "stablehlo.dynamic_broadcast_in_dim"(%81, %277) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %279 = "stablehlo.add"(%278, %274) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %280 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %281 = "stablehlo.reshape"(%arg22) : (tensor<i32>) -> tensor<1xi32>
    %282 = "stablehlo.concatenate"(%280, %281, %91) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %283 = "stablehlo.dynamic_broadcast_in_dim"(%80, %282) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x16xf32>
    %284 = "stablehlo.multiply"(%283, %279) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %285 = "stablehlo.multiply"(%260, %284) : (tensor<?x?x16xf32>, tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
    %286 = "stablehlo.dot_general"(%285, %103) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x?x16xf32>, tensor<16x8xf32>) -> tensor<?x?x8xf32>
    %287 = "stablehlo.add"(%232, %286) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %288 = "stablehlo.dot_general"(%287, %104) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x?x8xf32>, tensor<8x11xf32>) -> tensor<?x?x11xf32>
    %289 = "stablehlo.convert"(%arg22) : (tensor<i32>) -> tensor<i32>
    %290 = "stablehlo.add"(%289, %79) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %291 = "stablehlo.convert"(%290) : (tensor<i32>) -> tensor<i32>
    %292 = "stablehlo.broadcast_in_dim"(%291) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %293 = "stablehlo.reshape"(%arg21) : (tensor<i32>) -> tensor<1xi32>
    %294 = "stablehlo.concatenate"(%293, %97, %78) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %295 = "stablehlo.dynamic_gather"(%288, %292, %294) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x?x11xf32>, tensor<1xi32>, tensor<3xi32>) -> tensor<?x11xf32>
    "func.return"(%295) : (tensor<?x11xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "t"}, {}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?x8xf32>, tensor<i32>) -> tensor<?x?x1xf32>, sym_name = "_var", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<i32>, %arg14: tensor<i32>, %arg15: tensor<?x?x8xf32>, %arg16: tensor<i32>):
    %41 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.constant"() <{value = dense<8> : tensor<1xi32>}> : () -> tensor<1xi32>
    %43 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%arg15, %45) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %77 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %47 = "stablehlo.reshape"(%arg13) : (tensor<i32>) -> tensor<1xi32>
    %48 = "stablehlo.reshape"(%arg14) : (tensor<i32>) -> tensor<1xi32>
    %49 = "stablehlo.concatenate"(%47, %48, %44) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %50 = "stablehlo.dynamic_broadcast_in_dim"(%46, %49) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %51 = "stablehlo.reshape"(%arg13) : (tensor<i32>) -> tensor<1xi32>
    %52 = "stablehlo.reshape"(%arg14) : (tensor<i32>) -> tensor<1xi32>
    %53 = "stablehlo.concatenate"(%51, %52, %44) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %54 = "stablehlo.dynamic_broadcast_in_dim"(%43, %53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %55 = "stablehlo.divide"(%50, %54) : (tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %56 = "stablehlo.reshape"(%arg13) : (tensor<i32>) -> tensor<1xi32>
    %57 = "stablehlo.reshape"(%arg14) : (tensor<i32>) -> tensor<1xi32>
    %58 = "stablehlo.concatenate"(%56, %57, %42) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %59 = "stablehlo.dynamic_broadcast_in_dim"(%55, %58) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x8xf32>
    %60 = "stablehlo.subtract"(%arg15, %59) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %61 = "stablehlo.multiply"(%60, %60) : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %62 = "stablehlo.convert"(%arg16) : (tensor<i32>) -> tensor<f32>
    %63 = "stablehlo.subtract"(%43, %62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %64 = "stablehlo.reduce"(%61, %45) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %76 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
    %65 = "stablehlo.reshape"(%arg13) : (tensor<i32>) -> tensor<1xi32>
    %66 = "stablehlo.reshape"(%arg14) : (tensor<i32>) -> tensor<1xi32>
    %67 = "stablehlo.concatenate"(%65, %66, %44) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %68 = "stablehlo.dynamic_broadcast_in_dim"(%64, %67) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %69 = "stablehlo.reshape"(%arg13) : (tensor<i32>) -> tensor<1xi32>
    %70 = "stablehlo.reshape"(%arg14) : (tensor<i32>) -> tensor<1xi32>
    %71 = "stablehlo.concatenate"(%69, %70, %44) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %72 = "stablehlo.dynamic_broadcast_in_dim"(%63, %71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %73 = "stablehlo.divide"(%68, %72) : (tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %74 = "stablehlo.compare"(%63, %45) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %75 = "func.call"(%arg13, %arg14, %74, %73, %41) <{callee = @_where}> : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<?x?x1xf32>, tensor<f32>) -> tensor<?x?x1xf32>
    "func.return"(%75) : (tensor<?x?x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "t"}, {}, {}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<i1>, tensor<?x?x1xf32>, tensor<f32>) -> tensor<?x?x1xf32>, sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<i32>, %arg9: tensor<i32>, %arg10: tensor<i1>, %arg11: tensor<?x?x1xf32>, %arg12: tensor<f32>):
    %34 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %35 = "stablehlo.convert"(%arg12) : (tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %37 = "stablehlo.reshape"(%arg9) : (tensor<i32>) -> tensor<1xi32>
    %38 = "stablehlo.concatenate"(%36, %37, %34) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %39 = "stablehlo.dynamic_broadcast_in_dim"(%35, %38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %40 = "stablehlo.select"(%arg10, %arg11, %39) : (tensor<i1>, tensor<?x?x1xf32>, tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    "func.return"(%40) : (tensor<?x?x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "t"}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?xi1>) -> tensor<?x?xi1>, sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<?x?xi1>):
    %13 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %16 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %17 = "stablehlo.concatenate"(%15, %16) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %18 = "stablehlo.dynamic_iota"(%17) <{iota_dimension = 0 : i64}> : (tensor<2xi32>) -> tensor<?x?xi32>
    %19 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %20 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %21 = "stablehlo.concatenate"(%19, %20) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %22 = "stablehlo.dynamic_broadcast_in_dim"(%14, %21) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
    %23 = "stablehlo.add"(%18, %22) : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
    %24 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %25 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %26 = "stablehlo.concatenate"(%24, %25) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = "stablehlo.dynamic_iota"(%26) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<?x?xi32>
    %28 = "stablehlo.compare"(%23, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
    %29 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %30 = "stablehlo.reshape"(%arg6) : (tensor<i32>) -> tensor<1xi32>
    %31 = "stablehlo.concatenate"(%29, %30) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %32 = "stablehlo.dynamic_broadcast_in_dim"(%13, %31) <{broadcast_dimensions = array<i64>}> : (tensor<i1>, tensor<2xi32>) -> tensor<?x?xi1>
    %33 = "stablehlo.select"(%28, %arg7, %32) : (tensor<?x?xi1>, tensor<?x?xi1>, tensor<?x?xi1>) -> tensor<?x?xi1>
    "func.return"(%33) : (tensor<?x?xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "t"}, {}, {}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?xi1>, tensor<?x2x?x?xf32>, tensor<f32>) -> tensor<?x2x?x?xf32>, sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x?xi1>, %arg3: tensor<?x2x?x?xf32>, %arg4: tensor<f32>):
    %0 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "stablehlo.convert"(%arg4) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %3 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %4 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %5 = "stablehlo.concatenate"(%2, %0, %3, %4) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %6 = "stablehlo.dynamic_broadcast_in_dim"(%arg2, %5) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<?x?xi1>, tensor<4xi32>) -> tensor<?x2x?x?xi1>
    %7 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %8 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %9 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %10 = "stablehlo.concatenate"(%7, %0, %8, %9) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %11 = "stablehlo.dynamic_broadcast_in_dim"(%1, %10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x?x?xf32>
    %12 = "stablehlo.select"(%6, %arg3, %11) : (tensor<?x2x?x?xi1>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
    "func.return"(%12) : (tensor<?x2x?x?xf32>) -> ()
  }) : () -> ()
}) {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
