// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of torch-mlir's dialect `torch`, as far as reading it needs.
#ifndef GAUDI_CONVERSION_TORCH_TD
#define GAUDI_CONVERSION_TORCH_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Torch_Dialect : Dialect {
  let name = "torch";
  let cppNamespace = "gaudi";
  let summary = "PyTorch's ops, as torch-mlir writes them";
  let description = [{
    Ops are named after PyTorch's: `torch.aten.add.Tensor`. They are not
    registered; Gaudi/Torch/Operators.def has those that are known. They parse
    in the generic form and in that of torch-mlir's printer.
  }];
  // No op is declared; types are read and printed as a whole.
  let useDefaultTypePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

def Torch_Tensor : TypeDef<Torch_Dialect, "TorchTensor"> {
  let typeName = "torch.vtensor";
  let summary = "a tensor, of which the shape and the element type may be unknown";
  let description = [{
    `!torch.vtensor<[4,?],si64>`: with value semantics, the second size unknown.
    `!torch.vtensor<*,f32>`: the rank is unknown. `!torch.vtensor`: all is.
    `!torch.tensor<...>` may be written in place.
  }];
  let parameters = (ins "bool":$isValue, "bool":$hasRank, ArrayRefParameter<"int64_t">:$sizes,
      "::mlir::Type":$dtype);
}

def Torch_Object : TypeDef<Torch_Dialect, "TorchObject"> {
  let typeName = "torch.any";
  let summary = "any other type: `!torch.int`, `!torch.list<int>`, `!torch.Device`";
  let parameters = (ins StringRefParameter<>:$name, ArrayRefParameter<"::mlir::Type">:$arguments);
}

#endif // GAUDI_CONVERSION_TORCH_TD
