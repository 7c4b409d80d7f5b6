// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the body of a TPC kernel into steps.
#include "KernelProgram.h"
#include "Indexing.h"
#include "KernelMemory.h"
#include "KernelScalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

/// A loop over sequential dimensions.
struct LoopPlan {
  SmallVector<int64_t> extents;
  SmallVector<unsigned> indexRows;
  std::vector<Step> start, body, combine, commit, finish;

  void run(Lanes &lanes) const {
    for (const Step &step : start)
      step(lanes);
    // Row-major over the loop's dimensions; all lanes are at one iteration,
    // since their points differ in parallel dimensions only.
    const int64_t iterations = product(extents);
    for (int64_t iteration = 0; iteration < iterations; ++iteration) {
      int64_t rest = iteration;
      for (size_t d = extents.size(); d-- > 0; rest /= extents[d])
        std::fill_n(lanes.ints(indexRows[d]), lanes.count, rest % extents[d]);
      for (const Step &step : body)
        step(lanes);
      // All accumulators change together: a custom reduction may read another
      // one, and an argmax its value and its position.
      for (const Step &step : combine)
        step(lanes);
      for (const Step &step : commit)
        step(lanes);
    }
    for (const Step &step : finish)
      step(lanes);
  }
};

/// Compiles ops in their order. Every value gets a row of its own for the whole
/// program, so that no step overwrites what a later one reads; only
/// accumulators are written again, once per iteration and all after all were
/// computed.
class Compiler {
public:
  Compiler(KernelOp kernel, Operands inputs,
           MutableArrayRef<ReferenceTensor> outputs, ScalarObserver observer)
      : kernel(kernel), inputs(inputs), outputs(outputs),
        observer(std::move(observer)), steps(&program.steps) {
    for (size_t d = 0; d < kernel.getIndexSpace().size(); ++d)
      program.indexRows.push_back(program.intRows++);
  }

  LogicalResult compile(Block &block) {
    for (Operation &op : block)
      if (!isa<KernelYieldOp>(op) && failed(compile(op)))
        return failure();
    return success();
  }
  KernelProgram take() { return std::move(program); }

private:
  static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }
  static IntKind kindOf(Value value) { return kernelKind(value.getType()); }
  unsigned newRow(Type type) {
    return isa<FloatType>(type) ? program.floatRows++ : program.intRows++;
  }
  unsigned define(Value value) { return rows[value] = newRow(value.getType()); }
  unsigned rowOf(Value value) const { return rows.at(value); }

  /// A step that computes each lane of a row of `T` on its own.
  template <typename T, typename F> void each(unsigned to, F f) {
    steps->push_back([=](Lanes &lanes) {
      T *out = lanes.row<T>(to);
      for (int64_t i = 0; i < lanes.count; ++i)
        out[i] = f(lanes, i);
    });
  }
  template <typename F> void eachFloat(unsigned to, F f) {
    each<double>(to, f);
  }
  template <typename F> void eachInt(unsigned to, F f) { each<int64_t>(to, f); }
  /// Calls f with a number of the type that rows hold for `type`.
  template <typename F> static void withRowType(Type type, F f) {
    isa<FloatType>(type) ? f(double()) : f(int64_t());
  }
  void copyRow(Type type, unsigned from, unsigned to) {
    withRowType(type, [&](auto number) {
      using T = decltype(number);
      each<T>(to,
              [=](Lanes &lanes, int64_t i) { return lanes.row<T>(from)[i]; });
    });
  }

  /// Adds a step that shows the operands of a piecewise op.
  void observe(Operation &op) {
    struct Operand {
      unsigned row;
      bool isFloat;
      const double *read(Lanes &lanes, double *numbers) const {
        if (isFloat)
          return lanes.floats(row);
        std::copy_n(lanes.ints(row), lanes.count, numbers);
        return numbers;
      }
    };
    SmallVector<Operand, 2> operands;
    // Of a select the condition decides, not the values.
    const unsigned shown = isa<arith::SelectOp>(op) ? 1 : op.getNumOperands();
    for (Value operand : op.getOperands().take_front(shown))
      operands.push_back({rowOf(operand), isFloat(operand)});
    steps->push_back([op = &op, operands, observer = observer](Lanes &lanes) {
      double first[Lanes::width], second[Lanes::width];
      const double *lhs = operands[0].read(lanes, first);
      observer(op, lhs,
               operands.size() > 1 ? operands[1].read(lanes, second) : nullptr,
               lanes.count);
    });
  }

  LogicalResult compile(Operation &op) {
    // Observed before it runs: rows of operands may be overwritten.
    if (observer && isPiecewise(&op))
      observe(op);
    return TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](arith::ConstantOp constant) {
          return compileConstant(constant);
        })
        .Case([&](arith::CmpFOp compare) {
          const unsigned a = rowOf(compare.getLhs()),
                         b = rowOf(compare.getRhs());
          eachInt(define(compare), [=, predicate = compare.getPredicate()](
                                       Lanes &lanes, int64_t i) {
            return arith::applyCmpPredicate(predicate,
                                            APFloat(lanes.floats(a)[i]),
                                            APFloat(lanes.floats(b)[i]));
          });
          return success();
        })
        .Case([&](arith::CmpIOp compare) {
          const unsigned a = rowOf(compare.getLhs()),
                         b = rowOf(compare.getRhs());
          const IntKind kind = kindOf(compare.getLhs());
          // Integers are kept in 64 bits and compared in the width of their
          // type.
          eachInt(define(compare), [=, predicate = compare.getPredicate()](
                                       Lanes &lanes, int64_t i) {
            return arith::applyCmpPredicate(
                predicate, APInt(kind.width, kind.bits(lanes.ints(a)[i])),
                APInt(kind.width, kind.bits(lanes.ints(b)[i])));
          });
          return success();
        })
        .Case([&](arith::SelectOp select) { return compileSelect(select); })
        .Case([&](math::FmaOp fma) {
          const unsigned a = rowOf(fma.getA()), b = rowOf(fma.getB()),
                         c = rowOf(fma.getC());
          eachFloat(define(fma), [=](Lanes &lanes, int64_t i) {
            return std::fma(lanes.floats(a)[i], lanes.floats(b)[i],
                            lanes.floats(c)[i]);
          });
          return roundNarrow(fma);
        })
        .Case<arith::MulSIExtendedOp, arith::MulUIExtendedOp>(
            [&](auto product) { return compileExtendedProduct(product); })
        .Case<arith::FPToSIOp, arith::FPToUIOp, arith::SIToFPOp,
              arith::UIToFPOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
              arith::ExtFOp, arith::TruncFOp, arith::BitcastOp>(
            [&](Operation *conversion) {
              return compileConversion(*conversion);
            })
        .Case([&](KernelRoundToOp round) { return compileRoundTo(round); })
        .Case([&](KernelIndexOp index) {
          rows[index] = program.indexRows[index.getDim()];
          return success();
        })
        .Case([&](KernelLoadOp load) { return compileLoad(load); })
        .Case([&](KernelStoreOp store) { return compileStore(store); })
        .Case([&](KernelLoopOp loop) { return compileLoop(loop); })
        .Default([&](Operation *other) { return compileByName(*other); });
  }

  /// Floats of a narrow type round at once; f32 stays float64, unless there is
  /// noise.
  LogicalResult roundNarrow(Operation *op) {
    const Type type = op->getResult(0).getType();
    if (!type.isF32() || inputs.noise)
      roundRow(type, rowOf(op->getResult(0)));
    return success();
  }
  void roundRow(Type type, unsigned row) {
    eachFloat(row, [=, round = FloatRounder(type, inputs.noise)](Lanes &lanes,
                                                                 int64_t i) {
      return round(lanes.floats(row)[i]);
    });
  }

  LogicalResult compileConstant(arith::ConstantOp op) {
    if (auto number = dyn_cast<FloatAttr>(op.getValue())) {
      eachFloat(define(op), [value = number.getValueAsDouble()](
                                Lanes &, int64_t) { return value; });
      return success();
    }
    const int64_t value = kindOf(op).wrap(cast<IntegerAttr>(op.getValue())
                                              .getValue()
                                              .sextOrTrunc(64)
                                              .getSExtValue());
    eachInt(define(op), [=](Lanes &, int64_t) { return value; });
    return success();
  }

  LogicalResult compileSelect(arith::SelectOp op) {
    const unsigned c = rowOf(op.getCondition());
    const unsigned a = rowOf(op.getTrueValue()), b = rowOf(op.getFalseValue());
    withRowType(op.getType(), [&](auto number) {
      using T = decltype(number);
      each<T>(define(op), [=](Lanes &lanes, int64_t i) {
        return lanes.row<T>(lanes.ints(c)[i] ? a : b)[i];
      });
    });
    return success();
  }

  /// The two halves of a double-width product.
  template <typename Op> LogicalResult compileExtendedProduct(Op op) {
    constexpr bool isSigned = std::is_same_v<Op, arith::MulSIExtendedOp>;
    const unsigned a = rowOf(op.getLhs()), b = rowOf(op.getRhs());
    const IntKind kind = kindOf(op.getLhs());
    eachInt(define(op.getLow()), [=](Lanes &lanes, int64_t i) {
      return mulInt(lanes.ints(a)[i], lanes.ints(b)[i], kind);
    });
    eachInt(define(op.getHigh()), [=](Lanes &lanes, int64_t i) {
      const APInt left(kind.width, kind.bits(lanes.ints(a)[i]));
      const APInt right(kind.width, kind.bits(lanes.ints(b)[i]));
      const APInt high = isSigned ? llvm::APIntOps::mulhs(left, right)
                                  : llvm::APIntOps::mulhu(left, right);
      return kind.wrap(high.getZExtValue());
    });
    return success();
  }

  LogicalResult compileRoundTo(KernelRoundToOp op) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const unsigned a = rowOf(op.getValue());
    const std::optional<unsigned> words =
        op.getWord() ? std::optional(rowOf(op.getWord())) : std::nullopt;
    eachFloat(define(op),
              [=, round = RuleRounder(op.getFormat(), op.getRounding(),
                                      op.getFlush(), infinity,
                                      inputs.noise)](Lanes &lanes, int64_t i) {
                return round(lanes.floats(a)[i],
                             words ? uint32_t(lanes.ints(*words)[i]) : 0);
              });
    return success();
  }

  LogicalResult compileConversion(Operation &op) {
    const Value from = op.getOperand(0), to = op.getResult(0);
    const unsigned a = rowOf(from);
    if (isFloat(from) && isFloat(to)) {
      const unsigned row = define(to);
      copyRow(to.getType(), a, row);
      return roundNarrow(&op);
    }
    if (isa<arith::BitcastOp>(op)) {
      // f32 is kept in float64 unrounded, so its bits are those of the rounded
      // value; narrow types were rounded when they were computed.
      if (isFloat(from))
        eachInt(define(to), [=, kind = kindOf(to),
                             type = from.getType()](Lanes &lanes, int64_t i) {
          const double value = lanes.floats(a)[i];
          return kind.wrap(uint64_t(
              type.isF32() ? gaudi::bitsOf(static_cast<float>(value))
                           : gaudi::encodeFloat(value, formatOf(type))));
        });
      else if (isFloat(to))
        eachFloat(define(to), [=, kind = kindOf(from),
                               type = to.getType()](Lanes &lanes, int64_t i) {
          const uint32_t bits =
              static_cast<uint32_t>(kind.bits(lanes.ints(a)[i]));
          return type.isF32() ? static_cast<double>(gaudi::floatOfBits(bits))
                              : gaudi::decodeFloat(bits, formatOf(type));
        });
      else
        rows[to] = a;
      return success();
    }
    if (isFloat(from)) {
      const IntKind read{kindOf(to).width, isa<arith::FPToUIOp>(op)};
      eachInt(define(to), [=, kind = kindOf(to)](Lanes &lanes, int64_t i) {
        return kind.wrap(floatToInt(lanes.floats(a)[i], read));
      });
      return success();
    }
    // Rows hold signless integers sign-extended; how they are read is the op's
    // choice.
    const IntKind read = kindOf(from);
    const bool asUnsigned = isa<arith::UIToFPOp, arith::ExtUIOp>(op);
    if (isFloat(to)) {
      eachFloat(define(to), [=](Lanes &lanes, int64_t i) {
        const int64_t value = lanes.ints(a)[i];
        return asUnsigned ? static_cast<double>(read.bits(value))
                          : intToFloat(read.asSigned(value));
      });
      return roundNarrow(&op);
    }
    eachInt(define(to), [=, kind = kindOf(to)](Lanes &lanes, int64_t i) {
      const int64_t value = lanes.ints(a)[i];
      return kind.wrap(asUnsigned ? static_cast<int64_t>(read.bits(value))
                                  : read.asSigned(value));
    });
    return success();
  }

  LogicalResult compileByName(Operation &op) {
    const std::optional<Opcode> opcode = opcodeOf(op.getName());
    if (!opcode)
      return op.emitError()
             << "'" << op.getName() << "' is not an operation of a TPC kernel";
    // Opcodes have the formulas of the elementwise ops.
    if (UnaryFloat formula = unaryFloatOf(*opcode)) {
      const unsigned a = rowOf(op.getOperand(0));
      eachFloat(define(op.getResult(0)), [=](Lanes &lanes, int64_t i) {
        return formula(lanes.floats(a)[i]);
      });
      return roundNarrow(&op);
    }
    if (BinaryFloat formula = binaryFloatOf(*opcode)) {
      const unsigned a = rowOf(op.getOperand(0)), b = rowOf(op.getOperand(1));
      eachFloat(define(op.getResult(0)), [=](Lanes &lanes, int64_t i) {
        return formula(lanes.floats(a)[i], lanes.floats(b)[i]);
      });
      return roundNarrow(&op);
    }
    if (UnaryInt formula = unaryIntOf(*opcode)) {
      const unsigned a = rowOf(op.getOperand(0));
      eachInt(define(op.getResult(0)),
              [=, kind = kindOf(op.getResult(0))](Lanes &lanes, int64_t i) {
                return kind.wrap(formula(lanes.ints(a)[i], kind));
              });
      return success();
    }
    if (BinaryInt binary = binaryIntOf(*opcode); binary.formula) {
      const unsigned a = rowOf(op.getOperand(0)), b = rowOf(op.getOperand(1));
      const IntKind kind = kindOf(op.getResult(0)),
                    read{kind.width, binary.asUnsigned};
      // The formula reads signed or unsigned numbers, the result wraps.
      eachInt(define(op.getResult(0)), [=](Lanes &lanes, int64_t i) {
        return kind.wrap(binary.formula(read.wrap(lanes.ints(a)[i]),
                                        read.wrap(lanes.ints(b)[i]), read));
      });
      return success();
    }
    return op.emitError() << "'" << op.getName()
                          << "' is not an operation of a TPC kernel";
  }

  LogicalResult compileLoad(KernelLoadOp op) {
    FailureOr<Step> step = makeLoad(
        op, inputs[op.getInputNumber()], program.indexRows,
        [&](Value index) { return rowOf(index); }, define(op));
    if (failed(step))
      return failure();
    steps->push_back(std::move(*step));
    return success();
  }

  LogicalResult compileStore(KernelStoreOp op) {
    FailureOr<Step> step = makeStore(op, outputs[op.getOutputNumber()],
                                     program.indexRows, rowOf(op.getValue()));
    if (failed(step))
      return failure();
    steps->push_back(std::move(*step));
    return success();
  }

  /// Compiles `build` into another list than the current one; lists nest as
  /// loops do.
  template <typename F> LogicalResult into(std::vector<Step> &list, F build) {
    std::vector<Step> *outer = std::exchange(steps, &list);
    const LogicalResult result = build();
    steps = outer;
    return result;
  }

  LogicalResult compileLoop(KernelLoopOp op) {
    auto plan = std::make_shared<LoopPlan>();
    for (int64_t dim : op.getDims()) {
      plan->extents.push_back(kernel.getIndexSpace()[dim]);
      plan->indexRows.push_back(program.indexRows[dim]);
    }
    Block &body = op.getBody().front();
    auto yield = cast<KernelYieldOp>(body.getTerminator());
    unsigned result = 0;
    SmallVector<unsigned> firstResult;
    // Accumulators have rows of their own, which the body reads as its
    // arguments.
    for (unsigned r = 0; r < op.getInits().size(); ++r) {
      firstResult.push_back(result);
      const Value init = op.getInits()[r];
      const unsigned accumulator = define(op.getResult(result));
      rows[body.getArgument(r)] = accumulator;
      (void)into(plan->start, [&] {
        copyRow(init.getType(), rowOf(init), accumulator);
        return success();
      });
      ++result;
      // An argmax has a position beside the value, which starts at 0.
      if (hasPosition(op.getReduceKind(r))) {
        const unsigned position = define(op.getResult(result++));
        (void)into(plan->start, [&] {
          eachInt(position, [](Lanes &, int64_t) { return 0; });
          return success();
        });
      }
    }
    if (failed(into(plan->body, [&] { return compile(body); })))
      return failure();
    // After the body: what it yields has rows by then.
    for (unsigned r = 0; r < op.getInits().size(); ++r)
      if (failed(compileReduction(op, yield, r, firstResult[r], *plan)))
        return failure();
    steps->push_back([plan](Lanes &lanes) { plan->run(lanes); });
    return success();
  }

  /// Adds the steps that combine the accumulator `first` (a result number) of
  /// reduction r with what the loop yields.
  LogicalResult compileReduction(KernelLoopOp op, KernelYieldOp yield,
                                 unsigned r, unsigned first, LoopPlan &plan) {
    const KernelReduce kind = op.getReduceKind(r);
    const Value result = op.getResult(first),
                yielded = yield.getValues()[first];
    const unsigned accumulator = rowOf(result), value = rowOf(yielded);
    // All reductions read the accumulators of the step before: new ones are
    // written to other rows first and committed together.
    const unsigned next = newRow(result.getType());
    auto commit = [&](Type type, unsigned from, unsigned to) {
      (void)into(plan.commit, [&] {
        copyRow(type, from, to);
        return success();
      });
    };
    commit(result.getType(), next, accumulator);
    return into(plan.combine, [&]() -> LogicalResult {
      if (hasPosition(kind)) {
        const Value positions = op.getResult(first + 1);
        const unsigned position = rowOf(positions);
        const unsigned yieldedAt = rowOf(yield.getValues()[first + 1]);
        const unsigned nextPosition = newRow(positions.getType());
        commit(positions.getType(), nextPosition, position);
        withRowType(result.getType(), [&](auto number) {
          using T = decltype(number);
          // The first of equal values wins, and the first NaN over all numbers.
          auto better = [=, isMax = kind == KernelReduce::ArgMax](Lanes &lanes,
                                                                  int64_t i) {
            const T v = lanes.row<T>(value)[i],
                    r = lanes.row<T>(accumulator)[i];
            return (isMax ? v > r : v < r) || (v != v && r == r);
          };
          eachInt(nextPosition, [=](Lanes &lanes, int64_t i) {
            return lanes.ints(better(lanes, i) ? yieldedAt : position)[i];
          });
          each<T>(next, [=](Lanes &lanes, int64_t i) {
            return lanes.row<T>(better(lanes, i) ? value : accumulator)[i];
          });
        });
        return success();
      }
      // A custom reduction yields the new accumulator itself.
      if (kind == KernelReduce::Custom) {
        copyRow(result.getType(), value, next);
        return success();
      }
      if (isFloat(result)) {
        BinaryFloat formula = findFloatCombiner(kind);
        if (!formula)
          return op.emitError() << "expected a reduction of floats but got '"
                                << stringifyKernelReduce(kind) << "'";
        eachFloat(next, [=](Lanes &lanes, int64_t i) {
          return formula(lanes.floats(accumulator)[i], lanes.floats(value)[i]);
        });
        // A sum is disturbed by the size of its terms, all others by their
        // results.
        if (inputs.noise && kind == KernelReduce::Add)
          disturbSum(result.getType(), accumulator, value, plan);
        else if (inputs.noise)
          roundRow(result.getType(), next);
        return success();
      }
      const BinaryInt binary = findIntCombiner(kind);
      const IntKind type = kindOf(result), read{type.width, binary.asUnsigned};
      eachInt(next, [=](Lanes &lanes, int64_t i) {
        return type.wrap(binary.formula(read.wrap(lanes.ints(accumulator)[i]),
                                        read.wrap(lanes.ints(value)[i]), read));
      });
      return success();
    });
  }

  /// Gives a sum an error in proportion to the magnitudes of its terms. Called
  /// while `combine` is compiled.
  void disturbSum(Type type, unsigned accumulator, unsigned term,
                  LoopPlan &plan) {
    // A row of its own adds magnitudes: of the start value, then of each term;
    // at the end it says how far off the sum may be.
    const unsigned magnitudes = newRow(type);
    (void)into(plan.start, [&] {
      eachFloat(magnitudes, [=](Lanes &lanes, int64_t i) {
        return std::fabs(lanes.floats(accumulator)[i]);
      });
      return success();
    });
    eachFloat(magnitudes, [=](Lanes &lanes, int64_t i) {
      return Noise::withTerm(lanes.floats(magnitudes)[i],
                             lanes.floats(term)[i]);
    });
    (void)into(plan.finish, [&] {
      eachFloat(accumulator,
                [=, noise = inputs.noise](Lanes &lanes, int64_t i) {
                  return noise->disturbedSum(lanes.floats(accumulator)[i],
                                             lanes.floats(magnitudes)[i]);
                });
      roundRow(type, accumulator);
      return success();
    });
  }

  KernelOp kernel;
  Operands inputs;
  MutableArrayRef<ReferenceTensor> outputs;
  KernelProgram program;
  ScalarObserver observer;
  std::vector<Step> *steps;
  DenseMap<Value, unsigned> rows;
};
} // namespace

bool reference::isPiecewise(Operation *scalar) {
  return isa<arith::CmpFOp, arith::CmpIOp, arith::SelectOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
             math::AbsFOp, math::AbsIOp>(scalar);
}

FailureOr<KernelProgram>
reference::compileKernel(KernelOp kernel, Operands inputs,
                         MutableArrayRef<ReferenceTensor> outputs,
                         ScalarObserver observer) {
  Compiler compiler(kernel, inputs, outputs, std::move(observer));
  if (failed(compiler.compile(kernel.getBody().front())))
    return failure();
  return compiler.take();
}
