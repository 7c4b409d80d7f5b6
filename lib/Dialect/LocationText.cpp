// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations as reports and recipes have them.
#include "Gaudi/Dialect/LocationText.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static void printLocation(Location loc, llvm::raw_ostream &os) {
  if (auto file = dyn_cast<FileLineColLoc>(loc)) {
    os << llvm::sys::path::filename(file.getFilename().getValue()) << ":"
       << file.getLine() << ":" << file.getColumn();
  } else if (auto named = dyn_cast<NameLoc>(loc)) {
    os << named.getName().getValue();
    if (!isa<UnknownLoc>(named.getChildLoc())) {
      os << " at ";
      printLocation(named.getChildLoc(), os);
    }
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    printLocation(call.getCallee(), os);
    os << " called at ";
    printLocation(call.getCaller(), os);
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    llvm::interleave(
        fused.getLocations(), os,
        [&](Location part) { printLocation(part, os); }, ", ");
  }
}

std::string gaudi::locationText(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printLocation(loc, os);
  return text;
}
