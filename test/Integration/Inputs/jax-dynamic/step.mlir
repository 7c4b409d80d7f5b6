"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{function_type = (tensor<?x6xi32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<11x8xf32>, tensor<8x11xf32>, tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['d']"}, {jax.result_info = "result[1]['e']"}, {jax.result_info = "result[1]['h']"}, {jax.result_info = "result[1]['o']"}, {jax.result_info = "result[1]['q']"}, {jax.result_info = "result[1]['u']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg93: tensor<?x6xi32>):
    %648 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %649 = "stablehlo.get_dimension_size"(%arg93) <{dimension = 0 : i64}> : (tensor<?x6xi32>) -> tensor<i32>
    %650 = "stablehlo.compare"(%649, %648) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%650, %649) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, 6). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>) -> ()
    %651:7 = "func.call"(%649, %arg93) <{callee = @_wrapped_jax_export_main}> : (tensor<i32>, tensor<?x6xi32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<11x8xf32>, tensor<8x11xf32>, tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x16xf32>)
    "func.return"(%651#0, %651#1, %651#2, %651#3, %651#4, %651#5, %651#6) : (tensor<f32>, tensor<16x8xf32>, tensor<11x8xf32>, tensor<8x11xf32>, tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}], function_type = (tensor<i32>, tensor<?x6xi32>) -> (tensor<f32>, tensor<16x8xf32>, tensor<11x8xf32>, tensor<8x11xf32>, tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['d']"}, {jax.result_info = "result[1]['e']"}, {jax.result_info = "result[1]['h']"}, {jax.result_info = "result[1]['o']"}, {jax.result_info = "result[1]['q']"}, {jax.result_info = "result[1]['u']"}], sym_name = "_wrapped_jax_export_main", sym_visibility = "private"}> ({
  ^bb0(%arg61: tensor<i32>, %arg62: tensor<?x6xi32>):
    %223 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %224 = "stablehlo.constant"() <{value = dense<11> : tensor<1xi32>}> : () -> tensor<1xi32>
    %225 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %226 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %227 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %228 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %229 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %230 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %231 = "stablehlo.constant"() <{value = dense<-1.000000e+09> : tensor<f32>}> : () -> tensor<f32>
    %232 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %233 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %234 = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %235 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %236 = "stablehlo.constant"() <{value = dense<24> : tensor<1xi32>}> : () -> tensor<1xi32>
    %237 = "stablehlo.constant"() <{value = dense<16> : tensor<1xi32>}> : () -> tensor<1xi32>
    %238 = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %239 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %240 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %241 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %242 = "stablehlo.constant"() <{value = dense<8> : tensor<1xi32>}> : () -> tensor<1xi32>
    %243 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %244 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %245 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %246 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %247 = "stablehlo.constant"() <{value = dense<11> : tensor<i32>}> : () -> tensor<i32>
    %248 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %249 = "stablehlo.constant"() <{value = dense<[[0.529215753, 0.120047167, 0.293621421, 0.672267973, 0.560267448, -0.293183386, 0.28502655, -0.0454071611], [-0.0309656579, 0.123179562, 0.0432130694, 0.436282068, 0.228311315, 0.0365025066, 0.133158982, 0.100102305], [0.44822374, -0.0615474805, 0.0939203128, -0.256228745, -0.765896975, 0.196085587, 0.259330869, -0.222649515], [0.680926442, -0.436309725, 0.0137275551, -0.0561551601, 0.459833771, 0.44080767, 0.0464842319, 0.113448761], [-0.266335726, -0.594238937, -0.104373656, 0.0469046943, 0.369087219, 0.360713959, -0.116198048, -0.0906908288], [-0.314565897, -0.426005393, -0.511881113, 0.585232615, -0.152895659, -0.131422296, -0.375838608, 0.233247116], [-0.484169364, -0.0638220906, -0.268639982, 0.116070755, -0.153241545, -0.354189694, -0.00845466926, 0.128499568], [0.0199551657, 0.0907415747, -0.190296635, -0.108822353, -0.201738134, -0.107865952, -0.2439439, -0.517884791], [0.0532278456, -0.120534286, -0.489059538, 0.138834685, -0.272189528, 0.0155836195, 0.218727186, 0.0386948772], [0.34182024, -0.370447755, 0.120702498, -0.20544304, -0.261239171, -0.173654914, -0.0934657604, 0.0168496035], [-0.349544942, 0.270247966, 0.139698744, -0.460873127, 0.446475655, 0.568766773, 0.353633881, -0.0539774522]]> : tensor<11x8xf32>}> : () -> tensor<11x8xf32>
    %250 = "stablehlo.constant"() <{value = dense<"0xB577A4BEBBF6A13E40B6F7BD7FC4BB3EA5ED7F3D0303963E97F3DA3D2E0F593E56704E3BA527093F18F31B3D77FBF63D40A0103F0B04CFBE8225C3BE3BE6943E1731B4BE2645153FA520FEBD3E9E65BE95AE133F3668E33EB46D0F3F212B8B3EC64884BE68B1123F4AA9A4BDBD83763E777F913EF6793EBD2BA53C3EA5A68D3E9F46E73D33DEA8BED03CB73D9EBBCB3E0B5F55BEF5DE37BDDEAD05BE02060E3F69874E3E3558FA3DAA846CBE48A8253EAF274FBE1C741C3CF95443BEE1CC4F3EF320313E20F57FBD794EF33DEEE4A7BEA30EE5BE2CFB063EF3CE4C3DE914433E8906373F7212913EA2358CBEDF92AB3E961FCABE7ECC0DBEE8B5A7BCB095033FE8C964BEC6E17DBEF9F4F1BC0FD24BBE210DAD3EA3E0A5BE4E40B0BE927F06BEDEFE18BE2530143FBFD4913E7B2AD73C163ABCBEB4B1813E11A299BEDF46EDBE3C7BB63EC3BAC23DA5718D3E87D3C33DF49B833EBDFE47BE16DC9EBEC662513EB5CE76BE68D453BE89F00BBEBFD3AB3B6F7ED9BD4931D3BE37B845BEE3C12ABF3412403E7913F6BE1FA2A9BE6F33803C9A3163BECF01ED3E3595C6BE7813A43D3A1541BC4E6BB3BE28C0203ECFCB52BD15186D3E01FB7C3EF322263F6B4ACD3E49D3E2BD171393BD60E8A83E0A4C493EFFA5443E4D5DF8BEB322EFBB1DB962BE56FCAB3DE336F1BCB1CD8B3E1DE6C23D598F713EB1480FBE241191BE3FEFFBBD4651A7BB6AF3E83DD3832D3FCEB34FBC4AD592BE3B92D4BDAC6A0EBE3FE9133E9BAAECBE02799B3CB450403DECA68E3DDA7E37BEDB2D92BD5BBCDABE418C17BE5DC426BE049FFF3DF296B1BEEBFB6F3E878DE53E90F91EBF5AF2023E37F24F3E17D243BE7515F4BD9E4823BD75F6B6BD8ADBBDBD94B700BF86FFB03E55D4A53E92DD79BE273EE1BE3612203ECFE130BE9C6E2E3D0532C4BDD370543E4C6D553E4DE75EBE167CD4BEAD23F3BE31823B3ED99BB6BEA9B11BBE0B3037BE7C3081BCD0B414BF9DF8673D78F0203E5F4ED93C2B02BFBDE35EEF3C902CF53D65EF54BFCE36163F61ACEF3D816B48BEA633F0BD6FAD173E25AB0EBDE2F41BBF968D1E3F"> : tensor<8x24xf32>}> : () -> tensor<8x24xf32>
    %251 = "stablehlo.constant"() <{value = dense<[[-3.316220e-02, 0.306051821, -0.207614973, 0.460913152, 0.0859031081, 0.182653159, -0.313576043, 0.363343596], [0.206945449, 0.390553892, -0.188426286, -0.14430815, 0.691175043, -0.318004757, -0.0407849103, 0.341067433], [0.0293174908, 0.174886107, -0.119834714, 0.111016773, -0.391958088, 0.497439206, -0.0354492143, -0.204053476], [0.199914932, -0.138215944, -0.400277555, -0.404015273, 0.208131954, -0.047872033, -0.0401104689, 0.323323131], [-0.338047743, -0.219203323, -0.115463942, 0.0283054784, -0.012651436, -0.086066164, -0.018487921, -0.032191582], [-0.215881318, -0.2438979, 8.235490e-02, -0.267274529, -0.347206593, -0.0936876758, -0.0473001041, 0.677017033], [-0.21141009, 0.282978237, 0.224156514, -0.356683493, 0.231975898, -0.35516423, -0.797751724, 0.181895867], [-0.526767194, 0.135280341, -0.20520328, 0.49786526, 0.320552826, -0.136015743, -0.206351295, -0.364223212]]> : tensor<8x8xf32>}> : () -> tensor<8x8xf32>
    %252 = "stablehlo.constant"() <{value = dense<"0x917307BE1B40ACBD5711E0BDC68E403DC8B8313EE5D3D63DBABE6ABE43D8DCBE9497D13E7ECC53BE766248BE001C20BE398C0DBF68D512BEAB5913BEF6923E3EE890563E0347943AC5218F3EDFDFD03D54299ABBA1BF453D67466ABD7698F2BDD97EA4BD3643ADBEAB4DAC3D368B98BE4A46813E724499BD1A47733CE8B4173E50A0453E6D3FF1BE463E7EBD0C32873E1F6A02BFF4F1ED3D333A2DBF9B0E9DBE7CE03D3CB178FEBEDD5F97BEE912E2BE4E27FD3E96CD493D87452E3EC4CF88BD0326D9BD5A4AF8BE0D4EB3BD2FEE69BEF1C6833EF445AF3E3944E13EB5F3823E10E837BEDB66ABBED9846B3E04E8DA3DE2D207BF7568DA3D73387A3EC7D0903CDB6463BD101C78BE1030DEBEFFD9753E80EBBDBD22718FBDB012053F5C47523EBBD5E33DC8902E3DA278E93E8110043FA1C58E3E02DC323E93DD20BF8D07183D1CE01FBD43E6E63C15DA903E3F6852BF86E42EBE49D4A53D3B6A0FBE05A3D9BE0979853E301CAA3D632995BE776CC13D22647C3E861DD03AFBEE753E0C55C03C25D4F2BD4516B2BEF72ED3BC46BF6E3D2587863EAE710DBDA1840C3E172A94BE766C70BE79A507BDAEFDA1BEEBFA7B3E0D460E3EF879AB3D0339D03D56371B3FFC0810BE191229BF6DE6743DFFB978BC5BFB1EBE285996BE45EB06BE24D45E3D1D771ABEC546393F928893BE4AA573BE1AC42FBF15839A3D2BDC1ABF71B825BE"> : tensor<8x16xf32>}> : () -> tensor<8x16xf32>
    %253 = "stablehlo.constant"() <{value = dense<"0x3A5FA9BD47075ABEA18B053F2EBD983E939ECA3E1F8A87BE205AAD3E1A5F183ED5F96C3E2F1F9E3E07968BBEB35902BEA87E843E99F34BBF7C72E83E14EC293EE5A460BCDB7A873DB4329EBE5601D7BDF100A93E4E60C73EEC114F3F62ADB5BCB74E4ABE01F91DBE095F9CBEFA55BFBC9B26EB3DC34E28BC1D66A83EF6E68FBD4379D5BDD19032BECEC5FABE23CFF0BE611EB5BE3DE6C73E1183893ECB31D33EB2A0CCBEBD3017BFF1C44ABEDD0B583D9A32193EF2F7A03E54A9AE3D43D6053FD9C488BDBD3F8CBE191E01BFC78B88BEDDC1943DE88188BE37E28F3EFCEED83EFAFB35BFECB7843E68002CBF58AEF63DDF23BC3EEF639F3C6E8FC4BE30D833BE45C1A0BD41F15FBDD45179BD230607BD8329833D0EA3B9BE6EB294BD7634E93E7F53ECBDB15808BE729CA53E9E8B44BFB375B53EF01E42BE796F493D29B8EC3C5BC3903E0469A4BD1F4A50BE6159C73E8D9135BFA6E4C73B960ACFBE92F469BEEB761A3F09325BBCA0B36F3DF4D208BF69F65FBE9D87713D90F6D93DEF813D3EA4A1293B4CE5213EDD660B3E29860CBFFAE3353C4FE66B3E0A36353E0C8EDFBD0D7D77BED0C5ABBE080A21BD840AAE3E08E615BF00B84ABEDC12AFBE9323713EAF482ABE749410BE384B85BD27D3083E7515F1BD9DF169BFCAE7263EBFDF063ED2E286BD0E82A6BE3B22D83D9800E93DE46410BEEA2885BD3FDF8EBE46735BBD"> : tensor<16x8xf32>}> : () -> tensor<16x8xf32>
    %254 = "stablehlo.constant"() <{value = dense<[[-0.465128809, 0.125195652, -0.283310562, 0.0714309513, -0.421788901, -0.177017301, -0.0331468247, -0.498209983, 0.0345443636, -0.113744274, -0.522706866], [-0.390972853, 0.181536019, 0.268666804, -0.0395725928, 0.121428549, 0.0671530738, 0.0988868996, 0.385795236, -0.452099532, 0.202938229, -0.114602692], [-0.0672776848, -0.0906749219, -0.112544134, -0.367858857, 0.0550017618, 0.50128293, -0.0168399066, -4.15512855E-4, -0.206189707, -0.0352423675, 0.139849931], [-0.111072741, -0.136141226, 0.120979369, -0.275401443, 0.0757489949, 0.246096551, 0.407984585, -0.0271146037, 0.410279185, 0.31032297, -0.298863798], [-0.365381569, -0.0914890989, 0.308680683, -0.0216861032, -0.180197284, 4.656730e-01, 0.0860713496, -0.696178317, 0.0951481983, 0.156012192, 6.768260e-02], [0.134913638, -0.0201826822, -0.39551878, -0.111211203, -0.283684731, -0.27982229, -0.378920525, 0.135746732, 0.0293688439, -0.134449616, -0.19480139], [-0.00702693174, 0.323758453, -0.601264715, 0.113062963, -0.163713604, -0.565375805, -0.583710909, -0.273835063, 0.065852873, 0.117918879, -0.281694502], [0.305106282, 0.426895082, 0.11882598, -0.177420795, 0.337325782, 0.226618722, 0.260222256, -0.196939111, -0.850366354, 0.635037303, -0.483263522]]> : tensor<8x11xf32>}> : () -> tensor<8x11xf32>
    %255 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %256 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %257 = "stablehlo.concatenate"(%256, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %258 = "stablehlo.dynamic_broadcast_in_dim"(%255, %257) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<2xi32>) -> tensor<?x6xi32>
    %259 = "stablehlo.compare"(%arg62, %258) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<?x6xi32>, tensor<?x6xi32>) -> tensor<?x6xi1>
    %260 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %261 = "stablehlo.concatenate"(%260, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %262 = "stablehlo.dynamic_broadcast_in_dim"(%247, %261) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<2xi32>) -> tensor<?x6xi32>
    %263 = "stablehlo.add"(%arg62, %262) : (tensor<?x6xi32>, tensor<?x6xi32>) -> tensor<?x6xi32>
    %264 = "stablehlo.select"(%259, %263, %arg62) : (tensor<?x6xi1>, tensor<?x6xi32>, tensor<?x6xi32>) -> tensor<?x6xi32>
    %265 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %266 = "stablehlo.concatenate"(%265, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %267 = "stablehlo.dynamic_broadcast_in_dim"(%264, %266) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xi32>, tensor<3xi32>) -> tensor<?x6x1xi32>
    %268 = "stablehlo.gather"(%249, %267) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<11x8xf32>, tensor<?x6x1xi32>) -> tensor<?x6x8xf32>
    %269 = "stablehlo.reduce"(%268, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg91: tensor<f32>, %arg92: tensor<f32>):
      %647 = "stablehlo.add"(%arg91, %arg92) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%647) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %270 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %271 = "stablehlo.concatenate"(%270, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %272 = "stablehlo.dynamic_broadcast_in_dim"(%269, %271) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %273 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %274 = "stablehlo.concatenate"(%273, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %275 = "stablehlo.dynamic_broadcast_in_dim"(%243, %274) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %276 = "stablehlo.divide"(%272, %275) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %277:5 = "func.call"(%arg61, %268, %255) <{callee = @_var}> : (tensor<i32>, tensor<?x6x8xf32>, tensor<i32>) -> (tensor<?x6x1xf32>, tensor<?x6x8xf32>, tensor<f32>, tensor<i1>, tensor<?x6x1xf32>)
    %278 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %279 = "stablehlo.concatenate"(%278, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %280 = "stablehlo.dynamic_broadcast_in_dim"(%276, %279) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %281 = "stablehlo.subtract"(%268, %280) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %282 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %283 = "stablehlo.concatenate"(%282, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %284 = "stablehlo.dynamic_broadcast_in_dim"(%241, %283) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %285 = "stablehlo.add"(%277#0, %284) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %286 = "stablehlo.sqrt"(%285) : (tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %287 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %288 = "stablehlo.concatenate"(%287, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %289 = "stablehlo.dynamic_broadcast_in_dim"(%240, %288) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %290 = "stablehlo.divide"(%289, %286) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %291 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %292 = "stablehlo.concatenate"(%291, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %293 = "stablehlo.dynamic_broadcast_in_dim"(%286, %292) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %294 = "stablehlo.divide"(%281, %293) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %295 = "stablehlo.multiply"(%286, %286) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %296 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %297 = "stablehlo.concatenate"(%296, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %298 = "stablehlo.dynamic_broadcast_in_dim"(%239, %297) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %299 = "stablehlo.divide"(%298, %295) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %300 = "stablehlo.dot_general"(%294, %250) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x6x8xf32>, tensor<8x24xf32>) -> tensor<?x6x24xf32>
    %301 = "stablehlo.concatenate"(%238, %238, %238) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %302 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %303 = "stablehlo.concatenate"(%302, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %304 = "stablehlo.concatenate"(%245, %245, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %305 = "stablehlo.real_dynamic_slice"(%300, %301, %303, %304) : (tensor<?x6x24xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %306 = "stablehlo.concatenate"(%238, %238, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %307 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %308 = "stablehlo.concatenate"(%307, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %309 = "stablehlo.concatenate"(%245, %245, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %310 = "stablehlo.real_dynamic_slice"(%300, %306, %308, %309) : (tensor<?x6x24xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %311 = "stablehlo.concatenate"(%238, %238, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %312 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %313 = "stablehlo.concatenate"(%312, %248, %236) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %314 = "stablehlo.concatenate"(%245, %245, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %315 = "stablehlo.real_dynamic_slice"(%300, %311, %313, %314) : (tensor<?x6x24xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %316 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %317 = "stablehlo.concatenate"(%316, %248, %235, %234) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %318 = "stablehlo.dynamic_reshape"(%305, %317) : (tensor<?x6x8xf32>, tensor<4xi32>) -> tensor<?x6x2x4xf32>
    %319 = "stablehlo.transpose"(%318) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %320 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %321 = "stablehlo.concatenate"(%320, %248, %235, %234) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %322 = "stablehlo.dynamic_reshape"(%310, %321) : (tensor<?x6x8xf32>, tensor<4xi32>) -> tensor<?x6x2x4xf32>
    %323 = "stablehlo.transpose"(%322) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %324 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %325 = "stablehlo.concatenate"(%324, %248, %235, %234) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %326 = "stablehlo.dynamic_reshape"(%315, %325) : (tensor<?x6x8xf32>, tensor<4xi32>) -> tensor<?x6x2x4xf32>
    %327 = "stablehlo.transpose"(%326) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %328 = "stablehlo.transpose"(%323) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<?x2x6x4xf32>) -> tensor<?x2x4x6xf32>
    %329 = "stablehlo.dot_general"(%319, %328) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>}> : (tensor<?x2x6x4xf32>, tensor<?x2x4x6xf32>) -> tensor<?x2x6x6xf32>
    %330 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %331 = "stablehlo.concatenate"(%330, %235, %248, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %332 = "stablehlo.dynamic_broadcast_in_dim"(%233, %331) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %333 = "stablehlo.divide"(%329, %332) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %334 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %335 = "func.call"(%arg61, %334) <{callee = @tril}> : (tensor<i32>, tensor<6x6xi1>) -> tensor<6x6xi1>
    %336:3 = "func.call"(%arg61, %335, %333, %231) <{callee = @_where_0}> : (tensor<i32>, tensor<6x6xi1>, tensor<?x2x6x6xf32>, tensor<f32>) -> (tensor<?x2x6x6xf32>, tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>)
    %337 = "stablehlo.reduce"(%336#0, %230) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
      %646 = "stablehlo.maximum"(%arg89, %arg90) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%646) : (tensor<f32>) -> ()
    }) : (tensor<?x2x6x6xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %338 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %339 = "stablehlo.concatenate"(%338, %235, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %340 = "stablehlo.dynamic_broadcast_in_dim"(%230, %339) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x2x6xf32>
    %341 = "stablehlo.maximum"(%340, %337) : (tensor<?x2x6xf32>, tensor<?x2x6xf32>) -> tensor<?x2x6xf32>
    %342 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %343 = "stablehlo.concatenate"(%342, %235, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %344 = "stablehlo.dynamic_broadcast_in_dim"(%341, %343) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x2x6xf32>, tensor<4xi32>) -> tensor<?x2x6x1xf32>
    %345 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %346 = "stablehlo.concatenate"(%345, %235, %248, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %347 = "stablehlo.dynamic_broadcast_in_dim"(%344, %346) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x2x6x1xf32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %348 = "stablehlo.subtract"(%336#0, %347) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %349 = "stablehlo.exponential"(%348) : (tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %350 = "stablehlo.reduce"(%349, %244) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg87: tensor<f32>, %arg88: tensor<f32>):
      %645 = "stablehlo.add"(%arg87, %arg88) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%645) : (tensor<f32>) -> ()
    }) : (tensor<?x2x6x6xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %351 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %352 = "stablehlo.concatenate"(%351, %235, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %353 = "stablehlo.dynamic_broadcast_in_dim"(%350, %352) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x2x6xf32>, tensor<4xi32>) -> tensor<?x2x6x1xf32>
    %354 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %355 = "stablehlo.concatenate"(%354, %235, %248, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %356 = "stablehlo.dynamic_broadcast_in_dim"(%353, %355) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x2x6x1xf32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %357 = "stablehlo.divide"(%349, %356) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %358 = "stablehlo.multiply"(%353, %353) : (tensor<?x2x6x1xf32>, tensor<?x2x6x1xf32>) -> tensor<?x2x6x1xf32>
    %359 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %360 = "stablehlo.concatenate"(%359, %235, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %361 = "stablehlo.dynamic_broadcast_in_dim"(%239, %360) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x6x1xf32>
    %362 = "stablehlo.divide"(%361, %358) : (tensor<?x2x6x1xf32>, tensor<?x2x6x1xf32>) -> tensor<?x2x6x1xf32>
    %363 = "stablehlo.dot_general"(%357, %327) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>}> : (tensor<?x2x6x6xf32>, tensor<?x2x6x4xf32>) -> tensor<?x2x6x4xf32>
    %364 = "stablehlo.transpose"(%363) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x2x6x4xf32>) -> tensor<?x6x2x4xf32>
    %365 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %366 = "stablehlo.concatenate"(%365, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %367 = "stablehlo.dynamic_reshape"(%364, %366) : (tensor<?x6x2x4xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %368 = "stablehlo.dot_general"(%367, %251) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x6x8xf32>, tensor<8x8xf32>) -> tensor<?x6x8xf32>
    %369 = "stablehlo.add"(%268, %368) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %370 = "stablehlo.reduce"(%369, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg85: tensor<f32>, %arg86: tensor<f32>):
      %644 = "stablehlo.add"(%arg85, %arg86) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%644) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %371 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %372 = "stablehlo.concatenate"(%371, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %373 = "stablehlo.dynamic_broadcast_in_dim"(%370, %372) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %374 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %375 = "stablehlo.concatenate"(%374, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %376 = "stablehlo.dynamic_broadcast_in_dim"(%243, %375) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %377 = "stablehlo.divide"(%373, %376) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %378:5 = "func.call"(%arg61, %369, %255) <{callee = @_var}> : (tensor<i32>, tensor<?x6x8xf32>, tensor<i32>) -> (tensor<?x6x1xf32>, tensor<?x6x8xf32>, tensor<f32>, tensor<i1>, tensor<?x6x1xf32>)
    %379 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %380 = "stablehlo.concatenate"(%379, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %381 = "stablehlo.dynamic_broadcast_in_dim"(%377, %380) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %382 = "stablehlo.subtract"(%369, %381) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %383 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %384 = "stablehlo.concatenate"(%383, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %385 = "stablehlo.dynamic_broadcast_in_dim"(%241, %384) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %386 = "stablehlo.add"(%378#0, %385) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %387 = "stablehlo.sqrt"(%386) : (tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %388 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %389 = "stablehlo.concatenate"(%388, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %390 = "stablehlo.dynamic_broadcast_in_dim"(%240, %389) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %391 = "stablehlo.divide"(%390, %387) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %392 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %393 = "stablehlo.concatenate"(%392, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %394 = "stablehlo.dynamic_broadcast_in_dim"(%387, %393) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %395 = "stablehlo.divide"(%382, %394) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %396 = "stablehlo.multiply"(%387, %387) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %397 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %398 = "stablehlo.concatenate"(%397, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %399 = "stablehlo.dynamic_broadcast_in_dim"(%239, %398) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %400 = "stablehlo.divide"(%399, %396) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %401 = "stablehlo.dot_general"(%395, %252) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x6x8xf32>, tensor<8x16xf32>) -> tensor<?x6x16xf32>
    %402 = "stablehlo.multiply"(%401, %401) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %403 = "stablehlo.multiply"(%402, %401) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %404 = "stablehlo.multiply"(%401, %401) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %405 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %406 = "stablehlo.concatenate"(%405, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %407 = "stablehlo.dynamic_broadcast_in_dim"(%229, %406) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %408 = "stablehlo.multiply"(%407, %404) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %409 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %410 = "stablehlo.concatenate"(%409, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %411 = "stablehlo.dynamic_broadcast_in_dim"(%228, %410) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %412 = "stablehlo.multiply"(%411, %403) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %413 = "stablehlo.add"(%401, %412) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %414 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %415 = "stablehlo.concatenate"(%414, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %416 = "stablehlo.dynamic_broadcast_in_dim"(%227, %415) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %417 = "stablehlo.multiply"(%416, %413) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %418 = "stablehlo.tanh"(%417) : (tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %419 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %420 = "stablehlo.concatenate"(%419, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %421 = "stablehlo.dynamic_broadcast_in_dim"(%239, %420) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %422 = "stablehlo.subtract"(%421, %418) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %423 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %424 = "stablehlo.concatenate"(%423, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %425 = "stablehlo.dynamic_broadcast_in_dim"(%239, %424) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %426 = "stablehlo.add"(%425, %418) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %427 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %428 = "stablehlo.concatenate"(%427, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %429 = "stablehlo.dynamic_broadcast_in_dim"(%240, %428) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %430 = "stablehlo.multiply"(%429, %426) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %431 = "stablehlo.multiply"(%401, %430) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %432 = "stablehlo.dot_general"(%431, %253) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x6x16xf32>, tensor<16x8xf32>) -> tensor<?x6x8xf32>
    %433 = "stablehlo.add"(%369, %432) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %434 = "stablehlo.dot_general"(%433, %254) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<?x6x8xf32>, tensor<8x11xf32>) -> tensor<?x6x11xf32>
    %435 = "stablehlo.broadcast_in_dim"(%255) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %436 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %437 = "stablehlo.concatenate"(%436, %225, %224) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %438 = "stablehlo.dynamic_gather"(%434, %435, %437) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x6x11xf32>, tensor<1xi32>, tensor<3xi32>) -> tensor<?x5x11xf32>
    %439:3 = "func.call"(%arg61, %438) <{callee = @log_softmax}> : (tensor<i32>, tensor<?x5x11xf32>) -> (tensor<?x5x11xf32>, tensor<?x5x11xf32>, tensor<?x5x1xf32>)
    %440 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %441 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %442 = "stablehlo.concatenate"(%441, %225) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %443 = "stablehlo.dynamic_gather"(%arg62, %440, %442) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x6xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x5xi32>
    %444 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %445 = "stablehlo.concatenate"(%444, %225, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %446 = "stablehlo.dynamic_broadcast_in_dim"(%443, %445) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x5xi32>, tensor<3xi32>) -> tensor<?x5x1xi32>
    %447:2 = "func.call"(%arg61, %439#0, %446) <{callee = @take_along_axis}> : (tensor<i32>, tensor<?x5x11xf32>, tensor<?x5x1xi32>) -> (tensor<?x5x1xf32>, tensor<?x5x1x1xi32>)
    %448 = "stablehlo.convert"(%arg61) : (tensor<i32>) -> tensor<i32>
    %449 = "stablehlo.multiply"(%448, %226) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %450 = "stablehlo.convert"(%449) : (tensor<i32>) -> tensor<f32>
    %451 = "stablehlo.reduce"(%447#0, %244) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg83: tensor<f32>, %arg84: tensor<f32>):
      %643 = "stablehlo.add"(%arg83, %arg84) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%643) : (tensor<f32>) -> ()
    }) : (tensor<?x5x1xf32>, tensor<f32>) -> tensor<f32>
    %452 = "stablehlo.divide"(%451, %450) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %453 = "stablehlo.negate"(%452) : (tensor<f32>) -> tensor<f32>
    %454 = "stablehlo.negate"(%239) : (tensor<f32>) -> tensor<f32>
    %455 = "stablehlo.divide"(%454, %450) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %456 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %457 = "stablehlo.concatenate"(%456, %225, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %458 = "stablehlo.dynamic_broadcast_in_dim"(%455, %457) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x5x1xf32>
    %459 = "func.call"(%arg61, %447#1, %458) <{callee = @take_along_axis_1}> : (tensor<i32>, tensor<?x5x1x1xi32>, tensor<?x5x1xf32>) -> tensor<?x5x11xf32>
    %460 = "func.call"(%arg61, %439#1, %439#2, %459) <{callee = @log_softmax_2}> : (tensor<i32>, tensor<?x5x11xf32>, tensor<?x5x1xf32>, tensor<?x5x11xf32>) -> tensor<?x5x11xf32>
    %461 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %462 = "stablehlo.concatenate"(%461, %248, %224) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %463 = "stablehlo.dynamic_broadcast_in_dim"(%244, %462) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x11xf32>
    %464 = "stablehlo.scatter"(%463, %435, %460) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg81: tensor<f32>, %arg82: tensor<f32>):
      %642 = "stablehlo.add"(%arg81, %arg82) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%642) : (tensor<f32>) -> ()
    }) : (tensor<?x6x11xf32>, tensor<1xi32>, tensor<?x5x11xf32>) -> tensor<?x6x11xf32>
    %465 = "stablehlo.dot_general"(%464, %433) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>}> : (tensor<?x6x11xf32>, tensor<?x6x8xf32>) -> tensor<11x8xf32>
    %466 = "stablehlo.transpose"(%465) <{permutation = array<i64: 1, 0>}> : (tensor<11x8xf32>) -> tensor<8x11xf32>
    %467 = "stablehlo.dot_general"(%464, %254) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<?x6x11xf32>, tensor<8x11xf32>) -> tensor<?x6x8xf32>
    %468 = "stablehlo.dot_general"(%467, %431) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>}> : (tensor<?x6x8xf32>, tensor<?x6x16xf32>) -> tensor<8x16xf32>
    %469 = "stablehlo.transpose"(%468) <{permutation = array<i64: 1, 0>}> : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %470 = "stablehlo.dot_general"(%467, %253) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<?x6x8xf32>, tensor<16x8xf32>) -> tensor<?x6x16xf32>
    %471 = "stablehlo.multiply"(%401, %470) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %472 = "stablehlo.multiply"(%470, %430) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %473 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %474 = "stablehlo.concatenate"(%473, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %475 = "stablehlo.dynamic_broadcast_in_dim"(%240, %474) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %476 = "stablehlo.multiply"(%475, %471) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %477 = "stablehlo.multiply"(%476, %422) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %478 = "stablehlo.multiply"(%477, %418) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %479 = "stablehlo.add"(%477, %478) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %480 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %481 = "stablehlo.concatenate"(%480, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %482 = "stablehlo.dynamic_broadcast_in_dim"(%227, %481) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %483 = "stablehlo.multiply"(%482, %479) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %484 = "stablehlo.add"(%472, %483) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %485 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %486 = "stablehlo.concatenate"(%485, %248, %237) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %487 = "stablehlo.dynamic_broadcast_in_dim"(%228, %486) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x16xf32>
    %488 = "stablehlo.multiply"(%487, %483) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %489 = "stablehlo.multiply"(%488, %408) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %490 = "stablehlo.add"(%484, %489) : (tensor<?x6x16xf32>, tensor<?x6x16xf32>) -> tensor<?x6x16xf32>
    %491 = "stablehlo.dot_general"(%490, %395) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>}> : (tensor<?x6x16xf32>, tensor<?x6x8xf32>) -> tensor<16x8xf32>
    %492 = "stablehlo.transpose"(%491) <{permutation = array<i64: 1, 0>}> : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %493 = "stablehlo.dot_general"(%490, %252) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<?x6x16xf32>, tensor<8x16xf32>) -> tensor<?x6x8xf32>
    %494 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %495 = "stablehlo.concatenate"(%494, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %496 = "stablehlo.dynamic_broadcast_in_dim"(%400, %495) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %497 = "stablehlo.multiply"(%493, %496) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %498 = "stablehlo.multiply"(%497, %382) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %499 = "stablehlo.reduce"(%498, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg79: tensor<f32>, %arg80: tensor<f32>):
      %641 = "stablehlo.add"(%arg79, %arg80) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%641) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %500 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %501 = "stablehlo.concatenate"(%500, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %502 = "stablehlo.dynamic_reshape"(%499, %501) : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %503 = "stablehlo.negate"(%502) : (tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %504 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %505 = "stablehlo.concatenate"(%504, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %506 = "stablehlo.dynamic_broadcast_in_dim"(%387, %505) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %507 = "stablehlo.divide"(%493, %506) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %508 = "stablehlo.multiply"(%503, %391) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %509 = "stablehlo.negate"(%507) : (tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %510 = "stablehlo.reduce"(%509, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg77: tensor<f32>, %arg78: tensor<f32>):
      %640 = "stablehlo.add"(%arg77, %arg78) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%640) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %511 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %512 = "stablehlo.concatenate"(%511, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %513 = "stablehlo.dynamic_reshape"(%510, %512) : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %514 = "stablehlo.add"(%467, %507) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %515 = "func.call"(%arg61, %378#1, %378#2, %378#3, %378#4, %508) <{callee = @_var_3}> : (tensor<i32>, tensor<?x6x8xf32>, tensor<f32>, tensor<i1>, tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x8xf32>
    %516 = "stablehlo.add"(%514, %515) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %517 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %518 = "stablehlo.concatenate"(%517, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %519 = "stablehlo.dynamic_broadcast_in_dim"(%243, %518) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %520 = "stablehlo.divide"(%513, %519) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %521 = "stablehlo.reduce"(%520, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg75: tensor<f32>, %arg76: tensor<f32>):
      %639 = "stablehlo.add"(%arg75, %arg76) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%639) : (tensor<f32>) -> ()
    }) : (tensor<?x6x1xf32>, tensor<f32>) -> tensor<?x6xf32>
    %522 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %523 = "stablehlo.concatenate"(%522, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %524 = "stablehlo.dynamic_broadcast_in_dim"(%521, %523) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %525 = "stablehlo.add"(%516, %524) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %526 = "stablehlo.dot_general"(%525, %367) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>}> : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<8x8xf32>
    %527 = "stablehlo.transpose"(%526) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %528 = "stablehlo.dot_general"(%525, %251) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<?x6x8xf32>, tensor<8x8xf32>) -> tensor<?x6x8xf32>
    %529 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %530 = "stablehlo.concatenate"(%529, %248, %235, %234) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %531 = "stablehlo.dynamic_reshape"(%528, %530) : (tensor<?x6x8xf32>, tensor<4xi32>) -> tensor<?x6x2x4xf32>
    %532 = "stablehlo.transpose"(%531) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x6x2x4xf32>) -> tensor<?x2x6x4xf32>
    %533 = "stablehlo.dot_general"(%532, %357) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<?x2x6x4xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x4x6xf32>
    %534 = "stablehlo.transpose"(%533) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<?x2x4x6xf32>) -> tensor<?x2x6x4xf32>
    %535 = "stablehlo.dot_general"(%532, %327) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<?x2x6x4xf32>, tensor<?x2x6x4xf32>) -> tensor<?x2x6x6xf32>
    %536 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %537 = "stablehlo.concatenate"(%536, %235, %248, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %538 = "stablehlo.dynamic_broadcast_in_dim"(%362, %537) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x2x6x1xf32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %539 = "stablehlo.multiply"(%535, %538) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %540 = "stablehlo.multiply"(%539, %349) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %541 = "stablehlo.reduce"(%540, %244) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg73: tensor<f32>, %arg74: tensor<f32>):
      %638 = "stablehlo.add"(%arg73, %arg74) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%638) : (tensor<f32>) -> ()
    }) : (tensor<?x2x6x6xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %542 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %543 = "stablehlo.concatenate"(%542, %235, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %544 = "stablehlo.dynamic_reshape"(%541, %543) : (tensor<?x2x6xf32>, tensor<4xi32>) -> tensor<?x2x6x1xf32>
    %545 = "stablehlo.negate"(%544) : (tensor<?x2x6x1xf32>) -> tensor<?x2x6x1xf32>
    %546 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %547 = "stablehlo.concatenate"(%546, %235, %248, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %548 = "stablehlo.dynamic_broadcast_in_dim"(%353, %547) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x2x6x1xf32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %549 = "stablehlo.divide"(%535, %548) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %550 = "stablehlo.reduce"(%545, %244) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
      %637 = "stablehlo.add"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%637) : (tensor<f32>) -> ()
    }) : (tensor<?x2x6x1xf32>, tensor<f32>) -> tensor<?x2x6xf32>
    %551 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %552 = "stablehlo.concatenate"(%551, %235, %248, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %553 = "stablehlo.dynamic_broadcast_in_dim"(%550, %552) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x2x6xf32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %554 = "stablehlo.add"(%549, %553) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %555 = "stablehlo.multiply"(%554, %349) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %556 = "func.call"(%arg61, %336#1, %336#2, %555) <{callee = @_where_5}> : (tensor<i32>, tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %557 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %558 = "stablehlo.concatenate"(%557, %235, %248, %248) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %559 = "stablehlo.dynamic_broadcast_in_dim"(%233, %558) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %560 = "stablehlo.divide"(%556, %559) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %561 = "stablehlo.dot_general"(%560, %319) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<?x2x6x6xf32>, tensor<?x2x6x4xf32>) -> tensor<?x2x6x4xf32>
    %562 = "stablehlo.transpose"(%561) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<?x2x6x4xf32>) -> tensor<?x2x4x6xf32>
    %563 = "stablehlo.dot_general"(%560, %328) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<?x2x6x6xf32>, tensor<?x2x4x6xf32>) -> tensor<?x2x6x4xf32>
    %564 = "stablehlo.transpose"(%562) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<?x2x4x6xf32>) -> tensor<?x2x6x4xf32>
    %565 = "stablehlo.transpose"(%534) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x2x6x4xf32>) -> tensor<?x6x2x4xf32>
    %566 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %567 = "stablehlo.concatenate"(%566, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %568 = "stablehlo.dynamic_reshape"(%565, %567) : (tensor<?x6x2x4xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %569 = "stablehlo.transpose"(%564) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x2x6x4xf32>) -> tensor<?x6x2x4xf32>
    %570 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %571 = "stablehlo.concatenate"(%570, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %572 = "stablehlo.dynamic_reshape"(%569, %571) : (tensor<?x6x2x4xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %573 = "stablehlo.transpose"(%563) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<?x2x6x4xf32>) -> tensor<?x6x2x4xf32>
    %574 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %575 = "stablehlo.concatenate"(%574, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %576 = "stablehlo.dynamic_reshape"(%573, %575) : (tensor<?x6x2x4xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %577 = "stablehlo.concatenate"(%576, %572, %568) <{dimension = 2 : i64}> : (tensor<?x6x8xf32>, tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x24xf32>
    %578 = "stablehlo.dot_general"(%577, %294) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>}> : (tensor<?x6x24xf32>, tensor<?x6x8xf32>) -> tensor<24x8xf32>
    %579 = "stablehlo.transpose"(%578) <{permutation = array<i64: 1, 0>}> : (tensor<24x8xf32>) -> tensor<8x24xf32>
    %580 = "stablehlo.dot_general"(%577, %250) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<?x6x24xf32>, tensor<8x24xf32>) -> tensor<?x6x8xf32>
    %581 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %582 = "stablehlo.concatenate"(%581, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %583 = "stablehlo.dynamic_broadcast_in_dim"(%299, %582) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %584 = "stablehlo.multiply"(%580, %583) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %585 = "stablehlo.multiply"(%584, %281) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %586 = "stablehlo.reduce"(%585, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg69: tensor<f32>, %arg70: tensor<f32>):
      %636 = "stablehlo.add"(%arg69, %arg70) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%636) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %587 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %588 = "stablehlo.concatenate"(%587, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %589 = "stablehlo.dynamic_reshape"(%586, %588) : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %590 = "stablehlo.negate"(%589) : (tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %591 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %592 = "stablehlo.concatenate"(%591, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %593 = "stablehlo.dynamic_broadcast_in_dim"(%286, %592) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %594 = "stablehlo.divide"(%580, %593) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %595 = "stablehlo.multiply"(%590, %290) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %596 = "stablehlo.negate"(%594) : (tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %597 = "stablehlo.reduce"(%596, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
      %635 = "stablehlo.add"(%arg67, %arg68) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%635) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %598 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %599 = "stablehlo.concatenate"(%598, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %600 = "stablehlo.dynamic_reshape"(%597, %599) : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %601 = "stablehlo.add"(%525, %594) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %602 = "func.call"(%arg61, %277#1, %277#2, %277#3, %277#4, %595) <{callee = @_var_3}> : (tensor<i32>, tensor<?x6x8xf32>, tensor<f32>, tensor<i1>, tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x8xf32>
    %603 = "stablehlo.add"(%601, %602) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %604 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %605 = "stablehlo.concatenate"(%604, %248, %245) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %606 = "stablehlo.dynamic_broadcast_in_dim"(%243, %605) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %607 = "stablehlo.divide"(%600, %606) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %608 = "stablehlo.reduce"(%607, %244) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg65: tensor<f32>, %arg66: tensor<f32>):
      %634 = "stablehlo.add"(%arg65, %arg66) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%634) : (tensor<f32>) -> ()
    }) : (tensor<?x6x1xf32>, tensor<f32>) -> tensor<?x6xf32>
    %609 = "stablehlo.reshape"(%arg61) : (tensor<i32>) -> tensor<1xi32>
    %610 = "stablehlo.concatenate"(%609, %248, %242) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %611 = "stablehlo.dynamic_broadcast_in_dim"(%608, %610) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %612 = "stablehlo.add"(%603, %611) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %613 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<11x8xf32>
    %614 = "stablehlo.scatter"(%613, %267, %612) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
    ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
      %633 = "stablehlo.add"(%arg63, %arg64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%633) : (tensor<f32>) -> ()
    }) : (tensor<11x8xf32>, tensor<?x6x1xi32>, tensor<?x6x8xf32>) -> tensor<11x8xf32>
    %615 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<11x8xf32>
    %616 = "stablehlo.multiply"(%615, %614) : (tensor<11x8xf32>, tensor<11x8xf32>) -> tensor<11x8xf32>
    %617 = "stablehlo.subtract"(%249, %616) : (tensor<11x8xf32>, tensor<11x8xf32>) -> tensor<11x8xf32>
    %618 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x24xf32>
    %619 = "stablehlo.multiply"(%618, %579) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %620 = "stablehlo.subtract"(%250, %619) : (tensor<8x24xf32>, tensor<8x24xf32>) -> tensor<8x24xf32>
    %621 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32>
    %622 = "stablehlo.multiply"(%621, %527) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %623 = "stablehlo.subtract"(%251, %622) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %624 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %625 = "stablehlo.multiply"(%624, %492) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %626 = "stablehlo.subtract"(%252, %625) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %627 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
    %628 = "stablehlo.multiply"(%627, %469) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %629 = "stablehlo.subtract"(%253, %628) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %630 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x11xf32>
    %631 = "stablehlo.multiply"(%630, %466) : (tensor<8x11xf32>, tensor<8x11xf32>) -> tensor<8x11xf32>
    %632 = "stablehlo.subtract"(%254, %631) : (tensor<8x11xf32>, tensor<8x11xf32>) -> tensor<8x11xf32>
    "func.return"(%453, %629, %617, %632, %623, %620, %626) : (tensor<f32>, tensor<16x8xf32>, tensor<11x8xf32>, tensor<8x11xf32>, tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}], function_type = (tensor<i32>, tensor<?x6x8xf32>, tensor<i32>) -> (tensor<?x6x1xf32>, tensor<?x6x8xf32>, tensor<f32>, tensor<i1>, tensor<?x6x1xf32>), sym_name = "_var", sym_visibility = "private"}> ({
  ^bb0(%arg54: tensor<i32>, %arg55: tensor<?x6x8xf32>, %arg56: tensor<i32>):
    %185 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %186 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %187 = "stablehlo.constant"() <{value = dense<8> : tensor<1xi32>}> : () -> tensor<1xi32>
    %188 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %189 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %190 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %191 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %192 = "stablehlo.reduce"(%arg55, %191) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
      %222 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%222) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %193 = "stablehlo.reshape"(%arg54) : (tensor<i32>) -> tensor<1xi32>
    %194 = "stablehlo.concatenate"(%193, %190, %189) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %195 = "stablehlo.dynamic_broadcast_in_dim"(%192, %194) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %196 = "stablehlo.reshape"(%arg54) : (tensor<i32>) -> tensor<1xi32>
    %197 = "stablehlo.concatenate"(%196, %190, %189) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %198 = "stablehlo.dynamic_broadcast_in_dim"(%188, %197) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %199 = "stablehlo.divide"(%195, %198) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %200 = "stablehlo.reshape"(%arg54) : (tensor<i32>) -> tensor<1xi32>
    %201 = "stablehlo.concatenate"(%200, %190, %187) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %202 = "stablehlo.dynamic_broadcast_in_dim"(%199, %201) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x6x1xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %203 = "stablehlo.subtract"(%arg55, %202) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %204 = "stablehlo.multiply"(%203, %203) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %205 = "stablehlo.reshape"(%arg54) : (tensor<i32>) -> tensor<1xi32>
    %206 = "stablehlo.concatenate"(%205, %190, %187) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %207 = "stablehlo.dynamic_broadcast_in_dim"(%186, %206) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %208 = "stablehlo.multiply"(%207, %203) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %209 = "stablehlo.convert"(%arg56) : (tensor<i32>) -> tensor<f32>
    %210 = "stablehlo.subtract"(%188, %209) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %211 = "stablehlo.reduce"(%204, %191) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg57: tensor<f32>, %arg58: tensor<f32>):
      %221 = "stablehlo.add"(%arg57, %arg58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%221) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %212 = "stablehlo.reshape"(%arg54) : (tensor<i32>) -> tensor<1xi32>
    %213 = "stablehlo.concatenate"(%212, %190, %189) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %214 = "stablehlo.dynamic_broadcast_in_dim"(%211, %213) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %215 = "stablehlo.reshape"(%arg54) : (tensor<i32>) -> tensor<1xi32>
    %216 = "stablehlo.concatenate"(%215, %190, %189) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %217 = "stablehlo.dynamic_broadcast_in_dim"(%210, %216) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %218 = "stablehlo.divide"(%214, %217) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %219 = "stablehlo.compare"(%210, %191) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %220:2 = "func.call"(%arg54, %219, %218, %185) <{callee = @_where}> : (tensor<i32>, tensor<i1>, tensor<?x6x1xf32>, tensor<f32>) -> (tensor<?x6x1xf32>, tensor<?x6x1xf32>)
    "func.return"(%220#0, %208, %210, %219, %220#1) : (tensor<?x6x1xf32>, tensor<?x6x8xf32>, tensor<f32>, tensor<i1>, tensor<?x6x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}, {}], function_type = (tensor<i32>, tensor<i1>, tensor<?x6x1xf32>, tensor<f32>) -> (tensor<?x6x1xf32>, tensor<?x6x1xf32>), sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg50: tensor<i32>, %arg51: tensor<i1>, %arg52: tensor<?x6x1xf32>, %arg53: tensor<f32>):
    %174 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %175 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %176 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %177 = "stablehlo.convert"(%arg53) : (tensor<f32>) -> tensor<f32>
    %178 = "stablehlo.reshape"(%arg50) : (tensor<i32>) -> tensor<1xi32>
    %179 = "stablehlo.concatenate"(%178, %176, %175) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %180 = "stablehlo.dynamic_broadcast_in_dim"(%177, %179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %181 = "stablehlo.select"(%arg51, %arg52, %180) : (tensor<i1>, tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %182 = "stablehlo.reshape"(%arg50) : (tensor<i32>) -> tensor<1xi32>
    %183 = "stablehlo.concatenate"(%182, %176, %175) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %184 = "stablehlo.dynamic_broadcast_in_dim"(%174, %183) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    "func.return"(%181, %184) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}], function_type = (tensor<i32>, tensor<6x6xi1>) -> tensor<6x6xi1>, sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg48: tensor<i32>, %arg49: tensor<6x6xi1>):
    %165 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %166 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %167 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6x6xi32>
    %168 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6x6xi32>
    %169 = "stablehlo.add"(%167, %168) : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %170 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x6xi32>
    %171 = "stablehlo.compare"(%169, %170) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %172 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %173 = "stablehlo.select"(%171, %arg49, %172) : (tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) -> tensor<6x6xi1>
    "func.return"(%173) : (tensor<6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}, {}], function_type = (tensor<i32>, tensor<6x6xi1>, tensor<?x2x6x6xf32>, tensor<f32>) -> (tensor<?x2x6x6xf32>, tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>), sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg44: tensor<i32>, %arg45: tensor<6x6xi1>, %arg46: tensor<?x2x6x6xf32>, %arg47: tensor<f32>):
    %151 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %152 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %153 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %154 = "stablehlo.convert"(%arg47) : (tensor<f32>) -> tensor<f32>
    %155 = "stablehlo.reshape"(%arg44) : (tensor<i32>) -> tensor<1xi32>
    %156 = "stablehlo.concatenate"(%155, %153, %152, %152) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %157 = "stablehlo.dynamic_broadcast_in_dim"(%arg45, %156) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<6x6xi1>, tensor<4xi32>) -> tensor<?x2x6x6xi1>
    %158 = "stablehlo.reshape"(%arg44) : (tensor<i32>) -> tensor<1xi32>
    %159 = "stablehlo.concatenate"(%158, %153, %152, %152) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %160 = "stablehlo.dynamic_broadcast_in_dim"(%154, %159) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %161 = "stablehlo.select"(%157, %arg46, %160) : (tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    %162 = "stablehlo.reshape"(%arg44) : (tensor<i32>) -> tensor<1xi32>
    %163 = "stablehlo.concatenate"(%162, %153, %152, %152) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %164 = "stablehlo.dynamic_broadcast_in_dim"(%151, %163) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    "func.return"(%161, %157, %164) : (tensor<?x2x6x6xf32>, tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}], function_type = (tensor<i32>, tensor<?x5x11xf32>) -> (tensor<?x5x11xf32>, tensor<?x5x11xf32>, tensor<?x5x1xf32>), sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<i32>, %arg39: tensor<?x5x11xf32>):
    %122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.constant"() <{value = dense<11> : tensor<1xi32>}> : () -> tensor<1xi32>
    %124 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %125 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %126 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %127 = "stablehlo.reduce"(%arg39, %126) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %150 = "stablehlo.maximum"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%150) : (tensor<f32>) -> ()
    }) : (tensor<?x5x11xf32>, tensor<f32>) -> tensor<?x5xf32>
    %128 = "stablehlo.reshape"(%arg38) : (tensor<i32>) -> tensor<1xi32>
    %129 = "stablehlo.concatenate"(%128, %125) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %130 = "stablehlo.dynamic_broadcast_in_dim"(%126, %129) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %131 = "stablehlo.maximum"(%130, %127) : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
    %132 = "stablehlo.reshape"(%arg38) : (tensor<i32>) -> tensor<1xi32>
    %133 = "stablehlo.concatenate"(%132, %125, %124) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %134 = "stablehlo.dynamic_broadcast_in_dim"(%131, %133) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<?x5x1xf32>
    %135 = "stablehlo.reshape"(%arg38) : (tensor<i32>) -> tensor<1xi32>
    %136 = "stablehlo.concatenate"(%135, %125, %123) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %137 = "stablehlo.dynamic_broadcast_in_dim"(%134, %136) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x5x1xf32>, tensor<3xi32>) -> tensor<?x5x11xf32>
    %138 = "stablehlo.subtract"(%arg39, %137) : (tensor<?x5x11xf32>, tensor<?x5x11xf32>) -> tensor<?x5x11xf32>
    %139 = "stablehlo.exponential"(%138) : (tensor<?x5x11xf32>) -> tensor<?x5x11xf32>
    %140 = "stablehlo.reduce"(%139, %122) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %149 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%149) : (tensor<f32>) -> ()
    }) : (tensor<?x5x11xf32>, tensor<f32>) -> tensor<?x5xf32>
    %141 = "stablehlo.reshape"(%arg38) : (tensor<i32>) -> tensor<1xi32>
    %142 = "stablehlo.concatenate"(%141, %125, %124) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %143 = "stablehlo.dynamic_broadcast_in_dim"(%140, %142) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<?x5x1xf32>
    %144 = "stablehlo.log"(%143) : (tensor<?x5x1xf32>) -> tensor<?x5x1xf32>
    %145 = "stablehlo.reshape"(%arg38) : (tensor<i32>) -> tensor<1xi32>
    %146 = "stablehlo.concatenate"(%145, %125, %123) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %147 = "stablehlo.dynamic_broadcast_in_dim"(%144, %146) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x5x1xf32>, tensor<3xi32>) -> tensor<?x5x11xf32>
    %148 = "stablehlo.subtract"(%138, %147) : (tensor<?x5x11xf32>, tensor<?x5x11xf32>) -> tensor<?x5x11xf32>
    "func.return"(%148, %139, %143) : (tensor<?x5x11xf32>, tensor<?x5x11xf32>, tensor<?x5x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}], function_type = (tensor<i32>, tensor<?x5x11xf32>, tensor<?x5x1xi32>) -> (tensor<?x5x1xf32>, tensor<?x5x1x1xi32>), sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<i32>, %arg34: tensor<?x5x11xf32>, %arg35: tensor<?x5x1xi32>):
    %72 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %74 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %75 = "stablehlo.constant"() <{value = dense<false> : tensor<1xi1>}> : () -> tensor<1xi1>
    %76 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %77 = "stablehlo.constant"() <{value = dense<11> : tensor<i32>}> : () -> tensor<i32>
    %78 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %79 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %82 = "stablehlo.reshape"(%arg33) : (tensor<i32>) -> tensor<1xi32>
    %83 = "stablehlo.concatenate"(%82, %79, %78) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %84 = "stablehlo.dynamic_broadcast_in_dim"(%80, %83) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<3xi32>) -> tensor<?x5x1xi32>
    %85 = "stablehlo.compare"(%arg35, %84) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<?x5x1xi32>, tensor<?x5x1xi32>) -> tensor<?x5x1xi1>
    %86 = "stablehlo.reshape"(%arg33) : (tensor<i32>) -> tensor<1xi32>
    %87 = "stablehlo.concatenate"(%86, %79, %78) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %88 = "stablehlo.dynamic_broadcast_in_dim"(%77, %87) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<3xi32>) -> tensor<?x5x1xi32>
    %89 = "stablehlo.add"(%arg35, %88) : (tensor<?x5x1xi32>, tensor<?x5x1xi32>) -> tensor<?x5x1xi32>
    %90 = "stablehlo.select"(%85, %89, %arg35) : (tensor<?x5x1xi1>, tensor<?x5x1xi32>, tensor<?x5x1xi32>) -> tensor<?x5x1xi32>
    %91 = "stablehlo.reshape"(%arg33) : (tensor<i32>) -> tensor<1xi32>
    %92 = "stablehlo.concatenate"(%91, %79, %78, %78) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %93 = "stablehlo.dynamic_reshape"(%90, %92) : (tensor<?x5x1xi32>, tensor<4xi32>) -> tensor<?x5x1x1xi32>
    %94 = "stablehlo.convert"(%arg33) : (tensor<i32>) -> tensor<i32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %96 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %97 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %98 = "stablehlo.concatenate"(%95, %96, %97) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %99 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %100 = "stablehlo.add"(%76, %99) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %101 = "stablehlo.select"(%75, %100, %76) : (tensor<1xi1>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %103 = "stablehlo.gather"(%98, %102) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<1x1xi32>) -> tensor<1xi32>
    %104 = "stablehlo.subtract"(%103, %78) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %105 = "stablehlo.reshape"(%arg33) : (tensor<i32>) -> tensor<1xi32>
    %106 = "stablehlo.concatenate"(%105, %79, %78, %78) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %107 = "stablehlo.dynamic_broadcast_in_dim"(%80, %106) <{broadcast_dimensions = array<i64>}> : (tensor<i32>, tensor<4xi32>) -> tensor<?x5x1x1xi32>
    %108 = "stablehlo.compare"(%93, %107) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<?x5x1x1xi32>, tensor<?x5x1x1xi32>) -> tensor<?x5x1x1xi1>
    %109 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 3>}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %110 = "stablehlo.reshape"(%arg33) : (tensor<i32>) -> tensor<1xi32>
    %111 = "stablehlo.concatenate"(%110, %79, %78, %78) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %112 = "stablehlo.dynamic_broadcast_in_dim"(%109, %111) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x1xi32>, tensor<4xi32>) -> tensor<?x5x1x1xi32>
    %113 = "stablehlo.compare"(%93, %112) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<?x5x1x1xi32>, tensor<?x5x1x1xi32>) -> tensor<?x5x1x1xi1>
    %114 = "stablehlo.and"(%108, %113) : (tensor<?x5x1x1xi1>, tensor<?x5x1x1xi1>) -> tensor<?x5x1x1xi1>
    %115 = "stablehlo.reduce"(%114, %73) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg36: tensor<i1>, %arg37: tensor<i1>):
      %121 = "stablehlo.and"(%arg36, %arg37) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%121) : (tensor<i1>) -> ()
    }) : (tensor<?x5x1x1xi1>, tensor<i1>) -> tensor<?x5x1xi1>
    %116 = "stablehlo.gather"(%arg34, %93) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<?x5x11xf32>, tensor<?x5x1x1xi32>) -> tensor<?x5x1xf32>
    %117 = "stablehlo.reshape"(%arg33) : (tensor<i32>) -> tensor<1xi32>
    %118 = "stablehlo.concatenate"(%117, %79, %78) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %119 = "stablehlo.dynamic_broadcast_in_dim"(%72, %118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x5x1xf32>
    %120 = "stablehlo.select"(%115, %116, %119) : (tensor<?x5x1xi1>, tensor<?x5x1xf32>, tensor<?x5x1xf32>) -> tensor<?x5x1xf32>
    "func.return"(%120, %93) : (tensor<?x5x1xf32>, tensor<?x5x1x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}], function_type = (tensor<i32>, tensor<?x5x1x1xi32>, tensor<?x5x1xf32>) -> tensor<?x5x11xf32>, sym_name = "take_along_axis_1", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<i32>, %arg29: tensor<?x5x1x1xi32>, %arg30: tensor<?x5x1xf32>):
    %64 = "stablehlo.constant"() <{value = dense<11> : tensor<1xi32>}> : () -> tensor<1xi32>
    %65 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %66 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.reshape"(%arg28) : (tensor<i32>) -> tensor<1xi32>
    %68 = "stablehlo.concatenate"(%67, %65, %64) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %69 = "stablehlo.dynamic_broadcast_in_dim"(%66, %68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x5x11xf32>
    %70 = "stablehlo.scatter"(%69, %arg29, %arg30) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %71 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<?x5x11xf32>, tensor<?x5x1x1xi32>, tensor<?x5x1xf32>) -> tensor<?x5x11xf32>
    "func.return"(%70) : (tensor<?x5x11xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}, {}], function_type = (tensor<i32>, tensor<?x5x11xf32>, tensor<?x5x1xf32>, tensor<?x5x11xf32>) -> tensor<?x5x11xf32>, sym_name = "log_softmax_2", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<i32>, %arg21: tensor<?x5x11xf32>, %arg22: tensor<?x5x1xf32>, %arg23: tensor<?x5x11xf32>):
    %46 = "stablehlo.constant"() <{value = dense<11> : tensor<1xi32>}> : () -> tensor<1xi32>
    %47 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %48 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.negate"(%arg23) : (tensor<?x5x11xf32>) -> tensor<?x5x11xf32>
    %51 = "stablehlo.reduce"(%50, %49) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %63 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%63) : (tensor<f32>) -> ()
    }) : (tensor<?x5x11xf32>, tensor<f32>) -> tensor<?x5xf32>
    %52 = "stablehlo.reshape"(%arg20) : (tensor<i32>) -> tensor<1xi32>
    %53 = "stablehlo.concatenate"(%52, %48, %47) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %54 = "stablehlo.dynamic_reshape"(%51, %53) : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<?x5x1xf32>
    %55 = "stablehlo.divide"(%54, %arg22) : (tensor<?x5x1xf32>, tensor<?x5x1xf32>) -> tensor<?x5x1xf32>
    %56 = "stablehlo.reduce"(%55, %49) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %62 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%62) : (tensor<f32>) -> ()
    }) : (tensor<?x5x1xf32>, tensor<f32>) -> tensor<?x5xf32>
    %57 = "stablehlo.reshape"(%arg20) : (tensor<i32>) -> tensor<1xi32>
    %58 = "stablehlo.concatenate"(%57, %48, %46) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %59 = "stablehlo.dynamic_broadcast_in_dim"(%56, %58) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<?x5x11xf32>
    %60 = "stablehlo.multiply"(%59, %arg21) : (tensor<?x5x11xf32>, tensor<?x5x11xf32>) -> tensor<?x5x11xf32>
    %61 = "stablehlo.add"(%arg23, %60) : (tensor<?x5x11xf32>, tensor<?x5x11xf32>) -> tensor<?x5x11xf32>
    "func.return"(%61) : (tensor<?x5x11xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}, {}, {}, {}], function_type = (tensor<i32>, tensor<?x6x8xf32>, tensor<f32>, tensor<i1>, tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x8xf32>, sym_name = "_var_3", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<i32>, %arg9: tensor<?x6x8xf32>, %arg10: tensor<f32>, %arg11: tensor<i1>, %arg12: tensor<?x6x1xf32>, %arg13: tensor<?x6x1xf32>):
    %14 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<8> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %18 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %19 = "func.call"(%arg8, %arg11, %arg12, %arg13) <{callee = @_where_4}> : (tensor<i32>, tensor<i1>, tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %20 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %21 = "stablehlo.concatenate"(%20, %18, %17) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %22 = "stablehlo.dynamic_broadcast_in_dim"(%arg10, %21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %23 = "stablehlo.divide"(%19, %22) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %24 = "stablehlo.reduce"(%23, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %45 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%45) : (tensor<f32>) -> ()
    }) : (tensor<?x6x1xf32>, tensor<f32>) -> tensor<?x6xf32>
    %25 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %26 = "stablehlo.concatenate"(%25, %18, %15) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %27 = "stablehlo.dynamic_broadcast_in_dim"(%24, %26) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %28 = "stablehlo.multiply"(%27, %arg9) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %29 = "stablehlo.negate"(%28) : (tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    %30 = "stablehlo.reduce"(%29, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %44 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%44) : (tensor<f32>) -> ()
    }) : (tensor<?x6x8xf32>, tensor<f32>) -> tensor<?x6xf32>
    %31 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %32 = "stablehlo.concatenate"(%31, %18, %17) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %33 = "stablehlo.dynamic_reshape"(%30, %32) : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %34 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %35 = "stablehlo.concatenate"(%34, %18, %17) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %36 = "stablehlo.dynamic_broadcast_in_dim"(%14, %35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %37 = "stablehlo.divide"(%33, %36) : (tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    %38 = "stablehlo.reduce"(%37, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %43 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%43) : (tensor<f32>) -> ()
    }) : (tensor<?x6x1xf32>, tensor<f32>) -> tensor<?x6xf32>
    %39 = "stablehlo.reshape"(%arg8) : (tensor<i32>) -> tensor<1xi32>
    %40 = "stablehlo.concatenate"(%39, %18, %15) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %41 = "stablehlo.dynamic_broadcast_in_dim"(%38, %40) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<?x6x8xf32>
    %42 = "stablehlo.add"(%28, %41) : (tensor<?x6x8xf32>, tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
    "func.return"(%42) : (tensor<?x6x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}, {}], function_type = (tensor<i32>, tensor<i1>, tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>, sym_name = "_where_4", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<i32>, %arg5: tensor<i1>, %arg6: tensor<?x6x1xf32>, %arg7: tensor<?x6x1xf32>):
    %7 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %8 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reshape"(%arg4) : (tensor<i32>) -> tensor<1xi32>
    %11 = "stablehlo.concatenate"(%10, %8, %7) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %12 = "stablehlo.dynamic_broadcast_in_dim"(%9, %11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x6x1xf32>
    %13 = "stablehlo.select"(%arg5, %arg7, %12) : (tensor<i1>, tensor<?x6x1xf32>, tensor<?x6x1xf32>) -> tensor<?x6x1xf32>
    "func.return"(%13) : (tensor<?x6x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {}, {}, {}], function_type = (tensor<i32>, tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>, sym_name = "_where_5", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<?x2x6x6xi1>, %arg2: tensor<?x2x6x6xf32>, %arg3: tensor<?x2x6x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %4 = "stablehlo.concatenate"(%3, %1, %0, %0) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %5 = "stablehlo.dynamic_broadcast_in_dim"(%2, %4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x2x6x6xf32>
    %6 = "stablehlo.select"(%arg1, %arg3, %5) : (tensor<?x2x6x6xi1>, tensor<?x2x6x6xf32>, tensor<?x2x6x6xf32>) -> tensor<?x2x6x6xf32>
    "func.return"(%6) : (tensor<?x2x6x6xf32>) -> ()
  }) : () -> ()
}) {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
