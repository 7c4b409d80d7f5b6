// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data movement: bytes change place, values do not. The device model places
// these ops on an engine and records it in the attribute `engine`.
#ifndef GAUDI_DIALECT_MOVEOPS_TD
#define GAUDI_DIALECT_MOVEOPS_TD

include "Gaudi/Dialect/Attributes.td"

// The engine of a movement. The accessors that ODS generates for the attribute
// are the methods of EngineOpInterface and PlaceableOpInterface.
defvar Gaudi_Placement = DefaultValuedAttr<Gaudi_EngineAttr, "gaudi::Engine::Unplaced">;

class Gaudi_MoveOp<string mnemonic, string movement, list<Trait> traits = []>
    : Gaudi_GraphOp<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<Gaudi_PlaceableOpInterface>], traits), Gaudi_NeverStops, ["getWork"]> {
  let extraClassDefinition = [{
    gaudi::Movement $cppClass::getMovement() { return gaudi::Movement::}] # movement # [{; }
    int64_t $cppClass::getArithmeticOps() { return 0; }
  }];
}

def Gaudi_TransposeOp : Gaudi_MoveOp<"transpose", "Transpose", [DeclareOpInterfaceMethods<Gaudi_ReindexOpInterface>]> {
  let summary = "permutation of the dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.
    Any element type. Engine: placed by the device model.

    Example:
    ```mlir
    %0 = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<1x3x8x8xf32> -> tensor<1x8x8x3xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand, DenseI64ArrayAttr:$permutation, Gaudi_Placement:$engine);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand `permutation` $permutation attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Gaudi_BroadcastOp : Gaudi_MoveOp<"broadcast", "Broadcast", [DeclareOpInterfaceMethods<Gaudi_ReindexOpInterface>]> {
  let summary = "repetition along dimensions";
  let description = [{
    Dimension i of the operand is dimension `dims[i]` of the result (ascending)
    and has its size or 1; the result repeats the operand along its other
    dimensions. Any element type. Engine: placed by the device model.

    Example:
    ```mlir
    %0 = gaudi.broadcast %x dims [1] : tensor<8xf32> -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand, DenseI64ArrayAttr:$dims, Gaudi_Placement:$engine);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gaudi_CopyOp : Gaudi_MoveOp<"copy", "Copy", [SameOperandsAndResultType]> {
  let summary = "copy into another buffer";
  let description = [{
    The result has the operand's values and does not alias it. Any element
    type. Engine: placed by the device model.

    Example:
    ```mlir
    %0 = gaudi.copy %x : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand, Gaudi_Placement:$engine);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Gaudi_FillOp : Gaudi_MoveOp<"fill", "Fill"> {
  let summary = "tensor of one value";
  let description = [{
    Every element of the result is `value`, a scalar attribute of the element
    type. Engine: placed by the device model.

    Example:
    ```mlir
    %0 = gaudi.fill 0.0 : f32 : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value, Gaudi_Placement:$engine);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gaudi_ConcatOp : Gaudi_MoveOp<"concat", "Copy"> {
  let summary = "concatenation along a dimension";
  let description = [{
    The operands one after the other along `axis`; other sizes are equal. Any
    element type. Engine: placed by the device model (one copy per operand).

    Example:
    ```mlir
    %0 = gaudi.concat %a, %b axis 1 : tensor<4x8xf32>, tensor<4x2xf32> -> tensor<4x10xf32>
    ```
  }];
  let arguments = (ins Variadic<Gaudi_Tensor>:$operands, I64Attr:$axis, Gaudi_Placement:$engine);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operands `axis` $axis attr-dict `:` type($operands) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gaudi_InsertSliceOp : Gaudi_MoveOp<"insert_slice", "Copy", [AllTypesMatch<["dest", "result"]>]> {
  let summary = "a tensor with a strided window replaced";
  let description = [{
    `result = dest` except at `offsets + i * strides`, where it is source[i].
    Source and dest have one rank. Any element type. Engine: placed by the
    device model (two copies).

    Example:
    ```mlir
    %0 = gaudi.insert_slice %s into %d offsets [1, 2] strides [3, 2] : tensor<3x3xi32> into tensor<10x12xi32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$source, Gaudi_Tensor:$dest,
      DenseI64ArrayAttr:$offsets, DenseI64ArrayAttr:$strides, Gaudi_Placement:$engine);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = [{
    $source `into` $dest `offsets` $offsets `strides` $strides attr-dict `:` type($source) `into` type($dest)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // GAUDI_DIALECT_MOVEOPS_TD
