// Llama: grouped heads by expand and reshape, RoPE, a causal mask made of finfo.min
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, tosa
// attentions: 1
module {
  func.func @main(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
    %0 = "tosa.const"() <{values = dense<-3.40282347E+38> : tensor<6x6xf32>}> : () -> tensor<6x6xf32>
    %1 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>}> : () -> tensor<6xi64>
    %2 = tosa.const_shape  {values = dense<[1, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %3 = tosa.const_shape  {values = dense<[6, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %4 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = tosa.const_shape  {values = dense<[1, 1, 6, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %6 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %7 = tosa.const_shape  {values = dense<[1, 12, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.const_shape  {values = dense<[2, 6, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %9 = tosa.const_shape  {values = dense<[2, 6, 4, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %10 = tosa.const_shape  {values = dense<[2, 6, 2, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %11 = "tosa.const"() <{values = dense<[0, 1]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %12 = tosa.const_shape  {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %13 = tosa.const_shape  {values = dense<[6, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.const_shape  {values = dense<[1, 2, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %15 = tosa.const_shape  {values = dense<[6, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %16 = tosa.const_shape  {values = dense<[1, 1, 6, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %17 = tosa.const_shape  {values = dense<[2, 4, 6, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %18 = tosa.const_shape  {values = dense<[0, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %19 = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %20 = tosa.const_shape  {values = dense<[2, 2, 6, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %21 = tosa.const_shape  {values = dense<[2, 2, 1, 6, 4]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %22 = tosa.const_shape  {values = dense<[1, 1, 2, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
    %23 = tosa.const_shape  {values = dense<[2, 4, 6, 4]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %24 = tosa.const_shape  {values = dense<[8, 6, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %25 = tosa.const_shape  {values = dense<[8, 4, 6]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %26 = tosa.const_shape  {values = dense<[2, 4, 6, 6]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %27 = tosa.const_shape  {values = dense<[8, 6, 6]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %28 = "tosa.const"() <{values = dense<1> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
    %29 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %30 = "tosa.const"() <{values = dense<"0x0054F5BA6069CA3D1AEF25BEC811E3BD6E890C3E8C946EBE38A6FF3D38C91BBE5C1DB3BD66F865BEF03C45BDF053ECBCAC9334BEA024B93D26DA5DBEF00EA93D5E54093E189B193EC0B0EBBD20CB13BC203F01BD3E74633E1853563D6849683EBAD251BE40BAF2BD100E49BD708FE4BD60AE363C40AA013D2CA2FD3DF20E403E16B352BE8C8D2DBE1ADA32BE40BA233E40641C3CF0A6423E96B347BED06F2F3E00D259BDCE4F2E3EBAB865BE14B64C3E907634BE00EDF3BA085836BE28D2A4BD80663CBEFCF4DEBD76C26FBE827F7E3E00446D3DFE5D7FBEE86813BE64E157BEF8E25A3D006BD4BA440A5DBE54DF4EBE88EC0CBE086D4ABDA85691BD00D4D139F432C5BD98F7B93D047015BE2434CB3D00D11E3E08AA3F3DF2D4703E88DB7EBD76C626BEDC7CFEBD283C20BDB0C2DB3C302C15BE407A003DCCC8ABBD7ACB033EEC4B893D4E94543E9E0E5C3EC8550A3D48CF753EC8802CBD547F2C3E80D2383C403452BC022D44BE80E1533BC06456BD34F9AE3D30D369BD38A417BD5A9377BE404FA2BB48BD52BDBC76E43DFEA42B3E964745BEB88228BDB03EDFBD1867153D0042373E00946FBEB896E8BD16D0363EC48D18BE003EE6BA8036333B4215393ECEFA4A3E5C913F3E0027F83DC0BB16BEECA1BBBD1C5FEABDD4DC80BDD0DD723DF088D2BCEC1058BEB8DEC03D08EC8E3D00BAB2BBC0A7023D9626533E30B153BE70BFB5BC400D25BD406A573CF8D03E3D9838C93D8CE4C43D78DD73BE5CECC83D80ACE33B70B44FBD3A6A66BECC04F63DA04F2C3C983E48BE80ABFF3C00D0613B4C7B873D10B5D83C3A3F03BE6C7A46BED01B543E34A117BE803E93BBE059753CC0ADB0BC56640C3EC0368ABC40D1B43D0406253E7A2D06BE204C653EE0182EBDACBB9ABD4ACD673EC03E2D3D186E31BEE8C55E3EDCB1BB3D78C840BECCD1F9BD103D4F3D74670A3EA221613E003F76BDFA8341BED8B74E3E30991C3E0AD406BE704849BDCE7B6DBE9E066FBED23E04BE22E2613E1676013EA27745BED445F23D60C6223E02E576BE38D7D0BD505A57BD44BF2FBE86C14FBEC6D821BED857073DB89174BE662921BE1AFA38BE8CAAE73D78CA4B3D5C43373E20B061BC569175BEBA7E723E2EB01F3E362B673E00F752BE3CA614BE200F93BC54A2E53DF2B0533E528B29BEE09E81BDC6F903BEF8E7CD3DF89C5EBE4871BF3DA0BF193DA0BB17BE0693223E8A5248BE386CB93D4CB60A3ED62E333EC03E7D3E24F734BEE8AA95BDE80ED3BDDC93C7BD2685213E6AA417BE9066BC3C4A5F7DBEF4ADD1BD3C2B80BDC40C733EF07B58BDAE0767BE26424B3ECC0BB8BD10F4B83D9CFFD8BD56FC17BE00BB173C282F5D3E2619163EC8AD9A3DAC2720BE001126BE98E7173EEC66F9BD601D94BC1C9ACFBD74F8213E5C292F3EE0EE573EC0F0E73B4097963D845BBDBD"> : tensor<1x16x16xf32>}> : () -> tensor<1x16x16xf32>
    %31 = "tosa.const"() <{values = dense<"0xE6BB7DBE420A72BE182A6ABD1018493D9012AB3CAA52413E584238BDCEB32EBE1C1DE73DB03B5D3D602736BCCA133EBE70B9FF3CC2E67F3EF853C73DE87525BD20E5F5BDA8A90FBE52EA1BBE987E2A3DFA4049BE58D85F3E80E2353D324126BED0D62ABE503E64BEAC28AD3D6413DA3DE0F2A03C4456463EF8D6D93DF8C3313E627B13BEFA7A603E80E0A13D5CAACA3DB445313EF0C26ABDE0FDADBDBA8941BE5230133ED03F26BE40FDA8BB58E600BD64AF663EA0AEB3BDF4A2F93D38CEF9BD2492073ED0FBE8BCC04C66BD9ADD51BED876163E4230523EFECE32BEC45177BE507C443E48AF923D58CE1DBE90DA1DBD1838093D0A750F3E8846673DC65711BED8B6B93DE07D023C1409313E50D2B13D7C1CEF3D300E1ABE20352DBEE28D523EC4FCAABDFA412CBE94923EBE2CD1BABDDC13F9BDFE25663EBA8D7CBE429A513ED4138FBD2CEE4EBEACBFD13D7458C23DEC2454BE9060F73D10954DBE2441373E9842973D980D4C3E6C29ACBD867C2A3ECA235CBE008E0B3EB61A4A3E22AA453EDE70523E30BF263D0C06F7BDBAAB05BE5A637F3E6A7420BE50810A3EBAA1633E74358B3D4662543EE0F4373D8093213B8E81223E88E4923DE82E703EB01A83BD1C40F2BDA8A4ABBD22FB04BE24B6D33DB2F430BEEC7CB3BD48164D3EF447E13DFCADF0BDF8CF963D40EF6B3D9084A03CF450C83DFC06483EA09E64BE0414643E"> : tensor<1x16x8xf32>}> : () -> tensor<1x16x8xf32>
    %32 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
    %33 = "tosa.const"() <{values = dense<1.000000e+04> : tensor<1xf32>}> : () -> tensor<1xf32>
    %34 = "tosa.const"() <{values = dense<"0x1461A93D8CB5233EDCFA8ABD8649593E20CA3A3C1035A33DF8B734BE9A8356BECAEA7F3E703C983C208F45BD3053863C10D766BE2C6C093E6499FDBDC4820ABE18C7043EB8BBF1BDB0FEC33CF09E2ABEE84E543E18A70E3D48DD52BE6A83623E58241F3EB8466B3EA2C16C3E2071B7BD6ED7093E0C492BBE5A97053E741E6A3E2C32B3BDAC60D13D204D5B3CD89A5F3D80767E3E5A7B46BE60AED0BCAA206DBEF4ABF53D5A5742BE8C101EBE462743BE9655013EE4F59DBD9404453E6E8E343E2054EB3C6203753E00F0513CEC5DFE3D48FA28BE20BFE03D686E1E3EF84B003E888C74BD5266423E587FF53D246A68BE48A7553E7A847C3EDCA70D3EF887173E4A4F10BE8C9EBABDFCF8FD3D521776BE20235C3C1A35133E20B6033C24B6583E56A50FBE5CE90F3EE0F769BEC0BE78BE80CCF23DB09FE6BC944C9EBDA6F809BEB2FC44BED67411BEB03C37BD68BB4FBDAC444DBE0084B33D68A65EBD5CADA13D4EDC2B3EB87920BDB83E3EBE90242C3EC84393BDF0267BBE1817083D0487D13D96FF353EB25E593E8876DABD724C72BE545C7BBE62A65ABEA4CDFD3DE84A97BDA016E9BC403E293C6078B83DAEC8543E906BC7BD3CE7EE3DDC5933BEA857AB3DC42414BE400C35BE18CB35BECCCFCCBDA0E85C3D960011BEEADA563E2C4F93BD22DD453E9420ABBDFC52BE3DE8F4953D5C0049BE2C52F63DE0ADDEBC60461E3E"> : tensor<1x16x8xf32>}> : () -> tensor<1x16x8xf32>
    %35 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %36 = "tosa.const"() <{values = dense<"0x880E8EBD00F032BAC8AE0C3DCE3E79BE5CD6ABBDD85367BEDC2BFCBD18C391BDBE9417BEB087253DA8DC33BD28B1FD3D9C4A22BED29E4F3E505F04BD969F403E14DFBEBDCC0FF8BD847F523ED82117BE1E686DBE48066F3E4024B3BCFE602EBEE0E8123DA8B66B3E78EEA53DCC27993D3075DDBC84AA3DBE683C3BBE1AAF573E40E5803DF08F7F3E88132DBE7C8AAEBD24E2D13D1055E23D50DAC4BCE272603E106DA33DE46DF4BD24DFC83D88ABCD3D48B7033DE00F24BD3CEB953D7014BF3C689AB53D0E077A3E00323E3CCAD2003E6C35793E402FDF3D226B47BE001C29BDA001913C0C1BB73DA68F443E0AEB1DBE08195A3E1E7C17BE3C0536BEF092683D1026FABD601241BE20CFBCBD8EAA25BE00C291BD207F5DBE466B553EB25969BE40FA25BEAC5C80BDC88F18BDAEC2243E1C49F4BD1C4412BE4C234BBEE8A7DDBD300AB53C10884FBEE4367B3E2E63713E5AF953BE5E0F6D3EB4DAE1BD80BE80BCF0D1743E28115EBD606D22BCC078723EBA00243E68E6723D6086793C5A3D413E745C143ED40B42BE26E272BE281364BD103568BE1485723E309DB53D74C5203E26DD14BED83C3C3ECA4F2F3E30B5B13C281502BD3C4B703ECCF74A3E2C0CD5BDF0C4CBBC00089EBAD26A75BE18DF37BD904E803DDA21673E24AA5E3E9004853D668F523E7A6546BE90888ABDCC1D6FBEBC29F3BD26154DBE48E390BDC4D431BEA8D19B3DC48282BD30427C3E4297483EF0129BBC30F557BEE21A013E8CE5A13D6EA64BBE6086D93C106B603E9CB5333EBAEC5EBEAEEE1A3E40FBF03D78B01D3DB8F976BD4E9027BEF8F721BEE6AA003ED84601BE8830C1BD50FA103D5034BE3C585276BDA8BE703EAA722ABEC0CF3DBE7CE26ABE3CBA04BE7AFC5B3E5271193EB074B33DE0A3B7BD2053443D6A1E593EA8FB4E3D4A1130BEC4D1593E18E2BE3D8A410B3EC8B50CBD209DDDBC98636B3D28037A3EE87247BD78CB293EB4CE66BEE67139BE1877413D40C1B0BCEE14143EC06FC23D566C723E08A7093DE87F79BD7C31D1BDA6C4463E00005CBC30CE143D98627FBD92344B3EA24906BE6A6A673E0E8916BEF4C105BE78B657BD34519BBD069A4B3E04FFDBBD54E1ECBD78ACCBBD0E0D573E84AC9DBDA075E43D7CA2EFBD20974C3C309967BD6080E0BCAC2EB83D74F101BE88E6623D48B564BD54D929BEFCC0463E84C1E9BD062D723E0E496FBE062B30BE00124E3E66052F3EB046B23D3CCF8A3D707BBA3C601EA1BD5C5B33BE4C446B3EC8D16ABD3CAC223EA06098BCB04619BD281F063E605C723DB0DA40BE44FB56BEF6A277BED04E22BD8AF964BEEE022E3ECCF332BE00DB4DBEC8935CBD64C589BDB018F8BDC0C6433C0EE0533E7EBB61BEE8D8ECBD38C679BEF0E6DD3DE0DEE6BD289513BD4E1754BEC839693D487D5A3EECEA593E00A0D838B8195E3E"> : tensor<1x16x16xf32>}> : () -> tensor<1x16x16xf32>
    %37 = tosa.reshape %1, %2 : (tensor<6xi64>, !tosa.shape<2>) -> tensor<1x6xi64>
    %38 = tosa.reshape %1, %3 : (tensor<6xi64>, !tosa.shape<2>) -> tensor<6x1xi64>
    %39 = tosa.cast %38 : (tensor<6x1xi64>) -> tensor<6x1xi32>
    %40 = tosa.cast %37 : (tensor<1x6xi64>) -> tensor<1x6xi32>
    %41 = tosa.sub %40, %39 : (tensor<1x6xi32>, tensor<6x1xi32>) -> tensor<6x6xi32>
    %42 = tosa.cast %41 : (tensor<6x6xi32>) -> tensor<6x6xi64>
    %43 = tosa.greater_equal %42, %28 : (tensor<6x6xi64>, tensor<1x1xi64>) -> tensor<6x6xi1>
    %44 = tosa.select %43, %0, %29 : (tensor<6x6xi1>, tensor<6x6xf32>, tensor<1x1xf32>) -> tensor<6x6xf32>
    %45 = tosa.reshape %44, %5 : (tensor<6x6xf32>, !tosa.shape<4>) -> tensor<1x1x6x6xf32>
    %46 = tosa.reshape %arg0, %7 : (tensor<2x6x16xf32>, !tosa.shape<3>) -> tensor<1x12x16xf32>
    %47 = tosa.matmul %46, %30, %6, %6 : (tensor<1x12x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x16xf32>
    %48 = tosa.reshape %47, %9 : (tensor<1x12x16xf32>, !tosa.shape<4>) -> tensor<2x6x4x4xf32>
    %49 = tosa.transpose %48 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %50 = tosa.matmul %46, %31, %6, %6 : (tensor<1x12x16xf32>, tensor<1x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x8xf32>
    %51 = tosa.reshape %50, %10 : (tensor<1x12x8xf32>, !tosa.shape<4>) -> tensor<2x6x2x4xf32>
    %52 = tosa.transpose %51 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %53 = tosa.cast %11 : (tensor<2xi64>) -> tensor<2xf32>
    %54 = tosa.negate %53, %6, %6 : (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %55 = tosa.mul %54, %32, %4 : (tensor<2xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<2xf32>
    %56 = tosa.pow %33, %55 : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
    %57 = tosa.cast %1 : (tensor<6xi64>) -> tensor<6xf32>
    %58 = tosa.reshape %57, %3 : (tensor<6xf32>, !tosa.shape<2>) -> tensor<6x1xf32>
    %59 = tosa.reshape %56, %12 : (tensor<2xf32>, !tosa.shape<2>) -> tensor<1x2xf32>
    %60 = tosa.mul %58, %59, %4 : (tensor<6x1xf32>, tensor<1x2xf32>, tensor<1xi8>) -> tensor<6x2xf32>
    %61 = tosa.reshape %60, %13 : (tensor<6x2xf32>, !tosa.shape<3>) -> tensor<6x1x2xf32>
    %62 = tosa.tile %61, %14 : (tensor<6x1x2xf32>, !tosa.shape<3>) -> tensor<6x2x2xf32>
    %63 = tosa.reshape %62, %15 : (tensor<6x2x2xf32>, !tosa.shape<2>) -> tensor<6x4xf32>
    %64 = tosa.cos %63 : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %65 = tosa.reshape %64, %16 : (tensor<6x4xf32>, !tosa.shape<4>) -> tensor<1x1x6x4xf32>
    %66 = tosa.mul %49, %65, %4 : (tensor<2x4x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1xi8>) -> tensor<2x4x6x4xf32>
    %67 = tosa.slice %49, %18, %17 : (tensor<2x4x6x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x6x2xf32>
    %68 = tosa.negate %67, %6, %6 : (tensor<2x4x6x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x6x2xf32>
    %69 = tosa.slice %49, %19, %17 : (tensor<2x4x6x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x4x6x2xf32>
    %70 = tosa.concat %68, %69 {axis = 3 : i32} : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %71 = tosa.sin %63 : (tensor<6x4xf32>) -> tensor<6x4xf32>
    %72 = tosa.reshape %71, %16 : (tensor<6x4xf32>, !tosa.shape<4>) -> tensor<1x1x6x4xf32>
    %73 = tosa.mul %70, %72, %4 : (tensor<2x4x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1xi8>) -> tensor<2x4x6x4xf32>
    %74 = tosa.add %66, %73 : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
    %75 = tosa.mul %52, %65, %4 : (tensor<2x2x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1xi8>) -> tensor<2x2x6x4xf32>
    %76 = tosa.slice %52, %18, %20 : (tensor<2x2x6x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x6x2xf32>
    %77 = tosa.negate %76, %6, %6 : (tensor<2x2x6x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x2x6x2xf32>
    %78 = tosa.slice %52, %19, %20 : (tensor<2x2x6x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<2x2x6x2xf32>
    %79 = tosa.concat %77, %78 {axis = 3 : i32} : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %80 = tosa.mul %79, %72, %4 : (tensor<2x2x6x4xf32>, tensor<1x1x6x4xf32>, tensor<1xi8>) -> tensor<2x2x6x4xf32>
    %81 = tosa.add %75, %80 : (tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>) -> tensor<2x2x6x4xf32>
    %82 = tosa.matmul %46, %34, %6, %6 : (tensor<1x12x16xf32>, tensor<1x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x8xf32>
    %83 = tosa.reshape %82, %10 : (tensor<1x12x8xf32>, !tosa.shape<4>) -> tensor<2x6x2x4xf32>
    %84 = tosa.transpose %83 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %85 = tosa.reshape %81, %21 : (tensor<2x2x6x4xf32>, !tosa.shape<5>) -> tensor<2x2x1x6x4xf32>
    %86 = tosa.tile %85, %22 : (tensor<2x2x1x6x4xf32>, !tosa.shape<5>) -> tensor<2x2x2x6x4xf32>
    %87 = tosa.reshape %86, %23 : (tensor<2x2x2x6x4xf32>, !tosa.shape<4>) -> tensor<2x4x6x4xf32>
    %88 = tosa.reshape %84, %21 : (tensor<2x2x6x4xf32>, !tosa.shape<5>) -> tensor<2x2x1x6x4xf32>
    %89 = tosa.tile %88, %22 : (tensor<2x2x1x6x4xf32>, !tosa.shape<5>) -> tensor<2x2x2x6x4xf32>
    %90 = tosa.transpose %87 {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x4x6x4xf32>) -> tensor<2x4x4x6xf32>
    %91 = tosa.reshape %74, %24 : (tensor<2x4x6x4xf32>, !tosa.shape<3>) -> tensor<8x6x4xf32>
    %92 = tosa.reshape %90, %25 : (tensor<2x4x4x6xf32>, !tosa.shape<3>) -> tensor<8x4x6xf32>
    %93 = tosa.matmul %91, %92, %6, %6 : (tensor<8x6x4xf32>, tensor<8x4x6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x6x6xf32>
    %94 = tosa.reshape %93, %26 : (tensor<8x6x6xf32>, !tosa.shape<4>) -> tensor<2x4x6x6xf32>
    %95 = tosa.mul %94, %35, %4 : (tensor<2x4x6x6xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x4x6x6xf32>
    %96 = tosa.add %95, %45 : (tensor<2x4x6x6xf32>, tensor<1x1x6x6xf32>) -> tensor<2x4x6x6xf32>
    %97 = tosa.reduce_max %96 {axis = 3 : i32} : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x1xf32>
    %98 = tosa.sub %96, %97 : (tensor<2x4x6x6xf32>, tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %99 = tosa.exp %98 : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %100 = tosa.reduce_sum %99 {axis = 3 : i32} : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x1xf32>
    %101 = tosa.reciprocal %100 : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x1xf32>
    %102 = tosa.mul %99, %101, %4 : (tensor<2x4x6x6xf32>, tensor<2x4x6x1xf32>, tensor<1xi8>) -> tensor<2x4x6x6xf32>
    %103 = tosa.reshape %102, %27 : (tensor<2x4x6x6xf32>, !tosa.shape<3>) -> tensor<8x6x6xf32>
    %104 = tosa.reshape %89, %24 : (tensor<2x2x2x6x4xf32>, !tosa.shape<3>) -> tensor<8x6x4xf32>
    %105 = tosa.matmul %103, %104, %6, %6 : (tensor<8x6x6xf32>, tensor<8x6x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x6x4xf32>
    %106 = tosa.reshape %105, %23 : (tensor<8x6x4xf32>, !tosa.shape<4>) -> tensor<2x4x6x4xf32>
    %107 = tosa.transpose %106 {perms = array<i32: 0, 2, 1, 3>} : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %108 = tosa.reshape %107, %7 : (tensor<2x6x4x4xf32>, !tosa.shape<3>) -> tensor<1x12x16xf32>
    %109 = tosa.matmul %108, %36, %6, %6 : (tensor<1x12x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x12x16xf32>
    %110 = tosa.reshape %109, %8 : (tensor<1x12x16xf32>, !tosa.shape<3>) -> tensor<2x6x16xf32>
    return %110 : tensor<2x6x16xf32>
  }
}
