// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of the two dialects that extend linalg: tm_tensor of torch-mlir and
// iree_linalg_ext of IREE. They name the same things in the same way, so each
// op is declared once for both.
#ifndef GAUDI_CONVERSION_LINALGEXT_TD
#define GAUDI_CONVERSION_LINALGEXT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TMTensor_Dialect : Dialect {
  let name = "tm_tensor";
  let cppNamespace = "gaudi::tmtensor";
  let summary = "what torch-mlir adds to linalg";
}

def IreeLinalgExt_Dialect : Dialect {
  let name = "iree_linalg_ext";
  let cppNamespace = "gaudi::linalgext";
  let summary = "what IREE adds to linalg";
}

// Tensors that are read, then tensors of the shapes of the results. Newer ops
// have no `operandSegmentSizes`: the number of outputs is then that of the op.
// The syntax is read in any order of the clauses, since versions differ.
class LinalgExt_Op<Dialect dialect, string mnemonic, dag attributes = (ins)>
    : Op<dialect, mnemonic, [Pure]> {
  let arguments = !con(
      (ins Variadic<AnyType>:$values, OptionalAttr<DenseI32ArrayAttr>:$operandSegmentSizes),
      attributes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$bodies);
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getInputs();
    ::mlir::ValueRange getOutputs();
    /// Null if there is no region.
    ::mlir::Region *getBody() {
      return getBodies().empty() ? nullptr : &getBodies().front();
    }
  }];
  let extraClassDefinition = [{
    ::mlir::ValueRange $cppClass::getInputs() {
      return gaudi::linalgExtInputs(*this);
    }
    ::mlir::ValueRange $cppClass::getOutputs() {
      return getValues().drop_front(getInputs().size());
    }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &result) {
      return gaudi::parseLinalgExt(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      gaudi::printLinalgExt(printer, *this);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return gaudi::verifyLinalgExt(*this);
    }
  }];
}

class LinalgExt_Yield<Dialect dialect> : Op<dialect, "yield", [Pure, ReturnLike, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

// outs(result, accumulator); the region takes (accumulated, element). The
// first result starts from the element (inclusive) or the accumulator.
class LinalgExt_Scan<Dialect dialect>
    : LinalgExt_Op<dialect, "scan", (ins I64Attr:$dimension, BoolAttr:$inclusive)>;
// Sorts what is read, or the outputs if nothing is. The region takes
// (a0, b0, a1, b1, ...) and says whether a comes before b.
class LinalgExt_Sort<Dialect dialect> : LinalgExt_Op<dialect, "sort", (ins I64Attr:$dimension)>;
// ins(values[, indices]) outs(values[, indices]); the region takes (element,
// the last of the best) and says whether the element takes its place.
class LinalgExt_TopK<Dialect dialect, string mnemonic>
    : LinalgExt_Op<dialect, mnemonic, (ins I64Attr:$dimension, UnitAttr:$is_sorted)>;
// ins(updates, indices[, mask]) outs(original); the region takes (update,
// current element).
class LinalgExt_Scatter<Dialect dialect>
    : LinalgExt_Op<dialect, "scatter",
        (ins DenseI64ArrayAttr:$dimension_map, DefaultValuedOptionalAttr<BoolAttr, "true">:$unique_indices)>;
class LinalgExt_Gather<Dialect dialect>
    : LinalgExt_Op<dialect, "gather", (ins DenseI64ArrayAttr:$dimension_map)>;
// ins(query, key, value[, scale][, mask]) outs(result); the region, if there is
// one, maps each score.
class LinalgExt_Attention<Dialect dialect>
    : LinalgExt_Op<dialect, "attention", (ins OptionalAttr<AffineMapArrayAttr>:$indexing_maps)>;

def TMTensor_YieldOp : LinalgExt_Yield<TMTensor_Dialect>;
def TMTensor_ScanOp : LinalgExt_Scan<TMTensor_Dialect>;
def TMTensor_SortOp : LinalgExt_Sort<TMTensor_Dialect>;
def TMTensor_TopKOp : LinalgExt_TopK<TMTensor_Dialect, "topk">;
def TMTensor_ScatterOp : LinalgExt_Scatter<TMTensor_Dialect>;
def TMTensor_AttentionOp : LinalgExt_Attention<TMTensor_Dialect>;

def IreeLinalgExt_YieldOp : LinalgExt_Yield<IreeLinalgExt_Dialect>;
def IreeLinalgExt_ScanOp : LinalgExt_Scan<IreeLinalgExt_Dialect>;
def IreeLinalgExt_SortOp : LinalgExt_Sort<IreeLinalgExt_Dialect>;
def IreeLinalgExt_TopKOp : LinalgExt_TopK<IreeLinalgExt_Dialect, "topk">;
def IreeLinalgExt_TopKV2Op : LinalgExt_TopK<IreeLinalgExt_Dialect, "topk_v2">;
def IreeLinalgExt_ScatterOp : LinalgExt_Scatter<IreeLinalgExt_Dialect>;
def IreeLinalgExt_GatherOp : LinalgExt_Gather<IreeLinalgExt_Dialect>;
def IreeLinalgExt_AttentionOp : LinalgExt_Attention<IreeLinalgExt_Dialect>;

#endif // GAUDI_CONVERSION_LINALGEXT_TD
