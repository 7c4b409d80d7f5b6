// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass: lowers every op of the torch dialect it can and reports every one
// it cannot.
#include "../Common/FrontEnd.h"
#include "Complex.h"
#include "Gaudi/Conversion/Passes.h"
#include "Gaudi/Dialect/SourceOp.h"
#include "Gaudi/Kernel/Limits.h"
#include "Gaudi/Support/Autocast.h"
#include "Lowerings.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSwitch.h"

namespace gaudi {
#define GEN_PASS_DEF_CONVERTTORCHTOGAUDI
#include "Gaudi/Conversion/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

/// Characters of the arguments in a message.
static constexpr size_t maxArgumentText = 200;

/// An argument of a call, as messages have it: "tensor<2xf32>", "-1", "[0, 1]".
static std::string argumentText(Value value) {
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    return spelled(type);
  Operation *op = value.getDefiningOp();
  StringRef name = op ? op->getName().getStringRef() : StringRef();
  if (name == "torch.constant.none")
    return "None";
  if (name.starts_with("torch.constant."))
    if (Attribute constant = op->getAttr("value")) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      constant.print(stream, /*elideType=*/true);
      return text;
    }
  if (name != "torch.prim.ListConstruct")
    return spelled(value.getType());
  std::string list;
  for (Value item : op->getOperands()) {
    // Lists may have lists, and many of them.
    const bool isList = item.getDefiningOp() &&
                        item.getDefiningOp()->getNumOperands() != 0 &&
                        !isa<RankedTensorType>(item.getType());
    list += (list.empty() ? "" : ", ") +
            (isList ? spelled(item.getType()) : argumentText(item));
    if (list.size() > maxArgumentText)
      break;
  }
  return "[" + list + "]";
}

/// The arguments of a call: "(tensor<2x3xf32>, 1, None)".
static std::string argumentsText(Operation *op) {
  std::string text;
  for (Value operand : op->getOperands()) {
    text += (text.empty() ? "" : ", ") + argumentText(operand);
    if (text.size() > maxArgumentText) {
      text.resize(maxArgumentText);
      return "(" + text + "...)";
    }
  }
  return "(" + text + ")";
}

namespace {
/// An argument of a call: its value or type for the rules, and the tensors.
struct ReadArgument {
  torch::Argument value;
  SmallVector<Value, 1> tensors;
  SmallVector<Value, 1> imaginary; ///< Parts of tensors; null for real ones.
};

/// Lowers one function, whose body is one block.
class FunctionConverter {
public:
  FunctionConverter(func::FuncOp function, ConversionReport &report,
                    bool marksSources)
      : function(function), report(report), builder(function.getContext()),
        marksSources(marksSources) {}

  void run();
  unsigned numConverted = 0;

private:
  void convert(Operation *op);
  void lower(Operation *op, StringRef name, const torch::Operator &known);
  /// Reports that a call is refused, and with which arguments.
  void refuse(Operation *op, const Twine &why) {
    (void)report.add(op, why + "; called with " + argumentsText(op));
  }
  std::string whyTooLarge(Operation *first, Operation *end);
  /// Marks what became of a call: the ops from `first` up to it.
  void markSource(Operation *first, Operation *call,
                  const torch::Operator &known,
                  ArrayRef<torch::Argument> arguments);
  /// Lowers a call of complex numbers. Fails with the call's reason.
  LogicalResult lowerComplexCall(TorchCall &call,
                                 ArrayRef<SmallVector<Value, 1>> imaginary);
  /// Adds a tensor to what is read, by its parts if it is complex.
  void addTensor(Value tensor, ReadArgument &argument);
  bool forward(Operation *op, StringRef name);
  void replace(Operation *op, const torch::Operator &known,
               ArrayRef<Value> values);
  /// Erases what nothing reads any more; all else is an error.
  void eraseConverted(ArrayRef<Operation *> ops);
  void finishSignature();
  /// Complex arguments and constants become pairs: tensors whose last dimension
  /// are the parts. What the device cannot have as pairs stays, and is refused
  /// where it is read.
  void splitGiven();
  void addPairs(Value complex, Value pairs);
  /// Complex results likewise.
  void joinResults();

  /// Reads an operand as `parameter` needs it; fails with a reason.
  FailureOr<ReadArgument> read(Value operand, const torch::Parameter &parameter,
                               std::string &reason);
  FailureOr<torch::Argument> readScalar(Value operand, std::string &reason);
  FailureOr<ReadArgument> readList(ArrayRef<Value> items,
                                   const torch::Parameter &parameter,
                                   std::string &reason);
  FailureOr<torch::TensorType> readTensor(Value value, std::string &reason);
  /// The values of a list of tensors; none if `list` is no such list.
  std::optional<SmallVector<Value>> itemsOf(Value list);

  func::FuncOp function;
  ConversionReport &report;
  FrontEndBuilder builder;
  bool marksSources;
  /// The first call of each op that calls are parts of.
  llvm::DenseMap<Attribute, int64_t> numberOfWhole;
  /// What ops that return lists of tensors gave.
  llvm::DenseMap<Value, SmallVector<Value>> lists;
  /// Complex values by their parts, and their types.
  using TypedComplex = std::pair<Complex, torch::TensorType>;
  llvm::DenseMap<Value, TypedComplex> complexes;
  llvm::DenseMap<Value, SmallVector<TypedComplex>> complexLists;
};

struct ConvertTorchToGaudi
    : public gaudi::impl::ConvertTorchToGaudiBase<ConvertTorchToGaudi> {
  using ConvertTorchToGaudiBase::ConvertTorchToGaudiBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!hasTorch(module))
      return markAllAnalysesPreserved();
    if (failed(lowerTorchTypes(module)))
      return signalPassFailure();
    ConversionReport report;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal()) {
        FunctionConverter converter(function, report, markSources);
        converter.run();
        numConverted += converter.numConverted;
      }
    if (failed(report.emit()))
      signalPassFailure();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// What a message says of an element type that the device lacks.
static std::string notOfDevice(torch::ScalarType type) {
  return "which the device does not have" +
         std::string(type == torch::ScalarType::Float64
                         ? "; export the model in f32"
                         : "");
}

/// Why the device cannot have a tensor of these sizes; empty if it can.
static std::string whyTooLarge(const torch::TensorType &type) {
  if (type.rank() > int64_t(kernel::maxRank))
    return fmt::format("a tensor of shape {} has more than {} dimensions",
                       torch::text(type.sizes), kernel::maxRank);
  auto checked = torch::checkSize(type);
  return checked ? "" : checked.error().message;
}

/// The same of what a lowering built: the ops from `first` up to `end`.
std::string FunctionConverter::whyTooLarge(Operation *first, Operation *end) {
  for (Operation *op = first; op != end; op = op->getNextNode())
    for (Type result : op->getResultTypes())
      if (auto type = dyn_cast<RankedTensorType>(result)) {
        torch::TensorType tensor;
        tensor.sizes.resize(type.getRank());
        llvm::copy(type.getShape(), tensor.sizes.data());
        if (std::string why = ::whyTooLarge(tensor); !why.empty())
          return "in one of its steps, " + why;
      }
  return "";
}

/// The largest rank of the constant tensors of floats that a call reads, -1:
/// none. Those that belong to a list count as well.
static int64_t constantRankOf(ValueRange operands) {
  int64_t rank = -1;
  for (Value operand : operands) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    Operation *op = operand.getDefiningOp();
    if (type && isa<FloatType>(type.getElementType()) &&
        isa_and_present<arith::ConstantOp, ConstantOp>(op))
      rank = std::max(rank, type.getRank());
    else if (op && op->getName().getStringRef() == "torch.prim.ListConstruct")
      rank = std::max(rank, constantRankOf(op->getOperands()));
  }
  return rank;
}

/// The op that autocast would see, of those that a call is a part of: the outer
/// one if a list has it, as its parts are out of sight of autocast then, or if
/// it writes to its operand, else the inner one. Null if the call says none.
static ArrayAttr wholeOf(Operation *call) {
  auto parts = call->getAttrOfType<ArrayAttr>(sourceOpAttrName);
  if (!parts || parts.size() != 2)
    return {};
  static const AutocastLists lists;
  for (Attribute part : parts) {
    auto pair = dyn_cast<ArrayAttr>(part);
    if (!pair || pair.size() != 2 || !isa<StringAttr>(pair[0]))
      return {};
    const StringRef name = cast<StringAttr>(pair[0]).getValue();
    if (part == parts[1] || name.ends_with("_") ||
        lists.ruleOf(autocastName(std::string_view(name))) !=
            AutocastRule::Given)
      return pair;
  }
  return {};
}

void FunctionConverter::markSource(Operation *first, Operation *call,
                                   const torch::Operator &known,
                                   ArrayRef<torch::Argument> arguments) {
  ++numConverted;
  if (!marksSources)
    return;
  Builder b(function.getContext());
  Attribute name = b.getStringAttr(torchName(call));
  int64_t number = numConverted;
  bool givesF32 = false;
  if (ArrayAttr whole = wholeOf(call)) {
    name = whole[0];
    number = numberOfWhole.try_emplace(whole, number).first->second;
  } else {
    for (auto [parameter, argument] :
         llvm::zip_equal(known.schema.parameters, arguments))
      if (const auto *dtype = std::get_if<int64_t>(&argument))
        givesF32 |= parameter.name == "dtype" &&
                    *dtype == int64_t(torch::ScalarType::Float32);
  }
  const ArrayAttr mark =
      b.getArrayAttr({name, b.getI64IntegerAttr(number),
                      b.getI64IntegerAttr(constantRankOf(call->getOperands())),
                      b.getBoolAttr(givesF32)});
  for (Operation *op = first; op != call; op = op->getNextNode())
    op->setAttr(sourceOpAttrName, mark);
}

FailureOr<torch::TensorType>
FunctionConverter::readTensor(Value value, std::string &reason) {
  if (auto it = complexes.find(value); it != complexes.end())
    return it->second.second;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && isa<ComplexType>(type.getElementType())) {
    reason = "an operand has type '" + spelled(Type(type)) +
             "', whose parts are no tensor of the device";
    return failure();
  }
  if (!type || !type.hasStaticShape()) {
    reason = "an operand has type '" + spelled(value.getType()) + "'; " +
             needsStaticShape.str();
    return failure();
  }
  torch::TensorType result;
  result.sizes.resize(type.getRank());
  llvm::copy(type.getShape(), result.sizes.data());
  auto dtype = scalarTypeOf(type.getElementType());
  if (!dtype) {
    reason = "an operand has type '" + spelled(Type(type)) +
             "', whose elements PyTorch does not have";
    return failure();
  }
  result.dtype = *dtype;
  reason = ::whyTooLarge(result);
  if (!reason.empty())
    return failure();
  // A constant of another type is converted where it is read.
  if (!deviceElement(*dtype, function.getContext()) &&
      !value.getDefiningOp<arith::ConstantOp>()) {
    reason = "an operand has type '" + spelled(Type(type)) + "', " +
             notOfDevice(*dtype);
    return failure();
  }
  return result;
}

void FunctionConverter::addTensor(Value tensor, ReadArgument &argument) {
  auto it = complexes.find(tensor);
  const bool isComplex = it != complexes.end();
  argument.tensors.push_back(isComplex ? it->second.first.real : tensor);
  argument.imaginary.push_back(isComplex ? it->second.first.imag : Value());
}

std::optional<SmallVector<Value>> FunctionConverter::itemsOf(Value list) {
  if (auto it = lists.find(list); it != lists.end())
    return it->second;
  Operation *op = list.getDefiningOp();
  if (op && op->getName().getStringRef() == "torch.prim.ListConstruct")
    return SmallVector<Value>(op->getOperands());
  return std::nullopt;
}

FailureOr<torch::Argument> FunctionConverter::readScalar(Value operand,
                                                         std::string &reason) {
  Operation *op = operand.getDefiningOp();
  while (op && op->getName().getStringRef() == "torch.derefine" &&
         op->getNumOperands() == 1)
    op = op->getOperand(0).getDefiningOp();
  StringRef name = op ? op->getName().getStringRef() : StringRef();
  Attribute value = op ? op->getAttr("value") : Attribute();
  if (name == "torch.constant.none" || name == "torch.constant.device")
    return torch::Argument();
  if (name == "torch.constant.bool" || name == "torch.constant.int")
    if (auto integer = dyn_cast_or_null<IntegerAttr>(value);
        integer && integer.getValue().getSignificantBits() <= 64) {
      if (name == "torch.constant.bool")
        return torch::Argument(!integer.getValue().isZero());
      return torch::Argument(integer.getValue().getSExtValue());
    }
  if (name == "torch.constant.float")
    if (auto real = dyn_cast_or_null<FloatAttr>(value))
      return torch::Argument(real.getValueAsDouble());
  if (name == "torch.constant.str")
    if (auto text = dyn_cast_or_null<StringAttr>(value))
      return torch::Argument(text.getValue().str());
  if (name == "torch.aten.size.int" && op->getNumOperands() == 2)
    if (auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
        type && type.hasStaticShape())
      if (auto dim = readScalar(op->getOperand(1), reason); succeeded(dim))
        if (const auto *number = std::get_if<int64_t>(&*dim);
            number && *number >= -type.getRank() && *number < type.getRank())
          return torch::Argument(type.getDimSize(
              *number < 0 ? *number + type.getRank() : *number));
  reason = ("a number is computed by '" + (op ? name : "an argument") +
            "'; expected a constant")
               .str();
  return failure();
}

FailureOr<ReadArgument>
FunctionConverter::readList(ArrayRef<Value> items,
                            const torch::Parameter &parameter,
                            std::string &reason) {
  ReadArgument list;
  if (parameter.kind == torch::Parameter::Kind::Tensor) {
    torch::Tensors types;
    for (Value item : items) {
      if (isa<TorchObjectType>(item.getType())) { // None
        types.push_back(std::nullopt);
        addTensor({}, list);
        continue;
      }
      auto type = readTensor(item, reason);
      if (failed(type))
        return failure();
      types.emplace_back(*type);
      addTensor(item, list);
    }
    list.value = std::move(types);
    return list;
  }
  std::vector<double> reals;
  torch::Ints integers;
  bool areIntegers = true;
  for (Value item : items) {
    auto number = readScalar(item, reason);
    if (failed(number))
      return failure();
    int64_t integer = 0;
    if (const auto *flag = std::get_if<bool>(&*number))
      integer = *flag;
    else if (const auto *given = std::get_if<int64_t>(&*number))
      integer = *given;
    else
      areIntegers = false;
    const auto *real = std::get_if<double>(&*number);
    if (!areIntegers && !real && reals.size() == integers.size()) {
      reason = "a list has an item that is no number";
      return failure();
    }
    reals.push_back(real ? *real : double(integer));
    integers.resize(integers.size() + 1);
    integers[integers.size() - 1] = integer;
  }
  if (areIntegers)
    list.value = std::move(integers);
  else
    list.value = std::move(reals);
  return list;
}

FailureOr<ReadArgument>
FunctionConverter::read(Value operand, const torch::Parameter &parameter,
                        std::string &reason) {
  if (parameter.isList)
    if (auto items = itemsOf(operand))
      return readList(*items, parameter, reason);
  ReadArgument argument;
  if (isa<RankedTensorType, TorchTensorType>(operand.getType())) {
    auto type = readTensor(operand, reason);
    if (failed(type))
      return failure();
    argument.value = *type;
    addTensor(operand, argument);
    return argument;
  }
  auto scalar = readScalar(operand, reason);
  if (failed(scalar))
    return failure();
  argument.value = std::move(*scalar);
  return argument;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Values that say nothing new: they are read where they are used.
static bool isRead(StringRef name) {
  return name.starts_with("constant.") || name == "prim.ListConstruct" ||
         name == "aten.size.int" || name == "symbolic_int" ||
         name == "bind_symbolic_shape" || name == "derefine";
}

/// Ops that only rename a value, or take lists apart. True if it was one.
bool FunctionConverter::forward(Operation *op, StringRef name) {
  const bool isRenaming =
      llvm::StringSwitch<bool>(name)
          .Cases({"torch_c.from_builtin_tensor", "torch_c.to_builtin_tensor"},
                 true)
          .Cases(
              {"tensor_static_info_cast", "copy.to_tensor", "copy.to_vtensor"},
              true)
          .Default(false);
  if (isRenaming && op->getNumOperands() == 1 && op->getNumResults() == 1) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    return true;
  }
  if (op->getNumOperands() == 0)
    return false;
  if (auto it = complexLists.find(op->getOperand(0));
      it != complexLists.end() && name == "prim.ListUnpack" &&
      it->second.size() == op->getNumResults()) {
    for (auto [result, item] : llvm::zip_equal(op->getResults(), it->second))
      complexes[result] = item;
    return true;
  }
  std::optional<SmallVector<Value>> items = itemsOf(op->getOperand(0));
  if (!items)
    return false;
  if (name == "prim.ListUnpack" && items->size() == op->getNumResults()) {
    op->replaceAllUsesWith(*items);
    return true;
  }
  if (name != "aten.__getitem__.t" || op->getNumOperands() != 2 ||
      op->getNumResults() != 1)
    return false;
  std::string reason;
  auto index = readScalar(op->getOperand(1), reason);
  if (failed(index) || !std::holds_alternative<int64_t>(*index))
    return false;
  int64_t at = std::get<int64_t>(*index);
  at += at < 0 ? items->size() : 0;
  if (at < 0 || at >= int64_t(items->size()))
    return false;
  op->getResult(0).replaceAllUsesWith((*items)[at]);
  return true;
}

/// Rows of Operators.def, by number.
static auto loweringOf(unsigned row) {
  using namespace lowerings;
  static constexpr Lowered (*rows[])(TorchCall &) = {
#define GAUDI_TORCH_OP(schema, rule, lowering, sizes) lowering,
#include "Gaudi/Torch/Operators.def"
  };
  return rows[row];
}

LogicalResult
FunctionConverter::lowerComplexCall(TorchCall &call,
                                    ArrayRef<SmallVector<Value, 1>> imaginary) {
  auto lowered = lowerComplex({call, imaginary, loweringOf(call.op.row)});
  if (failed(lowered))
    return failure();
  if (call.op.schema.returnsList) {
    auto &list = complexLists[call.getSource()->getResult(0)];
    for (auto [i, value] : llvm::enumerate(*lowered))
      list.emplace_back(value, call.resultType(i));
    return success();
  }
  for (auto [i, value] : llvm::enumerate(*lowered)) {
    Value result = call.getSource()->getResult(i);
    if (value.imag)
      complexes[result] = {value, call.resultType(i)};
    else
      result.replaceAllUsesWith(value.real);
  }
  return success();
}

void FunctionConverter::lower(Operation *op, StringRef name,
                              const torch::Operator &known) {
  const auto &parameters = known.schema.parameters;
  if (op->getNumOperands() != parameters.size())
    return refuse(op, "'" + name + "' has " + Twine(op->getNumOperands()) +
                          " operands; expected " + Twine(parameters.size()));
  std::vector<torch::Argument> arguments;
  SmallVector<SmallVector<Value, 1>> values, imaginary;
  std::string reason;
  for (auto [operand, parameter] :
       llvm::zip_equal(op->getOperands(), parameters)) {
    auto argument = read(operand, parameter, reason);
    if (failed(argument))
      return refuse(op, "operand '" + parameter.name + "' of '" + name +
                            "': " + reason);
    arguments.push_back(std::move(argument->value));
    values.push_back(std::move(argument->tensors));
    imaginary.push_back(std::move(argument->imaginary));
  }
  auto results = torch::inferResults(known, arguments);
  if (!results)
    return refuse(op, "'" + name + "': " + results.error().message);
  for (const torch::TensorType &type : *results)
    if (!partElement(type.dtype, function.getContext()))
      return refuse(op, "'" + name + "' has a result of type " +
                            torch::text(type) + ", " + notOfDevice(type.dtype));
  for (const torch::TensorType &type : *results)
    if (std::string why = ::whyTooLarge(type); !why.empty())
      return refuse(op, "'" + name + "': " + why);
  const size_t numResults = known.schema.returnsList ? 1 : results->size();
  if (op->getNumResults() != numResults)
    return (void)report.add(op, "'" + name + "' has " +
                                    Twine(op->getNumResults()) +
                                    " results; expected " + Twine(numResults));
  builder.moveTo(op);
  Operation *before = op->getPrevNode();
  TorchCall call(builder, op, known, arguments, values, *results);
  auto undo = [&] {
    while (op->getPrevNode() != before)
      op->getPrevNode()->erase();
  };
  auto firstStep = [&] {
    return before ? before->getNextNode() : &function.front().front();
  };
  auto sizesOfSteps = [&] { return whyTooLarge(firstStep(), op); };
  const bool isComplex =
      llvm::any_of(imaginary,
                   [](ArrayRef<Value> parts) {
                     return llvm::any_of(parts,
                                         [](Value part) { return bool(part); });
                   }) ||
      llvm::any_of(*results, [](const torch::TensorType &type) {
        return torch::isComplex(type.dtype);
      });
  if (isComplex) {
    const bool isLowered = succeeded(lowerComplexCall(call, imaginary));
    if (!isLowered)
      undo();
    reason = isLowered ? sizesOfSteps() : call.getReason();
    if (!isLowered || !reason.empty())
      return refuse(op, "'" + name + "': " + reason);
    return markSource(firstStep(), op, known, arguments);
  }
  Lowered lowered = loweringOf(known.row)(call);
  reason = failed(lowered) ? call.getReason() : sizesOfSteps();
  if (failed(lowered) || !reason.empty()) {
    undo();
    return refuse(op, "'" + name + "': " + reason);
  }
  for (auto [i, value] : llvm::enumerate(*lowered)) {
    [[maybe_unused]] const bool isAsInferred =
        value.getType() == call.result(i);
    assert(isAsInferred && "a lowering builds what its rule says");
  }
  markSource(firstStep(), op, known, arguments);
  replace(op, known, *lowered);
}

/// Whether a type that the source gives allows `type`.
static bool allows(Type given, RankedTensorType type) {
  auto fits = [&](ArrayRef<int64_t> sizes) {
    return sizes.size() == size_t(type.getRank()) &&
           llvm::all_of(llvm::zip_equal(sizes, type.getShape()), [](auto pair) {
             auto [size, own] = pair;
             return ShapedType::isDynamic(size) || size == own;
           });
  };
  if (auto tensor = dyn_cast<RankedTensorType>(given))
    return tensor.getElementType() == type.getElementType() &&
           fits(tensor.getShape());
  auto tensor = dyn_cast<TorchTensorType>(given);
  if (!tensor)
    return false;
  if (tensor.getDtype() &&
      builtinElement(tensor.getDtype()) != type.getElementType())
    return false;
  return !tensor.getHasRank() || fits(tensor.getSizes());
}

void FunctionConverter::replace(Operation *op, const torch::Operator &known,
                                ArrayRef<Value> values) {
  if (known.schema.returnsList) {
    lists[op->getResult(0)] = SmallVector<Value>(values);
    return;
  }
  for (auto [i, value] : llvm::enumerate(values)) {
    // A result that is not asked for is None.
    if (isa<TorchObjectType>(op->getResult(i).getType()) &&
        op->getResult(i).use_empty())
      continue;
    if (!allows(op->getResult(i).getType(), tensorType(value)))
      return (void)report.add(op, "result " + Twine(i) + " has type '" +
                                      spelled(op->getResult(i).getType()) +
                                      "' but the operands make it '" +
                                      spelled(value.getType()) + "'");
  }
  op->replaceAllUsesWith(values);
}

/// True for ops that take numbers from a generator of PyTorch.
static bool isDraw(StringRef name) {
  return llvm::StringSwitch<bool>(name.split('.').second.split('.').first)
      .Cases({"rand", "rand_like", "randn", "randn_like", "randint",
              "randint_like", "randperm", "bernoulli", "uniform", "normal",
              "normal_functional", "exponential", "multinomial",
              "native_dropout"},
             true)
      .Default(false);
}

/// True for ops that have a result whose size depends on values.
static bool dependsOnValues(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"aten.nonzero", "aten.nonzero_numpy", "aten.argwhere"}, true)
      .Cases({"aten.masked_select", "aten.where", "aten.bincount"}, true)
      .Cases({"aten._unique", "aten._unique2", "aten.unique_dim"}, true)
      .Cases({"aten.unique_consecutive", "aten.unique_dim_consecutive"}, true)
      .Case("aten.repeat_interleave.Tensor", true)
      .Default(false);
}

/// What is wrong with an op that no row has.
static std::string whyUnknown(Operation *op, StringRef name) {
  if (name == "vtensor.literal" || name == "tensor.literal")
    return "its value is no tensor of numbers of a fixed shape";
  if (name == "prim.ListUnpack" || name == "aten.__getitem__.t")
    return "it takes what its list does not have, or no list of tensors";
  if (isDraw(name))
    return ("'" + name +
            "' draws random numbers and has no seed; torch.compile, "
            "gaudi_mlir.torch.export and gaudi-import of a .pt2 file give it "
            "one")
        .str();
  if (dependsOnValues(name))
    return ("the size of a result of '" + name +
            "' depends on values; a graph may compute a result of the largest "
            "size, as aten.nonzero_static does, and a count")
        .str();
  return ("'" + name + "' is not supported").str();
}

void FunctionConverter::convert(Operation *op) {
  StringRef name = torchName(op);
  if (isRead(name) || forward(op, name))
    return;
  if (op->getNumRegions() != 0)
    return (void)report.add(op, "loops and branches of the torch dialect are "
                                "not supported");
  // What an earlier error left adds nothing to it.
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp();
        source && report.contains(source))
      return report.ignore(op);
  const torch::Operator *known = torch::findOperator(name);
  if (!known)
    return refuse(op, whyUnknown(op, name));
  lower(op, name, *known);
}

/// The type of a tensor with pairs for complex numbers; `stated` itself if it
/// has none, or none that the device has as pairs.
static Type withPairs(Type stated) {
  auto tensor = dyn_cast<RankedTensorType>(stated);
  if (!tensor || !isa<ComplexType>(tensor.getElementType()) ||
      !tensor.hasStaticShape() || tensor.getRank() >= int64_t(kernel::maxRank))
    return stated;
  auto dtype = scalarTypeOf(tensor.getElementType());
  Type part = dtype ? partElement(*dtype, tensor.getContext()) : Type();
  if (!part)
    return stated;
  SmallVector<int64_t> shape(tensor.getShape());
  shape.push_back(2);
  return RankedTensorType::get(shape, part);
}

/// Complex numbers as pairs of `type`; null if it is no value of numbers.
static ElementsAttr pairsValue(Attribute value, RankedTensorType type) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return cast<ElementsAttr>(Attribute(
        DenseResourceElementsAttr::get(type, resource.getRawHandle())));
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements)
    return {};
  SmallVector<APFloat> parts;
  for (const std::complex<APFloat> &number :
       elements.getValues<std::complex<APFloat>>()) {
    parts.push_back(number.real());
    parts.push_back(number.imag());
  }
  return cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, parts)));
}

void FunctionConverter::addPairs(Value complex, Value pairs) {
  auto given = cast<RankedTensorType>(pairs.getType());
  torch::TensorType type;
  type.sizes.resize(given.getRank() - 1);
  llvm::copy(given.getShape().drop_back(), type.sizes.data());
  type.dtype = torch::complexType(*scalarTypeOf(given.getElementType()));
  complexes[complex] = {partsOfPairs(builder, pairs), type};
}

void FunctionConverter::splitGiven() {
  builder.setInsertionPointToStart(&function.front());
  for (BlockArgument argument : function.getArguments()) {
    Type pairs = withPairs(argument.getType());
    if (pairs == argument.getType())
      continue;
    builder.setLoc(argument.getLoc());
    auto complex = UnrealizedConversionCastOp::create(
        builder, argument.getType(), argument);
    argument.replaceAllUsesExcept(complex.getResult(0), complex);
    argument.setType(pairs);
    addPairs(complex.getResult(0), argument);
  }
  for (auto constant : llvm::make_early_inc_range(
           function.front().getOps<arith::ConstantOp>())) {
    Type pairs = withPairs(constant.getType());
    if (pairs == constant.getType())
      continue;
    builder.moveTo(constant);
    if (ElementsAttr value =
            pairsValue(constant.getValue(), cast<RankedTensorType>(pairs)))
      addPairs(constant, ConstantOp::create(builder, value));
  }
}

void FunctionConverter::joinResults() {
  Operation *end = function.front().getTerminator();
  builder.moveTo(end);
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    auto it = complexes.find(value);
    if (it == complexes.end())
      continue;
    const auto &[complex, type] = it->second;
    if (type.rank() >= int64_t(kernel::maxRank))
      return (void)report.add(end, "result " + Twine(i) +
                                       " is complex: its parts would be one "
                                       "more dimension than a tensor may have");
    end->setOperand(i, pairsOf(builder, complex));
  }
}

void FunctionConverter::eraseConverted(ArrayRef<Operation *> ops) {
  // One error for a chain of what stays, at its end.
  auto isOfTorch = [](Operation *user) { return isTorchOp(user); };
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
    else if (!llvm::all_of(op->getUsers(), isOfTorch))
      (void)report.add(op, "its value is used in a way that is not supported");
  // Complex arguments and constants have pairs in their place.
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (isa<UnrealizedConversionCastOp, arith::ConstantOp>(op) &&
        complexes.contains(op.getResult(0)) && op.use_empty())
      op.erase();
}

void FunctionConverter::finishSignature() {
  Operation *end = function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        !type || !allows(withPairs(function.getResultTypes()[i]), type))
      return (void)report.add(end,
                              "result " + Twine(i) + " has type '" +
                                  spelled(value.getType()) + "'; expected '" +
                                  spelled(function.getResultTypes()[i]) + "'");
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     end->getOperandTypes()));
}

void FunctionConverter::run() {
  if (!function.getBody().hasOneBlock())
    return (void)report.add(function, "a function must be one block");
  function.walk([&](Operation *op) {
    Operation *parent = op->getParentOp();
    if (isTorchOp(op) && parent != function && !isTorchOp(parent))
      (void)report.add(op, "it is in a region of '" +
                               parent->getName().getStringRef() +
                               "'; only straight code of the torch dialect is "
                               "supported");
  });
  SmallVector<Operation *> ops;
  for (Operation &op : function.front())
    if (isTorchOp(&op))
      ops.push_back(&op);
  splitGiven();
  for (Operation *op : ops)
    convert(op);
  if (report.empty())
    joinResults();
  if (report.empty())
    eraseConverted(ops);
  if (report.empty())
    finishSignature();
}
