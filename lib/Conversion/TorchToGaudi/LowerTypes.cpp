// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtin types for functions of the torch dialect, and constants for what
// exporters keep beside them.
#include "Gaudi/Torch/Operators.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

bool gaudi::isTorchOp(Operation *op) {
  return isa_and_nonnull<TorchDialect>(op->getDialect()) ||
         op->getName().getDialectNamespace() == "torch_c";
}

StringRef gaudi::torchName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "torch.operator")
    if (auto text = dyn_cast_or_null<StringAttr>(op->getAttr("name")))
      name = text.getValue();
  name.consume_front("torch.");
  return name;
}

StringRef gaudi::torchNumberName(Operation *op, unsigned operand) {
  const torch::Operator *known = torch::findOperator(torchName(op));
  if (!known || operand >= known->schema.parameters.size())
    return {};
  const torch::Parameter &parameter = known->schema.parameters[operand];
  return parameter.kind == torch::Parameter::Kind::Scalar ? parameter.name
                                                          : StringRef();
}

torch::DynamicSizes gaudi::torchDynamicSizes(Operation *op) {
  const torch::Operator *known = torch::findOperator(torchName(op));
  return known ? known->sizes : torch::DynamicSizes::Marked;
}

bool gaudi::hasTorch(ModuleOp module) {
  auto isTorchType = [](Type type) { return isa<TorchTensorType>(type); };
  return module
      .walk([&](Operation *op) {
        auto function = dyn_cast<func::FuncOp>(op);
        return isTorchOp(op) ||
                       (function &&
                        llvm::any_of(function.getArgumentTypes(), isTorchType))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

Type gaudi::builtinElement(Type dtype) {
  auto integer = dyn_cast_or_null<IntegerType>(dtype);
  if (integer && integer.isSigned())
    return IntegerType::get(dtype.getContext(), integer.getWidth());
  return dtype;
}

std::optional<torch::ScalarType> gaudi::scalarTypeOf(Type element) {
  using torch::ScalarType;
  if (auto integer = dyn_cast<IntegerType>(element)) {
    const bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return ScalarType::Bool;
    case 8:
      return isUnsigned ? ScalarType::UInt8 : ScalarType::Int8;
    case 16:
      return isUnsigned ? ScalarType::UInt16 : ScalarType::Int16;
    case 32:
      return isUnsigned ? ScalarType::UInt32 : ScalarType::Int32;
    case 64:
      return isUnsigned ? ScalarType::UInt64 : ScalarType::Int64;
    default:
      return std::nullopt;
    }
  }
  return llvm::TypeSwitch<Type, std::optional<ScalarType>>(element)
      .Case<Float32Type>([](Type) { return ScalarType::Float32; })
      .Case<Float64Type>([](Type) { return ScalarType::Float64; })
      .Case<Float16Type>([](Type) { return ScalarType::Float16; })
      .Case<BFloat16Type>([](Type) { return ScalarType::BFloat16; })
      .Case<Float8E4M3FNType>([](Type) { return ScalarType::Float8E4M3FN; })
      .Case<Float8E5M2Type>([](Type) { return ScalarType::Float8E5M2; })
      .Case<ComplexType>([](ComplexType type) {
        auto part = scalarTypeOf(type.getElementType());
        return part == ScalarType::Float32   ? ScalarType::Complex64
               : part == ScalarType::Float64 ? ScalarType::Complex128
               : part == ScalarType::Float16 ? ScalarType::Complex32
                                             : std::optional<ScalarType>();
      })
      .Default([](Type) { return std::nullopt; });
}

/// The builtin tensor type of a torch tensor; null if something of it is
/// unknown.
static RankedTensorType builtinType(Type type) {
  auto tensor = dyn_cast<TorchTensorType>(type);
  if (!tensor || !tensor.getHasRank() || !tensor.getDtype())
    return {};
  return RankedTensorType::get(tensor.getSizes(),
                               builtinElement(tensor.getDtype()));
}

/// The same numbers with builtin integers.
static TypedAttr builtinValue(Attribute value) {
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements)
    return {};
  auto type = dyn_cast<RankedTensorType>(elements.getType());
  if (!type)
    return {};
  Type element = builtinElement(type.getElementType());
  if (element == type.getElementType())
    return cast<TypedAttr>(value);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type.clone(element),
                                          resource.getRawHandle());
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value))
    return cast<TypedAttr>(Attribute(dense.bitcast(element)));
  return {};
}

static StringRef textOf(Operation *op, StringRef name) {
  Attribute given = op->getAttr(name);
  if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(given))
    return symbol.getValue();
  auto text = dyn_cast_or_null<StringAttr>(given);
  return text ? text.getValue() : StringRef();
}

/// `#stream.parameter.named<"model"::"w">`, which the generic form of older
/// files has as text, is the parameter w.
static StringRef parameterName(StringRef text) {
  if (!text.contains("parameter.named"))
    return text;
  text = text.rsplit("\">").first;
  return text.substr(text.rfind('"') + 1);
}

/// Loads of IREE's globals become constants; the globals go.
static LogicalResult lowerGlobals(ModuleOp module) {
  llvm::StringMap<Operation *> globals;
  SmallVector<Operation *> loads;
  module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "util.global")
      globals.try_emplace(textOf(op, SymbolTable::getSymbolAttrName()), op);
    if (name == "util.global.load")
      loads.push_back(op);
  });
  auto &resources =
      DenseResourceElementsHandle::getManagerInterface(module.getContext());
  for (Operation *load : loads) {
    Operation *global = globals.lookup(textOf(load, "global"));
    auto type = load->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(load->getResult(0).getType())
                    : RankedTensorType();
    if (!global || !type || load->getNumOperands() != 0)
      return load->emitError("'")
             << load->getName() << "' must read a tensor of a util.global of "
             << "this module; '" << textOf(load, "global") << "' is none";
    if (global->hasAttr("is_mutable"))
      return (load->emitError("the global '")
              << textOf(load, "global")
              << "' is mutable, which is not supported; make it an argument "
                 "and a result")
                 .attachNote(global->getLoc())
             << "the global";
    Attribute given = global->getAttr("initial_value");
    TypedAttr value = builtinValue(given);
    if (auto key = dyn_cast_or_null<StringAttr>(given))
      value = DenseResourceElementsAttr::get(
          type, resources.insert(parameterName(key.getValue())));
    if (!value || value.getType() != type)
      return load->emitError("the global '")
             << textOf(load, "global") << "' has no value of type " << type;
    OpBuilder builder(load);
    load->getResult(0).replaceAllUsesWith(
        arith::ConstantOp::create(builder, load->getLoc(), value));
    load->erase();
  }
  for (auto &global : globals)
    global.second->erase();
  return success();
}

/// Literals become constants. A literal that cannot be one stays, and its
/// conversion says why.
static LogicalResult lowerLiterals(ModuleOp module) {
  SmallVector<Operation *> literals;
  module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if ((name == "torch.vtensor.literal" || name == "torch.tensor.literal") &&
        op->getNumResults() == 1 && op->getNumOperands() == 0)
      literals.push_back(op);
  });
  for (Operation *literal : literals) {
    TypedAttr value = builtinValue(literal->getAttr("value"));
    if (!value)
      continue;
    RankedTensorType stated = builtinType(literal->getResult(0).getType());
    if (stated && stated != value.getType())
      return literal->emitError("the literal has type ")
             << stated << ", but its value " << value.getType()
             << "; write the type of the value";
    OpBuilder builder(literal);
    literal->getResult(0).replaceAllUsesWith(
        arith::ConstantOp::create(builder, literal->getLoc(), value));
    literal->erase();
  }
  return success();
}

static LogicalResult lowerSignature(func::FuncOp function) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isa<TorchTensorType, TorchObjectType>(type))
      continue;
    RankedTensorType tensor = builtinType(type);
    if (!tensor)
      return function.emitError("argument ")
             << i << " of '" << function.getName() << "' has type " << type
             << "; expected a tensor of known rank and element type, as "
                "!torch.vtensor<[2,3],f32>";
    if (!function.isExternal())
      function.getArgument(i).setType(tensor);
  }
  auto converted = [](ArrayRef<Type> types) {
    return llvm::map_to_vector(types, [](Type type) -> Type {
      RankedTensorType tensor = builtinType(type);
      return tensor ? tensor : type;
    });
  };
  function.setType(FunctionType::get(function.getContext(),
                                     converted(function.getArgumentTypes()),
                                     converted(function.getResultTypes())));
  return success();
}

LogicalResult gaudi::lowerTorchTypes(ModuleOp module) {
  if (!hasTorch(module))
    return success();
  if (failed(lowerGlobals(module)) || failed(lowerLiterals(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(lowerSignature(function)))
      return failure();
  // What is known of results, of calls, too; the conversion finds the rest.
  module.walk([](Operation *op) {
    for (Value result : op->getResults())
      if (RankedTensorType tensor = builtinType(result.getType()))
        result.setType(tensor);
  });
  return success();
}
