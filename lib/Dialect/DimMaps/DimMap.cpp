// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions to maps of dimensions, and how maps are made.
#include "DimMaps.h"

using namespace mlir;
using namespace gaudi;

#include "Gaudi/Dialect/DimMapInterface.cpp.inc"

const DimMap::Access &DimMap::of(unsigned tensor) const {
  const Access *found = llvm::find_if(
      accesses, [&](const Access &access) { return access.tensor == tensor; });
  assert(found != accesses.end() && "each tensor has an access");
  return *found;
}

bool DimMap::readsWhole() const {
  return llvm::any_of(accesses, [](const Access &access) {
    return llvm::any_of(access.dims,
                        [](const Dim &dim) { return dim.isWhole; });
  });
}

std::optional<unsigned> DimMap::factorOf(const Dim &dim) {
  if (dim.terms.size() != 1)
    return std::nullopt;
  return dim.terms.front().factor;
}

std::optional<unsigned> DimMap::sameAs(const Dim &dim, int64_t size) const {
  if (dim.terms.size() != 1 || dim.terms.front().stride != 1 ||
      dim.offset != 0 || dim.isWhole ||
      factors[dim.terms.front().factor].size != size)
    return std::nullopt;
  return dim.terms.front().factor;
}

bool DimMap::isMixedRadix(const Dim &dim, int64_t size) const {
  if (dim.terms.empty() || dim.offset != 0 || dim.isWhole)
    return false;
  int64_t weight = 1;
  for (const Term &term : llvm::reverse(dim.terms)) {
    if (term.stride != weight)
      return false;
    weight *= factors[term.factor].size;
  }
  return weight == size;
}

RankedTensorType gaudi::typeOfTensor(Operation *op, unsigned tensor) {
  const unsigned operands = op->getNumOperands();
  assert(tensor < operands + op->getNumResults() && "a tensor of the op");
  return tensorType(tensor < operands
                        ? op->getOperand(tensor)
                        : Value(op->getResult(tensor - operands)));
}

Names gaudi::numbered(int64_t rank, unsigned first) {
  return llvm::to_vector<6>(llvm::seq<unsigned>(first, first + rank));
}

Names gaudi::lettered(StringRef letters) {
  Names names;
  for (char letter : letters)
    names.push_back(letter == '.' ? noName : unsigned(letter));
  return names;
}

DimMapBuilder::DimMapBuilder(Operation *op) : op(op) {
  const unsigned tensors = op->getNumOperands() + op->getNumResults();
  named.resize(tensors);
  for (unsigned tensor = 0; tensor < tensors; ++tensor)
    named[tensor].names.assign(typeOfTensor(op, tensor).getRank(), noName);
}

void DimMapBuilder::name(unsigned tensor, ArrayRef<unsigned> names,
                         unsigned repeating) {
  assert(!isResolved && names.size() == named[tensor].names.size() &&
         "a name for each dimension");
  named[tensor] = {Names(names), repeating};
}

void DimMapBuilder::nameAll(ArrayRef<unsigned> names) {
  for (unsigned tensor = 0; tensor < named.size(); ++tensor)
    name(tensor, names);
}

void DimMapBuilder::resolve() {
  if (std::exchange(isResolved, true))
    return;
  llvm::SmallDenseMap<unsigned, unsigned, 8> factors; // by name
  for (auto [tensor, own] : llvm::enumerate(named))
    for (auto [name, size] :
         llvm::zip_equal(own.names, typeOfTensor(op, tensor).getShape())) {
      if (name == noName)
        continue;
      auto [it, isNew] = factors.try_emplace(name, 0);
      if (isNew) {
        it->second = map.factors.size();
        map.factors.push_back({size, name});
      }
      int64_t &whole = map.factors[it->second].size;
      // Of 0 and 1, 0 is the size and 1 is broadcast.
      if (whole == 1)
        whole = size;
    }
  for (auto [tensor, own] : llvm::enumerate(named)) {
    DimMap::Access &access = map.accesses.emplace_back();
    access.tensor = tensor;
    for (auto [name, size] :
         llvm::zip_equal(own.names, typeOfTensor(op, tensor).getShape())) {
      DimMap::Dim &dim = access.dims.emplace_back();
      if (name == noName)
        continue;
      const unsigned factor = factors.lookup(name);
      const bool isRepeated =
          size == 1 && (name < own.repeating || map.factors[factor].size != 1);
      dim.terms.push_back({factor, isRepeated ? 0 : 1});
    }
  }
}

unsigned DimMapBuilder::factor(unsigned name, int64_t size) {
  resolve();
  map.factors.push_back({size, name});
  return map.factors.size() - 1;
}

DimMap::Dim &DimMapBuilder::dim(unsigned tensor, int64_t dim) {
  resolve();
  return map.accesses[tensor].dims[dim];
}

void DimMapBuilder::setSame(unsigned tensor, int64_t dim, unsigned other,
                            int64_t otherDim) {
  const DimMap::Dim source = this->dim(other, otherDim);
  this->dim(tensor, dim) = source;
}

void DimMapBuilder::readAlso(unsigned tensor, ArrayRef<int64_t> dims) {
  resolve();
  DimMap::Access &access = others.emplace_back(map.accesses[tensor]);
  for (int64_t dim : dims) {
    access.dims[dim] = DimMap::Dim();
    access.dims[dim].isWhole = true;
  }
}

DimMap DimMapBuilder::take() {
  resolve();
  for (DimMap::Access &access : others)
    map.accesses.insert(llvm::find_if(map.accesses,
                                      [&](const DimMap::Access &other) {
                                        return other.tensor > access.tensor;
                                      }),
                        std::move(access));
  return std::move(map);
}

void gaudi::attachDimMaps(MLIRContext &context) {
  attachMatrixMaps(context);
  attachMoveMaps(context);
  attachVectorMaps(context);
  attachKernelMaps(context);
}
