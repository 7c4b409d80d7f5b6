// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-smi: the cards that this host emulates, once or again and again.
#include "CardTable.h"

#include "CommandLine.h"

#include <CLI/App.hpp>
#include <csignal>
#include <ctime>
#include <iostream>
#include <optional>
#include <unistd.h>

using namespace gaudi;
using namespace gaudi::smi;

namespace {

struct Options {
  bool json = false;
  std::optional<double> loop; // seconds
};

void addOptions(CLI::App &app, Options &options) {
  app.add_flag("--json", options.json,
               "print an object for programs; with --loop one per line");
  app.add_option("--loop", options.loop,
                 "look again every SECONDS, until Ctrl-C; queues are then "
                 "shown for the time between two looks")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.01, 86400.0));
  app.footer("Shows cards 0 to 7, or those of HABANA_VISIBLE_MODULES: kind, "
             "memory, how busy\neach queue is by the card's own clock, and "
             "the process that has the card.\n\nExit codes: 0 success; 2 "
             "usage, or a card that could not be read: the others are shown");
}

Result<Look> lookAtCards() {
  Look look;
  look.time = std::chrono::system_clock::now();
  for (const unsigned number : GAUDI_TRY(runtime::visibleCards())) {
    runtime::CardState &card = look.cards.emplace_back();
    card.card = number;
    if (Result<runtime::CardState> state = runtime::readCard(number))
      card = std::move(*state);
    else
      look.problems[number] = state.error().message;
  }
  return look;
}

/// Sleeps until a signal ends the program; false if one did.
bool sleepFor(double seconds, const sigset_t &signals) {
  timespec time{};
  time.tv_sec = std::time_t(seconds);
  time.tv_nsec = long((seconds - double(time.tv_sec)) * 1e9);
  int got;
  while ((got = ::sigtimedwait(&signals, nullptr, &time)) < 0 && errno == EINTR)
    ;
  return got < 0;
}

Result<int> show(const Options &options) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  if (options.loop)
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  const bool isScreen =
      options.loop && !options.json && ::isatty(STDOUT_FILENO) != 0;
  std::optional<Look> before;
  do {
    Look look = GAUDI_TRY(lookAtCards());
    const Look *last = before ? &*before : nullptr;
    if (isScreen)
      std::cout << "\033[H\033[2J"; // to the corner of an empty screen
    std::cout << (options.json ? jsonOf(look, last, options.loop.has_value())
                               : tableOf(look, last))
              << std::flush;
    before = std::move(look);
  } while (options.loop && std::cout && sleepFor(*options.loop, signals));
  if (!before->problems.empty())
    return fail(before->problems.begin()->second);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  Tool tool{"gaudi-smi", "Shows the cards that this host emulates.",
            [&](CLI::App &app) { addOptions(app, options); },
            [&]() { return show(options); }};
  return runTool(tool, argc, argv);
}
