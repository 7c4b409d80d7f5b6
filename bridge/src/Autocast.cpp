// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// torch.autocast("hpu"): which ops run in the lower type that the user chose,
// which in float, and which in the widest of their operands' types.
#include "Autocast.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/library.h>

#include "gaudi-c/Autocast.h"

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <unordered_map>
#include <unordered_set>

using namespace gaudi::bridge;
using at::Tensor;
using c10::IValue;
using torch::jit::Stack;

namespace {

/// Ops of which only the first operand is cast: the others are statistics.
bool castsFirstOnly(const std::string &name) {
  return gaudiAutocastsFirstOnly(name.c_str()) != 0;
}

/// The ops of a rule: the defaults, or those in the file that the variable
/// names, one on each line.
std::vector<std::string> namesOf(GaudiAutocastRule rule, const char *variable) {
  const char *path = variable ? std::getenv(variable) : nullptr;
  std::vector<std::string> names;
  const auto add = [](void *context, GaudiStringRef name) {
    static_cast<std::vector<std::string> *>(context)->emplace_back(name.data,
                                                                   name.length);
  };
  if (GaudiError *error = gaudiAutocastNames(rule, path, add, &names)) {
    // Of a file that cannot be read the first tensor raises it, too
    // (_environment.py).
    const GaudiStringRef why = gaudiErrorMessage(error);
    TORCH_WARN(variable, ": ", std::string_view(why.data, why.length),
               "; the ops that the bridge has by default are used");
    gaudiErrorDestroy(error);
    if (GaudiError *other = gaudiAutocastNames(rule, nullptr, add, &names))
      gaudiErrorDestroy(other);
  }
  return names;
}

// --- kernels -----------------------------------------------------------------

bool isCast(const Tensor &tensor) {
  return tensor.defined() && tensor.is_hpu() && tensor.is_floating_point() &&
         tensor.scalar_type() != at::kDouble &&
         !c10::isFloat8Type(tensor.scalar_type());
}

/// Calls `function` on each tensor that may be cast.
template <typename Function>
void forTensors(const IValue &value, const Function &function) {
  if (value.isTensor() && isCast(value.toTensor()))
    function(value.toTensor());
  else if (value.isTensorList())
    for (const Tensor &each : value.toTensorVector())
      forTensors(each, function);
}

void cast(IValue &value, at::ScalarType type) {
  if (value.isTensor() && isCast(value.toTensor())) {
    value = value.toTensor().to(type);
  } else if (value.isTensorList()) {
    c10::List<Tensor> list;
    for (const Tensor &each : value.toTensorVector())
      list.push_back(isCast(each) ? each.to(type) : each);
    value = std::move(list);
  }
}

using Choice = at::ScalarType (*)(at::ArrayRef<IValue>);

at::ScalarType lowerType(at::ArrayRef<IValue>) {
  return at::autocast::get_autocast_dtype(at::kHPU);
}

at::ScalarType floatType(at::ArrayRef<IValue>) { return at::kFloat; }

at::ScalarType widestType(at::ArrayRef<IValue> arguments) {
  std::optional<at::ScalarType> widest;
  for (const IValue &each : arguments)
    forTensors(each, [&](const Tensor &tensor) {
      widest = widest ? c10::promoteTypes(*widest, tensor.scalar_type())
                      : tensor.scalar_type();
    });
  return widest.value_or(at::kFloat);
}

// --- rules of Habana mixed precision -----------------------------------------

/// Those that hold now, if any. What they were before stays: a thread may be in
/// an op that reads it.
std::atomic<const CastRules *> castRules = nullptr;

at::ScalarType firstType(at::ArrayRef<IValue> arguments) {
  std::optional<at::ScalarType> first;
  for (const IValue &each : arguments)
    forTensors(each, [&](const Tensor &tensor) {
      first = first.value_or(tensor.scalar_type());
    });
  return first.value_or(at::kFloat);
}

/// Ops that keep statistics of their input beside it.
bool isNorm(const std::string &name) {
  return name.find("batch_norm") != name.npos ||
         name.find("layer_norm") != name.npos ||
         name.find("group_norm") != name.npos ||
         name.find("instance_norm") != name.npos;
}

bool isInBackwardPass() {
  return torch::autograd::get_current_graph_task_id() != -1 &&
         !at::GradMode::is_enabled();
}

void say(const std::string &name, at::ScalarType from, at::ScalarType to) {
  std::cerr << "hmp: " << name << ": " << from << " operands are cast to " << to
            << '\n';
}

/// A call as the rules have it.
void runByRules(const CastRules &rules, const c10::OperatorHandle &op,
                Stack *stack) {
  if (isInBackwardPass())
    return op.callBoxed(stack);
  const std::string name = op.schema().name().substr(strlen("aten::"));
  const auto found = rules.byName.find(name);
  const CastRule rule =
      found == rules.byName.end() ? rules.others : found->second;
  const size_t count = op.schema().arguments().size();
  const size_t first = stack->size() - count;
  const at::ArrayRef<IValue> arguments(stack->data() + first, count);
  const at::ScalarType type = rule == CastRule::Lower    ? lowerType(arguments)
                              : rule == CastRule::Float  ? floatType(arguments)
                              : rule == CastRule::Widest ? widestType(arguments)
                                                         : firstType(arguments);
  const size_t last = isNorm(name) ? 1 : count;
  for (size_t index = 0; index != last; ++index) {
    if (rules.isVerbose)
      forTensors(arguments[index], [&](const Tensor &tensor) {
        if (tensor.scalar_type() != type)
          say(name, tensor.scalar_type(), type);
      });
    cast((*stack)[first + index], type);
  }
  op.callBoxed(stack);
}

template <Choice choose> void run(const c10::OperatorHandle &op, Stack *stack) {
  if (const CastRules *rules = castRules) {
    const c10::impl::ExcludeDispatchKeyGuard guard(
        c10::DispatchKey::AutocastHPU);
    return runByRules(*rules, op, stack);
  }
  const c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::AutocastHPU);
  const size_t count = op.schema().arguments().size();
  const size_t first = stack->size() - count;
  const at::ScalarType type =
      choose(at::ArrayRef<IValue>(stack->data() + first, count));
  const size_t last = castsFirstOnly(op.schema().name()) ? 1 : count;
  for (size_t index = 0; index != last; ++index)
    cast((*stack)[first + index], type);
  op.callBoxed(stack);
  // The statistics that stay do not widen the result, as they do in PyTorch's
  // own composition of a norm.
  if (last != count)
    cast((*stack)[stack->size() - op.schema().returns().size()], type);
}

bool takesTensors(const c10::FunctionSchema &schema) {
  const auto isTensor = [](const c10::Argument &argument) {
    const c10::TypePtr &type = argument.type();
    return type->isSubtypeOf(
               *c10::OptionalType::create(c10::TensorType::get())) ||
           type->isSubtypeOf(*c10::ListType::ofTensors());
  };
  return std::any_of(schema.arguments().begin(), schema.arguments().end(),
                     isTensor);
}

TORCH_LIBRARY_IMPL(aten, AutocastHPU, library) {
  std::unordered_map<std::string, torch::CppFunction (*)()> kernels;
  // What comes first holds.
  for (const std::string &name :
       namesOf(GaudiAutocastLower, "PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST"))
    kernels.try_emplace("aten::" + name, [] {
      return torch::CppFunction::makeFromBoxedFunction<&run<&lowerType>>();
    });
  for (const std::string &name :
       namesOf(GaudiAutocastFloat, "PT_HPU_AUTOCAST_FP32_OPS_LIST"))
    kernels.try_emplace("aten::" + name, [] {
      return torch::CppFunction::makeFromBoxedFunction<&run<&floatType>>();
    });
  for (const std::string &name : namesOf(GaudiAutocastWidest, nullptr))
    kernels.try_emplace("aten::" + name, [] {
      return torch::CppFunction::makeFromBoxedFunction<&run<&widestType>>();
    });
  c10::Dispatcher &dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName &name : dispatcher.getAllOpNames()) {
    const auto found = kernels.find(name.name);
    if (found == kernels.end())
      continue;
    const auto op = dispatcher.findSchema(name);
    // What writes to an operand has the type of that.
    if (op && !op->schema().is_mutable() && takesTensors(op->schema()))
      library.impl(c10::toString(name).c_str(), found->second());
  }
}

TORCH_LIBRARY_IMPL(_, AutocastHPU, library) {
  library.fallback(torch::CppFunction::makeFallthrough());
}

/// An op that is in no list of torch.autocast.
void runUnlisted(const c10::OperatorHandle &op, Stack *stack) {
  const c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::AutocastHPU);
  if (const CastRules *rules = castRules)
    runByRules(*rules, op, stack);
  else
    op.callBoxed(stack);
}

/// Ops that rules leave alone: those that make tensors or move numbers, and
/// PyTorch's own ones behind a function, which may write to what they are
/// given.
bool isOfAnyType(std::string_view name) {
  if (name.starts_with('_'))
    return name != "_softmax" && name != "_log_softmax" &&
           name != "_prelu_kernel" && !name.starts_with("_adaptive_avg_pool");
  if (name.starts_with("new_") || name.starts_with("lift") ||
      name.ends_with("_like") || name.starts_with("reflection_pad") ||
      name.starts_with("replication_pad"))
    return true;
  static const std::unordered_set<std::string_view> moves = {
      "clone",
      "constant_pad_nd",
      "copy",
      "flip",
      "gather",
      "index",
      "index_select",
      "masked_select",
      "pixel_shuffle",
      "repeat",
      "roll",
      "take",
      "tril",
      "triu",
      "repeat_interleave",
      "pixel_unshuffle"};
  return moves.count(name) != 0;
}

/// Whether rules may change what an op is given: it writes to no operand, its
/// results are no views, and among both are tensors.
bool isComputed(const c10::FunctionSchema &schema) {
  const auto isAliased = [](const c10::Argument &argument) {
    return argument.alias_info() != nullptr;
  };
  const auto isTensor = [](const c10::Argument &argument) {
    return argument.type()->isSubtypeOf(*c10::TensorType::get()) ||
           argument.type()->isSubtypeOf(*c10::ListType::ofTensors());
  };
  return !schema.is_mutable() && takesTensors(schema) &&
         std::none_of(schema.arguments().begin(), schema.arguments().end(),
                      isAliased) &&
         std::none_of(schema.returns().begin(), schema.returns().end(),
                      isAliased) &&
         std::any_of(schema.returns().begin(), schema.returns().end(),
                     isTensor);
}

} // namespace

void gaudi::bridge::setCastRules(std::optional<CastRules> rules) {
  castRules = nullptr;
  if (!rules)
    return;
  // Kernels for what the lists of torch.autocast leave out. Ops that are made
  // of others have none, unless they are named, so that those have theirs.
  static auto *library =
      new torch::Library(torch::Library::IMPL, "aten",
                         c10::DispatchKey::AutocastHPU, __FILE__, __LINE__);
  c10::Dispatcher &dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName &name : dispatcher.getAllOpNames()) {
    if (name.name.compare(0, strlen("aten::"), "aten::") != 0)
      continue;
    const std::string base = name.name.substr(strlen("aten::"));
    const auto op = dispatcher.findSchema(name);
    if (!op || op->hasKernelForDispatchKey(c10::DispatchKey::AutocastHPU) ||
        !isComputed(op->schema()) ||
        (isOfAnyType(base) && !rules->byName.count(base)))
      continue;
    const bool isComposite = op->hasKernelForDispatchKey(
        c10::DispatchKey::CompositeImplicitAutograd);
    if (!isComposite || rules->byName.count(base))
      library->impl(c10::toString(name).c_str(),
                    torch::CppFunction::makeFromBoxedFunction<&runUnlisted>());
  }
  castRules = new CastRules(std::move(*rules));
}

bool gaudi::bridge::isOpName(const std::string &name) {
  static const auto *names = [] {
    auto *made = new std::unordered_set<std::string>;
    for (const c10::OperatorName &each :
         c10::Dispatcher::singleton().getAllOpNames())
      made->insert(each.name);
    return made;
  }();
  return names->count("aten::" + name) != 0;
}
