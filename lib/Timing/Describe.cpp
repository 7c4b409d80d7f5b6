// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What recipes, ops and candidates of passes ask alike.
#include "Gaudi/Timing/Describe.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {

MatrixWork gemmWork(Operand a, Operand b, Operand c, bool transposeA,
                    bool transposeB) {
  MatrixWork work;
  work.a = std::move(a);
  work.b = std::move(b);
  work.c = std::move(c);
  work.transposeA = transposeA;
  work.transposeB = transposeB;
  const size_t rank = work.c.sizes.size();
  assert(rank >= 2 && work.a.sizes.size() == rank &&
         work.b.sizes.size() == rank && "matrices of one rank");
  work.m = work.c.sizes[rank - 2];
  work.n = work.c.sizes[rank - 1];
  work.k = work.a.sizes[rank - (transposeA ? 2 : 1)];
  work.batch.assign(work.c.sizes.begin(), work.c.sizes.end() - 2);
  const auto lacks = [&](const Operand &operand) {
    return !std::equal(work.batch.begin(), work.batch.end(),
                       operand.sizes.begin());
  };
  work.broadcastA = lacks(work.a);
  work.broadcastB = lacks(work.b);
  return work;
}

namespace {

/// The dimensions of an activation in the order N, spatial, C if its channels
/// are not innermost; dimensions of one element may be anywhere.
Dims turnedOrder(const Operand &operand, std::string_view layout) {
  const Dims strides = operand.strides.empty()
                           ? kernel::denseStrides(operand.sizes)
                           : operand.strides;
  const size_t channel = layout.find('C');
  bool isLast = true;
  for (size_t d = 0; d < layout.size(); ++d)
    isLast &= d == channel || operand.sizes[d] == 1 || strides[d] == 0 ||
              strides[d] > strides[channel];
  if (isLast || operand.sizes[channel] == 1)
    return {};
  Dims order;
  for (char letter : std::string_view("NDHWC"))
    if (const size_t at = layout.find(letter); at != std::string_view::npos)
      order.push_back(int64_t(at));
  return order;
}

} // namespace

MatrixWork convolutionWork(MatrixWork::Kind kind, Operand a, Operand b,
                           Operand c, const ConvolutionForm &form) {
  MatrixWork work;
  work.kind = kind;
  work.a = std::move(a);
  work.b = std::move(b);
  work.c = std::move(c);
  const Operand &x = work.tensor(MatrixRole::X);
  const Operand &w = work.tensor(MatrixRole::W);
  const Operand &y = work.tensor(MatrixRole::Y);
  work.turned(MatrixRole::X) = turnedOrder(x, form.xLayout);
  work.turned(MatrixRole::Y) = turnedOrder(y, form.yLayout);
  work.images = x.sizes[form.xLayout.find('N')];
  work.inputChannels = x.sizes[form.xLayout.find('C')];
  work.outputChannels = w.sizes[form.wLayout.find('O')];
  work.groups = form.groups;
  const size_t rank = x.sizes.size() - 2;
  assert(rank >= 1 && rank <= 3 && form.strides.size() == rank &&
         "one to three spatial dimensions");
  for (size_t s = 0; s < rank; ++s) {
    const char letter = "DHW"[3 - rank + s];
    Spatial spatial;
    spatial.input = x.sizes[form.xLayout.find(letter)];
    spatial.output = y.sizes[form.yLayout.find(letter)];
    spatial.filter = w.sizes[form.wLayout.find(letter)];
    spatial.stride = form.strides[s];
    spatial.dilation = form.dilations[s];
    spatial.padLow = form.padLow[s];
    // An op allows a remainder of the stride; the command has its exact sizes.
    spatial.padHigh =
        work.result() == MatrixRole::X
            ? kernel::lastPosition(
                  kernel::lastPosition(1, spatial.filter, spatial.dilation),
                  spatial.output, spatial.stride) -
                  spatial.input - spatial.padLow
            : form.padHigh[s];
    work.spatial.push_back(spatial);
  }
  return work;
}

KernelBlock &KernelCounter::blockOf(uint64_t dims) {
  for (KernelBlock &block : work.blocks)
    if (block.dims == dims && block.stage == stage)
      return block;
  KernelBlock &block = work.blocks.emplace_back();
  block.dims = dims;
  block.stage = stage;
  block.widestBytes = 1;
  return block;
}

void KernelCounter::beginStage() {
  stage += atEnd;
  atEnd = false;
}

uint32_t KernelCounter::addAccess(KernelAccess access) {
  assert(access.operand < work.operands.size() && "an operand of the kernel");
  work.accesses.push_back(std::move(access));
  return uint32_t(work.accesses.size() - 1);
}

uint64_t KernelCounter::load(uint32_t access, ElementType type, uint64_t dims) {
  beginStage();
  KernelAccess &given = work.accesses[access];
  given.indexDims |= dims;
  for (size_t d = 0; d < given.position.size(); ++d)
    if (!(given.indexed >> d & 1))
      dims |= given.position[d].dims();
  KernelBlock &block = blockOf(dims);
  // One place is loaded once in a stage.
  const auto isSame = [&](uint32_t other) {
    const KernelAccess &loaded = work.accesses[other];
    return other == access ||
           (loaded.operand == given.operand && !loaded.indexed &&
            !given.indexed && loaded.position == given.position);
  };
  if (std::none_of(block.loads.begin(), block.loads.end(), isSame))
    block.loads.push_back(access);
  block.widestBytes =
      std::max(block.widestBytes, uint8_t(kernel::elementSize(type)));
  return dims;
}

uint64_t nameOf(std::initializer_list<uint64_t> parts) {
  uint64_t name = 0x9e3779b97f4a7c15;
  for (uint64_t part : parts) {
    name = (name ^ part) * 0xff51afd7ed558ccd;
    name ^= name >> 32;
  }
  return name;
}

bool KernelCounter::isAgain(uint64_t name) {
  return name != 0 && stageOf.try_emplace(name, stage).first->second != stage;
}

void KernelCounter::count(SlotCount slots, ElementType type, uint64_t dims,
                          bool isAgain) {
  KernelBlock &block = blockOf(dims);
  if (isAgain) {
    block.vectorAgain += slots.vector;
    block.specialAgain += slots.vector > 2 ? slots.vector : 0;
    block.tableLoadsAgain += slots.load;
  }
  block.vector += slots.vector;
  block.special += slots.vector > 2 ? slots.vector : 0;
  block.tableLoads += slots.load;
  ++block.operations;
  block.widestBytes =
      std::max(block.widestBytes, uint8_t(kernel::elementSize(type)));
}

uint64_t KernelCounter::instruction(kernel::Opcode opcode, ElementType type,
                                    uint64_t dims, uint64_t name) {
  assert(opcode != kernel::Opcode::Load && "loads have an access");
  beginStage();
  const SlotCount slots = slotsOf(opcode);
  if (slots.vector > 0)
    count(slots, type, dims, isAgain(name));
  return dims;
}

uint64_t KernelCounter::instruction(kernel::Opcode opcode, ElementType type,
                                    uint64_t dims, const SecondOperand &second,
                                    uint64_t name) {
  beginStage();
  if (opcode == kernel::Opcode::DivF && second.dims != dims) {
    const bool again = isAgain(name);
    // The reciprocal of a constant is a constant.
    if (second.dims != 0)
      count(reciprocalSlots, type, second.dims, again);
    count({1, 0}, type, dims, again);
    return dims;
  }
  if (opcode == kernel::Opcode::PowF && second.value) {
    count(powerSlots(*second.value), type, dims, isAgain(name));
    return dims;
  }
  return instruction(opcode, type, dims, name);
}

uint64_t KernelCounter::carry(uint64_t loops) {
  beginStage();
  blockOf(work.parallel | loops).chained = true;
  return work.parallel | loops;
}

uint64_t KernelCounter::reduction(uint64_t loops) {
  atEnd = true;
  ++blockOf(work.parallel | loops).reductions;
  return work.parallel;
}

void KernelCounter::store(uint32_t access, uint64_t loops) {
  atEnd = true;
  blockOf(work.parallel | loops).stores.push_back(access);
}

} // namespace gaudi::timing
