// Rules of kernels in data form, from their accesses and their bodies.
//
// A dimension of the index space has the factors of the dimensions of tensors
// that it walks alone. Padding that a loop would combine is replaced where the
// loop yields, so that nothing has to be known of the body, and an index that
// would stop the launch where it is used.
#include "Gaudi/Dialect/ScalarBuilder.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// A condition on dimensions of the index space, and the value that is yielded
/// instead: null keeps the accumulator.
struct Yielded {
  KernelLoopOp loop;
  unsigned reduction, operand; ///< operand: number of the yield's
  SmallVector<Condition> conditions;
};
/// An index that becomes 0 where a condition holds.
struct Indexed {
  KernelLoadOp load;
  SmallVector<Condition> conditions;
};
/// An index into a padded dimension of a tensor: from the extent on, the one
/// past all elements or, with clamp, the last that is real.
struct Bounded {
  KernelLoadOp load;
  unsigned dim;
  AffineExpr extent;
};

class KernelPadding {
public:
  KernelPadding(PaddingRule &rule, KernelOp kernel)
      : rule(rule), kernel(kernel), walked(kernel.getIndexSpace().size()) {}

  void run() {
    kernel.getBody().walk([&](KernelLoadOp load) { addLoad(load); });
    for (auto [k, size] : llvm::enumerate(kernel.getIndexSpace()))
      space.dims.push_back(rule.common(walked[k], size));
    space.isKnown = true;
    if (rule.failed())
      return;
    if (space.isPadded())
      addSpace();
    if (!rule.failed() &&
        !(yields.empty() && indices.empty() && bounds.empty()))
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
    rule.setEdit(
        "replaced padding in " + Twine(yields.size()) + " reductions and " +
            Twine(indices.size() + bounds.size()) + " indices of the kernel",
        [yields = yields, indices = indices,
         bounds = bounds](Operation *op, PaddingEditor &editor) {
          auto kernel = cast<KernelOp>(op);
          // Padding has the index 0 even of a table without elements.
          bound(kernel, editor, bounds);
          apply(kernel, editor, yields, indices);
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
    if (rule.countsPadding())
      return;
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
          bounds.push_back(
              {load, unsigned(dim), state.dims[dim].front().extent});
        continue;
      }
      auto at = dyn_cast<AffineConstantExpr>(load.getMap().getResult(dim));
      if (!at)
        rule.fail(name + " is padded, and windows go over it");
      else if (!isPrefix(state.dims[dim]) ||
               rule.sizes.rangeOf(state.dims[dim].front().extent).first <=
                   at.getValue())
        rule.fail(name + " may have no real element " + Twine(at.getValue()));
    }
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
      indices.push_back(indexed);
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
        yields.push_back(yielded);
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

  /// The argument of the body for an input; a new one if there is none.
  static Value inputArgument(KernelOp kernel, Value input) {
    for (auto [own, argument] :
         llvm::zip_equal(kernel.getInputs(), kernel.getInputArguments()))
      if (own == input)
        return argument;
    assert(tensorType(input).getRank() == 0 && "an extent");
    const unsigned number = kernel.getInputs().size();
    kernel.getInputsMutable().append(input);
    return kernel.getBody().front().insertArgument(number, input.getType(),
                                                   kernel.getLoc());
  }

  /// Whether a point is padding, as a value before `before`.
  static Value isPadding(KernelOp kernel, PaddingEditor &editor,
                         Operation *before, ArrayRef<Condition> conditions) {
    OpBuilder builder(before);
    const Location loc = before->getLoc();
    ScalarBuilder scalars(builder, loc);
    const Type i64 = builder.getI64Type();
    Value padding;
    for (const Condition &condition : conditions) {
      Value index = KernelIndexOp::create(builder, loc, i64, condition.dim);
      const int64_t size = kernel.getIndexSpace()[condition.dim];
      if (condition.divisor != 1)
        index = scalars.binary<arith::DivSIOp>(
            index, scalars.intConstant(condition.divisor, i64));
      if (condition.modulus < size / condition.divisor)
        index = scalars.binary<arith::RemSIOp>(
            index, scalars.intConstant(condition.modulus, i64));
      const Value past = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sge, index,
          loadExtent(kernel, editor, before, condition.extent));
      padding = padding ? scalars.binary<arith::OrIOp>(padding, past) : past;
    }
    return padding;
  }

  /// The extent as an i64, before `before`.
  static Value loadExtent(KernelOp kernel, PaddingEditor &editor,
                          Operation *before, AffineExpr extent) {
    OpBuilder builder(before);
    const Location loc = before->getLoc();
    const auto origin =
        AffineMap::get(kernel.getIndexSpace().size(), 0, ArrayRef<AffineExpr>(),
                       kernel.getContext());
    const Value number = KernelLoadOp::create(
        builder, loc, builder.getI32Type(),
        inputArgument(kernel, editor.extent(extent)), origin, ValueRange(),
        DenseI64ArrayAttr(), ArrayAttr(), TypedAttr());
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), number);
  }

  static void bound(KernelOp kernel, PaddingEditor &editor,
                    ArrayRef<Bounded> bounds) {
    for (const Bounded &bounded : bounds) {
      KernelLoadOp load = bounded.load;
      OpBuilder builder(load);
      const Location loc = load.getLoc();
      ScalarBuilder scalars(builder, loc);
      const Type i64 = builder.getI64Type();
      const Value extent = loadExtent(kernel, editor, load, bounded.extent);
      const Value index = load.getDynamicIndex(bounded.dim);
      Value result;
      if (load.getBoundaryOf(bounded.dim) == Boundary::Clamp) {
        result = scalars.binary<arith::MinSIOp>(
            index,
            scalars.binary<arith::SubIOp>(extent, scalars.intConstant(1, i64)));
      } else {
        const int64_t size =
            tensorType(load.getInput()).getDimSize(bounded.dim);
        const Value isReal = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::slt, index, extent);
        result = arith::SelectOp::create(builder, loc, isReal, index,
                                         scalars.intConstant(size, i64));
      }
      const auto place = llvm::find(*load.getDynamicDims(), bounded.dim);
      const size_t number = place - load.getDynamicDims()->begin();
      load.getIndicesMutable()[number].set(result);
    }
  }

  static void apply(KernelOp kernel, PaddingEditor &editor,
                    ArrayRef<Yielded> yields, ArrayRef<Indexed> indices) {
    for (Yielded yielded : yields) {
      Block &body = yielded.loop.getBody().front();
      OpOperand &operand = body.getTerminator()->getOpOperand(yielded.operand);
      const Value padding =
          isPadding(kernel, editor, body.getTerminator(), yielded.conditions);
      OpBuilder builder(body.getTerminator());
      const TypedAttr neutral =
          neutralOf(yielded.loop.getReduceKind(yielded.reduction),
                    operand.get().getType());
      const Value instead =
          neutral ? arith::ConstantOp::create(builder, kernel.getLoc(), neutral)
                        .getResult()
                  : body.getArgument(yielded.reduction);
      operand.set(arith::SelectOp::create(builder, kernel.getLoc(), padding,
                                          instead, operand.get()));
    }
    for (Indexed indexed : indices) {
      const Value padding =
          isPadding(kernel, editor, indexed.load, indexed.conditions);
      OpBuilder builder(indexed.load);
      const Value zero = arith::ConstantOp::create(
          builder, kernel.getLoc(), builder.getI64IntegerAttr(0));
      for (OpOperand &index : indexed.load.getIndicesMutable())
        index.set(arith::SelectOp::create(builder, kernel.getLoc(), padding,
                                          zero, index.get()));
    }
  }

  PaddingRule &rule;
  KernelOp kernel;
  /// By dimension of the index space: dimensions of inputs that it walks.
  SmallVector<SmallVector<std::pair<unsigned, int64_t>>> walked;
  PaddingState space;
  SmallVector<Yielded> yields;
  SmallVector<Indexed> indices;
  SmallVector<Bounded> bounds;
};
} // namespace

bool mlir::gaudi::addKernelRule(PaddingRule &rule) {
  auto kernel = dyn_cast<KernelOp>(rule.op);
  if (!kernel)
    return false;
  KernelPadding(rule, kernel).run();
  return true;
}
