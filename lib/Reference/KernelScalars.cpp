// Tables of the scalar operations a TPC kernel may have.
#include "KernelScalars.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::reference;

UnaryFloat reference::findUnaryFloat(StringRef opName) {
  static const llvm::StringMap<UnaryFloat> table = {
      {"arith.negf", negFloat},   {"math.absf", std::fabs},
      {"math.ceil", std::ceil},   {"math.floor", std::floor},
      {"math.round", std::round}, {"math.roundeven", std::nearbyint},
      {"math.trunc", std::trunc}, {"math.exp", std::exp},
      {"math.exp2", std::exp2},   {"math.expm1", std::expm1},
      {"math.log", std::log},     {"math.log2", std::log2},
      {"math.log10", std::log10}, {"math.log1p", std::log1p},
      {"math.sqrt", std::sqrt},   {"math.rsqrt", rsqrtFloat},
      {"math.cbrt", std::cbrt},   {"math.sin", std::sin},
      {"math.cos", std::cos},     {"math.tan", std::tan},
      {"math.asin", std::asin},   {"math.acos", std::acos},
      {"math.atan", std::atan},   {"math.sinh", std::sinh},
      {"math.cosh", std::cosh},   {"math.tanh", std::tanh},
      {"math.asinh", std::asinh}, {"math.acosh", std::acosh},
      {"math.atanh", std::atanh}, {"math.erf", std::erf},
      {"math.erfc", std::erfc}};
  return table.lookup(opName);
}

BinaryFloat reference::findBinaryFloat(StringRef opName) {
  static const llvm::StringMap<BinaryFloat> table = {
      {"arith.addf", addFloat},       {"arith.subf", subFloat},
      {"arith.mulf", mulFloat},       {"arith.divf", divFloat},
      {"arith.remf", std::fmod},      {"arith.maximumf", maxFloat},
      {"arith.minimumf", minFloat},   {"arith.maxnumf", maxNumFloat},
      {"arith.minnumf", minNumFloat}, {"math.powf", std::pow},
      {"math.atan2", std::atan2},     {"math.copysign", std::copysign}};
  return table.lookup(opName);
}

UnaryInt reference::findUnaryInt(StringRef opName) {
  static const llvm::StringMap<UnaryInt> table = {{"math.absi", absInt},
                                                  {"math.ctlz", clzInt},
                                                  {"math.cttz", ctzInt},
                                                  {"math.ctpop", popcountInt}};
  return table.lookup(opName);
}

BinaryInt reference::findBinaryInt(StringRef opName) {
  static const llvm::StringMap<BinaryInt> table = {
      {"arith.addi", {addInt, false}},
      {"arith.subi", {subInt, false}},
      {"arith.muli", {mulInt, false}},
      {"arith.divsi", {divInt, false}},
      {"arith.divui", {divInt, true}},
      {"arith.remsi", {remInt, false}},
      {"arith.remui", {remInt, true}},
      {"arith.maxsi", {maxInt, false}},
      {"arith.maxui", {maxInt, true}},
      {"arith.minsi", {minInt, false}},
      {"arith.minui", {minInt, true}},
      {"arith.andi", {andInt, false}},
      {"arith.ori", {orInt, false}},
      {"arith.xori", {xorInt, false}},
      {"arith.shli", {shlInt, false}},
      {"arith.shrsi", {shrSignedInt, false}},
      {"arith.shrui", {shrUnsignedInt, true}}};
  return table.lookup(opName);
}

BinaryFloat reference::findFloatCombiner(KernelReduce kind) {
  switch (kind) {
  case KernelReduce::Add:
    return addFloat;
  case KernelReduce::Mul:
    return mulFloat;
  case KernelReduce::Max:
    return maxFloat;
  case KernelReduce::Min:
    return minFloat;
  case KernelReduce::MaxNum:
    return maxNumFloat;
  case KernelReduce::MinNum:
    return minNumFloat;
  default:
    return nullptr;
  }
}

BinaryInt reference::findIntCombiner(KernelReduce kind) {
  switch (kind) {
  case KernelReduce::Add:
    return {addInt, false};
  case KernelReduce::Mul:
    return {mulInt, false};
  case KernelReduce::Max:
  case KernelReduce::MaxNum:
    return {maxInt, false};
  case KernelReduce::Min:
  case KernelReduce::MinNum:
    return {minInt, false};
  case KernelReduce::MaxU:
    return {maxInt, true};
  case KernelReduce::MinU:
    return {minInt, true};
  case KernelReduce::And:
    return {andInt, false};
  case KernelReduce::Or:
    return {orInt, false};
  case KernelReduce::Xor:
    return {xorInt, false};
  default:
    return {};
  }
}

bool reference::compareFloats(arith::CmpFPredicate predicate, double a,
                              double b) {
  using P = arith::CmpFPredicate;
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return unordered || a != b;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("every predicate is listed");
}

bool reference::compareInts(arith::CmpIPredicate predicate, int64_t a,
                            int64_t b, IntKind kind) {
  using P = arith::CmpIPredicate;
  const int64_t sa = kind.asSigned(a), sb = kind.asSigned(b);
  const uint64_t ua = kind.bits(a), ub = kind.bits(b);
  switch (predicate) {
  case P::eq:
    return ua == ub;
  case P::ne:
    return ua != ub;
  case P::slt:
    return sa < sb;
  case P::sle:
    return sa <= sb;
  case P::sgt:
    return sa > sb;
  case P::sge:
    return sa >= sb;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  llvm_unreachable("every predicate is listed");
}
