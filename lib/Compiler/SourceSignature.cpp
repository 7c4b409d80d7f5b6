// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops, attributes and constants of a function as a signature.
#include "SourceSignature.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace gaudi;
using gaudi::shapes::dynamicSize;
using gaudi::shapes::Signature;
using gaudi::shapes::sizeMark;

/// Constants of at most this many elements are compared element by element.
static constexpr int64_t mostValues = 64;

// --- types and attributes ----------------------------------------------------

static void addSize(Signature::Field &field, int64_t size) {
  field.text += sizeMark;
  field.sizes.push_back(size);
}

static void addType(Signature::Field &field, Type type) {
  if (auto function = dyn_cast<FunctionType>(type)) {
    for (TypeRange types : {function.getInputs(), function.getResults()}) {
      field.text += "(";
      for (Type part : types) {
        addType(field, part);
        field.text += " ";
      }
      field.text += ")";
    }
    return;
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    field.text += debugString(type);
    return;
  }
  for (int64_t size : tensor.getShape()) {
    addSize(field, ShapedType::isDynamic(size) ? dynamicSize : size);
    field.text += "x";
  }
  field.text += debugString(tensor.getElementType());
  if (tensor.getEncoding())
    field.text += " " + debugString(tensor.getEncoding());
}

/// Whether the integers of such an attribute number dimensions or operands. No
/// size explains that another one is meant.
static bool isIndexAttribute(StringRef name) {
  if (name.contains("window_dimensions") || name.contains("shape"))
    return false;
  return llvm::any_of(
      ArrayRef<StringRef>{"dim", "axis", "axes", "perm", "segment",
                          "reassociation", "predicate", "direction"},
      [&](StringRef part) { return name.contains_insensitive(part); });
}

/// Of a variable; null of other ops.
static StringAttr symbolName(Operation *op) {
  return op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
}

namespace {
class Reader {
public:
  Reader(Signature &signature, StringRef fileName, StringRef text)
      : signature(signature), fileName(fileName) {
    text.split(lines, '\n');
  }

  void addFunction(func::FuncOp function) { addRegion(function.getBody()); }
  /// What functions beside the entry, and variables, are.
  void addGlobal(Operation *op) { addOp(op); }

private:
  void addRegion(Region &region);
  void addBlock(Block &block);
  void addOp(Operation *op);
  void addAttribute(Signature::Field &field, Operation *op, StringRef name,
                    Attribute attribute, bool isIndex);
  void addConstant(Operation *op, StringRef name, Attribute value);
  std::string constantName(Operation *op, StringRef name, Attribute value);

  Signature &signature;
  StringRef fileName;
  SmallVector<StringRef, 0> lines;
  DenseMap<Value, size_t> numbers;
};
} // namespace

/// Of all values that the op and its regions read.
static void forEachValue(Operation *op, function_ref<void(Value)> read) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      read(operand);
  });
}

/// Whether the op stays where nothing reads its results. Ops of dialects that
/// are known by name only say nothing of their effects.
static bool isRoot(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumResults() == 0 ||
      !op->getNextNode())
    return true;
  if (op->isRegistered() && !isa<MemoryEffectOpInterface>(op) &&
      !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return true;
  if (op->isRegistered())
    return !isMemoryEffectFree(op);
  StringRef name = op->getName().stripDialect();
  return name == "custom_call" || name == "rng" || name == "send" ||
         name == "recv" || name == "infeed" || name == "outfeed";
}

void Reader::addRegion(Region &region) {
  for (Block &block : region)
    for (Value argument : block.getArguments())
      numbers[argument] = numbers.size();
  for (Block &block : region)
    addBlock(block);
}

/// Adds the ops of a block after those that they read.
void Reader::addBlock(Block &block) {
  DenseSet<Operation *> seen;
  // An op is there twice: first for what it reads, then for itself.
  SmallVector<std::pair<Operation *, bool>> stack;
  // Roots in program order; what is not read by one is not part of the
  // signature.
  for (Operation &root : block) {
    if (!isRoot(&root))
      continue;
    stack.push_back({&root, false});
    while (!stack.empty()) {
      const auto top = stack.pop_back_val();
      Operation *op = top.first;
      const bool isReady = top.second;
      if (isReady) {
        addOp(op);
        continue;
      }
      if (!seen.insert(op).second)
        continue;
      stack.push_back({op, true});
      const size_t first = stack.size();
      forEachValue(op, [&](Value value) {
        Operation *source = value.getDefiningOp();
        if (source && source->getBlock() == &block && source != op)
          stack.push_back({source, false});
      });
      // Reversed, so that the first operand comes first from the stack.
      std::reverse(stack.begin() + first, stack.end());
    }
  }
}

/// The attribute of a constant that has its value.
static StringRef valueName(Operation *op) {
  if (op->getNumOperands() || op->getNumRegions() || op->getNumResults() != 1)
    return "";
  for (StringRef name : {"value", "values"})
    if (isa_and_nonnull<ElementsAttr, IntegerAttr, FloatAttr>(
            op->getAttr(name)))
      return name;
  return "";
}

void Reader::addOp(Operation *op) {
  Signature::Op result;
  result.name = op->getName().getStringRef().str();
  result.location = locationText(op->getLoc());
  const StringRef value = valueName(op);
  const size_t constants = signature.constants.size();
  // Attributes, operands, types: each a field, in this order.
  for (NamedAttribute attribute : attributesOf(op)) {
    StringRef name = attribute.getName();
    if (name == value) {
      addConstant(op, name, attribute.getValue());
      continue;
    }
    // The name of a private function or of a variable is no part of it.
    if (name == SymbolTable::getSymbolAttrName())
      continue;
    Signature::Field field;
    field.label = ("attribute '" + name + "'").str();
    addAttribute(field, op, name, attribute.getValue(), isIndexAttribute(name));
    result.fields.push_back(std::move(field));
  }
  // Operands by number, so that names and spelling do not matter.
  Signature::Field operands;
  operands.label = "operands";
  for (Value operand : op->getOperands())
    operands.text += "%" + std::to_string(numbers.lookup(operand)) + " ";
  for (Block *successor : op->getSuccessors())
    operands.text +=
        "^" +
        std::to_string(std::distance(successor->getParent()->begin(),
                                     successor->getIterator())) +
        " ";
  result.fields.push_back(std::move(operands));
  // Numbers are given in the order in which ops are added.
  for (auto [number, type] : llvm::enumerate(op->getResultTypes())) {
    numbers[op->getResult(number)] = numbers.size();
    if (!value.empty() && signature.constants.size() > constants)
      continue; // the constant says it
    Signature::Field field;
    field.label = "type of result " + std::to_string(number);
    addType(field, type);
    result.fields.push_back(std::move(field));
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (auto [number, type] : llvm::enumerate(block.getArgumentTypes())) {
        Signature::Field field;
        field.label = "type of argument " + std::to_string(number);
        addType(field, type);
        result.fields.push_back(std::move(field));
      }
  signature.ops.push_back(std::move(result));
  for (Region &region : op->getRegions())
    addRegion(region);
}

void Reader::addAttribute(Signature::Field &field, Operation *op,
                          StringRef name, Attribute attribute, bool isIndex) {
  auto addNumber = [&](int64_t number) {
    // Indices of dimensions are no sizes: only sizes may become symbols.
    if (isIndex)
      field.text += std::to_string(number);
    else
      addSize(field, number);
  };
  auto addAll = [&](auto range) {
    field.text += "[";
    llvm::interleave(range, addNumber, [&] { field.text += ", "; });
    field.text += "]";
  };
  auto addNested = [&](StringRef inner, Attribute part) {
    addAttribute(field, op, inner, part, isIndex || isIndexAttribute(inner));
    field.text += " ";
  };
  if (auto integer = dyn_cast<IntegerAttr>(attribute);
      integer && !integer.getType().isInteger(1) &&
      integer.getValue().getSignificantBits() <= 64) {
    addNumber(integer.getValue().getSExtValue());
  } else if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    addAll(list.asArrayRef());
  } else if (auto list = dyn_cast<DenseI32ArrayAttr>(attribute)) {
    addAll(list.asArrayRef());
  } else if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    field.text += "[";
    for (Attribute part : list)
      addNested(name, part);
    field.text += "]";
  } else if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    for (NamedAttribute part : dictionary) {
      field.text += (part.getName().getValue() + "=").str();
      addNested(part.getName(), part.getValue());
    }
  } else if (auto dense = dyn_cast<DenseIntElementsAttr>(attribute);
             dense && !symbolName(op) && dense.getNumElements() <= mostValues &&
             (dense.getElementType().isIndex() ||
              dense.getElementType().getIntOrFloatBitWidth() <= 64)) {
    llvm::interleave(
        dense.getValues<APInt>(),
        [&](const APInt &number) { addNumber(number.getSExtValue()); },
        [&] { field.text += ", "; });
    field.text += " : ";
    addType(field, dense.getType());
  } else if (isa<ElementsAttr, FloatAttr>(attribute)) {
    // All other numbers are constants with a hash.
    addConstant(op, name, attribute);
  } else if (auto type = dyn_cast<TypeAttr>(attribute)) {
    addType(field, type.getValue());
  } else {
    field.text += debugString(attribute);
  }
}

// --- constants ---------------------------------------------------------------

static double numberOf(const APInt &value, Type type) {
  const bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  return isUnsigned ? value.roundToDouble() : value.signedRoundToDouble();
}

static double numberOf(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

static uint64_t hashOf(ArrayRef<char> bytes) {
  return llvm::xxh3_64bits(StringRef(bytes.data(), bytes.size()));
}

static void readValues(Signature::Constant &constant,
                       DenseIntOrFPElementsAttr dense) {
  // A splat has the bytes of one element.
  constant.hash = hashOf(dense.getRawData());
  const bool isSplat = dense.isSplat();
  if (!isSplat && dense.getNumElements() > mostValues)
    return;
  auto add = [&](auto range, auto convert) {
    for (const auto &value : range) {
      constant.values.push_back(convert(value));
      if (isSplat)
        return;
    }
  };
  if (isa<FloatType>(dense.getElementType()))
    add(dense.getValues<APFloat>(),
        [](const APFloat &value) { return numberOf(value); });
  else if (dense.getElementType().isIntOrIndex())
    add(dense.getValues<APInt>(), [&](const APInt &value) {
      return numberOf(value, dense.getElementType());
    });
}

void Reader::addConstant(Operation *op, StringRef name, Attribute value) {
  Signature::Constant constant;
  constant.name = constantName(op, name, value);
  constant.location = locationText(op->getLoc());
  if (auto typed = dyn_cast<TypedAttr>(value)) {
    Type type = typed.getType();
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      constant.sizes.assign(shaped.getShape().begin(), shaped.getShape().end());
      type = shaped.getElementType();
    }
    constant.element = debugString(type);
  }
  // Values if they are few; a hash in any case.
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(value)) {
    readValues(constant, dense);
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      constant.hash = hashOf(blob->getData());
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    constant.values = {numberOf(integer.getValue(), integer.getType())};
    const APInt &bits = integer.getValue();
    constant.hash =
        hashOf(ArrayRef<char>(reinterpret_cast<const char *>(bits.getRawData()),
                              bits.getNumWords() * sizeof(uint64_t)));
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    constant.values = {number.getValueAsDouble()};
    constant.hash = llvm::bit_cast<uint64_t>(constant.values[0]);
  } else {
    const std::string text = debugString(value);
    constant.hash = hashOf(ArrayRef<char>(text.data(), text.size()));
  }
  signature.constants.push_back(std::move(constant));
}

static FileLineColLoc fileLocation(Location location) {
  FileLineColLoc found;
  location->walk([&](Location part) {
    found = dyn_cast<FileLineColLoc>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// What a person would call it: the variable, the key of its data, the value's
/// name in the source; of an attribute, its name. Named locations are those of
/// the function that an exporter has traced, seldom of the constant.
std::string Reader::constantName(Operation *op, StringRef name,
                                 Attribute value) {
  if (StringAttr symbol = symbolName(op))
    return symbol.str();
  if (name != valueName(op))
    return name.str();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return resource.getRawHandle().getKey().str();
  FileLineColLoc location = fileLocation(op->getLoc());
  if (!location || location.getFilename() != fileName ||
      location.getLine() == 0 || location.getLine() > lines.size())
    return "";
  StringRef line = lines[location.getLine() - 1].ltrim();
  auto [result, rest] = line.split('=');
  result = result.trim();
  return result.consume_front("%") && !rest.empty() ? result.str() : "";
}

// --- the whole ---------------------------------------------------------------

/// What the model says of an argument beyond its name and its sizes.
static std::string argumentText(func::FuncOp function, unsigned argument) {
  std::string text;
  for (NamedAttribute attribute :
       function_interface_impl::getArgAttrs(function, argument)) {
    StringRef name = attribute.getName();
    if (name == nameAttrName || name == dimsAttrName || name == shapeAttrName)
      continue;
    text += (text.empty() ? "" : ", ") + name.str() + " = " +
            debugString(attribute.getValue());
  }
  return text;
}

Signature gaudi::sourceSignature(func::FuncOp entry, StringRef fileName,
                                 StringRef text) {
  Signature signature;
  for (unsigned i : visibleArguments(entry)) {
    Signature::Input input;
    input.name = argumentName(entry, i);
    input.attributes = argumentText(entry, i);
    Type type = callersArgumentType(entry, i);
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank()) {
      for (int64_t size : shaped.getShape())
        input.sizes.push_back(ShapedType::isDynamic(size) ? dynamicSize : size);
      type = shaped.getElementType();
    }
    input.element = debugString(type);
    signature.inputs.push_back(std::move(input));
  }
  signature.outputs = visibleResults(entry).size();
  Reader reader(signature, fileName, text);
  reader.addFunction(entry);
  for (Operation &op : *entry->getBlock())
    if (&op != entry.getOperation())
      reader.addGlobal(&op);
  return signature;
}
