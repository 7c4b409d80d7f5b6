// When values are computed and read for the last time.
#include "ValueUses.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"

namespace mlir::gaudi {

ValueUses::ValueUses(func::FuncOp function) {
  Block &block = function.getBody().front();
  Operation *exit = block.getTerminator();
  for (Value output : exit->getOperands())
    outputs.insert(returnedRoot(output));
  // The next value of a state needs no buffer of its own beside the state's.
  for (BlockArgument argument : block.getArguments())
    if (auto result = stateResult(function, argument.getArgNumber())) {
      Value next = exit->getOperand(*result);
      outputs.erase(returnedRoot(next));
      if (next != argument)
        updates[returnedRoot(next)] = {argument, *result};
    }
  DenseMap<Value, SmallVector<int64_t>> strides; // of windows
  auto stridesOf = [&](Value value) {
    auto it = strides.find(value);
    return it != strides.end() ? it->second
                               : denseStrides(tensorType(value).getShape());
  };
  for (Operation &op : block) {
    steps[&op] = ++count;
    for (Value operand : op.getOperands())
      last[computed(operand)] = count;
    auto view = dyn_cast<ViewOpInterface>(op);
    if (!view)
      continue;
    for (OpResult result : op.getResults()) {
      Value source = view.getViewSource(result);
      if (auto layout = view.getViewLayout(result, {0, stridesOf(source)})) {
        strides[result] = layout->strides;
        sources[result] = computed(source);
      }
    }
  }
}

Operation *ValueUses::readerAfter(Value value, uint64_t step) const {
  Operation *first = nullptr;
  SmallVector<Value> values = {value};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      const size_t before = values.size();
      for (Value result : user->getResults())
        if (sources.lookup(result) == value)
          values.push_back(result);
      const uint64_t at = stepOf(user);
      if (values.size() == before && at > step &&
          (!first || at < stepOf(first)))
        first = user;
    }
  return first;
}

bool ValueUses::viewsHold(Value value, ArrayRef<int64_t> strides) const {
  SmallVector<std::pair<Value, SmallVector<int64_t>>> windows;
  windows.emplace_back(value, SmallVector<int64_t>(strides));
  while (!windows.empty()) {
    auto [source, layout] = windows.pop_back_val();
    for (Operation *user : source.getUsers()) {
      auto view = dyn_cast<ViewOpInterface>(user);
      if (!view)
        continue;
      for (OpResult result : user->getResults()) {
        if (!sources.contains(result))
          continue; // a copy anyway
        auto on = view.getViewLayout(result, {0, layout});
        if (!on)
          return false;
        windows.emplace_back(result, on->strides);
      }
    }
  }
  return true;
}
} // namespace mlir::gaudi
