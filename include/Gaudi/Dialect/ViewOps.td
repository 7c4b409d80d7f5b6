// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that run on no engine: constants and windows on other tensors' bytes.
#ifndef GAUDI_DIALECT_VIEWOPS_TD
#define GAUDI_DIALECT_VIEWOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_ConstantOp : Gaudi_GraphOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "constant tensor";
  let description = [{
    `value` is a dense, splat or dense_resource attribute of the result's
    type. Its bytes go to the const section of the recipe. Engine: none.

    Example:
    ```mlir
    %0 = gaudi.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDefinition = [{
    gaudi::Engine $cppClass::getEngine() { return gaudi::Engine::None; }
    int64_t $cppClass::getArithmeticOps() { return 0; }
  }];
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getShapedType(), value);
  }]>];
}

def Gaudi_ReshapeOp : Gaudi_ViewOp<"reshape",
    DeclareOpInterfaceMethods<Gaudi_ViewOpInterface, ["getViewLayout"]>> {
  let summary = "the same elements in another shape";
  let description = [{
    The elements of the operand in row-major order, in the result's shape. A
    view where the operand's strides allow it, else a copy. Engine: none.

    Example:
    ```mlir
    %0 = gaudi.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Gaudi_BitcastOp : Gaudi_ViewOp<"bitcast"> {
  let summary = "the same bits read as another type";
  let description = [{
    The result has the operand's shape and an element type of the same width.
    A view. Engine: none.

    Example:
    ```mlir
    %0 = gaudi.bitcast %x : tensor<4xf32> -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Gaudi_SliceOp : Gaudi_ViewOp<"slice"> {
  let summary = "strided window";
  let description = [{
    `result[i] = operand[offsets + i * strides]`; the sizes are the result's.
    strides >= 1. A view. Engine: none.

    Example:
    ```mlir
    %0 = gaudi.slice %x offsets [0, 2] strides [1, 3] : tensor<4x8xf32> -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand, DenseI64ArrayAttr:$offsets, DenseI64ArrayAttr:$strides);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand `offsets` $offsets `strides` $strides attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Gaudi_SplitOp : Gaudi_ViewOp<"split"> {
  let summary = "consecutive slices along a dimension";
  let description = [{
    The results are consecutive slices of the operand along `axis`; their sizes
    add up to the operand's. Views. Engine: none.

    Example:
    ```mlir
    %0, %1 = gaudi.split %x axis 1 : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x6xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand, I64Attr:$axis);
  let results = (outs Variadic<Gaudi_Tensor>:$results);
  let assemblyFormat = "$operand `axis` $axis attr-dict `:` type($operand) `->` type($results)";
}

#endif // GAUDI_DIALECT_VIEWOPS_TD
