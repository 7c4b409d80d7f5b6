// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Eager.h"
#include "Generator.h"
#include "Graph.h"
#include "Lazy.h"
#include "Notes.h"
#include "Observer.h"
#include "Plan.h"
#include "Tensors.h"

#include "gaudi-c/Monitoring.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/SDPBackend.h>
#include <ATen/ThreadLocalState.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/Resize.h>
#include <c10/core/DeviceGuard.h>
#include <torch/csrc/jit/python/pybind_utils.h>
#include <torch/library.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <shared_mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>

using namespace gaudi::bridge;
using at::Tensor;
using c10::IValue;
using torch::jit::Stack;

namespace {

// --- what is known of an op --------------------------------------------------

struct Op {
  explicit Op(const c10::OperatorHandle &handle);

  c10::OperatorHandle handle;
  std::string name; // "aten::add.out"
  size_t arguments = 0;
  bool mutates = false;
  /// Writes the same to all elements: that they share memory does no harm.
  bool overwrites = false;
  /// Of an op that writes to `out`: the one that returns new tensors.
  std::optional<c10::OperatorHandle> functional;
  std::vector<size_t> outs;
  std::optional<size_t> generator, indices;
  /// Whether an argument may be a number that is an operand of a launch. Powers
  /// by whole numbers are products, and exact: those are constants.
  enum class Takes : uint8_t { NONE, NUMBER, EXPONENT };
  std::vector<Takes> takes;
  /// Those of an argument that is left out are constants, too.
  Takes takesOf(size_t index, const IValue &value) const {
    const std::optional<IValue> &left = defaults[index];
    const bool isLeftOut =
        left && (value.isInt() ? left->isInt() && left->toInt() == value.toInt()
                               : value.isDouble() && left->isDouble() &&
                                     left->toDouble() == value.toDouble());
    return isLeftOut ? Takes::NONE : takes[index];
  }
  std::vector<std::optional<IValue>> defaults;
};

/// The overload of the same name whose arguments are those before `out`.
std::optional<c10::OperatorHandle>
functionalOf(const c10::FunctionSchema &out) {
  // Names of all overloads, by the name of their op.
  static const auto &overloads = *[] {
    auto *made = new std::unordered_map<std::string, std::vector<std::string>>;
    for (const auto &name : c10::Dispatcher::singleton().getAllOpNames())
      (*made)[name.name].push_back(name.overload_name);
    return made;
  }();
  const auto found = overloads.find(out.name());
  if (found == overloads.end())
    return std::nullopt;
  std::vector<const c10::Argument *> wanted;
  for (const c10::Argument &each : out.arguments())
    if (!each.is_out())
      wanted.push_back(&each);
  for (const std::string &overload : found->second) {
    const auto handle =
        c10::Dispatcher::singleton().findSchema({out.name(), overload});
    if (!handle || std::any_of(handle->schema().arguments().begin(),
                               handle->schema().arguments().end(),
                               [](const auto &each) { return each.is_out(); }))
      continue;
    // Some that make tensors also take type, layout, device, and pinning.
    const auto &given = handle->schema().arguments();
    if (given.size() < wanted.size())
      continue;
    bool isSame = true;
    for (size_t index = 0; index != given.size() && isSame; ++index)
      isSame =
          index < wanted.size()
              ? given[index].name() == wanted[index]->name() &&
                    *given[index].real_type() == *wanted[index]->real_type()
              : given[index].default_value().has_value();
    if (isSame)
      return handle;
  }
  return std::nullopt;
}

Op::Op(const c10::OperatorHandle &handle) : handle(handle) {
  const c10::FunctionSchema &schema = handle.schema();
  name = schema.name();
  if (!schema.overload_name().empty())
    name += "." + schema.overload_name();
  arguments = schema.arguments().size();
  mutates = schema.is_mutable();
  overwrites = schema.name() == "aten::fill_" || schema.name() == "aten::zero_";
  for (size_t index = 0; index != arguments; ++index) {
    const c10::Argument &argument = schema.arguments()[index];
    if (argument.is_out())
      outs.push_back(index);
    if (argument.name() == "generator")
      generator = index;
    if (argument.name() == "indices" &&
        argument.type()->isSubtypeOf(*c10::ListType::ofOptionalTensors()))
      indices = index;
    const auto &type = *argument.real_type();
    const auto isA = [&](const c10::TypePtr &other) {
      return type.isSubtypeOf(*c10::OptionalType::create(other));
    };
    const bool isNumber =
        isA(c10::TensorType::get()) ||
        (isA(c10::NumberType::get()) && !isA(c10::FloatType::get()) &&
         !isA(c10::IntType::get()));
    takes.push_back(!isNumber                       ? Takes::NONE
                    : argument.name() == "exponent" ? Takes::EXPONENT
                                                    : Takes::NUMBER);
    defaults.push_back(argument.default_value());
  }
  if (!outs.empty())
    functional = functionalOf(schema);
}

const Op &opOf(const c10::OperatorHandle &handle) {
  static std::shared_mutex mutex;
  static std::unordered_map<const c10::FunctionSchema *, std::unique_ptr<Op>>
      ops;
  const c10::FunctionSchema *key = &handle.schema();
  {
    const std::shared_lock lock(mutex);
    if (const auto found = ops.find(key); found != ops.end())
      return *found->second;
  }
  auto made = std::make_unique<Op>(handle);
  const std::lock_guard lock(mutex);
  return *ops.emplace(key, std::move(made)).first->second;
}

// --- operands ----------------------------------------------------------------

/// The words of a key, and the tensors among the operands in order.
struct Operands {
  Operands(const Op &op, c10::ArrayRef<IValue> arguments) : op(op) {
    key.push_back(reinterpret_cast<int64_t>(&op));
    key.push_back(int64_t(at::get_default_dtype_as_scalartype())); // of results
    for (size_t index = 0; index != op.arguments; ++index)
      add(arguments[index], op.takesOf(index, arguments[index]));
  }

  /// The key of all calls that differ in their numbers alone.
  std::vector<int64_t> family() const;

  const Op &op;
  c10::SmallVector<int64_t, 64> key;
  c10::SmallVector<Tensor, 8> tensors;
  c10::SmallVector<at::Scalar, 4> numbers; // that may be operands
  c10::DeviceIndex card = -1;
  bool shareStorage = false; // of an op that writes: some of the tensors

private:
  void add(const IValue &value, Op::Takes takes);
  void addTensor(const Tensor &tensor, Op::Takes takes);
  void addText(const std::string &text);
  void addBits(double value) {
    int64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    key.push_back(bits);
  }
  void addNumber(const at::Scalar &value, Op::Takes takes);

  c10::SmallVector<size_t, 4> places; // of numbers in the key
};

std::vector<int64_t> Operands::family() const {
  std::vector<int64_t> words(key.begin(), key.end());
  for (size_t place : places)
    words[place] = 0;
  words.push_back(-1); // no key of a call ends so
  return words;
}

// What a word of a key begins.
enum Tag : int64_t {
  NONE,
  UNDEFINED,
  NUMBER,
  HOST_SCALAR,
  DENSE,
  STRIDED,
  INTEGER,
  UNSIGNED, // beyond the others
  FLOAT,
  COMPLEX,
  BOOLEAN,
  TEXT,
  LIST,
  DEVICE,
  GENERATOR
};

/// As habana_frameworks.torch._eager counts them.
void Operands::addNumber(const at::Scalar &value, Op::Takes takes) {
  const bool isWhole = !value.isFloatingPoint() ||
                       (std::isfinite(value.toDouble()) &&
                        value.toDouble() == std::floor(value.toDouble()));
  if (takes == Op::Takes::NUMBER ||
      (takes == Op::Takes::EXPONENT && !isWhole)) {
    numbers.push_back(value);
    places.push_back(key.size());
  }
  if (value.isFloatingPoint())
    addBits(value.toDouble());
  else
    key.push_back(Limits::isBeyondLong(value) ? int64_t(value.toUInt64())
                                              : value.toLong());
}

void Operands::addTensor(const Tensor &tensor, Op::Takes takes) {
  if (!tensor.defined()) {
    key.push_back(UNDEFINED);
    return;
  }
  const c10::TensorImpl &impl = *tensor.unsafeGetTensorImpl();
  const auto type = int64_t(tensor.scalar_type());
  if (!tensor.is_hpu() && impl.is_wrapped_number()) {
    key.push_back(NUMBER | type << 8);
    const at::Scalar value = tensor.item();
    if (value.isComplex()) {
      addBits(value.toComplexDouble().real());
      addBits(value.toComplexDouble().imag());
    } else if (value.isBoolean()) {
      key.push_back(value.toLong());
    } else {
      addNumber(value, takes);
    }
    return;
  }
  tensors.push_back(tensor);
  if (!tensor.is_hpu()) {
    key.push_back(HOST_SCALAR | type << 8 | tensor.dim() << 16);
    for (int64_t size : tensor.sizes())
      key.push_back(size);
    return;
  }
  if (card < 0)
    card = tensor.get_device();
  TORCH_CHECK(card == tensor.get_device(),
              "Expected all tensors to be on the same device, but found at "
              "least two devices, hpu:",
              int(card), " and ", tensor.device(), "! (operand ",
              tensors.size(), " of ", op.name,
              "; move one of them: .to(\"hpu:", int(card), "\"))");
  const bool isDense = tensor.is_contiguous();
  key.push_back((isDense ? DENSE : STRIDED) | type << 8 | tensor.dim() << 16);
  for (int64_t size : tensor.sizes())
    key.push_back(size);
  if (!isDense)
    for (int64_t stride : tensor.strides())
      key.push_back(stride);
  if (op.mutates && !shareStorage)
    shareStorage = std::any_of(
        tensors.begin(), tensors.end() - 1,
        [&](const Tensor &each) { return each.is_alias_of(tensor); });
}

void Operands::addText(const std::string &text) {
  key.push_back(TEXT | int64_t(text.size()) << 8);
  for (size_t begin = 0; begin < text.size(); begin += 8) {
    int64_t word = 0;
    std::memcpy(&word, text.data() + begin,
                std::min<size_t>(8, text.size() - begin));
    key.push_back(word);
  }
}

void Operands::add(const IValue &value, Op::Takes takes) {
  if (value.isTensor())
    return addTensor(value.toTensor(), takes);
  if (value.isNone()) {
    key.push_back(NONE);
  } else if (value.isInt()) {
    key.push_back(INTEGER);
    addNumber(value.toInt(), takes);
  } else if (value.isUnsigned()) {
    key.push_back(UNSIGNED);
    addNumber(value.toUInt(), takes);
  } else if (value.isDouble()) {
    key.push_back(FLOAT);
    addNumber(value.toDouble(), takes);
  } else if (value.isComplexDouble()) {
    key.push_back(COMPLEX);
    addBits(value.toComplexDouble().real());
    addBits(value.toComplexDouble().imag());
  } else if (value.isBool()) {
    key.push_back(BOOLEAN | int64_t(value.toBool()) << 8);
  } else if (value.isString()) {
    addText(value.toStringRef());
  } else if (value.isDevice()) {
    const c10::Device device = value.toDevice();
    if (device.is_hpu() && device.has_index() && card < 0)
      card = device.index();
    key.push_back(DEVICE | int64_t(device.type()) << 8);
  } else if (value.isGenerator()) {
    key.push_back(GENERATOR);
  } else if (value.isList()) {
    const auto &elements = value.toListRef();
    key.push_back(LIST | int64_t(elements.size()) << 8);
    for (const IValue &each : elements)
      add(each, Op::Takes::NONE);
  } else if (value.isSymInt()) {
    key.push_back(INTEGER);
    key.push_back(value.toSymInt().guard_int(__FILE__, __LINE__));
  } else {
    TORCH_CHECK(false, "an op of hpu cannot take a value of the kind ",
                value.tagKind());
  }
}

// --- decisions ---------------------------------------------------------------

constexpr size_t MAX_DECISIONS = 100000; // as the bridge keeps recipes

/// Calls that differ in their numbers alone.
struct Family {
  size_t members = 0;
  /// For the numbers that its plan takes, once a second member is met; null if
  /// there is none.
  std::shared_ptr<Decision> general;
};

struct Cache {
  std::shared_mutex mutex;
  std::unordered_map<std::vector<int64_t>, std::shared_ptr<Decision>, KeyHash>
      found;
  std::unordered_map<std::vector<int64_t>, Family, KeyHash> families;
};

/// Of eager mode, and of lazy mode.
Cache &cache(bool isLazy) {
  // Python's objects may be gone when main ends.
  static auto *eager = new Cache;
  static auto *lazy = new Cache;
  return isLazy ? *lazy : *eager;
}

std::atomic<uint64_t> hits{0}, misses{0}, onCpu{0};

/// The state of a thread that has just begun: an op is traced as if nothing
/// called it.
const at::ThreadLocalState &freshState() {
  static const auto *state = [] {
    const at::ThreadLocalState *made = nullptr;
    std::thread([&] { made = new at::ThreadLocalState; }).join();
    return made;
  }();
  return *state;
}

/// As Python sees it; a wrapped number is one.
pybind11::object toPython(const IValue &value) {
  if (value.isTensor() && value.toTensor().defined() &&
      value.toTensor().unsafeGetTensorImpl()->is_wrapped_number())
    return toPython(IValue(value.toTensor().item()));
  if (!value.isInt() && value.isUnsigned())
    return pybind11::int_(value.toUInt());
  return torch::jit::toPyObject(value);
}

/// What traces or compiles holds it, and the lock of Python where it runs.
class TraceLock {
public:
  TraceLock() { lock.attr("acquire")(); }
  ~TraceLock() { lock.attr("release")(); }
  TraceLock(const TraceLock &) = delete;
  TraceLock &operator=(const TraceLock &) = delete;

private:
  pybind11::gil_scoped_acquire gil;
  pybind11::object lock =
      pybind11::module_::import("gaudi_mlir.torch.tracing").attr("LOCK");
};

std::shared_ptr<Decision> decide(const Op &op, c10::ArrayRef<IValue> arguments,
                                 bool withNumbers, bool isLazy) {
  const pybind11::gil_scoped_acquire gil;
  const at::ThreadLocalStateGuard guard(freshState());
  pybind11::list given;
  for (const IValue &each : arguments)
    given.append(toPython(each));
  const c10::FunctionSchema &schema = op.handle.schema();
  pybind11::object made =
      pybind11::module_::import(isLazy ? "habana_frameworks.torch._lazy"
                                       : "habana_frameworks.torch._eager")
          .attr("decide")(schema.name(), schema.overload_name(), given,
                          withNumbers);
  if (made.is_none())
    return nullptr;
  // The last owner may go without the interpreter's lock.
  return {new Decision(made.cast<Decision>()), [](Decision *decision) {
            const pybind11::gil_scoped_acquire lock;
            delete decision;
          }};
}

/// What was decided of calls that differ in their numbers alone, if it holds
/// for these. `family` may be empty: there are no such numbers.
std::shared_ptr<Decision> generalOf(Cache &decisions,
                                    const std::vector<int64_t> &family,
                                    const Operands &operands) {
  if (family.empty())
    return nullptr;
  const std::shared_lock lock(decisions.mutex);
  const auto found = decisions.families.find(family);
  if (found == decisions.families.end() || !found->second.general ||
      !found->second.general->takes(operands.numbers))
    return nullptr;
  ++hits;
  return found->second.general;
}

std::shared_ptr<Decision> decisionOf(Cache &decisions,
                                     const std::vector<int64_t> &key) {
  const std::shared_lock lock(decisions.mutex);
  const auto found = decisions.found.find(key);
  if (found == decisions.found.end())
    return nullptr;
  ++hits;
  return found->second;
}

/// Numbers by which others can be expected to be like: no type is too narrow.
bool areUsual(c10::ArrayRef<at::Scalar> numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](const at::Scalar &each) {
                       return !Limits::isBeyondLong(each) &&
                              (!each.isFloatingPoint() ||
                               std::fabs(each.toDouble()) <=
                                   std::numeric_limits<float>::max());
                     });
}

std::shared_ptr<Decision> lookup(const Operands &operands,
                                 c10::ArrayRef<IValue> arguments,
                                 bool isLazy = false) {
  // Reused, since a map is asked with a vector.
  thread_local std::vector<int64_t> words;
  words.assign(operands.key.begin(), operands.key.end());
  Cache &decisions = cache(isLazy);
  if (std::shared_ptr<Decision> found = decisionOf(decisions, words))
    return found;
  std::vector<int64_t> key = words; // compiling may run ops
  const std::vector<int64_t> family =
      operands.numbers.empty() ? std::vector<int64_t>() : operands.family();
  if (std::shared_ptr<Decision> found = generalOf(decisions, family, operands))
    return found;
  const TraceLock tracing;
  // Another thread may have been before.
  if (std::shared_ptr<Decision> found = decisionOf(decisions, key))
    return found;
  if (std::shared_ptr<Decision> found = generalOf(decisions, family, operands))
    return found;
  ++misses;
  // What goes needs the interpreter's lock: after that of the cache.
  decltype(Cache::found) gone;
  decltype(Cache::families) goneFamilies;
  bool isSecond = false;
  if (!family.empty() && areUsual(operands.numbers)) {
    const std::lock_guard lock(decisions.mutex);
    isSecond = ++decisions.families[family].members == 2;
  }
  if (isSecond)
    if (std::shared_ptr<Decision> made =
            decide(operands.op, arguments, true, isLazy)) {
      std::shared_ptr<Decision> before = made;
      {
        const std::lock_guard lock(decisions.mutex);
        before.swap(decisions.families[family].general);
      }
      if (made->takes(operands.numbers))
        return made;
    }
  std::shared_ptr<Decision> made =
      decide(operands.op, arguments, false, isLazy);
  if (!made->isKept)
    return made;
  const std::lock_guard lock(decisions.mutex);
  if (decisions.found.size() >= MAX_DECISIONS) {
    gone.swap(decisions.found);
    goneFamilies.swap(decisions.families);
  }
  decisions.found.emplace(std::move(key), made);
  return made;
}

// --- execution ---------------------------------------------------------------

/// The results of an op: of new tensors, and of its arguments, as `returns` of
/// a plan says.
void push(const Op &op, const std::vector<std::vector<int64_t>> &returns,
          const std::vector<bool> &areLists, const std::vector<Tensor> &made,
          Stack *stack) {
  const auto arguments = torch::jit::last(*stack, op.arguments);
  Stack results;
  for (size_t index = 0; index != returns.size(); ++index) {
    const auto result = [&](int64_t which) -> IValue {
      if (which >= 0)
        return made[size_t(which)];
      return which == -1 ? IValue(Tensor()) : arguments[size_t(-2 - which)];
    };
    if (!areLists[index]) {
      results.push_back(result(returns[index].front()));
      continue;
    }
    c10::List<Tensor> list;
    for (int64_t each : returns[index])
      list.push_back(result(each).toTensor());
    results.emplace_back(std::move(list));
  }
  torch::jit::drop(*stack, op.arguments);
  for (IValue &each : results)
    stack->push_back(std::move(each));
}

void launch(const Op &op, const Plan &plan, Operands &operands, Stack *stack) {
  const Card &card = Card::get(operands.card);
  const auto arguments = torch::jit::last(*stack, op.arguments);
  c10::SmallVector<Tensor, 8> inputs;
  for (int64_t slot : plan.slots) {
    if (slot >= 0) {
      inputs.push_back(operands.tensors[slot]);
      continue;
    }
    at::ScalarType type = at::kLong;
    at::Scalar value = 0;
    if (slot == Plan::KEY) {
      const bool isGiven =
          op.generator && arguments[*op.generator].isGenerator();
      const at::Generator &generator =
          isGiven ? arguments[*op.generator].toGenerator()
                  : defaultGenerator(card.index());
      if (Graph *graph = capturedBy(card)) {
        inputs.push_back(graph->draw(generator));
        continue;
      }
      value = drawKey(generator);
    } else if (slot <= Plan::NUMBER) {
      const auto &[number, wanted] = plan.numbers[size_t(Plan::NUMBER - slot)];
      type = wanted;
      value = operands.numbers[size_t(number)];
    }
    inputs.push_back(uploadNumber(card, value, type));
  }
  std::vector<Tensor> outputs(plan.program->numOutputs());
  for (const auto &[output, number] : plan.writes)
    if (plan.program->mayWriteTo(card, inputs, output,
                                 operands.tensors[number]))
      outputs[output] = operands.tensors[number];
  plan.program->launch(card, inputs, outputs);
  for (const auto &[output, number] : plan.writes) {
    const Tensor &target = operands.tensors[number];
    if (outputs[output].is_same(target))
      continue;
    if (const uint64_t bytes = reachBytes(target))
      check(gaudiStreamCopy(
          card.stream(), addressOf(*target.unsafeGetTensorImpl()),
          addressOf(*outputs[output].unsafeGetTensorImpl()), bytes));
  }
  push(op, plan.returns, plan.areLists, outputs, stack);
}

void callPython(const Op &op, const Decision &decision, Stack *stack) {
  const pybind11::gil_scoped_acquire gil;
  const at::ThreadLocalStateGuard guard(freshState());
  pybind11::list given;
  for (const IValue &each : torch::jit::last(*stack, op.arguments))
    given.append(toPython(each));
  pybind11::object made = decision.function(*pybind11::tuple(given));
  torch::jit::drop(*stack, op.arguments);
  const auto &returns = op.handle.schema().returns();
  if (returns.size() == 1) {
    stack->push_back(torch::jit::toIValue(made, returns[0].type()));
    return;
  }
  pybind11::tuple parts(made);
  for (size_t index = 0; index != returns.size(); ++index)
    stack->push_back(torch::jit::toIValue(parts[index], returns[index].type()));
}

/// "self=HPUBFloat16Type", for each tensor.
std::string describe(const Op &op, c10::ArrayRef<IValue> arguments) {
  std::string text;
  for (size_t index = 0; index != op.arguments; ++index) {
    const IValue &value = arguments[index];
    if (!value.isTensor() || !value.toTensor().defined())
      continue;
    text += text.empty() ? "" : ", ";
    text += op.handle.schema().arguments()[index].name() + "=HPU" +
            c10::toString(value.toTensor().scalar_type()) + "Type";
  }
  return text;
}

/// As PT_HPU_PLACE_ON_CPU says.
bool mayRunOnCpu(const std::string &name) {
  const pybind11::gil_scoped_acquire gil;
  return pybind11::module_::import("gaudi_mlir.torch.flags")
      .attr("may_run_on_cpu")(name)
      .cast<bool>();
}

std::vector<Tensor> tensorsIn(c10::ArrayRef<IValue> values) {
  std::vector<Tensor> tensors;
  for (const IValue &value : values) {
    if (value.isTensor() && value.toTensor().defined())
      tensors.push_back(value.toTensor());
    if (value.isTensorList())
      for (const Tensor &each : value.toTensorVector())
        tensors.push_back(each);
  }
  return tensors;
}

void runOnCpu(const Op &op, const std::string &reason, bool isError,
              Stack *stack) {
  const std::string &name = op.handle.schema().name();
  if (!isError)
    TORCH_CHECK(mayRunOnCpu(name), name, " is not yet supported on HPU. (",
                reason, "; PT_HPU_PLACE_ON_CPU does not name it: add ", name,
                " there, or unset that)");
  TORCH_CHECK_NOT_IMPLEMENTED(
      op.handle.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU), name,
      " does not run on the card with such operands, and PyTorch's CPU does "
      "not have it: ",
      reason,
      "; give it operands of another type or size, or write it by other ops");
  refuseCapture(Card::get(-1),
                name + ", which runs on the CPU (" + reason + "),");
  const std::string operands =
      describe(op, torch::jit::last(*stack, op.arguments));
  if (C10_UNLIKELY(Notes::areKept()) && !isError)
    Notes::add("op on the CPU", name + ": " + reason, 0);
  std::optional<Observation> observation;
  if (C10_UNLIKELY(Observation::areMade()))
    observation.emplace(0, op.name,
                        tensorsIn(torch::jit::last(*stack, op.arguments)),
                        at::ArrayRef<Tensor>());
  at::native::cpu_fallback(op.handle, stack);
  ++onCpu;
  if (observation)
    observation->end(tensorsIn(
        torch::jit::last(*stack, op.handle.schema().returns().size())));
  check(gaudiEventCpuFallback(name.c_str(), operands.c_str()));
  const std::string line = "Fallback for op: " + op.name + ": " + reason;
  check(gaudiLogWrite("PT_EAGER", GaudiLogDebug, line.c_str()));
}

void run(const Op &op, Stack *stack);

/// `out` must be where the other operands are.
void checkOuts(const Op &op, c10::ArrayRef<IValue> arguments) {
  const auto forEach = [&](bool isOut, const auto &call) {
    for (size_t index = 0; index != op.arguments; ++index) {
      const IValue &value = arguments[index];
      if (op.handle.schema().arguments()[index].is_out() != isOut)
        continue;
      if (value.isTensor() && value.toTensor().defined())
        call(value.toTensor());
      if (value.isTensorList())
        for (const Tensor &each : value.toTensorVector())
          call(each);
    }
  };
  std::optional<c10::Device> device, other;
  forEach(false, [&](const Tensor &each) {
    if (each.is_hpu())
      device = each.device();
    else if (each.dim() != 0)
      other = each.device();
  });
  const std::optional<c10::Device> wanted = device ? device : other;
  if (wanted)
    forEach(true, [&](const Tensor &out) {
      TORCH_CHECK(out.device() == *wanted,
                  "Expected all tensors to be on the same device, but found "
                  "at least two devices, ",
                  *wanted, " and ", out.device(),
                  "! (when checking argument out of ", op.name,
                  "; make it there: .to(\"", *wanted, "\"))");
    });
}

/// An op that writes to `out`, by the one that makes tensors.
void runFunctional(const Op &op, Stack *stack) {
  const auto arguments = torch::jit::last(*stack, op.arguments);
  checkOuts(op, arguments);
  Stack inner, outs;
  for (size_t index = 0; index != op.arguments; ++index)
    (op.handle.schema().arguments()[index].is_out() ? outs : inner)
        .push_back(arguments[index]);
  const auto &wanted = op.functional->schema().arguments();
  for (size_t index = inner.size(); index < wanted.size(); ++index)
    inner.push_back(*wanted[index].default_value());
  // What makes tensors from nothing makes them where, and of the type that,
  // `out` has.
  for (size_t index = 0; index != wanted.size(); ++index) {
    if (wanted[index].name() == "device" && inner[index].isNone())
      inner[index] = outs[0].toTensor().device();
    if (wanted[index].name() == "dtype" && inner[index].isNone() &&
        index >= op.arguments - outs.size())
      inner[index] = outs[0].toTensor().scalar_type();
  }
  // Not by the dispatcher: the kernel of that one may be to call this one.
  run(opOf(*op.functional), &inner);
  torch::jit::drop(*stack, op.arguments);
  for (size_t index = 0; index != outs.size(); ++index) {
    const auto copy = [](const Tensor &result, const Tensor &out) {
      TORCH_CHECK(c10::canCast(result.scalar_type(), out.scalar_type()),
                  "result type ", result.scalar_type(),
                  " can't be cast to the desired output type ",
                  out.scalar_type());
      at::native::resize_output(out, result.sizes());
      out.copy_(result);
    };
    if (outs[index].isTensor()) {
      copy(inner[index].toTensor(), outs[index].toTensor());
    } else {
      const auto results = inner[index].toTensorVector();
      const auto targets = outs[index].toTensorVector();
      for (size_t each = 0; each != targets.size(); ++each)
        copy(results.at(each), targets[each]);
    }
  }
  for (size_t index = 0; index != op.handle.schema().returns().size(); ++index)
    stack->push_back(outs[index]);
}

/// Indices may be on the host, as for other devices.
void moveIndices(const Op &op, Stack *stack) {
  const auto arguments = torch::jit::last(*stack, op.arguments);
  IValue &given = (*stack)[stack->size() - op.arguments + *op.indices];
  if (!arguments[0].isTensor() || !arguments[0].toTensor().is_hpu())
    return;
  const auto isOnHost = [](const IValue &each) {
    return each.isTensor() && each.toTensor().defined() &&
           each.toTensor().is_cpu();
  };
  const auto elements = given.toListRef();
  if (std::none_of(elements.begin(), elements.end(), isOnHost))
    return;
  c10::List<std::optional<Tensor>> moved;
  for (const IValue &each : elements)
    moved.push_back(isOnHost(each)
                        ? each.toTensor().to(arguments[0].toTensor().device())
                        : each.toOptional<Tensor>());
  given = std::move(moved);
}

bool isLazy(const IValue &value) {
  return value.isTensor() && value.toTensor().defined() &&
         (value.toTensor().is_conj() || value.toTensor().is_neg());
}

/// With operands whose elements are what is in memory: PyTorch leaves lazy
/// conjugates to products of matrices.
void runResolved(const Op &op, Stack *stack) {
  struct Written {
    Tensor lazy, resolved;
  };
  c10::SmallVector<Written, 2> written;
  for (size_t index = 0; index != op.arguments; ++index) {
    IValue &value = (*stack)[stack->size() - op.arguments + index];
    if (!isLazy(value))
      continue;
    const Tensor lazy = value.toTensor();
    value = lazy.resolve_conj().resolve_neg();
    const auto *alias = op.handle.schema().arguments()[index].alias_info();
    if (alias && alias->isWrite())
      written.push_back({lazy, value.toTensor()});
  }
  run(op, stack);
  for (const Written &each : written) {
    each.lazy.copy_(each.resolved);
    for (size_t index = 0; index != op.handle.schema().returns().size();
         ++index)
      if (IValue &result = (*stack)[stack->size() - 1 - index];
          result.isTensor() && result.toTensor().is_same(each.resolved))
        result = each.lazy;
  }
}

bool reachesOverlap(const Tensor &a, const Tensor &b) {
  if (!a.defined() || !b.defined() || !a.is_alias_of(b))
    return false;
  const auto begin = uint64_t(a.storage_offset()) * storedSize(a.scalar_type());
  const auto other = uint64_t(b.storage_offset()) * storedSize(b.scalar_type());
  return begin < other + reachBytes(b) && other < begin + reachBytes(a);
}

/// Whether a storage has elements of one type for one of them, and of another
/// type for another.
bool seeTwoTypes(at::ArrayRef<Tensor> tensors) {
  if (std::all_of(tensors.begin(), tensors.end(), [&](const Tensor &each) {
        return each.scalar_type() == tensors[0].scalar_type();
      }))
    return false;
  std::unordered_map<const c10::StorageImpl *, at::ScalarType> types;
  for (const Tensor &each : tensors)
    if (types.emplace(each.storage().unsafeGetStorageImpl(), each.scalar_type())
            .first->second != each.scalar_type())
      return true;
  return false;
}

/// As a step of a graph. False if the op takes no part in one.
bool runLazily(const Op &op, Operands &operands, Stack *stack) {
  const auto arguments = torch::jit::last(*stack, op.arguments);
  if (operands.card < 0)
    operands.card = Card::current();
  // It draws from its own state, which changes meanwhile.
  if (op.generator && arguments[*op.generator].isGenerator() &&
      arguments[*op.generator].toGenerator() != defaultGenerator(operands.card))
    return false;
  for (const Tensor &each : operands.tensors)
    if (each.numel() == 0 || (!each.is_hpu() && each.numel() != 1) ||
        each.storage().nbytes() % each.element_size() != 0)
      return false;
  if (seeTwoTypes(operands.tensors))
    return false;
  const std::shared_ptr<Decision> decision = lookup(operands, arguments, true);
  if (!decision->sketch)
    return false;
  const Card &card = Card::get(operands.card);
  for (Tensor &each : operands.tensors)
    if (!each.is_hpu()) // it may change meanwhile
      each = uploadNumber(card, each.item(), each.scalar_type());
  const Sketch &sketch = *decision->sketch;
  const std::vector<Tensor> made =
      lazy::record(card, decision, op.name, operands.tensors, operands.numbers);
  push(op, sketch.returns, sketch.areLists, made, stack);
  return true;
}

void checkWrittenOn(const Operands &operands, const Tensor &tensor) {
  TORCH_CHECK(!tensor.defined() || tensor.is_hpu() || operands.card < 0,
              operands.op.name, ": cannot write to a tensor on ",
              tensor.device(),
              ", since other operands are on hpu:", int(operands.card),
              "; move it there");
}

/// Whether an op writes to a list, and what it writes is another of its
/// operands as well: elements of lists come one after the other, each as the
/// ones before it have left it.
bool listsOverlap(const Op &op, const Operands &operands,
                  c10::ArrayRef<IValue> arguments) {
  if (!operands.shareStorage)
    return false;
  for (size_t index = 0; index != op.arguments; ++index) {
    const auto *alias = op.handle.schema().arguments()[index].alias_info();
    if (!alias || !alias->isWrite() || !arguments[index].isTensorList())
      continue;
    for (const Tensor &written : arguments[index].toTensorVector())
      if (std::count_if(operands.tensors.begin(), operands.tensors.end(),
                        [&](const Tensor &each) {
                          return reachesOverlap(written, each);
                        }) > 1) // itself
        return true;
  }
  return false;
}

/// What PyTorch's kernels refuse: operands that are written to whose elements
/// share memory, with each other or with those of others, and those that are
/// not where the operands are.
void checkWritten(const Op &op, const Operands &operands,
                  c10::ArrayRef<IValue> arguments) {
  for (size_t index = 0; index != op.arguments; ++index) {
    const auto *alias = op.handle.schema().arguments()[index].alias_info();
    const IValue &value = arguments[index];
    if (!alias || !alias->isWrite())
      continue;
    if (value.isTensorList())
      for (const Tensor &each : value.toTensorVector())
        checkWrittenOn(operands, each);
    if (!value.isTensor() || !value.toTensor().defined())
      continue;
    checkWrittenOn(operands, value.toTensor());
    if (!op.overwrites)
      at::assert_no_internal_overlap(value.toTensor());
    for (const Tensor &each : operands.tensors)
      if (each.is_hpu())
        at::assert_no_partial_overlap(value.toTensor(), each);
  }
}

/// "aten::mm 8x4xFloat 4x2xFloat"
std::string textOf(const Op &op, const Operands &operands) {
  std::string text = op.name;
  for (const Tensor &each : operands.tensors) {
    text += " ";
    for (const int64_t size : each.sizes())
      text += std::to_string(size) + "x";
    text += c10::toString(each.scalar_type());
  }
  return text;
}

void run(const Op &op, Stack *stack) {
  if (op.functional)
    return runFunctional(op, stack);
  if (op.indices)
    moveIndices(op, stack);
  for (const IValue &each : torch::jit::last(*stack, op.arguments))
    if (C10_UNLIKELY(isLazy(each)))
      return runResolved(op, stack);
  const auto arguments = torch::jit::last(*stack, op.arguments);
  Operands operands(op, arguments);
  if (op.mutates) {
    checkWritten(op, operands, arguments);
    if (C10_UNLIKELY(listsOverlap(op, operands, arguments))) {
      constexpr auto inTurn = c10::DispatchKey::CompositeExplicitAutograd;
      TORCH_CHECK(op.handle.hasKernelForDispatchKey(inTurn), op.name,
                  ": a tensor that it writes to shares memory with another "
                  "operand; give each tensor once, or a copy of it");
      return op.handle.callBoxedForDispatchKey(inTurn, *stack);
    }
  }
  const c10::DeviceGuard guard(
      {c10::kHPU, operands.card < 0 ? Card::current() : operands.card});
  if (lazy::isOn() && runLazily(op, operands, stack))
    return;
  // Before tracing, which may make nodes of autograd.
  if (C10_UNLIKELY(Notes::areKept()) && !lazy::isOn())
    Notes::add("op", textOf(op, operands), 0);
  const std::shared_ptr<Decision> decision = lookup(operands, arguments);
  if (decision->plan)
    launch(op, *decision->plan, operands, stack);
  else if (decision->function)
    callPython(op, *decision, stack);
  else
    runOnCpu(op, decision->reason, decision->isError, stack);
}

void runBoxed(const c10::OperatorHandle &handle, Stack *stack) {
  run(opOf(handle), stack);
}

} // namespace

bool gaudi::bridge::runCopy(const Tensor &source, const Tensor &to) {
  static const Op &op =
      opOf(c10::Dispatcher::singleton().findSchemaOrThrow("aten::copy_", ""));
  Stack stack = {to, source, false};
  Operands operands(op, stack);
  if (lazy::isOn() && runLazily(op, operands, &stack))
    return true;
  const std::shared_ptr<Decision> decision = lookup(operands, stack);
  if (!decision->plan)
    return false;
  launch(op, *decision->plan, operands, &stack);
  return true;
}

EagerCounts gaudi::bridge::eagerCounts() { return {hits, misses, onCpu}; }

size_t gaudi::bridge::eagerCacheSize() {
  size_t count = 0;
  for (const bool isLazy : {false, true}) {
    Cache &decisions = cache(isLazy);
    const std::shared_lock lock(decisions.mutex);
    count += decisions.found.size() + decisions.families.size();
  }
  return count;
}

void gaudi::bridge::resetEager() {
  lazy::reset();
  Cache gone[2];
  for (const bool isLazy : {false, true}) {
    Cache &decisions = cache(isLazy);
    const std::lock_guard lock(decisions.mutex);
    gone[isLazy].found.swap(decisions.found);
    gone[isLazy].families.swap(decisions.families);
  }
  hits = misses = onCpu = 0;
}

/// Attention by products and a softmax, each with its gradient.
static int64_t chooseAttention(const Tensor &, const Tensor &, const Tensor &,
                               const std::optional<Tensor> &, double, bool,
                               std::optional<double>, bool) {
  return int64_t(at::SDPBackend::math);
}

TORCH_LIBRARY_IMPL(aten, HPU, library) {
  library.impl("_fused_sdp_choice", &chooseAttention);
}

TORCH_LIBRARY_IMPL(_, HPU, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&runBoxed>());
}

void gaudi::bridge::registerEager() {
  // What PyTorch takes apart, or refuses, before it asks the fallback.
  static torch::Library library(torch::Library::IMPL, "aten",
                                c10::DispatchKey::HPU, __FILE__, __LINE__);
  const auto own = [](const c10::OperatorHandle &op) {
    static const std::unordered_set<std::string> names = {
        "aten::convolution",       "aten::convolution_backward",
        "aten::native_layer_norm", "aten::native_group_norm",
        "aten::embedding",         "aten::mode",
        "aten::conj_physical_"};
    // All tensors of lists by one launch. Numbers in lists change from step to
    // step: each by its own launch, which takes any number.
    const bool isOfLists =
        op.schema().name().rfind("aten::_foreach_", 0) == 0 &&
        op.schema().overload_name().find("ScalarList") == std::string::npos;
    return (isOfLists || names.count(op.schema().name())) &&
           op.schema().overload_name().find("out") == std::string::npos;
  };
  for (const c10::OperatorName &name :
       c10::Dispatcher::singleton().getAllOpNames()) {
    if (name.getNamespace() != "aten")
      continue;
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    // The one that allocates and calls the one that writes to `out`.
    const bool isStructured =
        op &&
        op->hasKernelForDispatchKey(
            c10::DispatchKey::CompositeExplicitAutogradNonFunctional) &&
        name.name != "aten::new_empty_strided"; // which computes nothing
    // What changes sizes and strides alone has no memory to compute.
    if (op && !op->hasKernelForDispatchKey(c10::DispatchKey::HPU) &&
        !op->hasTag(at::Tag::inplace_view) && (isStructured || own(*op)))
      library.impl(c10::toString(name).c_str(),
                   torch::CppFunction::makeFromBoxedFunction<&runBoxed>());
  }
}
