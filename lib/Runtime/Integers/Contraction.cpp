// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds contractions of 8-bit integers in kernels.
#include "Contraction.h"
#include "ByteValues.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cassert>

namespace gaudi::runtime {

using namespace recipe;
using kernel::Affine;

namespace {

/// Fewer columns leave most of a panel empty.
constexpr int64_t leastColumns = 8;
/// Rows from which on packing a right side that changes pays.
constexpr int64_t leastRows = 8;

/// A factor while it is taken apart: its value lies in [low, high].
struct Factor {
  const Access *access = nullptr;
  bool isSigned = true;
  std::optional<kernel::Range> wide;          // of a load of i32
  const ExtendedConstant *constant = nullptr; // read instead of the load
  ZeroPoint zero;
  int64_t low = 0, high = 0;
  bool bounded = true; // the range is known

  bool fits(ElementType type) const {
    const unsigned bits = kernel::kernelBits(kernel::ElementType(type));
    if (!bounded || bits == 64)
      return bounded;
    return low >= -(int64_t(1) << (bits - 1)) &&
           high < (int64_t(1) << (bits - 1));
  }
};

class Finder {
public:
  Finder(const Kernel &kernel, const BoundTensors &operands,
         const KnownRanges &known)
      : kernel(kernel), operands(operands), values(kernel, known) {
    for (int64_t extent : items(kernel.index_space()))
      found.extents.push_back(extent);
  }

  FoundContraction run() {
    const auto stages = items(kernel.stages());
    for (unsigned s = 0; s < stages.size(); ++s)
      if (isCandidate(*stages[s])) {
        found.stage = s;
        if (!match(*stages[s]))
          return {std::nullopt, reason};
        return {std::move(found), ""};
      }
    for (const Stage *stage : stages)
      if (sumsSeveral(*stage))
        return {std::nullopt, "it has several sums in one loop"};
    for (const Stage *stage : stages)
      if (values.quantizedProductOf(*stage))
        return {std::nullopt, "it computes its 8-bit values from floats",
                /*quantizes=*/true};
    return {};
  }

private:
  bool no(const char *why) {
    if (reason.empty())
      reason = why;
    return false;
  }

  const Inst *instOf(uint32_t value) const { return values[value]; }

  /// True if every operand of the multiplication comes from an 8-bit load.
  bool isCandidate(const Stage &stage) const {
    if (items(stage.loops()).empty() || items(stage.reductions()).size() != 1)
      return false;
    const Reduction &reduction = *stage.reductions()->Get(0);
    const Inst *product = instOf(reduction.value());
    return reduction.op() == ReduceOp::Add && product &&
           values.productOf(reduction.value());
  }

  /// True if one of the stage's sums would be a candidate alone.
  bool sumsSeveral(const Stage &stage) const {
    const auto reductions = items(stage.reductions());
    if (reductions.size() < 2 || items(stage.loops()).empty())
      return false;
    for (const Reduction *reduction : reductions)
      if (reduction->op() == ReduceOp::Add &&
          values.productOf(reduction->value()))
        return true;
    return false;
  }

  bool match(const Stage &stage) {
    // The matrix kernel computes whole sums; what a stage does per step has no
    // place in it.
    if (!items(stage.stores()).empty())
      return no("it stores while it sums");
    // A checked index may stop the launch with a fault that names its point.
    for (const Access *access : items(kernel.accesses()))
      for (const AccessDim *dim : items(access->dims()))
        if (dim->boundary() == Boundary::Checked)
          return no("an index may be out of range");
    for (uint8_t loop : items(stage.loops()))
      found.loops.push_back(loop);
    // Nothing is summed, and extents divide below.
    for (int64_t extent : found.extents)
      if (extent == 0)
        return no("it is empty");
    const Reduction &reduction = *stage.reductions()->Get(0);
    const Inst &product = *values.productOf(reduction.value());
    const ElementType sum = instOf(reduction.value())->type();
    if (sum != ElementType::I32 && sum != ElementType::I64)
      return no("its sum is not of 32 or 64 bits");
    Factor a, b;
    if (!takeFactor(product.a(), a) || !takeFactor(product.b(), b))
      return false;
    found.wide = sum == ElementType::I64;
    if (!rangesFit(product, a, b))
      return no("the sum may not fit 32 bits");
    if (!fill(a, found.left) || !fill(b, found.right))
      return false;
    return place();
  }

  /// Products in the type of their multiplication, and sums in 64 bits, must be
  /// those of 32 bits.
  bool rangesFit(const Inst &product, const Factor &a, const Factor &b) const {
    if (product.type() == ElementType::I32 && !found.wide)
      return true; // modulo 2^32
    if (!a.bounded || !b.bounded)
      return false;
    const int64_t most = std::max(std::abs(a.low), std::abs(a.high)) *
                         std::max(std::abs(b.low), std::abs(b.high));
    const unsigned bits =
        kernel::kernelBits(kernel::ElementType(product.type()));
    if (bits < 32 && most >= int64_t(1) << (bits - 1))
      return false;
    return !found.wide || most == 0 ||
           found.depth() <= ((int64_t(1) << 31) - 1) / most;
  }

  // --- factors ---

  bool dependsOnLoops(const Affine &form) const {
    for (unsigned loop : found.loops)
      if (found.extents[loop] > 1 && form[loop] != 0)
        return true;
    return false;
  }

  /// extend(load) - zero, in the type of the value without overflow, or in i32.
  bool takeFactor(uint32_t value, Factor &factor, unsigned steps = mostSteps) {
    const Inst *inst = instOf(value);
    if (!inst || steps == 0)
      return no("an operand is not (8-bit value - zero point)");
    switch (inst->op()) {
    case Op::Load:
      if (const KnownRange *known = values.knownRange(*inst)) {
        takeKnown(*inst, *known, factor);
        return true;
      }
      return no("an operand is not (8-bit value - zero point)");
    case Op::ExtSI:
    case Op::ExtUI:
      return takeExtension(*inst, factor, steps);
    case Op::AddI:
    case Op::SubI: {
      const bool adds = inst->op() == Op::AddI;
      // A zero point may be the first operand of a sum: the loaded value is the
      // one that changes with the loops.
      const bool swapped = adds && !comesFromLoop(inst->a(), mostSteps);
      if (!takeFactor(swapped ? inst->b() : inst->a(), factor, steps - 1))
        return false;
      // A difference of 8 or 16 bits may wrap, which the product of matrices
      // does not.
      return takeZero(swapped ? inst->a() : inst->b(), adds, factor) &&
             (inst->type() == ElementType::I32 || factor.fits(inst->type()) ||
              no("a factor may overflow"));
    }
    default:
      return no("an operand is not (8-bit value - zero point)");
    }
  }

  /// An i32 that another kernel has written from 8 bits.
  void takeKnown(const Inst &load, const KnownRange &known, Factor &factor) {
    factor.access = kernel.accesses()->Get(load.a());
    factor.low = known.range.low;
    factor.high = known.range.high;
    if (!known.constant) {
      factor.wide = known.range;
      return;
    }
    factor.constant = &*known.constant;
    factor.isSigned = factor.constant->isSigned;
    factor.zero.constant = int32_t(-uint32_t(factor.constant->added));
  }

  /// True if the value is computed from something that the loops change.
  bool comesFromLoop(uint32_t value, unsigned steps) const {
    const Inst *inst = instOf(value);
    if (!inst || steps == 0)
      return false;
    if (inst->op() == Op::Load) {
      const Access &access = *kernel.accesses()->Get(inst->a());
      for (const AccessDim *dim : items(access.dims()))
        if (dependsOnLoops(formOf(*dim)))
          return true;
      return false;
    }
    for (unsigned i = 0; i < kernel::valueOperands(kernel::Opcode(inst->op()));
         ++i)
      if (comesFromLoop(i == 0   ? inst->a()
                        : i == 1 ? inst->b()
                                 : inst->c(),
                        steps - 1))
        return true;
    return false;
  }

  bool takeExtension(const Inst &inst, Factor &factor, unsigned steps) {
    const Inst *from = instOf(inst.a());
    const bool isSigned = inst.op() == Op::ExtSI;
    const auto [load, flips] = values.signFlip(from);
    if (load && load->op() == Op::Load && load->type() == ElementType::I8) {
      factor.access = kernel.accesses()->Get(load->a());
      factor.isSigned = isSigned != flips;
      factor.zero.constant = !flips ? 0 : isSigned ? 128 : -128;
      factor.low = isSigned ? -128 : 0;
      factor.high = isSigned ? 127 : 255;
      return true;
    }
    if (!takeFactor(inst.a(), factor, steps - 1))
      return false;
    if (!factor.fits(from->type()) || (!isSigned && factor.low < 0))
      return no("a factor may overflow");
    return true;
  }

  static Affine formOf(const AccessDim &dim) {
    Affine form(dim.offset());
    const auto coefficients = items(dim.coefficients());
    for (unsigned d = 0; d < coefficients.size(); ++d)
      if (coefficients[d] != 0)
        form.add(d, coefficients[d]);
    return form;
  }

  bool takeZero(uint32_t value, bool adds, Factor &factor) {
    const Inst *inst = instOf(value);
    if (!inst)
      return no("a zero point is a sum");
    if (inst->op() == Op::Const) {
      const int64_t constant =
          ByteValues::signedBits(inst->imm(), inst->type());
      if (constant < INT32_MIN || constant > INT32_MAX)
        return no("a zero point does not fit 32 bits");
      factor.zero.constant = int32_t(uint32_t(factor.zero.constant) -
                                     uint32_t(adds ? constant : -constant));
      factor.low += adds ? constant : -constant;
      factor.high += adds ? constant : -constant;
      return true;
    }
    return takeLoadedZero(*inst, adds, factor);
  }

  bool takeLoadedZero(const Inst &value, bool adds, Factor &factor) {
    const Inst *inst = &value;
    // Extensions from the outermost inwards; the innermost one reads the sign.
    bool isSigned = true, mixed = false;
    while (inst && (inst->op() == Op::ExtSI || inst->op() == Op::ExtUI)) {
      // Negative values whose upper bits are cut off are none of 8 bits.
      mixed |= !isSigned && inst->op() == Op::ExtSI;
      isSigned = inst->op() == Op::ExtSI;
      inst = instOf(inst->a());
    }
    const auto [load, flips] = values.signFlip(inst);
    inst = load;
    const char *const what = "a zero point is not a constant or a loaded value";
    if (!inst || inst->op() != Op::Load || mixed || factor.zero.sign != 0)
      return no(what);
    const Access &access = *kernel.accesses()->Get(inst->a());
    ZeroPoint &zero = factor.zero;
    zero.operand = access.operand();
    zero.tensor = operands[zero.operand];
    if (inst->type() == ElementType::I8) {
      // A flip of the sign bit turns one signedness into the other, less or
      // more by 128, which the constant part of the zero point makes up.
      zero.tensor.type = isSigned != flips ? ElementType::I8 : ElementType::U8;
      if (flips)
        zero.constant = int32_t(uint32_t(zero.constant) +
                                (adds == isSigned ? 128U : -128U));
      // A negated zero point has the negated range.
      factor.low += adds ? (isSigned ? -128 : 0) : (isSigned ? -127 : -255);
      factor.high += adds ? (isSigned ? 127 : 255) : (isSigned ? 128 : 0);
    } else if (inst->type() == ElementType::I32 && inst == &value) {
      // No range is known: only sums modulo 2^32 take it.
      factor.bounded = false;
    } else {
      return no(what);
    }
    std::vector<Affine> index;
    for (const AccessDim *dim : items(access.dims())) {
      // Padded and clamped indices would read other zero points at some points.
      if (dim->value() >= 0 || dim->boundary() != Boundary::Inside)
        return no(what);
      index.push_back(formOf(*dim));
    }
    zero.offset = kernel::flatten(index, zero.tensor.layout.strides);
    if (!zero.offset.isExact() || dependsOnLoops(zero.offset))
      return no("a zero point changes within a sum");
    zero.sign = adds ? -1 : 1;
    return true;
  }

  /// What the factor reads.
  bool fill(const Factor &factor, IntegerOperand &to) {
    const Access &access = *factor.access;
    to.operand = access.operand();
    to.tensor = operands[to.operand];
    to.zero = factor.zero;
    // What the access reads in the padding, as a byte of the operand.
    int64_t pad = int64_t(access.pad() & 0xff);
    if (factor.wide) {
      // The stored value is read less its least one.
      to.low = int32_t(factor.wide->low);
      to.zero.constant = int32_t(uint32_t(to.zero.constant) - uint32_t(to.low));
      pad = int64_t(int32_t(access.pad())) - to.low;
    } else {
      to.tensor.type = factor.isSigned ? ElementType::I8 : ElementType::U8;
    }
    if (factor.constant) {
      to.behind = factor.constant->tensor;
      to.tensor.layout.strides = factor.constant->strides;
      to.tensor.constant = true;
      const int64_t value =
          int64_t(int32_t(access.pad())) - factor.constant->added;
      // A value that no byte represents is refused below, if padding is read at
      // all.
      const int64_t least = factor.isSigned ? -128 : 0;
      pad = value >= least && value <= least + 255 ? value & 0xff : -1;
    }
    to.pad = uint8_t(pad);
    const std::vector<int64_t> &sizes = to.tensor.layout.sizes;
    for (const AccessDim *dim : items(access.dims())) {
      if (dim->value() >= 0)
        return no("a factor is gathered");
      const Affine form = formOf(*dim).withoutUnitDims(found.extents);
      // Padding that no index reaches is no padding: the product need not
      // handle it.
      const bool inside =
          kernel::rangeOf(form, found.extents).isWithin(sizes[to.index.size()]);
      if (!inside && dim->boundary() != Boundary::Pad)
        return no("an index of a factor is clamped");
      to.index.push_back(form);
      to.padded.push_back(!inside);
    }
    if (to.isPadded() && (pad < 0 || pad > 255))
      return no("its padding is no 8-bit value");
    to.offset = kernel::flatten(to.index, to.tensor.layout.strides);
    return to.offset.isExact() || no("an index is too large");
  }

  // --- rows and columns ---

  bool place() {
    for (unsigned loop : found.loops)
      if (found.extents[loop] > 1 &&
          (!found.left.dependsOn(loop) || !found.right.dependsOn(loop)))
        return no("a loop does not change both factors");
    for (unsigned d = 0; d < found.extents.size(); ++d)
      if (kernel.parallel()->Get(d) &&
          (found.left.dependsOn(d) || found.right.dependsOn(d)))
        found.dims.push_back(d);
    if (found.dims.empty())
      return no("it has one sum");
    sortByFirstStore();
    // The factor that the last dimension moves gives the columns, if it can,
    // unless the other one is a constant.
    IntegerContraction other = found;
    std::swap(other.left, other.right);
    const bool first = placeColumns(found), second = placeColumns(other);
    if (!first && !second)
      return no("it has too few columns");
    if (second && (!first || suitsBetter(other, found)))
      found = std::move(other);
    int64_t rows = 1;
    for (unsigned d : found.dims)
      if (!found.right.dependsOn(d))
        rows *= found.extents[d];
    if (!found.right.tensor.constant && rows < leastRows)
      return no(found.sumStride == 1 ? "it has too few rows"
                                     : "it has too few columns");
    return zeroMoves(found.left, found.right) &&
           zeroMoves(found.right, found.left);
  }

  /// Sums lie in the order in which the code generator runs the rest of the
  /// kernel: that of the first store's memory.
  void sortByFirstStore() {
    uint32_t first = items(kernel.accesses()).size();
    for (const Stage *stage : items(kernel.stages()))
      for (const Store *store : items(stage->stores()))
        first = std::min(first, store->access());
    if (first == items(kernel.accesses()).size())
      return;
    const Access &access = *kernel.accesses()->Get(first);
    std::vector<Affine> index;
    for (const AccessDim *dim : items(access.dims()))
      index.push_back(formOf(*dim));
    const Affine position =
        kernel::flatten(index, operands[access.operand()].layout.strides);
    std::sort(
        found.dims.begin(), found.dims.end(), [&](unsigned x, unsigned y) {
          const int64_t p = std::abs(position[x]), q = std::abs(position[y]);
          return p != q ? p > q : x < y;
        });
  }

  static bool suitsBetter(const IntegerContraction &a,
                          const IntegerContraction &b) {
    const bool once = packsOnce(a);
    return once != packsOnce(b) ? once : a.sumStride < b.sumStride;
  }

  /// True if only a constant is packed, and that pays even where it puts the
  /// sums apart: the other role packs a byte per row and value of the depth,
  /// and this one stores a word per row and column.
  static bool packsOnce(const IntegerContraction &c) {
    return c.right.tensor.constant && !c.left.tensor.constant &&
           c.depth() >= c.columns &&
           std::any_of(c.loops.begin(), c.loops.end(), [&](unsigned loop) {
             return c.extents[loop] > 1 && c.left.offset[loop] == 1;
           });
  }

  /// A zero point may change with what only its own factor changes with.
  bool zeroMoves(const IntegerOperand &own, const IntegerOperand &other) {
    for (unsigned d = 0; d < found.extents.size(); ++d)
      if (own.zero.sign != 0 && found.extents[d] > 1 &&
          own.zero.offset[d] != 0 && (other.dependsOn(d) || !own.dependsOn(d)))
        return no("a zero point changes with the other factor");
    return true;
  }

  /// The longest run of dimensions, from the last one that only the right
  /// factor depends on, which is one dimension of both it and the sums.
  static bool placeColumns(IntegerContraction &c) {
    if (c.right.isPadded() || c.right.isWide())
      return false;
    int64_t stride = 1;
    bool open = false;
    for (size_t i = c.dims.size(); i-- > 0;) {
      const unsigned d = c.dims[i];
      const int64_t extent = c.extents[d];
      const bool column = c.right.dependsOn(d) && !c.left.dependsOn(d);
      if (column && !open) {
        open = true;
        c.columns = extent;
        c.columnStride = c.right.offset[d];
        c.sumStride = stride;
        c.columnDims = {d};
      } else if (open) {
        // A further dimension joins where the right side goes on in equal
        // steps.
        if (!column || c.right.offset[d] != c.columnStride * c.columns)
          break;
        c.columns *= extent;
        c.columnDims.push_back(d);
      }
      stride *= extent;
    }
    return c.columns >= leastColumns;
  }

  const Kernel &kernel;
  const BoundTensors &operands;
  const ByteValues values;
  IntegerContraction found;
  std::string reason;
};

} // namespace

FoundContraction findContraction(const Kernel &kernel,
                                 const BoundTensors &operands,
                                 const KnownRanges &known) {
  return Finder(kernel, operands, known).run();
}

} // namespace gaudi::runtime
