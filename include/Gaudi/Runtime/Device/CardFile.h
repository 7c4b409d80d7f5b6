// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cards that this host emulates, as all processes of a user see them: who
// has one, and what it counts. A card is a file of a page in
// $XDG_RUNTIME_DIR/gaudi-mlir, else in /dev/shm/gaudi-mlir-<user id>. Its
// holder has locked it with flock(), so that a process that dies frees its
// cards, and has mapped the page, in which other processes read the counters.
#ifndef GAUDI_RUNTIME_DEVICE_CARDFILE_H
#define GAUDI_RUNTIME_DEVICE_CARDFILE_H

#include "Gaudi/Support/Error.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace gaudi::runtime {

/// The modules of a host: cards 0 to 7.
constexpr unsigned cardCount = 8;
/// Queues of which a card shows the times.
constexpr unsigned shownQueueCount = 8;

/// The cards that HABANA_VISIBLE_MODULES lists ("0,3"), in its order; all if it
/// is not set, or "all". Errors: what is no card of this host, or listed twice.
Result<std::vector<unsigned>> visibleCards();

/// Since the card was opened.
struct CardCounters {
  uint64_t memoryLimit = 0, memoryInUse = 0, memoryPeak = 0; // bytes
  uint64_t launches = 0;
  int64_t elapsed = 0;                         // picoseconds of its clock
  std::array<int64_t, shownQueueCount> busy{}; // of them, by queue
};

/// What a card shows. A free one has nothing but its number.
struct CardState {
  unsigned card = 0;
  bool isOpen = false;
  std::string device; // "gaudi2"
  pid_t process = 0;
  std::string processName; // its command line, cut
  std::chrono::system_clock::time_point opened;
  std::vector<std::string> queues; // names
  CardCounters counters;
};

/// Reads a card that any process may have; a card of a process that died is
/// free. Errors: the folder or the file belongs to another user or version; a
/// writer that has stopped within an update.
Result<CardState> readCard(unsigned card);

struct OpenCard;

/// A card of this process, until it is destroyed. Children of fork() do not
/// have it.
class CardFile {
public:
  /// `card` absent: the first one that is visible and free. `device`: its kind,
  /// `queues`: their names; both are cut to 15 bytes. Errors: the card is not
  /// visible, or busy, or its file cannot be made; a busy one names its
  /// process.
  static Result<CardFile> open(std::optional<unsigned> card,
                               std::string_view device,
                               const std::vector<std::string_view> &queues);
  CardFile(CardFile &&) noexcept;
  CardFile &operator=(CardFile &&) noexcept;
  ~CardFile();

  unsigned card() const;
  /// Shows counters to other processes: tens of nanoseconds, no lock and no
  /// system call. One thread at a time. Nothing in a child of fork().
  void publish(const CardCounters &counters);

private:
  explicit CardFile(std::unique_ptr<OpenCard> own);
  std::unique_ptr<OpenCard> own;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_CARDFILE_H
