// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the gaudi dialect and the small facts about its types.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "DimMaps/DimMaps.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/Convolution.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/ScalarBuilder.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "Gaudi/Timing/Work.h"
#include "KernelSyntax.h"
#include "Layouts/Layouts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

#include "Gaudi/Dialect/GaudiDialect.cpp.inc"
#include "Gaudi/Dialect/GaudiEnums.cpp.inc"
#include "Gaudi/Dialect/GaudiInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Gaudi/Dialect/GaudiAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "Gaudi/Dialect/GaudiOps.cpp.inc"

// `<` section `,` offset `,` `[` strides `]` `>`; rank 0 has no strides.
Attribute BufferAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&keyword))
    return {};
  std::optional<SectionKind> section = symbolizeSectionKind(keyword);
  if (!section) {
    parser.emitError(loc, "expected persistent, const or workspace but got '")
        << keyword << "'";
    return {};
  }
  if (parser.parseComma() || parser.parseInteger(offset) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(strides.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return BufferAttr::get(parser.getContext(), *section, offset, strides);
}

void BufferAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifySectionKind(getSection()) << ", " << getOffset()
          << ", [";
  llvm::interleaveComma(getStrides(), printer);
  printer << "]>";
}

namespace {
/// Every op computes the same wherever it is inlined.
struct GaudiInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void GaudiDialect::initialize() {
  addInterfaces<GaudiInliner>();
  addOperations<
#define GET_OP_LIST
#include "Gaudi/Dialect/GaudiOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Gaudi/Dialect/ArithmeticOps.cpp.inc"
      >();
  addElementwiseOps();
  addOperations<
#define GET_OP_LIST
#include "Gaudi/Dialect/TrainingOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Gaudi/Dialect/AttentionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Gaudi/Dialect/OptimizerOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Gaudi/Dialect/PaddingOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Gaudi/Dialect/GaudiAttributes.cpp.inc"
      >();
  // External models: the ops themselves know nothing of maps and layouts.
  attachDimMaps(*getContext());
  attachLayouts(*getContext());
}

Operation *GaudiDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  // Inside a kernel the constants are scalars.
  if (auto typed = dyn_cast<TypedAttr>(value))
    if (!isa<ShapedType>(type) && typed.getType() == type)
      return arith::ConstantOp::materialize(builder, value, type, loc);
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getShapedType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

int64_t gaudi::elementCount(Value tensor) {
  return tensorType(tensor).getNumElements();
}

int64_t gaudi::elementBytes(Type elementType) {
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

int64_t gaudi::byteCount(Value tensor) {
  return elementCount(tensor) * elementBytes(getElementTypeOrSelf(tensor));
}

int64_t gaudi::bytesOfOperandsAndResults(Operation *op) {
  int64_t bytes = 0;
  for (Value operand : op->getOperands())
    bytes += byteCount(operand);
  for (Value result : op->getResults())
    bytes += byteCount(result);
  return bytes;
}

bool gaudi::isFloatElement(Type elementType) {
  return isa<FloatType>(elementType);
}

bool gaudi::isUnsignedElement(Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

Type gaudi::kernelType(Type elementType) {
  if (isFloatElement(elementType))
    return Float32Type::get(elementType.getContext());
  return IntegerType::get(elementType.getContext(),
                          elementType.getIntOrFloatBitWidth());
}

bool gaudi::isDeviceElement(Type type) {
  if (isa<Float32Type, BFloat16Type, Float16Type, Float8E4M3FNType,
          Float8E5M2Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  unsigned width = integer.getWidth();
  if (integer.isUnsigned())
    return width == 8 || width == 16 || width == 32;
  return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}
