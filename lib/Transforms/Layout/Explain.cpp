// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks and records of a placement of permutations.
#include "Explain.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Transforms/PermutationRecord.h"
#include "LayoutGraph.h"
#include "Remedies.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

/// Bounds of what a function's records hold.
constexpr unsigned maxRecordedTransposes = 1000;
constexpr unsigned maxDrawnOfRegion = 400, maxDrawn = 2000;
/// Readers of one copy that are asked why.
constexpr unsigned maxReaders = 16;

static std::string typeText(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : type.getShape())
    os << size << 'x';
  os << type.getElementType();
  return text;
}

namespace {
/// Explains one function.
class Explainer {
public:
  Explainer(func::FuncOp function, const Placement &placement,
            const DeviceTime &time)
      : placed(function, placement), remedies(placed, time), time(time),
        withRemarks(explains(function)) {
    unsigned number = 0;
    for (Operation &op : function.front())
      numbers[&op] = number++;
  }

  void run() {
    SmallVector<PermutationRecord, 0> records;
    gaudi::PermutationCount sum;
    for (const layout::Region &region : placed.placement.regions) {
      records.push_back(explain(region));
      sum += records.back().count;
    }
    auto function = placed.function;
    remark::analysis(function.getLoc(), options("placement")) << remark::add(
        "placed permutations in {0}: {1}",
        gaudi::countOf(records.size(), "region"), sum.line(time.spec.name));
    record(function->getParentOfType<ModuleOp>(), records);
  }

private:
  remark::RemarkOpts options(StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("gaudi-place-permutations")
        .function(placed.function.getName());
  }

  /// What reads the copy that a transpose makes. Null if only other copies are
  /// made from it.
  const PlacedParty *readerOf(const PlacedGroup &group,
                              ArrayRef<int64_t> order) {
    auto it = llvm::find_if(group.readers, [&](const PlacedParty &reader) {
      return ArrayRef(reader.whole) == order;
    });
    return it == group.readers.end() ? nullptr : &*it;
  }

  /// The move of the program that a remaining transpose replaces: the one
  /// that made the same order, else the first of the group.
  Operation *moveOf(const PlacedGroup &group, ArrayRef<int64_t> order) {
    for (Operation *move : group.moves)
      if (ArrayRef(placed.normal(group.root,
                                 placed.orderOf(move->getResult(0)))) == order)
        return move;
    return group.moves.empty() ? nullptr : group.moves.front();
  }

  PermutationRecord explain(const layout::Region &region) {
    // Transposes are no ops of the region: they are what it is about.
    SmallVector<Operation *> ops;
    for (Operation *op : region.ops)
      if (!placed.isMove(op))
        ops.push_back(op);
    sortByNumber(ops);
    PermutationRecord record{placed.function.getName().str(),
                             placed.function.getLoc()};
    record.count = {region.transposesBefore, 0,
                    region.bytesBefore,      region.bytesAfter,
                    region.before,           region.after,
                    region.lowerBound,       region.isComplete};
    transposeOf.clear();
    for (const Transposition &transposition : region.transposes)
      if (!transposition.isFree) {
        ++record.count.transposesAfter;
        keep(transposition, record);
      }
    remove(region, ops, record);
    addNeighbours(region, ops);
    if (!ops.empty())
      record.loc = ops.front()->getLoc();
    record.opsInAll = ops.size();
    draw(region, ops, record);
    remark::analysis(record.loc, options("region"))
        << remark::add("region of {0}: {1}", gaudi::countOf(ops.size(), "op"),
                       record.count.line(time.spec.name));
    return record;
  }

  void sortByNumber(SmallVector<Operation *> &ops) const {
    llvm::sort(ops, [&](Operation *a, Operation *b) {
      return numbers.lookup(a) < numbers.lookup(b);
    });
  }

  /// Adds the ops that had no choice and read or write what transposes connect:
  /// those that force orders on the region.
  void addNeighbours(const layout::Region &region,
                     SmallVector<Operation *> &ops) {
    DenseSet<Operation *> known(ops.begin(), ops.end());
    DenseSet<Value> roots;
    auto addOf = [&](Value value) {
      const PlacedGroup &group = placed.groupOf(value);
      if (!roots.insert(group.root).second)
        return;
      auto add = [&](Operation *op) {
        if (op && !isa<func::ReturnOp, ConstantOp>(op) &&
            known.insert(op).second)
          ops.push_back(op);
      };
      add(group.writer.op);
      for (const PlacedParty &reader : group.readers)
        add(reader.op);
    };
    for (const Transposition &transposition : region.transposes)
      addOf(transposition.root);
    // Of a copy: the loop appends to the list.
    for (Operation *op : SmallVector<Operation *>(ops))
      forEachTensor(region, op, [&](Value value) {
        if (!placed.groupOf(value).moves.empty())
          addOf(value);
      });
    sortByNumber(ops);
  }

  /// The tensors of an op; of one on lists those of the region, as there may be
  /// as many regions as entries.
  static void forEachTensor(const layout::Region &region, Operation *op,
                            llvm::function_ref<void(Value)> visit) {
    if (entryCount(op) != 0) {
      llvm::for_each(region.roots, visit);
      return;
    }
    llvm::for_each(op->getOperands(), visit);
    llvm::for_each(op->getResults(), visit);
  }

  /// True if a text is of use: of a remark, or of a record.
  bool isRecorded() const {
    return withRemarks || recorded < maxRecordedTransposes;
  }

  void add(PermutationRecord &record, Operation *move, bool remains,
           Location loc, int64_t bytes, Picoseconds spent, std::string text) {
    if (recorded++ >= maxRecordedTransposes)
      return;
    if (move)
      transposeOf[move] = record.transposes.size();
    record.transposes.push_back(
        {remains, loc, bytes, int64_t(spent), std::move(text)});
  }

  /// Why the readers of one order of a group do not take another one: the first
  /// that cannot, else the first.
  Reason whyRead(const PlacedGroup &group, ArrayRef<int64_t> order,
                 ArrayRef<int64_t> other) {
    Reason reason{"other orders are made from it"};
    unsigned asked = 0;
    for (const PlacedParty &reader : group.readers) {
      if (ArrayRef(reader.whole) != order)
        continue;
      Reason next = placed.whyNot(reader, group.root, other);
      if (asked++ == 0 || next.isForced)
        reason = std::move(next);
      if (reason.isForced || asked == maxReaders)
        break;
    }
    return reason;
  }

  void keep(const Transposition &transposition, PermutationRecord &record) {
    const PlacedGroup &group = placed.groupOf(transposition.root);
    const Order to = placed.normal(group.root, transposition.to);
    const PlacedParty *reader = readerOf(group, to);
    Operation *move = moveOf(group, to);
    if (move)
      kept.insert(move);
    copyOf[keyOf(group, to)] = record.transposes.size();
    // The text takes longer than the numbers: most placements are not recorded.
    if (!isRecorded())
      return;
    // Both ends are asked, since either could have saved the transpose.
    const Reason writes = placed.whyNot(group.writer, group.root, to);
    const Reason reads =
        whyRead(group, to, placed.normal(group.root, transposition.from));
    const Reason *reasons[] = {&writes, &reads};
    const auto type = storedType(tensorType(group.root), transposition.from);
    std::string text = llvm::formatv(
        "kept: transpose {0} of {1}, {2}, {3}; {4}; {5}; {6}",
        orderText(orderBetween(transposition.from, transposition.to)),
        typeText(type), gaudi::humanBytes(transposition.bytes),
        time.text(transposition.time), writes.text, reads.text,
        remedies.textOf(transposition, reasons));
    const Location loc = move     ? move->getLoc()
                         : reader ? reader->op->getLoc()
                                  : group.root.getLoc();
    remark::missed(loc, options("keep-transpose"))
        << remark::add("{0}", text) << lost(transposition.time);
    add(record, move, true, loc, transposition.bytes, transposition.time,
        std::move(text));
  }

  /// Explains the transposes of the program that are gone: those of the groups
  /// that the region's ops touch.
  void remove(const layout::Region &region, ArrayRef<Operation *> ops,
              PermutationRecord &record) {
    auto removeOf = [&](Value value) {
      const PlacedGroup &group = placed.groupOf(value);
      if (!done.insert(group.root).second)
        return;
      for (Operation *move : group.moves)
        if (auto transpose = dyn_cast<TransposeOp>(move))
          if (!kept.contains(move) &&
              !isFreeOrder(tensorType(transpose.getOperand()).getShape(),
                           transpose.getPermutation()))
            explainRemoved(transpose, group, record);
    };
    for (const Transposition &transposition : region.transposes)
      removeOf(transposition.root);
    for (Operation *op : ops)
      forEachTensor(region, op, removeOf);
  }

  void explainRemoved(TransposeOp transpose, const PlacedGroup &group,
                      PermutationRecord &record) {
    if (!isRecorded())
      return;
    // A constant is rearranged at compile time in any case.
    const bool isConstant = constantTimeOf(group.root).has_value();
    const Picoseconds saved = isConstant ? 0 : time.of(transpose);
    std::string text = llvm::formatv(
        "removed: transpose {0} of {1}, {2}: {3}",
        orderText(transpose.getPermutation()),
        typeText(tensorType(transpose.getOperand())),
        isConstant ? "made at compile time, no saving" : time.saving(saved),
        whyRemoved(transpose, group));
    remark::passed(transpose.getLoc(), options("remove-transpose"))
        << remark::add("{0}", text);
    const int64_t bytes = isConstant ? 0 : 2 * byteCount(transpose);
    add(record, transpose, false, transpose.getLoc(), bytes, saved,
        std::move(text));
  }

  /// Who reads or writes the other order.
  std::string whyRemoved(TransposeOp transpose, const PlacedGroup &group) {
    if (transpose->use_empty())
      return "nothing reads it";
    if (isa_and_present<ConstantOp>(group.writer.op))
      return "the constant is stored in the order of its readers";
    // One that has another order says more than one that reads it as written.
    std::optional<PlacedParty> reader;
    for (OpOperand &use : transpose->getUses())
      if (!placed.isMove(use.getOwner()))
        if (PlacedParty party = placed.partyOf(use);
            !reader || isIdentityOrder(reader->order))
          reader = std::move(party);
    // Another copy has the order that this one made.
    if (reader && reader->whole != group.writer.whole) {
      Operation *made = moveOf(group, reader->whole);
      const std::string place =
          made ? locationText(made->getLoc()) : std::string();
      return llvm::formatv("{0} reads the copy of another one{1}{2}",
                           describe(reader->op), place.empty() ? "" : " at ",
                           place);
    }
    if (reader && !isIdentityOrder(placed.normal(
                      reader->op->getOperand(reader->tensor), reader->order)))
      return llvm::formatv("{0} reads its operand in {1}", describe(reader->op),
                           orderText(reader->order));
    // The other order was the program's own.
    if (isIdentityOrder(group.writer.whole))
      return "it cancels with another one";
    if (group.writer.op)
      return llvm::formatv("{0} writes its result in {1}",
                           describe(group.writer.op),
                           orderText(group.writer.order));
    return llvm::formatv("argument '{0}' is stored in {1}",
                         argumentName(placed.function, group.writer.tensor),
                         orderText(group.writer.order));
  }

  using CopyKey = std::pair<void *, std::string>;
  static CopyKey keyOf(const PlacedGroup &group, ArrayRef<int64_t> order) {
    return {group.root.getAsOpaquePointer(), orderText(order)};
  }

  /// The number in the record of the transpose between a writer and a reader
  /// of its group, or -1.
  int32_t transposeBetween(const PlacedGroup &group,
                           const PlacedParty &reader) {
    if (reader.whole != group.writer.whole) {
      auto it = copyOf.find(keyOf(group, reader.whole));
      return it == copyOf.end() ? -1 : it->second;
    }
    for (Operation *op = reader.op->getOperand(reader.tensor).getDefiningOp();
         op && placed.isMove(op); op = op->getOperand(0).getDefiningOp())
      if (auto it = transposeOf.find(op);
          it != transposeOf.end() && !kept.contains(op))
        return it->second;
    return -1;
  }

  /// Ops, and the arguments and results that transposes touch, with their
  /// edges.
  void draw(const layout::Region &region, ArrayRef<Operation *> ops,
            PermutationRecord &record) {
    const unsigned most = std::min(maxDrawnOfRegion, maxDrawn - drawn);
    ops = ops.take_front(most);
    drawn += ops.size();
    DenseMap<Operation *, uint32_t> nodes;
    DenseMap<Value, uint32_t> arguments;
    SmallVector<std::pair<const PlacedGroup *, PlacedParty>, 0> edges;
    for (Operation *op : ops) {
      nodes[op] = 0; // numbered after the arguments
      // The host's entry of a loop has many tensors: only those of the region.
      if (entryCount(op) != 0) {
        for (Value root : region.roots) {
          const PlacedGroup &group = placed.groupOf(root);
          for (const PlacedParty &reader : group.readers)
            if (reader.op == op ||
                (group.writer.op == op && isa<func::ReturnOp>(reader.op)))
              edges.push_back({&group, reader});
        }
        continue;
      }
      for (OpOperand &operand : op->getOpOperands())
        edges.push_back(
            {&placed.groupOf(operand.get()), placed.partyOf(operand)});
      for (Value result : op->getResults())
        for (const PlacedParty &reader : placed.groupOf(result).readers)
          if (isa<func::ReturnOp>(reader.op))
            edges.push_back({&placed.groupOf(result), reader});
    }
    auto function = placed.function;
    // Arguments come first, those that a transpose touches.
    for (const auto &[group, reader] : edges)
      if (!group->writer.op && transposeBetween(*group, reader) >= 0 &&
          arguments.try_emplace(group->root, record.ops.size()).second)
        record.ops.push_back(
            {"argument " + argumentName(function, group->writer.tensor),
             group->root.getLoc(), otherOrder(group->root, group->writer)});
    for (Operation *op : ops) {
      nodes[op] = record.ops.size();
      record.ops.push_back({shortNameOf(op), op->getLoc(), orderOfResult(op)});
    }
    DenseMap<std::pair<unsigned, unsigned>, bool> known;
    for (const auto &[group, reader] : edges) {
      uint32_t from = 0;
      if (group->writer.op) {
        // A writer outside what is drawn has no node.
        auto it = nodes.find(group->writer.op);
        if (it == nodes.end())
          continue;
        from = it->second;
      } else {
        auto it = arguments.find(group->root);
        if (it == arguments.end())
          continue;
        from = it->second;
      }
      const int32_t transpose = transposeBetween(*group, reader);
      uint32_t to = 0;
      if (isa<func::ReturnOp>(reader.op)) {
        // Results are drawn only where a transpose is before them.
        if (transpose < 0)
          continue;
        to = record.ops.size();
        record.ops.push_back({"result " + resultName(function, reader.tensor),
                              reader.op->getLoc(),
                              otherOrder(group->root, reader)});
      } else {
        to = nodes.lookup(reader.op);
      }
      // One edge between two nodes, but each transpose has its own.
      if (known.try_emplace({from, to}, true).second || transpose >= 0)
        record.edges.push_back({from, to, transpose});
    }
  }

  static std::string shortNameOf(Operation *op) {
    StringRef name = nameOf(op);
    name.consume_front("gaudi.");
    return name.str();
  }

  /// The order that the party has its tensor in; empty for the one it was
  /// written in.
  Order otherOrder(Value value, const PlacedParty &party) const {
    return isIdentityOrder(
               normalOrder(tensorType(value).getShape(), party.order))
               ? Order()
               : party.order;
  }

  Order orderOfResult(Operation *op) {
    if (op->getNumResults() == 0)
      return {};
    auto it = placed.placement.ops.find(op);
    if (it == placed.placement.ops.end())
      return {};
    const Order &order = it->second.orders[op->getNumOperands()];
    return isFreeOrder(tensorType(op->getResult(0)).getShape(), order) ? Order()
                                                                       : order;
  }

  PlacedFunction placed;
  Remedies remedies;
  const DeviceTime &time;
  const bool withRemarks;
  DenseMap<Operation *, unsigned> numbers; // in the block
  DenseSet<Operation *> kept;              // moves that copies replace
  DenseSet<Value> done;                    // groups with removed transposes
  /// Of the region's record: numbers of transposes, by the move and by the
  /// group and the order that is made.
  DenseMap<Operation *, int32_t> transposeOf;
  std::map<CopyKey, int32_t> copyOf;
  unsigned recorded = 0, drawn = 0; // of the function
};
} // namespace

void gaudi::layout::explainPlacement(func::FuncOp function,
                                     const Placement &placement,
                                     const DeviceTime &time) {
  if (!placement.regions.empty())
    Explainer(function, placement, time).run();
}
