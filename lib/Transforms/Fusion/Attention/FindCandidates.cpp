// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the matrix products that may be the second one of an attention.
#include "AttentionMatch.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Gaudi/Transforms/DeviceModel.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// What a value depends on through vector ops and views.
enum Trait : uint8_t {
  OnProduct = 1,     // the result of a matrix product
  OnExponential = 2, // an exponential of that
  OnSum = 4,         // a sum of such exponentials
};

/// Finds products that may be the second one of an attention. One walk over the
/// function, without graphs: most products of most networks end here.
class ProductFinder {
public:
  SmallVector<AttentionCandidate> run(Block &block) {
    for (Operation &op : block)
      visit(&op);
    SmallVector<AttentionCandidate> candidates;
    for (GemmOp product : products)
      addCandidates(product, candidates);
    return candidates;
  }

private:
  uint8_t of(Value value) const { return traits.lookup(value); }

  void visit(Operation *op) {
    uint8_t in = 0;
    for (Value operand : op->getOperands())
      in |= of(operand);
    if (auto product = dyn_cast<GemmOp>(op); product && !hasOrders(product)) {
      products.push_back(product);
      // What its operands depend on ends at a product.
      in = OnProduct;
    } else if (isMatrixProduct(op)) {
      in = 0;
    } else if (auto kernel = dyn_cast<KernelOp>(op)) {
      in = throughKernel(kernel, in);
    } else if (in & OnProduct && isa<ExpOp, Exp2Op>(op)) {
      in |= OnExponential;
    } else if (auto reduce = dyn_cast<ReduceOp>(op);
               reduce && in & OnExponential &&
               (reduce.getKind() == ReduceKind::Sum ||
                reduce.getKind() == ReduceKind::Mean)) {
      in |= OnSum;
    }
    if (in)
      for (Value result : op->getResults())
        traits[result] = in;
  }

  static uint8_t throughKernel(KernelOp kernel, uint8_t in) {
    if (!(in & OnProduct))
      return in;
    bool sums = false;
    kernel.getBody().walk([&](Operation *inner) {
      if (isa<math::ExpOp, math::Exp2Op>(inner))
        in |= OnExponential;
      if (auto loop = dyn_cast<KernelLoopOp>(inner))
        for (size_t r = 0; r < loop.getInits().size(); ++r)
          sums |= loop.getReduceKind(r) == KernelReduce::Add;
    });
    if (sums && in & OnExponential)
      in |= OnSum;
    return in;
  }

  void addCandidates(GemmOp product,
                     SmallVectorImpl<AttentionCandidate> &candidates) {
    for (bool isLhs : {true, false}) {
      uint8_t read = of(isLhs ? product.getLhs() : product.getRhs());
      if (!(read & OnExponential))
        continue;
      // A division of the result comes first: softmax normalises once.
      Operation *division = read & OnSum ? nullptr : divisionOf(product);
      if (read & OnSum || division)
        candidates.push_back({product, isLhs, division});
    }
  }

  /// The division or product with a sum of exponentials that alone reads the
  /// result, through views.
  Operation *divisionOf(GemmOp product) const {
    Value value = product.getResult();
    for (unsigned steps = 0; steps < 8 && value.hasOneUse(); ++steps) {
      Operation *user = *value.getUsers().begin();
      if (isa<DivOp, MulOp>(user)) {
        for (Value operand : user->getOperands())
          if (operand != value && of(operand) & OnSum)
            return user;
        return nullptr;
      }
      if (!isa<ReshapeOp, TransposeOp>(user))
        return nullptr;
      value = user->getResult(0);
    }
    return nullptr;
  }

  DenseMap<Value, uint8_t> traits;
  SmallVector<GemmOp> products;
};
} // namespace

SmallVector<AttentionCandidate> gaudi::fusion::findCandidates(Block &block) {
  return ProductFinder().run(block);
}
