// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts functions at loops that the host runs.
//
// The parts are functions of straight code, as all others: every pass and the
// memory planner see one at a time. What one part leaves to another is state,
// so that nothing is written that a later part or iteration reads, but by the
// rules for states: at its end, or in place where all reads are before.
#include "HostLoop.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gaudi;

namespace {

/// As many loops may be nested, and entries have parts, as recipes allow.
constexpr unsigned maxNesting = 16;
constexpr unsigned maxParts = 2000;

/// A function under construction that uses values of the one being cut.
struct Part {
  func::FuncOp function;
  /// What stands for them, in its body.
  DenseMap<Value, Value> inside;
};

class Cutter {
public:
  Cutter(const HostLoop &loop, func::FuncOp function)
      : loop(loop), first(function),
        module(function->getParentOfType<ModuleOp>()),
        builder(function.getContext()) {}

  void run();
  unsigned numVariables() const {
    return 1 + carried.size() + lives.size(); // one is the condition
  }
  unsigned numKeptOrders() const { return kept; }

private:
  void makeEntry();
  void dropPermissions();
  Part makePart(StringRef name, func::FuncOp after);
  std::string freshName(const Twine &base);
  std::string freshBase();
  StringRef baseName() {
    StringRef base = first.getName();
    base.consume_back(".before");
    return base;
  }
  Value addArgument(func::FuncOp function, Type type, Location loc,
                    ArrayRef<NamedAttribute> attributes);
  Value addVariable(func::FuncOp function, StringAttr name, Value like);
  Value valueIn(Part &part, Value outside);
  void useInside(Part &part);
  void buildIteration();
  void buildRest();
  void finishFirst();
  void setResults(func::FuncOp function, ValueRange values);
  void tie(func::FuncOp function, Value argument, unsigned result);
  void growProgram();

  const HostLoop &loop;
  func::FuncOp first; // the function that is cut; in the end the first part
  func::FuncOp entry; // the declaration that launches the parts
  ModuleOp module;
  OpBuilder builder;
  Part iteration, rest;
  unsigned kept = 0;    // arguments and results that may have had another order
  std::string base;     // of the names of variables
  StringAttr condition; // the variable of that name
  SmallVector<StringAttr> carried;          // variables of the loop's values
  llvm::MapVector<Value, StringAttr> lives; // across the loop -> variable
};
} // namespace

/// True if the op is as good as its value wherever it is computed.
static bool isRepeatable(Operation *op) {
  if (op->getNumOperands() != 0 || op->getNumRegions() != 0)
    return false;
  // The dialects of StableHLO have no registered ops.
  return op->isRegistered() ? isPure(op) : isHlo(op, Hlo::Constant, Hlo::Iota);
}

static bool canBeVariable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.hasStaticShape() : type.isIntOrIndexOrFloat();
}

static void forEachOperand(Operation *op,
                           llvm::function_ref<void(OpOperand &)> visit) {
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands())
      visit(operand);
  });
}

static unsigned nestingOf(ArrayAttr steps, StringAttr part) {
  for (Attribute step : steps) {
    if (auto symbol = dyn_cast<FlatSymbolRefAttr>(step))
      if (symbol.getAttr() == part)
        return 1;
    if (auto nested = dyn_cast<ArrayAttr>(step))
      if (unsigned depth = nestingOf(cast<ArrayAttr>(nested[1]), part))
        return depth + 1;
  }
  return 0;
}

std::string gaudi::whyNotOnHost(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || !function.getBody().hasOneBlock())
    return "it is inside another op";
  // The host would run it even where the model does not come by.
  if (op->hasAttr(speculativeAttrName))
    return "it is in a branch or iteration that is computed even where the "
           "model does not reach it, where it may run forever";
  auto module = dyn_cast<ModuleOp>(function->getParentOp());
  if (!module)
    return "its function is inside another op";
  if (function->hasAttr(bucketAttrName))
    return "its function has dynamic sizes, and a bucket of it is one launch; "
           "the same function with static sizes would do";
  // A caller would need the parts of the function it calls.
  auto partOf = function->getAttrOfType<FlatSymbolRefAttr>(partOfAttrName);
  if (!partOf && !SymbolTable::symbolKnownUseEmpty(function, module))
    return "its function is called by another one";
  if (partOf) {
    auto entry = module.lookupSymbol<func::FuncOp>(partOf.getAttr());
    if (!entry || !programOf(entry))
      return "its function is a part of no entry";
    if (nestingOf(programOf(entry), function.getNameAttr()) > maxNesting)
      return "more than " + std::to_string(maxNesting) + " such loops nest";
    if (llvm::range_size(module.getOps<func::FuncOp>()) > maxParts)
      return "the module would have more than " + std::to_string(maxParts) +
             " parts";
  }
  // Whatever is computed before the loop and used in it or after it.
  std::string why;
  // State is what the parts of a function share; a repeatable op is made again
  // where it is read.
  auto check = [&](Value value) {
    if (!why.empty() || canBeVariable(value.getType()) ||
        (value.getDefiningOp() && isRepeatable(value.getDefiningOp())))
      return;
    llvm::raw_string_ostream(why)
        << "a value of type '" << value.getType()
        << "' lives across its ends; state is a static tensor or a scalar";
  };
  for (Value value : op->getOperands())
    check(value);
  for (Value value : op->getResults())
    check(value);
  auto isBefore = [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition && definition->getBlock() == op->getBlock() &&
           definition->isBeforeInBlock(op);
  };
  // From the loop to the end of the block: what any of these ops reads from
  // before lives across the loop.
  for (Operation *user = op; user && why.empty(); user = user->getNextNode())
    forEachOperand(user, [&](OpOperand &operand) {
      if (isBefore(operand.get()))
        check(operand.get());
    });
  return why;
}

SmallVector<Value> gaudi::cloneBlock(OpBuilder &builder, Block &block,
                                     ValueRange arguments) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : llvm::drop_end(block))
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (Value result : block.back().getOperands())
    results.push_back(mapping.lookupOrDefault(result));
  return results;
}

/// Makes a function that the host launches the first part of an entry.
void Cutter::makeEntry() {
  // The function is a part already: it is cut once more.
  if (auto partOf = first->getAttrOfType<FlatSymbolRefAttr>(partOfAttrName)) {
    entry = module.lookupSymbol<func::FuncOp>(partOf.getAttr());
    return;
  }
  const SmallVector<unsigned> arguments = visibleArguments(first),
                              results = visibleResults(first);
  SmallVector<Type> inputs, outputs;
  for (unsigned i : arguments)
    inputs.push_back(first.getArgumentTypes()[i]);
  for (unsigned i : results)
    outputs.push_back(first.getResultTypes()[i]);
  builder.setInsertionPoint(first);
  // The entry has the name that callers know; the first part gets another one.
  const StringAttr name = first.getNameAttr();
  first.setName(freshName(name.getValue() + ".before"));
  entry = func::FuncOp::create(builder, first.getLoc(), name,
                               builder.getFunctionType(inputs, outputs));
  // A declaration is private, so that the first part is what keeps it alive.
  entry.setPrivate();
  auto symbol = FlatSymbolRefAttr::get(name);
  first->setAttr(partOfAttrName, symbol);
  entry->setAttr(programAttrName,
                 builder.getArrayAttr(FlatSymbolRefAttr::get(first)));
  // Parts are compiled one by one and could not agree on orders.
  dropPermissions();
  // What callers see of arguments and results moves to the entry; the part says
  // which of the entry's each is.
  for (auto [number, i] : llvm::enumerate(arguments)) {
    const auto index = builder.getI64IntegerAttr(number);
    if (Attribute order = first.getArgAttr(i, permutationAttrName))
      entry.setArgAttr(number, permutationAttrName, order);
    if (std::string given = argumentName(first, i);
        given != argumentName(entry, number))
      entry.setArgAttr(number, nameAttrName, builder.getStringAttr(given));
    if (auto result = stateResult(first, i))
      entry.setArgAttr(number, stateAttrName,
                       builder.getI64IntegerAttr(llvm::find(results, *result) -
                                                 results.begin()));
    else if (isState(first, i))
      entry.setArgAttr(number, stateAttrName, builder.getUnitAttr());
    first.setArgAttr(i, parameterAttrName, index);
  }
  for (auto [number, i] : llvm::enumerate(results)) {
    if (std::string given = resultName(first, i);
        given != resultName(entry, number))
      entry.setResultAttr(number, nameAttrName, builder.getStringAttr(given));
    if (Attribute order = first.getResultAttr(i, permutationAttrName))
      entry.setResultAttr(number, permutationAttrName, order);
    first.setResultAttr(i, outputAttrName, builder.getI64IntegerAttr(number));
  }
}

/// Parts choose orders one by one, and the arguments and results of the entry
/// are shared by several: they keep the caller's order.
void Cutter::dropPermissions() {
  for (unsigned i = 0; i < first.getNumArguments(); ++i)
    kept += bool(first.removeArgAttr(i, allowPermutationAttrName));
  for (unsigned i = 0; i < first.getNumResults(); ++i)
    kept += bool(first.removeResultAttr(
        i, builder.getStringAttr(allowPermutationAttrName)));
}

std::string Cutter::freshName(const Twine &base) {
  std::string name = base.str();
  for (unsigned i = 1; module.lookupSymbol(name); ++i)
    name = (base + "." + Twine(i)).str();
  return name;
}

/// True if an argument or result in the module has a name that goes on from
/// `base` as those of variables do, so that it may be the name of one.
static bool beginsName(ModuleOp module, StringRef base) {
  const StringAttr keys[] = {
      StringAttr::get(module.getContext(), variableAttrName),
      StringAttr::get(module.getContext(), nameAttrName)};
  auto isNamed = [&](DictionaryAttr attributes) {
    return llvm::any_of(keys, [&](StringAttr key) {
      auto name = attributes.getAs<StringAttr>(key);
      StringRef rest = name ? name.getValue() : StringRef();
      return rest.consume_front(base) && rest.starts_with(".");
    });
  };
  for (auto function : module.getOps<func::FuncOp>())
    for (ArrayAttr all :
         {function.getArgAttrsAttr(), function.getResAttrsAttr()})
      if (all && llvm::any_of(all.getAsRange<DictionaryAttr>(), isNamed))
        return true;
  return false;
}

/// A name for the part of the loop that its variables can begin with.
std::string Cutter::freshBase() {
  const std::string wanted = (baseName() + ".loop").str();
  std::string name = freshName(wanted);
  for (unsigned i = 1; beginsName(module, name); ++i)
    name = freshName(wanted + "." + Twine(i));
  return name;
}

Part Cutter::makePart(StringRef name, func::FuncOp after) {
  builder.setInsertionPointAfter(after);
  auto function = func::FuncOp::create(builder, loop.op->getLoc(), name,
                                       builder.getFunctionType({}, {}));
  function.setPrivate();
  function->setAttr(partOfAttrName, FlatSymbolRefAttr::get(entry));
  function.addEntryBlock();
  Part part;
  part.function = function;
  return part;
}

Value Cutter::addArgument(func::FuncOp function, Type type, Location loc,
                          ArrayRef<NamedAttribute> attributes) {
  const unsigned number = function.getNumArguments();
  [[maybe_unused]] LogicalResult inserted = function.insertArgument(
      number, type, builder.getDictionaryAttr(attributes), loc);
  assert(succeeded(inserted) && "a function type takes any argument");
  return function.getArgument(number);
}

/// An argument for a variable that the function reads; `tie` makes it write it.
Value Cutter::addVariable(func::FuncOp function, StringAttr name, Value like) {
  return addArgument(
      function, like.getType(), like.getLoc(),
      {builder.getNamedAttr(variableAttrName, name),
       builder.getNamedAttr(stateAttrName, builder.getUnitAttr())});
}

/// The value in a part of one that was computed before the loop: an argument
/// again, a constant again, or a variable.
Value Cutter::valueIn(Part &part, Value outside) {
  if (Value known = part.inside.lookup(outside))
    return known;
  Value value;
  if (auto argument = dyn_cast<BlockArgument>(outside)) {
    NamedAttrList attributes(first.getArgAttrDict(argument.getArgNumber()));
    if (attributes.get(stateAttrName))
      attributes.set(stateAttrName, builder.getUnitAttr());
    value = addArgument(part.function, outside.getType(), outside.getLoc(),
                        attributes.getAttrs());
  } else if (isRepeatable(outside.getDefiningOp())) {
    // Cheaper to make again than to keep alive.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&part.function.getBody().front());
    Operation *copy = builder.clone(*outside.getDefiningOp());
    value = copy->getResult(cast<OpResult>(outside).getResultNumber());
  } else {
    StringAttr &name = lives[outside];
    if (!name)
      name = builder.getStringAttr(base + ".live" + Twine(lives.size() - 1));
    value = addVariable(part.function, name, outside);
  }
  part.inside[outside] = value;
  return value;
}

/// Replaces what the ops of a part use from outside it.
void Cutter::useInside(Part &part) {
  Block &block = part.function.getBody().front();
  SmallVector<Operation *> ops; // valueIn inserts at the start
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops)
    forEachOperand(op, [&](OpOperand &operand) {
      Region *region = operand.get().getParentRegion();
      if (region == &first.getBody())
        operand.set(valueIn(part, operand.get()));
    });
}

/// Sets the type of a function from what its block takes and returns.
void Cutter::setResults(func::FuncOp function, ValueRange values) {
  Block &block = function.getBody().front();
  function.setType(
      builder.getFunctionType(block.getArgumentTypes(), values.getTypes()));
}

void Cutter::tie(func::FuncOp function, Value argument, unsigned result) {
  function.setArgAttr(cast<BlockArgument>(argument).getArgNumber(),
                      stateAttrName, builder.getI64IntegerAttr(result));
}

/// One iteration, with the condition of the next.
void Cutter::buildIteration() {
  iteration = makePart(base, first);
  func::FuncOp function = iteration.function;
  Block &block = function.getBody().front();
  SmallVector<Value> arguments;
  builder.setInsertionPoint(loop.op);
  for (auto [name, value] : llvm::zip_equal(carried, loop.results))
    arguments.push_back(addVariable(function, name, value));
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> next =
      loop.before(builder, loop.after(builder, arguments));
  assert(next.size() == carried.size() + 1 && "the condition, then the values");
  arguments.insert(arguments.begin(),
                   addVariable(function, condition, next.front()));
  func::ReturnOp::create(builder, loop.op->getLoc(), next);
  useInside(iteration);
  setResults(function, next);
  for (auto [result, argument] : llvm::enumerate(arguments))
    tie(function, argument, result);
}

/// What comes after the loop, with the results of the function.
void Cutter::buildRest() {
  rest = makePart(freshName(baseName() + ".after"), iteration.function);
  func::FuncOp function = rest.function;
  Block &block = function.getBody().front(), &from = first.getBody().front();
  for (auto [name, result] : llvm::zip_equal(carried, loop.results))
    if (Value value = result; !value.use_empty())
      value.replaceAllUsesWith(addVariable(function, name, value));
  block.getOperations().splice(block.end(), from.getOperations(),
                               std::next(loop.op->getIterator()), from.end());
  useInside(rest);
  SmallVector<DictionaryAttr> attributes;
  first.getAllResultAttrs(attributes);
  setResults(function, block.getTerminator()->getOperands());
  function.setAllResultAttrs(attributes);
  // States are updated at the very end, when nobody reads the old value.
  for (unsigned i = 0; i < first.getNumArguments(); ++i)
    if (auto result = stateResult(first, i)) {
      tie(function, valueIn(rest, first.getArgument(i)), *result);
      first.setArgAttr(i, stateAttrName, builder.getUnitAttr());
    }
}

/// The part before the loop returns its first values, and those that live on.
void Cutter::finishFirst() {
  builder.setInsertionPoint(loop.op);
  SmallVector<Value> values = loop.before(builder, loop.inits);
  SmallVector<StringAttr> names{condition};
  llvm::append_range(names, carried);
  for (auto &[value, name] : lives) {
    values.push_back(value);
    names.push_back(name);
  }
  func::ReturnOp::create(builder, loop.op->getLoc(), values);
  first.removeResAttrsAttr();
  setResults(first, values);
  loop.op->erase();
  for (auto [result, name] : llvm::enumerate(names))
    tie(first, addVariable(first, name, values[result]), result);
}

/// `steps` with `part` replaced by `instead`.
static ArrayAttr replaceStep(ArrayAttr steps, StringAttr part,
                             ArrayRef<Attribute> instead) {
  SmallVector<Attribute> result;
  for (Attribute step : steps) {
    auto symbol = dyn_cast<FlatSymbolRefAttr>(step);
    if (symbol && symbol.getAttr() == part) {
      llvm::append_range(result, instead);
    } else if (auto nested = dyn_cast<ArrayAttr>(step)) {
      Attribute body = replaceStep(cast<ArrayAttr>(nested[1]), part, instead);
      result.push_back(ArrayAttr::get(steps.getContext(), {nested[0], body}));
    } else {
      result.push_back(step);
    }
  }
  return ArrayAttr::get(steps.getContext(), result);
}

void Cutter::growProgram() {
  auto launch = [](func::FuncOp part) -> Attribute {
    return FlatSymbolRefAttr::get(part);
  };
  Attribute body = builder.getArrayAttr(launch(iteration.function));
  Attribute whole[] = {launch(first),
                       builder.getArrayAttr({Attribute(condition), body}),
                       launch(rest.function)};
  entry->setAttr(programAttrName,
                 replaceStep(programOf(entry), first.getNameAttr(), whole));
}

void Cutter::run() {
  makeEntry();
  // The names of variables are those of the loop's own part.
  base = freshBase();
  condition = builder.getStringAttr(base + ".condition");
  for (unsigned i = 0; i < loop.results.size(); ++i)
    carried.push_back(builder.getStringAttr(base + ".value" + Twine(i)));
  buildIteration();
  buildRest();
  finishFirst();
  growProgram();
}

void gaudi::runOnHost(const HostLoop &loop, StringRef category,
                      const Twine &why) {
  assert(whyNotOnHost(loop.op).empty() && "the caller has asked");
  Location loc = loop.op->getLoc();
  Cutter cutter(loop, cast<func::FuncOp>(loop.op->getParentOp()));
  cutter.run();
  remark::passed(loc, remark::RemarkOpts::name("host-loop").category(category))
      << ("the host runs the loop, a launch for each iteration: " + why + "; " +
          Twine(cutter.numVariables()) + " values are state between launches")
             .str();
  if (const unsigned kept = cutter.numKeptOrders())
    remark::missed(loc,
                   remark::RemarkOpts::name("host-loop").category(category))
        << remark::reason("kept the order of {0} arguments and results that "
                          "may have another: the host launches parts of the "
                          "function, which would choose orders one by one",
                          kept);
}
