// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that work on several tensors of different sizes, one after the other.
//
// The index space of a launch is [points, rows of one size, rows of another
// size, ...]; only the points are parallel. The body has one loop per tensor,
// over its row. So tensors of any sizes share a launch, memory is read in
// order, and no engine waits for another as long as the points divide every
// size.
#include "MultiTensorKernel.h"
#include "Gaudi/Dialect/ConstantValues.h"

using namespace mlir;
using namespace gaudi;

/// Enough points for the engines of every device.
constexpr int64_t fewestPoints = 24;
/// More points make the rows of an elementwise step short.
constexpr int64_t mostPoints = 768;
/// A row this short takes no longer than the start of a kernel, so that it does
/// not matter how many engines share the work.
constexpr int64_t shortRow = 4096;
/// Elements of one point up to which tensors may share a launch at the price of
/// points: a large tensor is not cut into the few rows that a small one allows.
constexpr int64_t mostPerPoint = 1 << 16;

/// The number of points for tensors of these sizes: the largest one that gives
/// whole lines, else the largest that divides the sizes. None if too few
/// engines would have work.
static std::optional<int64_t> pointsOf(ArrayRef<int64_t> counts, int64_t most) {
  auto divides = [&](int64_t number) {
    return llvm::all_of(counts,
                        [&](int64_t count) { return count % number == 0; });
  };
  std::optional<int64_t> best;
  for (int64_t points = most; points > 0; --points) {
    if (!divides(points))
      continue;
    if (points >= fewestPoints && divides(points * lineElements))
      return points;
    if (!best)
      best = points;
  }
  if (*best < fewestPoints && *llvm::max_element(counts) > *best * shortRow)
    return std::nullopt;
  return best;
}

SmallVector<TensorGroup> gaudi::groupTensors(ArrayRef<int64_t> counts,
                                             unsigned members, int64_t points) {
  assert(members > 0 && "a kernel has room for one tensor");
  // Largest first: equal sizes become neighbours, which share a dimension of
  // the kernel. By number within a size, so that the result is deterministic.
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, counts.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
  });
  SmallVector<TensorGroup> groups;
  SmallVector<int64_t> sizes; // of the last group, each once
  int64_t total = 0;          // elements of the last group
  for (unsigned tensor : order) {
    const int64_t count = counts[tensor];
    assert(count > 0 && "nothing to compute for an empty tensor");
    // No points: a tensor that cannot be cut into rows keeps its own kernel.
    const bool isOpen = !groups.empty() && groups.back().points != 0 &&
                        groups.back().members.size() < members;
    // The last size has a dimension already, so the tensor costs no more.
    if (isOpen && sizes.back() == count) {
      groups.back().members.push_back(tensor);
      total += count;
      continue;
    }
    // A new size may lower the number of points. It joins if it does not, or if
    // what each point then reads is still short.
    if (isOpen && sizes.size() < RowSpace::mostSizes) {
      sizes.push_back(count);
      std::optional<int64_t> common = pointsOf(sizes, points);
      if (common && (*common >= groups.back().points ||
                     (total + count) / *common <= mostPerPoint)) {
        groups.back().members.push_back(tensor);
        groups.back().points = *common;
        total += count;
        continue;
      }
    }
    sizes.assign({count});
    total = count;
    groups.push_back({{tensor}, pointsOf(sizes, points).value_or(0)});
  }
  return groups;
}

unsigned RowSpace::dimOf(int64_t size) {
  for (unsigned dim = 1; dim < sizes.size(); ++dim)
    if (sizes[dim] == size)
      return dim;
  assert(sizes.size() < maxKernelDims && "room for another size");
  sizes.push_back(size);
  parallel.push_back(false);
  return sizes.size() - 1;
}

Value gaudi::asRows(OpBuilder &builder, Location loc, Value tensor,
                    int64_t rows) {
  RankedTensorType type = tensorType(tensor);
  const int64_t count = type.getNumElements();
  assert(count % rows == 0 && "rows of one size");
  auto shape =
      RankedTensorType::get({rows, count / rows}, type.getElementType());
  return shape == type ? tensor
                       : ReshapeOp::create(builder, loc, shape, tensor);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

SharedScalars::SharedScalars(OpBuilder &builder, Location loc,
                             ArrayRef<Value> tensors, unsigned most) {
  for (Value tensor : tensors) {
    Entry &entry = entries.emplace_back();
    entry.isAbsent = !tensor;
    if (!tensor)
      continue;
    const bool isFloat = isFloatElement(getElementTypeOrSelf(tensor));
    entry.isFlag = !isFloat;
    if (std::optional<ConstantValues> known = ConstantValues::of(tensor)) {
      entry.constant =
          isFloat ? double(known->number(0)) : double(known->bits(0) != 0);
      continue;
    }
    entry.input = read.size();
    read.push_back(tensor);
  }
  if (read.size() > most)
    pack(builder, loc);
}

/// The element of a tensor with one, of any rank.
static Value loadOnly(KernelBuilder &kernel, unsigned input,
                      int64_t element = 0) {
  RankedTensorType type = tensorType(kernel.getOp().getInputs()[input]);
  SmallVector<AffineExpr> position(type.getRank(), kernel.cst(0));
  if (element != 0)
    position.back() = kernel.cst(element);
  return kernel.load(input, position);
}

static Value isNotZero(KernelBuilder &kernel, Value flag) {
  if (flag.getType().isInteger(1))
    return flag;
  OpBuilder &builder = kernel.getBuilder();
  if (isa<FloatType>(flag.getType()))
    return arith::CmpFOp::create(builder, kernel.getLoc(),
                                 arith::CmpFPredicate::UNE, flag,
                                 kernel.floatConstant(0));
  return arith::CmpIOp::create(builder, kernel.getLoc(),
                               arith::CmpIPredicate::ne, flag,
                               kernel.intConstant(0, flag.getType()));
}

// Point i stores scalar i: a kernel has one store per result.
void SharedScalars::pack(OpBuilder &builder, Location loc) {
  const auto count = int64_t(read.size());
  auto type = RankedTensorType::get(count, builder.getF32Type());
  KernelBuilder kernel(builder, loc, type, read, count, true,
                       "tpc.pack_scalars");
  kernel.setElementType(builder.getI64Type());
  Value packed;
  for (int64_t i = 0; i < count; ++i) {
    Value value = loadOnly(kernel, i);
    if (!isa<FloatType>(value.getType()))
      value = kernel.select(isNotZero(kernel, value), kernel.floatConstant(1),
                            kernel.floatConstant(0));
    Value isHere =
        i == 0 ? Value()
               : kernel.compare(ComparePredicate::GE, kernel.index(0),
                                kernel.intConstant(i, builder.getI64Type()));
    packed = i == 0 ? value : kernel.select(isHere, value, packed);
  }
  kernel.store(packed, 0, kernel.dim(0));
  read.assign({kernel.finish()->getResult(0)});
  for (Entry &entry : entries)
    entry.element = std::exchange(entry.input, 0);
}

SmallVector<Value> SharedScalars::load(KernelBuilder &kernel,
                                       unsigned first) const {
  SmallVector<Value> values;
  for (const Entry &entry : entries) {
    if (entry.isAbsent) {
      values.push_back({});
    } else if (entry.constant) {
      values.push_back(entry.isFlag
                           ? kernel.intConstant(*entry.constant != 0,
                                                kernel.getBuilder().getI1Type())
                           : kernel.floatConstant(*entry.constant));
    } else {
      Value value = loadOnly(kernel, first + entry.input, entry.element);
      values.push_back(entry.isFlag ? isNotZero(kernel, value) : value);
    }
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Elementwise steps
//===----------------------------------------------------------------------===//

SmallVector<Value> MultiTensorStep::build(OpBuilder &builder, Location loc,
                                          ArrayRef<Value> tensors) const {
  const unsigned count = lists.front().size();
  const unsigned perMember = lists.size() + replaced.size() + ownScalars.size();
  // With one slot left for the scalars, a kernel takes as many members as it
  // can.
  const unsigned most = (maxKernelTensors - 1) / perMember;
  const SharedScalars scalars(builder, loc, tensors,
                              maxKernelTensors - most * perMember);
  SmallVector<Value> results(replaced.size() * count);
  SmallVector<int64_t> counts;
  SmallVector<unsigned> numbers; // of the parameters with elements
  for (unsigned i = 0; i < count; ++i) {
    const int64_t elements = elementCount(lists.front()[i]);
    if (elements == 0) {
      for (auto [r, list] : llvm::enumerate(replaced))
        results[r * count + i] = lists[list][i];
      continue;
    }
    counts.push_back(elements);
    numbers.push_back(i);
  }
  for (TensorGroup &group : groupTensors(counts, most, mostPoints)) {
    for (unsigned &member : group.members)
      member = numbers[member];
    buildGroup(builder, loc, group, scalars, results);
  }
  return results;
}

void MultiTensorStep::buildGroup(OpBuilder &builder, Location loc,
                                 const TensorGroup &group,
                                 const SharedScalars &scalars,
                                 MutableArrayRef<Value> results) const {
  const unsigned count = lists.front().size();
  const bool hasRows = group.points != 0;
  assert((hasRows || group.members.size() == 1) && "elements of one tensor");
  SmallVector<Value> inputs;
  SmallVector<Type> outputs;
  RowSpace rows(group.points);
  // Tensors of one member are neighbours, list after list: `compute` below
  // finds them by member * lists.size() + list.
  for (unsigned member : group.members) {
    for (ValueRange list : lists)
      inputs.push_back(hasRows
                           ? asRows(builder, loc, list[member], group.points)
                           : list[member]);
    auto shape = tensorType(inputs.back()).getShape();
    for (auto [r, list] : llvm::enumerate(replaced))
      outputs.push_back(RankedTensorType::get(
          shape, r < types.size() && types[r]
                     ? types[r]
                     : getElementTypeOrSelf(lists[list][member])));
    if (hasRows)
      rows.dimOf(shape.back());
  }
  SmallVector<int64_t> space(rows.getSizes());
  SmallVector<bool> parallel(rows.getParallel());
  if (!hasRows) {
    space.assign(tensorType(inputs.front()).getShape());
    parallel = parallelDims(space);
  }
  // Scalars come after the tensors: first those of each member, then those that
  // all share.
  const unsigned firstOwn = inputs.size();
  for (unsigned member : group.members)
    for (ValueRange list : ownScalars)
      inputs.push_back(list[member]);
  const unsigned firstShared = inputs.size();
  llvm::append_range(inputs, scalars.inputs());

  KernelBuilder kernel(builder, loc, outputs, inputs, space, parallel, label);
  // Loaded once per point, before the loops over rows.
  const SmallVector<Value> shared = scalars.load(kernel, firstShared);
  SmallVector<Value> own;
  for (unsigned input = firstOwn; input < firstShared; ++input)
    own.push_back(loadOnly(kernel, input));
  auto compute = [&](unsigned member, ArrayRef<AffineExpr> position) {
    SmallVector<Value> elements;
    for (unsigned list = 0; list < lists.size(); ++list)
      elements.push_back(kernel.load(member * lists.size() + list, position));
    llvm::append_range(elements, ArrayRef(own).slice(member * ownScalars.size(),
                                                     ownScalars.size()));
    for (auto [r, value] :
         llvm::enumerate(this->compute(kernel, elements, shared)))
      kernel.store(value, member * replaced.size() + r, position);
  };
  // One loop per tensor, one after the other: each reads memory in order.
  if (hasRows)
    for (unsigned member = 0; member < group.members.size(); ++member) {
      const int64_t dim =
          rows.dimOf(tensorType(inputs[member * lists.size()]).getDimSize(1));
      kernel.loop(dim, {}, {}, [&](ValueRange) -> SmallVector<Value> {
        compute(member, {kernel.dim(0), kernel.dim(dim)});
        return {};
      });
    }
  else
    kernel.forEachPoint(space.size(),
                        [&] { compute(0, kernel.dims(space.size())); });
  KernelOp made = kernel.finish();
  // Results go back to the order of the lists and to the given shapes.
  for (auto [m, member] : llvm::enumerate(group.members))
    for (auto [r, list] : llvm::enumerate(replaced)) {
      Value result = made->getResult(m * replaced.size() + r);
      Type type =
          RankedTensorType::get(tensorType(lists[list][member]).getShape(),
                                getElementTypeOrSelf(result));
      if (result.getType() != type)
        result = ReshapeOp::create(builder, loc, type, result);
      results[r * count + member] = result;
    }
}
