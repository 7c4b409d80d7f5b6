// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order of dimensions and stages of the kernel that a graph becomes.
#include "WrittenForm.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// The dimensions along the memory of the first result, then the others. The
/// runtime walks them in this order, the last one fastest: contiguous stores.
static SmallVector<unsigned> storeOrder(const KernelDag &dag) {
  SmallVector<int64_t> strides(dag.extents.size(), 0);
  const Store &store = dag.stores.front();
  auto type = tensorType(store.result);
  int64_t stride = 1;
  for (size_t i = store.position.size(); i-- > 0;) {
    for (unsigned d = 0; d < store.position[i].size(); ++d)
      strides[d] += store.position[i][d] * stride;
    stride *= type.getDimSize(i);
  }
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, dag.extents.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return strides[a] != strides[b] ? strides[a] > strides[b] : a < b;
  });
  return order;
}

namespace {
/// A store goes into the first loop over its dimensions in which its value
/// exists, else into a loop of its own at the end. One that needs no loop comes
/// right after the loop that its value needs last.
class StorePlacement {
public:
  StorePlacement(const KernelDag &dag, WrittenForm &form)
      : dag(dag), form(form) {}

  void run() {
    form.stages.emplace_back();
    for (auto [l, loop] : llvm::enumerate(dag.loops)) {
      Stage &stage = form.stages.emplace_back();
      stage.dims = loop.dims;
      stage.loop = l;
      form.stages.emplace_back();
    }
    const size_t last = form.stages.size();
    for (auto [s, store] : llvm::enumerate(dag.stores))
      stageOf(store).stores.push_back(s);
    // The graph sorts dimensions by number, the kernel by its new order.
    for (Stage &stage : MutableArrayRef(form.stages).drop_front(last))
      llvm::sort(stage.dims, [&](unsigned a, unsigned b) {
        return form.newDims[a] < form.newDims[b];
      });
  }

private:
  Stage &stageOf(const Store &store) {
    const SmallVector<unsigned, 2> walked =
        dag.sequentialOf(dimsOf(store.position));
    const unsigned depth = dag.nodes[store.value].depth;
    if (walked.empty())
      return form.stages[2 * depth];
    // The first loop over these dimensions from the value on can store it.
    for (unsigned l = depth; l < dag.loops.size(); ++l) {
      SmallVector<unsigned, 2> dims = dag.loops[l].dims;
      llvm::sort(dims);
      if (dims == walked)
        return form.stages[2 * l + 1];
    }
    // Otherwise a loop that only stores, one for each list of dimensions.
    for (size_t i = 2 * dag.loops.size() + 1; i < form.stages.size(); ++i)
      if (form.stages[i].dims == walked)
        return form.stages[i];
    form.stages.emplace_back().dims = walked;
    return form.stages.back();
  }

  const KernelDag &dag;
  WrittenForm &form;
};
} // namespace

WrittenForm gaudi::fusion::writtenFormOf(const KernelDag &dag) {
  WrittenForm form;
  const uint64_t used = dag.usedDims();
  form.newDims.assign(dag.extents.size(), 0);
  for (unsigned d : storeOrder(dag)) {
    if (!(used >> d & 1))
      continue;
    form.newDims[d] = form.dims.size();
    form.dims.push_back(d);
  }
  StorePlacement(dag, form).run();
  return form;
}
