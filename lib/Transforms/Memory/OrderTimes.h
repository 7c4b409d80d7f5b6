// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of launches for orders of the ops, compared with program order.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_ORDERTIMES_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_ORDERTIMES_H

#include "ScheduleGraph.h"
#include <random>

namespace gaudi {

/// Plays orders to the last command if there is a player and the function is
/// short enough for that. Otherwise it estimates them: which bytes are used
/// again is known only when buffers have offsets, and moves the time of a
/// launch by some per cent, so that an order must be fast enough with each of
/// three packings. Program order is timed when the first other order is.
class OrderTimes {
public:
  OrderTimes(func::FuncOp function, const ScheduleGraph &schedule,
             const DeviceTime &time, const LaunchPlayer &player);

  /// Whether a launch takes at most 0.1 % longer than in program order. Moves
  /// ops for less time first, as long as no more than `limit` bytes are alive,
  /// if the order can be played.
  bool improve(std::vector<uint32_t> &order, uint64_t limit);

  /// Of the order that improve() left last.
  struct Change {
    Picoseconds before = 0, after = 0;
  };
  const Change &lastChange() const { return change; }

private:
  struct Times {
    SmallVector<Picoseconds, 3> launch; // one, or by packing; or none
    uint64_t workspace = 0;             // bytes, if it was played
  };
  Times timesOf(ArrayRef<uint32_t> order);
  std::optional<PlayedLaunch> play(ArrayRef<uint32_t> order) const;
  /// A position in the order, not the last one.
  uint32_t pickPosition(ArrayRef<uint32_t> order);
  /// Moves some neighbours, whose predecessors stay before them and successors
  /// after them; false if they cannot move.
  bool moveSome(std::vector<uint32_t> &order);

  func::FuncOp function;
  const ScheduleGraph &schedule;
  const DeviceTime &time;
  const LaunchPlayer &player;
  std::optional<ScheduleTime> estimates; // if it does not play
  Times program;                         // no launch: not timed yet
  uint32_t plays = 0;                    // that are left
  // Of each op:
  std::vector<SmallVector<uint32_t, 4>> before, after;
  std::vector<uint32_t> weights; // how often it is picked
  std::minstd_rand random;       // its numbers are the same everywhere
  Change change;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_ORDERTIMES_H
