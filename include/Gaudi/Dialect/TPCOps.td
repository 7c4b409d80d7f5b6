// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of the vector cores that are not elementwise.
#ifndef GAUDI_DIALECT_TPCOPS_TD
#define GAUDI_DIALECT_TPCOPS_TD

include "Gaudi/Dialect/Attributes.td"

def Gaudi_ReduceOp : Gaudi_TPCOp<"reduce"> {
  let summary = "reduction over dimensions";
  let description = [{
    Reduces the dimensions `dims` (ascending) of the operand. They are removed,
    or kept with size 1 under `keep_dims`. Kinds: sum, mean (floats only),
    prod, max, min (floats: NaN if any element is NaN), all, any (i1 only).
    Types: numbers, or i1 for all and any; the result has the operand's type.
    Engine: TPC. Numerics: floats accumulate in f32 in a fixed order, one
    rounding at the store; integers wrap.

    Example:
    ```mlir
    %0 = gaudi.tpc.reduce <sum> %x dims [1] keep_dims : tensor<4x8xf32> -> tensor<4x1xf32>
    ```
  }];
  let arguments = (ins Gaudi_ReduceKindAttr:$kind, Gaudi_Tensor:$operand,
      DenseI64ArrayAttr:$dims, UnitAttr:$keep_dims);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$kind $operand `dims` $dims (`keep_dims` $keep_dims^)? attr-dict `:` type($operand) `->` type($result)";
}

def Gaudi_ArgReduceOp : Gaudi_TPCOp<"arg_reduce"> {
  let summary = "position of the largest or smallest element";
  let description = [{
    Position along `axis` of the largest (`is_max`) or smallest element; the
    first one among equals. A NaN counts as the largest (smallest) and the
    first NaN wins. With `ignore_nan` NaNs are skipped (position 0 if there is
    nothing else). The axis is removed, or kept with size 1 under `keep_dims`.
    Result: i32 or i64. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.arg_reduce %x axis 1 is_max : tensor<4x8xf32> -> tensor<4xi32>
    ```
  }];
  let arguments = (ins Gaudi_NumberTensor:$operand, I64Attr:$axis, UnitAttr:$is_max,
      UnitAttr:$keep_dims, UnitAttr:$ignore_nan);
  let results = (outs Gaudi_IndexTensor:$result);
  let assemblyFormat = [{
    $operand `axis` $axis (`is_max` $is_max^)? (`keep_dims` $keep_dims^)? (`ignore_nan` $ignore_nan^)? attr-dict
    `:` type($operand) `->` type($result)
  }];
}

def Gaudi_PoolOp : Gaudi_TPCOp<"pool", [DeclareOpInterfaceMethods<Gaudi_PaddingOpInterface>]> {
  let summary = "1-D, 2-D or 3-D pooling";
  let description = [{
    Applies the operator to the window `kernel` at each position
    `p * stride - pad_low + k * dilation`. `layout` names the dimensions of
    operand and result: N, C and D, H, W. Kinds: max, min (padding never wins;
    NaN wins unless `ignore_nan`), sum (padding counts 0), avg (sum divided by
    the number of elements inside, or by the window size under
    `count_include_pad`; floats only). Types: numbers, the result has the
    operand's type. Engine: TPC. Numerics: floats accumulate in f32.

    Example:
    ```mlir
    %0 = gaudi.tpc.pool <max> %x layout "NHWC" kernel [3, 3] strides [2, 2] dilations [1, 1]
           pad [1, 1], [1, 1] : tensor<1x112x112x64xf32> -> tensor<1x56x56x64xf32>
    ```
  }];
  let arguments = (ins Gaudi_PoolKindAttr:$kind, Gaudi_NumberTensor:$operand, StrAttr:$layout,
      DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
      DenseI64ArrayAttr:$pad_low, DenseI64ArrayAttr:$pad_high,
      UnitAttr:$count_include_pad, UnitAttr:$ignore_nan);
  let results = (outs Gaudi_NumberTensor:$result);
  let assemblyFormat = [{
    $kind $operand `layout` $layout `kernel` $kernel `strides` $strides `dilations` $dilations
    `pad` $pad_low `,` $pad_high (`count_include_pad` $count_include_pad^)? (`ignore_nan` $ignore_nan^)? attr-dict
    `:` type($operand) `->` type($result)
  }];
}

def Gaudi_GatherOp : Gaudi_TPCOp<"gather", [Gaudi_Indexed], Gaudi_MayStop> {
  let summary = "rows picked by index (embedding)";
  let description = [{
    Replaces the dimension `axis` of `data` by the dimensions of `indices` that
    follow the first `batch_dims`:
    `result[b.., o.., i.., r..] = data[b.., o.., indices[b.., i..], r..]` with
    b the batch dimensions (shared), o the dimensions of data up to axis, r
    those after it. `batch_dims <= axis`. An index outside
    `[0, size of axis)` stops the launch with an error. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.gather %table, %ids axis 0 batch_dims 0
           : tensor<100x16xf32>, tensor<1x12xi64> -> tensor<1x12x16xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$data, Gaudi_IndexTensor:$indices, I64Attr:$axis,
      DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices `axis` $axis `batch_dims` $batch_dims attr-dict
    `:` type($data) `,` type($indices) `->` type($result)
  }];
}

def Gaudi_GatherElementsOp : Gaudi_TPCOp<"gather_elements", [Gaudi_Indexed], Gaudi_MayStop> {
  let summary = "elements picked by index";
  let description = [{
    `result[p] = data[p with p[axis] replaced by indices[p]]`; indices and
    result have one shape, of data's rank, no larger than data except along
    axis. An index outside stops the launch with an error. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, tensor<4x2xi64> -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$data, Gaudi_IndexTensor:$indices, I64Attr:$axis);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$data `,` $indices `axis` $axis attr-dict `:` type($data) `,` type($indices) `->` type($result)";
}

def Gaudi_PadOp : Gaudi_TPCOp<"pad"> {
  let summary = "padding around a tensor";
  let description = [{
    Adds `low` and `high` elements (>= 0) before and after each dimension,
    filled with `value` (a scalar of the element type) or with the nearest
    element of the operand (mode edge). Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.pad <constant> %x low [0, 1] high [0, 2] value 0.0 : f32 : tensor<4x8xf32> -> tensor<4x11xf32>
    ```
  }];
  let arguments = (ins Gaudi_PadModeAttr:$mode, Gaudi_Tensor:$operand, DenseI64ArrayAttr:$low,
      DenseI64ArrayAttr:$high, OptionalAttr<TypedAttrInterface>:$value);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = [{
    $mode $operand `low` $low `high` $high (`value` $value^)? attr-dict `:` type($operand) `->` type($result)
  }];
  let hasFolder = 1;
}

def Gaudi_ReverseOp : Gaudi_TPCOp<"reverse", [SameOperandsAndResultType]> {
  let summary = "reversal along dimensions";
  let description = [{
    Reverses the dimensions `dims`. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.reverse %x dims [1] : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($result)";
}

def Gaudi_IotaOp : Gaudi_TPCOp<"iota"> {
  let summary = "index along a dimension";
  let description = [{
    `result[p] = p[dim]`, computed in i64 and cast to the element type. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.iota dim 1 : tensor<4x8xi32>
    ```
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs Gaudi_NumberTensor:$result);
  let assemblyFormat = "`dim` $dim attr-dict `:` type($result)";
}

def Gaudi_ResizeOp : Gaudi_TPCOp<"resize"> {
  let summary = "resampling of the two spatial dimensions";
  let description = [{
    Resamples H and W of an `NHWC` tensor. Output position p reads source
    position `(p * scale_d + offset) / scale_n` per dimension, with scale =
    [y_n, y_d, x_n, x_d] and offset = [y, x]. Positions outside are clamped to
    the edge. nearest: the closer neighbour (ties up). bilinear: floats
    weight the four neighbours by the fraction; integers weight by the integer
    numerators, so the result (a wider integer) is scaled by y_n * x_n.
    Source: TOSA 1.0, RESIZE. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.resize <bilinear> %x scale [4, 2, 4, 2] offset [0, 0]
           : tensor<1x4x4x8xf32> -> tensor<1x7x7x8xf32>
    ```
  }];
  let arguments = (ins Gaudi_ResizeModeAttr:$mode, Gaudi_NumberTensor:$operand,
      DenseI64ArrayAttr:$scale, DenseI64ArrayAttr:$offset);
  let results = (outs Gaudi_NumberTensor:$result);
  let assemblyFormat = "$mode $operand `scale` $scale `offset` $offset attr-dict `:` type($operand) `->` type($result)";
}

// --- library kernels -------------------------------------------------------

def Gaudi_CumulativeSumOp : Gaudi_TPCLibraryOp<"cumulative_sum", [SameOperandsAndResultType]> {
  let summary = "cumulative sum along a dimension";
  let description = [{
    `result[p] = sum of operand[q], q <= p` along `axis` (`exclusive`: q < p;
    `reverse`: from the end). Floats accumulate in f32; one rounding at each
    store. Engine: TPC (library kernel).

    Example:
    ```mlir
    %0 = gaudi.tpc.cumulative_sum %x axis 1 exclusive : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Gaudi_NumberTensor:$operand, I64Attr:$axis, UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Gaudi_NumberTensor:$result);
  let assemblyFormat = "$operand `axis` $axis (`exclusive` $exclusive^)? (`reverse` $reverse^)? attr-dict `:` type($result)";
}

def Gaudi_SortOp : Gaudi_TPCLibraryOp<"sort"> {
  let summary = "stable sort along a dimension";
  let description = [{
    Sorts along `axis`, ascending or `descending`, equal elements in their
    order; NaN is larger than every number. `indices` are the positions in
    the operand. Engine: TPC (library kernel).

    Example:
    ```mlir
    %v, %i = gaudi.tpc.sort %x axis 1 descending : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi64>
    ```
  }];
  let arguments = (ins Gaudi_NumberTensor:$operand, I64Attr:$axis, UnitAttr:$descending);
  let results = (outs Gaudi_NumberTensor:$values, Gaudi_IndexTensor:$indices);
  let assemblyFormat = "$operand `axis` $axis (`descending` $descending^)? attr-dict `:` type($operand) `->` type($values) `,` type($indices)";
}

def Gaudi_TopKOp : Gaudi_TPCLibraryOp<"top_k"> {
  let summary = "k largest or smallest elements along a dimension";
  let description = [{
    The k (size of the results along `axis`) largest elements, or `smallest`,
    in order, with their positions; the lower position first among equals; NaN
    is larger than every number. Engine: TPC (library kernel).

    Example:
    ```mlir
    %v, %i = gaudi.tpc.top_k %x axis 1 : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x2xi64>
    ```
  }];
  let arguments = (ins Gaudi_NumberTensor:$operand, I64Attr:$axis, UnitAttr:$smallest);
  let results = (outs Gaudi_NumberTensor:$values, Gaudi_IndexTensor:$indices);
  let assemblyFormat = "$operand `axis` $axis (`smallest` $smallest^)? attr-dict `:` type($operand) `->` type($values) `,` type($indices)";
}

def Gaudi_ScatterOp : Gaudi_TPCLibraryOp<"scatter", [Gaudi_Indexed], Gaudi_MayStop> {
  let summary = "rows written by index";
  let description = [{
    `result = data; result[n, indices[n, w], c] = updates[n, w, c]`, w
    ascending (the last one wins). data and result [N, K, C], indices [N, W],
    updates [N, W, C]. An index outside [0, K) stops the launch with an
    error. Engine: TPC (library kernel).

    Example:
    ```mlir
    %0 = gaudi.tpc.scatter %x, %i, %u : tensor<1x8x4xf32>, tensor<1x2xi32>, tensor<1x2x4xf32> -> tensor<1x8x4xf32>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$data, Gaudi_IndexTensor:$indices, Gaudi_Tensor:$updates);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$data `,` $indices `,` $updates attr-dict `:` type($data) `,` type($indices) `,` type($updates) `->` type($result)";
}

def Gaudi_ScatterElementsOp : Gaudi_TPCLibraryOp<"scatter_elements", [Gaudi_Indexed], Gaudi_MayStop> {
  let summary = "elements written or added by index";
  let description = [{
    `result = data`, then for each position p of updates in row-major order
    `result[p with p[axis] replaced by indices[p]] = updates[p]`, or `+=`
    under `accumulate` (floats: f32, one rounding per addition). An index
    outside stops the launch with an error. Engine: TPC (library kernel).

    Example:
    ```mlir
    %0 = gaudi.tpc.scatter_elements %x, %i, %u axis 1 accumulate
           : tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32> -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Gaudi_NumberTensor:$data, Gaudi_IndexTensor:$indices, Gaudi_NumberTensor:$updates,
      I64Attr:$axis, UnitAttr:$accumulate);
  let results = (outs Gaudi_NumberTensor:$result);
  let assemblyFormat = [{
    $data `,` $indices `,` $updates `axis` $axis (`accumulate` $accumulate^)? attr-dict
    `:` type($data) `,` type($indices) `,` type($updates) `->` type($result)
  }];
}

#endif // GAUDI_DIALECT_TPCOPS_TD
