// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect, its element types and the base classes of its ops.
#ifndef GAUDI_DIALECT_GAUDIBASE_TD
#define GAUDI_DIALECT_GAUDIBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Gaudi/Dialect/Interfaces.td"

def Gaudi_Dialect : Dialect {
  let name = "gaudi";
  let cppNamespace = "gaudi";
  let summary = "the engines of an Intel Gaudi device";
  let description = [{
    Graph form: tensors with value semantics, one op is one device kernel. The
    name says the engine: `gaudi.mme.*` runs on the matrix engine, `gaudi.tpc.*`
    on the vector cores; ops that the device model places (transpose, copy,
    fill, broadcast) or that cost nothing (reshape, slice as views) have no
    engine in their name. `gaudi.kernel.*` is the body of a TPC kernel.

    Numerics: MME multiplies exactly and accumulates in f32, one rounding to
    nearest even at the output. TPC computes floats in f32 and rounds once at
    each store. Integers wrap. Signless integers are signed; `ui8`, `ui16` and
    `ui32` are unsigned.
  }];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let extraClassDeclaration = [{
    /// Registers the ops of ElementwiseOps.h, apart from those of other tables:
    /// few files depend on them.
    void addElementwiseOps();
  }];
}

def Gaudi_Float : AnyTypeOf<[F32, BF16, F16, F8E4M3FN, F8E5M2],
    "f32, bf16, f16, f8E4M3FN or f8E5M2">;
def Gaudi_NarrowFloat : AnyTypeOf<[BF16, F16, F8E4M3FN, F8E5M2],
    "bf16, f16, f8E4M3FN or f8E5M2">;
def Gaudi_Int : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32],
    "i8, i16, i32, i64, ui8, ui16 or ui32">;
def Gaudi_Element : AnyTypeOf<[F32, BF16, F16, F8E4M3FN, F8E5M2,
    I8, I16, I32, I64, UI8, UI16, UI32, I1],
    "an element type of the device (f32, bf16, f16, f8E4M3FN, f8E5M2, i8, i16, i32, i64, ui8, ui16, ui32, i1)">;
def Gaudi_IndexElement : AnyTypeOf<[I32, I64], "i32 or i64">;
def Gaudi_Number : AnyTypeOf<[F32, BF16, F16, F8E4M3FN, F8E5M2,
    I8, I16, I32, I64, UI8, UI16, UI32], "a float or integer type of the device">;

def Gaudi_Tensor : RankedTensorOf<[Gaudi_Element]>;
def Gaudi_FloatTensor : RankedTensorOf<[Gaudi_Float]>;
def Gaudi_NarrowFloatTensor : RankedTensorOf<[Gaudi_NarrowFloat]>;
def Gaudi_WordTensor : RankedTensorOf<[I32]>;
def Gaudi_NumberTensor : RankedTensorOf<[Gaudi_Number]>;
def Gaudi_IntOrBoolTensor : RankedTensorOf<[I8, I16, I32, I64, UI8, UI16, UI32, I1]>;
def Gaudi_IntTensor : RankedTensorOf<[Gaudi_Int]>;
def Gaudi_BoolTensor : RankedTensorOf<[I1]>;
def Gaudi_IndexTensor : RankedTensorOf<[Gaudi_IndexElement]>;

class Gaudi_Op<string mnemonic, list<Trait> traits = []>
    : Op<Gaudi_Dialect, mnemonic, traits>;

// The default of an op: it may run where the program would not have run it.
defvar Gaudi_NeverStops = [AlwaysSpeculatable];
// An op that stops the launch for some operand values.
defvar Gaudi_MayStop = [DeclareOpInterfaceMethods<ConditionallySpeculatable>];

// An op of the graph: no memory effect, a known engine and cost. `ownCost`:
// methods of CostOpInterface whose defaults do not fit the op.
class Gaudi_GraphOp<string mnemonic, list<Trait> traits = [],
                    list<Trait> speculation = Gaudi_NeverStops, list<string> ownCost = []>
    : Gaudi_Op<mnemonic, !listconcat([NoMemoryEffect], speculation,
        [DeclareOpInterfaceMethods<Gaudi_EngineOpInterface>,
         DeclareOpInterfaceMethods<Gaudi_CostOpInterface, ownCost>], traits)>;

// Computed by the matrix engine.
class Gaudi_MMEOp<string mnemonic, list<Trait> traits = []>
    : Gaudi_GraphOp<"mme." # mnemonic, traits, Gaudi_NeverStops, ["getWork"]> {
  let hasVerifier = 1;
}
// Computed by a TPC kernel in data form.
class Gaudi_TPCOp<string mnemonic, list<Trait> traits = [], list<Trait> speculation = Gaudi_NeverStops>
    : Gaudi_GraphOp<"tpc." # mnemonic, !listconcat([DeclareOpInterfaceMethods<Gaudi_KernelBodyOpInterface>], traits), speculation> {
  let hasVerifier = 1;
}
// Computed by a named library kernel.
class Gaudi_TPCLibraryOp<string mnemonic, list<Trait> traits = [], list<Trait> speculation = Gaudi_NeverStops>
    : Gaudi_GraphOp<"tpc." # mnemonic, !listconcat([DeclareOpInterfaceMethods<Gaudi_LibraryKernelOpInterface>], traits), speculation> {
  let hasVerifier = 1;
}
// A window on an operand's bytes. `view`: the interface, with its methods
// declared if the layout of a result does not follow from the index map.
class Gaudi_ViewOp<string mnemonic, Trait view = Gaudi_ViewOpInterface, list<Trait> traits = []>
    : Gaudi_GraphOp<mnemonic, !listconcat([DeclareOpInterfaceMethods<Gaudi_ReindexOpInterface>, view], traits)> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    gaudi::Engine $cppClass::getEngine() { return gaudi::Engine::None; }
    int64_t $cppClass::getArithmeticOps() { return 0; }
  }];
}

// Stops the launch at an index outside the indexed dimension. `getIndicesMutable`
// is the accessor that ODS generates for the operand `indices`.
defvar Gaudi_Indexed = DeclareOpInterfaceMethods<Gaudi_IndexedOpInterface>;

#endif // GAUDI_DIALECT_GAUDIBASE_TD
