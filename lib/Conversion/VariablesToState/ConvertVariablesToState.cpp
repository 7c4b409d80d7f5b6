// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of TOSA and globals of ml_program as arguments and results of the
// functions that use them.
#include "Gaudi/Conversion/ConversionReport.h"
#include "Gaudi/Conversion/Passes.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Signature.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gaudi {
#define GEN_PASS_DEF_CONVERTVARIABLESTOSTATE
#include "Gaudi/Conversion/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

namespace {

/// A variable or global.
struct Variable {
  Operation *declaration;
  RankedTensorType type;
  ElementsAttr initial;        // null: not given
  bool isMutable;              // or it is a constant by declaration
  Operation *writer = nullptr; // some op that writes it
};

/// An op that reads or writes a variable.
struct Access {
  explicit operator bool() const { return bool(symbol); }
  StringAttr name() const { return symbol.getLeafReference(); }

  SymbolRefAttr symbol; // null: the op does neither
  Value written;        // null: it reads
};

/// What a function holds while its ops are rewritten in program order.
struct Held {
  unsigned argument; // of the value before the launch
  Value current;
};

class Converter {
public:
  explicit Converter(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  LogicalResult run();
  unsigned numStates = 0, numConstants = 0;

private:
  void declare(Operation *op);
  void convert(func::FuncOp function);
  void convertNested(Operation *op, func::FuncOp function);
  void replace(Operation *op, const Access &access, Value value);
  Value currentValue(StringAttr name, func::FuncOp function);
  void returnWritten(func::FuncOp function);
  void remarkVariables();
  ModuleOp module;
  OpBuilder builder;
  ConversionReport report;
  llvm::MapVector<StringAttr, Variable> variables;
  llvm::MapVector<StringAttr, Held> held; // of the function being converted
};

struct ConvertVariablesToState
    : gaudi::impl::ConvertVariablesToStateBase<ConvertVariablesToState> {
  void runOnOperation() override {
    Converter converter(getOperation());
    if (failed(converter.run()))
      signalPassFailure();
    numStates += converter.numStates;
    numConstants += converter.numConstants;
    if (converter.numStates + converter.numConstants == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace

static bool isDeclaration(Operation *op) {
  return isa<tosa::VariableOp, ml_program::GlobalOp>(op);
}

/// Upstream verifies that an access names a variable, which may be of a nested
/// module.
static Access accessOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Access>(op)
      .Case([](tosa::VariableReadOp read) {
        return Access{SymbolRefAttr::get(read.getNameAttr()), {}};
      })
      .Case([](tosa::VariableWriteOp write) {
        return Access{SymbolRefAttr::get(write.getNameAttr()),
                      write.getInput1()};
      })
      .Case<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp,
            ml_program::GlobalLoadGraphOp>(
          [](auto load) { return Access{load.getGlobal(), {}}; })
      .Case<ml_program::GlobalStoreOp, ml_program::GlobalStoreGraphOp>(
          [](auto store) {
            return Access{store.getGlobal(), store.getValue()};
          })
      .Default(Access());
}

/// Notes a variable, and the errors of its declaration.
void Converter::declare(Operation *op) {
  // Declared even with an error, so that its uses are not reported as well.
  Variable variable{op, {}, {}, true};
  Attribute value;
  if (auto tosaVariable = dyn_cast<tosa::VariableOp>(op)) {
    variable.type = tosa::getVariableType(tosaVariable);
    value = tosaVariable.getInitialValueAttr();
  } else {
    auto global = cast<ml_program::GlobalOp>(op);
    variable.type = dyn_cast<RankedTensorType>(global.getType());
    variable.isMutable = global.getIsMutable();
    value = global.getValueAttr();
  }
  variable.initial = dyn_cast_or_null<ElementsAttr>(value);
  variables.insert({cast<SymbolOpInterface>(op).getNameAttr(), variable});
  if (!variable.type || !variable.type.hasStaticShape() ||
      !isDeviceElement(variable.type.getElementType()))
    return (void)report.add(op, "its type is no tensor of static shape and of "
                                "an element type of the device");
  // An extern is a value, but no tensor of values.
  if (value && !variable.initial)
    return (void)report.add(op, "its value comes from outside the module; "
                                "make it an argument of the functions that use "
                                "it");
  if (!variable.initial)
    return;
  // Upstream compares neither the form nor the type.
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(variable.initial))
    return (void)report.add(op, "its value is neither dense nor a resource");
  if (Type type = variable.initial.getShapedType(); type != variable.type)
    return (void)report.add(op, "its value has type '" + debugString(type) +
                                    "', but the variable '" +
                                    debugString(variable.type) + "'");
  auto resource = dyn_cast<DenseResourceElementsAttr>(variable.initial);
  if (resource && !resource.getRawHandle().getBlob())
    (void)report.add(op, "its values are not in the file; print the model with "
                         "all its constants, or make it an argument");
}

/// The value of the variable at this point of the function: that of an argument
/// unless something was written before. A constant if nothing ever writes it.
Value Converter::currentValue(StringAttr name, func::FuncOp function) {
  if (auto it = held.find(name); it != held.end())
    return it->second.current;
  auto declared = variables.find(name);
  assert(declared != variables.end() && "run() has looked it up");
  const Variable &variable = declared->second;
  Location loc = variable.declaration->getLoc();
  Attribute initial = variable.initial;
  // Without an initial value it starts with zeros.
  if (!initial)
    initial = builder.getZeroAttr(variable.type);
  // Nothing writes it: a constant of the function, not a state.
  if (!variable.writer) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    Value value =
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(initial));
    held[name] = {UINT_MAX, value};
    return value;
  }
  // The first use makes the argument; returnWritten() adds the result.
  NamedAttrList attributes;
  attributes.set(variableAttrName, name);
  attributes.set(stateAttrName, builder.getUnitAttr());
  attributes.set(initialAttrName, initial);
  const unsigned number = function.getNumArguments();
  [[maybe_unused]] LogicalResult inserted = function.insertArgument(
      number, variable.type, attributes.getDictionary(module.getContext()),
      loc);
  assert(succeeded(inserted) && "a function type takes any argument");
  Value value = function.getArgument(number);
  held[name] = {number, value};
  return value;
}

/// Erases an access; `value`: of the variable, for a read. Tokens only order
/// accesses, as the program does.
void Converter::replace(Operation *op, const Access &access, Value value) {
  if (op->getNumResults() != 0 && !access.written)
    op->getResult(0).replaceAllUsesWith(value);
  for (OpResult token : op->getResults())
    if (isa<ml_program::TokenType>(token.getType()) && !token.use_empty()) {
      builder.setInsertionPoint(op);
      token.replaceAllUsesWith(
          ml_program::TokenOp::create(builder, op->getLoc(), token.getType()));
    }
  op->erase();
}

/// Reads inside an op see the value before it, unless the op also writes it.
void Converter::convertNested(Operation *op, func::FuncOp function) {
  SmallVector<Operation *> reads;
  llvm::MapVector<StringAttr, Operation *> writes; // errors in program order
  op->walk([&](Operation *inner) {
    const Access access = accessOf(inner);
    if (!access)
      return;
    if (access.written)
      writes.try_emplace(access.name(), inner);
    else
      reads.push_back(inner);
  });
  // A write inside may not happen, or happen often: no one value follows.
  for (auto [name, writer] : writes)
    (void)report.add(writer,
                     "it writes a variable inside '" +
                         op->getName().getStringRef() +
                         "'; return the value from there, and write it after",
                     ConversionReport::Note{op->getLoc(), "this op"});
  for (Operation *read : reads) {
    const Access access = accessOf(read);
    if (!writes.contains(access.name()) && !report.contains(read))
      replace(read, access, currentValue(access.name(), function));
  }
}

/// Appends what the function has written to its results.
void Converter::returnWritten(func::FuncOp function) {
  auto exit = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  for (auto &[name, state] : held) {
    if (state.argument == UINT_MAX ||
        state.current == function.getArgument(state.argument))
      continue;
    const unsigned result = function.getNumResults();
    [[maybe_unused]] LogicalResult inserted =
        function.insertResult(result, state.current.getType(), {});
    assert(succeeded(inserted) && "a function type takes any result");
    exit->insertOperands(result, state.current);
    function.setArgAttr(state.argument, stateAttrName,
                        builder.getI64IntegerAttr(result));
  }
}

void Converter::convert(func::FuncOp function) {
  // A function without variables keeps its signature.
  bool uses = false;
  function.walk([&](Operation *op) { uses |= bool(accessOf(op)); });
  if (!uses)
    return;
  if (!function.getBody().hasOneBlock() ||
      !isa<func::ReturnOp>(function.getBody().front().getTerminator()))
    return (void)report.add(function,
                            "it uses variables and has several blocks; "
                            "branches have no place in a graph");
  if (!SymbolTable::symbolKnownUseEmpty(function, module))
    return (void)report.add(function, "it uses variables and is called by "
                                      "another function; inline it first");
  held.clear();
  // In program order: a read sees the last write before it.
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    ops.push_back(&op);
  for (Operation *op : ops) {
    const Access access = accessOf(op);
    if (!access) {
      if (op->getNumRegions() != 0)
        convertNested(op, function);
      continue;
    }
    if (report.contains(op))
      continue;
    Value value = currentValue(access.name(), function);
    if (access.written)
      held[access.name()].current = access.written;
    replace(op, access, value);
  }
  returnWritten(function);
}

void Converter::remarkVariables() {
  for (auto &[name, variable] : variables) {
    Location loc = variable.declaration->getLoc();
    auto options = remark::RemarkOpts::name("variable")
                       .category("convert-variables-to-state");
    if (variable.writer) {
      ++numStates;
      remark::passed(loc, options)
          << ("made state of variable '" + name.getValue() +
              "': it keeps its value from launch to launch" +
              (variable.initial ? "" : ", and starts as zeros"))
                 .str();
      continue;
    }
    ++numConstants;
    if (variable.isMutable)
      remark::passed(loc, options)
          << ("made a constant of variable '" + name.getValue() +
              "': no function writes it")
                 .str();
  }
}

LogicalResult Converter::run() {
  // Three steps, each only if the one before found no error: declarations,
  // uses, functions.
  SmallVector<Operation *> declarations;
  for (Operation &op : *module.getBody())
    if (isDeclaration(&op))
      declarations.push_back(&op);
  for (Operation *op : declarations)
    declare(op);
  if (failed(report.emit()))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *op) {
      const Access access = accessOf(op);
      if (!access)
        return;
      auto variable = variables.find(access.name());
      if (variable == variables.end() ||
          !access.symbol.getNestedReferences().empty())
        return (void)report.add(op, "its variable is not one of this module; "
                                    "move it here from the nested module");
      // Whether anything writes it must be known before a function is
      // converted.
      if (access.written)
        variable->second.writer = op;
    });
  if (failed(report.emit()))
    return failure();
  remarkVariables();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      convert(function);
  if (failed(report.emit()))
    return failure();
  module.walk([&](ml_program::TokenOp op) {
    if (op->use_empty())
      op->erase();
  });
  for (Operation *op : declarations)
    op->erase();
  return success();
}
