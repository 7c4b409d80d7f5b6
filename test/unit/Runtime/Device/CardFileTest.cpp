// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards of several processes: who has them, and what they show.
#include "Gaudi/Runtime/Device/CardFile.h"

#include "../../Support/TempFolder.h"
#include "Device/CardPage.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gaudi;
using namespace gaudi::runtime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class CardFiles : public ::testing::Test {
protected:
  CardFiles() {
    ::setenv("XDG_RUNTIME_DIR", folder.path.c_str(), 1);
    ::unsetenv("HABANA_VISIBLE_MODULES");
  }
  ~CardFiles() override {
    ::unsetenv("XDG_RUNTIME_DIR");
    ::unsetenv("HABANA_VISIBLE_MODULES");
  }

  static CardFile open(unsigned card) {
    auto file = CardFile::open(card, "gaudi2", {"MME", "TPC"});
    if (!file)
      ADD_FAILURE() << file.error().message;
    return std::move(*file);
  }
  static std::string refusal(std::optional<unsigned> card) {
    auto file = CardFile::open(card, "gaudi2", {});
    return file ? "" : file.error().message;
  }
  static CardState read(unsigned card) {
    auto state = readCard(card);
    if (!state)
      ADD_FAILURE() << state.error().message;
    return *state;
  }
  /// The page of a card, which tests damage.
  CardPage *page(unsigned card) const {
    const int file = ::open(
        folder.file("gaudi-mlir/card" + std::to_string(card)).c_str(), O_RDWR);
    void *mapped =
        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    return static_cast<CardPage *>(mapped);
  }

  TempFolder folder;
};

/// A process that runs `work` and then waits to be killed.
class Holder {
public:
  template <typename Work> explicit Holder(Work work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    child = ::fork();
    if (child == 0) {
      ::alarm(60);
      const char isFine = work() ? 1 : 0;
      EXPECT_EQ(::write(ends[1], &isFine, 1), 1);
      for (;;)
        ::pause();
    }
    char isFine = 0;
    EXPECT_EQ(::read(ends[0], &isFine, 1), 1);
    EXPECT_EQ(isFine, 1);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Holder() { kill(); }
  void kill() {
    if (child > 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    child = 0;
  }
  pid_t child = 0;
};

TEST_F(CardFiles, ShowWhatIsPublished) {
  EXPECT_FALSE(read(2).isOpen);
  {
    CardFile file = open(2);
    EXPECT_EQ(file.card(), 2u);
    CardCounters counters;
    counters.memoryLimit = 96;
    counters.memoryInUse = 7;
    counters.memoryPeak = 9;
    counters.launches = 3;
    counters.elapsed = 1000;
    counters.busy = {400, 600};
    file.publish(counters);
    const CardState state = read(2);
    EXPECT_TRUE(state.isOpen);
    EXPECT_EQ(state.device, "gaudi2");
    EXPECT_EQ(state.process, ::getpid());
    EXPECT_THAT(state.processName, HasSubstr("Tests"));
    EXPECT_LT(std::chrono::system_clock::now() - state.opened,
              std::chrono::minutes(1));
    EXPECT_THAT(state.queues, ElementsAre("MME", "TPC"));
    EXPECT_EQ(state.counters.memoryLimit, 96u);
    EXPECT_EQ(state.counters.memoryInUse, 7u);
    EXPECT_EQ(state.counters.memoryPeak, 9u);
    EXPECT_EQ(state.counters.launches, 3u);
    EXPECT_EQ(state.counters.elapsed, 1000);
    EXPECT_EQ(state.counters.busy[1], 600);
    EXPECT_EQ(state.counters.busy[2], 0);
    EXPECT_FALSE(read(1).isOpen);
  }
  EXPECT_FALSE(read(2).isOpen);
}

TEST_F(CardFiles, ABusyCardNamesItsProcess) {
  Holder holder([] {
    static const CardFile file = open(0);
    return true;
  });
  EXPECT_THAT(refusal(0), HasSubstr("card 0 is busy: process " +
                                    std::to_string(holder.child) + " ("));
  EXPECT_THAT(refusal(0),
              HasSubstr(") has it; end that, or take another card"));
  const CardFile second = open(1);
  EXPECT_EQ(refusal(1), "card 1 is busy: this process has it; close the device "
                        "that it opened before, or take another card");
  EXPECT_EQ(CardFile::open({}, "gaudi2", {})->card(), 2u) << "the first free";
  ::setenv("HABANA_VISIBLE_MODULES", "0,1", 1);
  EXPECT_THAT(refusal({}), HasSubstr("another card; card 1 is busy"));
}

TEST_F(CardFiles, WhoDiesFreesHisCards) {
  Holder holder([] {
    static CardFile file = open(3);
    CardCounters counters;
    counters.memoryInUse = 5;
    file.publish(counters);
    return true;
  });
  EXPECT_EQ(read(3).counters.memoryInUse, 5u);
  holder.kill();
  EXPECT_FALSE(read(3).isOpen);
  const CardFile file = open(3);
  EXPECT_EQ(read(3).process, ::getpid());
  EXPECT_EQ(read(3).counters.memoryInUse, 0u);
}

TEST_F(CardFiles, AKillWithinAnUpdateIsNoLock) {
  Holder holder([] {
    static const CardFile file = open(3);
    return true;
  });
  CardPage *half = page(3);
  half->sequence |= 1;
  EXPECT_THAT(readCard(3).error().message,
              HasSubstr("process " + std::to_string(holder.child) +
                        ", which has card 3, has stopped within an update of "
                        "the card's counters; try again"));
  holder.kill();
  EXPECT_FALSE(read(3).isOpen);
  const CardFile file = open(3);
  EXPECT_EQ(half->sequence % 2, 0u);
  EXPECT_TRUE(read(3).isOpen);
  ::munmap(half, 4096);
}

TEST_F(CardFiles, ChildrenDoNotHoldTheCardsOfTheirParent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Holder parent([&] {
    static CardFile file = open(4);
    if (::fork() == 0) {
      file.publish({1, 1, 1, 1, 1, {}}); // nothing
      // Lives until the test ends.
      ::close(ends[1]);
      char end = 0;
      EXPECT_EQ(::read(ends[0], &end, 1), 0);
      ::_exit(0);
    }
    ::usleep(200000);
    return read(4).counters.launches == 0;
  });
  parent.kill();
  EXPECT_EQ(refusal(4), "");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(CardFiles, VisibleModules) {
  EXPECT_THAT(*visibleCards(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  const auto set = [](const char *value) {
    ::setenv("HABANA_VISIBLE_MODULES", value, 1);
    return visibleCards();
  };
  EXPECT_THAT(*set("3,0"), ElementsAre(3, 0));
  EXPECT_THAT(*set(" 3, 0 "), ElementsAre(3, 0));
  EXPECT_EQ(set("all")->size(), 8u);
  EXPECT_EQ(set("")->size(), 8u);
  EXPECT_EQ(set("1,8").error().message,
            "HABANA_VISIBLE_MODULES is '1,8': '8' is no card, expected numbers "
            "from 0 to 7, separated by commas");
  EXPECT_THAT(set("1,").error().message, HasSubstr("'' is no card"));
  EXPECT_THAT(set("-1").error().message, HasSubstr("'-1' is no card"));
  EXPECT_EQ(set("2,2").error().message,
            "HABANA_VISIBLE_MODULES is '2,2': card 2 is listed twice");
  ::setenv("HABANA_VISIBLE_MODULES", "3,0", 1);
  EXPECT_EQ(refusal(1),
            "there is no card 1; HABANA_VISIBLE_MODULES allows 3, 0");
  EXPECT_EQ(CardFile::open({}, "gaudi3", {})->card(), 3u);
}

TEST_F(CardFiles, FoldersAndFilesThatAreWrong) {
  {
    const CardFile file = open(0);
  }
  const std::string own = folder.file("gaudi-mlir");
  ::chmod(own.c_str(), 0777);
  EXPECT_THAT(refusal(0), HasSubstr("is no folder of this user alone, as that "
                                    "of cards must be; remove it, or set "
                                    "XDG_RUNTIME_DIR"));
  EXPECT_FALSE(readCard(0));
  ::chmod(own.c_str(), 0700);
  std::filesystem::create_directory(own + "/card5");
  EXPECT_THAT(refusal(5), HasSubstr("cannot be opened: Is a directory; set "
                                    "XDG_RUNTIME_DIR to a folder of your "
                                    "own"));
  folder.write("gaudi-mlir/card2", "");
  const int held = ::open((own + "/card2").c_str(), O_RDWR);
  EXPECT_EQ(::flock(held, LOCK_EX), 0);
  EXPECT_EQ(refusal(2), "card 2 is busy: another process is opening or closing "
                        "it; try again");
  ::close(held);
  folder.write("gaudi-mlir/card6", "");
  EXPECT_FALSE(read(6).isOpen);
  std::filesystem::create_symlink("card6", own + "/card7");
  EXPECT_THAT(refusal(7), HasSubstr("cannot be opened: "));
  EXPECT_THAT(readCard(7).error().message, HasSubstr("cannot be read: "));
  {
    const CardFile file = open(1);
    CardPage *other = page(1);
    CardRecord record;
    EXPECT_TRUE(other->read(record));
    record.version = 9;
    other->write(record);
    EXPECT_THAT(readCard(1).error().message,
                HasSubstr("was written by version 9 of its format, this "
                          "program reads version 1"));
    ::munmap(other, 4096);
  }
  ::setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
  EXPECT_TRUE(readCard(7)) << "then the folder is in /dev/shm";
}

TEST_F(CardFiles, ReadsAreNeverOfTwoUpdates) {
  CardFile file = open(0);
  std::atomic<bool> isDone{false};
  std::thread writer([&] {
    for (uint64_t i = 1; !isDone; ++i) {
      CardCounters counters;
      counters.memoryLimit = counters.memoryInUse = counters.memoryPeak = i;
      counters.launches = i;
      counters.elapsed = int64_t(i);
      counters.busy.fill(int64_t(i));
      file.publish(counters);
    }
  });
  uint64_t last = 0;
  for (int i = 0; i < 2000; ++i) {
    const CardCounters seen = read(0).counters;
    EXPECT_GE(seen.launches, last);
    last = seen.launches;
    EXPECT_EQ(seen.memoryLimit, last);
    EXPECT_EQ(seen.busy.back(), int64_t(last));
    EXPECT_EQ(seen.elapsed, int64_t(last));
  }
  isDone = true;
  writer.join();
}

/// Many processes that open one card for a moment: one at a time has it.
TEST_F(CardFiles, ProcessesTakeTurns) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      for (int turn = 0; turn < 20;) {
        auto file = CardFile::open(0, "gaudi2", {});
        if (!file) {
          std::this_thread::yield();
          continue;
        }
        ++turn;
        for (int look = 0; look < 5; ++look) {
          const auto state = readCard(0);
          if (!state || state->process != ::getpid())
            ::_exit(1);
        }
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

} // namespace
