// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random bits by counters.
#include "RandomBits.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

Words::Pair Words::threefry(Pair x, Pair key) {
  static constexpr unsigned rotations[2][4] = {{13, 15, 26, 6},
                                               {17, 29, 16, 24}};
  const Value keys[3] = {key[0], key[1],
                         bitXor(bitXor(key[0], key[1]), word(0x1BD11BDA))};
  x = {add(x[0], keys[0]), add(x[1], keys[1])};
  for (unsigned group = 1; group <= 5; ++group) {
    for (unsigned distance : rotations[(group - 1) % 2]) {
      x[0] = add(x[0], x[1]);
      x[1] = bitXor(rotateLeft(x[1], distance), x[0]);
    }
    x[0] = add(x[0], keys[group % 3]);
    x[1] = add(add(x[1], keys[(group + 1) % 3]), word(group));
  }
  return x;
}

Words::Block Words::philox(Block x, Pair key) {
  for (unsigned round = 0; round < 10; ++round) {
    Value even = word(0xD2511F53), odd = word(0xCD9E8D57);
    x = {bitXor(bitXor(mulHigh(x[2], odd), x[1]), key[0]),
         k.binary<arith::MulIOp>(x[2], odd),
         bitXor(bitXor(mulHigh(x[0], even), x[3]), key[1]),
         k.binary<arith::MulIOp>(x[0], even)};
    key = {add(key[0], word(0x9E3779B9)), add(key[1], word(0xBB67AE85))};
  }
  return x;
}

Words::Pair Words::split(Value wide) {
  auto truncate = [&](Value value) {
    return arith::TruncIOp::create(k.getBuilder(), k.getLoc(), i32, value);
  };
  Value high = k.binary<arith::ShRUIOp>(wide, this->wide(32));
  return {truncate(wide), truncate(high)};
}

Value Words::join(Value low, Value high) {
  auto extend = [&](Value value) {
    return arith::ExtUIOp::create(k.getBuilder(), k.getLoc(),
                                  k.getBuilder().getI64Type(), value);
  };
  return k.binary<arith::OrIOp>(
      extend(low), k.binary<arith::ShLIOp>(extend(high), wide(32)));
}

Words::Pair Words::advance(Pair counter, Value number) {
  Value low = k.binary<arith::AddIOp>(counter[0], number);
  Value carries = arith::CmpIOp::create(
      k.getBuilder(), k.getLoc(), arith::CmpIPredicate::ult, low, counter[0]);
  Value next = k.binary<arith::AddIOp>(counter[1], wide(1));
  return {low, k.select(carries, next, counter[1])};
}

/// States of two elements have no upper half of the counter of Philox: the key
/// takes its place. A state of four i32 has the words of the counter in the
/// other order, as the lowering of StableHLO to linalg reads it.
StateWords Words::read(unsigned input, RankedTensorType type,
                       Generator generator) {
  auto element = [&](int64_t i) { return k.load(input, k.cst(i)); };
  StateWords state;
  Value key;
  if (type.getElementTypeBitWidth() == 32) {
    key = join(element(0), element(1));
    state.counter[0] = join(element(3), element(2));
  } else {
    key = element(0);
    state.counter[0] = element(1);
  }
  state.key = split(key);
  const bool isLong = type.getNumElements() == 3;
  state.counter[1] = isLong ? element(2) : key;
  assert((generator == Generator::Philox || !isLong) && "checked by the match");
  return state;
}

/// The elements of a state are few: each point computes
/// all of them and stores its own.
Value gaudi::nextState(FrontEndBuilder &b, StringRef label, Generator generator,
                       int64_t count, Value state) {
  RankedTensorType type = tensorType(state);
  auto point = [&](KernelBuilder &k) {
    Words words(k);
    Words::Pair counter = words.advance(words.read(0, type, generator).counter,
                                        words.wide(count));
    SmallVector<Value> elements{k.load(0, k.cst(0)), counter[0], counter[1]};
    if (type.getElementTypeBitWidth() == 32) {
      Words::Pair low = words.split(counter[0]);
      elements = {elements[0], k.load(0, k.cst(1)), low[1], low[0]};
    }
    Value own = elements[0];
    for (int64_t i = 1; i < type.getNumElements(); ++i) {
      Value isOwn = arith::CmpIOp::create(k.getBuilder(), k.getLoc(),
                                          arith::CmpIPredicate::eq, k.index(0),
                                          words.wide(i));
      own = k.select(isOwn, elements[i], own);
    }
    return SmallVector<Value>{own};
  };
  return pointKernel(b, label, TypeRange(type), state, {}, point).front();
}

/// Each point of the kernel computes one block. Its words lie next to each
/// other along dimension 1 of the result (outer, blocks * words, inner).
static Value createBlocks(FrontEndBuilder &b, StringRef label,
                          Generator generator, ArrayRef<int64_t> space,
                          Type element, Value state, int64_t start) {
  const unsigned width = element.getIntOrFloatBitWidth();
  // A block has two or four words of 32 bits; elements of 64 bits take two
  // each.
  const int64_t perBlock =
      (generator == Generator::Threefry ? 2 : 4) / (width == 64 ? 2 : 1);
  RankedTensorType type = RankedTensorType::get(space, element);
  auto block = [&](KernelBuilder &k) {
    Words words(k);
    StateWords read = words.read(0, tensorType(state), generator);
    // The position of the point in row-major order.
    Value number = k.index(0);
    for (unsigned dim : {1u, 2u})
      number = k.binary<arith::AddIOp>(
          k.binary<arith::MulIOp>(number, words.wide(space[dim])),
          k.index(dim));
    if (start != 0)
      number = k.binary<arith::AddIOp>(number, words.wide(start));
    Words::Pair counter = words.advance(read.counter, number);
    Words::Pair low = words.split(counter[0]), high = words.split(counter[1]);
    SmallVector<Value> output;
    if (generator == Generator::Threefry)
      llvm::append_range(output, words.threefry(low, read.key));
    else
      llvm::append_range(
          output, words.philox({low[0], low[1], high[0], high[1]}, read.key));
    // Low word first, as XLA joins them.
    if (width == 64)
      for (int64_t i = 0; i < perBlock; ++i)
        output[i] = words.join(output[2 * i], output[2 * i + 1]);
    output.resize(perBlock);
    // Narrow elements are the low bits of a word.
    if (width < 32)
      for (Value &word : output)
        word = arith::TruncIOp::create(k.getBuilder(), k.getLoc(),
                                       kernelType(element), word);
    return output;
  };
  SmallVector<Type> types(perBlock, type);
  // A result of the kernel per word of a block, joined along dimension 1.
  SmallVector<Value> parts = pointKernel(b, label, types, state, {}, block);
  if (perBlock == 1)
    return parts.front();
  for (Value &part : parts)
    part = b.reshape(part, {space[0], space[1], 1, space[2]});
  Value joined =
      ConcatOp::create(b, type.clone({space[0], space[1], perBlock, space[2]}),
                       parts, /*axis=*/2);
  return b.reshape(joined, {space[0], space[1] * perBlock, space[2]});
}

std::pair<Value, int64_t> gaudi::randomBits(FrontEndBuilder &b, StringRef label,
                                            Generator generator,
                                            RankedTensorType type, Value state,
                                            int64_t start) {
  if (type.getNumElements() == 0)
    return {
        ConstantOp::create(b, DenseElementsAttr::getFromRawBuffer(type, {})),
        0};
  const unsigned width = type.getElementTypeBitWidth();
  Type element = isFloatElement(type.getElementType())
                     ? Type(b.getIntegerType(width))
                     : type.getElementType();
  int64_t outer = 1, size = type.getNumElements(), inner = 1;
  int64_t words = width == 64 ? 2 : 4;
  if (generator == Generator::Threefry) {
    words = width == 64 ? 1 : 2;
    ArrayRef<int64_t> shape = type.getShape();
    const auto *split =
        llvm::find_if(shape, [](int64_t dim) { return dim % 2 == 0; });
    if (split == shape.end())
      split = std::max_element(shape.begin(), shape.end());
    // The split dimension has the words, those around it number the blocks.
    if (width != 64 && split != shape.end()) {
      size = *split;
      for (const auto *dim = shape.begin(); dim != shape.end(); ++dim)
        if (dim != split)
          (dim < split ? outer : inner) *= *dim;
    }
  }
  const int64_t blocks = int64_t(llvm::divideCeil(size, words));
  Value bits = createBlocks(b, label, generator, {outer, blocks, inner},
                            element, state, start);
  // The last block may have more words than are left.
  if (blocks * words != size)
    bits = gaudi::SliceOp::create(
        b, tensorType(bits).clone({outer, size, inner}), bits,
        ArrayRef<int64_t>{0, 0, 0}, ArrayRef<int64_t>{1, 1, 1});
  bits = b.reshape(bits, type.getShape());
  if (element != type.getElementType())
    bits = BitcastOp::create(b, type, bits);
  return {bits, outer * blocks * inner};
}

Value gaudi::uniformFloats(FrontEndBuilder &b, Value bits) {
  RankedTensorType type = tensorType(bits);
  SmallVector<int64_t> ones(type.getRank(), 1);
  auto word = [&](uint32_t value) {
    return ConstantOp::create(
        b, DenseElementsAttr::get(type.clone(ones), APInt(32, value)));
  };
  // A mantissa behind the exponent of 1 is a float in [1, 2).
  Value mantissa = ShrLogicalOp::create(b, type, bits, word(9));
  Value pattern = OrOp::create(b, type, mantissa, word(0x3F800000));
  RankedTensorType floats = type.clone(b.getF32Type());
  Value from1 = BitcastOp::create(b, floats, pattern);
  Value one =
      ConstantOp::create(b, DenseElementsAttr::get(floats.clone(ones), 1.0f));
  return SubOp::create(b, floats, from1, one);
}
