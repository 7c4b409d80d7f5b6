// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of kernels in data form, from their accesses and their bodies.
//
// A dimension of the index space has the factors of the dimensions of tensors
// that it walks alone. Padding that a loop would combine is replaced where the
// loop yields, so that nothing has to be known of the body, and an index that
// would stop the launch where it is used.
#include "KernelEdits.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace gaudi;

namespace {
class KernelPadding {
public:
  KernelPadding(PaddingRule &rule, KernelOp kernel)
      : rule(rule), kernel(kernel), walked(kernel.getIndexSpace().size()) {}

  void run() {
    kernel.getBody().walk([&](KernelLoadOp load) { addLoad(load); });
    for (auto [k, size] : llvm::enumerate(kernel.getIndexSpace()))
      space.dims.push_back(rule.common(walked[k], size));
    space.isKnown = true;
    for (const auto &[k, extent] : windows)
      limitWindows(k, extent);
    if (rule.failed())
      return;
    if (space.isPadded())
      addSpace();
    if (!rule.failed() && !edits.empty())
      setEdit();
  }

private:
  /// What padded dimensions of the index space mean to its ops.
  void addSpace() {
    kernel.getBody().walk([&](Operation *op) {
      if (auto load = dyn_cast<KernelLoadOp>(op))
        checkLoad(load);
      else if (auto index = dyn_cast<KernelIndexOp>(op)) {
        if (!onlyWalks(index))
          requirePrefix(index.getDim(), "the kernel computes with its index");
      } else if (auto loop = dyn_cast<KernelLoopOp>(op))
        addLoop(loop);
      else if (auto store = dyn_cast<KernelStoreOp>(op))
        addStore(store);
    });
    if (!rule.failed())
      addContents();
  }

  void setEdit() {
    rule.setEdit("replaced padding in " + Twine(edits.yields.size()) +
                     " reductions, " +
                     Twine(edits.indices.size() + edits.bounds.size()) +
                     " indices and " + Twine(edits.windows.size()) +
                     " windows of the kernel",
                 [edits = edits](Operation *op, PaddingEditor &editor) {
                   edits.apply(cast<KernelOp>(op), editor);
                 });
  }

  /// The dimension of the index space that walks all of dimension `dim` of the
  /// tensor alone.
  std::optional<unsigned> walkedBy(AffineMap map, unsigned dim, int64_t size) {
    auto expr = dyn_cast<AffineDimExpr>(map.getResult(dim));
    if (!expr || kernel.getIndexSpace()[expr.getPosition()] != size)
      return std::nullopt;
    return expr.getPosition();
  }
  std::optional<unsigned> walkedBy(KernelLoadOp load, unsigned dim) {
    const int64_t size = tensorType(load.getInput()).getDimSize(dim);
    if (Value index = load.getDynamicIndex(dim)) {
      // An index that is the position itself.
      auto own = index.getDefiningOp<KernelIndexOp>();
      return own && kernel.getIndexSpace()[own.getDim()] == size
                 ? std::optional<unsigned>(own.getDim())
                 : std::nullopt;
    }
    if (load.getBoundaryOf(dim) != Boundary::Inside && size != 1)
      return std::nullopt;
    return walkedBy(load.getMap(), dim, size);
  }
  /// True if the index of a dimension only walks dimensions of tensors.
  bool onlyWalks(KernelIndexOp index) {
    return llvm::all_of(index->getUses(), [&](OpOperand &use) {
      auto load = dyn_cast<KernelLoadOp>(use.getOwner());
      if (!load)
        return false;
      for (unsigned dim = 0; dim < tensorType(load.getInput()).getRank(); ++dim)
        if (load.getDynamicIndex(dim) == index.getResult() &&
            !walkedBy(load, dim))
          return false;
      return true;
    });
  }

  /// Compacts what dimension `k` of the index space walks, if it has to.
  void requirePrefix(unsigned k, StringRef why) {
    for (auto [input, dim] : walked[k])
      rule.requirePrefix(input, dim, why);
  }

  void addLoad(KernelLoadOp load) {
    const unsigned input = load.getInputNumber();
    const PaddingState &state = rule.in(input);
    for (int64_t dim = 0; dim < int64_t(state.dims.size()); ++dim) {
      if (auto k = walkedBy(load, dim)) {
        walked[*k].push_back({input, dim});
        continue;
      }
      if (!state.isPadded(dim))
        continue;
      const std::string name =
          ("dimension " + Twine(dim) + " of operand " + Twine(input)).str();
      if (load.getDynamicIndex(dim)) {
        if (rule.requirePrefix(input, dim, indicesCount))
          edits.bounds.push_back(
              {load, unsigned(dim), state.dims[dim].front().extent});
        continue;
      }
      auto at = dyn_cast<AffineConstantExpr>(load.getMap().getResult(dim));
      if (!at)
        addWindow(load, dim);
      else if (!isPrefix(state.dims[dim]) ||
               rule.sizes.rangeOf(state.dims[dim].front().extent).low <=
                   at.getValue())
        rule.fail(name + " may have no real element " + Twine(at.getValue()));
    }
  }

  /// A position that is a sum. What is outside in the program is past the real
  /// elements, as long as windows begin at each of them, or markers say where.
  void addWindow(KernelLoadOp load, unsigned dim) {
    const unsigned input = load.getInputNumber();
    if (!rule.requirePrefix(input, dim, "windows go over it"))
      return;
    const int64_t size = tensorType(load.getInput()).getDimSize(dim);
    const AffineExpr extent = rule.in(input).dims[dim].front().extent;
    const AffineExpr position = load.getMap().getResult(dim);
    const Boundary boundary = load.getBoundaryOf(dim);
    bool isTold = boundary == Boundary::Pad || boundary == Boundary::Inside;
    for (unsigned k = 0; k < walked.size(); ++k) {
      if (!position.isFunctionOfDim(k) || !kernel.getParallel()[k] ||
          isMarked(k))
        continue;
      const AffineExpr rest = simplifyAffineExpr(
          position - getAffineDimExpr(k, kernel.getContext()), walked.size(),
          0);
      isTold &= boundary == Boundary::Pad &&
                kernel.getIndexSpace()[k] == size && !rest.isFunctionOfDim(k);
      windows.push_back({k, extent});
    }
    if (!isTold)
      return rule.fail("dimension " + Twine(dim) + " of operand " +
                       Twine(input) + " is padded, and windows go over it");
    if (boundary == Boundary::Pad)
      edits.windows.push_back({load, dim, extent});
  }

  /// True if markers say the sizes of all that dimension `k` is stored to.
  bool isMarked(unsigned k) {
    bool areMarked = true;
    kernel.getBody().walk([&](KernelStoreOp store) {
      for (auto [dim, expr] : llvm::enumerate(store.getMap().getResults()))
        if (expr.isFunctionOfDim(k))
          areMarked &= rule.isMarked(store.getOutputNumber(), dim);
    });
    return areMarked;
  }

  /// Windows begin at `extent` positions of dimension `k`.
  void limitWindows(unsigned k, AffineExpr extent) {
    if (!space.isPadded(k))
      space.dims[k] = rule.prefix(kernel.getIndexSpace()[k], extent);
    else if (!isPrefix(space.dims[k]) ||
             !rule.sizes.areEqual(space.dims[k].front().extent, extent))
      rule.fail(
          "dimension " + Twine(k) + " of the index space has windows on " +
          rule.sizes.text(extent) + " elements, but " +
          rule.sizes.text(extentOf(space.dims[k], rule.sizes)) + " real ones");
  }

  /// Positions that are sums count elements of a dimension.
  void checkLoad(KernelLoadOp load) {
    bool mayStop = false;
    for (auto [dim, expr] : llvm::enumerate(load.getMap().getResults())) {
      if (walkedBy(load, dim))
        continue;
      mayStop |= load.getBoundaryOf(dim) == Boundary::Checked;
      if (load.getDynamicIndex(dim))
        continue;
      for (unsigned k = 0; k < space.dims.size(); ++k)
        if (expr.isFunctionOfDim(k) && space.isPadded(k)) {
          requirePrefix(k, "the kernel computes positions from it");
          if (load.getBoundaryOf(dim) == Boundary::Checked)
            rule.fail("a position that is computed from padded dimension " +
                      Twine(k) + " of the index space may stop the launch");
        }
    }
    if (!mayStop || load.getIndices().empty())
      return;
    SmallVector<unsigned> dims;
    for (unsigned k = 0; k < space.dims.size(); ++k)
      if (kernel.getParallel()[k])
        dims.push_back(k);
    if (auto loop = load->getParentOfType<KernelLoopOp>())
      llvm::append_range(dims, loop.getDims());
    Indexed indexed{load, {}};
    for (unsigned k : dims)
      space.addConditions(k, indexed.conditions, [&](size_t factor) {
        const ConstantScalars values = valuesAt(k, factor);
        return !llvm::all_of(load.getIndices(), [&](Value index) {
          return isZero(values.of(index));
        });
      });
    if (!indexed.conditions.empty())
      edits.indices.push_back(indexed);
  }

  void addLoop(KernelLoopOp loop) {
    unsigned operand = 0;
    for (unsigned r = 0; r < loop.getReduce().size(); ++r) {
      const KernelReduce kind = loop.getReduceKind(r);
      const bool isArg =
          kind == KernelReduce::ArgMax || kind == KernelReduce::ArgMin;
      Yielded yielded{loop, r, operand, {}};
      Operation *yield = loop.getBody().front().getTerminator();
      const Value value = yield->getOperand(operand);
      const TypedAttr neutral = neutralOf(kind, value.getType());
      for (int64_t k : loop.getDims())
        space.addConditions(k, yielded.conditions, [&](size_t factor) {
          const TypedAttr content = valuesAt(k, factor).of(value);
          return !content || (content != neutral &&
                              !(kind == KernelReduce::Add && isZero(content)));
        });
      if (!yielded.conditions.empty())
        edits.yields.push_back(yielded);
      operand += isArg ? 2 : 1;
    }
  }

  void addStore(KernelStoreOp store) {
    const unsigned number = store.getOutputNumber();
    const RankedTensorType type = tensorType(store.getOutput());
    for (auto [dim, expr] : llvm::enumerate(store.getMap().getResults())) {
      DimPadding &to = rule.result(number).dims[dim];
      if (auto k = walkedBy(store.getMap(), dim, type.getDimSize(dim))) {
        to = space.dims[*k];
        continue;
      }
      for (unsigned k = 0; k < space.dims.size(); ++k)
        if (expr.isFunctionOfDim(k) && space.isPadded(k))
          rule.fail("dimension " + Twine(dim) + " of result " + Twine(number) +
                    " is stored at positions that are computed from padded "
                    "dimension " +
                    Twine(k) + " of the index space");
    }
  }

  /// What padding of a stored dimension holds.
  void addContents() {
    kernel.getBody().walk([&](KernelStoreOp store) {
      const RankedTensorType type = tensorType(store.getOutput());
      PaddingState &result = rule.result(store.getOutputNumber());
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        auto k = walkedBy(store.getMap(), dim, type.getDimSize(dim));
        if (!k)
          continue;
        for (auto [factor, padding] : llvm::enumerate(result.dims[dim])) {
          if (!padding.isPadded())
            continue;
          const TypedAttr value = valuesAt(*k, factor).of(store.getValue());
          if (value)
            padding.content = asElement(value, type.getElementType());
        }
      }
    });
  }

  /// The constants of the body at padding of one factor of the index space.
  ConstantScalars valuesAt(unsigned k, size_t factor) {
    ConstantScalars values;
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto load = dyn_cast<KernelLoadOp>(op)) {
        if (const TypedAttr content = contentOf(load, k, factor))
          values.set(load.getResult(), asScalar(content));
      } else if (auto loop = dyn_cast<KernelLoopOp>(op)) {
        return;
      } else if (auto yield = dyn_cast<KernelYieldOp>(op)) {
        addResults(cast<KernelLoopOp>(yield->getParentOp()), values);
      } else {
        values.evaluate(op);
      }
    });
    return values;
  }

  TypedAttr contentOf(KernelLoadOp load, unsigned k, size_t factor) {
    const PaddingState &state = rule.in(load.getInputNumber());
    if (llvm::any_of(llvm::seq<unsigned>(0, state.dims.size()),
                     [&](unsigned dim) {
                       return load.getBoundaryOf(dim) == Boundary::Pad;
                     }))
      return {};
    if (state.splat)
      return state.splat;
    for (unsigned dim = 0; dim < state.dims.size(); ++dim)
      if (walkedBy(load, dim) == k)
        if (TypedAttr content = state.contentAt(dim, factor))
          return content;
    return {};
  }

  /// Results of a loop that combines its initial values with their neutral
  /// element only.
  static void addResults(KernelLoopOp loop, ConstantScalars &values) {
    Operation *yield = loop.getBody().front().getTerminator();
    if (yield->getNumOperands() != loop.getReduce().size())
      return;
    for (unsigned r = 0; r < loop.getReduce().size(); ++r) {
      const TypedAttr yielded = values.of(yield->getOperand(r)),
                      init = values.of(loop.getInits()[r]);
      const KernelReduce kind = loop.getReduceKind(r);
      if (yielded && init &&
          (yielded == neutralOf(kind, yielded.getType()) ||
           (kind == KernelReduce::Add && isZero(yielded))))
        values.set(loop.getResult(r), init);
    }
  }

  PaddingRule &rule;
  KernelOp kernel;
  /// By dimension of the index space: dimensions of inputs that it walks.
  SmallVector<SmallVector<std::pair<unsigned, int64_t>>> walked;
  PaddingState space;
  KernelEdits edits;
  /// Dimensions of the index space where windows begin, and how often.
  SmallVector<std::pair<unsigned, AffineExpr>> windows;
};
} // namespace

bool gaudi::addKernelRule(PaddingRule &rule) {
  auto kernel = dyn_cast<KernelOp>(rule.op);
  if (!kernel)
    return false;
  KernelPadding(rule, kernel).run();
  return true;
}
