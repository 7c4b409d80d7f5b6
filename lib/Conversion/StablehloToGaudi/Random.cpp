// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers. stablehlo.rng_bit_generator gives the bits that XLA gives on
// a CPU: Threefry-2x32-20 and Philox-4x32-10 of J. Salmon, M. Moraes, R. Dror,
// D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Each point
// of a kernel encrypts one value of a counter.
#include "Converter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
enum class Generator { Threefry, Philox };

/// The words of a state, all scalars of a kernel.
struct StateWords {
  std::array<Value, 2> key;     ///< i32, the low one first
  std::array<Value, 2> counter; ///< i64, the low one first
};

/// Arithmetic of the generators on i32 words.
class Words {
public:
  explicit Words(KernelBuilder &k) : k(k), i32(k.getBuilder().getI32Type()) {}

  using Pair = std::array<Value, 2>;
  using Block = std::array<Value, 4>;

  Pair threefry(Pair x, Pair key);
  Block philox(Block x, Pair key);

  /// The two words of an i64, the low one first.
  Pair split(Value wide);
  /// An i64 of two words, the low one first.
  Value join(Value low, Value high);
  /// counter + number, where the number is below 2^63.
  Pair advance(Pair counter, Value number);
  StateWords read(unsigned input, RankedTensorType type, Generator generator);

  Value wide(int64_t value) {
    return k.intConstant(value, k.getBuilder().getI64Type());
  }

private:
  Value word(uint32_t value) { return k.intConstant(int32_t(value), i32); }
  Value add(Value a, Value b) { return k.binary<arith::AddIOp>(a, b); }
  Value bitXor(Value a, Value b) { return k.binary<arith::XOrIOp>(a, b); }
  Value rotateLeft(Value a, unsigned distance) {
    return k.binary<arith::OrIOp>(
        k.binary<arith::ShLIOp>(a, word(distance)),
        k.binary<arith::ShRUIOp>(a, word(32 - distance)));
  }
  Value mulHigh(Value a, Value b) {
    return arith::MulUIExtendedOp::create(k.getBuilder(), k.getLoc(), a, b)
        .getHigh();
  }

  KernelBuilder &k;
  Type i32;
};
} // namespace

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

/// The state after `count` blocks. Its elements are few: each point computes
/// all of them and stores its own.
static Value createNextState(Operation *op, Generator generator, int64_t count,
                             HloBuilder &b) {
  RankedTensorType type = tensorType(op->getOperand(0));
  return b.pointKernel(op, type, op->getOperand(0), {}, [&](KernelBuilder &k) {
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
    return own;
  });
}

/// Each point of the kernel computes one block. Its words lie next to each
/// other along dimension 1 of the result (outer, blocks * words, inner).
static Value createBlocks(Operation *op, Generator generator,
                          ArrayRef<int64_t> space, Type element, Value state,
                          HloBuilder &b) {
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
  SmallVector<Value> parts = b.pointKernel(op, types, state, {}, block);
  if (perBlock == 1)
    return parts.front();
  for (Value &part : parts)
    part = b.reshape(part, {space[0], space[1], 1, space[2]});
  Value joined =
      ConcatOp::create(b, type.clone({space[0], space[1], perBlock, space[2]}),
                       parts, /*axis=*/2);
  return b.reshape(joined, {space[0], space[1] * perBlock, space[2]});
}

/// Bits for a tensor of `type`, and how many blocks they were. The words of a
/// Philox block follow each other in row-major order. Those of Threefry follow
/// each other along a dimension: the first of even size, else the largest; with
/// 64 bits one block is one element.
static std::pair<Value, int64_t> createBits(Operation *op, Generator generator,
                                            RankedTensorType type, Value state,
                                            HloBuilder &b) {
  if (type.getNumElements() == 0)
    return {b.splat(type, b.getZeroAttr(type.getElementType())), 0};
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
  Value bits =
      createBlocks(op, generator, {outer, blocks, inner}, element, state, b);
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

HloMatch gaudi::matchBitGenerator(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() != 1 || failed(m.checkResults(2)))
    return m.refuse("expected one state as operand; state and bits as results");
  const StringRef algorithm = wordOf(op, "rng_algorithm");
  if (algorithm != "THREE_FRY" && algorithm != "PHILOX" &&
      algorithm != "DEFAULT")
    return m.refuse(
        "attribute 'rng_algorithm' must be THREE_FRY, PHILOX or DEFAULT");
  // XLA's default for a CPU.
  const Generator generator =
      algorithm == "THREE_FRY" ? Generator::Threefry : Generator::Philox;
  RankedTensorType state = tensorType(op->getOperand(0));
  RankedTensorType type = tensorType(op->getResult(1));
  const bool isInteger = isa<IntegerType>(state.getElementType());
  const unsigned width = state.getElementTypeBitWidth();
  const int64_t count = state.getRank() == 1 ? state.getNumElements() : 0;
  // A key and a counter, as XLA has them.
  const bool isState =
      isInteger &&
      ((width == 64 &&
        (count == 2 || (count == 3 && generator == Generator::Philox))) ||
       (width == 32 && count == 4));
  if (!isState)
    return m.refuse("a state of " + algorithm + " has 2 " +
                    (generator == Generator::Philox ? "or 3 " : "") +
                    "elements of 64 bits, or 4 of 32 bits; its type is '" +
                    spelled(state) + "'");
  if (op->getResult(0).getType() != state)
    return m.refuse("the new state must have the type of the old one");
  if (type.getElementType().isInteger(1))
    return m.refuse("bits cannot be of i1");
  return build([op, generator, type](HloBuilder &b) {
    auto [bits, blocks] = createBits(op, generator, type, op->getOperand(0), b);
    return SmallVector<Value>{createNextState(op, generator, blocks, b), bits};
  });
}

/// Bits of Philox for stablehlo.rng, keyed by its number in the model.
static Value createKeyedBits(Operation *op, RankedTensorType type,
                             HloBuilder &b) {
  Value state = gaudi::ConstantOp::create(
      b, b.getI64TensorAttr({++b.numGenerators, 0, 0}));
  return createBits(op, Generator::Philox, type, state, b).first;
}

/// Floats in [0, 1) of the 23 upper bits.
static Value createUniform(Operation *op, RankedTensorType type,
                           HloBuilder &b) {
  Value bits = createKeyedBits(op, type.clone(b.getI32Type()), b);
  // A mantissa behind the exponent of 1 is a float in [1, 2).
  Value mantissa = b.binary<ShrLogicalOp>(bits, b.integer(9, bits));
  Value pattern = b.binary<OrOp>(mantissa, b.integer(0x3F800000, bits));
  Value from1 = BitcastOp::create(b, type.clone(b.getF32Type()), pattern);
  return b.binary<SubOp>(from1, b.number(1, from1));
}

/// low + n mod (high - low), for 63 random bits n.
static Value createIntegers(Operation *op, RankedTensorType type, Value low,
                            Value high, HloBuilder &b) {
  Type i64 = b.getI64Type();
  low = b.cast(low, i64);
  high = b.cast(high, i64);
  Value bits = createKeyedBits(op, type.clone(i64), b);
  Value number = b.binary<ShrLogicalOp>(bits, b.integer(1, bits));
  number = b.binary<RemOp>(number, b.binary<SubOp>(high, low));
  return b.binary<AddOp>(number, low);
}

/// The format leaves the numbers open. They are those of Philox, keyed by the
/// number of the op in the model: the same at each launch.
HloMatch gaudi::matchRng(Operation *op, HloMatcher &m) {
  const StringRef distribution = wordOf(op, "rng_distribution");
  if (distribution != "UNIFORM" && distribution != "NORMAL")
    return m.refuse("attribute 'rng_distribution' must be UNIFORM or NORMAL");
  RankedTensorType type = tensorType(op->getResult(0));
  Type element = type.getElementType();
  for (unsigned i : {0u, 1u})
    if (op->getOperand(i).getType() != RankedTensorType::get({}, element))
      return m.refuse("operand " + Twine(i) + " must be a scalar of type '" +
                      spelled(element) + "'");
  const bool isNormal = distribution == "NORMAL";
  if (element.isInteger(1) || (isNormal && !isFloatElement(element)))
    return m.refuse("a distribution " + distribution +
                    " is not defined for element type '" + spelled(element) +
                    "'");
  return build([op, type, isNormal](HloBuilder &b) {
    b.remarkRaised(op, "Philox-4x32-10",
                   "the format leaves the numbers open; these are the same at "
                   "each launch");
    Value low = b.withRank(op->getOperand(0), type.getRank());
    Value high = b.withRank(op->getOperand(1), type.getRank());
    Type element = type.getElementType(), f32 = b.getF32Type();
    // Bounds of integers are kept as they are: f32 would round them.
    if (!isFloatElement(element))
      return b.cast(createIntegers(op, type, low, high, b), element);
    low = b.cast(low, f32);
    high = b.cast(high, f32);
    Value x = createUniform(op, type, b);
    Value factor = high;
    if (isNormal) {
      // The inverse of the distribution, of a number in (-1, 1).
      Value centred =
          b.binary<SubOp>(b.binary<AddOp>(x, x), b.number(1 - 0x1p-23, x));
      x = b.binary<MulOp>(inverseErf(b, centred),
                          b.number(1.41421356237309505, x));
    } else {
      factor = b.binary<SubOp>(high, low);
    }
    x = b.binary<AddOp>(b.binary<MulOp>(x, factor), low);
    return b.cast(x, element);
  });
}

HloMatch gaudi::matchThreefryCall(Operation *op, HloMatcher &m) {
  if (op->getNumOperands() != 4 || failed(m.checkResults(2)))
    return m.refuse("expected two words of keys and two of counters");
  RankedTensorType type = tensorType(op->getResult(0));
  auto hasType = [&](Type other) { return other == type; };
  if (!llvm::all_of(op->getOperandTypes(), hasType) ||
      !llvm::all_of(op->getResultTypes(), hasType) ||
      type.getElementTypeBitWidth() != 32 ||
      !isa<IntegerType>(type.getElementType()))
    return m.refuse("operands and results must have one type of 32-bit words");
  if (failed(m.checkKernelDims(type.getShape())))
    return failure();
  return build([op, type](HloBuilder &b) {
    return b.pointKernel(
        op, op->getResultTypes(), op->getOperands(), {}, [&](KernelBuilder &k) {
          SmallVector<AffineExpr> at = k.dims(type.getRank());
          auto word = [&](unsigned i) { return k.load(i, at); };
          Words words(k);
          return llvm::to_vector(
              words.threefry({word(2), word(3)}, {word(0), word(1)}));
        });
  });
}
