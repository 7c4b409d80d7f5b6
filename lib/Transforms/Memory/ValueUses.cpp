// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When values are computed and read for the last time.
#include "ValueUses.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"

namespace gaudi {

ValueUses::ValueUses(func::FuncOp function) {
  Block &block = function.getBody().front();
  Operation *exit = block.getTerminator();
  for (Value output : exit->getOperands())
    outputs.insert(returnedRoot(output));
  // The next value of a state needs no buffer beside the state's.
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
  // In program order: sources of views have their strides by then.
  for (Operation &op : block) {
    steps[&op] = ++count;
    bool isView = false;
    if (auto view = dyn_cast<ViewOpInterface>(op))
      for (OpResult result : op.getResults()) {
        Value source = view.getViewSource(result);
        auto layout = view.getViewLayout(result, {0, stridesOf(source)});
        // A view that its layout forbids is a copy, so a reader as all others.
        if (!layout)
          continue;
        strides[result] = layout->strides;
        sources[result] = computed(source);
        views[source].push_back(result);
        isView = true;
      }
    for (Value operand : op.getOperands()) {
      last[computed(operand)] = count;
      // Views do not read: their readers count as those of the source.
      if (!isView)
        readers[computed(operand)].push_back(&op);
    }
  }
}

Operation *ValueUses::readerAfter(Value value, uint64_t step) const {
  auto it = readers.find(value);
  if (it == readers.end())
    return nullptr;
  auto first =
      llvm::upper_bound(it->second, step, [&](uint64_t at, Operation *reader) {
        return at < stepOf(reader);
      });
  return first == it->second.end() ? nullptr : *first;
}

Operation *ValueUses::readerBefore(Value value, uint64_t step) const {
  auto it = readers.find(value);
  if (it == readers.end())
    return nullptr;
  auto end =
      llvm::lower_bound(it->second, step, [&](Operation *reader, uint64_t at) {
        return stepOf(reader) < at;
      });
  return end == it->second.begin() ? nullptr : *std::prev(end);
}

bool ValueUses::viewsHold(Value value, ArrayRef<int64_t> strides) const {
  SmallVector<std::pair<Value, SmallVector<int64_t>>> windows;
  windows.emplace_back(value, SmallVector<int64_t>(strides));
  while (!windows.empty()) {
    auto [source, layout] = windows.pop_back_val();
    auto known = views.find(source);
    if (known == views.end())
      continue;
    for (OpResult result : known->second) {
      auto view = cast<ViewOpInterface>(result.getOwner());
      auto on = view.getViewLayout(result, {0, layout});
      if (!on)
        return false;
      windows.emplace_back(result, on->strides);
    }
  }
  return true;
}
} // namespace gaudi
