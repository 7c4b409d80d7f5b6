// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the canonicalization patterns of dialects, once per context.
#include "Canonicalize.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <mutex>
#include <set>

using namespace mlir;
using namespace gaudi;

namespace {
/// Names of dialects.
using Dialects = std::set<StringRef>;

/// The patterns of a context, by the dialects that they are of.
class CanonicalPatterns : public DialectInterface::Base<CanonicalPatterns> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalPatterns)
  explicit CanonicalPatterns(Dialect *dialect) : Base(dialect) {}

  FrozenRewritePatternSet of(const Dialects &dialects) {
    const std::lock_guard<std::mutex> guard(lock);
    auto [set, isNew] = sets.try_emplace(dialects);
    if (isNew)
      set->second = collect(dialects);
    return set->second;
  }

private:
  /// In the order of MLIR's canonicalizer.
  FrozenRewritePatternSet collect(const Dialects &dialects) const {
    MLIRContext *context = getContext();
    RewritePatternSet patterns(context);
    for (Dialect *dialect : context->getLoadedDialects())
      if (dialects.count(dialect->getNamespace()))
        dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (dialects.count(op.getDialectNamespace()))
        op.getCanonicalizationPatterns(patterns, context);
    return std::move(patterns);
  }

  std::mutex lock;
  std::map<Dialects, FrozenRewritePatternSet> sets;
};

struct Canonicalize : PassWrapper<Canonicalize, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Canonicalize)

  StringRef getArgument() const final { return "canonicalize"; }
  StringRef getName() const final { return "Canonicalizer"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<GaudiDialect>();
  }

  void runOnOperation() override {
    auto *kept = getContext()
                     .getLoadedDialect<GaudiDialect>()
                     ->getRegisteredInterface<CanonicalPatterns>();
    assert(kept && "registerGaudiDialects adds it");
    // Names of a context live as long as it does.
    Dialects dialects = {GaudiDialect::getDialectNamespace()};
    getOperation().walk([&](Operation *op) {
      dialects.insert(op->getName().getDialectNamespace());
    });
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(getOperation(), kept->of(dialects), config);
  }
};
} // namespace

std::unique_ptr<Pass> gaudi::createCanonicalize() {
  return std::make_unique<Canonicalize>();
}

void gaudi::registerCanonicalPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, GaudiDialect *dialect) {
    dialect->addInterfaces<CanonicalPatterns>();
  });
}
