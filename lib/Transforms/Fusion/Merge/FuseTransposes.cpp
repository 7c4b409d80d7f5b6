// Transposes around kernels become another order of reading and writing.
//
// A kernel between a matrix op and its transposed users reads and writes in
// the order of the matrix op once both transposes are gone, so both sides are
// decided together.
#include "FuseTransposes.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Views.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fusion;

namespace {
/// Reads across the order of the writes cost this many times their bytes.
constexpr double againstOrder = 4;

class TransposeFuser {
public:
  TransposeFuser(Clusters &clusters, SetVector<Operation *> &touched)
      : time(clusters.spec), clusters(clusters), touched(touched) {}

  unsigned run() {
    for (Operation *kernel : clusters.kernels())
      if (!clusters.isErased(kernel))
        visit(kernel);
    return fused;
  }

private:
  /// The way from a result to a transposed form of it.
  struct Chain {
    SmallVector<Operation *, 3> ops; // reshapes and transposes, one transpose
    Value end() const { return ops.back()->getResult(0); }
    bool isEmpty() const { return ops.empty(); }
  };

  /// The chain to the first transpose among the readers of `result`.
  static Chain chainFrom(Value result) {
    for (Operation *user : result.getUsers()) {
      Chain chain;
      Operation *op = user;
      while (isa<ReshapeOp>(op) && op->hasOneUse()) {
        chain.ops.push_back(op);
        op = *op->getUsers().begin();
      }
      if (!isa<TransposeOp>(op))
        continue;
      chain.ops.push_back(op);
      return chain;
    }
    return {};
  }

  static Reindexed follow(const Chain &chain, ArrayRef<int64_t> extents,
                          SmallVectorImpl<Affine> &position) {
    for (Operation *op : chain.ops) {
      SmallVector<Affine, 4> next;
      Reindexed moved = positionInResult(op, position, extents, next);
      if (!moved.ok)
        return moved;
      position.assign(next.begin(), next.end());
    }
    return {true, std::nullopt};
  }

  /// Strip-mines dimensions of the kernel until its writes can follow the
  /// chain. Each attempt adds a dimension, so there are few.
  static std::optional<KernelDag>
  splitFor(const Chain &chain, const KernelDag &dag, MLIRContext *context) {
    KernelDag fine = dag;
    for (unsigned i = 0; i < maxKernelDims; ++i) {
      SmallVector<Affine, 4> position(fine.stores.front().position);
      Reindexed followed = follow(chain, fine.extents, position);
      if (followed.ok) {
        if (fine.countParallel() > maxParallelDims)
          return std::nullopt;
        return fine;
      }
      if (!followed.stripMine)
        return std::nullopt;
      fine = fine.stripMined(*followed.stripMine, context);
    }
    return std::nullopt;
  }

  /// The dimension of least stride in memory; none if nothing varies. Products
  /// of strides are at most the elements of the tensor.
  static std::optional<unsigned> fastest(ArrayRef<Affine> position, Type type) {
    auto shape = cast<RankedTensorType>(type).getShape();
    std::optional<unsigned> best;
    int64_t bestStride = 0, stride = 1;
    for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
      for (unsigned d = 0; d < position[i].size(); ++d)
        if (int64_t c = std::abs(position[i][d] * stride))
          if (!best || c < bestStride) {
            best = d;
            bestStride = c;
          }
    return best;
  }

  /// Bytes of reading `access`, more if it goes across the writes: vectors go
  /// along `lane`, the fastest dimension of the writes, and where a read has
  /// another one, each vector gathers from as many lines of memory.
  static double readCost(const Access &access, std::optional<unsigned> lane) {
    double bytes = byteCount(access.tensor);
    if (!access.isInside() || !lane)
      return bytes;
    bool varies = llvm::any_of(
        access.position, [&](const Affine &form) { return form[*lane] != 0; });
    auto own = fastest(access.position, access.tensor.getType());
    return varies && own != lane ? againstOrder * bytes : bytes;
  }

  /// Reads through transposes before the kernel; true if any. The last
  /// transpose or broadcast that can be seen through is what is won: a reshape
  /// before it is free either way and would only complicate the position.
  static bool readThrough(Access &access, ArrayRef<int64_t> extents) {
    if (!access.isInside())
      return false;
    Access at = access;
    bool any = false;
    while (Value source = moveSource(at.tensor)) {
      SmallVector<Affine, 4> position;
      if (!positionInSource(at.tensor, at.position, extents, position).ok)
        break;
      bool moves = isa<TransposeOp, BroadcastOp>(at.tensor.getDefiningOp());
      at.tensor = source;
      at.position = std::move(position);
      if (moves) {
        access = at;
        any = true;
      }
    }
    return any;
  }

  static bool isOnlyReader(Operation *kernel, Value tensor) {
    return llvm::all_of(tensor.getUsers(),
                        [&](Operation *user) { return user == kernel; });
  }

  /// The transposes and broadcasts before an access that only this kernel
  /// needs.
  static SmallVector<Operation *, 2> movesFor(Operation *kernel,
                                              const Access &access) {
    SmallVector<Operation *, 2> moves;
    Operation *reader = kernel;
    for (Value tensor = access.tensor; moveSource(tensor);
         tensor = moveSource(tensor)) {
      if (!isOnlyReader(reader, tensor))
        break;
      reader = tensor.getDefiningOp();
      if (isa<TransposeOp, BroadcastOp>(reader))
        moves.push_back(reader);
    }
    return moves;
  }

  /// False if no transpose or broadcast is near the kernel.
  static bool hasTranspose(Operation *kernel) {
    auto isMoved = [](Value tensor) {
      for (; Value source = moveSource(tensor); tensor = source)
        if (isa<TransposeOp, BroadcastOp>(tensor.getDefiningOp()))
          return true;
      return false;
    };
    return llvm::any_of(kernel->getOperands(), isMoved) ||
           !chainFrom(kernel->getResult(0)).isEmpty();
  }

  /// A kernel with the transposes that it could do without.
  struct Candidate {
    Operation *kernel;
    KernelDag &dag; ///< Strip-mined as the chain needs it.
    Chain chain;    ///< After the kernel; empty if its writes stay.
    SmallVector<Affine, 4> written;  ///< Position of the writes after it.
    SmallVector<Access, 0> accesses; ///< Reads from before the transposes.
    bool readsAny = false;           ///< Some of them differ.
  };

  /// For remarks: time of the kernel and the transposes around it if it reads
  /// in the order before (`in`) and writes in the order after (`out`) the
  /// transposes.
  Picoseconds timeOf(Candidate &c, bool in, bool out) {
    Picoseconds total = timeOfKernel(c, in, out);
    if (!in)
      for (const Access &access : c.dag.accesses)
        for (Operation *move : movesFor(c.kernel, access))
          total += time.of(move);
    if (!out && !c.chain.isEmpty())
      total += time.of(c.chain.ops.back());
    // Other readers then find their elements in another order than their own.
    if (out)
      for (Operation *user : c.kernel->getResult(0).getUsers())
        if (isa<KernelOp>(user) && !hasTransposeBesides(user))
          total += timeAdded(user, c);
    return total;
  }

  /// The graph is changed, asked and changed back: it is cheaper than a copy.
  Picoseconds timeOfKernel(Candidate &c, bool in, bool out) {
    Store &store = c.dag.stores.front();
    const Store before = store;
    if (in)
      std::swap(c.dag.accesses, c.accesses);
    if (out) {
      store.position.assign(c.written.begin(), c.written.end());
      store.result = c.chain.end();
    }
    const Picoseconds kernel = time.of(workOf(c.dag));
    store = before;
    if (in)
      std::swap(c.dag.accesses, c.accesses);
    return kernel;
  }

  /// What reading the end of the chain instead adds to the time of a reader.
  Picoseconds timeAdded(Operation *reader, const Candidate &c) {
    const KernelDag &dag = clusters.dagOf(reader);
    KernelDag moved = dag;
    readThroughChain(moved, c.kernel->getResult(0), c.chain);
    return time.of(workOf(moved)) - time.of(workOf(dag));
  }

  /// Makes a graph that reads `before` read the same elements at the end of the
  /// chain.
  static void readThroughChain(KernelDag &dag, Value before,
                               const Chain &chain) {
    for (Access &access : dag.accesses) {
      if (access.tensor != before)
        continue;
      SmallVector<Affine, 4> position(access.position);
      follow(chain, dag.extents, position);
      access.position = std::move(position);
      access.tensor = chain.end();
    }
  }

  /// The same in bytes, which decide. Time cannot yet: a kernel is asked before
  /// those around it have changed, and an order that costs it time alone saves
  /// more when they follow.
  static double bytesOf(const Candidate &c, bool in, bool out) {
    Value result = c.kernel->getResult(0);
    auto lane = out ? fastest(c.written, c.chain.end().getType())
                    : fastest(c.dag.stores.front().position, result.getType());
    double bytes = 0;
    for (auto [plain, moved] : llvm::zip(c.dag.accesses, c.accesses)) {
      bytes += readCost(in ? moved : plain, lane);
      if (!in)
        for (Operation *move : movesFor(c.kernel, plain))
          bytes +=
              byteCount(move->getResult(0)) + byteCount(move->getOperand(0));
    }
    if (!out && !c.chain.isEmpty())
      bytes += 2 * byteCount(c.chain.end());
    // Other readers then find their elements in another order than their own.
    if (out)
      for (Operation *user : result.getUsers())
        if (isa<KernelOp>(user) && !hasTransposeBesides(user))
          bytes += againstOrder * byteCount(result);
    return bytes;
  }

  void visit(Operation *kernel) {
    if (!hasTranspose(kernel) || !clusters.get(kernel))
      return;
    KernelDag &whole = clusters.dagOf(kernel);
    // Only a single result changes its order.
    Chain chain;
    std::optional<KernelDag> fine;
    if (whole.stores.size() == 1 && canRewriteReaders(kernel)) {
      chain = chainFrom(kernel->getResult(0));
      fine = splitFor(chain, whole, kernel->getContext());
      if (!fine)
        chain = {};
    }
    KernelDag &dag = fine ? *fine : whole;
    Candidate c{kernel, dag, chain, dag.stores.front().position,
                SmallVector<Access, 0>(dag.accesses)};
    follow(chain, dag.extents, c.written);
    for (Access &access : c.accesses)
      c.readsAny |= readThrough(access, dag.extents);
    if (chain.isEmpty() && !c.readsAny)
      return;
    // Both sides are tried together first: each alone may not pay.
    double best = bytesOf(c, false, false);
    bool in = false, out = false;
    for (auto [tryIn, tryOut] :
         {std::pair(c.readsAny, !chain.isEmpty()), std::pair(c.readsAny, false),
          std::pair(false, !chain.isEmpty())}) {
      const double bytes = bytesOf(c, tryIn, tryOut);
      if (bytes < best) {
        best = bytes;
        in = tryIn;
        out = tryOut;
      }
    }
    if (clusters.explains()) {
      const bool goes = in || out;
      report(c, in, out, timeOf(c, false, false),
             timeOf(c, goes ? in : c.readsAny, goes ? out : !chain.isEmpty()));
    }
    if (!in && !out)
      return;
    if (in)
      for (auto [access, moved] : llvm::zip(dag.accesses, c.accesses)) {
        fused += !(access == moved);
        access = moved;
      }
    if (fine)
      whole = std::move(*fine);
    clusters.update(kernel);
    touched.insert(kernel);
    if (out)
      writeThrough(kernel, chain, c.written);
  }

  void report(const Candidate &c, bool in, bool out, Picoseconds before,
              Picoseconds after) {
    Operation *transpose = nullptr;
    for (const Access &access : c.dag.accesses)
      if (auto op = access.tensor.getDefiningOp<TransposeOp>())
        transpose = op;
    if (!c.chain.isEmpty())
      transpose = c.chain.ops.back();
    if (in || out)
      remark::passed(transpose ? transpose->getLoc() : c.kernel->getLoc(),
                     fusionRemark("absorb-transpose"))
          << remark::add("fused into '{0}', which {1} in permuted order, {2}",
                         Clusters::nameOf(c.kernel),
                         in && out ? "reads and writes"
                         : in      ? "reads"
                                   : "writes",
                         time.saving(before - after));
    else if (transpose)
      remark::missed(transpose->getLoc(), fusionRemark("keep-transpose"))
          << remark::reason("not fused into '{0}', which would move more bytes "
                            "across the order in which it writes; predicted "
                            "{1} with the transposes around it",
                            Clusters::nameOf(c.kernel),
                            time.change(before, after));
  }

  /// True if the kernel is likely to change its order, too: it has a transpose
  /// before or after it.
  static bool hasTransposeBesides(Operation *kernel) {
    if (!chainFrom(kernel->getResult(0)).isEmpty())
      return true;
    return llvm::any_of(kernel->getOperands(), [](Value operand) {
      return operand.getDefiningOp<TransposeOp>() != nullptr;
    });
  }

  /// Kernels that read the result directly can read it in another order; other
  /// readers cannot.
  bool canRewriteReaders(Operation *kernel) {
    Chain chain = chainFrom(kernel->getResult(0));
    if (chain.isEmpty())
      return false;
    for (Operation *user : kernel->getResult(0).getUsers()) {
      if (user == chain.ops.front())
        continue;
      if (!isa<KernelOp>(user) || !clusters.get(user))
        return false;
      const KernelDag &reader = clusters.dagOf(user);
      for (const Access &access : reader.accesses) {
        SmallVector<Affine, 4> position(access.position);
        if (access.tensor == kernel->getResult(0) &&
            (!access.isInside() || !follow(chain, reader.extents, position).ok))
          return false;
      }
    }
    return true;
  }

  void writeThrough(Operation *kernel, const Chain &chain,
                    ArrayRef<Affine> written) {
    Value before = kernel->getResult(0), end = chain.end();
    // Readers of the old order find the elements in the new one.
    SmallVector<Operation *> readers;
    for (Operation *user : before.getUsers())
      if (user != chain.ops.front() && !llvm::is_contained(readers, user))
        readers.push_back(user);
    for (Operation *reader : readers) {
      readThroughChain(clusters.dagOf(reader), before, chain);
      clusters.update(reader);
    }
    KernelDag &dag = clusters.dagOf(kernel);
    dag.stores.front().position.assign(written.begin(), written.end());
    dag.stores.front().result = end;
    for (Operation *user : end.getUsers())
      if (isa<KernelOp>(user))
        touched.insert(user);
    // The chain has no readers once the kernel writes its end.
    Operation *made = clusters.replace(kernel, dag);
    clusters.erase(chain.ops.back());
    clusters.erase(kernel);
    touched.insert(made);
    ++fused;
  }

  const DeviceTime time;
  Clusters &clusters;
  SetVector<Operation *> &touched;
  unsigned fused = 0;
};
} // namespace

unsigned mlir::gaudi::fusion::fuseTransposes(Clusters &clusters,
                                             SetVector<Operation *> &touched) {
  return TransposeFuser(clusters, touched).run();
}
