// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the TPC's instructions in a slice of attention.
//
// A kernel passes its rows one after the other, four of them interleaved; what
// a row needs again it keeps in local memory. Counts are those of TpcSlots.cpp;
// the exponential of lower accuracy and Philox are estimated.
#include "AttentionKernels.h"
#include "Gaudi/Timing/Tpc.h"

#include <algorithm>
#include <cmath>

namespace gaudi::timing {
namespace {

using device::DeviceSpec;
using kernel::Opcode;

/// 2^x from a table and a polynomial of second degree. Estimated.
constexpr SlotCount fastExponential = {8, 1};
/// Ten rounds on vectors of counters make four vectors of words: two products
/// of 64 bits (high and low halves) and four exclusive ors each; then a shuffle
/// to the order of the elements, a comparison, a selection. Estimated.
constexpr double philoxVector = 10 * 8 / 4.0 + 3;

/// Instructions of one iteration.
struct Slots {
  double vector = 0, load = 0, store = 0, special = 0;

  void add(SlotCount function) {
    vector += function.vector;
    special += function.vector;
    load += function.load;
  }
};

/// Loops of one engine, the one with most rows.
class EngineTime {
public:
  EngineTime(double rows, const DeviceSpec &spec)
      : spec(spec), rows(std::ceil(rows / spec.tpc.engines)) {}

  /// A loop over `vectors` in each row. Iterations do not wait for each other,
  /// but where fewer than the latency are left.
  void addLoop(double vectors, const Slots &slots) {
    const double iterations = rows * vectors;
    if (iterations <= 0)
      return;
    const double latency = spec.tpc.silicon.latency;
    const double stalled = std::ceil(iterations / latency) * latency;
    // Each access counts its coordinates up in the scalar slot.
    cycles += std::max({slots.vector * stalled, slots.load * iterations,
                        slots.store * iterations,
                        (slots.load + slots.store) * iterations});
    result.vector += slots.vector * iterations;
    result.special += slots.special * iterations;
  }
  /// Bytes of a row that pass the engine's port.
  void addBytes(double read, double written) {
    in += rows * read;
    out += rows * written;
  }

  KernelTime finish() {
    const double ports = std::max(in, out) / spec.tpc.silicon.portBytes;
    result.time = cycleTime(std::max(cycles, ports), spec.tpc.clockHz);
    return result;
  }

private:
  const DeviceSpec &spec;
  double rows, cycles = 0, in = 0, out = 0;
  KernelTime result;
};

unsigned bytesOf(const AttentionWork &work, int32_t operand) {
  return kernel::elementSize(work.operands[size_t(operand)].type);
}

double lanesOf(const AttentionWork &work, const DeviceSpec &spec) {
  return double(spec.tpc.vectorBytes) / scoreBytes(work);
}

SlotCount exponentialOf(const AttentionWork &work) {
  return work.isFast ? fastExponential : slotsOf(Opcode::ExpF);
}

/// A load of an operand with one element per score, converted to the type of
/// scores.
void addLoad(Slots &slots, const AttentionWork &work, unsigned bytes) {
  slots.load += 1;
  slots.vector += bytes == scoreBytes(work) ? 0 : 1;
}

void addStore(Slots &slots, const AttentionWork &work, unsigned bytes) {
  slots.store += 1;
  slots.vector += bytes == scoreBytes(work) ? 0 : 1;
}

/// From a product to the masked score.
Slots maskSlots(const AttentionWork &work) {
  Slots slots;
  slots.load = 1;
  slots.vector = 1; // scale
  if (work.mask >= 0) {
    addLoad(slots, work, bytesOf(work, work.mask));
    slots.vector += 1; // an addition or a selection
  }
  if (work.hasLengths)
    slots.vector += 2; // a comparison of positions, a selection
  return slots;
}

/// Vectors of a row that it sees. The first and the last are cut anywhere.
double vectorsOf(const ScoreShape &rows, double lanes) {
  const double all = std::ceil(rows.keys / lanes);
  return rows.seen < rows.keys
             ? std::min(all, std::ceil(rows.seen / lanes + 0.5))
             : all;
}

/// Of rows that are cut: the vectors at each end are compared with positions,
/// and what is not seen is zero.
void addCuts(EngineTime &engine, const AttentionWork &work,
             const ScoreShape &rows, double lanes, double zeros) {
  if (rows.seen >= rows.keys)
    return;
  const double ends =
      double(work.causal) + (work.window > 0 ? (work.causal ? 1 : 2) : 0);
  engine.addLoop(ends, {2, 0, 0, 0});
  engine.addLoop(std::ceil(rows.keys / lanes) - vectorsOf(rows, lanes),
                 {0, 0, zeros, 0});
}

/// What dropout does to a vector of probabilities.
void addDropout(Slots &slots, const AttentionWork &work) {
  // Words have 32 bits, narrower scores need several vectors of them.
  if (work.isSeeded)
    slots.vector += philoxVector * 4 / scoreBytes(work);
  else if (work.dropoutMask >= 0)
    addLoad(slots, work, bytesOf(work, work.dropoutMask));
  if (work.isSeeded || work.dropoutMask >= 0)
    slots.vector += 1;
}

/// Lanes are merged in halves, a shuffle and an operation each.
double mergeSlots(double lanes) { return 2 * std::log2(lanes); }

/// Bytes of score-wise operands that a row reads.
double rowBytes(const AttentionWork &work, double keys) {
  double bytes = 0;
  for (int32_t operand : {work.mask, work.dropoutMask})
    if (operand >= 0)
      bytes += keys * bytesOf(work, operand);
  return bytes;
}

/// A row of masked scores stays in local memory, beside the tables if the
/// exponential has some.
bool keepsRow(const AttentionWork &work, double keys, double arrays,
              const DeviceSpec &spec) {
  const double memory = work.isFast ? spec.tpc.silicon.localMemoryBesideTables
                                    : spec.tpc.silicon.localMemory;
  return arrays * keys * scoreBytes(work) <= memory;
}

} // namespace

unsigned operandBytes(const AttentionWork &work) {
  return kernel::elementSize(work.operands[0].type);
}

unsigned scoreBytes(const AttentionWork &work) {
  return work.isFast && operandBytes(work) <= 2 ? 2 : 4;
}

KernelTime softmaxTime(const AttentionWork &work, const ScoreShape &rows,
                       const DeviceSpec &spec) {
  const double lanes = lanesOf(work, spec);
  const double vectors = vectorsOf(rows, lanes);
  const unsigned narrow = operandBytes(work);
  EngineTime engine(rows.rows, spec);
  const bool keeps = keepsRow(work, rows.keys, 1, spec);

  // Maximum.
  Slots first = maskSlots(work);
  first.vector += 1;
  first.store = keeps ? 1 : 0;
  engine.addLoop(vectors, first);

  // Exponentials and their sum.
  Slots second;
  if (keeps)
    second.load = 1;
  else
    second = maskSlots(work);
  second.vector += 2; // less the maximum, sum
  second.add(exponentialOf(work));
  if (rows.isWhole) {
    second.store += 1; // in local memory, or a port away
    engine.addLoop(vectors, second);
    // Divided by the sum.
    Slots third;
    third.load = 1;
    third.vector = 1;
    if (work.probabilities >= 0)
      addStore(third, work, narrow);
    addDropout(third, work);
    addStore(third, work, narrow);
    if (work.drawnMask >= 0)
      addStore(third, work, 1);
    engine.addLoop(vectors, third);
  } else {
    addDropout(second, work);
    addStore(second, work, narrow);
    engine.addLoop(vectors, second);
  }

  // Once per row: both are merged across lanes; then either the reciprocal of
  // the sum, or the factor by which the maximum has changed the sum so far.
  Slots row;
  row.vector = 2 * mergeSlots(lanes);
  if (rows.isWhole) {
    row.add(reciprocalSlots);
  } else {
    row.add(exponentialOf(work));
    row.vector += 3; // new maximum, difference, sum
    row.load += 2;
    row.store += 2;
  }
  engine.addLoop(1, row);
  addCuts(engine, work, rows, lanes, 1);

  const double score = rows.seen * scoreBytes(work);
  const double passes = keeps ? 1 : rows.isWhole ? 3 : 2;
  double written = rows.keys * narrow;
  if (!keeps && rows.isWhole)
    written += score;
  if (work.probabilities >= 0)
    written += rows.keys * narrow;
  if (work.drawnMask >= 0)
    written += rows.keys;
  engine.addBytes(passes * score + rowBytes(work, rows.seen), written);
  return engine.finish();
}

KernelTime softmaxGradTime(const AttentionWork &work, const ScoreShape &rows,
                           const DeviceSpec &spec) {
  const double lanes = lanesOf(work, spec);
  const double vectors = vectorsOf(rows, lanes);
  const unsigned narrow = operandBytes(work);
  const bool hasDropout = work.isSeeded || work.dropoutMask >= 0;
  EngineTime engine(rows.rows, spec);

  // Probabilities, from memory or from scores, maximum and sum.
  Slots loop;
  double read = rows.seen * scoreBytes(work); // of the gradient
  if (work.probabilities >= 0) {
    addLoad(loop, work, narrow);
    read += rows.seen * narrow;
  } else {
    loop = maskSlots(work);
    loop.vector += 2; // less the maximum, times the inverse sum
    loop.add(exponentialOf(work));
    read += rows.seen * scoreBytes(work);
  }
  loop.load += 1;         // the gradient of probabilities
  addDropout(loop, work); // and of it
  if (hasDropout)
    loop.vector += 1;
  addStore(loop, work, narrow); // probabilities for the product with dO

  Slots row;
  if (work.forwardOutput < 0) {
    // D is the sum over the row of dP * P: both are kept, or computed again.
    loop.vector += 1;
    row.vector = mergeSlots(lanes);
    const bool keeps = keepsRow(work, rows.keys, 2, spec);
    if (keeps)
      loop.store += 2;
    engine.addLoop(vectors, loop);
    if (keeps) {
      loop = {};
      loop.load = 2;
    }
  }
  loop.vector += 3; // (dP - D) * P * scale
  addStore(loop, work, narrow);
  engine.addLoop(vectors, loop);
  row.load += 3; // maximum, inverse sum, D
  engine.addLoop(1, row);
  addCuts(engine, work, rows, lanes, 2);

  engine.addBytes(read + rowBytes(work, rows.seen), 2 * rows.keys * narrow);
  return engine.finish();
}

KernelTime accumulateTime(double rows, double length, const DeviceSpec &spec) {
  const double lanes = spec.tpc.vectorBytes / 4.0;
  EngineTime engine(rows, spec);
  engine.addLoop(std::ceil(length / lanes), {1, 2, 1, 0});
  engine.addBytes(length * 8, length * 4);
  return engine.finish();
}

KernelTime finishTime(double rows, double length, double perRow,
                      const DeviceSpec &spec) {
  const double lanes = spec.tpc.vectorBytes / 4.0;
  EngineTime engine(rows, spec);
  engine.addLoop(std::ceil(length / lanes), {2, 1, 1, 0});
  engine.addLoop(1, {perRow, 0, 0, perRow});
  engine.addBytes(length * 4, length * 4);
  return engine.finish();
}

KernelTime rowProductTime(const AttentionWork &work, double rows,
                          const DeviceSpec &spec) {
  const double lanes = spec.tpc.vectorBytes / 4.0;
  const unsigned narrow = operandBytes(work);
  EngineTime engine(rows, spec);
  const double conversions = narrow == 4 ? 0 : 2;
  engine.addLoop(std::ceil(double(work.valueDepth) / lanes),
                 {1 + conversions, 2, 0, 0});
  engine.addLoop(1, {mergeSlots(lanes), 0, 1, 0});
  engine.addBytes(2 * double(work.valueDepth) * narrow, 4);
  return engine.finish();
}

} // namespace gaudi::timing
