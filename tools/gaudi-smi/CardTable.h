// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards as a table for people, and as JSON.
#ifndef GAUDI_TOOLS_GAUDI_SMI_CARDTABLE_H
#define GAUDI_TOOLS_GAUDI_SMI_CARDTABLE_H

#include "Gaudi/Runtime/Device/CardFile.h"

#include <map>
#include <string>
#include <vector>

namespace gaudi::smi {

/// A look at all visible cards.
struct Look {
  std::chrono::system_clock::time_point time;
  std::vector<runtime::CardState> cards;
  std::map<unsigned, std::string> problems; ///< why a card could not be read
};

/// `before`: an earlier look; where the same process has a card, its queues are
/// shown for the time in between. Null: since the card was opened.
std::string tableOf(const Look &look, const Look *before);
/// One object, in one line if `isLine`.
std::string jsonOf(const Look &look, const Look *before, bool isLine);

} // namespace gaudi::smi

#endif // GAUDI_TOOLS_GAUDI_SMI_CARDTABLE_H
