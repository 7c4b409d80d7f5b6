// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps parsed models from MLIR that its verifiers and printer do not survive.
#include "Gaudi/Compiler/SourceGuards.h"
#include "Gaudi/Compiler/Resources.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Sizes of attributes and types as trees. They are stored as graphs, where
/// equal parts exist once, so text of n aliases can stand for 2^n parts.
class ExpandedSize {
public:
  struct Size {
    uint64_t parts = 1; ///< Saturated.
    unsigned depth = 1;
    bool isTooLarge() const {
      return parts > maxExpandedParts || depth > maxSourceDepth;
    }
  };

  bool isTooLarge(Attribute attribute) {
    return measure(attribute.getAsOpaquePointer(), true).isTooLarge();
  }
  bool isTooLarge(Type type) {
    return measure(type.getAsOpaquePointer(), false).isTooLarge();
  }

private:
  /// The pointer of an attribute or a type, and which of them it is.
  using Part = llvm::PointerIntPair<const void *, 1, bool>;

  Size measure(const void *pointer, bool isAttribute);
  static SmallVector<Part> partsOf(Part part);

  llvm::DenseMap<const void *, Size> known;
};
} // namespace

SmallVector<ExpandedSize::Part> ExpandedSize::partsOf(Part part) {
  SmallVector<Part> parts;
  auto addAttribute = [&](Attribute attribute) {
    parts.push_back({attribute.getAsOpaquePointer(), true});
  };
  auto addType = [&](Type type) {
    parts.push_back({type.getAsOpaquePointer(), false});
  };
  if (part.getInt())
    Attribute::getFromOpaquePointer(part.getPointer())
        .walkImmediateSubElements(addAttribute, addType);
  else
    Type::getFromOpaquePointer(part.getPointer())
        .walkImmediateSubElements(addAttribute, addType);
  return parts;
}

/// Post-order without recursion, since the depth is what is measured.
ExpandedSize::Size ExpandedSize::measure(const void *pointer,
                                         bool isAttribute) {
  struct Frame {
    const void *part;
    SmallVector<Part> parts;
    size_t next = 0;
    Size size = {};
  };
  if (auto it = known.find(pointer); it != known.end())
    return it->second;
  SmallVector<Frame> stack;
  stack.push_back({pointer, partsOf({pointer, isAttribute}), 0, {}});
  while (true) {
    Frame &top = stack.back();
    if (top.next == top.parts.size()) {
      Size size = known[top.part] = top.size;
      stack.pop_back();
      // All parts before their whole: sizes saturate, depth is one more than
      // the deepest part's.
      if (stack.empty())
        return size;
      continue; // the frame below finds it in `known`
    }
    Part part = top.parts[top.next];
    auto it = known.find(part.getPointer());
    if (it == known.end()) {
      stack.push_back({part.getPointer(), partsOf(part), 0, {}});
      continue;
    }
    top.size.parts = llvm::SaturatingAdd(top.size.parts, it->second.parts);
    top.size.depth = std::max(top.size.depth, it->second.depth + 1);
    ++top.next;
  }
}

LogicalResult gaudi::refuseLargeAttributes(Operation *root) {
  ExpandedSize sizes;
  // Neither the op nor the culprit may be printed, hence no op.emitError.
  auto refuse = [](Location loc, const Twine &what) {
    emitError(loc) << what << " expands to more than " << maxExpandedParts
                   << " parts or nests deeper than " << maxSourceDepth
                   << " levels; aliases that use each other are too large";
    return WalkResult::interrupt();
  };
  auto visit = [&](Operation *op) -> WalkResult {
    // Everything that a printer or a verifier would walk: locations, types,
    // attributes.
    if (sizes.isTooLarge(LocationAttr(op->getLoc())))
      return refuse(UnknownLoc::get(op->getContext()), "a location");
    for (Type type : op->getResultTypes())
      if (sizes.isTooLarge(type))
        return refuse(op->getLoc(), "the type of a result");
    // Properties are attributes too.
    NamedAttrList attributes;
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      attributes.push_back(attribute);
    op->getName().populateInherentAttrs(op, attributes);
    for (NamedAttribute attribute : attributes)
      if (sizes.isTooLarge(attribute.getValue()))
        return refuse(op->getLoc(),
                      "attribute '" + attribute.getName().getValue() + "'");
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments()) {
          if (sizes.isTooLarge(LocationAttr(argument.getLoc())))
            return refuse(UnknownLoc::get(op->getContext()), "a location");
          if (sizes.isTooLarge(argument.getType()))
            return refuse(argument.getLoc(), "the type of an argument");
        }
    return WalkResult::advance();
  };
  return failure(root->walk(visit).wasInterrupted());
}

void gaudi::inlineSmallResources(Operation *root) {
  constexpr int64_t smallElements = 64;
  root->walk([&](tosa::ConstOp op) {
    // Nothing has verified that there are values, and a result.
    if (op->getNumResults() != 1)
      return;
    auto resource =
        dyn_cast_or_null<DenseResourceElementsAttr>(op.getProperties().values);
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!resource || !type || !type.hasStaticShape() ||
        resource.getType() != type || type.getNumElements() > smallElements)
      return;
    if (auto values = ConstantValues::of(resource))
      op.setValuesAttr(values->toDense());
  });
}

void gaudi::definePoison(Operation *root) {
  root->getContext()->getOrLoadDialect<arith::ArithDialect>();
  root->walk([](ub::PoisonOp op) {
    if (op->getNumResults() != 1)
      return; // which the verifier says
    auto shaped = dyn_cast<ShapedType>(op.getType());
    OpBuilder b(op);
    TypedAttr zero;
    if (!shaped || shaped.hasStaticShape())
      zero = b.getZeroAttr(op.getType());
    if (!zero)
      return;
    remark::analysis(op.getLoc(), remark::RemarkOpts::name("define-poison")
                                      .category("gaudi-verify-source"))
        << "replaced an undefined value (ub.poison) by zero";
    op.replaceAllUsesWith(
        arith::ConstantOp::create(b, op.getLoc(), zero).getResult());
    op.erase();
  });
}

LogicalResult gaudi::refuseEmptyParameters(Operation *root) {
  bool failed = false;
  root->walk([&](tosa::ConstOp op) {
    auto resource =
        dyn_cast_or_null<DenseResourceElementsAttr>(op.getProperties().values);
    if (!resource || resource.getType().getNumElements() > 1)
      return;
    failed = true;
    op.emitError("resource '")
        << resource.getRawHandle().getKey()
        << "' of a scalar parameter has no data in the file, or not as many "
           "bytes as "
        << resource.getType() << " needs";
  });
  return failure(failed);
}

/// What must end a block of `op`; "" if any known terminator may.
static StringRef endOf(Operation *op, Block &block) {
  if (isa<func::FuncOp>(op))
    return block.getNumSuccessors() ? "" : func::ReturnOp::getOperationName();
  return isa<tosa::TosaDialect>(op->getDialect())
             ? tosa::YieldOp::getOperationName()
             : "";
}

/// The functions that custom calls are given, such as comparators of JAX's
/// approximate top-k: those end as regions of StableHLO do.
static DenseSet<Attribute> computationsOf(Operation *root) {
  DenseSet<Attribute> names;
  root->walk([&](Operation *op) {
    if (auto called = op->getAttrOfType<ArrayAttr>("called_computations"))
      for (Attribute name : called)
        if (auto symbol = dyn_cast<FlatSymbolRefAttr>(name))
          names.insert(symbol.getAttr());
  });
  return names;
}

LogicalResult gaudi::refuseUnknownEnds(Operation *root) {
  const DenseSet<Attribute> computations = computationsOf(root);
  auto visit = [&](Operation *op) {
    // Ops that MLIR knows check their own ends.
    if (!op->isRegistered() || op->hasTrait<OpTrait::NoTerminator>())
      return WalkResult::advance();
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Operation *last = block.empty() ? op : &block.back();
        const StringRef wanted = endOf(op, block);
        // A computation that a custom call names may end as a region of
        // StableHLO does.
        auto function = dyn_cast<func::FuncOp>(op);
        if (function && computations.contains(function.getSymNameAttr()) &&
            last->getName().getStringRef() == "stablehlo.return")
          continue;
        if (wanted.empty() ? last->hasTrait<OpTrait::IsTerminator>()
                           : last->getName().getStringRef() == wanted)
          continue;
        emitError(last->getLoc())
            << "'" << last->getName() << "' ends a block of '" << op->getName()
            << "'; expected "
            << (wanted.empty() ? std::string("a terminator")
                               : ("'" + wanted + "'").str());
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  };
  return failure(root->walk<WalkOrder::PreOrder>(visit).wasInterrupted());
}

LogicalResult gaudi::verifySource(Operation *root) {
  if (failed(refuseLargeAttributes(root)))
    return failure();
  inlineSmallResources(root);
  definePoison(root);
  if (failed(refuseEmptyParameters(root)) || failed(verify(root)))
    return failure();
  return refuseUnknownEnds(root);
}

namespace {
struct VerifySource : PassWrapper<VerifySource, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifySource)

  explicit VerifySource(StringRef source = "") : source(source) {}

  StringRef getName() const override { return "VerifySource"; }
  StringRef getArgument() const override { return "gaudi-verify-source"; }
  StringRef getDescription() const override {
    return "Verify a parsed model, after removing what verifiers abort on";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  /// Both in one pass: the verifier runs after each pass, and must not see
  /// what verifySource removes.
  void runOnOperation() override {
    ResourceNames names;
    auto module = dyn_cast<ModuleOp>(getOperation());
    if ((module && failed(attachResourceFile(module, source, names))) ||
        failed(verifySource(getOperation())))
      signalPassFailure();
  }

private:
  std::string source;
};
} // namespace

void gaudi::addVerifySourcePass(OpPassManager &manager, StringRef source) {
  manager.addPass(std::make_unique<VerifySource>(source));
}

void gaudi::registerVerifySourcePass() { PassRegistration<VerifySource>(); }
