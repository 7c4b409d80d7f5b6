// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds, locks and maps the files of cards.
#include "Gaudi/Runtime/Device/CardFile.h"

#include "../ErrorPhrases.h"
#include "CardPage.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace gaudi::runtime {
namespace {

constexpr size_t pageSize = 4096;

/// What the system did not do to a file.
tl::unexpected<Error> failed(const std::string &path, const char *verb) {
  return fail("{} cannot be {}: {}; set XDG_RUNTIME_DIR to a folder of your "
              "own",
              inQuotes(path), verb, std::strerror(errno));
}

/// Unmaps.
struct Unmap {
  void operator()(CardPage *page) const { ::munmap(page, pageSize); }
};
using Mapping = std::unique_ptr<CardPage, Unmap>;

Result<Mapping> map(const Descriptor &file, const std::string &path,
                    int protection) {
  void *page = ::mmap(nullptr, pageSize, protection, MAP_SHARED, file.get(), 0);
  if (page == MAP_FAILED)
    return failed(path, "mapped");
  return Mapping(static_cast<CardPage *>(page));
}

/// Where the files are.
std::string folderName() {
  const char *runtime = std::getenv("XDG_RUNTIME_DIR");
  struct stat status{};
  if (runtime && runtime[0] == '/' && ::stat(runtime, &status) == 0 &&
      S_ISDIR(status.st_mode))
    return std::string(runtime) + "/gaudi-mlir";
  return fmt::format("/dev/shm/gaudi-mlir-{}", ::geteuid());
}

/// That others cannot write what is read here. False if there is no folder.
Result<bool> checkFolder(const std::string &folder) {
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0) {
    if (errno == ENOENT)
      return false;
    return failed(folder, "read");
  }
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() ||
      (status.st_mode & 022) != 0)
    return fail("{} is no folder of this user alone, as that of cards must be; "
                "remove it, or set XDG_RUNTIME_DIR",
                inQuotes(folder));
  return true;
}

std::string pathOf(const std::string &folder, unsigned card) {
  return fmt::format("{}/card{}", folder, card);
}

std::string readShort(const std::string &path, size_t size) {
  const Descriptor file = Descriptor::openToRead(path);
  std::string text(size, '\0');
  text.resize(file.isOpen() ? file.read(text.data(), size).value_or(0) : 0);
  return text;
}

/// When a process started, in ticks since the host did; 0: there is no such
/// process. A process number may be used again, the two together are not.
uint64_t startOf(uint64_t process) {
  const std::string text =
      readShort(fmt::format("/proc/{}/stat", process), 4096);
  // pid (name) state ppid ...: the name may have spaces and parentheses.
  size_t at = text.rfind(')');
  if (at == text.npos || at + 2 >= text.size() || text[at + 2] == 'Z' ||
      text[at + 2] == 'X')
    return 0;
  for (unsigned field = 2; field < 22 && at != text.npos; ++field)
    at = text.find(' ', at + 1);
  uint64_t start = 0;
  if (at != text.npos)
    std::from_chars(text.data() + at + 1, text.data() + text.size(), start);
  return start;
}

template <size_t size>
void copyText(std::array<char, size> &to, std::string_view from) {
  to.fill(0);
  std::copy_n(from.begin(), std::min(from.size(), size - 1), to.begin());
}

template <size_t size> std::string textOf(const std::array<char, size> &from) {
  return {from.data(), ::strnlen(from.data(), size)};
}

/// The command line of this process, the program without its folder.
std::string ownName() {
  std::string text = readShort("/proc/self/cmdline", 1024);
  while (!text.empty() && text.back() == '\0')
    text.pop_back();
  text.erase(0, text.rfind('/', text.find('\0')) + 1); // npos + 1 is 0
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

CardState stateOf(unsigned card, const CardRecord &record) {
  CardState state;
  state.card = card;
  state.isOpen =
      record.process != 0 && startOf(record.process) == record.started;
  if (!state.isOpen)
    return state;
  state.device = textOf(record.device);
  state.process = pid_t(record.process);
  state.processName = textOf(record.processName);
  state.opened = std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(
          std::chrono::microseconds(record.opened)));
  for (const CardText &queue : record.queues)
    if (queue[0] != '\0')
      state.queues.push_back(textOf(queue));
  state.counters = record.counters;
  return state;
}

} // namespace

Result<std::vector<unsigned>> visibleCards() {
  std::vector<unsigned> cards;
  const char *value = std::getenv("HABANA_VISIBLE_MODULES");
  std::string_view rest = value ? value : "";
  if (rest.empty() || rest == "all") {
    for (unsigned card = 0; card < cardCount; ++card)
      cards.push_back(card);
    return cards;
  }
  for (bool isLast = false; !isLast;) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view text = trimmed(rest.substr(0, comma));
    isLast = comma == rest.size();
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    unsigned card = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), card);
    if (error != std::errc() || end != text.data() + text.size() ||
        card >= cardCount)
      return fail("HABANA_VISIBLE_MODULES is {}: {} is no card, expected "
                  "numbers from 0 to {}, separated by commas",
                  inQuotes(value), inQuotes(text), cardCount - 1);
    if (std::find(cards.begin(), cards.end(), card) != cards.end())
      return fail("HABANA_VISIBLE_MODULES is {}: card {} is listed twice",
                  inQuotes(value), card);
    cards.push_back(card);
  }
  return cards;
}

Result<CardState> readCard(unsigned card) {
  const std::string folder = folderName();
  CardState none;
  none.card = card;
  if (!GAUDI_TRY(checkFolder(folder)))
    return none;
  const std::string path = pathOf(folder, card);
  const Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat status{};
  if (!file.isOpen() && errno == ENOENT)
    return none;
  if (!file.isOpen() || ::fstat(file.get(), &status) != 0)
    return failed(path, "read");
  if (status.st_size < off_t(pageSize))
    return none; // its first holder is about to write it
  const Mapping page = GAUDI_TRY(map(file, path, PROT_READ));
  CardRecord record;
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (!page->read(record)) {
    if (record.version > 0 && !stateOf(card, record).isOpen)
      return none; // killed within an update
    if (std::chrono::steady_clock::now() > late)
      return fail("process {}, which has card {}, has stopped within an update "
                  "of the card's counters; try again",
                  record.process, card);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  if (record.version != 0 && record.version != CardRecord::currentVersion)
    return fail("{} was written by version {} of its format, this program "
                "reads version {}",
                inQuotes(path), record.version, CardRecord::currentVersion);
  return stateOf(card, record);
}

struct OpenCard {
  unsigned card = 0;
  Descriptor file; // its lock
  Mapping page;    // null in a child of fork()
  CardRecord record;

  ~OpenCard();
};

namespace {

/// The cards of this process. A child closes its copies: the lock belongs to
/// the open file, which would stay open as long as a child lives.
struct OpenCards {
  std::mutex mutex;
  std::array<OpenCard *, cardCount> cards{};

  void becomeChild() {
    for (OpenCard *&card : cards)
      if (card) {
        card->file = Descriptor();
        card->page.reset();
        card = nullptr;
      }
    mutex.unlock();
  }
} openCards;

// Without memory for the handlers a card stays busy until children end.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): it throws nothing.
[[maybe_unused]] const int registered = ::pthread_atfork(
    [] { openCards.mutex.lock(); }, [] { openCards.mutex.unlock(); },
    [] { openCards.becomeChild(); });

tl::unexpected<Error> busy(unsigned card) {
  const auto state = readCard(card);
  if (!state || !state->isOpen)
    return fail("card {}{}another process is opening or closing it; try again",
                card, cardBusy);
  if (state->process == ::getpid())
    return fail("card {}{}this process has it; close the device that it opened "
                "before, or take another card",
                card, cardBusy);
  return fail("card {}{}process {} ({}) has it; end that, or take another card",
              card, cardBusy, state->process, printable(state->processName));
}

/// The file of a card, locked. None: another process has it.
Result<std::optional<Descriptor>> lockCard(const std::string &path) {
  Descriptor file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.isOpen())
    return failed(path, "opened");
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return std::optional<Descriptor>();
    if (errno != EINTR)
      return failed(path, "locked");
  }
  if (::ftruncate(file.get(), off_t(pageSize)) != 0)
    return failed(path, "written");
  return std::optional<Descriptor>(std::move(file));
}

CardRecord recordOf(std::string_view device,
                    const std::vector<std::string_view> &queues) {
  CardRecord record;
  record.version = CardRecord::currentVersion;
  record.process = uint64_t(::getpid());
  record.started = startOf(record.process);
  record.opened = std::chrono::duration_cast<std::chrono::microseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count();
  copyText(record.device, device);
  copyText(record.processName, ownName());
  for (size_t i = 0; i < std::min(queues.size(), record.queues.size()); ++i)
    copyText(record.queues[i], queues[i]);
  return record;
}

} // namespace

OpenCard::~OpenCard() {
  const std::lock_guard<std::mutex> guard(openCards.mutex);
  if (!page)
    return;
  page->write(CardRecord());
  openCards.cards[card] = nullptr;
}

Result<CardFile> CardFile::open(std::optional<unsigned> card,
                                std::string_view device,
                                const std::vector<std::string_view> &queues) {
  std::vector<unsigned> candidates = GAUDI_TRY(visibleCards());
  if (card) {
    if (std::find(candidates.begin(), candidates.end(), *card) ==
        candidates.end())
      return fail("there is no card {}; HABANA_VISIBLE_MODULES allows {}",
                  *card, fmt::join(candidates, ", "));
    candidates = {*card};
  }
  const std::string folder = folderName();
  if (!GAUDI_TRY(checkFolder(folder))) {
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return failed(folder, "made");
    GAUDI_TRY(checkFolder(folder));
  }
  std::string others;
  for (const unsigned candidate : candidates) {
    const std::string path = pathOf(folder, candidate);
    auto file = GAUDI_TRY(lockCard(path));
    if (!file) {
      const Error error = busy(candidate).value();
      others += (others.empty() ? "" : "; ") + error.message;
      continue;
    }
    auto opened = std::make_unique<OpenCard>();
    opened->card = candidate;
    opened->record = recordOf(device, queues);
    Mapping page = GAUDI_TRY(map(*file, path, PROT_READ | PROT_WRITE));
    page->write(opened->record);
    const std::lock_guard<std::mutex> guard(openCards.mutex);
    opened->file = std::move(*file);
    opened->page = std::move(page);
    openCards.cards[candidate] = opened.get();
    return CardFile(std::move(opened));
  }
  return fail(std::move(others));
}

CardFile::CardFile(std::unique_ptr<OpenCard> own) : own(std::move(own)) {}
CardFile::CardFile(CardFile &&) noexcept = default;
CardFile &CardFile::operator=(CardFile &&) noexcept = default;
CardFile::~CardFile() = default;

unsigned CardFile::card() const { return own->card; }

void CardFile::publish(const CardCounters &counters) {
  if (!own->page)
    return;
  own->record.counters = counters;
  own->page->write(own->record,
                   offsetof(CardRecord, counters) / sizeof(uint64_t));
}

} // namespace gaudi::runtime
