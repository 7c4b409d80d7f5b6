// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enums and attributes of the gaudi dialect.
#ifndef GAUDI_DIALECT_ATTRIBUTES_TD
#define GAUDI_DIALECT_ATTRIBUTES_TD

include "Gaudi/Dialect/GaudiBase.td"

class Gaudi_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "gaudi";
  let genSpecializedAttr = 0;
}
class Gaudi_EnumAttr<I32EnumAttr info, string mnemonic>
    : EnumAttr<Gaudi_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Gaudi_Engine : Gaudi_Enum<"Engine", "engine of the device that runs an op", [
  I32EnumAttrCase<"MME", 0, "mme">, I32EnumAttrCase<"TPC", 1, "tpc">,
  I32EnumAttrCase<"DMA", 2, "dma">, I32EnumAttrCase<"NIC", 3, "nic">,
  I32EnumAttrCase<"Host", 4, "host">,
  I32EnumAttrCase<"None", 5, "none">,          // a view: nothing runs
  I32EnumAttrCase<"Unplaced", 6, "unplaced">   // the device model has not decided
]>;
def Gaudi_EngineAttr : Gaudi_EnumAttr<Gaudi_Engine, "engine">;

def Gaudi_ComparePredicate : Gaudi_Enum<"ComparePredicate", "comparison", [
  I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
  I32EnumAttrCase<"LT", 2, "lt">, I32EnumAttrCase<"LE", 3, "le">,
  I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def Gaudi_ComparePredicateAttr : Gaudi_EnumAttr<Gaudi_ComparePredicate, "predicate">;

def Gaudi_RoundingMode : Gaudi_Enum<"RoundingMode", "rounding of a float to an integer", [
  I32EnumAttrCase<"TowardZero", 0, "toward_zero">,
  I32EnumAttrCase<"NearestEven", 1, "nearest_even">]>;
def Gaudi_RoundingModeAttr : Gaudi_EnumAttr<Gaudi_RoundingMode, "rounding">;

def Gaudi_FloatRounding : Gaudi_Enum<"FloatRounding", "rounding of a float to a narrower format", [
  I32EnumAttrCase<"NearestEven", 0, "nearest_even">,
  I32EnumAttrCase<"TowardZero", 1, "toward_zero">,
  I32EnumAttrCase<"Upward", 2, "upward">,
  I32EnumAttrCase<"Downward", 3, "downward">,
  I32EnumAttrCase<"NearestAway", 4, "nearest_away">,
  I32EnumAttrCase<"Stochastic", 5, "stochastic">,
  I32EnumAttrCase<"StochasticNormal", 6, "stochastic_normal">]>;
def Gaudi_FloatRoundingAttr : Gaudi_EnumAttr<Gaudi_FloatRounding, "float_rounding">;

def Gaudi_ReduceKind : Gaudi_Enum<"ReduceKind", "operator of a tensor reduction", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">,
  I32EnumAttrCase<"Prod", 2, "prod">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Min", 4, "min">, I32EnumAttrCase<"All", 5, "all">,
  I32EnumAttrCase<"Any", 6, "any">]>;
def Gaudi_ReduceKindAttr : Gaudi_EnumAttr<Gaudi_ReduceKind, "reduce_kind">;

def Gaudi_PoolKind : Gaudi_Enum<"PoolKind", "operator of a pooling window", [
  I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">,
  I32EnumAttrCase<"Sum", 2, "sum">, I32EnumAttrCase<"Avg", 3, "avg">]>;
def Gaudi_PoolKindAttr : Gaudi_EnumAttr<Gaudi_PoolKind, "pool_kind">;

def Gaudi_PadMode : Gaudi_Enum<"PadMode", "what fills the padding", [
  I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Edge", 1, "edge">]>;
def Gaudi_PadModeAttr : Gaudi_EnumAttr<Gaudi_PadMode, "pad_mode">;

def Gaudi_ResizeMode : Gaudi_Enum<"ResizeMode", "interpolation of a resize", [
  I32EnumAttrCase<"Nearest", 0, "nearest">, I32EnumAttrCase<"Bilinear", 1, "bilinear">]>;
def Gaudi_ResizeModeAttr : Gaudi_EnumAttr<Gaudi_ResizeMode, "resize_mode">;

// Attention. The numbers are those of Recipe.fbs.
def Gaudi_SoftmaxMode : Gaudi_Enum<"SoftmaxMode", "exponential of a softmax", [
  I32EnumAttrCase<"Default", 0, "default">, I32EnumAttrCase<"Fast", 1, "fast">]>;
def Gaudi_SoftmaxModeAttr : Gaudi_EnumAttr<Gaudi_SoftmaxMode, "softmax_mode">;

def Gaudi_PaddingSide : Gaudi_Enum<"PaddingSide", "end of a sequence that is padded", [
  I32EnumAttrCase<"Right", 0, "right">, I32EnumAttrCase<"Left", 1, "left">]>;
def Gaudi_PaddingSideAttr : Gaudi_EnumAttr<Gaudi_PaddingSide, "padding_side">;

def Gaudi_AttentionSaves : Gaudi_Enum<"AttentionSaves", "what attention keeps for its gradient", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Statistics", 1, "statistics">,
  I32EnumAttrCase<"Probabilities", 2, "probabilities">]>;
def Gaudi_AttentionSavesAttr : Gaudi_EnumAttr<Gaudi_AttentionSaves, "attention_saves">;

// Kernel form. The numbers are those of Recipe.fbs.
def Gaudi_KernelReduce : Gaudi_Enum<"KernelReduce", "operator of an accumulator", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"MaxNum", 4, "maxnum">, I32EnumAttrCase<"MinNum", 5, "minnum">,
  I32EnumAttrCase<"MaxU", 6, "maxu">, I32EnumAttrCase<"MinU", 7, "minu">,
  I32EnumAttrCase<"And", 8, "and">, I32EnumAttrCase<"Or", 9, "or">,
  I32EnumAttrCase<"Xor", 10, "xor">, I32EnumAttrCase<"ArgMax", 11, "argmax">,
  I32EnumAttrCase<"ArgMin", 12, "argmin">, I32EnumAttrCase<"Custom", 13, "custom">]>;
def Gaudi_KernelReduceAttr : Gaudi_EnumAttr<Gaudi_KernelReduce, "reduce">;
def Gaudi_KernelReduceArrayAttr : TypedArrayAttrBase<Gaudi_KernelReduceAttr, "reduction operators">;

def Gaudi_Boundary : Gaudi_Enum<"Boundary", "what an index outside the tensor does", [
  I32EnumAttrCase<"Inside", 0, "inside">, I32EnumAttrCase<"Clamp", 1, "clamp">,
  I32EnumAttrCase<"Pad", 2, "pad">, I32EnumAttrCase<"Checked", 3, "checked">]>;
def Gaudi_BoundaryAttr : Gaudi_EnumAttr<Gaudi_Boundary, "boundary">;
def Gaudi_BoundaryArrayAttr : TypedArrayAttrBase<Gaudi_BoundaryAttr, "boundary rules">;

def Gaudi_SectionKind : Gaudi_Enum<"SectionKind", "kind of device memory", [
  I32EnumAttrCase<"Persistent", 0, "persistent">, I32EnumAttrCase<"Const", 1, "const">,
  I32EnumAttrCase<"Workspace", 2, "workspace">]>;

def Gaudi_BufferAttr : AttrDef<Gaudi_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "where the bytes of a value live on the device";
  let description = [{
    Section, byte offset from its start, and one stride in elements per
    dimension. Scheduled form carries one per op result in the attribute
    `gaudi.buffers` and one per function argument in `gaudi.buffer`.

    Example: `#gaudi.buffer<workspace, 4096, [128, 1]>`
  }];
  let parameters = (ins EnumParameter<Gaudi_SectionKind>:$section, "int64_t":$offset,
      ArrayRefParameter<"int64_t">:$strides);
  let hasCustomAssemblyFormat = 1;
}

#endif // GAUDI_DIALECT_ATTRIBUTES_TD
