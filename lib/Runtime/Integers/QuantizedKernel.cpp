// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the conversion of factors from floats out of a kernel.
#include "QuantizedKernel.h"

#include "../Commands/StageValues.h"
#include "ByteValues.h"
#include "Gaudi/Kernel/Geometry.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Operations of a value that are looked at.
constexpr size_t mostInsts = 64;
/// Of a recipe's kernels.
constexpr size_t mostParallelDims = 5;

/// Bytes written for each value that is loaded, at most, where they are many:
/// windows of a convolution are written once per tap, which takes a tenth of
/// the time of the code generator's loops, but its memory must have a bound.
constexpr double mostCopies = 2;
/// What may be written however few values are loaded: 1 GiB.
constexpr double repeatedBytes = double(int64_t(1) << 30);

/// Makes the kernel of one value.
class QuantizerBuilder {
public:
  QuantizerBuilder(const KernelT &kernel, const ByteValues &values)
      : kernel(kernel), values(values) {}

  /// False if it takes more than elementwise operations.
  bool add(uint32_t value) {
    if (numbers.count(value))
      return true;
    const Inst *inst = values[value];
    if (!inst)
      return false;
    const unsigned count = kernel::valueOperands(kernel::Opcode(inst->op()));
    // A position means nothing in the new kernel, which has other dimensions.
    if (count == 0 && inst->op() != Op::Const && inst->op() != Op::Load)
      return false;
    const uint32_t from[] = {inst->a(), inst->b(), inst->c()};
    uint32_t to[] = {from[0], from[1], from[2]};
    for (unsigned i = 0; i < count; ++i) {
      if (!add(from[i]))
        return false;
      to[i] = numbers[from[i]];
    }
    if (inst->op() == Op::Load && !addLoad(from[0], to[0]))
      return false;
    numbers[value] = uint32_t(insts.size());
    insts.push_back(
        Inst(inst->imm(), to[0], to[1], to[2], inst->op(), inst->type()));
    return insts.size() <= mostInsts;
  }

  /// The kernel that stores the value that was added last. Nothing if it
  /// changes with no dimension, or with too many.
  std::optional<Quantizer> finish() {
    if (dims().empty() || dims().size() > mostParallelDims)
      return std::nullopt;
    KernelT result;
    // The index space is that of the dimensions on which the value depends:
    // nothing is summed.
    result.name = kernel.name;
    for (unsigned d : dims())
      result.index_space.push_back(kernel.index_space[d]);
    result.parallel.assign(dims().size(), true);
    for (unsigned input : inputs) {
      result.inputs.push_back(kernel.inputs[input]);
      result.input_ranks.push_back(kernel.input_ranks[input]);
    }
    result.outputs = {ElementType::I8};
    result.output_ranks = {uint8_t(dims().size())};
    for (uint32_t access : accesses)
      result.accesses.push_back(copyOf(*kernel.accesses[access]));
    result.accesses.push_back(ofOutput());
    auto stage = std::make_unique<StageT>();
    stage->insts = insts;
    auto store = std::make_unique<StoreT>();
    store->access = uint32_t(accesses.size());
    store->value = uint32_t(insts.size() - 1);
    stage->stores.push_back(std::move(store));
    result.stages.push_back(std::move(stage));
    return Quantizer{BuiltKernel(result), inputs, result.index_space};
  }

  /// True if it has many more values than the largest tensor it loads, and too
  /// many to write out.
  bool repeatsTooMany() const {
    double values = 1, loaded = 1;
    for (unsigned d : dims())
      values *= double(kernel.index_space[d]);
    for (uint32_t access : accesses) {
      double places = 1;
      for (const auto &dim : kernel.accesses[access]->dims) {
        double span = 1;
        for (unsigned d = 0; d < dim->coefficients.size(); ++d)
          span += std::abs(double(dim->coefficients[d])) *
                  double(kernel.index_space[d] - 1);
        places *= span;
      }
      loaded = std::max(loaded, places);
    }
    return values > std::max(mostCopies * loaded, repeatedBytes);
  }

  /// Dimensions of the whole kernel that the value changes with.
  const std::vector<unsigned> &dims() const { return used; }

private:
  bool addLoad(uint32_t number, uint32_t &newNumber) {
    const AccessT &access = *kernel.accesses[number];
    if (access.operand >= kernel.inputs.size())
      return false;
    for (const auto &dim : access.dims) {
      if (dim->value >= 0 || dim->boundary == Boundary::Checked)
        return false;
      for (unsigned d = 0; d < dim->coefficients.size(); ++d)
        if (dim->coefficients[d] != 0 && kernel.index_space[d] > 1)
          use(d);
    }
    const auto at = std::find(accesses.begin(), accesses.end(), number);
    newNumber = uint32_t(at - accesses.begin());
    if (at == accesses.end())
      accesses.push_back(number);
    if (std::find(inputs.begin(), inputs.end(), access.operand) == inputs.end())
      inputs.push_back(access.operand);
    return true;
  }

  /// In the order of the whole kernel.
  void use(unsigned dim) {
    const auto at = std::lower_bound(used.begin(), used.end(), dim);
    if (at == used.end() || *at != dim)
      used.insert(at, dim);
  }

  std::unique_ptr<AccessT> copyOf(const AccessT &access) const {
    auto copy = std::make_unique<AccessT>(access);
    copy->operand =
        uint32_t(std::find(inputs.begin(), inputs.end(), access.operand) -
                 inputs.begin());
    for (const auto &dim : copy->dims) {
      std::vector<int64_t> coefficients;
      for (unsigned d : used)
        coefficients.push_back(
            d < dim->coefficients.size() ? dim->coefficients[d] : 0);
      dim->coefficients = std::move(coefficients);
    }
    return copy;
  }

  std::unique_ptr<AccessT> ofOutput() const {
    std::vector<unsigned> all;
    for (unsigned i = 0; i < used.size(); ++i)
      all.push_back(i);
    return accessOf(uint32_t(inputs.size()), all, used.size());
  }

  const KernelT &kernel;
  const ByteValues &values;
  std::map<uint32_t, uint32_t> numbers; // of values of the whole kernel
  std::vector<Inst> insts;
  std::vector<uint32_t> accesses; // of the whole kernel
  std::vector<unsigned> inputs, used;
};

/// Replaces the instruction that makes a value.
void replaceInst(KernelT &kernel, uint32_t value, const Inst &by) {
  for (const auto &stage : kernel.stages) {
    if (value < stage->insts.size()) {
      stage->insts[value] = by;
      return;
    }
    value -= valuesIn(*stage);
  }
}

} // namespace

BoundTensors QuantizedKernel::bytes() const {
  BoundTensors result;
  for (const Quantizer &quantizer : quantizers)
    result.push_back({nullptr,
                      ElementType::I8,
                      {quantizer.sizes, kernel::denseStrides(quantizer.sizes)},
                      false});
  return result;
}

std::shared_ptr<const QuantizedKernel> quantizeBefore(const Kernel &kernel,
                                                      std::string &reason) {
  const KnownRanges none;
  const ByteValues values(kernel, none);
  KernelT whole;
  kernel.UnPackTo(&whole);
  std::vector<Quantizer> quantizers;
  for (const Stage *stage : items(kernel.stages())) {
    const Inst *product = values.quantizedProductOf(*stage);
    if (!product)
      continue;
    // Both factors of a product may be converted from floats.
    for (uint32_t factor : {product->a(), product->b()}) {
      const std::optional<uint32_t> value = values.quantizedIn(factor);
      if (!value)
        continue;
      QuantizerBuilder builder(whole, values);
      if (!builder.add(*value))
        return nullptr;
      // Conversion at each use in place of once: too many copies of an operand
      // that the product reads with other indices.
      if (builder.repeatsTooMany()) {
        reason = "a factor has more than twice as many 8-bit values as it "
                 "loads, and more than 1 GiB";
        return nullptr;
      }
      std::optional<Quantizer> quantizer = builder.finish();
      if (!quantizer)
        return nullptr;
      quantizers.push_back(std::move(*quantizer));
      // The value becomes a load of the new operand; what computed it is dead
      // then.
      const uint32_t access = addInput(whole, ElementType::I8, builder.dims());
      replaceInst(whole, *value,
                  Inst(0, access, 0, 0, Op::Load, ElementType::I8));
    }
  }
  if (quantizers.empty())
    return nullptr;
  return std::make_shared<QuantizedKernel>(
      QuantizedKernel{std::move(quantizers), BuiltKernel(whole)});
}

} // namespace gaudi::runtime
